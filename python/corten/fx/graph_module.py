# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.graph_module: names that libraries import. Nothing is traced, so no module has a graph."""
from .._missing import missing_class, missing_function
from . import GraphModule

__all__ = ["GraphModule"]

_INSTEAD = "register forward hooks to see inside a module"
_USER_PRESERVED_ATTRIBUTES_KEY = "_user_preserved_attributes"
_CodeOnlyModule = missing_class("torch.fx.graph_module._CodeOnlyModule", _INSTEAD)
_copy_attr = missing_function("torch.fx.graph_module._copy_attr", _INSTEAD)
