"""All that the languages say, section by section, as it stands in the tree or stood in the past."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import yaml
from mkdocs.utils.yaml import get_yaml_loader

from sqrtdk_docs.notebooks import to_markdown
from sqrtdk_docs.project import LABS, Project, ProjectError, page_file, read_text
from sqrtdk_docs.translation.fingerprint import fingerprint, normal, prose
from sqrtdk_docs.translation.markup import META, TOP, Page, read_page

SITE = "site"            # as a page: stands for the site's name and the groups of its navigation
# Words that stand in files of their own: what stands for them, and where they are.
WORDS = {
    "figures": "src/sqrtdk/figures/words/{lang}.toml",
    "properties": "src/sqrtdk_docs/property_words/{lang}.toml",
    "labs": "src/sqrtdk/labs/words/{lang}.toml",
}

Read = Callable[[str], str | None]     # a path below the root -> its text, or None


@dataclass(frozen=True)
class Part:
    """One section's text in one language."""

    text: str            # for people
    normal: str          # for the hash
    path: str            # the file it stands in, below the root
    line: int = 1
    title: str = ""      # the heading's words; of `meta`, what the page is called

    @property
    def hash(self) -> str:
        return fingerprint(self.normal)


@dataclass(frozen=True)
class Language:
    """One language: its name, the language it follows (None for the two that lead), its files."""

    id: str
    name: str
    follows: str | None
    config: dict = field(repr=False)
    folder: str


@dataclass(frozen=True)
class Pair:
    """Two languages that are compared. If `leads`, the first leads and the second follows."""

    first: str
    second: str
    leads: bool = False

    @property
    def languages(self) -> tuple[str, str]:
        return self.first, self.second

    @property
    def name(self) -> str:
        return f"{self.first}-{self.second}"

    def other(self, lang: str) -> str:
        return self.second if lang == self.first else self.first


def page_parts(read: Read, language: Language, page: str) -> dict[str, Part]:
    """The sections of one page, in order; what says nothing is left out. Empty: no such page."""
    if page == SITE:
        return _site(language)
    if page in WORDS:
        return _words(read, language, WORDS[page])
    path = page_path(language, page)
    text = page_markdown(read, language, page)
    if text is None:
        return {}
    found = read_page(text)
    parts = {META: _meta(found, language, page, path)}
    for section in found.sections:
        if words := normal(section):
            title = section.blocks[0].text if section.level else ""
            parts[section.id] = Part(section.text, words, path, section.line, title)
    return parts


def page_path(language: Language, page: str) -> str:
    """The file in which a page stands, below the root."""
    return f"{language.folder}/{page_file(page)}"


def page_markdown(read: Read, language: Language, page: str) -> str | None:
    """The Markdown of a page, or of a lab; None if there is no such page."""
    path = page_path(language, page)
    text = read(path)
    return to_markdown(text, path) if text is not None and path.endswith(".py") else text


def _part(lines: list[str], path: str, title: str = "") -> Part:
    normal_text = "\n".join(prose(line) for line in lines)
    return Part("\n".join(lines), normal_text, path, title=title)


def _meta(found: Page, language: Language, page: str, path: str) -> Part:
    label = nav_label(language.config.get("nav") or [], page_file(page))
    said = {"title": found.front.get("title"), "description": found.front.get("description"),
            "in the navigation": label}
    lines = [f"{key}: {value}" for key, value in said.items() if value]
    return _part(lines, path, str(label or said["title"] or page))


def nav_label(nav: list, path: str) -> str | None:
    """What the navigation calls the page at `path`; None if it gives it no name of its own."""
    for entry in nav:
        for label, target in entry.items() if isinstance(entry, dict) else ():
            if target == path:
                return label
            if isinstance(target, list) and (found := nav_label(target, path)):
                return found
    return None


def _groups(nav: list) -> list[str]:
    """The names of the navigation's groups, from the top."""
    named = [(label, target) for entry in nav if isinstance(entry, dict)
             for label, target in entry.items() if isinstance(target, list)]
    return [name for label, target in named for name in (label, *_groups(target))]


def _site(language: Language) -> dict[str, Part]:
    config = language.config
    lines = [f"{key}: {config[key]}" for key in ("site_name", "site_description") if key in config]
    lines += [f"group: {label}" for label in _groups(config.get("nav") or [])]
    return {META: _part(lines, config_path(language.id))} if lines else {}


def _words(read: Read, language: Language, where: str) -> dict[str, Part]:
    """The tables of a file of words, by name; what stands before the first table is `top`."""
    path = where.format(lang=language.id)
    text = read(path)
    if text is None:
        return {}
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProjectError(f"{path}: {error}") from error
    tables = {name: words for name, words in found.items() if isinstance(words, dict)}
    if loose := {name: words for name, words in found.items() if name not in tables}:
        tables[TOP] = loose
    return {name: _part(list(_leaves(words)), path) for name, words in sorted(tables.items())}


