"""`sqrtdk softmax`: the weights of some scores, and what the factor 1/√d_k does to them."""

import json
import math

from sqrtdk.cli import values
from sqrtdk.cli.table import table, weight


def add_arguments(parser, words):
    parser.arguments.add_argument("scores", nargs="+", type=values.real(words),
                                  metavar="SCORE", help=words["scores_help"])
    parser.options.add_argument("--d-k", type=values.whole(words, at_least=1),
                                metavar="N", help=words["softmax_d_k_help"])
    parser.options.add_argument("--temperature", type=values.positive(words), default=1.0,
                                metavar="T", help=words["temperature_help"])


def run(arguments, words):
    sides = {"raw": _side(arguments.scores, 1, arguments.temperature, words)}
    if arguments.d_k:
        sides["scaled"] = _side(arguments.scores, arguments.d_k, arguments.temperature, words)
    if arguments.json:
        settings = {"scores": arguments.scores, "d_k": arguments.d_k,
                    "temperature": arguments.temperature}
        print(json.dumps(settings | sides))
    else:
        print(_table(arguments.scores, sides, words))


def _side(scores, d_k, temperature, words):
    """Logits, weights and their measures, with the scores divided by √d_k."""
    from sqrtdk.attention import scale
    from sqrtdk.softmax import effective_keys, entropy, softmax

    logits = [score / temperature * scale(d_k) for score in scores]
    for score, logit in zip(scores, logits, strict=True):
        if not math.isfinite(logit):
            raise ValueError(words["too_large"].format(score=score, temperature=temperature))
    weights = softmax(logits)
    return {
        "logits": logits,
        "weights": weights.tolist(),
        "largest": float(weights.max()),
        "entropy": float(entropy(weights)),
        "effective_keys_1": float(effective_keys(weights, order=1)),
        "effective_keys_2": float(effective_keys(weights, order=2)),
    }


def _table(scores, sides, words):
    """A row a score, then a row a measure; the logit and the weight of each side."""
    names = [words[side] for side in sides]
    rows = [["", *_pairs(("", name) for name in names)],
            [words["score"], *_pairs((words["logit"], words["weight"]) for _ in names)]]
    for i, score in enumerate(scores):
        numbers = ((f"{s['logits'][i]:.6g}", weight(s["weights"][i])) for s in sides.values())
        rows.append([f"{score:g}", *_pairs(numbers)])
    rows.append([])
    for measure in ("largest", "entropy", "effective_keys_1", "effective_keys_2"):
        numbers = (("", f"{s[measure]:.5f}") for s in sides.values())
        rows.append([words[measure], *_pairs(numbers)])
    return table(rows)


def _pairs(pairs):
    return [text for pair in pairs for text in pair]
