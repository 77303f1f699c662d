"""Softmax and its relatives against scipy and torch, and the properties that define it.

Tolerances. u is the unit roundoff of the type. The computed weights differ from
the exact ones by at most (n + 2 + 2 (max - min)) u, relatively (Blanchard, Higham
and Higham 2021, theorem 4.3); two computed results differ by at most twice that.
"""

import math

import numpy as np
import pytest
import scipy.special
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sqrtdk.softmax import (
    effective_keys,
    entropy,
    jacobian,
    log_softmax,
    log_sum_exp,
    softmax,
    softmax_naive,
    wide,
)

KINDS = [np.float16, np.float32, np.float64, np.longdouble]
SHAPES = [(5,), (1,), (3, 4), (2, 3, 4), (2, 1, 3, 2)]
PLAIN = [2.1, 0.3, -1.2, 4.0]


def roundoff(kind):
    return float(np.finfo(kind).eps) / 2


def bound(x, axis=-1):
    """How far two computed softmaxes of `x` can be apart, relatively."""
    visible = np.where(np.isfinite(x), x, 0).astype(np.float64)
    spread = float(np.max(np.ptp(visible, axis=axis), initial=0))
    return 2 * (x.shape[axis] + 2 + 2 * spread) * roundoff(x.dtype)


def samples(shape, kind=np.float64, seed=0, sigma=3):
    return (sigma * np.random.default_rng(seed).standard_normal(shape)).astype(kind)


logits = arrays(
    np.float64, array_shapes(max_dims=1, max_side=12), elements=st.floats(-30, 30, width=32)
)


# Judges


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ours", [softmax, log_softmax, log_sum_exp])
def test_equals_torch_and_scipy_along_every_axis(ours, shape, kind):
    x = samples(shape, kind)
    judge = {
        softmax: (torch.softmax, scipy.special.softmax),
        log_softmax: (torch.log_softmax, scipy.special.log_softmax),
        log_sum_exp: (torch.logsumexp, scipy.special.logsumexp),
    }[ours]
    for axis in range(-len(shape), len(shape)):
        result = ours(x, axis)
        tolerance = bound(x, axis)
        # A log is off by the relative error of what it is the log of, plus its own rounding;
        # beside a difference that cancels to 0, that of the largest logit, |x|, remains.
        near = {"rtol": tolerance, "atol": 2.0**-24}  # the spacing of float16 near 0
        if ours is not softmax:
            near = {"rtol": 4 * roundoff(kind), "atol": tolerance + np.abs(x).max() * roundoff(kind)}
        assert result.dtype == kind
        np.testing.assert_allclose(result, judge[0](torch.from_numpy(x), axis).numpy(), **near)
        np.testing.assert_allclose(result, judge[1](x.astype(float), axis), **near)


@pytest.mark.parametrize("kind", KINDS)
def test_every_function_keeps_the_float_type(kind):
    x = samples((2, 3), kind)
    weights = softmax(x)
    for result in (
        weights,
        softmax(x, temperature=0.3),
        softmax_naive(x),
        log_softmax(x),
        log_sum_exp(x),
        log_sum_exp(x[0]),
        jacobian(weights),
        entropy(weights),
        entropy(weights[0]),
        effective_keys(weights),
        effective_keys(weights, order=2),
    ):
        assert result.dtype == kind


@pytest.mark.parametrize("ours", [softmax, softmax_naive, log_softmax, log_sum_exp,
                                  lambda x, axis=-1: softmax(x, axis, temperature=0.5)])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_every_slice_stands_alone(ours, axis):
    x = samples((3, 4, 5))
    near = {"rtol": bound(x, axis), "atol": np.abs(x).max() * roundoff(float)}
    np.testing.assert_allclose(ours(x, axis), np.apply_along_axis(ours, axis, x), **near)


