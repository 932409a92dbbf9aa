# SPDX-License-Identifier: BSD-3-Clause
"""gradcheck: compares the derivatives of a function with finite differences.

It uses only tensor operations and the engine. `fast_mode`, with which PyTorch compares random projections instead of full
Jacobians, has no effect: the check always compares full Jacobians.
"""
import itertools
import warnings

from .. import _C
from . import grad as _grad
from .function import Function

__all__ = ["gradcheck", "gradgradcheck", "GradcheckError"]

_NOT_REENTRANT = """Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives \
different values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was {}.

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""
_NOTES = 'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'


class GradcheckError(RuntimeError):
    """Raised when derivatives are wrong, or when a function cannot be checked."""


class _Undefined(Function):
    """Return the input; give no gradient in backward."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return None


def _as_tuple(x):
    return x if isinstance(x, tuple) else tuple(x) if isinstance(x, list) else (x,)


def _recorded(x):
    return tuple(o for o in _as_tuple(x) if o.requires_grad)


def _wanted(inputs):
    """Return the inputs that require a gradient, also those inside lists."""
    found = []
    for x in inputs:
        if isinstance(x, _C.Tensor):
            found += [x] if x.requires_grad else []
        elif isinstance(x, (list, tuple)):
            found += _wanted(x)
    return found


# ---- what the function does ----

def _differences(func, inputs, x, element, step, eps):
    """Return, for each output, its change when an element of x moves by `step` both ways, divided by 2 eps."""
    value = x[element].item()
    sides = []
    for move in (-step, step):
        x[element] = value + move
        sides.append(tuple(o.detach().clone() for o in _as_tuple(func(*inputs))))
    x[element] = value
    for low, high in zip(*sides):
        for what in ("shape", "dtype"):
            if getattr(low, what) != getattr(high, what):
                raise AssertionError(f"Expected `func` to return outputs with the same {what} when inputs are perturbed on "
                                     f"index {tuple(element)} by {eps}, but got: {what}s {getattr(low, what)} and "
                                     f"{getattr(high, what)}.")
    return tuple(((high - low) / (2 * eps)).reshape(-1) for low, high in zip(*sides))


def _numerical(func, inputs, outputs, eps):
    """Return, for each output and each checked input, the matrix of finite differences with one row per input element."""
    found = []
    for x in _wanted(inputs):
        data, rows = x.data, []
        for element in itertools.product(*map(range, x.shape)):
            moves = _differences(func, inputs, data, element, eps, eps)
            if x.is_complex():
                moves = tuple(re + im * 1j for re, im in zip(moves, _differences(func, inputs, data, element, eps * 1j, eps)))
            rows.append(moves)
        if rows:
            found.append([_C.stack(columns) for columns in zip(*rows)])
        else:
            found.append([_C.zeros(0, o.numel(), dtype=o.dtype) for o in outputs])
    return list(zip(*found))


def _analytical(inputs, output):
    """Return the matrices that backward computes: (matrices, whether dtypes match the inputs, whether shapes match)."""
    wanted = _wanted(inputs)
    columns, types, sizes = [[] for _ in wanted], True, True
    weight = _C.zeros_like(output, memory_format=_C.contiguous_format)
    flat = weight.view(-1)
    for k in range(flat.numel()):
        flat.zero_()
        flat[k] = 1
        for column, x, g in zip(columns, wanted, _grad(output, wanted, weight, retain_graph=True, allow_unused=True)):
            if g is not None:
                types, sizes = types and g.dtype == x.dtype, sizes and g.shape == x.shape
            column.append(_C.zeros(x.numel(), dtype=x.dtype) if g is None or g.shape != x.shape
                          else g.reshape(-1).clone())
    found = tuple(_C.stack(column, 1) if column else _C.zeros(x.numel(), 0, dtype=x.dtype)
                  for column, x in zip(columns, wanted))
    return found, types, sizes


def _close(a, b, rtol, atol):
    dtype = _C.promote_types(a.dtype, b.dtype)
    return _C.allclose(a.to(dtype), b.to(dtype), rtol, atol)


