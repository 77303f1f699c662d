"""What holds each block, figure and number: the tests that name it, one click away.

A test holds a block when it names its example, a figure when it names its module, a number when
it names the function (or the measurement) behind it. Links lead to the line in the repository
where its address is known, else to a page of the site that shows those tests.
"""

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sqrtdk_docs import figures, notebooks
from sqrtdk_docs.blocks import Block, outlines
from sqrtdk_docs.numbers.calculator import ExpressionError, sources
from sqrtdk_docs.numbers.marks import find as find_numbers
from sqrtdk_docs.project import Project, ProjectError, read_text

PAGE = "tests"
WORDS = {
    "en": {"title": "The tests behind the pages",
           "description": "The tests that hold the blocks, figures and numbers of this site.",
           "intro": "Each block, figure and checked number of this site leads to a test below. "
                    "All of them run with `pytest`.",
           "tested": "tested", "line": "line {}"},
    "zh": {"title": "页面背后的测试",
           "description": "本站的代码段、图和数字由这些测试守住。",
           "intro": "本站的每段代码、每张图、每个核对过的数字，都链接到下面的某个测试。用 `pytest` 可以全部运行。",
           "tested": "有测试", "line": "第 {} 行"},
}


@dataclass(frozen=True)
class Test:
    """One test function of tests/lesson."""

    __test__ = False                    # not itself a test, whatever pytest makes of its name

    path: str                           # "tests/lesson/test_softmax.py"
    name: str
    lines: tuple[int, int]
    code: str
    words: frozenset[str]               # the names and strings in it

    @property
    def id(self) -> str:
        return f"{Path(self.path).stem}-{self.name}".replace("_", "-").replace("test-", "")


def read_tests(project: Project) -> list[Test]:
    """The tests of the lesson, in the order of their files."""
    return [test for path in sorted((project.root / "tests" / "lesson").glob("test_*.py"))
            for test in _tests_in(project, path)]


def _tests_in(project: Project, path: Path):
    text = read_text(path)
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise ProjectError(f"{project.shown(path)}:{error.lineno}: {error.msg}") from error
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            code = "\n".join(text.splitlines()[first - 1:node.end_lineno])
            yield Test(project.shown(path), node.name, (first, node.end_lineno), code,
                       frozenset(_words(node)))


def _words(node: ast.AST):
    for part in ast.walk(node):
        match part:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
                yield word


class Proof:
    """The tests behind the pages of one build, and the links to them."""

    def __init__(self, project: Project, repo_url: str | None):
        self.project = project
        self.repo_url = (repo_url or "").rstrip("/")

    @cached_property
    def tests(self) -> list[Test]:
        return read_tests(self.project)

    @cached_property
    def linked(self) -> list[Test]:
        """The tests that some block, figure or number of the site leads to."""
        pages = [path for lang in self.project.languages for path in self.project.sources(lang)]
        found = {self.of_block(block) for page in pages for block in self._blocks(page)}
        found |= {self.of_figure(name) for name in figures.names()}
        found |= {self.of_expression(number.expression) for page in pages
                  for number in find_numbers(notebooks.read(page))}
        return [test for test in self.tests if test in found]

    def _blocks(self, page: Path) -> list[Block]:
        try:
            return outlines(self.project, page)
        except ProjectError:
            return []                   # a slip, told where the page is made

    def of_block(self, block: Block) -> Test | None:
        """The test of the example that a block shows, else of the formula."""
        names = [Path(file).stem if "/examples/" in file else section
                 for file, section in reversed(block.sections)]
        return next(filter(None, (self._naming(name, "examples") for name in names)), None)

    def of_figure(self, name: str) -> Test | None:
        return self._naming(name, "figures")

    def of_expression(self, expression: str) -> Test | None:
        """The test of the outermost function, or of the measurement, behind a number."""
        try:
            named = [source.rpartition(":")[::2] for source in sources(expression)]
        except ExpressionError:
            return None
        tests = (self._naming(name, module.rpartition(".")[2]) for module, name in named)
        return next(filter(None, tests), None)

    def _naming(self, name: str, room: str) -> Test | None:
        """The first test that names it, in the file of that room if there is one."""
        naming = [test for test in self.tests if name in test.words]
        return min(naming, key=lambda test: f"test_{room}" not in test.path, default=None)

    def address(self, test: Test, to_page: str) -> str:
        """Where a link to the test leads; `to_page` is the way to the page of tests."""
        if self.repo_url:
            first, last = test.lines
            return f"{self.repo_url}/blob/main/{test.path}#L{first}-L{last}"
        return f"{to_page}#{test.id}"

    def link(self, test: Test | None, to_page: str, lang: str) -> str:
        """A small link to the test, as HTML; "" where there is none."""
        if test is None:
            return ""
        word = WORDS.get(lang, WORDS["en"])["tested"]
        return f'<a class="tested" href="{self.address(test, to_page)}">{word}</a>'

    def page(self, lang: str) -> str:
        """The page that shows the tests that something on the site leads to, as Markdown."""
        words = WORDS.get(lang, WORDS["en"])
        lines = ["---", f"title: {words['title']}", f"description: {words['description']}",
                 "search:", "  exclude: true", "---", "",
                 f"# {words['title']} {{#tests}}", "", words["intro"], ""]
        for path in dict.fromkeys(test.path for test in self.linked):
            lines += [f"## `{path}` {{#{re.sub('[^a-z]+', '-', path)}}}", ""]
            for test in (test for test in self.linked if test.path == path):
                lines += [words["line"].format(test.lines[0]), f"{{: #{test.id} }}", "",
                          "```python", test.code, "```", ""]
        return "\n".join(lines)
