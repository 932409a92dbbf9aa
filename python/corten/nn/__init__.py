# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn: modules, their parameters, initialisation, functions and helpers."""
from . import attention, functional, init, modules, parallel, parameter, utils
from .parallel import DataParallel
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = ["Buffer", "DataParallel", "Parameter", "UninitializedBuffer", "UninitializedParameter", "attention", "functional", "init",
           "modules", "parallel", "parameter", "utils", *modules.__all__]


globals().update({name: value for name, value in vars(modules).items() if name in modules.__all__})


def factory_kwargs(kwargs):
    """Return the arguments for creating tensors (device, dtype, memory_format) from a module's keyword arguments.

    Args:
        kwargs: the keyword arguments of a constructor, with an optional dict `factory_kwargs`, or
            None. Unknown names, and names given twice, raise TypeError.
    """
    if kwargs is None:
        return {}
    known = {"device", "dtype", "memory_format"}
    unknown = kwargs.keys() - known - {"factory_kwargs"}
    if unknown:
        raise TypeError(f"unexpected kwargs {unknown}")
    result = dict(kwargs.get("factory_kwargs", {}))
    if not result.keys() <= known:
        raise TypeError(f"unexpected kwargs {result.keys() - known}")
    for name in known & kwargs.keys():
        if name in result:
            raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
        result[name] = kwargs[name]
    return result


def __getattr__(name):
    if name == "LinearCrossEntropyOptions":
        return modules.LinearCrossEntropyOptions
    from .._parts import part
    return part(__name__, name)
