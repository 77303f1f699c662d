"""Where the languages stand: the texts as they are against the lock.

| state   | means |
| ------- | ----- |
| in step | both texts are as they were when somebody said that they match |
| behind  | only the other language was changed since |
| both    | both were changed since, or a language that follows was changed on its own |
| new     | both are there, and nobody has said that they match |
| missing | the section is in one language only |
| renamed | the record's section is gone on both sides, and a new one of the page looks like it |
| moved   | the same, but the new one stands on another page |
| orphan  | the record's section is gone on both sides, and nothing looks like it |
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from sqrtdk_docs.translation.corpus import Corpus, Pair, Part
from sqrtdk_docs.translation.lock import Lock, Record


class State(StrEnum):
    IN_STEP = "in step"
    BEHIND = "behind"
    BOTH = "both changed"
    NEW = "new"
    MISSING = "missing"
    RENAMED = "renamed"
    MOVED = "moved"
    ORPHAN = "orphan"


GONE = (State.RENAMED, State.MOVED, State.ORPHAN)     # a record without a section


@dataclass(frozen=True)
class Standing:
    """How one section stands in one pair of languages."""

    pair: Pair
    page: str
    section: str
    state: State
    lang: str = ""                       # which language is behind, or lacks the section
    now: tuple[str, str] | None = None   # renamed, moved: page and section as they are now

    @property
    def where(self) -> str:
        return f"{self.page}#{self.section}"

    @property
    def partial(self) -> bool:
        """True where it does no harm: a language that follows may be partial."""
        return self.pair.leads

    def __str__(self) -> str:
        """In words, without the place."""
        if self.state is State.BEHIND:
            return f"{self.lang} is behind"
        if self.state is State.MISSING:
            return f"missing in {self.lang}"
        if self.now:
            return f"looks {self.state}: now {'#'.join(self.now)}"
        return {State.BOTH: "changed since they were last said to match",
                State.NEW: "new: nobody has said yet that they match",
                State.ORPHAN: "gone in both languages, but the lock still has it",
                }.get(self.state, str(self.state))


def standings(corpus: Corpus, lock: Lock, pair: Pair) -> list[Standing]:
    """Every section and every record of a pair, page by page in the order of the page."""
    found = [_standing(corpus, lock, pair, page, section)
             for page in corpus.pages(*pair.languages) for section in sections(corpus, pair, page)]
    known = {(each.page, each.section) for each in found}
    lost = [Standing(pair, page, section, State.ORPHAN) for name, page, section in sorted(lock)
            if name == pair.name and (page, section) not in known]
    found += _recognised(corpus, lock, lost, [each for each in found if each.state is State.NEW])
    return sorted(found, key=lambda each: each.page)     # stable: the page's order stays


def page_standings(corpus: Corpus, lock: Lock, pair: Pair, page: str) -> list[Standing]:
    """The standings of one page; what moved here from another is told there."""
    return [each for each in standings(corpus, lock, pair) if each.page == page]


def sections(corpus: Corpus, pair: Pair, page: str) -> list[str]:
    """The page's sections in either language: the first one's order, then what it lacks."""
    return list(dict.fromkeys(section for lang in pair.languages
                              for section in corpus.parts(lang, page)))


def _standing(corpus: Corpus, lock: Lock, pair: Pair, page: str, section: str) -> Standing:
    texts = {lang: corpus.parts(lang, page).get(section) for lang in pair.languages}
    here = Standing(pair, page, section, State.IN_STEP)
    for lang, text in texts.items():
        if text is None:
            return replace(here, state=State.MISSING, lang=lang)
    record = lock.get((pair.name, page, section))
    if record is None:
        return replace(here, state=State.NEW)
    changed = changed_sides(texts, record)
    if not changed:
        return here
    if len(changed) == 2 or pair.leads and changed == [pair.second]:
        return replace(here, state=State.BOTH)
    return replace(here, state=State.BEHIND, lang=pair.other(changed[0]))


def changed_sides(texts: dict[str, Part], record: Record | None) -> list[str]:
    """The languages whose text is not the recorded one; all of them without a record."""
    hashes = record.hashes if record else {}
    return [lang for lang, text in texts.items() if text.hash != hashes.get(lang)]


def _recognised(corpus: Corpus, lock: Lock, lost: list[Standing],
                new: list[Standing]) -> Iterable[Standing]:
    """Each lost record with the new section that it has become, if one looks like it."""
    free = list(new)
    for each in lost:
        alike = [other for other in free if _alike(corpus, lock, each, other)]
        alike = alike or [other for other in free if other.section == each.section]
        if not alike and _only_one(lost, each.page) and _only_one(free, each.page):
            alike = [other for other in free if other.page == each.page]
        if alike:
            free.remove(alike[0])
            state = State.RENAMED if alike[0].page == each.page else State.MOVED
            each = replace(each, state=state, now=(alike[0].page, alike[0].section))
        yield each


def _alike(corpus: Corpus, lock: Lock, lost: Standing, new: Standing) -> bool:
    """True if one of the languages has the recorded text, word for word, in the new section."""
    record = lock[lost.pair.name, lost.page, lost.section]
    texts = {lang: corpus.parts(lang, new.page)[new.section] for lang in new.pair.languages}
    return len(changed_sides(texts, record)) < 2


def _only_one(several: list[Standing], page: str) -> bool:
    return [each.page for each in several].count(page) == 1