def _compare(func, func_out, inputs, options, part=None):
    """Compare backward with differences, for every pair of a real output and an input."""
    func_out = _as_tuple(func_out)
    outputs = _recorded(func_out)
    numerical = _numerical(func, inputs, func_out, options["eps"])
    if not outputs:
        if any(_C.ne(n, 0).sum() > 0 for pairs in numerical for n in pairs):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return
    numerical = [n for o, n in zip(func_out, numerical) if o.requires_grad]
    for i, output in enumerate(outputs):
        found, types, sizes = _analytical(inputs, output)
        again = _analytical(inputs, output)[0]
        if not types and options["check_grad_dtypes"]:
            raise GradcheckError("Gradient has dtype mismatch")
        if not sizes:
            raise GradcheckError("Analytical gradient has incorrect size")
        tolerance = options["nondet_tol"]
        if any(a.numel() and (a - b).abs().max() > tolerance for a, b in zip(found, again)):
            raise GradcheckError(_NOT_REENTRANT.format(tolerance))
        for j, (a, n) in enumerate(zip(found, numerical[i])):
            if not _close(a, n, options["rtol"], options["atol"]):
                only = f"While considering the {part[0]} part of complex outputs only, " if part and i in part[1] else ""
                raise GradcheckError(f"{only}Jacobian mismatch for output {i} with respect to input {j},\n"
                                     f"numerical:{n}\nanalytical:{a}\n")


def _compare_parts(func, func_out, inputs, options):
    """Check a complex output as two real ones."""
    if not any(o.is_complex() for o in _as_tuple(func_out)):
        return _compare(func, func_out, inputs, options)
    which = [i for i, o in enumerate(_recorded(func_out)) if o.is_complex()]
    for name, take in (("imaginary", _C.imag), ("real", _C.real)):
        def one_part(*given, take=take):
            return tuple(take(o) if o.is_complex() else o for o in _as_tuple(func(*given)))
        _compare(one_part, one_part(*inputs), inputs, options, (name, which))


# ---- checks of backward that hold for every function ----

def _check_inputs(inputs):
    some = False
    for i, x in enumerate(inputs):
        if not isinstance(x, _C.Tensor) or not x.requires_grad:
            continue
        some = True
        if x.dtype not in (_C.float64, _C.complex128):
            warnings.warn(f"Input #{i} requires gradient and is not a double precision floating point or complex. This check "
                          "will likely fail if all the inputs are not of double precision floating point or complex. ",
                          stacklevel=4)
        if any(stride == 0 and size > 1 for stride, size in zip(x.stride(), x.shape)):
            raise RuntimeError(f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                               "non-overlapping to be able to compute the numerical gradients correctly. You should call "
                               ".contiguous on the input before passing it to gradcheck.")
    if not some:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of them have "
                         "requires_grad=True.")


def _check_zero(outputs, inputs, masked):
    """Check that a zero gradient stays zero, and that its dtype, device and shape are the input's."""
    wanted = _wanted(inputs)
    if not wanted:
        raise GradcheckError("no Tensors requiring grad found in input")
    if not outputs:
        return
    zeros = [_C.zeros_like(o, memory_format=_C.contiguous_format) for o in outputs]
    for g, x in zip(_grad(outputs, wanted, zeros, allow_unused=True, retain_graph=True), wanted):
        if g is None:
            continue
        if not (_C.allclose(g, _C.zeros_like(g)) if masked else g.eq(0).all()):
            raise GradcheckError("backward not multiplied by grad_output")
        for what, same in (("type", g.dtype == x.dtype), ("device", g.device == x.device), ("size", g.shape == x.shape)):
            if not same:
                raise GradcheckError(f"grad is incorrect {what}")


