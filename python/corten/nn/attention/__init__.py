# SPDX-License-Identifier: BSD-3-Clause
"""Selects the kernels that scaled_dot_product_attention may use.

Corten has two implementations: separate products and a softmax, each recorded by autograd (MATH), and one fused kernel. On the
CPU the fused kernel counts as FLASH_ATTENTION. On a GPU it counts as FLASH_ATTENTION, EFFICIENT_ATTENTION and CUDNN_ATTENTION,
for the dtypes that PyTorch's kernels of these names support.
"""
import contextlib
import enum

from ... import _C

__all__ = ["SDPBackend", "WARN_FOR_UNFUSED_KERNELS", "activate_flash_attention_impl", "current_flash_attention_impl",
           "list_flash_attention_impls", "register_flash_attention_impl", "restore_flash_attention_impl", "sdpa_kernel"]

WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(enum.IntEnum):
    """The kernels of scaled_dot_product_attention, under PyTorch's names.

    MATH computes products and softmax one after the other; the others are fused kernels that never
    store all scores. ERROR and OVERRIDEABLE exist for compatibility with PyTorch.
    """
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __repr__(self):
        return f"<SDPBackend.{self.name}: {self.value}>"

    def __str__(self):
        return f"SDPBackend.{self.name}"


_BITS = {SDPBackend.CUDNN_ATTENTION: 8, SDPBackend.FLASH_ATTENTION: 2, SDPBackend.EFFICIENT_ATTENTION: 4, SDPBackend.MATH: 1,
         SDPBackend.OVERRIDEABLE: 16}
_MATH_FIRST = 32
_priority = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH, SDPBackend.CUDNN_ATTENTION,
             SDPBackend.OVERRIDEABLE]


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """A context in which scaled_dot_product_attention uses only the given kernels.

    It raises RuntimeError where none of them can be used: for example FLASH_ATTENTION alone with
    dropout or with a mask that needs a gradient, or EFFICIENT_ATTENTION alone on the CPU.

    Args:
        backends: an SDPBackend or a list of them.
        set_priority: whether their order is the order of preference. MATH is then preferred if it
            comes before all fused kernels. Default: False.

    Example:
        >>> attention = torch.nn.attention
        >>> q = torch.ones(1, 2, 4)
        >>> with attention.sdpa_kernel(attention.SDPBackend.MATH):
        ...     nn.functional.scaled_dot_product_attention(q, q, q).shape
        torch.Size([1, 2, 4])
    """
    global _priority
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
                             f"{type(backends).__name__}")
    backends = list(dict.fromkeys(backends if isinstance(backends, list) else [backends]))
    before, order = _C._attention_kernels(), _priority
    if set_priority:
        _priority = backends + [kernel for kernel in order if kernel not in backends]
    fused = min(map(_priority.index, (SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION)))
    first = _priority.index(SDPBackend.MATH) < fused
    _C._attention_kernels(sum(bit for kernel, bit in _BITS.items() if kernel in backends) | _MATH_FIRST * first)
    try:
        yield {}
    finally:
        _C._attention_kernels(before)
        _priority = order


def _cur_sdpa_kernel_backends(with_priority=False):
    allowed = [kernel for kernel, bit in _BITS.items() if _C._attention_kernels() & bit]
    return sorted(allowed, key=_priority.index) if with_priority else allowed


# ---- kernels that programs register ----

_impls, _active = {}, []  # {name: function that activates the kernel}; [(name, handle)]


def register_flash_attention_impl(impl, *, register_fn):
    """Register a kernel of another library under a name.

    Args:
        impl: the name.
        register_fn: called without arguments to switch the kernel on; may return an object whose
            `remove()` switches it off.
    """
    _impls[impl] = register_fn


def list_flash_attention_impls():
    """Return the names of the registered kernels, sorted."""
    return sorted(_impls)


def current_flash_attention_impl():
    """Return the name of the active kernel, or None for Corten's own."""
    return _active[-1][0] if _active else None


def activate_flash_attention_impl(impl):
    """Activate a registered kernel instead of the current one.

    Args:
        impl: its name; unknown names raise ValueError.
    """
    if impl not in _impls:
        raise ValueError(f"Unknown flash attention impl {impl!r}. Available implementations: {list_flash_attention_impls()}")
    restore_flash_attention_impl(_raise_warn=False)
    _active.append((impl, _impls[impl]()))


def restore_flash_attention_impl(_raise_warn=True):
    """Reactivate Corten's own kernel; log a warning if it is active already."""
    if _raise_warn and not _active:
        import logging
        logging.getLogger(__name__).warning("Trying to restore default FA2 impl when no custom impl was activated")
    while _active:
        handle = _active.pop()[1]
        if handle is not None:
            handle.remove()
