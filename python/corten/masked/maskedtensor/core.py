# SPDX-License-Identifier: BSD-3-Clause
"""A tensor with a mask of valid elements: elementwise operations keep the mask, reductions skip masked-out elements.

The functions of torch.masked do the reductions. Other operations raise MissingFeature; get_data() and get_mask() return the
two tensors to compute with.
"""
from ... import _C
from ..._missing import MissingFeature

_UNARY = frozenset("""abs absolute acos acosh angle asin asinh atan atanh bitwise_not ceil clamp cos cosh deg2rad digamma
    erf erfc erfinv exp exp2 expm1 fix floor frac isnan isfinite isinf lgamma log log10 log1p log2
    logit nan_to_num neg negative positive pow rad2deg reciprocal round rsqrt sigmoid sign sgn
    signbit sin sinc sinh sqrt square tan tanh trunc relu float double half bfloat16 int long short
    bool to type detach __neg__ __abs__ __pow__""".split())
_BINARY = frozenset("""add sub mul div true_divide floor_divide remainder fmod atan2 arctan2 bitwise_and bitwise_or
    bitwise_xor eq ne lt le gt ge maximum minimum fmax fmin nextafter logaddexp logaddexp2 rsub
    __add__ __sub__ __mul__ __truediv__ __floordiv__ __rtruediv__ __rdiv__ __rsub__ __rpow__ __eq__
    __ne__ __lt__ __le__ __gt__ __ge__""".split())
_SHAPE = frozenset("""view reshape t transpose permute unsqueeze squeeze expand flatten __getitem__ select narrow
    index_select clone contiguous unflatten movedim swapaxes mT flip roll repeat tile""".split())
_REDUCED = frozenset("sum mean amin amax prod var std norm argmin argmax all".split())
_PASSED = frozenset("__get__ size dim numel is_contiguous stride element_size is_floating_point is_complex type __len__".split())


def _missing(name):
    return MissingFeature(f"torch.{name} of a MaskedTensor", "compute with get_data() and get_mask()")


