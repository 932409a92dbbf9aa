# SPDX-License-Identifier: BSD-3-Clause
"""Activation checkpointing, which trades time for memory: a part of a network keeps only its inputs and runs again in backward.

There are two implementations. With use_reentrant=False the forward pass records its graph as usual, and only the saved tensors
are missing until backward needs them (_recompute.py). With use_reentrant=True the part is one node of the graph, whose backward
runs the part again, with gradients this time, and calls backward() on the result. Both restore the random numbers, autocast
and default device of the first run.
"""
import contextlib
import enum
import functools
import traceback
import warnings

from .. import Tensor, amp, autograd, enable_grad, get_rng_state, is_grad_enabled, no_grad, set_rng_state
from .. import device as _device
from .._missing import missing_function
from ..overrides import TorchFunctionMode
from ..random import fork_rng
from ._pytree import tree_iter
from ._recompute import CheckpointError, Frame, GraphExecGroup

__all__ = ["CheckpointError", "CheckpointFunction", "CheckpointPolicy", "DefaultDeviceType", "GraphExecGroup",
           "SelectiveCheckpointContext", "check_backward_validity", "checkpoint", "checkpoint_sequential",
           "create_selective_checkpoint_contexts", "detach_variable", "get_device_states", "noop_context_fn", "set_checkpoint_debug_enabled",
           "set_checkpoint_early_stop", "set_device_states"]


class CheckpointPolicy(enum.Enum):
    """The possible results of a selective-checkpointing policy for an operation; see create_selective_checkpoint_contexts."""
    MUST_SAVE, PREFER_SAVE, MUST_RECOMPUTE, PREFER_RECOMPUTE, MUST_CPU_OFFLOAD, PREFER_CPU_OFFLOAD = range(6)


class SelectiveCheckpointContext:
    """The information passed to a selective-checkpointing policy about an operation.

    Args:
        is_recompute: whether this is the second run.
        op_output: the operation's result. Default: None
    """

    def __init__(self, *, is_recompute, op_output=None):
        self.is_recompute, self.op_output = is_recompute, op_output


create_selective_checkpoint_contexts = missing_function(
    "torch.utils.checkpoint.create_selective_checkpoint_contexts",
    "leave context_fn out to compute everything again, or put checkpoint() around the cheap parts alone")


def noop_context_fn():
    """Return two contexts that do nothing: the default of checkpoint's context_fn."""
    return contextlib.nullcontext(), contextlib.nullcontext()


_early_stop = _debug = None  # set by the contexts below; None leaves the choice to each call


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """A context that overrides the `early_stop` of the checkpoints called inside. Backward may run outside of the block.

    Args:
        enable: True ends the second run with the last tensor that backward needs; False completes it.
    """
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled):
    """A context that overrides the `debug` of the checkpoints called inside.

    Args:
        enabled: whether errors list the operations of both runs; None leaves the choice to each call.
    """
    global _debug
    before, _debug = _debug, enabled
    try:
        yield
    finally:
        _debug = before


# ---- the state of the first run: random number generators, autocast, default device ----

def _device_module(kind):
    import corten
    return corten.device("meta") if kind == "meta" else getattr(corten, kind)


def _is_initialized(module):
    asked = getattr(module, "is_initialized", None)
    return asked is not None and asked()


class DefaultDeviceType:
    """The device type whose random numbers are restored if no argument of a checkpoint is on a device other than the CPU.

    Initially the type of the accelerator ("cuda"), if there is one, else "cpu".
    """
    _kind = None

    @staticmethod
    def set_device_type(device="cuda"):
        """Set the device type.

        Args:
            device: the type. Default: "cuda"
        """
        DefaultDeviceType._kind = device

    @staticmethod
    def get_device_type():
        """Return the device type."""
        from ..accelerator import current_accelerator
        if not DefaultDeviceType._kind:
            found = current_accelerator(True)
            DefaultDeviceType._kind = "cpu" if found is None else found.type
        return DefaultDeviceType._kind


