"""Training one attention layer with a sharp and with a soft start (needs torch).

`lookup`: the task, the layer and its training loop, many seeds side by side.
`experiments`: the runs behind the page `why/training`, each a function that returns a dict.

Everything runs on the CPU in one thread with fixed seeds. Nothing that a numpy page needs
imports this package.
"""
