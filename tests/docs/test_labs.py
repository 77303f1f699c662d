"""Labs: notebooks read as pages, run once, kept while nothing changes, and taken home."""

import ast
import json
from pathlib import Path

import jupytext
import nbformat
import pytest

from sqrtdk_docs import labs, notebooks
from sqrtdk_docs.labs import Labs
from sqrtdk_docs.notebooks import CODE
from sqrtdk_docs.numbers import pages
from sqrtdk_docs.numbers.calculator import Calculator
from sqrtdk_docs.numbers.marks import find
from sqrtdk_docs.project import Project, ProjectError

PROJECT = Project(Path(__file__).parents[2])
EVERY_LAB = [path for lang in PROJECT.languages for path in PROJECT.labs(lang)]
NAMES = sorted({path.stem for path in EVERY_LAB})
each_lab = pytest.mark.parametrize("path", EVERY_LAB, ids=lambda path: PROJECT.shown(path))

LAB = """\
# ---
# title: A lab
# description: For the tests.
# ---

# %% [markdown]
# # A lab {#a-lab}
#
# The largest weight is `0.67`{ calc="softmax([1, 2, 3])[2]" }, see [growth](../why/growth.md#spread).

# %%
x = 2

print(x + 1)

# %% [markdown]
# ## The end {#end}
#
# **raw**{.raw} and $x^2$.
"""


# --- a notebook as Markdown ----------------------------------------------------------------

def test_markdown_has_the_lines_of_the_notebook():
    markdown = notebooks.to_markdown(LAB).split("\n")
    lines = LAB.split("\n")
    assert len(markdown) == len(lines)
    assert markdown[:4] == ["---", "title: A lab", "description: For the tests.", "---"]
    assert markdown[lines.index("# # A lab {#a-lab}")] == "# A lab {#a-lab}"
    assert markdown[lines.index("# %%"):][:5] == ["```python", "x = 2", "", "print(x + 1)", "```"]
    assert notebooks.from_markdown("\n".join(markdown), LAB) == LAB


def test_a_notebook_that_ends_with_code_closes_its_fence():
    assert notebooks.to_markdown("# %%\nx = 1\n") == "```python\nx = 1\n```"


@each_lab
def test_the_cells_are_those_that_jupytext_reads(path):
    read = jupytext.read(path)
    theirs = [(cell.cell_type == "code", cell.source) for cell in read.cells
              if cell.cell_type != "raw"]
    ours = [(cell.kind == CODE, cell.text) for cell in notebooks.cells(path.read_text("utf-8"))]
    assert ours == theirs


@pytest.mark.parametrize("text, told", [
    ("# %% A title\n", "x.py:1: a cell begins with"),
    ("# %% [markdown]\nwords\n", "x.py:2: words of a lab stand in comments"),
    ("# %%\nx = 1\n# %%\ny = 1\n", "x.py:3: leave an empty line after the code of a cell"),
])
def test_what_is_not_understood_is_told_with_its_line(text, told):
    with pytest.raises(ProjectError, match=told):
        notebooks.to_markdown(text, "x.py")


def test_a_wrong_number_is_found_and_mended_in_its_line_and_nothing_else(tmp_path):
    path = tmp_path / "x.py"
    path.write_bytes(LAB.replace("0.67", "0.66").replace("\n", "\r\n").encode())
    markdown, calculator = notebooks.read(path), Calculator(tmp_path)
    [problem] = pages.check(markdown, calculator)
    assert problem.number.line == 1 + LAB.split("\n").index(next(
        line for line in LAB.split("\n") if "calc" in line))
    fixed, left = pages.fix(markdown, calculator)
    notebooks.write(path, fixed)
    assert left == [] and path.read_bytes() == LAB.replace("\n", "\r\n").encode()


def test_code_cannot_be_mended_as_if_it_were_words():
    markdown = notebooks.to_markdown(LAB)
    changed = notebooks.from_markdown(markdown.replace("A lab {", "The lab {"), LAB)
    assert changed == LAB.replace("A lab {", "The lab {")
    with pytest.raises(ProjectError, match="x.py:14: code"):
        notebooks.from_markdown(markdown.replace("print(x + 1)", "print(x + 2)"), LAB, "x.py")


# --- our labs --------------------------------------------------------------------------------

