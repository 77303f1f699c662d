"""The contributor's commands: `python -m sqrtdk_docs COMMAND`."""

import argparse
import importlib
import os
import sys

from sqrtdk_docs.project import Project, ProjectError, read_text

# One module a command family; each has add_parser(subparsers).
COMMANDS = ["sqrtdk_docs.results", "sqrtdk_docs.numbers.command",
            "sqrtdk_docs.translation.command", "sqrtdk_docs.terms", "sqrtdk_docs.typography"]


def main(argv: list[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")    # a terminal without 中 prints ? in its place
    parser = argparse.ArgumentParser(prog="python -m sqrtdk_docs", description=__doc__)
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in COMMANDS:
        importlib.import_module(name).add_parser(subparsers)
    args = parser.parse_args(argv)
    try:
        try:
            return args.run(args)
        finally:
            print(end="", flush=True)           # a closed pipe shows here at the latest
    except ProjectError as slip:
        return _told(slip)
    except UnicodeDecodeError as error:
        return _told(_not_utf8() or error)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Python flushes once more at exit: what is left goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        return _told(f"{error.filename}: {error.strerror}" if error.filename else error)


def _told(slip) -> int:
    print(slip, file=sys.stderr)
    return 2


def _not_utf8() -> ProjectError | None:
    """What is wrong with the first page that is not UTF-8."""
    project = Project.find()
    for path in (path for lang in project.languages for path in project.sources(lang)):
        try:
            read_text(path)
        except ProjectError as slip:
            return slip


if __name__ == "__main__":
    sys.exit(main())
