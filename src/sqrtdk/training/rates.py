"""The learning rate of each cell: what `python -m sqrtdk train sweep` found best.

The sweep stands in docs/results/data/training_sweep.json; a test holds the two equal. The
table is code of its own so that a new table does not make the sweep behind it stale.
"""

from dataclasses import replace

from sqrtdk.training.cells import cell

RATES = {
    "sgd 8 none unit values 32": 0.316,
    "sgd 8 sqrt unit values 32": 0.562,
    "sgd 8 inverse unit values 32": 1.78,
    "sgd 64 none unit values 32": 0.316,
    "sgd 64 sqrt unit values 32": 1.78,
    "sgd 64 inverse unit values 32": 5.62,
    "sgd 256 none unit values 32": 0.316,
    "sgd 256 sqrt unit values 32": 1.78,
    "sgd 256 inverse unit values 32": 10,
    "sgd 512 none unit values 32": 0.316,
    "sgd 512 sqrt unit values 32": 1.78,
    "sgd 512 inverse unit values 32": 10,
    "sgd 64 none soft values 32": 0.562,
    "sgd 64 sqrt sharp values 32": 0.562,
    "sgd 64 qk_norm unit values 32": 3.16,
    "sgd 64 none linear values 32": 0.316,
    "sgd 64 sqrt linear values 32": 1.78,
    "sgd 64 none unit weights 32": 0.178,
    "sgd 64 sqrt unit weights 32": 3.16,
    "sgd 64 none unit values 256": 1,
    "sgd 64 sqrt unit values 256": 5.62,
    "adam 8 none unit values 32": 0.0178,
    "adam 8 sqrt unit values 32": 0.0562,
    "adam 8 inverse unit values 32": 0.1,
    "adam 64 none unit values 32": 0.00562,
    "adam 64 sqrt unit values 32": 0.0316,
    "adam 64 inverse unit values 32": 0.1,
    "adam 256 none unit values 32": 0.00562,
    "adam 256 sqrt unit values 32": 0.01,
    "adam 256 inverse unit values 32": 0.1,
    "adam 512 none unit values 32": 0.00178,
    "adam 512 sqrt unit values 32": 0.00562,
    "adam 512 inverse unit values 32": 0.1,
    "adam 64 none soft values 32": 0.00562,
    "adam 64 sqrt sharp values 32": 0.01,
    "adam 64 qk_norm unit values 32": 0.1,
    "adam 64 none linear values 32": 0.00316,
    "adam 64 sqrt linear values 32": 0.0316,
    "adam 64 none unit weights 32": 0.0316,
    "adam 64 sqrt unit weights 32": 0.0562,
    "adam 64 none unit values 256": 0.01,
    "adam 64 sqrt unit values 256": 0.0562,
    "momentum 8 none unit values 32": 0.0316,
    "momentum 8 sqrt unit values 32": 0.1,
    "momentum 64 none unit values 32": 0.0316,
    "momentum 64 sqrt unit values 32": 0.316,
}


def tuned(name):
    """The setup of a cell with the learning rate that the sweep found best for it."""
    return replace(cell(name), rate=RATES[name])
