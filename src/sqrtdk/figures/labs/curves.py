"""What attention does while the lookup layer learns: entropy, and weight on the right key."""

from sqrtdk.figures import style


def draw(data, words):
    figure, axes = style.axes(rows=2, height=360, sharex=True, sharey=True)
    for axis, key in zip(axes, ("entropy", "right_weight")):
        for side, run in data.items():
            axis.plot(run["step"], run[key], **style.LINES[side] | {"markersize": 3.5})
        axis.set_ylabel(words[key])
    for side, place in (("raw", (0.02, 0.22)), ("scaled", (0.02, 0.9))):
        axes[0].text(*place, words[side], transform=axes[0].transAxes, va="top",
                     color=style.LINES[side]["color"])
    axes[0].set_ylim(0, 1.02)
    axes[1].set_xscale("log")
    axes[1].set_xticks([1, 10, 100, 1000], labels=["1", "10", "100", "1000"])
    axes[1].minorticks_off()
    axes[1].set_xlabel(words["x"])
    return figure
