"""When two texts count as the same text: the short hash that the lock records.

What a fixer may change must not make a translation look behind: white space, the width of
punctuation, the marks of a list, and the digits of a checked number, which follow from its
expression. White space is dropped rather than tidied, so that nothing here hangs on what some
version of a typography tool thinks of the space between Chinese and Latin letters. Fences and the
bars of a table stay as they are. Ids are left out: structure is compared on its own.
"""

import hashlib
import re
import unicodedata

from sqrtdk_docs.translation.inline import Piece, pieces
from sqrtdk_docs.translation.markup import Block, Section, cells

DIGITS = 12              # of the hash: 48 bits, and it is only ever compared for one section

# Full width and half width, curly and straight: what typography may change.
FOLD = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
FOLD |= str.maketrans("。｡、“”‘’", "..,\"\"''")
COMMENT = re.compile(r"<!--.*?-->", re.S)
MARK = re.compile(r"^(?:[-*+]|(?P<number>\d+)[.)])\s+")


def fingerprint(text: str) -> str:
    """The hash of a text that is already `normal`."""
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def normal(section: Section) -> str:
    """The section's text without what may change without anything being said anew.

    An empty text means that the section says nothing, as `top` mostly does.
    """
    blocks = (f"{block.depth} {words}" for block in section.blocks if (words := _normal(block)))
    return "\n".join(blocks)


def _normal(block: Block) -> str:
    if block.kind == "fence":
        return unicodedata.normalize("NFC", block.text)
    if block.kind == "formula":
        return _bare(block.text)
    if block.kind == "table":
        return "\n".join("|".join(prose(cell) for cell in row) for row in cells(block))
    if block.kind == "item":
        mark = MARK.match(block.text)
        return ("1." if mark["number"] else "-") + prose(block.text[mark.end():])
    return prose(block.text)


def prose(text: str) -> str:
    """A sentence's normal form; code and formulas keep everything but their white space."""
    text = unicodedata.normalize("NFC", COMMENT.sub("", text))
    return "".join(_normal_piece(piece) for piece in pieces(text))


def _normal_piece(piece: Piece) -> str:
    if piece.kind == "number":
        return f"{{{_bare(piece.calc)}}}"
    if piece.kind == "code":
        return f"`{piece.value}`"
    return _bare(piece.text if piece.kind == "formula" else piece.text.translate(FOLD))


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())
