"""The gradient at the start of training: torch as a judge, the theory's limits, the claims.

Where a test compares means of random rows, it allows four standard errors: a right
formula then fails once in 16 000 such comparisons, and seeds are fixed.
"""

import math

import numpy as np
import pytest
import torch
from scipy import integrate, special

from sqrtdk.gradients import (
    DEAD,
    Rows,
    dead_share,
    draw_layer,
    draw_rows,
    estimate,
    gradient_curve,
    gradient_shares,
    layer_gradients,
    logit_gradient,
    mean_estimate,
    mean_limit,
    mean_slope,
    median_slope,
    near_tie_density,
    query_gradients,
    rms,
    rms_limit,
    row_gradients,
    top_share,
)
from sqrtdk.softmax import effective_keys, jacobian, softmax

ERRORS = 4  # standard errors allowed


def rng(*seed):
    return np.random.default_rng([5, *seed])


def scales(d_k):
    return {"raw": 1.0, "scaled": d_k**-0.5, "one over d": 1 / d_k}


def agree(one, other):
    """Two independent estimates differ by no more than chance allows."""
    return abs(one.value - other.value) <= ERRORS * math.hypot(one.se, other.se)


# Judges


@pytest.mark.parametrize("scale", [1.0, 0.25, 1 / 16])
def test_row_gradients_are_those_of_autograd(scale):
    draw = rng(1)
    q, k = draw.standard_normal((3, 16)), draw.standard_normal((3, 7, 16))
    u = draw.standard_normal((3, 7))
    q_t, k_t = torch.tensor(q, requires_grad=True), torch.tensor(k, requires_grad=True)
    logits = scale * (k_t @ q_t[..., None])[..., 0]
    logits.retain_grad()
    (torch.softmax(logits, dim=-1) * torch.tensor(u)).sum().backward()
    ours = row_gradients(q, k, u, scale)
    # Sums of at most 16 products of size about 1, in float64.
    for mine, judge in zip(ours, (logits.grad, q_t.grad, k_t.grad), strict=True):
        np.testing.assert_allclose(mine, judge.numpy(), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("scale", [1.0, 1 / 8, 1 / 64])
def test_layer_gradients_are_those_of_autograd(scale):
    layer = draw_layer(20, 64, rng(2), d_model=24)
    x, q, k, u = (torch.tensor(array) for array in layer)
    # Small changes of W_q and W_k, whose gradient at 0 is that of the matrices.
    w_q, w_k = (torch.zeros(24, 64, dtype=torch.float64, requires_grad=True) for _ in range(2))
    weights = torch.softmax(scale * (q + x @ w_q) @ (k + x @ w_k).T, dim=-1)
    (weights * u).sum().backward()
    ours = layer_gradients(layer, scale)
    assert ours.w_q == pytest.approx(w_q.grad.norm().item(), rel=1e-10)
    assert ours.w_k == pytest.approx(w_k.grad.norm().item(), rel=1e-10)
    rows = [row_gradients(q_i, layer.k, u_i, scale) for q_i, u_i in zip(layer.q, layer.u)]
    np.testing.assert_allclose(ours.q, [np.linalg.norm(row.q) for row in rows], rtol=1e-10)
    np.testing.assert_allclose(
        ours.logits, [np.linalg.norm(row.logits) for row in rows], rtol=1e-10
    )


def test_a_drawn_layer_is_what_its_docstring_says():
    layer = draw_layer(400, 32, rng(3), d_model=64)
    # Mean squares of n numbers with kurtosis at most 3.1; q's share the 64 rows of W_q,
    # so their mean square varies as that of 64 · 32 numbers.
    for array, numbers in ((layer.x, 400 * 64), (layer.q, 64 * 32), (layer.k, 64 * 32)):
        assert np.mean(array**2) == pytest.approx(1, abs=ERRORS * math.sqrt(2.2 / numbers))
    # u has length-1 mixtures of values: variance 1, and 32 independent directions of values.
    assert np.mean(layer.u**2) == pytest.approx(1, abs=ERRORS * math.sqrt(2.2 / (400 * 32)))


# The gradient of a row


def test_logit_gradient_is_the_jacobian_times_u():
    weights, u = softmax(rng(4).standard_normal((5, 9))), rng(5).standard_normal((5, 9))
    expected = (jacobian(weights) @ u[..., None])[..., 0]
    np.testing.assert_allclose(logit_gradient(weights, u), expected, rtol=1e-12, atol=1e-16)


def test_the_signal_to_a_token_carries_its_own_weight():
    weights, u = softmax([4.0, 1.0, -3.0, -9.0]), np.array([0.3, -0.2, 0.9, -1.0])
    # p_j times a number that cannot exceed the spread of u.
    assert np.all(np.abs(logit_gradient(weights, u)) <= weights * np.ptp(u))


@pytest.mark.parametrize("gap", [1, 20, 60, 300])
def test_tiny_gradients_of_sharp_rows_are_exact(gap):
    u = np.array([0.7, -0.9])
    slope = math.exp(-gap) / (1 + math.exp(-gap)) ** 2  # p(1−p), without cancellation
    expected = slope * 1.6 * np.array([1, -1])
    np.testing.assert_allclose(logit_gradient(softmax([gap, 0.0]), u), expected, rtol=1e-12)


def test_query_gradients_have_the_law_of_real_keys():
    n_keys, d_k, rows = 8, 6, 20_000
    for scale in scales(d_k).values():
        draw = rng(6)
        q, k = draw.standard_normal((rows, d_k)), draw.standard_normal((rows, n_keys, d_k))
        real = row_gradients(q, k, draw.standard_normal((rows, n_keys)), scale).q
        short, _ = query_gradients(draw_rows(n_keys, rows, draw), d_k, scale, draw)
        for statistic in (np.mean, rms, np.median):
            long = np.linalg.norm(real, axis=-1)
            assert agree(estimate(statistic, long), estimate(statistic, short))


def test_the_curve_is_the_gradient_of_all_keys():
    rows, d_k = draw_rows(5, 4, rng(7)), 9
    for scale in scales(d_k).values():
        curve = gradient_curve(scale * math.sqrt(d_k), rows)
        for row in range(4):
            # A query of length √d_k along the first axis, keys with these components.
            q, k = np.zeros(d_k), np.zeros((5, d_k))
            q[0], k[:, 0] = math.sqrt(d_k), rows.z[row]
            on_keys = row_gradients(q, k, rows.u[row], scale).k
            assert np.linalg.norm(on_keys) == pytest.approx(curve[row], rel=1e-10)


# Summaries


def test_effective_number_of_keys_that_receive_gradient():
    assert effective_keys(gradient_shares([1.0, -1.0, 1.0, 0.0]), order=2) == pytest.approx(3)
    # Squares of these are below the smallest double.
    assert effective_keys(gradient_shares([3e-200, -3e-200]), order=2) == pytest.approx(2)


def test_shares_count_whole_rows():
    sizes = np.array([3.0] + [1.0] * 63)
    assert top_share(sizes, one_in=10) == pytest.approx((9 + 5) / (9 + 63))  # 6 of 64
    assert top_share(sizes, one_in=100) == pytest.approx(9 / (9 + 63))  # at least one
    assert dead_share([DEAD / 2, DEAD, 2 * DEAD, 0]) == 0.5


def test_standard_errors_are_those_of_theory():
    sizes = rng(8).standard_normal(100_000)
    # 20 batches know a standard error to 16 %; ERRORS times that is 65 %.
    for statistic, theory in ((np.mean, 1), (np.median, math.sqrt(math.pi / 2))):
        assert estimate(statistic, sizes).se == pytest.approx(theory / 100_000**0.5, rel=0.65)


# Limits


def test_near_tie_density_against_closed_forms_and_simulation():
    # Two and three numbers: n(n−1) ∫φ²Φ^(n−2) is elementary.
    assert near_tie_density(2) == pytest.approx(1 / math.sqrt(math.pi), rel=1e-12)
    assert near_tie_density(3) == pytest.approx(1.5 / math.sqrt(math.pi), rel=1e-12)
    # Many numbers: Φ rounds to 1 there, and scipy's log Φ does not.
    for n_keys in (10**6, 10**12, 2**53):
        log_pairs = math.log(n_keys) + math.log(n_keys - 1) - math.log(2 * math.pi)
        expected = integrate.quad(
            lambda x: np.exp(log_pairs - x * x + (n_keys - 2) * special.log_ndtr(x)), 3, 12)[0]
        assert near_tie_density(n_keys) == pytest.approx(expected, rel=1e-7)
    rows, within = 100_000, 0.02
    for n_keys in (2, 16, 64):
        two = np.partition(rng(9).standard_normal((rows, n_keys)), -2, axis=-1)[:, -2:]
        ties = np.mean(two[:, 1] - two[:, 0] < within) / within
        # The density falls by less than g · within / 2 over the interval, relatively.
        error = ERRORS * math.sqrt(ties / within / rows) + ties**2 * within / 2
        assert near_tie_density(n_keys) == pytest.approx(ties, abs=error)


@pytest.mark.parametrize("n_keys", [2, 16, 128])
def test_the_mean_gradient_of_sharp_rows_tends_to_a_constant_and_the_rms_grows(n_keys):
    sigma = 64
    sizes = gradient_curve(sigma, draw_rows(n_keys, 2_000_000 // n_keys, rng(10, n_keys)))
    # A third key near the tie has a chance of about g_n/σ: so much the limits are off.
    off = near_tie_density(n_keys) / sigma
    mean, root = estimate(np.mean, sizes), estimate(rms, sizes)
    assert mean.value == pytest.approx(
        mean_limit(n_keys), abs=ERRORS * mean.se + off * mean_limit(n_keys)
    )
    assert root.value == pytest.approx(
        rms_limit(n_keys, sigma), abs=ERRORS * root.se + off * rms_limit(n_keys, sigma)
    )


def test_spread_out_rows_follow_the_law_of_large_numbers():
    # For σ well below √(2 ln n): E‖Ju‖² = Σp² to leading order, which is e^σ²/n.
    n_keys = 4096
    sizes = gradient_curve(1.0, draw_rows(n_keys, 400, rng(11)))
    assert rms(sizes) == pytest.approx(math.sqrt(math.e / n_keys), rel=0.02)


@pytest.mark.parametrize("sigma", [4, 8, 32, 100, 1000])
def test_mean_slope_falls_only_like_one_over_sigma(sigma):
    ratio = mean_slope(sigma) * sigma * 2 * math.sqrt(math.pi)
    # The moments of the logistic density, π²/3 and 7π⁴/15, give the next two terms of a
    # series whose signs alternate, so the ratio lies between its partial sums.
    below = 1 - math.pi**2 / (12 * sigma**2)
    assert below - 1e-12 <= ratio <= below + 7 * math.pi**4 / (480 * sigma**4) + 1e-12


def test_mean_slope_tends_to_its_limit_and_to_a_quarter():
    ratios = [mean_slope(s) * s * 2 * math.sqrt(math.pi) for s in (1, 2, 4, 8, 16, 32, 64)]
    assert ratios == sorted(ratios)
    assert ratios[-1] == pytest.approx(1, abs=3e-4)
    assert mean_slope(1e-3) == pytest.approx(0.25, rel=1e-6)


@pytest.mark.parametrize("sigma", [1, 8])
def test_slopes_against_simulation(sigma):
    draws = 400_000
    z = sigma * rng(12).standard_normal((draws, 2))
    slope = np.prod(softmax(z), axis=-1)
    mean = mean_estimate(slope)
    assert mean.value == pytest.approx(mean_slope(sigma), abs=ERRORS * mean.se)
    median = estimate(np.median, slope)
    assert median.value == pytest.approx(median_slope(sigma), abs=ERRORS * median.se)


# The claims of the page


@pytest.fixture(scope="module")
def layers():
    """d_k → scale → twelve layers of 64 tokens; the same layers for every scale."""
    result = {}
    for d_k in (8, 16, 32, 64, 128, 256, 512):
        drawn = [draw_layer(64, d_k, rng(13, d_k, index)) for index in range(12)]
        result[d_k] = {
            name: [layer_gradients(layer, scale) for layer in drawn]
            for name, scale in scales(d_k).items()
        }
    return result


def test_the_gradient_does_not_vanish_without_the_factor(layers):
    for d_k, by_scale in layers.items():
        for raw, scaled in zip(by_scale["raw"], by_scale["scaled"], strict=True):
            assert raw.w_q > scaled.w_q, d_k
            assert raw.w_k > scaled.w_k, d_k


def test_about_eleven_times_larger_at_64_and_twenty_at_512(layers):
    for d_k, times in ((64, 11.5), (512, 20.5)):
        pairs = zip(layers[d_k]["raw"], layers[d_k]["scaled"], strict=True)
        ratio = mean_estimate([raw.w_q / scaled.w_q for raw, scaled in pairs])
        assert ratio.value == pytest.approx(times, abs=ERRORS * ratio.se)
        assert ratio.value > 5


def test_at_512_the_typical_query_gets_less_and_a_few_get_nearly_all(layers):
    for raw, scaled in zip(layers[512]["raw"], layers[512]["scaled"], strict=True):
        assert np.median(raw.q) < np.median(scaled.q)
        assert top_share(raw.q, one_in=10) > 2 * top_share(scaled.q, one_in=10)
    # At 64 even the typical query gets more: "vanishes" is wrong for it too …
    for raw, scaled in zip(layers[64]["raw"], layers[64]["scaled"], strict=True):
        assert np.median(raw.q) > np.median(scaled.q)
    # … and the scale with the smallest gradient of all is 1/d_k.
    for by_scale in layers.values():
        smallest = max(layer.w_q for layer in by_scale["one over d"])
        assert smallest < min(layer.w_q for layer in by_scale["scaled"])


@pytest.mark.parametrize("scale", [1.0, 1 / 8])
def test_a_layer_is_its_rows_added_in_random_directions(scale):
    # E‖∂L/∂W_q‖² = n_tokens · d_model · E‖∂L/∂q‖²: terms of two queries cancel on average.
    sizes = [layer_gradients(draw_layer(64, 64, rng(14, i)), scale).w_q for i in range(60)]
    layer = mean_estimate(np.square(sizes))
    rows, _ = query_gradients(draw_rows(64, 60_000, rng(15)), 64, scale, rng(16))
    row = mean_estimate(np.square(rows))
    product = 64 * 128
    assert abs(layer.value - product * row.value) <= ERRORS * math.hypot(
        layer.se, product * row.se
    )


def test_two_keys_keep_their_mean_gradient_while_the_typical_row_goes_dead():
    rows = draw_rows(2, 40_000, rng(17))
    sizes = {d_k: query_gradients(rows, d_k, 1.0, rng(18))[0] for d_k in (64, 256, 1024)}
    for d_k, size in sizes.items():
        mean = estimate(np.mean, size)
        # At finite d_k the mean is below its limit by a factor 1 − O(1/d_k).
        assert mean.value == pytest.approx(mean_limit(2), abs=ERRORS * mean.se + 1 / d_k)
    medians = [np.median(sizes[d_k]) for d_k in (64, 256, 1024)]
    assert medians[0] > 100 * medians[1] > 10_000 * medians[2]
    assert dead_share(sizes[1024]) > 0.75
    # The root mean square grows like the fourth root of d_k: twice at 16 times the size.
    growth = estimate(rms, sizes[1024]).value / estimate(rms, sizes[64]).value
    assert growth == pytest.approx(2, rel=ERRORS * 0.02)  # each known to about 1.5 %


def test_without_the_factor_about_two_keys_receive_the_gradient():
    rows = draw_rows(128, 4000, rng(19))
    received = {}
    for name, scale in scales(64).items():
        _, on_logits = query_gradients(rows, 64, scale, rng(20))
        received[name] = mean_estimate(effective_keys(gradient_shares(on_logits), order=2))
    assert 2 < received["raw"].value < 2.2
    assert received["scaled"].value > 4 * received["raw"].value


# Bad arguments


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: logit_gradient([0.5, 0.5], [1.0]), ValueError, "u: shape"),
        (lambda: logit_gradient([0.5, 0.6], [1, 0]), ValueError, "weights: must sum to 1"),
        (lambda: row_gradients([1.0], [[1.0, 2.0]], [1.0], 1), ValueError, "k: shape"),
        (lambda: row_gradients([1.0], [[1.0]], [math.nan], 1), ValueError, "u: contains NaN"),
        (lambda: row_gradients([1.0], [[1.0]], [1.0], 0), ValueError, "scale: must be above 0"),
        (lambda: gradient_shares([[1.0, 2.0], [0.0, 0.0]]), ValueError, "gradient: a row is zero"),
        (lambda: draw_rows(1, 10, rng()), ValueError, "n_keys: must be at least 2"),
        (lambda: draw_rows(2.5, 10, rng()), TypeError, "n_keys: must be a whole number"),
        (lambda: draw_layer(8, 0, rng()), ValueError, "d_k: must be at least 1"),
        (lambda: gradient_curve(-1, draw_rows(2, 3, rng())), ValueError, "sigma: must be"),
        (lambda: near_tie_density(1), ValueError, "n_keys: must be at least 2"),
        (lambda: mean_slope(0), ValueError, "sigma: must be above 0"),
        (lambda: logit_gradient([0.5, 0.5], [1e308, -1e308]), ValueError, "u: too large"),
        (lambda: row_gradients([1.0], [1.0], [1.0], 1), ValueError, "k: needs 2 axes or more"),
        (lambda: row_gradients([1.0], np.ones((0, 1)), [], 1), ValueError, "k: axis -2 is empty"),
        (lambda: row_gradients([1e200], [[1e200]], [1], 1), ValueError, "q, k, u, scale: too lar"),
        (lambda: gradient_shares([]), ValueError, "gradient: axis -1 is empty"),
        (lambda: draw_rows(2, 10, None), TypeError, "rng: must be a numpy Generator"),
        (lambda: draw_layer(8, 2, 5), TypeError, "rng: must be a numpy Generator"),
        (lambda: gradient_curve(1, None), TypeError, "rows: must be Rows, not NoneType"),
        (lambda: gradient_curve(1e308, Rows(np.array([[9, 9]]), np.ones((1, 2)))), ValueError,
         "sigma: too large"),
        (lambda: layer_gradients((1, 2), 1), TypeError, "layer: must be Layer, not tuple"),
        (lambda: top_share([0, 0]), ValueError, "sizes: all squares are zero"),
        (lambda: estimate(np.mean, [1] * 19), ValueError, "sizes: must hold at least 20 numbers"),
        (lambda: mean_estimate([1]), ValueError, "values: must hold at least 2 numbers"),
        (lambda: mean_estimate([[1, 2], [3, 4]]), ValueError, "values: must be one row"),
    ],
)
def test_bad_arguments_are_named(call, error, says):
    with pytest.raises(error, match=says):
        call()


@pytest.mark.parametrize("statistic", [rms, dead_share, top_share])
@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ([], "sizes: must hold at least 1 numbers"),
        ([1, math.nan], "sizes: contains NaN"),
        ([[1, 2], [3, 4]], "sizes: must be one row"),
    ],
)
def test_what_has_no_statistic_is_named(statistic, sizes, says):
    with pytest.raises(ValueError, match=says):
        statistic(sizes)


def test_half_precision_is_widened():
    # In float16 the difference of the two, and the square of the largest, are infinite.
    half = logit_gradient(np.float16([0.5, 0.5]), np.float16([60_000, -60_000]))
    np.testing.assert_array_equal(half, np.float16([30_000, -30_000]))
    assert rms(np.float16([300, 300])) == 300


def test_a_slope_at_no_spread_is_a_quarter():
    assert mean_slope(5e-324) == median_slope(5e-324) == 0.25
