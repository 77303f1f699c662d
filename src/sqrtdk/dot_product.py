"""The raw score q·k of random q and k: its moments, its exact law, and draws of it.

Unless a docstring says otherwise, q and k are independent and their d_k
components are independent with mean 0 and variance 1. Scores have no unit.
"""

import math
from typing import NamedTuple

import numpy as np

from sqrtdk import checks
from sqrtdk.sampling import Estimate, RunningMean, chunk_sizes, root

MOST = 2**20  # d_k of an exact law: there it is good to nine digits, beyond it logs cancel


def score_variance(d_k):
    """Variance of q·k: exactly d_k, whatever the components' law.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), §3.2.1, footnote 4.
    Raises TypeError or ValueError unless d_k is a whole number from 1 up.
    """
    return float(checks.count("d_k", d_k))


def score_std(d_k):
    """Standard deviation of q·k: √d_k. Raises as `score_variance`."""
    return math.sqrt(score_variance(d_k))


def score_kurtosis(d_k):
    """Kurtosis of q·k (3 for a normal law) with Gaussian components: 3 + 6 / d_k.

    Raises as `score_variance`.
    """
    return 3 + 6 / score_variance(d_k)


def score_mean_abs(d_k):
    """Mean of |q·k| with Gaussian components; near √(2 d_k / π) for large d_k.

    It is E|q| E|z| with z standard normal, since given q the score is |q| z.
    Raises as `score_variance`, and ValueError for a d_k beyond 2^20.
    """
    half = _exact(d_k) / 2
    return 2 / math.sqrt(math.pi) * math.exp(math.lgamma(half + 0.5) - math.lgamma(half))