def _check_undefined(func, inputs):
    """Check that undefined gradients count as zeros: all at once, and one at a time."""
    wanted = _wanted(inputs)
    count = len(_recorded(func(*inputs)))
    for missing in ([range(count)] if count else []) + ([[i] for i in range(count)] if count > 1 else []):
        outputs = [_Undefined.apply(o) if i in missing else o for i, o in enumerate(_recorded(func(*inputs)))]
        try:
            found = _grad(outputs, wanted, [_C.zeros_like(o, memory_format=_C.contiguous_format) for o in outputs],
                          allow_unused=True)
        except RuntimeError as error:
            _warn_undefined()
            raise GradcheckError(f"Expected backward function to handle undefined output grads. {_NOTES}") from error
        if any(g is not None and not g.eq(0).all() for g in found):
            _warn_undefined()
            raise GradcheckError("Expected all input grads to be undefined or zero when all output grads are undefined or "
                                 f"zero. {_NOTES}")


def _warn_undefined():
    warnings.warn("Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it "
                  "may break existing callers of this function. If this is true for you, you can call this function with "
                  '"check_undefined_grad=False" to disable the feature', stacklevel=2)


def _check_batched(inputs, output):
    """Check that a batch of gradients gives the same result as one gradient at a time."""
    wanted = _wanted(inputs)
    weights = _C.stack([_C.randn_like(output) for _ in range(2)])
    batch = _grad(output, wanted, weights, retain_graph=True, allow_unused=True, is_grads_batched=True)
    single = [_grad(output, wanted, w, retain_graph=True, allow_unused=True) for w in weights]
    for g, rows in zip(batch, zip(*single)):
        if g is not None and not _C.allclose(g, _C.stack([_C.zeros_like(g[0]) if r is None else r for r in rows])):
            raise GradcheckError("gradcheck or gradgradcheck failed while testing batched gradient computation.")


# ---- the two functions ----

