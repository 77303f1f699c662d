"""Compares the checked numbers of a page with their expressions, and writes them anew."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqrtdk_docs.numbers.calculator import Calculator, ExpressionError
from sqrtdk_docs.numbers.marks import Number, find
from sqrtdk_docs.numbers.shown import ShownError, Verdict, compare, exact, render
from sqrtdk_docs.project import ProjectError

UNREADABLE = ('the calc cannot be read; write `0.665`{ calc="…" }, with nothing between '
              "and no double quotes inside")


@dataclass(frozen=True)
class Problem:
    """A checked number that is not right.

    what:  what is wrong, with the right value where there is one.
    right: the text to show instead; None if an author must decide.
    """

    number: Number
    what: str
    right: str | None = None

    def told(self, page: str) -> str:
        """The message: page, line, text, expression, and what is wrong."""
        number = self.number
        return (f"{page}:{number.line}:{number.column}: `{number.text}` "
                f'calc="{number.expression}": {self.what}')


class NumbersError(ProjectError):
    """Checked numbers of a page that are not right; the message has a line for each."""

    def __init__(self, page: str, problems: Iterable[Problem]):
        super().__init__("\n".join(problem.told(page) for problem in problems))


def check(markdown: str, calculator: Calculator) -> list[Problem]:
    """The problems of a page's Markdown, in order."""
    problems = (_problem(number, calculator) for number in find(markdown))
    return [problem for problem in problems if problem is not None]


def require(markdown: str, page: str, calculator: Calculator) -> list[Number]:
    """The checked numbers of a page. Raises NumbersError, naming `page`, unless all are right."""
    problems = check(markdown, calculator)
    if problems:
        raise NumbersError(page, problems)
    return find(markdown)


def fix(markdown: str, calculator: Calculator) -> tuple[str, list[Problem]]:
    """The page with its wrong numbers written anew, and the problems that remain."""
    for problem in reversed(check(markdown, calculator)):
        if problem.right is not None:
            start, end = problem.number.span
            markdown = markdown[:start] + problem.right + markdown[end:]
    return markdown, check(markdown, calculator)


def _problem(number: Number, calculator: Calculator) -> Problem | None:
    if not number.expression:
        return Problem(number, UNREADABLE)
    try:
        values = calculator.evaluate(number.expression)
        verdict = compare(number.text, values)
        if verdict is Verdict.RIGHT:
            return None
        right = render(number.text, values)
    except (ExpressionError, ShownError) as error:
        return Problem(number, str(error))
    value = exact(values)
    if verdict is Verdict.EDGE:
        return Problem(number, f"the value is {value}, on the edge between two roundings; "
                               "show more or fewer digits")
    return Problem(number, f"the value is {value}; show `{right}`", right)