def test_half_precision_is_widened_and_nothing_else_is_copied():
    x = samples(3, np.float16)
    assert wide(x).dtype == np.float32
    np.testing.assert_array_equal(wide(x), x)
    for kind in (np.float32, np.float64, np.longdouble):
        x = samples(3, kind)
        assert wide(x) is x


def test_lists_and_whole_numbers_are_taken():
    np.testing.assert_array_equal(softmax([[1, 2, 3]]), softmax(np.array([[1.0, 2.0, 3.0]])))


def test_values_to_ten_digits():
    """40-digit arithmetic gave these."""
    exact = [0.1267736184, 0.0209555382, 0.0046758126, 0.8475950308]
    np.testing.assert_allclose(softmax(PLAIN), exact, atol=5e-11)
    np.testing.assert_allclose(
        softmax([1, 2, 3]), [0.0900305732, 0.2447284711, 0.6652409558], atol=5e-11
    )
    assert math.isclose(log_sum_exp([1, 2, 3]), 3.4076059644, abs_tol=5e-11)
    assert math.isclose(entropy(softmax(PLAIN)), 0.508072, abs_tol=5e-7)
    assert math.isclose(effective_keys(softmax(PLAIN)), 1.66208, abs_tol=5e-6)
    assert math.isclose(effective_keys(softmax(PLAIN), order=2), 1.36064, abs_tol=5e-6)


# Properties of softmax


@given(logits)
def test_none_is_negative_and_the_sum_is_one(x):
    weights = softmax(x)
    assert (weights >= 0).all()
    assert abs(math.fsum(weights) - 1) <= len(x) * roundoff(np.float64)


@given(logits, st.floats(-1000, 1000))
def test_a_shift_changes_nothing(x, shift):
    # x + shift is rounded, by at most u (|x| + |shift|) in each logit; a weight moves
    # by at most the rounding of its own logit and of the others': twice that.
    moved = 2 * roundoff(np.float64) * (np.abs(x).max() + abs(shift))
    np.testing.assert_allclose(softmax(x + shift), softmax(x), rtol=bound(x) + 2 * moved)


@given(logits)
def test_order_is_kept(x):
    order = np.argsort(x)
    assert (np.diff(softmax(x)[order]) >= 0).all()


@given(logits, st.randoms(use_true_random=False))
def test_permuted_logits_give_permuted_weights(x, random):
    order = list(range(len(x)))
    random.shuffle(order)
    # Only the order of the additions in the sum differs.
    np.testing.assert_allclose(softmax(x[order]), softmax(x)[order], rtol=bound(x))


@given(logits)
def test_ratios_depend_on_the_gap_alone(x):
    weights = softmax(x)
    np.testing.assert_allclose(
        weights / weights[0], np.exp(x - x[0]), rtol=bound(x) + 62 * roundoff(np.float64)
    )


@given(logits, st.floats(0.1, 10))
def test_a_temperature_divides_the_logits(x, temperature):
    # Dividing rounds each logit, relatively: |x| / T times u at most, in each of two places.
    tolerance = bound(x / temperature) + 4 * np.abs(x / temperature).max() * roundoff(np.float64)
    np.testing.assert_allclose(
        softmax(x, temperature=temperature), softmax(x / temperature), rtol=tolerance
    )


@pytest.mark.parametrize("temperature", [0.5, 1, 2, 4])
def test_a_power_of_two_as_temperature_divides_exactly(temperature):
    x = np.array(PLAIN)
    np.testing.assert_allclose(
        softmax(x, temperature=temperature), softmax(x / temperature), rtol=bound(x / temperature)
    )


def test_a_temperature_leaves_every_row_its_own_maximum():
    """Rows 2e308 apart: less a common maximum, the lower one would be lost."""
    x = [[1e308, 1e308], [-1e308, -1e308]]
    np.testing.assert_array_equal(softmax(x, temperature=2), np.full((2, 2), 0.5))


