"""The contributor's commands: `python -m sqrtdk_docs COMMAND`."""

import argparse
import importlib
import sys

from sqrtdk_docs.project import ProjectError

# One module a command family; each has add_parser(subparsers).
COMMANDS = ["sqrtdk_docs.results", "sqrtdk_docs.numbers.command",
            "sqrtdk_docs.translation.command", "sqrtdk_docs.terms", "sqrtdk_docs.typography"]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sqrtdk_docs", description=__doc__)
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in COMMANDS:
        importlib.import_module(name).add_parser(subparsers)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except ProjectError as slip:
        print(slip, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
