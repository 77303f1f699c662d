"""The table of softmax's rivals and their properties, as HTML.

Verdicts and what refutes come from `sqrtdk.normalisers`, the words from
`property_words/LANG.toml`: nothing in the table is typed by hand.
"""

import html
import tomllib
from pathlib import Path

import numpy as np

from sqrtdk.normalisers import Row, table
from sqrtdk_docs.project import ProjectError

WORDS = Path(__file__).with_name("property_words")
JUMP = 1e6       # a slope over a step of about 1e-8 that is as steep as this is a jump
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def words_of(lang: str) -> dict:
    path = WORDS / f"{lang}.toml"
    if not path.is_file():
        raise ProjectError(f"src/sqrtdk_docs/property_words/{lang}.toml is missing: "
                           "copy another one there and translate it")
    return tomllib.loads(path.read_text("utf-8"))


def render(lang: str) -> str:
    """The table, what its columns ask, and the scores behind each cross.

    Wide tables scroll in `div.table`; the page's script lets them take focus then.
    Raises ProjectError if the language has no words.
    """
    words, rows = words_of(lang), table()
    return "\n".join([_table(rows, words), _legend(words), _refutations(rows, words)])


# --- the table -------------------------------------------------------------------


def _table(rows: list[Row], words: dict) -> str:
    heads = "".join(f'<th scope="col"><span>{_text(short)}</span></th>'
                    for short, _ in words["properties"].values())
    return (
        '<div class="table"><table class="data properties"><thead><tr>'
        f'<th scope="col">{_text(words["head"])}</th>{heads}</tr></thead>\n<tbody>'
        + "\n".join(_table_row(row, words) for row in rows)
        + "</tbody></table></div>"
    )


def _table_row(row: Row, words: dict) -> str:
    name, _ = words["rules"][row.name]
    cells = "".join(_cell(row.verdicts[name], words) for name in words["properties"])
    return (f'<tr><th scope="row"><a href="#rule-{_id(row)}">{_text(name)}</a></th>'
            f"{cells}</tr>")


def _cell(tick: bool, words: dict) -> str:
    """A mark that is also spoken as a word."""
    kind, mark, word = ("tick", "✓", words["yes"]) if tick else ("cross", "✗", words["no"])
    return f'<td class="{kind}"><span role="img" aria-label="{_text(word)}">{mark}</span></td>'


# --- below the table ---------------------------------------------------------------


def _legend(words: dict) -> str:
    items = "\n".join(f"<li>{_pair(*pair, words)}</li>" for pair in words["properties"].values())
    return _details(words["legend"], f"<ul>{items}</ul>")


def _refutations(rows: list[Row], words: dict) -> str:
    count = sum(len(row.refutations) for row in rows)
    rules = "\n".join(_rule(row, words) for row in rows)
    return _details(words["refutations"].format(count=count), rules)


def _rule(row: Row, words: dict) -> str:
    items = "\n".join(f"<li>{_pair(*pair, words)}</li>" for pair in _evidence(row, words))
    return (f'<p id="rule-{_id(row)}">{_pair(*words["rules"][row.name], words)}</p>\n'
            f"<ul>{items}</ul>")


def _evidence(row: Row, words: dict):
    """Pairs of a property that the rule lacks and what shows it, in the order of the columns."""
    for name, (short, _) in words["properties"].items():
        if name in row.refutations:
            yield short, evidence(name, *row.refutations[name], words=words)


def evidence(name: str, x: np.ndarray, *seen, words: dict) -> str:
    """One sentence: the scores, and what is seen there."""
    total = number(np.sum(seen[0]))
    if name == "differentiable":
        if max(np.abs(seen[0]).max(), np.abs(seen[1]).max()) > JUMP:
            name = "jump"
        seen = [slopes[0] for slopes in seen]
    first, second = (list(map(shown, seen)) + [""])[:2]
    return words["seen"][name].format(x=shown(x), first=first, second=second, sum=total)


# --- small things -------------------------------------------------------------------


def shown(value) -> str:
    """A number, or a row of numbers in brackets."""
    if np.ndim(value) == 0:
        return number(value)
    return "[" + ", ".join(map(number, value)) + "]"


def number(value: float) -> str:
    """Three significant digits, a true minus sign, small ones as 4.54×10⁻⁵."""
    digits, _, exponent = f"{value:.3g}".partition("e")
    power = f"×10{str(int(exponent)).translate(SUPERSCRIPT)}" if exponent else ""
    return ("0" if digits == "-0" else digits.replace("-", "−")) + power


def _id(row: Row) -> str:
    return row.name.replace("_", "-")


def _pair(name: str, text: str, words: dict) -> str:
    return f"<strong>{_text(name)}</strong>{words['colon']}{_text(text)}"


def _details(summary: str, content: str) -> str:
    return f'<details class="deeper"><summary>{_text(summary)}</summary>\n{content}\n</details>'


def _text(words: str) -> str:
    return html.escape(words)