def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0,
              check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False,
              check_batched_forward_grad=False, check_forward_ad=False, check_backward_ad=True, fast_mode=False, masked=None):
    """Compare the gradients of a function with finite differences, to test a custom derivative.

    For every input x that requires a gradient, and every element, the derivative must be close to
    (func(x + eps) - func(x - eps)) / (2 * eps), that is abs(a - n) <= atol + rtol * abs(n). The defaults suit float64; with
    float32 the differences are too noisy.

    Args:
        func: a function that returns a tensor or a tuple of tensors, and gives the same result each time.
        inputs: its arguments, a tensor or a tuple; at least one requires a gradient.
        eps: the step of the differences. Default: 1e-6
        atol, rtol: the absolute and relative tolerance. Default: 1e-5 and 1e-3
        raise_exception: True raises GradcheckError with both matrices; False returns False. Default: True
        nondet_tol: the largest allowed difference between two backward passes. Default: 0.0
        check_undefined_grad: whether to check that missing output gradients count as zeros. Default: True
        check_grad_dtypes: whether gradients must have the dtype of their inputs. Default: False
        check_batched_grad: whether to check grad(is_grads_batched=True). Default: False
        check_batched_forward_grad: accepted with check_forward_ad, without effect. Default: False
        check_forward_ad: whether to check forward-mode derivatives too, in one random direction per input. Default: False
        check_backward_ad: whether to check backward. Default: True
        fast_mode: accepted for compatibility; the full check is always made. Default: False
        masked: True allows small values where a zero gradient should give zeros, for sparse functions. Default: None

    Returns True if all checks pass.

        >>> x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
        >>> torch.autograd.gradcheck(torch.sin, x)
        True
        >>> class WrongSin(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x.sin()
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * ctx.saved_tensors[0]  # forgot cos()
        >>> torch.autograd.gradcheck(WrongSin.apply, x, raise_exception=False)
        False
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    options = {"eps": eps, "atol": atol, "rtol": rtol, "nondet_tol": nondet_tol, "check_grad_dtypes": check_grad_dtypes}
    inputs = _as_tuple(inputs)
    try:
        _check_inputs(inputs)
        func_out = func(*inputs)
        outputs = _recorded(func_out)
        if check_forward_ad:
            _check_forward(func, inputs, options)
        if not check_backward_ad:
            return True
        _compare_parts(func, func_out, inputs, options)
        for output in outputs if check_batched_grad else ():
            _check_batched(inputs, output)
        _check_zero(outputs, inputs, masked)
        if check_undefined_grad:
            _check_undefined(func, inputs)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_forward(func, inputs, options):
    """Compare tangents of the outputs with a difference, in one random direction per input."""
    from . import forward_ad
    eps = options["eps"]
    for i, x in enumerate(inputs):
        if not isinstance(x, _C.Tensor) or not x.requires_grad:
            continue
        x = x.detach()
        direction = _random_like(x, False).detach()
        plain = [a.detach() if isinstance(a, _C.Tensor) else a for a in inputs]

        def at(value):
            found = func(*plain[:i], value, *plain[i + 1:])
            return [o for o in _as_tuple(found) if isinstance(o, _C.Tensor) and (o.is_floating_point() or o.is_complex())]
        with forward_ad.dual_level():
            tangents = [forward_ad.unpack_dual(o).tangent for o in at(forward_ad.make_dual(x, direction))]
        for j, (tangent, high, low) in enumerate(zip(tangents, at(x + eps * direction), at(x - eps * direction))):
            numerical = ((high - low) / (2 * eps)).detach()
            analytical = _C.zeros_like(numerical) if tangent is None else tangent.detach()
            if not _C.allclose(analytical, numerical, options["rtol"], options["atol"]):
                raise GradcheckError(f"Jacobian computed with forward mode mismatch for output {j} with respect to input {i},\n"
                                     f"numerical:{numerical}\nanalytical:{analytical}\n")


def _random_like(x, noncontiguous):
    """Return random numbers between -1 and 1, shaped like x."""
    dtype = x.dtype if x.is_floating_point() or x.is_complex() else _C.float64
    shape = (*x.shape, 2) if noncontiguous and x.numel() > 1 else x.shape
    made = _C.rand(shape, dtype=dtype, device=x.device).mul_(2).sub_(1 + 1j if dtype.is_complex else 1)
    return (made[..., 0] if shape is not x.shape else made).requires_grad_()


def gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, gen_non_contig_grad_outputs=False,
                  raise_exception=True, nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False,
                  check_batched_grad=False, check_fwd_over_rev=False, check_rev_over_rev=True, fast_mode=False, masked=False):
    """Compare second derivatives of a function with finite differences.

    It is gradcheck of the function (inputs, grad_outputs) -> gradients of func.

    Args:
        func: a function that returns a tensor or a tuple of tensors.
        inputs: its arguments, a tensor or a tuple; at least one requires a gradient.
        grad_outputs: the weights of the outputs. Default: None, for random ones
        gen_non_contig_grad_outputs: whether random weights are not contiguous. Default: False
        check_fwd_over_rev: whether to check forward-mode derivatives of backward. Default: False
        check_rev_over_rev: whether to check backward of backward. Default: True
        eps, atol, rtol, raise_exception, nondet_tol, check_undefined_grad, check_grad_dtypes, check_batched_grad: as for
            gradcheck.
        fast_mode: accepted for compatibility, without effect. Default: False
        masked: as for gradcheck. Default: False

    Returns True if all checks pass.

        >>> x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
        >>> torch.autograd.gradgradcheck(torch.sin, x)
        True
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    if check_undefined_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_undefined_grad=True requires check_rev_over_rev to be True")
    if check_batched_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_batched_grad=True requires check_rev_over_rev to be True")
    inputs = _as_tuple(inputs)
    if grad_outputs is None:
        grad_outputs = tuple(_random_like(x, gen_non_contig_grad_outputs) for x in _recorded(func(*inputs)))
    grad_outputs = _as_tuple(grad_outputs)
    count = len(grad_outputs)
    wanted = {i for i, x in enumerate(inputs) if isinstance(x, _C.Tensor) and x.requires_grad}

    def first(*args):
        given, weights = args[:-count], args[-count:]
        found = _grad(_recorded(func(*given)), [x for i, x in enumerate(given) if i in wanted], weights, create_graph=True,
                      allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(first, inputs + grad_outputs, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
                     nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes,
                     check_batched_grad=check_batched_grad, fast_mode=fast_mode, check_forward_ad=check_fwd_over_rev,
                     check_backward_ad=check_rev_over_rev, masked=masked)


GradcheckError.__module__ = "torch.autograd.gradcheck"
