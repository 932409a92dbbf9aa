# SPDX-License-Identifier: BSD-3-Clause
"""Instance normalisation for sequences, images and volumes, and its lazy forms."""
import warnings

from .. import functional as F
from .batchnorm import _LazyNormBase, _NormBase

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d"]


class _InstanceNorm(_NormBase):
    """Instance normalisation for any number of dimensions; subclasses set the accepted ones (`_dims`)."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, *,
                 bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _get_no_batch_dim(self):
        return self._dims[0]

    def _apply_instance_norm(self, input):
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
                               self.training or not self.track_running_stats, 0.0 if self.momentum is None else self.momentum,
                               self.eps)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        if local_metadata.get("version") is None and not self.track_running_stats:
            keys = [prefix + name for name in ("running_mean", "running_var") if prefix + name in state_dict]
            if keys:
                names, kind = " and ".join(f'"{key}"' for key in keys), type(self).__name__
                error_msgs.append(
                    f"Unexpected running stats buffer(s) {names} for {kind} with track_running_stats=False. If state_dict is a "
                    f"checkpoint saved before 0.4.0, this may be expected because {kind} does not track running stats by default "
                    "since 0.4.0. Please remove these keys from state_dict. If the running stats are actually needed, instead "
                    f"set track_running_stats=True in {kind} to enable them. See the documentation of {kind} for details.")
            for key in keys:
                state_dict.pop(key)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)

    def forward(self, input):
        """Normalise each channel of each example; an input without a batch dimension counts as one example."""
        self._check_input_dim(input)
        dim = input.dim() - self._get_no_batch_dim()
        if input.size(dim) != self.num_features:
            if self.affine:
                raise ValueError(f"expected input's size at dim={dim} to match num_features ({self.num_features}), but got: "
                                 f"{input.size(dim)}.")
            warnings.warn(f"input's size at dim={dim} does not match num_features. You can silence this warning by not passing in "
                          "num_features, which is not used because affine=False", stacklevel=2)
        if dim == 0:
            return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_instance_norm(input)


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of each sequence over its length.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    Mean and variance are those of one channel of one example, in training and evaluation alike, so
    examples do not influence each other. Style transfer uses it to remove contrast. (Ulyanov et
    al., 2016.) With track_running_stats=True evaluation uses running averages instead, as BatchNorm
    does.

    A single spatial element raises ValueError: its variance would be 0. If `num_features` does not
    match the input, a layer with affine=False only warns.

    Args:
        num_features: number of channels, C.
        eps: added to the variance, so that constant channels do not divide by zero. Default: 1e-5.
        momentum: weight of a new batch in the running averages. Default: 0.1.
        affine: whether to learn a scale and a shift for each channel. Default: False, unlike
            BatchNorm.
        track_running_stats: whether to keep running averages for evaluation. Default: False, unlike
            BatchNorm.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.
        bias: with affine=True, whether there is a shift. Default: True.

    Shape:
        - Input: (N, C, L) or (C, L).
        - Output: the same shape.

    Example:
        >>> x = torch.tensor([[[1., 3.], [10., 30.]]])  # one sequence, two channels
        >>> nn.InstanceNorm1d(2)(x).round(decimals=3)
        tensor([[[-1.,  1.],
                 [-1.,  1.]]])
    """

    _dims = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of each image over its pixels.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    Mean and variance are those of one channel of one example, in training and evaluation alike, so
    examples do not influence each other. Style transfer uses it to remove contrast. (Ulyanov et
    al., 2016.) With track_running_stats=True evaluation uses running averages instead, as BatchNorm
    does.

    A single spatial element raises ValueError: its variance would be 0. If `num_features` does not
    match the input, a layer with affine=False only warns.

    Args:
        num_features: number of channels, C.
        eps: added to the variance, so that constant channels do not divide by zero. Default: 1e-5.
        momentum: weight of a new batch in the running averages. Default: 0.1.
        affine: whether to learn a scale and a shift for each channel. Default: False, unlike
            BatchNorm.
        track_running_stats: whether to keep running averages for evaluation. Default: False, unlike
            BatchNorm.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.
        bias: with affine=True, whether there is a shift. Default: True.

    Shape:
        - Input: (N, C, H, W) or (C, H, W).
        - Output: the same shape.

    Example:
        >>> y = nn.InstanceNorm2d(3)(torch.arange(24.).view(2, 3, 2, 2))
        >>> y.shape, bool((y[0] - y[1]).abs().max() < 1e-4)  # brightness is gone, contrast too
        (torch.Size([2, 3, 2, 2]), True)
    """

    _dims = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of each volume over its voxels.

        y = (x - mean) / sqrt(var + eps) * weight + bias

    Mean and variance are those of one channel of one example, in training and evaluation alike, so
    examples do not influence each other. Style transfer uses it to remove contrast. (Ulyanov et
    al., 2016.) With track_running_stats=True evaluation uses running averages instead, as BatchNorm
    does.

    A single spatial element raises ValueError: its variance would be 0. If `num_features` does not
    match the input, a layer with affine=False only warns.

    Args:
        num_features: number of channels, C.
        eps: added to the variance, so that constant channels do not divide by zero. Default: 1e-5.
        momentum: weight of a new batch in the running averages. Default: 0.1.
        affine: whether to learn a scale and a shift for each channel. Default: False, unlike
            BatchNorm.
        track_running_stats: whether to keep running averages for evaluation. Default: False, unlike
            BatchNorm.
        device, dtype: the device and dtype of parameters and buffers. Default: the
            current defaults.
        bias: with affine=True, whether there is a shift. Default: True.

    Shape:
        - Input: (N, C, D, H, W) or (C, D, H, W).
        - Output: the same shape.

    Example:
        >>> nn.InstanceNorm3d(2)(torch.arange(24.).view(1, 2, 3, 2, 2)).shape
        torch.Size([1, 2, 3, 2, 2])
    """

    _dims = (4, 5)


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm1d that takes `num_features` from its first input (dim 1).

    The first call creates the parameters and buffers that the options ask for, and the module
    becomes a plain InstanceNorm1d. Run one dummy batch before you make an optimizer.

    Args:
        eps, momentum, affine, track_running_stats, device, dtype, bias: those of InstanceNorm1d,
            with the same defaults, except that affine and track_running_stats are True.

    Shape:
        As InstanceNorm1d.

    Example:
        >>> layer = nn.LazyInstanceNorm1d()
        >>> layer(torch.ones(2, 3, 4)).shape
        torch.Size([2, 3, 4])
        >>> layer
        InstanceNorm1d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    cls_to_become, _dims = InstanceNorm1d, InstanceNorm1d._dims


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm2d that takes `num_features` from its first input (dim 1).

    The first call creates the parameters and buffers that the options ask for, and the module
    becomes a plain InstanceNorm2d. Run one dummy batch before you make an optimizer.

    Args:
        eps, momentum, affine, track_running_stats, device, dtype, bias: those of InstanceNorm2d,
            with the same defaults, except that affine and track_running_stats are True.

    Shape:
        As InstanceNorm2d.

    Example:
        >>> layer = nn.LazyInstanceNorm2d()
        >>> layer(torch.ones(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
        >>> layer
        InstanceNorm2d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    cls_to_become, _dims = InstanceNorm2d, InstanceNorm2d._dims


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm3d that takes `num_features` from its first input (dim 1).

    The first call creates the parameters and buffers that the options ask for, and the module
    becomes a plain InstanceNorm3d. Run one dummy batch before you make an optimizer.

    Args:
        eps, momentum, affine, track_running_stats, device, dtype, bias: those of InstanceNorm3d,
            with the same defaults, except that affine and track_running_stats are True.

    Shape:
        As InstanceNorm3d.

    Example:
        >>> layer = nn.LazyInstanceNorm3d()
        >>> layer(torch.ones(1, 2, 3, 2, 2)).shape
        torch.Size([1, 2, 3, 2, 2])
        >>> layer
        InstanceNorm3d(2, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    cls_to_become, _dims = InstanceNorm3d, InstanceNorm3d._dims
