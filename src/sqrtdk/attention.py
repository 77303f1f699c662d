"""Scaled dot-product attention (Vaswani et al. 2017, arXiv:1706.03762, section 3.2.1).

q (..., n_q, d_k) holds one query a row, k (..., n_k, d_k) one key, v
(..., n_k, d_v) one value; batch axes broadcast. Arrays or nested lists of finite
numbers; results have the float type of the arguments together. float16 is
computed in float32, as fused kernels do, because q . k in float16 overflows
above 65504.

A mask is what `scaled_dot_product_attention` of PyTorch takes, broadcast to
(..., n_q, n_k):
- booleans, True where the query may look (the opposite of the masks of
  `torch.nn.MultiheadAttention`), or
- floats, added to the scaled scores: 0 leaves a key alone, -inf hides it. A finite
  number such as -1e9 is only a penalty: where every key has it, the row is not
  masked but rounded, and comes out uniform.

A row whose every key is hidden gets weights 0 and output 0, as in PyTorch since
its pull request 133882 (2024), not NaN: such rows are padding, and a NaN there
would spread to the gradient of every shared parameter.
"""

import math

import numpy as np

from sqrtdk import checks, formulas
from sqrtdk.softmax import wide

BLOCK = 2**18  # scores held at a time by `attention`: about a megabyte, so they stay in cache


def scores(q, k):
    """The raw scores q . k, without the factor: (..., n_q, n_k).

    ValueError when shapes do not match, a number is not finite, or a score is
    too large for the float type.
    """
    q, k = _queries_and_keys(q, k)
    kind = np.result_type(q, k)
    with np.errstate(over="ignore"):
        raw = _scores(wide(q), wide(k)).astype(kind, copy=False)
    return _refuse_overflow(raw)


def scale(d_k):
    """1 / sqrt(d_k), the factor on the scores; d_k is a whole number of at least 1."""
    return 1 / math.sqrt(checks.count("d_k", d_k))


def attention_weights(q, k, mask=None):
    """softmax(q k^T / sqrt(d_k) + mask): (..., n_q, n_k), each row sums to 1.

    A fully masked row is all 0. Errors: ValueError when shapes do not match, a
    number is not finite (but for -inf in the mask) or a score overflows;
    TypeError for a mask of whole numbers, which could mean either kind.
    """
    q, k = _queries_and_keys(q, k)
    mask = _mask(mask, _scores_shape(q, k))
    return _weights(wide(q), wide(k), mask).astype(np.result_type(q, k), copy=False)


def attention(q, k, v, mask=None):
    """softmax(q k^T / sqrt(d_k) + mask) v: (..., n_q, d_v).

    Each row of the result is a mean of the values, weighted by
    `attention_weights`. Runs through the queries in blocks, so memory grows with
    n_q + n_k and not with their product. Errors as for `attention_weights`.
    """
    q, k = _queries_and_keys(q, k)
    shape = _scores_shape(q, k)
    v = _values(v, shape)
    mask = _mask(mask, shape)
    wide_q, wide_k, wide_v = wide(q), wide(k), wide(v)

    def rows(start, stop):
        some = None if mask is None else mask[..., start:stop, :]
        weights = _weights(wide_q[..., start:stop, :], wide_k, some)
        with checks.within_floats("v"):
            return weights @ wide_v

    step = max(1, BLOCK // max(1, math.prod(shape) // max(1, shape[-2])))
    parts = [rows(i, i + step) for i in range(0, max(1, shape[-2]), step)]
    return np.concatenate(parts, axis=-2).astype(np.result_type(q, k, v), copy=False)


def alpha(q, k, i, j):
    """The weight of key j for query i, index by index, in float64.

    q (n_q, d_k), k (n_k, d_k); i and j count from 0. This is the formula with its
    sums written out, as slow and as open to overflow as it looks: ValueError
    when exp overflows, and for bad shapes or indices.
    """
    q, k = _queries_and_keys(q, k)
    for name, array in (("q", q), ("k", k)):
        if array.ndim != 2:
            raise ValueError(f"{name}: must have 2 axes, has shape {array.shape}")
    for name, index, size in (("i", i, len(q)), ("j", j, len(k))):
        if checks.whole(name, index, at_least=0) >= size:
            raise ValueError(f"{name}: {index} is out of range, there are {size} rows")
    with np.errstate(over="ignore", invalid="ignore"):
        weight = float(formulas.alpha(q.astype(float), k.astype(float), i, j))
    if not math.isfinite(weight):
        raise ValueError("q, k: exp of a score overflows; attention_weights does not")
    return weight


def _queries_and_keys(q, k):
    q, k = checks.floats("q", q), checks.floats("k", k)
    for name, array in (("q", q), ("k", k)):
        if array.ndim < 2:
            raise ValueError(f"{name}: needs 2 axes or more (rows, d_k), has shape {array.shape}")
    checks.axis_of("q", q, -1)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"q: last axis is {q.shape[-1]}, but k has {k.shape[-1]}")
    checks.axis_of("k", k, -2)
    _broadcast("k", k.shape[:-2], "q", q.shape[:-2])
    return q, k


