"""New pages and new languages: files to begin with, and nothing that was there is touched."""

import re
from pathlib import Path

import yaml

from sqrtdk_docs.project import Project, ProjectError, read_text, replace
from sqrtdk_docs.translation import words
from sqrtdk_docs.translation.corpus import Corpus, config_path, page_path

LANG_ID = re.compile(r"[a-z]{2,3}(-[a-z0-9]+)*")
FIRST_PAGE = "index"
MAP = "tag:yaml.org,2002:map"


def start_page(project: Project, lang: str, page: str) -> Path:
    """Copy a page from the language that `lang` is kept in step with, to be translated in place.

    Raises ProjectError if `lang` has the page, or the other language does not.
    """
    corpus = Corpus(project)
    if lang not in corpus.languages:
        raise ProjectError(f"there is no language {lang!r}; `translate add-language {lang}` "
                           "begins one")
    source = corpus.languages[corpus.pair_of(lang).other(lang)]
    text = corpus.read(page_path(source, page))
    path = project.root / page_path(corpus.languages[lang], page)
    if text is None:
        raise ProjectError(f"there is no {page_path(source, page)} to begin from")
    if path.exists():
        raise ProjectError(f"{project.shown(path)} is there already")
    _write(path, text)
    return path


def add_language(project: Project, lang: str, follows: str) -> list[Path]:
    """Begin a language that follows `follows`: its configuration and its first page.

    Where docs/translation/words.toml has no table for it, one is added to be translated.
    Returns the files that were written. Raises ProjectError for an id that is no language's, a
    language that is there, or one to follow that does not lead.
    """
    if not LANG_ID.fullmatch(lang):
        raise ProjectError(f"{lang!r} is not the id of a language: write it as ja, zh-hant, pt-br")
    corpus = Corpus(project)
    if lang in corpus.languages:
        raise ProjectError(f"{config_path(lang)} is there already")
    if follows not in corpus.pairs[0].languages:
        raise ProjectError(f"a new language follows {' or '.join(corpus.pairs[0].languages)}, "
                           f"not {follows!r}")
    first = project.docs / lang / f"{FIRST_PAGE}.md"
    if first.exists():
        raise ProjectError(f"{project.shown(first)} is there already")
    words.load_all(project.root)                 # a slip there is told before anything is written
    theme = _theme_language(lang)
    written = [project.root / config_path(lang)]
    text = corpus.read(config_path(follows))
    _write(written[0], _config(text, lang, follows, theme))
    if _add_words(project.root, lang, follows):
        written.append(project.root / words.NAME)
    del project.__dict__["languages"]            # found anew, with the one that is there now
    return [*written, start_page(project, lang, FIRST_PAGE)]


def _theme_language(lang: str) -> str:
    """The theme's own spelling of the language, or of its main part."""
    import material

    folder = Path(material.__file__).parent / "templates" / "partials" / "languages"
    known = {path.stem.lower(): path.stem for path in folder.glob("*.html")}
    found = known.get(lang) or known.get(lang.split("-")[0])
    if not found:
        raise ProjectError(f"the theme has no language {lang!r}; it has {', '.join(sorted(known))}")
    return found


def _config(text: str, lang: str, follows: str, theme: str) -> str:
    """The configuration of the language to follow with this language's ids in it."""
    root = yaml.compose(text)
    _set(root, ["docs_dir"], lang)
    _set(root, ["theme", "language"], theme)
    _set(root, ["extra", "lang"], lang)
    _set(root, ["extra", "lang_name"], words.language_name(lang))
    _set(root, ["extra", "follows"], follows)
    _set(root, ["plugins", "search"], yaml.MappingNode(MAP, []))     # the theme knows what suits
    head = (f"# {words.language_name(lang)}: names, navigation, search. "
            "Everything else is in ../mkdocs.yml.\n"
            "# To translate here: site_name, site_description and the words of `nav`.\n")
    return head + yaml.serialize(root, allow_unicode=True, width=100)


def _set(node: yaml.MappingNode, keys: list[str], value: str | yaml.Node) -> None:
    """Set a value in a YAML tree, with the mappings that lead to it; tags elsewhere are kept."""
    key, *rest = keys
    child = next((below for name, below in node.value if name.value == key), None)
    if rest:
        if child is None:
            child = yaml.MappingNode(MAP, [])
            node.value.append((_scalar(key), child))
        return _set(child, rest, value)
    node.value = [(name, below) for name, below in node.value if name.value != key]
    node.value.append((_scalar(key), _scalar(value) if isinstance(value, str) else value))


def _scalar(text: str) -> yaml.ScalarNode:
    return yaml.ScalarNode("tag:yaml.org,2002:str", text)


def _add_words(root: Path, lang: str, follows: str) -> bool:
    """Append a table for `lang` to words.toml, in the words of `follows`; False if it has one."""
    path = root / words.NAME
    tables = words.load_all(root)
    if lang in tables:
        return False
    text = read_text(path)
    table = re.search(rf"^\[{re.escape(follows)}\][^\n]*\n(.*?)(?=^\[|\Z)", text, re.M | re.S)[1]
    _write(path, f"{text.rstrip()}\n\n[{lang}]     # to be translated\n{table.rstrip()}\n")
    return True


def _write(path: Path, text: str) -> None:
    replace(path, text)
