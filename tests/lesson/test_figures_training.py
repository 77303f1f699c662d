"""The figures on learning: their data hold what title and description say."""

import json
from pathlib import Path

import numpy as np
import pytest

from sqrtdk.escape import escape_time
from sqrtdk.figures import (
    entropy_curves, equivalence_control, escape, start_gradient, steps_to_learn,
)

DATA = Path(__file__).parents[2] / "docs" / "results" / "data"


def measured(name: str) -> dict:
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def test_each_unit_of_gap_multiplies_the_steps_by_e():
    shown = escape.data(measured("escape"))
    line = dict(zip(shown["gap"], shown["theory"]["values"]))
    ratios = [line[gap + 1] / line[gap] for gap in range(4, escape.WIDEST)]
    # (e^(g+1) + 3g + 5.5) / (e^g + 3g + 2.5) lies 12 % below e at g = 4 and nears it.
    assert np.all(np.diff(ratios) > 0)
    assert 0.87 * np.e < ratios[0] and 0.999 * np.e < ratios[-1] < np.e


@pytest.mark.parametrize("run, loss", [("sgd", "values"), ("weight_sgd", "weight")])
def test_the_simulated_escape_lies_on_the_closed_form(run, loss):
    shown = escape.data(measured("escape"))
    line = dict(zip(shown["gap"], shown["theory"][loss]))
    # Steps are whole and of finite length: within one step, or 2 %.
    for gap, steps in shown["runs"][run].items():
        assert abs(steps - line[gap]) < max(1, 0.02 * line[gap]), gap


def test_the_escape_has_the_numbers_of_its_description():
    shown = escape.data(measured("escape"))
    runs, start = shown["runs"], shown["start"]
    assert {name: (run[1], run[10]) for name, run in runs.items()} == {
        "sgd": (36, 110_299), "weight_sgd": (8, 55), "adam": (51, 242)}
    assert (round(start["scaled"], 1), round(start["raw"], 1)) == (1.7, 13.7)
    rate = measured("escape")["learning_rates"]
    assert escape_time(start["raw"]) / rate["sgd"] > 4e6
    assert (rate["sgd"], rate["adam"], escape.D_K, measured("escape")["keys"]) == (
        0.1, 0.01, 64, 16)


def test_steps_to_learn_grow_with_d_k_only_without_the_factor():
    shown = steps_to_learn.data(measured("training"))
    for optimiser, most in (("sgd", 40), ("adam", 50)):
        sides = shown["steps"][optimiser]
        assert np.all(np.diff(sides["raw"]["mean"]) > 0)
        # 64 against 8, where all seeds arrive: far more than the errors allow for.
        (small, large), errors = sides["raw"]["mean"][:2], sides["raw"]["se"][:2]
        assert large - small > 4 * np.hypot(*errors)
        for side in ("scaled", "one_over_d"):
            assert max(sides[side]["mean"]) < most
            assert min(sides[side]["reached"]) == shown["seeds"]


def test_a_mean_with_seeds_that_did_not_arrive_is_shown_as_a_lower_bound():
    training = measured("training")
    shown = steps_to_learn.data(training)
    for optimiser, sides in shown["steps"].items():
        for d_k, reached in zip(shown["d_k"], sides["raw"]["reached"]):
            steps = training["table"][optimiser][str(d_k)]["none"]["steps"]
            assert reached == sum(step < shown["cap"] for step in steps)
    assert shown["steps"]["sgd"]["raw"]["reached"] == [10, 10, 6, 2]
    assert shown["steps"]["adam"]["raw"]["reached"] == [10, 10, 9, 8]


def test_steps_to_learn_have_the_numbers_of_their_description():
    shown = steps_to_learn.data(measured("training"))
    ends = {name: (round(sides["raw"]["mean"][0], 1), round(sides["raw"]["mean"][-1]))
            for name, sides in shown["steps"].items()}
    assert ends == {"sgd": (52.5, 843), "adam": (74.5, 724)}
    assert (shown["d_k"][0], shown["d_k"][-1], shown["seeds"], shown["cap"]) == (
        8, 512, 10, 1000)


