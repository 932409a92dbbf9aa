# SPDX-License-Identifier: BSD-3-Clause
"""torch.compile and what goes with it: functions are given back as they are, since Corten has no second way to run them."""
__all__ = ["allow_in_graph", "assume_constant_result", "compile", "cudagraph_mark_step_begin", "disable", "is_compiling",
           "is_dynamo_compiling", "is_exporting", "list_backends", "reset", "set_stance", "substitute_in_graph", "wrap_numpy"]


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """The function or module itself; without one, a decorator."""
    return (lambda function: function) if model is None else model


def disable(fn=None, recursive=True, *, reason=None):
    return (lambda function: function) if fn is None else fn


def allow_in_graph(fn):
    return fn


def assume_constant_result(fn):
    return fn


def wrap_numpy(fn):
    return fn


def substitute_in_graph(original_fn, **kwargs):
    return lambda function: function


def is_compiling():
    """False."""
    return False


is_dynamo_compiling = is_exporting = is_compiling


def list_backends(exclude_tags=("debug", "experimental")):
    return []


def reset():
    """Nothing is kept."""


def cudagraph_mark_step_begin():
    """Nothing to mark."""


class set_stance:
    """A context that changes nothing."""

    def __init__(self, stance="default", **kwargs):
        self.stance = stance

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None
