"""Labs: notebooks whose words are a page like any other, and whose code runs when the site is built.

mkdocs-jupyter makes a page of a notebook, and its options in mkdocs.yml say how to run one. The
page itself is made here: mkdocs-jupyter's brings JupyterLab's styles and scripts (590 KB), and its
Markdown knows no ids, checked numbers or MathML. The words go through the Markdown of the site,
and a code cell with what it gave looks like the blocks of the other pages.

What the cells gave is kept in .cache/labs/LANG/HASH/, HASH standing for all that may change it
besides the cells: src/, the results, the versions of what draws. Other folders are removed.
"""

import hashlib
import html
import json
import os
import platform
import posixpath
import re
import shutil
import tempfile
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urljoin

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from sqrtdk_docs import figures, notebooks
from sqrtdk_docs.notebooks import CODE, Cell
from sqrtdk_docs.numbers.marks import CALC
from sqrtdk_docs.project import Project, ProjectError
from sqrtdk_docs.results import replace

SECONDS = 120                           # a cell that runs longer is a slip
DOWNLOAD = {"en": "Download this lab as a notebook", "zh": "下载这个实验（Jupyter 笔记本）"}
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}

Outputs = list[list[dict]]              # of each code cell, as in an .ipynb


class Labs:
    """The labs of one build. `options` are those of mkdocs-jupyter."""

    def __init__(self, project: Project, options):
        self.project = project
        self.options = options

    def cells(self, path: Path) -> list[Cell]:
        return notebooks.cells(path.read_text("utf-8"), self.project.shown(path))

    def outputs(self, path: Path, lang: str) -> Outputs:
        """What the code cells of a lab give in a language: kept from before, or run now.

        Raises ProjectError, naming file and line, for a cell that fails or warns.
        """
        if not self.options["execute"]:
            return []
        code = [cell for cell in self.cells(path) if cell.kind == CODE]
        words = hashlib.sha256("\n# %%\n".join(cell.text for cell in code).encode()).hexdigest()
        folder = self.project.root / ".cache" / "labs" / lang / self._state
        kept = folder / f"{path.stem}-{words[:16]}.json"
        if kept.is_file():
            return json.loads(kept.read_text("utf-8"))
        outputs = self._run(path, lang, code)
        replace(kept, json.dumps(outputs, ensure_ascii=False))
        for old in folder.parent.iterdir():
            if old != folder:
                shutil.rmtree(old, ignore_errors=True)
        for old in folder.glob(f"{path.stem}-*.json"):
            if old != kept:
                old.unlink()
        return outputs

    @cached_property
    def _state(self) -> str:
        """A hash of all that may change what a cell gives, besides the cells themselves."""
        state = hashlib.sha256(" ".join(
            [platform.python_version(), version("numpy"), version("matplotlib")]).encode())
        files = [path for folder in (self.project.source, self.project.results / "data")
                 for path in folder.rglob("*") if path.suffix in (".py", ".toml", ".json")]
        for path in sorted(files):
            state.update(f"\n{self.project.shown(path)}\n".encode() + path.read_bytes())
        return state.hexdigest()[:16]

    def _run(self, path: Path, lang: str, code: list[Cell]) -> Outputs:
        notebook = _notebook(code, [cell.text for cell in code])
        client = NotebookClient(
            notebook, timeout=SECONDS, allow_errors=self.options["allow_errors"],
            kernel_name=self.options["kernel_name"],
            resources={"metadata": {"path": str(self.project.root)}})
        environment = {**os.environ, "SQRTDK_LANG": lang, "OMP_NUM_THREADS": "1",
                       "PYTHONPATH": str(self.project.source)}
        with tempfile.TemporaryFile() as log:           # what the kernel says of itself
            try:
                client.execute(env=environment, stderr=log)
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                raise ProjectError(f"{self._where(path, code, notebook)}: a cell of the lab "
                                   f"failed: {_reason(error, log)}") from error
        for cell, given in zip(code, notebook.cells):
            for output in given.outputs:
                if output.get("name") == "stderr":
                    raise ProjectError(f"{self.project.shown(path)}:{cell.line}: a cell of the lab "
                                       f"complains: {output['text'].strip()}")
        return [given.outputs for given in notebook.cells]

    def _where(self, path: Path, code: list[Cell], notebook) -> str:
        """The file, and the line of the cell that ran last."""
        ran = sum(given.execution_count is not None or bool(given.outputs)
                  for given in notebook.cells)
        return f"{self.project.shown(path)}:{code[max(0, ran - 1)].line}"


