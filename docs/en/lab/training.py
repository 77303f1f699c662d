# ---
# title: "Lab: what a sharp start does to learning"
# description: "The escape time of one query, live; the gradient of a random layer before its first step; and the committed training runs."
# ---

# %% [markdown]
# # Lab: what a sharp start does to learning {#lab-training}
#
# A query that starts out sure of the wrong key is slow to change its mind, because almost no learning signal reaches the keys that it ignores. This lab looks at that in three steps: one query alone, the gradient of a whole layer before its first step, and a layer that learns.
#
# The first two run live, in a second or two and without torch. The third reads results that are committed in the repository, since the runs behind them take minutes. To change something, take the notebook with you and run it in a clone of the repository, where `pip install -e ".[docs]"` installs the package. The page on [reason 3](../why/training.md) has the whole argument.
#
# ## One query, sure of the wrong key {#escape}
#
# Two keys. The logit of the wrong one is ahead by a gap g, so the right one has the weight 1/(1 + e^g). Gradient descent moves both logits until they are level. The loss is half the squared distance between the output and the right value, the two values being a distance of 1 apart. If the gap is 8 in place of 4, how many times as many steps will it take?

# %%
from sqrtdk.labs import training as lab

gaps = [1, 2, 4, 6, 8, 10]
learning_rate = 0.1
lab.escape_table(gaps, learning_rate)

# %% [markdown]
# The closed form is the time T, divided by the learning rate to count steps:
#
# $$
# T(g) = \frac{1}{2}\left(e^{g} + 3g + \frac{5}{2} - 3e^{-g} - \frac{1}{2}e^{-2g}\right)
# $$
#
# From a gap of 4 to one of 8 the steps go from `345`{ calc="escape_time(4) / 0.1" } to `15 037`{ calc="escape_time(8) / 0.1" }, and simulated SGD agrees. Adam, here with a tenth of the learning rate, does not feel how small the gradient is and needs `212`{ calc="data['escape']['steps']['8']['adam']" }. In the last column the loss sits straight on the weight, −log p, and there is no plateau: `45`{ calc="data['escape']['steps']['8']['weight_sgd']" } steps. So a sharp row does harm only where the signal must come back through the values, without a logarithm.
#
# Adam's cure does not hold for more keys. With 16 keys and random values, the best learning rate for each and no factor at d_k = 64, `31 %`{ calc="data['lone_query']['sgd']['64']['raw']['share'][0]" } of lone queries found the right key within 300 steps with SGD and `36 %`{ calc="data['lone_query']['adam']['64']['raw']['share'][0]" } with Adam. With the factor it was `99.5 %`{ calc="data['lone_query']['adam']['64']['scaled']['share'][0]" } for both.
#
# ## Which gaps a random start has {#start}
#
# Sixteen random keys, one of them right. The gap is the strongest wrong logit minus the right one; the table has its median over 20 000 draws, and the steps that two keys with this gap would need.

# %%
lab.start_table(
    d_k=[8, 64, 512], n_keys=16,
    learning_rate=learning_rate, seed=1,
)

# %% [markdown]
# With the factor the typical gap is the same at every size. Without it, it grows like √d_k, and the steps grow like its exponential. Read the steps as orders of magnitude only: it is q that learns, and the chain rule then moves the logits d_k times as fast without the factor. At d_k = 64 that is 64 times, against a ratio of the two times of `1×10⁵`{ calc="escape_time(data['escape']['start']['64']['raw'][0]) / escape_time(data['escape']['start']['64']['scaled'][0])" }.
#
# The same as a picture, for d_k = 64.

# %%
lab.escape_plot(
    gaps, learning_rate, d_k=64, n_keys=16, seed=1,
)

# %% [markdown]
# The dots of SGD lie on the dotted line of the closed form. The two vertical lines show where a random start stands.
#
# ## The gradient before the first step {#gradient}
#
# It is often said that without the factor gradients vanish. Here is a random attention head with 64 tokens and random values, before it has learnt anything; the gradient that arrives at each query's output has length 1. Predict which side has the larger gradient of W_q.

# %%
from numpy.random import default_rng

