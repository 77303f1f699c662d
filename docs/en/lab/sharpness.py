# ---
# title: "Lab: how sharp is a row?"
# description: "Draw queries and keys, look at scores and weights with and without the factor, and change every number."
# ---

# %% [markdown]
# # Lab: how sharp is a row? {#lab-sharpness}
#
# Without the factor, a random row of attention weights at d_k = 64 looks at one or two keys out of sixteen; with it, at most of them. Here you can watch that come about step by step, and change every number on the way.
#
# Each cell calls functions of this project's package, and what stands below a cell is what it gave when this page was built. To change something, take the notebook with you: in a clone of the repository `pip install -e ".[docs]"` installs the package, and any program that opens notebooks runs the cells.
#
# ## Draw queries and keys {#draw}
#
# Sixteen queries and sixteen keys of 64 numbers each, all independent and normal with mean 0 and variance 1. The seed decides which ones you get.

# %%
from numpy.random import default_rng

from sqrtdk.labs import sharpness as lab

n_keys, d_k, seed = 16, 64, 1

rng = default_rng(seed)
q = rng.standard_normal((n_keys, d_k))
k = rng.standard_normal((n_keys, d_k))

# %% [markdown]
# Each query meets each key: that is 256 scores q·k. Their standard deviation is the spread that this site speaks of. Predict it for the raw scores and for the scores divided by √d_k, then look.

# %%
lab.score_table(q, k)

# %% [markdown]
# By theory it is `8`{ calc="score_std(64)" } for the **raw**{.raw} scores and `1`{ calc="score_std(64) * scale(64)" } for the **scaled**{.scaled} ones. The sample comes close but does not hit it, because the 256 scores share their few vectors. Another seed gives another number, on either side of 8.
#
# ## The spread grows with d_k {#spread}
#
# One size says nothing about growth. The next cell draws 2000 fresh pairs for each of five sizes. The dotted lines are the theory, √d_k and 1; the bars are two standard errors either way, where they are larger than the marks.

# %%
sizes = [4, 16, 64, 256, 1024]
lab.spread_plot(sizes, draws=2000, seed=seed)

# %% [markdown]
# Four times the size gives twice the spread: `4`{ calc="score_std(16)" } at d_k = 16, `8`{ calc="score_std(64)" } at 64, `16`{ calc="score_std(256)" } at 256. Why that is so, and what it needs, is derived in [reason 1](../why/growth.md#derivation).
#
# ## From scores to weights {#weights}
#
# Now softmax makes weights of both versions of the scores. The bars show the first query's weights on its sixteen keys.

# %%
from sqrtdk.attention import attention_weights, scores
from sqrtdk.softmax import softmax

raw = softmax(scores(q, k))
scaled = attention_weights(q, k)
lab.weights_plot(raw[0], scaled[0])

# %% [markdown]
# The order of the keys is the same on both sides, since a positive factor changes no order. What changes is the gaps. Softmax turns a gap into a ratio of weights: a gap of 8 into `2981`{ calc="exp(8)" } to 1. Divided by √d_k = 8 the same gap is 1, and the ratio is `2.7`{ calc="exp(1)" } to 1.
#
# ## All rows, four measures {#rows}
#
# The first query may have been lucky or unlucky. These are means over all sixteen rows.

# %%
lab.row_table(raw, scaled)

# %% [markdown]
# The effective number of keys says how many keys a row looks at: m equal weights give m. There are two ways to count. $e^H$ takes the entropy H; 1/Σp² counts small weights less and is never larger. Sixteen rows are few, so the numbers still depend on the seed. The page on [reason 2](../why/sharpness.md#effective-keys) has them from thousands of rows.
#
# ## Other sizes, longer rows {#sizes}
#
# The next cell draws 1000 rows of 8 keys and of 64 keys for each of five sizes. Before you look: which of the lines will be flat?

# %%
lab.sweep_plot(
    d_k=[2, 8, 32, 128, 512], n_keys=[8, 64],
    draws=1000, seed=seed,
)

# %% [markdown]
# The raw lines go on sharpening as d_k grows, and the scaled ones settle. In a longer run, at d_k = 512 with 64 keys, the largest weight is `0.928`{ calc="data['sharpness']['rows']['64']['512']['raw']['largest'][0]" } on average without the factor and `0.107`{ calc="data['sharpness']['rows']['64']['512']['scaled']['largest'][0]" } with it.
#
# ## The factor is a temperature {#temperature}
#
# To divide the scores by √d_k is to take softmax at temperature √d_k. Other temperatures give other rows: the curve shows the effective number of keys $e^H$, the mean over our sixteen rows, from nearly 1 when cold to nearly 16 when hot.

# %%
lab.temperature_plot(scores(q, k), d_k)

# %% [markdown]
# Between the square (temperature 1) and the circle (temperature √d_k) lies the steep part of the curve. Further to the right the rows would only become more even; that is what dividing by d_k does at the start. The page on [temperature](../softmax/temperature.md#root) goes on from here.
#
# ## Try this {#try}
#
# Change a number, predict, and run all cells again.
#
# - Set `d_k` to 1024. Which of the two columns of the tables moves, and by how much?
# - Set `n_keys` to 64. What does the largest weight do on each side, and where does the temperature curve end?
# - Run through five seeds at d_k = 64. Is there one for which the scaled rows are sharper than the raw ones?
