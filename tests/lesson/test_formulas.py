"""The bare formulas, as pages show them, against torch: float64, plain sizes.

Both sides round a few times n or d_k operations on numbers of a few units, so
they agree to about 1e-14; the tolerance is ten times that.
"""

import ast
import inspect
import re

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from scipy import integrate, special

from sqrtdk import formulas

CLOSE = {"rtol": 1e-13, "atol": 1e-13}
x = np.random.default_rng(0).standard_normal((3, 4, 5)) * 3
q, k, v = (np.random.default_rng(1).standard_normal((2, size, 4)) for size in (3, 5, 5))
logits, tq, tk, tv = map(torch.from_numpy, (x, q, k, v))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_and_log_sum_exp(axis):
    weights = torch.softmax(logits, axis)
    np.testing.assert_allclose(formulas.softmax(x, axis), weights, **CLOSE)
    np.testing.assert_allclose(formulas.softmax_naive(x, axis), weights, **CLOSE)
    np.testing.assert_allclose(formulas.log_sum_exp(x, axis), logits.logsumexp(axis), **CLOSE)
    spread = torch.special.entr(weights).sum(axis)
    np.testing.assert_allclose(formulas.entropy(weights.numpy(), axis), spread, **CLOSE)


def test_jacobian_and_its_product_with_a_vector():
    row, upstream = x[0, 0], x[0, 1]
    p = formulas.softmax(row)
    matrix = torch.func.jacrev(lambda logits: torch.softmax(logits, -1))(torch.from_numpy(row))
    np.testing.assert_allclose(formulas.jacobian(p), matrix, **CLOSE)
    product = matrix @ torch.from_numpy(upstream)
    np.testing.assert_allclose(formulas.logit_gradient(p, upstream), product, **CLOSE)


def test_logit_gradient_takes_each_row_by_itself():
    p, upstream = formulas.softmax(x), x[::-1]
    products = np.einsum("...ij,...j->...i", formulas.jacobian(p), upstream)
    np.testing.assert_allclose(formulas.logit_gradient(p, upstream), products, **CLOSE)


@pytest.mark.parametrize(
    "closed, slope",  # of the loss, in the right logit; the wrong one has the opposite slope
    [(formulas.escape_time, lambda p: p * (1 - p) ** 2),
     (formulas.escape_time_on_weight, lambda p: 1 - p)],
)
@pytest.mark.parametrize("gap", [0, 0.5, 1, 3, 8])
def test_the_time_to_escape_is_the_integral_over_the_gap(closed, slope, gap):
    time, _ = integrate.quad(lambda g: 1 / (2 * slope(special.expit(-g))), 0, gap, epsrel=1e-12)
    assert closed(gap) == pytest.approx(time, rel=1e-11, abs=1e-13)


def test_attention():
    np.testing.assert_allclose(formulas.scores(q, k), tq @ tk.mT, **CLOSE)
    np.testing.assert_allclose(
        formulas.attention(q, k, v), F.scaled_dot_product_attention(tq, tk, tv), **CLOSE
    )


def test_alpha_written_out_in_indices():
    weights = torch.softmax(tq[0] @ tk[0].mT / 2, -1)
    ours = [[formulas.alpha(q[0], k[0], i, j) for j in range(5)] for i in range(3)]
    np.testing.assert_allclose(ours, weights, **CLOSE)


def test_every_function_is_a_section_of_its_own_name_and_fits_a_phone():
    source = inspect.getsource(formulas)
    sections = dict(re.findall(r"\[start:(\w+)\]\n(.*?)# --8<-- \[end:\1\]", source, re.S))
    functions = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert sorted(sections) == sorted(["numpy", *functions])
    for name, text in sections.items():
        assert max(map(len, text.splitlines())) <= 74, name
