"""Softmax of three terms, written out: each exponential over the sum of all three."""

import numpy as np

# --8<-- [start:show]
x_1, x_2, x_3 = 1, 2, 3
e_1, e_2, e_3 = np.exp(x_1), np.exp(x_2), np.exp(x_3)
total = e_1 + e_2 + e_3
print(f"exponentials: {e_1:.4f} {e_2:.4f} {e_3:.4f}")
print(f"their sum:    {total:.4f}")
weights = e_1 / total, e_2 / total, e_3 / total
print("weights:      {:.4f} {:.4f} {:.4f}".format(*weights))
print(f"their sum:    {sum(weights):.4f}")
# --8<-- [end:show]
