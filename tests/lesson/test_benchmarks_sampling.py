"""Time and memory of the sampling (`pytest --benchmark-only`)."""

import time
import tracemalloc

import pytest

from sqrtdk.cli.commands.sharpness import D_K, DRAWS, KEYS
from sqrtdk.dot_product import sample_moments
from sqrtdk.sharpness import sharpness

MB = 2**20


def peak_mb(call):
    """Peak of what `call` allocates; numpy reports its arrays to tracemalloc."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / MB
    finally:
        tracemalloc.stop()


def measure(benchmark, call):
    """Time `call` once and note its peak memory, which is measured in a run of its own."""
    benchmark.pedantic(call, rounds=1)
    benchmark.extra_info["peak_mb"] = peak = peak_mb(call)
    return peak


@pytest.mark.benchmark(group="sharpness: the default table")
def test_default_sharpness_table_takes_less_than_20_s_of_cpu(benchmark):
    def table():
        started = time.process_time()
        for n_keys in KEYS:
            for d_k in D_K:
                sharpness(d_k, n_keys, DRAWS, seed=0)
        return time.process_time() - started

    benchmark.extra_info["cpu_seconds"] = seconds = benchmark.pedantic(table, rounds=1)
    assert seconds < 20


# The bounds: 2 MB a piece, and 4 (pairs) or 8 (rows: logits, weights, logs) arrays of its size.
@pytest.mark.benchmark(group="pairs: against d_k")
@pytest.mark.parametrize("d_k", [1, 16, 256, 4096])
def test_pairs_against_d_k(benchmark, d_k):
    assert measure(benchmark, lambda: sample_moments(d_k, 4000, seed=0)) < 4 * 2


@pytest.mark.benchmark(group="pairs: against draws")
@pytest.mark.parametrize("draws", [1000, 10_000, 100_000])
def test_pairs_against_draws(benchmark, draws):
    assert measure(benchmark, lambda: sample_moments(64, draws, seed=0)) < 4 * 2


@pytest.mark.benchmark(group="rows: against d_k")
@pytest.mark.parametrize("d_k", [1, 64, 4096, 10**9])
def test_rows_against_d_k(benchmark, d_k):
    assert measure(benchmark, lambda: sharpness(d_k, 64, 10_000, seed=0)) < 8 * 2


@pytest.mark.benchmark(group="rows: against keys")
@pytest.mark.parametrize("n_keys", [8, 512, 32_768])
def test_rows_against_keys(benchmark, n_keys):
    assert measure(benchmark, lambda: sharpness(64, n_keys, 100, seed=0)) < 8 * 2


@pytest.mark.benchmark(group="rows: against draws")
@pytest.mark.parametrize("draws", [1000, 10_000, 100_000])
def test_rows_against_draws(benchmark, draws):
    assert measure(benchmark, lambda: sharpness(64, 64, draws, seed=0)) < 8 * 2


@pytest.mark.benchmark(group="rows: d_k costs nothing")
def test_time_of_rows_does_not_depend_on_d_k(benchmark):
    def seconds(d_k):
        started = time.process_time()
        sharpness(d_k, 64, 20_000, seed=0)
        return time.process_time() - started

    def ratio():  # in turns, so that what else the machine does meets both alike
        times = [(seconds(4096), seconds(4)) for _ in range(5)]
        large, small = map(min, zip(*times, strict=True))
        return large / small

    benchmark.extra_info["ratio"] = value = benchmark.pedantic(ratio, rounds=1)
    assert value < 1.3
