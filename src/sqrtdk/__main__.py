"""`python -m sqrtdk`, also installed as `sqrtdk`: ends as a shell expects a program to end."""

import os
import sys


def main(arguments=None):
    """Run the command line program and return its exit code."""
    try:
        try:
            from sqrtdk.cli import program  # here, so that Ctrl-C during the import is quiet too

            return program.run(sys.argv[1:] if arguments is None else arguments)
        finally:
            print(end="", flush=True)  # a closed pipe shows here at the latest
    except SystemExit as stop:  # argparse, after its help or an error
        return stop.code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _drop_output()
        return 141
    except OSError as error:  # such as a full disk
        _drop_output()
        print(f"sqrtdk: {error}", file=sys.stderr)
        return 1


def _drop_output():
    """Let Python, which flushes once more at exit, write what is left to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
