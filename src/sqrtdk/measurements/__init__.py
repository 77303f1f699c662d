"""Longer computations behind the tables and figures: `measure()` in each module, run by `results`."""
