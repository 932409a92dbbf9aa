# SPDX-License-Identifier: BSD-3-Clause
"""The dropout functions of nn.functional: which row, and what PyTorch says of odd arguments."""
import warnings

from .. import _C

__all__ = ["alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]


def _drop(name, input, p, training, inplace):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return getattr(_C, name + "_" * inplace)(input, p, training)


def dropout(input, p=0.5, training=True, inplace=False):
    """Sets elements to 0 with probability `p` and scales the others, while training.

        >>> nn.functional.dropout(torch.tensor([-1., 0., 2.]))
        tensor([-0., 0., 4.])
    """
    return _drop("dropout", input, p, training, inplace)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that keeps mean and variance of what SELU makes.

        >>> nn.functional.alpha_dropout(torch.tensor([-1., 0., 2.]))
        tensor([-1.,  0.,  2.])
    """
    return _drop("alpha_dropout", input, p, training, inplace)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Alpha dropout of whole channels.

        >>> nn.functional.feature_alpha_dropout(torch.tensor([-1., 0., 2.]))
        tensor([-1.,  0.,  2.])
    """
    return _drop("feature_alpha_dropout", input, p, training, inplace)


def _batched(input, batched, p, training, inplace):
    """Dropout of channels; an input without a batch gets one for the time being."""
    whole = input if batched else input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _drop("feature_dropout", whole, p, training, inplace)
    return result if batched else result.squeeze_(0) if inplace else result.squeeze(0)


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Sets whole channels of (N, C, L) or (C, L) to 0 with probability `p`, while training.

        >>> torch.nn.functional.dropout1d(torch.ones(2, 2), 0.5, training=False)
        tensor([[1., 1.],
                [1., 1.]])
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
    warnings.warn(
        f"{name}: Received a {dims}-D input to {name}, which is deprecated and will result in an error in a future "
        f"release. To retain the behavior and silence this warning, please use dropout instead. Note that {name} "
        f"exists to provide channel-wise dropout on inputs with {spatial} spatial dimensions, a channel dimension, "
        f"and an optional batch dimension (i.e. {batch} inputs).", stacklevel=3)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Sets whole channels of (N, C, H, W) to 0 with probability `p`, while training.

        >>> nn.functional.dropout2d(torch.tensor([-1., 0., 2.]), 0)
        tensor([-1.,  0.,  2.])
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
    """Sets whole channels of (N, C, D, H, W) or (C, D, H, W) to 0 with probability `p`, while training.

        >>> nn.functional.dropout3d(torch.tensor([-1., 0., 2.]))
        tensor([-0., 0., 4.])
    """
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    dims = input.dim()
    if dims not in (4, 5):
        _warn_of_dims("dropout3d", dims, 3, "4D or 5D")
    return _batched(input, dims == 5, p, training, inplace)
