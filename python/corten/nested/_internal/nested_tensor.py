# SPDX-License-Identifier: BSD-3-Clause
"""Nested tensors: batches of tensors of different sizes.

In the jagged layout, components differ only in their first dim. They are consecutive rows of one dense tensor, `values`, and
`offsets` holds the start of each. Element-wise and row-wise operations run once, on the values. In the strided layout each
component is a separate tensor, and operations run on each. Other operations raise MissingFeature; unbind() returns the
components.
"""
import itertools

from ... import _C
from ..._missing import MissingFeature

_ELEMENTS = frozenset("""add sub mul div true_divide neg abs exp log sqrt rsqrt sin cos tan tanh sigmoid relu gelu silu
    leaky_relu elu celu selu softplus hardtanh hardsigmoid hardswish mish pow square reciprocal sign
    floor ceil round trunc clamp clamp_min clamp_max eq ne lt le gt ge maximum minimum where isnan
    isinf isfinite logical_not logical_and logical_or dropout erf expm1 log1p logit nan_to_num
    masked_fill __add__ __sub__ __mul__ __truediv__ __pow__ __rpow__ __rtruediv__ __rdiv__ __div__
    __rsub__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __neg__ __abs__ rsub remainder fmod atan2
    lerp conj real imag zeros_like ones_like rand_like randn_like empty_like full_like float double
    half bfloat16 int long bool to type clone detach contiguous cpu cuda type_as""".split())
_ROWS = frozenset("linear layer_norm rms_norm".split())  # operations on the last dims only
_numbers = itertools.count(1)


class _Ragged:
    """The size of the ragged dim. Two are equal if they belong to the same offsets."""

    def __init__(self):
        self.number = next(_numbers)

    def __repr__(self):
        return f"j{self.number}"


class _Shape(tuple):
    """A shape with a ragged size."""

    def __repr__(self):
        return f"torch.Size([{', '.join(map(str, self))}])"


def _missing(what):
    return MissingFeature(f"{what} of a nested tensor",
                          "unbind() it, compute with the components, and make a nested tensor of the results")


class _Nested(_C.Tensor):
    """Common part of both layouts: attributes of the values, and the dispatch of operations."""

    is_nested = True

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs, name = kwargs or {}, getattr(func, "__name__", "")
        if name in ("__get__", "is_floating_point", "is_complex", "element_size", "is_signed", "get_device"):
            with _C.DisableTorchFunctionSubclass():
                return func(*args, **kwargs)
        first = next((a for a in itertools.chain(args, kwargs.values()) if isinstance(a, _Nested)), None)
        if first is None:
            raise _missing(name)
        own = getattr(type(first), name, None)
        if args and args[0] is first and name in _METHODS and own is not getattr(_C.Tensor, name, None):
            return getattr(type(first), name)(*args, **kwargs)
        if name in _ELEMENTS or (name in _ROWS and args and args[0] is first) or name in ("softmax", "log_softmax"):
            if name.endswith("softmax"):
                first._check_last(args[1] if len(args) > 1 else kwargs.get("dim"), name)
            return first._each(func, name, args, kwargs)
        if name == "matmul" and args[0] is first and not isinstance(args[1], _Nested) and args[1].dim() == 2:
            return first._each(func, name, args, kwargs)
        raise _missing(f"torch.{name}")

    def _check_last(self, dim, name):
        if dim is None or dim % self.dim() != self.dim() - 1 or self.dim() < 3:
            raise _missing(f"torch.{name} along a dim other than a regular last one")

    def dim(self):
        return len(self.shape)

    ndim = property(dim)

    def size(self, dim=None):
        if dim is None:
            return self.shape
        if not -self.dim() <= dim < self.dim():
            raise IndexError(f"Dimension out of range (expected to be in range of [{-self.dim()}, {self.dim() - 1}], "
                             f"but got {dim})")
        return self.shape[dim]

    def __len__(self):
        return self.size(0)

    def __iter__(self):
        return iter(self.unbind())

    def __getitem__(self, index):
        if not isinstance(index, int):
            raise _missing("an index other than a number")
        return self.unbind()[index]

    def tolist(self):
        raise RuntimeError(".tolist() is not supported for tensor subclasses, got NestedTensor")

    def to_padded_tensor(self, padding, output_size=None):
        """Pads the components with `padding` at their ends and stacks them in one dense tensor."""
        parts = self.unbind()
        most = [max((p.shape[d] for p in parts), default=0) for d in range(self.dim() - 1)]
        if output_size is not None:
            if any(a < b for a, b in zip(output_size[1:], most)):
                raise RuntimeError("Value in output_size is less than NestedTensor padded size. Truncation is not supported.")
            most = list(output_size[1:])
        if not parts:
            return self._values.new_full((0, *most), padding)
        pads = [[n for have, want in zip(reversed(p.shape), reversed(most)) for n in (0, want - have)] for p in parts]
        padded = _C.stack([_C.constant_pad_nd(p, pad, padding) for p, pad in zip(parts, pads)])
        if output_size is not None and output_size[0] > len(parts):
            padded = _C.constant_pad_nd(padded, [0, 0] * len(most) + [0, output_size[0] - len(parts)], padding)
        return padded

    def __reduce_ex__(self, protocol):
        raise MissingFeature("a pickle of a nested tensor", "save unbind(), and make a nested tensor of the list again")


