"""What learning signal reaches q, k and their matrices when attention starts.

One row of attention: logits = scale · k @ q, weights = softmax(logits). The loss
pulls on the weights with the upstream gradient u = ∂L/∂weights (with values v and
an upstream gradient g on the output, u = v @ g). Back through the softmax:

    ∂L/∂logits = J u,  J = diag(weights) − weights weightsᵀ,
    ∂L/∂q = scale · kᵀ (J u),  ∂L/∂k_j = scale · (J u)_j q.

So the scale acts twice: it multiplies the gradient, and it sets how sharp the row
is inside J. Random rows are drawn as at the start of training: the elements of q,
k and u are independent and N(0, 1). Sizes are lengths (Euclidean norms); nothing
here has a unit. All functions raise TypeError or ValueError for a bad argument.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from sqrtdk import checks, formulas
from sqrtdk.sampling import Estimate
from sqrtdk.softmax import wide

DEAD = 1e-3  # a row whose gradient is shorter than this is called dead
BATCHES = 20  # of rows, from whose differences a standard error is taken


class RowGradients(NamedTuple):
    """Gradients of the loss: logits (..., n_k), q (..., d_k), k (..., n_k, d_k)."""

    logits: np.ndarray
    q: np.ndarray
    k: np.ndarray


class Rows(NamedTuple):
    """Random rows: z (rows, n_k), each key's component along q; u (rows, n_k)."""

    z: np.ndarray
    u: np.ndarray


class Layer(NamedTuple):
    """x (n_tokens, d_model), q and k (n_tokens, d_k), u = ∂L/∂weights (n_tokens, n_tokens)."""

    x: np.ndarray
    q: np.ndarray
    k: np.ndarray
    u: np.ndarray


class LayerGradients(NamedTuple):
    """Sizes of a layer's gradients: W_q and W_k, and per query (n_tokens,) q and logits."""

    w_q: float
    w_k: float
    q: np.ndarray
    logits: np.ndarray


@checks.within_floats("u")
def logit_gradient(weights, u):
    """∂L/∂logits (..., n_k) of rows with `weights` (..., n_k), for u = ∂L/∂weights (..., n_k).

    Token j gets weights_j (u_j − the row's mean of u): the signal to a token carries
    that token's own weight as a factor.

    u is first measured from its value at the row's largest weight. On paper that
    changes nothing (J maps a constant to 0); in floating point it keeps the tiny
    gradients of very sharp rows exact, where u_j − mean would cancel.
    """
    weights = checks.distribution("weights", weights, axis=-1)
    u = checks.floats("u", u)
    _match_last_axis("u", u, "weights", weights)
    kind = np.result_type(weights, u)
    weights, u = np.broadcast_arrays(wide(weights), wide(u))
    top = weights.argmax(axis=-1)[..., None]
    gradient = formulas.logit_gradient(weights, u - np.take_along_axis(u, top, axis=-1))
    return gradient.astype(kind, copy=False)


@checks.within_floats("q, k, u, scale")
def row_gradients(q, k, u, scale):
    """Gradients of one row, or of a batch of rows, by the chain rule.

    q (..., d_k), k (..., n_k, d_k), u (..., n_k) = ∂L/∂weights, scale a number > 0.
    """
    q, k, u = checks.floats("q", q), checks.floats("k", k), checks.floats("u", u)
    _match_last_axis("k", k, "q", q)
    if k.ndim < 2:
        raise ValueError(f"k: needs 2 axes or more (rows, d_k), has shape {k.shape}")
    checks.axis_of("k", k, -2)
    scale = checks.positive("scale", scale)
    logits = scale * (k @ q[..., None])[..., 0]
    on_logits = logit_gradient(formulas.softmax(logits), u)
    on_q = scale * (on_logits[..., None, :] @ k)[..., 0, :]
    on_k = scale * on_logits[..., :, None] * q[..., None, :]
    return RowGradients(on_logits, on_q, on_k)


def gradient_shares(gradient):
    """Share of the squared gradient that each key of a row gets: (..., n_k), sums to 1.

    Their Hill number of order 2, `effective_keys(shares, order=2)` = 1/Σ share², is
    the effective number of keys that receive gradient: m if m keys get the same.
    ∂L/∂k_j is (J u)_j times a vector that all keys of the row share, so ∂L/∂logits
    gives the same shares as ∂L/∂k. ValueError if a row is zero everywhere.
    """
    size = np.abs(checks.floats("gradient", gradient))
    checks.axis_of("gradient", size, -1)
    largest = size.max(axis=-1, keepdims=True)
    if not (largest > 0).all():
        raise ValueError("gradient: a row is zero everywhere, so it has no shares")
    squared = (size / largest) ** 2  # divided first: squares of tiny numbers become 0
    return squared / squared.sum(axis=-1, keepdims=True)


