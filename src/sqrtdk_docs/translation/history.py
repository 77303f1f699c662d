"""The text that bears a recorded hash, looked for in the git history, where there is one."""

import subprocess
from pathlib import Path

from sqrtdk_docs.translation.corpus import (
    SITE, WORDS, Corpus, Part, config_path, page_parts, page_path, read_language)
from sqrtdk_docs.translation.markup import META


def text_bearing(corpus: Corpus, lang: str, page: str, section: str, hash_: str) -> Part | None:
    """The section as it was when it had this hash, under whatever id, from the newest such commit.

    None without git, in a clone whose history does not reach so far, or if it never was committed.
    """
    root, language = corpus.project.root, corpus.languages[lang]
    paths = [config_path(lang)] if section == META else []     # labels of the navigation
    if page != SITE:
        paths.append(WORDS.get(page, page_path(language, page)).format(lang=lang))
    for commit in _git(root, "log", "--format=%H", "--", *paths).split():
        def read(path: str, commit: str = commit) -> str | None:
            return _git(root, "show", f"{commit}:./{path}") or None
        then = read_language(read, lang) if config_path(lang) in paths else language
        for part in page_parts(read, then, page).values():
            if part.hash == hash_:
                return part
    return None


def _git(root: Path, *arguments: str) -> str:
    """What git prints; nothing if there is no git, no repository or no such thing in it."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True,
                              encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""
