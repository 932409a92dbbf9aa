# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.grad: the gradients of convolutions as separate functions, for a hand-written `backward`.

A convolution is linear in its input and in its weight. The gradient of one therefore needs only its shape and the value of the other.
"""
from .. import _C
from ..autograd import grad
from ..autograd.grad_mode import enable_grad
from . import functional as F

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]
_FUNCTIONS = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}


def _derivative(n, of, input, weight, grad_output, settings):
    """Return the gradient of a convolution with n spatial dims with respect to its input (of=0) or weight (of=1), given by its shape."""
    again = _C.is_grad_enabled()
    with enable_grad():
        tensors = [t if isinstance(t, _C.Tensor) else grad_output.new_zeros(1).expand(t).requires_grad_() for t in (input, weight)]
        output = _FUNCTIONS[n](*tensors, None, *settings)
        return grad(output, tensors[of], grad_output, create_graph=again and (grad_output.requires_grad or tensors[1 - of].requires_grad))[0]


def _functions(n):
    def conv_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
        return _derivative(n, 0, _C.Size(input_size), weight, grad_output, (stride, padding, dilation, groups))

    def conv_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
        return _derivative(n, 1, input, _C.Size(weight_size), grad_output, (stride, padding, dilation, groups))

    letters = "DHW"[3 - n:]
    conv_input.__name__ = conv_input.__qualname__ = f"conv{n}d_input"
    conv_weight.__name__ = conv_weight.__qualname__ = f"conv{n}d_weight"
    conv_input.__doc__ = f"""Compute the gradient of conv{n}d for its input, from the weight and the gradient of the output.

    Args:
        input_size: shape of the input, (N, C, {', '.join(letters)}).
        weight: the weight of the convolution.
        grad_output: gradient of the convolution's output.
        stride, padding, dilation, groups: those of the convolution. Default: 1, 0, 1, 1.

    Example:
        >>> x, w = torch.ones(1, 1{', 4' * n}, requires_grad=True), torch.ones(2, 1{', 3' * n})
        >>> y = torch.nn.functional.conv{n}d(x, w)
        >>> y.sum().backward()
        >>> torch.equal(torch.nn.grad.conv{n}d_input(x.shape, w, torch.ones_like(y)), x.grad)
        True
    """
    conv_weight.__doc__ = f"""Compute the gradient of conv{n}d for its weight, from the input and the gradient of the output.

    Args:
        input: the input of the convolution, (N, C, {', '.join(letters)}).
        weight_size: shape of the weight.
        grad_output: gradient of the convolution's output.
        stride, padding, dilation, groups: those of the convolution. Default: 1, 0, 1, 1.

    Example:
        >>> x, w = torch.ones(1, 1{', 4' * n}), torch.ones(2, 1{', 3' * n}, requires_grad=True)
        >>> y = torch.nn.functional.conv{n}d(x, w)
        >>> y.sum().backward()
        >>> torch.equal(torch.nn.grad.conv{n}d_weight(x, w.shape, torch.ones_like(y)), w.grad)
        True
    """
    return conv_input, conv_weight


conv1d_input, conv1d_weight = _functions(1)
conv2d_input, conv2d_weight = _functions(2)
conv3d_input, conv3d_weight = _functions(3)
