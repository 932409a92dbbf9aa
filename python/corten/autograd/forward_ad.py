# SPDX-License-Identifier: BSD-3-Clause
"""Forward-mode differentiation with dual numbers.

See Note [Dual numbers], src/autograd/forward.c.
"""
from contextlib import ContextDecorator, contextmanager
from typing import NamedTuple, Optional

from .. import _C, set_grad_enabled
from .function import _SingleLevelFunction, _walks

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]

_levels = []  # the open levels; at most one


class UnpackedDualTensor(NamedTuple):
    """The value (primal) and the derivative (tangent) of a dual tensor; tangent is None for a plain tensor."""
    primal: _C.Tensor
    tangent: Optional[_C.Tensor]


def enter_dual_level():
    """Open the level that dual tensors belong to, and return its number, which is 0. Prefer the context dual_level.

    Levels do not nest: a second one is an error, as in PyTorch.
    """
    _C._dual_enter()
    _levels.append(0)
    _watch()
    return 0


def exit_dual_level(*, level=None):
    """Close the level and drop all its tangents.

    Args:
        level: the number of the level. Default: None, for the open one
    """
    if level is not None and level != len(_levels) - 1:
        raise RuntimeError("Trying to exit a forward AD level that was not the last one that was created. This is not "
                           "supported.")
    _C._dual_exit()
    _levels.pop()
    _unwatch()


class dual_level(ContextDecorator):
    """A context in which dual tensors exist: tensors that carry a derivative through each operation.

    A dual tensor is a value x with a direction t, its tangent. In addition to its result, each operation f computes the tangent of
    the result, J_f t. One forward pass thus gives the derivative of all outputs in one direction, whereas one backward pass gives
    the derivative of one output with respect to all inputs.

        >>> import corten.autograd.forward_ad as fwAD
        >>> x, t = torch.tensor([1., 2.]), torch.tensor([1., 0.])
        >>> with fwAD.dual_level():
        ...     y = fwAD.make_dual(x, t) ** 3
        ...     fwAD.unpack_dual(y).tangent  # 3 * x^2 * t
        tensor([3., 0.])
    """

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, *error):
        exit_dual_level()


class _set_fwd_grad_enabled(ContextDecorator):
    """A context that sets whether tangents are propagated, independently of no_grad."""

    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        self.before = _C._set_tangents_enabled(self.mode)

    def __exit__(self, *error):
        _C._set_tangents_enabled(self.before)


def _check_level(level):
    if level is not None and not 0 <= level < len(_levels):
        raise RuntimeError("Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
                           if level < 0 or not _levels else f"There is no forward AD level {level}: levels do not nest, so the open one is 0.")


def make_dual(tensor, tangent, *, level=None):
    """Return a dual tensor: a view of `tensor` with a tangent.

    Args:
        tensor: the value.
        tangent: the direction, a tensor with the same shape and dtype.
        level: the level it belongs to. Default: None, for the open one

    Needs an open dual_level; see there for an example.
    """
    _check_level(level)
    return _C._make_dual(tensor, tangent)


def unpack_dual(tensor, *, level=None):
    """Return the value and the tangent of a dual tensor as a named tuple (primal, tangent).

    Args:
        tensor: the dual tensor; for a plain tensor the tangent is None.
        level: the level it belongs to. Default: None, for the open one

    Both parts can be differentiated by backward().
    """
    if level is not None and level < 0:
        return UnpackedDualTensor(tensor, None)
    _check_level(level)
    tangent = _C._dual_tangent(tensor)
    if tangent is None:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(tensor.view_as(tensor) if tensor.requires_grad else tensor.detach(), tangent)


# ---- Functions with a custom derivative ----

_watchers = 0


def _watch():
    """Pass the results of every Function through _watched, until _unwatch has been called once for each call of this function."""
    global _watchers
    _watchers += 1
    _C._watch_functions(_watched)


def _unwatch():
    global _watchers
    _watchers -= 1
    if not _watchers:
        _C._watch_functions(None)


