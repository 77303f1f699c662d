"""Keep the languages in step: what has changed, what it means for the others, and what fits."""

import argparse
import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sqrtdk_docs.project import Project, ProjectError
from sqrtdk_docs.translation import accept, scaffold
from sqrtdk_docs.translation.checks import problems
from sqrtdk_docs.translation.corpus import FIGURES, SITE, Corpus, Pair
from sqrtdk_docs.translation.find import find
from sqrtdk_docs.translation.history import text_bearing
from sqrtdk_docs.translation.lock import Lock
from sqrtdk_docs.translation.states import (
    GONE, Standing, State, changed_sides, page_standings, standings)
from sqrtdk_docs.translation.wording import word_diff

EXAMPLES = """\
examples:
  python -m sqrtdk_docs translate status
  python -m sqrtdk_docs translate diff why/growth
  python -m sqrtdk_docs translate accept why/growth#spread
  python -m sqrtdk_docs translate accept why/growth#spread --no-text-change "a slip in English only"
  python -m sqrtdk_docs translate accept --renamed why/growth#wide why/growth#spread
  python -m sqrtdk_docs translate start zh softmax/role
  python -m sqrtdk_docs translate add-language ja
  python -m sqrtdk_docs translate check --strict

A page is named by its path in either language: why/growth, or docs/zh/why/growth.md. For a
language that follows another write the language too: ja/why/growth. `site` is the site's name
and navigation, `figures` the words in the figures.
"""
PAGE_HELP = "a page, as why/growth or docs/zh/why/growth.md, and after # one section of it"
SIDE_BY_SIDE = 110          # columns from which two texts are shown beside each other


def add_parser(subparsers) -> None:
    """Add `translate` and `find` to the command line."""
    add_translate(subparsers)
    parser = subparsers.add_parser(
        "find", help="where a number, a block or a term stands in every language",
        epilog="examples:\n  python -m sqrtdk_docs find 0.665\n"
               "  python -m sqrtdk_docs find softmax-sharp\n  python -m sqrtdk_docs find variance",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="+", metavar="WORDS")
    parser.set_defaults(run=run_find)


def add_translate(subparsers) -> None:
    parser = subparsers.add_parser(
        "translate", help="keep the languages in step", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="WHAT")

    def command(name, run, help):
        added = commands.add_parser(name, help=help, description=help)
        added.set_defaults(run=run)
        return added

    command("status", run_status, "a table: how each page stands in each language")

    diff = command("diff", run_diff, "what has changed on a page since its languages last matched")
    diff.add_argument("page", metavar="PAGE[#SECTION]", help=PAGE_HELP)

    accepting = command("accept", run_accept,
                        "say that you have read a page in both languages and that they match")
    accepting.add_argument("page", metavar="PAGE[#SECTION]", nargs="?", help=PAGE_HELP)
    accepting.add_argument("--yes", action="store_true", help="do not ask")
    accepting.add_argument("--no-text-change", metavar="WHY", default="",
                           help="one language was changed, and the other rightly was not")
    accepting.add_argument("--renamed", nargs=2, metavar=("OLD", "NEW"),
                           help="PAGE#SECTION as it was and as it is now")

    start = command("start", run_start, "begin a page: a copy of the other language's, to translate")
    start.add_argument("lang", metavar="LANG")
    start.add_argument("page", metavar="PAGE")

    adding = command("add-language", run_add_language,
                     "begin a language: its configuration and its first page")
    adding.add_argument("lang", metavar="LANG", help="its id, as ja or zh-hant")
    adding.add_argument("--follows", metavar="LANG", default="en",
                        help="the language it is translated from (default: %(default)s)")

    check = command("check", run_check, "fail where the languages are built differently; "
                                        "warn where one is behind")
    check.add_argument("--strict", action="store_true",
                       help="fail, too, where one is behind or nobody has accepted")


# --- the commands; each returns an exit code: 0 fine, 1 something is to be done ---------------

def run_status(args) -> int:
    corpus = Corpus(Project.find())
    lock = Lock.load(corpus.project.root)
    for pair in corpus.pairs:
        _console().print(_status_table(pair, standings(corpus, lock, pair)))
    return 0


def run_diff(args) -> int:
    corpus = Corpus(Project.find())
    lock = Lock.load(corpus.project.root)
    pair, page, section = parse_place(corpus, args.page)
    chosen = [each for each in page_standings(corpus, lock, pair, page)
              if section in ("", each.section)]
    if not chosen:
        raise ProjectError(f"there is no {args.page} in {' or '.join(pair.languages)}")
    chosen = [each for each in chosen if each.state is not State.IN_STEP]
    _show(corpus, lock, chosen)
    if not chosen:
        _console().print(f"{args.page}: in step")
    return 0


