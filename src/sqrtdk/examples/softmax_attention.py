"""Attention with its shapes: two queries, three keys, values of two numbers."""

import numpy as np

from sqrtdk.formulas import attention, scores

# --8<-- [start:show]
q = np.array([[1., 0, 2, 1], [0, 2, 0, 0]])
k = np.array([[2., 1, 0, 0], [0, 1, 1, 2], [2, 0, 1, 2]])
v = np.array([[1., 0], [0, 1], [1, 1]])
print("q", q.shape, " k", k.shape, " v", v.shape)
print("scores", scores(q, k).shape)
out = attention(q, k, v)
print("output", out.shape)
for row in out:
    print(" ".join(f"{number:.4f}" for number in row))
# --8<-- [end:show]
