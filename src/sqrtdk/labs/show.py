"""Tables and plots for notebooks, and the language that they speak."""

import html
import os
import tomllib
from importlib import resources

from sqrtdk.cli.language import locale_language
from sqrtdk.figures import style

# A plot on the site takes the page's colours; elsewhere these, the light ones.
COLOURS = {
    "--fig-ink": ("--ink", "#22211d"),
    "--fig-soft": ("--ink-quiet", "#64615a"),
    "--fig-grid": ("--line", "#dfdbd1"),
    "--fig-paper": ("--paper", "#fcfbf8"),
    "--fig-raw": ("--raw", "#bb3d12"),
    "--fig-scaled": ("--scaled", "#1f62ad"),
    "--fig-theory": ("--theory", "#6f6b63"),
}
SIDES = ("raw", "scaled")


def language():
    """The language to speak: that of the variable SQRTDK_LANG, else that of the locale."""
    return os.environ.get("SQRTDK_LANG") or locale_language()


def words(name):
    """The words of one table or plot in the reader's language, with those that all share."""
    text = resources.files("sqrtdk.labs").joinpath(f"words/{language()}.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    return tables["shared"] | tables[name]


class Table:
    """Numbers under headings, the first column naming the rows; `rows` are lists of texts.

    The headings "raw" and "scaled", or ones that contain them, are given as (side, text) and
    wear the colour of their side.
    """

    def __init__(self, headings, rows):
        self.headings, self.rows = headings, rows

    def _repr_html_(self):
        head = "".join(f'<th scope="col">{self._heading(each)}</th>' for each in self.headings)
        body = "".join(f"<tr>{self._row(*row)}</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self):
        texts = [each if isinstance(each, str) else each[1] for each in self.headings]
        return "\n".join("  ".join(cells) for cells in (texts, *self.rows))

    @staticmethod
    def _heading(heading):
        if isinstance(heading, str):
            return html.escape(heading)
        side, text = heading
        return f'<strong class="{side}">{html.escape(text)}</strong>'

    @staticmethod
    def _row(name, *cells):
        cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        return f'<th scope="row">{html.escape(name)}</th>{cells}'


class Plot:
    """A drawing as SVG, with a description for who does not see it."""

    def __init__(self, draw, data, words, **numbers):
        self.description = words["description"].format(**numbers)
        colours = "; ".join(f"{mine}: var({site}, {light})"
                            for mine, (site, light) in COLOURS.items())
        self.svg = style.svg(draw, data, words).replace(
            "<svg ", f'<svg role="img" aria-label="{html.escape(self.description)}" '
                     f'style="{colours}" ', 1)

    def _repr_mimebundle_(self, include=None, exclude=None):
        drawing, on_light = "image/svg+xml", {"needs_background": "light"}
        return {drawing: self.svg, "text/plain": repr(self)}, {drawing: on_light}

    def __repr__(self):
        return self.description


def decimals(value, places=2):
    """A number with `places` decimals and a real minus sign; never −0."""
    return f"{value:z.{places}f}".replace("-", "−")


def count(value):
    """A whole number in groups of three digits, or as 4.3×10⁶ from a million on."""
    if value < 1e6:
        return f"{value:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    digits, power = f"{value:.1e}".split("e+")
    return f"{digits}×10{power.lstrip('0').translate(style.SUPERSCRIPTS)}"
