# SPDX-License-Identifier: BSD-3-Clause
"""Non-public names of `torch._C` that libraries use, and that Corten's extension does not define.

The extension looks them up here (`_C.__getattr__`, set in __init__.py).
"""
from types import SimpleNamespace

from . import _C
from ._inner_names import DeviceObjType, ScriptObject  # noqa: F401
from ._symbols import Tag  # noqa: F401

_nn = SimpleNamespace(_parse_to=_C._parse_to)
_has_cuda, _has_xpu, _has_mps = True, False, False


def parse_schema(schema):
    """Parses a schema such as "a::b(Tensor x, int n=2) -> Tensor" to a FunctionSchema."""
    from ._schema import parse_schema as parse
    return parse(schema)


def _log_api_usage_once(name):
    """Does nothing: API usage is not logged."""


def _get_accelerator(check=None):
    """Returns the device of the accelerator, or the CPU."""
    from .accelerator import current_accelerator
    return current_accelerator() or _C.device("cpu")


def _get_default_device():
    """Returns the type of torch.get_default_device() as a str."""
    return str(_C.get_default_device())


def _get_privateuse1_backend_name():
    """Returns "privateuseone", the default name of custom device types."""
    return "privateuseone"


def _are_functorch_transforms_active():
    """Returns whether this thread runs inside a torch.func transform."""
    return _C._guard_kind() != 0


def _get_cudnn_enabled():
    """Returns torch.backends.cudnn.enabled."""
    from .backends import cudnn
    return cudnn.enabled


def _is_alias_of(a, b):
    """Returns whether two tensors share memory."""
    return a.untyped_storage()._cdata == b.untyped_storage()._cdata


def _cuda_isInBadFork():
    """Returns False: a call that needs the GPU raises the error itself in a forked child."""
    return False


def _cuda_getCurrentRawStream(device):
    """Returns the address of the current CUDA stream of a device."""
    return _C._cuda_current_stream(device)


def _cuda_clearCublasWorkspaces():
    """Does nothing: every product releases its workspace."""


def _jit_set_profiling_mode(on):
    """Switches nothing, since there is no TorchScript compiler; returns the old value, False."""
    return False


_jit_set_profiling_executor = _jit_override_can_fuse_on_cpu = _jit_override_can_fuse_on_gpu = _jit_set_profiling_mode
_jit_set_texpr_fuser_enabled = _jit_set_nvfuser_enabled = _jit_set_nvfuser_guard_mode = _jit_set_profiling_mode


def _jit_can_fuse_on_cpu():
    """Returns False: there is no TorchScript compiler."""
    return False


_jit_can_fuse_on_gpu = _jit_texpr_fuser_enabled = _jit_can_fuse_on_cpu


class Graph:
    """A TorchScript graph; no object is an instance."""


class Value(Graph):
    """A value in a TorchScript graph; no object is an instance."""


class Node(Graph):
    """A node of a TorchScript graph; no object is an instance."""
