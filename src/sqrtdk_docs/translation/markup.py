"""Cuts a Markdown page into sections, and a section into blocks.

A section is a heading's own text up to the next heading of any level. The rules for what is a
heading, a fence or an admonition are those of Python-Markdown and pymdownx, which build the site.
"""

import re
from dataclasses import dataclass, field

from mkdocs.utils import meta

UNREAD = "the front matter is not YAML; words that hold a colon need quotes"
TOP = "top"              # what stands before the first heading
META = "meta"            # title, description, label in the navigation

FENCE = re.compile(r"(?P<marks>`{3,}|~{3,})(?P<header>[^`]*)$")
HEADING = re.compile(r"(?P<marks>#{1,6})(?!#)\s*(?P<words>\S.*?)\s*#*\s*$")
ATTRIBUTES = re.compile(r"\s*\{:?\s*(?P<inside>[^{}]*)\}\s*$")
UNDERLINE = re.compile(r"(=+|-+)\s*$")
ADMONITION = re.compile(r"(?P<marks>!!!|\?\?\?\+?)\s*(?P<kind>[\w-]+(?: +[\w-]+)*)")
TAB = re.compile(r"===[!+]*\s+[\"']")
ITEM = re.compile(r"(?P<marks>[-*+]|\d+[.)])\s+(?=\S)")
RULE = re.compile(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


@dataclass
class Block:
    """Lines that belong together.

    `kind` is heading, fence, formula, table, admonition, tab, item or paragraph.
    """

    kind: str
    line: int                      # where it begins in the source, from 1
    depth: int                     # how many steps of four spaces it is indented
    lines: list[str] = field(default_factory=list)    # without that indentation

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass
class Section:
    """A heading's own text. `level` is 0 for what stands before the first heading."""

    id: str
    level: int
    line: int
    named: bool = True             # False: the heading has no id of its own
    source: list[str] = field(default_factory=list)   # as it stands, heading and all
    blocks: list[Block] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.source).strip("\n")


@dataclass(frozen=True)
class Page:
    """A page's front matter and its sections; the first is always `top`, and may be empty."""

    front: dict
    body: str
    sections: list[Section]
    slips: list[tuple[int, str]]   # line and what is wrong there, whatever the page says


