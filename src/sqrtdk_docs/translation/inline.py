"""What stands inside a sentence of Markdown: code, checked numbers, formulas, links, pictures."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqrtdk_docs.numbers.marks import CODE, expression_of

# In order: what comes first wins, so that no `$` inside code opens a formula.
PIECES = re.compile(
    rf"""
      (?P<escaped> \\[\\`*_{{}}\[\]()>#+.!$|~-] )
    | (?-x:{CODE})
    | (?<!\$) \$ (?!\s) (?P<formula> (?: \\. | [^\\$] )+? ) (?<!\s) \$
    | !\[ (?P<alt> [^\]]* ) \] \( \s* (?P<picture> [^)\s]+ ) [^)]* \)
    | \] \( \s* <? (?P<link> [^)\s>]+ ) >? (?: \s+ "[^"]*" )? \s* \)
    | < (?P<bare> (?: https?:// | mailto: ) [^>\s]+ ) >
    | ^ \[ (?P<name> [^\]^][^\]]* ) \]: \s* (?P<defined> \S+ ) .* $
    | \[\^ (?P<footnote> [^\]]+ ) \]
    """,
    re.X | re.M | re.S,
)


@dataclass(frozen=True)
class Piece:
    """One piece of a sentence. `kind` is text, code, number, formula, picture, link or footnote."""

    kind: str
    text: str            # what stands in the source
    value: str = ""      # the code, the TeX, or where a link or picture leads
    calc: str = ""       # a checked number's expression


def pieces(text: str) -> Iterator[Piece]:
    """`text` cut into its pieces, in order; joined again their `text` is the source."""
    end = 0
    for found in PIECES.finditer(text):
        piece = _piece(found)
        if piece is None:
            continue
        if found.start() > end:
            yield Piece("text", text[end:found.start()])
        yield piece
        end = found.end()
    if end < len(text):
        yield Piece("text", text[end:])


def _piece(found: re.Match) -> Piece | None:
    source = found[0]
    if found["code"] is not None:
        expression = expression_of(found)
        if expression is not None:
            return Piece("number", source, found["code"].strip(), tidy(expression))
        return Piece("code", source, tidy(found["code"]))
    if found["formula"] is not None:
        return Piece("formula", source, found["formula"])
    if found["picture"] is not None:
        return Piece("picture", source, found["picture"])
    target = found["link"] or found["bare"] or found["defined"]
    if target is not None:
        return Piece("link", source, target)
    if found["footnote"] is not None:
        return Piece("footnote", source, found["footnote"])
    return None                                     # an escaped sign is plain text


def tidy(text: str) -> str:
    """`text` with every run of white space made one space."""
    return " ".join(text.split())
