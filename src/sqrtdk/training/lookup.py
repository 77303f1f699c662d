"""A lookup task for one attention layer, trained for many seeds side by side.

The task: there are 32 possible keys, each with a fixed random embedding. A context holds 16
of them, each with a random class out of 16. One of the 16 is asked for; the answer is its
class. To answer, a query must learn to put its weight on the one key that equals it.

The layer: q = E W_q, k = E W_k, logits = scale · q kᵀ, softmax over the 16 keys of the
context, values that embed the classes, a linear readout, cross-entropy. All examples of a
step share one 32 × 32 table of logits, so a step is cheap.

Tensors carry the seeds on their first axis: S seeds train at once and share nothing, and
what a seed draws does not depend on which others run beside it.
"""

from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch.nn.functional import cross_entropy

KEYS = 32      # possible keys
CONTEXT = 16   # keys in a context
CLASSES = 16   # so a guess is right 1 time in 16
D_MODEL = 32   # numbers in an embedding
MARK = 0.9     # the running share of right answers that counts as learnt
BLOCK = 50     # steps drawn at once: a run's length does not change what it draws

SCALES = {
    "none": lambda d_k: 1.0,
    "sqrt": lambda d_k: d_k**-0.5,
    "inverse": lambda d_k: 1 / d_k,
    "qk_norm": lambda d_k: d_k**-0.5,
}
# What W_q and W_k are multiplied by at the start; "unit" has variance 1/d_model.
STARTS = {
    "unit": lambda d_k: 1.0,
    "soft": lambda d_k: d_k**-0.25,    # without a factor as soft as 1/√d_k makes "unit"
    "sharp": lambda d_k: d_k**0.25,    # with 1/√d_k as sharp as "unit" without a factor
    "linear": lambda d_k: 3**-0.5,     # the variance of torch.nn.Linear: 1/(3 d_model)
}
OPTIMISERS = ("sgd", "momentum", "adam")
LOSSES = ("values", "weights")


@dataclass(frozen=True)
class Setup:
    """One way to train the layer.

    factor: what multiplies q·k: "none", "sqrt" (1/√d_k), "inverse" (1/d_k), or "qk_norm"
        (RMS-normalised q and k, a learnt gain on q, then 1/√d_k).
    start: "unit", "soft", "sharp" or "linear", see STARTS.
    optimiser: "sgd", "momentum" (0.9) or "adam" (0.9, 0.999).
    loss: "values" is the task's cross-entropy, which reaches the weights through the values;
        "weights" is the control: minus the logarithm of the weight on the right key.
    rate: learning rate; W_q and W_k use rate · qk_rate.
    """

    d_k: int = 64
    factor: str = "sqrt"
    optimiser: str = "sgd"
    rate: float = 0.3
    start: str = "unit"
    loss: str = "values"
    batch: int = 32
    qk_rate: float = 1.0
    adam_eps: float = 1e-8

    def __post_init__(self):
        choices = {"factor": SCALES, "start": STARTS, "optimiser": OPTIMISERS, "loss": LOSSES}
        for name, allowed in choices.items():
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name}: {value!r} is not one of {', '.join(allowed)}")
        for name in ("d_k", "batch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: {getattr(self, name)} is below 1")
        for name in ("rate", "qk_rate"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}: {getattr(self, name)} is not positive")


@dataclass(frozen=True)
class History:
    """What each seed saw at each step, before that step's update: tensors (steps, S).

    loss; accuracy: share of the batch answered rightly; found: share whose largest weight is
    on the right key; right_weight: mean weight on the right key; entropy: mean entropy of the
    weights, in units of log 16 (1 = all keys alike, 0 = one key).
    """

    loss: torch.Tensor
    accuracy: torch.Tensor
    found: torch.Tensor
    right_weight: torch.Tensor
    entropy: torch.Tensor


