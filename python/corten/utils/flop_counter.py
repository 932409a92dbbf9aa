# SPDX-License-Identifier: BSD-3-Clause
"""FlopCounterMode: counts floating-point operations by operation and by module.

The C library reports every product that it is about to compute, in forward and in backward, with the shapes of its operands
(ct_count_products). A formula converts shapes to a count; `flop_registry` holds the formulas by operation, and programs can
add their own. Operations without a formula count as 0, because they are cheap next to products.
"""
import threading
import warnings
from collections import Counter, defaultdict
from functools import wraps
from math import prod

from .. import _C, _ops, empty, ops
from ..overrides import TorchFunctionMode
from ._pytree import tree_leaves, tree_map
from .module_tracker import ModuleTracker

__all__ = ["FlopCounterMode", "register_flop_formula"]

aten = ops.aten
flop_registry = {}


def get_shape(i):
    """Returns the shape of a tensor; other objects are returned unchanged."""
    return i.shape if isinstance(i, _C.Tensor) else i


def shape_wrapper(f):
    """Converts a formula on shapes into a formula on tensors; the shape of the result is passed as `out_shape`."""
    @wraps(f)
    def of_tensors(*args, out_val=None, **kwargs):
        args, kwargs, out_shape = tree_map(get_shape, (args, kwargs, out_val))
        return f(*args, out_shape=out_shape, **kwargs)
    of_tensors._takes_shapes = True
    return of_tensors


def register_flop_formula(targets, get_raw=False):
    """Decorator that registers a formula for one or more operations such as `torch.ops.mylib.scale`.

    Args:
        targets: OpOverloadPackets.
        get_raw: False calls the formula with shapes for tensors, and the result's shape as `out_shape`. True calls it with
            the tensors, and the result as `out_val`.
    """
    def register(formula):
        formula = formula if get_raw else shape_wrapper(formula)
        for target in tree_leaves(targets):
            if not isinstance(target, _ops.OpOverloadPacket):
                raise ValueError("register_flop_formula(targets): expected each target to be OpOverloadPacket (i.e. "
                                 f"torch.ops.mylib.foo), JitFunction, or HigherOrderOperator, got {target} which is of type "
                                 f"{type(target)}")
            if target in flop_registry:
                raise RuntimeError(f"duplicate registrations for {target}")
            flop_registry[target] = formula
        return formula
    return register


# ---- formulas: each returns a number of floating-point operations ----

def mm_flop(a_shape, b_shape, *args, out_shape=None, **kwargs):
    """Product of an m x k and a k x n matrix: 2 m k n, a multiplication and an addition each."""
    (m, k), (k2, n) = a_shape, b_shape
    if k != k2:
        raise AssertionError(f"matmul: inner dimensions must match (k == k2), got {k} and {k2}")
    return m * n * 2 * k


def addmm_flop(self_shape, a_shape, b_shape, *args, out_shape=None, **kwargs):
    """mm plus an addend, whose addition is not counted."""
    return mm_flop(a_shape, b_shape)


def bmm_flop(a_shape, b_shape, *args, out_shape=None, **kwargs):
    """Batch of b products: 2 b m k n."""
    (b, m, k), (b2, k2, n) = a_shape, b_shape
    if b != b2:
        raise AssertionError(f"bmm: batch dimensions must match (b == b2), got {b} and {b2}")
    if k != k2:
        raise AssertionError(f"bmm: inner dimensions must match (k == k2), got {k} and {k2}")
    return b * m * n * 2 * k


def baddbmm_flop(self_shape, a_shape, b_shape, *args, out_shape=None, **kwargs):
    """bmm plus an addend, whose addition is not counted."""
    return bmm_flop(a_shape, b_shape)


def conv_flop_count(x_shape, w_shape, out_shape, transposed=False):
    """Convolution: every element of the output (of the input, if transposed) is combined with the whole filter."""
    return prod((x_shape if transposed else out_shape)[2:]) * prod(w_shape[2:]) * x_shape[0] * w_shape[0] * w_shape[1] * 2


