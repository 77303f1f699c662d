"""The signal that softmax lets through to three tokens: a mild row and a sharp one."""

import numpy as np

from sqrtdk.formulas import jacobian, softmax

# --8<-- [start:show]
u = np.array([1.0, 0.5, -1.0])  # what each token is worth
for x in ([1.0, 2.0, 3.0], [10.0, 20.0, 30.0]):
    p = softmax(np.array(x))
    signal = jacobian(p) @ u
    print("logits", *(f"{z:.0f}" for z in x))
    for j in range(3):
        print(f"  token {j}: weight {p[j]:.1e},"
              f" signal {signal[j]:8.1e}")
# --8<-- [end:show]
