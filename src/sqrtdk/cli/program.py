"""Reads the arguments, in the reader's language, and runs the command that they name."""

import argparse
import sys
from importlib import import_module

from sqrtdk.cli import values
from sqrtdk.cli.commands import COMMANDS
from sqrtdk.cli.language import chosen_language
from sqrtdk.cli.words import WORDS


def run(arguments):
    """Run the program; returns the exit code, or raises SystemExit as argparse does."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without √ prints ? in its place
    words = WORDS[chosen_language(arguments)]
    parser, commands = _parsers(words)
    chosen = parser.parse_args([values.protect_negative(text) for text in arguments])
    try:
        commands[chosen.command].run(chosen, words)
    except ValueError as error:  # what only the calculation can notice
        parser.error(str(error))
    return 0


def _parsers(words):
    parser = _Parser(words, prog="sqrtdk", description=words["program"])
    parser.epilog = _examples(words, *(words[f"{name}_examples"] for name in COMMANDS))
    _add_language(parser, words, default=None)
    group = parser.add_subparsers(dest="command", required=True, metavar="COMMAND",
                                  title=words["commands"])
    commands = {name: import_module(f"sqrtdk.cli.commands.{name}") for name in COMMANDS}
    for name, command in commands.items():
        summary = words[f"{name}_summary"]
        sub = group.add_parser(name, words=words, prog=f"sqrtdk {name}",
                               help=summary, description=summary)
        sub.epilog = _examples(words, words[f"{name}_examples"])
        command.add_arguments(sub, words)
        sub.options.add_argument("--json", action="store_true", help=words["json_help"])
        _add_language(sub, words, default=argparse.SUPPRESS)  # keeps what stood before
    return parser, commands


def _add_language(parser, words, default):
    parser.options.add_argument("--lang", choices=list(WORDS), default=default,
                                help=words["lang_help"])


def _examples(words, *blocks):
    return words["examples"] + "".join("\n  " + line for block in blocks for line in block)


class _Parser(argparse.ArgumentParser):
    """argparse whose own words are the reader's, and whose errors are one line."""

    def __init__(self, words, **settings):
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter,
                         add_help=False, allow_abbrev=False, **settings)
        self.words = words
        self.arguments = self.add_argument_group(words["arguments"])
        self.options = self.add_argument_group(words["options"])
        self.options.add_argument("-h", "--help", action="help", help=words["help_help"])

    def format_help(self):
        text = super().format_help().replace("usage: ", self.words["usage"], 1)
        return text.replace(":\n", self.words["colon"] + "\n")

    def error(self, message):
        for pattern, translation in self.words["argparse"]:
            message = pattern.sub(translation, message)
        one_line = " ".join(message.split())
        self.exit(2, self.words["error"].format(program=self.prog, message=one_line) + "\n")
