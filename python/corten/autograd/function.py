# SPDX-License-Identifier: BSD-3-Clause
"""Functions with a custom derivative: the base classes for programs. The calls themselves run in C."""
import functools
import itertools
import threading
import warnings

from .. import _C

__all__ = ["FunctionCtx", "BackwardCFunction", "FunctionMeta", "Function", "once_differentiable", "InplaceFunction",
           "NestedIOFunction"]

_numbers = itertools.count()
_walks = threading.local()  # .transpose: set while _transposing (forward_ad.py); .once: see _runs_once there


class FunctionCtx:
    """The context of one call of a Function: what forward passes on to backward and to the engine.

    Any other value may be stored as an attribute: ctx.power = 3.
    """

    def save_for_backward(self, *tensors):
        """Save tensors for backward, which reads them as ctx.saved_tensors.

        Use it for inputs and outputs rather than attributes: it avoids reference cycles, and detects tensors that were changed in
        place since.

        Args:
            tensors: tensors or None. A second call replaces the first.
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        """Save tensors for jvp, which reads them as ctx.saved_tensors.

        Args:
            tensors: tensors or None.
        """
        for tensor in tensors:
            if not (isinstance(tensor, _C.Tensor) or tensor is None):
                raise AssertionError("save_for_forward expects all arguments to be tensors; you should save non-tensors as "
                                     "attributes on ctx.")
        self.saved_for_forward = tensors

    def mark_dirty(self, *args):
        """Declare which inputs forward has changed in place; each of them must be an output too.

        Args:
            args: the input tensors.
        """
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        """Declare which outputs have no gradient, such as indices. backward still receives one argument for each of them.

        Args:
            args: the output tensors.
        """
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        """Set what backward receives for an output that has no gradient: zeros or None.

        Args:
            value: True for zeros, the initial setting; False for None, which saves work.
        """
        self.materialize_grads = value


_ContextMethodMixin = FunctionCtx


class BackwardCFunction(_C._FunctionBase, FunctionCtx):
    """The graph node of one call: ctx in forward and backward, grad_fn of the outputs."""

    def _get_user_fn(self):
        backward, vjp = self._forward_cls.backward, self._forward_cls.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should "
                               "only implement one of them.")
        return backward if vjp is Function.vjp else vjp

    def apply(self, *args):
        """Run backward (or vjp).

        Args:
            args: the gradients of the outputs.
        """
        transpose = getattr(_walks, "transpose", None)
        if transpose and self._forward_cls is not _Refusal:
            return transpose(self, args)
        run = self._get_user_fn()
        if getattr(self._forward_cls, "boxed_grads_call", False):
            args = (list(args),)
        return run(self, *args)

    def apply_jvp(self, *args):
        """Run jvp.

        Args:
            args: the tangents of the inputs.
        """
        return self._forward_cls.jvp(self, *args)


class FunctionMeta(type):
    """The metaclass of Function; it creates the node class of each Function."""

    def __init__(cls, name, bases, attrs):
        node = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls, "__module__": "torch.autograd.function"})
        node._autograd_function_id = next(_numbers)
        cls._backward_cls = node
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(_C._FunctionBase, FunctionCtx, metaclass=FunctionMeta):
    clear_saved_tensors_on_access = False
    boxed_grads_call = False

    @staticmethod
    def forward(*args, **kwargs):
        """Compute the outputs, without recording: forward(ctx, *args), or forward(*args) if setup_context is defined."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save what backward needs; called after a forward that takes no ctx.

        Args:
            ctx: the context.
            inputs: the tuple of arguments of forward.
            output: what forward returned.
        """
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """Return the gradients of all arguments of forward.

        Args:
            ctx: the context.
            grad_outputs: the gradients of the outputs, one argument each.

        Returns a tensor, or a tuple with one entry per argument of forward; None for those without a gradient.
        ctx.needs_input_grad says which are needed.
        """
        raise NotImplementedError("You must implement either the backward or vjp method for your custom autograd.Function "
                                  "to use it with backward mode AD.")

    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """Return the tangents of the outputs, for forward-mode derivatives.

        Args:
            ctx: the context.
            grad_inputs: the tangents of the arguments of forward, one argument each; None for those without one.
        """
        raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with forward "
                                  "mode AD.")


class Function(_SingleLevelFunction):
    """A function of tensors with a custom derivative.

    Derive from it, define the static methods forward and backward, and call the class by its method apply. backward gets the
    gradient of each output and returns the gradient of each argument, None for those that have none. Two styles exist:
    forward(ctx, ...) as in the example, or forward(...) with a static setup_context(ctx, inputs, output), which torch.func
    needs. Optional: jvp for forward-mode derivatives, and vmap (or generate_vmap_rule = True) for torch.func.vmap.

    backward is recorded if create_graph=True, so its own operations give second derivatives; mark it once_differentiable if
    they would be wrong. torch.autograd.gradcheck compares it with finite differences.

        >>> class Cube(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x ** 3
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         x, = ctx.saved_tensors
        ...         return grad * 3 * x ** 2
        >>> x = torch.tensor(2., requires_grad=True)
        >>> y = Cube.apply(x)
        >>> y.backward()
        >>> y.item(), x.grad.item()
        (8.0, 12.0)
    """

    generate_vmap_rule = False

    def __init__(self, *args, **kwargs):
        warnings.warn(f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you "
                      "should invoke them on the class itself. Instantiating an autograd function will raise an error in a "
                      "future version of PyTorch.", DeprecationWarning, stacklevel=2)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Legacy autograd function with non-static forward method is deprecated. Please use new-style "
                           "autograd function with static forward method. (Example: "
                           "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)")

    @staticmethod
    def vmap(info, in_dims, *args):
        """Define what the function computes for a batch under torch.func.vmap.

        Args:
            info: a named tuple with batch_size and randomness.
            in_dims: for each argument the dim that vmap maps over, or None.
            args: the arguments, with the batch dim.

        Returns (outputs, out_dims): the outputs with a batch dim, and the index of that dim in each.
        """
        raise NotImplementedError("To use autograd.Function with vmap, you must either override the vmap staticmethod or "
                                  "set generate_vmap_rule=True.")


def _bind(cls, args, kwargs, defaults):
    """Return the arguments of forward in positional order, including keywords; with `defaults`, omitted arguments too."""
    import inspect  # imported here, because it takes longer than importing corten.autograd
    names, given = inspect.signature(cls.forward), kwargs or {}
    parameters = list(names.parameters.values())
    if not defaults:
        parameters = parameters[1:]  # ctx
    positional = {p.name: i for i, p in enumerate(parameters) if p.kind is p.POSITIONAL_OR_KEYWORD}
    for name in given:
        if name not in positional:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if positional[name] < len(args):
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    if not defaults:
        bound = names.bind(None, *args, **given)
        return bound.args[1:]
    bound = names.bind(*args, **given)
    bound.apply_defaults()
    return bound.args


_C._function_tools(_SingleLevelFunction.setup_context, _bind)


class _Refusal(Function):
    """Return the arguments unchanged; raise if the result is differentiated."""

    @staticmethod
    def forward(ctx, *tensors):
        return tuple(None if t is None else t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


_Refusal._backward_cls.__name__ = "Error"


def once_differentiable(fn):
    """Decorate a backward that cannot be differentiated: it runs unrecorded, and a second derivative raises RuntimeError.

    Args:
        fn: the static method backward, with ctx first. Put @staticmethod above this decorator.
    """
    @functools.wraps(fn)
    def wrapper(ctx, *args, **kwargs):
        _walks.once = True
        with _C.no_grad():
            outputs = fn(ctx, *args, **kwargs)
        recorded = any(isinstance(arg, _C.Tensor) and arg.requires_grad for arg in args)
        if not _C.is_grad_enabled() or not recorded:
            return outputs
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        return _Refusal.apply(*(None if t is None else t.detach().requires_grad_() for t in outputs))
    return wrapper


class InplaceFunction(Function):
    """An old base class for functions that work in place; kept for old programs. Use Function and ctx.mark_dirty.

    Args:
        inplace: stored as an attribute. Default: False
    """

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace


# ---- NestedIOFunction: tensors in lists and tuples, from before 2018 ----

def _tensors_in(value, what="Tensors"):
    if isinstance(value, _C.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors_in(item, what)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors_in(item, what)
    elif value is not None:
        raise ValueError("Auto nesting doesn't know how to process an input object of type "
                         f"{type(value).__name__}. Accepted types: {what}, or lists/tuples of them")


def _nested(values, like):
    """Arrange a flat list of values in the lists and tuples of `like`; also return the values left over."""
    if not isinstance(like, (list, tuple)):
        return values[0], values[1:]
    made = []
    for item in like:
        if item is not None:
            item, values = _nested(values, item)
        made.append(item)
    return type(like)(made), values


class NestedIOFunction(Function):
    """An old base class for functions of tensors in nested lists and tuples; kept for old programs. Use Function."""

    def _do_forward(self, *input):
        self._nested_input = input
        flat = super()._do_forward(*_tensors_in(input))
        return _nested(flat, self._nested_output)[0]

    __call__ = _do_forward

    def _do_backward(self, gradients, retain_variables):
        self.retain_variables = retain_variables
        result = super()._do_backward(gradients, retain_variables)
        if not retain_variables:
            del self._nested_output
            del self._to_save_nested
        return result

    def forward(self, *args):
        """Call forward_extended with the nested arguments."""
        result = self.forward_extended(*self._nested_input)
        del self._nested_input
        self._nested_output = result
        return tuple(_tensors_in(result))

    def backward(self, *gradients):
        """Call backward_extended with the nested gradients."""
        return tuple(_tensors_in(self.backward_extended(*_nested(gradients, self._nested_output)[0]), "Tensors or None"))

    def save_for_backward(self, *args):
        """Save tensors, nested or not, for backward."""
        self.to_save = tuple(_tensors_in(args))
        self._to_save_nested = args

    @property
    def saved_tensors(self):
        """The tensors given to save_for_backward, in the same nesting."""
        return _nested(super().saved_tensors, self._to_save_nested)[0]

    def mark_dirty(self, *args, **kwargs):
        """Declare which inputs forward has changed in place."""
        self.dirty_tensors = tuple(_tensors_in((args, kwargs)))

    def mark_non_differentiable(self, *args, **kwargs):
        """Declare which outputs have no gradient."""
        self.non_differentiable = tuple(_tensors_in((args, kwargs)))

    def forward_extended(self, *input):
        """Compute the outputs from nested arguments; subclasses define it."""
        raise NotImplementedError

    def backward_extended(self, *grad_output):
        """Return nested gradients of the arguments; subclasses define it."""
        raise NotImplementedError


for _class in (FunctionCtx, BackwardCFunction, FunctionMeta, _SingleLevelFunction, Function, InplaceFunction,
               NestedIOFunction):
    _class.__module__ = "torch.autograd.function"
