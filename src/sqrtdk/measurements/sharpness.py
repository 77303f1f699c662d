"""How sharp rows of weights are against d_k and the number of keys, and when they condense."""

import numpy as np

from sqrtdk.formulas import softmax
from sqrtdk.sampling import RunningMean
from sqrtdk.sharpness import condensation_std, condensed_square_sum, sharpness

SEED = 20170612
D_K = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
DRAWS = {8: 20_000, 64: 20_000, 512: 4000}  # keys → rows

# At d_k = 64 the page gives the share of rows with a weight above 0.9 to a percent.
SHARE_D_K = 64
SHARE_DRAWS = {8: 100_000, 64: 100_000, 512: 80_000}

RATIOS = (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4)
CONDENSATION_ROWS = {64: 4000, 4096: 500}  # keys → rows


def measure():
    """All means as [value, standard error].

    `rows`: keys → d_k → raw or scaled → measure (see `Sharpness`). `above_nearly_all`: keys →
    raw or scaled → share of rows. `condensation`: keys → spread of the logits in units of
    `condensation_std` → mean Σp², and its limit for many keys.
    """
    return {
        "seed": SEED,
        "draws": DRAWS,
        "rows": {n: {d_k: measure_cell(d_k, n) for d_k in D_K} for n in DRAWS},
        "share_draws": SHARE_DRAWS,
        "above_nearly_all": {n: measure_share(n) for n in SHARE_DRAWS},
        "condensation": {n: measure_condensation(n, rows) for n, rows in CONDENSATION_ROWS.items()},
        "condensation_limit": {f"{ratio:g}": condensed_square_sum(ratio) for ratio in RATIOS},
    }


def measure_cell(d_k, n_keys):
    """Raw and scaled rows from the same draws."""
    both = sharpness(d_k, n_keys, DRAWS[n_keys], SEED)
    return {side: sharp._asdict() for side, sharp in both._asdict().items()}


def measure_share(n_keys):
    """The share of rows with a weight above 0.9, from more rows than the rest."""
    both = sharpness(SHARE_D_K, n_keys, SHARE_DRAWS[n_keys], SEED + 1)
    return {side: sharp.above_nearly_all for side, sharp in both._asdict().items()}


def measure_condensation(n_keys, rows):
    """Mean Σp² of the same normal rows, stretched to each ratio."""
    z = np.random.default_rng([SEED, n_keys]).standard_normal((rows, n_keys))
    z *= condensation_std(n_keys)
    square_sums = RunningMean()
    square_sums.add(np.stack([(softmax(z * r) ** 2).sum(axis=-1) for r in RATIOS], axis=-1))
    return dict(zip((f"{ratio:g}" for ratio in RATIOS), square_sums.estimates(), strict=True))
