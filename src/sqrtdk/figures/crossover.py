"""When a row condenses: the mean of Σp² against the spread of its logits."""

from sqrtdk.figures import style
from sqrtdk.sharpness import condensation_std, condensed_square_sum

NEEDS = ["sharpness"]
D_K, N_KEYS = 64, 64


def data(sharpness):
    """Σp² by spread over √(2 ln n): measured for each n, the limit, and where d_k = 64 stands."""
    ratios = [0.02 * step for step in range(226)]
    return {
        "measured": {int(n): {"ratio": [float(r) for r in row],
                              "mean": [mean for mean, _ in row.values()],
                              "se": [se for _, se in row.values()]}
                     for n, row in sharpness["condensation"].items()},
        "limit": {"ratio": ratios, "mean": [condensed_square_sum(r) if r else 0.0
                                            for r in ratios]},
        "raw": D_K**0.5 / condensation_std(N_KEYS),
        "scaled": 1 / condensation_std(N_KEYS),
    }


def draw(data, words):
    figure, axis = style.axes(height=240)
    axis.plot(data["limit"]["ratio"], data["limit"]["mean"], **style.LINES["theory"])
    looks = ({"marker": "D", "markerfacecolor": style.PAPER}, {"marker": "^"})
    for (n, row), look in zip(data["measured"].items(), looks):
        axis.errorbar(row["ratio"], row["mean"], [2 * se for se in row["se"]], color=style.INK,
                      linewidth=1, label=words["keys"].format(n=n), **look)
    for side, color, linestyle in (("scaled", style.SCALED, "-"),
                                   ("raw", style.RAW, (0, (4, 2)))):
        axis.axvline(data[side], color=color, linestyle=linestyle, linewidth=1.4)
        axis.text(data[side] + 0.06, 0.93, words[side], color=color, fontsize=11)
    axis.legend(frameon=False, loc="lower right", handlelength=1.2)
    axis.set_xlim(0, 4.5)
    axis.set_ylim(0, 1)
    axis.set_xlabel(words["x"])
    axis.set_ylabel(words["y"])
    return figure
