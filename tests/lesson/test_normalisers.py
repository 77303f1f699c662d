"""The verdicts on softmax's rivals, and the rivals themselves.

A cross is asserted at its stored counterexample; against each tick hypothesis
searches for one. Scores are sixteenths between -8 and 8: sums and shifts of them
are exact, ties and kinks come up often, and what is told apart in real numbers is
still apart in floats (e^-16 is far above the rounding of weights near 1).
"""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import expit

from sqrtdk.normalisers import NORMALISERS, normalise, table
from sqrtdk.properties import PROPERTIES

sixteenths = st.integers(-128, 128).map(lambda i: i / 16)
whole = st.integers(-3, 3).map(float)
rows = st.lists(whole | sixteenths, min_size=2, max_size=6).map(np.array)


@st.composite
def cases(draw):
    """A row of scores and, for the properties that compare two rows, what changes."""
    x = draw(rows)
    index = draw(st.integers(0, len(x) - 1))
    return x, {
        "monotone": (index, draw(st.integers(1, 128)) / 16),
        "differentiable": (index,),
        "shift_invariant": (draw(sixteenths),),
        "scale_invariant": (draw(st.floats(1 / 64, 64)),),
        "permutation_equivariant": (draw(st.permutations(range(len(x)))),),
    }


def search(rivals, properties, **options):
    """Fail at a row where one of `rivals` breaks a promise that it has a tick for."""
    ticks = [(r, p) for r in rivals for p in properties if r.holds(p)]

    @settings(deadline=None, database=None, derandomize=True, max_examples=400, **options)
    @given(cases())
    def run(case):
        x, changes = case
        for rival, name in ticks:
            change = changes.get(name, ())
            assert PROPERTIES[name].holds_at(rival, x, *change), (
                f"{rival.name} is not {name} at {x.tolist()}, {change}"
            )

    run()


CROSSES = [(rival, name) for rival in NORMALISERS.values() for name in rival.counterexamples]


def cross_id(value):
    return getattr(value, "name", value)


@pytest.mark.parametrize(("rival", "property"), CROSSES, ids=cross_id)
def test_each_counterexample_refutes(rival, property):
    x, *seen = rival.refutation(property)
    assert not PROPERTIES[property].judge(x, *seen)
    assert not PROPERTIES[property].holds_at(rival, x)


def test_no_counterexample_to_a_tick_is_found():
    search(NORMALISERS.values(), PROPERTIES)


@pytest.mark.parametrize(("rival", "property"), CROSSES, ids=cross_id)
def test_the_search_finds_every_cross_that_is_hidden_from_it(rival, property):
    rest = {name: x for name, x in rival.counterexamples.items() if name != property}
    wrong = replace(rival, counterexamples=rest)
    with pytest.raises(AssertionError, match=f"{rival.name} is not {property}"):
        search([wrong], [property], phases=[Phase.generate])


def test_a_false_cross_is_noticed():
    wrong = replace(NORMALISERS["softmax"], counterexamples={"sums_to_one": (1, 2, 3)})
    x, *seen = wrong.refutation("sums_to_one")
    assert PROPERTIES["sums_to_one"].judge(x, *seen)


def test_crosses_name_properties_that_exist():
    for rival in NORMALISERS.values():
        assert rival.counterexamples.keys() <= PROPERTIES.keys()


def test_order_says_nothing_about_ties():
    def first_of_the_highest(x):
        return np.eye(len(x))[x.argmax()]

    for name in ("order_weak", "order_strict"):
        assert PROPERTIES[name].holds_at(first_of_the_highest, np.array([1.0, 1.0]))


def test_a_sum_is_judged_by_the_size_of_its_terms():
    x = np.array([0.7, 0.1, -0.79999])     # weights near 10⁵: rounded, they sum to 1 + 10⁻¹¹
    assert PROPERTIES["sums_to_one"].holds_at(NORMALISERS["raw_sum"], x)
    assert not PROPERTIES["sums_to_one"].holds_at(lambda x: x, np.array([0.5, 0.5 + 1e-9]))