@pytest.mark.parametrize("name", NAMES)
def test_code_cells_are_equal_in_all_languages(name):
    codes = {tuple(cell.text for cell in notebooks.cells(path.read_text("utf-8"))
                   if cell.kind == CODE) for path in EVERY_LAB if path.stem == name}
    assert len(codes) == 1
    assert {path.parts[-3] for path in EVERY_LAB if path.stem == name} >= {"en", "zh"}


# Names bound to what the lesson gives, and calls of it: no logic that no test would hold.
ALLOWED = (ast.Module, ast.ImportFrom, ast.alias, ast.Assign, ast.Expr, ast.Call, ast.keyword,
           ast.Name, ast.Load, ast.Store, ast.Attribute, ast.Subscript, ast.Constant, ast.List,
           ast.Tuple)


@each_lab
def test_cells_only_import_and_call(path):
    for cell in notebooks.cells(path.read_text("utf-8")):
        if cell.kind == CODE:
            nodes = list(ast.walk(ast.parse(cell.text)))
            assert [ast.dump(node) for node in nodes if not isinstance(node, ALLOWED)] == []
            modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
            assert all(module.split(".")[0] == "sqrtdk" or module == "numpy.random"
                       for module in modules)
            assert not any(module.startswith("sqrtdk.training") for module in modules), "torch"
            assert max(map(len, cell.lines)) <= 60


# --- running -----------------------------------------------------------------------------------

@pytest.fixture
def small(tmp_path) -> Path:
    """A lab in a project of its own, which has a package with one number."""
    (tmp_path / "mkdocs.yml").write_text("")
    for folder in ("src/part", "docs/en/lab", "docs/results/data"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "docs" / "mkdocs.en.yml").write_text("")
    (tmp_path / "src/part/__init__.py").write_text("NUMBER = 1\n")
    path = tmp_path / "docs/en/lab/small.py"
    path.write_text("# %% [markdown]\n# Words\n\n# %%\nimport os\nfrom part import NUMBER\n\n"
                    'print(NUMBER, os.environ["SQRTDK_LANG"])\n', "utf-8")
    return path


OPTIONS = {"execute": True, "allow_errors": False, "kernel_name": ""}


def give(path: Path, lang: str = "en", **options):
    """What the lab gives in a build of its own."""
    made = Labs(Project(path.parents[3]), OPTIONS | options)
    return "".join(output["text"] for cell in made.outputs(path, lang) for output in cell)


def test_cells_run_with_the_package_of_the_project_and_the_language_of_the_page(small):
    assert give(small) == "1 en\n"
    assert give(small, "zh") == "1 zh\n"


@pytest.mark.parametrize("code, told", [
    ("1 / 0", "docs/en/lab/small.py:5: a cell of the lab failed: ZeroDivisionError: division"),
    ("import warnings; warnings.warn('old')", "docs/en/lab/small.py:5: a cell of the lab complai"),
    ("import os; os._exit(3)", "docs/en/lab/small.py:5: a cell of the lab failed: Kernel died"),
])
def test_a_cell_that_fails_or_warns_is_told_with_its_line(small, code, told):
    small.write_text(f"# %% [markdown]\n# Words\n\n# %%\n{code}\n\n# %%\n1\n", "utf-8")
    with pytest.raises(ProjectError) as slip:
        give(small)
    assert str(slip.value).startswith(told)
    assert not list((small.parents[3] / ".cache").rglob("*.json")), "a failure is not kept"


@pytest.fixture
def counted(small, monkeypatch):
    """The lab with a run in place of the kernel's that only counts."""
    runs = []
    monkeypatch.setattr(Labs, "_run", lambda self, path, lang, code: runs.append(lang) or [])
    return small, runs


def test_words_may_change_without_a_run(counted):
    small, runs = counted
    give(small), give(small)
    small.write_text(small.read_text().replace("Words", "Other words"))
    give(small)
    assert runs == ["en"]


@pytest.mark.parametrize("path, text", [
    ("src/part/__init__.py", "NUMBER = 2\n"), ("src/part/words.toml", "a = 1\n"),
    ("src/new.py", ""), ("docs/results/data/x.json", "{}")])
def test_a_change_behind_the_cells_is_never_answered_from_the_old_cache(counted, path, text):
    small, runs = counted
    give(small), give(small, "zh")
    root = small.parents[3]
    before = set((root / ".cache/labs").glob("*/*"))
    (root / path).write_text(text)
    give(small)
    assert runs == ["en", "zh", "en"]
    after = set((root / ".cache/labs").glob("*/*"))
    assert {folder.parent.name for folder in before & after} == {"zh"}, "each has its own"
    assert len(after) == 2, "the old folder is gone"


