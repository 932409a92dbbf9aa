# SPDX-License-Identifier: BSD-3-Clause
"""The recorded graph: edges, hooks on several gradients, and control over saved tensors."""
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
    """The point where the gradient of a tensor arrives: a node of the graph and the index of its output.

    backward() and grad() accept it instead of the tensor, and it does not keep the tensor's memory alive.
    """
    node: Node
    output_nr: int
    ownership_token: Optional[Node] = None


def get_gradient_edge(tensor):
    """Return the GradientEdge of a tensor.

    Args:
        tensor: a tensor that requires gradients; others raise RuntimeError.
    """
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
    """Tell autograd that tensors were changed in a way it could not see, for example by other software through a shared buffer.

    A backward that needs the old values then raises an error instead of computing with the new ones.

    Args:
        tensor: a tensor or an iterable of them.
    """
    _C._increment_version((tensor,) if isinstance(tensor, _C.Tensor) else tuple(tensor))


def queue_callback(callback):
    """Call callback() when the running backward pass has computed all its gradients.

    Args:
        callback: a function without arguments. Outside of a backward pass this is an error.
    """
    _C._engine_queue_callback(callback)


node_creation_hook = missing_function("torch.autograd.graph.node_creation_hook", "walk from grad_fn along next_functions")


def set_warn_on_accumulate_grad_stream_mismatch(enabled):
    """Accept PyTorch's switch for a warning about CUDA streams; Corten never gives that warning.

    Args:
        enabled: True reports once that the switch has no effect.
    """
    if enabled:
        no_effect("torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(True)",
                  "streams wait for each other where gradients are added up, and nothing warns")


def set_override_stale_capture_stream(enabled):
    """Accept PyTorch's switch for backward in a CUDA graph capture; here backward always runs on the capturing stream.

    Args:
        enabled: True reports once that the switch has no effect.
    """
    if enabled:
        no_effect("torch.autograd.graph.set_override_stale_capture_stream(True)", "backward runs on the stream that captures")


def region_activation_memory_budget(budget):
    """Return a context that raises when entered, as in PyTorch outside a compiled function.

    Use torch.utils.checkpoint to save memory.

    Args:
        budget: a fraction from 0 to 1.
    """
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
    """A context in which tensors saved for backward pass through two functions, for example to compress or move them.

    Args:
        pack_hook: called with each tensor that an operation saves; its result is stored instead.
        unpack_hook: called with that result when backward needs the tensor; returns a tensor with the same values.

    Hooks apply to operations recorded in the block, wherever their backward runs. Blocks nest; the innermost one counts.

        >>> saved = []
        >>> def pack(tensor):
        ...     saved.append(tuple(tensor.shape))
        ...     return tensor.half()  # half the memory, for less precise gradients
        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> with torch.autograd.graph.saved_tensors_hooks(pack, lambda packed: packed.float()):
        ...     y = x.exp()
        >>> saved
        [(2,)]
        >>> y.sum().backward()
        >>> x.grad
        tensor([2.7188, 7.3906])
    """

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
    """A context in which tensors saved for backward are kept in CPU memory, to save GPU memory.

    Backward copies them back to their device.

    Args:
        pin_memory: True stores them in page-locked memory, from where they are copied back asynchronously. Default: False
        device_type: the device type whose memory is saved; pin_memory needs such a device to be present. Default: "cuda"
    """

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
    """A context in which entering saved_tensors_hooks raises RuntimeError.

    Args:
        error_message: the message of that error. It is raised at once if hooks are active already.
    """
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
    """A context in which tensors saved for backward may be changed in place: a copy of each is saved.

    Forward and backward must both run inside. Costs the memory of the copies.

        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
        ...     y = x * 1
        ...     z = y.sin()  # saves y
        ...     y.zero_()  # would be an error in backward otherwise
        ...     z.sum().backward()
        tensor([0., 0.], grad_fn=<ZeroBackward0>)
        >>> x.grad  # cos(x)
        tensor([ 0.5403, -0.4161])
    """
    class Context:
        """The state of a block: whether it is still open."""
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
    """A handle that removes several hooks."""

    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        """Unregister the hooks."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.remove()


def _when_all(tensors, fn):
    """Return one hook per tensor; the last one called in a backward pass hands all gradients to fn."""
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
    """Call a function once per backward pass, with the gradients of several tensors.

    Args:
        tensors: the tensors; those that do not require gradients are ignored by "any".
        fn: with mode "all" called with a list of gradients, None for tensors that this pass does not reach; with mode
            "any" called with the first gradient that is computed. Its result is ignored.
        mode: "all" or "any". Default: "all"

    Returns a handle with remove(); it is also a context manager.

        >>> a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
        >>> handle = torch.autograd.graph.register_multi_grad_hook([a, b], lambda grads: print(grads))
        >>> (2 * a + 3 * b).sum().backward()
        [tensor([2.]), tensor([3.])]
        >>> handle.remove()
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    hooks = (_when_all if mode == "all" else _when_first)(tensors, fn)
    return _MultiHandle(tuple(t.register_hook(hook) for t, hook in zip(tensors, hooks) if hook))


GradientEdge.__module__ = "torch.autograd.graph"
for _class in (saved_tensors_hooks, save_on_cpu):
    _class.__module__ = "torch.autograd.graph"
