# SPDX-License-Identifier: BSD-3-Clause
"""Jacobians, Hessians and products with them, of functions of tensors. The engine computes backwards; products
from the other side take the derivative of a derivative. `vectorize` and `strategy` say how PyTorch computes and
change no result, so they are checked and no more."""
from .. import _C
from . import grad as _grad

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]

_OUTPUTS = "outputs of the user-provided function"
_SINGLE = "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element."
_WITHOUT_GRADIENT = {
    "outputs": "Output {i} of the user-provided function does not require gradients. The outputs must be computed in a "
               "differentiable manner from the input when running in strict mode.",
    "grad_inputs": "The gradient with respect to input {i} is independent of the inputs of the user-provided function. "
                   "This is not allowed in strict mode.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to input "
                "{i} is independent of the input. This is not allowed in strict mode. You should ensure that your function "
                "is twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear "
                "function for example).",
    "hessian": "The hessian of the user-provided function with respect to input {i} is independent of the input. This is "
               "not allowed in strict mode. You should ensure that your function is thrice differentiable and that the "
               "hessian depends on the inputs.",
}
_ABSENT = {
    "back": "The output of the user-provided function is independent of input {i}. This is not allowed in strict mode.",
    "back_trick": "The gradient with respect to the input is independent of entry {i} in the grad_outputs when using the "
                  "double backward trick to compute forward mode gradients. This is not allowed in strict mode.",
    "double_back": "The jacobian of the user-provided function is independent of input {i}. This is not allowed in strict "
                   "mode.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {i} in the grad_jacobian. This "
                         "is not allowed in strict mode as it prevents from using the double backward trick to replace "
                         "forward mode AD.",
}


# ---- arguments and results ----

def _as_tuple(value, what, where):
    """(was it a tuple, the tuple)"""
    several = isinstance(value, tuple)
    for i, t in enumerate(value if several else (value,)):
        if not isinstance(t, _C.Tensor):
            place = f"value at index {i}" if several else f"given {what}"
            raise TypeError(f"The {what} given to {where} must be either a Tensor or a tuple of Tensors but the {place} "
                            f"has type {type(t)}.")
    return several, value if several else (value,)


def _fresh(tensors, create_graph, need_graph):
    """New tensors, so that no gradient is added to the user's."""
    if not create_graph:
        return tuple(t.detach().requires_grad_(need_graph) for t in tensors)
    views = tuple(t.view_as(t) for t in tensors)
    return tuple(t.requires_grad_() if need_graph and not t.requires_grad else t for t in views)


def _vector(v, where, create_graph, like, several):
    v = _fresh(_as_tuple(v, "v", where)[1], create_graph, False)
    if len(v) != len(like):
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}." if several
                           else "The given v should contain a single Tensor.")
    for i, (mine, other) in enumerate(zip(v, like)):
        if mine.size() != other.size():
            raise RuntimeError(f"{f'Entry {i} in ' if several else ''}v has invalid size: should be {other.size()} but got "
                               f"{mine.size()}.")
    return v


def _answer(value, create_graph, several):
    """Without the graph that nobody asked for; tuples as deep as `several` says."""
    first, *rest = several if isinstance(several, tuple) else (several,)
    if rest:
        value = tuple(_answer(v, create_graph, tuple(rest)) for v in value)
    elif not create_graph:
        value = tuple(v.detach() for v in value)
    return value if first else value[0]


def _check(tensors, kind, strict):
    for i, t in enumerate(tensors if strict else ()):
        if t is None:
            raise RuntimeError(_ABSENT["back"].format(i=i))
        if not t.requires_grad:
            raise RuntimeError(_WITHOUT_GRADIENT[kind].format(i=i))


def _gradients(outputs, inputs, weights=None, create_graph=False, retain_graph=None):
    weights = weights or (None,) * len(outputs)
    used = [(o, w) for o, w in zip(outputs, weights) if o is not None and o.requires_grad]
    if not used:
        return (None,) * len(inputs)
    outputs, weights = zip(*used)
    return _grad(outputs, inputs, weights, allow_unused=True, create_graph=create_graph, retain_graph=retain_graph)