from sqrtdk.gradients import draw_layer

layer = draw_layer(64, d_k=64, rng=default_rng(1))
lab.gradient_table(layer)

# %% [markdown]
# The raw side, by far. Over many such heads it is `11.4 ± 0.1`{ calc="data['layer_start']['64']['64']['raw_to_scaled']" } times the scaled one, in part because the factor multiplies the gradient as well. What differs is who gets it: the top tenth of the queries carries `57 %`{ calc="data['layer_start']['64']['64']['raw']['q_top_1_in_10'][0]" } of the squared gradient without the factor and `25 %`{ calc="data['layer_start']['64']['64']['scaled']['q_top_1_in_10'][0]" } with it.
#
# At d_k = 512 the split is plain to see.

# %%
wide = draw_layer(64, d_k=512, rng=default_rng(1))
lab.queries_plot(wide)

# %% [markdown]
# Few queries have a large gradient, and the rest much less. Over many heads the median query has `0.071`{ calc="data['layer_start']['64']['512']['raw']['q_median'][0]" } without the factor and `0.168`{ calc="data['layer_start']['64']['512']['scaled']['q_median'][0]" } with it, while W_q as a whole has `339`{ calc="data['layer_start']['64']['512']['raw']['w_q'][0]" } against `17`{ calc="data['layer_start']['64']['512']['scaled']['w_q'][0]" }. The gradient does not vanish; most queries' share of it shrinks.
#
# ## A layer that learns {#layer}
#
# Does that matter for a layer, whose queries share their weights? The layer learns to look up one of 16 keys; the [task and the rules](../why/training.md#lookup) are on the page. The tables show the steps until nine answers out of ten are right, mean ± standard error over ten seeds, each cell with the learning rate that is best for it. Runs are cut at 1000 steps: where not all seeds got there, how many did is added, and the mean is a lower bound. First SGD:

# %%
from sqrtdk.labs.results import read

training = read("training")
lab.steps_table(training, "sgd")

# %% [markdown]
# Then Adam:

# %%
lab.steps_table(training, "adam")

# %% [markdown]
# Without the factor the cost grows with d_k, with either optimiser: at d_k = 64 it is `9.5`{ calc="data['training']['table']['sgd']['64']['none']['mean'][0] / data['training']['table']['sgd']['64']['sqrt']['mean'][0]" } times the steps with SGD and `9.3`{ calc="data['training']['table']['adam']['64']['none']['mean'][0] / data['training']['table']['adam']['64']['sqrt']['mean'][0]" } times with Adam. It is far less than e^gap, since W_q is shared and the queries that are not stuck can pull the others along. And 1/√d_k is not the only cure: with a learning rate of its own, 1/d_k comes close with SGD and is faster with Adam.
#
# What attention does meanwhile, at d_k = 64 with SGD: above, its entropy as a share of the largest possible; below, the weight on the right key.

# %%
lab.curves_plot(training, "sgd")

# %% [markdown]
# With the factor, attention first looks at all keys (entropy `0.85`{ calc="data['training']['curves']['sgd']['sqrt']['start_entropy'][0]" }) and then decides. Without it, it has decided before it has seen anything (`0.17`{ calc="data['training']['curves']['sgd']['none']['start_entropy'][0]" }), and mostly wrongly. Both end up sharp, and that is as it should be.
#
# This is one small task, with one head and batches of 32. With batches of 256 the ratio at d_k = 64 falls from `9.5`{ calc="data['training']['table']['sgd']['64']['none']['mean'][0] / data['training']['table']['sgd']['64']['sqrt']['mean'][0]" } to `3.2`{ calc="data['training']['batch']['sgd']['none']['mean'][0] / data['training']['batch']['sgd']['sqrt']['mean'][0]" } (SGD).
#
# ## Try this {#try}
#
# Change a number, predict, and run all cells again.
#
# - Add 12 to the list `gaps`. Predict the steps of SGD from the row before it.
# - In the first layer, set `d_k` to 8. Does W_q still have the larger gradient without the factor?
# - Show the curves of `"adam"`. Has the raw side still decided before the first step?
