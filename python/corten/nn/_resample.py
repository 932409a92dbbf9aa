# SPDX-License-Identifier: BSD-3-Clause
"""`interpolate` of nn.functional and its older names: arguments in one form, and what PyTorch
says of those that do not fit."""
import warnings

from .. import _C

_rows = _C._submodules["nn.functional"]
_DIMS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
__all__ = ["affine_grid", "interpolate", "upsample", "upsample_bilinear", "upsample_nearest"]


def _listed(value, input, what, letter):
    """One number for each of the last dims."""
    dims = input.dim() - 2
    if not isinstance(value, (list, tuple)):
        return [value] * dims
    if len(value) != dims:
        shown = "scale_factor of shape" if what == "scale_factor" else "output size of"
        raise ValueError(
            f"Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of "
            f"{list(input.shape[2:])} and {shown} {value}. Please provide input tensor in (N, C, d1, d2, ...,dK) format "
            f"and {what} in ({letter}1, {letter}2, ...,{letter}K) format.")
    return list(value)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None,
                antialias=False):
    """The last dims in another size.

        >>> nn.functional.interpolate(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 0.,  2.],
                 [ 4.,  6.],
                 [ 8., 10.],
                 [12., 14.]]])
    """
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | "
                             "bicubic | trilinear")
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    dims = input.dim()
    if size is not None:
        size = _listed(size, input, "output size", "o")
    else:
        scale_factor = [float(s) for s in _listed(scale_factor, input, "scale_factor", "s")]
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and dims == 4):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as "
                         "input")
    if mode == "lanczos" and dims == 4 and (align_corners or not antialias):
        raise ValueError("Lanczos mode does not support align_corners=True" if antialias else "Lanczos mode requires antialias=True")
    needed = _DIMS.get(mode)
    if needed and 3 <= dims <= 5 and needed != dims and mode != "bicubic":
        raise NotImplementedError(f"Got {dims}D input, but {mode} mode needs {needed}D input")
    return _rows.interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """`interpolate` under its older name.

        >>> nn.functional.upsample(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 0.,  2.],
                 [ 4.,  6.],
                 [ 8., 10.],
                 [12., 14.]]])
    """
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """Interpolation by the nearest element.

        >>> nn.functional.upsample_nearest(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 0.,  2.],
                 [ 4.,  6.],
                 [ 8., 10.],
                 [12., 14.]]])
    """
    warnings.warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """Interpolation between corners that are aligned.

        >>> nn.functional.upsample_bilinear(torch.ones(1, 1, 2, 2), scale_factor=2).shape
        torch.Size([1, 1, 4, 4])
    """
    warnings.warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def affine_grid(theta, size, align_corners=None):
    """The grid of places that an affine map makes of a regular one.

        >>> nn.functional.affine_grid(torch.eye(2, 3).unsqueeze(0), (1, 2, 2, 2)).shape
        torch.Size([1, 2, 2, 2])
    """
    if len(size) not in (4, 5):
        raise NotImplementedError("affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
                                  f"respectively. Got size {size}.")
    dims = len(size) - 2
    if theta.is_floating_point() and tuple(theta.shape[1:]) != (dims, dims + 1):
        raise ValueError(f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size {size}. "
                         f"Got {theta.shape}.")
    if theta.is_floating_point() and min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return _rows.affine_grid(theta, size, align_corners)
