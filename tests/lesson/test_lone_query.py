"""The committed run of one query alone says what the page on training says of it."""

import json
from pathlib import Path

import pytest

from sqrtdk.measurements import lone_query

DATA = Path(__file__).parents[2] / "docs" / "results" / "data"


@pytest.fixture(scope="module")
def committed():
    return json.loads((DATA / "lone_query.json").read_text("utf-8"))


@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_with_many_keys_neither_optimiser_saves_a_lone_query(committed, optimiser):
    for d_k in ("64", "256"):
        raw, scaled = (committed[optimiser][d_k][side]["share"] for side in ("raw", "scaled"))
        assert raw[0] + 4 * raw[1] < 0.5, "most starts stay with the wrong key"
        assert scaled[0] > 0.97


@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_values_at_right_angles_are_easier_but_do_not_close_the_gap(committed, optimiser):
    easier, se = committed["right_angles"][optimiser]["share"]
    random = committed[optimiser]["64"]["raw"]["share"][0]
    assert random < easier < 0.97 - 4 * se


@pytest.mark.slow
def test_one_cell_run_again_gives_the_committed_share(committed):
    share = lone_query.measure_cell("sgd", 64, 1.0)["share"]
    assert share == pytest.approx(committed["sgd"]["64"]["raw"]["share"], rel=1e-5)
