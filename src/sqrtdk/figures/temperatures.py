"""From one-hot to uniform: the weights of four scores as the temperature rises."""

import numpy as np

from sqrtdk.figures import style
from sqrtdk.softmax import softmax

SCORES = [4.0, 2.1, 0.3, -1.2]
LINESTYLES = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (4, 1.5, 1, 1.5)))

# Where along its line each score is written: index of the temperature, shift in points.
LABELS = ((20, (6, 6)), (28, (-6, 12)), (31, (-26, 9)), (35, (4, -9)))


def data():
    """The temperatures, and for each score its weights along them."""
    temperature = np.logspace(-1, 2, 61)
    rows = np.array([softmax(SCORES, temperature=t) for t in temperature])
    return {"temperature": temperature.tolist(), "scores": SCORES, "weights": rows.T.tolist()}


def draw(data, words):
    figure, axis = style.axes()
    even = 1 / len(data["scores"])
    axis.axhline(even, color=style.THEORY, linewidth=1.2, linestyle=":")
    for score, weights, linestyle in zip(data["scores"], data["weights"], LINESTYLES):
        axis.plot(data["temperature"], weights, color=style.INK, linestyle=linestyle)
    for score, weights, (at, shift) in zip(data["scores"], data["weights"], LABELS):
        axis.annotate(f"{score:g}".replace("-", "−"), (data["temperature"][at], weights[at]),
                      shift, textcoords="offset points", fontsize=11, va="center")
    axis.axvline(1, color=style.GRID, linewidth=1.2)
    axis.set_xscale("log")
    axis.set_xticks([0.1, 1, 10, 100], labels=["0.1", "1", "10", "100"])
    axis.minorticks_off()
    axis.set_ylim(-0.02, 1.05)
    axis.set_yticks([0, even, 0.5, 1], labels=["0", "¼", "½", "1"])
    axis.set_xlabel(words["x"])
    axis.set_ylabel(words["y"])
    return figure