def test_a_change_is_what_the_case_says_and_else_the_default():
    def once_a_unit(x):
        return np.sin(2 * np.pi * x)

    shift = PROPERTIES["shift_invariant"]
    x = np.array([0.1, 0.3])
    assert shift.holds_at(once_a_unit, x) and not shift.holds_at(once_a_unit, x, 0.5)
    for seen, expected in zip(PROPERTIES["scale_invariant"].look(np.exp, x), (x, 2 * x)):
        np.testing.assert_array_equal(seen, np.exp(expected))


# --- what the verdicts say together ------------------------------------------------


def ticked(*properties):
    return {r.name for r in NORMALISERS.values() if all(map(r.holds, properties))}


def test_softplus_of_centred_scores_has_every_promise_of_softmax():
    softmax, other = NORMALISERS["softmax"], NORMALISERS["softplus_centred"]
    assert softmax.counterexamples.keys() == other.counterexamples.keys()
    assert not np.allclose(softmax([1, 2, 3] * np.ones(3)), other([1, 2, 3] * np.ones(3)))


def test_a_higher_weight_is_also_no_lower():
    assert ticked("order_strict") <= ticked("order_weak")


def test_what_is_blind_to_scale_is_constant_or_fails_at_zero():
    # The theorem: with f(tx) = f(x), f(x) = lim f(tx) = f(0) if f is continuous there.
    row = np.array([2.1, 0.3, -1.2, 4.0])
    blind = ticked("scale_invariant")
    assert blind == {"raw_sum", "absolute", "relu", "relu_squared", "uniform", "hardmax"}
    for name in blind - {"uniform"}:
        near_zero, at_zero = normalise(name, row * 1e-9), normalise(name, row * 0)
        np.testing.assert_allclose(near_zero, normalise(name, row), rtol=1e-12)
        assert np.isnan(at_zero).all() or abs(near_zero - at_zero).max() > 0.1
    np.testing.assert_array_equal(normalise("uniform", row), normalise("uniform", row * 0))


# --- the rivals against independent judges -----------------------------------------

RNG = np.random.default_rng(20260729)
ROWS = [RNG.normal(scale=s, size=n) for s in (0.1, 1, 5) for n in (1, 2, 3, 5, 8)]
ROWS += [np.array(x, dtype=float) for x in ([2, -1, 3], [0, 0, 0], [0, 1], [0, 2], [5, 5, -5])]
each_row = pytest.mark.parametrize("x", ROWS, ids=lambda x: f"{len(x)}:{x[0]:.2f}")


def torch_share(parts):
    return (parts / parts.sum()).numpy()


TORCH = {
    "softmax": lambda x: torch.softmax(x, -1).numpy(),
    "sigmoid": lambda x: torch.sigmoid(x).numpy(),
    "softplus": lambda x: torch_share(torch.nn.functional.softplus(x)),
    "softplus_centred": lambda x: torch_share(torch.nn.functional.softplus(x - x.mean())),
    "elu_plus_one": lambda x: torch_share(torch.nn.functional.elu(x) + 1),
    "relu_over_n": lambda x: (torch.relu(x) / x.numel()).numpy(),
    "uniform": lambda x: torch.softmax(0 * x, -1).numpy(),
    "off_by_one": lambda x: (x.exp() / (1 + x.exp().sum())).numpy(),
    "taylor2": lambda x: torch_share(((x + 1) ** 2 + 1) / 2),
}
MAY_BE_UNDEFINED = {
    "raw_sum": torch_share,
    "absolute": lambda x: torch_share(x.abs()),
    "relu": lambda x: torch_share(torch.relu(x)),
    "relu_squared": lambda x: torch_share(torch.relu(x) * torch.relu(x)),
}


@pytest.mark.parametrize("name", TORCH | MAY_BE_UNDEFINED)
@each_row
def test_torch_agrees(name, x):
    expected = (TORCH | MAY_BE_UNDEFINED)[name](torch.from_numpy(x))
    if name in MAY_BE_UNDEFINED and not np.isfinite(expected).all():
        expected = np.full(len(x), np.nan)
    # Rounding: at most (n + 2 + 2·range) u relative, times the cancellation in raw_sum.
    np.testing.assert_allclose(normalise(name, x), expected, rtol=1e-12, atol=1e-15)


