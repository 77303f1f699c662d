"""What the page on simpler rules says about its examples, read from what they print."""

import re
import runpy

import numpy as np
import pytest

from sqrtdk.normalisers import normalise
from sqrtdk.softmax import softmax


@pytest.fixture
def printed(capsys):
    """The lines of an example: their words, and their numbers."""
    def run(name):
        runpy.run_module(f"sqrtdk.examples.{name}", run_name="__main__")
        lines = capsys.readouterr().out.splitlines()
        return [([float(part) for part in re.findall(r"-?\d+\.\d+|-?\d+", line)], line)
                for line in lines]
    return run


def rows_of(lines, word):
    """The numbers of each line that starts with `word`, in order."""
    return [np.array(numbers) for numbers, line in lines if line.strip().startswith(word)]


def test_a_raw_sum_goes_negative_and_blows_up_and_the_mean_cannot_choose(printed):
    lines = printed("alternatives_sum")
    first, near_zero = rows_of(lines, "raw sum")
    np.testing.assert_array_equal(first, [0.5, -0.25, 0.75])
    assert abs(near_zero).max() > 100
    for mean in rows_of(lines, "mean"):
        np.testing.assert_allclose(mean, 1 / 3, atol=5e-5)
    for scores, weights in zip(rows_of(lines, "scores"), rows_of(lines, "softmax")):
        np.testing.assert_allclose(weights, softmax(scores), atol=5e-5)


def test_hardmax_does_not_answer_until_it_jumps_and_softmax_always_does(printed):
    lines = printed("alternatives_hardmax")
    hard, soft = rows_of(lines, "hardmax"), rows_of(lines, "softmax")
    np.testing.assert_array_equal(hard[0], hard[1])
    assert abs(hard[2] - hard[1]).max() == 1
    assert soft[0][1] < soft[1][1] < soft[2][1]


def test_side_by_side_are_the_rules_that_the_names_say(printed):
    names = {"softmax": "softmax", "ReLU / sum": "relu", "hardmax": "hardmax",
             "sigmoid": "sigmoid", "off by one": "off_by_one", "softplus": "softplus"}
    lines = printed("alternatives_side")
    assert len(lines) == len(names)
    for word, name in names.items():
        (row,) = rows_of(lines, word)
        expected = normalise(name, [2.1, 0.3, -1.2, 4.0])
        np.testing.assert_allclose(row, [*expected, expected.sum()], atol=5e-5)


def test_sparse_rules_leave_keys_out_even_where_softmax_is_spread(printed):
    lines = printed("alternatives_sparse")
    sharp, spread = rows_of(lines, "sparsemax")
    assert (sharp == 0).sum() == 3 and (spread == 0).sum() == 2
    for weights in rows_of(lines, "softmax"):
        assert (weights > 0).all()
    entmax = [row[1:] for row in rows_of(lines, "entmax-1.5")]    # its name holds a number
    assert (entmax[0] == 0).sum() == 2 and (entmax[1] > 0).all()
    np.testing.assert_allclose(entmax[1], normalise("entmax15", [0.525, 0.075, -0.3, 1.0]),
                               atol=5e-5)


def test_dividing_by_the_root_moves_only_softmax(printed):
    lines = printed("alternatives_blind")
    rules = [line for _, line in lines[::3]]
    for rule, (raw, _), (scaled, _) in zip(rules, lines[1::3], lines[2::3], strict=True):
        assert (raw == scaled) == (rule != "softmax")


def test_softmax_widens_one_ratio_and_narrows_another(printed):
    ratios = [row[0] for row in rows_of(printed("alternatives_amplify"), "largest")]
    raw, soft, raw_small, soft_small = ratios
    assert raw == raw_small == 3
    assert soft == pytest.approx(np.exp(2), abs=5e-3)
    assert soft_small == pytest.approx(np.exp(0.2), abs=5e-3)
    assert soft_small < raw < soft


def test_linear_attention_tells_equal_scores_apart_and_prefers_a_lower_one(printed):
    lines = printed("alternatives_linear")
    (scores,), (parts,), (weights,) = (rows_of(lines, w) for w in ("q . k", "phi", "weights"))
    assert scores[0] == scores[1] > scores[2]
    assert weights[0] < weights[1] < weights[2]
    np.testing.assert_allclose(weights, parts / parts.sum(), atol=1e-4)
