# SPDX-License-Identifier: BSD-3-Clause
"""torch._foreach_add and its kind: one operation on each tensor of a list. Optimizers of libraries are written with them.

Every name is made of the operation on one tensor; what stands beside the list is a list of as many, or one for all.
"""
from . import _C

_UNARY = ("abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round rsqrt "
          "sigmoid sign sin sinh sqrt tan tanh trunc").split()
_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "div": "div", "clamp_max": "clamp_max", "clamp_min": "clamp_min",
           "maximum": "clamp_min", "minimum": "clamp_max", "pow": "pow"}


def _check(*lists):
    first = lists[0]
    if not first:
        raise RuntimeError("Tensor list must have at least one tensor.")
    for other in lists[1:]:
        if len(other) != len(first):
            raise RuntimeError(f"Tensor lists must have the same number of tensors, got {len(first)} and {len(other)}")


def _each(value, n):
    """One value for each tensor: those of a list, or the same for all."""
    if isinstance(value, (list, tuple)):
        if len(value) != n:
            if value and not isinstance(value[0], _C.Tensor):
                raise RuntimeError("Tensor list must have same number of elements as scalar list.")
            raise RuntimeError(f"Tensor lists must have the same number of tensors, got {n} and {len(value)}")
        return value
    return [value] * n


def _unary(name):
    def function(self):
        _check(self)
        return [getattr(x, name)() for x in self]

    def in_place(self):
        _check(self)
        for x in self:
            getattr(x, name + "_")()
    return function, in_place


def _binary(name, method):
    def one(x, other, place, more):
        if name in ("maximum", "minimum") and isinstance(other, _C.Tensor):
            result = getattr(_C, name)(x, other)
            return x.copy_(result) if place else result
        return getattr(x, method + place)(other, **more)

    def function(self, other=None, *, scalar=None, scalars=None, exponent=None, alpha=None):
        other = next(v for v in (other, scalar, scalars, exponent) if v is not None)
        more = {} if alpha is None else {"alpha": alpha}
        if name == "pow" and not isinstance(self, (list, tuple)):
            return [_C.pow(self, x) for x in other]
        _check(self)
        return [one(x, o, "", more) for x, o in zip(self, _each(other, len(self)))]

    def in_place(self, other=None, *, scalar=None, scalars=None, exponent=None, alpha=None):
        other = next(v for v in (other, scalar, scalars, exponent) if v is not None)
        more = {} if alpha is None else {"alpha": alpha}
        _check(self)
        for x, o in zip(self, _each(other, len(self))):
            one(x, o, "_", more)
    return function, in_place


def _pointwise(name):
    def values(self, tensor1, tensor2, value, scalars):
        _check(self, tensor1, tensor2)
        value = value if scalars is None else scalars
        return _each(value.tolist() if isinstance(value, _C.Tensor) else value, len(self))

    def function(self, tensor1, tensor2, value=1, *, scalars=None):
        each = values(self, tensor1, tensor2, value, scalars)
        return [getattr(_C, name)(x, a, b, value=v) for x, a, b, v in zip(self, tensor1, tensor2, each)]

    def in_place(self, tensor1, tensor2, value=1, *, scalars=None):
        each = values(self, tensor1, tensor2, value, scalars)
        for x, a, b, v in zip(self, tensor1, tensor2, each):
            getattr(x, name + "_")(a, b, value=v)
    return function, in_place


def _foreach_lerp(self, tensors1, weight=None, *, weights=None, scalars=None):
    """Between the tensors of two lists."""
    _check(self, tensors1)
    weight = next(v for v in (weight, weights, scalars) if v is not None)
    return [_C.lerp(x, y, w) for x, y, w in zip(self, tensors1, _each(weight, len(self)))]


def _foreach_lerp_(self, tensors1, weight=None, *, weights=None, scalars=None):
    """The same in place."""
    _check(self, tensors1)
    weight = next(v for v in (weight, weights, scalars) if v is not None)
    for x, y, w in zip(self, tensors1, _each(weight, len(self))):
        x.lerp_(y, w)


def _foreach_copy_(self, src, non_blocking=False):
    """The values of another list."""
    _check(self, src)
    for x, y in zip(self, src):
        x.copy_(y, non_blocking)


def _foreach_zero_(self):
    """Zeros everywhere."""
    _check(self)
    for x in self:
        x.zero_()


def _foreach_max(self):
    """The greatest element of each."""
    _check(self)
    return [x.max() for x in self]


def _foreach_norm(self, ord=2, dtype=None):
    """The norm of each."""
    _check(self)
    from .linalg import vector_norm
    return [vector_norm(x, ord, dtype=dtype) for x in self]


def _named(name, pair):
    for function, suffix in zip(pair, ("", "_")):
        function.__name__ = function.__qualname__ = f"_foreach_{name}{suffix}"
        function.__doc__ = f"{name}{suffix} of each tensor of a list."
        globals()[function.__name__] = function


for _name in _UNARY:
    _named(_name, _unary(_name))
for _name, _method in _BINARY.items():
    _named(_name, _binary(_name, _method))
for _name in ("addcdiv", "addcmul"):
    _named(_name, _pointwise(_name))
