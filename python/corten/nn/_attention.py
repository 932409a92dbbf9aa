# SPDX-License-Identifier: BSD-3-Clause
"""Multi-head attention as a function: projections, masks and weights around scaled_dot_product_attention."""
import math
import warnings

from .. import baddbmm, bmm, bool as truth, cat, is_floating_point, zeros, zeros_like
from .._C import _submodules, dropout, softmax

__all__ = ["multi_head_attention_forward"]
linear = _submodules["nn.functional"].linear
attend = _submodules["nn.functional"].scaled_dot_product_attention
pad = _submodules["nn.functional"].pad


def _check(found, wanted, text):
    """Raise AssertionError with this message unless both values are equal."""
    if found != wanted:
        raise AssertionError(text)


def shape_check(query, key, value, key_padding_mask, attn_mask, num_heads):
    """Return whether the inputs have a batch dimension; raise AssertionError if the tensors disagree."""
    dims = query.dim()
    if dims not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor")
    kind = "batched (3-D)" if dims == 3 else "unbatched (2-D)"
    if key.dim() != dims or value.dim() != dims:
        raise AssertionError(f"For {kind} `query`, expected `key` and `value` to be {dims}-D but found {key.dim()}-D and "
                             f"{value.dim()}-D tensors respectively")
    if key_padding_mask is not None and key_padding_mask.dim() != dims - 1:
        raise AssertionError(f"For {kind} `query`, expected `key_padding_mask` to be `None` or {dims - 1}-D but found "
                             f"{key_padding_mask.dim()}-D tensor instead")
    if attn_mask is not None:
        if attn_mask.dim() not in (2, 3):
            raise AssertionError(f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D "
                                 "tensor instead")
        if dims == 2 and attn_mask.dim() == 3:
            wanted = (num_heads, query.shape[0], key.shape[0])
            _check(tuple(attn_mask.shape), wanted, f"Expected `attn_mask` shape to be {wanted} but got {attn_mask.shape}")
    return dims == 3


def canonical_mask(mask, mask_name, other_type, other_name, target_type, check_other=True):
    """Convert a mask to numbers to add to the scores: True becomes -inf, False 0. Floating-point masks are returned unchanged."""
    if mask is None:
        return None
    floating = is_floating_point(mask)
    if mask.dtype is not truth and not floating:
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead.", stacklevel=3)
    if floating:
        return mask
    return zeros_like(mask, dtype=target_type).masked_fill_(mask, float("-inf"))


