"""q·k: theory against scipy, torch's initialisers and sampling with its standard error."""

import math
import subprocess
import sys

import numpy as np
import pytest
import torch
from scipy import integrate, special, stats

from sqrtdk import dot_product
from sqrtdk.dot_product import (
    general_moments,
    initial_logit_std,
    sample_moments,
    score_density,
    score_kurtosis,
    score_mean_abs,
    score_std,
    score_tail,
    score_variance,
)

# Beyond 4.5 standard errors a true claim falls once in 150 000 looks.
SIGMAS = 4.5


def bessel_density(x, d_k):
    """The density in its other form: |x|^ν K_ν(|x|) / (√π 2^ν Γ(d/2)), ν = (d − 1)/2."""
    order = (d_k - 1) / 2
    log_bessel = np.log(special.kve(order, x)) - x
    log_rest = order * np.log(x / 2) - math.log(math.pi) / 2 - math.lgamma(d_k / 2)
    return np.exp(log_bessel + log_rest)


@pytest.mark.parametrize("d_k", [1, 2, 3, 4, 8, 16, 64])
def test_density_is_the_bessel_form(d_k):
    x = np.array([0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 100, 300])
    np.testing.assert_allclose(score_density(x, d_k), bessel_density(x, d_k), rtol=1e-12)


@pytest.mark.parametrize("d_k, lowest", [(128, 0.5), (1024, 4)])  # below, scipy's K_ν overflows
def test_density_for_large_d_k(d_k, lowest):
    x = math.sqrt(d_k) * lowest * np.array([1, 2, 4, 8])
    np.testing.assert_allclose(score_density(x, d_k), bessel_density(x, d_k), rtol=1e-11)


def test_density_has_the_law_s_characteristic_function():
    for d_k in (2, 3, 64):
        for t in (0.0, 0.3, 1.0):
            value, _ = integrate.quad(
                lambda x: 2 * math.cos(t * x) * score_density(x, d_k), 0, 200, limit=400)
            assert value == pytest.approx((1 + t**2) ** (-d_k / 2), abs=1e-8)


def test_two_dimensions_give_the_laplace_law():
    x = np.linspace(-20, 20, 41)
    np.testing.assert_allclose(score_density(x, 2), np.exp(-abs(x)) / 2, rtol=1e-13)
    np.testing.assert_allclose(score_tail(abs(x), 2), np.exp(-abs(x)), rtol=1e-13)


def test_density_at_zero():
    for d_k in (2, 3, 64, 1000):
        gammas = math.exp(math.lgamma((d_k - 1) / 2) - math.lgamma(d_k / 2))
        closed = gammas / (2 * math.sqrt(math.pi))
        assert score_density(0.0, d_k) == pytest.approx(closed, rel=1e-12)
    assert score_density(0, 1) == math.inf


@pytest.mark.parametrize("d_k", [1, 3, 16, 64])
def test_tail_is_the_integral_of_the_density(d_k):
    for threshold in (0.5 * math.sqrt(d_k), 4 * math.sqrt(d_k)):
        beyond, _ = integrate.quad(score_density, threshold, 50 * math.sqrt(d_k), args=(d_k,),
                                   epsabs=0, epsrel=1e-10, limit=200)
        assert score_tail(threshold, d_k) == pytest.approx(2 * beyond, rel=1e-9)
    assert score_tail(0, d_k) == pytest.approx(1, abs=1e-13)


def test_tail_comes_near_the_normal_one_from_above():
    normal = 2 * stats.norm.sf(4)
    ratios = [score_tail(4 * math.sqrt(d_k), d_k) / normal for d_k in (2, 8, 64, 1024, 10**6)]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[-1] == pytest.approx(1, abs=1e-4)


def test_moments_are_those_of_the_density():
    for d_k in (2, 5, 64):
        def moment(power, d_k=d_k):
            return integrate.quad(lambda x: 2 * x**power * score_density(x, d_k),
                                  0, 60 * math.sqrt(d_k), limit=200)[0]
        assert score_variance(d_k) == pytest.approx(moment(2), rel=1e-7)
        assert score_std(d_k) ** 2 == pytest.approx(moment(2), rel=1e-7)
        assert score_kurtosis(d_k) == pytest.approx(moment(4) / moment(2) ** 2, rel=1e-7)
        assert score_mean_abs(d_k) == pytest.approx(moment(1), rel=1e-7)


def test_mean_abs_is_near_that_of_a_normal_law():
    # Stirling: the ratio is 1 − 1/(4d) + O(1/d²)
    for d_k in (64, 1024):
        ratio = score_mean_abs(d_k) / math.sqrt(2 * d_k / math.pi)
        assert ratio == pytest.approx(1 - 1 / (4 * d_k), abs=1 / d_k**2)


