"""The language of the output: what `--lang` says, else the reader's locale."""

import argparse
import locale
import os

from sqrtdk.cli.words import WORDS


def chosen_language(arguments):
    """The language for these command line arguments, a key of `WORDS`.

    A wrong `--lang` is left for the real parser to refuse.
    """
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    first.add_argument("--lang")
    try:
        wanted = first.parse_known_args(arguments)[0].lang
    except argparse.ArgumentError:
        wanted = None
    return wanted if wanted in WORDS else locale_language()


def locale_language():
    """'zh' where the locale is Chinese, else 'en'."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, names), None) or _system_locale()
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"


def _system_locale():
    """The system's own name for its locale; Windows sets no environment variable."""
    try:
        return locale.getlocale(locale.LC_CTYPE)[0] or ""
    except ValueError:
        return ""
