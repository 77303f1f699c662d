"""Cutting pages into sections, and when two texts are the same text."""

import re

import autocorrect_py
import markdown
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sqrtdk_docs.translation.fingerprint import fingerprint, normal, prose
from sqrtdk_docs.translation.markup import cells, read_page


def ids(text: str) -> list[str]:
    return [section.id for section in read_page(text).sections]


def one(text: str) -> str:
    """The normal form of a page without headings."""
    return "\n".join(normal(section) for section in read_page(text).sections)


def ids_on_the_site(text: str) -> list[str]:
    """The ids of the headings that Python-Markdown makes, with the extensions of the site."""
    html = markdown.markdown(read_page(text).body, extensions=[
        "admonition", "attr_list", "footnotes", "md_in_html", "tables", "toc",
        "pymdownx.arithmatex", "pymdownx.details", "pymdownx.superfences", "pymdownx.tabbed"],
        extension_configs={"pymdownx.arithmatex": {"generic": True},
                           "pymdownx.tabbed": {"alternate_style": True}})
    return re.findall(r'<h[1-6][^>]* id="([^"]+)"', html)


@pytest.mark.parametrize("hidden", [
    "```\n# no heading {#no}\n```",
    "~~~~\n~~~\n# no heading {#no}\n~~~~",
    "````\n```\n# no heading {#no}\n```\n````",
    "??? note \"A\"\n\n    ```\n    # no heading {#no}\n    ```",
    "<!-- one\n\n# no heading {#no}\n\n-->",
    "<!-- # no heading {#no} -->",
    "$$\n# no heading {#no}\n$$",
    "- item\n\n        # no heading {#no}",
    "a | b\n--- | ---\n1 | 2",
    "words\n\n---\n\nwords",
])
def test_what_only_looks_like_a_heading_is_none(hidden):
    text = f"# A {{#a}}\n\n{hidden}\n\n## B {{#b}}\n"
    assert ids(text) == ["top", "a", "b"] == ["top", *ids_on_the_site(text)]


def test_a_heading_is_found_where_the_site_finds_one():
    text = ("---\ntitle: T\n---\nbefore\n# A `x` {#a .wide}\ntext\n## B ## {: #b }\n"
            "Underlined {#c}\n---\n!!! note\n\n    ### In a box {#d}\n\n    text\n\n#E {#e}\n")
    page = read_page(text)
    assert [(s.id, s.level, s.line) for s in page.sections] == [
        ("top", 0, 4), ("a", 1, 5), ("b", 2, 7), ("c", 2, 8), ("d", 3, 12), ("e", 1, 16)]
    assert page.sections[1].blocks[0].text == "A `x`"
    assert page.front == {"title": "T"}
    assert ids_on_the_site(text) == ["a", "b", "c", "d", "e"]


def test_on_every_page_of_the_site_the_sections_are_its_headings(project):
    for lang in project.languages:
        for path in project.pages(lang):
            text = path.read_text("utf-8")
            assert ids(text)[1:] == ids_on_the_site(text), project.shown(path)


def test_a_section_holds_its_own_text_only():
    page = read_page("# A {#a}\n\none\n\n## B {#b}\n\ntwo\n")
    assert [section.text for section in page.sections[1:]] == ["# A {#a}\n\none",
                                                               "## B {#b}\n\ntwo"]


def test_a_bar_in_code_divides_no_cell():
    table = read_page("| `a|b` | c \\| d |\n| --- | --- |\n| 1 | 2 |\n").sections[0].blocks[0]
    assert cells(table) == [["`a|b`", "c \\| d"], ["1", "2"]]


@pytest.mark.parametrize(("before", "after"), [
    ("one two\nthree", "one\ntwo three"),
    ("中文 abc,好", "中文abc，好"),
    ("他说“好”。", "他说\"好\"."),
    ("`0.665`{ calc=\"f(1, 2)\" }", "`0.67`{ calc=\"f(1,  2)\" }"),
    ("| a | b |\n| - | - |\n| 1 | `2`{ calc=\"f(1)\" } |",
     "|a|b|\n|:--|---|\n|1|`2.0`{ calc=\"f(1)\" }|"),
    ("* one\n* two", "- one\n-  two"),
    ("1. one\n2. two", "1. one\n1. two"),
    ("caf\u00e9", "cafe\u0301"),
    ("$a  +\nb$", "$a + b$"),
    ("text <!-- a note -->", "text"),
    ("text\r\n\r\ntext", "text\n\ntext"),
    ("# A {#a}", "# A {#b}"),
])
def test_what_is_the_same_text(before, after):
    assert one(before) == one(after)


@pytest.mark.parametrize(("before", "after"), [
    ("one, two", "one two"),
    ("中文", "中文，"),
    ("`a b`", "`ab`"),
    ("`0.665`", "`0.66`"),                                          # not a checked number
    ("`1`{ calc=\"f(1)\" }", "`1`{ calc=\"f(2)\" }"),
    ("10² keys", "102 keys"),
    ("```\na  b\n```", "```\na b\n```"),
    ("```py\nx = '，'\n```", "```py\nx = ','\n```"),
    ("$a + b$", "$a - b$"),
    ("one\n\ntwo", "one two"),
    ("| a | b |\n| - | - |", "| ab |\n| - |"),
    ("- one", "1. one"),
    ("!!! note\n\n    one", "!!! note\n\none"),
    ("A", "a"),
])
def test_what_is_another_text(before, after):
    assert one(before) != one(after)


WORDS = st.sampled_from(["中文", "是", "softmax", "d_k", "64", "3.5", "`code x`", "$x+1$", "“引”",
                         "`8`{ calc=\"sqrt(64)\" }", "[词语](a.md#b)", "**重点**", "√", "QKᵀ",
                         "，", "。", ",", ".", "!", "?", "（", "）", "(", ")", "：", ":", "-",
                         " ", "  ", "……", "、", "《书》", "Ａ", "%", "/"])


# Two formulas or two spans of code side by side are other Markdown than each alone.
TEXTS = st.lists(WORDS, max_size=12).map("".join).filter(lambda text: not re.search(r"\$\$|``", text))


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(TEXTS)
@example("中文,softmax是64%。 见`code x`(中文) :是")
def test_no_typography_fix_is_a_change(text):
    assert prose(autocorrect_py.format_for(text, "markdown")) == prose(text)


def test_a_hash_is_what_it_was():
    """If this fails every record in the lock has lost its meaning: think before changing it."""
    text = "# 标题 A {#a}\n\n见 `8`{ calc=\"sqrt(64)\" }，$x$。\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"
    section = read_page(text).sections[1]
    assert normal(section) == "0 标题A\n0 见{sqrt(64)},$x$.\n0 a|b\n1|2"
    assert fingerprint(normal(section)) == "c45134b4c6a6"
