"""A drawing: the way from q and k to the output, and where the factor may sit."""

from matplotlib.patches import FancyBboxPatch

from sqrtdk.figures import style

# From top to bottom: the steps, and for each whether the factor may sit there (None: no place).
STEPS = (("vectors", True), ("scores", True), ("mask", False), ("softmax", None),
         ("weights", False), ("output", None))


def data():
    """step -> may the factor sit there?"""
    return dict(STEPS)


def draw(data, words):
    figure, axis = style.axes(height=330)
    axis.set(xlim=(0, 340), ylim=(330, 0))
    axis.axis("off")
    for number, (step, allowed) in enumerate(data.items()):
        top = 8 + 54 * number
        axis.add_patch(FancyBboxPatch((12, top), 116, 32, boxstyle="round,pad=0,rounding_size=5",
                                      facecolor="none", edgecolor=style.SOFT))
        axis.text(70, top + 17, words[step], ha="center", va="center")
        if number:
            axis.annotate("", (70, top - 1), (70, top - 21),
                          arrowprops={"arrowstyle": "-|>", "color": style.SOFT})
        if allowed is not None:
            color = style.SCALED if allowed else style.RAW
            axis.text(148, top + 17, "✓" if allowed else "✗", color=color, va="center",
                      fontsize=14, fontweight="bold")
            axis.text(168, top + 17, words[f"{step}_note"], color=color, va="center",
                      fontsize=11)
    return figure
