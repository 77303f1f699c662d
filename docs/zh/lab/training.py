# ---
# title: 实验：一开始就尖锐，学起来会怎样
# description: 单独一个查询要多久才改得回来（现场计算）、随机的一层在第一步之前的梯度，以及仓库里已有的训练结果。
# ---

# %% [markdown]
# # 实验：一开始就尖锐，学起来会怎样 {#lab-training}
#
# 一个查询（query）如果一开始就认定了错误的键（key），就很难改主意，因为被它忽略的键几乎收不到学习信号。这个实验分三步来看：单独一个查询，整个一层在第一步之前的梯度，以及一个真正在学习的层。
#
# 前两步现场计算，一两秒就好，不需要 torch。第三步读取仓库里已有的结果，因为背后的训练要花几分钟。想改什么，就把这个笔记本（notebook）带走，在克隆下来的仓库里运行，先用 `pip install -e ".[docs]"` 装好软件包。完整的论证见[理由三](../why/training.md)。
#
# ## 单独一个查询，认定了错误的键 {#escape}
#
# 两个键。错误键的 logit 高出一个差距 g，所以正确键的权重是 1/(1 + e^g)。梯度下降同时移动两个 logit，直到两者一样高。损失是输出与正确值之间距离平方的一半，两个键的值（value）相距 1。差距如果是 8 而不是 4，步数会是几倍？

# %%
from sqrtdk.labs import training as lab

gaps = [1, 2, 4, 6, 8, 10]
learning_rate = 0.1
lab.escape_table(gaps, learning_rate)

# %% [markdown]
# 闭式解给出的是时间 T，除以学习率（learning rate）就是步数：
#
# $$
# T(g) = \frac{1}{2}\left(e^{g} + 3g + \frac{5}{2} - 3e^{-g} - \frac{1}{2}e^{-2g}\right)
# $$
#
# 差距从 4 到 8，步数从 `345`{ calc="escape_time(4) / 0.1" } 涨到 `15 037`{ calc="escape_time(8) / 0.1" }，模拟的 SGD 与此相符。Adam 在这里用十分之一的学习率；它感觉不到梯度有多小，只要 `212`{ calc="data['escape']['steps']['8']['adam']" } 步。最后一列的损失直接取在权重上，即 −log p，这时没有停滞期：`45`{ calc="data['escape']['steps']['8']['weight_sgd']" } 步。可见只有信号要经过值传回来、中间没有对数时，尖锐的一行才有害。
#
# 键一多，Adam 就不管用了。16 个键，值是随机的，学习率各取最好的，d_k = 64，不缩放：300 步之内找到正确键的单个查询，用 SGD 有 `31 %`{ calc="data['lone_query']['sgd']['64']['raw']['share'][0]" }，用 Adam 有 `36 %`{ calc="data['lone_query']['adam']['64']['raw']['share'][0]" }。缩放以后，两者都是 `99.5 %`{ calc="data['lone_query']['adam']['64']['scaled']['share'][0]" }。
#
# ## 随机的起点，差距有多大 {#start}
#
# 十六个随机的键，其中一个正确。差距是最强的错误键的 logit 减去正确键的 logit。表中是抽 20 000 次的中位数，以及两个键有这样的差距时需要的步数。

# %%
lab.start_table(
    d_k=[8, 64, 512], n_keys=16,
    learning_rate=learning_rate, seed=1,
)

# %% [markdown]
# 缩放以后，典型的差距不随大小而变。不缩放时，它像 √d_k 一样增长，步数则随它指数增长。这些步数只能当作数量级来读：真正在学的是 q，链式法则（chain rule）使不缩放的 logit 移动的速度是缩放时的 d_k 倍。d_k = 64 时就是 64 倍，而两个时间之比是 `1×10⁵`{ calc="escape_time(data['escape']['start']['64']['raw'][0]) / escape_time(data['escape']['start']['64']['scaled'][0])" }。
#
# 画成图，d_k = 64：

# %%
lab.escape_plot(
    gaps, learning_rate, d_k=64, n_keys=16, seed=1,
)

# %% [markdown]
# SGD 的圆点落在闭式解的点线上。两条竖线是随机的起点所在的位置。
#
# ## 第一步之前的梯度 {#gradient}
#
# 常听人说，不缩放梯度（gradient）就消失了。下面是一个随机的注意力头，64 个词元（token），值也是随机的，什么都还没学；传到每个查询的输出上的梯度，长度都是 1。先猜：哪一边 W_q 的梯度更大？

# %%
from numpy.random import default_rng

