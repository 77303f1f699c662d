"""A wrong number is told with page, line, text, expression and value, and written anew."""

import json

import pytest

from sqrtdk_docs.numbers.calculator import Calculator
from sqrtdk_docs.numbers.pages import NumbersError, check, fix, require

PAGE = '''\
Right: `0.665`{ calc="softmax([1, 2, 3])[2]" }.

Wrong: `0.666`{ calc="softmax([1, 2, 3])[2]" }, and in a table:

| weights |
| --- |
| `[0.1, 0.24, 0.66]`{ calc="softmax([1, 2, 3])" } |
'''


@pytest.fixture
def calculator(tmp_path):
    (tmp_path / "growth.json").write_text(json.dumps({"std": 8.0}))
    return Calculator(tmp_path)


def test_wrong_numbers_are_told_with_all_that_an_author_needs(calculator):
    first, second = check(PAGE, calculator)
    assert first.told("docs/en/page.md") == (
        'docs/en/page.md:3:8: `0.666` calc="softmax([1, 2, 3])[2]": '
        "the value is 0.665240955775; show `0.665`")
    assert second.number.line == 7
    assert second.right == "[0.1, 0.24, 0.67]"


def test_require_raises_with_one_line_a_problem(calculator):
    with pytest.raises(NumbersError) as told:
        require(PAGE, "page.md", calculator)
    assert [line.split(": ")[0] for line in str(told.value).splitlines()] == [
        "page.md:3:8", "page.md:7:3"]


def test_require_gives_the_numbers_of_a_page_that_is_right(calculator):
    numbers = require(PAGE[:50], "page.md", calculator)
    assert [number.text for number in numbers] == ["0.665"]


@pytest.mark.parametrize("mark, words", [
    ('`0.12`{ calc="1/8" }', "on the edge between two roundings"),
    ('`0.12`{ calc="sofmax([1])" }', "sofmax is not among"),
    ('`some`{ calc="1/8" }', "cannot be read as a number"),
    ('`0.12, 0.13`{ calc="1/8" }', "shows 2, but the expression gives 1"),
    ('`0.12`{ calc=1/8 }', "the calc cannot be read"),
    ('`8.1`{ calc="data[\'growth\'][\'std\']" }', "the value is 8; show `8.0`"),
])
def test_each_kind_of_problem_is_told(calculator, mark, words):
    [problem] = check(mark, calculator)
    assert words in problem.what


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_fix_writes_only_the_numbers_anew(calculator, ends):
    page = "\ufeff" + PAGE.replace("\n", ends)
    fixed, left = fix(page, calculator)
    assert left == []
    assert fixed == page.replace("0.666", "0.665").replace("0.1, 0.24, 0.66", "0.1, 0.24, 0.67")
    assert fix(fixed, calculator) == (fixed, [])


def test_fix_finds_its_place_after_numbers_of_another_length(calculator):
    page = '`1 000`{ calc="1 + 1" }, `3.0`{ calc="10**3" }, `3`{ calc="1 + 1" }'
    assert fix(page, calculator)[0] == (
        '`2`{ calc="1 + 1" }, `1000.0`{ calc="10**3" }, `2`{ calc="1 + 1" }')


def test_fix_leaves_to_the_author_what_it_cannot_decide(calculator):
    page = 'Edge `0.12`{ calc="1/8" }, wrong `3`{ calc="1 + 1" }.'
    fixed, left = fix(page, calculator)
    assert fixed == page.replace("`3`", "`2`")
    assert [problem.number.text for problem in left] == ["0.12"]
