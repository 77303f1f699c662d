"""Each figure's data hold the claim that its title makes."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sqrtdk.figures import (
    before_after, crossover, heat_map, histograms, place, rivals, sharp_rows, spread,
    temperatures, ten_times,
)

DATA = Path(__file__).parents[2] / "docs" / "results" / "data"


def measured(name: str) -> dict:
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def test_the_spread_grows_like_the_root_and_stays_at_one_when_divided():
    shown = spread.data(measured("growth"))
    std, se, root = np.array(shown["std"]), np.array(shown["se"]), np.sqrt(shown["d_k"])
    assert_allclose(shown["theory"], root, rtol=1e-5)  # committed with six digits
    # Ten independent estimates: all within 4 standard errors but for one run in 1500.
    assert np.all(np.abs(std - root) < 4 * se)
    assert np.all(4 * se / root < 0.05), "the error must be small beside the claim"


def test_the_histograms_lie_under_their_density_and_around_zero():
    panels = histograms.data()
    for d_k, panel in panels.items():
        edges, share = np.array(panel["edges"]), np.array(panel["share"])
        width = edges[1] - edges[0]
        expected = np.array([np.interp(np.linspace(low, low + width, 9), panel["x"],
                                       panel["density"]).mean() for low in edges[:-1]])
        chance = expected * width
        error = np.sqrt(chance * (1 - chance) / histograms.DRAWS) / width
        # Up to 240 bins: 5 standard errors. The 2 % is what 9 points a bin leave of a cusp.
        assert np.all(np.abs(share - expected) < 5 * error + 0.02 * expected.max()), d_k
        assert abs(panel["std"] / np.sqrt(d_k) - 1) < 4 / np.sqrt(histograms.DRAWS)
    stds = [panel["std"] for panel in panels.values()]
    assert stds == sorted(stds)


def test_ten_times_the_scores_leave_one_weight():
    shown = ten_times.data()
    assert min(shown["mild"]) > 0.05 and max(shown["mild"]) < 0.7
    assert max(shown["wide"]) > 0.9999
    assert np.argsort(shown["mild"]).tolist() == np.argsort(shown["wide"]).tolist()


def test_raw_rows_sharpen_with_d_k_and_scaled_rows_do_not():
    shown = sharp_rows.data(measured("sharpness"))
    for n, sides in shown["rows"].items():
        raw, scaled = sides["raw"], sides["scaled"]
        assert np.all(np.diff(raw["largest"]) > 0) and np.all(np.diff(raw["keys"]) < 0), n
        assert raw["largest"][-1] > 0.9 and raw["keys"][-1] < 2
        later = slice(shown["d_k"].index(16), None)
        assert np.ptp(scaled["largest"][later]) < 0.02
        assert np.ptp(scaled["keys"][later]) / n < 0.02


def test_the_heat_map_shows_favourites_only_without_the_factor():
    shown = heat_map.data()
    raw, scaled = np.array(shown["raw"]), np.array(shown["scaled"])
    for weights in (raw, scaled):
        assert_allclose(weights.sum(axis=-1), 1)
    assert raw.argmax(axis=-1).tolist() == scaled.argmax(axis=-1).tolist()
    assert shown["largest"]["raw"] > 2 * shown["largest"]["scaled"]
    assert scaled.max() < 0.5 < raw.max()


def test_divided_by_eight_the_second_key_keeps_a_share():
    shown = before_after.data()
    for sides in shown.values():
        assert sides["raw"][1] < 0.001 < 0.015 < sides["scaled"][1]
    assert 0.26 < shown[8]["scaled"][1] < 0.28


def test_temperature_goes_from_one_hot_to_uniform():
    shown = temperatures.data()
    weights = np.array(shown["weights"])
    assert weights[0, 0] > 0.9999
    assert_allclose(weights[:, -1], 0.25, atol=0.01)
    assert np.all(np.diff(weights[0]) <= 0)
    assert_allclose(weights.sum(axis=0), 1)


def test_the_rivals_fail_where_the_description_says():
    shown = rivals.data()["weights"]
    assert min(shown["raw_sum"]) < 0
    assert np.ptp(shown["uniform"]) == 0
    assert sorted(shown["hardmax"]) == [0, 0, 0, 1]
    assert 0 in shown["sparsemax"] and 0 in shown["entmax15"]
    assert sum(shown["sigmoid"]) > 2
    assert min(shown["softmax"]) > 0 and sum(shown["softmax"]) == pytest.approx(1)


def test_rows_condense_past_the_crossover():
    shown = crossover.data(measured("sharpness"))
    assert shown["scaled"] < 0.5 and shown["raw"] > 2
    assert [mean for ratio, mean in zip(*shown["limit"].values()) if ratio < 1] == [0] * 50
    few, many = (np.array(row["mean"]) for row in shown["measured"].values())
    assert np.all(few > many), "a finite row stands above the limit, and a longer one nearer"


def test_the_factor_sits_before_softmax():
    allowed = [step for step, may in place.data().items() if may]
    assert allowed == ["vectors", "scores"]
    steps = list(place.data())
    assert all(steps.index(step) < steps.index("softmax") for step in allowed)