from sqrtdk.gradients import draw_layer

layer = draw_layer(64, d_k=64, rng=default_rng(1))
lab.gradient_table(layer)

# %% [markdown]
# 不缩放的一边，而且大得多。对许多个这样的头取平均，它是缩放后的 `11.4 ± 0.1`{ calc="data['layer_start']['64']['64']['raw_to_scaled']" } 倍，部分原因是缩放因子也乘在梯度上。不同的是谁得到了它：最大的十分之一查询所占的份额（按梯度的平方算），不缩放时是 `57 %`{ calc="data['layer_start']['64']['64']['raw']['q_top_1_in_10'][0]" }，缩放后是 `25 %`{ calc="data['layer_start']['64']['64']['scaled']['q_top_1_in_10'][0]" }。
#
# d_k = 512 时，分化一眼就能看出来。

# %%
wide = draw_layer(64, d_k=512, rng=default_rng(1))
lab.queries_plot(wide)

# %% [markdown]
# 少数查询的梯度很大，其余的小得多。对许多个头取平均，居中的查询，不缩放时是 `0.071`{ calc="data['layer_start']['64']['512']['raw']['q_median'][0]" }，缩放后是 `0.168`{ calc="data['layer_start']['64']['512']['scaled']['q_median'][0]" }；而整个 W_q 是 `339`{ calc="data['layer_start']['64']['512']['raw']['w_q'][0]" } 对 `17`{ calc="data['layer_start']['64']['512']['scaled']['w_q'][0]" }。梯度没有消失，变小的是大多数查询分到的那一份。
#
# ## 一个在学习的层 {#layer}
#
# 在一个层里，所有查询共用权重矩阵，那么这还要紧吗？这个层要学会从 16 个键里查出一个；[任务与规则](../why/training.md#lookup)写在那一页上。表中是答对九成所需的步数，十个种子的均值 ± 标准误（standard error），每一格都用自己最合适的学习率。训练到 1000 步为止：不是所有种子都学会的，另外注明学会了几个，这时均值只是下限。先看 SGD：

# %%
from sqrtdk.labs.results import read

training = read("training")
lab.steps_table(training, "sgd")

# %% [markdown]
# 再看 Adam：

# %%
lab.steps_table(training, "adam")

# %% [markdown]
# 不缩放时，代价随 d_k 增长，两种优化器都如此：d_k = 64 时，步数是缩放后的 `9.5`{ calc="data['training']['table']['sgd']['64']['none']['mean'][0] / data['training']['table']['sgd']['64']['sqrt']['mean'][0]" } 倍（SGD）和 `9.3`{ calc="data['training']['table']['adam']['64']['none']['mean'][0] / data['training']['table']['adam']['64']['sqrt']['mean'][0]" } 倍（Adam）。这比 e^g 小得多，因为 W_q 是共用的，没卡住的查询可能会把卡住的带出来。1/√d_k 也不是唯一的解法：配上自己的学习率，1/d_k 用 SGD 时相差不多，用 Adam 时更快。
#
# 这期间注意力在做什么，d_k = 64，SGD：上图是熵（entropy）占最大可能值的比例；下图是正确键的权重。

# %%
lab.curves_plot(training, "sgd")

# %% [markdown]
# 缩放时，注意力先把所有键看一遍（熵 `0.85`{ calc="data['training']['curves']['sgd']['sqrt']['start_entropy'][0]" }），再做决定。不缩放时，它什么都没看就已经决定了（`0.17`{ calc="data['training']['curves']['sgd']['none']['start_entropy'][0]" }），而且大多是错的。两边最后都很尖锐，那是应该的。
#
# 这只是一个小任务，一个头，批量大小（batch size）32。批量大小改为 256，d_k = 64 处的倍数就从 `9.5`{ calc="data['training']['table']['sgd']['64']['none']['mean'][0] / data['training']['table']['sgd']['64']['sqrt']['mean'][0]" } 降到 `3.2`{ calc="data['training']['batch']['sgd']['none']['mean'][0] / data['training']['batch']['sgd']['sqrt']['mean'][0]" }（SGD）。
#
# ## 自己试试 {#try}
#
# 改一个数，先猜，再把所有单元格重新运行一遍。
#
# - 在 `gaps` 里加上 12。先由前一行推算 SGD 要多少步。
# - 把第一个层的 `d_k` 改成 8。不缩放时，W_q 的梯度还是更大吗？
# - 换成 `"adam"` 的曲线。不缩放的一边，在第一步之前是不是也已经决定了？
