"""Steps until the lookup layer has learnt its task, against d_k, for three factors."""

from matplotlib.markers import CARETUPBASE

from sqrtdk.figures import style

NEEDS = ["training"]
FACTORS = {"raw": "none", "scaled": "sqrt", "one_over_d": "inverse"}
LOOKS = {
    "raw": style.LINES["raw"],
    "scaled": style.LINES["scaled"],
    "one_over_d": {"color": style.THEORY, "linestyle": (0, (5, 1.5, 1, 1.5)), "marker": "D",
                   "markersize": 4},
}

# Marks that would cover one another stand a little beside their d_k.
DODGE = {"raw": 1, "scaled": 0.95, "one_over_d": 1.07}


def data(training):
    """optimiser -> side -> mean steps, standard error and seeds that got there, over d_k."""
    table = training["table"]
    return {
        "d_k": [int(d_k) for d_k in table["sgd"]],
        "seeds": len(training["seeds"]), "cap": training["cap"],
        "steps": {optimiser: {side: {
            "mean": [cell[factor]["mean"][0] for cell in by_d_k.values()],
            "se": [cell[factor]["mean"][1] for cell in by_d_k.values()],
            "reached": [cell[factor]["reached"] for cell in by_d_k.values()],
        } for side, factor in FACTORS.items()} for optimiser, by_d_k in table.items()},
    }


def draw(data, words):
    figure, axes = style.axes(rows=2, height=420, sharex=True, sharey=True)
    for axis, (optimiser, sides) in zip(axes, data["steps"].items()):
        axis.axhline(data["cap"], **style.LINES["theory"] | {"linewidth": 1.2})
        for side, cells in sides.items():
            _line(axis, data, side, cells, words[side])
        axis.text(0.02, 0.86, words[optimiser], transform=axis.transAxes, fontweight="bold")
        axis.text(46, 3.4 * sides["raw"]["mean"][0], words["raw"], color=style.RAW, ha="right")
        axis.set_ylabel(words["y"])
    axes[0].set_yscale("log")
    axes[0].set_ylim(10, 1500)
    axes[0].set_yticks([10, 30, 100, 300, 1000], labels=["10", "30", "100", "300", "1000"])
    axes[1].set_xscale("log", base=2)
    axes[1].set_xticks(data["d_k"], labels=[f"{d_k}" for d_k in data["d_k"]])
    axes[1].set_xlim(6.5, 1100)
    axes[1].minorticks_off()
    axes[1].set_xlabel(words["x"])
    return figure


def _line(axis, data, side, cells, name):
    x = [DODGE[side] * d_k for d_k in data["d_k"]]
    axis.errorbar(x, cells["mean"], cells["se"], **LOOKS[side])
    for at, mean, se, reached in zip(x, cells["mean"], cells["se"], cells["reached"]):
        if reached < data["seeds"]:     # the mean is a lower bound
            axis.plot(at, mean + se, marker=CARETUPBASE, markersize=6, color=style.RAW)
            axis.annotate(f"{reached}/{data['seeds']}", (at, mean), (7, -11), fontsize=11,
                          textcoords="offset points", color=style.RAW)
    if side != "raw":
        axis.annotate(name, (x[-1], cells["mean"][-1]), (8, -4), fontsize=11,
                      textcoords="offset points", color=LOOKS[side]["color"])
