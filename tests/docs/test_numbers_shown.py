"""What a shown number claims, and how it is written anew."""

import math
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sqrtdk_docs.numbers.shown import ShownError, Verdict, compare, exact, parse, render


@pytest.mark.parametrize("text, values", [
    ("0.665", ["0.665"]),
    ("−1.2", ["-1.2"]),
    ("-1.2", ["-1.2"]),
    ("+0.5", ["0.5"]),
    ("≈ 8", ["8"]),
    ("≈8", ["8"]),
    ("63 %", ["0.63"]),
    ("63%", ["0.63"]),
    ("63\u202f%", ["0.63"]),
    ("15 041", ["15041"]),
    ("15,041", ["15041"]),
    ("1\u2009234\u2009567.8", ["1234567.8"]),
    ("15\u202f041", ["15041"]),
    ("15\u00a0041", ["15041"]),
    ("15041", ["15041"]),
    ("1.3×10⁶", ["1.3e6"]),
    ("1.3 × 10^{-6}", ["1.3e-6"]),
    ("1.3×10^−6", ["1.3e-6"]),
    ("2×10⁻¹²", ["2e-12"]),
    ("2e-9", ["2e-9"]),
    ("0.09, 0.24, 0.67", ["0.09", "0.24", "0.67"]),
    ("0.09，0.24、0.67", ["0.09", "0.24", "0.67"]),
    ("[0.09, −0.24, 0.67]", ["0.09", "-0.24", "0.67"]),
    ("[1 000, 2 000]", ["1000", "2000"]),
    ("25.4 ± 1.2", ["25.4", "1.2"]),
    ("25.4 ± 1.2 %", ["0.254", "0.012"]),
    ("25.4 % ± 1.2 %", ["0.254", "0.012"]),
    ("0.3–0.5", ["0.3", "0.5"]),
    ("8×", ["8"]),
    ("×1.6", ["1.6"]),
    ("≈ 12×", ["12"]),
])
def test_a_text_is_read_as_the_numbers_that_a_reader_sees(text, values):
    assert [numeral.value for numeral in parse(text)] == [Decimal(value) for value in values]


@pytest.mark.parametrize("text", [
    "", "many", "0.6.5", "⅓", "1/3", "0,09", "1,2,3", "10⁻³", "8 steps", "about 8", "[1, 2", "1 2",
    "0.1 ± ", "#", "1×10", "1×10⁹⁹⁹⁹", "1e99999", "1 0000", "--1", "1 ± 2 ± 3", "[]",
])
def test_a_text_of_another_form_is_refused(text):
    with pytest.raises(ShownError):
        parse(text)


@pytest.mark.parametrize("text, value, verdict", [
    ("0.665", 0.6652409557748219, Verdict.RIGHT),
    ("0.6652", 0.6652409557748219, Verdict.RIGHT),
    ("0.666", 0.6652409557748219, Verdict.WRONG),
    ("0.66", 0.6652409557748219, Verdict.WRONG),
    ("0.67", 0.6652409557748219, Verdict.RIGHT),
    ("0.6650", 0.6652409557748219, Verdict.WRONG),
    ("1.2", -1.2, Verdict.WRONG),
    ("0.00", -0.001, Verdict.RIGHT),
    ("63 %", 0.6349, Verdict.RIGHT),
    ("63 %", 0.6351, Verdict.WRONG),
    ("63", 0.63, Verdict.WRONG),
    ("15 041", 15041.4, Verdict.RIGHT),
    ("15 041", 15042, Verdict.WRONG),
    ("1.3×10⁶", 1_349_999, Verdict.RIGHT),
    ("1.3×10⁶", 1_350_001, Verdict.WRONG),
    ("1800", 1809, Verdict.WRONG),          # without ≈ every digit counts
    ("≈ 1800", 1809, Verdict.RIGHT),
    ("≈ 1800", 1851, Verdict.WRONG),
    ("≈ 1000", 1060, Verdict.WRONG),        # two digits count
    ("≈ 20", 20.6, Verdict.WRONG),
    ("0.12", 0.125, Verdict.EDGE),
    ("0.13", 0.125, Verdict.EDGE),
    ("0.12", 0.125 + 1e-12, Verdict.EDGE),  # another machine may round it down
    ("0.13", 0.1251, Verdict.RIGHT),
    ("0.12", 0.1251, Verdict.WRONG),
    ("8", 7.5, Verdict.EDGE),
    ("nan", math.nan, Verdict.RIGHT),
    ("nan", 1.0, Verdict.WRONG),
    ("0.5", math.nan, Verdict.WRONG),
    ("inf", math.inf, Verdict.RIGHT),
    ("−inf", -math.inf, Verdict.RIGHT),
    ("inf", -math.inf, Verdict.WRONG),
    ("0.67", 1e300, Verdict.WRONG),
    ("0", 5e-324, Verdict.RIGHT),
])
def test_a_number_is_judged_at_the_precision_shown(text, value, verdict):
    assert compare(text, (value,)) is verdict


def test_a_list_is_as_good_as_its_worst_element():
    assert compare("[0.09, 0.24, 0.67]", (0.09, 0.2447, 0.6652)) is Verdict.RIGHT
    assert compare("[0.09, 0.25, 0.67]", (0.09, 0.2447, 0.6652)) is Verdict.WRONG
    assert compare("0.12 ± 0.01", (0.1201, 0.0151)) is Verdict.WRONG