def draw_rows(n_keys, rows, rng):
    """Draw `rows` random rows of `n_keys` keys as `Rows`; the raw scores are |q| z.

    For Gaussian keys that is exact in any dimension, given q.
    """
    n_keys = checks.count("n_keys", n_keys, at_least=2)
    shape = (checks.count("rows", rows), n_keys)
    rng = checks.generator("rng", rng)
    return Rows(rng.standard_normal(shape), rng.standard_normal(shape))


@checks.within_floats("sigma")
def gradient_curve(sigma, rows):
    """G_n(σ) = σ ‖J(σ z) u‖ for each of `rows`: the curve on which every scale is a point.

    For a query of length √d_k it is the size of ∂L/∂k (all keys together) and, up to
    the spread of random lengths, of ∂L/∂q, at σ = scale · √d_k: at √d_k without a
    factor, at 1 with 1/√d_k, at 1/√d_k with 1/d_k.
    """
    sigma, rows = checks.positive("sigma", sigma), _drawn("rows", rows, Rows)
    on_logits = logit_gradient(formulas.softmax(sigma * rows.z), rows.u)
    return sigma * np.linalg.norm(on_logits, axis=-1)


@checks.within_floats("scale")
def query_gradients(rows, d_k, scale, rng):
    """Sizes of ∂L/∂q (rows,) and the whole of ∂L/∂logits (rows, n_k), for random q and k.

    Exact without drawing the keys: their components across q are independent of the
    scores, so ∂L/∂q has the component scale · z·(J u) along q and d_k − 1 others that
    are independent N(0, scale² ‖J u‖²).
    """
    d_k, scale = checks.count("d_k", d_k), checks.positive("scale", scale)
    rows, rng = _drawn("rows", rows, Rows), checks.generator("rng", rng)
    count = len(rows.z)
    length = np.sqrt(rng.chisquare(d_k, count))[:, None]
    on_logits = logit_gradient(formulas.softmax(scale * length * rows.z), rows.u)
    along = (rows.z * on_logits).sum(axis=-1)
    size = np.linalg.norm(on_logits, axis=-1)
    across = size**2 * 2 * rng.standard_gamma((d_k - 1) / 2, count)  # χ², d_k − 1 freedoms
    return scale * np.sqrt(along**2 + across), on_logits


@checks.within_floats("sizes")
def rms(sizes):
    """Root of the mean square of `sizes` (n,)."""
    return np.sqrt(np.mean(np.square(checks.row("sizes", sizes))))


def dead_share(sizes):
    """Share of the rows whose gradient, of these `sizes` (n,), is shorter than `DEAD` = 0.001."""
    return np.mean(checks.row("sizes", sizes) < DEAD)


@checks.within_floats("sizes")
def top_share(sizes, one_in=100):
    """Share of the squared gradient that the largest one in `one_in` rows carry.

    Rounded down to whole rows, but at least one: one in ten of 64 rows is 6.
    ValueError if all squares are zero.
    """
    squared = np.sort(np.square(checks.row("sizes", sizes)))
    one_in = checks.count("one_in", one_in)
    if squared[-1] == 0:
        raise ValueError("sizes: all squares are zero, so there are no shares")
    return squared[-max(1, len(squared) // one_in) :].sum() / squared.sum()


def mean_estimate(values):
    """The mean of independent `values` (n,), at least two, with its standard error."""
    values = checks.row("values", values, at_least=2)
    return Estimate(float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values))))


def estimate(statistic, sizes):
    """A statistic of all `sizes`, with its standard error from `BATCHES` batches of them.

    The batches are equal and independent, so one way serves means, medians and
    shares alike; the error is itself known to about 1/√(2 · 19) = 16 %.
    """
    sizes = checks.row("sizes", sizes, at_least=BATCHES)
    batches = [statistic(batch) for batch in np.array_split(sizes, BATCHES)]
    return Estimate(float(statistic(sizes)), mean_estimate(batches).se)


def near_tie_density(n_keys):
    """g_n = n(n−1) ∫ φ² Φ^(n−2): density at 0 of the gap between the two largest of n.

    For n independent N(0, 1) numbers; 1/√π for n = 2. A very sharp row has gradient
    only when its two top keys nearly tie, so g_n alone sets the limits below.
    """
    n_keys = checks.count("n_keys", n_keys, at_least=2)
    x = np.linspace(-8, 12, 2001)  # the trapezoid rule is exact to rounding here
    above = np.array([math.erfc(value / math.sqrt(2)) / 2 for value in x])  # 1 − Φ
    density = np.exp(-(x**2) + (n_keys - 2) * np.log1p(-above)) / (2 * math.pi)
    return float(n_keys * (n_keys - 1) * np.trapezoid(density, x))