def _leaves(words, key: str = ""):
    """`key: words` for each line of a table, sorted by key."""
    if isinstance(words, list):
        words = {str(number): each for number, each in enumerate(words)}
    if not isinstance(words, dict):
        yield f"{key}: {words}"
        return
    for name, value in sorted(words.items()):
        yield from _leaves(value, f"{key}.{name}" if key else name)


def config_path(lang: str) -> str:
    return f"docs/mkdocs.{lang}.yml"


def read_language(read: Read, lang: str) -> Language:
    """What docs/mkdocs.LANG.yml says, without what it inherits."""
    path = config_path(lang)
    text = read(path)
    if text is None:
        raise ProjectError(f"there is no {path}; `translate add-language {lang}` makes one")
    try:
        config = yaml.load(text, Loader=get_yaml_loader())
    except yaml.YAMLError as error:
        raise ProjectError(f"{path}: {' '.join(str(error).split())}") from error
    extra = (config.get("extra") or {}) if isinstance(config, dict) else None
    if not isinstance(extra, dict) or not _is_nav(config.get("nav") or []):
        raise ProjectError(f"{path}: is no configuration; compare it with {config_path('en')}")
    return Language(lang, extra.get("lang_name", lang), extra.get("follows"), config,
                    f"docs/{config.get('docs_dir', lang)}")


def _is_nav(nav) -> bool:
    """Pages and named groups of them, as MkDocs wants a navigation."""
    return isinstance(nav, list) and all(
        isinstance(entry, str) or isinstance(entry, dict) and len(entry) == 1
        and all(isinstance(target, str) or _is_nav(target) for target in entry.values())
        for entry in nav)


class Corpus:
    """The languages of a project and all their sections, as they stand in the tree."""

    def __init__(self, project: Project):
        self.project = project
        self._pages: dict[tuple[str, str], dict[str, Part]] = {}

    def read(self, path: str) -> str | None:
        """The text of a file below the root; None if there is none."""
        file = self.project.root / path
        return read_text(file) if file.is_file() else None

    @cached_property
    def languages(self) -> dict[str, Language]:
        """All languages by id. Raises ProjectError for one that does not say which it is."""
        found = {lang: read_language(self.read, lang) for lang in self.project.languages}
        for lang, language in found.items():
            extra = language.config.get("extra") or {}
            if extra.get("lang") != lang or not extra.get("lang_name"):
                raise ProjectError(f"{config_path(lang)}: needs `extra: {{lang: {lang}, lang_name: "
                                   "…}`, the language's id and its own name")
        return found

    @cached_property
    def pairs(self) -> list[Pair]:
        """The two languages that lead, then each that follows with the one it follows.

        Raises ProjectError if more than two lead, or one follows what does not lead.
        """
        leaders = [lang.id for lang in self.languages.values() if not lang.follows]
        if len(leaders) != 2:
            raise ProjectError(f"two languages must lead, but these do: {', '.join(leaders)}; "
                               "say `extra: {follows: en}` in docs/mkdocs.LANG.yml of a third")
        pairs = [Pair(*leaders)]
        for lang in self.languages.values():
            if lang.follows and lang.follows not in leaders:
                raise ProjectError(f"{config_path(lang.id)}: extra.follows is {lang.follows!r}; "
                                   f"it must be one of {' and '.join(leaders)}")
            if lang.follows:
                pairs.append(Pair(lang.follows, lang.id, leads=True))
        return pairs

    def pair_of(self, lang: str) -> Pair:
        """The pair in which `lang` is kept in step: for a leader, the leaders."""
        return next(pair for pair in self.pairs
                    if lang == pair.second or not pair.leads and lang == pair.first)

    def pages(self, *langs: str) -> list[str]:
        """The names of all pages that one of `langs` has, with what stands for other words.

        Raises ProjectError for a page that takes such a name.
        """
        names = {path.relative_to(folder).with_suffix("").as_posix() for lang in langs
                 for folder in [self.project.root / self.languages[lang].folder]
                 for path in (*folder.rglob("*.md"), *folder.glob(f"{LABS}/*.py"))}
        if taken := names & {SITE, *WORDS}:
            raise ProjectError(f"{taken.pop()}.md: this name is taken, see `translate --help`; "
                               "call the page something else")
        return [*sorted(names), *(name for name in (SITE, *WORDS)
                                  if any(self.parts(lang, name) for lang in langs))]

    def parts(self, lang: str, page: str) -> dict[str, Part]:
        """The sections of a page in one language, by id, in order; empty if it has no such page."""
        key = lang, page
        if key not in self._pages:
            self._pages[key] = page_parts(self.read, self.languages[lang], page)
        return self._pages[key]