@each_row
def test_scipy_agrees_on_sigmoid(x):
    np.testing.assert_allclose(normalise("sigmoid", x), expit(x), rtol=1e-14)


@each_row
def test_sparsemax_is_the_nearest_point_of_the_simplex(x):
    """All supports tried: of the feasible candidates the nearest is the projection."""
    candidates = []
    for size in range(1, len(x) + 1):
        for kept in map(list, combinations(range(len(x)), size)):
            p = np.zeros(len(x))
            p[kept] = x[kept] - (x[kept].sum() - 1) / size
            if (p >= 0).all():
                candidates.append(p)
    nearest = min(candidates, key=lambda p: ((p - x) ** 2).sum())
    np.testing.assert_allclose(normalise("sparsemax", x), nearest, atol=1e-14)


@each_row
def test_entmax_solves_its_equation(x):
    """Weights ((x/2 - tau)+)² with the one tau that makes their sum 1, by root finding."""
    def weights(tau):
        return np.maximum(x / 2 - tau, 0) ** 2

    top = x.max() / 2
    tau = brentq(lambda tau: weights(tau).sum() - 1, top - 1.1, top, xtol=1e-15, rtol=1e-14)
    np.testing.assert_allclose(normalise("entmax15", x), weights(tau), atol=1e-13)


def test_entmax_maximises_its_own_entropy():
    """Tsallis entropy of index 1.5: sum (p - p^1.5) / 0.75, beside the mean score."""
    def value(p, x):
        return p @ x + (p - p**1.5).sum(axis=-1) / 0.75

    for x in ROWS:
        others = RNG.dirichlet(np.ones(len(x)), size=2000)
        assert (value(others, x) <= value(normalise("entmax15", x), x) + 1e-12).all()


def test_where_a_key_is_dropped_sparsemax_has_a_kink_and_entmax_none():
    def slopes(name, x):
        left, right = PROPERTIES["differentiable"].look(NORMALISERS[name], np.array(x))
        return left[0], right[0]

    # Steps of about 1e-8: a slope that vanishes like the step itself is seen as at most that.
    assert slopes("sparsemax", [0.0, 1.0]) == pytest.approx((0, 0.5), abs=1e-7)
    assert slopes("entmax15", [0.0, 2.0]) == pytest.approx((0, 0), abs=1e-7)
    for x in ([0.0, 1.0 - 1e-3], [0.0, 2.0 - 1e-3]):
        name = "sparsemax" if x[1] < 1 else "entmax15"
        assert normalise(name, x)[0] > 0


def test_hardmax_gives_all_to_the_highest_and_ties_share():
    np.testing.assert_array_equal(normalise("hardmax", [2, -1, 3]), [0, 0, 1])
    np.testing.assert_array_equal(normalise("hardmax", [3, -1, 3]), [0.5, 0, 0.5])


def test_gumbel_adds_one_draw_to_the_scores():
    x = np.array([2.1, 0.3, -1.2, 4.0])
    np.testing.assert_array_equal(normalise("gumbel", x), normalise("gumbel", x))
    noise = np.log(normalise("gumbel", x)) - x
    assert np.ptp(noise) > 0.1
    # The same draw whatever the scores: a shift of all logs by one number is all that's left.
    np.testing.assert_allclose(np.ptp(np.log(normalise("gumbel", 0 * x)) - noise), 0, atol=1e-12)


def test_gumbel_noise_makes_the_highest_a_draw_from_softmax():
    """Gumbel-max: the key with the largest weight is key i with probability softmax_i."""
    x, draws = np.array([1.0, 2.0, 3.0]), 4000
    gumbel = NORMALISERS["gumbel"].function
    winners = [gumbel(x, seed=s).argmax() for s in range(draws)]
    share = np.bincount(winners, minlength=3) / draws
    p = normalise("softmax", x)
    # Four standard errors of a share: a right rule fails once in 10^4 such comparisons.
    assert (abs(share - p) < 4 * np.sqrt(p * (1 - p) / draws)).all()


TOTAL = [rival.name for rival in NORMALISERS.values() if rival.holds("total")]


