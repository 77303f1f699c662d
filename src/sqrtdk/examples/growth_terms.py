"""Five random scores that add up 2 products each, and five that add up 64."""

import numpy as np

# --8<-- [start:show]
rng = np.random.default_rng(0)
for d_k in (2, 64):
    q, k = rng.standard_normal((2, 5, d_k))
    scores = (q * k).sum(axis=1)  # (5,)
    print(f"{d_k:2} terms:",
          *[f"{score:4.1f}" for score in scores])
# --8<-- [end:show]
