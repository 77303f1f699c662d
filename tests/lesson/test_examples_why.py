"""What the pages on spread and sharpness say of their examples is what the examples print."""

import json
import math
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import sqrtdk
import sqrtdk.examples
from sqrtdk.dot_product import score_kurtosis
from sqrtdk.measurements import growth
from sqrtdk.sharpness import sharpness
from sqrtdk.softmax import softmax

FOLDER = Path(sqrtdk.examples.__file__).parent
DATA = Path(sqrtdk.__file__).parents[2] / "docs" / "results" / "data"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@pytest.fixture
def shown(capsys):
    """Runs an example and gives its variables and the numbers of each line."""

    def run(name):
        variables = runpy.run_path(str(FOLDER / f"{name}.py"))
        lines = capsys.readouterr().out.splitlines()
        return variables, [[float(x) for x in NUMBER.findall(line)] for line in lines]

    return run


def committed(name):
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def test_sixty_four_terms_lie_further_out_than_two(shown):
    _, (two, sixty_four) = shown("growth_terms")
    assert (two[0], sixty_four[0]) == (2, 64)
    assert np.std(two[1:]) < 2 < 4 < np.std(sixty_four[1:])
    # "hardly further from 0 than the last short one"
    assert abs(sixty_four[-1]) == pytest.approx(abs(two[-1]), abs=0.5)


def test_spread_is_the_root_within_three_standard_errors(shown):
    _, (_, *rows) = shown("growth_spread")
    assert [row[0] for row in rows] == [2, 8, 32, 64, 128, 256]
    for d_k, theory, simulated, error in rows:
        assert theory == pytest.approx(math.sqrt(d_k), abs=0.005)
        # half a digit for each of the three rounded numbers
        assert abs(simulated - theory) < 3 * (error + 0.005) + 0.01
        exact = math.sqrt(d_k * (score_kurtosis(int(d_k)) - 1) / (4 * 20_000))
        assert error == pytest.approx(exact, rel=0.05, abs=0.005)


def test_ten_times_the_scores(shown):
    variables, (mild, sharp) = shown("sharpness_ten")
    np.testing.assert_allclose(mild[3:], softmax([1, 2, 3]), atol=5e-6)
    np.testing.assert_allclose(sharp[3:], softmax([10, 20, 30]), atol=5e-6)
    assert sharp[3:] == [0, 0.00005, 0.99995]


def test_gaps_add_and_ratios_multiply(shown):
    _, (_, *rows) = shown("sharpness_gap")
    for gap, first, second, ratio in rows:
        assert first + second == pytest.approx(1, abs=1e-4)
        assert ratio == pytest.approx(math.exp(gap), abs=0.05)
    for (gap, *_), (double, *_) in zip(rows[1:], rows[2:]):
        assert double == 2 * gap
        assert math.exp(double) == pytest.approx(math.exp(gap) ** 2)


def test_raw_rows_sharpen_and_scaled_rows_settle(shown):
    _, (_, _, *rows) = shown("sharpness_meet")
    for d_k, raw, scaled in rows:
        both = sharpness(int(d_k), 8, 20_000, seed=1)
        # 2000 rows of vectors against 20 000 rows: √11 of the latter's error, and a rounded digit
        for seen, (largest, *_) in ((raw, both.raw), (scaled, both.scaled)):
            assert abs(seen - largest.value) < 4 * math.sqrt(11) * largest.se + 0.005
    raw, scaled = np.array(rows).T[1:]
    assert np.all(np.diff(raw) > 0.05) and np.ptp(scaled[1:]) <= 0.02


@pytest.mark.parametrize("name, exact", [
    ("growth_spread", lambda v: [v["std"], v["se"]]),
    ("sharpness_meet", lambda v: [v["raw"], v["scaled"]]),
])
def test_last_line_is_away_from_a_rounding_edge(shown, name, exact):
    variables, _ = shown(name)
    for value in exact(variables):
        # Another machine sums in another order: 1e-9 is far more than that can change.
        assert abs(value * 100 % 1 - 0.5) > 1e-7


def test_committed_spread_agrees_with_theory():
    """What the page says of its table: four standard errors at most, the mean within about two."""
    for d_k, row in committed("growth")["spread"].items():
        std, std_se = row["std"]
        mean, mean_se = row["mean"]
        assert row["theory"] == pytest.approx(math.sqrt(int(d_k)), rel=1e-5)
        assert abs(std - row["theory"]) < 4 * std_se
        assert abs(mean) < 2.2 * mean_se


def test_committed_cases_agree_with_the_formula():
    cases = committed("growth")["cases"]
    assert cases.keys() == growth.cases(2).keys()
    for case in cases.values():
        sampled, error = case["row_std_sampled"]
        assert abs(sampled - case["row_std"]) < 4 * error
    assert cases["k correlated 0.5"]["row_std"] == cases["as assumed"]["row_std"] == 8


def test_committed_rows_bear_out_the_page():
    data = committed("sharpness")
    for n_keys, by_size in data["rows"].items():
        raw = [cell["raw"]["largest"][0] for cell in by_size.values()]
        assert raw == sorted(raw)  # "climbs towards 1"
        scaled = [by_size[d_k]["scaled"]["largest"] for d_k in ("64", "512")]
        assert abs(scaled[0][0] - scaled[1][0]) < 4 * math.hypot(scaled[0][1], scaled[1][1])
        for cell in by_size.values():
            for side in cell.values():
                assert side["effective_keys_2"][0] <= side["effective_keys_1"][0] <= int(n_keys)
    # the largest standard error of the first table's columns, as the page rounds it
    errors = [cell[side]["largest"][1] for by_size in data["rows"].values()
              for d_k, cell in by_size.items() if d_k in ("2", "8", "64", "512")
              for side in cell]
    assert max(errors) == data["rows"]["512"]["64"]["raw"]["largest"][1] < 0.004
    for n_keys in ("64", "512"):
        assert data["above_nearly_all"][n_keys]["scaled"] == [0, 0]  # "there was none"


def test_committed_condensation_comes_near_its_limit():
    data = committed("sharpness")
    for ratio, limit in data["condensation_limit"].items():
        few, many = (data["condensation"][n][ratio][0] for n in ("64", "4096"))
        assert limit < many < few  # from above, the longer row nearer