def stream(seed, part):
    """A random stream of a seed's own: part 0 the task, 1 the weights, 2 the examples."""
    return torch.Generator().manual_seed(3 * seed + part)


def draw_parameters(setup, seeds, dtype=torch.float32):
    """The embeddings E (S, 32, 32), fixed, and a dict of the parameters to be learnt."""
    def normal(part, *shapes):
        draws = []
        for seed in seeds:
            source = stream(seed, part)
            draws.append([torch.randn(shape, generator=source, dtype=torch.float64)
                          for shape in shapes])
        return [torch.stack(tensors) for tensors in zip(*draws)]

    width = setup.d_k
    embedding, values, readout = normal(
        0, (KEYS, D_MODEL), (CLASSES, D_MODEL), (D_MODEL, CLASSES))
    w_q, w_k = normal(1, (D_MODEL, width), (D_MODEL, width))
    size = STARTS[setup.start](width) * D_MODEL**-0.5
    learnt = {
        "w_q": w_q * size,
        "w_k": w_k * size,
        "values": values,
        "readout": readout * D_MODEL**-0.5,
    }
    if setup.factor == "qk_norm":
        learnt["gain"] = torch.ones(len(seeds), 1, width, dtype=torch.float64)
    learnt = {name: tensor.to(dtype).requires_grad_() for name, tensor in learnt.items()}
    return embedding.to(dtype), learnt


def draw_examples(seeds, batch, steps):
    """Yield, step by step, the contexts and their classes: two tensors (S, batch, 16).

    The key that is asked for stands first. The layer does not know places, so that is no hint.
    """
    sources = [stream(seed, 2) for seed in seeds]
    for first in range(0, steps, BLOCK):
        contexts, classes = [], []
        for source in sources:
            order = torch.rand(BLOCK, batch, KEYS, generator=source).argsort(-1)
            contexts.append(order[..., :CONTEXT])
            classes.append(torch.randint(CLASSES, (BLOCK, batch, CONTEXT), generator=source))
        pairs = zip(torch.stack(contexts, 1), torch.stack(classes, 1))
        for _, pair in zip(range(first, steps), pairs):
            yield pair


def logit_table(setup, embedding, learnt):
    """The logits of all 32 keys as queries against all 32 keys: (S, 32, 32)."""
    q = embedding @ learnt["w_q"]                                  # (S, 32, d_k)
    k = embedding @ learnt["w_k"]                                  # (S, 32, d_k)
    if setup.factor == "qk_norm":
        q, k = rms_norm(q) * learnt["gain"], rms_norm(k)
    return SCALES[setup.factor](setup.d_k) * q @ k.mT


def rms_norm(x):
    return x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt()


def attend(table, contexts):
    """The log weights of each example over its context: (S, batch, 16)."""
    asked = contexts[..., :1]
    cells = asked * KEYS + contexts                                # places in the flat table
    logits = table.flatten(1).gather(1, cells.flatten(1)).view(contexts.shape)
    return logits.log_softmax(-1)


def answer(weights, classes, learnt):
    """The scores of the 16 classes, (S, batch, 16): values, weighted, then read out."""
    by_class = weights.new_zeros(*weights.shape[:-1], CLASSES)
    by_class = by_class.scatter_add(-1, classes, weights)          # (S, batch, 16)
    return by_class @ (learnt["values"] @ learnt["readout"])


def losses(setup, log_weights, scores, classes):
    """The mean loss of each seed: (S,)."""
    if setup.loss == "weights":
        return -log_weights[..., 0].mean(-1)
    per_example = cross_entropy(scores.flatten(0, 1), classes[..., 0].flatten(), reduction="none")
    return per_example.view(classes.shape[:2]).mean(-1)