def _filled(grads, like, strict, create_graph, stage):
    found = []
    for i, (g, t) in enumerate(zip(grads, like)):
        if g is None and strict:
            raise RuntimeError(_ABSENT[stage].format(i=i))
        if g is not None and strict and create_graph and not g.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(f"The {what} of the user-provided function is independent of input {i}. This is not allowed "
                               "in strict mode when create_graph=True.")
        found.append(_C.zeros_like(t) if g is None else g)
    return tuple(found)


def _single_number(several, outputs, where):
    if several:
        raise RuntimeError(f"The function given to {where} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {where} should contain a single element")


# ---- products ----

def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """The outputs of func and the product of v with its Jacobian."""
    with _C.enable_grad():
        many_in, inputs = _as_tuple(inputs, "inputs", "vjp")
        inputs = _fresh(inputs, create_graph, True)
        many_out, outputs = _as_tuple(func(*inputs), _OUTPUTS, "vjp")
        _check(outputs, "outputs", strict)
        if v is not None:
            v = _vector(v, "vjp", create_graph, outputs, many_out)
        elif len(outputs) != 1 or outputs[0].nelement() != 1:
            raise RuntimeError("The vector v can only be None if the user-provided function returns a single Tensor with a "
                               "single element.")
    with _C.set_grad_enabled(create_graph or _C.is_grad_enabled()):
        grads = _gradients(outputs, inputs, v, create_graph)
        product = _filled(grads, inputs, strict, create_graph, "back")
    return _answer(outputs, create_graph, many_out), _answer(product, create_graph, many_in)


def _run_with_vector(func, inputs, v, create_graph, strict, where):
    """Runs func on inputs of its own: (inputs, v beside them, are they several, outputs, are these)"""
    many_in, inputs = _as_tuple(inputs, "inputs", where)
    inputs = _fresh(inputs, create_graph, True)
    if v is not None:
        v = _vector(v, where, create_graph, inputs, many_in)
    elif len(inputs) != 1 or inputs[0].nelement() != 1:
        raise RuntimeError(_SINGLE)
    many_out, outputs = _as_tuple(func(*inputs), _OUTPUTS, where)
    _check(outputs, "outputs", strict)
    return inputs, v, many_in, outputs, many_out


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """The outputs of func and the product of its Jacobian with v."""
    with _C.enable_grad():
        inputs, v, _, outputs, many_out = _run_with_vector(func, inputs, v, create_graph, strict, "jvp")
        weights = tuple(_C.zeros_like(o, requires_grad=True) for o in outputs)
        back = _gradients(outputs, inputs, weights, create_graph=True)
        _check(back, "grad_inputs", strict)
    with _C.set_grad_enabled(create_graph or _C.is_grad_enabled()):
        grads = _gradients(back, weights, v, create_graph)
        product = _filled(grads, outputs, strict, create_graph, "back_trick")
    return _answer(outputs, create_graph, many_out), _answer(product, create_graph, many_out)


