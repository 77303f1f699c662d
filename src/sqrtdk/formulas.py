"""The formulas, bare, as the pages show them.

Each section below is copied to a page as it stands, so it has no checks, no
options that a page does not use, and needs nothing but numpy. The modules named
after the pages (`softmax`, `attention`, …) check their arguments and then call
these: there is one copy of each formula, here.

Shapes: `...` is any batch shape, n_q queries, n_k keys, d_k numbers in a query
or key, d_v numbers in a value.
"""

# --8<-- [start:numpy]
import numpy as np
# --8<-- [end:numpy]


# --8<-- [start:softmax_naive]
def softmax_naive(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
# --8<-- [end:softmax_naive]


# --8<-- [start:softmax]
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - top)               # no exponent above 0
    return e / e.sum(axis=axis, keepdims=True)
# --8<-- [end:softmax]


# --8<-- [start:log_sum_exp]
def log_sum_exp(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    total = np.exp(x - top).sum(axis=axis, keepdims=True)
    return (top + np.log(total)).squeeze(axis)
# --8<-- [end:log_sum_exp]


# --8<-- [start:jacobian]
def jacobian(p):
    n = p.shape[-1]
    return p[..., :, None] * (np.eye(n) - p[..., None, :])
# --8<-- [end:jacobian]


# --8<-- [start:entropy]
def entropy(p, axis=-1):
    log_p = np.log(np.where(p > 0, p, 1))  # 0 log 0 = 0
    return -(p * log_p).sum(axis=axis)
# --8<-- [end:entropy]


# --8<-- [start:scores]
def scores(q, k):
    return q @ k.swapaxes(-1, -2)     # (..., n_q, n_k)
# --8<-- [end:scores]


# --8<-- [start:attention]
def attention(q, k, v):
    d_k = q.shape[-1]
    logits = scores(q, k) / d_k**0.5  # (..., n_q, n_k)
    weights = softmax(logits)         # each row sums to 1
    return weights @ v                # (..., n_q, d_v)
# --8<-- [end:attention]


# --8<-- [start:alpha]
def alpha(q, k, i, j):
    d_k = len(q[i])
    def score(j):
        return sum(q[i][c] * k[j][c] for c in range(d_k))
    def e(j):
        return np.exp(score(j) / np.sqrt(d_k))
    return e(j) / sum(e(m) for m in range(len(k)))
# --8<-- [end:alpha]


# --8<-- [start:logit_gradient]
def logit_gradient(p, u):
    mean = (p * u).sum(axis=-1, keepdims=True)
    return p * (u - mean)  # the same as jacobian(p) @ u
# --8<-- [end:logit_gradient]


# --8<-- [start:escape_time]
def escape_time(gap):
    return (np.exp(gap) + 3 * gap + 5 / 2
            - 3 * np.exp(-gap) - np.exp(-2 * gap) / 2) / 2
# --8<-- [end:escape_time]


# --8<-- [start:escape_time_on_weight]
def escape_time_on_weight(gap):
    return (gap + 1 - np.exp(-gap)) / 2
# --8<-- [end:escape_time_on_weight]
