# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx: graph tracing. Corten has no tracer; the names exist so that programs can import them."""
from .._missing import missing_class, missing_function

__all__ = ["Graph", "GraphModule", "Interpreter", "Node", "Proxy", "Tracer", "Transformer", "replace_pattern", "symbolic_trace", "wrap"]


def wrap(fn_or_name):
    """Returns the function unchanged; in PyTorch, marks it as a leaf for the tracer."""
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    return fn_or_name


_INSTEAD = "register forward hooks to see inside a module"
symbolic_trace = missing_function("torch.fx.symbolic_trace", _INSTEAD)
replace_pattern = missing_function("torch.fx.replace_pattern", _INSTEAD)
Graph, GraphModule, Interpreter, Node, Proxy, Tracer, Transformer = (missing_class(f"torch.fx.{name}", _INSTEAD) for name in (
    "Graph", "GraphModule", "Interpreter", "Node", "Proxy", "Tracer", "Transformer"))


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
from . import _absent  # noqa: E402,F401
