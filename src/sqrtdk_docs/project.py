"""Where things live: the one place that knows the folders of the repository."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

LABS = "lab"                # the folder of a language's notebooks


class ProjectError(Exception):
    """A slip of an author or a missing piece, told in one line."""


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
        found = [path.name.split(".")[1] for path in self.docs.glob("mkdocs.*.yml")]
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
