# SPDX-License-Identifier: BSD-3-Clause
"""Parallel prefix scan of an associative function along a dim, in about 2 log2(n) vectorized steps."""
from .. import _C
from ..utils._pytree import tree_flatten, tree_unflatten

__all__ = ["associative_scan"]


def associative_scan(combine_fn, xs, dim=0, reverse=False, combine_mode="pointwise"):
    """Returns the prefix results x[0], combine_fn(x[0], x[1]), ... for a tensor or a pytree of tensors of one length."""
    if combine_mode not in ("pointwise", "generic"):  # a hint for PyTorch's compiler about combine_fn
        raise ValueError(f"Combine_mode must either 'pointwise' or 'generic'. But got {combine_mode}")
    leaves, spec = tree_flatten(xs)
    if not leaves:
        raise ValueError("xs leaves must not be empty")
    leaves = [x.movedim(dim, 0) for x in leaves]
    leaves = [x.flip(0) for x in leaves] if reverse else leaves

    def combine(a, b):
        return tree_flatten(combine_fn(tree_unflatten(a, spec), tree_unflatten(b, spec)))[0]

    def scan(parts):
        n = parts[0].shape[0]
        if n < 2:
            return parts
        pairs = combine([x[:n - n % 2:2] for x in parts], [x[1::2] for x in parts])
        odd = scan(pairs)  # the results at odd positions 1, 3, 5 ...
        even = [x[:1] for x in parts]
        if n > 2:
            rest = combine([x[:(n - 1) // 2] for x in odd], [x[2::2] for x in parts])
            even = [_C.cat((a, b)) for a, b in zip(even, rest)]
        return [_woven(a, b) for a, b in zip(even, odd)]

    result = scan(leaves)
    result = [x.flip(0) for x in result] if reverse else result
    return tree_unflatten([x.movedim(0, dim) for x in result], spec)


def _woven(even, odd):
    """Interleaves two sequences; the first may have one more element."""
    n = odd.shape[0]
    both = _C.stack((even[:n], odd), dim=1).flatten(0, 1)
    return both if even.shape[0] == n else _C.cat((both, even[n:]))
