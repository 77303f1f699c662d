"""Attention against torch, against itself index by index, and at its edges.

Tolerances: a score is a sum of d_k products, so its rounding is at most
d_k u |q| . |k|; it moves a weight relatively by twice that, beside softmax's own
bound (test_softmax.py). The output is a mean of values with weights that far off.
"""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from sqrtdk import attention as module
from sqrtdk import formulas
from sqrtdk.attention import alpha, attention, attention_weights, scale, scores
from sqrtdk.softmax import softmax

KINDS = [np.float16, np.float32, np.float64, np.longdouble]
SHAPES = [((), 1, 1, 1, 1), ((), 5, 7, 4, 3), ((2,), 6, 4, 64, 8), ((2, 3), 4, 9, 16, 16)]


def draw(shape, kind=np.float64, seed=0):
    batch, n_q, n_k, d_k, d_v = shape
    rng = np.random.default_rng(seed)
    sizes = [(*batch, n_q, d_k), (*batch, n_k, d_k), (*batch, n_k, d_v)]
    return [rng.standard_normal(size).astype(kind) for size in sizes]


def tolerance(q, k, kind):
    """The bound of the header, for the largest query and key there are."""
    u = float(np.finfo(kind).eps) / 2
    q, k = q.astype(float), k.astype(float)
    d_k, n_k = q.shape[-1], k.shape[-2]
    largest = (np.abs(q) @ np.abs(k).swapaxes(-1, -2)).max() / math.sqrt(d_k)
    return 2 * u * (2 * d_k * largest + n_k + 2 + 4 * largest)


def torch_attention(q, k, v, mask=None):
    q, k, v = map(torch.from_numpy, (q, k, v))
    mask = None if mask is None else torch.from_numpy(mask)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).numpy()


def boolean_mask(shape, seed=1):
    mask = np.random.default_rng(seed).random(shape) < 0.6
    mask[..., 0] = True  # something to see in each row
    return mask


# Judges


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_equals_torch(shape, kind):
    q, k, v = draw(shape, kind)
    result = attention(q, k, v)
    assert result.dtype == kind
    near = tolerance(q, k, kind) * np.abs(v).max()
    np.testing.assert_allclose(result, torch_attention(q, k, v), atol=near, rtol=0)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("sort", ["boolean", "added", "added -inf", "broadcast"])
def test_equals_torch_with_masks(sort, shape, kind):
    q, k, v = draw(shape, kind)
    batch, n_q, n_k, _, _ = shape
    seen = boolean_mask((*batch, n_q, n_k))
    mask = {
        "boolean": seen,
        "added": np.random.default_rng(2).standard_normal(seen.shape).astype(kind),
        "added -inf": np.where(seen, 0, -np.inf).astype(kind),
        "broadcast": seen[(0,) * len(batch)][:1],
    }[sort]
    near = 2 * tolerance(q, k, kind) * np.abs(v).max()  # twice: the added numbers widen the range
    result = attention(q, k, v, mask)
    assert result.dtype == kind
    np.testing.assert_allclose(result, torch_attention(q, k, v, mask), atol=near, rtol=0)


@pytest.mark.parametrize("shape", SHAPES)
def test_float16_is_float32_rounded_once(shape):
    q, k, v = draw(shape, np.float16)
    exact = attention(*(x.astype(np.float32) for x in (q, k, v)))
    result = attention(q, k, v)
    assert result.dtype == np.float16
    np.testing.assert_array_equal(result, exact.astype(np.float16))


@pytest.mark.parametrize("shape", SHAPES)
def test_public_functions_are_the_formulas(shape):
    q, k, v = draw(shape)
    near = tolerance(q, k, np.float64)
    np.testing.assert_array_equal(scores(q, k), formulas.scores(q, k))
    weights = attention_weights(q, k)
    np.testing.assert_allclose(weights, softmax(scores(q, k) * scale(q.shape[-1])), rtol=near)
    largest = np.abs(v).max()
    np.testing.assert_allclose(attention(q, k, v), weights @ v, atol=near * largest)
    np.testing.assert_allclose(attention(q, k, v), formulas.attention(q, k, v), atol=near * largest)