def _first_derivative(func, inputs, v, create_graph, strict, where):
    """Of a function of one number: (inputs, v, outputs, gradients that can be derived again)"""
    inputs, v, many_in, outputs, many_out = _run_with_vector(func, inputs, v, create_graph, strict, where)
    _single_number(many_out, outputs, where)
    jacobian = _gradients(outputs, inputs, create_graph=True)
    _check(jacobian, "jacobian", strict)
    return many_in, inputs, v, outputs, jacobian


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """The value of func and the product of v with its Hessian."""
    with _C.enable_grad():
        many_in, inputs, v, outputs, first = _first_derivative(func, inputs, v, create_graph, strict, "vhp")
    with _C.set_grad_enabled(create_graph or _C.is_grad_enabled()):
        grads = _gradients(first, inputs, v, create_graph)
        product = _filled(grads, inputs, strict, create_graph, "double_back")
    return _answer(outputs, create_graph, False), _answer(product, create_graph, many_in)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The value of func and the product of its Hessian with v."""
    with _C.enable_grad():
        many_in, inputs, v, outputs, first = _first_derivative(func, inputs, v, create_graph, strict, "hvp")
        weights = tuple(_C.zeros_like(t, requires_grad=True) for t in inputs)
        second = _gradients(first, inputs, weights, create_graph=True)
        _check(first, "hessian", strict)
    with _C.set_grad_enabled(create_graph or _C.is_grad_enabled()):
        grads = _gradients(second, weights, v, create_graph)
        product = _filled(grads, inputs, strict, create_graph, "double_back_trick")
    return _answer(outputs, create_graph, False), _answer(product, create_graph, many_in)


# ---- matrices ----

def _check_strategy(strategy, where, create_graph, strict, vectorize):
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has '
                             'more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to '
                             'use "reverse-mode".')
    for wrong, name in ((create_graph, "create_graph"), (strict, "strict")):
        if strategy == "forward-mode" and wrong:
            raise NotImplementedError(f"torch.autograd.functional.{where}: `{name}=True` and `strategy=\"forward-mode\"` are "
                                      f"not supported together (yet). Please either set `{name}=False` or "
                                      '`strategy="reverse-mode"`.')
    if strict and vectorize:
        raise RuntimeError(f"torch.autograd.functional.{where}: `strict=True` and `vectorized=True` are not supported "
                           "together. Please either set `strict=False` or `vectorize=False`.")


def _rows(i, output, inputs, create_graph, strict):
    """The derivatives of one output, for each input a tensor of both sizes."""
    columns = [[] for _ in inputs]
    for element in output.reshape(-1):
        grads = _gradients((element,), inputs, create_graph=create_graph, retain_graph=True)
        for k, (column, g, t) in enumerate(zip(columns, grads, inputs)):
            if g is None and strict:
                raise RuntimeError(f"Output {i} of the user-provided function is independent of input {k}. This is not "
                                   "allowed in strict mode.")
            if g is not None and strict and create_graph and not g.requires_grad:
                raise RuntimeError(f"The jacobian of the user-provided function is independent of input {i}. This is not "
                                   "allowed in strict mode when create_graph=True.")
            column.append(_C.zeros_like(t) if g is None else g)
    return tuple(_C.stack(column, 0).view(output.size() + t.size()) for column, t in zip(columns, inputs))


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """All derivatives of the outputs of func by its inputs."""
    _check_strategy(strategy, "jacobian", create_graph, strict, vectorize)
    with _C.enable_grad():
        many_in, inputs = _as_tuple(inputs, "inputs", "jacobian")
        inputs = _fresh(inputs, create_graph, True)
        many_out, outputs = _as_tuple(func(*inputs), _OUTPUTS, "jacobian")
        _check(outputs, "outputs", strict)
        found = tuple(_rows(i, output, inputs, create_graph, strict) for i, output in enumerate(outputs))
    return _answer(found, create_graph, (many_out, many_in))


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """All second derivatives of func, which gives one number."""
    many_in, inputs = _as_tuple(inputs, "inputs", "hessian")
    _check_strategy(outer_jacobian_strategy, "hessian", create_graph, strict, vectorize)

    def number(*inputs):
        many_out, outputs = _as_tuple(func(*inputs), _OUTPUTS, "hessian")
        _check(outputs, "outputs", strict)
        _single_number(many_out, outputs, "hessian")
        return outputs[0].squeeze()

    def first(*inputs):
        found = jacobian(number, inputs, create_graph=True)
        _check(found, "jacobian", strict)
        return found

    found = jacobian(first, inputs, create_graph=create_graph, strict=strict, vectorize=vectorize)
    found = found if many_in else found[0][0]
    return found
