"""The cells of the experiments and the rates that the sweep tries for each.

A cell is a `Setup` without its learning rate, written as a name such as
"sgd 64 none unit values 32": optimiser, d_k, factor, start, loss, batch.
"""

from sqrtdk.training.lookup import Setup

GRIDS = {    # powers of ten, in half decades
    "sgd": (-2.5, 2.0),
    "momentum": (-3.5, 1.0),
    "adam": (-4.0, -0.5),
}


def rounded(exponent):
    """10 to the exponent, to three significant digits: short in a table, and exact in JSON."""
    return float(f"{10**exponent:.3g}")


def grid(optimiser):
    """The rates that the sweep tries first, as exponents of ten, half a decade apart."""
    low, high = GRIDS[optimiser]
    return [low + 0.5 * i for i in range(round((high - low) / 0.5) + 1)]


def cell(name):
    """The setup that a cell's name describes."""
    optimiser, d_k, factor, start, loss, batch = name.split()
    return Setup(d_k=int(d_k), factor=factor, start=start, optimiser=optimiser, loss=loss,
                 batch=int(batch))


def cells():
    """The names of all cells that the sweep tunes, in the order of the page."""
    names = []
    for optimiser in ("sgd", "adam"):
        names += [f"{optimiser} {d_k} {factor} unit values 32"
                  for d_k in (8, 64, 256, 512) for factor in ("none", "sqrt", "inverse")]
        names += [f"{optimiser} 64 {rest}" for rest in (
            "none soft values 32", "sqrt sharp values 32", "qk_norm unit values 32",
            "none linear values 32", "sqrt linear values 32",
            "none unit weights 32", "sqrt unit weights 32",
            "none unit values 256", "sqrt unit values 256")]
    names += [f"momentum {d_k} {factor} unit values 32"
              for d_k in (8, 64) for factor in ("none", "sqrt")]
    return names
