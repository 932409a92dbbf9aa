# SPDX-License-Identifier: BSD-3-Clause
"""grad, vjp, jvp, Jacobians and Hessians of functions of nested tensors, computed on the graph that autograd records.

Each transform passes aliases of its inputs to the function, and the graph starts at these aliases. Derivatives therefore nest:
an outer transform sees the inner one's result as a function of its inputs. The outermost forward derivative uses dual
numbers (autograd/forward_ad.py). Dual numbers do not nest, so a forward derivative inside another takes two backward passes:
the first gives J^T v, which is linear in v, and the derivative of u . (J^T v) with respect to v is J u.
"""
import functools

from .._C import _is_dual, _is_recorded
from .. import Tensor, autograd, enable_grad, eye, inference_mode, ones_like, split, stack, zeros, zeros_like
from ..autograd import forward_ad
from ..utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten
from .vmap import guarded, vmap

__all__ = ["functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp"]


_depth = 0  # the number of derivatives being formed
_leaves = []  # made by the transforms, invisible to the caller


class _Within:
    """A context for computing a derivative: everything is recorded, and inner results keep their history.

    no_grad or inference mode around the call does not change that.
    """

    def __enter__(self):
        global _depth
        _depth += 1
        self.modes = inference_mode(False), enable_grad()
        for mode in self.modes:
            mode.__enter__()

    def __exit__(self, *error):
        global _depth
        for mode in reversed(self.modes):
            mode.__exit__(*error)
        _depth -= 1
        del _leaves[:-1000]  # keep recent leaves: a function returned by vjp may still need them


def _recordable(x):
    """Return x, or a copy if it is an inference tensor, which autograd refuses to save."""
    return x.clone() if isinstance(x, Tensor) and x.is_inference() else x


def _alias(x):
    """Return x as a separate input that requires gradients and keeps the history of x."""
    x = _recordable(x)
    if not _is_recorded(x):
        return _leaf(x.detach())
    if _is_dual(x) and not x.requires_grad:  # operations on it would keep its tangent but record no graph
        value, tangent = forward_ad.unpack_dual(x)
        return forward_ad.make_dual(_leaf(value.detach()), tangent)
    return x.view_as(x)


def _leaf(x):
    _leaves.append(x.requires_grad_())
    return x


def _is_known_outside(x):
    """Return whether a result depends on a leaf that was not made here, such as one that the function captured."""
    seen, todo = set(), [x.grad_fn]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if variable is not None and not _is_dual(variable) and not any(variable is leaf for leaf in _leaves):
            return True
        todo += [following for following, _ in node.next_functions]
    return False


def _checked(tree, name):
    leaves, shape = tree_flatten(tree)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise ValueError(f"{name}: Expected all inputs to be Tensors or nests of them, got {type(leaf)}")
    return leaves, shape


def _places(argnums, count):
    """Return argnums as a list of valid indices, counted from 0."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums should be int or Tuple[int, ...], got: {type(argnums)}")
    places = (argnums,) if isinstance(argnums, int) else argnums
    for place in places:
        if not -count <= place < count:
            raise RuntimeError(f"Got argnum={place}, but only {count} positional inputs")
    if isinstance(argnums, tuple) and not argnums:
        raise RuntimeError("argnums must be non-empty")
    if len(set(places)) != len(places):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return [place % count for place in places]


def _open(args, places):
    """Return the arguments with aliases at some positions, and those aliases as (leaves, structure)."""
    args, opened = list(args), []
    for place in places:
        leaves, shape = _checked(args[place], "torch.func")
        leaves = [_alias(x) for x in leaves]
        args[place] = tree_unflatten(leaves, shape)
        opened.append((leaves, shape))
    return args, opened


def _gradients(outputs, inputs, weights=None):
    """Return gradients that can be differentiated again; zeros for unused inputs."""
    pairs = [(o, w) for o, w in zip(outputs, weights or [None] * len(outputs)) if _is_recorded(o)]
    if not pairs:
        return [zeros_like(x) for x in inputs]
    found = autograd.grad([o for o, _ in pairs], inputs, [w for _, w in pairs] if weights else None, create_graph=True, allow_unused=True)
    return [zeros_like(x) if g is None else g for x, g in zip(inputs, found)]


def _settle(tree, outer):
    """Detach results from the graph, unless they depend on a leaf of the caller's."""
    def settled(x):
        return x if not _is_recorded(x) or forward_ad._levels and _is_dual(x) or x.grad_fn and _is_known_outside(x) else x.detach()
    return tree if outer or _depth else tree_map(settled, tree)


