"""Formulas become MathML; bad TeX stops the build and says where."""

import re
from html.parser import HTMLParser

import markdown
import pytest

from sqrtdk_docs.maths import convert, replace
from sqrtdk_docs.project import ProjectError


def page(text: str) -> str:
    """The HTML that the site's Markdown makes of `text`, before the formulas are replaced."""
    settings = {"pymdownx.arithmatex": {"generic": True}}
    extensions = ["attr_list", "tables", "pymdownx.arithmatex"]
    return markdown.markdown(text, extensions=extensions, extension_configs=settings)


class Coloured(HTMLParser):
    """Collects the text inside each element with class `scaled`."""

    def __init__(self, html: str):
        super().__init__()
        self.found, self._open = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if self._open:
            self._open.append(tag)
        elif dict(attrs).get("class") == "scaled":
            self._open, self.found = [tag], [*self.found, tag + " "]

    def handle_endtag(self, tag):
        if self._open:
            self._open.pop()

    def handle_data(self, data):
        if self._open:
            self.found[-1] += data


@pytest.mark.parametrize(
    ("tex", "coloured"),
    [
        (r"\sqrt{d_k}", ["msqrt dk"]),
        (r"\frac{QK^\top}{\sqrt{d_{k}}}", ["msqrt dk"]),
        (r"\sigma^2\sqrt{d_k} + \sqrt{2\ln n}", ["msqrt dk"]),
        (r"\exp(s_i/\sqrt{d_k}) / \sum_j \exp(s_j/\sqrt{d_k})", ["msqrt dk", "msqrt dk"]),
        (r"\sqrt[4]{d_k}", ["mroot dk4"]),
        (r"d_k^{-1/2}", ["msubsup dk−1/2"]),
        (r"q\,d_k^{-1/4}", ["msubsup dk−1/4"]),
        # Not the factor: a size, its square, the root of another size.
        (r"d_k", []),
        (r"1/d_k", []),
        (r"d_k^2", []),
        (r"\sqrt{d_v}", []),
        (r"\sqrt{3 d_k}", []),
        (r"\sqrt[3]{d_k}", []),
    ],
)
def test_only_the_factor_wears_the_scaled_colour(tex, coloured):
    assert Coloured(convert(tex, display=False)).found == coloured


def test_display_and_inline_formulas_are_told_apart():
    html = replace(page("In words $d_k$.\n\n$$\n\\frac{1}{2}\n$$\n"), "en/x.md")
    inline, display = html.split("</p>")
    assert '<p>In words <math data-search-exclude><semantics>' in inline
    assert '<div class="formula"><math data-search-exclude display="block">' in display


def test_no_mark_and_no_delimiter_is_left():
    text = "$a<b$ and $c \\& d$\n\n| $x$ | y |\n|---|---|\n| $\\sqrt{d_k}$ | 2 |\n\n$$\nx\n$$\n"
    html = replace(page(text), "en/x.md")
    assert html.count("<math ") == 5
    assert "arithmatex" not in html and "\\(" not in html and "\\[" not in html


def test_escaped_signs_reach_the_formula_as_themselves():
    html = replace(page("$a < b$"), "en/x.md")
    assert "<mo>&lt;</mo>" in html and "&amp;lt;" not in html


def test_words_in_a_formula_keep_their_language():
    assert "<mtext>权重</mtext>" in convert(r"\text{权重}", display=False)


@pytest.mark.parametrize(
    ("tex", "complaint"),
    [(r"\nosuch x", r"\nosuch"), (r"\frac{1}{2", "frac"), ("a & b", "&")],
)
def test_bad_tex_names_page_formula_and_reason(tex, complaint):
    with pytest.raises(ProjectError) as error:
        replace(page(f"${tex}$"), "zh/why/growth.md")
    assert str(error.value).startswith("zh/why/growth.md: ")
    assert tex in str(error.value) and complaint in str(error.value)
    assert "\x1b" not in str(error.value), "the log must not be full of colour codes"


def test_a_formula_in_a_heading_is_refused():
    with pytest.raises(ProjectError, match=r"^en/x\.md: a heading .* \\sqrt\{d_k\}; write it as text"):
        replace(page("## Why $\\sqrt{d_k}$"), "en/x.md")


def test_tex_shown_as_code_stays_code():
    html = page("`$x^2$`\n\n    $$y$$\n")
    assert replace(html, "en/x.md") == html


def test_the_search_index_holds_the_sentence_but_no_formula():
    from material.plugins.search.plugin import Parser

    parser = Parser()
    parser.feed(replace(page("The spread is $\\sqrt{x^2}$ here.\n\n$$\ny^3\n$$\n\nAfter."), "en/x.md"))
    text = "".join("".join(section.text) for section in parser.data)
    assert text == "<p>The spread is  here.</p> <p>After.</p>"


def symbols(html: str) -> list[str]:
    """The symbols set in `html`, with their subscripts in brackets."""
    found = re.findall(r'<span class="symbol">(.)<span>_</span><span>(\w+)</span></span>', html)
    return [f"{letter}[{low}]" for letter, low in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Divide by √d_k, not d_model.", ["d[k]", "d[model]"]),
        ("注意力权重 α_ij 由 q_i·k_j 得到。", ["α[ij]", "q[i]", "k[j]"]),
        ("## Why √d_k {#why}", ["d[k]"]),
        ("[to **d_k**](https://example.org/d_k)", ["d[k]"]),
        # Code, formulas and names of programs are no symbols.
        ("`d_k` and `q_i = 2`", []),
        ("$d_k$", []),
        ("n_keys, my_d_k, np.d_k and d_k(3)", []),
    ],
)
def test_symbols_in_running_text_get_their_subscript(text, expected):
    html = replace(page(text), "en/x.md")
    assert symbols(html) == expected
    assert "https://example.org/d_k" in html or "example" not in text


def test_a_symbol_reads_as_it_was_typed():
    html = replace(page("Divide by √d_k."), "en/x.md")
    assert re.sub("<[^>]*>", "", html) == "Divide by √d_k."


def test_powers_of_e_in_running_text_are_raised():
    html = "<p>about e^gap steps, e^(−2δ), cafe^x</p><code>e^g</code>"
    assert replace(html, "page") == ("<p>about <i>e</i><sup>gap</sup> steps, "
                                     "<i>e</i><sup>−2δ</sup>, cafe^x</p><code>e^g</code>")