def test_alpha_index_by_index_is_the_matrix_form():
    q, k, _ = draw(((), 5, 7, 4, 1))
    weights = attention_weights(q, k)
    one_by_one = [[alpha(q, k, i, j) for j in range(7)] for i in range(5)]
    np.testing.assert_allclose(one_by_one, weights, rtol=tolerance(q, k, np.float64))


@pytest.mark.parametrize("kind", KINDS)
def test_the_float_type_is_kept(kind):
    q, k, v = draw(((2,), 3, 4, 5, 6), kind)
    # A mask of another float type must not widen the result.
    for mask in (None, boolean_mask((3, 4)), np.zeros((3, 4), np.float64)):
        assert attention_weights(q, k, mask).dtype == kind
        assert attention(q, k, v, mask).dtype == kind
    assert scores(q, k).dtype == kind


@pytest.mark.parametrize("wide", range(3))
def test_the_widest_of_the_types_is_kept(wide):
    q, k, v = (x.astype(np.float64 if i == wide else np.float32)
               for i, x in enumerate(draw(((2,), 3, 4, 5, 6))))
    assert attention(q, k, v).dtype == np.float64
    scored = np.float64 if wide < 2 else np.float32  # the values have no part in the scores
    assert scores(q, k).dtype == attention_weights(q, k).dtype == scored


def test_lists_are_taken():
    np.testing.assert_array_equal(scores([[1, 2]], [[3, 4], [5, 6]]), [[11, 17]])
    assert attention([[1, 0]], [[0, 1]], [[2, 4]]).tolist() == [[2, 4]]


# What attention is


def test_scale_is_one_over_the_root():
    assert scale(64) == 1 / 8
    assert scale(1) == 1


@given(st.integers(0, 2**32 - 1))
def test_rows_of_weights_sum_to_one_and_the_output_stays_among_the_values(seed):
    q, k, v = draw(((2,), 3, 5, 4, 6), seed=seed)
    weights = attention_weights(q, k)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=5 * 2.0**-52)
    result = attention(q, k, v)
    slack = 1e-14 * np.abs(v).max()
    assert (result <= v.max(axis=-2, keepdims=True) + slack).all()
    assert (result >= v.min(axis=-2, keepdims=True) - slack).all()


@given(st.integers(0, 2**32 - 1), st.permutations(range(5)))
def test_the_order_of_keys_does_not_matter_and_queries_follow_theirs(seed, order):
    q, k, v = draw(((), 5, 5, 4, 3), seed=seed)
    near = {"atol": tolerance(q, k, np.float64) * np.abs(v).max()}
    np.testing.assert_allclose(attention(q, k[order], v[order]), attention(q, k, v), **near)
    np.testing.assert_allclose(attention(q[order], k, v), attention(q, k, v)[order], **near)


@given(st.integers(0, 2**32 - 1))
def test_a_bias_on_all_keys_cannot_be_seen(seed):
    q, k, _ = draw(((), 3, 5, 4, 1), seed=seed)
    bias = np.random.default_rng(seed + 1).standard_normal(4)
    near = 2 * (tolerance(q, k + bias, np.float64) + tolerance(q, k, np.float64))
    np.testing.assert_allclose(attention_weights(q, k + bias), attention_weights(q, k), rtol=near)


def test_the_factor_is_of_the_head_and_not_of_the_model():
    """Four heads of 16 numbers: each is scaled by 4, not by the root of 64."""
    q, k, v = draw(((4,), 3, 5, 16, 2))
    by_hand = softmax(np.einsum("hqd,hkd->hqk", q, k) / 4) @ v
    np.testing.assert_allclose(attention(q, k, v), by_hand, rtol=0, atol=1e-14)


def test_batch_axes_broadcast():
    """One set of keys and values for three heads of queries."""
    q, _, _ = draw(((2, 3), 4, 1, 8, 1))
    _, k, v = draw(((2, 1), 1, 5, 8, 6), seed=1)
    shared = attention(q, k, v)
    assert shared.shape == (2, 3, 4, 6)
    copied = attention(q, np.repeat(k, 3, axis=1), np.repeat(v, 3, axis=1))
    np.testing.assert_allclose(shared, copied, rtol=0, atol=1e-14)