@pytest.mark.parametrize("d_k", [1, 2, 8, 64, 256])
def test_sampling_agrees_with_theory(d_k):
    mean, std = sample_moments(d_k, draws=40_000, seed=d_k)
    assert abs(mean.value) < SIGMAS * mean.se
    assert abs(std.value - score_std(d_k)) < SIGMAS * std.se


@pytest.mark.parametrize("d_k", [2, 64])
def test_standard_errors_are_those_of_theory(d_k):
    draws = 40_000
    mean, std = sample_moments(d_k, draws, seed=1)
    assert mean.se == pytest.approx(math.sqrt(d_k / draws), rel=0.05)
    # std of a sample std: √(variance (κ − 1) / 4N). Its own error here is set by the eighth
    # moment: 8 % at d_k = 2 covers three standard errors, and 64 has less.
    theory = math.sqrt(d_k * (score_kurtosis(d_k) - 1) / (4 * draws))
    assert std.se == pytest.approx(theory, rel=0.08)


def test_errors_cover_the_truth_as_often_as_they_should():
    runs = [sample_moments(4, draws=500, seed=seed) for seed in range(400)]
    within = np.mean([abs(r.std.value - 2) < r.std.se for r in runs])
    # A normal error is within one standard error 68.3 % of the time; 400 runs see
    # that to ±2.3 %, and the small samples' skewness takes up to 3 %.
    assert within == pytest.approx(0.683, abs=3 * 0.023 + 0.03)


@pytest.mark.parametrize(
    "components, kurtosis", [("normal", 3.0), ("signs", 1.0), ("uniform", 1.8)])
def test_variance_needs_no_normal_components(components, kurtosis):
    rng = np.random.default_rng(5)
    draw = {
        "normal": rng.standard_normal,
        "signs": lambda shape: rng.choice([-1.0, 1.0], shape),
        "uniform": lambda shape: rng.uniform(-math.sqrt(3), math.sqrt(3), shape),
    }[components]
    d_k, draws = 16, 100_000
    scores = np.sum(draw((draws, d_k)) * draw((draws, d_k)), axis=-1)
    theory = 3 + (kurtosis**2 - 3) / d_k  # of the sum of d_k products
    error = math.sqrt(d_k**2 * (theory - 1) / draws)
    assert abs(scores.var() - score_variance(d_k)) < SIGMAS * error


def test_the_size_of_the_pieces_changes_nothing():
    whole = sample_moments(24, 1000, seed=3, numbers_at_once=10**6)
    for numbers_at_once in (1, 48, 1000, 7 * 48):
        pieces = sample_moments(24, 1000, seed=3, numbers_at_once=numbers_at_once)
        np.testing.assert_allclose(pieces, whole, rtol=1e-11)  # only sums are ordered otherwise


def test_estimates_are_those_of_the_numbers_drawn():
    draws, d_k = 500, 6
    q, k = np.random.default_rng(9).standard_normal((draws, 2, d_k)).swapaxes(0, 1)
    scores = np.sum(q * k, axis=-1)
    mean, std = sample_moments(d_k, draws, seed=9, numbers_at_once=100)
    assert mean == pytest.approx((scores.mean(), stats.sem(scores)), rel=1e-11)
    spread = scores.std(ddof=1)
    assert std == pytest.approx((spread, stats.sem(scores**2) / (2 * spread)), rel=1e-11)


def test_seeds_differ_and_repeat():
    assert sample_moments(8, 100, seed=0) == sample_moments(8, 100, seed=0)
    assert sample_moments(8, 100, seed=0) != sample_moments(8, 100, seed=1)


def test_progress_counts_every_pair():
    done = []
    sample_moments(10, 99, seed=0, progress=done.append, numbers_at_once=400)
    assert sum(done) == 99 and len(done) == 5


