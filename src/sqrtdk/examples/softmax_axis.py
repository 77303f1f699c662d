"""The same logits along the right axis (keys) and along the wrong one (queries)."""

import numpy as np

from sqrtdk.formulas import softmax

# --8<-- [start:show]
logits = np.array([[1., 2, 3], [1, 1, 0]])  # (n_q, n_k)
for axis in (-1, 0):
    weights = softmax(logits, axis=axis)
    print(f"axis {axis}")
    for row in weights:
        shown = " ".join(f"{w:.4f}" for w in row)
        print(f"  {shown}  sum {row.sum():.4f}")
# --8<-- [end:show]
