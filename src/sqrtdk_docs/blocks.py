"""Code blocks: a page names sections of the package, this module finds and shows their text.

The text of a block comes out of the Markdown through the same extensions that build the site
(pymdownx snippets and superfences), so what is run is what is shown.
"""

import hashlib
import html
import re
from dataclasses import dataclass
from pathlib import Path

import markdown
from pymdownx.snippets import SnippetMissingError
from pymdownx.superfences import highlight_validator

from sqrtdk_docs import notebooks
from sqrtdk_docs.project import Project, ProjectError, read_text
from sqrtdk_docs.translation.markup import read_page

MARKER = re.compile(r"^\s*#\s*--8<--\s*\[(start|end):\s*(\w+)\s*\]\s*$")
INCLUDE = re.compile(r"([\w./-]+\.py):(\w+)")
A_FENCE = re.compile(r"(?:```|~~~).*\bpy\b")       # of whichever form
FENCE = re.compile(r"^\s*(?P<fence>`{3,})\s*\{\s*\.py\b(?P<header>[^}]*)\}\s*$")


@dataclass(frozen=True)
class Block:
    """One Python block of a page: its id, the text a reader sees, and where it stands."""

    id: str
    code: str
    where: str                          # "docs/en/index.md:12"
    sections: tuple[tuple[str, str], ...] = ()   # (file below src/, section)

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.code.encode()).hexdigest()[:16]

    @property
    def needs_torch(self) -> bool:
        return bool(re.search(r"^\s*(import|from) torch\b", self.code, re.M))


def snippet_options(project: Project) -> dict:
    """How `pymdownx.snippets` is to look sections up; the same for site and results."""
    return {
        "base_path": [str(project.source)],
        "restrict_base_path": True,
        "check_paths": True,
        "dedent_subsections": True,
    }


def fence_options(formatter) -> dict:
    """How `pymdownx.superfences` is to treat our `py` blocks."""
    fence = {"name": "py", "class": "py", "validator": highlight_validator, "format": formatter}
    return {"custom_fences": [fence]}


def find_blocks(project: Project, page: Path, text: str | None = None) -> list[Block]:
    """All Python blocks of a page, in order.

    Raises ProjectError, naming page and line, for a block without an id or with that of another,
    code that stands in the page itself, a section that does not exist or is never closed, and for
    what is left open on the page, which would swallow all that follows.
    """
    text = notebooks.read(page) if text is None else text
    for line, slip in read_page(text).slips:
        raise ProjectError(f"{project.shown(page)}:{line}: {slip}")
    headers = list(_fences(project, page, text))
    if not A_FENCE.search(text):
        return []
    seen: list[tuple[str, str]] = []             # id and code of each block, as the site has them

    def collect(source, language, class_name, options, md, **kwargs):
        seen.append((kwargs.get("id_value") or "", source))
        return ""

    converter = markdown.Markdown(
        extensions=["attr_list", "admonition", "md_in_html", "pymdownx.details",
                    "pymdownx.snippets", "pymdownx.superfences"],
        extension_configs={"pymdownx.snippets": snippet_options(project),
                           "pymdownx.superfences": fence_options(collect)},
    )
    try:
        converter.convert(text)
    except SnippetMissingError as error:
        raise ProjectError(f"{project.shown(page)}: {error}") from error
    _require_same(project.shown(page), headers, [id_ for id_, _ in seen])
    return [Block(id_, code, where, sections)
            for (id_, where, sections), (_, code) in zip(headers, seen)]


def _require_same(page: str, headers: list, seen: list[str]) -> None:
    """Raise ProjectError unless the blocks that Markdown has seen are those that are opened."""
    opened = [id_ for id_, _, _ in headers]
    for id_, where, _ in headers:
        if id_ not in seen:
            raise ProjectError(f"{where}: block {id_} is not understood; is its fence left open "
                               "or mis-indented?")
    for id_ in seen:
        if id_ not in opened:
            raise ProjectError(f"{page}: block {id_ or 'without an id'}: write "
                               "```{.py #its-id} on a line of its own, and name sections of src/")
    for id_, where, _ in headers:
        if opened.count(id_) > 1:
            raise ProjectError(f"{where}: block {id_} stands more than once; an id is for one")
    if opened != seen:
        raise ProjectError(f"{page}: the blocks {', '.join(opened)} are opened, but Markdown sees "
                           f"{', '.join(seen)}")


