"""Where a number, a block or a term stands, in every language."""

import re
from dataclasses import dataclass
from pathlib import Path

from sqrtdk_docs.project import read_csv
from sqrtdk_docs.translation.corpus import Corpus
from sqrtdk_docs.translation.states import sections

TERMS = "docs/translation/terms.csv"
CONTEXT = 24                         # characters of the line on either side of what was found


@dataclass(frozen=True)
class Hit:
    """One line where it stands: `docs/en/index.md`, 12, and the words around it."""

    path: str
    line: int
    excerpt: str


@dataclass(frozen=True)
class Found:
    """One section, and where it stands there in each language; no hit: where to look for it."""

    page: str
    section: str
    hits: dict[str, list[Hit]]


def find(corpus: Corpus, words: str) -> list[Found]:
    """Every section that holds `words` in one of the languages, and where it is in the others.

    A term of terms.csv is looked for in each language's own words; else upper and lower case and
    the spaces between the words make no difference.
    """
    languages = list(corpus.languages)
    wanted = {lang: [_pattern(each) for each in _renderings(corpus.project.root, words, lang)]
              for lang in languages}
    places = dict.fromkeys(
        (page, section) for pair in corpus.pairs for page in corpus.pages(*pair.languages)
        for section in sections(corpus, pair, page))
    found = []
    for page, section in places:
        hits = {lang: list(_hits(corpus, lang, page, section, wanted[lang])) for lang in languages}
        if any(hits.values()):
            found.append(Found(page, section, hits))
    return found


def _renderings(root: Path, words: str, lang: str) -> list[str]:
    """`words`, or what the term is called in `lang`, if it is one."""
    path = root / TERMS
    if not path.is_file():
        return [words]
    for _, row in read_csv(path):
        column = "term" if lang == "en" else lang
        if row.get(column) and words.lower() in (cell.lower() for cell in row.values()):
            return list(dict.fromkeys([words, row[column]]))
    return [words]


def _pattern(words: str) -> re.Pattern:
    return re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)


def _hits(corpus: Corpus, lang: str, page: str, section: str, wanted: list[re.Pattern]):
    part = corpus.parts(lang, page).get(section)
    if part is None:
        return
    for number, line in enumerate(part.text.split("\n")):
        match = next((hit for pattern in wanted if (hit := pattern.search(line))), None)
        if match:
            start, end = max(match.start() - CONTEXT, 0), match.end() + CONTEXT
            excerpt = ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
            yield Hit(part.path, part.line + number, excerpt.strip())
