"""The runs behind the page `why/training`: each function returns a JSON-able dict.

A mean with its standard error is a list of the two.

The learning rates were chosen by `sweep` on other seeds. `progress` wraps the list of runs
while it is walked, as `rich.progress.track` does; by default nothing is shown.
"""

from dataclasses import asdict, replace
from math import sqrt

import torch
from torch import nn

from sqrtdk.training.lookup import SCALES, Setup, one_thread, steps_to_mark, torch_version, train
from sqrtdk.training.rates import tuned
from sqrtdk.training.sweep import mark_of

SEEDS = range(100, 110)
CAP = 1000
OPTIMISERS = ("sgd", "adam")
WIDTHS = (8, 64, 256, 512)
SHOWN_STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200,
               250, 300, 400, 500, 600, 800, 1000)


def mean_and_se(numbers):
    """The mean of some numbers and its standard error."""
    numbers = torch.tensor(numbers, dtype=torch.float64)
    return [numbers.mean().item(), (numbers.std() / sqrt(len(numbers))).item()]


def time_to_learn(setup, share):
    """Steps until the share, "accuracy" or "found", passes 90 % on the fresh seeds; cut at CAP."""
    history = train(setup, SEEDS, CAP, until_reached=share)
    reached = steps_to_mark(getattr(history, share))
    steps = [step or CAP for step in reached]
    return {
        "rate": setup.rate,
        "mean": mean_and_se(steps),
        "median": torch.tensor(steps, dtype=torch.float64).quantile(0.5).item(),
        "reached": sum(step is not None for step in reached),
        "of": len(steps),
        "steps": steps,
    }


def run_tree(runs, progress):
    """Run (path, function) pairs and hang each result in a nested dict at its path."""
    tree = {}
    for (*branches, leaf), function in progress(runs):
        place = tree
        for branch in branches:
            place = place.setdefault(branch, {})
        place[leaf] = function()
    return tree


def timed(name, share=None):
    """To be called later: the time of a cell at its tuned rate, by the share its loss asks for."""
    setup = tuned(name)
    return lambda: time_to_learn(setup, share or mark_of(setup))


def table(progress=iter):
    """Steps to 90 % against d_k, with each factor: optimiser → d_k → factor."""
    runs = [((optimiser, str(d_k), factor),
             timed(f"{optimiser} {d_k} {factor} unit values 32"))
            for optimiser in OPTIMISERS for d_k in WIDTHS
            for factor in ("none", "sqrt", "inverse")]
    return run_tree(runs, progress)


def one_rate(progress=iter):
    """SGD at d_k = 8 with one learning rate, the best without a factor, for both: factor →."""
    raw, scaled = (tuned(f"sgd 8 {factor} unit values 32") for factor in ("none", "sqrt"))
    runs = [((setup.factor,), lambda setup=setup: time_to_learn(setup, "accuracy"))
            for setup in (raw, replace(scaled, rate=raw.rate))]
    return run_tree(runs, progress)


def momentum(progress=iter):
    """The same with momentum, at two widths: d_k → factor."""
    runs = [((str(d_k), factor), timed(f"momentum {d_k} {factor} unit values 32"))
            for d_k in (8, 64) for factor in ("none", "sqrt")]
    return run_tree(runs, progress)


def starts(progress=iter):
    """Other starts, d_k = 64: optimiser → factor_start.

    `none_soft` and `sqrt_sharp` complete the 2 × 2 of factor and start; `qk_norm_unit`
    normalises q and k; `…_linear` has the variance of torch.nn.Linear's weights.
    """
    variants = ("none soft", "sqrt sharp", "qk_norm unit", "none linear", "sqrt linear")
    runs = [((optimiser, variant.replace(" ", "_")), timed(f"{optimiser} 64 {variant} values 32"))
            for optimiser in OPTIMISERS for variant in variants]
    return run_tree(runs, progress)


def control(progress=iter):
    """Loss through the values or straight on the weights, d_k = 64: optimiser → loss → factor.

    Both are timed by the same mark: the largest weight is on the right key in 90 %.
    """
    runs = [((optimiser, loss, factor),
             timed(f"{optimiser} 64 {factor} unit {loss} 32", "found"))
            for optimiser in OPTIMISERS for loss in ("values", "weights")
            for factor in ("none", "sqrt")]
    return run_tree(runs, progress)


def batch(progress=iter):
    """A batch of 256 in place of 32, d_k = 64: optimiser → factor."""
    runs = [((optimiser, factor), timed(f"{optimiser} 64 {factor} unit values 256"))
            for optimiser in OPTIMISERS for factor in ("none", "sqrt")]
    return run_tree(runs, progress)


def recovery(progress=iter):
    """4000 steps without the factor, d_k = 64: optimiser → mean accuracy of the last 100 steps."""
    def run(optimiser):
        shares = train(tuned(f"{optimiser} 64 none unit values 32"), SEEDS, 4000).accuracy
        return {"end": mean_and_se(shares[-100:].mean(0).tolist()), "of": len(SEEDS),
                "reached": sum(step is not None for step in steps_to_mark(shares))}

    return run_tree([((optimiser,), lambda optimiser=optimiser: run(optimiser))
                     for optimiser in OPTIMISERS], progress)