@pytest.mark.parametrize("name", TOTAL)
@pytest.mark.parametrize("x", [(1000, -1000, 0), (1000, 999, 998)])
def test_large_scores_do_not_overflow(name, x):
    weights = normalise(name, x)
    assert np.isfinite(weights).all()
    if NORMALISERS[name].holds("sums_to_one"):
        assert weights.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", [n for n in TOTAL if NORMALISERS[n].holds("shift_invariant")])
def test_a_large_shift_costs_no_accuracy(name):
    x = np.array([1.5, 1.25, 0.5, -2.0])    # exact in floats, and still so 4096 higher
    np.testing.assert_allclose(normalise(name, x + 4096), normalise(name, x), rtol=1e-10)


@pytest.mark.parametrize("name", TOTAL)
def test_far_below_zero_floats_end_for_parts_that_no_shift_can_rescue(name):
    lost = {"elu_plus_one", "softplus"}  # e^-1000 is 0 in float64, and 0/0 follows
    assert np.isnan(normalise(name, [-1000, -1001])).all() == (name in lost)


def test_where_a_rule_is_undefined_all_weights_are_nan():
    assert np.isnan(normalise("raw_sum", [1, -1, 0])).all()
    assert np.isnan(normalise("relu", [-1, -2])).all()


# --- the characterisations ----------------------------------------------------------


def ratio(name, scores):
    weights = normalise(name, scores)
    return weights[0] / weights[1]


@pytest.mark.parametrize("name", ["softmax", "softplus", "elu_plus_one", "taylor2", "absolute"])
def test_shares_of_a_function_ignore_a_third_key(name):
    assert ratio(name, [1, 0.5, 2]) == pytest.approx(ratio(name, [1, 0.5]), rel=1e-12)


@pytest.mark.parametrize("name", ["softplus_centred", "entmax15"])
def test_others_do_not_ignore_it(name):
    assert abs(ratio(name, [1, 0.5, 2]) / ratio(name, [1, 0.5]) - 1) > 0.03


def test_softmax_does_not_always_amplify():
    steep, flat = [1, 2, 3], [0.1, 0.2, 0.3]
    assert normalise("softmax", steep)[2] > normalise("raw_sum", steep)[2]
    assert normalise("softmax", flat)[2] < normalise("raw_sum", flat)[2]


# --- the public function ------------------------------------------------------------


def test_a_name_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="name: must be one of softmax, raw_sum, .* not 'softmin'"):
        normalise("softmin", [1, 2])


@pytest.mark.parametrize(
    ("scores", "error", "says"),
    [
        ([[1, 2]], ValueError, r"scores: must be one row \(n,\), not of shape \(1, 2\)"),
        (3, ValueError, r"scores: must be one row"),
        ([], ValueError, "scores: must hold at least 1 numbers"),
        ([1, np.nan], ValueError, "scores: contains NaN"),
        ([1, np.inf], ValueError, "scores: contains inf"),
        (["a"], TypeError, "scores: must hold real numbers"),
    ],
)
def test_bad_scores_are_named(scores, error, says):
    with pytest.raises(error, match=says):
        normalise("softmax", scores)


def test_table_holds_all_verdicts_and_what_refutes():
    rows = table()
    assert [row.name for row in rows] == list(NORMALISERS)
    for row in rows:
        assert list(row.verdicts) == list(PROPERTIES)
        assert {p for p, tick in row.verdicts.items() if not tick} == row.refutations.keys()
    scores, before, after = rows[1].refutations["shift_invariant"]
    np.testing.assert_array_equal(scores, [1, 2, 3])
    np.testing.assert_allclose(before, [1 / 6, 2 / 6, 3 / 6])
    np.testing.assert_allclose(after, [2 / 9, 3 / 9, 4 / 9])


@pytest.mark.parametrize("name", NORMALISERS)
def test_large_scores_and_half_precision_give_no_zeros_from_an_overflow(name):
    row = [60_000, 60_000, 1]  # their sum is beyond float16
    np.testing.assert_array_equal(normalise(name, np.float16(row)), normalise(name, row))
    with pytest.raises(ValueError, match="scores: must lie within ±1e150, but one is 1e\\+151"):
        normalise(name, [1e151, 1e151])
    assert np.isfinite(normalise(name, [1e150, 1e150])).all()
