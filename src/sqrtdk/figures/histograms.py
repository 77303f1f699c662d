"""Where scores fall for d_k = 2, 64 and 512: a histogram under the exact density."""

import numpy as np

from sqrtdk.dot_product import score_density
from sqrtdk.figures import style

D_K = (2, 64, 512)
DRAWS, SEED, REACH = 20_000, 3, 60


def data():
    """For each d_k: bin edges, share of scores per unit in each bin, and the exact density."""
    rng = np.random.default_rng(SEED)
    return {d_k: _panel(d_k, rng) for d_k in D_K}


def _panel(d_k, rng):
    # Given q a score is normal with standard deviation |q|: the exact law, cheaply drawn.
    drawn = np.sqrt(rng.chisquare(d_k, DRAWS)) * rng.standard_normal(DRAWS)
    width = max(0.5, np.sqrt(d_k) / 4)
    edges = width * (np.arange(2 * int(REACH / width) + 1) - int(REACH / width))
    inside, _ = np.histogram(drawn, edges)
    x = np.linspace(-REACH, REACH, 241)
    return {
        "edges": edges.tolist(), "share": (inside / DRAWS / width).tolist(),
        "x": x.tolist(), "density": score_density(x, d_k).tolist(), "std": float(drawn.std()),
    }


def draw(data, words):
    figure, axes = style.axes(rows=len(data), height=290, sharex=True)
    for axis, (d_k, panel) in zip(axes, data.items()):
        axis.stairs(panel["share"], panel["edges"], fill=True, color=style.RAW, alpha=0.3)
        axis.plot(panel["x"], panel["density"], color=style.THEORY, linewidth=1.4)
        axis.set_yticks([])
        axis.spines["left"].set_visible(False)
        axis.text(0.02, 0.7, f"d = {d_k}", transform=axis.transAxes, fontweight="bold")
        axis.text(0.98, 0.7, words["std"].format(std=panel["std"]), transform=axis.transAxes,
                  ha="right")
    axes[-1].set_xlim(-REACH, REACH)
    axes[-1].set_xlabel(words["x"])
    return figure
