"""Three scores, and the same three ten times as large."""

import numpy as np

from sqrtdk.formulas import softmax

# --8<-- [start:show]
x = np.array([1.0, 2.0, 3.0])
for scores in (x, 10 * x):
    weights = softmax(scores)
    print(scores, "->", *[f"{w:.5f}" for w in weights])
# --8<-- [end:show]
