"""Steps that one query takes to give up a wrong favourite, against how far that one leads."""

from sqrtdk.escape import escape_time
from sqrtdk.figures import style

NEEDS = ["escape"]
D_K, WIDEST = 64, 15
DOTS = {"sgd": {"marker": "o", "color": style.INK},
        "adam": {"marker": "^", "color": style.INK, "markerfacecolor": style.PAPER},
        "weight_sgd": {"marker": "D", "color": style.THEORY, "markersize": 4}}


def data(escape):
    """Steps by gap: closed form and simulation for each loss; the typical gaps at the start."""
    rate = escape["learning_rates"]["sgd"]
    lines = [0.25 * step for step in range(2, 4 * WIDEST + 1)]
    runs = {float(gap): row for gap, row in escape["steps"].items() if float(gap) <= WIDEST}
    return {
        "gap": lines,
        "theory": {loss: [escape_time(gap, loss) / rate for gap in lines]
                   for loss in ("values", "weight")},
        "runs": {name: {gap: row[name] for gap, row in runs.items() if name in row}
                 for name in DOTS},
        "start": {side: gap for side, (gap, _) in escape["start"][str(D_K)].items()},
    }


def draw(data, words):
    figure, axis = style.axes(height=300)
    for steps in data["theory"].values():
        axis.plot(data["gap"], steps, **style.LINES["theory"])
    for name, look in DOTS.items():
        runs = data["runs"][name]
        axis.plot(runs.keys(), runs.values(), linestyle="", **look)
    for side, gap in data["start"].items():
        axis.axvline(gap, **style.LINES[side] | {"marker": "", "linewidth": 1.4})
    raw, scaled = data["start"]["raw"], data["start"]["scaled"]
    axis.text(scaled + 0.2, 3e6, words["scaled"], color=style.SCALED, va="top")
    axis.text(raw - 0.2, 4e3, words["raw"], color=style.RAW, ha="right", va="center")
    axis.text(8.3, 2.5e5, words["sgd"], ha="right")
    axis.text(6.2, 420, words["adam"], ha="left")
    axis.text(8.2, 16, words["weight_sgd"], color=style.THEORY)
    axis.set_yscale("log")
    axis.set_ylim(3, 1e7)
    axis.set_yticks([10, 1e3, 1e5, 1e7], labels=["10", "10³", "10⁵", "10⁷"])
    axis.minorticks_off()
    axis.set_xlim(0, WIDEST)
    axis.set_xlabel(words["x"])
    axis.set_ylabel(words["y"])
    return figure
