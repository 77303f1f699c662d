"""Steps to give up a wrong favourite against the gap, and where random starts stand."""

from sqrtdk.figures import style


def draw(data, words):
    figure, axis = style.axes(height=260)
    axis.plot(data["line"], data["theory"], **style.LINES["theory"])
    axis.plot(data["gaps"], data["sgd"], "o", color=style.INK)
    axis.plot(data["gaps"], data["adam"], "^", color=style.SOFT)
    for name, shift in (("sgd", (-8, 4)), ("adam", (6, -12))):
        axis.annotate(words[name], (data["gaps"][-1], data[name][-1]), shift,
                      textcoords="offset points", ha="right" if name == "sgd" else "left")
    top = max(data["theory"])
    for side, gap in data["marks"].items():
        axis.axvline(gap, **style.LINES[side] | {"marker": "", "linewidth": 1.4})
        axis.annotate(words[side], (gap, top), (-5 if side == "raw" else 5, -4),
                      textcoords="offset points", color=style.LINES[side]["color"],
                      ha="right" if side == "raw" else "left", va="top")
    axis.set_yscale("log")
    axis.set_xlabel(words["x"])
    axis.set_ylabel(words["y"])
    return figure
