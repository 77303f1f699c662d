"""One query alone among 16 keys: which share of random starts finds the right one."""

import math

import numpy as np

from sqrtdk.escape import SGD, Adam, lone_queries
from sqrtdk.gradients import mean_estimate
from sqrtdk.measurements.gradients import SCALES

SLOW = True

SEED = 20170612
KEYS = 16
STARTS = {"tuning": 100, "fresh": 400}
STEPS = 300
MARK = 0.9
SIZES = (16, 64, 256)
# Half-decades, times a unit in which a step moves the logits about alike for every d_k and
# scale: the chain rule there and back multiplies SGD's by scale² d_k, Adam's by scale · d_k.
RATES = [10 ** (half / 2) for half in range(-3, 7)]
OPTIMISERS = {
    "sgd": (SGD, lambda scale, d_k: 1 / (scale**2 * d_k)),
    "adam": (Adam, lambda scale, d_k: 1 / (scale * d_k)),
}


def measure():
    """Optimiser → d_k → scale → share that ever puts weight 0.9 on the right key.

    The learning rate is the best of `rates`, in a unit that fits scale and d_k, on one
    set of starts, whose shares are `tuning`; `share` is counted on fresh starts. Values
    are random in 16 dimensions; `right_angles` repeats d_k = 64 without the factor for
    values at right angles to each other, which are easier to tell apart.
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
        "right_angles": {name: measure_cell(name, 64, 1.0, right_angles) for name in OPTIMISERS},
    }


def random_values(starts, rng):
    """Values in 16 dimensions, whose squared distances are 1 on average."""
    return rng.standard_normal((starts, KEYS, 16)) / math.sqrt(2 * 16)


def right_angles(starts, rng):
    """Values at right angles, at distance 1."""
    return np.broadcast_to(np.eye(KEYS) / math.sqrt(2), (starts, KEYS, KEYS))


def measure_cell(name, d_k, scale, draw_values=random_values):
    """Tune the learning rate on one set of starts, then count on another."""
    optimiser, unit = OPTIMISERS[name]
    rates = [rate * unit(scale, d_k) for rate in RATES]

    def reached(purpose, learning_rate):
        starts = draw_starts(purpose, d_k, draw_values)
        return lone_queries(*starts, scale, optimiser(learning_rate), STEPS, MARK).astype(float)

    tuning = [float(np.mean(reached("tuning", rate))) for rate in rates]
    # Of rates that do equally well, the middle one: the least likely to fail elsewhere.
    best = np.flatnonzero(np.array(tuning) == max(tuning))
    learning_rate = rates[best[len(best) // 2]]
    return {
        "share": mean_estimate(reached("fresh", learning_rate)),
        "learning_rate": learning_rate,
        "tuning": tuning,
    }


def draw_starts(purpose, d_k, draw_values):
    """Random q, keys and values: the same for every optimiser, scale and learning rate."""
    starts = STARTS[purpose]
    rng = np.random.default_rng([SEED, d_k, starts])
    q, keys = rng.standard_normal((starts, d_k)), rng.standard_normal((starts, KEYS, d_k))
    return q, keys, draw_values(starts, rng)
