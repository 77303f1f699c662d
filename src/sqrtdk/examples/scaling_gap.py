"""A score of 32 or 8 against a score of 0, at d_k = 64: before and after the division."""

import numpy as np

from sqrtdk.formulas import softmax

# --8<-- [start:show]
d_k = 64
for score in (32.0, 8.0):
    pair = np.array([score, 0.0])
    raw = softmax(pair)
    scaled = softmax(pair / np.sqrt(d_k))
    print(f"score {score:2.0f} against 0")
    print(f"  raw:    {raw[0]:.4f} and {raw[1]:.1e}")
    print(f"  scaled: {scaled[0]:.4f} and {scaled[1]:.4f}")
# --8<-- [end:show]
