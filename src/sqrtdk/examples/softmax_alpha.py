"""The attention weights of two queries and three keys: index by index, and as matrices."""

import numpy as np

from sqrtdk.formulas import alpha, scores, softmax

# --8<-- [start:show]
q = np.array([[1., 0, 2, 1], [0, 2, 0, 0]])
k = np.array([[2., 1, 0, 0], [0, 1, 1, 2], [2, 0, 1, 2]])
logits = scores(q, k) / np.sqrt(4)
weights = softmax(logits)
for i in range(2):
    row = [alpha(q, k, i, j) for j in range(3)]
    print("logits  ", *[f"{x:6.1f}" for x in logits[i]])
    print("by index", *[f"{w:.4f}" for w in row])
    print("matrices", *[f"{w:.4f}" for w in weights[i]])
# --8<-- [end:show]
