"""Turns the text of an argument into a number, or says in one line why it can't."""

import argparse
import math

def protect_negative(text):
    """`text`, with a space before it if it is a negative number.

    argparse takes -1e3 for an option, and everything with a space in it for a value.
    """
    return " " + text if text.startswith("-") and _is_number(text) else text


def whole(words, at_least, at_most=10**9):
    """An argparse type: a whole number from `at_least` to `at_most`."""

    def convert(text):
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or not at_least <= number <= at_most:
            _refuse(words["not_whole"], text, at_least=at_least, at_most=at_most)
        return number

    return convert


def real(words):
    """An argparse type: a finite number."""

    def convert(text):
        if not _is_number(text) or not math.isfinite(float(text)):
            _refuse(words["not_real"], text)
        return float(text)

    return convert


def positive(words):
    """An argparse type: a finite number above 0."""

    def convert(text):
        if not _is_number(text) or not 0 < float(text) < math.inf:
            _refuse(words["not_positive"], text)
        return float(text)

    return convert


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def _refuse(message, text, **limits):
    raise argparse.ArgumentTypeError(message.format(text=text.strip(), **limits))
