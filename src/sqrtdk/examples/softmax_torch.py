"""Softmax of three mild scores and of the same scores ten times as large, in torch."""

# --8<-- [start:show]
import torch

for x in ([1.0, 2.0, 3.0], [10.0, 20.0, 30.0]):
    weights = torch.softmax(torch.tensor(x), dim=-1)
    shown = ", ".join(f"{w:.5f}" for w in weights.tolist())
    print(f"{x} -> [{shown}]")
# --8<-- [end:show]
