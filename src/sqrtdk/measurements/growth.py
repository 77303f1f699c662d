"""The spread of q·k against d_k, and what becomes of it where the assumptions fail."""

import numpy as np

from sqrtdk.dot_product import general_moments, sample_moments, score_std
from sqrtdk.sampling import RunningMean, root

SEED = 20170612
D_K = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
DRAWS = 50_000

CASES_D_K, ROWS, KEYS = 64, 5000, 8


def measure():
    """Theory beside simulation, the latter as [value, standard error].

    `spread`: d_k → theory, mean, std. `cases`: what is changed → mean and std of a score and
    std within a row by the formula, and that last one simulated.
    """
    return {
        "seed": SEED,
        "draws": DRAWS,
        "spread": {d_k: measure_spread(d_k) for d_k in D_K},
        "cases_d_k": CASES_D_K,
        "cases": {name: measure_case(*case) for name, case in cases(CASES_D_K).items()},
    }


def measure_spread(d_k):
    """The standard deviation √d_k beside a sample of real vectors."""
    mean, std = sample_moments(d_k, DRAWS, SEED + d_k)  # no two sizes share their draws
    return {"theory": score_std(d_k), "mean": mean, "std": std}


def cases(d_k):
    """Name → mean of q, covariance of q, mean of k, covariance of k."""
    zero, eye = np.zeros(d_k), np.eye(d_k)

    def correlated(rho):
        return rho * np.ones((d_k, d_k)) + (1 - rho) * eye

    return {
        "as assumed": (zero, eye, zero, eye),
        "k correlated 0.5": (zero, eye, zero, correlated(0.5)),
        "both correlated 0.1": (zero, correlated(0.1), zero, correlated(0.1)),
        "both correlated 0.5": (zero, correlated(0.5), zero, correlated(0.5)),
        "variance 4": (zero, 4 * eye, zero, 4 * eye),
        "both means 0.5": (zero + 0.5, eye, zero + 0.5, eye),
        "k mean 1": (zero, eye, zero + 1, eye),
    }


def measure_case(mean_q, cov_q, mean_k, cov_k):
    """The formula of `general_moments`, and the variance across each row's keys in a sample."""
    theory = general_moments(mean_q, cov_q, mean_k, cov_k)
    rng = np.random.default_rng(SEED)
    q = rng.multivariate_normal(mean_q, cov_q, (ROWS, 1), method="cholesky")
    k = rng.multivariate_normal(mean_k, cov_k, (ROWS, KEYS), method="cholesky")
    row_variance = np.sum(q * k, axis=-1).var(axis=-1, ddof=1)
    rows = RunningMean()
    rows.add(row_variance[:, None])
    return {
        "mean": theory.mean,
        "std": theory.variance**0.5,
        "row_std": theory.row_variance**0.5,
        "row_std_sampled": root(*rows.estimates()),
    }