class MaskedTensor(_C.Tensor):
    """A tensor with a mask of the same shape: True marks elements that count.

    Elementwise operations on two of them need equal masks. Make one with torch.masked.masked_tensor (a copy, a leaf) or
    as_masked_tensor (with history).

    Args:
        data: the tensor.
        mask: a bool tensor of the same shape.
        requires_grad: True copies the data and records operations on it. Default: False

        >>> x = torch.masked.masked_tensor(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([[True, False], [True, True]]))
        >>> x * 10
        MaskedTensor(
          [
            [ 10.0000,       --],
            [ 30.0000,  40.0000]
          ]
        )
        >>> x.mean(0).to_tensor(0.)
        tensor([2., 4.])
    """

    @staticmethod
    def __new__(cls, data, mask, requires_grad=False):
        if is_masked_tensor(data) or not isinstance(data, _C.Tensor):
            raise TypeError("data must be a Tensor")
        if is_masked_tensor(mask) or not isinstance(mask, _C.Tensor):
            raise TypeError("mask must be a Tensor")
        if mask.dtype != _C.bool:
            raise TypeError("mask must have dtype bool.")
        if data.dim() != mask.dim():
            raise ValueError("data.dim() must equal mask.dim()")
        if data.shape != mask.shape:
            raise ValueError("data.size() must equal mask.size()")
        self = data.detach().as_subclass(cls)
        self._masked_data, self._masked_mask = (data.detach().clone().requires_grad_() if requires_grad else data), mask
        return self

    def get_data(self):
        """Return the data, masked-out elements included."""
        return self._masked_data

    def get_mask(self):
        """Return the mask: True where an element counts."""
        return self._masked_mask

    def to_tensor(self, value):
        """Return a plain tensor, with `value` where the mask is False.

        Args:
            value: the number to fill in.
        """
        return self.get_data().masked_fill(~self.get_mask(), value)

    requires_grad = property(lambda self: self._masked_data.requires_grad, lambda self, on: self._masked_data.requires_grad_(on))
    grad_fn = property(lambda self: self._masked_data.grad_fn)
    is_leaf = property(lambda self: self._masked_data.is_leaf)

    @property
    def grad(self):
        """The gradient of the data, as a MaskedTensor with the same mask, or None."""
        grad = self._masked_data.grad
        return grad if grad is None else MaskedTensor(grad, self._masked_mask)

    def requires_grad_(self, requires_grad=True):
        """Switch recording of operations on the data; return self.

        Args:
            requires_grad: the setting. Default: True
        """
        self._masked_data.requires_grad_(requires_grad)
        return self

    def backward(self, gradient=None, **options):
        """Compute gradients of the data; see Tensor.backward.

        Args:
            gradient: the gradient of this tensor, masked or plain. Default: None, for a tensor with one element
            options: the other arguments of Tensor.backward.
        """
        gradient = gradient.get_data() if is_masked_tensor(gradient) else gradient
        self._masked_data.backward(gradient, **options)

    def tolist(self):
        """Raise RuntimeError, as in PyTorch; use to_tensor(value).tolist()."""
        raise RuntimeError(".tolist() is not supported for tensor subclasses, got MaskedTensor")

    def numpy(self):
        """Raise RuntimeError, as in PyTorch; use to_tensor(value).numpy()."""
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")

    def __repr__(self):
        data, mask = self.get_data().detach(), self.get_mask()
        form = "{0:8.4f}".format if data.dtype.is_floating_point else str
        if data.dim() == 0:
            return f"MaskedTensor({form(data.item()) if mask.item() else '--'}, {bool(mask)})"

        def lines(values, marks):
            if not isinstance(values, list) or not values or not isinstance(values[0], list):
                return "[" + ", ".join(form(v) if m else "      --" for v, m in zip(values, marks)) + "]"
            inner = ",\n".join(lines(v, m) for v, m in zip(values, marks))
            return "[\n  " + inner.replace("\n", "\n  ") + "\n]"
        return "MaskedTensor(\n  " + lines(data.tolist(), mask.tolist()).replace("\n", "\n  ") + "\n)"

    __str__ = __repr__

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs, name = kwargs or {}, getattr(func, "__name__", "")
        if name in ("get_data", "get_mask", "to_tensor", "backward", "requires_grad_", "tolist", "numpy", "__repr__"):
            return getattr(cls, name)(*args, **kwargs)
        if name in _PASSED and not (name == "type" and len(args) > 1):
            with _C.DisableTorchFunctionSubclass():
                return func(*args, **kwargs)
        if name in _REDUCED and args and is_masked_tensor(args[0]):
            return _reduced(name, *args, **kwargs)
        if name in ("softmax", "log_softmax", "softmin") and is_masked_tensor(args[0]):
            from .. import log_softmax, softmax, softmin
            x, dim = args[0], args[1] if len(args) > 1 else kwargs["dim"]
            function = {"softmax": softmax, "log_softmax": log_softmax, "softmin": softmin}[name]
            return MaskedTensor(function(x.get_data(), dim, mask=x.get_mask()), x.get_mask())
        if name in _UNARY or name in _BINARY:
            return _elements(func, args, kwargs)
        if name in _SHAPE and is_masked_tensor(args[0]):
            return MaskedTensor(func(args[0].get_data(), *args[1:], **kwargs), func(args[0].get_mask(), *args[1:], **kwargs))
        if name in ("cat", "concat", "concatenate", "stack") and all(map(is_masked_tensor, args[0])):
            return MaskedTensor(func([x.get_data() for x in args[0]], *args[1:], **kwargs),
                                func([x.get_mask() for x in args[0]], *args[1:], **kwargs))
        if name == "where" and len(args) == 3:
            data = func(args[0], *(x.get_data() if is_masked_tensor(x) else x for x in args[1:]))
            marks = [x.get_mask() if is_masked_tensor(x) else _C.ones_like(data, dtype=_C.bool) for x in args[1:]]
            return MaskedTensor(data, func(args[0], *marks))
        raise _missing(name)


def _elements(func, args, kwargs):
    masked = [x for x in (*args, *kwargs.values()) if is_masked_tensor(x)]
    mask = masked[0].get_mask()
    if any(not _C.equal(mask, x.get_mask()) for x in masked[1:]):
        raise ValueError("Input masks must match. If you need support for this, please open an issue on Github.")
    plain = lambda x: x.get_data() if is_masked_tensor(x) else x  # noqa: E731
    data = func(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})
    return MaskedTensor(data, mask if data.shape == mask.shape else mask.expand(data.shape))


def _reduced(name, x, dim=None, keepdim=False, **options):
    from .. import amax, amin, argmax, argmin, mean, norm, prod, std, var
    from .. import sum as masked_sum
    functions = {"sum": masked_sum, "mean": mean, "amax": amax, "amin": amin, "prod": prod, "var": var, "std": std, "norm": norm,
                 "argmax": argmax, "argmin": argmin}
    data, mask = x.get_data(), x.get_mask()
    dims = tuple(range(data.dim())) if dim is None else dim
    some = mask.any() if dim is None and not keepdim else mask.any(dims, keepdim)
    if name == "all":
        made = (data.bool() | ~mask).all() if dim is None else (data.bool() | ~mask).all(dims, keepdim)
        return MaskedTensor(made, some)
    if name.startswith("arg"):
        made = functions[name](data, dim, keepdim=keepdim, mask=mask)
        return MaskedTensor(made.to(data.dtype), some)
    if name == "norm":
        made = norm(data, options.pop("p", 2.0), dim, keepdim=keepdim, mask=mask, **options)
    else:
        made = functions[name](data, dim, keepdim=keepdim, mask=mask, **options)
    return MaskedTensor(made, some)


def is_masked_tensor(obj, /):
    """Return whether an object is a MaskedTensor.

    Args:
        obj: the object.
    """
    return isinstance(obj, MaskedTensor)