def mean_limit(n_keys):
    """Limit of the mean of G_n(σ) as σ grows: g_n √(2/π). It does not go to 0.

    With p on one of two nearly tied keys ‖J u‖ = √2 p(1−p) |u_1 − u_2|, of mean
    2√(2/π) p(1−p); the gap Δ has density g_n/σ near 0, and ∫₀^∞ p(1−p) dΔ = 1/2.
    """
    return near_tie_density(n_keys) * math.sqrt(2 / math.pi)


def rms_limit(n_keys, sigma):
    """Root mean square of G_n(σ) for large σ: √(σ g_n / 3). It grows.

    As for `mean_limit`: the mean of ‖J u‖² is 4 p²(1−p)², and ∫₀^∞ of it is 1/3.
    """
    return math.sqrt(checks.positive("sigma", sigma) * near_tie_density(n_keys) / 3)


def mean_slope(sigma):
    """Mean of p(1−p) for two keys with independent N(0, σ²) logits, by quadrature.

    p(1−p) is the part of the signal that softmax lets through. As σ grows its mean
    falls only like 1/(2√π σ): the density at 0 of the difference of the two logits,
    times ∫ p(1−p) = 1. The next term multiplies that by 1 − π²/(12 σ²).
    """
    sigma = max(checks.positive("sigma", sigma), 1e-100)  # the mean is 1/4 long before
    reach = min(45.0, 17.0 * sigma)  # beyond it nothing is left in float64
    gap = np.linspace(-reach, reach, 4001)
    density = np.exp(-((gap / (2 * sigma)) ** 2)) / (2 * math.sqrt(math.pi) * sigma)
    return float(np.trapezoid(density / (4 * np.cosh(gap / 2) ** 2), gap))


def median_slope(sigma):
    """Median of p(1−p) for the same two keys: it falls exponentially, like e^(−0.954 σ)."""
    gap = math.sqrt(2) * checks.positive("sigma", sigma) * NormalDist().inv_cdf(0.75)
    return math.exp(-gap) / (1 + math.exp(-gap)) ** 2


def draw_layer(n_tokens, d_k, rng, d_model=128, values_from_inputs=False):
    """Draw one attention head as it is before its first step, as `Layer`.

    Inputs x are N(0, 1), W_q and W_k (d_model, d_k) N(0, 1/d_model), so that q and k
    have variance 1. Values (n_tokens, d_k) are N(0, 1), drawn for themselves, or x W_v
    if `values_from_inputs`: then keys and values are correlated through x, the more so
    the more tokens there are for the width d_model. The upstream gradient on each
    query's output is a random vector of length 1; u is what it makes of the weights.
    """
    n_tokens = checks.count("n_tokens", n_tokens, at_least=2)
    d_k, d_model = checks.count("d_k", d_k), checks.count("d_model", d_model)
    rng = checks.generator("rng", rng)
    x = rng.standard_normal((n_tokens, d_model))
    q, k, x_v = (x @ rng.normal(0, d_model**-0.5, (d_model, d_k)) for _ in range(3))
    v = x_v if values_from_inputs else rng.standard_normal((n_tokens, d_k))
    on_output = rng.standard_normal((n_tokens, d_k))
    on_output /= np.linalg.norm(on_output, axis=-1, keepdims=True)
    return Layer(x, q, k, u=on_output @ v.T)


@checks.within_floats("scale")
def layer_gradients(layer, scale):
    """Sizes of a `Layer`'s gradients when its scores are multiplied by `scale`."""
    scale = checks.positive("scale", scale)
    x, q, k, u = _drawn("layer", layer, Layer)
    on_logits = logit_gradient(formulas.softmax(scale * (q @ k.T)), u)
    on_q, on_k = scale * (on_logits @ k), scale * (on_logits.T @ q)
    return LayerGradients(
        w_q=float(np.linalg.norm(x.T @ on_q)),
        w_k=float(np.linalg.norm(x.T @ on_k)),
        q=np.linalg.norm(on_q, axis=-1),
        logits=np.linalg.norm(on_logits, axis=-1),
    )


def _drawn(name, value, kind):
    """`value`, which must be a named tuple of that kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: must be {kind.__name__}, not {type(value).__name__}")
    return value


def _match_last_axis(name, x, other_name, other):
    """Raise ValueError unless both arrays have axes and the last ones are equally long."""
    if not (x.ndim and other.ndim and x.shape[-1] == other.shape[-1]):
        raise ValueError(
            f"{name}: shape {x.shape} does not fit {other_name}, shape {other.shape}:"
            " their last axes must be equally long"
        )