def score_density(x, d_k):
    """Density of q·k at x with Gaussian components, exact at every d_k up to 2^20.

    `x` may have any shape; the result has the same. For d_k = 1 the density at 0
    is inf (it grows like −ln|x|/π, and |x| below 1e-150 is taken for that). For
    d_k = 1 this is a variance-gamma law (Gaunt 2019, arXiv:1807.03981).

    Raises TypeError or ValueError for a bad d_k or an x that is not finite.
    """
    x, d_k = _score("x", x), _exact(d_k)
    variance, probability = _squared_length(x, d_k)
    normal = np.exp(-(x[..., None] ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    density = (probability * normal).sum(axis=-1)
    return np.where((d_k == 1) & (x == 0), np.inf, density)[()]


def score_tail(threshold, d_k):
    """Probability of |q·k| > threshold with Gaussian components, exact at every d_k up to 2^20.

    `threshold` may have any shape; the result has the same.

    Raises TypeError or ValueError for a bad d_k or a threshold that is not finite
    or below 0.
    """
    threshold, d_k = _score("threshold", threshold), _exact(d_k)
    if threshold.min(initial=0) < 0:
        raise ValueError(f"threshold: must not be below 0, but {threshold.min():g} is")
    variance, probability = _squared_length(threshold, d_k)
    beyond = _erfc(threshold[..., None] / np.sqrt(2 * variance))
    return np.minimum((probability * beyond).sum(axis=-1), 1)[()]


class ScoreMoments(NamedTuple):
    """Sampled moments of the score, each with its standard error."""

    mean: Estimate
    std: Estimate


def sample_moments(d_k, draws, seed, *, progress=None, numbers_at_once=None):
    """Draw Gaussian q and k, `draws` pairs, and estimate mean and std of q·k.

    The memory used depends on neither `draws` nor (up to 100 000) `d_k`.
    `numbers_at_once` changes the size of the pieces, not the numbers drawn.
    `progress`, if given, is called with the pairs done since the last call.

    Raises TypeError or ValueError for d_k < 1, draws < 2 or seed < 0.
    """
    d_k = checks.count("d_k", d_k)
    draws = checks.count("draws", draws, at_least=2)
    rng = np.random.default_rng(checks.whole("seed", seed, at_least=0))
    moments = RunningMean()
    for size in chunk_sizes(draws, 2 * d_k, numbers_at_once):
        pairs = rng.standard_normal((size, 2, d_k))
        scores = np.einsum("nd,nd->n", pairs[:, 0], pairs[:, 1])
        moments.add(np.stack([scores, scores**2], axis=-1))
        if progress:
            progress(size)
    mean, mean_square = moments.estimates()
    variance = (mean_square.value - mean.value**2) * draws / (draws - 1)
    return ScoreMoments(mean, root(Estimate(variance, mean_square.se)))


class GeneralMoments(NamedTuple):
    """Moments of q·k, and its variance across the keys of one row."""

    mean: float
    variance: float
    row_variance: float


@checks.within_floats("mean_q, cov_q, mean_k, cov_k")
def general_moments(mean_q, cov_q, mean_k, cov_k):
    """Moments of q·k for independent q and k of any mean and covariance.

    Means have shape (d_k,), covariances (d_k, d_k). With Σ the covariances and μ
    the means: the mean is μ_q·μ_k, the variance
    tr(Σ_q Σ_k) + μ_qᵀ Σ_k μ_q + μ_kᵀ Σ_q μ_k. The keys of a row share their query,
    and q·μ_k shifts all their scores alike, so `row_variance` lacks the last term. It is
    a mean over queries: for one query it is qᵀ Σ_k q.

    Raises TypeError or ValueError for shapes that don't match and covariances that
    are not symmetric or have a negative variance in some direction.
    """
    mean_q, mean_k = checks.row("mean_q", mean_q), checks.row("mean_k", mean_k)
    if mean_k.shape != mean_q.shape:
        raise ValueError(f"mean_k: has shape {mean_k.shape}, but mean_q has {mean_q.shape}")
    cov_q = _covariance("cov_q", cov_q, mean_q.size)
    cov_k = _covariance("cov_k", cov_k, mean_q.size)
    row_variance = np.sum(cov_q * cov_k) + mean_q @ cov_k @ mean_q
    variance = row_variance + mean_k @ cov_q @ mean_k
    return GeneralMoments(float(mean_q @ mean_k), float(variance), float(row_variance))


# Variance of one weight of W_Q and W_K, given the width d_model.
WEIGHT_VARIANCE = {
    "1/d_model": lambda d_model: 1 / d_model,
    "nn.Linear": lambda d_model: 1 / (3 * d_model),  # uniform within ±1/√d_model
    # Xavier-uniform over W_Q, W_K and W_V stacked: 2 / (fan_in + fan_out)
    "nn.MultiheadAttention": lambda d_model: 2 / (d_model + 3 * d_model),
    "normal 0.02": lambda d_model: 0.02**2,
}


def initial_logit_std(d_model, initialiser):
    """Standard deviation of the logits q·k / √d_k before training.

    `initialiser` is a key of `WEIGHT_VARIANCE`. The inputs of W_Q and W_K have
    d_model uncorrelated components of mean 0 and variance 1, as after layer
    normalisation; biases are 0. Then q and k have variance v = d_model · Var(W), the
    score has variance d_k v², and the logit has standard deviation v: d_k drops out.

    Raises TypeError or ValueError for d_model < 1 or an unknown initialiser.
    """
    d_model = checks.count("d_model", d_model)
    variance = WEIGHT_VARIANCE[checks.choice("initialiser", initialiser, WEIGHT_VARIANCE)]
    return d_model * variance(d_model)


def _score(name, x):
    """A score as float64, within ±1e150: beyond it all is 0, and a square overflows."""
    return np.clip(checks.floats(name, x).astype(np.float64), -1e150, 1e150)


def _exact(d_k):
    """d_k, where the exact law can be computed."""
    d_k = checks.count("d_k", d_k)
    if d_k > MOST:
        raise ValueError(f"d_k: must be at most {MOST} for the exact law, not {d_k}")
    return d_k


def _covariance(name, matrix, d_k):
    matrix = checks.floats(name, matrix).astype(np.float64)
    if matrix.shape != (d_k, d_k):
        raise ValueError(f"{name}: has shape {matrix.shape}, but d_k = {d_k} needs {(d_k, d_k)}")
    rounding = 1e-9 * abs(matrix).max()
    if (abs(matrix - matrix.T) > rounding).any():
        raise ValueError(f"{name}: must be symmetric")
    lowest = np.linalg.eigvalsh(matrix).min()
    if lowest < -rounding:
        raise ValueError(f"{name}: must have no negative variance, but has {lowest:g}")
    return matrix


_erfc = np.vectorize(math.erfc, otypes=[float])


def _squared_length(x, d_k):
    """Values of |q|² and their probabilities, shape (..., nodes), fit for scores near x.

    Given q the score is normal with variance |q|², and |q|² is chi-squared with d_k
    degrees of freedom. The integral over u = ln |q|² is a trapezoidal sum. Its
    integrand at score x falls off on both sides of a peak like
    exp(−a (e^−s − 1 + s) − b (e^s − 1 − s)), s the distance from the peak, so the
    sum converges exponentially fast, and in the tails to full relative accuracy.
    """
    x = np.maximum(abs(x), 1e-150)  # keeps a > 0
    half = (d_k - 1) / 2
    root = np.hypot(half, x)
    peak = half + root
    a, b = x / peak * (x / 2), peak / 2
    # Beyond these bounds the integrand is below e^−40 of its peak. Where b is large the
    # peak is narrow: e^s − 1 − s ≥ s²/2, and e^−s − 1 + s ≥ s²/3 up to s = 1.
    left = np.minimum(np.log(2 + 80 / a), np.where(b > 120, np.sqrt(120 / b), 1 + 40 / b))
    right = np.minimum(np.log(2 + 80 / b), np.sqrt(80 / b))
    step = np.minimum(0.2, 0.5 / np.sqrt(root))  # half a width of the peak
    nodes = math.ceil(np.max((left + right) / step, initial=1)) + 1
    step = (left + right) / (nodes - 1)
    u = np.log(peak)[..., None] + np.linspace(-left, right, nodes, axis=-1)
    variance = np.exp(u)
    log_density = d_k / 2 * (u - math.log(2)) - variance / 2 - math.lgamma(d_k / 2)
    return variance, np.exp(log_density) * step[..., None]
