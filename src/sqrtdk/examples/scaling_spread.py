"""The spread of q·k with no factor, with 1/sqrt(d_k) and with 1/d_k."""

import numpy as np

# --8<-- [start:show]
rng = np.random.default_rng(0)
print(" d_k    raw   /sqrt   /d_k")
for d_k in (4, 64, 512):
    q = rng.standard_normal((20_000, d_k))
    k = rng.standard_normal((20_000, d_k))
    raw = (q * k).sum(axis=1).std()
    print(f"{d_k:4} {raw:6.2f} {raw / np.sqrt(d_k):7.2f}"
          f" {raw / d_k:6.3f}")
# --8<-- [end:show]
