"""Every bad argument is refused, by name, with what was wrong."""

from fractions import Fraction

import numpy as np
import pytest

from sqrtdk.checks import (
    LARGEST,
    axis_of,
    choice,
    count,
    distribution,
    floats,
    generator,
    logits,
    numbers,
    plain,
    positive,
    real,
    row,
    whole,
    within_floats,
)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble])
def test_float_types_are_kept(kind):
    assert numbers("x", np.ones(3, kind)).dtype == kind


@pytest.mark.parametrize("x", [[1, 2], (1, 2), range(1, 3), np.array([1, 2], np.uint8)])
def test_whole_numbers_become_float64(x):
    array = numbers("x", x)
    assert array.dtype == np.float64
    np.testing.assert_array_equal(array, [1.0, 2.0])


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([[1, 2], [3]], "x: cannot be read as an array of numbers"),
        ("12", "x: must hold real numbers, not <U2"),
        ([1j], "x: must hold real numbers, not complex128"),
        ([None], "x: must hold real numbers, not object"),
        ([True, False], "x: must hold real numbers, not bool"),
    ],
)
def test_what_is_not_real_is_a_type_error(x, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        numbers("x", x)


@pytest.mark.parametrize(
    ("value", "message"),
    [(np.nan, "x: contains NaN"), (np.inf, "x: contains inf"), (-np.inf, "x: contains inf")],
)
def test_floats_are_finite(value, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        floats("x", [1.0, value])


def test_logits_may_be_minus_infinity_and_nothing_else():
    assert logits("x", [1.0, -np.inf])[1] == -np.inf
    with pytest.raises(ValueError, match="^x: contains NaN$"):
        logits("x", [-np.inf, np.nan])
    with pytest.raises(ValueError, match=r"^x: contains \+inf"):
        logits("x", [1.0, np.inf])


def test_axis_is_there_and_not_empty():
    x = np.ones((2, 3))
    assert [axis_of("x", x, a) for a in (0, 1, -1, -2)] == [0, 1, 1, 0]
    with pytest.raises(ValueError, match=r"^x: has shape \(2, 3\), so there is no axis 2$"):
        axis_of("x", x, 2)
    with pytest.raises(ValueError, match=r"^x: axis -1 is empty \(shape \(2, 0\)\)$"):
        axis_of("x", np.ones((2, 0)), -1)
    with pytest.raises(ValueError, match=r"^x: has shape \(\), so there is no axis -1$"):
        axis_of("x", np.float64(1), -1)
    with pytest.raises(TypeError, match="^axis: must be a whole number"):
        axis_of("x", x, (0, 1))


def test_distribution():
    np.testing.assert_array_equal(distribution("p", [0.25, 0.75], -1), [0.25, 0.75])
    distribution("p", [0.333, 0.333, 0.333], -1)  # rounded for print
    distribution("p", np.full(3000, 1 / 3000, np.float16), -1)  # rounded to its type
    with pytest.raises(ValueError, match="^p: contains a negative weight, -0.5$"):
        distribution("p", [1.5, -0.5], -1)
    with pytest.raises(ValueError, match="^p: must sum to 1 along axis 0, but is off by 0.5$"):
        distribution("p", [[0.5, 0.5], [0.5, 0.0]], 0)


@pytest.mark.parametrize("value", [2.0, "2", None, True, np.True_])
def test_whole_is_whole(value):
    with pytest.raises(TypeError, match="^d_k: must be a whole number, not "):
        whole("d_k", value)


def test_whole_has_a_floor():
    assert whole("d_k", np.int64(1), at_least=1) == 1
    with pytest.raises(ValueError, match="^d_k: must be at least 1, not 0$"):
        whole("d_k", 0, at_least=1)


@pytest.mark.parametrize("value", [
    "1", None, True, [1, 2], 1j, b"1", bytearray(b"1"), np.array("1"), np.array(True),
    np.array([1.0])])
def test_real_is_one_number(value):
    with pytest.raises(TypeError, match="^temperature: must be a number, not "):
        real("temperature", value)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_real_is_finite(value):
    with pytest.raises(ValueError, match="^temperature: must be finite, not "):
        real("temperature", value)


@pytest.mark.parametrize("value", [0, -1, -0.5])
def test_positive_is_above_zero(value):
    assert positive("temperature", 0.5) == 0.5
    with pytest.raises(ValueError, match="^temperature: must be above 0, not "):
        positive("temperature", value)


@pytest.mark.parametrize("value", [2, np.float16(2), np.array(2.0), Fraction(2)])
def test_real_takes_what_is_one_number(value):
    assert real("temperature", value) == 2


def test_real_ends_where_floats_end():
    with pytest.raises(ValueError, match="^temperature: is beyond the largest float$"):
        real("temperature", 10**400)


@pytest.mark.parametrize("check", [plain, numbers, floats, logits, row])
def test_what_a_masked_array_hides_does_not_come_back(check):
    hidden = np.ma.array([1.0, 2.0, 30.0], mask=[False, False, True])
    with pytest.raises(TypeError, match="^x: is a masked array; fill it first"):
        check("x", hidden)


def test_a_count_ends_where_a_float_skips_whole_numbers():
    assert count("d_k", LARGEST) == LARGEST and float(LARGEST) + 1 == LARGEST
    with pytest.raises(ValueError, match=f"^d_k: must be at most {LARGEST}$"):
        count("d_k", 10**400)
    with pytest.raises(ValueError, match="^draws: must be at least 2, not 1$"):
        count("draws", 1, at_least=2)


def test_a_row_is_one_row_of_enough_numbers():
    assert row("x", np.float16([1, 2])).dtype == np.float64
    with pytest.raises(ValueError, match=r"^x: must be one row \(n,\), not of shape \(1, 2\)$"):
        row("x", [[1, 2]])
    with pytest.raises(ValueError, match="^x: must hold at least 2 numbers, not 1$"):
        row("x", [1], at_least=2)


@pytest.mark.parametrize("value", ["c", None, 1, ["a"], {}])
def test_a_choice_is_one_of_the_names(value):
    assert choice("loss", "a", {"a": 1, "b": 2}) == "a"
    with pytest.raises(ValueError, match="^loss: must be one of a, b, not "):
        choice("loss", value, {"a": 1, "b": 2})


@pytest.mark.parametrize("value", [None, 0, np.random])
def test_a_generator_is_numpy_s(value):
    with pytest.raises(TypeError, match="^rng: must be a numpy Generator"):
        generator("rng", value)


@pytest.mark.parametrize("overflow", [
    lambda x: x * x, lambda x: (x * -x) - (x * -x), lambda x: x[:, None] @ x[None, :], np.exp])
def test_an_overflow_is_an_error_that_names_the_arguments(overflow):
    with pytest.raises(ValueError, match="^q, k: too large for the float type"):
        with within_floats("q, k"):
            overflow(np.array([1e200, 1e200]))
