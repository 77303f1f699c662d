"""Saying that two texts match: what may be recorded, and the lock with it."""

from dataclasses import dataclass

from sqrtdk_docs.project import ProjectError
from sqrtdk_docs.translation.checks import page_differences
from sqrtdk_docs.translation.corpus import Corpus, Pair
from sqrtdk_docs.translation.lock import Lock, Record
from sqrtdk_docs.translation.states import GONE, Standing, State, page_standings


@dataclass(frozen=True)
class Plan:
    """What an `accept` would record; `standings` are those that it clears."""

    lock: Lock
    standings: list[Standing]


def plan(corpus: Corpus, lock: Lock, pair: Pair, page: str, section: str = "",
         why: str = "") -> Plan:
    """The lock after accepting a page, or one section of it; nothing is written.

    `why` says why one side was changed and the other needs no change. Raises ProjectError, and
    tells all reasons, where it may not be said that the texts match.
    """
    chosen = [each for each in page_standings(corpus, lock, pair, page)
              if section in ("", each.section)]
    if not chosen:
        where = f"{page}#{section}" if section else page
        raise ProjectError(f"there is no {where} in {' or '.join(pair.languages)}")
    chosen = [each for each in chosen if each.state is not State.IN_STEP]
    obstacles = [*_structure(corpus, pair, page, section),
                 *(reason for each in chosen if (reason := _obstacle(corpus, each, why)))]
    if why and not any(each.state is State.BEHIND for each in chosen):
        obstacles.append(f"{page}: --no-text-change is for a section of which one side was "
                         "changed; there is none here")
    if obstacles:
        raise ProjectError("not accepted:\n  " + "\n  ".join(obstacles))
    accepted = Lock(lock)
    for each in chosen:
        place = pair.name, page, each.section
        if each.state is State.ORPHAN:
            del accepted[place]
        else:
            accepted[place] = _record(corpus, each, why)
    return Plan(accepted, chosen)


def _structure(corpus: Corpus, pair: Pair, page: str, section: str) -> list[str]:
    if not all(corpus.parts(lang, page) for lang in pair.languages):
        return []                        # its sections are missing, and that is told
    return [f"{page}#{found.section}: {found.message}" if found.section else
            f"{page}: {found.message}" for found in page_differences(corpus, pair, page)
            if section in ("", found.section) or not found.section]


def _obstacle(corpus: Corpus, each: Standing, why: str) -> str:
    """Why this section may not be accepted; empty if it may."""
    if each.state is State.MISSING:
        return f"{each.where}: {each}"
    if each.state in GONE and each.now:
        return (f"{each.where}: {each}; say so with "
                f"`translate accept --renamed {each.where} {'#'.join(each.now)}`")
    if each.state is State.BEHIND and not why:
        return (f"{each.where}: only {each.pair.other(each.lang)} was changed; change {each.lang} "
                "too, or say why it needs no change with --no-text-change \"why\"")
    if each.state in (State.NEW, State.BOTH) and _untranslated(corpus, each):
        return f"{each.where}: {each.pair.second} has the same words as {each.pair.first}"
    return ""


def _untranslated(corpus: Corpus, each: Standing) -> bool:
    """True for whole sentences that are the same in both languages."""
    first, second = (corpus.parts(lang, each.page)[each.section] for lang in each.pair.languages)
    return first.normal == second.normal and len(first.text.split()) > 5


def _record(corpus: Corpus, each: Standing, why: str) -> Record:
    hashes = {lang: corpus.parts(lang, each.page)[each.section].hash
              for lang in each.pair.languages}
    return Record(hashes, why if each.state is State.BEHIND else "")


def rename(corpus: Corpus, lock: Lock, pair: Pair, old: tuple[str, str],
           new: tuple[str, str]) -> Lock:
    """The lock with the record of section `old` put to `new`; each is a page and a section.

    What was said of the old place is said of the new one: its state is then told as of any
    other. Raises ProjectError unless `old` is recorded and gone, and `new` there and unrecorded.
    """
    before, after = (pair.name, *old), (pair.name, *new)
    if before not in lock:
        raise ProjectError(f"the lock has no {'#'.join(old)}")
    if after in lock:
        raise ProjectError(f"the lock has {'#'.join(new)} already")
    for lang in pair.languages:
        if old[1] in corpus.parts(lang, old[0]):
            raise ProjectError(f"{'#'.join(old)} is still there in {lang}")
        if new[1] not in corpus.parts(lang, new[0]):
            raise ProjectError(f"there is no {'#'.join(new)} in {lang}")
    renamed = Lock(lock)
    renamed[after] = renamed.pop(before)
    return renamed
