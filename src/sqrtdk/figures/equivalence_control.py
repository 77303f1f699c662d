"""Two checks of the cause: the factor moved into start and rate; the loss put on the weights."""

from sqrtdk.figures import style

NEEDS = ["training"]
SIDES = {"raw": "none", "scaled": "sqrt"}


def data(training):
    """Largest difference of losses by optimiser; mean steps and standard errors by loss."""
    return {
        "difference": {optimiser: {"twin": run["twins"], "raw": run["plain"]}
                       for optimiser, run in training["equivalence"].items()},
        "steps": {(optimiser, loss): {side: cells[factor]["mean"]
                                      for side, factor in SIDES.items()}
                  for optimiser, losses in training["control"].items()
                  for loss, cells in losses.items()},
    }


def draw(data, words):
    figure, (top, bottom) = style.axes(rows=2, height=370, height_ratios=(3, 4))
    twin = {"color": style.INK, "marker": "D", "linestyle": ""}
    raw, scaled = (style.LINES[side] | {"linestyle": "", "markersize": 6} for side in SIDES)
    for place, row in enumerate(data["difference"].values()):
        top.plot(row["twin"], place, **twin)
        top.plot(row["raw"], place, **raw)
    for place, row in enumerate(data["steps"].values()):
        for side, look, shift in (("raw", raw, -0.13), ("scaled", scaled, 0.13)):
            mean, se = row[side]
            bottom.errorbar(mean, place + shift, xerr=se, **look)
    top.text(3e-16, -0.42, words["twin"], va="center")
    top.text(10, -0.42, words["plain"], color=style.RAW, ha="right", va="center")
    for side, shift, color in (("raw", -0.46, style.RAW), ("scaled", 0.46, style.SCALED)):
        bottom.text(data["steps"]["sgd", "values"][side][0], shift, words[side], color=color,
                    ha="center", va="center")
    _names(top, [words[name] for name in data["difference"]])
    _names(bottom, [words[f"{name}_{loss}"] for name, loss in data["steps"]])
    top.set_xlim(1e-16, 100)
    top.set_xticks([1e-15, 1e-10, 1e-5, 1], labels=["10⁻¹⁵", "10⁻¹⁰", "10⁻⁵", "1"])
    top.set_xlabel(words["difference"])
    bottom.set_xlim(10, 500)
    bottom.set_xticks([10, 30, 100, 300], labels=["10", "30", "100", "300"])
    bottom.set_xlabel(words["steps"])
    return figure


def _names(axis, names):
    """A line for each name, from top to bottom."""
    axis.set_xscale("log")
    axis.set_yticks(range(len(names)), labels=names)
    axis.set_ylim(len(names) - 0.5, -0.8)
    axis.tick_params(axis="y", length=0)
    axis.spines["left"].set_visible(False)
    axis.minorticks_off()
