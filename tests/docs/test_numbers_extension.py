"""Checked numbers on the page, through the Markdown extensions that the site uses."""

import markdown
import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from sqrtdk_docs.numbers.calculator import Calculator
from sqrtdk_docs.numbers.extension import NumbersExtension, disclosure, unseen
from sqrtdk_docs.numbers.marks import find

SITE = ["abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc",
        "pymdownx.arithmatex", "pymdownx.details", "pymdownx.highlight", "pymdownx.superfences"]

PAGE = '''\
# Half: `0.5`{ calc="1/2" } {#half}

Stars: `24`{ calc="2 * 3 * 4" }, `64`{ calc="2**3 * 2**3" }; `0.5`{ calc="[[0.5]][0][0]" }.
Not $x$ but `0.5`{ calc="softmax([0, 0])[0]" }, in a link [`0.5`{ calc="1/2" }](x.md).
Coloured: **`2`{ calc="1 + 1" }**{.raw}.

| weights |
| --- |
| `[0.5, 0.5]`{ calc="softmax([0, 0])" } |

- list `3`{ calc="1 + 2" }
    - nested `3`{ calc="1 + 2" }

??? question "Is it `4`{ calc="2 + 2" }?"

    Yes, `4`{ calc="2 + 2" }.[^1]

```text
`0.9`{ calc="9/10" }
```

Sample: `` `0.8`{ calc="4/5" } ``, plain `0.7`, classed `x`{.py}.

[^1]: A note with `5`{ calc="2 + 3" }.
'''


@pytest.fixture
def extension(tmp_path):
    return NumbersExtension(Calculator(tmp_path))


def convert(text, extension):
    return markdown.markdown(text, extensions=[*SITE, extension])


def test_every_mark_becomes_data_wherever_it_stands(extension):
    page = HTMLParser(convert(PAGE, extension))
    found = sorted((node.text(), node.attributes["value"]) for node in page.css("data.checked"))
    assert found == sorted([
        ("0.5", "0.5"), ("24", "24"), ("64", "64"), ("0.5", "0.5"), ("0.5", "0.5"), ("0.5", "0.5"),
        ("2", "2"), ("[0.5, 0.5]", "0.5, 0.5"), ("3", "3"), ("3", "3"), ("4", "4"), ("4", "4"),
        ("5", "5"),
    ])
    assert page.css_first("h1").attributes["id"] == "half"
    assert [node.text() for node in page.css("code")] == [
        '`0.9`{ calc="9/10" }\n', '`0.8`{ calc="4/5" }', "0.7", "x"]
    assert page.css_first("strong.raw data").text() == "2"
    assert page.css_first("a[href='x.md'] data").text() == "0.5"


def test_what_is_found_in_the_source_is_what_the_page_shows(extension):
    convert(PAGE, extension)
    assert unseen(find(PAGE), extension) == []
    assert len(extension.rendered) == len(find(PAGE))


def test_a_mark_that_does_not_reach_the_page_is_told(extension):
    page = 'Text `1`{ calc="1" }.\n\n    indented code: `1`{ calc="1" }\n'
    convert(page, extension)
    assert len(unseen(find(page), extension)) == 1


def test_each_page_begins_anew(extension):
    convert('`1`{ calc="1" }', extension)
    convert('`2`{ calc="2" }', extension)
    assert extension.rendered == [("2", "2")]


def test_a_mark_can_not_be_focused_and_says_nothing_twice(extension):
    html = convert('`0.67`{ calc="softmax([1, 2, 3])[2]" }', extension)
    assert html == '<p><data class="checked" value="0.665240955775">0.67</data></p>'


def test_a_failing_expression_shows_its_text(extension):
    assert convert('`0.67`{ calc="sofmax([1])" }', extension) == (
        '<p><data class="checked">0.67</data></p>')


def test_the_disclosure_lists_each_number_once_with_its_expression_and_link():
    numbers = find('`0.5`{ calc="1/2" } `0.5`{ calc="1/2" } `3`{ calc="1 + 2" } '
                   '`1`{ calc="<script>" }')
    page = HTMLParser(disclosure(numbers, "en", {"1/2": "test.py?a=1&b=2#L3"}.get))
    details = page.css_first("details.checked-numbers")
    assert "data-search-exclude" in details.attributes
    assert details.css_first("summary").text() == "Checked numbers (3)"
    rows = details.css("li")
    assert [row.text() for row in rows] == ["0.5 1/2", "3 1 + 2", "1 <script>"]
    assert rows[0].css_first("a").attributes["href"] == "test.py?a=1&b=2#L3"
    assert rows[0].css_first("a code").text() == "1/2"
    assert details.css("script") == [] and rows[1].css("a") == []


def test_the_disclosure_speaks_the_language_of_the_page():
    numbers = find('`0.5`{ calc="1/2" }')
    nowhere = {}.get
    assert "<summary>核对过的数字（1）</summary>" in disclosure(numbers, "zh", nowhere)
    assert "<summary>Checked numbers (1)</summary>" in disclosure(numbers, "fr", nowhere)
    assert disclosure([], "en", nowhere) == ""
