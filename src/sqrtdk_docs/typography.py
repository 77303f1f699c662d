"""Typography of Chinese pages: told by `typography`, mended by `typography --fix`.

The rules are autocorrect's (a space between Chinese and Latin letters or digits, full-width
punctuation); one more is ours: a paragraph stands on one source line, so that a translator's
editor and `git diff` show the same sentences.
"""

import argparse
import re

import autocorrect_py

from sqrtdk_docs import notebooks
from sqrtdk_docs.numbers.marks import without_code_blocks
from sqrtdk_docs.project import Project

CHINESE = re.compile(r"[㐀-鿿，。；：！？、）」”]")
STARTS_A_BLOCK = re.compile(r"\s*([-*+>|#:]|\d+[.)]\s|```|\$\$|<|!!!|\?\?\?|\[\^|---|title:|"
                            r"description:|!\[)|^\s*$")


def corrected(text: str) -> str:
    """The text as the rules want it. Code, formulas and checked numbers stay as they are."""
    lines = zip(text.split("\n"), autocorrect_py.format_for(text, "markdown").split("\n"),
                without_code_blocks(text).split("\n"), strict=True)
    return "\n".join(new if words.strip() else old for old, new, words in lines)


def slips(text: str) -> list[tuple[int, str]]:
    """(line, what is wrong) for a page of Markdown."""
    told = [(number, f"write {new.strip()}") for number, (old, new) in
            enumerate(zip(text.splitlines(), corrected(text).splitlines()), start=1)
            if old != new]
    lines, fenced = text.splitlines(), False
    for number, (line, following) in enumerate(zip(lines, [*lines[1:], ""]), start=1):
        if line.lstrip().startswith(("```", "$$")) and line.strip("` $") == line.strip("`$ "):
            fenced = not fenced if line.count("$$") != 2 else fenced
        elif not (fenced or STARTS_A_BLOCK.match(line) or STARTS_A_BLOCK.match(following)):
            if CHINESE.search(line):
                told.append((number, "a paragraph stands on one line: join it with the next"))
    return sorted(told)


def run(args: argparse.Namespace) -> int:
    project, count = Project.find(), 0
    for path in (path for lang in project.languages if lang.startswith("zh")
                 for path in project.sources(lang)):
        text = notebooks.read(path)
        if args.fix and corrected(text) != text:
            notebooks.write(path, corrected(text))
            print(f"{project.shown(path)}: mended")
            text = corrected(text)
        for line, what in slips(text):
            print(f"{project.shown(path)}:{line}: {what}")
            count += 1
    return 1 if count else 0


def add_parser(subparsers) -> None:
    parser = subparsers.add_parser("typography", help="check the typography of Chinese pages",
                                   description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="mend what the rules can mend")
    parser.set_defaults(run=run)
