# SPDX-License-Identifier: BSD-3-Clause
"""Instance normalisation."""
import warnings

from .. import functional as F
from .batchnorm import _LazyNormBase, _NormBase

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d"]


class _InstanceNorm(_NormBase):
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
    """Normalises each channel of each (C, L).

        >>> nn.InstanceNorm1d(3)(torch.randn(2, 3, 4)).shape
        torch.Size([2, 3, 4])
    """

    _dims = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Normalises each channel of each (C, H, W).

        >>> nn.InstanceNorm2d(3, affine=True, track_running_stats=True)(torch.randn(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
    """

    _dims = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Normalises each channel of each (C, D, H, W).

        >>> nn.InstanceNorm3d(2)(torch.randn(1, 2, 3, 2, 2)).shape
        torch.Size([1, 2, 3, 2, 2])
    """

    _dims = (4, 5)


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm1d that learns num_features.

        >>> nn.LazyInstanceNorm1d()(torch.randn(2, 3, 4)).shape
        torch.Size([2, 3, 4])
    """

    cls_to_become, _dims = InstanceNorm1d, InstanceNorm1d._dims


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm2d that learns num_features.

        >>> nn.LazyInstanceNorm2d()(torch.randn(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
    """

    cls_to_become, _dims = InstanceNorm2d, InstanceNorm2d._dims


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm3d that learns num_features.

        >>> nn.LazyInstanceNorm3d()(torch.randn(1, 2, 3, 2, 2)).shape
        torch.Size([1, 2, 3, 2, 2])
    """

    cls_to_become, _dims = InstanceNorm3d, InstanceNorm3d._dims
