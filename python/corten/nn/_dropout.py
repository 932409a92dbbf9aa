# SPDX-License-Identifier: BSD-3-Clause
"""The dropout functions of nn.functional, with PyTorch's checks and warnings."""
import warnings

from .. import _C

__all__ = ["alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]


def _drop(name, input, p, training, inplace):
    """Call a dropout operation or its in-place form; raise ValueError for an invalid probability."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return getattr(_C, name + "_" * inplace)(input, p, training)


def dropout(input, p=0.5, training=True, inplace=False):
    """Set elements to zero at random, each with probability p.

    What remains is multiplied by 1 / (1 - p), so the expected value does not change. Mind the
    default training=True: pass `self.training`, or use the layer nn.Dropout, which does.

    Args:
        input: any shape.
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        training: whether to drop at all; False returns the input. Default: True.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> x = torch.ones(1000)
        >>> nn.functional.dropout(x, 0.5).unique()  # dropped, or doubled
        tensor([0., 2.])
        >>> nn.functional.dropout(torch.ones(3), training=False)
        tensor([1., 1., 1.])
    """
    return _drop("dropout", input, p, training, inplace)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that preserves mean 0 and variance 1, for networks with SELU (Klambauer et al., 2017).

    The layer nn.AlphaDropout has the formula.

    Args:
        input: any shape.
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        training: whether to drop at all; False returns the input. Default: False, unlike `dropout`.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> nn.functional.alpha_dropout(torch.zeros(1000), 0.5, training=True).unique()
        tensor([-0.7792,  0.7792])
    """
    return _drop("alpha_dropout", input, p, training, inplace)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """alpha_dropout of whole channels: all elements of a channel are dropped together.

    The layer is nn.FeatureAlphaDropout.

    Args:
        input: (N, C, ...).
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        training: whether to drop at all; False returns the input. Default: False, unlike `dropout`.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> y = nn.functional.feature_alpha_dropout(torch.zeros(100, 8, 2), 0.5, training=True)
        >>> bool((y[..., 0] == y[..., 1]).all())
        True
    """
    return _drop("feature_alpha_dropout", input, p, training, inplace)


def _batched(input, batched, p, training, inplace):
    """Drop channels; an input without a batch dimension gets one temporarily."""
    whole = input if batched else input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop("feature_dropout", whole, p, training, inplace)
    return result if batched else result.squeeze_(0) if inplace else result.squeeze(0)


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Set whole channels of sequences to zero at random, each with probability p.

    What remains is multiplied by 1 / (1 - p), so the expected value does not change. The layer is
    nn.Dropout1d.

    Args:
        input: (N, C, L) or (C, L); others raise RuntimeError.
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        training: whether to drop at all; False returns the input. Default: True.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> y = nn.functional.dropout1d(torch.ones(100, 8, 2), 0.5)
        >>> bool((y[..., 0] == y[..., 1]).all()), y.unique().tolist()
        (True, [0.0, 2.0])
    """
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    dims = input.dim()
    if dims not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {dims}D input. Note that dropout1d exists to provide "
            "channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch "
            "dimension (i.e. 2D or 3D inputs).")
    return _batched(input, dims == 3, p, training, inplace)


def _warn_of_dims(name, dims, spatial, batch):
    """Warn like PyTorch about an input with an unexpected number of dimensions."""
    warnings.warn(
        f"{name}: Received a {dims}-D input to {name}, which is deprecated and will result in an error in a future "
        f"release. To retain the behavior and silence this warning, please use dropout instead. Note that {name} "
        f"exists to provide channel-wise dropout on inputs with {spatial} spatial dimensions, a channel dimension, "
        f"and an optional batch dimension (i.e. {batch} inputs).", stacklevel=3)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Set whole channels of images to zero at random, each with probability p.

    What remains is multiplied by 1 / (1 - p), so the expected value does not change. The layer is
    nn.Dropout2d.

    Args:
        input: (N, C, H, W). 3 dimensions are taken as (N, C, L) and warn, other numbers warn, too.
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        training: whether to drop at all; False returns the input. Default: True.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> y = nn.functional.dropout2d(torch.ones(100, 8, 2, 2), 0.5)
        >>> bool((y[..., :1, :1] == y).all()), y.unique().tolist()
        (True, [0.0, 2.0])
    """
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    dims = input.dim()
    if dims not in (3, 4):
        _warn_of_dims("dropout2d", dims, 2, "3D or 4D")
    if dims == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is "
            "desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will "
            "change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H, "
            "W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead.",
            stacklevel=2)
    return _drop("feature_dropout", input, p, training, inplace)


def dropout3d(input, p=0.5, training=True, inplace=False):
    """Set whole channels of volumes to zero at random, each with probability p.

    What remains is multiplied by 1 / (1 - p), so the expected value does not change. The layer is
    nn.Dropout3d.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W); others warn.
        p: probability of being dropped, from 0 to 1, otherwise ValueError. Default: 0.5.
        training: whether to drop at all; False returns the input. Default: True.
        inplace: overwrite `input` and return it. Default: False.

    Example:
        >>> y = nn.functional.dropout3d(torch.ones(50, 8, 2, 2, 2), 0.5)
        >>> bool((y[..., :1, :1, :1] == y).all()), y.unique().tolist()
        (True, [0.0, 2.0])
    """
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    dims = input.dim()
    if dims not in (4, 5):
        _warn_of_dims("dropout3d", dims, 3, "4D or 5D")
    return _batched(input, dims == 5, p, training, inplace)
