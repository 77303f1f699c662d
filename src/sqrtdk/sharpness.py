"""How sharp a row of attention weights is, against d_k and the number of keys.

q and k have independent standard normal components. Given q, the scores of a row
are then exactly independent normal numbers with standard deviation |q|, so a row is
drawn as |q| z: one chi-squared and n_keys normal numbers in place of d_k (n_keys + 1).
That makes long rows and large d_k cheap, and the tests draw real q and k beside it.
"""

import math
from typing import NamedTuple

import numpy as np

from sqrtdk import checks, formulas
from sqrtdk.sampling import Estimate, RunningMean, chunk_sizes

NEARLY_ALL = 0.9  # a row with a larger weight looks at one key only


class Sharpness(NamedTuple):
    """Measures of rows of weights, each a mean over rows with its standard error.

    Both effective numbers are computed row by row and then averaged, so
    `effective_keys_1` is the mean of e^H, not e to the power of the mean H.
    """

    largest: Estimate  # the row's largest weight
    entropy: Estimate  # H, in nats
    effective_keys_1: Estimate  # e^H
    effective_keys_2: Estimate  # 1 / Σp²
    above_nearly_all: Estimate  # share of rows with a weight above 0.9


class BothSides(NamedTuple):
    """The same rows of scores without the factor and with it."""

    raw: Sharpness
    scaled: Sharpness


def sharpness(d_k, n_keys, draws, seed, *, progress=None, numbers_at_once=None):
    """Draw `draws` rows and measure their weights with and without 1/√d_k.

    A cell's numbers depend only on its d_k, n_keys, draws and seed, not on what else
    is measured. The memory used does not depend on `draws` or `d_k`; up to 250 000 keys
    it does not depend on `n_keys`. `numbers_at_once` changes the size of the pieces, not
    the numbers drawn. `progress`, if given, is called with the weights done since the last call.

    Raises TypeError or ValueError for d_k < 1, n_keys < 1, draws < 2 or seed < 0.
    """
    d_k = checks.count("d_k", d_k)
    n_keys = checks.count("n_keys", n_keys)
    draws = checks.count("draws", draws, at_least=2)
    seed = checks.whole("seed", seed, at_least=0)
    # Two streams, so that the size of the pieces does not change what is drawn.
    lengths, normals = np.random.default_rng([seed, d_k, n_keys]).spawn(2)
    raw, scaled = RunningMean(), RunningMean()
    for size in chunk_sizes(draws, n_keys, numbers_at_once):
        q_length = np.sqrt(lengths.chisquare(d_k, (size, 1)))
        scores = q_length * normals.standard_normal((size, n_keys))
        raw.add(_row_measures(formulas.softmax(scores)))
        scaled.add(_row_measures(formulas.softmax(scores / math.sqrt(d_k))))
        if progress:
            progress(size * n_keys)
    return BothSides(Sharpness(*raw.estimates()), Sharpness(*scaled.estimates()))


def condensation_std(n_keys):
    """√(2 ln n): the spread of logits above which a row gathers on a handful of keys.

    For n independent normal logits, in the limit of many keys; for the numbers of keys
    in use the change is gradual. Raises TypeError or ValueError for n_keys < 1.

    Source: the Random Energy Model (Derrida 1981, doi 10.1103/PhysRevB.24.2613).
    """
    return math.sqrt(2 * math.log(checks.count("n_keys", n_keys)))


def condensed_square_sum(ratio):
    """Limit of the mean Σp² for many keys, at `ratio` = std of the logits / condensation_std.

    0 up to ratio 1, where a row is spread out; then 1 − 1/ratio.
    Raises TypeError or ValueError unless `ratio` is a number above 0.

    Source: the Random Energy Model's limit 1 − T/T_c (Malatesta 2026), with T/T_c = 1/ratio.
    """
    return max(0.0, 1 - 1 / checks.positive("ratio", ratio))


def spread_out_share(std, order=1):
    """Effective keys / keys of a long row of normal logits: e^(−order·std²/2).

    Order 1 is e^H / n, order 2 is 1 / (n Σp²). Holds in the limit of many keys as long as
    order · std is below condensation_std; it follows from the law of large numbers.

    Raises TypeError or ValueError for std ≤ 0 or an order other than 1 and 2.
    """
    std = checks.positive("std", std)
    if checks.whole("order", order) not in (1, 2):
        raise ValueError(f"order: must be 1 or 2, not {order}")
    return math.exp(-order * std * std / 2)  # std**2 would be an OverflowError from 1e155 on


def _row_measures(weights):
    largest = weights.max(axis=-1)
    entropy = formulas.entropy(weights)
    order_2 = 1 / np.sum(weights**2, axis=-1)
    return np.stack([largest, entropy, np.exp(entropy), order_2, largest > NEARLY_ALL], axis=-1)
