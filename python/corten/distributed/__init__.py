# SPDX-License-Identifier: BSD-3-Clause
"""Processes that work together: groups of them, and what groups do with tensors."""
from .. import _C
from . import distributed_c10d
from ._collectives import *  # noqa: F403
from ._objects import *  # noqa: F403
from ._stores import FileStore, HashStore, PrefixStore, Store, TCPStore
from .distributed_c10d import (Backend, GroupMember, ProcessGroup, ReduceOp, Work, destroy_process_group, get_backend,
                               get_backend_config, get_default_backend_for_device, get_global_rank, get_group_rank, get_node_local_rank, get_pg_count, get_process_group_ranks,
                               get_rank, get_world_size, group, init_process_group, is_available, is_backend_available,
                               is_gloo_available, is_initialized, is_mpi_available, is_nccl_available,
                               is_torchelastic_launched, is_ucc_available, is_xccl_available, new_group, new_subgroups,
                               new_subgroups_by_enumeration, reduce_op, set_timeout, supports_complex)
from .rendezvous import default_pg_timeout, register_rendezvous_handler, rendezvous  # noqa: F401

DistError, DistStoreError, DistNetworkError, DistBackendError = (
    _C._DistError, _C._DistStoreError, _C._DistNetworkError, _C._DistBackendError)

__all__ = [name for name in globals() if not name.startswith("_")]


def _refuse(name, text):
    def refuse(*args, **kwargs):
        raise RuntimeError(text)
    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "An error: this is not there."
    return refuse


def __getattr__(name):
    import importlib
    if name in ("DeviceMesh", "init_device_mesh"):
        return getattr(importlib.import_module(f"{__package__}.device_mesh"), name)
    if name in ("algorithms", "constants", "device_mesh", "elastic", "fsdp", "launch", "nn", "rpc", "run", "tensor", "utils"):
        return importlib.import_module(f"{__package__}.{name}")
    raise AttributeError(f"module 'torch.distributed' has no attribute '{name}'")
