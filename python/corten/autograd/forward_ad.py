# SPDX-License-Identifier: BSD-3-Clause
"""Derivatives forwards: dual numbers, which everything that has a derivative carries (Note [Dual numbers],
src/autograd/forward.c)."""
from contextlib import ContextDecorator, contextmanager
from typing import NamedTuple, Optional

from .. import _C, set_grad_enabled
from .function import _SingleLevelFunction, _walks

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]

_levels = []  # that are open, of which there is one at most


class UnpackedDualTensor(NamedTuple):
    """The two parts of a dual number; without a tangent the second is None."""
    primal: _C.Tensor
    tangent: Optional[_C.Tensor]


def enter_dual_level():
    """Opens the level that dual numbers belong to."""
    _C._dual_enter()
    _levels.append(0)
    _watch()
    return 0


def exit_dual_level(*, level=None):
    """Closes the level: its tangents are gone."""
    if level is not None and level != len(_levels) - 1:
        raise RuntimeError("Trying to exit a forward AD level that was not the last one that was created. This is not "
                           "supported.")
    _C._dual_exit()
    _levels.pop()
    _unwatch()


class dual_level(ContextDecorator):
    """A context in which there are dual numbers."""

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, *error):
        exit_dual_level()


class _set_fwd_grad_enabled(ContextDecorator):
    """A context in which `no_grad` cuts tangents off as well, or does not."""

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
    """A tensor that shares `tensor`'s memory and moves in the direction `tangent`."""
    _check_level(level)
    return _C._make_dual(tensor, tangent)


def unpack_dual(tensor, *, level=None):
    """The value and the tangent of a dual number, which can both be derived backwards."""
    if level is not None and level < 0:
        return UnpackedDualTensor(tensor, None)
    _check_level(level)
    tangent = _C._dual_tangent(tensor)
    if tangent is None:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(tensor.view_as(tensor) if tensor.requires_grad else tensor.detach(), tangent)


# ---- functions with a derivative of their own ----

_watchers = 0


def _watch():
    """From now on every Function's results go through _watched, until as many calls of _unwatch."""
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
    """A context in which nodes of Functions remember their inputs, which _transposing needs."""
    _watch()
    try:
        yield
    finally:
        _unwatch()


@contextmanager
def _transposing():
    """A context for backward walks whose results are derived by their weights: Functions give J^T v from their jvp."""
    before, _walks.transpose = getattr(_walks, "transpose", None), _transposed
    try:
        with _watched_functions():
            yield
    finally:
        _walks.transpose = before


class _runs_once:
    """A context that finds out whether a backward that cannot be derived again ran inside: what it gives seems to be a constant."""

    def __enter__(self):
        self.before, _walks.once = getattr(_walks, "once", False), False
        return self

    def __exit__(self, *error):
        self.found = _walks.once
        _walks.once = self.before or self.found


def _transposed(node, grads):
    """J^T v of a Function. Its jvp, t -> J t, is linear in t, so the gradient of v . J t by t is J^T v, and can be derived by v.
    A backward may be once_differentiable, and would then seem not to depend on v."""
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
    """What a function's jvp sees: its context, with the tensors that it saved for this."""

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
    """What apply gives while a level is open: dual numbers go through the function's jvp."""
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
