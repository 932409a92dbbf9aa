# SPDX-License-Identifier: BSD-3-Clause
"""grad, vjp, jvp, Jacobians and Hessians of functions of nests of tensors, on the graph that autograd records.

Each takes its inputs apart from their histories by an alias that the graph runs through, so that derivatives nest: an outer one
sees the inner one's result as a function of its own inputs. A derivative forwards is that of a derivative backwards: v -> J^T v is
linear, and the derivative of its product with u by v is J u.
"""
import functools

from .._C import _is_dual, _is_recorded
from .. import Tensor, autograd, enable_grad, ones_like, stack, zeros, zeros_like
from ..utils._pytree import tree_flatten, tree_map, tree_unflatten

__all__ = ["functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp"]


_depth = 0  # of derivatives that are being formed
_leaves = []  # inputs of theirs that nobody outside knows


class _Within:
    """While a derivative is formed everything is recorded, and what an inner one gives keeps its history."""

    def __enter__(self):
        global _depth
        _depth += 1
        self.mode = enable_grad()
        self.mode.__enter__()

    def __exit__(self, *error):
        global _depth
        self.mode.__exit__(*error)
        _depth -= 1
        del _leaves[:-1000]  # enough for any nest; a function that was given out (vjp's) may still run


def _alias(x):
    """x as an input of its own: with x's history, and a gradient even where x has none."""
    return x.view_as(x) if _is_recorded(x) else _leaf(x.detach())


def _leaf(x):
    _leaves.append(x.requires_grad_())
    return x


def _is_known_outside(x):
    """Whether a result depends on a leaf that was not made here: one that the function closed over."""
    seen, todo = set(), [x.grad_fn]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if variable is not None and not any(variable is leaf for leaf in _leaves):
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
    """argnums as a tuple of places, each of which there must be."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums should be int or Tuple[int, ...], got: {type(argnums)}")
    places = (argnums,) if isinstance(argnums, int) else argnums
    for place in places:
        if not -count <= place < count:
            raise RuntimeError(f"Got argnum={place}, but only {count} positional inputs")
    if isinstance(argnums, tuple) and not argnums:
        raise RuntimeError("argnums must be non-empty")
    return [place % count for place in places]


def _open(args, places):
    """Arguments with aliases at some places; those as (leaves, shape)."""
    args, opened = list(args), []
    for place in places:
        leaves, shape = _checked(args[place], "torch.func")
        leaves = [_alias(x) for x in leaves]
        args[place] = tree_unflatten(leaves, shape)
        opened.append((leaves, shape))
    return args, opened


def _gradients(outputs, inputs, weights=None):
    """Gradients that can be derived again; zeros where an input is not used."""
    pairs = [(o, w) for o, w in zip(outputs, weights or [None] * len(outputs)) if _is_recorded(o)]
    if not pairs:
        return [zeros_like(x) for x in inputs]
    found = autograd.grad([o for o, _ in pairs], inputs, [w for _, w in pairs] if weights else None, create_graph=True, allow_unused=True)
    return [zeros_like(x) if g is None else g for x, g in zip(inputs, found)]


def _settle(tree, outer):
    """Results without the graph, unless somebody outside derives them."""
    def settled(x):
        return x if not _is_recorded(x) or _is_dual(x) or x.grad_fn and _is_known_outside(x) else x.detach()
    return tree if outer or _depth else tree_map(settled, tree)


def _derived_outside(*trees):
    return any(_is_recorded(x) for x in tree_flatten(trees)[0])


def _with_aux(output, has_aux, name):
    """What a function returned as (output, aux), where aux is None if there is none."""
    if not has_aux:
        return output, None
    if not isinstance(output, tuple) or len(output) != 2:
        raise RuntimeError(f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return output


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that gives the gradient of a scalar function, and its value."""
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        places, outer = _places(argnums, len(args)), _derived_outside(args, kwargs)
        with _Within():
            args, opened = _open(args, places)
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
    """A function that gives the gradient of a scalar function."""
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        grads, value = both(*args, **kwargs)
        return (grads, value[1]) if has_aux else grads
    return wrapper


