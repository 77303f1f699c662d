"""`python -m sqrtdk_docs numbers`: check the numbers of all pages, or write them anew."""

import sys
from collections.abc import Iterator
from pathlib import Path

from sqrtdk_docs import notebooks
from sqrtdk_docs.numbers import lint, pages
from sqrtdk_docs.numbers.calculator import Calculator, ExpressionError
from sqrtdk_docs.numbers.marks import find
from sqrtdk_docs.numbers.shown import exact
from sqrtdk_docs.project import Project, ProjectError


def add_parser(subparsers) -> None:
    parser = subparsers.add_parser(
        "numbers", help="check the numbers in the text against the code that gives them",
        description="Without an option: list the checked numbers that are wrong, in all languages.",
    )
    todo = parser.add_mutually_exclusive_group()
    todo.add_argument("--fix", action="store_true", help="write wrong numbers anew")
    todo.add_argument("--list", metavar="PAGE", help="show a page's numbers and their values")
    todo.add_argument("--lint", action="store_true",
                      help="list numerals that look like results but have no expression")
    parser.set_defaults(run=run)


def run(args) -> int:
    project = Project.find()
    if args.lint:
        return lint_pages(project)
    calculator = Calculator(project.results / "data")
    if args.list:
        return list_page(project, calculator, args.list)
    return check_pages(project, calculator, write=args.fix)


def check_pages(project: Project, calculator: Calculator, write: bool) -> int:
    """Tell of each wrong number; with `write`, put right what can be. 0 if none is left."""
    count, wrong = 0, 0
    for path in _paths(project):
        markdown = notebooks.read(path)
        if write:
            fixed, problems = pages.fix(markdown, calculator)
            if fixed != markdown:
                notebooks.write(path, fixed)
                print(f"{project.shown(path)}: written anew")
        else:
            problems = pages.check(markdown, calculator)
        for problem in problems:
            print(problem.told(project.shown(path)), file=sys.stderr)
        count += len(find(markdown))
        wrong += len(problems)
    print(f"{count} checked numbers, {wrong} of them wrong")
    return 1 if wrong else 0


def list_page(project: Project, calculator: Calculator, name: str) -> int:
    """Print each checked number of a page (`why/growth`, in all languages) with its value."""
    paths = [path for path in _paths(project) if project.page_name(path) == name]
    if not paths:
        raise ProjectError(f"there is no page {name!r}; write it as why/growth")
    for path in paths:
        for number in find(notebooks.read(path)):
            print(f"{project.shown(path)}:{number.line}: `{number.text}`  {number.expression}"
                  f" = {_value(calculator, number.expression)}")
    return 0


def lint_pages(project: Project) -> int:
    """Tell of numerals without an expression or a reason, and of reasons without a numeral."""
    allowed = lint.read_allowed(project.docs / "unchecked.toml")
    texts = ((project.page_name(path), project.shown(path), notebooks.read(path))
             for path in _paths(project))
    left, unused = lint.unexplained(texts, allowed)
    for page, finding in left:
        print(f"{page}:{finding.line}:{finding.column}: {finding.text}", file=sys.stderr)
    for entry in unused:
        print(f"docs/unchecked.toml: nothing on {entry.page} needs {entry.text!r} any more",
              file=sys.stderr)
    print(f"{len(left)} numerals without an expression or a reason; "
          f"{len(unused)} reasons without a numeral")
    return 1 if left or unused else 0


def _paths(project: Project) -> Iterator[Path]:
    for lang in project.languages:
        yield from project.sources(lang)


def _value(calculator: Calculator, expression: str) -> str:
    try:
        return exact(calculator.evaluate(expression))
    except ExpressionError as error:
        return f"({error})"
