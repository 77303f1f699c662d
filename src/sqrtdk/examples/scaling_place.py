"""Where the factor may sit, and where it may not: one row of weights, five ways."""

import numpy as np

from sqrtdk.formulas import softmax

# --8<-- [start:show]
rng = np.random.default_rng(1)
q = rng.standard_normal((1, 64))
k = rng.standard_normal((4, 64))
c = 1 / np.sqrt(64)
rows = {
    "on the scores": softmax(q @ k.T * c),
    "on q": softmax((q * c) @ k.T),
    "roots on both": softmax((q * c**.5) @ (k * c**.5).T),
    "after softmax": softmax(q @ k.T) * c,
}
for place, row in rows.items():
    shown = " ".join(f"{w:.3f}" for w in row[0])
    print(f"{place}: {shown}  sum {row.sum():.3f}")
# --8<-- [end:show]
