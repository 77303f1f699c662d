"""Sharp weights at the start, the same scores over 8, and how far a weight can still move."""

import numpy as np

from sqrtdk.formulas import entropy, softmax

# --8<-- [start:show]
scores = np.array([0.0, 0.7, 6.9])
rows = {"raw": scores, "over 8": scores / 8}
for name, logits in rows.items():
    p = softmax(logits)
    slopes = p * (1 - p)  # d weight / d its own logit
    keys = np.exp(entropy(p))
    print(f"{name}: {keys:.2f} effective keys")
    print("  weights", *[f"{w:.3f}" for w in p])
    print("  slopes ", *[f"{s:.3f}" for s in slopes])
# --8<-- [end:show]
