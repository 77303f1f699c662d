"""Several rules on the same four scores."""

import numpy as np

from sqrtdk.formulas import softmax
from sqrtdk.normalisers import hardmax, off_by_one, relu, sigmoid, softplus

# --8<-- [start:show]
scores = np.array([2.1, 0.3, -1.2, 4.0])
rules = {"softmax": softmax, "ReLU / sum": relu,
         "hardmax": hardmax, "sigmoid": sigmoid,
         "off by one": off_by_one, "softplus": softplus}
for name, rule in rules.items():
    weights = rule(scores)
    row = " ".join(f"{w:6.4f}" for w in weights)
    print(f"{name:10} {row} sum {weights.sum():.4f}")
# --8<-- [end:show]
