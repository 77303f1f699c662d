"""One query alone among 16 keys: which share of random starts finds the right one."""

import numpy as np

from sqrtdk.escape import Adam, SGD, lone_queries
from sqrtdk.gradients import mean_estimate
from sqrtdk.measurements.gradients import SCALES

SLOW = True

SEED = 20170612
KEYS = 16
STARTS = 100
STEPS = 300
MARK = 0.9
SIZES = (16, 64, 256)
# Half-decades, multiplied by what makes one step move the logits alike for every d_k and
# scale: SGD's step in a logit grows with scale² d_k, Adam's with scale · √d_k.
RATES = [10 ** (half / 2) for half in range(-3, 7)]
OPTIMISERS = {
    "sgd": (SGD, lambda scale, d_k: 1 / (scale**2 * d_k)),
    "adam": (Adam, lambda scale, d_k: 1 / (scale * d_k)),
}


def measure():
    """Optimiser → d_k → scale → share that ever puts weight 0.9 on the right key.

    The learning rate is the best of `rates` (in the unit `learning_rate / rate` gives) on
    one set of starts, whose shares are `tuning`; `share` is from fresh starts.
    """
    return {
        "seed": SEED,
        "keys": KEYS,
        "starts": STARTS,
        "steps": STEPS,
        "mark": MARK,
        "rates": RATES,
        **{
            name: {
                d_k: {scale: measure_cell(name, d_k, of(d_k)) for scale, of in SCALES.items()}
                for d_k in SIZES
            }
            for name in OPTIMISERS
        },
    }


def measure_cell(name, d_k, scale):
    """Tune the learning rate on one set of starts, then count on another."""
    unit = OPTIMISERS[name][1](scale, d_k)
    tuning = [np.mean(reached(name, d_k, scale, rate * unit, "tuning")) for rate in RATES]
    # Of rates that do equally well, the middle one: the least likely to fail elsewhere.
    best = np.flatnonzero(np.array(tuning) == max(tuning))
    learning_rate = RATES[best[len(best) // 2]] * unit
    return {
        "share": mean_estimate(reached(name, d_k, scale, learning_rate, "fresh")),
        "learning_rate": learning_rate,
        "tuning": tuning,
    }


def reached(name, d_k, scale, learning_rate, starts):
    """Train lone queries from random starts; (STARTS,) of 0 and 1."""
    rng = np.random.default_rng([SEED, d_k, ["tuning", "fresh"].index(starts)])
    keys, q = rng.standard_normal((STARTS, KEYS, d_k)), rng.standard_normal((STARTS, d_k))
    optimiser = OPTIMISERS[name][0](learning_rate)
    return lone_queries(keys, q, scale, optimiser, STEPS, MARK).astype(float)
