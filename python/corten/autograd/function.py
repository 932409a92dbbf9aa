# SPDX-License-Identifier: BSD-3-Clause
"""Functions with a derivative of their own: what programs derive from. Running them is in C."""
import functools
import itertools
import threading
import warnings

from .. import _C

__all__ = ["FunctionCtx", "BackwardCFunction", "FunctionMeta", "Function", "once_differentiable", "InplaceFunction",
           "NestedIOFunction"]

_numbers = itertools.count()
_walks = threading.local()  # .transpose: during a walk whose results are derived by their weights; .once: see _runs_once (forward_ad.py)


class FunctionCtx:
    """What forward tells backward, and the engine, about its call."""

    def save_for_backward(self, *tensors):
        """Keeps tensors for backward, which finds them as saved_tensors."""
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        """Keeps tensors for jvp."""
        for tensor in tensors:
            if not (isinstance(tensor, _C.Tensor) or tensor is None):
                raise AssertionError("save_for_forward expects all arguments to be tensors; you should save non-tensors as "
                                     "attributes on ctx.")
        self.saved_for_forward = tensors

    def mark_dirty(self, *args):
        """Says which inputs forward has written to; each must be returned."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        """Says which results have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        """Whether backward is given zeros (the default) or None where there is no gradient."""
        self.materialize_grads = value


_ContextMethodMixin = FunctionCtx


class BackwardCFunction(_C._FunctionBase, FunctionCtx):
    """The node of one call: ctx in forward and backward, grad_fn of the results."""

    def _get_user_fn(self):
        backward, vjp = self._forward_cls.backward, self._forward_cls.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should "
                               "only implement one of them.")
        return backward if vjp is Function.vjp else vjp

    def apply(self, *args):
        """Runs backward on gradients of the results."""
        transpose = getattr(_walks, "transpose", None)
        if transpose and self._forward_cls is not _Refusal:
            return transpose(self, args)
        run = self._get_user_fn()
        if getattr(self._forward_cls, "boxed_grads_call", False):
            args = (list(args),)
        return run(self, *args)

    def apply_jvp(self, *args):
        """Runs jvp on directions of the arguments."""
        return self._forward_cls.jvp(self, *args)


class FunctionMeta(type):
    """Gives each Function the class of its nodes."""

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
        """forward(ctx, *args), or forward(*args) beside a setup_context: computes the results, unrecorded."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Called after a forward without ctx, to save what backward needs."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The gradients of all arguments of forward, given those of its results."""
        raise NotImplementedError("You must implement either the backward or vjp method for your custom autograd.Function "
                                  "to use it with backward mode AD.")

    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """The directions of the results, given those of the arguments."""
        raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with forward "
                                  "mode AD.")


class Function(_SingleLevelFunction):
    """A function of tensors with a derivative of its own: derive from it, define the static methods forward and backward,
    and call it by its method apply."""

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
        """How the function acts on batches under vmap."""
        raise NotImplementedError("To use autograd.Function with vmap, you must either override the vmap staticmethod or "
                                  "set generate_vmap_rule=True.")


def _bind(cls, args, kwargs, defaults):
    """The arguments of forward in their places: keywords, and with `defaults` what was left out, too."""
    import inspect  # here, since importing it takes longer than importing corten.autograd
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
    """Gives its arguments on; refuses to be derived."""

    @staticmethod
    def forward(ctx, *tensors):
        return tuple(None if t is None else t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


_Refusal._backward_cls.__name__ = "Error"


def once_differentiable(fn):
    """For a backward that cannot be derived again: it runs unrecorded, and a second derivative is an error."""
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
    """An old form of Function, kept for old programs."""

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
    """Values, one after the other, in the lists and tuples of `like`; and those left over."""
    if not isinstance(like, (list, tuple)):
        return values[0], values[1:]
    made = []
    for item in like:
        if item is not None:
            item, values = _nested(values, item)
        made.append(item)
    return type(like)(made), values


class NestedIOFunction(Function):
    """An old form of Function, whose tensors may lie in lists and tuples; kept for old programs."""

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
        """Calls forward_extended with the nested arguments."""
        result = self.forward_extended(*self._nested_input)
        del self._nested_input
        self._nested_output = result
        return tuple(_tensors_in(result))

    def backward(self, *gradients):
        """Calls backward_extended with nested gradients."""
        return tuple(_tensors_in(self.backward_extended(*_nested(gradients, self._nested_output)[0]), "Tensors or None"))

    def save_for_backward(self, *args):
        """Keeps tensors, nested or not, for backward."""
        self.to_save = tuple(_tensors_in(args))
        self._to_save_nested = args

    @property
    def saved_tensors(self):
        """What save_for_backward was given."""
        return _nested(super().saved_tensors, self._to_save_nested)[0]

    def mark_dirty(self, *args, **kwargs):
        """Says which inputs forward has written to."""
        self.dirty_tensors = tuple(_tensors_in((args, kwargs)))

    def mark_non_differentiable(self, *args, **kwargs):
        """Says which results have no gradient."""
        self.non_differentiable = tuple(_tensors_in((args, kwargs)))

    def forward_extended(self, *input):
        """To be defined by the program."""
        raise NotImplementedError

    def backward_extended(self, *grad_output):
        """To be defined by the program."""
        raise NotImplementedError


for _class in (FunctionCtx, BackwardCFunction, FunctionMeta, _SingleLevelFunction, Function, InplaceFunction,
               NestedIOFunction):
    _class.__module__ = "torch.autograd.function"
