"""Every bad argument is refused, by name, with what was wrong."""

import numpy as np
import pytest

from sqrtdk.checks import axis_of, distribution, floats, logits, numbers, positive, real, whole


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


@pytest.mark.parametrize("value", ["1", None, True, [1, 2], 1j])
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
