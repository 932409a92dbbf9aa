# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed: process groups, collectives, point-to-point messages and the stores behind them."""
from .. import _C
from . import distributed_c10d
from ._collectives import *  # noqa: F403
from ._debug import *  # noqa: F403
from ._grad_bucket import BuiltinCommHookType, GradBucket
from ._objects import *  # noqa: F403
from ._stores import FileStore, HashStore, PrefixStore, Store, TCPStore
from .distributed_c10d import (Backend, GroupMember, ProcessGroup, ReduceOp, Work, destroy_process_group, get_backend,
                               get_backend_config, get_default_backend_for_device, get_global_rank, get_group_rank,
                               get_node_local_rank, get_pg_count, get_process_group_ranks,
                               get_rank, get_world_size, group, init_process_group, is_available, is_backend_available,
                               is_gloo_available, is_initialized, is_mpi_available, is_nccl_available,
                               is_torchelastic_launched, is_ucc_available, is_xccl_available, new_group, new_subgroups,
                               new_subgroups_by_enumeration, reduce_op, set_timeout, split_group,
                               supports_complex)
from .rendezvous import default_pg_timeout, register_rendezvous_handler, rendezvous  # noqa: F401

DistError, DistStoreError, DistNetworkError, DistBackendError = (
    _C._DistError, _C._DistStoreError, _C._DistNetworkError, _C._DistBackendError)

__all__ = [name for name in globals() if not name.startswith("_")]


def __getattr__(name):
    if name in ("DeviceMesh", "init_device_mesh"):
        from . import device_mesh
        return getattr(device_mesh, name)
    from .._parts import part
    return part(__name__, name)
