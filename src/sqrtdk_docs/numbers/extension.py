"""Checked numbers on the built page: each a `<data>`, and one list of all at the end."""

import html
from collections.abc import Callable, Iterable
from xml.etree import ElementTree

from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString

from sqrtdk_docs.numbers.calculator import Calculator, ExpressionError
from sqrtdk_docs.numbers.marks import CODE, Number, expression_of
from sqrtdk_docs.numbers.shown import exact

# Title and note of the list, by language.
WORDS = {
    "en": ("Checked numbers ({})",
           "When the site is built, each of these is computed anew and compared with the text."),
    "zh": ("核对过的数字（{}）", "每次构建网站时，下列每个数字都会重新计算，并与正文比对。"),
}


class NumbersExtension(Extension):
    """Turns marks into `<data class="checked" value="0.6652…">0.665</data>`.

    It does not judge: `pages.require` has compared the page before. A mark whose
    expression fails (as `serve` may meet) gets no value.

    rendered: text and expression of each mark of the page converted last.
    """

    def __init__(self, calculator: Calculator):
        super().__init__()
        self.calculator = calculator
        self.rendered: list[tuple[str, str]] = []

    def extendMarkdown(self, md) -> None:
        md.registerExtension(self)
        # Before `backtick` (190): an expression is never read as Markdown, so that `2 * 3 * 4`
        # makes no emphasis and `[0][1]` no link.
        md.inlinePatterns.register(_MarkProcessor(self), "checked_number", 195)

    def reset(self) -> None:
        self.rendered = []


class _MarkProcessor(InlineProcessor):
    def __init__(self, extension: NumbersExtension):
        super().__init__(CODE)
        self.extension = extension

    def handleMatch(self, match, data):
        expression = expression_of(match)
        if not expression:      # another code span: left to Markdown
            return None, None, None
        text = match["code"].strip()
        self.extension.rendered.append((text, expression))
        element = ElementTree.Element("data", {"class": "checked"})
        if value := _value(expression, self.extension.calculator):
            element.set("value", value)
        element.text = AtomicString(html.escape(text, quote=False))
        return element, match.start(), match.end()


def _value(expression: str, calculator: Calculator) -> str:
    try:
        return exact(calculator.evaluate(expression))
    except ExpressionError:
        return ""


def unseen(numbers: Iterable[Number], extension: NumbersExtension) -> list[Number]:
    """The numbers found in the source of a page that did not become a `<data>` on it.

    Markdown read them as something else (say, as indented code), so the page shows the mark raw.
    """
    left = list(extension.rendered)
    missing = []
    for number in numbers:
        mark = (number.text, number.expression)
        if mark in left:
            left.remove(mark)
        else:
            missing.append(number)
    return missing


def disclosure(numbers: Iterable[Number], lang: str,
               link: Callable[[str], str | None]) -> str:
    """A closed list of a page's checked numbers, each once, with its expression; "" if none.

    `link` gives, for an expression, the address of the test or source that holds it, or None.
    A language without words of its own gets the English ones.
    """
    distinct = list(dict.fromkeys((number.text, number.expression) for number in numbers))
    if not distinct:
        return ""
    title, note = WORDS.get(lang, WORDS["en"])
    rows = "\n".join(_row(text, expression, link(expression)) for text, expression in distinct)
    return (f'<details class="checked-numbers" data-search-exclude>\n'
            f"<summary>{title.format(len(distinct))}</summary>\n"
            f"<p>{note}</p>\n<ul>\n{rows}\n</ul>\n</details>")


def _row(text: str, expression: str, address: str | None) -> str:
    code = f"<code>{html.escape(expression, quote=False)}</code>"
    if address:
        code = f'<a href="{html.escape(address)}">{code}</a>'
    return f"<li><span>{html.escape(text, quote=False)}</span> {code}</li>"
