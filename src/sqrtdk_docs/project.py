"""Where things live, and how they are read: the one place that knows the repository's folders."""

import csv
import io
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mkdocs.exceptions import PluginError

LABS = "lab"                # the folder of a language's notebooks


class ProjectError(PluginError):
    """A slip of an author or a missing piece, told in one line, by MkDocs too."""


def page_file(name: str) -> str:
    """`why/growth` -> `why/growth.md`; `lab/sharpness` -> `lab/sharpness.py`."""
    return name + (".py" if name.startswith(f"{LABS}/") else ".md")


@dataclass(frozen=True)
class Project:
    """The repository at `root` (the folder that holds mkdocs.yml)."""

    root: Path

    @classmethod
    def find(cls, start: Path | None = None) -> "Project":
        """The project around `start` (default: the working folder)."""
        start = (start or Path.cwd()).resolve()
        for folder in (start, *start.parents):
            if (folder / "mkdocs.yml").is_file() and (folder / "docs" / "mkdocs.en.yml").is_file():
                return cls(folder)
        raise ProjectError(f"no mkdocs.yml with docs/mkdocs.en.yml in {start} or above it")

    @property
    def docs(self) -> Path:
        return self.root / "docs"

    @property
    def source(self) -> Path:
        return self.root / "src"

    @property
    def theme(self) -> Path:
        return self.docs / "theme"

    @property
    def results(self) -> Path:
        return self.docs / "results"

    @cached_property
    def languages(self) -> list[str]:
        """The languages that have a configuration; English and Chinese, the peers, first."""
        found = {path.name.split(".")[1] for path in self.docs.glob("mkdocs.*.yml")}
        return sorted(found, key=lambda lang: (lang not in ("en", "zh"), lang))

    def pages(self, lang: str) -> list[Path]:
        """The Markdown pages of one language, in a stable order."""
        return sorted((self.docs / lang).rglob("*.md"))

    def labs(self, lang: str) -> list[Path]:
        """The notebooks of one language: pages too, but of another kind of file."""
        return sorted((self.docs / lang / LABS).glob("*.py"))

    def sources(self, lang: str) -> list[Path]:
        """All that authors write: pages and labs. `notebooks.read` gives the Markdown of either."""
        return self.pages(lang) + self.labs(lang)

    def page_name(self, path: Path) -> str:
        """`docs/en/why/growth.md` -> `why/growth`."""
        lang_folder = self.docs / path.relative_to(self.docs).parts[0]
        return path.relative_to(lang_folder).with_suffix("").as_posix()

    def shown(self, path: Path) -> str:
        """The path as an author knows it: relative to the repository."""
        return path.relative_to(self.root).as_posix()


def read_text(path: Path) -> str:
    """A file's text. Raises ProjectError, naming file and line, if it cannot be read as UTF-8."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ProjectError(f"{_shown(path)}:{line}: is not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise ProjectError(f"{_shown(path)}: {error.strerror}") from error


def read_toml(path: Path) -> dict:
    """What a TOML file says. Raises ProjectError, naming file and line, if it cannot be read."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ProjectError(f"{_shown(path)}: {error}") from error


def read_csv(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Each line's number and cells, by the name of the column.

    A line may end early; its last cells are empty then. Raises ProjectError, naming file and
    line, for a line that has more cells than the first.
    """
    text = read_text(path).removeprefix("\ufeff")
    rows = csv.DictReader(io.StringIO(text), restval="", strict=True)   # strict: no open quotes
    try:
        for row in rows:
            if None in row:
                raise ProjectError(f"{_shown(path)}:{rows.line_num}: not a line of this table; "
                                   "a cell with a comma needs quotes")
            yield rows.line_num, row
    except csv.Error as error:
        line = rows.line_num + 1                 # where the row begins that cannot be read
        raise ProjectError(f"{_shown(path)}:{line}: {error}; is a quote left open?") from error


def replace(path: Path, text: str) -> None:
    """Write a file whole or not at all, with `\\n` line ends on every system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, "utf-8", newline="\n")
    fresh.replace(path)


def _shown(path: Path) -> str:
    try:
        return Project.find(path.parent).shown(path.absolute())
    except (ProjectError, ValueError):          # not in a repository
        return str(path)
