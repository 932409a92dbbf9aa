# SPDX-License-Identifier: BSD-3-Clause
"""Convert parameters to one vector, and back."""
from ... import cat, typename
from ..._C import Tensor

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def _on_one_device(parameters):
    """Iterate over parameters; TypeError if they are on different devices."""
    first = None
    for param in parameters:
        device = param.get_device()
        if first is not None and device != first:
            raise TypeError("Found two parameters on different devices, this is currently not supported.")
        first = device
        yield param


def parameters_to_vector(parameters):
    """Concatenate all elements of several parameters into one vector.

    The vector is differentiable; parameters on different devices raise TypeError.

    Args:
        parameters: an iterable of tensors.

    Example:
        >>> nn.utils.parameters_to_vector([torch.ones(2, 2), torch.zeros(1)])
        tensor([1., 1., 1., 1., 0.])
    """
    return cat([param.view(-1) for param in _on_one_device(parameters)])


def vector_to_parameters(vec, parameters):
    """Split a vector into the values of parameters: the inverse of `parameters_to_vector`.

    The parameters become views of the vector, in order.

    Args:
        vec: the vector; its elements beyond the parameters are ignored.
        parameters: an iterable of tensors, which are changed.

    Example:
        >>> layer = nn.Linear(2, 1)
        >>> nn.utils.vector_to_parameters(torch.tensor([1., 2., 3.]), layer.parameters())
        >>> layer.weight.tolist(), layer.bias.tolist()
        ([[1.0, 2.0]], [3.0])
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for param in _on_one_device(parameters):
        end = start + param.numel()
        param.data = vec[start:end].view_as(param).data
        start = end
