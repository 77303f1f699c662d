"""The text of a checked number: what it claims, whether that is so, and how to write it anew.

Understood are `0.665`, `−1.2`, `≈ 8`, `63 %` (of a value 0.63), `15 041` and `15,041`,
`1.3×10⁶`, `1.3 × 10^{-6}`, `2e-9`, `8×`, `×1.6`, `25.4 ± 1.2` (of a pair), `0.3–0.5`,
`0.09, 0.24, 0.67` and `[0.09, 0.24, 0.67]`, `nan` and `inf`. A fraction such as ⅓ says nothing
about precision: it is exact, and stands in the text unmarked.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum


class ShownError(ValueError):
    """The text cannot be read as numbers, or cannot be written anew."""


class Verdict(IntEnum):
    """How a shown number stands to its value, from good to bad."""

    RIGHT = 0
    EDGE = 1    # the value lies on the edge between two roundings: both would be a toss-up
    WRONG = 2


# Results may move by this share of themselves between machines without anything being wrong.
ROUNDING = Decimal("1e-9")

GROUPING = ",\u0020\u2009\u202f\u00a0"      # comma; plain, thin, narrow no-break, no-break space

NUMERAL = re.compile(
    rf"""
    (?P<sign> [-−+]? )
    (?: (?P<special> nan | inf )
      | (?P<whole> \d{{1,3}} (?P<group> [{GROUPING}] ) \d{{3}} (?: (?P=group) \d{{3}} )* (?!\d)
                 | \d+ )
        (?: \. (?P<fraction> \d+ ) )?
        (?: (?P<times> \s?×\s?10 ) (?P<exponent> ⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}}
                                           | \^\{{[-−]?\d{{1,3}}\}} | \^[-−]?\d{{1,3}} )
          | e (?P<e> [-−+]?\d{{1,3}} ) )?
        (?P<percent> \s?% )?
    )
    """,
    re.X,
)

# A whole text, each numeral in it replaced by #.
SHAPE = re.compile(
    r"(?P<about>≈\s?)?  ×?  (?: \[ \# (?: ,\ \# )* \] | \# (?: (?: ,\ |，|、|\s?–\s?) \# )* "
    r"| \# \s? ± \s? \# )  (?: \s? × )?",
    re.X,
)

SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


@dataclass(frozen=True)
class Numeral:
    """One number of a text: what it claims, to within half a `step`, and how it is written."""

    value: Decimal
    step: Decimal           # one unit of the last digit that counts
    found: re.Match
    percent: bool
    zeros: int              # trailing zeros of the whole part that only keep the place (after ≈)


def parse(text: str) -> list[Numeral]:
    """The numbers that `text` shows. Raises ShownError if it has another form."""
    shape = SHAPE.fullmatch(NUMERAL.sub("#", text)) if "#" not in text else None
    if shape is None:
        raise ShownError(
            f"`{text}` cannot be read as a number (write lists with a comma and a space)"
        )
    found = list(NUMERAL.finditer(text))
    # In `25.4 ± 1.2 %` the last sign stands for all.
    last_only = found[-1]["percent"] and not any(one["percent"] for one in found[:-1])
    about = shape["about"] is not None
    return [_numeral(one, about, bool(one["percent"] or last_only)) for one in found]


def compare(text: str, values: tuple[float, ...]) -> Verdict:
    """The worst verdict over the numbers of `text`, each at the precision shown.

    Raises ShownError if the text cannot be read or shows another count of numbers.
    """
    return max(_verdict(numeral, value) for numeral, value in _pairs(text, values))


def render(text: str, values: tuple[float, ...]) -> str:
    """`text` with other values: the same form, the same number of digits.

    Raises ShownError as `compare`, and where nan or inf gives way to a number.
    """
    pieces, end = [], 0
    for numeral, value in _pairs(text, values):
        pieces += [text[end:numeral.found.start()], _write(numeral, Decimal(value))]
        end = numeral.found.end()
    return "".join(pieces) + text[end:]


def exact(values: tuple[float, ...]) -> str:
    """The values to twelve digits: all that can be relied on, the same on each machine."""
    return ", ".join(str(value) if isinstance(value, int) else f"{value:.12g}"
                     for value in values)


def _pairs(text: str, values: tuple[float, ...]) -> list[tuple[Numeral, float]]:
    numerals = parse(text)
    if len(numerals) != len(values):
        raise ShownError(
            f"`{text}` shows {len(numerals)}, but the expression gives {len(values)} numbers"
        )
    return list(zip(numerals, values))


# --- reading ----------------------------------------------------------------------------------

def _numeral(found: re.Match, about: bool, percent: bool) -> Numeral:
    sign = "" if found["sign"] in ("", "+") else "-"
    if found["special"]:
        return Numeral(Decimal(sign + found["special"]), Decimal(0), found, False, 0)
    digits, fraction = _digits(found), found["fraction"] or ""
    zeros = _placeholders(digits) if about and not fraction else 0
    power = _exponent(found) - 2 * percent
    value = Decimal(f"{sign}{digits}.{fraction or 0}").scaleb(power)
    return Numeral(value, Decimal(1).scaleb(power + zeros - len(fraction)), found, percent, zeros)


def _digits(found: re.Match) -> str:
    return found["whole"].replace(found["group"] or ",", "")


def _placeholders(digits: str) -> int:
    """In `≈ 1800` two digits count: zeros at the end, beyond the second digit, keep the place."""
    return len(digits) - max(len(digits.rstrip("0")), min(2, len(digits)))


def _exponent(found: re.Match) -> int:
    return int((found["exponent"] or found["e"] or "0").translate(PLAIN).strip("^{}"))


# --- judging ----------------------------------------------------------------------------------

def _verdict(numeral: Numeral, value: float) -> Verdict:
    exact = Decimal(value)
    if not (exact.is_finite() and numeral.value.is_finite()):
        return Verdict.RIGHT if str(exact) == str(numeral.value) else Verdict.WRONG
    off, half = abs(exact - numeral.value), numeral.step / 2
    if abs(off - half) <= abs(exact) * ROUNDING:
        return Verdict.EDGE
    return Verdict.RIGHT if off < half else Verdict.WRONG


# --- writing ----------------------------------------------------------------------------------

def _write(numeral: Numeral, value: Decimal) -> str:
    found = numeral.found
    if value.is_finite() and found["special"]:
        raise ShownError(f"`{found[0]}` does not tell how many digits to show")
    if value.is_finite():
        body = _body(numeral, abs(value) * (100 if numeral.percent else 1))
    else:
        body = str(abs(value)).lower().replace("infinity", "inf")
    return _sign(found["sign"], value, body) + body + (found["percent"] or "")


def _sign(old: str, value: Decimal, body: str) -> str:
    if value.is_nan() or not re.search("[1-9]|inf", body):      # no −0.00
        return ""
    if value < 0:
        return old if old in ("-", "−") else "−"
    return old if old == "+" else ""


def _body(numeral: Numeral, size: Decimal) -> str:
    found, fraction = numeral.found, numeral.found["fraction"] or ""
    if found["exponent"] or found["e"]:
        places = len(_digits(found) + fraction) - 1
        mantissa, _, power = f"{size:.{places}e}".partition("e")
        return mantissa + _power(found, int(power) if size else 0)
    # Zeros that keep the place may not swallow the digits of a smaller value.
    zeros = min(numeral.zeros, max(0, size.adjusted() - 1))
    rounded = f"{size.scaleb(-zeros):.{len(fraction)}f}"
    whole, point, decimals = rounded.partition(".")
    whole += "0" * zeros
    if found["group"]:
        whole = f"{int(whole):,}".replace(",", found["group"])
    return whole + point + decimals


def _power(found: re.Match, power: int) -> str:
    """×10⁶ in the way that it was written before."""
    old = found["exponent"]
    if old is None:
        return f"e{power}"
    if not old.startswith("^"):
        return found["times"] + str(power).translate(SUPERSCRIPT)
    written = str(power).replace("-", "−" if "−" in old else "-")
    return found["times"] + (f"^{{{written}}}" if "{" in old else f"^{written}")
