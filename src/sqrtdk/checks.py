"""Small checks of arguments, shared by the public functions.

Every error starts with the argument's name and says what was wrong with it:
`q: contains NaN`. What has a wrong type raises TypeError, what has a wrong
value or shape ValueError.
"""

import math
import operator
from contextlib import contextmanager

import numpy as np

LARGEST = 2**53  # of a count: beyond it a float does not hold every whole number


def numbers(name, x):
    """`x` as an array of floats, its values not looked at.

    Keeps the float type of arrays; whole numbers become float64.
    """
    array = plain(name, x)
    if array.dtype.kind in "iu":
        return array.astype(np.float64)
    if array.dtype.kind != "f":
        raise TypeError(f"{name}: must hold real numbers, not {array.dtype}")
    return array


def plain(name, x):
    """`x` as an array of whatever it holds."""
    if isinstance(x, np.ma.MaskedArray):  # asarray would bring back what is masked
        raise TypeError(f"{name}: is a masked array; fill it first (-inf leaves a logit out)")
    try:
        return np.asarray(x)
    except (TypeError, ValueError, RuntimeError) as error:  # ragged lists, tensors with gradient
        raise TypeError(f"{name}: cannot be read as an array of numbers ({error})") from error


def floats(name, x):
    """`x` as an array of finite floats."""
    array = numbers(name, x)
    if array.size and not np.isfinite(array).all():
        raise ValueError(f"{name}: contains {'NaN' if np.isnan(array).any() else 'inf'}")
    return array


def logits(name, x):
    """`x` as an array of floats, where -inf marks what is masked out."""
    array = numbers(name, x)
    top = array.max(initial=-np.inf)  # NaN, where there is one, comes through the maximum
    if np.isnan(top):
        raise ValueError(f"{name}: contains NaN")
    if top == np.inf:
        raise ValueError(f"{name}: contains +inf (only -inf has a meaning: masked out)")
    return array


def axis_of(name, x, axis):
    """`axis` as an index of `x`'s shape; there must be something along it."""
    axis = whole("axis", axis)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"{name}: has shape {x.shape}, so there is no axis {axis}")
    if x.shape[axis] == 0:
        raise ValueError(f"{name}: axis {axis} is empty (shape {x.shape})")
    return axis % x.ndim


def row(name, x, at_least=1):
    """`x` as a float64 array of shape (n,), n not below `at_least`."""
    array = floats(name, x).astype(np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name}: must be one row (n,), not of shape {array.shape}")
    if len(array) < at_least:
        raise ValueError(f"{name}: must hold at least {at_least} numbers, not {len(array)}")
    return array


def distribution(name, weights, axis):
    """`weights` as an array: along `axis` none negative and their sum 1.

    The sum may be off by 0.001, so that weights rounded for print can be used.
    """
    array = floats(name, weights)
    axis = axis_of(name, array, axis)
    if array.min(initial=0) < 0:
        raise ValueError(f"{name}: contains a negative weight, {array.min():g}")
    total = array.sum(axis=axis, dtype=np.promote_types(array.dtype, np.float32))
    if total.size and not (worst := abs(total - 1).max()) <= 1e-3:
        raise ValueError(f"{name}: must sum to 1 along axis {axis}, but is off by {worst:g}")
    return array


def whole(name, value, at_least=None):
    """`value` as an int, not below `at_least`."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: must be a whole number, not {value!r}")
    if at_least is not None and number < at_least:
        raise ValueError(f"{name}: must be at least {at_least}, not {number}")
    return number


def count(name, value, at_least=1):
    """`value` as an int from `at_least` to `LARGEST`: a size, or how often."""
    number = whole(name, value, at_least)
    if number > LARGEST:
        raise ValueError(f"{name}: must be at most {LARGEST}")
    return number


def real(name, value):
    """`value` as a finite float."""
    kind = plain(name, value)
    if kind.ndim or kind.dtype.kind not in "iufO":
        raise TypeError(f"{name}: must be a number, not {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: must be a number, not {value!r}") from None
    except OverflowError:
        raise ValueError(f"{name}: is beyond the largest float") from None
    if not math.isfinite(number):
        raise ValueError(f"{name}: must be finite, not {number}")
    return number


def positive(name, value):
    """`value` as a finite float above 0."""
    number = real(name, value)
    if number <= 0:
        raise ValueError(f"{name}: must be above 0, not {number:g}")
    return number


def choice(name, value, choices):
    """`value`, a key of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}: must be one of {', '.join(choices)}, not {value!r}")
    return value


def generator(name, rng):
    """`rng`, a random generator of numpy's."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"{name}: must be a numpy Generator, as default_rng(0), not {rng!r}")
    return rng


@contextmanager
def within_floats(names):
    """An overflow in here is an error that names the arguments, not a warning and inf or NaN."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            yield
    except FloatingPointError as error:
        raise ValueError(f"{names}: too large for the float type ({error})") from error
