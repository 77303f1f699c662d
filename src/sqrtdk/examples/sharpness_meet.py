"""The mean largest weight of rows with 8 random keys against d_k, raw beside scaled."""

import numpy as np

from sqrtdk.formulas import scores, softmax

# --8<-- [start:show]
rng = np.random.default_rng(0)
print("mean largest weight among 8 keys")
print(" d_k     raw  scaled")
for d_k in (2, 8, 64, 512):
    q = rng.standard_normal((2000, 1, d_k))
    k = rng.standard_normal((2000, 8, d_k))
    x = scores(q, k)               # (2000, 1, 8)
    raw = softmax(x).max(axis=-1).mean()
    scaled = softmax(x / np.sqrt(d_k)).max(axis=-1).mean()
    print(f"{d_k:4} {raw:7.2f} {scaled:7.2f}")
# --8<-- [end:show]