def test_one_set_of_queries_for_two_heads_of_keys():
    q, _, _ = draw(((), 3, 1, 4, 1))
    _, k, v = draw(((2,), 1, 5, 4, 6), seed=1)
    mask = boolean_mask((2, 3, 5))
    copied = attention(np.stack([q, q]), k, v, mask)
    np.testing.assert_allclose(attention(q, k, v, mask), copied, rtol=0, atol=1e-14)


@pytest.mark.parametrize("mask", [None, "causal"])
def test_blocks_of_queries_change_nothing(monkeypatch, mask):
    q, k, v = draw(((2,), 10, 10, 4, 3))
    mask = None if mask is None else np.tril(np.ones((10, 10), bool))
    whole = attention(q, k, v, mask)
    for size in (1, 60, 70):  # 1, 3 and again 3 queries at a time: 10 is no multiple of 3
        monkeypatch.setattr(module, "BLOCK", size)
        np.testing.assert_allclose(attention(q, k, v, mask), whole, rtol=0, atol=1e-14)


@pytest.mark.parametrize("most", [1, 60, 70, 10**6])
def test_a_block_holds_no_more_scores_than_allowed(monkeypatch, most):
    q, k, v = draw(((2,), 10, 10, 4, 3))
    sizes = []

    def recorded(*arguments, weights=module._weights):
        result = weights(*arguments)
        sizes.append(result.size)
        return result

    monkeypatch.setattr(module, "BLOCK", most)
    monkeypatch.setattr(module, "_weights", recorded)
    attention(q, k, v)
    one_query = 2 * 10
    assert sum(sizes) == 10 * one_query
    assert max(sizes) <= max(most, one_query)
    # as many queries as fit: all blocks but the last are full
    assert set(sizes[:-1]) <= {max(most // one_query, 1) * one_query}


def test_no_query_is_no_error():
    q, k, v = draw(((2,), 3, 4, 5, 6))
    assert attention(q[:, :0], k, v).shape == (2, 0, 6)
    assert attention_weights(q[:, :0], k).shape == (2, 0, 4)


# Masks


def test_a_hidden_key_is_as_good_as_absent():
    q, k, v = draw(((), 3, 5, 4, 2))
    mask = np.array([True, False, True, True, False])
    near = {"rtol": 0, "atol": tolerance(q, k, np.float64) * np.abs(v).max()}
    np.testing.assert_allclose(attention(q, k, v, mask), attention(q, k[mask], v[mask]), **near)
    assert (attention_weights(q, k, mask)[:, ~mask] == 0).all()


def test_causal_rows_do_not_see_what_comes_later():
    q, k, v = draw(((), 4, 4, 3, 2))
    mask = np.tril(np.ones((4, 4), bool))
    before = attention(q, k, v, mask)
    k[3], v[3] = 100, -100
    np.testing.assert_array_equal(attention(q, k, v, mask)[:3], before[:3])
    assert not np.allclose(attention(q, k, v, mask)[3], before[3])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("sort", ["boolean", "added"])
def test_a_fully_masked_row_is_zero_as_in_torch(sort, kind):
    q, k, v = draw(((), 3, 4, 8, 2), kind)
    seen = np.ones((3, 4), bool)
    seen[1] = False
    mask = seen if sort == "boolean" else np.where(seen, 0, -np.inf).astype(kind)
    weights = attention_weights(q, k, mask)
    np.testing.assert_array_equal(weights[1], 0)
    np.testing.assert_allclose(weights[[0, 2]].sum(axis=-1), 1, atol=4 * np.finfo(kind).eps)
    np.testing.assert_array_equal(attention(q, k, v, mask)[1], 0)
    np.testing.assert_array_equal(torch_attention(q, k, v, mask)[1], 0)


def test_a_large_finite_number_is_not_a_mask():
    """In float32 the spacing at 1e9 is 64: the scores are lost, the row comes out uniform."""
    q, k, _ = draw(((), 1, 4, 8, 1), np.float32)
    weights = attention_weights(q, k, np.full((1, 4), -1e9, np.float32))
    np.testing.assert_array_equal(weights, 0.25)


def test_the_end_of_the_type_as_mask_does_not_overflow():
    q, k, _ = draw(((), 2, 3, 4, 1), np.float32)
    mask = np.array([0, np.finfo(np.float32).min, 0], np.float32)
    np.testing.assert_array_equal(attention_weights(q, k, mask)[:, 1], 0)
    low = attention_weights([[1e16]], [[-1e292], [0]], [[-np.finfo(float).max, 0]])
    np.testing.assert_array_equal(low, [[0, 1]])  # -1e308 - 1.8e308 is beyond the type


# Overflow


def test_float16_attention_survives_scores_that_float16_cannot_hold():
    q = np.full((2, 128), 23, np.float16)  # q . k = 67712, beyond 65504
    np.testing.assert_array_equal(attention_weights(q, q), 0.5)
    with pytest.raises(ValueError, match="^q, k: a score is beyond 65504, the end of float16$"):
        scores(q, q)


@pytest.mark.parametrize("call", [scores, attention_weights, lambda q, k: attention(q, k, k)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_score_beyond_the_type_is_an_error_and_no_number(call, kind):
    q = np.full((2, 3), np.sqrt(np.finfo(kind).max), kind)
    with pytest.raises(ValueError, match=f"^q, k: a score is beyond .*, the end of {q.dtype}$"):
        call(q, q)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.longdouble])
def test_products_that_overflow_to_both_sides_are_an_error_and_no_nan(kind):
    big = 4 * np.sqrt(np.finfo(kind).max)
    q, k = np.full((2, 2), big, kind), np.array([[big, -big], [big, big]], kind)
    for call in (scores, attention_weights):
        with pytest.raises(ValueError, match=f"^q, k: a score is beyond .*, the end of {q.dtype}$"):
            call(q, k)


def test_a_mask_beyond_the_type_is_an_error_and_no_number():
    q, k, v = draw(((), 2, 3, 4, 1), np.float32)
    for end in (1e300, -1e300):  # float64, like any number in Python
        with pytest.raises(ValueError, match="^mask: holds a number beyond the end of float32$"):
            attention(q, k, v, [[0.0, end, 0.0]])
    ones, top = np.ones((1, 1), np.float32), np.finfo(np.float32).max
    with pytest.raises(ValueError, match="^mask: added to a logit it goes beyond"):
        attention_weights(ones, ones * top / 10, np.full((1, 1), top, np.float32))


def test_values_at_the_end_of_the_type_are_no_infinity():
    top = np.finfo(np.float64).max  # 11 weights of 1/11 add up to a little above 1
    with pytest.raises(ValueError, match="^v: too large for the float type"):
        attention(np.ones((1, 4)), np.ones((11, 4)), np.full((11, 1), top))


def test_alpha_overflows_where_the_matrix_form_does_not():
    q, k = [[800.0]], [[1.0], [0.0]]
    with pytest.raises(ValueError, match="^q, k: exp of a score overflows"):
        alpha(q, k, 0, 0)
    np.testing.assert_array_equal(attention_weights(q, k), [[1, 0]])


# Bad arguments

ONES = np.ones


@pytest.mark.parametrize(
    ("q", "k", "v", "message"),
    [
        (ONES((2, 64)), ONES((2, 32)), ONES((2, 1)), "q: last axis is 64, but k has 32"),
        (ONES((5, 2, 9)), ONES((5, 2, 8)), ONES((5, 2, 1)), "q: last axis is 9, but k has 8"),
        (ONES(4), ONES((2, 4)), ONES((2, 1)), r"q: needs 2 axes or more .*, has shape \(4,\)"),
        (ONES((2, 4)), ONES(4), ONES((2, 1)), r"k: needs 2 axes or more .*, has shape \(4,\)"),
        (ONES((2, 4)), ONES((2, 4)), ONES(2), r"v: needs 2 axes or more .*, has shape \(2,\)"),
        (ONES((2, 4)), ONES((3, 4)), ONES((2, 1)), "v: has 2 rows, but k has 3"),
        (ONES((5, 2, 4)), ONES((5, 3, 4)), ONES((5, 2, 1)), "v: has 2 rows, but k has 3"),
        (ONES((2, 0)), ONES((2, 0)), ONES((2, 1)), "q: axis -1 is empty"),
        (ONES((2, 4)), ONES((0, 4)), ONES((0, 1)), "k: axis -2 is empty"),
        (ONES((2, 1, 4)), ONES((3, 1, 4)), ONES((3, 1, 1)),
         r"k: batch \(3,\) does not go with \(2,\) of q$"),
        (ONES((2, 1, 4)), ONES((1, 1, 4)), ONES((3, 1, 1)),
         r"v: batch \(3,\) does not go with \(2,\) of q and k$"),
        ([[np.nan]], [[1]], [[1]], "q: contains NaN"),
        ([[1]], [[np.inf]], [[1]], "k: contains inf"),
        ([[1]], [[1]], [[np.nan]], "v: contains NaN"),
    ],
)
def test_bad_arguments_are_refused_by_name(q, k, v, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        attention(q, k, v)
    if not message.startswith("v"):
        for call in (scores, attention_weights):
            with pytest.raises(ValueError, match=f"^{message}"):
                call(q, k)


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        ([[1, 0, 1]], TypeError,
         r"mask: must be booleans \(True: may look\) or floats, not whole numbers$"),
        ([["a"]], TypeError, "mask: must hold real numbers"),
        ([[True], [True, False]], TypeError, "mask: cannot be read as an array"),
        (np.ma.array([True] * 3, mask=[1, 0, 0]), TypeError, "mask: is a masked array"),
        ([[0, np.nan, 0]], ValueError, "mask: contains NaN"),
        ([[0, np.inf, 0]], ValueError, r"mask: contains \+inf"),
        (ONES((2, 2), bool), ValueError, r"mask: shape \(2, 2\) does not fit the scores' \(2, 3\)"),
        (ONES((4, 2, 3), bool), ValueError, r"mask: shape \(4, 2, 3\) does not fit"),
    ],
)
def test_bad_masks_are_refused_by_name(mask, error, message):
    q, k, v = draw(((), 2, 3, 4, 1))
    with pytest.raises(error, match=f"^{message}"):
        attention(q, k, v, mask)
    with pytest.raises(error, match=f"^{message}"):
        attention_weights(q, k, mask)


@pytest.mark.parametrize("d_k", [0, -64])
def test_d_k_is_at_least_one(d_k):
    with pytest.raises(ValueError, match="^d_k: must be at least 1"):
        scale(d_k)


def test_d_k_is_whole():
    with pytest.raises(TypeError, match="^d_k: must be a whole number, not 64.0$"):
        scale(64.0)


@pytest.mark.parametrize(
    ("i", "j", "message"),
    [
        (2, 0, "i: 2 is out of range, there are 2 rows"),
        (0, 3, "j: 3 is out of range, there are 3 rows"),
        (-1, 0, "i: must be at least 0, not -1"),
    ],
)
def test_bad_indices_are_refused_by_name(i, j, message):
    q, k, _ = draw(((), 2, 3, 4, 1))
    with pytest.raises(ValueError, match=f"^{message}$"):
        alpha(q, k, i, j)


def test_alpha_takes_one_head():
    q, k, _ = draw(((2,), 2, 3, 4, 1))
    with pytest.raises(ValueError, match=r"^q: must have 2 axes, has shape \(2, 2, 4\)$"):
        alpha(q, k, 0, 0)
    with pytest.raises(ValueError, match=r"^k: must have 2 axes, has shape \(2, 3, 4\)$"):
        alpha(q[0], k, 0, 0)


def test_arguments_are_not_changed():
    q, k, v = draw(((2,), 3, 4, 5, 6))
    mask = boolean_mask((3, 4))
    before = [x.copy() for x in (q, k, v, mask)]
    attention(q, k, v, mask)
    for x, was in zip((q, k, v, mask), before, strict=True):
        np.testing.assert_array_equal(x, was)
