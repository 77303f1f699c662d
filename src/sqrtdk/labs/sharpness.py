"""What the lab on sharpness shows: scores, rows of weights, and what temperature does to them."""

import numpy as np

from sqrtdk.attention import scale, scores
from sqrtdk.dot_product import sample_moments, score_std
from sqrtdk.figures import sharp_rows, spread, style
from sqrtdk.figures.labs import temperature, weights
from sqrtdk.labs.show import SIDES, Plot, Table, decimals, language, words
from sqrtdk.sharpness import sharpness
from sqrtdk.softmax import effective_keys, entropy, softmax


def score_table(q, k):
    """Mean, spread and largest size of the scores of q and k, raw and divided by √d_k."""
    said, raw = words("score_table"), scores(q, k)
    sides = raw, raw * scale(np.shape(q)[-1])
    measures = {"mean": np.mean, "std": np.std, "largest": lambda x: np.abs(x).max()}
    return Table(["", *_sides(said)],
                 [[said[name], *(decimals(of(side)) for side in sides)]
                  for name, of in measures.items()])


def spread_plot(d_k, draws, seed):
    """The standard deviation of q·k for each size in the list `d_k`, beside √d_k."""
    stds = [sample_moments(size, draws, seed).std for size in d_k]
    data = {"d_k": d_k, "theory": [score_std(size) for size in d_k],
            "std": [std.value for std in stds], "se": [std.se for std in stds]}
    said = words("spread_plot") | style.words(language(), "spread")
    said["description"] = words("spread_plot")["description"]
    return Plot(spread.draw, data, said, last=d_k[-1], std=stds[-1].value)


def weights_plot(raw, scaled):
    """The weights of one query as bars, raw above scaled; two rows of equal length."""
    return Plot(weights.draw, {"raw": np.asarray(raw), "scaled": np.asarray(scaled)},
                words("weights_plot"), n=len(raw), raw=np.max(raw), scaled=np.max(scaled))


def row_table(raw, scaled):
    """How sharp rows of weights are, a mean over all rows, raw and scaled."""
    said = words("row_table")
    measures = {"largest": lambda rows: rows.max(axis=-1), "entropy": entropy,
                "keys_1": effective_keys, "keys_2": lambda rows: effective_keys(rows, order=2)}
    return Table(["", *_sides(said)],
                 [[said[name], *(decimals(np.mean(of(rows))) for rows in (raw, scaled))]
                  for name, of in measures.items()])


def sweep_plot(d_k, n_keys, draws, seed):
    """Largest weight and effective keys for lists of sizes and numbers of keys, both sides."""
    cells = {n: [sharpness(size, n, draws, seed) for size in d_k] for n in n_keys}
    data = {"d_k": d_k, "rows": {n: {side: {
        "largest": [getattr(cell, side).largest.value for cell in row],
        "keys": [getattr(cell, side).effective_keys_1.value for cell in row],
    } for side in SIDES} for n, row in cells.items()}}
    said = words("sweep_plot") | style.words(language(), "sharp_rows")
    last = cells[n_keys[-1]][-1]
    said["description"] = words("sweep_plot")["description"]
    return Plot(sharp_rows.draw, data, said, n=n_keys[-1], d_k=d_k[-1],
                raw=last.raw.largest.value, scaled=last.scaled.largest.value)


def temperature_plot(raw_scores, d_k):
    """Effective keys (mean over rows of scores) against temperature; marked at 1 and √d_k."""
    def keys(at):
        return float(np.mean(effective_keys(softmax(raw_scores, temperature=at))))

    marks = {"raw": 1.0, "scaled": d_k**0.5}
    temperatures = np.geomspace(0.1, 10 * max(marks.values()), 60)
    data = {"temperature": temperatures, "keys": [keys(at) for at in temperatures],
            "marks": {side: (at, keys(at)) for side, at in marks.items()}}
    return Plot(temperature.draw, data, words("temperature_plot"),
                n=np.shape(raw_scores)[-1], **{side: keys(at) for side, at in marks.items()})


def _sides(said):
    return [(side, said[side]) for side in SIDES]