def _reason(error: Exception, log) -> str:
    if isinstance(error, CellExecutionError):
        return f"{error.ename}: {error.evalue}"
    log.seek(0)
    said = log.read().decode("utf-8", "replace").strip().splitlines()[-1:]
    return " ".join([str(error).strip().splitlines()[0], *said])


# --- the page --------------------------------------------------------------------------------

def page_markdown(cells: list[Cell]) -> str:
    """The words of a lab, with a place for each code cell."""
    numbers = iter(range(1, len(cells) + 1))
    return "\n\n".join(_place(next(numbers)) if cell.kind == CODE else cell.text for cell in cells)


def with_cells(content: str, cells: list[Cell], outputs: Outputs, lang: str, label: str,
               name: str) -> str:
    """The HTML of the page with its code cells, what they gave, and the link to the notebook.

    Where `outputs` is empty (the lab could not be run) the code stands alone.
    """
    code = [cell for cell in cells if cell.kind == CODE]
    for number, cell in enumerate(code, start=1):
        given = outputs[number - 1] if outputs else []
        content = content.replace(_place(number), _cell(number, cell.text, given, label))
    words = DOWNLOAD.get(lang, DOWNLOAD["en"])
    link = f'<p class="lab-download"><a href="{name}.ipynb" download>{words}</a></p>'
    return content.replace("</h1>", f"</h1>\n{link}", 1)


def _place(number: int) -> str:
    return f"<!-- cell {number} -->"


def _cell(number: int, code: str, outputs: list[dict], label: str) -> str:
    shown = "".join(_output(f"cell-{number}", output) for output in outputs)
    below = f'<div class="output" data-label="{label}">{shown}</div>' if shown else ""
    return (f'<div class="block lab-cell" id="cell-{number}">'
            f'{_highlighted(code, "python")}{below}</div>')


def _output(id_: str, output: dict) -> str:
    """One output as HTML: a drawing, else a table, else text."""
    data = output.get("data", {})
    if svg := data.get("image/svg+xml"):
        return f'<figure class="plot" data-search-exclude>{figures.own_ids(svg, id_)}</figure>'
    if table := data.get("text/html"):
        return table
    text = output.get("text") or data.get("text/plain", "")
    return _highlighted(text.rstrip("\n"), "text", "no-copy")


def _highlighted(text: str, language: str, *classes: str) -> str:
    """The markup that `pymdownx.highlight` makes on the other pages."""
    code = highlight(text, get_lexer_by_name(language), HtmlFormatter(nowrap=True))
    names = " ".join([f"language-{language}", "highlight", *classes])
    return f'<div class="{names}"><pre><code>{code}</code></pre></div>'


# --- the notebook that readers take with them --------------------------------------------------

HEADING_ID = re.compile(r"(?m)(^#+ .*?) *\{ *#[\w-]+ *\} *$")
CHECKED = re.compile(rf"`([^`]+)`{CALC.pattern}")
SIDE = re.compile(r"(?<=\*\*)\{\.\w+\}")
LINK = re.compile(r"\]\((?!\w+:)([\w./-]+)\.(?:md|py)(#[\w-]+)?\)")


def for_readers(cells: list[Cell], page: str, site_url: str) -> str:
    """The lab as an .ipynb, to be run: its Markdown without what only the site's build reads."""
    return nbformat.writes(_notebook(cells, [
        cell.text if cell.kind == CODE else plain(cell.text, page, site_url) for cell in cells]))


def plain(markdown: str, page: str, site_url: str) -> str:
    """Markdown that any notebook shows well; links lead to the site at `site_url`.

    `page` is the name of the page, as `lab/sharpness`, from which links are relative.
    """
    def link(found: re.Match) -> str:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page), found[1]))
        address = urljoin(site_url, "" if name == "index" else f"{name}/")
        return f"]({address}{found[2] or ''})"

    markdown = HEADING_ID.sub(r"\1", markdown)
    markdown = CHECKED.sub(lambda found: html.unescape(found[1]), markdown)
    return LINK.sub(link, SIDE.sub("", markdown))


def _notebook(cells: list[Cell], texts: list[str]):
    """An .ipynb; ids count the cells, so that the same lab gives the same file."""
    new = {CODE: nbformat.v4.new_code_cell}
    made = [new.get(cell.kind, nbformat.v4.new_markdown_cell)(text, id=f"cell-{number}")
            for number, (cell, text) in enumerate(zip(cells, texts), start=1)]
    return nbformat.v4.new_notebook(cells=made, metadata={
        "kernelspec": KERNEL, "language_info": {"name": "python"}})
