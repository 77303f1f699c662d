"""What the expression of a checked number may call: one readable table, one line a function.

All of them are pure, draw nothing at random and are cheap at the sizes that
`calculator` lets through. To allow another one, add its line.
"""

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Lesson:
    """A public function of the package.

    at: its address, `module:function`; imported when it is first called.
    """

    at: str

    @cached_property
    def function(self) -> Callable:
        module, name = self.at.split(":")
        return getattr(importlib.import_module(module), name)


LESSON = {
    # softmax
    "softmax": Lesson("sqrtdk.softmax:softmax"),
    "softmax_naive": Lesson("sqrtdk.softmax:softmax_naive"),
    "log_softmax": Lesson("sqrtdk.softmax:log_softmax"),
    "log_sum_exp": Lesson("sqrtdk.softmax:log_sum_exp"),
    "jacobian": Lesson("sqrtdk.softmax:jacobian"),
    "entropy": Lesson("sqrtdk.softmax:entropy"),
    "effective_keys": Lesson("sqrtdk.softmax:effective_keys"),
    # attention
    "scores": Lesson("sqrtdk.attention:scores"),
    "scale": Lesson("sqrtdk.attention:scale"),
    "attention_weights": Lesson("sqrtdk.attention:attention_weights"),
    "attention": Lesson("sqrtdk.attention:attention"),
    "alpha": Lesson("sqrtdk.attention:alpha"),
    # the dot product
    "score_variance": Lesson("sqrtdk.dot_product:score_variance"),
    "score_std": Lesson("sqrtdk.dot_product:score_std"),
    "score_kurtosis": Lesson("sqrtdk.dot_product:score_kurtosis"),
    "score_mean_abs": Lesson("sqrtdk.dot_product:score_mean_abs"),
    "score_density": Lesson("sqrtdk.dot_product:score_density"),
    "score_tail": Lesson("sqrtdk.dot_product:score_tail"),
    "general_moments": Lesson("sqrtdk.dot_product:general_moments"),
    "initial_logit_std": Lesson("sqrtdk.dot_product:initial_logit_std"),
    # sharpness
    "condensation_std": Lesson("sqrtdk.sharpness:condensation_std"),
    "condensed_square_sum": Lesson("sqrtdk.sharpness:condensed_square_sum"),
    "spread_out_share": Lesson("sqrtdk.sharpness:spread_out_share"),
    # gradients
    "logit_gradient": Lesson("sqrtdk.gradients:logit_gradient"),
    "row_gradients": Lesson("sqrtdk.gradients:row_gradients"),
    "gradient_shares": Lesson("sqrtdk.gradients:gradient_shares"),
    "near_tie_density": Lesson("sqrtdk.gradients:near_tie_density"),
    "mean_limit": Lesson("sqrtdk.gradients:mean_limit"),
    "rms_limit": Lesson("sqrtdk.gradients:rms_limit"),
    "mean_slope": Lesson("sqrtdk.gradients:mean_slope"),
    "median_slope": Lesson("sqrtdk.gradients:median_slope"),
    # escape (`escape_steps` may run a million steps: its results come from docs/results/data)
    "escape_time": Lesson("sqrtdk.escape:escape_time"),
    # softmax's rivals
    "normalise": Lesson("sqrtdk.normalisers:normalise"),
}


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
