"""The search for each cell's learning rate: about half an hour of CPU."""

SLOW = True


def measure():
    """The best rate of each cell and what each rate gave."""
    from sqrtdk.training.sweep import sweep

    return sweep()
