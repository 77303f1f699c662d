"""Logits around 1000: the formula as it stands, and with the maximum subtracted first."""

import numpy as np

from sqrtdk.formulas import softmax, softmax_naive

# --8<-- [start:show]
x = np.array([1000.0, 1001.0, 1002.0])
with np.errstate(all="ignore"):  # numpy would warn here
    naive = softmax_naive(x)
sharp = np.array([10.0, 20.0, 30.0])
rows = {
    "1000 naive": naive,
    "1000 stable": softmax(x),
    "10 to 30": softmax(sharp),
    "10 to 30 / 8": softmax(sharp / 8),
}
for name, row in rows.items():
    print(f"{name:12}", *[f"{w:.4f}" for w in row])
# --8<-- [end:show]