@given(logits.filter(lambda x: np.ptp(x) > 0.01))
def test_more_heat_more_entropy(x):
    heats = [0.25, 0.5, 1, 2, 4]
    spread = [entropy(softmax(x, temperature=t)) for t in heats]
    # Rounding: below 1e-12 at 12 logits within 60 of each other.
    assert (np.diff(spread) >= -1e-12).all()
    assert spread[-1] > spread[0] or spread[0] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("kind", "tiny"), [
    (np.float32, 1e-40), (np.float64, 1e-310), (np.longdouble, 1e-310)])
def test_logits_and_temperature_may_both_be_subnormal(kind, tiny):
    # A subnormal has fewer digits: 1e-40 is some 71 000 of the smallest float32.
    weights = softmax(np.array([0, tiny], kind), temperature=tiny)
    np.testing.assert_allclose(weights, softmax([0, 1]), rtol=1e-5)


def test_the_ends_of_the_knob():
    np.testing.assert_array_equal(softmax(PLAIN, temperature=1e-300), [0, 0, 0, 1])
    np.testing.assert_array_equal(softmax(PLAIN, temperature=1e300), [0.25] * 4)
    half = np.float16([1, -np.inf, 3])  # 1e300 and 1e-300 are beyond float16, and float32
    np.testing.assert_array_equal(softmax(half, temperature=1e300), np.float16([0.5, 0, 0.5]))
    np.testing.assert_array_equal(softmax(half, temperature=1e-300), np.float16([0, 0, 1]))
    # 1e308 / 0.1 overflows, the answer does not
    np.testing.assert_array_equal(softmax([1e308, -1e308], temperature=0.1), [1, 0])


# Masked entries


def test_minus_infinity_is_left_out():
    x = np.array([2.1, -np.inf, -1.2, 4.0])
    seen = np.isfinite(x)
    np.testing.assert_allclose(softmax(x)[seen], softmax(x[seen]), rtol=bound(x))
    assert softmax(x)[1] == 0
    assert log_softmax(x)[1] == -np.inf
    assert math.isclose(log_sum_exp(x), log_sum_exp(x[seen]), rel_tol=4 * roundoff(float))


@pytest.mark.parametrize("ours", [softmax, log_softmax])
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_a_slice_of_nothing_is_refused(ours, kind):
    x = np.zeros((3, 2), kind)
    x[1] = -np.inf
    with pytest.raises(ValueError, match="^x: a slice along axis 1 is all -inf"):
        ours(x)
    assert np.isfinite(softmax(x, 0)[0]).all()  # along the other axis something is left
    with pytest.raises(ValueError, match="^x: a slice along axis 1 is all -inf"):
        softmax(x, temperature=2)


def test_the_log_of_an_empty_sum_is_minus_infinity():
    x = np.array([[1.0, 2.0], [-np.inf, -np.inf]])
    assert log_sum_exp(x)[1] == -np.inf == torch.logsumexp(torch.from_numpy(x), 1)[1]
    assert math.isclose(log_sum_exp(x)[0], math.log(math.e + math.e**2))


# Overflow


@pytest.mark.parametrize("kind", KINDS)
def test_no_size_of_logits_is_too_large(kind):
    top = np.finfo(kind).max
    np.testing.assert_array_equal(softmax(np.array([top, -top, top], kind)), [0.5, 0, 0.5])
    np.testing.assert_array_equal(softmax(np.array([top, top, top, top], kind)), [0.25] * 4)


@pytest.mark.parametrize("kind", KINDS[1:])  # float16 is computed in float32, far from its end
def test_logs_at_the_ends_of_the_type(kind):
    top = np.finfo(kind).max
    ends = np.array([top, -top], kind)
    assert log_sum_exp(ends) == top
    np.testing.assert_array_equal(log_softmax(ends), [0, -np.inf])  # -2 top is beyond the type