@pytest.mark.slow
def test_a_million_pairs_at_1024_stay_within_500_mb():
    program = (
        "import resource\n"
        "from sqrtdk.dot_product import sample_moments\n"
        "mean, std = sample_moments(1024, 10**6, 0)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, *mean, *std)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         check=True)
    peak_mb, mean, mean_se, std, std_se = map(float, run.stdout.split())
    assert peak_mb < 500
    assert abs(mean) < SIGMAS * mean_se
    assert abs(std - 32) < SIGMAS * std_se


def equal_correlation(d_k, rho):
    return rho * np.ones((d_k, d_k)) + (1 - rho) * np.eye(d_k)


EYE, ZERO = np.eye(64), np.zeros(64)
CASES = {  # mean_q, cov_q, mean_k, cov_k → mean, std, std within a row
    "as assumed": ((ZERO, EYE, ZERO, EYE), (0, 8, 8)),
    "only k correlated": ((ZERO, EYE, ZERO, equal_correlation(64, 0.5)), (0, 8, 8)),
    "both correlated": (
        (ZERO, equal_correlation(64, 0.5), ZERO, equal_correlation(64, 0.5)),
        (0, math.sqrt(64 * (1 + 63 * 0.25)), math.sqrt(64 * (1 + 63 * 0.25)))),
    "variance 4": ((ZERO, 4 * EYE, ZERO, 4 * EYE), (0, 32, 32)),
    "means 0.5": ((ZERO + 0.5, EYE, ZERO + 0.5, EYE), (16, math.sqrt(96), math.sqrt(80))),
    "mean of k 1": ((ZERO, EYE, ZERO + 1, EYE), (0, math.sqrt(128), 8)),
}


@pytest.mark.parametrize("case", CASES)
def test_general_moments_by_hand(case):
    arguments, (mean, std, row_std) = CASES[case]
    moments = general_moments(*arguments)
    assert moments.mean == mean
    assert moments.variance == pytest.approx(std**2)
    assert moments.row_variance == pytest.approx(row_std**2)


def test_general_moments_agree_with_draws():
    rng = np.random.default_rng(11)
    d_k, rows, keys = 5, 20_000, 8
    root_q, root_k = rng.standard_normal((2, d_k, d_k))
    mean_q, mean_k = rng.standard_normal((2, d_k))
    q = mean_q + rng.standard_normal((rows, 1, d_k)) @ root_q.T
    k = mean_k + rng.standard_normal((rows, keys, d_k)) @ root_k.T
    scores = np.sum(q * k, axis=-1)
    theory = general_moments(mean_q, root_q @ root_q.T, mean_k, root_k @ root_k.T)

    def near(per_row, value):
        return abs(per_row.mean() - value) < SIGMAS * per_row.std() / math.sqrt(rows)

    assert near(scores[:, 0], theory.mean)
    assert near((scores[:, 0] - theory.mean) ** 2, theory.variance)
    assert near(scores.var(axis=-1, ddof=1), theory.row_variance)


def test_a_direction_without_variance_is_no_error():
    assert general_moments([2], [[0]], [3], [[0]]) == (6, 0, 0)  # two constants
    ones = np.ones((3, 3))  # all components are one and the same number
    zero = np.zeros(3)
    assert general_moments(zero, ones, zero, np.eye(3)) == (0, 3, 3)
    assert general_moments(zero, ones, zero, ones) == (0, 9, 9)


# Weights of W are independent; the error of a variance is variance · √((κ − 1) / N), and
# κ ≤ 3 for uniform and normal weights.
@pytest.mark.parametrize("d_model", [256, 768])
def test_initialisers_are_torch_s(d_model):
    torch.manual_seed(0)
    layers = {
        "nn.Linear": torch.nn.Linear(d_model, d_model).weight,
        "nn.MultiheadAttention": torch.nn.MultiheadAttention(d_model, 4).in_proj_weight,
        "normal 0.02": torch.nn.init.normal_(torch.empty(d_model, d_model), std=0.02),
    }
    for name, weight in layers.items():
        measured = d_model * weight.detach().double().var().item()
        error = measured * math.sqrt(2 / weight.numel())
        assert abs(measured - initial_logit_std(d_model, name)) < SIGMAS * error


def test_logits_of_fresh_linear_layers_have_the_spread_foretold():
    torch.manual_seed(1)
    d_model, d_k, layers, tokens = 192, 64, 60, 64
    variances = []
    for _ in range(layers):
        w_q, w_k = (torch.nn.Linear(d_model, d_k, bias=False) for _ in range(2))
        x = torch.nn.functional.layer_norm(torch.randn(tokens, d_model), (d_model,))
        with torch.no_grad():
            logits = w_q(x) @ w_k(x).T / math.sqrt(d_k)
        variances.append(logits.var().item())
    spread = np.std(variances, ddof=1) / math.sqrt(layers)
    # The same tokens give q and k, so a small bias of order 1/tokens is left over.
    theory = initial_logit_std(d_model, "nn.Linear") ** 2
    assert abs(np.mean(variances) - theory) < SIGMAS * spread + theory / tokens


def test_known_spreads_at_initialisation():
    assert initial_logit_std(768, "1/d_model") == 1
    assert initial_logit_std(768, "nn.Linear") == pytest.approx(1 / 3)
    assert initial_logit_std(768, "nn.MultiheadAttention") == 1 / 2
    assert initial_logit_std(768, "normal 0.02") == pytest.approx(0.3072)
    assert initial_logit_std(12288, "normal 0.02") == pytest.approx(4.9152)


@pytest.mark.parametrize("function", [score_variance, score_std, score_kurtosis, score_mean_abs])
def test_d_k_below_one_is_refused(function):
    with pytest.raises(ValueError, match="d_k: must be at least 1, not 0"):
        function(0)
    with pytest.raises(TypeError, match="d_k: must be a whole number"):
        function(2.5)


@pytest.mark.parametrize("call, error", [
    (lambda: score_density(math.nan, 4), "x: contains NaN"),
    (lambda: score_density(1, 0), "d_k: must be at least 1"),
    (lambda: score_tail(-1, 4), "threshold: must not be below 0, but -1 is"),
    (lambda: score_tail([0, math.nan], 4), "threshold: contains NaN"),
    (lambda: score_tail(1, 0), "d_k: must be at least 1"),
    (lambda: sample_moments(0, 10, 0), "d_k: must be at least 1"),
    (lambda: sample_moments(4, 1, 0), "draws: must be at least 2"),
    (lambda: sample_moments(4, 10, -1), "seed: must be at least 0"),
    (lambda: initial_logit_std(0, "nn.Linear"), "d_model: must be at least 1"),
    (lambda: initial_logit_std(64, "he"), "initialiser: must be one of 1/d_model, nn.Linear"),
    (lambda: general_moments([], [], [], []), "mean_q: must hold at least 1 numbers"),
    (lambda: general_moments([0, 0], EYE, [0], EYE), r"mean_k: has shape \(1,\), but mean_q"),
    (lambda: general_moments([math.nan], [[1]], [0], [[1]]), "mean_q: contains NaN"),
    (lambda: general_moments([0], [[1]], [math.inf], [[1]]), "mean_k: contains inf"),
    (lambda: general_moments([0], [[math.nan]], [0], [[1]]), "cov_q: contains NaN"),
    (lambda: general_moments([0], [[1]], [0], [[-1e-12]]), "cov_k: must have no negative variance"),
    (lambda: general_moments([0], EYE, [0], [[1]]), r"cov_q: has shape \(64, 64\), but d_k = 1"),
    (lambda: general_moments([0], [[1]], [0], [[-1]]), "cov_k: must have no negative variance"),
    (lambda: general_moments([0, 0], [[1, 1], [0, 1]], [0, 0], np.eye(2)), "cov_q: .* symmetric"),
    (lambda: general_moments([0, 0], [[1e-9, 1e-9], [0, 1e-9]], [0, 0], EYE), "cov_q: .* symm"),
    (lambda: general_moments([1e200], [[1]], [1e200], [[1]]), "mean_q, cov_q, .*: too large"),
    (lambda: initial_logit_std(64, ["he"]), "initialiser: must be one of"),
    (lambda: score_std(10**400), "d_k: must be at most 9007199254740992"),
    (lambda: score_mean_abs(10**7), "d_k: must be at most 1048576 for the exact law"),
    (lambda: score_density(1, 10**7), "d_k: must be at most 1048576 for the exact law"),
    (lambda: score_tail(1, 10**7), "d_k: must be at most 1048576 for the exact law"),
    (lambda: sample_moments(4, 10, 0, numbers_at_once=0), "numbers_at_once: must be at least 1"),
])
def test_bad_input_is_named(call, error):
    with pytest.raises(ValueError, match=f"^{error}"):
        call()


def test_results_have_the_argument_s_shape():
    assert isinstance(score_density(1, 4), float) and isinstance(score_tail(1, 4), float)
    assert score_density(np.ones((2, 3)), 4).shape == (2, 3)
    assert score_tail(np.zeros((0, 3)), 4).shape == (0, 3)
    assert dot_product.sample_moments(2, 10, 0)._fields == ("mean", "std")


@pytest.mark.parametrize("x", [1e4, 1e16, 1e150, 1e300])
def test_far_out_nothing_is_left_and_nothing_grows(x):
    assert score_density(x, 64) == score_tail(x, 64) == 0


def test_large_d_k_is_normal_but_for_the_kurtosis():
    d_k = 2**20
    # The Edgeworth series: the next term is of the order 1/d_k²; the logs cancel to nine digits.
    z = np.array([0, 1.3, 3])
    normal = stats.norm.pdf(z) * (1 + 6 / d_k / 24 * (z**4 - 6 * z**2 + 3))
    np.testing.assert_allclose(score_density(z * d_k**0.5, d_k) * d_k**0.5, normal, rtol=3e-9)
    assert score_mean_abs(d_k) == pytest.approx(
        math.sqrt(2 * d_k / math.pi) * (1 - 1 / (4 * d_k)), rel=3e-9)


def test_a_probability_is_at_most_one():
    assert all(score_tail(0, d_k) <= 1 for d_k in range(1, 200))


def test_half_precision_covariances_are_taken():
    half = np.eye(2, dtype=np.float16)
    assert general_moments([0, 0], half, [0, 0], half).variance == 2