class NestedTensor(_Nested):
    """A nested tensor in the jagged layout, created by torch.nested.nested_tensor(..., layout=torch.jagged) and similar functions."""

    @staticmethod
    def __new__(cls, values, offsets, *, lengths=None, _ragged=None, _ragged_idx=1):
        if _ragged_idx != 1:
            raise MissingFeature("a jagged dim other than the first of the components", "transpose the components")
        if offsets is None:
            raise RuntimeError("a nested tensor needs offsets")
        self = values.detach().as_subclass(cls)
        self._values, self._offsets, self._lengths = values, offsets, lengths
        self._size = _ragged or _Ragged()
        self._ragged_idx = 1
        return self

    layout = property(lambda self: _C.jagged)
    requires_grad = property(lambda self: self._values.requires_grad, lambda self, on: self._values.requires_grad_(on))
    grad_fn = property(lambda self: self._values.grad_fn)
    is_leaf = property(lambda self: self._values.is_leaf)
    shape = property(lambda self: _Shape((self._offsets.numel() - 1, self._size, *self._values.shape[1:])))

    @property
    def grad(self):
        """The gradient, a nested tensor or None."""
        return None if self._values.grad is None else self._like(self._values.grad)

    @grad.setter
    def grad(self, value):
        self._values.grad = value if value is None else value._values

    def _sizes(self):
        return self._offsets.diff() if self._lengths is None else self._lengths

    _max_seqlen = property(lambda self: int(self._sizes().max()) if len(self) else 0)
    _min_seqlen = property(lambda self: int(self._sizes().min()) if len(self) else 0)

    def values(self):
        """Returns the concatenated components."""
        return self._values

    def offsets(self):
        """Returns the start of each component in the values, and the end of the last."""
        return self._offsets

    def lengths(self):
        """Returns the lengths of the components if there are gaps between them, else None."""
        return self._lengths

    def numel(self):
        """Returns the number of elements of all components."""
        return self._values.numel()

    def is_contiguous(self, memory_format=_C.contiguous_format):
        """Returns whether the values are contiguous, without gaps between components."""
        return self._lengths is None and self._values.is_contiguous(memory_format=memory_format)

    def unbind(self, dim=0):
        """Returns the components as views of the values."""
        if dim:
            raise RuntimeError("unbind(): only supported for NestedTensor on dim=0")
        begins = self._offsets.tolist()
        return tuple(self._values.narrow(0, a, n) for a, n in zip(begins, self._sizes().tolist()))

    def requires_grad_(self, requires_grad=True):
        """Sets whether operations on the values are recorded; returns self."""
        self._values.requires_grad_(requires_grad)
        return self

    def backward(self, gradient=None, **options):
        """Computes gradients; see Tensor.backward."""
        self._values.backward(gradient if gradient is None else gradient._values, **options)

    def __repr__(self):
        end = f", grad_fn={self.grad_fn}" if self.grad_fn else ", requires_grad=True" if self.requires_grad else ""
        return f"NestedTensor(size={tuple(self.shape)}, offsets={self._offsets}{end}, contiguous={self.is_contiguous()})"

    __str__ = __repr__

    def unsqueeze(self, dim):
        """Inserts a dim of size 1 after the jagged dim."""
        dim = dim % (self.dim() + 1)
        if dim < 2:
            raise _missing("unsqueeze() before the jagged dim")
        return self._like(self._values.unsqueeze(dim - 1))

    def _packed(self):
        return self._values if self._lengths is None else _C.cat(self.unbind()) if len(self) else self._values[:0]

    def _folded(self, name, dim, keepdim, options):
        if dim is None:
            return getattr(self._packed(), name)(**options)
        dims = {d % self.dim() for d in ((dim,) if isinstance(dim, int) else dim)}
        if 0 in dims:
            raise RuntimeError(f"{name}(): not supported for NestedTensor on dim=0")
        if 1 in dims:
            parts = [getattr(p, name)([d - 1 for d in sorted(dims)], keepdim, **options) for p in self.unbind()]
            return _C.stack(parts)
        return self._like(getattr(self._values, name)([d - 1 for d in sorted(dims)], keepdim, **options))

    def sum(self, dim=None, keepdim=False, **options):
        """Sums over a dim; see Tensor.sum."""
        return self._folded("sum", dim, keepdim, options)

    def mean(self, dim=None, keepdim=False, **options):
        """Averages over a dim; see Tensor.mean."""
        return self._folded("mean", dim, keepdim, options)

    def _like(self, values):
        return NestedTensor(values, self._offsets, lengths=self._lengths, _ragged=self._size)

    def _each(self, func, name, args, kwargs):
        def inside(x):
            if isinstance(x, NestedTensor):
                alike = x._values.shape[:1] == self._values.shape[:1]
                if x._size is not self._size and not (alike and _C.equal(x._offsets, self._offsets)):
                    raise RuntimeError(f"cannot call binary pointwise function {name} with inputs of shapes "
                                       f"{tuple(self.shape)} and {tuple(x.shape)}")
                return x._values
            if isinstance(x, _Nested):
                raise _missing(f"torch.{name} with another layout")
            if isinstance(x, _C.Tensor) and name in _ELEMENTS and x.dim() > self.dim() - 2:
                raise _missing(f"torch.{name} with a dense tensor of {x.dim()} dims")
            return x
        return self._like(func(*map(inside, args), **{k: inside(v) for k, v in kwargs.items()}))


