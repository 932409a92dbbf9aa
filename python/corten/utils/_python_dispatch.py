# SPDX-License-Identifier: BSD-3-Clause
"""Names around classes of tensors that PyTorch asks about every operation after autograd. Corten asks them before it
(`__torch_function__`, overrides.py), and about no other."""
__all__ = ["TorchDispatchMode", "is_traceable_wrapper_subclass", "is_traceable_wrapper_subclass_type"]


def is_traceable_wrapper_subclass(t):
    """Whether a tensor is made of others that it names itself."""
    from .._C import Tensor
    return isinstance(t, Tensor) and type(t) is not Tensor and hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")


def is_traceable_wrapper_subclass_type(t):
    """The same of a class."""
    from .._C import Tensor
    return issubclass(t, Tensor) and t is not Tensor and hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")


class TorchDispatchMode:
    """Derived from in passing; entering one is refused."""

    def __init__(self, _dispatch_key=None):
        pass

    def __enter__(self):
        raise RuntimeError("torch.utils._python_dispatch: there are no modes below autograd; "
                           "torch.overrides.TorchFunctionMode is asked about every operation")

    def __exit__(self, *error):
        return None
