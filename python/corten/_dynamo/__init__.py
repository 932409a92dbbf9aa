# SPDX-License-Identifier: BSD-3-Clause
"""torch._dynamo: what programs say to PyTorch's compiler. Corten has none, so nothing is marked, kept or refused."""
from ..compiler import allow_in_graph, assume_constant_result, disable, is_compiling, list_backends, reset
from ..compiler import substitute_in_graph  # noqa: F401
from . import config, eval_frame, exc
from .eval_frame import OptimizedModule

__all__ = ["OptimizedModule", "allow_in_graph", "assume_constant_result", "config", "disable", "disallow_in_graph", "eval_frame",
           "exc", "explain", "export", "forbid_in_graph", "graph_break", "is_compiling", "is_dynamo_supported", "list_backends",
           "mark_dynamic", "mark_static", "mark_static_address", "maybe_mark_dynamic", "optimize", "optimize_assert", "reset", "run"]

is_dynamo_supported = eval_frame.is_dynamo_supported


def optimize(backend="inductor", *args, **kwargs):
    """A decorator that gives functions and modules back as they are."""
    return lambda function: function


optimize_assert = optimize


def run(fn=None):
    return (lambda function: function) if fn is None else fn


def disallow_in_graph(fn):
    return fn


forbid_in_graph = disallow_in_graph


def graph_break(msg=""):
    """Nothing to break."""


def mark_static_address(t, guard=True):
    """Nothing to mark."""


def mark_static(t, index=None):
    """Nothing to mark."""


def mark_dynamic(t, index, **kwargs):
    """Nothing to mark."""


maybe_mark_dynamic = mark_dynamic


def export(*args, **kwargs):
    """An error: there is no compiler."""
    raise RuntimeError("torch._dynamo.export: there is no compiler that could trace functions into graphs")


explain = export
