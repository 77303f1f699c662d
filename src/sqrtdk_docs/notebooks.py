"""A lab is a notebook; here it is read as the Markdown of a page, and written back.

docs/LANG/lab/NAME.py is in the py:percent format: front matter and Markdown cells stand in comments,
code cells do not. As Markdown each code cell is a fence. Line by line the two are the same length,
so what is found in the one (a wrong number, a section) is told and mended in the other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqrtdk_docs.project import ProjectError

MARKER = re.compile(r"# %%(?P<words> \[markdown\])?\s*")
HEADER, WORDS, CODE = "header", "words", "code"


@dataclass
class Cell:
    """One cell: its kind, WORDS or CODE, and where in the file it begins (from 1)."""

    kind: str
    line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()


def read(path: Path) -> str:
    """The Markdown of a page, whichever kind of file it is; line ends as they are."""
    text = path.read_bytes().decode("utf-8")
    return to_markdown(text, path.name) if path.suffix == ".py" else text


def write(path: Path, markdown: str) -> None:
    """Write a page's Markdown whole or not at all, every byte that is not changed as it was."""
    if path.suffix == ".py":
        markdown = from_markdown(markdown, path.read_bytes().decode("utf-8"), path.name)
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(markdown.encode("utf-8"))
    fresh.replace(path)


def to_markdown(text: str, where: str = "notebook") -> str:
    """A notebook's text as Markdown with the same lines.

    Raises ProjectError for a line that py:percent does not know, naming `where` and the line.
    """
    lines: list[str] = []
    last = HEADER
    for number, (kind, begins, line) in enumerate(_read(text, where), start=1):
        if begins and last == CODE:
            _close(lines, where, number)
        lines.append(("```python" if kind == CODE else "") if begins else line)
        last = kind
    if last == CODE:
        _close(lines, where, len(lines) + 1)
    return "\n".join(lines)


def from_markdown(markdown: str, text: str, where: str = "notebook") -> str:
    """The notebook `text` with the words that its Markdown has now.

    Raises ProjectError if lines have come or gone, or code has changed.
    """
    raw, after = text.split("\n"), markdown.split("\n")
    before = to_markdown(text, where).split("\n")
    if len(before) != len(after):
        raise ProjectError(f"{where}: a lab can only be mended line by line")
    lines = []
    for number, (kind, begins, _) in enumerate(_read(text, where)):
        changed = before[number] != after[number]
        if changed and (begins or kind == CODE):
            raise ProjectError(f"{where}:{number + 1}: code cannot be mended as words are")
        lines.append(f"# {after[number]}" if changed else raw[number])
    return "\n".join(lines)


def cells(text: str, where: str = "notebook") -> list[Cell]:
    """The cells of a notebook's text, in order, without the front matter."""
    found: list[Cell] = []
    for number, (kind, begins, line) in enumerate(_read(text, where), start=1):
        if begins:
            found.append(Cell(kind, number + 1))
        elif kind != HEADER:
            found[-1].lines.append(line)
    return found


def _read(text: str, where: str) -> Iterator[tuple[str, bool, str]]:
    """(kind, whether a cell begins here, the line without its comment mark) of each line."""
    kind = HEADER
    for number, line in enumerate(text.split("\n"), start=1):
        if marker := MARKER.fullmatch(line):
            kind = WORDS if marker["words"] else CODE
        elif line.startswith("# %%"):
            raise ProjectError(f"{where}:{number}: a cell begins with `# %%` or "
                               "`# %% [markdown]` and nothing more")
        elif kind != CODE:
            if line.strip() and line.rstrip() != "#" and not line.startswith("# "):
                raise ProjectError(f"{where}:{number}: words of a lab stand in comments; "
                                   "begin the line with `# `")
            line = line[2:] if line.startswith("# ") else line.removeprefix("#")
        yield kind, marker is not None, line


def _close(lines: list[str], where: str, number: int) -> None:
    """Put the end of a fence on the empty line that ends a code cell."""
    if lines[-1].strip():
        raise ProjectError(f"{where}:{number}: leave an empty line after the code of a cell")
    lines[-1] = "```"
