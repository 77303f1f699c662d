"""What the pages say of softmax's examples is what the examples print."""

import math
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import sqrtdk.examples
from sqrtdk.softmax import softmax

FOLDER = Path(sqrtdk.examples.__file__).parent
NUMBER = re.compile(r"-?\d+\.\d+")


@pytest.fixture
def shown(capsys):
    """Runs an example and gives its lines."""

    def run(name):
        runpy.run_path(str(FOLDER / f"{name}.py"))
        return capsys.readouterr().out.splitlines()

    return run


def numbers(line):
    return [float(x) for x in NUMBER.findall(line)]


def test_three_terms_are_divided_by_one_sum(shown):
    exponentials, total, weights, one = shown("softmax_three")
    # four digits are shown, so sums of three of them are off by at most 2e-4
    assert sum(numbers(exponentials)) == pytest.approx(numbers(total)[0], abs=2e-4)
    assert numbers(weights) == [0.0900, 0.2447, 0.6652]
    assert numbers(one) == [1]


def test_alpha_index_by_index_is_the_matrix_form_and_repeats_the_example_by_hand(shown):
    lines = [numbers(line) for line in shown("softmax_alpha")]
    for logits, one_by_one, matrix in (lines[:3], lines[3:]):
        assert one_by_one == matrix
        np.testing.assert_allclose(softmax(logits), matrix, atol=5e-5)  # half the last digit
    assert lines[0] == [1, 2, 3]


def test_attention_mixes_the_values_of_each_row(shown):
    *_, first, second = shown("softmax_attention")
    a, b = softmax([1, 2, 3]), softmax([1, 1, 0])
    values = np.array([[1, 0], [0, 1], [1, 1]])
    np.testing.assert_allclose([numbers(first), numbers(second)], [a @ values, b @ values], atol=5e-5)


def test_only_the_right_axis_gives_rows_of_sum_one(shown):
    lines = shown("softmax_axis")
    sums = [numbers(line)[-1] for line in lines if "sum" in line]
    assert sums[:2] == [1, 1]
    assert 1 not in sums[2:]


def test_naive_breaks_at_1000_and_stable_is_right_but_as_sharp_as_before(shown):
    naive, stable, sharp, divided = shown("softmax_overflow")
    assert naive.split()[-3:] == ["nan"] * 3
    assert numbers(stable) == [0.0900, 0.2447, 0.6652]  # as for 0, 1, 2
    assert numbers(sharp)[-1] == 1
    assert max(numbers(divided)) < 0.75


def test_four_scores_keep_their_order_and_share_one(shown):
    *rows, total = shown("role_weights")
    pairs = sorted(numbers(row) for row in rows)
    assert [weight for _, weight in pairs] == sorted(weight for _, weight in pairs)
    assert numbers(total) == [1]
    assert pairs[-1] == [4.0, 0.8476]


def test_the_sharp_row_is_the_one_named_and_its_slopes_are_tiny(shown):
    raw_keys, raw, raw_slopes, keys, scaled, slopes = shown("role_sharp")
    assert numbers(raw) == [0.001, 0.002, 0.997]
    assert max(numbers(raw_slopes)) <= 0.003
    assert numbers(slopes)[0] / numbers(raw_slopes)[0] > 100
    assert numbers(raw_keys)[0] < 1.1
    assert numbers(keys)[0] > 2.5
    assert sorted(numbers(scaled)) == numbers(scaled)  # the order is the same


def test_the_sweep_goes_from_one_key_to_four_and_never_changes_the_order(shown):
    _, *rows = shown("temperature_sweep")
    effective = [numbers(row)[-1] for row in rows]
    assert effective == sorted(effective)
    assert effective[0] == 1
    assert effective[-1] == 4
    for row in rows:
        third, second, first, last = np.array(numbers(row)[-5:-1])[[2, 1, 0, 3]]
        assert third <= second <= first <= last


def test_the_sampling_temperature_moves_the_words_and_not_the_keys(shown):
    lines = shown("temperature_two")
    keys = [numbers(line) for line in lines if "keys" in line]
    words = [numbers(line) for line in lines if "words" in line]
    assert keys[0] == keys[1] == keys[2] == [0.0900, 0.2447, 0.6652]
    assert len({tuple(row) for row in words}) == 3
    entropies = [-sum(p * math.log(p) for p in row) for row in words]
    assert entropies == sorted(entropies)
