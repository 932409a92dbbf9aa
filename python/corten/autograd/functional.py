# SPDX-License-Identifier: BSD-3-Clause
"""Jacobians, Hessians and products with them, of functions of tensors.

A vector-Jacobian product is one backward pass. A Jacobian-vector product differentiates the vector-Jacobian product with respect
to its vector (the double backward trick). `vectorize` and `strategy` do not change results and are only checked.
"""
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
    """Return (whether value is a tuple, value as a tuple)."""
    several = isinstance(value, tuple)
    for i, t in enumerate(value if several else (value,)):
        if not isinstance(t, _C.Tensor):
            place = f"value at index {i}" if several else f"given {what}"
            raise TypeError(f"The {what} given to {where} must be either a Tensor or a tuple of Tensors but the {place} "
                            f"has type {type(t)}.")
    return several, value if several else (value,)


def _fresh(tensors, create_graph, need_graph):
    """Return new tensors, so that no gradient is added to the caller's."""
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
    """Return results detached from the graph unless create_graph; as tuples, nested as deep as `several` says, or unpacked."""
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
    """Compute func(*inputs) and the product v^T J of a vector with its Jacobian.

    Args:
        func: a function of tensors that returns a tensor or a tuple of tensors.
        inputs: its arguments, a tensor or a tuple of tensors.
        v: the vector, with the structure and shapes of the outputs. Default: None, for 1 if there is one output of one
            element
        create_graph: True makes the results differentiable. Default: False
        strict: True raises RuntimeError if an output does not depend on an input; False gives zeros. Default: False

    Returns (outputs, product); the product has the structure of inputs. This is the cheap direction: one backward pass.

        >>> def f(x):
        ...     return x ** 2
        >>> torch.autograd.functional.vjp(f, torch.tensor([1., 2.]), torch.tensor([1., 10.]))
        (tensor([1., 4.]), tensor([ 2., 40.]))
    """
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
    """Run func on fresh inputs; return (inputs, v, whether inputs were a tuple, outputs, whether outputs were)."""
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
    """Compute func(*inputs) and the product J v of its Jacobian with a vector.

    Args:
        func: a function of tensors that returns a tensor or a tuple of tensors.
        inputs: its arguments, a tensor or a tuple of tensors.
        v: the vector, with the structure and shapes of inputs. Default: None, for 1 if there is one input of one element
        create_graph: True makes the results differentiable. Default: False
        strict: True raises RuntimeError if an output does not depend on an input; False gives zeros. Default: False

    Returns (outputs, product); the product has the structure of the outputs. It takes two backward passes; torch.func.jvp
    computes it in one forward pass.

        >>> def f(x):
        ...     return x.sum() * x
        >>> torch.autograd.functional.jvp(f, torch.tensor([1., 2.]), torch.tensor([1., 0.]))
        (tensor([3., 6.]), tensor([4., 2.]))
    """
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
    """Run a function of one number; return its inputs, v, outputs, and gradients that can be differentiated again."""
    inputs, v, many_in, outputs, many_out = _run_with_vector(func, inputs, v, create_graph, strict, where)
    _single_number(many_out, outputs, where)
    jacobian = _gradients(outputs, inputs, create_graph=True)
    _check(jacobian, "jacobian", strict)
    return many_in, inputs, v, outputs, jacobian


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """Compute func(*inputs) and the product v^T H of a vector with its Hessian.

    Args:
        func: a function of tensors that returns one number.
        inputs: its arguments, a tensor or a tuple of tensors.
        v: the vector, with the structure and shapes of inputs. Default: None, for 1 if there is one input of one element
        create_graph: True makes the results differentiable. Default: False
        strict: True raises RuntimeError if a derivative does not depend on an input; False gives zeros. Default: False

    Returns (output, product). A Hessian is symmetric, so the product equals hvp's and costs one backward pass less.

        >>> def f(x):
        ...     return x[0] ** 2 * x[1]  # the Hessian is [[2 x1, 2 x0], [2 x0, 0]]
        >>> torch.autograd.functional.vhp(f, torch.tensor([1., 3.]), torch.tensor([1., 0.]))
        (tensor(3.), tensor([6., 2.]))
    """
    with _C.enable_grad():
        many_in, inputs, v, outputs, first = _first_derivative(func, inputs, v, create_graph, strict, "vhp")
    with _C.set_grad_enabled(create_graph or _C.is_grad_enabled()):
        grads = _gradients(first, inputs, v, create_graph)
        product = _filled(grads, inputs, strict, create_graph, "double_back")
    return _answer(outputs, create_graph, False), _answer(product, create_graph, many_in)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """Compute func(*inputs) and the product H v of its Hessian with a vector.

    Args:
        func: a function of tensors that returns one number.
        inputs: its arguments, a tensor or a tuple of tensors.
        v: the vector, with the structure and shapes of inputs. Default: None, for 1 if there is one input of one element
        create_graph: True makes the results differentiable. Default: False
        strict: True raises RuntimeError if a derivative does not depend on an input; False gives zeros. Default: False

    Returns (output, product). vhp gives the same for a symmetric Hessian and is cheaper.
    """
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
    """Return the derivatives of one output: for each input a tensor of shape output.shape + input.shape."""
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
    """Compute the Jacobian: the derivative of every output element with respect to every input element.

    Args:
        func: a function of tensors that returns a tensor or a tuple of tensors.
        inputs: its arguments, a tensor or a tuple of tensors.
        create_graph: True makes the result differentiable. Default: False
        strict: True raises RuntimeError if an output does not depend on an input; False gives zeros. Default: False
        vectorize: accepted for compatibility; here each output element takes one backward pass. Default: False
        strategy: "reverse-mode" or "forward-mode"; without effect on the result, but "forward-mode" excludes create_graph
            and strict. Default: "reverse-mode"

    Returns a tensor of shape output.shape + input.shape; a tuple over the inputs if they are a tuple, inside a tuple over the
    outputs if those are one.

        >>> def f(x):
        ...     return torch.stack([x[0] * x[1], x[0] + x[1]])
        >>> torch.autograd.functional.jacobian(f, torch.tensor([2., 3.]))
        tensor([[3., 2.],
                [1., 1.]])
    """
    _check_strategy(strategy, "jacobian", create_graph, strict, vectorize)
    with _C.enable_grad():
        many_in, inputs = _as_tuple(inputs, "inputs", "jacobian")
        inputs = _fresh(inputs, create_graph, True)
        many_out, outputs = _as_tuple(func(*inputs), _OUTPUTS, "jacobian")
        _check(outputs, "outputs", strict)
        found = tuple(_rows(i, output, inputs, create_graph, strict) for i, output in enumerate(outputs))
    return _answer(found, create_graph, (many_out, many_in))


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """Compute the Hessian: all second derivatives of a function that returns one number.

    Args:
        func: a function of tensors that returns a tensor with one element.
        inputs: its arguments, a tensor or a tuple of tensors.
        create_graph: True makes the result differentiable. Default: False
        strict: True raises RuntimeError if a derivative does not depend on an input; False gives zeros. Default: False
        vectorize: accepted for compatibility, without effect. Default: False
        outer_jacobian_strategy: as jacobian's strategy. Default: "reverse-mode"

    Returns a tensor of shape input.shape + input.shape, or a tuple of tuples of them if inputs is a tuple.

        >>> def f(x):
        ...     return x[0] ** 2 * x[1]
        >>> torch.autograd.functional.hessian(f, torch.tensor([1., 3.]))
        tensor([[6., 2.],
                [2., 0.]])
    """
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
