"""The gradient before the first step, against d_k: the whole, the median query, the top tenth."""

from sqrtdk.figures import style

NEEDS = ["layer_start"]
TOKENS = 64
SIDES = ("raw", "scaled")
SHOWN = {"whole": "w_q", "median": "q_median", "top_tenth": "q_top_1_in_10"}


def data(layer_start):
    """Panel -> side -> mean over random heads and its standard error, each a list over d_k."""
    by_d_k = layer_start[str(TOKENS)]
    return {
        "d_k": [int(d_k) for d_k in by_d_k],
        "panels": {panel: {side: {
            "mean": [row[side][key][0] for row in by_d_k.values()],
            "se": [row[side][key][1] for row in by_d_k.values()],
        } for side in SIDES} for panel, key in SHOWN.items()},
    }


def draw(data, words):
    figure, axes = style.axes(rows=3, height=430, sharex=True)
    for axis, (panel, sides) in zip(axes, data["panels"].items()):
        for side, row in sides.items():
            look = style.LINES[side]
            style.band(axis, data["d_k"], row["mean"], row["se"], look["color"])
            axis.plot(data["d_k"], row["mean"], **look)
        axis.set_title(words[panel], fontsize=12, loc="left", pad=5)
    for axis, ticks in zip(axes, ((10, 100, 1000), (0.05, 0.2, 1))):
        axis.set_yscale("log")
        axis.set_yticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    axes[0].set_ylim(8, 1000)
    axes[1].set_ylim(0.04, 1.6)
    axes[2].set_ylim(0, 1)
    axes[2].set_yticks([0, 0.5, 1], labels=["0", "50 %", "100 %"])
    axes[0].text(20, 190, words["raw"], color=style.RAW, ha="right")
    axes[0].text(512, 25, words["scaled"], color=style.SCALED, ha="right")
    axes[2].set_xscale("log", base=2)
    axes[2].set_xticks([8, 32, 128, 512], labels=["8", "32", "128", "512"])
    for axis in axes:
        axis.minorticks_off()
    axes[2].set_xlabel(words["x"])
    return figure
