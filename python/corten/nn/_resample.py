# SPDX-License-Identifier: BSD-3-Clause
"""interpolate of nn.functional, its deprecated names, and affine_grid, with PyTorch's errors."""
import warnings

from .. import _C

_rows = _C._submodules["nn.functional"]
_DIMS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
__all__ = ["affine_grid", "interpolate", "upsample", "upsample_bilinear", "upsample_nearest"]


def _listed(value, input, what, letter):
    """Return one number for each spatial dimension; raise ValueError if a list has the wrong length."""
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
    """Resize sequences, images or volumes by interpolation.

    Give either the new size or a factor. "nearest" picks the element at floor(i / factor), a rule
    is slightly off centre and kept for old models; "nearest-exact" picks the nearest centre,
    as image libraries do. "area" averages the elements that each output element covers, so it suits
    shrinking. "bicubic" can overshoot the input's range.

    Args:
        input: (N, C, L), (N, C, H, W) or (N, C, D, H, W).
        size: the new spatial size, an int or one int per spatial dimension. Default: None.
        scale_factor: factor of the spatial sizes, a number or one per dimension; results are
            rounded down. Default: None.
        mode: "nearest", "nearest-exact" or "area"; "linear" for (N, C, L); "bilinear", "bicubic" or
            "lanczos" for (N, C, H, W); "trilinear" for (N, C, D, H, W). Default: "nearest".
        align_corners: for linear modes and bicubic. True puts the centres of the corner elements of
            input and output on top of each other; False aligns their outer edges. Default: None,
            which is False.
        recompute_scale_factor: compute the factor anew from the rounded output size, instead of
            using it as given. Default: None, as given.
        antialias: smooth before shrinking, so that fine patterns do not turn into coarse ones; for
            "bilinear", "bicubic" and "lanczos", which needs it. Default: False.

    Example:
        >>> x = torch.tensor([[[1., 2., 3., 4.]]])
        >>> nn.functional.interpolate(x, size=2)
        tensor([[[1., 3.]]])
        >>> nn.functional.interpolate(x, size=2, mode="area")
        tensor([[[1.5000, 3.5000]]])
        >>> nn.functional.interpolate(x, scale_factor=2, mode="linear", align_corners=False)
        tensor([[[1.0000, 1.2500, 1.7500, 2.2500, 2.7500, 3.2500, 3.7500, 4.0000]]])
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
    """Deprecated name of `interpolate`; calling it warns.

    Args:
        input, size, scale_factor, mode, align_corners: as for `interpolate`.
    """
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """Deprecated form of `interpolate` with mode="nearest"; calling it warns.

    Args:
        input, size, scale_factor: as for `interpolate`.
    """
    warnings.warn("`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """Deprecated form of `interpolate` with mode="bilinear" and align_corners=True; calling it warns.

    Args:
        input: (N, C, H, W).
        size, scale_factor: as for `interpolate`.
    """
    warnings.warn("`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def affine_grid(theta, size, align_corners=None):
    """Return the sampling positions to which an affine map sends the output's pixels.

        grid[n, i, j] = theta[n] @ (x of column j, y of row i, 1)

    Positions run from -1 to 1 over the image. With `grid_sample` it rotates, scales and shifts
    images, as spatial transformers do (Jaderberg et al., 2015).

    Args:
        theta: (N, 2, 3) matrices for images, (N, 3, 4) for volumes.
        size: size of the output, (N, C, H, W) or (N, C, D, H, W).
        align_corners: whether -1 and 1 are the centres of the corner pixels instead of their outer
            edges. Use the same in `grid_sample`. Default: None, which is False with a warning.

    Example:
        >>> identity = torch.tensor([[[1., 0., 0.], [0., 1., 0.]]])
        >>> nn.functional.affine_grid(identity, (1, 1, 2, 2), align_corners=True)
        tensor([[[[-1., -1.],
                  [ 1., -1.]],
        <BLANKLINE>
                 [[-1.,  1.],
                  [ 1.,  1.]]]])
        >>> mirrored = torch.tensor([[[-1., 0., 0.], [0., 1., 0.]]])
        >>> image, grid = torch.tensor([[[[1., 2.], [3., 4.]]]]), nn.functional.affine_grid(mirrored, (1, 1, 2, 2), align_corners=False)
        >>> nn.functional.grid_sample(image, grid, align_corners=False)
        tensor([[[[2., 1.],
                  [4., 3.]]]])
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
