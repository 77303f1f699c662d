"""The same four logits from a low temperature to a high one."""

import numpy as np

from sqrtdk.formulas import entropy, softmax

# --8<-- [start:show]
x = np.array([2.1, 0.3, -1.2, 4.0])
print("   T  weights              keys")
for T in (0.1, 0.5, 1, 2, 8, 100):
    p = softmax(x / T)
    keys = np.exp(entropy(p))
    shown = " ".join(f"{w:.3f}" for w in p)
    print(f"{T:5} {shown} {keys:.2f}")
# --8<-- [end:show]
