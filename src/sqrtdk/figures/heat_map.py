"""The same sixteen queries and keys: their attention matrix without and with the factor."""

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from sqrtdk.attention import attention_weights, scores
from sqrtdk.figures import style
from sqrtdk.softmax import softmax

TOKENS, D_K, SEED = 16, 64, 5
SMALLEST = 0.03          # weights below are left white
LEVELS = (0.03, 0.1, 0.25, 0.5, 1.01)
STRENGTH = (0.25, 0.45, 0.7, 1.0)


def data():
    """The two matrices, row by row, and for each the mean of its rows' largest weights."""
    rng = np.random.default_rng(SEED)
    q, k = rng.standard_normal((2, TOKENS, D_K))
    raw, scaled = softmax(scores(q, k)), attention_weights(q, k)
    return {
        "raw": raw.tolist(), "scaled": scaled.tolist(),
        "largest": {"raw": float(raw.max(axis=-1).mean()),
                    "scaled": float(scaled.max(axis=-1).mean())},
    }


def draw(data, words):
    figure, axes = style.axes(columns=2, height=190)
    for axis, side, color in zip(axes, ("raw", "scaled"), (style.RAW, style.SCALED)):
        weights = np.array(data[side])
        for low, high, strength in zip(LEVELS, LEVELS[1:], STRENGTH):
            squares = _squares(np.argwhere((weights >= low) & (weights < high)))
            axis.add_patch(PathPatch(squares, facecolor=color, alpha=strength, linewidth=0))
        axis.set(xlim=(0, TOKENS), ylim=(TOKENS, 0), aspect="equal", xticks=[], yticks=[])
        axis.spines[:].set_visible(True)
        axis.set_xlabel(words[side], color=color)
    axes[0].set_ylabel(words["y"])
    return figure


def _squares(cells):
    """One path for all cells, so that the file stays small."""
    corners = np.array([[0.06, 0.06], [0.94, 0.06], [0.94, 0.94], [0.06, 0.94], [0, 0]])
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    places = np.concatenate([corners + cell[::-1] for cell in cells] or [np.zeros((0, 2))])
    return Path(places, codes * len(cells))
