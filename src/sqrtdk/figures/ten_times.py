"""Softmax of 1, 2, 3 beside softmax of 10, 20, 30."""

from sqrtdk.figures import style
from sqrtdk.softmax import softmax

SCORES = [1.0, 2.0, 3.0]
FACTOR = 10


def data():
    """The weights of the mild scores, and of the same scores ten times as large."""
    return {
        "scores": SCORES,
        "mild": softmax(SCORES).tolist(),
        "wide": softmax([FACTOR * score for score in SCORES]).tolist(),
    }


def draw(data, words):
    figure, axes = style.axes(columns=2, height=200, sharey=True)
    sides = (("mild", "scaled", 1), ("wide", "raw", FACTOR))
    for axis, (key, look, factor) in zip(axes, sides):
        axis.bar(range(3), data[key], width=0.62, **style.BARS[look])
        for place, weight in enumerate(data[key]):
            axis.text(place, weight + 0.03, style.short(weight), ha="center", fontsize=11)
        axis.set_xticks(range(3), labels=[f"{factor * score:g}" for score in data["scores"]])
        axis.set_xlabel(words["x"])
        axis.grid(visible=False, axis="x")
    axes[0].set_ylim(0, 1.12)
    axes[0].set_yticks([0, 0.5, 1], labels=["0", "0.5", "1"])
    axes[0].set_ylabel(words["y"])
    return figure