def outlines(project: Project, page: Path) -> list[Block]:
    """The blocks of a page without their code: enough to know which sections each one names."""
    return [Block(id_, "", where, sections)
            for id_, where, sections in _fences(project, page, notebooks.read(page))]


def _fences(project: Project, page: Path, text: str):
    """(id, where, sections) of each `py` fence, with every include looked up."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        opened = FENCE.match(lines[number])
        number += 1
        if not opened:
            continue
        where = f"{project.shown(page)}:{number}"
        body = []
        while number < len(lines) and lines[number].strip() != opened["fence"]:
            body.append(lines[number].strip())
            number += 1
        number += 1
        id_ = re.search(r"#([\w-]+)", opened["header"])
        if not id_:
            raise ProjectError(f"{where}: a Python block needs an id, as in {{.py #my-block}}")
        yield id_[1], where, tuple(_includes(project, where, id_[1], body))


def _includes(project: Project, where: str, id_: str, body: list[str]):
    for line in body:
        if not line or re.fullmatch(r"-+8<-+", line):
            continue
        named = INCLUDE.search(line)
        if not named:
            raise ProjectError(f"{where}: block {id_} holds code of its own ({line!r}); "
                               "a block only names sections of src/")
        file, section = named.groups()
        check_section(project, file, section, where)
        yield file, section


def check_section(project: Project, file: str, section: str, where: str) -> None:
    """Raise ProjectError unless `section` of `file` is opened once and closed after it."""
    path = project.source / file
    if not path.is_file():
        raise ProjectError(f"{where}: there is no src/{file}")
    marks = [found.groups() for line in read_text(path).splitlines()
             if (found := MARKER.match(line)) and found[2] == section]
    kinds = [kind for kind, _ in marks]
    if not kinds:
        raise ProjectError(f"{where}: src/{file} has no section {section!r}")
    if kinds != ["start", "end"]:
        raise ProjectError(f"{where}: section {section!r} of src/{file} must be opened once and "
                           f"closed once, but its marks are {', '.join(kinds)}")


def all_blocks(project: Project, pages: list[Path] | None = None) -> dict[str, Block]:
    """Every block of the site by id; the same id must mean the same code in every language."""
    if pages is None:
        pages = [page for lang in project.languages for page in project.pages(lang)]
    found: dict[str, Block] = {}
    for page in pages:
        for block in find_blocks(project, page):
            first = found.setdefault(block.id, block)
            if first.code != block.code:
                raise ProjectError(f"{block.where}: block {block.id} differs from {first.where}")
    return found


def proof_place(id_: str) -> str:
    """Where the plugin puts the link from a block to its test."""
    return f"<!-- tests of {id_} -->"


class BlockFormatter:
    """Shows a block on the site: the highlighted code, and under it what it printed.

    A missing output stands on the page as a slip; the plugin has told a strict build before.
    """

    def __init__(self, outputs, label: str):
        self.outputs = outputs          # block -> text (raises ProjectError if there is none)
        self.label = label              # "Output" in the page's language

    def __call__(self, source, language, class_name, options, md, **kwargs):
        block = Block(kwargs.get("id_value") or "", source, "")
        code = self._highlight(md, source, "python", dict(options))
        try:
            printed = self._highlight(md, self.outputs(block), "text", {}, ["no-copy"])
            below = (f'<div class="output" data-label="{self.label}">{printed}'
                     f"{proof_place(block.id)}</div>")
        except ProjectError as slip:
            below = f'<div class="slip" role="alert">{html.escape(str(slip))}</div>'
        return f'<div class="block" id="{html.escape(block.id)}">{code}{below}</div>'

    @staticmethod
    def _highlight(md, source, language, options, classes=()):
        fenced = md.preprocessors["fenced_code_block"]
        return fenced.highlight(src=source, language=language, options=options, md=md,
                                class_name=language, classes=list(classes), id_value="", attrs={})