def vjp(func, *primals, has_aux=False):
    """(func(*primals), a function that gives v^T J for a v like the result)."""
    outer = _derived_outside(primals)
    with _Within():
        args, opened = _open(primals, range(len(primals)))
        output = func(*args)
        output, aux = _with_aux(output, has_aux, "vjp(f, *primals)")
    outputs, out_shape = _checked(output, "vjp(f, *primals)")
    flat = [x for leaves, _ in opened for x in leaves]

    def back(*cotangents, retain_graph=True, create_graph=None):
        given = cotangents[0] if len(cotangents) == 1 else cotangents
        weights, shape = tree_flatten(given)
        if shape != out_shape:
            raise RuntimeError(f"Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
                               f"cotangents: {shape}, primal output: {out_shape}")
        with _Within():
            found = iter(_gradients(outputs, flat, weights))
        grads = tuple(tree_unflatten([next(found) for _ in leaves], part) for leaves, part in opened)
        grads = _settle(grads, outer or _derived_outside(weights))
        return grads

    result = _settle(output, outer)
    return (result, back, _settle(aux, outer)) if has_aux else (result, back)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """(func(*primals), J t): the derivative in the direction of tangents."""
    if not isinstance(primals, tuple):
        raise RuntimeError("jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    flat_tangents, shape = tree_flatten(tangents)
    flat_primals, primal_shape = tree_flatten(primals)
    if shape != primal_shape:
        raise RuntimeError("jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, if "
                           f"primals is a tuple of 3 tensors, tangents also must be. Got primals with structure {primal_shape} and tangents "
                           f"with structure {shape}")
    outer = _derived_outside(primals, tangents)
    with _Within():
        args, opened = _open(primals, range(len(primals)))
        output = func(*args)
        output, aux = _with_aux(output, has_aux, "jvp(f, primals, tangents)")
        outputs, out_shape = _checked(output, "jvp(f, primals, tangents)")
        flat = [x for leaves, _ in opened for x in leaves]
        moved = _push(outputs, flat, flat_tangents)
    result, forward = _settle(output, outer), _settle(tree_unflatten(moved, out_shape), outer)
    return (result, forward, _settle(aux, outer)) if has_aux else (result, forward)


def _push(outputs, inputs, tangents):
    """J t for each output, by two derivatives backwards."""
    weights = [_leaf(ones_like(o)) for o in outputs]
    reached = [(o, w) for o, w in zip(outputs, weights) if _is_recorded(o)]
    if not reached:
        return [zeros_like(o) for o in outputs]
    backs = autograd.grad([o for o, _ in reached], inputs, [w for _, w in reached], create_graph=True, allow_unused=True)
    used = [(b, t) for b, t in zip(backs, tangents) if b is not None and _is_recorded(b)]
    if not used:
        return [zeros_like(o) for o in outputs]
    found = autograd.grad([b for b, _ in used], weights, [t for _, t in used], create_graph=True, allow_unused=True)
    return [zeros_like(o) if g is None else g for o, g in zip(outputs, found)]


def linearize(func, *primals):
    """(func(*primals), a function that gives J t)."""
    output = func(*primals)
    return output, lambda *tangents: jvp(func, primals, tangents)[1]


def _unit_rows(tensor):
    """For each element a tensor that is 1 there and 0 elsewhere."""
    for i in range(tensor.numel()):
        unit = zeros(tensor.numel(), dtype=tensor.dtype, device=tensor.device)
        unit[i] = 1
        yield unit.view(tensor.shape)


def _assemble(blocks, out_shape, opened, single, output):
    """Jacobians in the nest of outputs, and in each place the nest of inputs."""
    parts = []
    for row in blocks:
        columns = iter(row)
        nests = tuple(tree_unflatten([next(columns) for _ in leaves], shape) for leaves, shape in opened)
        parts.append(nests[0] if single else nests)
    return parts[0] if isinstance(output, Tensor) else tree_unflatten(parts, out_shape)


def _jacobian(func, argnums, has_aux, name, blocks_of):
    """A function that gives the Jacobian: blocks_of(outputs, inputs) has, for each output, a block for each input."""
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        places, outer = _places(argnums, len(args)), _derived_outside(args, kwargs)
        with _Within():
            args, opened = _open(args, places)
            output = func(*args, **kwargs)
            output, aux = _with_aux(output, has_aux, "vjp(f, *primals)" if name == "jacrev" else "jvp(f, primals, tangents)")
            outputs, out_shape = _checked(output, name)
            blocks = blocks_of(outputs, [x for leaves, _ in opened for x in leaves])
        result = _settle(_assemble(blocks, out_shape, opened, isinstance(argnums, int), output), outer)
        return (result, _settle(aux, outer)) if has_aux else result
    return wrapper


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    """A function that gives the Jacobian, a row for each element of the result."""
    def by_rows(outputs, inputs):
        blocks = []
        for out in outputs:
            rows = [_gradients([out], inputs, [unit]) for unit in _unit_rows(out)]
            blocks.append([stack(column).view(*out.shape, *x.shape) if rows else zeros(*out.shape, *x.shape, dtype=x.dtype)
                           for x, column in zip(inputs, zip(*rows) if rows else [()] * len(inputs))])
        return blocks
    return _jacobian(func, argnums, has_aux, "jacrev", by_rows)


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """A function that gives the Jacobian, column by column, from derivatives forwards."""
    def by_columns(outputs, inputs):
        blocks = [[] for _ in outputs]
        for x in inputs:
            moved = [_push(outputs, [x], [unit]) for unit in _unit_rows(x)]
            for i, out in enumerate(outputs):
                blocks[i].append(stack([m[i] for m in moved], -1).view(*out.shape, *x.shape) if moved else
                                 zeros(*out.shape, *x.shape, dtype=out.dtype))
        return blocks
    return _jacobian(func, argnums, has_aux, "jacfwd", by_columns)


def hessian(func, argnums=0):
    """A function that gives the matrix of second derivatives."""
    return jacrev(jacrev(func, argnums), argnums)


def functionalize(func, *, remove="mutations"):
    """The function itself: its writes are seen by derivatives as they are."""
    return func
