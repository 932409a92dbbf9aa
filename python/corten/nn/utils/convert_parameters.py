# SPDX-License-Identifier: BSD-3-Clause
"""Parameters as one vector, and back."""
from ... import cat, typename
from ..._C import Tensor

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def _on_one_device(parameters):
    first = None
    for param in parameters:
        device = param.get_device()
        if first is not None and device != first:
            raise TypeError("Found two parameters on different devices, this is currently not supported.")
        first = device
        yield param


def parameters_to_vector(parameters):
    """All elements one after the other."""
    return cat([param.view(-1) for param in _on_one_device(parameters)])


def vector_to_parameters(vec, parameters):
    """Parameters become pieces of a vector, in order."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for param in _on_one_device(parameters):
        end = start + param.numel()
        param.data = vec[start:end].view_as(param).data
        start = end
