"""What softmax and attention cost beside scipy and torch: `pytest --benchmark-only`.

Each ratio is of the best of ROUNDS rounds in one run, in which ours and theirs take
turns. The clock is the processor time of all threads together: threads do not make
either side look cheaper, and other programs on the machine hardly disturb it.

Attention is compared on one thread. numpy takes the number of its threads from
OMP_NUM_THREADS when it is first imported, so run this file alone or set it to 1:
`OMP_NUM_THREADS=1 pytest --benchmark-only`.
"""

import os
import sys
import time

if "numpy" not in sys.modules:
    os.environ["OMP_NUM_THREADS"] = "1"
ONE_THREAD = os.environ.get("OMP_NUM_THREADS") == "1"

import numpy as np
import pytest
import scipy.special
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from sqrtdk.attention import attention
from sqrtdk.softmax import softmax

ROUNDS = 9


def cost(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def ratio(benchmark, ours, theirs):
    """Best cost of `ours` over that of `theirs`; the benchmark's table shows ours."""
    theirs_cost = []
    ours(), theirs()  # first calls load and allocate
    benchmark.pedantic(ours, setup=lambda: theirs_cost.append(cost(theirs)), rounds=ROUNDS)
    result = benchmark.stats.stats.min / min(theirs_cost)
    benchmark.extra_info["ratio"] = round(result, 3)
    return result


@pytest.mark.benchmark(group="softmax of 10 million numbers", timer=time.process_time)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(10_000_000,), (10_000, 1000)])
def test_softmax_takes_at_most_1_3_times_scipy(benchmark, shape, kind):
    x = np.random.default_rng(0).standard_normal(shape).astype(kind)
    assert ratio(benchmark, lambda: softmax(x), lambda: scipy.special.softmax(x, axis=-1)) <= 1.3


@pytest.fixture
def one_thread():
    if not ONE_THREAD:  # idle threads of numpy that wait for work would be counted as work
        pytest.fail("numpy has started its threads: set OMP_NUM_THREADS=1, or run this file alone")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.benchmark(group="attention", timer=time.process_time)
@pytest.mark.parametrize("shape", [(8, 512, 64), (1, 2048, 64)])
@pytest.mark.parametrize("mask", [None, "causal"])
def test_attention_takes_at_most_1_5_times_torch(benchmark, one_thread, shape, mask):
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal(shape).astype(np.float32) for _ in range(3))
    mask = None if mask is None else np.tril(np.ones((shape[1], shape[1]), bool))
    tensors = [torch.from_numpy(x) for x in (q, k, v)]
    torch_mask = None if mask is None else torch.from_numpy(mask)

    def theirs():
        with sdpa_kernel(SDPBackend.MATH):
            F.scaled_dot_product_attention(*tensors, attn_mask=torch_mask)

    assert ratio(benchmark, lambda: attention(q, k, v, mask), theirs) <= 1.5