def run_accept(args) -> int:
    corpus = Corpus(Project.find())
    root = corpus.project.root
    if not args.page and not args.renamed:
        raise ProjectError("accept what? Name a page, or --renamed OLD NEW")
    if args.page and args.renamed:
        raise ProjectError("--renamed OLD NEW names its section itself; leave out the page")
    lock = Lock.load(root)
    pair, page, section = parse_place(corpus, args.renamed[1] if args.renamed else args.page)
    if args.renamed:
        _, old_page, old_section = parse_place(corpus, args.renamed[0])
        if not section or not old_section:
            raise ProjectError("--renamed takes two sections: why/growth#old why/growth#new")
        lock = accept.rename(corpus, lock, pair, (old_page, old_section), (page, section))
    planned = accept.plan(corpus, lock, pair, page, section, args.no_text_change)
    if not planned.standings and not args.renamed:
        _console().print(f"{args.page}: in step already")
        return 0
    _show(corpus, lock, planned.standings)
    names = ", ".join(each.where for each in planned.standings) or f"{page}#{section}"
    if not args.yes and not _confirmed(f"Have you read both, and do they match: {names}?"):
        _console().print("nothing was recorded")
        return 1
    planned.lock.save(root)
    _console().print(f"recorded: {names}")
    return 0


def run_start(args) -> int:
    project = Project.find()
    _, page, _ = parse_place(Corpus(project), args.page)
    path = scaffold.start_page(project, args.lang, page)
    _console().print(f"{project.shown(path)}: translate its words, leave all else as it is, then "
                     f"`python -m sqrtdk_docs translate check`")
    return 0


def run_add_language(args) -> int:
    project = Project.find()
    for path in scaffold.add_language(project, args.lang, args.follows):
        _console().print(f"to translate: {project.shown(path)}")
    return 0


def run_check(args) -> int:
    corpus = Corpus(Project.find())
    found = problems(corpus, Lock.load(corpus.project.root))
    console = _console()
    failing = [each for each in found if each.fails or args.strict and each.strict]
    for each in found:
        word = Text("error  ", "bold red") if each in failing else Text("warning  ", "yellow")
        console.print(word + Text(str(each)), soft_wrap=True)
    console.print(f"{len(failing)} to mend, {len(found) - len(failing)} to know of"
                  if found else "all languages are in step")
    return 1 if failing else 0


def run_find(args) -> int:
    corpus = Corpus(Project.find())
    words = " ".join(args.words)
    found = find(corpus, words)
    if not found:
        _console().print(f"{words!r} is on no page")
        return 1
    table = Table("section", *corpus.languages, title=f"“{words}”", show_lines=True)
    for each in found:
        table.add_row(f"{each.page}#{each.section}",
                      *(_hits(corpus, each, lang) for lang in corpus.languages))
    _console().print(table)
    return 0


# --- helpers --------------------------------------------------------------------------------

def parse_place(corpus: Corpus, name: str) -> tuple[Pair, str, str]:
    """`docs/zh/why/growth.md#spread` -> the pair of languages, `why/growth`, `spread`.

    Raises ProjectError if the pair's languages have no such page.
    """
    path, _, section = name.replace("\\", "/").partition("#")
    path = path.removeprefix("./").removeprefix("docs/").removesuffix(".md")
    lang, slash, rest = path.partition("/")
    named = lang in corpus.languages and slash
    pair = corpus.pair_of(lang) if named else corpus.pairs[0]
    return pair, rest if named else path, section


def _status_table(pair: Pair, every: list[Standing]) -> Table:
    first, second = pair.languages
    title = f"{second} follows {first}" if pair.leads else f"{first} and {second}"
    behind = [] if pair.leads else [f"{first} behind"]
    table = Table("page", *(title for title in ("in step", *behind, f"{second} behind",
                                                "both changed", "new", "missing", "gone")),
                  title=title)
    for page in dict.fromkeys(each.page for each in every):
        here = [each for each in every if each.page == page]
        count = [sum(each.state is State.IN_STEP for each in here),
                 *(sum(each.state is State.BEHIND and each.lang == lang for each in here)
                   for lang in pair.languages if not (pair.leads and lang == first)),
                 *(sum(each.state is state for each in here)
                   for state in (State.BOTH, State.NEW, State.MISSING)),
                 sum(each.state in GONE for each in here)]
        table.add_row(page, *(str(number or "") for number in count))
    return table


def _show(corpus: Corpus, lock: Lock, chosen: list[Standing]) -> None:
    """Each section's two texts: what changed since they last matched, and what did not."""
    console = _console()
    for each in chosen:
        console.rule(f"{each.where} · {each}", align="left")
        if each.state in GONE:
            continue
        texts = {lang: corpus.parts(lang, each.page).get(each.section)
                 for lang in each.pair.languages}
        columns = [_side(corpus, lock, each, lang) if part else Text("(missing)", "dim")
                   for lang, part in texts.items()]
        if console.width < SIDE_BY_SIDE:
            console.print(*columns, sep="\n", soft_wrap=True)
            continue
        grid = Table.grid(padding=(0, 2), expand=True)
        for _ in columns:
            grid.add_column(ratio=1, overflow="fold")
        grid.add_row(*columns)
        console.print(grid)


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


def _hits(corpus: Corpus, found, lang: str) -> str | Text:
    """Lines and words; without a hit, where the same section begins."""
    if found.hits[lang]:
        return Text("\n".join(f"{hit.path}:{hit.line}  {hit.excerpt}" for hit in found.hits[lang]))
    part = corpus.parts(lang, found.page).get(found.section)
    return Text(f"(section: {part.path}:{part.line})" if part else "–", "dim")


def _confirmed(question: str) -> bool:
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        raise ProjectError("nobody there to answer; use --yes if you have read both") from None


def _console() -> Console:
    return Console(file=sys.stdout, highlight=False, markup=False)