def conv_flop(x_shape, w_shape, _bias, _stride, _padding, _dilation, transposed, *args, out_shape=None, **kwargs):
    """conv_flop_count with the arguments of aten.convolution."""
    return conv_flop_count(x_shape, w_shape, out_shape, transposed=transposed)


def conv_backward_flop(grad_out_shape, x_shape, w_shape, _bias, _stride, _padding, _dilation, transposed, _output_padding, _groups,
                       output_mask, out_shape, **kwargs):
    """Backward of a convolution. output_mask selects (input, weight, bias); the bias gradient is not counted.

    Both gradients are convolutions. The input's is the transposed convolution of grad_out with the weight (or a plain one, if
    the forward was transposed). The weight's convolves the input with grad_out, with batch and channels swapped.
    """
    def exchanged(shape):
        return [shape[1], shape[0], *shape[2:]]

    count = 0
    if output_mask[0]:
        count += conv_flop_count(grad_out_shape, w_shape, get_shape(out_shape[0]), not transposed)
    if output_mask[1]:
        x, grad = (grad_out_shape, x_shape) if transposed else (x_shape, grad_out_shape)
        count += conv_flop_count(exchanged(x), exchanged(grad), exchanged(get_shape(out_shape[1])), transposed=False)
    return count


def _check_heads(where, b, h_q, others, h_kv, *more):
    if not all(x == b for x in others) or not all(x == y for x, y in more):
        raise AssertionError(f"{where}: query/key/value shapes are incompatible")
    if h_q < h_kv or h_q % h_kv != 0:
        raise AssertionError(f"{where}: query heads ({h_q}) must be a multiple of key/value heads ({h_kv})")


def sdpa_flop_count(query_shape, key_shape, value_shape):
    """Attention: the scores, and their product with the values. A mask does not lower the count."""
    (b, h, q, d), (b2, h2, k, d2), (b3, h3, k2, dv) = query_shape, key_shape, value_shape
    _check_heads("sdpa_flop_count", b, h, (b2, b3), h2, (h2, h3), (d, d2), (k, k2))
    return 2 * b * h * q * k * (d + dv)


def sdpa_flop(query_shape, key_shape, value_shape, *args, out_shape=None, **kwargs):
    """sdpa_flop_count with the arguments of the operations."""
    return sdpa_flop_count(query_shape, key_shape, value_shape)


def sdpa_backward_flop_count(grad_out_shape, query_shape, key_shape, value_shape):
    """Backward of attention: recomputed scores, and the gradients of scores, values, queries and keys."""
    (b, h, q, d), (b2, h2, k, d2), (b3, h3, k2, dv) = query_shape, key_shape, value_shape
    b4, h4, q2, dv2 = grad_out_shape
    _check_heads("sdpa_backward_flop_count", b, h, (b2, b3, b4), h2, (h2, h3), (h, h4), (d, d2), (k, k2), (q, q2), (dv, dv2))
    return 2 * b * h * q * k * (3 * d + 2 * dv)


def sdpa_backward_flop(grad_out_shape, query_shape, key_shape, value_shape, *args, out_shape=None, **kwargs):
    """sdpa_backward_flop_count with the arguments of the operations."""
    return sdpa_backward_flop_count(grad_out_shape, query_shape, key_shape, value_shape)


_KERNELS = [f"_scaled_dot_product_{kind}" for kind in ("efficient_attention", "flash_attention", "flash_attention_for_cpu",
                                                       "cudnn_attention")]
_CONVOLUTIONS = ["convolution", "_convolution", "cudnn_convolution", "_slow_conv2d_forward", "convolution_overrideable"]


def _packet(name):
    """Returns torch.ops.aten.NAME, even for operations that the library reports but Python cannot call."""
    try:
        return getattr(aten, name)
    except AttributeError:
        return aten.__dict__.setdefault(name, _ops.OpOverloadPacket("aten", name, _ops._not_here(name)))