@contextmanager
def _watched_functions():
    """A context in which nodes of Functions keep their inputs for _transposing."""
    _watch()
    try:
        yield
    finally:
        _unwatch()


@contextmanager
def _transposing():
    """A context for backward passes that will be differentiated with respect to their weights: Functions compute J^T v from jvp."""
    before, _walks.transpose = getattr(_walks, "transpose", None), _transposed
    try:
        with _watched_functions():
            yield
    finally:
        _walks.transpose = before


class _runs_once:
    """A context that detects whether a backward marked once_differentiable ran inside: its result looks like a constant."""

    def __enter__(self):
        self.before, _walks.once = getattr(_walks, "once", False), False
        return self

    def __exit__(self, *error):
        self.found = _walks.once
        _walks.once = self.before or self.found


def _transposed(node, grads):
    """Return J^T v of a Function, computed from its jvp.

    jvp, t -> J t, is linear in t. The gradient of v . J t with respect to t is therefore J^T v, as a differentiable function of v.
    The Function's own backward may be once_differentiable; its result would then seem not to depend on v.
    """
    from . import grad
    function, inputs, wanted = node._forward_cls, getattr(node, "_watched_inputs", None), node.needs_input_grad
    if function.jvp is _SingleLevelFunction.jvp:
        function.jvp(node)
    if inputs is None:
        raise RuntimeError(f"{function.__name__}: the forward derivative of a call that was recorded before it began is not known")
    tangents = [None if i is None else _C.zeros(i[0], dtype=i[1], device=i[2], requires_grad=w) for i, w in zip(inputs, wanted)]
    sources, found = [t for t, w in zip(tangents, wanted) if w], None
    with set_grad_enabled(True):
        moved = function.jvp(_Context(node), *tangents)
        moved = moved if isinstance(moved, tuple) else (moved,)
        pairs = [(m, g) for m, g in zip(moved, grads) if m is not None and g is not None and _C._is_recorded(m)]
        if pairs:
            found = grad([m for m, _ in pairs], sources, [g for _, g in pairs], create_graph=True, allow_unused=True)
    following = iter(found or [None] * len(sources))
    return tuple(next(following) if w else None for w in wanted)


class _Context:
    """The context that a function's jvp sees: the real one, with the tensors saved by save_for_forward."""

    def __init__(self, ctx):
        object.__setattr__(self, "_ctx", ctx)

    def __getattr__(self, name):
        if name == "saved_tensors":
            return tuple(t if t is None else unpack_dual(t).primal for t in self._ctx.saved_for_forward or ())
        return getattr(self._ctx, name)

    def __setattr__(self, name, value):
        setattr(self._ctx, name, value)

    def __delattr__(self, name):
        delattr(self._ctx, name)


def _watched(cls, args, output, node):
    """Return what apply() returns while a level is open: for dual arguments, the function's jvp computes the tangents."""
    node._watched_inputs = [(a.shape, a.dtype, a.device) if isinstance(a, _C.Tensor) else None for a in args]
    if not any(_C._is_dual(a) for a in args):
        return output
    if cls.jvp is _SingleLevelFunction.jvp:
        cls.jvp(None)
    outputs = output if isinstance(output, tuple) else (output,)
    if not any(_C._is_recorded(o) for o in outputs):  # no_grad
        return output
    tangents = [_C._dual_tangent(a) for a in args]
    tangents = [_C.zeros_like(a.detach()) if t is None and isinstance(a, _C.Tensor) else t for a, t in zip(args, tangents)]
    with set_grad_enabled(any(isinstance(a, _C.Tensor) and a.requires_grad for a in args)), _set_fwd_grad_enabled(False):
        moved = cls.jvp(_Context(node), *tangents)
    moved = moved if isinstance(moved, tuple) else (moved,)
    made = tuple(o if t is None else _C._make_dual(o, t if t.requires_grad else t.detach(), True)
                 for o, t in zip(outputs, moved))
    return made if isinstance(output, tuple) else made[0]


UnpackedDualTensor.__module__ = dual_level.__module__ = "torch.autograd.forward_ad"