def _infer_device_type(*args):
    kinds = [x.device.type for x in tree_iter(args) if isinstance(x, Tensor) and x.device.type != "cpu"]
    if len(set(kinds)) > 1:
        warnings.warn("Tensor arguments, excluding CPU tensors, are detected on at least two types of devices. Device state will only be "
                      "saved for devices of a single device type, and the remaining devices will be ignored. Consequently, if any "
                      "checkpointed functions involve randomness, this may result in incorrect gradients. (Note that if CUDA devices are "
                      "among the devices detected, it will be prioritized; otherwise, the first device encountered will be selected.)\n"
                      f"Device types: {sorted(set(kinds))} first device type: {kinds[0]}", stacklevel=2)
    if not kinds:
        return DefaultDeviceType.get_device_type()
    return "cuda" if "cuda" in kinds else kinds[0]


def get_device_states(*args):
    """Return the indices of the devices that tensor arguments are on, and the states of their random number generators.

    Args:
        args: objects that may contain tensors.
    """
    numbers = [x.get_device() for x in tree_iter(args) if isinstance(x, Tensor) and x.device.type not in ("cpu", "meta")]
    module, states = _device_module(_infer_device_type(*args)), []
    for number in numbers:
        with module.device(number):
            states.append(module.get_rng_state())
    return numbers, states


def set_device_states(devices, states, *, device_type=None):
    """Set the states of the random number generators of some devices.

    Args:
        devices: their indices.
        states: a state for each, as get_device_states() returns them.
        device_type: the device type. Default: None, for DefaultDeviceType's
    """
    device_type = DefaultDeviceType.get_device_type() if device_type is None else device_type
    if device_type == "meta":
        return
    module = _device_module(device_type)
    for device, state in zip(devices, states):
        with module.device(device):
            module.set_rng_state(state)


class _State:
    """Snapshot of the random number generators, autocast and default device."""

    def __init__(self, args, preserve_rng_state):
        import corten
        self.kind, self.preserve = _infer_device_type(*args), preserve_rng_state
        kinds = {"cpu": None, self.kind: None} if amp.is_autocast_available(self.kind) else {"cpu": None}
        cached = corten.is_autocast_cache_enabled()
        self.autocast = [(kind, corten.get_autocast_dtype(kind), corten.is_autocast_enabled(kind), cached) for kind in kinds]
        self.default_device = corten.get_default_device()
        self.had_device = _is_initialized(_device_module(self.kind))
        self.devices, self.device_states, self.cpu_state = [], [], None
        if preserve_rng_state:
            self.cpu_state = get_rng_state()
            if self.had_device:  # do not initialize a GPU driver that the first run did not use
                self.devices, self.device_states = get_device_states(*args)

    def generators(self):
        """Return the current states of the generators that a run may draw from."""
        module = _device_module(self.kind)
        return [get_rng_state(), *(module.get_rng_state(device) for device in self.devices)]

    @contextlib.contextmanager
    def restored(self):
        """Context manager: runs with the saved states, then restores the current ones."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(fork_rng(devices=self.devices, enabled=self.preserve, device_type=self.kind))
            if self.preserve:
                set_rng_state(self.cpu_state)
                set_device_states(self.devices, self.device_states, device_type=self.kind)
            for kind, dtype, enabled, cached in self.autocast:
                stack.enter_context(amp.autocast(kind, dtype=dtype, enabled=enabled, cache_enabled=cached))
            if self.default_device != _device("cpu"):
                stack.enter_context(self.default_device)
            yield


# ---- use_reentrant=True ----

def detach_variable(inputs):
    """Return inputs detached from their history, with the same requires_grad.

    Args:
        inputs: a tuple; objects that are not tensors are returned as they are.
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}")

    def apart(x):
        made = x.detach()
        made.requires_grad = x.requires_grad
        return made

    return tuple(apart(x) if isinstance(x, Tensor) else x for x in inputs)


def check_backward_validity(inputs):
    """Warn if no input requires gradients: then the call would not be recorded, and no parameter would get a gradient.

    Args:
        inputs: the arguments of the call.
    """
    if not any(x.requires_grad for x in inputs if isinstance(x, Tensor)):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