@pytest.mark.parametrize("text, values", [("0.1", (0.1, 0.2)), ("0.1, 0.2", (0.1,))])
def test_another_count_of_numbers_is_told(text, values):
    with pytest.raises(ShownError, match="shows . , but|shows ., but"):
        compare(text, values)
    with pytest.raises(ShownError):
        render(text, values)


def test_values_are_given_in_full_but_for_the_digits_that_machines_disagree_on():
    assert exact((2 / 3, 15041, 8.0, 2.06e-9)) == "0.666666666667, 15041, 8, 2.06e-09"


@pytest.mark.parametrize("old, values, new", [
    ("0.665", (0.12345,), "0.123"),
    ("0.665", (-0.12345,), "−0.123"),
    ("-0.665", (-0.12345,), "-0.123"),
    ("−1.2", (0.5,), "0.5"),
    ("+0.5", (0.7,), "+0.7"),
    ("0.50", (-0.001,), "0.00"),
    ("63 %", (0.4512,), "45 %"),
    ("63.0%", (0.4512,), "45.1%"),
    ("≈ 8", (9.7,), "≈ 10"),
    ("≈ 1800", (2412,), "≈ 2400"),
    ("≈ 1800", (36,), "≈ 36"),
    ("15 041", (15037,), "15 037"),
    ("15,041", (1234567,), "1,234,567"),
    ("15\u202f041", (999,), "999"),
    ("1.3×10⁶", (9.96e6,), "1.0×10⁷"),
    ("1.3 × 10^{-6}", (2.06e-9,), "2.1 × 10^{-9}"),
    ("1.3×10^−6", (2.06e-12,), "2.1×10^−12"),
    ("2e-9", (3.4e-12,), "3e-12"),
    ("13×10⁵", (2.44e6,), "2.4×10⁶"),
    ("1.3×10⁶", (0,), "0.0×10⁰"),
    ("[0.09, 0.24, 0.67]", (0.5, 0.25, 0.25), "[0.50, 0.25, 0.25]"),
    ("25.4 ± 1.2 %", (0.5, 0.0211), "50.0 ± 2.1 %"),
    ("8×", (9.2,), "9×"),
    ("0.5", (math.nan,), "nan"),
    ("−0.5", (-math.inf,), "−inf"),
])
def test_a_number_is_written_anew_in_the_same_form(old, values, new):
    assert render(old, values) == new


def test_nan_does_not_tell_how_many_digits_a_number_should_have():
    with pytest.raises(ShownError, match="how many digits"):
        render("nan", (0.5,))


DIGITS = st.integers(0, 6)
SIZES = st.floats(allow_nan=False, allow_infinity=False)
USUAL = st.floats(-1e9, 1e9)


def forms():
    """Texts of each form; their numbers do not matter, they are to be written over."""
    decimals = DIGITS.map(lambda n: f"0.{'0' * n}" if n else "0")
    grouped = st.sampled_from(",\u0020\u2009\u202f\u00a0").map(lambda mark: f"15{mark}041")
    power = st.sampled_from(["×10⁶", " × 10^{-6}", "×10^6", "e-9"])
    return st.one_of(
        decimals, grouped, decimals.map("−{}".format), decimals.map("{} %".format),
        decimals.map("≈ {}".format), decimals.map("{}×".format),
        st.builds("1.{}{}".format, DIGITS.map(lambda n: "2" * (n + 1)), power),
        st.sampled_from(["≈ 1800", "≈ 120000", "12", "[0.5]"]),
    )


@given(forms(), USUAL)
def test_what_is_written_anew_is_right_or_on_the_edge(form, value):
    written = render(form, (value,))
    assert compare(written, (value,)) <= Verdict.EDGE
    assert render(written, (value,)) == written


@given(st.lists(st.tuples(DIGITS, USUAL), min_size=1, max_size=5))
def test_lists_are_written_element_by_element(parts):
    form = ", ".join(f"{0:.{digits}f}" for digits, _ in parts)
    values = tuple(value for _, value in parts)
    for text in (form, f"[{form}]"):
        written = render(text, values)
        assert len(parse(written)) == len(values)
        assert compare(written, values) <= Verdict.EDGE


@given(DIGITS, USUAL, st.sampled_from([-1, 1]))
def test_one_unit_in_the_last_digit_is_always_seen(digits, value, up):
    shown = Decimal(f"{value:.{digits}f}")
    other = f"{shown + up * Decimal(1).scaleb(-digits):f}"
    # Off by at least half a unit; exactly half is an edge.
    assume(abs(abs(Decimal(value) - shown) - Decimal("0.5").scaleb(-digits))
           > abs(Decimal(value)) * Decimal("2e-9"))
    assert compare(other, (value,)) is Verdict.WRONG


@given(SIZES)
def test_any_float_can_be_written_with_an_exponent(value):
    written = render("1.234×10⁵", (value,))
    assert compare(written, (value,)) <= Verdict.EDGE


@given(st.text(alphabet="0123456789.,×10⁻⁶^{}%≈±−-[] e", max_size=12))
def test_any_text_is_read_or_refused(text):
    try:
        numerals = parse(text)
    except ShownError:
        return
    values = tuple(float(numeral.value) for numeral in numerals)
    # Decimal to float costs a relative 1e-16: far less than a step, but not for huge numbers.
    if all(abs(numeral.value) < numeral.step * 10**12 for numeral in numerals):
        assert compare(text, values) is Verdict.RIGHT
