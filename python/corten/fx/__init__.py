# SPDX-License-Identifier: BSD-3-Clause
"""Names of PyTorch's graph tracer, for programs that mention them in passing; tracing itself is refused."""
__all__ = ["Graph", "GraphModule", "Interpreter", "Node", "Proxy", "Tracer", "Transformer", "symbolic_trace", "wrap"]


def wrap(fn_or_name):
    """Marks a function that a tracer shall not look into: itself."""
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    return fn_or_name


def symbolic_trace(root, concrete_args=None):
    """An error: there is no tracer."""
    raise RuntimeError("torch.fx: functions and modules cannot be traced into graphs")


class _Untraced:
    def __init__(self, *args, **kwargs):
        symbolic_trace(None)


Graph, GraphModule, Interpreter, Node, Proxy, Tracer, Transformer = (
    type(name, (_Untraced,), {"__doc__": "A part of traced graphs, of which there are none."}) for name in
    ("Graph", "GraphModule", "Interpreter", "Node", "Proxy", "Tracer", "Transformer"))
