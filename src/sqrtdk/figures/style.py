"""One hand for all figures: size, palette, axes, and how a drawing becomes a small SVG.

Colours are drawn as fixed hex codes and leave as CSS variables, so that one file serves the
light and the dark page and paper. Raw is dashed or hatched with squares, scaled is solid or
filled with circles: the two are told apart without colour too.
"""

import io
import re
import tomllib
import warnings
from importlib import resources

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot as plt  # noqa: E402  (the backend comes first)

RAW, SCALED, THEORY = "#c00001", "#0000c1", "#70707f"
INK, SOFT, GRID, PAPER = "#10101f", "#50505f", "#d0d0df", "#fffffe"
VARIABLES = {RAW: "--fig-raw", SCALED: "--fig-scaled", THEORY: "--fig-theory",
             INK: "--fig-ink", SOFT: "--fig-soft", GRID: "--fig-grid", PAPER: "--fig-paper"}

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

# Points and pixels agree at 72 dpi: text is 12 px on a phone 340 px wide.
SETTINGS = {
    "figure.dpi": 72, "svg.fonttype": "none", "svg.hashsalt": "sqrtdk",
    "font.size": 12, "axes.labelsize": 12, "xtick.labelsize": 11, "ytick.labelsize": 11,
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": SOFT,
    "xtick.color": SOFT, "ytick.color": SOFT, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "axes.facecolor": "none", "figure.facecolor": "none",
    "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.8,
    "axes.grid": True, "grid.color": GRID, "grid.linewidth": 0.6, "axes.axisbelow": True,
    "lines.linewidth": 1.8, "lines.markersize": 5, "hatch.linewidth": 1.2, "hatch.color": RAW,
}
LINES = {
    "raw": {"color": RAW, "linestyle": (0, (4, 2)), "marker": "s", "markerfacecolor": PAPER},
    "scaled": {"color": SCALED, "linestyle": "-", "marker": "o"},
    "theory": {"color": THEORY, "linestyle": ":", "marker": ""},
}
BARS = {
    "raw": {"facecolor": PAPER, "edgecolor": RAW, "hatch": "////", "linewidth": 1.2},
    "scaled": {"facecolor": SCALED, "edgecolor": SCALED, "linewidth": 1.2},
}


def words(lang: str, name: str) -> dict:
    """The words of one figure in one language."""
    text = resources.files("sqrtdk.figures").joinpath(f"words/{lang}.toml").read_text("utf-8")
    return tomllib.loads(text)[name]


def axes(rows=1, columns=1, height=220, width=340, **options):
    """A figure of `width` × `height` px with a grid of axes, laid out by matplotlib."""
    return plt.subplots(rows, columns, figsize=(width / 72, height / 72),
                        layout="constrained", **options)


def band(axis, x, mean, se, color):
    """One standard error on either side of a line."""
    low, high = ([m + sign * s for m, s in zip(mean, se)] for sign in (-1, 1))
    axis.fill_between(x, low, high, color=color, alpha=0.15, linewidth=0)


def svg(draw, data, lang_words) -> str:
    """Draw and return one small SVG, the same bytes each time."""
    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        # The reader's own font has the Chinese glyphs; matplotlib only measures with its own.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure = draw(data, lang_words)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None,
                                                    "Format": None, "Type": None})
        plt.close(figure)
    return _lighten(out.getvalue())


def short(value: float) -> str:
    """A weight in a few characters: 0.27, or 1×10⁻¹⁴ where that would be 0.00."""
    if value >= 0.005:
        return f"{value:.2f}"
    digit, power = f"{value:.0e}".split("e-")
    return f"{digit}×10⁻{power.lstrip('0').translate(SUPERSCRIPTS)}"


def _two_decimals(number: re.Match) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _lighten(text: str) -> str:
    """What a page needs of matplotlib's SVG: no prologue, CSS colours, two decimals."""
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"<style type=\"text/css\">.*?</style>", "", text, flags=re.S)
    for code, variable in VARIABLES.items():
        text = text.replace(code, f"var({variable})")
    text = re.sub(r"font: (?:\w+ )*?([\d.]+px) [^;\"]*", r"font-size: \1", text)
    text = re.sub(r"font-family: [^;\"]*;?\s*", "", text)
    text = re.sub(r"\d+\.\d{3,}", _two_decimals, text)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r'(<svg [^>]*?) width="[^"]*"| height="[\d.]+pt"', r"\1", text, count=2)
    return re.sub(r"\s*\n\s*", " ", text).strip() + "\n"
