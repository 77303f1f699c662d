"""Why a Transformer divides QKᵀ by √d_k, and what softmax is for: the lesson in code."""
