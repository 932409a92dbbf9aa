# SPDX-License-Identifier: BSD-3-Clause
"""nn.functional.linear_cross_entropy: a linear layer and the cross entropy of its scores.

With `options` the work is done in chunks of rows, by _linear_cross_entropy_chunks.py.
"""
import warnings

from .. import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["linear_cross_entropy"]


def _is_chunked(input, linear_weight, target, linear_bias, reduction, label_smoothing):
    """Return whether `options` can be used with these arguments; warn, as PyTorch does, if they cannot."""
    classes, shape = linear_weight.shape[0], tuple(linear_weight.shape[1:-1])
    probabilities = (target.shape == (*input.shape[:-1], classes, *shape) and target.dtype == input.dtype
                     and not (target.requires_grad and _C.is_grad_enabled()))
    if reduction in ("mean", "sum", "none") and label_smoothing == 0 and not shape and (target.dtype == _C.int64 or probabilities):
        return True
    warnings.warn(
        "linear_cross_entropy: ``options`` ignored; chunked path needs reduction in {'mean','sum','none'}, label_smoothing == 0, "
        "target.dtype == int64 (or a probability target with dtype matching input and requires_grad == False), out_features == ()."
        f" Got reduction={reduction!r}, label_smoothing={label_smoothing}, target.dtype={target.dtype}, out_features={shape}"
        f", tracing=False, target.requires_grad={target.requires_grad}, linear_bias.shape="
        f"{None if linear_bias is None else tuple(linear_bias.shape)}.", stacklevel=3)
    return False


def _check(input, linear_weight, linear_bias):
    if input.dim() not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}")
    if input.shape[-1] != linear_weight.shape[-1]:
        raise RuntimeError("expected equal input and linear_weight last dimensions (in_features), "
                           f"got {input.shape[-1]} and {linear_weight.shape[-1]}, respectively")
    shape = tuple(linear_weight.shape[:-1])
    if linear_bias is not None and tuple(linear_bias.shape) != shape:
        raise RuntimeError(f"expected linear_bias shape {shape}, got {tuple(linear_bias.shape)}")
    if len(shape) > 1 and input.dim() == 1:
        raise RuntimeError(f"K-dimensional loss defined by linear_weight shape {tuple(linear_weight.shape)} requires batched input, "
                           f"(N, {input.shape[-1]}), got unbatched input with shape {tuple(input.shape)}")


def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean", ignore_index=None,
                         label_smoothing=0.0, options=None):
    """Cross entropy of the scores of a linear layer, optionally a few rows at a time.

        loss = cross_entropy(linear(input, linear_weight, linear_bias), target)

    With `options` the scores of a chunk of rows are computed, used and freed before the next chunk,
    which saves memory where classes are many. The layer is nn.LinearCrossEntropyLoss.

    Args:
        input: (N, in_features), or (in_features,) for one row.
        linear_weight: (C, in_features), or (C, d1, ..., in_features) for d1 * ... predictions per
            row.
        target: class indices (N, d1, ...), or probabilities (N, C, d1, ...).
        linear_bias: the shape of `linear_weight` without its last dimension. Default: None.
        weight: (C,), the importance of each class. Default: None, all 1.
        reduction: "none", "sum" or "mean". Default: "mean".
        ignore_index: class index of rows that do not count; not for probabilities. Default: None,
            which is -100.
        label_smoothing: from 0 to 1, as in `cross_entropy`. Default: 0.
        options: a LinearCrossEntropyOptions. The gradients are then computed in forward, and one
            backward uses them up. Combinations that cannot be chunked warn and run at once.
            Default: None.

    Example:
        >>> x, w = torch.eye(2), torch.tensor([[1., 0.], [0., 1.], [0., 0.]])
        >>> nn.functional.linear_cross_entropy(x, w, torch.tensor([0, 2]))
        tensor(1.0514)
        >>> options = nn.LinearCrossEntropyOptions(batch_chunk_size=1)
        >>> nn.functional.linear_cross_entropy(x, w, torch.tensor([0, 2]), options=options)
        tensor(1.0514)
    """
    _check(input, linear_weight, linear_bias)
    scores = (*input.shape[:-1], *linear_weight.shape[:-1])
    if ignore_index is not None and tuple(target.shape) == scores:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    ignore_index = -100 if ignore_index is None else ignore_index
    if options is not None and _is_chunked(input, linear_weight, target, linear_bias, reduction, label_smoothing):
        from ._linear_cross_entropy_chunks import by_chunks
        return by_chunks(input, linear_weight, target, linear_bias, weight, reduction, ignore_index, options)
    flat_bias = None if linear_bias is None else linear_bias.reshape(-1)
    logits = _rows.linear(input, linear_weight.reshape(-1, linear_weight.shape[-1]), flat_bias).reshape(scores)
    return _rows.cross_entropy(logits, target, weight, ignore_index=ignore_index, reduction=reduction,
                               label_smoothing=label_smoothing)
