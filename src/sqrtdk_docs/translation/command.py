"""Keep the languages in step: what has changed, what it means for the others, and what fits."""

import argparse

from rich.text import Text

from sqrtdk_docs.project import Project, ProjectError
from sqrtdk_docs.translation import accept, scaffold
from sqrtdk_docs.translation.checks import problems
from sqrtdk_docs.translation.corpus import Corpus, Pair
from sqrtdk_docs.translation.find import find
from sqrtdk_docs.translation.lock import Lock
from sqrtdk_docs.translation.show import console, found_table, show_texts, status_table
from sqrtdk_docs.translation.states import State, page_standings, standings

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
and navigation; `figures`, `properties` and `labs` are the words in the figures, in the table of
properties, and in the tables and plots of the labs.
"""
PAGE_HELP = "a page, as why/growth or docs/zh/why/growth.md, and after # one section of it"


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

    start = command("start", run_start,
                    "begin a page: a copy of the other language's, to be translated")
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
        console().print(status_table(pair, standings(corpus, lock, pair)))
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
    show_texts(corpus, lock, chosen)
    if not chosen:
        console().print(f"{args.page}: in step")
    return 0


def run_accept(args) -> int:
    corpus = Corpus(Project.find())
    root = corpus.project.root
    if bool(args.page) == bool(args.renamed):
        raise ProjectError("accept one thing: a page, a section, or --renamed OLD NEW")
    lock = Lock.load(root)
    pair, page, section = parse_place(corpus, args.page or args.renamed[1])
    if args.renamed:
        _, *old = parse_place(corpus, args.renamed[0])
        lock = accept.rename(corpus, lock, pair, tuple(old), (page, section))
    planned = accept.plan(corpus, lock, pair, page, section, args.no_text_change)
    if not planned.standings and not args.renamed:
        console().print(f"{args.page}: in step already")
        return 0
    show_texts(corpus, lock, planned.standings)
    names = ", ".join(each.where for each in planned.standings) or f"{page}#{section}"
    if not args.yes and not _confirmed(f"Have you read both, and do they match: {names}?"):
        console().print("nothing was recorded")
        return 1
    planned.lock.save(root)
    console().print(f"recorded: {names}")
    return 0


def run_start(args) -> int:
    project = Project.find()
    _, page, _ = parse_place(Corpus(project), args.page)
    path = scaffold.start_page(project, args.lang, page)
    console().print(f"{project.shown(path)}: translate its words, leave all else as it is, then "
                     f"`python -m sqrtdk_docs translate check`")
    return 0


def run_add_language(args) -> int:
    project = Project.find()
    for path in scaffold.add_language(project, args.lang, args.follows):
        console().print(f"to translate: {project.shown(path)}")
    return 0


def run_check(args) -> int:
    corpus = Corpus(Project.find())
    found = problems(corpus, Lock.load(corpus.project.root))
    screen = console()
    failing = [each for each in found if each.fails or args.strict and each.strict]
    for each in found:
        word = Text("error  ", "bold red") if each in failing else Text("warning  ", "yellow")
        screen.print(word + Text(str(each)), soft_wrap=True)
    screen.print(f"{len(failing)} to mend, {len(found) - len(failing)} to know of"
                  if found else "all languages are in step")
    return 1 if failing else 0


def run_find(args) -> int:
    corpus = Corpus(Project.find())
    words = " ".join(args.words).strip()
    if not words:
        raise ProjectError("find needs words to look for")
    found = find(corpus, words)
    if not found:
        console().print(f"{words!r} is on no page")
        return 1
    console().print(found_table(corpus, words, found))
    return 0


# --- helpers --------------------------------------------------------------------------------

def parse_place(corpus: Corpus, name: str) -> tuple[Pair, str, str]:
    """`docs/zh/why/growth.md#spread` -> the pair of languages, `why/growth`, `spread`."""
    path, _, section = name.replace("\\", "/").partition("#")
    path = path.removeprefix("./").removeprefix("docs/").removesuffix(".md").removesuffix(".py")
    lang, slash, rest = path.partition("/")
    named = lang in corpus.languages and slash
    pair = corpus.pair_of(lang) if named else corpus.pairs[0]
    return pair, rest if named else path, section


def _confirmed(question: str) -> bool:
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        raise ProjectError("nobody there to answer; use --yes if you have read both") from None
