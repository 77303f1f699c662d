"""The record of what was said to match: docs/translation/lock.toml.

One line a section, sorted, so that a change of one section is a change of one line, in a diff
as in a merge:

    [en-zh."why/growth"]
    spread = { en = "0f1e2d3c4b5a", zh = "a5b4c3d2e1f0" }
"""

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from sqrtdk_docs.project import ProjectError, read_text, replace

HEAD = """\
# Which text of one language matches which of the other: per section, the hash of each as it stood
# when somebody had read both and said so. Written by `python -m sqrtdk_docs translate accept`.
# After a merge conflict keep either side of each line; `translate check` tells what to read again.
"""
NAME = "docs/translation/lock.toml"
BARE = re.compile(r"[A-Za-z0-9_-]+")
Place = tuple[str, str, str]          # pair, page, section


@dataclass(frozen=True)
class Record:
    """Each language's hash, and why one side alone was changed, if it was."""

    hashes: dict[str, str]
    why: str = ""


class Lock(dict[Place, Record]):
    """All records, by place."""

    @classmethod
    def load(cls, root: Path) -> "Lock":
        """The lock of the repository at `root`; without a file, an empty one."""
        path = root / NAME
        if not path.is_file():
            return cls()
        try:
            tables = tomllib.loads(read_text(path))
            return cls({(pair, page, section): _record(line)
                        for pair, pages in tables.items()
                        for page, sections in pages.items()
                        for section, line in sections.items()})
        except (tomllib.TOMLDecodeError, AttributeError) as error:
            raise ProjectError(f"{NAME}: {error}; is it the rest of a merge conflict?") from error

    def save(self, root: Path) -> None:
        """Write the lock, sorted, whole or not at all."""
        replace(root / NAME, self.text())

    def text(self) -> str:
        lines, table = [HEAD], None
        for (pair, page, section), record in sorted(self.items()):
            if table != (table := (pair, page)):
                lines.append(f"\n[{_key(pair)}.{_key(page)}]\n")
            lines.append(f"{_key(section)} = {_line(record)}\n")
        return "".join(lines)


def _record(line: dict) -> Record:
    return Record({key: value for key, value in line.items() if key != "why"},
                  line.get("why", ""))


def _line(record: Record) -> str:
    said = sorted(record.hashes.items()) + ([("why", record.why)] if record.why else [])
    return "{ " + ", ".join(f"{_key(key)} = {_string(value)}" for key, value in said) + " }"


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _string(name)


def _string(value: str) -> str:
    """A TOML basic string; JSON escapes the same signs in the same way."""
    return json.dumps(value, ensure_ascii=False)