def _project_packed(q, k, v, w, b):
    """Project q, k and v with one packed weight; inputs that are the same object share a product."""
    width = q.size(-1)
    if k is v and q is k:
        return linear(q, w, b).unflatten(-1, (3, width)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous().unbind(0)
    if k is v:
        w_q, w_kv = w.split([width, width * 2])
        b_q, b_kv = (None, None) if b is None else b.split([width, width * 2])
        both = linear(k, w_kv, b_kv).unflatten(-1, (2, width)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        return linear(q, w_q, b_q), both[0], both[1]
    biases = (None,) * 3 if b is None else b.chunk(3)
    return tuple(linear(x, part, bias) for x, part, bias in zip((q, k, v), w.chunk(3), biases))


def _project_apart(tensors, weights, bias, embed_dim):
    """Project q, k and v with a separate weight for each."""
    for name, weight in zip("qkv", weights):
        if weight is None:
            raise AssertionError(f"use_separate_proj_weight is True but {name}_proj_weight is None")
    for name, x, weight in zip(("query", "key", "value"), tensors, weights):
        wanted = (embed_dim, x.size(-1))
        _check(tuple(weight.shape), wanted, f"expecting {name} weights shape of {wanted}, but got {weight.shape}")
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return tuple(linear(x, weight, b) for x, weight, b in zip(tensors, weights, biases))


def _check_mask(attn_mask, batch, num_heads, tgt_len, src_len):
    """Return the attention mask with three dimensions; raise RuntimeError if its shape is wrong."""
    if attn_mask.dim() not in (2, 3):
        raise RuntimeError(f"attn_mask's dimension {attn_mask.dim()} is not supported")
    dims = attn_mask.dim()
    wanted = (tgt_len, src_len) if dims == 2 else (batch * num_heads, tgt_len, src_len)
    if tuple(attn_mask.shape) != wanted:
        raise RuntimeError(f"The shape of the {dims}D attn_mask is {attn_mask.shape}, but should be {wanted}.")
    return attn_mask.unsqueeze(0) if dims == 2 else attn_mask


def _heads(x, static, name, batch, num_heads, head_dim):
    """Split a projected tensor into heads: (batch * heads, length, head_dim). A static key or value, if given, is returned instead."""
    if static is None:
        return x.view(x.shape[0], batch * num_heads, head_dim).transpose(0, 1)
    _check(static.size(0), batch * num_heads, f"expecting static_{name}.size(0) of {batch * num_heads}, but got {static.size(0)}")
    _check(static.size(2), head_dim, f"expecting static_{name}.size(2) of {head_dim}, but got {static.size(2)}")
    return static


def multi_head_attention_forward(
        query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn, dropout_p,
        out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
        use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None,
        average_attn_weights=True, is_causal=False):
    """Compute multi-head attention with explicit weights; see nn.MultiheadAttention for the formula.

    A bool mask hides the positions that are True; a floating-point mask is added to the scores. Returns the pair
    (output, weights or None).

    Args:
        query, key, value: (L, N, E), (S, N, ...) and (S, N, ...), or all without N.
        embed_dim_to_check: E, which must be the query's.
        num_heads: number of heads; divides E.
        in_proj_weight: (3 * E, E), the projections of query, key and value; None with
            use_separate_proj_weight.
        in_proj_bias: (3 * E,), or None.
        bias_k, bias_v: (1, 1, E), appended to keys and values, or both None.
        add_zero_attn: append a key and value of zeros.
        dropout_p: probability of dropping weights if `training`.
        out_proj_weight, out_proj_bias: (E, E) and (E,), the projection of the output; the bias may
            be None.
        training: whether dropout acts. Default: True.
        key_padding_mask: (N, S) or (S,): keys that no query may attend to. Default: None.
        need_weights: whether to return the weights. Default: True.
        attn_mask: (L, S) or (N * num_heads, L, S). Default: None.
        use_separate_proj_weight: use the three weights that follow instead of `in_proj_weight`.
            Default: False.
        q_proj_weight, k_proj_weight, v_proj_weight: (E, features of the tensor). Default: None.
        static_k, static_v: (N * num_heads, S, E / num_heads), used instead of projected keys and
            values. Default: None.
        average_attn_weights: return the mean of the weights over the heads. Default: True.
        is_causal: whether `attn_mask` is the causal mask. Default: False.

    Example:
        >>> x, eye = torch.eye(2).unsqueeze(1), torch.eye(2)  # 2 positions, batch of 1, 2 features
        >>> output, weights = nn.functional.multi_head_attention_forward(
        ...     x, x, x, 2, 1, torch.cat([eye, eye, eye]), None, None, None, False, 0., eye, None)
        >>> weights  # softmax of [1, 0] / sqrt(2)
        tensor([[[0.6698, 0.3302],
                 [0.3302, 0.6698]]])
    """
    batched = shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        alike = key is value, query is key
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        value = key if alike[0] else value
        query = key if alike[1] else query
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    (tgt_len, batch, embed_dim), src_len = query.shape, key.shape[0]
    key_padding_mask = canonical_mask(key_padding_mask, "key_padding_mask", None if attn_mask is None else attn_mask.dtype,
                                      "attn_mask", query.dtype)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                           "`generate_square_subsequent_mask` to create this mask.")
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None  # with is_causal the mask itself is not needed
    else:
        attn_mask = canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, check_other=False)
        is_causal = is_causal and key_padding_mask is None
    _check(embed_dim, embed_dim_to_check, f"was expecting embedding dimension of {embed_dim_to_check}, but got {embed_dim}")
    head_dim = embed_dim // num_heads
    _check(head_dim * num_heads, embed_dim, f"embed_dim {embed_dim} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        _check(key.shape[:2], value.shape[:2],
               f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
        q, k, v = _project_apart((query, key, value), (q_proj_weight, k_proj_weight, v_proj_weight), in_proj_bias, embed_dim)
    else:
        _check(key.shape, value.shape, f"key shape {key.shape} does not match value shape {value.shape}")
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _project_packed(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        attn_mask = _check_mask(attn_mask, batch, num_heads, tgt_len, src_len)

    def one_key_more():
        return [None if mask is None else pad(mask, (0, 1)) for mask in (attn_mask, key_padding_mask)]

    if bias_k is not None and bias_v is not None:
        for name, static in (("key", static_k), ("value", static_v)):
            if static is not None:
                raise AssertionError(f"bias cannot be added to static {name}.")
        k, v = cat([k, bias_k.repeat(1, batch, 1)]), cat([v, bias_v.repeat(1, batch, 1)])
        attn_mask, key_padding_mask = one_key_more()
    elif bias_k is not None or bias_v is not None:
        raise AssertionError("bias_k is set but bias_v is None" if bias_v is None else "bias_v is set but bias_k is None")
    q = _heads(q, None, "q", batch, num_heads, head_dim)
    k, v = _heads(k, static_k, "k", batch, num_heads, head_dim), _heads(v, static_v, "v", batch, num_heads, head_dim)
    if add_zero_attn:
        shape = (batch * num_heads, 1, head_dim)
        k, v = (cat([t, zeros(shape, dtype=t.dtype, device=t.device)], dim=1) for t in (k, v))
        attn_mask, key_padding_mask = one_key_more()
    src_len = k.size(1)
    if key_padding_mask is not None:
        _check(tuple(key_padding_mask.shape), (batch, src_len),
               f"expecting key_padding_mask shape of {(batch, src_len)}, but got {key_padding_mask.shape}")
        spread = key_padding_mask.view(batch, 1, 1, src_len).expand(-1, num_heads, -1, -1).reshape(batch * num_heads, 1, src_len)
        attn_mask = spread if attn_mask is None else attn_mask + spread
    dropout_p = dropout_p if training else 0.0
    if need_weights:
        output, weights = _with_weights(q, k, v, attn_mask, dropout_p)
        output = output.transpose(0, 1).reshape(tgt_len * batch, embed_dim)
        weights = weights.view(batch, num_heads, tgt_len, src_len)
        weights = weights.mean(dim=1) if average_attn_weights else weights
    else:
        if attn_mask is not None:
            one = attn_mask.size(0) == 1 and attn_mask.dim() == 3
            attn_mask = attn_mask.unsqueeze(0) if one else attn_mask.view(batch, num_heads, -1, src_len)
        q, k, v = (t.view(batch, num_heads, t.size(1), head_dim) for t in (q, k, v))
        output, weights = attend(q, k, v, attn_mask, dropout_p, is_causal), None
        output = output.permute(2, 0, 1, 3).reshape(batch * tgt_len, embed_dim)
    output = linear(output, out_proj_weight, out_proj_bias)
    output = output.view(tgt_len, batch, output.size(1))
    if not batched:
        output, weights = output.squeeze(1), None if weights is None else weights.squeeze(0)
    return output, weights


def _with_weights(q, k, v, attn_mask, dropout_p):
    """Compute attention step by step, to return its weights too."""
    scaled, transposed = q * math.sqrt(1.0 / q.size(-1)), k.transpose(-2, -1)
    scores = bmm(scaled, transposed) if attn_mask is None else baddbmm(attn_mask, scaled, transposed)
    weights = softmax(scores, -1)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p, True)
    return bmm(weights, v), weights
