"""Finds numerals in prose that look like results and have no expression.

Decimals, percentages, "12 times", "about 8", 1.3×10⁶, ± and grouped thousands look like
results. Code, formulas, addresses, arXiv ids, section numbers and versions like 2.13.0 do not.
What is no result after all stands in docs/unchecked.toml, with the reason:

    [[allowed]]
    page = "why/growth"             # or "*" for every page; holds for all languages
    text = ["learning rate 0.1", "学习率 0.1"]     # as the source has it, the numeral within
    reason = "a choice of ours, not a result"
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqrtdk_docs.numbers.marks import (
    CODE,
    blank,
    expression_of,
    line_starts,
    place,
    without_code_blocks,
)
from sqrtdk_docs.numbers.shown import ShownError, parse
from sqrtdk_docs.project import ProjectError, read_toml

_NUMBER = r"\d+(?:[,\u2009\u202f\u00a0]\d{3})*(?:\.\d+)?"
_START = r"(?<![A-Za-z0-9_.])"          # not within a name, a number or a version
_LIMIT = r"(?![01](?!\d|[.,]\d))"       # what tends to 0 or 1 is no measured result
_RESULT = re.compile(
    rf"""
    # about 8×, 约 8 倍, ± 0.1
      (?:≈|±|\babout|\broughly|\baround|\bnearly|\balmost|大约|约|大概|接近|将近)
          \s?{_LIMIT}[-−]?{_NUMBER}(?:\s?[%％×倍])?
    # 1.3×10⁶, 63 %, 12 times
    | {_START}{_NUMBER}\s?
        (?: [×·]\s?10[\^⁰¹²³⁴⁵⁶⁷⁸⁹⁻]\S* | [%％] | per\ cent\b | percent\b
          | ×(?!\s?\d) | times\b | -?fold\b | 倍 )
    | {_START}{_LIMIT}{_NUMBER}\s?左右
    | 百分之\s?{_NUMBER}
    # 15 041
    | {_START}\d{{1,3}}(?:[,\u0020\u2009\u202f\u00a0]\d{{3}})+(?:\.\d+)?(?!\d)
    # 0.67
    | {_START}\d+\.\d+(?!\d|\.\d)
    """,
    re.X,
)

# What is no prose, or holds numerals that are names.
_OUT = [
    re.compile(r"\$\$.*?\$\$", re.S),                                   # formulas
    re.compile(r"(?<![\\$])\$(?!\s)(?:\\.|[^$\\\n])+?(?<!\s)\$"),
    re.compile(r"\]\([^)\n]*\)"),                                       # a link's target
    re.compile(r"<[a-zA-Z/][^>\n]*>"),                                  # tags, <https://…>
    re.compile(r"https?://\S+"),
    re.compile(r"\{[^}\n]*\}"),                                         # attributes
    re.compile(r"\b\d{4}\.\d{4,5}(?:v\d+)?\b"),                         # arXiv ids
    re.compile(r"(?:§|第|定义|定理|表|图|"                               # numbered parts
               r"\b(?:section|footnote|definition|theorem|table|figure|equation)s?)"
               r"\s?\d+(?:\.\d+)*", re.I),
]
_SPAN = re.compile(CODE, re.S)


@dataclass(frozen=True)
class Finding:
    """A numeral that looks like an unchecked result, and where it stands (from 1)."""

    text: str
    line: int
    column: int
    span: tuple[int, int]


@dataclass(frozen=True)
class Allowed:
    """A numeral that may stand unchecked on a page ("*": on every page), and why."""

    page: str
    text: str
    reason: str

    def covers(self, page: str, markdown: str, finding: Finding) -> bool:
        if self.page not in ("*", page):
            return False
        start, end = finding.span
        at = markdown.find(self.text, max(0, end - len(self.text)))
        return 0 <= at <= start


def findings(markdown: str) -> list[Finding]:
    """The numerals of a page, front matter included, that look like unchecked results."""
    text = without_code_blocks(markdown)
    spans = [span for span in _SPAN.finditer(text) if _looks_like_result(span)]
    places = [(span.start("code"), span.end("code")) for span in spans]
    prose = blank(text, _SPAN)
    for pattern in _OUT:
        prose = blank(prose, pattern)
    places += [found.span() for found in _RESULT.finditer(prose)]
    starts = line_starts(markdown)
    return [Finding(markdown[start:end], *place(start, starts), (start, end))
            for start, end in sorted(places)]


def read_allowed(path: Path) -> list[Allowed]:
    """The entries of docs/unchecked.toml; none if there is no such file.

    Raises ProjectError for an entry that lacks its page, text or reason.
    """
    if not path.is_file():
        return []
    entries = read_toml(path).get("allowed", [])
    if not isinstance(entries, list):
        raise ProjectError(f"{path.name}: write each entry as [[allowed]], not {entries}")
    return [allowed for entry in entries for allowed in _entry(path, entry)]


def unexplained(pages: Iterable[tuple[str, str, str]],
                allowed: list[Allowed]) -> tuple[list[tuple[str, Finding]], list[Allowed]]:
    """Findings that no entry allows, and entries that allow nothing any more.

    `pages` are triples: the page's name, how to call it in messages, its Markdown.
    """
    left, used = [], set()
    for name, shown, markdown in pages:
        for finding in findings(markdown):
            covering = [one for one in allowed if one.covers(name, markdown, finding)]
            used.update(covering)
            if not covering:
                left.append((shown, finding))
    return left, [one for one in allowed if one not in used]


def _entry(path: Path, entry: dict) -> list[Allowed]:
    if not isinstance(entry, dict):
        raise ProjectError(f"{path.name}: an entry needs page, text and reason, not {entry}")
    texts = entry.get("text")
    texts = texts if isinstance(texts, list) else [texts]
    parts = [entry.get("page"), entry.get("reason"), *texts]
    if len(entry) != 3 or not all(isinstance(part, str) and part for part in parts):
        raise ProjectError(f"{path.name}: an entry needs page, text and reason, not {entry}")
    return [Allowed(entry["page"], text, entry["reason"]) for text in texts]


def _looks_like_result(span: re.Match) -> bool:
    """A lone decimal in a code span, or a row of weights, whose `calc` was forgotten."""
    if expression_of(span) is not None:
        return False
    try:
        numerals = parse(span["code"].strip())
    except ShownError:
        return False
    if len(numerals) == 1:
        return bool(_RESULT.search(span["code"]))
    values = [numeral.value for numeral in numerals]
    decimals = any(numeral.found["fraction"] for numeral in numerals)
    return decimals and min(values) >= 0 and abs(sum(values) - 1) < 0.02
