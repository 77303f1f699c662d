"""For rules that are blind to scale, dividing by √d_k does nothing."""

import numpy as np

from sqrtdk.formulas import softmax
from sqrtdk.normalisers import hardmax, raw_sum, relu

# --8<-- [start:show]
d_k = 64
scores = np.array([16.0, 4.0, 8.0])
rules = {"raw sum": raw_sum, "ReLU / sum": relu,
         "hardmax": hardmax, "softmax": softmax}
for name, rule in rules.items():
    print(name)
    for x in (scores, scores / np.sqrt(d_k)):
        print("  ", *[f"{w:7.4f}" for w in rule(x)])
# --8<-- [end:show]
