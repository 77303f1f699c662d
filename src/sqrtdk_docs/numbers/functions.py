"""What the expression of a checked number may call: one readable table.

All of them are pure, draw nothing at random and are cheap at the sizes that
`calculator` lets through. To allow another one, add its name.
"""

import importlib
import math
from collections.abc import Callable

import numpy as np

# The public functions of the lesson, by module.
ALLOWED = {
    "sqrtdk.softmax": ["softmax", "softmax_naive", "log_softmax", "log_sum_exp", "jacobian",
                       "entropy", "effective_keys"],
    "sqrtdk.attention": ["scores", "scale", "attention_weights", "attention", "alpha"],
    "sqrtdk.dot_product": ["score_variance", "score_std", "score_kurtosis", "score_mean_abs",
                           "score_density", "score_tail", "general_moments", "initial_logit_std"],
    "sqrtdk.sharpness": ["condensation_std", "condensed_square_sum", "spread_out_share"],
    "sqrtdk.gradients": ["logit_gradient", "row_gradients", "gradient_shares", "near_tie_density",
                         "mean_limit", "rms_limit", "mean_slope", "median_slope"],
    # `escape_steps` may run a million steps: its results come from docs/results/data.
    "sqrtdk.escape": ["escape_time"],
    "sqrtdk.normalisers": ["normalise"],
}
MODULE_OF = {name: module for module, names in ALLOWED.items() for name in names}


def lesson(name: str) -> Callable:
    """The lesson's function of this name, imported now: `serve` may have reloaded its module."""
    return getattr(importlib.import_module(MODULE_OF[name]), name)


def _floats(x):
    return np.asarray(x, dtype=float)


def _round(x, digits=0):
    # On a float: for a whole number Python would compute 10**-digits, however many they are.
    return round(float(x), digits)


MATHS = {
    "sqrt": lambda x: np.sqrt(_floats(x)),
    "exp": lambda x: np.exp(_floats(x)),
    "log": lambda x: np.log(_floats(x)),
    "erf": lambda x: math.erf(x),
    "min": min,
    "max": max,
    "sum": sum,
    "len": len,
    "abs": abs,
    "round": _round,
}

CONSTANTS = {"pi": math.pi}
