# SPDX-License-Identifier: BSD-3-Clause
"""Pooling functions of nn.functional that return indices or infer output sizes."""
from .. import _C

_rows = _C._submodules["nn.functional"]
__all__ = ["adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool1d_with_indices",
           "adaptive_max_pool2d", "adaptive_max_pool2d_with_indices", "adaptive_max_pool3d",
           "adaptive_max_pool3d_with_indices", "fractional_max_pool2d", "fractional_max_pool2d_with_indices",
           "fractional_max_pool3d", "fractional_max_pool3d_with_indices", "max_pool1d", "max_pool1d_with_indices", "max_pool2d",
           "max_pool2d_with_indices", "max_pool3d", "max_pool3d_with_indices", "max_unpool1d", "max_unpool2d", "max_unpool3d"]


def max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """max_pool1d with return_indices=True: a pair of the maxima and their flat positions in the spatial dimensions.

    The arguments are those of `max_pool1d`; `return_indices` is accepted and ignored.

    Example:
        >>> nn.functional.max_pool1d_with_indices(torch.tensor([[1., 5., 2., 4.]]), 2)
        (tensor([[5., 4.]]), tensor([[1, 3]]))
    """
    return _C.max_pool1d_with_indices(input, kernel_size, () if stride is None else stride, padding, dilation,
                                      ceil_mode)


