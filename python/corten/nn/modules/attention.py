# SPDX-License-Identifier: BSD-3-Clause
"""Multi-head attention as a layer; the computation is multi_head_attention_forward in _attention.py."""
from ... import empty
from .. import functional as F
from .._attention import canonical_mask
from ..init import constant_, xavier_normal_, xavier_uniform_
from ..parameter import Parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Module):
    """Let every position of one sequence take weighted means of another sequence, in several heads.

    Described by Vaswani et al. (2017):

        head[i] = softmax(Q W_q[i] (K W_k[i])^T / sqrt(head_dim)) V W_v[i]
        output = concatenate(head[1], ..., head[h]) W_o

    Q, K and V are the arguments `query`, `key` and `value`; head_dim is embed_dim / num_heads. With
    all three the same tensor it is self-attention. Without weights to return (need_weights=False)
    it runs in scaled_dot_product_attention, which is faster and needs less memory.

    If need_weights is True, a query whose keys are all masked gets NaN.

    Args:
        embed_dim: number of features of queries and of the output.
        num_heads: number of heads; it must divide `embed_dim`, otherwise AssertionError.
        dropout: probability of dropping attention weights while training. Default: 0.
        bias: whether the projections have biases. Default: True.
        add_bias_kv: append a learnable key and value to every sequence. Default: False.
        add_zero_attn: append a key and value of zeros, so that a head can attend to nothing.
            Default: False.
        kdim, vdim: number of features of keys and values. Default: None, `embed_dim`.
        batch_first: whether tensors are (N, L, E) instead of (L, N, E). Default: False.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Query: (L, N, embed_dim), (N, L, embed_dim) with batch_first, or (L, embed_dim) without a
          batch.
        - Key, value: the same with their own length S and features kdim, vdim.
        - Output: the shape of the query; and the weights, (N, L, S), (N, num_heads, L, S) or
          without N, or None.

    Attributes:
        in_proj_weight: (3 * embed_dim, embed_dim), the projections of Q, K and V; None if kdim or
            vdim differ, then q_proj_weight, k_proj_weight and v_proj_weight hold them.
        in_proj_bias: (3 * embed_dim,), at first 0.
        out_proj: Linear, the projection of the output.
        bias_k, bias_v: (1, 1, embed_dim), only with add_bias_kv.

    Example:
        >>> attention = nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
        >>> x = torch.ones(3, 5, 8)  # batch of 3, 5 positions
        >>> output, weights = attention(x, x, x)
        >>> output.shape, weights.shape
        (torch.Size([3, 5, 8]), torch.Size([3, 5, 5]))
        >>> weights[0, 0]  # equal keys get equal weights
        tensor([0.2000, 0.2000, 0.2000, 0.2000, 0.2000], grad_fn=<SelectBackward0>)
        >>> causal = torch.ones(5, 5, dtype=torch.bool).triu(1)  # True hides what comes later
        >>> attention(x, x, x, attn_mask=causal)[1][0, 1]
        tensor([0.5000, 0.5000, 0.0000, 0.0000, 0.0000], grad_fn=<SelectBackward0>)
    """

    __constants__ = ["batch_first"]

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None,
                 batch_first=False, device=None, dtype=None):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} "
                             "instead")
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")

        def fresh(*shape):
            return Parameter(empty(shape, device=device, dtype=dtype))

        if self._qkv_same_embed_dim:
            self.in_proj_weight = fresh(3 * embed_dim, embed_dim)
            for name in "qkv":
                self.register_parameter(f"{name}_proj_weight", None)
        else:
            for name, width in zip("qkv", (embed_dim, self.kdim, self.vdim)):
                setattr(self, f"{name}_proj_weight", fresh(embed_dim, width))
            self.register_parameter("in_proj_weight", None)
        self.register_parameter("in_proj_bias", fresh(3 * embed_dim) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        if add_bias_kv:
            self.bias_k, self.bias_v = fresh(1, 1, embed_dim), fresh(1, 1, embed_dim)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        whole = self.in_proj_weight
        for weight in (whole,) if self._qkv_same_embed_dim else (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            constant_(self.in_proj_bias, 0.0)
            constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                xavier_normal_(bias)

    def __setstate__(self, state):
        state.setdefault("_qkv_same_embed_dim", True)
        super().__setstate__(state)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True,
                is_causal=False):
        """Attend from `query` to `key` and `value`.

        A bool mask hides the positions that are True; a floating-point mask is added to the scores.

        Args:
            query, key, value: see the class.
            key_padding_mask: (N, S), or (S,) without a batch: keys that no query may attend to.
                Default: None.
            need_weights: whether to return the weights; False is faster. Default: True.
            attn_mask: (L, S), or (N * num_heads, L, S): which query may see which key. Default:
                None.
            average_attn_weights: return the mean of the weights over the heads instead of all.
                Default: True.
            is_causal: whether `attn_mask` is the causal mask, which lets a faster kernel run; the
                mask must still be given. Default: False.

        Returns the pair (output, weights or None).
        """
        key_padding_mask = canonical_mask(key_padding_mask, "key_padding_mask", None if attn_mask is None else attn_mask.dtype,
                                          "attn_mask", query.dtype)
        attn_mask = canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, check_other=False)
        transposed = self.batch_first and query.dim() == 3
        if transposed:  # equal inputs stay the same object, so that one product can project them all
            given, (query, key, value) = (query, key, value), (t.transpose(1, 0) for t in (query, key, value))
            value = key if given[1] is given[2] else value
            query = key if given[0] is given[1] else query
        apart = {} if self._qkv_same_embed_dim else dict(
            use_separate_proj_weight=True, q_proj_weight=self.q_proj_weight, k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight)
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k, self.bias_v,
            self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, training=self.training,
            key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask,
            average_attn_weights=average_attn_weights, is_causal=is_causal, **apart)
        return output.transpose(1, 0) if transposed else output, weights

    def merge_masks(self, attn_mask, key_padding_mask, query):
        """Combine the two masks of a call into one.

        Returns (mask, kind): the mask, (N, num_heads, L, L), and 0 if it comes from `attn_mask`, 1 from
        `key_padding_mask`, 2 from both; (None, None) without masks.

        Args:
            attn_mask, key_padding_mask: the floating masks of `forward`, or None.
            query: (N, L, E), for the sizes.
        """
        if attn_mask is None:
            return key_padding_mask, None if key_padding_mask is None else 1
        batch, length, _ = query.shape
        merged = attn_mask.view(batch, -1, length, length) if attn_mask.dim() == 3 else attn_mask.view(1, 1, length, length)
        merged = merged.expand(batch, self.num_heads, -1, -1)
        if key_padding_mask is None:
            return merged, 0
        return merged + key_padding_mask.view(batch, 1, 1, length).expand(-1, self.num_heads, -1, -1), 2
