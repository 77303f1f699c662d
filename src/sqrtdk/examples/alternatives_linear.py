"""Linear attention's weights are not a function of the scores q·k."""

import numpy as np

from sqrtdk.normalisers import share

# --8<-- [start:show]
def phi(x):  # elu(x) + 1
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

q = np.array([1.0, -1.0])
k = np.array([[1.0, 0.0], [3.0, 2.0], [3.0, 2.5]])
print("q . k     ", *[f"{s:7.4f}" for s in k @ q])
parts = phi(k) @ phi(q)
print("phi . phi ", *[f"{p:7.4f}" for p in parts])
print("weights   ", *[f"{w:7.4f}" for w in share(parts)])
# --8<-- [end:show]