def test_naive_overflows_where_stable_does_not():
    with pytest.warns(RuntimeWarning, match="overflow"):
        with pytest.warns(RuntimeWarning, match="invalid"):
            assert np.isnan(softmax_naive([1000, 1001, 1002])).all()
    with pytest.warns(RuntimeWarning, match="invalid"):
        assert np.isnan(softmax_naive([-1000, -1001])).all()  # 0 / 0
    np.testing.assert_allclose(softmax([1000, 1001, 1002]), softmax([0, 1, 2]), rtol=1e-15)
    x = samples(20)
    np.testing.assert_allclose(softmax_naive(x), softmax(x), rtol=bound(x))


def test_float16_sums_do_not_end_at_65504():
    n = 100_000
    np.testing.assert_array_equal(softmax(np.zeros(n, np.float16)), np.float16(1 / n))


def test_log_softmax_goes_below_the_smallest_float():
    np.testing.assert_array_equal(log_softmax([0.0, 2000.0]), [-2000, 0])
    assert softmax([0.0, 2000.0])[0] == 0
    # a large common shift must not cost digits: log_sum_exp alone would lose six of them
    assert log_softmax([1e10, 1e10 + 1])[1] == pytest.approx(-math.log1p(math.exp(-1)), rel=1e-15)


# Gradients, entropy, effective keys


@given(logits)
@settings(max_examples=50)
def test_jacobian_is_the_gradient(x):
    h = 1e-5  # central difference: h^2 |third derivative| / 6 < 2e-11, rounding u / h = 1e-11
    step = h * np.eye(len(x))
    numeric = (softmax(x + step) - softmax(x - step)) / (2 * h)
    np.testing.assert_allclose(jacobian(softmax(x)), numeric.T, atol=1e-9)


@given(logits)
@settings(max_examples=50)
def test_softmax_is_the_gradient_of_log_sum_exp(x):
    h = 1e-5  # as above; the rounding is that of a number up to 33: 33 u / h = 4e-10
    step = h * np.eye(len(x))
    numeric = (log_sum_exp(x + step) - log_sum_exp(x - step)) / (2 * h)
    np.testing.assert_allclose(softmax(x), numeric, atol=2e-9)


def test_jacobian_equals_autograd_on_batches():
    x = samples((2, 3, 4))
    ours = jacobian(softmax(x))
    assert ours.shape == (2, 3, 4, 4)
    for index in np.ndindex(2, 3):
        theirs = torch.func.jacrev(lambda row: torch.softmax(row, -1))(torch.from_numpy(x[index]))
        np.testing.assert_allclose(ours[index], theirs, atol=1e-15)


@given(logits)
def test_jacobian_is_symmetric_with_rows_of_sum_zero_and_norm_at_most_half(x):
    j = jacobian(softmax(x))
    np.testing.assert_array_equal(j, j.T)
    np.testing.assert_allclose(j.sum(axis=-1), 0, atol=3 * len(x) * roundoff(float))
    assert np.linalg.norm(j, 2) <= 0.5 + 1e-15
    assert np.linalg.eigvalsh(j).min() >= -1e-15


@given(logits)
def test_entropy_lies_between_one_hot_and_uniform(x):
    n = len(x)
    h = entropy(softmax(x))
    rounding = (n + 2) * roundoff(float) * max(1, math.log(n))
    assert -rounding <= h <= math.log(n) + rounding
    assert h == pytest.approx(scipy.special.entr(softmax(x)).sum(), rel=1e-13, abs=1e-15)


def test_entropy_at_the_ends():
    one_hot = entropy([0, 1, 0])
    assert one_hot == 0
    assert not np.signbit(one_hot)  # prints 0, not -0
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(math.log(8), rel=1e-15)


@given(logits)
def test_effective_keys_lie_between_one_and_n_and_order_2_is_smaller(x):
    weights = softmax(x)
    first, second = effective_keys(weights), effective_keys(weights, order=2)
    slack = 1 + 1e-13
    assert 1 / slack <= second <= first * slack <= len(x) * slack**2
    assert math.isclose(first, math.exp(entropy(weights)))
    assert math.isclose(second, 1 / (weights**2).sum())


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_equal_weights_count_as_their_number(order, n):
    weights = np.concatenate([np.full(n, 1 / n), np.zeros(3)])
    assert effective_keys(weights, order=order) == pytest.approx(n, rel=1e-14)


