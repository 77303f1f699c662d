"""What the lab on training shows: the escape time, the gradient at the start, committed runs."""

import numpy as np

from sqrtdk.attention import scale
from sqrtdk.escape import escape_steps, escape_time, start_gaps
from sqrtdk.figures.labs import curves, escape, queries
from sqrtdk.gradients import layer_gradients, rms, top_share
from sqrtdk.labs.show import SIDES, Plot, Table, count, decimals, words

FACTORS = {"none": "raw", "sqrt": "scaled"}  # in the results → the side of that colour


def escape_table(gaps, learning_rate):
    """Steps to give up each gap: closed form, SGD, Adam at a tenth of the rate, other loss."""
    said = words("escape_table")
    return Table([said[name] for name in ("gap", "theory", "sgd", "adam", "weight")],
                 [[f"{gap:g}", *map(count, _escape(gap, learning_rate)),
                   count(escape_steps(gap, "sgd", learning_rate, loss="weight"))]
                  for gap in gaps])


def escape_plot(gaps, learning_rate, d_k, n_keys, seed):
    """Closed form beside simulation, with the typical gaps at the start for d_k and n_keys."""
    marks = _median_gaps(d_k, n_keys, seed)
    line = np.linspace(0, max(*gaps, *marks.values()) + 1, 60)
    steps = [_escape(gap, learning_rate) for gap in gaps]
    data = {"line": line, "theory": [escape_time(gap) / learning_rate for gap in line],
            "gaps": gaps, "sgd": [row[1] for row in steps], "adam": [row[2] for row in steps],
            "marks": marks}
    return Plot(escape.draw, data, words("escape_plot"), d_k=d_k, n=n_keys, **marks)


def start_table(d_k, n_keys, learning_rate, seed):
    """For each size in the list `d_k`: the typical gap at the start, and steps to give it up."""
    said, rows = words("start_table"), []
    for size in d_k:
        gaps = _median_gaps(size, n_keys, seed).values()
        rows.append([f"{size}", *map(decimals, gaps),
                     *(count(escape_time(gap) / learning_rate) for gap in gaps)])
    return Table([said["d_k"], *((side, said[f"{what}_{side}"]) for what in ("gap", "steps")
                                 for side in SIDES)], rows)


def gradient_table(layer):
    """Sizes of a random layer's gradients before its first step, raw and scaled."""
    said = words("gradient_table")
    measures = {
        "w_q": lambda sizes: decimals(sizes.w_q),
        "rms": lambda sizes: decimals(rms(sizes.q)),
        "median": lambda sizes: decimals(np.median(sizes.q)),
        "share": lambda sizes: f"{100 * top_share(sizes.q, one_in=10):.0f} %",
    }
    return Table(["", *((side, said[side]) for side in SIDES)],
                 [[said[name], *(of(sizes) for sizes in _both_sides(layer).values())]
                  for name, of in measures.items()])


def queries_plot(layer):
    """The size of ∂L/∂q of each query, from the largest to the smallest, raw and scaled."""
    data = {side: np.sort(sizes.q)[::-1] for side, sizes in _both_sides(layer).items()}
    spans = {side: sizes[0] / sizes[-1] for side, sizes in data.items()}
    return Plot(queries.draw, data, words("queries_plot"), n=len(layer.q),
                **{side: count(span) for side, span in spans.items()})


def steps_table(training, optimiser):
    """From the committed results: steps until the layer answers 90 % rightly, for each d_k."""
    said = words("steps_table")
    return Table([said["d_k"], ("raw", said["raw"]), ("scaled", said["scaled"]), said["inverse"]],
                 [[d_k, *(_steps(by_factor[factor]) for factor in ("none", "sqrt", "inverse"))]
                  for d_k, by_factor in training["table"][optimiser].items()])


def curves_plot(training, optimiser):
    """From the committed results: entropy and weight on the right key while the layer learns."""
    runs = {side: training["curves"][optimiser][factor] for factor, side in FACTORS.items()}
    starts = {side: run["start_entropy"][0] for side, run in runs.items()}
    return Plot(curves.draw, runs, words("curves_plot"), **starts)


def _escape(gap, learning_rate):
    return (escape_time(gap) / learning_rate, escape_steps(gap, "sgd", learning_rate),
            escape_steps(gap, "adam", learning_rate / 10))


def _median_gaps(d_k, n_keys, seed):
    gaps = np.median(start_gaps(n_keys, d_k, 1.0, 20_000, np.random.default_rng(seed)))
    return {"raw": float(gaps), "scaled": float(gaps * scale(d_k))}


def _both_sides(layer):
    return {"raw": layer_gradients(layer, 1.0),
            "scaled": layer_gradients(layer, scale(layer.q.shape[-1]))}


def _steps(run):
    """Mean ± standard error; where not every seed got there, how many did."""
    mean, se = run["mean"]
    some = "" if run["reached"] == run["of"] else f" ({run['reached']}/{run['of']})"
    return f"{mean:.0f} ± {se:.0f}{some}" if se >= 1 else f"{mean:.1f} ± {se:.1f}{some}"
