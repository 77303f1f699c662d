"""Softmax and its rivals: rules that turn one row of scores into weights.

Each rival stands with its counterexamples: rows of scores at which it breaks a
promise of `sqrtdk.properties`. Its verdicts are nothing else: a property with a
stored counterexample gets a cross, and one without gets a tick. The tests check
that each counterexample refutes, and search for one against every tick.

The rules below are bare, as pages show them: one row of scores (n,) in, one row
of weights (n,) out, no checks. `normalise` checks its arguments.

Linear attention (Katharopoulos et al. 2020, arXiv:2006.16236) is missing on
purpose: its weights are not a function of the scores q·k.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from sqrtdk import checks
from sqrtdk.formulas import softmax
from sqrtdk.properties import PROPERTIES


# --8<-- [start:share]
def share(parts):
    return parts / parts.sum()
# --8<-- [end:share]


# --8<-- [start:raw_sum]
def raw_sum(x):
    return x / x.sum()
# --8<-- [end:raw_sum]


# --8<-- [start:absolute]
def absolute(x):
    return share(np.abs(x))
# --8<-- [end:absolute]


# --8<-- [start:relu]
def relu(x):
    return share(np.maximum(x, 0))
# --8<-- [end:relu]


# --8<-- [start:relu_squared]
def relu_squared(x):
    return share(np.maximum(x, 0) ** 2)
# --8<-- [end:relu_squared]


# --8<-- [start:relu_over_n]
def relu_over_n(x):
    return np.maximum(x, 0) / len(x)
# --8<-- [end:relu_over_n]


# --8<-- [start:uniform]
def uniform(x):
    return np.full(len(x), 1 / len(x))
# --8<-- [end:uniform]


# --8<-- [start:hardmax]
def hardmax(x):
    return share(x == x.max())  # ties share
# --8<-- [end:hardmax]


# --8<-- [start:sigmoid]
def sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))  # 1 / (1 + e^-x)
# --8<-- [end:sigmoid]


# --8<-- [start:sparsemax]
def sparsemax(x):
    z = np.sort(x - x.max())[::-1]
    kept = np.arange(1, len(x) + 1)
    # tau[k-1]: what to subtract if k scores are kept
    tau = (np.cumsum(z) - 1) / kept
    return np.maximum(x - x.max() - tau.max(), 0)
# --8<-- [end:sparsemax]


# --8<-- [start:entmax15]
def entmax15(x):
    half = (x - x.max()) / 2
    z = np.sort(half)[::-1]
    kept = np.arange(1, len(x) + 1)
    mean = np.cumsum(z) / kept
    var = np.cumsum(z**2) / kept - mean**2
    root = np.sqrt(np.maximum(1 / kept - var, 0))
    # tau[k-1]: what to subtract if k scores are kept
    tau = mean - root
    k = np.count_nonzero(z >= tau)
    return np.maximum(half - tau[k - 1], 0) ** 2
# --8<-- [end:entmax15]


# --8<-- [start:off_by_one]
def off_by_one(x):
    return softmax(np.append(x, 0))[:-1]
# --8<-- [end:off_by_one]


# --8<-- [start:gumbel]
def gumbel(x, seed=1):
    rng = np.random.default_rng(seed)
    return softmax(x + rng.gumbel(size=len(x)))
# --8<-- [end:gumbel]


# --8<-- [start:elu_plus_one]
def elu_plus_one(x):
    e = np.exp(np.minimum(x, 0))
    return share(np.where(x > 0, x + 1, e))
# --8<-- [end:elu_plus_one]


# --8<-- [start:softplus]
def softplus(x):
    return share(np.logaddexp(0, x))  # ln(1 + e^x)
# --8<-- [end:softplus]


# --8<-- [start:taylor2]
def taylor2(x):
    return share(1 + x + x**2 / 2)
# --8<-- [end:taylor2]


# --8<-- [start:softplus_centred]
def softplus_centred(x):
    return softplus(x - x.mean())
# --8<-- [end:softplus_centred]


@dataclass(frozen=True)
class Normaliser:
    """A rule with the rows at which it breaks a promise.

    function:        one row of scores (n,) -> one row of weights (n,).
    counterexamples: property's name -> the row of scores that refutes it.
    source:          where the rule comes from; None if it is common knowledge
                     or made up here for comparison.
    """

    name: str
    function: Callable[[np.ndarray], np.ndarray]
    counterexamples: Mapping[str, tuple[float, ...]]
    source: str | None = None

    def __call__(self, x):
        """Weights (n,) of the scores x (n,), all NaN where the rule is undefined."""
        with np.errstate(all="ignore"):
            weights = self.function(x)
        return weights if np.isfinite(weights).all() else np.full(len(x), np.nan)

    def holds(self, property):
        """Its verdict: a tick, unless a counterexample is stored."""
        return property not in self.counterexamples

    def refutation(self, property):
        """The stored counterexample and what is seen there: (scores, *seen)."""
        x = np.array(self.counterexamples[property], dtype=np.float64)
        return x, *PROPERTIES[property].look(self, x)


NORMALISERS = {
    rival.name: rival
    for rival in (
        Normaliser(
            "softmax",
            softmax,
            {"scale_invariant": (1, 1.2, 1.5)},
            "Bridle 1990, doi:10.1007/978-3-642-76153-9_28",
        ),
        Normaliser(
            "raw_sum",
            raw_sum,
            {
                "nonnegative": (-1, 3),
                "monotone": (1, -3),
                "order_strict": (1, -3),
                "order_weak": (1, -3),
                "full_support": (0, 1),
                "shift_invariant": (1, 2, 3),
                "total": (1, -1),
            },
        ),
        Normaliser(
            "absolute",
            absolute,
            {
                "monotone": (-1, 1),
                "order_strict": (-3, 1),
                "order_weak": (-3, 1),
                "differentiable": (0, 1),
                "full_support": (0, 1),
                "shift_invariant": (1, 2, 3),
                "total": (0, 0),
            },
        ),
        Normaliser(
            "relu",
            relu,
            {
                "monotone": (-2, 1),
                "order_strict": (-2, -1, 1),
                "differentiable": (0, 1),
                "full_support": (-1, 1),
                "shift_invariant": (1, 2, 3),
                "total": (-1, -2),
            },
        ),
        Normaliser(
            "relu_squared",
            relu_squared,
            {
                "monotone": (-2, 1),
                "order_strict": (-2, -1, 1),
                "full_support": (-1, 1),
                "shift_invariant": (1, 2, 3),
                "total": (-1, -2),
            },
        ),
        Normaliser(
            "relu_over_n",
            relu_over_n,
            {
                "sums_to_one": (1, 0),
                "monotone": (-2, 1),
                "order_strict": (-2, -1, 1),
                "differentiable": (0, 1),
                "full_support": (-1, 1),
                "shift_invariant": (1, 2, 3),
                "scale_invariant": (1, 1.2, 1.5),
            },
            "Wortsman et al. 2023, arXiv:2309.08586",
        ),
        Normaliser(
            "uniform",
            uniform,
            {"monotone": (0, 1), "order_strict": (0, 1)},
        ),
        Normaliser(
            "hardmax",
            hardmax,
            {
                "monotone": (0, 2),
                "order_strict": (3, 2, 1),
                "differentiable": (1, 1),
                "full_support": (0, 1),
            },
        ),
        Normaliser(
            "sigmoid",
            sigmoid,
            {
                "sums_to_one": (0, 0, 0),
                "shift_invariant": (1, 2, 3),
                "scale_invariant": (1, 1.2, 1.5),
            },
            "Ramapuram et al. 2025, arXiv:2409.04431",
        ),
        Normaliser(
            "sparsemax",
            sparsemax,
            {
                "monotone": (0, 5),
                "order_strict": (5, 1, 0),
                "differentiable": (0, 1),
                "full_support": (0, 5),
                "scale_invariant": (1, 1.2, 1.5),
            },
            "Martins and Astudillo 2016, arXiv:1602.02068",
        ),
        Normaliser(
            "entmax15",
            entmax15,
            {
                "monotone": (0, 5),
                "order_strict": (5, 1, 0),
                "full_support": (0, 5),
                "scale_invariant": (1, 1.2, 1.5),
            },
            "Peters, Niculae and Martins 2019, arXiv:1905.05702",
        ),
        Normaliser(
            "off_by_one",
            off_by_one,
            {
                "sums_to_one": (-10, -10),
                "shift_invariant": (1, 2, 3),
                "scale_invariant": (1, 1.2, 1.5),
            },
            "Miller 2023, evanmiller.org/attention-is-off-by-one.html",
        ),
        Normaliser(
            "gumbel",
            gumbel,
            {
                "order_strict": (0, 1),
                "order_weak": (0, 1),
                "scale_invariant": (1, 1.2, 1.5),
                "permutation_equivariant": (0, 1),
            },
            "Jang, Gu and Poole 2017, arXiv:1611.01144",
        ),
        Normaliser(
            "elu_plus_one",
            elu_plus_one,
            {"shift_invariant": (1, 2, 3), "scale_invariant": (1, 1.2, 1.5)},
        ),
        Normaliser(
            "softplus",
            softplus,
            {"shift_invariant": (1, 2, 3), "scale_invariant": (1, 1.2, 1.5)},
        ),
        Normaliser(
            "taylor2",
            taylor2,
            {
                "monotone": (-3, 0),
                "order_strict": (-5, 0),
                "order_weak": (-5, 0),
                "shift_invariant": (1, 2, 3),
                "scale_invariant": (1, 1.2, 1.5),
            },
        ),
        Normaliser(
            "softplus_centred",
            softplus_centred,
            {"scale_invariant": (1, 1.2, 1.5)},
        ),
    )
}


def normalise(name, scores):
    """Weights (n,) that the rule `name` gives to one row of scores (n,).

    They are all NaN where the rule is undefined, such as `raw_sum` at [1, -1].

    Raises ValueError for a name that is not in `NORMALISERS`, and for scores that
    are not one row of at least one number within ±1e150 (some rules square and add
    them); TypeError if they are no numbers.
    """
    rule = NORMALISERS[checks.choice("name", name, NORMALISERS)]
    x = checks.row("scores", scores)
    if abs(x).max() > 1e150:
        raise ValueError(f"scores: must lie within ±1e150, but one is {x[abs(x).argmax()]:g}")
    return rule(x)


@dataclass(frozen=True)
class Row:
    """One rival in the table of properties.

    verdicts:    property's name -> True (tick) or False (cross), all properties.
    refutations: property's name -> (scores, *what is seen there), for each cross.
    """

    name: str
    verdicts: dict[str, bool]
    refutations: dict[str, tuple[np.ndarray, ...]]


def table():
    """The table of properties: a `Row` for each rival, in the order of `NORMALISERS`."""
    return [
        Row(
            rival.name,
            {property: rival.holds(property) for property in PROPERTIES},
            {property: rival.refutation(property) for property in rival.counterexamples},
        )
        for rival in NORMALISERS.values()
    ]
