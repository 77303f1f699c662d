# ---
# title: 实验：一行权重有多尖锐
# description: 随机抽取查询与键，看缩放与不缩放的分数和权重；每个数都可以改。
# ---

# %% [markdown]
# # 实验：一行权重有多尖锐 {#lab-sharpness}
#
# 不缩放时，在 d_k = 64 处随机得到的一行注意力权重（attention weight），十六个键里只看一两个；缩放以后，大多数键都会看到。这里一步一步做给你看，途中的每个数你都可以改。
#
# 每个单元格都只调用本项目软件包里的函数，单元格下面是构建本页时得到的结果。想改什么，就把这个笔记本（notebook）带走：克隆仓库，用 `pip install -e ".[docs]"` 装好软件包，再用任何能打开笔记本的程序运行。
#
# ## 抽取查询与键 {#draw}
#
# 十六个查询（query），十六个键（key），各有 64 个数，全部独立，服从均值为 0、方差（variance）为 1 的正态分布。抽到哪一组，由随机种子（random seed）决定。

# %%
from numpy.random import default_rng

from sqrtdk.labs import sharpness as lab

n_keys, d_k, seed = 16, 64, 1

rng = default_rng(seed)
q = rng.standard_normal((n_keys, d_k))
k = rng.standard_normal((n_keys, d_k))

# %% [markdown]
# 每个查询对每个键，一共 256 个分数（score）q·k。它们的标准差（standard deviation），就是本站所说的离散程度。先猜一猜原始分数的标准差，再猜除以 √d_k 以后的，然后往下看。

# %%
lab.score_table(q, k)

# %% [markdown]
# 按理论，**不缩放**{.raw}时是 `8`{ calc="score_std(64)" }，**缩放**{.scaled}后是 `1`{ calc="score_std(64) * scale(64)" }。样本的标准差接近理论值，却不会正好相等，因为这 256 个分数来自同一批为数不多的向量。换一个种子，原始分数的标准差就不同，可能比 8 大，也可能比 8 小。
#
# ## 离散程度随 d_k 增长 {#spread}
#
# 只看一个 d_k，看不出增长。下一个单元格对五个 d_k 各抽 2000 对新的向量。点线是理论值 √d_k 和 1；误差棒为上下各两个标准误（standard error），比记号短的就看不见了。

# %%
sizes = [4, 16, 64, 256, 1024]
lab.spread_plot(sizes, draws=2000, seed=seed)

# %% [markdown]
# d_k 变成四倍，离散程度变成两倍：d_k = 16 时是 `4`{ calc="score_std(16)" }，64 时是 `8`{ calc="score_std(64)" }，256 时是 `16`{ calc="score_std(256)" }。为什么如此，需要哪些条件，见[理由一](../why/growth.md#derivation)的推导。
#
# ## 从分数到权重 {#weights}
#
# 现在让 softmax 把两种分数都变成权重。柱子是第一个查询在十六个键上的权重。

# %%
from sqrtdk.attention import attention_weights, scores
from sqrtdk.softmax import softmax

raw = softmax(scores(q, k))
scaled = attention_weights(q, k)
lab.weights_plot(raw[0], scaled[0])

# %% [markdown]
# 两边键的顺序一样，因为乘上正的因子不会改变顺序。变的是差距。softmax 把差距变成权重的倍数：差距是 8，倍数就是 `2981`{ calc="exp(8)" }。除以 √d_k = 8 之后，同样的差距成了 1，倍数是 `2.7`{ calc="exp(1)" }。
#
# ## 所有的行，四个量 {#rows}
#
# 第一个查询也许只是碰巧。下面是全部十六行的均值。

# %%
lab.row_table(raw, scaled)

# %% [markdown]
# 等效键数（effective number of keys）说的是一行相当于看了几个键：m 个相等的权重，就是 m。算法有两种：$e^H$ 用的是熵（entropy）H；1/Σp² 把小的权重算得更轻，所以绝不会比 $e^H$ 大。十六行不算多，这些数还会随种子变化。[理由二](../why/sharpness.md#effective-keys)那一页有几千行的结果。
#
# ## 换别的 d_k，换更长的行 {#sizes}
#
# 下一个单元格对五个 d_k，各抽 1000 行 8 个键的和 1000 行 64 个键的。看之前先想：哪些线会是平的？

# %%
lab.sweep_plot(
    d_k=[2, 8, 32, 128, 512], n_keys=[8, 64],
    draws=1000, seed=seed,
)

# %% [markdown]
# d_k 越大，不缩放的线越往尖锐的方向走，缩放后的线则停住不动。在更大的一次模拟里，64 个键、d_k = 512 时，最大权重平均是 `0.928`{ calc="data['sharpness']['rows']['64']['512']['raw']['largest'][0]" }（不缩放）和 `0.107`{ calc="data['sharpness']['rows']['64']['512']['scaled']['largest'][0]" }（缩放）。
#
# ## 缩放因子就是温度 {#temperature}
#
# 把分数除以 √d_k，就是取温度（temperature）为 √d_k 的 softmax。温度不同，得到的行也不同。曲线画的是等效键数 $e^H$，对我们的十六行取均值：温度低时接近 1，温度高时接近 16。

# %%
lab.temperature_plot(scores(q, k), d_k)

# %% [markdown]
# 方块（温度 1）与圆点（温度 √d_k）之间，正是曲线陡的一段。再往右，各行只会更加平均；一开始就除以 d_k，便是如此。接下来的事，见[温度](../softmax/temperature.md#root)那一页。
#
# ## 自己试试 {#try}
#
# 改一个数，先猜，再把所有单元格重新运行一遍。
#
# - 把 `d_k` 改成 1024。各张表的两列里，哪一列会变，变多少？
# - 把 `n_keys` 改成 64。两边的最大权重各会怎样？温度的曲线最后停在哪里？
# - d_k = 64，换五个种子。有没有哪个种子，缩放后的行反而比不缩放的更尖锐？
