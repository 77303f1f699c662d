"""The spread of q·k against d_k: theory as a line, simulation with its error beside it."""

import numpy as np

from sqrtdk.dot_product import sample_moments, score_std
from sqrtdk.figures import style

D_K = [2, 4, 8, 16, 32, 64, 128, 256, 512]
DRAWS, SEED = 20_000, 1


def data():
    """std of q·k by d_k: from theory, and sampled with two standard errors either way."""
    sampled = [sample_moments(d_k, DRAWS, SEED) for d_k in D_K]
    return {
        "d_k": D_K,
        "theory": [float(score_std(d_k)) for d_k in D_K],
        "std": [float(moments.std.value) for moments in sampled],
        "std_se": [float(moments.std.se) for moments in sampled],
    }


def draw(data, words):
    figure, axis = style.axes()
    d_k = np.array(data["d_k"])
    std, theory = np.array(data["std"]), np.array(data["theory"])
    error = 2 * np.array(data["std_se"])
    axis.plot(d_k, theory, **style.LINES["theory"])
    axis.errorbar(d_k, std, error, capsize=2, **style.LINES["raw"] | {"linestyle": ""})
    axis.errorbar(d_k, std / theory, error / theory, capsize=2, **style.LINES["scaled"])
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    axis.set_xticks([2, 8, 32, 128, 512], labels=["2", "8", "32", "128", "512"])
    axis.set_yticks([1, 4, 16], labels=["1", "4", "16"])
    axis.minorticks_off()
    axis.set_ylim(0.6, 34)
    axis.set_xlabel(words["x"])
    axis.set_ylabel(words["y"])
    axis.text(22, 9.5, words["raw"], color=style.RAW, ha="right")
    axis.text(512, 1.2, words["scaled"], color=style.SCALED, ha="right")
    return figure