class CheckpointFunction(autograd.Function):
    """The reentrant implementation: one graph node, whose backward runs the function again and differentiates that run."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        """Runs the function without recording a graph, and keeps its arguments."""
        check_backward_validity(args)
        ctx.run_function, ctx.state = run_function, _State(args, preserve_rng_state)
        ctx.places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        ctx.inputs = [None if isinstance(x, Tensor) else x for x in args]
        ctx.save_for_backward(*(x for x in args if isinstance(x, Tensor)))
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        """Runs the function again with recording, then backward through the result."""
        if not autograd._is_checkpoint_valid():
            raise RuntimeError("When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                               "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                               ".backward() without passing the `inputs` argument.")
        inputs = list(ctx.inputs)
        for place, tensor in zip(ctx.places, ctx.saved_tensors):
            inputs[place] = tensor
        with ctx.state.restored(), enable_grad():
            inputs = detach_variable(tuple(inputs))
            outputs = ctx.run_function(*inputs)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        wanted = [(out, grad) for out, grad in zip(outputs, grads) if isinstance(out, Tensor) and out.requires_grad]
        if not wanted:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        autograd.backward([out for out, _ in wanted], [grad for _, grad in wanted])
        return (None, None, *(x.grad if isinstance(x, Tensor) else None for x in inputs))


# ---- use_reentrant=False ----

def _metadata(x):
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


_CHECKS = {"default": _metadata, "none": lambda x: None}


class _Log(TorchFunctionMode):
    """Records the functions that a run calls on tensors, and the source locations of the calls."""

    def __init__(self):
        self.calls = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        text = ", ".join(f"{x.dtype}{list(x.shape)}" if isinstance(x, Tensor) else repr(x) for x in tree_iter(args))
        made = ", ".join(f"{x.dtype}{list(x.shape)}" for x in tree_iter(result) if isinstance(x, Tensor))
        places = [f"{at.filename}:{at.lineno}:{at.name}" for at in traceback.extract_stack()[:-1]]
        self.calls.append((f"{getattr(func, '__name__', func)}({text}) -> {made}", places))
        return result

    def places(self, label):
        return "\n\n".join("\n".join([f"{text}   ({i} of {len(self.calls)} in {label})", *places])
                           for i, (text, places) in enumerate(self.calls, 1))

    def __str__(self):
        return "\n".join(text for text, _ in self.calls)


def _explaining():
    """Returns the context_fn of debug=True, and a function that raises an error with both logs."""
    first, second = _Log(), _Log()

    def explain(error):
        raise CheckpointError(
            f"1. Stack traces of the operators that ran in the original forward\n\n{first.places('original')}\n\n"
            f"2. Stack traces of the operators that ran during recomputation\n\n{second.places('recompute')}\n\n"
            f"3. Log of operators in the original forward and recomputation\n\nOperations executed during the original forward:\n\n"
            f"{first}\n\nOperations executed during recomputation:\n\n{second}\n\n"
            "ERROR: Detected non-determinism while running activation checkpointing\n\nYou are seeing this error because you passed "
            "`debug=True` to checkpoint and the second run did not save the tensors that the first one saved. Compare the two logs "
            "above to find the first operation that differs; its stack trace says where it was called.") from error
    return lambda: (first, second), explain


def _without_reentry(function, args, kwargs, preserve_rng_state, context_fn, determinism_check, debug, early_stop, respect_hooks):
    explain = None
    if debug if _debug is None else _debug:
        if context_fn is not noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        context_fn, explain = _explaining()
    if determinism_check not in _CHECKS:
        raise ValueError(f"determinism_check should be one of {list(_CHECKS)}, but got {determinism_check}")
    first, second = context_fn()
    if not is_grad_enabled():
        return function(*args, **kwargs)
    state = _State(args, preserve_rng_state)

    def rerun(begun, *inputs):
        with state.restored(), second:
            begun()
            function(*inputs, **kwargs)

    frame = Frame(rerun, args, early_stop if _early_stop is None else _early_stop, _CHECKS[determinism_check], explain,
                  state.generators)
    finished = False
    with frame.forward(), first:
        result = function(*args, **kwargs)
        finished = True
    if not finished:
        raise RuntimeError("torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception raised during the "
                           "checkpointed forward. This is not supported because checkpoint cannot return a value for a failed forward.")
    frame.complete = True
    if preserve_rng_state and not state.had_device and _is_initialized(_device_module(state.kind)):
        raise RuntimeError("PyTorch's device state was initialized in the forward pass of a Checkpoint, which is not allowed. Please open "
                           "an issue if you need this feature.")
    return result


# ---- public functions ----

class _Checkpointed:
    """A function decorated by checkpoint(**options). Binds to instances like a function when used as a method."""

    def __init__(self, function, **options):
        self.function, self.options = function, options
        functools.update_wrapper(self, function, updated=())

    def __call__(self, *args, **kwargs):
        return _checkpoint(self.function, args, kwargs, **self.options)

    def __get__(self, instance, owner=None):
        bind = getattr(self.function, "__get__", None)
        return self if instance is None or bind is None else type(self)(bind(instance, owner), **self.options)


def checkpoint(function=None, *args, use_reentrant=None, preserve_rng_state=True, context_fn=noop_context_fn,
               determinism_check="default", debug=False, early_stop=True, respect_saved_tensors_hooks=None, **kwargs):
    """Call function(*args) without keeping its intermediate results; backward runs the function again to get them.

    A network of n layers saves the activations of all n for backward. With a checkpoint around each group of k layers it saves
    n / k activations, and k more while backward is in a group, at the cost of one more forward pass.

    Called without a function, it returns a decorator with these options.

    Args:
        function: the function to run. It runs twice and must compute the same both times. Default: None
        args: the arguments of the function.
        use_reentrant: pass it explicitly; the default, True, warns. False (recommended) records the graph of the forward
                pass as usual and fills in the saved tensors later. True makes the whole call one node: then at least one argument
                must require a gradient, `kwargs` are not possible, and gradients are available only through backward() without
                `inputs=`.
        preserve_rng_state: whether the second run draws the same random numbers, on the CPU and on the GPUs of `args`.
            Default: True
        context_fn: a function that returns two context managers, for the first and the second run; only with
            use_reentrant=False. Default: noop_context_fn
        determinism_check: "default" checks that both runs save tensors of the same shape, dtype and device; "none" does
            not; only with use_reentrant=False. Default: "default"
        debug: whether an error lists the operations of both runs; only with use_reentrant=False. Default: False
        early_stop: whether the second run ends with the last tensor that backward needs; only with use_reentrant=False.
            Default: True
        respect_saved_tensors_hooks: accepted with use_reentrant=False; it concerns create_selective_checkpoint_contexts,
            which Corten does not have. Default: None
        kwargs: keyword arguments of the function; only with use_reentrant=False.

        >>> runs = []
        >>> def block(x):
        ...     runs.append("forward")
        ...     return x.exp().sin()
        >>> x = torch.zeros(2, requires_grad=True)
        >>> y = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)
        >>> y.sum().backward()
        >>> len(runs), x.grad  # cos(exp(0)) * exp(0)
        (2, tensor([0.5403, 0.5403]))
    """
    options = dict(use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state, context_fn=context_fn,
                   determinism_check=determinism_check, debug=debug, early_stop=early_stop,
                   respect_saved_tensors_hooks=respect_saved_tensors_hooks)
    if function is None and not args:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        return functools.partial(_Checkpointed, **options)
    return _checkpoint(function, args, kwargs, **options)


def _checkpoint(function, args, kwargs, use_reentrant, preserve_rng_state, context_fn, determinism_check, debug, early_stop,
                respect_saved_tensors_hooks):
    if use_reentrant is None:
        warnings.warn("torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. In a future release, calling "
                      "checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to "
                      "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
                      "differences between the two variants.", stacklevel=3)
        use_reentrant = True
    if not use_reentrant:
        return _without_reentry(function, args, kwargs, preserve_rng_state, context_fn, determinism_check, debug, early_stop,
                                respect_saved_tensors_hooks)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug is not False or respect_saved_tensors_hooks is not None:
        raise ValueError("Passing `context_fn`, `debug`, or `respect_saved_tensors_hooks` is only supported when use_reentrant=False.")
    return CheckpointFunction.apply(function, preserve_rng_state, *args)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Run a chain of modules in segments, of which all but the last are checkpointed.

    Args:
        functions: an nn.Sequential, or a list of modules or functions, each of which takes the result of the previous one.
        segments: the number of segments. About sqrt(len(functions)) uses the least memory.
        input: the input of the first.
        use_reentrant: as for checkpoint. Default: None, for True with a warning
        preserve_rng_state: as for checkpoint. Default: True

        >>> layers = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2), nn.ReLU())
        >>> y = torch.utils.checkpoint.checkpoint_sequential(layers, 2, torch.ones(1, 2), use_reentrant=False)
        >>> y.shape
        torch.Size([1, 2])
    """
    if use_reentrant is None:
        warnings.warn("torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In a future "
                      "release, we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, but if you "
                      "need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on "
                      "the differences between the two variants.", stacklevel=2)
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
