"""TeX to MathML when the site is built: readers need no JavaScript to see a formula.

`pymdownx.arithmatex` (with `generic: true`) marks the formulas while Markdown runs;
`replace` turns the marks in the finished HTML into MathML Core, so that Markdown
never sees the MathML. The MathML keeps its TeX as an annotation and stays out of the
search index, which would otherwise hold words like "x2x^2".

In running text authors write d_k as it is typed; `replace` sets it as a symbol with a
subscript. The underscore stays in the text, unseen: copied or searched for, it is d_k.
"""

import html as entities
import re

from math_core import LatexError, LatexToMathML

from sqrtdk_docs.project import ProjectError

_CONVERTER = LatexToMathML(annotation=True, fancy_error=False)

_MARK = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.DOTALL)

# The factor as pages write it: the root of d_k, the fourth root (half of the factor on q,
# half on k), and both as powers. `d_k` alone is a size, not the factor, and keeps the ink.
_D, _K = "<mi>d</mi>", "<mi>k</mi>"
_FACTOR = re.compile(
    rf"<(msqrt)(>(?:<mrow>)?<msub>{_D}{_K}</msub>(?:</mrow>)?</msqrt>)"
    rf"|<(mroot)(><msub>{_D}{_K}</msub><mn>4</mn></mroot>)"
    rf"|<(msubsup)(>{_D}{_K}<mrow>(?:<mo[^>]*>−</mo>)?"
    r"<mn>1</mn><mo[^>]*>/</mo><mn>[24]</mn></mrow></msubsup>)"
)

_TAG = re.compile(r"(<[^>]*>)")
_VERBATIM = ("code", "pre", "math", "svg", "script", "style")
_POWER = re.compile(r"(?<![\w.])e\^(?:\(([^()]+)\)|([\w−]+))")
_SYMBOL = re.compile(r"(?<![\w.])([A-Za-zα])_(ij|model|[ijkmqv12])(?![\w(])")


def convert(tex: str, display: bool) -> str:
    r"""MathML for one formula, with √d_k in the colour of the scaled side.

    Args:
        tex: the formula without its delimiters, e.g. `\frac{QK^\top}{\sqrt{d_k}}`.
        display: True for a formula on lines of its own, False within a sentence.

    Raises:
        ProjectError: the TeX has an unknown command or does not parse.
    """
    try:
        mathml = _CONVERTER.convert_with_local_state(tex.strip(), displaystyle=display)
    except LatexError as error:
        raise ProjectError(f"{error} in the formula {tex.strip()}") from error
    mathml = mathml.replace("<math", "<math data-search-exclude", 1)
    return _FACTOR.sub(_in_the_scaled_colour, mathml)


def replace(html: str, where: str) -> str:
    """The page's HTML with each arithmatex mark turned into MathML, and symbols set as such.

    A display formula is wrapped in `div.formula`, which scrolls when it is wider than
    the screen. `where` names the page in errors.

    Raises:
        ProjectError: a formula does not parse, or stands in a heading (the table of
            contents and the search would show its TeX).
    """
    _refuse_in_headings(html, where)

    def mathml(mark: re.Match) -> str:
        display = mark[2] == "["
        try:
            formula = convert(entities.unescape(mark[3]), display)
        except ProjectError as error:
            raise ProjectError(f"{where}: {error}") from error
        return f'<div class="formula">{formula}</div>' if display else formula

    return _set_symbols(_MARK.sub(mathml, html))


def _set_symbols(html: str) -> str:
    """`d_k` in running text with a subscript, `e^g` with a superscript; code stays as it is."""
    pieces = _TAG.split(html)                      # text, tag, text, tag, …, text
    verbatim = 0
    for number, piece in enumerate(pieces):
        if number % 2:
            name = re.match(r"</?(\w*)", piece)[1]
            if name in _VERBATIM and not piece.endswith("/>"):
                verbatim += -1 if piece.startswith("</") else 1
        elif not verbatim:
            symbol = r'<span class="symbol">\1<span>_</span><span>\2</span></span>'
            pieces[number] = _POWER.sub(_raised, _SYMBOL.sub(symbol, piece))
    return "".join(pieces)


def _raised(power: re.Match) -> str:
    return f"<i>e</i><sup>{power[1] or power[2]}</sup>"


def _in_the_scaled_colour(factor: re.Match) -> str:
    tag, rest = (part for part in factor.groups() if part is not None)
    return f'<{tag} class="scaled"{rest}'


def _refuse_in_headings(html: str, where: str) -> None:
    for heading in _HEADING.finditer(html):
        if mark := _MARK.search(heading[2]):
            tex = entities.unescape(mark[3]).strip()
            raise ProjectError(f"{where}: a heading cannot hold the formula {tex}; write it as text")
