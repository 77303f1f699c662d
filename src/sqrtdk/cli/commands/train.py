"""`sqrtdk train`: trains the lookup layer, writes what came out, and shows it."""

import json
import os
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from sqrtdk.cli.progress import Progress
from sqrtdk.cli.table import estimate, table


def add_arguments(parser, words):
    experiments = words["train_experiments"]
    lines = (f"\n  {name:<13} {meaning}" for name, meaning in experiments.items())
    parser.description += words["train_list"] + "".join(lines)
    parser.arguments.add_argument("experiment", choices=list(experiments),
                                  metavar=words["train_experiment"],
                                  help=words["train_experiment_help"])
    parser.options.add_argument("--out", type=Path, metavar=words["train_file"],
                                help=words["train_out_help"])
    parser.options.add_argument("--force", action="store_true", help=words["train_force_help"])


def run(arguments, words):
    path = arguments.out or Path(f"training-{arguments.experiment}.json")
    if find_spec("torch") is None:
        raise ValueError(words["train_needs_torch"])
    if path.exists() and not arguments.force:
        raise ValueError(words["train_exists"].format(path=path))
    if not path.parent.is_dir():
        raise ValueError(words["train_no_folder"].format(path=path.parent))
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(words["train_not_writable"].format(path=path))
    result = _results(arguments.experiment)
    text = json.dumps(result, indent=1, ensure_ascii=False)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError:  # a full disk: what took so long is not lost
        print(text)
        raise
    print(text if arguments.json else _table(result) + "\n\n" + words["train_wrote"].format(
        path=path, torch=result["torch"]))


def _results(experiment):
    from sqrtdk.training import experiments
    from sqrtdk.training.sweep import sweep

    if experiment == "sweep":
        return sweep(_walk)
    names = tuple(experiments.EXPERIMENTS) if experiment == "all" else (experiment,)
    return experiments.run(names, _walk)


def _walk(runs):
    """The runs one by one, with a bar that moves when one is done."""
    with Progress(len(runs)) as progress:
        for run in runs:
            yield run
            progress(1)


def _table(result):
    """A row a run: where it stands in the file, and its single numbers under their names."""
    tables = groupby(_leaves(result), key=lambda leaf: tuple(leaf[1]))
    return "\n\n".join(table([["", *names], *(_row(*leaf) for leaf in leaves)])
                       for names, leaves in tables)


def _row(path, numbers):
    return [" ".join(path), *map(_shown, numbers.values())]


def _shown(number):
    return estimate(*number) if isinstance(number, list) else f"{number:.5g}"


def _leaves(branch, path=()):
    """Yield path and single numbers of each dict that has some, looking no further inside it.

    A single number is one number, or a list of a mean and its standard error.
    """
    for name, value in branch.items():
        if isinstance(value, dict):
            below = (*path, name)
            numbers = {key: item for key, item in value.items()
                       if isinstance(item, (int, float))
                       or isinstance(item, list) and len(item) == 2}
            if numbers:
                yield below, numbers
            else:
                yield from _leaves(value, below)
