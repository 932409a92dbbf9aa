# SPDX-License-Identifier: BSD-3-Clause
"""Memory for time: a part of a network that keeps only its inputs, and runs again when its gradients are wanted."""
import contextlib
import warnings

from .. import Tensor, autograd, enable_grad, get_rng_state, is_grad_enabled, no_grad, set_rng_state
from ..autograd.graph import saved_tensors_hooks

__all__ = ["CheckpointError", "CheckpointFunction", "CheckpointPolicy", "DefaultDeviceType", "checkpoint", "checkpoint_sequential",
           "check_backward_validity", "detach_variable", "noop_context_fn", "set_checkpoint_early_stop"]


class CheckpointError(RuntimeError):
    """The second run did not save what the first one did."""


class DefaultDeviceType:
    """The kind of device whose random numbers are repeated too."""
    _kind = "cuda"

    @staticmethod
    def set_device_type(device="cuda"):
        DefaultDeviceType._kind = device

    @staticmethod
    def get_device_type():
        return DefaultDeviceType._kind


class CheckpointPolicy:
    """What a selective policy may answer; everything is computed again here."""
    MUST_SAVE, PREFER_SAVE, MUST_RECOMPUTE, PREFER_RECOMPUTE = range(4)


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


_early_stop = [True]


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """Whether the second run may end as soon as all that was saved is there again."""
    _early_stop.append(enable)
    try:
        yield
    finally:
        _early_stop.pop()


def detach_variable(inputs):
    """Inputs without their history, which ask for gradients as before."""
    if not isinstance(inputs, tuple):
        raise RuntimeError("Only tuple of tensors is supported. Got Unsupported input type: ", type(inputs).__name__)

    def apart(x):
        made = x.detach()
        made.requires_grad = x.requires_grad
        return made

    return tuple(apart(x) if isinstance(x, Tensor) else x for x in inputs)


def check_backward_validity(inputs):
    if not any(x.requires_grad for x in inputs if isinstance(x, Tensor)):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


@contextlib.contextmanager
def _as_before(state, grad=True):
    """With the random numbers of the first run; those of now go on afterwards."""
    now = get_rng_state() if state is not None else None
    try:
        if state is not None:
            set_rng_state(state)
        with enable_grad() if grad else contextlib.nullcontext():
            yield
    finally:
        if now is not None:
            set_rng_state(now)


class CheckpointFunction(autograd.Function):
    """The old way: one node, whose backward runs the function again and goes back through it."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.state = get_rng_state() if preserve_rng_state else None
        ctx.places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        ctx.inputs = [None if isinstance(x, Tensor) else x for x in args]
        ctx.save_for_backward(*(x for x in args if isinstance(x, Tensor)))
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        inputs = list(ctx.inputs)
        for place, tensor in zip(ctx.places, ctx.saved_tensors):
            inputs[place] = tensor
        inputs = detach_variable(tuple(inputs))
        with _as_before(ctx.state):
            outputs = ctx.run_function(*inputs)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        wanted = [(out, grad) for out, grad in zip(outputs, grads) if isinstance(out, Tensor) and out.requires_grad]
        if not wanted:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        autograd.backward([out for out, _ in wanted], [grad for _, grad in wanted])
        return (None, None, *(x.grad if isinstance(x, Tensor) else None for x in inputs))


class _Again:
    """One call of a checkpointed function: how to run it again, and what that saves."""

    def __init__(self, function, args, kwargs, state, context, check):
        self.function, self.args, self.kwargs, self.state, self.context = function, args, kwargs, state, context
        self.check, self.count, self.kept, self.facts = check, 0, {}, []

    def pack(self, tensor):
        self.count += 1
        self.facts.append((tensor.shape, tensor.dtype, tensor.device))
        return self.count - 1

    def unpack(self, place):
        if place not in self.kept:
            self.run()
        if place not in self.kept:
            raise CheckpointError("torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                                  f"recomputation.\nNumber of tensors saved during forward: {self.count}\n"
                                  f"Number of tensors saved during recomputation: {len(self.kept)}.")
        tensor = self.kept.pop(place)
        if self.check and (tensor.shape, tensor.dtype, tensor.device) != self.facts[place]:
            raise CheckpointError("torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during "
                                  f"the forward pass.\ntensor at position {place}:\nsaved metadata: {self.facts[place]}\nrecomputed "
                                  f"metadata: {(tensor.shape, tensor.dtype, tensor.device)}")
        return tensor

    def run(self):
        self.kept = {}

        def keep(tensor):
            self.kept[len(self.kept)] = tensor.detach() if not tensor.requires_grad else tensor
            return tensor

        with _as_before(self.state), self.context, saved_tensors_hooks(keep, lambda tensor: tensor):
            self.function(*self.args, **self.kwargs)


def checkpoint(function, *args, use_reentrant=None, context_fn=noop_context_fn, determinism_check="default", debug=False, early_stop=True,
               **kwargs):
    """function(*args), of which nothing is kept but the arguments; it runs again in backward."""
    if use_reentrant is None:
        warnings.warn("torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling "
                      "checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to "
                      "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
                      "differences between the two variants.", stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs and use_reentrant:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if use_reentrant:
        if context_fn is not noop_context_fn or debug:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve, *args)
    forward_context, again_context = context_fn()
    if not is_grad_enabled():
        with forward_context:
            return function(*args, **kwargs)
    again = _Again(function, args, kwargs, get_rng_state() if preserve else None, again_context, determinism_check == "default")
    with saved_tensors_hooks(again.pack, again.unpack), forward_context:
        return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """A chain of modules in so many segments, all but the last checkpointed."""
    if use_reentrant is None:
        warnings.warn("torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version "
                      "2.9 we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, but if you need "
                      "to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
                      "differences between the two variants.", stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    functions = list(functions)

    def part(start, end):
        def run(x):
            for function in functions[start:end]:
                x = function(x)
            return x
        return run

    size, end = len(functions) // segments, 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(part(start, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return part(end, len(functions))(input)
