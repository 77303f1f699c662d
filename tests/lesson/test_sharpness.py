"""Sharpness of random rows: real q and k as the judge, exact laws, and the limits of theory."""

import math

import numpy as np
import pytest
from scipy import integrate

from sqrtdk import softmax as judge
from sqrtdk.sharpness import (
    Sharpness,
    condensation_std,
    condensed_square_sum,
    sharpness,
    spread_out_share,
)

SIGMAS = 4.5


def measures_of_real_vectors(d_k, n_keys, rows, seed):
    """The five measures of each row, raw and scaled, from drawn q and k."""
    rng = np.random.default_rng(seed)
    q = rng.standard_normal((rows, 1, d_k))
    k = rng.standard_normal((rows, n_keys, d_k))
    scores = np.sum(q * k, axis=-1)
    for weights in (judge.softmax(scores), judge.softmax(scores, temperature=math.sqrt(d_k))):
        largest = weights.max(axis=-1)
        yield [largest, judge.entropy(weights), judge.effective_keys(weights, order=1),
               judge.effective_keys(weights, order=2), largest > 0.9]


@pytest.mark.parametrize("d_k, n_keys", [(1, 5), (2, 8), (16, 64), (64, 8), (64, 64)])
def test_rows_drawn_from_lengths_are_rows_of_real_vectors(d_k, n_keys):
    rows = 4000
    drawn = sharpness(d_k, n_keys, 20_000, seed=0)
    for side, real in zip(drawn, measures_of_real_vectors(d_k, n_keys, rows, seed=1), strict=True):
        for ours, theirs in zip(side, real, strict=True):
            error = math.hypot(ours.se, np.std(theirs) / math.sqrt(rows))
            # A share seen 0 times has no error of its own: allow 7 of 4000 rows.
            assert abs(ours.value - np.mean(theirs)) <= SIGMAS * error + (ours.se == 0) * 7 / rows


def test_one_key_has_all_the_weight():
    for side in sharpness(64, 1, 10, seed=0):
        assert side == Sharpness((1, 0), (0, 0), (1, 0), (1, 0), (1, 0))


def test_two_keys_by_integration():
    # The scores differ by q·(k₁ − k₂), which is √2 times a score; at d_k = 2 a Laplace law.
    def mean_largest(scale):
        return integrate.quad(
            lambda x: math.exp(-x) / (1 + math.exp(-scale * math.sqrt(2) * x)), 0, math.inf)[0]

    drawn = sharpness(2, 2, 40_000, seed=2)
    for side, scale in ((drawn.raw, 1), (drawn.scaled, 1 / math.sqrt(2))):
        assert abs(side.largest.value - mean_largest(scale)) < SIGMAS * side.largest.se


def test_raw_rows_sharpen_with_d_k_and_scaled_rows_do_not():
    raw, scaled = zip(*(sharpness(d_k, 64, 4000, seed=3) for d_k in (8, 64, 512)), strict=True)
    for one, other in zip(raw, raw[1:]):
        assert one.largest.value + SIGMAS * one.largest.se < other.largest.value
        assert one.entropy.value - SIGMAS * one.entropy.se > other.entropy.value
    # The random length |q|/√d_k = 1 ± 1/√(2 d_k) leaves a change of order 1/d_k.
    for one, other in zip(scaled, scaled[1:]):
        assert abs(one.largest.value - other.largest.value) < 0.01
        assert abs(one.entropy.value - other.entropy.value) < 0.03


def test_published_shares_of_rows_above_nine_tenths():
    """What the page says of d_k = 64, with its standard error of 0.2 %."""
    for n_keys, share in ((8, 0.630), (64, 0.438), (512, 0.325)):
        seen = sharpness(64, n_keys, 10_000, seed=4).raw.above_nearly_all
        assert abs(seen.value - share) < SIGMAS * math.hypot(seen.se, 0.002)