def test_entropy_curves_show_a_late_decision_with_the_factor_and_an_early_one_without():
    shown = entropy_curves.data(measured("training"))
    raw, scaled = shown["raw"], shown["scaled"]
    twenty = scaled["step"].index(20)
    assert round(scaled["entropy"][0], 2) == 0.85 and round(raw["entropy"][0], 2) == 0.17
    assert scaled["entropy"][twenty] < 0.1 and raw["entropy"][-1] < 0.001
    # Decided before it has seen anything: the start is the least sharp it ever is, and it is
    # no righter than the start with the factor.
    assert raw["entropy"][0] == max(raw["entropy"])
    apart = raw["right_weight"][0] - scaled["right_weight"][0]
    assert abs(apart) < 4 * np.hypot(raw["right_weight_se"][0], scaled["right_weight_se"][0])
    assert max(raw["right_weight"][0], scaled["right_weight"][0]) < 0.1
    assert round(scaled["right_weight"][twenty], 2) == 0.95


def test_entropy_curves_have_the_crossings_of_their_description():
    raw = entropy_curves.data(measured("training"))["raw"]
    passes = {mark: next(step for step, weight in zip(raw["step"], raw["right_weight"])
                         if weight > mark) for mark in (0.5, 0.9)}
    assert passes == {0.5: 80, 0.9: 300}


def test_the_start_gradient_is_larger_without_the_factor_and_comes_from_fewer_queries():
    panels = start_gradient.data(measured("layer_start"))["panels"]
    whole, share = panels["whole"], panels["top_tenth"]
    assert np.all(np.array(whole["raw"]["mean"]) > 4 * np.array(whole["scaled"]["mean"]))
    assert np.all(np.diff(whole["raw"]["mean"]) > 0)
    assert np.all(np.diff(share["raw"]["mean"]) > 0)
    assert np.all(np.array(share["raw"]["mean"]) > share["scaled"]["mean"])
    assert np.all(np.array(share["scaled"]["mean"]) < 0.305)


def test_the_start_gradient_has_the_numbers_of_its_description():
    shown = start_gradient.data(measured("layer_start"))
    d_k, panels = shown["d_k"], shown["panels"]
    raw, scaled = ({panel: sides[side]["mean"] for panel, sides in panels.items()}
                   for side in ("raw", "scaled"))
    assert (d_k[0], d_k[-1]) == (8, 512)
    assert [round(raw["whole"][at]) for at in (0, -1)] == [74, 339]
    assert {round(length) for length in scaled["whole"]} == {17}
    assert d_k[int(np.argmax(raw["median"]))] == 32 and round(max(raw["median"]), 2) == 0.98
    assert (round(raw["median"][-1], 2), round(scaled["median"][-1], 2)) == (0.07, 0.17)
    assert [round(raw["top_tenth"][at], 2) for at in (0, -1)] == [0.39, 0.83]
    heads = {int(d_k): row["layers"] for d_k, row in measured("layer_start")["64"].items()}
    assert heads.pop(64) == 400 and set(heads.values()) == {100}


def test_equivalence_control_shows_the_factor_replaced_and_the_harm_gone():
    shown = equivalence_control.data(measured("training"))
    for row in shown["difference"].values():
        assert row["twin"] < 1e-10 and row["raw"] > 1
    for optimiser in ("sgd", "adam"):
        (raw, raw_se), (scaled, scaled_se) = shown["steps"][optimiser, "values"].values()
        assert raw > 4 * scaled and raw - scaled > 4 * np.hypot(raw_se, scaled_se)
        (raw, _), (scaled, _) = shown["steps"][optimiser, "weights"].values()
        assert abs(raw - scaled) < 1, "less than one step of a count that starts at 11"


def test_equivalence_control_has_the_numbers_of_its_description():
    shown = equivalence_control.data(measured("training"))
    assert all(5e-16 < row["twin"] < 5e-15 and round(row["raw"]) == 3
               for row in shown["difference"].values())
    values, weights = ({side: [round(shown["steps"][optimiser, loss][side][0], 1)
                               for optimiser in ("sgd", "adam")] for side in ("raw", "scaled")}
                       for loss in ("values", "weights"))
    assert values == {"raw": [189.0, 276.3], "scaled": [19.1, 28.6]}
    assert all(12 < steps < 13 for pair in weights.values() for steps in pair)
