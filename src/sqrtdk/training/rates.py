"""The learning rate of each cell: what `python -m sqrtdk train sweep` found best.

The sweep stands in docs/results/data/training_sweep.json; a test holds the two equal. The
table is code of its own so that a new table does not make the sweep behind it stale.
"""

from dataclasses import replace

from sqrtdk.training.cells import cell

RATES = {}


def tuned(name):
    """The setup of a cell with the learning rate that the sweep found best for it."""
    return replace(cell(name), rate=RATES[name])
