# SPDX-License-Identifier: BSD-3-Clause
"""Names of `torch._C` that libraries reach for although they are not public, and that are no part of Corten's extension.

The extension asks here for what it has not got (`_C.__getattr__`, set in __init__.py).
"""
from types import SimpleNamespace

from . import _C
from ._inner_names import DeviceObjType, ScriptObject  # noqa: F401
from ._symbols import Tag  # noqa: F401

_nn = SimpleNamespace(_parse_to=_C._parse_to)
_has_cuda, _has_xpu, _has_mps = True, False, False


def parse_schema(schema):
    """The name, arguments and results of an operation, from a text such as "a::b(Tensor x, int n=2) -> Tensor"."""
    from ._schema import parse_schema as parse
    return parse(schema)


def _log_api_usage_once(name):
    """Nothing is logged."""


def _get_accelerator(check=None):
    """The kind of GPU there is, or the CPU."""
    from .accelerator import current_accelerator
    return current_accelerator() or _C.device("cpu")


def _get_default_device():
    """What torch.get_default_device() gives, as a text."""
    return str(_C.get_default_device())


def _get_privateuse1_backend_name():
    """A kind of device that nobody has renamed."""
    return "privateuseone"


def _are_functorch_transforms_active():
    """Whether this thread runs a function that torch.func maps or differentiates."""
    return _C._guard_kind() != 0


def _get_cudnn_enabled():
    """What torch.backends.cudnn.enabled says."""
    from .backends import cudnn
    return cudnn.enabled


def _is_alias_of(a, b):
    """Whether two tensors share memory."""
    return a.untyped_storage()._cdata == b.untyped_storage()._cdata


def _cuda_isInBadFork():
    """False: a child process starts anew."""
    return False


def _cuda_getCurrentRawStream(device):
    """The address of the stream that a GPU's work goes to."""
    return _C._cuda_current_stream(device)


def _cuda_clearCublasWorkspaces():
    """Nothing to clear: each product gives its workspace back."""


def _jit_set_profiling_mode(on):
    """A switch of PyTorch's script compiler, of which there is none; it was off."""
    return False


_jit_set_profiling_executor = _jit_override_can_fuse_on_cpu = _jit_override_can_fuse_on_gpu = _jit_set_profiling_mode
_jit_set_texpr_fuser_enabled = _jit_set_nvfuser_enabled = _jit_set_nvfuser_guard_mode = _jit_set_profiling_mode


def _jit_can_fuse_on_cpu():
    """False."""
    return False


_jit_can_fuse_on_gpu = _jit_texpr_fuser_enabled = _jit_can_fuse_on_cpu


class Graph:
    """A graph of PyTorch's script compiler: there are none."""


class Value(Graph):
    """A value in one."""


class Node(Graph):
    """An operation in one."""
