# SPDX-License-Identifier: BSD-3-Clause
"""Multiplications and additions of products, convolutions and attention inside of a `with`, by the modules they happen in."""
from collections import defaultdict
from math import prod

from .. import _C
from ..overrides import TorchFunctionMode

__all__ = ["FlopCounterMode", "register_flop_formula"]
_FORMULAS, _BY_FUNCTION = {}, {}


def register_flop_formula(targets, get_raw=False):
    """Adds formula(*args, out_val=result, **kwargs) of a function that programs call."""
    def register(formula):
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            _BY_FUNCTION[target] = formula
        return formula
    return register


def _of(*names):
    def register(formula):
        _FORMULAS.update(dict.fromkeys(names, formula))
        return formula
    return register


@_of("mm", "bmm", "matmul", "__matmul__", "mv", "dot", "linear")
def _product(result, a, b, *rest, **kwargs):
    return 2 * result.numel() * a.shape[-1]


@_of("addmm", "baddbmm", "addmm_", "baddbmm_")
def _sum_of_product(result, c, a, b, *rest, **kwargs):
    return 2 * result.numel() * a.shape[-1]


@_of("conv1d", "conv2d", "conv3d")
def _convolution(result, x, weight, *rest, **kwargs):
    return 2 * result.numel() * prod(weight.shape[1:])


@_of("conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
def _transposed(result, x, weight, *rest, **kwargs):
    return 2 * x.numel() * prod(weight.shape[1:])


@_of("scaled_dot_product_attention")
def _attention(result, q, k, v, *rest, **kwargs):
    return 2 * prod(q.shape[:-2]) * q.shape[-2] * k.shape[-2] * (q.shape[-1] + v.shape[-1])


class FlopCounterMode(TorchFunctionMode):
    """Counts what functions of the program and of modules compute; the work of `backward()` is not counted."""

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        self.depth, self.display, self._path, self._names = depth, display, [], {}
        self._own = custom_mapping or {}

    def get_total_flops(self):
        """All of them."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self):
        """{module: {function: count}}; "Global" is all."""
        return {k: dict(v) for k, v in self.flop_counts.items()}

    def get_table(self, depth=None):
        """The counts as text."""
        lines = [f"{name:40} {sum(counts.values()):>14,}" for name, counts in self.flop_counts.items()]
        return "\n".join([f"{'Module':40} {'FLOP':>14}", *lines])

    # Modules are known by their names below the outermost one that is called.
    def _enter(self, module, args):
        if not self._path:
            root = type(module).__name__
            self._names = {m: f"{root}.{name}" if name else root for name, m in module.named_modules()}
        self._path.append(self._names.get(module, type(module).__name__))

    def _leave(self, module, args, result):
        if self._path:
            self._path.pop()

    def __enter__(self):
        from ..nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
        self.flop_counts.clear()
        self._handles = [register_module_forward_pre_hook(self._enter), register_module_forward_hook(self._leave, always_call=True)]
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        for handle in self._handles:
            handle.remove()
        self._path.clear()
        if self.display:
            print(self.get_table(self.depth))

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        own = self._own.get(func) or _BY_FUNCTION.get(func)
        name = getattr(func, "__name__", "")
        if own is not None:
            count = own(*args, out_val=result, **kwargs)
        elif name in _FORMULAS and isinstance(result, _C.Tensor):
            count = _FORMULAS[name](result, *args, **kwargs)
        else:
            return result
        for place in {"Global", *self._path}:
            self.flop_counts[place][name] += count
        return result