def test_standard_errors_hold_from_seed_to_seed():
    runs = [sharpness(64, 16, 400, seed).raw for seed in range(200)]
    for measure in Sharpness._fields:
        values = np.array([getattr(run, measure).value for run in runs])
        stated = np.mean([getattr(run, measure).se for run in runs])
        # The spread of 200 values is known to 1/√400 = 5 %; three times that.
        assert np.std(values, ddof=1) == pytest.approx(stated, rel=0.15)


def test_the_size_of_the_pieces_changes_nothing():
    whole = sharpness(16, 9, 500, seed=5, numbers_at_once=10**6)
    for numbers_at_once in (1, 9, 100, 4000):
        pieces = sharpness(16, 9, 500, seed=5, numbers_at_once=numbers_at_once)
        np.testing.assert_allclose(pieces, whole, rtol=1e-11)


def test_progress_counts_every_weight():
    done = []
    sharpness(4, 30, 50, seed=0, progress=done.append, numbers_at_once=600)
    assert sum(done) == 30 * 50 and len(done) == 3


def test_long_scaled_rows_are_spread_out_but_not_uniform():
    # At finite n the share is a little larger: a correction of order e/n, and with
    # |q| random one of order 1/d_k.
    n_keys, d_k = 4096, 512
    side = sharpness(d_k, n_keys, 500, seed=6).scaled
    slack = n_keys * (math.e / n_keys + 1 / d_k)
    for order, measured in ((1, side.effective_keys_1), (2, side.effective_keys_2)):
        theory = spread_out_share(1, order) * n_keys
        assert abs(measured.value - theory) < SIGMAS * measured.se + slack
    assert spread_out_share(1) == pytest.approx(1 / math.sqrt(math.e))
    assert spread_out_share(1, order=2) == pytest.approx(1 / math.e)


def test_condensation_where_theory_says_so():
    """Far above the crossover Σp² is near 1 − σ_c/σ, far below near e^σ²/n."""
    rng = np.random.default_rng(7)
    n_keys, rows = 4096, 2000
    z = rng.standard_normal((rows, n_keys))
    above = (judge.softmax(z * 3 * condensation_std(n_keys)) ** 2).sum(axis=-1)
    below = (judge.softmax(z * 0.3 * condensation_std(n_keys)) ** 2).sum(axis=-1)
    # Corrections fall only like ln ln n / ln n: at n = 4096 they are 5 % of 2/3.
    assert above.mean() == pytest.approx(condensed_square_sum(3), rel=0.07)
    assert below.mean() == pytest.approx(
        1 / n_keys / spread_out_share(0.3 * condensation_std(n_keys), order=2), rel=0.02)


def test_condensation_std():
    assert condensation_std(1) == 0
    assert condensation_std(512) == pytest.approx(3.532, abs=5e-4)
    assert condensed_square_sum(0.8) == condensed_square_sum(1) == 0
    assert condensed_square_sum(2) == 0.5
    # Unscaled, the logits' spread is √d_k: for 64 it is above for any number of keys in use.
    assert condensation_std(10**13) < math.sqrt(64) < condensation_std(10**14)


@pytest.mark.parametrize("call, error", [
    (lambda: sharpness(0, 8, 10, 0), "d_k: must be at least 1"),
    (lambda: sharpness(8, 0, 10, 0), "n_keys: must be at least 1"),
    (lambda: sharpness(8, 8, 1, 0), "draws: must be at least 2"),
    (lambda: sharpness(8, 8, 10, -1), "seed: must be at least 0"),
    (lambda: condensation_std(0), "n_keys: must be at least 1"),
    (lambda: condensed_square_sum(0), "ratio: must be above 0"),
    (lambda: spread_out_share(0), "std: must be above 0"),
    (lambda: spread_out_share(1, order=3), "order: must be 1 or 2, not 3"),
    (lambda: sharpness(10**400, 8, 10, 0), "d_k: must be at most"),
    (lambda: sharpness(8, 8, 10**30, 0), "draws: must be at most"),
    (lambda: condensed_square_sum(10**400), "ratio: is beyond the largest float"),
])
def test_bad_input_is_named(call, error):
    with pytest.raises(ValueError, match=error):
        call()


def test_of_a_spread_without_end_no_share_is_left():
    assert spread_out_share(1e300) == 0
