"""The search for the learning rate of each cell (some minutes of CPU)."""

from dataclasses import replace

from sqrtdk.training.cells import cell, cells, grid, rounded
from sqrtdk.training.lookup import steps_to_mark, torch_version, train

SEEDS = range(0, 5)     # the tables use other seeds: no rate is judged where it was chosen
CAP = 1000


def sweep(progress=iter):
    """The best learning rate of each cell, on seeds that no table uses.

    Tries half decades over the whole grid, then a quarter decade to both sides of the best.
    progress: wraps the list of cells while it is walked.
    Returns a dict of the seeds, the cap, torch's version and "cells": name → what `tune` gives.
    """
    return {"seeds": list(SEEDS), "cap": CAP, "torch": torch_version(),
            "cells": {name: tune(cell(name)) for name in progress(cells())}}


def tune(setup):
    """The "best" rate of one setup, and under "tried" what `judge` gives for each rate."""
    tried = {exponent: judge(setup, exponent) for exponent in grid(setup.optimiser)}
    middle = best_of(tried)
    for exponent in (middle - 0.25, middle + 0.25):
        tried[exponent] = judge(setup, exponent)
    return {
        "best": rounded(best_of(tried)),
        "tried": {f"{rounded(exponent):g}": tried[exponent] for exponent in sorted(tried)},
    }


def judge(setup, exponent):
    """Mean steps to the mark at one rate (cut at CAP), and how many seeds got there.

    `end` is the mean share over the last 100 steps run; it decides where no seed got there.
    """
    share = mark_of(setup)
    history = train(replace(setup, rate=rounded(exponent)), SEEDS, CAP, until_reached=share)
    shares = getattr(history, share)
    steps = steps_to_mark(shares, CAP)
    return {
        "steps": sum(steps) / len(steps),
        "reached": sum(step < CAP for step in steps),
        "end": shares[-100:].mean().item(),
    }


def mark_of(setup):
    """What must pass 90 %: right answers, or for the control the right key found."""
    return "accuracy" if setup.loss == "values" else "found"


def best_of(tried):
    """The exponent with the fewest mean steps; of equals, the most accurate at the end."""
    return min(tried, key=lambda exponent: (tried[exponent]["steps"], -tried[exponent]["end"]))
