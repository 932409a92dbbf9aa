# SPDX-License-Identifier: BSD-3-Clause
"""The pooling functions of nn.functional: with indices or without, and sizes that are left open."""
from .. import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool1d_with_indices",
           "adaptive_max_pool2d", "adaptive_max_pool2d_with_indices", "adaptive_max_pool3d",
           "adaptive_max_pool3d_with_indices", "fractional_max_pool2d", "fractional_max_pool2d_with_indices",
           "fractional_max_pool3d", "fractional_max_pool3d_with_indices", "max_pool1d", "max_pool1d_with_indices", "max_pool2d",
           "max_pool2d_with_indices", "max_pool3d", "max_pool3d_with_indices", "max_unpool1d", "max_unpool2d", "max_unpool3d"]


def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The greatest elements of windows of the last dim, and where they are.

        >>> nn.functional.max_pool1d_with_indices(torch.arange(6.).view(1, 6), 2)
        (tensor([[1., 3., 5.]]), tensor([[1, 3, 5]]))
    """
    return _C.max_pool1d_with_indices(input, kernel_size, () if stride is None else stride, padding, dilation,
                                      ceil_mode)


def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The greatest elements of windows of the last two dims, and where they are.

        >>> nn.functional.max_pool2d_with_indices(torch.arange(16.).view(1, 4, 4), 2)
        (tensor([[[ 5.,  7.],
                 [13., 15.]]]), tensor([[[ 5,  7],
                 [13, 15]]]))
    """
    return _rows.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """The greatest elements of windows of the last three dims, and where they are."""
    return _rows.max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest elements of windows of the last dim.

        >>> nn.functional.max_pool1d(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 1.,  3.],
                 [ 5.,  7.],
                 [ 9., 11.],
                 [13., 15.]]])
    """
    if return_indices:
        return max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool1d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest elements of windows of the last two dims.

        >>> nn.functional.max_pool2d(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 5.,  7.],
                 [13., 15.]]])
    """
    if return_indices:
        return max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool2d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The greatest elements of windows of the last three dims.

        >>> nn.functional.max_pool3d(torch.randn(1, 4, 4, 4, 4), 2).shape
        torch.Size([1, 4, 2, 2, 2])
    """
    if return_indices:
        return max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool3d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def _whole(output_size, input, name, dims):
    """Sizes that are None are the input's."""
    if isinstance(output_size, int):
        return output_size
    sizes = input.size()
    if len(sizes) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    if len(output_size) != dims:
        said = f"{name}(): internal error: output_size.size()" if "max" in name else f"{name}: output_size"
        raise RuntimeError(f"{said} must be {dims}")
    return [v if v is not None else d for v, d in zip(output_size, sizes[-len(output_size):])]


def adaptive_avg_pool2d(input, output_size):
    """Averages over as many windows of the last two dims as are asked for.

        >>> nn.functional.adaptive_avg_pool2d(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 2.5000,  4.5000],
                 [10.5000, 12.5000]]])
    """
    return _rows.adaptive_avg_pool2d(input, _whole(output_size, input, "adaptive_avg_pool2d", 2))


