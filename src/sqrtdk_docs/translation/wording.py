"""Two versions of a text as one, with what went and what came marked."""

import re
from difflib import SequenceMatcher

# A word of Latin letters or digits, one Chinese sign, white space, or one other sign.
TOKEN = re.compile(r"[A-Za-z0-9_]+|\n|[^\S\n]+|.", re.S)


def word_diff(old: str, new: str) -> list[tuple[str, str]]:
    """Pieces of text as (`same`, `gone` or `come`, text), in reading order."""
    before, after = TOKEN.findall(old), TOKEN.findall(new)
    found = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(("same", "".join(before[a:b])))
            continue
        found += [(kind, text) for kind, text in (("gone", "".join(before[a:b])),
                                                  ("come", "".join(after[c:d]))) if text]
    return found
