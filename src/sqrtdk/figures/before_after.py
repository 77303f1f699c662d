"""Two keys at d_k = 64, ahead by 32 and by 8: their shares before and after the division."""

from sqrtdk.attention import scale
from sqrtdk.figures import style
from sqrtdk.softmax import softmax

D_K, LEADS = 64, (32, 8)


def data():
    """lead -> weights of the leader and of the other key, raw and scaled."""
    return {lead: {"raw": softmax([lead, 0.0]).tolist(),
                   "scaled": softmax([lead * scale(D_K), 0.0]).tolist()} for lead in LEADS}


def draw(data, words):
    figure, axis = style.axes(height=190)
    bars = [(lead, side) for lead in data for side in ("raw", "scaled")]
    for place, (lead, side) in enumerate(bars):
        leader, other = data[lead][side]
        at = -place - 0.5 * (place // 2)
        axis.barh(at, leader, height=0.7, **style.BARS[side])
        axis.barh(at, other, left=leader, height=0.7, facecolor="none", edgecolor=style.SOFT)
        axis.text(1.02, at, style.short(other), va="center")
        axis.text(-0.02, at, words[side].format(gap=lead if side == "raw" else lead * scale(D_K)),
                  va="center", ha="right",
                  color=style.RAW if side == "raw" else style.SCALED)
    axis.set_xlim(-0.46, 1.32)
    axis.set_xticks([0, 0.5, 1], labels=["0", "0.5", "1"])
    axis.set_xlabel(words["x"])
    axis.set_yticks([])
    axis.spines["left"].set_visible(False)
    axis.grid(visible=False)
    return figure
