"""How long a query that is sure of the wrong token takes to give it up.

Two tokens, one query: the wrong token's logit is above the right one's by `gap`, so
the right one has weight p = 1/(1 + e^gap). Gradient descent moves the two logits
until p = 1/2. What that costs depends on where the loss sits:

- "values": through the values, L = (1 − p)²/2 for two values at distance 1, as in
  attention. The gradient has the factor p(1 − p), nearly 0 for a sharp row.
- "weight": straight on the weight, L = −log p. The logarithm cancels the factor.
"""

import math

import numpy as np

from sqrtdk import checks, formulas

MAX_STEPS = 1_000_000


class SGD:
    """Gradient descent. Its `step` turns a gradient into the change of the parameter."""

    def __init__(self, learning_rate):
        self.learning_rate = checks.positive("learning_rate", learning_rate)

    def step(self, gradient):
        return -self.learning_rate * gradient


class Momentum(SGD):
    """SGD with momentum 0.9: ten times the learning rate, once it is under way."""

    velocity = 0.0

    def step(self, gradient):
        self.velocity = 0.9 * self.velocity + gradient
        return super().step(self.velocity)


class Adam(SGD):
    """Adam with its usual constants 0.9, 0.999 and 1e-8."""

    count, mean, square = 0, 0.0, 0.0

    def step(self, gradient):
        self.count += 1
        self.mean = 0.9 * self.mean + 0.1 * gradient
        self.square = 0.999 * self.square + 0.001 * gradient**2
        mean = self.mean / (1 - 0.9**self.count)
        square = self.square / (1 - 0.999**self.count)
        return super().step(mean / (square**0.5 + 1e-8))


OPTIMISERS = {"sgd": SGD, "momentum": Momentum, "adam": Adam}
# ∂L/∂(right logit); the wrong logit gets the opposite.
LOSSES = {
    "values": lambda p: -p * (1 - p) ** 2,
    "weight": lambda p: -(1 - p),
}
CLOSED_FORMS = {
    "values": formulas.escape_time,
    "weight": formulas.escape_time_on_weight,
}


def escape_time(gap, loss="values"):
    """Time to give up a wrong favourite, in closed form; divide by the learning rate for steps.

    For gradient descent with small steps, from `gap` ≥ 0 (a number) to 0.
    Through the values, 2T = e^gap + 3 gap + 5/2 − 3 e^−gap − e^−2gap/2: about e^gap.
    (With values at a distance D, T is divided by D².) On the weight,
    2T = gap + 1 − e^−gap: no plateau.
    """
    gap = _gap(gap)
    with checks.within_floats("gap"):
        return float(CLOSED_FORMS[checks.choice("loss", loss, CLOSED_FORMS)](gap))


def escape_steps(gap, optimiser="sgd", learning_rate=0.1, loss="values"):
    """Steps an optimiser takes from `gap` ≥ 0 until the right token has weight 1/2.

    `optimiser` is "sgd", "momentum" or "adam". ValueError if a million steps do not do.
    """
    gap = _gap(gap)
    slope = LOSSES[checks.choice("loss", loss, LOSSES)]
    optimiser = OPTIMISERS[checks.choice("optimiser", optimiser, OPTIMISERS)](learning_rate)
    # The two logits mirror each other: opposite starts, opposite gradients.
    right = -gap / 2
    for steps in range(MAX_STEPS):
        if right >= 0:
            return steps
        odds = math.exp(2 * right)
        p = odds / (1 + odds)
        right += optimiser.step(slope(p))
    raise ValueError(f"gap: {gap:g} is not given up within {MAX_STEPS} steps")


@checks.within_floats("scale")
def start_gaps(n_keys, d_k, scale, draws, rng):
    """Random gaps at the start: strongest wrong logit minus the right one, (draws,).

    q and the n_keys keys are N(0, 1) in d_k dimensions and one key is the right one, so
    a gap can be negative: then the right key leads by luck.
    """
    n_keys = checks.count("n_keys", n_keys, at_least=2)
    d_k, draws = checks.count("d_k", d_k), checks.count("draws", draws)
    scale, rng = checks.positive("scale", scale), checks.generator("rng", rng)
    z = rng.standard_normal((draws, n_keys))
    length = np.sqrt(rng.chisquare(d_k, len(z)))
    return scale * length * (z[:, 1:].max(axis=-1) - z[:, 0])


@checks.within_floats("q, keys, values, scale")
def lone_queries(q, keys, values, scale, optimiser, steps, mark=0.9):
    """Train queries, each alone with its own keys and values, to return key 0's value.

    q (starts, d_k), keys (starts, n_k, d_k), values (starts, n_k, d_v); only q learns,
    by an SGD, Momentum or Adam. The loss is half the squared distance between output
    and value 0: with two keys and values at distance 1, the loss "values" above.
    Returns (starts,) of bool: which queries ever gave key 0 the weight `mark`.
    """
    q, keys = checks.floats("q", q), checks.floats("keys", keys)
    values = checks.floats("values", values)
    if keys.ndim != 3 or q.shape != (keys.shape[0], keys.shape[2]):
        raise ValueError(f"q: has shape {q.shape}, which does not fit keys, shape {keys.shape}")
    if values.shape[:-1] != keys.shape[:-1]:
        raise ValueError(f"values: shape {values.shape} does not fit keys, shape {keys.shape}")
    checks.axis_of("keys", keys, 1)
    if not isinstance(optimiser, SGD):
        raise TypeError(f"optimiser: must be an SGD, Momentum or Adam, not {optimiser!r}")
    scale, mark = checks.positive("scale", scale), checks.real("mark", mark)
    reached = np.zeros(len(q), dtype=bool)
    for _ in range(checks.whole("steps", steps, at_least=0)):
        weights = formulas.softmax(scale * (keys @ q[..., None])[..., 0])
        reached |= weights[:, 0] >= mark
        miss = (weights[:, None] @ values)[:, 0] - values[:, 0]
        on_logits = formulas.logit_gradient(weights, (values @ miss[..., None])[..., 0])
        q = q + optimiser.step(scale * (on_logits[:, None] @ keys)[:, 0])
    return reached


def _gap(gap):
    gap = checks.real("gap", gap)
    if gap < 0:
        raise ValueError(f"gap: must not be below 0, but is {gap:g}")
    return gap

