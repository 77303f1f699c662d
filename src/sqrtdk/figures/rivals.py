"""Softmax and seven rivals on the same four scores."""

from sqrtdk.figures import style
from sqrtdk.normalisers import normalise

SCORES = [2.1, 0.3, -1.2, 4.0]
NAMES = ("softmax", "raw_sum", "uniform", "hardmax", "sparsemax", "entmax15", "sigmoid",
         "softplus")


def data():
    """name -> the weights it gives to the four scores."""
    return {"scores": SCORES,
            "weights": {name: [float(w) for w in normalise(name, SCORES)] for name in NAMES}}


def draw(data, words):
    figure, axes = style.axes(rows=4, columns=2, height=400, sharex=True, sharey=True)
    for axis, (name, weights) in zip(axes.flat, data["weights"].items()):
        look = style.BARS["scaled"] if name == "softmax" else {
            "facecolor": style.THEORY, "edgecolor": style.THEORY}
        axis.bar(range(4), weights, width=0.62, **look)
        axis.axhline(0, color=style.SOFT, linewidth=0.8)
        axis.set_title(f"{words[name]}  Σ = {sum(weights):.2f}", fontsize=11, loc="left", pad=3)
        axis.tick_params(length=0)
        axis.set_xticks(range(4), labels=[f"{s:g}".replace("-", "−") for s in data["scores"]])
        axis.grid(visible=False, axis="x")
    axes[0, 0].set_ylim(-0.35, 1.05)
    axes[0, 0].set_yticks([0, 0.5, 1], labels=["0", "0.5", "1"])
    for axis in axes[-1]:
        axis.set_xlabel(words["x"])
    return figure
