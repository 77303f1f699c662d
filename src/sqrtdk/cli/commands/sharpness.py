"""`sqrtdk sharpness`: how sharp attention weights are, without the factor and with it."""

import json

from sqrtdk.cli import values
from sqrtdk.cli.progress import Progress
from sqrtdk.cli.table import estimate, table

D_K = (2, 8, 32, 64, 128, 512)
KEYS = (8, 64, 512)
DRAWS = 10_000
MOST_KEYS = 1_000_000  # a whole row is held in memory, several times


def add_arguments(parser, words):
    add = parser.options.add_argument
    add("--d-k", nargs="+", type=values.whole(words, at_least=1), default=D_K, metavar="N",
        help=words["sharpness_d_k_help"].format(default=_listed(D_K)))
    add("--keys", nargs="+", type=values.whole(words, 1, MOST_KEYS), default=KEYS, metavar="N",
        help=words["keys_help"].format(default=_listed(KEYS)))
    add("--draws", type=values.whole(words, at_least=2), default=DRAWS, metavar="N",
        help=words["draws_help"].format(default=DRAWS))
    add("--seed", type=values.whole(words, at_least=0), default=0, metavar="N",
        help=words["seed_help"].format(default=0))


def run(arguments, words):
    cells = _measure(arguments)
    if arguments.json:
        print(json.dumps({"draws": arguments.draws, "seed": arguments.seed,
                          "cells": [_plain(*cell) for cell in cells]}))
    else:
        print(_table(cells, words), end="\n\n")
        print(words["sharpness_note"].format(draws=arguments.draws, seed=arguments.seed))


def _measure(arguments):
    from sqrtdk.sharpness import sharpness

    weights = len(arguments.d_k) * sum(arguments.keys) * arguments.draws
    with Progress(weights) as progress:
        return [(n_keys, d_k, sharpness(d_k, n_keys, arguments.draws, arguments.seed,
                                        progress=progress))
                for n_keys in arguments.keys for d_k in arguments.d_k]


def _plain(n_keys, d_k, both):
    """One cell for JSON: dictionaries in place of named tuples."""
    sides = {side: {measure: value._asdict() for measure, value in sharp._asdict().items()}
             for side, sharp in both._asdict().items()}
    return {"keys": n_keys, "d_k": d_k, **sides}


def _table(cells, words):
    """Two rows a cell, raw above scaled; an empty line where the number of keys changes."""
    measures = cells[0][2].raw._fields
    rows = [[words["keys"], "d_k", "", *(words[measure] for measure in measures)]]
    for i, (n_keys, d_k, both) in enumerate(cells):
        if i and n_keys != cells[i - 1][0]:
            rows.append([])
        for side, sharp in both._asdict().items():
            numbers = (estimate(value, se) for value, se in sharp)
            rows.append([str(n_keys), str(d_k), words[side], *numbers])
    return table(rows)


def _listed(numbers):
    return " ".join(map(str, numbers))
