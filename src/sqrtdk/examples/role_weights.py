"""Four scores of any sign and size become four weights."""

import numpy as np

from sqrtdk.formulas import softmax

# --8<-- [start:show]
scores = np.array([2.1, 0.3, -1.2, 4.0])
weights = softmax(scores)
for score, weight in zip(scores, weights):
    print(f"score {score:4.1f} -> weight {weight:.4f}")
print(f"sum of the weights: {weights.sum():.4f}")
# --8<-- [end:show]