def max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """max_pool2d with return_indices=True: a pair of the maxima and their flat positions in the spatial dimensions.

    The arguments are those of `max_pool2d`; `return_indices` is accepted and ignored.

    Example:
        >>> nn.functional.max_pool2d_with_indices(torch.arange(4.).view(1, 2, 2), 2)
        (tensor([[[3.]]]), tensor([[[3]]]))
    """
    return _rows.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                            return_indices=False):
    """max_pool3d with return_indices=True: a pair of the maxima and their flat positions in the spatial dimensions.

    The arguments are those of `max_pool3d`; `return_indices` is accepted and ignored.

    Example:
        >>> nn.functional.max_pool3d_with_indices(torch.arange(8.).view(1, 2, 2, 2), 2)
        (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _rows.max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window of a sequence.

    The padding counts as -inf, so it never wins. NaN is the maximum of every window that contains
    it. Of equal maxima the first gets the index and the gradient. The layer is nn.MaxPool1d, which
    has the formula of the output size.

    Args:
        input: (N, C, L) or (C, L).
        kernel_size: size of the window, an int or a tuple of one int.
        stride: step between neighbouring windows. Default: None, the kernel size (windows side by
            side).
        padding: elements of -inf added at both ends; at most half of the kernel size. Default: 0.
        dilation: distance between neighbouring elements of a window. Default: 1.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input. Default: False.

    Example:
        >>> nn.functional.max_pool1d(torch.tensor([[1., 5., 2., 4.]]), 2, return_indices=True)
        (tensor([[5., 4.]]), tensor([[1, 3]]))
    """
    if return_indices:
        return max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool1d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window of an image.

    The padding counts as -inf, so it never wins. NaN is the maximum of every window that contains
    it. Of equal maxima the first gets the index and the gradient. The layer is nn.MaxPool2d, which
    has the formula of the output size.

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: size of the window, an int or a pair (height, width).
        stride: step between neighbouring windows. Default: None, the kernel size (windows side by
            side).
        padding: elements of -inf added at both ends; at most half of the kernel size. Default: 0.
        dilation: distance between neighbouring elements of a window. Default: 1.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input. Default: False.

    Example:
        >>> nn.functional.max_pool2d(torch.arange(16.).view(1, 4, 4), 2)
        tensor([[[ 5.,  7.],
                 [13., 15.]]])
    """
    if return_indices:
        return max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool2d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Take the maximum of each window of a volume.

    The padding counts as -inf, so it never wins. NaN is the maximum of every window that contains
    it. Of equal maxima the first gets the index and the gradient. The layer is nn.MaxPool3d, which
    has the formula of the output size.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        kernel_size: size of the window, an int or a triple (depth, height, width).
        stride: step between neighbouring windows. Default: None, the kernel size (windows side by
            side).
        padding: elements of -inf added at both ends; at most half of the kernel size. Default: 0.
        dilation: distance between neighbouring elements of a window. Default: 1.
        ceil_mode: round the output size up instead of down, so that a last window that reaches over
            the end counts, too (if it starts inside the input or its left padding). Default: False.
        return_indices: also return where the maxima are, as flat positions in the spatial
            dimensions of the input. Default: False.

    Example:
        >>> nn.functional.max_pool3d(torch.arange(8.).view(1, 2, 2, 2), 2)
        tensor([[[[7.]]]])
    """
    if return_indices:
        return max_pool3d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _C.max_pool3d(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def _whole(output_size, input, name, dims):
    """Replace every None in an output size with the size of the input."""
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
    """Take means of an image over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size). The layer is nn.AdaptiveAvgPool2d.

    Args:
        input: (N, C, H, W) or (C, H, W).
        output_size: the wanted size: a pair (height, width), or an int for both. None keeps the
            size of the input.

    Example:
        >>> nn.functional.adaptive_avg_pool2d(torch.arange(8.).view(1, 2, 4), (None, 2))
        tensor([[[0.5000, 2.5000],
                 [4.5000, 6.5000]]])
    """
    return _rows.adaptive_avg_pool2d(input, _whole(output_size, input, "adaptive_avg_pool2d", 2))


def adaptive_avg_pool3d(input, output_size):
    """Take means of a volume over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size). The layer is nn.AdaptiveAvgPool3d.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        output_size: the wanted size: a triple (depth, height, width), or an int for all. None keeps
            the size of the input.

    Example:
        >>> nn.functional.adaptive_avg_pool3d(torch.arange(12.).view(1, 3, 2, 2), 1)
        tensor([[[[5.5000]]]])
    """
    return _rows.adaptive_avg_pool3d(input, _whole(output_size, input, "adaptive_avg_pool3d", 3))


def adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    """adaptive_max_pool1d with return_indices=True: a pair of the maxima and their flat positions.

    The arguments are those of `adaptive_max_pool1d`; `return_indices` is accepted and ignored.

    Example:
        >>> nn.functional.adaptive_max_pool1d_with_indices(torch.arange(5.).view(1, 5), 2)
        (tensor([[2., 4.]]), tensor([[2, 4]]))
    """
    return _C.adaptive_max_pool1d(input, output_size)


def adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    """adaptive_max_pool2d with return_indices=True: a pair of the maxima and their flat positions.

    The arguments are those of `adaptive_max_pool2d`; `return_indices` is accepted and ignored.

    Example:
        >>> nn.functional.adaptive_max_pool2d_with_indices(torch.arange(8.).view(1, 2, 4), (1, None))
        (tensor([[[4., 5., 6., 7.]]]), tensor([[[4, 5, 6, 7]]]))
    """
    return _rows.adaptive_max_pool2d_with_indices(input, _whole(output_size, input, "adaptive_max_pool2d", 2))


def adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    """adaptive_max_pool3d with return_indices=True: a pair of the maxima and their flat positions.

    The arguments are those of `adaptive_max_pool3d`; `return_indices` is accepted and ignored.

    Example:
        >>> nn.functional.adaptive_max_pool3d_with_indices(torch.arange(12.).view(1, 3, 2, 2), 1)
        (tensor([[[[11.]]]]), tensor([[[[11]]]]))
    """
    return _rows.adaptive_max_pool3d_with_indices(input, _whole(output_size, input, "adaptive_max_pool3d", 3))


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """Take maxima of a sequence over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size). The layer is nn.AdaptiveMaxPool1d.

    Args:
        input: (N, C, L) or (C, L).
        output_size: the wanted length, an int or a tuple of one int.
        return_indices: also return the flat positions of the maxima. Default: False.

    Example:
        >>> nn.functional.adaptive_max_pool1d(torch.arange(5.).view(1, 5), 2)
        tensor([[2., 4.]])
    """
    found = adaptive_max_pool1d_with_indices(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """Take maxima of an image over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size). The layer is nn.AdaptiveMaxPool2d.

    Args:
        input: (N, C, H, W) or (C, H, W).
        output_size: the wanted size: a pair (height, width), or an int for both. None keeps the
            size of the input.
        return_indices: also return the flat positions of the maxima. Default: False.

    Example:
        >>> nn.functional.adaptive_max_pool2d(torch.arange(8.).view(1, 2, 4), (1, None))
        tensor([[[4., 5., 6., 7.]]])
    """
    found = adaptive_max_pool2d_with_indices(input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """Take maxima of a volume over as many windows as the output should have elements.

    Output element i covers the input from floor(i * size / output_size) up to, not including,
    ceil((i + 1) * size / output_size). The layer is nn.AdaptiveMaxPool3d.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        output_size: the wanted size: a triple (depth, height, width), or an int for all. None keeps
            the size of the input.
        return_indices: also return the flat positions of the maxima. Default: False.

    Example:
        >>> nn.functional.adaptive_max_pool3d(torch.arange(12.).view(1, 3, 2, 2), 1)
        tensor([[[[11.]]]])
    """
    found = adaptive_max_pool3d_with_indices(input, output_size)
    return found if return_indices else found[0]


def _fractional(dims, input, kernel_size, output_size, output_ratio, samples):
    """Compute fractional max pooling in 2 or 3 dimensions, after completing the output size and the random samples."""
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
    """fractional_max_pool2d with return_indices=True: a pair of the maxima and their flat positions.

    The arguments are those of `fractional_max_pool2d`; `return_indices` is accepted and ignored.
    """
    return _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)


def fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                       _random_samples=None):
    """fractional_max_pool3d with return_indices=True: a pair of the maxima and their flat positions.

    The arguments are those of `fractional_max_pool3d`; `return_indices` is accepted and ignored.
    """
    return _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)


