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
    tried = {}

    def try_out(exponents):
        for exponent in exponents:
            patience = min((result["steps"] for result in tried.values()), default=CAP)
            tried[exponent] = judge(setup, exponent, patience)

    exponents = grid(setup.optimiser)
    middle = sum(exponents) / len(exponents)
    try_out(sorted(exponents, key=lambda exponent: abs(exponent - middle)))
    best = best_of(tried)
    try_out((best - 0.25, best + 0.25))
    return {
        "best": rounded(best_of(tried)),
        "tried": {f"{rounded(exponent):g}": tried[exponent] for exponent in sorted(tried)},
    }


def judge(setup, exponent, patience):
    """What one rate gives: mean `steps` to the mark (cut at CAP), seeds that `reached` it.

    A rate is given up as soon as its mean must come out above `patience`, that of the best
    so far: `steps` is then what it is above. `run`: steps run; `end`: the mean share over
    the last 100 of them, which decides where no seed got there.
    """
    share = mark_of(setup)
    history = train(replace(setup, rate=rounded(exponent)), SEEDS, CAP,
                    until_reached=share, patience=patience)
    shares = getattr(history, share)
    steps = steps_to_mark(shares)
    return {
        "steps": sum(step or len(shares) for step in steps) / len(steps),
        "reached": sum(step is not None for step in steps),
        "run": len(shares),
        "end": shares[-100:].mean().item(),
    }


def mark_of(setup):
    """What must pass 90 %: right answers, or for the control the right key found."""
    return "accuracy" if setup.loss == "values" else "found"


def best_of(tried):
    """The exponent with the fewest mean steps; of equals, the most accurate at the end."""
    return min(tried, key=lambda exponent: (tried[exponent]["steps"], -tried[exponent]["end"]))
