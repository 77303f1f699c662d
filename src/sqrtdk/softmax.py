"""Softmax and what is read off its weights.

x is an array of logits of any shape, or a nested list; softmax runs along one
named axis and every other axis is batch. A logit of -inf is a masked entry and
gets weight 0. NaN and +inf are refused.

Results keep the float type of the argument. float16 is computed in float32 and
rounded once at the end: a sum of float16 terms ends at 65504.
"""

import numpy as np

from sqrtdk import checks, formulas


def softmax(x, axis=-1, *, temperature=1.0):
    """exp(x_i / T) / sum_j exp(x_j / T) along `axis`, without overflow.

    Shape as `x`; no weight is negative and they sum to 1 along `axis`. The
    maximum is subtracted first, which changes nothing in exact arithmetic and
    keeps every exponent at or below 0 (Blanchard, Higham and Higham 2021,
    arXiv:1909.03469). The temperature T > 0 divides all logits (Hinton, Vinyals
    and Dean 2015, arXiv:1503.02531).

    A slice of nothing but -inf offers nothing to choose from: ValueError.
    (`attention_weights` gives zeros for a fully masked row.) ValueError too for
    NaN, +inf, an empty or missing axis, a temperature not above 0.
    """
    x, axis = _along("x", x, axis)
    logits = _divide(x, checks.positive("temperature", temperature), axis)
    with np.errstate(over="ignore", invalid="ignore"):
        weights = formulas.softmax(logits, axis)
    _refuse_nan(weights, x, axis)
    return weights.astype(x.dtype, copy=False)


def softmax_naive(x, axis=-1):
    """The same formula as it stands in books: it overflows.

    exp(x) is inf from x = 89 in float32 (710 in float64) and inf / inf is NaN;
    numpy warns of both. Kept beside `softmax` to be compared with it. The
    arguments are checked as there, but for slices of nothing but -inf.
    """
    x, axis = _along("x", x, axis)
    return formulas.softmax_naive(checks.logits("x", x), axis)


def log_softmax(x, axis=-1):
    """log(softmax(x)) along `axis`, also where the weight itself is below any float.

    Shape as `x`, in nats. Errors as for `softmax`.
    """
    x, axis = _along("x", x, axis)
    logits = wide(x)
    with np.errstate(over="ignore", invalid="ignore"):
        below = logits - logits.max(axis=axis, keepdims=True)
        log_weights = below - np.expand_dims(formulas.log_sum_exp(below, axis), axis)
    _refuse_nan(log_weights, x, axis)
    return log_weights.astype(x.dtype, copy=False)


def log_sum_exp(x, axis=-1):
    """log sum_j exp(x_j) along `axis`: a smooth maximum, whose gradient is softmax(x).

    Shape as `x` without `axis`. A slice of nothing but -inf gives -inf, the log
    of an empty sum. ValueError for NaN, +inf, an empty or missing axis.
    """
    x, axis = _along("x", x, axis)
    logits = wide(checks.logits("x", x))
    with np.errstate(over="ignore", invalid="ignore"):
        result = formulas.log_sum_exp(logits, axis)
    nothing = logits.max(axis=axis) == -np.inf
    return np.where(nothing, -np.inf, result).astype(x.dtype)[()]


def jacobian(weights):
    """d weights_i / d logit_j = p_i (1[i = j] - p_j), for weights p = softmax(logits).

    (..., n) -> (..., n, n); symmetric, each row sums to 0. ValueError when the
    weights are negative or do not sum to 1 along the last axis.
    """
    p = checks.distribution("weights", weights, -1)
    return formulas.jacobian(wide(p)).astype(p.dtype, copy=False)


def entropy(weights, axis=-1):
    """-sum p log p in nats, with 0 log 0 = 0: from 0 (one-hot) to log n (uniform).

    Shape as `weights` without `axis`. ValueError when the weights are negative
    or do not sum to 1 along `axis`.
    """
    p = checks.distribution("weights", weights, axis)
    return (formulas.entropy(wide(p), axis) + 0.0).astype(p.dtype)  # 0 for one-hot, not -0


def effective_keys(weights, axis=-1, order=1):
    """How many equally watched keys would be as spread out: from 1 to n.

    Order 1 is e^entropy (perplexity), order 2 is 1 / sum p^2 (inverse
    participation ratio); these are Hill numbers. Order 2 counts small weights
    less, so it is never the larger. Shape as `weights` without `axis`.
    ValueError for another order and as for `entropy`.
    """
    p = checks.distribution("weights", weights, axis)
    if checks.whole("order", order) not in (1, 2):
        raise ValueError(f"order: must be 1 or 2, not {order}")
    if order == 1:
        return np.exp(entropy(wide(p), axis)).astype(p.dtype)
    return (1 / (wide(p) ** 2).sum(axis=axis)).astype(p.dtype)


def wide(x):
    """float16 as float32; any other float type as it is."""
    return x.astype(np.promote_types(x.dtype, np.float32), copy=False)


def _along(name, x, axis):
    array = checks.numbers(name, x)
    return array, checks.axis_of(name, array, axis)


def _divide(x, temperature, axis):
    """x / T up to a constant along `axis`; in float64, as T may be beyond a smaller type."""
    if temperature == 1:
        return wide(x)
    x = x.astype(np.promote_types(x.dtype, np.float64), copy=False)
    with np.errstate(over="ignore", invalid="ignore"):
        return (x - x.max(axis=axis, keepdims=True)) / temperature  # x / T could overflow


def _refuse_nan(result, x, axis):
    """NaN, +inf, or nothing but -inf in x: each makes NaN in the result.

    So one look at the result stands for three at the argument.
    """
    if result.size and np.isnan(result.max()):
        checks.logits("x", x)
        raise ValueError(f"x: a slice along axis {axis} is all -inf: nothing to choose from")
