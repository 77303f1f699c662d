"""Sparsemax and entmax leave keys out altogether."""

import numpy as np

from sqrtdk.formulas import softmax
from sqrtdk.normalisers import entmax15, sparsemax

# --8<-- [start:show]
scores = np.array([2.1, 0.3, -1.2, 4.0])
rules = {"softmax": softmax, "entmax-1.5": entmax15,
         "sparsemax": sparsemax}
for divisor in (1, 4):
    print(f"scores / {divisor}")
    for name, rule in rules.items():
        weights = rule(scores / divisor)
        row = " ".join(f"{w:6.4f}" for w in weights)
        print(f"  {name:10} {row}")
# --8<-- [end:show]
