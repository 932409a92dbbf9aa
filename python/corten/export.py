# SPDX-License-Identifier: BSD-3-Clause
"""torch.export: not available; only its helper classes are, and exporting raises an error."""
from ._missing import missing_class, missing_function

__all__ = ["Constraint", "Dim", "ExportGraphSignature", "ExportedProgram", "dims", "export", "load", "register_dataclass", "save",
           "draft_export", "unflatten"]


_INSTEAD = "save the state_dict() of the module, and load it into a module of the same class"
export, draft_export, load, save, unflatten = (missing_function(f"torch.export.{name}", _INSTEAD) for name in (
    "export", "draft_export", "load", "save", "unflatten"))
ExportedProgram, ExportGraphSignature, Constraint = (missing_class(f"torch.export.{name}", _INSTEAD) for name in (
    "ExportedProgram", "ExportGraphSignature", "Constraint"))


class _DimHint:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"_DimHint(type=<_DimHintType.{self.name}>)"


class Dim:
    """A named dynamic size with optional bounds."""
    AUTO, STATIC, DYNAMIC = _DimHint("AUTO"), _DimHint("STATIC"), _DimHint("DYNAMIC")

    def __init__(self, name, *, min=None, max=None):
        self.__name__, self.min, self.max = name, 0 if min is None else min, float("inf") if max is None else max


def dims(*names, min=None, max=None):
    """Returns several Dim objects, one per name."""
    return tuple(Dim(name, min=min, max=max) for name in names)


def register_dataclass(cls, *, serialized_type_name=None):
    """Registers a dataclass as a pytree container; see torch.utils._pytree."""
    from dataclasses import fields

    from .utils._pytree import register_pytree_node
    names = [field.name for field in fields(cls)]
    register_pytree_node(cls, lambda x: ([getattr(x, name) for name in names], names),
                         lambda values, context: cls(**dict(zip(context, values))))
