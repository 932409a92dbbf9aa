# SPDX-License-Identifier: BSD-3-Clause
"""Linear, Bilinear, LazyLinear, and Identity."""
import math

from ... import empty, no_grad
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = ["Bilinear", "Identity", "LazyLinear", "Linear"]


class Identity(Module):
    """Return the input unchanged.

    Useful to switch off a part of a network, for example the last layer: `net.fc = nn.Identity()`.
    The constructor accepts any arguments and ignores them.

    Args:
        args, kwargs: ignored.

    Shape:
        - Input: anything, not only tensors.
        - Output: the same object.

    Example:
        >>> net = nn.Sequential(nn.Flatten(), nn.Linear(4, 2))
        >>> net[1] = nn.Identity()
        >>> net(torch.tensor([[[1., 2.], [3., 4.]]]))
        tensor([[1., 2., 3., 4.]])
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        """Return the input."""
        return input


class Linear(Module):
    """Multiply by a learnable matrix and add a learnable bias: a fully connected layer.

        y = x @ weight^T + bias

    The last dimension of the input holds the features; all other dimensions are batch dimensions.

    Args:
        in_features: size of the input's last dimension.
        out_features: size of the output's last dimension.
        bias: whether to add a bias. Default: True.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input: (*, in_features), with any number of leading dimensions, none included.
        - Output: (*, out_features).

    Attributes:
        weight: (out_features, in_features).
        bias: (out_features,), or None if bias=False.

    Both start uniform between -b and b with b = 1 / sqrt(in_features).

    Example:
        >>> layer = nn.Linear(3, 2)
        >>> with torch.no_grad():
        ...     _ = layer.weight.copy_(torch.tensor([[1., 0., 0.], [1., 1., 1.]]))
        ...     _ = layer.bias.copy_(torch.tensor([0., 10.]))
        >>> layer(torch.tensor([[1., 2., 3.]])).detach()
        tensor([[ 1., 16.]])
        >>> nn.Linear(20, 30)(torch.zeros(128, 5, 20)).shape
        torch.Size([128, 5, 30])
    """

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty((out_features, in_features), device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_features, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw new parameters, uniform between -b and b with b = 1 / sqrt(in_features)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        """Map the last dimension of the input."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        """The arguments as printed."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class NonDynamicallyQuantizableLinear(Linear):
    """The output projection of MultiheadAttention: a Linear with the class name that programs look for."""


class Bilinear(Module):
    """Combine two inputs by a learnable matrix for each output: a bilinear layer.

        y[k] = x1^T @ weight[k] @ x2 + bias[k]

    Every product of a feature of x1 with one of x2 has its own weight.

    Args:
        in1_features: size of the first input's last dimension; must be positive, otherwise
            ValueError.
        in2_features: size of the second input's last dimension.
        out_features: size of the output's last dimension.
        bias: whether to add a bias. Default: True.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        - Input1: (*, in1_features); input2: (*, in2_features); all leading sizes alike.
        - Output: (*, out_features).

    Attributes:
        weight: (out_features, in1_features, in2_features).
        bias: (out_features,), or None if bias=False.

    Both start uniform between -b and b with b = 1 / sqrt(in1_features).

    Example:
        >>> layer = nn.Bilinear(2, 2, 1, bias=False)
        >>> with torch.no_grad():
        ...     _ = layer.weight.copy_(torch.eye(2))  # the dot product
        >>> layer(torch.tensor([[1., 2.]]), torch.tensor([[3., 4.]])).detach()
        tensor([[11.]])
    """

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = Parameter(empty((out_features, in1_features, in2_features), device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(empty(out_features, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw new parameters, uniform between -b and b with b = 1 / sqrt(in1_features)."""
        if self.in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={self.in1_features})")
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        """Combine the last dimensions of both inputs."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        """The arguments as printed."""
        return (f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
                f"bias={self.bias is not None}")


class LazyLinear(LazyModuleMixin, Linear):
    """A Linear that takes `in_features` from its first input.

    The first call creates `weight` and `bias`, and the module becomes a plain Linear. Until then
    the parameters have no shape; run one dummy batch before you make an optimizer.

    Args:
        out_features: size of the output's last dimension.
        bias: whether to add a bias. Default: True.
        device, dtype: the device and dtype of the parameters. Default: the current
            defaults.

    Shape:
        As Linear.

    Example:
        >>> layer = nn.LazyLinear(4)
        >>> layer.weight
        <UninitializedParameter>
        >>> layer(torch.zeros(2, 3)).shape
        torch.Size([2, 4])
        >>> layer
        Linear(in_features=3, out_features=4, bias=True)
    """

    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        """Draw new parameters; nothing to do before the first call has created them."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        """Create weight and bias for the features (last dimension) of the first input."""
        if self.has_uninitialized_params():
            with no_grad():
                self.in_features = input.shape[-1]
                self.weight.materialize((self.out_features, self.in_features))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()
        if self.in_features == 0:  # a state dict has already set the shapes
            if input.shape[-1] != self.weight.shape[-1]:
                raise AssertionError(f"The in_features inferred from input: {input.shape[-1]} is not equal to in_features from "
                                     f"self.weight: {self.weight.shape[-1]}")
            self.in_features = input.shape[-1]