def test_a_changed_cell_runs_again_and_its_old_outputs_go(counted):
    small, runs = counted
    give(small)
    small.write_text(small.read_text().replace("print(", "print('more', "))
    give(small)
    assert runs == ["en", "en"]
    assert len(list((small.parents[3] / ".cache").rglob("*.json"))) == 1


def test_nothing_runs_where_mkdocs_jupyter_is_told_not_to(counted):
    small, runs = counted
    assert Labs(Project(small.parents[3]), OPTIONS | {"execute": False}).outputs(small, "en") == []
    assert runs == []


# --- the page ----------------------------------------------------------------------------------

def test_a_cell_shows_a_drawing_before_a_table_before_text():
    cells = notebooks.cells(LAB)
    both = {"data": {"image/svg+xml": '<svg><g id="a"/></svg>', "text/plain": "words"}}
    table = {"data": {"text/html": "<table></table>", "text/plain": "words"}}
    outputs = [[both, table, {"name": "stdout", "text": "a < b\n"}]]
    content = f"<h1>A lab</h1>\n{labs.page_markdown(cells)}"
    html = labs.with_cells(content, cells, outputs, "zh", "输出", "small")
    assert '<svg><g id="cell-1-a"/></svg></figure><table></table>' in html
    assert "a &lt; b" in html and "words" not in html and 'data-label="输出"' in html
    assert html.index("small.ipynb") < html.index('id="cell-1"')
    assert '<span class="mi">2</span>' in html, "the code is highlighted"


def test_code_stands_alone_where_it_could_not_run():
    cells = notebooks.cells(LAB)
    html = labs.with_cells(labs.page_markdown(cells), cells, [], "en", "Output", "small")
    assert 'class="block lab-cell"' in html and 'class="output"' not in html


# --- the notebook --------------------------------------------------------------------------------

def test_readers_get_a_notebook_without_what_only_the_build_reads():
    text = labs.for_readers(notebooks.cells(LAB), "lab/small", "https://example.org/en/")
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert [cell.cell_type for cell in notebook.cells] == ["markdown", "code", "markdown"]
    assert notebook.cells[0].source == (
        "# A lab\n\nThe largest weight is 0.67, see [growth]"
        "(https://example.org/en/why/growth/#spread).")
    assert notebook.cells[1].source == "x = 2\n\nprint(x + 1)"
    assert notebook.cells[2].source == "## The end\n\n**raw** and $x^2$."


@each_lab
def test_no_mark_of_the_build_is_left_in_our_notebooks(path):
    cells = notebooks.cells(path.read_text("utf-8"))
    text = labs.for_readers(cells, f"lab/{path.stem}", "https://example.org/")
    words = [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    whole = "".join("".join(each) for each in words)
    assert "{#" not in whole and "calc=" not in whole and "{." not in whole and "../" not in whole
    for number in find(notebooks.read(path)):
        assert number.text in whole


# --- the commands ----------------------------------------------------------------------------------

def test_the_languages_of_a_lab_are_compared(accepted, run):
    for lang in ("en", "zh"):
        accepted.write(f"docs/{lang}/lab/small.py", LAB.replace(
            "The largest", "The largest" if lang == "en" else "最大的"))
    assert accepted.failures() == []
    assert accepted.states()["lab/small#end"].startswith("new")
    accepted.edit("docs/zh/lab/small.py", "print(x + 1)", "print(x + 2)")
    accepted.edit("docs/zh/lab/small.py", "{#end}", "{#ende}")
    told = "\n".join(accepted.failures())
    assert "lab/small#a-lab: code block 1 of the section differs: “print(x + 1)” in en" in told
    assert "#ende stands there in zh" in told
    code, printed = run("translate", "diff", "docs/zh/lab/small.py")
    assert code == 0 and "docs/zh/lab/small.py:7" in printed


def test_a_lab_is_begun_in_another_language_as_a_notebook(tree, run):
    tree.write("docs/en/lab/small.py", LAB)
    code, printed = run("translate", "start", "zh", "lab/small")
    assert code == 0 and (tree.root / "docs/zh/lab/small.py").read_text("utf-8") == LAB
