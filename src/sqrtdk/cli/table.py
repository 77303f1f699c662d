"""Aligned text tables; a Chinese character takes two columns of a terminal."""

import math
import unicodedata


def width(text):
    """Columns that `text` takes in a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def table(rows):
    """`rows` of texts as one text, each column aligned to the right.

    An empty row becomes an empty line.
    """
    columns = zip(*(row for row in rows if row), strict=True)
    widths = [max(map(width, column)) for column in columns]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row, widths):
    return "  ".join(" " * (w - width(text)) + text for text, w in zip(row, widths)).rstrip()


def weight(value):
    """A weight with five decimals; a tiny one in powers of ten rather than as 0.00000."""
    return f"{value:.1e}" if 0 < value < 5e-6 else f"{value:.5f}"


def estimate(value, se):
    """A value ± its standard error, to one digit of the error (two if the first is 1)."""
    if se == 0:
        return f"{value:g}"
    power = math.floor(math.log10(se))
    digits = 2 if se < 2 * 10**power else 1
    decimals = max(0, digits - 1 - power)
    return f"{value:.{decimals}f} ± {se:.{decimals}f}"
