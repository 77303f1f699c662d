"""What a rule that turns scores into weights may promise.

A rule is a function from one row of scores (n,) to one row of weights (n,), NaN
where it is undefined. A property is a promise about every row. It is put to the
test in two steps: `look` computes what matters from the rule at one row, and
`judge` says whether what was seen agrees with the promise. One row for which it
does not is a counterexample, and what was seen there can be shown to a reader.

Comparisons with NaN are false, and each judge asks for a violation: where a rule
is undefined, it breaks no promise but that of being `total`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-12  # rows of some ten scores below 10: the sums are good to about 1e-14
STEP = 2.0**-26  # about sqrt(eps): cut-off and rounding errors of a slope are both about 1e-8
KINK = 1e-4  # far above those errors, far below the kinks of rules whose scores are below 10


@dataclass(frozen=True)
class Property:
    """A promise about all rows of scores.

    look:  (rule, scores, ...) -> tuple of what is to be judged. Further arguments
           have defaults, which the stored counterexamples use.
    judge: (scores, *seen) -> False if it contradicts the promise.
    """

    name: str
    look: Callable[..., tuple]
    judge: Callable[..., bool]

    def holds_at(self, rule, x, *change):
        """Does `rule` keep the promise at the row `x`?"""
        return bool(self.judge(x, *self.look(rule, x, *change)))


# --- look -------------------------------------------------------------------------


def _weights(rule, x):
    return (rule(x),)


def _own_weight_as_its_score_rises(rule, x, index=0, rise=1.0):
    raised = x.copy()
    raised[index] += rise
    return rule(x)[index], rule(raised)[index]


def _slopes(rule, x, index=0):
    """Slopes of all weights in one score, from the left and from the right.

    The steps differ, so that a jump of the rule itself gives different slopes too.
    """
    here = rule(x)
    left, right = x.copy(), x.copy()
    left[index] -= 4 * STEP
    right[index] += STEP
    return (here - rule(left)) / (4 * STEP), (rule(right) - here) / STEP


def _shifted(rule, x, shift=1.0):
    return rule(x), rule(x + shift)


def _scaled(rule, x, factor=2.0):
    return rule(x), rule(x * factor)


def _reordered(rule, x, order=slice(None, None, -1)):
    return rule(x)[order], rule(x[order])


# --- judge ------------------------------------------------------------------------


def _none_negative(x, weights):
    return not (weights < 0).any()


def _all_positive(x, weights):
    return not (weights <= 0).any()


def _sum_is_one(x, weights):
    return not abs(weights.sum() - 1) > ROUNDING * max(1, abs(weights).sum())


def _rises(x, before, after):
    return not after <= before


def _higher_score_gets_more(x, weights):
    higher = x[:, None] > x
    return not (higher & (weights[:, None] <= weights)).any()


def _higher_score_gets_no_less(x, weights):
    higher = x[:, None] > x
    return not (higher & (weights[:, None] < weights)).any()


def _same(x, first, second, tolerance=ROUNDING):
    size = np.fmax(1, np.fmax(abs(first), abs(second)))
    return not (abs(first - second) > tolerance * size).any()


def _slopes_meet(x, left, right):
    return _same(x, left, right, tolerance=KINK)


def _defined(x, weights):
    return not np.isnan(weights).any()


# --- the promises -----------------------------------------------------------------

PROPERTIES = {
    property.name: property
    for property in (
        # No weight is below zero.
        Property("nonnegative", _weights, _none_negative),
        # The weights sum to 1.
        Property("sums_to_one", _weights, _sum_is_one),
        # Raising one score, the others fixed, always raises its own weight.
        Property("monotone", _own_weight_as_its_score_rises, _rises),
        # Of two keys the one with the higher score has the higher weight.
        Property("order_strict", _weights, _higher_score_gets_more),
        # Of two keys the one with the higher score has no lower weight.
        Property("order_weak", _weights, _higher_score_gets_no_less),
        # Where the rule is defined, each weight has a derivative in each score.
        Property("differentiable", _slopes, _slopes_meet),
        # Every key gets some weight.
        Property("full_support", _weights, _all_positive),
        # Adding one number to all scores changes nothing.
        Property("shift_invariant", _shifted, _same),
        # Multiplying all scores by one positive number changes nothing.
        Property("scale_invariant", _scaled, _same),
        # Reordering the keys reorders the weights, and does nothing else.
        Property("permutation_equivariant", _reordered, _same),
        # There are weights for every row of scores.
        Property("total", _weights, _defined),
    )
}
