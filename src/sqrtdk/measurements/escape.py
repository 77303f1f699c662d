"""Giving up a wrong favourite: steps by gap and optimiser, and the gaps to expect."""

import numpy as np

from sqrtdk.escape import escape_steps, escape_time, start_gaps
from sqrtdk.gradients import estimate

SEED = 20170612
KEYS = 16
DRAWS = 200_000
RATE = 0.1
# Momentum 0.9 multiplies the rate by ten; Adam's step is as long as its rate.
OPTIMISERS = {"sgd": RATE, "momentum": RATE / 10, "adam": RATE / 10}
# Beyond a gap of 10 only Adam and the loss on the weight are done within a million steps.
GAPS = (0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20)


def measure():
    """Steps to give up each gap, and the median gap at the start, [value, standard error]."""
    return {
        "seed": SEED,
        "keys": KEYS,
        "draws": DRAWS,
        "learning_rates": OPTIMISERS,
        "steps": {f"{gap:g}": measure_steps(gap) for gap in GAPS},
        "start": {d_k: measure_start(d_k) for d_k in (8, 16, 32, 64, 128, 256, 512)},
    }


def measure_steps(gap):
    """Steps by optimiser for the loss through the values, by SGD for the loss on the weight."""
    quick = {name: rate for name, rate in OPTIMISERS.items() if gap <= 10 or name == "adam"}
    return {
        "theory": escape_time(gap) / RATE,
        **{name: escape_steps(gap, name, rate) for name, rate in quick.items()},
        "weight_theory": escape_time(gap, "weight") / RATE,
        "weight_sgd": escape_steps(gap, "sgd", RATE, loss="weight"),
    }


def measure_start(d_k):
    """The median gap between the strongest wrong logit and the right one."""
    gaps = start_gaps(KEYS, d_k, 1.0, DRAWS, np.random.default_rng([SEED, d_k]))
    return {"raw": estimate(np.median, gaps), "scaled": estimate(np.median, gaps / d_k**0.5)}
