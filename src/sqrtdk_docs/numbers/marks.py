"""Finds the checked numbers of a page in its Markdown: `0.665`{ calc="softmax([1, 2, 3])[2]" }.

The same pattern finds them here, with their lines, and in the Markdown extension.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

# A code span with any number of backticks, and the attributes right after it. Spans that are
# no marks are matched too, so that a mark shown inside doubled backticks is not one.
CODE = (
    r"(?<![\\`])(?P<ticks>`+)(?!`)"
    r"(?P<code>(?:(?!\n[ \t\r]*\n).)+?)"
    r"(?<!`)(?P=ticks)(?!`)"
    r"(?P<attributes>\{[^}\n]*\})?"
)
CALC = re.compile(r'\{:?[^"}]*?\bcalc="(?P<expression>[^"\n]*)"[^"}]*\}')

_SPAN = re.compile(CODE, re.S)
_CALC_MEANT = r"(?<![.#\w-])calc\s*="
_STRAY = re.compile(rf"\{{[^{{}}\n]*{_CALC_MEANT}[^}}\n]*\}}")
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?\n(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.S)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})[^`]*$")


@dataclass(frozen=True)
class Number:
    """One checked number of a page.

    expression: "" if there is a `calc` that cannot be read, or that belongs to no code span.
    line, column: from 1, where the mark begins.
    span: where `text` stands in the Markdown.
    """

    text: str
    expression: str
    line: int
    column: int
    span: tuple[int, int]


def find(markdown: str) -> list[Number]:
    """All checked numbers of a page, in order; none in fences, comments or front matter."""
    body = without_code_blocks(blank(markdown, _FRONT_MATTER))
    starts = line_starts(markdown)
    found = []
    for span in _SPAN.finditer(body):
        expression = expression_of(span)
        if expression is not None:
            found.append(_number(span["code"], span.start("code"), expression,
                                 span.start(), starts))
    for stray in _STRAY.finditer(blank(body, _SPAN)):
        found.append(_number("", stray.start(), "", stray.start(), starts))
    return sorted(found, key=lambda number: number.span)


def expression_of(span: re.Match) -> str | None:
    """The expression of a code span; None if it is no mark, "" if its `calc` is unreadable."""
    attributes = span["attributes"] or ""
    if not re.search(_CALC_MEANT, attributes):
        return None
    calc = CALC.fullmatch(attributes) if span["ticks"] == "`" else None
    return calc["expression"].strip() if calc else ""


def without_code_blocks(markdown: str) -> str:
    """The page with fenced code and comments blanked; every other character keeps its place."""
    lines = blank(markdown, _COMMENT).split("\n")
    for at, line in enumerate(lines):
        opened = _FENCE.match(line)
        end = _closing(lines, at, opened[1]) if opened else at
        for inside in range(at, end):
            lines[inside] = " " * len(lines[inside])
    return "\n".join(lines)


def blank(text: str, pattern: re.Pattern) -> str:
    """`text` with spaces, and its line ends, where `pattern` matches."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def line_starts(text: str) -> list[int]:
    return [0] + [match.end() for match in re.finditer("\n", text)]


def place(offset: int, starts: list[int]) -> tuple[int, int]:
    """Line and column, both from 1."""
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def _closing(lines: list[str], opening: int, fence: str) -> int:
    """The line after the one that closes a fence; `opening` if none does (then it is text)."""
    for at in range(opening + 1, len(lines)):
        if lines[at].strip(" \t>\r") == fence:
            return at + 1
    return opening


def _number(code: str, at: int, expression: str, begin: int, starts: list[int]) -> Number:
    text = code.strip()
    start = at + len(code) - len(code.lstrip())
    return Number(text, expression, *place(begin, starts), (start, start + len(text)))
