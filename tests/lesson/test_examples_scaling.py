"""What the home page and the page on the fix say of their examples is what the examples print."""

import re
import runpy

import numpy as np
import pytest

NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]\d+)?")


@pytest.fixture
def printed(capsys):
    """Runs an example and gives the numbers of each line it prints."""
    def run(name):
        runpy.run_module(f"sqrtdk.examples.{name}", run_name="__main__")
        lines = capsys.readouterr().out.splitlines()
        assert max(len(line) for line in lines) <= 60, "a phone's screen"
        return [[float(number) for number in NUMBER.findall(line)] for line in lines]
    return run


def test_ten_times_the_scores_leave_one_weight_in_torch(printed):
    for row, factor in zip(printed("softmax_torch"), (1, 10)):
        scores, weights = np.array(row[:3]), row[3:]
        assert scores.tolist() == [factor, 2 * factor, 3 * factor]
        np.testing.assert_allclose(weights, np.exp(scores) / np.exp(scores).sum(), atol=5e-6)


def test_the_division_leaves_the_second_key_in_the_game(printed):
    _, raw_32, scaled_32, _, raw_8, scaled_8 = printed("scaling_gap")
    for (leader, other), gap in ((raw_32, 32), (scaled_32, 4), (raw_8, 8), (scaled_8, 1)):
        assert other == pytest.approx(1 / (1 + np.exp(gap)), rel=0.05)
        assert leader == pytest.approx(1 - other, abs=1e-4)


def test_only_the_root_keeps_the_spread(printed):
    for d_k, raw, root, whole in printed("scaling_spread")[1:]:
        # 20 000 pairs: the std has a standard error of at most 0.8 % (kurtosis 4.5 at d_k = 4).
        assert raw == pytest.approx(np.sqrt(d_k), rel=0.04)
        assert root == pytest.approx(1, rel=0.04)
        assert whole == pytest.approx(1 / np.sqrt(d_k), rel=0.04)


def test_before_softmax_every_place_is_the_same_and_after_it_none(printed):
    scores, on_q, roots, after = printed("scaling_place")
    assert scores == on_q == roots and scores[-1] == 1
    assert after[-1] == pytest.approx(1 / np.sqrt(64))
    assert max(after[:-1]) / after[-1] > max(scores[:-1]), "as sharp as without the factor"
