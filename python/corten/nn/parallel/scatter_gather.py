# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.parallel.scatter and gather: split nested arguments among GPUs, and join results."""
from ... import _C
from ...cuda import comm

__all__ = ["gather", "scatter", "scatter_kwargs"]


def _is_namedtuple(obj):
    return isinstance(obj, tuple) and hasattr(obj, "_asdict") and hasattr(obj, "_fields")


def _scatter_tensor(tensor, devices, dim):
    parts = comm.scatter(tensor, devices, None, dim)
    return tuple(map(_C.view_as_complex, parts)) if tensor.is_complex() else parts


def scatter(inputs, target_gpus, dim=0):
    """Split every tensor in a nested value along a dimension among GPUs.

    Returns a list with one nested value per GPU (for a tensor: a tuple of its parts). All other objects
    go to every GPU.

    Args:
        inputs: a tensor, or a nest of lists, tuples and dicts.
        target_gpus: the GPUs.
        dim: dimension to divide. Default: 0.

    Example:
        >>> torch.nn.parallel.scatter_gather.scatter({"x": torch.ones(4, 2), "scale": 3}, [0, 1])  # doctest: +SKIP
        [{'x': tensor([[1., 1.], [1., 1.]], device='cuda:0'), 'scale': 3},
         {'x': tensor([[1., 1.], [1., 1.]], device='cuda:1'), 'scale': 3}]
    """
    def parts(obj):
        return scatter(obj, target_gpus, dim)

    if isinstance(inputs, _C.Tensor):
        return _scatter_tensor(inputs, target_gpus, dim)
    if _is_namedtuple(inputs):
        return [type(inputs)(*values) for values in zip(*map(parts, inputs))]
    if isinstance(inputs, tuple) and inputs:
        return list(zip(*map(parts, inputs)))
    if isinstance(inputs, list) and inputs:
        return [list(values) for values in zip(*map(parts, inputs))]
    if isinstance(inputs, dict) and inputs:
        return [type(inputs)(items) for items in zip(*map(parts, inputs.items()))]
    return [inputs for _ in target_gpus]


def scatter_kwargs(inputs, kwargs, target_gpus, dim=0):
    """Split positional and keyword arguments among GPUs.

    Returns a tuple of tuples and a tuple of dicts of the same length.

    Args:
        inputs: the positional arguments.
        kwargs: the keyword arguments, or None.
        target_gpus: the GPUs.
        dim: dimension to divide. Default: 0.
    """
    args = list(scatter(inputs, target_gpus, dim)) if inputs else []
    words = list(scatter(kwargs, target_gpus, dim)) if kwargs else []
    args += [()] * (len(words) - len(args))
    words += [{} for _ in range(len(args) - len(words))]
    return tuple(args), tuple(words)


def gather(outputs, target_device, dim=0):
    """Join nested values from several GPUs: concatenate corresponding tensors on one device.

    0-d tensors become a vector, with a warning.

    Args:
        outputs: one nested value per GPU, all with the same structure.
        target_device: an index, a device, or "cpu".
        dim: dimension to concatenate. Default: 0.
    """
    first = outputs[0]
    if isinstance(first, _C.Tensor):
        if all(t.dim() == 0 for t in outputs) and dim == 0:
            import warnings
            warnings.warn("Was asked to gather along dimension 0, but all input tensors were scalars; will instead unsqueeze and "
                          "return a vector.", stacklevel=2)
            outputs = [t.view(1) for t in outputs]
        joined = comm.gather(outputs, dim, target_device)
        return _C.view_as_complex(joined) if first.is_complex() else joined
    if first is None:
        return None
    if isinstance(first, dict):
        if not all(len(first) == len(d) for d in outputs):
            raise ValueError("All dicts must have the same number of keys")
        return type(first)((key, gather([d[key] for d in outputs], target_device, dim)) for key in first)
    values = (gather(group, target_device, dim) for group in zip(*outputs, strict=True))
    return first._make(values) if _is_namedtuple(first) else type(first)(values)
