"""Dividing by the sum: a negative weight, a blow-up, and the mean that can't choose."""

import numpy as np

from sqrtdk.formulas import softmax
from sqrtdk.normalisers import raw_sum, uniform

# --8<-- [start:show]
for row in ([2, -1, 3], [2, -1, -0.99]):
    x = np.array(row, dtype=float)
    print("scores ", *[f"{s:8.2f}" for s in x])
    print("raw sum", *[f"{w:8.4f}" for w in raw_sum(x)])
    print("mean   ", *[f"{w:8.4f}" for w in uniform(x)])
    print("softmax", *[f"{w:8.4f}" for w in softmax(x)])
# --8<-- [end:show]
