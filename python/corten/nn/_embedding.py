# SPDX-License-Identifier: BSD-3-Clause
"""The embedding functions of nn.functional: PyTorch's checks of the arguments, then one operation of the library."""
import warnings

from .. import _C, arange, int64, no_grad

__all__ = ["embedding", "embedding_bag"]

_MODES = {"sum": 0, "mean": 1, "max": 2}


def _renorm(weight, input, max_norm, norm_type):
    """Scale the rows that are about to be looked up so that their norm is at most `max_norm`, in place."""
    with no_grad():
        _C.embedding_renorm_(weight, input, max_norm, norm_type)


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """Look up rows of a table by their indices.

        out[...] = weight[input[...]]

    An index outside the table raises IndexError. The layer is nn.Embedding.

    Args:
        input: integers (int32 or int64) of any shape.
        weight: (num_embeddings, embedding_dim), the table.
        padding_idx: row that gets no gradient; negative counts from the end. Default: None.
        max_norm: scale used rows of `weight` to at most this norm, in place. Default: None, never.
        norm_type: exponent of that norm. Default: 2.
        scale_grad_by_freq: divide a row's gradient by how often it is used. Default: False.
        sparse: make the gradient of `weight` sparse. Default: False.

    Example:
        >>> table = torch.tensor([[0., 0.], [1., 10.], [2., 20.]])
        >>> nn.functional.embedding(torch.tensor([[2, 1]]), table)
        tensor([[[ 2., 20.],
                 [ 1., 10.]]])
    """
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.size(0)
        if padding_idx != 0 and not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx += rows if padding_idx < 0 else 0
    if max_norm is not None:
        _renorm(weight, input, max_norm, norm_type)
    return _C.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def _as_bags(input, offsets, weights):
    """Return 1-D indices, the offsets of their bags, and the weights in the same layout."""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                             f"sequences. However, found offsets of type {type(offsets)}")
        offsets = arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
        return input.reshape(-1), offsets, None if weights is None else weights.reshape(-1)
    if input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return input, offsets, weights


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False,
                  per_sample_weights=None, include_last_offset=False, padding_idx=None):
    """Look up rows of a table and reduce them bag by bag.

        out[b] = sum (or mean, or max) over i in bag b of weight[i]

    An empty bag gives zeros. The layer is nn.EmbeddingBag.

    Args:
        input: (B, N), B bags of N indices; or (N,), all indices, with `offsets`.
        weight: (num_embeddings, embedding_dim), the table.
        offsets: (B,), where each bag starts in a 1-D input. Default: None.
        max_norm: scale used rows of `weight` to at most this norm, in place. Default: None, never.
        norm_type: exponent of that norm. Default: 2.
        scale_grad_by_freq: divide a row's gradient by how often it is used. Default: False.
        mode: "sum", "mean" or "max". Default: "mean".
        sparse: make the gradient of `weight` sparse; not with mode="max". Default: False.
        per_sample_weights: a factor for each index; only with mode="sum". Default: None, all 1.
        include_last_offset: whether `offsets` ends with the number of indices. Default: False.
        padding_idx: index that does not count in its bag and gets no gradient. Default: None.

    Example:
        >>> table = torch.tensor([[1., 10.], [2., 20.], [3., 30.]])
        >>> nn.functional.embedding_bag(torch.tensor([0, 2, 1]), table, torch.tensor([0, 2]), mode="sum")
        tensor([[ 4., 40.],
                [ 2., 20.]])
        >>> nn.functional.embedding_bag(torch.tensor([[0, 2], [1, 1]]), table, mode="max")
        tensor([[ 3., 30.],
                [ 2., 20.]])
    """
    if weight.dtype == int64 and input.is_floating_point():
        warnings.warn("Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
                      "deprecated, and should now be `embedding_bag(input, weight, ...)`.", stacklevel=2)
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the "
                         f"same shape as the input ({input.shape})")
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    last = include_last_offset and input.dim() != 2
    input, offsets, per_sample_weights = _as_bags(input, offsets, per_sample_weights)
    if mode not in _MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        _renorm(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
                                  f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub.")
    return _C.embedding_bag(weight, input, offsets, scale_grad_by_freq, _MODES[mode], sparse, per_sample_weights, last,
                            padding_idx)[0]