def curves(progress=iter):
    """What attention does while it learns, d_k = 64: optimiser → factor → curves.

    `step`: SHOWN_STEPS, about evenly spaced on a logarithmic axis. `entropy` (in units of
    log 16), `right_weight` and `accuracy`: mean over the seeds, each averaged over the steps
    since the last point; `…_se` their standard errors. `start_entropy`: before any update.
    """
    def run(name):
        history = train(tuned(name), SEEDS, CAP)
        result = {"step": list(SHOWN_STEPS),
                  "start_entropy": mean_and_se(history.entropy[0].tolist())}
        for share in ("entropy", "right_weight", "accuracy"):
            shares = getattr(history, share)
            pieces = [shares[low:high].mean(0).tolist()
                      for low, high in zip((0, *SHOWN_STEPS), SHOWN_STEPS)]
            points = [mean_and_se(piece) for piece in pieces]
            result[share] = [mean for mean, _ in points]
            result[f"{share}_se"] = [se for _, se in points]
        return result

    runs = [((optimiser, factor), lambda name=f"{optimiser} 64 {factor} unit values 32": run(name))
            for optimiser in OPTIMISERS for factor in ("none", "sqrt")]
    return run_tree(runs, progress)


def twin(setup):
    """The setup without a factor that is the same model as `setup`, which has 1/√d_k.

    With s = 1/√d_k, let U = √s W: the logits are equal without the factor. One step must move
    U by √s times what it moves W. Since ∂L/∂U = ∂L/∂W / √s, SGD needs s times the rate; Adam's
    step does not feel the gradient's size and needs √s times the rate.
    """
    s = SCALES["sqrt"](setup.d_k)
    qk_rate = sqrt(s) if setup.optimiser == "adam" else s
    return replace(setup, factor="none", start="soft", qk_rate=qk_rate)


USUAL_RATES = {"sgd": 1.0, "momentum": 0.1, "adam": 0.01}    # near the best with 1/√d_k


def equivalence(progress=iter):
    """Largest difference of two losses over 200 steps in float64: optimiser → dict.

    `twins`: 1/√d_k against its twin without a factor. `plain`: against no factor, all else
    left alone. Adam's ε is set to nearly nothing: it is a size that would have to scale too.
    """
    def run(optimiser):
        setup = Setup(d_k=64, optimiser=optimiser, rate=USUAL_RATES[optimiser], adam_eps=1e-30)

        def losses(setup):
            return train(setup, range(3), 200, dtype=torch.float64).loss

        scaled = losses(setup)
        return {
            "twins": (scaled - losses(twin(setup))).abs().max().item(),
            "plain": (scaled - losses(replace(setup, factor="none"))).abs().max().item(),
            "setup": asdict(setup),
        }

    return run_tree([((optimiser,), lambda optimiser=optimiser: run(optimiser))
                     for optimiser in USUAL_RATES], progress)


D_MODEL, HEADS = 768, 12    # so that d_k = 64


def unit(d_k):
    return [torch.randn(d_k, D_MODEL) * D_MODEL**-0.5 for _ in "qk"]


def linear(d_k):
    return [nn.Linear(D_MODEL, d_k).weight for _ in "qk"]


def multihead(d_k):
    q, k, _ = nn.MultiheadAttention(D_MODEL, HEADS).in_proj_weight.chunk(3)
    return q[:d_k], k[:d_k]


def small(d_k):
    return [torch.randn(d_k, D_MODEL) * 0.02 for _ in "qk"]


INITIALISERS = {"unit": unit, "linear": linear, "multihead": multihead, "std_002": small}


def initialisers(progress=iter):
    """Standard deviation of q·k at the start, d_model 768, d_k 64, for weights as often drawn.

    `unit` has variance 1/d_model, `std_002` a standard deviation of 0.02; the others are what
    torch makes. Inputs are normal with mean 0 and variance 1, as after a layer norm; no biases.
    `raw` is σ without the factor, `scaled` with it; each a mean over 20 draws, with its error.
    """
    @torch.no_grad()
    @one_thread()
    def run(draw):
        sigmas = []
        for seed in range(20):
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                w_q, w_k = draw(D_MODEL // HEADS)
                x, y = torch.randn(2, 256, D_MODEL)
            sigmas.append(((x @ w_q.T) @ (y @ w_k.T).T).std().item())
        root = sqrt(D_MODEL // HEADS)
        return {"raw": mean_and_se(sigmas), "scaled": mean_and_se([s / root for s in sigmas])}

    return run_tree([((name,), lambda draw=draw: run(draw))
                     for name, draw in INITIALISERS.items()], progress)


# In the order in which the page tells them.
EXPERIMENTS = {
    "table": table,
    "one_rate": one_rate,
    "momentum": momentum,
    "curves": curves,
    "starts": starts,
    "equivalence": equivalence,
    "control": control,
    "batch": batch,
    "recovery": recovery,
    "initialisers": initialisers,
}


def run(names=tuple(EXPERIMENTS), progress=iter):
    """Run experiments by name: a dict of seeds, cap, torch's version and each one's results."""
    return {"seeds": list(SEEDS), "cap": CAP, "torch": torch_version(),
            **{name: EXPERIMENTS[name](progress) for name in names}}
