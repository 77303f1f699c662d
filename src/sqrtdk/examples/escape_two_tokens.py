"""Steps to give up a wrong favourite: gradient descent beside the closed form."""

import numpy as np

from sqrtdk.formulas import escape_time

# --8<-- [start:show]
def escape_steps(gap, rate=0.1):
    right, wrong, steps = -gap / 2, gap / 2, 0
    while right < wrong:
        p = 1 / (1 + np.exp(wrong - right))
        move = rate * p * (1 - p)**2  # loss (1 - p)² / 2
        right, wrong = right + move, wrong - move
        steps += 1
    return steps


for gap in (1, 2, 4, 6, 8):
    print(f"gap {gap}: {escape_steps(gap):5d} steps,"
          f" formula {escape_time(gap) / 0.1:5.0f}")
# --8<-- [end:show]
