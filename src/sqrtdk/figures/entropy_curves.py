"""What attention does while the lookup layer learns: entropy, and weight on the right key."""

from sqrtdk.figures import style

NEEDS = ["training"]
SIDES = {"raw": "none", "scaled": "sqrt"}
SHOWN = ("entropy", "right_weight")


def data(training):
    """side -> step, entropy over log 16, weight on the right key, each with its standard error."""
    curves = training["curves"]["sgd"]
    keys = ("step", *SHOWN, *(f"{key}_se" for key in SHOWN))
    return {side: {key: curves[factor][key] for key in keys} for side, factor in SIDES.items()}


def draw(data, words):
    figure, axes = style.axes(rows=2, height=390, sharex=True, sharey=True)
    for axis, key in zip(axes, SHOWN):
        for side, run in data.items():
            look = style.LINES[side] | {"markersize": 4, "markevery": 3}
            style.band(axis, run["step"], run[key], run[f"{key}_se"], look["color"])
            axis.plot(run["step"], run[key], **look)
        axis.set_ylabel(words[key])
    axes[0].text(7, 0.8, words["scaled"], color=style.SCALED)
    axes[0].text(1.1, 0.24, words["raw"], color=style.RAW)
    axes[1].text(11, 0.86, words["scaled"], color=style.SCALED, ha="right")
    axes[1].text(80, 0.36, words["raw"], color=style.RAW)
    axes[0].set_ylim(-0.03, 1.04)
    axes[0].set_yticks([0, 0.5, 1], labels=["0", "0.5", "1"])
    axes[1].set_xscale("log")
    axes[1].set_xticks([1, 10, 100, 1000], labels=["1", "10", "100", "1000"])
    axes[1].minorticks_off()
    axes[1].set_xlabel(words["x"])
    return figure
