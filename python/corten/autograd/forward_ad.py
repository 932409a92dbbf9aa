# SPDX-License-Identifier: BSD-3-Clause
"""Derivatives forwards: dual numbers, which everything that has a derivative carries (Note [Dual numbers],
src/autograd/forward.c)."""
from contextlib import ContextDecorator
from typing import NamedTuple, Optional

from .. import _C, set_grad_enabled
from .function import _SingleLevelFunction

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
    _SingleLevelFunction.apply = classmethod(_apply_forwards)
    return 0


def exit_dual_level(*, level=None):
    """Closes the level: its tangents are gone."""
    if level is not None and level != len(_levels) - 1:
        raise RuntimeError("Trying to exit a forward AD level that was not the last one that was created. This is not "
                           "supported.")
    _C._dual_exit()
    _levels.pop()
    del _SingleLevelFunction.apply


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


def make_dual(tensor, tangent, *, level=None):
    """A tensor that shares `tensor`'s memory and moves in the direction `tangent`."""
    return _C._make_dual(tensor, tangent)


def unpack_dual(tensor, *, level=None):
    """The value and the tangent of a dual number, which can both be derived backwards."""
    tangent = _C._dual_tangent(tensor)
    if tangent is None:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(tensor.view_as(tensor) if tensor.requires_grad else tensor.detach(), tangent)


# ---- functions with a derivative of their own ----

def _apply(cls, *args, **kwargs):
    return super(_SingleLevelFunction, cls).apply(*args, **kwargs)


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


def _apply_forwards(cls, *args, **kwargs):
    """`apply` while a level is open: dual numbers go through the function's jvp."""
    output = _apply(cls, *args, **kwargs)
    if not any(_C._is_dual(a) for a in args):
        return output
    if cls.jvp is _SingleLevelFunction.jvp:
        cls.jvp(None)
    outputs = output if isinstance(output, tuple) else (output,)
    node = next((o._grad_fn for o in outputs if _C._is_recorded(o)), None)
    if node is None:  # no_grad
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
