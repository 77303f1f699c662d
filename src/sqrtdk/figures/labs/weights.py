"""One query's weights on its keys, without and with the factor."""

from sqrtdk.figures import style


def draw(data, words):
    figure, axes = style.axes(rows=2, height=250, sharex=True, sharey=True)
    for axis, (side, look) in zip(axes, style.BARS.items()):
        axis.bar(range(1, len(data[side]) + 1), data[side], width=0.7, **look)
        axis.set_title(words[side], loc="left", fontsize=12, color=style.LINES[side]["color"])
        axis.set_ylabel(words["y"])
        axis.grid(visible=False, axis="x")
        axis.locator_params(axis="x", integer=True)
    axes[0].set_ylim(0, 1.02)
    axes[1].set_xlabel(words["x"])
    return figure
