"""What every simulation here shares: means with standard errors, in bounded memory."""

import math
from typing import NamedTuple

import numpy as np

from sqrtdk import checks

# Numbers drawn at once: 2 MB of float64, which stays in the processor's cache.
NUMBERS_AT_ONCE = 2**18


class Estimate(NamedTuple):
    """A simulated value with its standard error, in the value's own unit."""

    value: float
    se: float


def chunk_sizes(draws, numbers_each, numbers_at_once=None):
    """Split `draws` of `numbers_each` numbers into sizes that fit the memory allowed."""
    if numbers_at_once is None:
        numbers_at_once = NUMBERS_AT_ONCE
    at_once = max(1, checks.count("numbers_at_once", numbers_at_once) // numbers_each)
    for start in range(0, draws, at_once):
        yield min(at_once, draws - start)


class RunningMean:
    """Means and standard errors of several quantities, fed chunk by chunk."""

    def __init__(self):
        self.count, self.mean, self.squares = 0, 0.0, 0.0

    def add(self, values):
        """Take in `values` of shape (draws, quantities)."""
        count = len(values)
        mean = values.mean(axis=0)
        squares = ((values - mean) ** 2).sum(axis=0)
        # Two sums of squared deviations are joined by the distance of their means.
        total, gap = self.count + count, mean - self.mean
        self.squares = self.squares + squares + gap**2 * self.count * count / total
        self.mean = self.mean + gap * count / total
        self.count = total

    def estimates(self):
        """One `Estimate` of the mean for each quantity; needs two draws."""
        errors = np.sqrt(self.squares / (self.count - 1) / self.count)
        return [Estimate(float(m), float(e)) for m, e in zip(self.mean, errors, strict=True)]


def root(variance):
    """The standard deviation for the estimate of a variance; its error follows the root's slope."""
    std = math.sqrt(variance.value)
    return Estimate(std, variance.se / (2 * std))
