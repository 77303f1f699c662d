"""The spread of q·k against d_k, theory beside simulation with its standard error."""

import numpy as np

# --8<-- [start:show]
rng = np.random.default_rng(0)
print(" d_k  theory  simulated")
for d_k in (2, 8, 32, 64, 128, 256):
    q, k = rng.standard_normal((2, 20_000, d_k))
    scores = (q * k).sum(axis=1)
    std = scores.std()
    se = (scores**2).std() / np.sqrt(20_000) / (2 * std)
    print(f"{d_k:4} {np.sqrt(d_k):7.2f}"
          f" {std:7.2f} ± {se:.2f}")
# --8<-- [end:show]
