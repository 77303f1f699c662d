"""The spread of q·k against d_k: theory as a line, simulation with its error beside it."""

import numpy as np

from sqrtdk.figures import style

NEEDS = ["growth"]


def data(growth):
    """Standard deviation of q·k by d_k: from theory, and sampled with its standard error."""
    spread = {int(d_k): row for d_k, row in growth["spread"].items() if int(d_k) > 1}
    return {
        "d_k": list(spread),
        "theory": [row["theory"] for row in spread.values()],
        "std": [row["std"][0] for row in spread.values()],
        "se": [row["std"][1] for row in spread.values()],
    }


def draw(data, words):
    figure, axis = style.axes()
    d_k, theory, std, se = (np.array(data[key]) for key in ("d_k", "theory", "std", "se"))
    axis.plot(d_k, theory, **style.LINES["theory"])
    axis.plot(d_k, np.ones_like(theory), **style.LINES["theory"])
    for side, factor in (("raw", 1), ("scaled", 1 / theory)):
        look = style.LINES[side] | {"linestyle": ""}
        axis.errorbar(d_k, std * factor, 2 * se * factor, capsize=2, **look)
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    axis.set_xticks([2, 8, 32, 128, 1024], labels=["2", "8", "32", "128", "1024"])
    axis.set_yticks([1, 4, 16, 32], labels=["1", "4", "16", "32"])
    axis.minorticks_off()
    axis.set_ylim(0.6, 45)
    axis.set_xlabel(words["x"])
    axis.set_ylabel(words["y"])
    axis.text(22, 10, words["raw"], color=style.RAW, ha="right")
    axis.text(1024, 1.25, words["scaled"], color=style.SCALED, ha="right")
    return figure
