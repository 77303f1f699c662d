"""The terms: one list makes the glossary, marks each term's first use on a page, and tells
where a page uses another word for it.

docs/translation/terms.csv has a line a term: `term` (English), a column a language (`zh`), words
to avoid there (`avoid_zh`, separated by semicolons), a note for translators, and what the term
means (`meaning_en`, `meaning_zh`). A further language adds its columns.
"""

import argparse
import html
import re
from dataclasses import dataclass, field
from pathlib import Path

from sqrtdk_docs import notebooks
from sqrtdk_docs.project import Project, ProjectError, read_csv

CJK = re.compile(r"[㐀-鿿]")
TAG = re.compile(r"(<[^>]+>)")
# Text inside these is left alone: it is code, a link already, a title, a formula or a drawing.
SKIPPED = {"a", "button", "code", "data", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "math",
           "pre", "summary", "svg", "th"}
VOID = {"br", "hr", "img", "input", "wbr"}
WORDS = {
    "en": {"title": "Glossary", "term": "Term", "other": "In Chinese", "meaning": "Meaning",
           "description": "The terms of this site in English and Chinese, and what they mean.",
           "intro": "Each term has one name in code, one in English and one in Chinese. "
                    "The first time a page uses one, it leads here."},
    "zh": {"title": "术语表", "term": "术语", "other": "英文", "meaning": "含义",
           "description": "本站的术语，中英对照，并说明含义。",
           "intro": "每个术语在代码、中文和英文里各只有一个名称。页面上第一次用到某个术语时，会链接到这里。"},
}


@dataclass(frozen=True)
class Term:
    """One line of terms.csv."""

    line: int
    names: dict[str, str]                     # by language
    meanings: dict[str, str]
    avoid: dict[str, list[str]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.names["en"].lower()).strip("-")


def read_terms(project: Project) -> list[Term]:
    """The terms in the order of the file. Raises ProjectError for a line without a term."""
    path = project.docs / "translation" / "terms.csv"
    terms = []
    for line, row in read_csv(path):
        if not row.get("term"):
            raise ProjectError(f"{project.shown(path)}:{line}: has no term")
        names = {"en": row["term"]} | {
            lang: row[lang] for lang in project.languages if row.get(lang)}
        meanings = {lang: row[f"meaning_{lang}"] for lang in project.languages
                    if row.get(f"meaning_{lang}")}
        avoid = {lang: [word.strip() for word in row[f"avoid_{lang}"].split(";") if word.strip()]
                 for lang in project.languages if row.get(f"avoid_{lang}")}
        terms.append(Term(line, names, meanings, avoid))
    if not terms:
        raise ProjectError(f"{project.shown(path)}: holds no terms")
    return terms


# --- the glossary --------------------------------------------------------------------------

def glossary(terms: list[Term], lang: str) -> str:
    """The glossary page in one language, as Markdown: the terms that have a meaning there."""
    words = WORDS.get(lang, WORDS["en"])
    other = "zh" if lang == "en" else "en"
    rows = [f'| <span id="{term.id}">{term.names[lang]}</span> | {term.names[other]} '
            f"| {term.meanings[lang]} |"
            for term in sorted(terms, key=lambda term: term.names["en"].lower())
            if lang in term.meanings and lang in term.names]
    return "\n".join(["---", f"title: {words['title']}", f"description: {words['description']}",
                      "---", "", f"# {words['title']} {{#glossary}}", "", words["intro"], "",
                      f"| {words['term']} | {words['other']} | {words['meaning']} |",
                      "| --- | --- | --- |", *rows, ""])


# --- first uses ----------------------------------------------------------------------------

class FirstUses:
    """Marks the first use of each term on a page with a link to the glossary."""

    def __init__(self, terms: list[Term], lang: str):
        self.lang = lang
        # All names, so that 值 is not found inside 均值; only those with a meaning are marked.
        self.by_name = {name.lower(): term for term in terms if lang in term.names
                        for name in _names(term, lang)}
        self.pattern = _any_of(self.by_name)

    def mark(self, content: str, address: str) -> str:
        """`content` (HTML) with its first uses linked to `address`, the glossary's."""
        seen: set[str] = set()

        def link(found: re.Match) -> str:
            term = self.by_name[found["name"].lower()]
            if term.id in seen or self.lang not in term.meanings:
                return found[0]
            seen.add(term.id)
            meaning = html.escape(term.meanings[self.lang])
            return f'<a class="term" href="{address}#{term.id}" title="{meaning}">{found[0]}</a>'

        pieces, inside = TAG.split(content), 0
        for number, piece in enumerate(pieces):
            if number % 2:
                inside += _depth(piece)
            elif not inside:
                pieces[number] = self.pattern.sub(link, piece)
        return "".join(pieces)


def _names(term: Term, lang: str) -> list[str]:
    """What a term is called in running text: "sparsemax / entmax" is two names."""
    name = re.sub(r"\s*[（(].*?[)）]", "", term.names[lang])
    return [part.strip() for part in name.split(" / ")]


def _any_of(names) -> re.Pattern:
    """Any of the names, the longest first; Latin words whole and also in the plural.

    A name of one Chinese character is part of too many words: it counts where it is
    introduced, as in 键（key）.
    """
    def whole(name: str) -> str:
        if CJK.search(name):
            return re.escape(name) + ("(?=（)" if len(name) == 1 else "")
        return rf"(?<![\w-]){re.escape(name)}(?=(?:s|es)?(?![\w-]))"
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?P<name>{'|'.join(map(whole, longest)) or '(?!)'})", re.IGNORECASE)


def _depth(tag: str) -> int:
    """+1 where a skipped element opens, -1 where it closes."""
    name = re.match(r"</?([a-z0-9]*)", tag)[1]
    if name not in SKIPPED or name in VOID or tag.endswith("/>"):
        return 0
    return -1 if tag.startswith("</") else 1


# --- wording -------------------------------------------------------------------------------

def other_words(terms: list[Term], lang: str, text: str) -> list[tuple[int, str, str]]:
    """(line, word, what to write) for each word of `text` that the list says to avoid.

    A word inside an approved one, or approved for another term, is not told. Code is not read.
    """
    approved = {name for term in terms if lang in term.names for name in _names(term, lang)}
    instead = {word: term.names[lang] for term in terms for word in term.avoid.get(lang, [])
               if word not in approved and "（" not in word}
    if not instead:
        return []
    pattern = re.compile("|".join(map(re.escape, sorted([*approved, *instead], key=len,
                                                        reverse=True))))
    told, fenced = [], False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced:
            continue
        told += [(number, found[0], instead[found[0]])
                 for found in pattern.finditer(re.sub(r"`[^`]*`(\{.*?\})?", "", line))
                 if found[0] in instead]
    return told


def run(args: argparse.Namespace) -> int:
    """A lint: it tells, and leaves the judgement to the author."""
    project = Project.find()
    terms, count = read_terms(project), 0
    for lang in project.languages:
        for path in project.sources(lang):
            for line, word, name in other_words(terms, lang, notebooks.read(path)):
                print(f"{project.shown(path)}:{line}: {word}: the list of terms has {name}")
                count += 1
    print(f"{len(terms)} terms, {count} other words for them")
    return 0


def add_parser(subparsers) -> None:
    parser = subparsers.add_parser(
        "terms", help="tell where a page uses another word for a term",
        description="Tells where a page uses a word that docs/translation/terms.csv says to "
                    "avoid. It warns and always ends with 0: a word may be right in its place.")
    parser.set_defaults(run=run)
