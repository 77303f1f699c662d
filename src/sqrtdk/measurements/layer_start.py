"""The gradient of a whole attention head before its first step, with and without the factor."""

import numpy as np

from sqrtdk.gradients import draw_layer, layer_gradients, mean_estimate, rms, top_share
from sqrtdk.measurements.gradients import SCALES

SEED = 20170612
SIZES = (8, 16, 32, 64, 128, 256, 512)
LAYERS = {16: 100, 64: 100, 256: 16}  # tokens: how many random layers …
MAIN = 64  # … and four times as many at this d_k, whose numbers the page states


def measure():
    """Tokens → d_k → scale → statistic, as [value, standard error] over random layers.

    `raw_to_scaled` is how many times larger W_q's gradient is without the factor: the
    mean over layers of the ratio of the two sizes. `values_from_inputs` repeats
    d_k = 64 with v = x W_v instead of values drawn for themselves.
    """
    return {
        "seed": SEED,
        "d_model": 128,
        "16": {d_k: measure_layers(16, d_k) for d_k in (8, MAIN, 512)},
        "64": {d_k: measure_layers(64, d_k) for d_k in SIZES},
        "256": {d_k: measure_layers(256, d_k) for d_k in (8, MAIN, 512)},
        "values_from_inputs": {n: measure_layers(n, MAIN, values_from_inputs=True) for n in LAYERS},
    }


def measure_layers(n_tokens, d_k, values_from_inputs=False):
    gradients = {name: [] for name in SCALES}
    count = LAYERS[n_tokens] * (4 if d_k == MAIN else 1)
    for index in range(count):
        rng = np.random.default_rng([SEED, n_tokens, d_k, index])
        layer = draw_layer(n_tokens, d_k, rng, values_from_inputs=values_from_inputs)
        for name, scale in SCALES.items():
            gradients[name].append(layer_gradients(layer, scale(d_k)))
    pairs = zip(gradients["raw"], gradients["scaled"], strict=True)
    ratio = mean_estimate([raw.w_q / scaled.w_q for raw, scaled in pairs])
    statistics = {name: summary(each) for name, each in gradients.items()}
    return {"layers": count, **statistics, "raw_to_scaled": ratio}


def summary(layers):
    """Means over layers; medians and shares are each layer's own, over its queries."""
    statistics = {
        "w_q": lambda layer: layer.w_q,
        "w_k": lambda layer: layer.w_k,
        "q_rms": lambda layer: rms(layer.q),
        "q_median": lambda layer: np.median(layer.q),
        "q_top_1_in_10": lambda layer: top_share(layer.q, one_in=10),
        "logits_rms": lambda layer: rms(layer.logits),
        "logits_median": lambda layer: np.median(layer.logits),
    }
    return {name: mean_estimate([of(layer) for layer in layers]) for name, of in statistics.items()}