class _Strided(_Nested):
    """A nested tensor in the strided layout: a tuple of components with equal numbers of dims."""

    @staticmethod
    def __new__(cls, parts, like=None):
        like = parts[0] if parts else _C.empty(0) if like is None else like
        self = like.detach().as_subclass(cls)
        self._parts = tuple(parts)
        return self

    layout = property(lambda self: _C.strided)
    requires_grad = property(lambda self: any(p.requires_grad for p in self._parts), lambda self, on: self.requires_grad_(on))
    grad_fn = property(lambda self: next((p.grad_fn for p in self._parts if p.grad_fn), None))
    is_leaf = property(lambda self: self.grad_fn is None)

    @property
    def shape(self):
        raise RuntimeError("Internal error: NestedTensorImpl doesn't support sizes. Please file an issue.")

    @property
    def _values(self):
        return _C.cat([p.flatten() for p in self._parts]) if self._parts else _C.empty(0)

    @property
    def grad(self):
        return None if all(p.grad is None for p in self._parts) else _Strided([p.new_zeros(p.shape) if p.grad is None else p.grad
                                                                               for p in self._parts])

    def dim(self):
        return self._parts[0].dim() + 1 if self._parts else 1

    ndim = property(dim)

    def size(self, dim=None):
        if dim is None:
            return self.shape
        dim = dim % self.dim()
        if dim == 0:
            return len(self._parts)
        sizes = {p.shape[dim - 1] for p in self._parts}
        if len(sizes) > 1:
            raise RuntimeError(f"Given dimension {dim} is irregular and does not have a size.")
        return sizes.pop()

    def __len__(self):
        return len(self._parts)

    def numel(self):
        return sum(p.numel() for p in self._parts)

    def unbind(self, dim=0):
        if dim:
            raise RuntimeError("NestedTensor can only be unbound along dimension 0")
        return self._parts

    def is_contiguous(self, memory_format=_C.contiguous_format):
        return all(p.is_contiguous(memory_format=memory_format) for p in self._parts)

    def requires_grad_(self, requires_grad=True):
        for p in self._parts:
            p.requires_grad_(requires_grad)
        return self

    def transpose(self, dim0, dim1):
        a, b = dim0 % self.dim(), dim1 % self.dim()
        if not (a and b):
            raise RuntimeError("Nested tensor dimension 0 cannot be transposed")
        return _Strided([p.transpose(a - 1, b - 1) for p in self._parts], self)

    def tolist(self):
        raise RuntimeError("Internal error: NestedTensorImpl doesn't support strides. Please file an issue.")

    def __repr__(self):
        lines = ",\n".join("  " + repr(p).replace("\n", "\n  ") for p in self._parts)
        end = f", grad_fn={self.grad_fn}" if self.grad_fn else ", requires_grad=True" if self.requires_grad else ""
        return f"nested_tensor([\n{lines}\n]{end})"

    __str__ = __repr__

    def _each(self, func, name, args, kwargs):
        def inside(x, i):
            if isinstance(x, _Strided):
                if len(x) != len(self):
                    raise RuntimeError(f"{name}: nested tensors of {len(self)} and {len(x)} components do not fit")
                return x._parts[i]
            if isinstance(x, _Nested):
                raise _missing(f"torch.{name} with another layout")
            return x
        parts = [func(*(inside(a, i) for a in args), **{k: inside(v, i) for k, v in kwargs.items()}) for i in range(len(self))]
        return _Strided(parts, self)


_METHODS = frozenset("""size dim numel unbind values offsets lengths sum mean is_contiguous unsqueeze transpose
    requires_grad_ backward __getitem__ __len__ tolist to_padded_tensor __repr__""".split())
