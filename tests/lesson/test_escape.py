"""How long a wrong favourite lasts: closed form, simulation, and the claims of the page."""

import math

import numpy as np
import pytest
import torch

from sqrtdk.escape import (
    OPTIMISERS,
    SGD,
    Adam,
    escape_steps,
    escape_time,
    lone_queries,
    start_gaps,
)


def rng(*seed):
    return np.random.default_rng([7, *seed])


# The closed form


@pytest.mark.parametrize("loss", ["values", "weight"])
@pytest.mark.parametrize(("gap", "rate"), [(1, 0.002), (4, 0.01), (6, 0.1), (8, 0.1), (10, 0.1)])
def test_closed_form_and_simulation_agree_within_two_per_cent(gap, rate, loss):
    steps = escape_steps(gap, "sgd", rate, loss)
    # A run counts whole steps, so it may also be one step longer.
    assert steps == pytest.approx(escape_time(gap, loss) / rate, rel=0.02, abs=1)


@pytest.mark.parametrize("loss", ["values", "weight"])
def test_closed_form_solves_its_differential_equation(loss):
    # dT/dgap = 1 / speed, the speed at which the gap closes: both logits move.
    for gap in (0.5, 3.0, 9.0):
        p = 1 / (1 + math.exp(gap))
        speed = 2 * p * (1 - p) ** 2 if loss == "values" else 2 * (1 - p)
        slope = (escape_time(gap + 1e-5, loss) - escape_time(gap - 1e-5, loss)) / 2e-5
        assert slope == pytest.approx(1 / speed, rel=1e-6)
        assert escape_time(0, loss) == pytest.approx(0, abs=1e-15)


# The claims


def test_through_the_values_each_unit_of_gap_costs_a_factor_e():
    for gap in range(8, 20):
        # 3 gap + 5/2 beside e^gap: less than one per cent from 8 on.
        assert escape_time(gap + 1) / escape_time(gap) == pytest.approx(math.e, rel=0.01)


def test_gap_8_takes_15041_steps():
    assert escape_steps(8) == 15041


def test_momentum_does_not_help():
    assert escape_steps(8, "momentum", 0.01) == pytest.approx(escape_steps(8), rel=0.01)


def test_loss_on_the_weight_has_no_plateau():
    steps = [escape_steps(gap, loss="weight") for gap in range(2, 31)]
    # 1/(2 · 0.1) = 5 steps for each unit of gap, give or take the count of whole steps.
    assert all(4 <= more <= 6 for more in np.diff(steps))
    assert escape_steps(30, loss="weight") < 160 < escape_time(10) / 0.1 / 600


def test_adam_with_two_tokens_escapes_in_about_linear_time():
    steps = {gap: escape_steps(gap, "adam", 0.01) for gap in (1, 2, 4, 8, 16)}
    # Its step is as long as the learning rate or longer, so the gap closes by 0.02 a step.
    assert all(steps[gap] <= gap / 0.02 + 1 for gap in steps)
    assert all(steps[2 * gap] <= 2 * steps[gap] for gap in (1, 2, 4, 8))
    assert escape_steps(8) / escape_steps(4) > 40


def test_adam_slows_down_where_the_gradient_passes_its_epsilon():
    at = {gap: escape_steps(gap, "adam", 0.01) for gap in (14, 16, 18, 20)}
    assert at[20] - at[18] > 3 * (at[16] - at[14])  # e^−18 = 1.5e-8, e^−20 = 2e-9


def test_the_right_key_leads_by_luck_once_in_n():
    # Every key is equally likely to have the largest score, whatever d_k.
    draws = 100_000
    for d_k in (2, 64):
        lucky = np.mean(start_gaps(16, d_k, 1.0, draws, rng(1)) < 0)
        assert lucky == pytest.approx(1 / 16, abs=4 * math.sqrt(1 / 16 / draws))


def test_start_gaps_have_the_law_of_normal_logits():
    # Spread 1 and d_k so large that |q| = √d_k: P(gap ≤ x) = ∫ φ(z) Φ(z + x)^15 dz.
    draws, gaps = 100_000, start_gaps(16, 10**6, 1e-3, 100_000, rng(2))
    z = np.linspace(-9, 9, 1801)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    for x in (0.5, 1.72, 3.0):
        below = np.array([math.erfc(-(value + x) / math.sqrt(2)) / 2 for value in z])
        theory = np.trapezoid(density * below**15, z)
        error = 4 * math.sqrt(theory * (1 - theory) / draws)
        assert np.mean(gaps <= x) == pytest.approx(theory, abs=error)


def test_typical_gap_without_the_factor_is_root_d_times_larger():
    raw, scaled = (np.median(start_gaps(16, 64, c, 50_000, rng(3))) for c in (1, 1 / 8))
    assert raw == pytest.approx(8 * scaled, rel=1e-12)
    assert 13 < raw < 14.5 and 1.6 < scaled < 1.85


