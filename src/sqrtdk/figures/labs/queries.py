"""The gradient of each query of a layer, in order of size."""

from sqrtdk.figures import style


def draw(data, words):
    figure, axis = style.axes()
    for side, sizes in data.items():
        look = style.LINES[side] | {"markersize": 3, "markevery": max(1, len(sizes) // 16)}
        axis.plot(range(1, len(sizes) + 1), sizes, **look)
        axis.annotate(words[side], (len(sizes), sizes[-1]), (-8, 9 if side == "scaled" else 0),
                      textcoords="offset points", color=look["color"], ha="right")
    axis.set_yscale("log")
    axis.set_xlabel(words["x"])
    axis.set_ylabel(words["y"])
    return figure