def _derived_outside(*trees):
    return any(_is_recorded(x) for x in tree_flatten(trees)[0])


def _with_aux(output, has_aux, name):
    """Return a function's result as (output, aux); aux is None without has_aux."""
    if not has_aux:
        return output, None
    if not isinstance(output, tuple) or len(output) != 2:
        raise RuntimeError(f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return output


def grad_and_value(func, argnums=0, has_aux=False):
    """Return a function that computes the gradient of a scalar function, and its value.

    Args:
        func: a function that returns a tensor without dims, or (that tensor, aux) with has_aux.
        argnums: the index of the argument to differentiate with respect to, or a tuple of indices. Default: 0
        has_aux: whether func returns a second value, which is passed on undifferentiated. Default: False

    The returned function returns (gradient, value), or (gradient, (value, aux)).

        >>> torch.func.grad_and_value(lambda x: x ** 2)(torch.tensor(3.))
        (tensor(6.), tensor(9.))
    """
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        places, outer = _places(argnums, len(args)), _derived_outside(args, kwargs)
        with _Within():
            args, opened = _open(args, places)
            with guarded(tree_leaves(args)):
                output = func(*args, **kwargs)
            output, aux = _with_aux(output, has_aux, "grad_and_value(f)(*args)")
            if not isinstance(output, Tensor):
                raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(output)}")
            if output.dim() != 0:
                raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                                   f"{output.dim()} dims. Maybe you wanted to "
                                   "use the vjp or jacrev APIs instead?")
            flat = [x for leaves, _ in opened for x in leaves]
            found = iter(_gradients([output], flat))
            grads = tuple(tree_unflatten([next(found) for _ in leaves], shape) for leaves, shape in opened)
        grads = _settle(grads[0] if isinstance(argnums, int) else grads, outer)
        output, aux = _settle(output, outer), _settle(aux, outer)
        return (grads, (output, aux)) if has_aux else (grads, output)
    return wrapper


