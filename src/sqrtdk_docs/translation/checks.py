"""All that `translate check` has to tell: what fails always, and what is still to be done."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqrtdk_docs.translation.corpus import (
    SITE, WORDS, Corpus, Language, Pair, page_markdown)
from sqrtdk_docs.translation.lock import Lock
from sqrtdk_docs.translation.markup import META, TOP
from sqrtdk_docs.translation.states import GONE, Standing, State, changed_sides, standings
from sqrtdk_docs.translation.structure import Difference, differences, load_peers
from sqrtdk_docs.translation.words import NAME, load_words

A_WORD = 10         # signs; two languages may well have one word in common, but no sentence


@dataclass(frozen=True)
class Problem:
    """`fails`: built differently or missing, never to be published; else still to be done.

    `strict`: `check --strict` fails for it too. A language that follows may lag, so it is not.
    """

    page: str
    section: str
    message: str
    fails: bool
    strict: bool

    def __str__(self) -> str:
        return f"{self.page}#{self.section}: {self.message}".replace("#:", ":")


def problems(corpus: Corpus, lock: Lock) -> list[Problem]:
    """All problems of all pairs of languages."""
    return [problem for pair in corpus.pairs for problem in _problems(corpus, lock, pair)]


def _problems(corpus: Corpus, lock: Lock, pair: Pair) -> Iterator[Problem]:
    every = standings(corpus, lock, pair)
    late = {(each.page, each.section) for each in every if _late(corpus, lock, each)}
    lacking = set()
    if pair.leads:
        yield from _borrowed_words(corpus, pair)
    for page in corpus.pages(*pair.languages):
        without = [lang for lang in pair.languages if not corpus.parts(lang, page)]
        if without:
            lacking.add(page)
            yield from _lacking(lock, pair, page, without[0])
            continue
        for found in page_differences(corpus, pair, page):
            fails = (page, found.section) not in late
            yield Problem(page, found.section, found.message, fails, fails)
    for each in every:
        if each.state is not State.IN_STEP and not _told(each, lacking):
            fails = each.state is State.MISSING and not pair.leads
            yield Problem(each.page, each.section, str(each), fails, not pair.leads)


def _borrowed_words(corpus: Corpus, pair: Pair) -> Iterator[Problem]:
    """The sentences of the notices that `add-language` copied and nobody has translated yet."""
    theirs, mine = (load_words(corpus.project.root, lang) for lang in pair.languages)
    if copied := [key for key, words in mine.items()
                  if words == theirs[key] and len(re.sub(r"\{\w+\}", "", words)) > A_WORD]:
        yield Problem(NAME, pair.second, f"still in the words of {pair.first}: "
                                         f"{', '.join(copied)}", False, False)


def _late(corpus: Corpus, lock: Lock, each: Standing) -> bool:
    """True where a language that follows need not be built like its leader, which has moved on."""
    if not each.pair.leads or each.state in (State.IN_STEP, State.NEW, *GONE):
        return False
    place = each.pair.name, each.page, each.section
    if each.state is State.MISSING:
        return each.lang == each.pair.second or place in lock
    leader = {each.pair.first: corpus.parts(each.pair.first, each.page)[each.section]}
    return bool(changed_sides(leader, lock[place]))


def _lacking(lock: Lock, pair: Pair, page: str, lang: str) -> Iterator[Problem]:
    """A page that one language lacks: allowed only where that language follows."""
    message = f"the page is in {pair.other(lang)} but not in {lang}"
    if not pair.leads:
        start = "" if page in (SITE, *WORDS) else f"; begin with `translate start {lang} {page}`"
        yield Problem(page, "", message + start, True, True)
    elif lang == pair.first:
        fails = not any((pair.name, page) == place[:2] for place in lock)
        yield Problem(page, "", message + f", which {pair.second} follows", fails, fails)


def _told(each: Standing, lacking: set[str]) -> bool:
    """True for a missing section that the page or the structure has already told of."""
    by_structure = each.section != TOP and each.page not in (SITE, *WORDS)
    return each.state is State.MISSING and (each.page in lacking or by_structure)


def page_differences(corpus: Corpus, pair: Pair, page: str) -> list[Difference]:
    """What is built differently on one page of a pair; both languages must have the page."""
    if page == SITE:
        return _site_differences([corpus.languages[lang] for lang in pair.languages])
    if page in WORDS:
        return _word_differences(corpus, pair, page)
    first, second = (page_markdown(corpus.read, corpus.languages[lang], page)
                     for lang in pair.languages)
    return differences(first, second, pair.languages, load_peers(corpus.project.root))


def _site_differences(languages: list[Language]) -> list[Difference]:
    """The navigation must list the same pages in the same groups."""
    outlines = [list(_outline(each.config.get("nav") or [])) for each in languages]
    if outlines[0] == outlines[1]:
        return []
    ours, theirs = next((pair for pair in zip(*outlines) if pair[0] != pair[1]),
                        (f"{len(outlines[0])} entries", f"{len(outlines[1])} entries"))
    first, second = (each.id for each in languages)
    return [Difference(META, f"the navigation differs: {ours} in {first}, {theirs} in {second}")]


def _outline(nav: list, depth: int = 0) -> Iterator[str]:
    """Each entry of a navigation without its words."""
    for entry in nav:
        target = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(target, list):
            yield f"a group at depth {depth}"
            yield from _outline(target, depth + 1)
        else:
            yield f"{target} at depth {depth}"


def _word_differences(corpus: Corpus, pair: Pair, page: str) -> list[Difference]:
    """A file of words must have the same keys in every language."""
    found = []
    first, second = (corpus.parts(lang, page) for lang in pair.languages)
    for name in first.keys() & second.keys():
        keys = [{line.partition(":")[0] for line in part.text.splitlines()}
                for part in (first[name], second[name])]
        for key in sorted(keys[0] ^ keys[1]):
            here, there = pair.languages if key in keys[0] else pair.languages[::-1]
            found.append(Difference(name, f"the words `{key}` are in {here} but not in {there}"))
    return sorted(found, key=lambda each: (each.section, each.message))
