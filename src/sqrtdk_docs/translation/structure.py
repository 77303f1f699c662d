"""Where two pages are built differently: what must be equal in every language, always.

Words may differ, and so may the order of what stands inside a sentence; ids, levels, code,
formulas, checked numbers, pictures, tables, links and boxes may not.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path

from sqrtdk_docs.project import ProjectError, read_toml
from sqrtdk_docs.translation.fingerprint import COMMENT
from sqrtdk_docs.translation.inline import Piece, pieces
from sqrtdk_docs.translation.markup import (
    ADMONITION, META, TOP, Block, Page, Section, cells, read_page)

PEERS = "docs/translation/peers.toml"

# What is compared, in the words of a message; the first group in the order of the page, the
# second as a bag, since another language says the same sentence in another order.
ORDERED = {"code": "code block", "display": "formula on a line of its own", "table": "table",
           "picture": "picture", "admonition": "box", "tab": "tab"}
UNORDERED = {"formula": "formula", "number": "checked number", "link": "link",
             "footnote": "footnote"}
FREE_TEXT = {"", "text", "md", "markdown"}       # fences whose content is prose
# A formula without any of these is a lone symbol.
OPERATOR = re.compile(r"[=<>+*/|()!-]|\\(?:frac|sqrt|sum|prod|cdot|times|le|ge|approx|sim|to|in)\b")


@dataclass(frozen=True)
class Difference:
    """One thing that is built differently, in words; `section` is empty for the whole page."""

    section: str
    message: str


Peers = dict[str, str]        # an address -> the first language's address for the same thing


def load_peers(root: Path) -> Peers:
    """Addresses that are one source in several languages, from docs/translation/peers.toml."""
    path = root / PEERS
    if not path.is_file():
        return {}
    groups = read_toml(path).get("peer", [])
    if not isinstance(groups, list) or not all(isinstance(group, dict) for group in groups):
        raise ProjectError(f"{PEERS}: needs tables [[peer]] of a language and its address a line")
    return {url: next(iter(group.values())) for group in groups for url in group.values()}


def differences(first: str, second: str, langs: tuple[str, str],
                peers: Peers | None = None) -> list[Difference]:
    """What is built differently in two Markdown texts of one page.

    `langs` names the languages of the two, for the messages; `peers` are links that may differ.
    """
    pages = read_page(first), read_page(second)
    found = [*_front(pages, langs), *_unnamed(pages, langs), *_headings(pages, langs)]
    ours, theirs = ({section.id: section for section in page.sections} for page in pages)
    for id_ in ours:
        if id_ in theirs:
            marks = _marks(ours[id_], peers or {}), _marks(theirs[id_], peers or {})
            found += [Difference(id_, message) for message in _compared(marks, langs)]
    return found


def _front(pages: tuple[Page, Page], langs: tuple[str, str]) -> Iterator[Difference]:
    keys = [set(page.front) for page in pages]
    for here, there, mine, others in ((*langs, *keys), (*langs[::-1], *keys[::-1])):
        for key in sorted(mine - others):
            yield Difference(META, f"`{key}:` at the top of the page is in {here} "
                                   f"but not in {there}")


def _unnamed(pages: tuple[Page, Page], langs: tuple[str, str]) -> Iterator[Difference]:
    """Headings without an id, or with one that is taken: nothing can be held to them."""
    for page, lang in zip(pages, langs):
        for section in page.sections[1:]:
            where = f"the heading “{section.blocks[0].text}” ({lang}, line {section.line})"
            if not section.named:
                yield Difference("", f"{where} has no id; end it with {{#its-id}}, "
                                     "the same id in every language")
            elif section.id.endswith("-again"):
                yield Difference("", f"{where} has an id that another heading of the page has, "
                                     f"or one of {TOP} and {META}, which are kept")
            elif not section.id.isascii():
                yield Difference("", f"{where} has the id #{section.id}; write ids in a-z, 0-9 "
                                     "and -, the same in every language")


def _headings(pages: tuple[Page, Page], langs: tuple[str, str]) -> Iterator[Difference]:
    first, second = ([section for section in page.sections[1:]] for page in pages)
    ids = [section.id for section in first], [section.id for section in second]
    by_id = {section.id: section for section in second}
    for ours in first:
        theirs = by_id.get(ours.id)
        if theirs and theirs.level != ours.level:
            yield Difference(ours.id, f"the heading has {'#' * ours.level} in {langs[0]} "
                                      f"but {'#' * theirs.level} in {langs[1]}")
    for tag, a, b, c, d in SequenceMatcher(None, *ids, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from _misplaced(first[a:b], second[c:d], ids, langs)


def _misplaced(first: list[Section], second: list[Section], ids: tuple[list[str], list[str]],
               langs: tuple[str, str]) -> Iterator[Difference]:
    """Messages for a run of headings that are not the same on both sides."""
    only = ([each for each in first if each.id not in ids[1]],
            [each for each in second if each.id not in ids[0]])
    for ours, theirs in zip(*only):
        yield Difference(ours.id, f"the section is #{ours.id} in {langs[0]} (line {ours.line}), "
                                  f"but #{theirs.id} stands there in {langs[1]} "
                                  f"(line {theirs.line})")
    pairs = min(map(len, only))
    for here, there, rest in ((*langs, only[0][pairs:]), (*langs[::-1], only[1][pairs:])):
        for section in rest:
            yield Difference(section.id, f"the section is in {here} (line {section.line}) "
                                         f"but not in {there}")
    for section in first:
        if section.id in ids[1]:
            yield Difference(section.id, f"the section stands in another order in {langs[1]} "
                                         f"than in {langs[0]}")


Marks = dict[str, list[str]]


def _marks(section: Section, peers: Peers) -> Marks:
    """What must be equal, by kind, each in a form that people can read."""
    marks: Marks = {kind: [] for kind in (*ORDERED, *UNORDERED)}
    for block in section.blocks:
        if block.kind == "fence":
            marks["code"].append(_code(block))
        elif block.kind == "formula":
            marks["display"].append(_formula(block.text.replace("$$", "")))
        elif block.kind == "admonition":
            found = ADMONITION.match(block.text)
            marks["admonition"].append(f"{'    ' * block.depth}{found['marks']} {found['kind']}")
        elif block.kind == "tab":
            marks["tab"].append("===")
        elif block.kind == "table":
            marks["table"].append(_table(block))
        if block.kind not in ("fence", "formula"):
            for piece in pieces(COMMENT.sub("", block.text)):
                _add(marks, piece, peers)
    return marks


def _add(marks: Marks, piece: Piece, peers: Peers) -> None:
    if piece.kind == "formula":
        marks["formula"].append(f"${_formula(piece.value)}$")
    elif piece.kind == "number":
        marks["number"].append(_number(piece))
    elif piece.kind == "link":
        target = piece.value.removeprefix("./")
        marks["link"].append(peers.get(target, target))
    elif piece.kind in ("picture", "footnote"):
        marks[piece.kind].append(piece.value)


def _code(block: Block) -> str:
    """A fence's language, id and content, without its title and without comments."""
    header, *body = block.lines
    header = re.sub(r"""\btitle=("[^"]*"|'[^']*')""", "", header).strip("`~ ")
    inside = re.sub(r"[{}.]", " ", header).split()
    header = " ".join(inside)
    if (inside[0] if inside else "") in FREE_TEXT:
        return header
    lines = [re.sub(r"(^|\s)#.*$", "", line).rstrip() for line in body[:-1]]
    return "\n".join([header, *(line for line in lines if line)])


