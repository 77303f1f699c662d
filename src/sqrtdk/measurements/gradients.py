"""The gradient of single rows at the start of training, and the curve G_n(σ) behind it."""

import numpy as np

from sqrtdk.gradients import (
    dead_share,
    draw_rows,
    estimate,
    gradient_curve,
    gradient_shares,
    mean_estimate,
    query_gradients,
    rms,
    top_share,
)
from sqrtdk.softmax import effective_keys

SEED = 20170612
KEYS = (2, 16, 128, 512)
SIZES = (4, 16, 64, 256, 1024, 4096)
NUMBERS = 1_000_000  # drawn for each number of keys, so rows = NUMBERS / keys …
MAX_ROWS = 40_000  # … but no more than this

SCALES = {
    "raw": lambda d_k: 1.0,
    "scaled": lambda d_k: d_k**-0.5,
    "one_over_d": lambda d_k: 1 / d_k,
}


def measure():
    """Sizes of gradients as [value, standard error].

    `rows`: keys → d_k → scale → statistic of ‖∂L/∂q‖; `curve`: keys → σ and statistics.
    """
    return {
        "seed": SEED,
        "draws": {n_keys: row_count(n_keys) for n_keys in KEYS},
        "rows": {n_keys: measure_rows(n_keys) for n_keys in KEYS},
        "curve": {n_keys: measure_curve(n_keys) for n_keys in KEYS},
    }


def row_count(n_keys):
    return min(MAX_ROWS, NUMBERS // n_keys)


def random_rows(n_keys):
    """The same rows for every d_k and scale, so that these are compared on equal draws."""
    return draw_rows(n_keys, row_count(n_keys), np.random.default_rng([SEED, n_keys]))


def measure_rows(n_keys):
    rows = random_rows(n_keys)
    return {
        d_k: {
            name: summary(*query_gradients(rows, d_k, scale(d_k), lengths(n_keys, d_k)))
            for name, scale in SCALES.items()
        }
        for d_k in SIZES
    }


def lengths(n_keys, d_k):
    """The generator of |q| and of what lies across it, anew and alike for each scale."""
    return np.random.default_rng([SEED, n_keys, d_k])


def summary(sizes, on_logits):
    """Statistics over rows; `keys`: the effective number that receive gradient, on average."""
    keys = effective_keys(gradient_shares(on_logits), order=2)
    return {
        "mean": estimate(np.mean, sizes),
        "rms": estimate(rms, sizes),
        "median": estimate(np.median, sizes),
        "dead": estimate(dead_share, sizes),
        "top_1_in_100": estimate(top_share, sizes),
        "keys": mean_estimate(keys),
    }


def measure_curve(n_keys):
    rows = random_rows(n_keys)
    sigmas = [2.0 ** (half / 2) for half in range(-8, 13)]  # 1/16 … 64
    curves = [gradient_curve(sigma, rows) for sigma in sigmas]
    return {
        "sigma": sigmas,
        "mean": [estimate(np.mean, sizes) for sizes in curves],
        "rms": [estimate(rms, sizes) for sizes in curves],
        "median": [estimate(np.median, sizes) for sizes in curves],
    }