for _formula, _names in ((mm_flop, ["mm"]), (addmm_flop, ["addmm"]), (bmm_flop, ["bmm"]), (baddbmm_flop, ["baddbmm"]),
                         (conv_flop, _CONVOLUTIONS), (conv_backward_flop, ["convolution_backward"]), (sdpa_flop, _KERNELS),
                         (sdpa_backward_flop, [f"{name}_backward" for name in _KERNELS])):
    flop_registry.update((_packet(_name), shape_wrapper(_formula)) for _name in _names)


def _call_of(name, shapes, transposed):
    """Translates a reported product to PyTorch's call: operation, arguments (shapes for tensors), and shape of the result."""
    *given, result = shapes
    if name in ("addmm", "baddbmm"):
        return name, (result, *given), result
    if name == "convolution":
        return name, (*given, None, None, None, None, transposed), result
    if name == "convolution_backward_input":
        return "convolution_backward", (given[0], result, given[1], *[None] * 4, transposed, None, None, [True, False, False]), [
            result, None, None]
    if name == "convolution_backward_weight":
        return "convolution_backward", (given[0], given[1], result, *[None] * 4, transposed, None, None, [False, True, False]), [
            None, result, None]
    return name, tuple(given), result


# ---- text output ----

suffixes = ["", "K", "M", "B", "T"]


