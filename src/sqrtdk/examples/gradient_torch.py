"""Autograd's gradient of W_q before the first step, without the factor and with it."""

# --8<-- [start:show]
import torch

torch.set_num_threads(1)
n, d_model, d_k = 64, 128, 64


def gradient_size(scale, seed):
    torch.manual_seed(seed)
    x = torch.randn(n, d_model)
    w_q = torch.randn(d_model, d_k) / d_model**0.5
    w_k = torch.randn(d_model, d_k) / d_model**0.5
    u = torch.randn(n, n)  # the pull on the weights
    w_q.requires_grad_()
    scores = (x @ w_q) @ (x @ w_k).T
    weights = torch.softmax(scale * scores, dim=-1)
    (weights * u).sum().backward()
    return w_q.grad.norm().item()


for seed in range(3):
    raw = gradient_size(1, seed)
    scaled = gradient_size(d_k**-0.5, seed)
    print(f"without {raw:4.0f}, with {scaled:3.0f}:"
          f" {raw / scaled:.0f} times larger")
# --8<-- [end:show]
