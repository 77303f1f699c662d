"""How it looks on a terminal: tables, and two texts beside each other."""

import sys
from collections.abc import Callable

from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from sqrtdk_docs.translation.corpus import Corpus, Pair
from sqrtdk_docs.translation.find import Found
from sqrtdk_docs.translation.history import text_bearing
from sqrtdk_docs.translation.lock import Lock
from sqrtdk_docs.translation.states import GONE, Standing, State, changed_sides
from sqrtdk_docs.translation.wording import word_diff

SIDE_BY_SIDE = 110          # columns from which two texts are shown beside each other


def console() -> Console:
    return Console(file=sys.stdout, highlight=False, markup=False)


def status_table(pair: Pair, every: list[Standing]) -> Table:
    """How many sections of each page are in which state."""
    columns = _columns(pair)
    title = f"{pair.second} follows {pair.first}" if pair.leads else " and ".join(pair.languages)
    table = Table(Column("page", no_wrap=True), *columns, title=title, box=box.SIMPLE,
                  padding=(0, 1, 0, 0))
    for page in dict.fromkeys(each.page for each in every):
        here = [each for each in every if each.page == page]
        counts = (sum(map(counted, here)) for counted in columns.values())
        table.add_row(page, *(str(count or "·") for count in counts))
    return table


def _columns(pair: Pair) -> dict[str, Callable[[Standing], bool]]:
    """The columns of the table, and which standings each of them counts."""
    late = [pair.second] if pair.leads else pair.languages
    return {
        "in step": lambda each: each.state is State.IN_STEP,
        **{f"{lang} behind": lambda each, lang=lang: (each.state is State.BEHIND
                                                      and each.lang == lang) for lang in late},
        "both": lambda each: each.state is State.BOTH,
        "new": lambda each: each.state is State.NEW,
        "missing": lambda each: each.state is State.MISSING,
        "gone": lambda each: each.state in GONE,
    }


def show_texts(corpus: Corpus, lock: Lock, chosen: list[Standing]) -> None:
    """Each section's two texts: what changed since they last matched, and what did not."""
    screen = console()
    for each in chosen:
        screen.rule(f"{each.where} · {each}", align="left")
        if each.state in GONE:
            continue
        texts = {lang: corpus.parts(lang, each.page).get(each.section)
                 for lang in each.pair.languages}
        columns = [_side(corpus, lock, each, lang) if part else Text("(missing)", "dim")
                   for lang, part in texts.items()]
        if screen.width < SIDE_BY_SIDE:
            screen.print(*columns, sep="\n", soft_wrap=True)
            continue
        grid = Table.grid(padding=(0, 2), expand=True)
        for _ in columns:
            grid.add_column(ratio=1, overflow="fold")
        grid.add_row(*columns)
        screen.print(grid)


def _side(corpus: Corpus, lock: Lock, each: Standing, lang: str) -> Text:
    """One language's text of a section, headed by where it stands and how it has changed."""
    part = corpus.parts(lang, each.page)[each.section]
    record = lock.get((each.pair.name, each.page, each.section))
    head = f"{lang} · {part.path}:{part.line}"
    if not record:
        return Text(f"{head}\n", "bold") + Text(f"{part.text}\n")
    if not changed_sides({lang: part}, record):
        return Text(f"{head} · unchanged\n", "bold") + Text(f"{part.text}\n")
    old = text_bearing(corpus, lang, each.page, each.section, record.hashes[lang])
    if old is None:
        note = "changed (the earlier text is not in this clone's history)"
        return Text(f"{head} · {note}\n", "bold") + Text(f"{part.text}\n")
    return Text(f"{head} · changed\n", "bold") + _marked(old.text, part.text)


def _marked(old: str, new: str) -> Text:
    """What went as [-…-] and what came as {+…+}, told without colour too."""
    text = Text()
    for kind, words in word_diff(old, new):
        if kind == "same":
            text.append(words)
        elif kind == "gone":
            text.append(f"[-{words}-]", "red strike")
        else:
            text.append(f"{{+{words}+}}", "green")
    return text + Text("\n")


def found_table(corpus: Corpus, words: str, found: list[Found]) -> Table:
    """Where `words` stands: under each section's name a row a language, whole on any terminal."""
    table = Table(Column(no_wrap=True), Column(overflow="fold"), title=f"“{words}”",
                  title_justify="left", box=None, show_header=False)
    for each in found:
        table.add_row("", Text(f"{each.page}#{each.section}", "bold"))
        for lang in corpus.languages:
            table.add_row(lang, _hits(corpus, each, lang))
    return table


def _hits(corpus: Corpus, found: Found, lang: str) -> Text:
    """Lines and words; without a hit, where the same section begins."""
    if found.hits[lang]:
        return Text("\n".join(f"{hit.path}:{hit.line}  {hit.excerpt}" for hit in found.hits[lang]))
    part = corpus.parts(lang, found.page).get(found.section)
    return Text(f"(section: {part.path}:{part.line})" if part else "–", "dim")