def grad(func, argnums=0, has_aux=False):
    """Return a function that computes the gradient of a scalar function.

    The gradient has the structure of the argument, which may be a tensor or nested dicts, lists and tuples of tensors. Calls
    nest: grad(grad(f)) is the second derivative.

    Args:
        func: a function that returns a tensor without dims, or (that tensor, aux) with has_aux.
        argnums: the index of the argument to differentiate with respect to, or a tuple of indices for a tuple of gradients.
            Default: 0
        has_aux: whether func returns something more, which is passed on undifferentiated. Default: False

    The returned function returns the gradient, or (gradient, aux).

        >>> from corten.func import grad
        >>> x = torch.tensor(3.)
        >>> grad(lambda x: x ** 3)(x), grad(grad(lambda x: x ** 3))(x)
        (tensor(27.), tensor(18.))
        >>> loss = lambda params, x: (params["w"] * x + params["b"]).sum()
        >>> grad(loss)({"w": torch.tensor(1.), "b": torch.tensor(0.)}, torch.tensor([1., 2.]))
        {'w': tensor(3.), 'b': tensor(2.)}
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        grads, value = both(*args, **kwargs)
        return (grads, value[1]) if has_aux else grads
    return wrapper


def _differentiable(output):
    """Return what a function under vjp or jacrev returned, as (leaves, shape)."""
    leaves, shape = tree_flatten(output)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(f"vjp(f, *primals): expected f(*primals) to return only tensors, got unsupported type {type(leaf)}")
    for leaf in leaves:
        if not (leaf.is_floating_point() or leaf.is_complex()):
            raise RuntimeError(f"vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype {leaf.dtype}")
    return leaves, shape


def vjp(func, *primals, has_aux=False):
    """Compute func(*primals), and return a function for products v^T J with its Jacobian.

    Args:
        func: a function of tensors, or of nested structures of them.
        primals: its arguments.
        has_aux: whether func returns (output, aux); aux is passed on undifferentiated. Default: False

    Returns (output, vjp_fn), or (output, vjp_fn, aux). vjp_fn(v) takes a v with the structure of the output and returns a tuple
    with one entry per argument; it can be called repeatedly.

        >>> y, vjp_fn = torch.func.vjp(lambda x: x ** 2, torch.tensor([1., 2.]))
        >>> vjp_fn(torch.tensor([1., 0.])), vjp_fn(torch.tensor([0., 1.]))
        ((tensor([2., 0.]),), (tensor([0., 4.]),))
    """
    outer = _derived_outside(primals)
    with _Within():
        args, opened = _open(primals, range(len(primals)))
        with guarded(tree_leaves(args)):
            output = func(*args)
        output, aux = _with_aux(output, has_aux, "vjp(f, *primals)")
    outputs, out_shape = _differentiable(output)
    flat = [x for leaves, _ in opened for x in leaves]

    def back(*cotangents, retain_graph=True, create_graph=None):
        given = cotangents[0] if len(cotangents) == 1 else cotangents
        weights, shape = tree_flatten(given)
        if shape != out_shape:
            raise RuntimeError(f"Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
                               f"cotangents: {shape}, primal output: {out_shape}")
        with _Within():
            found = iter(_gradients(outputs, flat, [_recordable(w) for w in weights]))
        grads = tuple(tree_unflatten([next(found) for _ in leaves], part) for leaves, part in opened)
        grads = _settle(grads, outer or _derived_outside(weights))
        return grads

    result = _settle(output, outer)
    return (result, back, _settle(aux, outer)) if has_aux else (result, back)


_JVP = "jvp(f, primals, tangents)"


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """Compute func(*primals) and the product J t of its Jacobian with tangents: the derivative in one direction.

    Args:
        func: a function of tensors, or of nested structures of them.
        primals: a tuple of its arguments.
        tangents: a tuple of the same structure: the direction in which the arguments move.
        strict: True raises RuntimeError if an output does not depend on the arguments; False gives zeros. Default: False
        has_aux: whether func returns (output, aux); aux is passed on undifferentiated. Default: False

    Returns (output, J t), or (output, J t, aux). It takes one pass of func, with dual numbers.

        >>> torch.func.jvp(lambda x, y: x * y, (torch.tensor(2.), torch.tensor(3.)), (torch.tensor(1.), torch.tensor(0.)))
        (tensor(6.), tensor(3.))
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{_JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    return _jvp(func, primals, tangents, range(len(primals)), strict, has_aux)


def _jvp(func, args, tangents, places, strict, has_aux):
    """jvp by the arguments at some positions; tangents has one entry for each."""
    flat_tangents, shape = tree_flatten(tangents)
    flat_primals, primal_shape = tree_flatten(tuple(args[place] for place in places))
    if shape != primal_shape:
        raise RuntimeError(f"{_JVP}: Expected primals and tangents to have the same python structure. For example, if "
                           f"primals is a tuple of 3 tensors, tangents also must be. Got primals with structure {primal_shape} and tangents "
                           f"with structure {shape}")
    _require_tensors(flat_primals, f"{_JVP}: Expected primals")
    _require_tensors(flat_tangents, f"{_JVP}: Expected tangents")
    outer = _derived_outside(args, tangents)
    with _Within():
        forwards = _by_walks if forward_ad._levels else _by_duals
        args, tangents = tree_map(_recordable, args), [_recordable(t) for t in flat_tangents]
        output, moved, aux = forwards(func, args, tangents, places, strict, has_aux)
    result, forward, aux = _settle(output, outer), _settle(moved, outer), _settle(aux, outer)
    return (result, forward, aux) if has_aux else (result, forward)


def _require_tensors(values, what):
    if not values:
        raise RuntimeError(f"{what} to contain at least one Tensor.")
    for value in values:
        if not isinstance(value, Tensor):
            raise RuntimeError(f"{what} to only contain Tensors, got {type(value)}")


def _results(output):
    """Return the results of a function under jvp as (leaves, structure)."""
    leaves, shape = tree_flatten(output)
    if not leaves or output is None:
        raise RuntimeError(f"{_JVP}: Expected f to be a function that has non-empty output (got output = {leaves})")
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(f"{_JVP}: expected f(*primals) to return only tensors, got unsupported type {type(leaf)}")
    return leaves, shape


def _forward_error(strict):
    if strict:
        raise RuntimeError("jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
                           "This is not allowed with strict=True.")


def _by_duals(func, args, tangents, places, strict, has_aux):
    """Return (output, J t, aux) by dual numbers: everything that func computes carries its tangent along."""
    def unpacked(out):
        value, tangent = forward_ad.unpack_dual(out)
        if tangent is None:
            _forward_error(strict)
            tangent = zeros_like(value)
        return value, tangent
    following, args = iter(tangents), list(args)
    with forward_ad.dual_level(), forward_ad._set_fwd_grad_enabled(True):
        for place in places:
            args[place] = tree_map(lambda x: forward_ad.make_dual(x, next(following)), args[place])
        with guarded(tree_leaves(args)):
            output = func(*args)
        output, aux = _with_aux(output, has_aux, _JVP)
        outputs, shape = _results(output)
        pairs = [unpacked(out) for out in outputs]
        aux = tree_map(lambda x: forward_ad.unpack_dual(x).primal if isinstance(x, Tensor) else x, aux)
    return tree_unflatten([value for value, _ in pairs], shape), tree_unflatten([moved for _, moved in pairs], shape), aux


def _by_walks(func, args, tangents, places, strict, has_aux):
    """Return (output, J t, aux) by two backward passes, for use while an outer derivative uses the dual numbers."""
    with forward_ad._watched_functions():
        args, opened = _open(args, places)
        with guarded(tree_leaves(args)), forward_ad._runs_once() as once:
            output = func(*args)
        output, aux = _with_aux(output, has_aux, _JVP)
    if once.found:
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")
    outputs, shape = _results(output)
    moved = _walk(outputs, [x for leaves, _ in opened for x in leaves])(tangents, strict)
    return output, tree_unflatten(moved, shape), aux


def _walk(outputs, inputs):
    """Run one backward pass; return a function that computes output tangents from input tangents by a second pass."""
    weights = [_leaf(ones_like(o)) for o in outputs]
    reached = [(o, w) for o, w in zip(outputs, weights) if _is_recorded(o)]
    backs = [None] * len(inputs)
    if reached:
        with forward_ad._transposing():
            backs = autograd.grad([o for o, _ in reached], inputs, [w for _, w in reached], create_graph=True, allow_unused=True)

    def push(tangents, strict=False):
        used = [(b, t) for b, t in zip(backs, tangents) if b is not None and _is_recorded(b)]
        found = [None] * len(outputs)
        if used:
            found = autograd.grad([b for b, _ in used], weights, [t for _, t in used], create_graph=True, allow_unused=True)
        if any(g is None for g in found):
            _forward_error(strict)
        return [zeros_like(o) if g is None else g for o, g in zip(outputs, found)]
    return push


def linearize(func, *primals):
    """Compute func(*primals), and return a function for products J t with its Jacobian at that point.

    func runs once for any number of tangents. The exception is a func that uses a backward marked with once_differentiable: then
    each product runs it again.

    Args:
        func: a function of tensors, or of nested structures of them.
        primals: its arguments.

    Returns (output, jvp_fn); jvp_fn takes tangents like primals.

        >>> y, jvp_fn = torch.func.linearize(lambda x: x ** 2, torch.tensor([1., 2.]))
        >>> jvp_fn(torch.tensor([1., 1.]))
        tensor([2., 4.])
    """
    outer = _derived_outside(primals)
    flat, in_shape = tree_flatten(primals)
    with _Within():
        with forward_ad._watched_functions():
            args, opened = _open(primals, range(len(primals)))
            with guarded(tree_leaves(args)), forward_ad._runs_once() as once:
                output = func(*args)
        outputs, out_shape = _results(output)
        push = _walk(outputs, [x for leaves, _ in opened for x in leaves])

    def forward(*tangents):
        leaves, shape = tree_flatten(tangents)
        if shape != in_shape:
            raise RuntimeError(f"Expected the tangents {shape} to have the same argspec as the primals {in_shape}")
        for i, (tangent, primal) in enumerate(zip(leaves, flat)):
            for what in ("shape", "device", "dtype"):
                if getattr(tangent, what) != getattr(primal, what):
                    raise RuntimeError(f"tangent:{i} with {what} {getattr(tangent, what)} in flattened pytree doesn't match the {what} "
                                       f"{getattr(primal, what)} of the corresponding primal.")
        if once.found:  # needs dual numbers: its backward is once_differentiable
            return jvp(func, primals, tangents)[1]
        with _Within():
            moved = push([_recordable(t) for t in leaves])
        return _settle(tree_unflatten(moved, out_shape), outer or _derived_outside(leaves))

    return _settle(output, outer), forward


def _unit_rows(tensor):
    """Yield, for each element, a tensor that is 1 there and 0 elsewhere."""
    for i in range(tensor.numel()):
        unit = zeros(tensor.numel(), dtype=tensor.dtype, device=tensor.device)
        unit[i] = 1
        yield unit.view(tensor.shape)


def _assemble(blocks, out_shape, opened, single, output):
    """Arrange Jacobian blocks in the structure of the outputs, and inside it that of the inputs."""
    parts = []
    for row in blocks:
        columns = iter(row)
        nests = tuple(tree_unflatten([next(columns) for _ in leaves], shape) for leaves, shape in opened)
        parts.append(nests[0] if single else nests)
    return parts[0] if isinstance(output, Tensor) else tree_unflatten(parts, out_shape)


def _refuse_complex(name, tree, which):
    for i, x in enumerate(tree_leaves(tree)):
        if isinstance(x, Tensor) and x.is_complex():
            raise RuntimeError(f"{name}: Expected all {which} to be real but received complex tensor at flattened input idx: {i}")


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """Return a function that computes the Jacobian row by row, with one backward pass per output element.

    Choose it if there are fewer outputs than inputs, and jacfwd otherwise.

    Args:
        func: a function that returns a tensor, or nested tensors; (that, aux) with has_aux.
        argnums: the index of the argument to differentiate by, or a tuple of indices. Default: 0
        has_aux: whether func returns something more, which is passed on undifferentiated. Default: False
        chunk_size: accepted for compatibility: PyTorch computes that many rows at once, Corten one. Default: None

    The returned function returns a tensor of shape output.shape + input.shape (in the structures of output and input), or
    (that, aux). Complex tensors raise RuntimeError.

        >>> torch.func.jacrev(lambda x: torch.stack([x[0] * x[1], x.sum()]))(torch.tensor([2., 3.]))
        tensor([[3., 2.],
                [1., 1.]])
    """
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        _refuse_complex("jacrev", args, "inputs")
        places, outer = _places(argnums, len(args)), _derived_outside(args, kwargs)
        with _Within():
            args, opened = _open(args, places)
            with guarded(tree_leaves(args)):
                output = func(*args, **kwargs)
            output, aux = _with_aux(output, has_aux, "vjp(f, *primals)")
            _refuse_complex("jacrev", output, "outputs")
            outputs, out_shape = _differentiable(output)
            inputs, blocks = [x for leaves, _ in opened for x in leaves], []
            for out in outputs:
                rows = [_gradients([out], inputs, [unit]) for unit in _unit_rows(out)]
                blocks.append([stack(column).view((*out.shape, *x.shape)) if rows else x.new_zeros((*out.shape, *x.shape))
                               for x, column in zip(inputs, zip(*rows) if rows else [()] * len(inputs))])
        result = _settle(_assemble(blocks, out_shape, opened, isinstance(argnums, int), output), outer)
        return (result, _settle(aux, outer)) if has_aux else result
    return wrapper


def _basis(leaves):
    """Return, for each leaf, stacked tangents: one per element of all leaves, in which that element moves by 1."""
    sizes = [x.numel() for x in leaves]
    bases, first = [], 0
    for x, size in zip(leaves, sizes):
        rows = zeros(sum(sizes), size, dtype=x.dtype, device=x.device)
        rows[first:first + size] = eye(size, dtype=x.dtype, device=x.device)
        bases.append(rows.view((sum(sizes), *x.shape)))
        first += size
    return bases


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """Return a function that computes the Jacobian column by column, with one forward derivative per input element.

    Choose it if there are more outputs than inputs, and jacrev otherwise.

    Args:
        func: a function that returns a tensor, or nested tensors; (that, aux) with has_aux.
        argnums: the index of the argument to differentiate by, or a tuple of indices. Default: 0
        has_aux: whether func returns something more, which is passed on undifferentiated. Default: False
        randomness: whether random numbers in func are an "error", "different" for each column, or the "same". Default:
            "error"

    The returned function returns a tensor of shape output.shape + input.shape (in the structures of output and input), or
    (that, aux). Complex tensors raise RuntimeError.

        >>> torch.func.jacfwd(lambda x: torch.stack([x, x ** 2, x ** 3]))(torch.tensor(2.))
        tensor([ 1.,  4., 12.])
    """
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        _refuse_complex("jacfwd", args, "inputs")
        places = _places(argnums, len(args))
        leaves, in_shape = _checked(tuple(args[place] for place in places), "jacfwd")

        def push(*tangents):
            output = _jvp(functools.partial(func, **kwargs), args, tree_unflatten(tangents, in_shape), places, False, has_aux)
            _refuse_complex("jacfwd", output[0], "outputs")
            return output[1:]
        moved, *aux = vmap(push, randomness=randomness)(*_basis(leaves))
        outputs, out_shape = tree_flatten(moved)
        sizes = [x.numel() for x in leaves]
        blocks = []
        for columns in outputs:
            parts = split(columns.movedim(0, -1), sizes, -1)
            blocks.append([part.reshape((*columns.shape[1:], *x.shape)) for part, x in zip(parts, leaves)])
        opened = [tree_flatten(args[place]) for place in places]
        result = _assemble(blocks, out_shape, opened, isinstance(argnums, int), moved)
        return (result, tree_map(lambda x: x[0], aux[0])) if has_aux else result
    return wrapper


def hessian(func, argnums=0):
    """Return a function that computes the matrix of second derivatives: jacfwd(jacrev(func)).

    Args:
        func: a function that returns a tensor.
        argnums: the index of the argument to differentiate by, or a tuple of indices. Default: 0

    The returned function returns a tensor of shape output.shape + input.shape + input.shape.

        >>> torch.func.hessian(lambda x: x[0] ** 2 * x[1])(torch.tensor([1., 3.]))
        tensor([[6., 2.],
                [2., 0.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


def functionalize(func, *, remove="mutations"):
    """Return the function itself; PyTorch's version removes in-place operations from traced graphs.

    Here derivatives and vmap handle in-place operations directly.

    Args:
        func: a function.
        remove: "mutations" or "mutations_and_views": what PyTorch would remove; only checked. Default: "mutations"
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(f"functionalize(f, remove='mutations'): Valid options for inputs to remove are 'mutations' or "
                           f"'mutations_and_views', got {remove!r}")
    return func