def adaptive_avg_pool3d(input, output_size):
    """Averages over as many windows of the last three dims as are asked for.

        >>> nn.functional.adaptive_avg_pool3d(torch.randn(1, 4, 4, 4, 4), 2).shape
        torch.Size([1, 4, 2, 2, 2])
    """
    return _rows.adaptive_avg_pool3d(input, _whole(output_size, input, "adaptive_avg_pool3d", 3))


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last dim out, and where they are.

        >>> nn.functional.adaptive_max_pool1d_with_indices(torch.arange(6.).view(1, 6), 2)
        (tensor([[2., 5.]]), tensor([[2, 5]]))
    """
    return _C.adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last two dims out, and where they are.

        >>> nn.functional.adaptive_max_pool2d_with_indices(torch.arange(16.).view(1, 4, 4), 2)
        (tensor([[[ 5.,  7.],
                 [13., 15.]]]), tensor([[[ 5,  7],
                 [13, 15]]]))
    """
    return _rows.adaptive_max_pool2d_with_indices(input, _whole(output_size, input, "adaptive_max_pool2d", 2))


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last three dims out, and where they are."""
    return _rows.adaptive_max_pool3d_with_indices(input, _whole(output_size, input, "adaptive_max_pool3d", 3))


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last dim out.

        >>> nn.functional.adaptive_max_pool1d(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 1.,  3.],
                 [ 5.,  7.],
                 [ 9., 11.],
                 [13., 15.]]])
    """
    found = adaptive_max_pool1d_with_indices(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last two dims out.

        >>> nn.functional.adaptive_max_pool2d(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 5.,  7.],
                 [13., 15.]]])
    """
    found = adaptive_max_pool2d_with_indices(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The greatest elements of windows that share the last three dims out.

        >>> nn.functional.adaptive_max_pool3d(torch.randn(1, 4, 4, 4, 4), 2).shape
        torch.Size([1, 4, 2, 2, 2])
    """
    found = adaptive_max_pool3d_with_indices(input, output_size)
    return found if return_indices else found[0]


def _fractional(dims, input, kernel_size, output_size, output_ratio, samples):
    """Windows that random numbers place; how many follows from a ratio where it is not said."""
    name = f"fractional_max_pool{dims}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    if output_size is None:
        if dims == 2 and len(output_ratio) > 2:
            raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
        ratio = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * dims
        output_size = [int(input.size(d - dims) * ratio[d]) for d in range(dims)]
    if samples is None:
        batch = 1 if input.dim() == dims + 1 else input.size(0)
        samples = _C.rand(batch, input.size(-dims - 1), dims, dtype=input.dtype, device=input.device)
    return getattr(_rows, name)(input, kernel_size, output_size, samples)


def fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """The greatest elements of windows of two dims that random numbers place, and where they are."""
    return _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """The greatest elements of windows of three dims that random numbers place, and where they are."""
    return _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)


def _fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                           _random_samples=None):
    """The greatest elements of windows of two dims that random numbers place."""
    found = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


def _fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                           _random_samples=None):
    """The greatest elements of windows of three dims that random numbers place."""
    found = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


fractional_max_pool2d, fractional_max_pool3d = _fractional_max_pool2d, _fractional_max_pool3d


def _unpool(dims, input, indices, kernel_size, stride, padding, output_size):
    """Lists of windows have a number for each dim; of more than that PyTorch reads the first ones, but for volumes."""
    lists = [kernel_size, kernel_size if stride is None else stride, padding]
    for i, given in enumerate(lists):
        if not isinstance(given, int):
            if len(given) < dims:
                raise IndexError("tuple index out of range")
            if len(given) > dims == 3:
                name = ("kernel_size", "stride", "padding")[i]
                raise RuntimeError("There should be exactly three elements (depth, height, width) in "
                                   f"{name}, but got: {len(given)} elements.")
            lists[i] = given[:dims]
    return getattr(_rows, f"max_unpool{dims}d")(input, indices, *lists, output_size)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts the greatest elements of windows back where max_pool1d found them, among zeros.

        >>> nn.functional.max_unpool1d(torch.tensor([[5., 7.]]), torch.tensor([[1, 2]]), 2)
        tensor([[0., 5., 7., 0.]])
    """
    return _unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts the greatest elements of windows back where max_pool2d found them, among zeros.

        >>> nn.functional.max_unpool2d(torch.tensor([[[5.]]]), torch.tensor([[[3]]]), 2)
        tensor([[[0., 0.],
                 [0., 5.]]])
    """
    return _unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Puts the greatest elements of windows back where max_pool3d found them, among zeros.

        >>> nn.functional.max_unpool3d(torch.ones(1, 1, 1, 1), torch.tensor([[[[6]]]]), 2).flatten()
        tensor([0., 0., 0., 0., 0., 0., 1., 0.])
    """
    return _unpool(3, input, indices, kernel_size, stride, padding, output_size)
