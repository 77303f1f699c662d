"""Effective keys of the same scores against temperature, with the places of both sides."""

from sqrtdk.figures import style


def draw(data, words):
    figure, axis = style.axes()
    axis.plot(data["temperature"], data["keys"], color=style.INK)
    for side, (temperature, keys) in data["marks"].items():
        look = style.LINES[side] | {"linestyle": "", "markersize": 8}
        axis.plot([temperature], [keys], **look)
        axis.annotate(words[side], (temperature, keys), (11, -9), textcoords="offset points",
                      color=look["color"])
    axis.set_xscale("log")
    axis.set_ylim(0)
    axis.set_xlabel(words["x"])
    axis.set_ylabel(words["y"])
    axis.minorticks_off()
    return figure
