"""What the small programs on the page about training claim, read from what they print."""

import re
import runpy

import pytest

from sqrtdk.escape import escape_steps, escape_time


@pytest.fixture
def numbers(capsys):
    """Run an example; give the numbers it prints, line by line."""

    def run(name):
        runpy.run_module(f"sqrtdk.examples.{name}", run_name="__main__")
        lines = capsys.readouterr().out.splitlines()
        assert max(len(line) for line in lines) <= 60  # a phone's screen
        return [
            [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?", line)]
            for line in lines
        ]

    return run


def test_the_signal_to_a_token_carries_its_weight(numbers):
    mild, sharp = (rows[1:] for rows in zip(*[iter(numbers("jacobian_sharp"))] * 4))
    for token, weight, signal in [*mild, *sharp]:
        # At most the weight times the spread of u, which is 2; two digits are printed.
        assert abs(signal) <= 2 * weight * 1.05, token
    # Token 0 is worth the most. The sharp row gives it less than a ten-millionth.
    assert 0 < sharp[0][2] < 1e-7 * mild[0][2]
    for row in (mild, sharp):  # what one token gains the others lose
        assert abs(sum(signal for *_, signal in row)) <= 0.05 * max(s for *_, s in row)


def test_gradient_descent_takes_the_steps_of_the_closed_form(numbers):
    rows = numbers("escape_two_tokens")
    assert [gap for gap, *_ in rows] == [1, 2, 4, 6, 8]
    for gap, steps, formula in rows:
        assert steps == escape_steps(gap)
        assert formula == round(escape_time(gap) / 0.1)
        assert steps == pytest.approx(formula, rel=0.02, abs=1)


def test_autograd_finds_a_larger_gradient_without_the_factor(numbers):
    for raw, scaled, times in numbers("gradient_torch"):
        # Layers scatter by about 14 % around 11.5 times.
        assert times == pytest.approx(11.5, rel=4 * 0.14)
        assert times == pytest.approx(raw / scaled, rel=0.07)  # both are rounded
        assert times > 5
