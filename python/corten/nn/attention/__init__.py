# SPDX-License-Identifier: BSD-3-Clause
"""Which kernel attention may use. Corten has one, which every choice comes to."""
import contextlib
import enum

__all__ = ["SDPBackend", "WARN_FOR_UNFUSED_KERNELS", "activate_flash_attention_impl", "current_flash_attention_impl",
           "list_flash_attention_impls", "register_flash_attention_impl", "restore_flash_attention_impl", "sdpa_kernel"]

WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(enum.IntEnum):
    """PyTorch's kernels of attention."""
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __repr__(self):
        return f"<SDPBackend.{self.name}: {self.value}>"

    __str__ = __repr__


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """A context in which attention uses one of these kernels."""
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")
    yield {}


def _cur_sdpa_kernel_backends(with_priority=False):
    return [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH, SDPBackend.CUDNN_ATTENTION]


# ---- other kernels, which programs may add ----

_impls, _active = {}, []  # name -> function that switches it on; [(name, what that gave)]


def register_flash_attention_impl(impl, *, register_fn):
    """Makes a kernel known by a name; `register_fn` switches it on and may give an object with `remove()`."""
    _impls[impl] = register_fn


def list_flash_attention_impls():
    """The names of the kernels that are known."""
    return sorted(_impls)


def current_flash_attention_impl():
    """The kernel that is on, or None: Corten's own."""
    return _active[-1][0] if _active else None


def activate_flash_attention_impl(impl):
    """Switches a kernel on."""
    if impl not in _impls:
        raise ValueError(f"Unknown flash attention impl {impl!r}. Available implementations: {list_flash_attention_impls()}")
    restore_flash_attention_impl(_raise_warn=False)
    _active.append((impl, _impls[impl]()))


def restore_flash_attention_impl(_raise_warn=True):
    """Back to Corten's own kernel."""
    while _active:
        handle = _active.pop()[1]
        if handle is not None:
            handle.remove()
