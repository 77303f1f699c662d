"""Two keys: the gap between their scores sets the ratio of their weights."""

import numpy as np

from sqrtdk.formulas import softmax

# --8<-- [start:show]
print("gap  weights          ratio")
for gap in (0, 1, 2, 4, 8):
    first, second = softmax(np.array([gap, 0.0]))
    print(f"{gap:3}  {first:.4f}  {second:.4f}"
          f" {first / second:8.1f}")
# --8<-- [end:show]
