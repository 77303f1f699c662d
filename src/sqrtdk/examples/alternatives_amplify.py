"""Softmax turns gaps into ratios: it may widen a ratio of scores, or narrow it."""

import numpy as np

from sqrtdk.formulas import softmax
from sqrtdk.normalisers import raw_sum

# --8<-- [start:show]
rules = {"raw sum": raw_sum, "softmax": softmax}
for row in ([1, 2, 3], [0.1, 0.2, 0.3]):
    print("scores", row)
    for name, rule in rules.items():
        w = rule(np.array(row))
        print(f"  {name}", *[f"{p:.4f}" for p in w])
        print(f"  largest : smallest = {w[2] / w[0]:.2f}")
# --8<-- [end:show]