def _formula(tex: str) -> str:
    """TeX without white space and without the words in it."""
    return "".join(re.sub(r"\\text\s*\{[^{}]*\}", r"\\text{…}", tex).split())


def _number(piece: Piece) -> str:
    """`0.665 = softmax([1, 2, 3])[2]`; how thousands are set off is each language's own affair."""
    digits = re.sub(r"(?<=\d)[\s,\u00a0\u2009\u202f](?=\d{3}(?!\d))", "", piece.value)
    return f"{''.join(digits.split())} = {piece.calc}"


def _table(block: Block) -> str:
    """Rows by columns, and which cells hold which numbers and formulas."""
    rows = cells(block)
    held = [" ".join(sorted(_number(piece) if piece.kind == "number" else _formula(piece.value)
                            for piece in pieces(cell) if piece.kind in ("number", "formula")))
            for row in rows for cell in row]
    shape = f"{len(rows)} rows of {'/'.join(str(n) for n in dict.fromkeys(map(len, rows)))} cells"
    sides = re.sub(r"-+", "-", "".join(block.lines[1].split())).strip("|")
    return "\n".join([shape, sides, *held])


def _compared(marks: tuple[Marks, Marks], langs: tuple[str, str]) -> Iterator[str]:
    for kind, name in ORDERED.items():
        yield from _in_order(name, marks[0][kind], marks[1][kind], langs)
    for kind, name in UNORDERED.items():
        ours, theirs = (Counter(side[kind]) for side in marks)
        yield from _surplus(name, ours, theirs, langs)
        yield from _surplus(name, theirs, ours, langs[::-1])


def _in_order(name: str, ours: list[str], theirs: list[str],
              langs: tuple[str, str]) -> Iterator[str]:
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if b - a == d - c:
            for number in range(a, b):
                yield _differs(f"{name} {number + 1}", ours[number], theirs[c + number - a], langs)
            continue
        yield from _surplus(name, Counter(ours[a:b]), Counter(theirs[c:d]), langs)
        yield from _surplus(name, Counter(theirs[c:d]), Counter(ours[a:b]), langs[::-1])


def _differs(name: str, mine: str, other: str, langs: tuple[str, str]) -> str:
    """The first lines that differ: the rest of a long block says nothing new."""
    pairs = zip_longest(mine.split("\n"), other.split("\n"), fillvalue="(nothing)")
    here, there = next(pair for pair in pairs if pair[0] != pair[1])
    return (f"{name} of the section differs: “{here.strip()}” in {langs[0]}, "
            f"“{there.strip()}” in {langs[1]}")


def _surplus(name: str, ours: Counter, theirs: Counter, langs: tuple[str, str]) -> Iterator[str]:
    """What the first of `langs` has and the second lacks."""
    for text, count in (ours - theirs).items():
        if theirs[text] and name == UNORDERED["formula"] and not OPERATOR.search(text):
            continue                    # a language may name $d_k$ where another says "it"
        more = f" {count} more time(s)" if theirs[text] else ""
        yield f"the {name} “{text.splitlines()[0]}” is in {langs[0]}{more} but not in {langs[1]}"
