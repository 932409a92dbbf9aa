# SPDX-License-Identifier: BSD-3-Clause
"""torch._dynamo: annotations for PyTorch's compiler. Corten has no compiler, so they have no effect."""
from .._missing import MissingFeature, missing_function
from ..compiler import compile
from ..compiler import allow_in_graph, assume_constant_result, disable, is_compiling, list_backends, reset
from ..compiler import substitute_in_graph  # noqa: F401
from . import config, eval_frame, exc
from .eval_frame import OptimizedModule

__all__ = ["OptimizedModule", "allow_in_graph", "assume_constant_result", "config", "disable", "disallow_in_graph", "eval_frame",
           "exc", "explain", "export", "forbid_in_graph", "graph_break", "is_compiling", "is_dynamo_supported", "list_backends",
           "mark_dynamic", "mark_static", "mark_static_address", "maybe_mark_dynamic", "optimize", "optimize_assert", "reset", "run"]

is_dynamo_supported = eval_frame.is_dynamo_supported


def optimize(backend="inductor", *, nopython=False, dynamic=None, disable=False, **more):
    """Returns a decorator: the older form of torch.compile."""
    for name in more:
        raise MissingFeature(f"torch._dynamo.optimize({name}=...)", "call torch.compile")
    return compile(backend=backend, fullgraph=nopython, dynamic=dynamic, disable=disable)


optimize_assert = optimize


def run(fn=None):
    """Returns the function unchanged: nothing is compiled."""
    return (lambda function: function) if fn is None else fn


def disallow_in_graph(fn):
    """Returns the function unchanged: there is no graph."""
    return fn


forbid_in_graph = disallow_in_graph


def graph_break(msg=""):
    """Does nothing: there is no graph."""


def mark_static_address(t, guard=True):
    """Does nothing: there is no compiler."""


def mark_static(t, index=None):
    """Does nothing: there is no compiler."""


def mark_dynamic(t, index, **kwargs):
    """Does nothing: there is no compiler."""


maybe_mark_dynamic = mark_dynamic


export = missing_function("torch._dynamo.export", "call the function itself; nothing traces it into a graph")
explain = missing_function("torch._dynamo.explain", "call the function itself; nothing traces it into a graph")