def make_optimiser(setup, learnt):
    attention = [learnt["w_q"], learnt["w_k"]]
    others = [tensor for name, tensor in learnt.items() if name not in ("w_q", "w_k")]
    groups = [{"params": attention, "lr": setup.rate * setup.qk_rate},
              {"params": others, "lr": setup.rate}]
    if setup.optimiser == "adam":
        return torch.optim.Adam(groups, betas=(0.9, 0.999), eps=setup.adam_eps)
    return torch.optim.SGD(groups, lr=setup.rate,
                           momentum=0.9 if setup.optimiser == "momentum" else 0.0)


@contextmanager
def one_thread():
    """Tables this small are quickest in one thread, and sums then have one order."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Stopwatch:
    """Counts each seed's steps until its running share of right answers passes the mark.

    The running share starts at 0 and becomes 0.8 · old + 0.2 · new at each step, so even a
    perfect layer needs 11 steps.
    """

    def __init__(self, seeds):
        self.running = torch.zeros(seeds)
        self.steps = torch.zeros(seeds, dtype=torch.long)
        self.reached = torch.zeros(seeds, dtype=torch.bool)

    def __call__(self, share):
        """One more step, with the seeds' shares (S,)."""
        self.steps += ~self.reached
        self.running = 0.8 * self.running + 0.2 * share
        self.reached |= self.running > MARK


def steps_to_mark(shares):
    """The step at which each seed passes the mark of `Stopwatch`, or None: a list of S.

    shares: (steps, S), such as `History.accuracy`.
    """
    stopwatch = Stopwatch(shares.shape[1])
    for share in shares:
        stopwatch(share)
    pairs = zip(stopwatch.steps.tolist(), stopwatch.reached.tolist())
    return [step if reached else None for step, reached in pairs]


@one_thread()
def train(setup, seeds, steps, dtype=torch.float32, until_reached=None, patience=float("inf")):
    """Train the layer for each of the seeds; fresh examples at each step.

    seeds: a list of whole numbers >= 0; what a seed does depends on no other.
    until_reached: the name of a share in `History`; stop early, once that of all seeds has
        passed the mark of `Stopwatch`, or their mean steps must come out above `patience`.
    Returns a `History` of tensors (steps run, S).
    """
    seeds = list(seeds)
    if not seeds or min(seeds) < 0:
        raise ValueError(f"seeds: expected one or more whole numbers >= 0, got {seeds}")
    if steps < 1:
        raise ValueError(f"steps: {steps} is below 1")
    embedding, learnt = draw_parameters(setup, seeds, dtype)
    optimiser = make_optimiser(setup, learnt)
    stopwatch = Stopwatch(len(seeds))
    rows = []
    for contexts, classes in draw_examples(seeds, setup.batch, steps):
        log_weights = attend(logit_table(setup, embedding, learnt), contexts)
        scores = answer(log_weights.exp(), classes, learnt)
        loss = losses(setup, log_weights, scores, classes)
        optimiser.zero_grad()
        loss.sum().backward()    # seeds share no parameter: each gets its own gradient
        optimiser.step()
        rows.append(watch(loss, log_weights, scores, classes))
        if until_reached:
            stopwatch(rows[-1][until_reached])
            if stopwatch.reached.all() or stopwatch.steps.double().mean() > patience:
                break
    return History(**{name: torch.stack([row[name] for row in rows]) for name in rows[0]})


@torch.no_grad()
def watch(loss, log_weights, scores, classes):
    """One step's entry of the history, a dict of tensors (S,)."""
    weights = log_weights.exp()
    entropy = -(weights * log_weights).nan_to_num().sum(-1)
    return {
        "loss": loss.detach(),
        "accuracy": (scores.argmax(-1) == classes[..., 0]).float().mean(-1),
        "found": (weights.argmax(-1) == 0).float().mean(-1),
        "right_weight": weights[..., 0].mean(-1),
        "entropy": entropy.mean(-1) / torch.tensor(CONTEXT).log(),
    }


def torch_version():
    """The version to note beside results: the same digits need the same version."""
    return torch.__version__.split("+")[0]