def get_suffix_str(number):
    """Returns the suffix (K, M, ...) that leaves two to four digits before the point."""
    return suffixes[max(0, min(len(suffixes) - 1, (len(str(number)) - 2) // 3))]


def convert_num_with_suffix(number, suffix):
    """Formats a number with a suffix: 1234567 with "K" gives "1234.567K"."""
    return f"{number / 1000 ** suffixes.index(suffix):.3f}{suffix}"


def convert_to_percent_str(num, denom):
    """Formats num / denom as a percentage."""
    return f"{num / denom:.2%}" if denom else "0%"


def _aligned(rows):
    rows = [[name, f"{float(count):g}" if count[-1].isdigit() else count, part] for name, count, part in rows]
    head = ["Module", "FLOP", "% Total"]
    widths = [max(len(title) + 2, *(len(row[i]) for row in rows)) for i, title in enumerate(head)]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join("  ".join([name.ljust(widths[0]), count.rjust(widths[1]), part.rjust(widths[2])]) for name, count, part in lines)


# ---- the context manager ----

_here = threading.local()


def _report_product(name, shapes, transposed):
    for mode in _here.modes:
        try:
            mode._product(name, shapes, transposed)
        except Exception as error:  # raised again by __exit__, since the caller is C code
            mode._failure = mode._failure or error


class _Calls(TorchFunctionMode):
    """Counts calls of operations for which a program registered a formula."""

    def __init__(self, counter):
        self.counter = counter

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        packet = aten.__dict__.get(getattr(func, "__name__", ""))
        if packet in self.counter._by_call:
            self.counter._count(packet, args, kwargs, result)
        return result


class FlopCounterMode:
    """Counts the floating-point operations of products, convolutions and attention in a `with` block.

    The product of an m by k and a k by n matrix counts 2 m k n. Backward is counted if it runs inside the block. Counts depend
    on shapes only: masks, zeros and smaller types do not lower them.

    Args:
        mods: deprecated and ignored, with a warning.
        depth: the depth of modules in get_table().
        display: whether the table is printed when the block ends.
        custom_mapping: {OpOverloadPacket: formula}, which override those of `flop_registry`; formulas take the arguments
            described at register_flop_formula.
        skip_unsupported: accepted for compatibility; it concerns higher-order operators, which Corten does not have.

        >>> net, x = nn.Linear(4, 4), torch.ones(2, 4)
        >>> with torch.utils.flop_counter.FlopCounterMode(display=False) as counter:
        ...     net(x).sum().backward()
        >>> counter.get_total_flops()
        128
        >>> counter.get_flop_counts()["Linear"]
        {<OpOverloadPacket(op='aten.addmm')>: 64, <OpOverloadPacket(op='aten.mm')>: 64}
    """

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None, skip_unsupported=False):
        if mods is not None:
            warnings.warn("mods argument is not needed anymore, you can stop passing it", stacklevel=2)
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        self.depth, self.display, self.skip_unsupported = depth, display, skip_unsupported
        self.flop_registry = {**flop_registry, **{
            k: v if getattr(v, "_get_raw", False) else shape_wrapper(v) for k, v in (custom_mapping or {}).items()}}
        self._reported = {_packet(name) for name in ("mm", "addmm", "bmm", "baddbmm", "convolution_backward", *_CONVOLUTIONS, *_KERNELS,
                                                     *(f"{name}_backward" for name in _KERNELS))}
        self._by_call = self.flop_registry.keys() - self._reported
        self.mod_tracker, self._calls, self._failure = ModuleTracker(), None, None

    def get_total_flops(self):
        """Returns the total count of the block."""
        return sum(self.flop_counts["Global"].values())

    def get_unsupported_ops(self):
        """Returns the names of skipped operators with their number of calls; see skip_unsupported."""
        return Counter()

    def get_flop_counts(self):
        """Returns {module: {operation: count}}; "Global" is the whole block."""
        return {k: dict(v) for k, v in self.flop_counts.items()}

    def get_table(self, depth=None):
        """Formats the counts by module, down to `depth` (default: the depth of this object)."""
        depth = next((d for d in (depth, self.depth) if d is not None), 999999)
        total = self.get_total_flops()
        suffix = get_suffix_str(total)

        def lines(name, indent):
            counts = self.flop_counts[name]
            entries = [("", name, sum(counts.values())), *((" - ", str(k), v) for k, v in counts.items())]
            return [[" " * indent + mark + text, convert_num_with_suffix(count, suffix), convert_to_percent_str(count, total)]
                    for mark, text, count in entries]

        modules = [name for name in sorted(self.flop_counts) if name != "Global" and name.count(".") < depth]
        rows = [row for name in modules for row in lines(name, name.count("."))]
        whole = any(sum(self.flop_counts[name].values()) >= total for name in modules)
        if "Global" in self.flop_counts and not whole:
            rows = lines("Global", 0) + [[" " + name, *row] for name, *row in rows]
        return _aligned(rows or [["Global", "0", "0%"]])

    def __enter__(self):
        self.flop_counts.clear()
        self._failure = None
        self.mod_tracker.__enter__()
        modes = _here.__dict__.setdefault("modes", [])
        modes.append(self)
        _ops._counters.append(self)
        _C._count_products(_report_product)
        self._calls = _Calls(self)
        self._calls.__enter__()
        return self

    def __exit__(self, *error):
        if self._calls is None:
            raise AssertionError("Internal error: FlopCounter.__exit__ called but mode is None")
        self._calls.__exit__(*error)
        self._calls = None
        _here.modes.remove(self)
        _ops._counters.remove(self)
        if not _here.modes:
            _C._count_products(None)
        self.mod_tracker.__exit__(*error)
        if self._failure is not None and error[0] is None:
            raise self._failure
        if self.display:
            print(self.get_table(self.depth))

    def _product(self, name, shapes, transposed):
        name, args, result = _call_of(name, shapes, transposed)
        packet = _packet(name)
        formula = self.flop_registry[packet]
        if not hasattr(formula, "_takes_shapes"):  # the formula takes tensors: pass meta tensors
            args, result = tree_map(lambda x: empty(x, device="meta") if isinstance(x, _C.Size) else x, (args, result),
                                    is_leaf=lambda x: isinstance(x, _C.Size))
        self._count(packet, args, {}, result)

    def _custom(self, packet, args, kwargs, result):
        if packet in self.flop_registry:
            self._count(packet, args, kwargs, result)

    def _count(self, packet, args, kwargs, result):
        count = self.flop_registry[packet](*args, **kwargs, out_val=result)
        for name in set(self.mod_tracker.parents):
            self.flop_counts[name][packet] += count
