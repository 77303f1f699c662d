"""Largest weight and effective number of keys against d_k, for three row lengths, both sides."""

from sqrtdk.figures import style

NEEDS = ["sharpness"]
SIDES = ("raw", "scaled")


def data(sharpness):
    """keys -> side -> largest weight and effective keys (e^H), each a list over d_k."""
    rows = sharpness["rows"]
    return {
        "d_k": [int(d_k) for d_k in next(iter(rows.values()))],
        "rows": {int(n): {side: {
            "largest": [cell[side]["largest"][0] for cell in by_d_k.values()],
            "keys": [cell[side]["effective_keys_1"][0] for cell in by_d_k.values()],
        } for side in SIDES} for n, by_d_k in rows.items()},
    }


def draw(data, words):
    figure, axes = style.axes(rows=2, height=400, sharex=True)
    for n, sides in data["rows"].items():
        for side in SIDES:
            look = style.LINES[side] | {"markersize": 4, "markevery": 3}
            # Scaled lines are told apart at their right end, raw ones at their left.
            at, shift = (0, (-5, -4)) if side == "raw" else (-1, (5, -4))
            for axis, key in zip(axes, ("largest", "keys")):
                axis.plot(data["d_k"], sides[side][key], **look)
                axis.annotate(f"{n}", (data["d_k"][at], sides[side][key][at]), shift,
                              textcoords="offset points", fontsize=10,
                              ha="right" if side == "raw" else "left",
                              color=style.RAW if side == "raw" else style.SCALED)
    axes[0].set_ylim(0, 1.02)
    axes[0].set_ylabel(words["largest"])
    axes[1].set_yscale("log")
    axes[1].set_yticks([1, 10, 100], labels=["1", "10", "100"])
    axes[1].set_ylabel(words["keys"])
    axes[1].minorticks_off()
    axes[1].set_xscale("log", base=2)
    axes[1].set_xticks([2, 8, 32, 128, 1024], labels=["2", "8", "32", "128", "1024"])
    axes[1].set_xlabel(words["x"])
    axes[1].set_xlim(1.1, 2200)
    axes[0].text(0.36, 0.86, words["raw"], color=style.RAW, transform=axes[0].transAxes)
    axes[0].text(0.55, 0.42, words["scaled"], color=style.SCALED, transform=axes[0].transAxes)
    return figure