# A query alone among many keys


def test_a_lone_query_between_two_keys_keeps_to_the_closed_form():
    # Learning q in place of the logits multiplies the speed by scale² |k_r − k_w|² / 2.
    keys = rng(4).standard_normal((1, 2, 8))
    apart = keys[0, 0] - keys[0, 1]
    q, scale, rate = -6 * apart / (apart @ apart) / 0.5, 0.5, 0.02
    expected = escape_time(6) / (rate * scale**2 * (apart @ apart) / 2)
    values = np.array([[[0.6, 0.8, 0.0], [0.6, 0.8, 1.0]]])  # at distance 1
    reached = [
        lone_queries(q[None], keys, values, scale, SGD(rate), int(steps), mark=0.5)[0]
        for steps in (0.98 * expected, 1.02 * expected + 1)
    ]
    assert reached == [False, True]


@pytest.mark.parametrize(
    ("optimiser", "raw_rates", "scaled_rates"),
    [(SGD, (0.03, 0.1, 0.3), (3, 10)), (Adam, (0.01, 0.03, 0.1), (0.1, 0.3))],
)
def test_among_many_keys_most_lone_queries_stay_stuck_without_the_factor(
    optimiser, raw_rates, scaled_rates
):
    q, keys = rng(5).standard_normal((100, 64)), rng(6).standard_normal((100, 16, 64))
    values = rng(7).standard_normal((100, 16, 16)) / math.sqrt(32)
    raw, scaled = (
        max(np.mean(lone_queries(q, keys, values, c, optimiser(rate), 300)) for rate in rates)
        for c, rates in ((1.0, raw_rates), (1 / 8, scaled_rates))
    )
    assert raw < 0.6 < 0.95 < scaled


# Optimisers


@pytest.mark.parametrize(
    ("name", "judge"),
    [
        ("sgd", lambda p: torch.optim.SGD(p, lr=0.1)),
        ("momentum", lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9)),
        ("adam", lambda p: torch.optim.Adam(p, lr=0.1)),
    ],
)
def test_optimisers_are_those_of_torch(name, judge):
    parameter = torch.zeros(4, dtype=torch.float64, requires_grad=True)
    theirs, ours, value = judge([parameter]), OPTIMISERS[name](0.1), np.zeros(4)
    for gradient in rng(8).standard_normal((20, 4)):
        parameter.grad = torch.tensor(gradient)
        theirs.step()
        value = value + ours.step(gradient)
    np.testing.assert_allclose(value, parameter.detach().numpy(), rtol=1e-12, atol=1e-14)


def test_no_gap_is_too_large_where_the_loss_sits_on_the_weight():
    # Each step moves the right logit by the rate, as long as its weight is below any float.
    assert escape_steps(2000, learning_rate=1, loss="weight") == pytest.approx(1000, abs=2)


# Bad arguments


def lone(**wrong):
    good = {"q": np.ones((2, 4)), "keys": np.ones((2, 3, 4)), "values": np.ones((2, 3, 1))}
    return lone_queries(**(good | {"scale": 1, "optimiser": SGD(1), "steps": 1} | wrong))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: escape_time(-1), ValueError, "gap: must not be below 0"),
        (lambda: escape_time("8"), TypeError, "gap: must be a number"),
        (lambda: escape_time(8, "keys"), ValueError, "loss: must be one of values, weight"),
        (lambda: escape_steps(8, "rmsprop"), ValueError, "optimiser: must be one of sgd"),
        (lambda: escape_steps(8, learning_rate=0), ValueError, "learning_rate: must be above 0"),
        (lambda: escape_steps(14), ValueError, "gap: 14 is not given up within 1000000 steps"),
        (lambda: start_gaps(1, 64, 1, 10, rng()), ValueError, "n_keys: must be at least 2"),
        (lambda: lone(q=np.ones((2, 5))), ValueError, "q: has shape"),
        (lambda: lone(values=np.ones((3, 1))), ValueError, "values: shape"),
        (lambda: lone(scale=-1), ValueError, "scale: must be above 0"),
        (lambda: lone(scale=1e308, q=np.full((2, 4), 9)), ValueError, "q, keys, values, scale: to"),
        (lambda: lone(optimiser="sgd"), TypeError, "optimiser: must be an SGD, Momentum or Adam"),
        (lambda: lone(optimiser=SGD), TypeError, "optimiser: must be an SGD, Momentum or Adam"),
        (lambda: lone(mark=None), TypeError, "mark: must be a number"),
        (lambda: escape_time(710), ValueError, "gap: too large for the float type"),
        (lambda: escape_time(8, ["values"]), ValueError, "loss: must be one of"),
        (lambda: start_gaps(2, 64, 1, 10, None), TypeError, "rng: must be a numpy Generator"),
    ],
)
def test_bad_arguments_are_named(call, error, says):
    with pytest.raises(error, match=says):
        call()
