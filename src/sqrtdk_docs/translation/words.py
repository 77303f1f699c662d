"""What the notices say, in each language: docs/translation/words.toml."""

from pathlib import Path

from babel import Locale, UnknownLocaleError

from sqrtdk_docs.project import ProjectError, read_toml

NAME = "docs/translation/words.toml"


def load_words(root: Path, lang: str) -> dict[str, str]:
    """The sentences of one language by name.

    Raises ProjectError if the language has none, or lacks a line that another one has.
    """
    tables = load_all(root)
    if lang not in tables:
        raise ProjectError(f"{NAME} has no table [{lang}]: copy another one there and translate it")
    keys = {key for table in tables.values() for key in table}
    if lacking := sorted(keys - tables[lang].keys()):
        raise ProjectError(f"{NAME}: [{lang}] lacks {', '.join(lacking)}")
    return tables[lang]


def load_all(root: Path) -> dict[str, dict[str, str]]:
    """The sentences of every language that has some."""
    path = root / NAME
    if not path.is_file():
        raise ProjectError(f"there is no {NAME}")
    tables = read_toml(path)
    for lang, table in tables.items():
        if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
            raise ProjectError(f"{NAME}: {lang}: must be a table of sentences, as [en] is")
    return tables


def language_name(lang: str, within: str | None = None) -> str:
    """What `lang` is called in the language `within` (default: in itself); its id if unknown."""
    try:
        locale = Locale.parse(lang, sep="-")
        return locale.get_display_name(Locale.parse(within, sep="-") if within else locale) or lang
    except (UnknownLocaleError, ValueError):
        return lang