@pytest.mark.parametrize("ours", [entropy, effective_keys,
                                  lambda p, axis=-1: effective_keys(p, axis, order=2)])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_entropy_and_effective_keys_along_an_axis(ours, axis):
    weights = softmax(samples((3, 4, 5)), axis)
    alone = np.apply_along_axis(ours, axis, weights)
    np.testing.assert_allclose(ours(weights, axis), alone, rtol=1e-14)


@given(logits)
def test_variational_form(x):
    """<p, x> + H(p) = lse(x) at p = softmax(x), and is lower by KL(p, softmax x) elsewhere."""
    best = softmax(x)
    size = max(1, np.abs(x).max())
    assert best @ x + entropy(best) == pytest.approx(log_sum_exp(x), abs=100 * size * 1e-16)
    other = np.full(len(x), 1 / len(x))
    gap = log_sum_exp(x) - (other @ x + entropy(other))
    kl = (other * (np.log(other) - log_softmax(x))).sum()
    assert gap == pytest.approx(kl, abs=100 * size * 1e-16)


# Bad arguments


@pytest.mark.parametrize("ours", [softmax, softmax_naive, log_softmax, log_sum_exp])
@pytest.mark.parametrize(
    ("x", "axis", "message"),
    [
        ([1, np.nan], -1, "x: contains NaN"),
        ([1, np.inf], -1, r"x: contains \+inf"),
        ([-np.inf, np.nan], -1, "x: contains NaN"),
        ([], -1, "x: axis -1 is empty"),
        (np.ones((2, 0)), 1, r"x: axis 1 is empty \(shape \(2, 0\)\)"),
        ([1, 2], 1, r"x: has shape \(2,\), so there is no axis 1"),
        (3.0, -1, r"x: has shape \(\), so there is no axis -1"),
    ],
)
def test_bad_logits_are_refused_by_name(ours, x, axis, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        ours(x, axis)


@pytest.mark.parametrize("ours", [softmax, softmax_naive, log_softmax, log_sum_exp])
def test_what_holds_no_numbers_is_refused_by_name(ours):
    with pytest.raises(TypeError, match="^x: must hold real numbers, not <U2$"):
        ours(["10", "20"])


def test_an_empty_batch_is_no_error():
    assert softmax(np.ones((0, 3))).shape == (0, 3)
    assert log_softmax(np.ones((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("temperature", [0, -1, np.nan, np.inf])
def test_bad_temperatures_are_refused_by_name(temperature):
    with pytest.raises(ValueError, match="^temperature: must be "):
        softmax([1, 2], temperature=temperature)


@pytest.mark.parametrize("ours", [jacobian, entropy, effective_keys])
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5, np.nan], "weights: contains NaN"),
        ([1.5, -0.5], "weights: contains a negative weight, -0.5"),
        ([1, 2, 3], "weights: must sum to 1 along axis 0, but is off by 5"),
        ([], "weights: axis -1 is empty"),
    ],
)
def test_what_is_no_weighting_is_refused_by_name(ours, weights, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        ours(weights)


def test_unknown_order():
    with pytest.raises(ValueError, match="^order: must be 1 or 2, not 3$"):
        effective_keys([0.5, 0.5], order=3)
    for order in (1.0, True, [1, 2]):
        with pytest.raises(TypeError, match="^order: must be a whole number"):
            effective_keys([0.5, 0.5], order=order)


def test_arguments_are_not_changed():
    x = samples((3, 4))
    before = x.copy()
    weights = softmax(x)
    for call in (softmax, softmax_naive, log_softmax, log_sum_exp):
        call(x)
    softmax(x, temperature=2)
    np.testing.assert_array_equal(x, before)
    before = weights.copy()
    for call in (jacobian, entropy, effective_keys):
        call(weights)
    np.testing.assert_array_equal(weights, before)
