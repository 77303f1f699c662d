"""The attention weights of two queries and three keys: index by index, and as matrices."""

import numpy as np

from sqrtdk.formulas import alpha, scores, softmax

# --8<-- [start:show]
q = np.array([[1., 0, 2, 1], [0, 2, 0, 0]])
k = np.array([[2., 1, 0, 0], [0, 1, 1, 2], [2, 0, 1, 2]])
logits = scores(q, k) / np.sqrt(4)
weights = softmax(logits)
print("logits        index by index          as matrices")
for i in range(2):
    one = [f"{alpha(q, k, i, j):.4f}" for j in range(3)]
    row = [f"{w:.4f}" for w in weights[i]]
    shown = [f"{x:.1f}" for x in logits[i]]
    print(*shown, " ", *one, " ", *row)
# --8<-- [end:show]