def _values(v, scores_shape):
    v = checks.floats("v", v)
    if v.ndim < 2:
        raise ValueError(f"v: needs 2 axes or more (rows, d_v), has shape {v.shape}")
    if v.shape[-2] != scores_shape[-1]:
        raise ValueError(f"v: has {v.shape[-2]} rows, but k has {scores_shape[-1]}")
    _broadcast("v", v.shape[:-2], "q and k", scores_shape[:-2])
    return v


def _broadcast(name, batch, other, other_batch):
    try:
        np.broadcast_shapes(batch, other_batch)
    except ValueError:
        message = f"{name}: batch {batch} does not go with {other_batch} of {other}"
        raise ValueError(message) from None


def _scores_shape(q, k):
    return (*np.broadcast_shapes(q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2])


def _mask(mask, shape):
    """`mask` as booleans or floats of the scores' shape (a view), or None."""
    if mask is None:
        return None
    mask = checks.plain("mask", mask)
    if mask.dtype.kind in "iu":
        raise TypeError("mask: must be booleans (True: may look) or floats, not whole numbers")
    if mask.dtype != bool:
        mask = checks.logits("mask", mask)
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(f"mask: shape {mask.shape} does not fit the scores' {shape}") from None


def _scores(q, k):
    with np.errstate(over="ignore", invalid="ignore"):
        return _refuse_overflow(formulas.scores(q, k))


def _refuse_overflow(raw):
    if not np.isfinite(raw).all():
        largest = np.finfo(raw.dtype).max
        raise ValueError(f"q, k: a score is beyond {largest:g}, the end of {raw.dtype}")
    return raw


def _weights(q, k, mask):
    """Scale, then mask, then softmax. q is scaled first: it is the smaller array."""
    logits = _scores(q * scale(q.shape[-1]), k)
    if mask is None:
        return formulas.softmax(logits)
    logits = _masked(logits, mask)
    with np.errstate(invalid="ignore"):
        weights = formulas.softmax(logits)
    weights[logits.max(axis=-1) == -np.inf] = 0  # fully masked: softmax gave NaN there
    return weights


def _masked(logits, mask):
    if mask.dtype == bool:
        return np.where(mask, logits, -np.inf)
    with np.errstate(over="ignore"):
        narrow = mask.astype(logits.dtype)
        if (np.isinf(narrow) & np.isfinite(mask)).any():
            raise ValueError(f"mask: holds a number beyond the end of {logits.dtype}")
        logits = logits + narrow
    if logits.max() == np.inf:
        raise ValueError(f"mask: added to a logit it goes beyond the end of {logits.dtype}")
    return logits
