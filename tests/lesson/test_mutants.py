"""Four slips, planted one at a time: each must break checks of several kinds.

Softmax that forgets the maximum or runs along the wrong axis, attention that forgets the factor
or takes it from the width of the model. A slip is planted in the function itself, so that all
who imported it have it; where a page shows the function, also in the code of the page's block.
A check that would pass in spite of its slip holds less than it seems to.
"""

import inspect
import runpy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from sqrtdk import attention, formulas, softmax
from sqrtdk_docs import results
from sqrtdk_docs.blocks import find_blocks
from sqrtdk_docs.numbers.calculator import Calculator
from sqrtdk_docs.numbers.pages import check
from sqrtdk_docs.project import ProjectError

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Slip:
    """`wrong` in place of `right` in the text of a function, and the checks that it breaks.

    A check is a unit test or a figure's claim (`test FILE:NAME`, `claim NAME`), a block that
    prints something else (`output ID`), a page with a wrong number in each language (`numbers
    PAGE`) or a figure that is drawn otherwise (`drawing NAME`).
    """

    name: str
    function: Callable
    right: str
    wrong: str
    breaks: tuple[str, ...]


# Heads: the paper's eight, so d_model = 8 d_k. Attention stands twice: bare, for the pages, and
# with checks of its arguments, for numbers and figures. A slip in either must not pass.
SLIPS = [
    Slip("softmax forgets the maximum",
         formulas.softmax, "np.exp(x - top)", "np.exp(x)",
         ("test softmax:test_naive_overflows_where_stable_does_not",
          "test attention:test_float16_attention_survives_scores_that_float16_cannot_hold",
          "output softmax-overflow", "numbers softmax/formula")),
    Slip("attention on the pages forgets the factor",
         formulas.attention, " / d_k**0.5", "",
         ("test formulas:test_attention", "output softmax-attention")),
    Slip("attention forgets the factor",
         attention._weights, "q * scale(q.shape[-1])", "q",
         ("test attention:test_alpha_index_by_index_is_the_matrix_form",
          "test attention:test_the_factor_is_of_the_head_and_not_of_the_model",
          "numbers softmax/formula", "drawing heat_map",
          "claim test_the_heat_map_shows_favourites_only_without_the_factor")),
    Slip("attention on the pages takes d_model",
         formulas.attention, "d_k**0.5", "(8 * d_k)**0.5",
         ("test formulas:test_attention", "output softmax-attention")),
    Slip("attention takes d_model",
         attention._weights, "scale(q.shape[-1])", "scale(8 * q.shape[-1])",
         ("test attention:test_alpha_index_by_index_is_the_matrix_form",
          "test attention:test_the_factor_is_of_the_head_and_not_of_the_model",
          "numbers softmax/formula", "drawing heat_map")),
    Slip("the factor takes d_model",
         attention.scale, "math.sqrt(", "math.sqrt(8 * ",
         ("test attention:test_scale_is_one_over_the_root",
          "test attention:test_the_factor_is_of_the_head_and_not_of_the_model",
          "numbers why/scaling", "drawing before_after",
          "claim test_divided_by_eight_the_second_key_keeps_a_share")),
    Slip("softmax on the pages runs along the first axis",
         formulas.softmax, "def softmax(x, axis=-1)", "def softmax(x, axis=0)",
         ("test attention:test_alpha_index_by_index_is_the_matrix_form",
          "test formulas:test_attention", "output softmax-attention", "output softmax-alpha",
          "numbers softmax/formula", "drawing heat_map",
          "claim test_the_heat_map_shows_favourites_only_without_the_factor")),
    Slip("softmax runs along the first axis",
         softmax.softmax, "def softmax(x, axis=-1", "def softmax(x, axis=0",
         ("test softmax:test_jacobian_equals_autograd_on_batches",
          "test attention:test_the_factor_is_of_the_head_and_not_of_the_model",
          "drawing heat_map",
          "claim test_the_heat_map_shows_favourites_only_without_the_factor")),
    Slip("attention on the pages runs softmax along the queries",
         formulas.attention, "softmax(logits)", "softmax(logits, -2)",
         ("test formulas:test_attention", "output softmax-attention")),
    Slip("attention runs softmax along the queries",
         attention._weights, "softmax(logits)", "softmax(logits, -2)",
         ("test attention:test_alpha_index_by_index_is_the_matrix_form",
          "numbers softmax/formula", "drawing heat_map",
          "claim test_the_heat_map_shows_favourites_only_without_the_factor")),
]


def plant(slip, monkeypatch):
    """Change the function object, which all modules share, and not the name in one of them."""
    source = inspect.getsource(slip.function)
    assert slip.right in source
    namespace = dict(slip.function.__globals__)
    exec(source.replace(slip.right, slip.wrong), namespace)
    changed = namespace[slip.function.__name__]
    monkeypatch.setattr(slip.function, "__code__", changed.__code__)
    monkeypatch.setattr(slip.function, "__defaults__", changed.__defaults__)


@cache
def lesson_tests(file):
    return runpy.run_path(str(HERE / f"test_{file}.py"))


@cache
def blocks_of(project, page):
    return {block.id: block for block in find_blocks(project, project.docs / "en" / page)}


def passes(what, project, slip=None):
    """Does this check pass, with the slip planted?"""
    kind, _, name = what.partition(" ")
    ask = {"test": unit_passes, "claim": claim_holds, "output": prints_as_committed,
           "numbers": numbers_are_right, "drawing": draws_as_committed}[kind]
    return ask(name, project, slip)


def unit_passes(name, project, slip):
    file, _, test = name.partition(":")
    try:
        lesson_tests(file)[test]()
    except (Exception, pytest.fail.Exception):  # the latter is no Exception
        return False
    return True


def claim_holds(name, project, slip):
    return unit_passes(f"figures:{name}", project, slip)


def prints_as_committed(name, project, slip):
    block = blocks_of(project, "softmax/formula.md")[name]
    committed = results.Outputs(project.results / "outputs")(block)
    if slip:
        assert slip.right in block.code
        block = replace(block, code=block.code.replace(slip.right, slip.wrong))
    try:
        return results.run_block(block) == committed
    except ProjectError:
        return False


def numbers_are_right(page, project, slip):
    calculator = Calculator(project.results / "data")
    wrong = [bool(check((project.docs / lang / f"{page}.md").read_text("utf-8"), calculator))
             for lang in project.languages]
    assert len(set(wrong)) == 1, "a slip shows in one language only"
    return not wrong[0]


def draws_as_committed(name, project, slip):
    return not [told for told in results.stale_figures(project, [name]) if "other code" in told]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_a_slip_breaks_every_check_named_beside_it(slip, project, monkeypatch):
    plant(slip, monkeypatch)
    assert [what for what in slip.breaks if passes(what, project, slip)] == []
    assert len({what.split()[0] for what in slip.breaks}) >= 2, "several kinds of checks"


@pytest.mark.parametrize("what", sorted({what for slip in SLIPS for what in slip.breaks}))
def test_without_a_slip_the_same_checks_pass(what, project):
    assert passes(what, project)