def read_page(text: str) -> Page:
    """The page that `text` writes, whatever its line ends.

    A heading without an id is called `heading-N` after its place on the page, and one whose id
    is taken `ID-again`; the structure check complains of both.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    body, front = meta.get_data(text)
    skipped = text.count("\n") - body.count("\n")
    reader = _Reader(body.split("\n"), skipped)
    sections = reader.sections()
    unread = [(1, UNREAD)] if text.startswith("---\n") and not front else []
    return Page(front, body, sections, unread + reader.open)


class _Reader:
    """Reads the lines once, from the top."""

    def __init__(self, lines: list[str], skipped: int):
        self.lines = lines
        self.skipped = skipped          # lines of front matter
        self.at = 0
        self.containers: list[int] = []  # indentation inside the admonitions that are open
        self.current: Block | None = None    # a paragraph, item or table that may go on
        self.found = [Section(TOP, 0, skipped + 1)]
        self.open: list[tuple[int, str]] = []    # what is never closed, and its line

    def sections(self) -> list[Section]:
        while self.at < len(self.lines):
            start = self.at
            self._read()
            if self.at == start:        # nothing that spans lines: one line of prose
                self._prose(self.lines[start])
                self.at += 1
            self.found[-1].source += self.lines[start:self.at]
        return self.found

    def _read(self) -> None:
        """Read what begins here, if it is more than a line of prose."""
        raw = self.lines[self.at]
        line = raw.expandtabs(4)
        stripped = line.strip()
        if not stripped:
            self.current = None
            self.at += 1
            return
        indent = len(line) - len(line.lstrip())
        while self.containers and indent < self.containers[-1]:
            self.containers.pop()
        if fence := FENCE.match(stripped):
            self._until(lambda later: re.fullmatch(
                rf"{re.escape(fence['marks'])}{re.escape(fence['marks'][0])}*", later), "fence")
        elif stripped.startswith("<!--"):
            self._until(lambda later: "-->" in later, None, here=True)
        elif stripped.startswith("$$"):
            closes = stripped.count("$$") > 1
            self._until(lambda later: closes or later.endswith("$$"), "formula", here=closes)
        elif indent == (self.containers[-1] if self.containers else 0):
            self._opening(stripped, indent)

    def _until(self, closed, kind: str | None, here: bool = False) -> None:
        """Take lines up to the one that closes what begins here (`here`: it may be this one)."""
        block = self._block(kind or "comment")
        while self.at < len(self.lines):
            line = self.lines[self.at].expandtabs(4)
            first = not block.lines
            block.lines.append(_dedented(line, block.depth * 4))
            self.at += 1
            if (here or not first) and closed(line.strip()):
                break
        else:
            self.open.append((block.line, f"a {block.kind} begins here and is never closed"))
        if kind:
            self.found[-1].blocks.append(block)
        self.current = None

    def _opening(self, stripped: str, indent: int) -> None:
        """A heading or an admonition: only where a block of the page, or of the box, begins."""
        below = self.lines[self.at + 1].strip() if self.at + 1 < len(self.lines) else ""
        if heading := HEADING.match(stripped):
            self._heading(len(heading["marks"]), heading["words"], lines=1)
        elif not self.current and UNDERLINE.match(below) and not _is_block(stripped):
            self._heading(1 if below[0] == "=" else 2, stripped, lines=2)
        elif ADMONITION.match(stripped) or TAB.match(stripped):
            kind = "admonition" if ADMONITION.match(stripped) else "tab"
            block = self._block(kind)
            block.lines.append(stripped)
            self.found[-1].blocks.append(block)
            self.containers.append(indent + 4)
            self.current = None
            self.at += 1

    def _heading(self, level: int, words: str, lines: int) -> None:
        attributes = ATTRIBUTES.search(words)
        id_ = re.search(r"#([^\s#}]+)", attributes["inside"]) if attributes else None
        name = id_[1] if id_ else f"heading-{len(self.found)}"
        while name == META or any(name == other.id for other in self.found):
            name += "-again"
        block = self._block("heading")
        block.lines.append(words[:attributes.start()] if attributes else words)
        self.found.append(Section(name, level, block.line, bool(id_), blocks=[block]))
        self.current = None
        self.at += lines

    def _prose(self, raw: str) -> None:
        """A line of a paragraph, a list or a table."""
        line = raw.expandtabs(4)
        stripped = line.strip()
        starts_item = ITEM.match(stripped)
        if self.current and not starts_item:
            self.current.lines.append(stripped)
            is_rule = len(self.current.lines) == 2 and RULE.match(stripped) and "-" in stripped
            if is_rule and "|" in self.current.lines[0]:
                self.current.kind = "table"
            return
        self.current = self._block("item" if starts_item else "paragraph")
        self.current.lines.append(stripped)
        self.found[-1].blocks.append(self.current)

    def _block(self, kind: str) -> Block:
        line = self.lines[self.at].expandtabs(4)
        depth = (len(line) - len(line.lstrip())) // 4
        return Block(kind, self.skipped + self.at + 1, depth)


def _is_block(line: str) -> bool:
    """True for a line that can not be the words of an underlined heading."""
    return bool("|" in line or ADMONITION.match(line) or TAB.match(line) or line[0] == "<")


def _dedented(line: str, indent: int) -> str:
    margin = len(line) - len(line.lstrip())
    return line[min(indent, margin):].rstrip()


def cells(block: Block) -> list[list[str]]:
    """The cells of a table, row by row, the row of dashes left out."""
    rows = [line for number, line in enumerate(block.lines) if number != 1]
    return [[cell.strip() for cell in _split_row(row)] for row in rows]


def _split_row(row: str) -> list[str]:
    """A row's cells: a `|` in code or after a backslash does not divide."""
    row = row.strip().removeprefix("|")
    row = row[:-1] if row.endswith("|") and not row.endswith("\\|") else row
    found, start = [], 0
    for mark in re.finditer(r"\\.|(`+).+?(?<!`)\1(?!`)|\|", row):
        if mark[0] == "|":
            found.append(row[start:mark.start()])
            start = mark.end()
    return [*found, row[start:]]
