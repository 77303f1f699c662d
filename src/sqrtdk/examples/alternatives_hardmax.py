"""Hardmax answers no small change of a score, so training gets no hint from it."""

import numpy as np

from sqrtdk.formulas import softmax
from sqrtdk.normalisers import hardmax

# --8<-- [start:show]
for second in (2.8, 2.9, 3.1):
    scores = np.array([3.0, second, 1.0])
    hard, soft = hardmax(scores), softmax(scores)
    print("scores ", *[f"{s:6.1f}" for s in scores])
    print("hardmax", *[f"{w:6.3f}" for w in hard])
    print("softmax", *[f"{w:6.3f}" for w in soft])
# --8<-- [end:show]
