# SPDX-License-Identifier: BSD-3-Clause
"""The recorded graph: edges, hooks on several gradients, and what becomes of saved tensors."""
import contextlib
import functools
import threading
from typing import NamedTuple, Optional

from .. import _C
from .._missing import missing_function, no_effect

__all__ = ["saved_tensors_hooks", "save_on_cpu", "disable_saved_tensors_hooks", "register_multi_grad_hook",
           "allow_mutation_on_saved_tensors", "Node", "GradientEdge", "get_gradient_edge", "increment_version", "node_creation_hook",
           "queue_callback", "region_activation_memory_budget", "set_override_stale_capture_stream",
           "set_warn_on_accumulate_grad_stream_mismatch"]

Node = _C._Node


# ---- edges ----

class GradientEdge(NamedTuple):
    """Where the gradient of a tensor goes: a node and which of its results."""
    node: Node
    output_nr: int
    ownership_token: Optional[Node] = None


def get_gradient_edge(tensor):
    """The edge of a tensor, which backward() and grad() take in its place; it does not keep the tensor's memory."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(*_C._gradient_edge(tensor))


def _node_of(tensor):
    if isinstance(tensor, GradientEdge):
        return tensor.node
    node = _C._gradient_edge(tensor)[0]
    if node is None:
        raise AssertionError("Expected gradient function to be set")
    return node


def increment_version(tensor):
    """Says that tensors were written in a way that autograd could not see."""
    _C._increment_version((tensor,) if isinstance(tensor, _C.Tensor) else tuple(tensor))


def queue_callback(callback):
    """Calls callback() when the backward pass in progress has computed all its gradients."""
    _C._engine_queue_callback(callback)


node_creation_hook = missing_function("torch.autograd.graph.node_creation_hook", "walk from grad_fn along next_functions")


def set_warn_on_accumulate_grad_stream_mismatch(enabled):
    """Whether backward warns of gradients that are added up on another stream than the tensor was made on; it never does."""
    if enabled:
        no_effect("torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(True)",
                  "streams wait for each other where gradients are added up, and nothing warns")


def set_override_stale_capture_stream(enabled):
    """Whether backward in a CUDA graph's capture replaces the streams of an earlier capture."""
    if enabled:
        no_effect("torch.autograd.graph.set_override_stale_capture_stream(True)", "backward runs on the stream that captures")


def region_activation_memory_budget(budget):
    """A context that cannot be entered, as in PyTorch outside a compiled function; torch.utils.checkpoint saves memory."""
    if not 0 <= budget <= 1:
        raise ValueError(f"torch.autograd.graph.region_activation_memory_budget: must be in [0, 1], got {budget}")
    return _Uncompiled()


class _Uncompiled:
    def __enter__(self):
        raise RuntimeError("torch.autograd.graph.region_activation_memory_budget can only be used inside a torch.compile region; it has no "
                           "effect in eager mode.")

    def __exit__(self, *error):
        return None


# ---- saved tensors ----

_disabled = threading.local()


class saved_tensors_hooks:
    """with saved_tensors_hooks(pack, unpack): what operations save for backward is pack(tensor), and unpack(that) when
    backward needs it."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        message = getattr(_disabled, "message", None)
        if message is not None:
            raise RuntimeError(message)
        _disabled.depth = getattr(_disabled, "depth", 0) + 1
        _C._push_saved_tensors_default_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args):
        _disabled.depth -= 1
        _C._pop_saved_tensors_default_hooks()


class save_on_cpu(saved_tensors_hooks):
    """with save_on_cpu(): saved tensors wait on the CPU and go back to their device for backward. With `pin_memory` they wait in
    page-locked memory, if there is a device of type `device_type`, and are copied back without waiting."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        import corten
        pins = pin_memory and getattr(corten, device_type, corten.cuda).is_available()

        def pack(tensor):
            if not pin_memory or tensor.is_sparse:
                return tensor.device, tensor.cpu()
            packed = corten.empty(tensor.size(), dtype=tensor.dtype, pin_memory=pins)
            return tensor.device, packed.copy_(tensor)
        super().__init__(pack, lambda packed: packed[1].to(packed[0], non_blocking=pin_memory))


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    """with disable_saved_tensors_hooks(text): hooks for saved tensors are an error with this text."""
    before = getattr(_disabled, "message", None)
    if getattr(_disabled, "depth", 0):
        raise RuntimeError(error_message)
    _disabled.message = error_message
    try:
        yield
    finally:
        _disabled.message = before


_mutation = threading.local()


@contextlib.contextmanager
def allow_mutation_on_saved_tensors():
    """Tensors saved for backward may be written in place: a copy is saved. Forward and backward both run inside."""
    class Context:
        """Ends with the block."""
        open = True

        def clear(self):
            self.open = False

    def unpack(tensor):
        if not context.open:
            raise AssertionError("Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the "
                                 "graph was originally recorded.")
        return tensor

    if getattr(_mutation, "on", False):
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = Context()
    _mutation.on = True
    try:
        with saved_tensors_hooks(lambda tensor: tensor.detach().clone(), unpack):
            yield context
    finally:
        context.clear()
        _mutation.on = False


# ---- hooks on several gradients ----

class _MultiHandle:
    """Removes several hooks."""

    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        """The hooks never run again."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.remove()


def _when_all(tensors, fn):
    """One hook for each tensor; the last one that a run calls gives all their gradients to fn."""
    nodes, runs, lock = [_node_of(t) for t in tensors], {}, threading.Lock()

    def hook(i, grad):
        run = _C._current_graph_task_id()
        if run == -1:
            raise AssertionError("expected this hook to be called inside a backward call")
        with lock:
            if run not in runs:
                runs[run] = [sum(map(_C._will_engine_execute_node, nodes)), [None] * len(nodes)]
            runs[run][0] -= 1
            left, grads = runs[run]
        grads[i] = grad
        if left == 0:
            del runs[run]
            fn(grads)
    return [functools.partial(hook, i) for i in range(len(nodes))]


def _when_first(tensors, fn):
    ran, lock = set(), threading.Lock()

    @functools.wraps(fn)
    def hook(grad):
        run = _C._current_graph_task_id()
        if run == -1:
            raise AssertionError("expected this hook to be called inside a backward call")
        with lock:
            known = run in ran
            ran.add(run)
        if not known:
            fn(grad)
    return [hook if t.requires_grad else None for t in tensors]


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Calls fn once in each backward: with all gradients of the tensors (None for those it does not compute), or with the
    first of them (mode "any")."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    hooks = (_when_all if mode == "all" else _when_first)(tensors, fn)
    return _MultiHandle(tuple(t.register_hook(hook) for t, hook in zip(tensors, hooks) if hook))


GradientEdge.__module__ = "torch.autograd.graph"
for _class in (saved_tensors_hooks, save_on_cpu):
    _class.__module__ = "torch.autograd.graph"
