"""The trained lookup layer: steps to learn, starts, equivalence, control, batch, curves."""

SLOW = True


def measure():
    """All experiments of `sqrtdk.training.experiments`, at the rates of the sweep."""
    from sqrtdk.training import experiments

    return experiments.run()