def _fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                           _random_samples=None):
    """Take maxima of an image over windows at random positions.

    The sizes of the steps between windows, one more or less than the average, are drawn at random,
    so the size can shrink by factors such as 1.5 and every pass sees other windows (Graham, 2014).
    Use torch.manual_seed to repeat one. The layer is nn.FractionalMaxPool2d.

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: size of the windows, an int or a pair (height, width).
        output_size: the wanted size, an int or a pair (height, width). Default: None.
        output_ratio: the wanted size as a fraction of the input's, between 0 and 1, a number or a
            tuple. Default: None. Exactly one of both has to be given.
        return_indices: also return the flat positions of the maxima. Default: False.

    Example:
        >>> nn.functional.fractional_max_pool2d(torch.zeros(1, 6, 6), 2, output_size=4).shape
        torch.Size([1, 4, 4])
    """
    found = _fractional(2, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


def _fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                           _random_samples=None):
    """Take maxima of a volume over windows at random positions.

    The sizes of the steps between windows, one more or less than the average, are drawn at random,
    so the size can shrink by factors such as 1.5 and every pass sees other windows (Graham, 2014).
    Use torch.manual_seed to repeat one. The layer is nn.FractionalMaxPool3d.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        kernel_size: size of the windows, an int or a triple (depth, height, width).
        output_size: the wanted size, an int or a triple (depth, height, width). Default: None.
        output_ratio: the wanted size as a fraction of the input's, between 0 and 1, a number or a
            tuple. Default: None. Exactly one of both has to be given.
        return_indices: also return the flat positions of the maxima. Default: False.

    Example:
        >>> nn.functional.fractional_max_pool3d(torch.zeros(1, 4, 6, 6), 2, output_size=(2, 4, 4)).shape
        torch.Size([1, 2, 4, 4])
    """
    found = _fractional(3, input, kernel_size, output_size, output_ratio, _random_samples)
    return found if return_indices else found[0]


fractional_max_pool2d, fractional_max_pool3d = _fractional_max_pool2d, _fractional_max_pool3d


def _unpool(dims, input, indices, kernel_size, stride, padding, output_size):
    """Unpool in 1, 2 or 3 dimensions. As in PyTorch, tuples may be longer than needed, and only their first entries
    count; for volumes they raise an error.
    """
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
    """Put maxima back where max_pool1d found them, among zeros.

    All other elements are 0; if indices repeat, one of the values is stored. An index outside of the output
    raises RuntimeError. The layer is nn.MaxUnpool1d.

    Args:
        input: (N, C, L) or (C, L), the maxima.
        indices: their flat positions in the output, as the pooling returned them.
        kernel_size: size of the windows.
        stride: step between the windows. Default: None, the kernel size.
        padding: padding of the pooling. Default: 0.
        output_size: the spatial size of the result. Default: None, (size - 1) * stride - 2 *
            padding + kernel_size.

    Example:
        >>> maxima, indices = torch.tensor([[5., 4.]]), torch.tensor([[1, 2]])
        >>> nn.functional.max_unpool1d(maxima, indices, 2)
        tensor([[0., 5., 4., 0.]])
    """
    return _unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Put maxima back where max_pool2d found them, among zeros.

    Elements that no index names are 0; of equal indices one wins. An index outside of the output
    raises RuntimeError. The layer is nn.MaxUnpool2d.

    Args:
        input: (N, C, H, W) or (C, H, W), the maxima.
        indices: their flat positions in the output, as the pooling returned them.
        kernel_size: size of the windows.
        stride: step between the windows. Default: None, the kernel size.
        padding: padding of the pooling. Default: 0.
        output_size: the spatial size of the result. Default: None, (size - 1) * stride - 2 *
            padding + kernel_size.

    Example:
        >>> maxima, indices = torch.tensor([[[4., 6.]]]), torch.tensor([[[4, 2]]])
        >>> nn.functional.max_unpool2d(maxima, indices, 2)
        tensor([[[0., 0., 6., 0.],
                 [4., 0., 0., 0.]]])
    """
    return _unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Put maxima back where max_pool3d found them, among zeros.

    Elements that no index names are 0; of equal indices one wins. An index outside of the output
    raises RuntimeError. The layer is nn.MaxUnpool3d.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W), the maxima.
        indices: their flat positions in the output, as the pooling returned them.
        kernel_size: size of the windows.
        stride: step between the windows. Default: None, the kernel size.
        padding: padding of the pooling. Default: 0.
        output_size: the spatial size of the result. Default: None, (size - 1) * stride - 2 *
            padding + kernel_size.

    Example:
        >>> maxima, indices = torch.tensor([[[[7.]]]]), torch.tensor([[[[7]]]])
        >>> nn.functional.max_unpool3d(maxima, indices, 2)
        tensor([[[[0., 0.],
                  [0., 0.]],
        <BLANKLINE>
                 [[0., 0.],
                  [0., 7.]]]])
    """
    return _unpool(3, input, indices, kernel_size, stride, padding, output_size)
