# SPDX-License-Identifier: BSD-3-Clause
"""Tensors that belong to a module: parameters, buffers, and those whose shape is not known yet."""
from .. import _C, empty
from .._C import Tensor, _Parameter as Parameter, _disabled_torch_function_impl

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "UninitializedTensorMixin", "is_lazy"]


class _BufferMeta(_C._TensorMeta):
    def __instancecheck__(self, instance):
        if self is Buffer and isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False):
            return True
        return super().__instancecheck__(instance)


class Buffer(Tensor, metaclass=_BufferMeta):
    """A tensor that becomes a buffer of the module it is assigned to.

        module.count = nn.Buffer(torch.tensor(0)) is the same as module.register_buffer("count", torch.tensor(0))

    The object is a plain tensor with a mark, which isinstance(x, Buffer) checks.

    Args:
        data: the tensor, whose memory is shared. Default: None, an empty one.
        persistent: whether it is part of the state dict; keyword only. Default: True.

    Example:
        >>> module = nn.Module()
        >>> module.scale = nn.Buffer(torch.tensor(2.))
        >>> dict(module.named_buffers())
        {'scale': tensor(2.)}
    """

    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            data = empty(0)
        buffer = data.detach().requires_grad_(data.requires_grad)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer

    __torch_function__ = _disabled_torch_function_impl


class UninitializedTensorMixin:
    """Base of parameters and buffers of lazy modules before their first input: they have a dtype and a device, but no shape."""

    _allowed_methods = [getattr(Tensor, name) for name in (
        "__hash__", "size", "copy_", "is_complex", "is_floating_point", "half", "float", "double", "char", "short", "int", "long",
        "cuda", "cpu", "to", "get_device") if hasattr(Tensor, name)]

    def materialize(self, shape, device=None, dtype=None):
        """Give the object a shape and memory, with undefined values; it becomes an ordinary parameter or tensor.

        Args:
            shape: the shape.
            device, dtype: the device and dtype. Default: None, unchanged.
        """
        self.data = empty(shape, device=self.data.device if device is None else device,
                          dtype=self.data.dtype if dtype is None else dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        """Raise RuntimeError, since there is no shape yet."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` "
            "when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the "
            "parameters before accessing their attributes.")

    def share_memory_(self):
        """Raise RuntimeError, since there is no memory yet."""
        raise RuntimeError("Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the "
                           "parameters before calling `module.share_memory()`.")

    def __repr__(self):
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol):
        return type(self), (self.requires_grad,)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in cls._allowed_methods or type(func).__name__ == "method-wrapper":
            return super().__torch_function__(func, types, args, kwargs or {})
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {func}. This error happens when you are using a `LazyModule` or "
            f"explicitly manipulating `torch.nn.parameter.{cls.__name__}` objects. When using LazyModules Call `forward` with "
            "a dummy batch to initialize the parameters before calling torch functions")


def is_lazy(param):
    """Return whether this parameter or buffer has no shape yet."""
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter whose shape is not known yet; lazy modules have such parameters until their first call.

    Only a few methods work before `materialize(shape)`; others raise an error that explains this.

    Args:
        requires_grad: whether it will require gradients. Default: True.
        device, dtype: where and in which type. Default: the current defaults.

    Example:
        >>> p = nn.UninitializedParameter()
        >>> p
        <UninitializedParameter>
        >>> p.materialize((2, 3))
        >>> p.shape, type(p).__name__
        (torch.Size([2, 3]), 'Parameter')
    """

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Tensor._make_subclass(cls, empty(0, device=device, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype)
        return memo[id(self)]


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape is not known yet; lazy modules have such buffers until their first call.

    Args:
        requires_grad: whether it will require gradients. Default: False.
        device, dtype: where and in which type. Default: the current defaults.
        persistent: whether it is part of the state dict. Default: True.
    """

    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        buffer = Tensor._make_subclass(cls, empty(0, device=device, dtype=dtype), requires_grad)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer
