"""Two softmaxes of a Transformer: the sampling temperature does not reach attention."""

import numpy as np

from sqrtdk.formulas import scores, softmax

# --8<-- [start:show]
q = np.array([[1., 0, 2, 1]])
k = np.array([[2., 1, 0, 0], [0, 1, 1, 2], [2, 0, 1, 2]])
v = np.array([[1., 0], [0, 1], [1, 1]])
to_words = np.array([[3., 1, 0, -1], [0, 2, 1, 0]])
for T in (0.5, 1.0, 2.0):
    weights = softmax(scores(q, k) / np.sqrt(4))
    words = softmax(weights @ v @ to_words / T)
    print(f"T = {T}")
    print("  keys ", *[f"{w:.4f}" for w in weights[0]])
    print("  words", *[f"{w:.4f}" for w in words[0]])
# --8<-- [end:show]
