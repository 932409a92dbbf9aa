# SPDX-License-Identifier: BSD-3-Clause
"""One process: what programs ask before they use several."""

__all__ = ["barrier", "get_rank", "get_world_size", "init_process_group", "is_available", "is_initialized"]


def is_available():
    """False: there is one process."""
    return False


def is_initialized():
    """False."""
    return False


def is_torchelastic_launched():
    return False


def is_nccl_available():
    return False


is_gloo_available = is_mpi_available = is_ucc_available = is_nccl_available


def _refuse(name, text):
    def refuse(*args, **kwargs):
        raise (RuntimeError if name == "init_process_group" else ValueError)(text)
    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "An error: there is one process."
    return refuse


init_process_group = _refuse("init_process_group", "torch.distributed is not available: there is one process")
_GROUPED = ("all_gather all_gather_into_tensor all_gather_object all_reduce all_reduce_coalesced all_to_all all_to_all_single barrier "
            "batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather gather_object get_backend get_global_rank "
            "get_group_rank get_process_group_ranks get_rank get_world_size irecv isend monitored_barrier new_group new_subgroups recv "
            "recv_object_list reduce reduce_scatter reduce_scatter_tensor scatter scatter_object_list send send_object_list").split()
for _name in _GROUPED:
    globals()[_name] = _refuse(_name, "Default process group has not been initialized, please make sure to call init_process_group.")


class ReduceOp:
    """How processes would combine their values."""
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)
    RedOpType = int


class Backend(str):
    """A name of a way that processes would talk."""
    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl"

    def __new__(cls, name):
        return super().__new__(cls, name.lower())


class ProcessGroup:
    """Processes that talk to each other: there are none."""

    def __init__(self, *args, **kwargs):
        init_process_group()


class Work(ProcessGroup):
    """Something that they have begun."""


class P2POp(ProcessGroup):
    """A message from one to another."""


class GroupMember:
    """The group of all, before there is one."""
    WORLD, NON_GROUP_MEMBER = None, -100


class group:
    """The same by its older name."""
    WORLD = None


def __getattr__(name):
    import importlib
    if name in ("DeviceMesh", "init_device_mesh"):
        return getattr(importlib.import_module(f"{__package__}.device_mesh"), name)
    if name in ("device_mesh", "nn", "rpc", "tensor"):
        return importlib.import_module(f"{__package__}.{name}")
    raise AttributeError(f"module 'torch.distributed' has no attribute '{name}'")
