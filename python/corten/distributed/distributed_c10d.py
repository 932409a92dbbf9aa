# SPDX-License-Identifier: BSD-3-Clause
"""Process groups: creation, queries and teardown. The collectives are in _collectives.py; the C library does the work."""
import atexit
import enum
import operator
import os
import sys
import warnings
from datetime import timedelta
from typing import NewType

from .. import _C
from .._missing import no_effect
from ._stores import FileStore, HashStore, PrefixStore, Store, TCPStore  # noqa: F401
from .rendezvous import LOCAL_RANKS, default_pg_timeout, first_set, rendezvous

GroupName = NewType("GroupName", str)
_NOT_INITIALIZED = "Default process group has not been initialized, please make sure to call init_process_group."


class RedOpType(enum.Enum):
    """Reduction operations."""
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)

    def __int__(self):
        return self.value


class _ReduceOpMeta(type):
    def __instancecheck__(cls, value):
        return isinstance(value, RedOpType)


class ReduceOp(metaclass=_ReduceOpMeta):
    """Reduction operations by PyTorch's names, such as ReduceOp.SUM."""
    RedOpType = RedOpType
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = RedOpType

    def __new__(cls, op):
        return RedOpType(op)


class reduce_op:
    """Deprecated name of ReduceOp."""
    SUM, PRODUCT, MIN, MAX = RedOpType.SUM, RedOpType.PRODUCT, RedOpType.MIN, RedOpType.MAX


class Backend(str):
    """The name of a communication backend, a lower-case str such as "gloo" or "nccl"."""
    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL, FAKE = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl", "fake"
    default_device_backend_map = {"cpu": GLOO, "cuda": NCCL}
    backend_list = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE]

    def __new__(cls, name):
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return super().__new__(cls, name.lower())


class Work:
    """Handle of an asynchronous operation of a group."""

    def __init__(self, handle, group, outputs):
        self._handle, self._group, self._outputs = handle, group, outputs

    def wait(self, timeout=None):
        """Blocks until the operation is complete, up to `timeout`; raises if it failed."""
        if timeout is not None and not isinstance(timeout, timedelta):
            raise TypeError(f"wait(): incompatible function arguments. A datetime.timedelta is expected, not {type(timeout).__name__}")
        _C._work_wait(self._handle, 0. if timeout is None else timeout.total_seconds())
        return True

    synchronize = wait

    def is_completed(self):
        """Returns whether the operation has finished, successfully or not."""
        return _C._work_done(self._handle)

    def exception(self):
        """Returns the exception of a failed operation, otherwise None."""
        text = _C._work_error(self._handle)
        return None if text is None else RuntimeError(text)

    def is_success(self):
        """Returns whether the operation has finished successfully."""
        return self.is_completed() and self.exception() is None

    def result(self):
        """Returns the output tensors as a list."""
        return list(self._outputs)

    def source_rank(self):
        """Returns the global rank of the sender of a receive."""
        return self._group._global(_C._work_source(self._handle))

    _source_rank = source_rank

    def get_future(self):
        """Waits for the operation, then returns a completed future with the output tensors."""
        from ..futures import Future
        future = Future()
        try:
            self.wait()
            future.set_result(self.result())
        except RuntimeError as error:
            future.set_exception(error)
        return future


class ProcessGroup:
    """A process group, as seen from this process."""

    def __init__(self, backend, engines, ranks, rank, store, name, timeout):
        self._backend, self._engines, self._ranks, self._rank = backend, engines, ranks, rank
        self._store, self.group_name, self.group_desc, self._timeout, self._pid = store, name, "", timeout, os.getpid()
        self._splits, self.bound_device_id = 0, None

    def rank(self):
        """Returns the rank of this process in the group."""
        return self._rank

    def size(self):
        """Returns the number of processes in the group."""
        return len(self._ranks)

    def name(self):
        """Returns the name of the backend."""
        return self._backend

    def _engine(self, device):
        """Returns the C handle of the backend that serves a device type."""
        if not self._engines:
            raise ValueError("Invalid process group specified or has been destroyed.")
        if device not in self._engines and len(self._engines) > 1:
            raise RuntimeError(f"No backend type associated with device type {device}")
        return self._engines.get(device) or next(iter(self._engines.values()))

    def _global(self, rank):
        return self._ranks[rank] if 0 <= rank < len(self._ranks) else -1

    def _local(self, rank):
        if rank not in self._ranks:
            raise ValueError(f"Global rank {rank} is not part of group {self}")
        return self._ranks.index(rank)

    def _close(self, politely=True):
        """Closes the connections of the group. If `politely`, waits for the other processes first."""
        engines, self._engines = self._engines, {}
        if self._pid != os.getpid():  # after a fork, the communication threads belong to the parent
            return
        for handle in {id(handle): handle for handle in engines.values()}.values():
            _C._group_close(handle, politely)

    def abort(self):
        """Closes the group without waiting, so that pending operations of other processes fail."""
        self._close(False)

    shutdown = _close

    def __call__(self):
        return self

    def barrier(self, opts=None, timeout=None):
        """Starts a barrier and returns its Work; `opts` may be an object with an attribute `timeout`."""
        from ._collectives import barrier
        return barrier(self, async_op=True, timeout=getattr(opts, "timeout", timeout))

    def allreduce(self, tensors, op=ReduceOp.SUM):
        """Starts an all_reduce and returns its Work."""
        from ._collectives import all_reduce
        return all_reduce(tensors[0] if isinstance(tensors, (list, tuple)) else tensors, op, self, True)

    def broadcast(self, tensors, root=0):
        """Starts a broadcast and returns its Work."""
        from ._collectives import broadcast
        return broadcast(tensors[0] if isinstance(tensors, (list, tuple)) else tensors, group=self, async_op=True, group_src=root)


class _WorldMeta(type):
    @property
    def WORLD(cls):
        return _world

    @WORLD.setter
    def WORLD(cls, group):
        global _world
        _world = group


class group(metaclass=_WorldMeta):
    """group.WORLD is the group of all processes, None before init_process_group."""


class GroupMember(metaclass=_WorldMeta):
    """Same as `group`, with NON_GROUP_MEMBER: the value that new_group returns on ranks outside the group."""
    NON_GROUP_MEMBER = -100


_world = None
_groups = []  # open groups; the world is first
_others = []  # ranks of the group created last without this process
_counter = 0  # for group names; equal on all processes because all make the same calls


def is_available():
    """Returns True: torch.distributed is available."""
    return True


def is_initialized():
    """Returns whether init_process_group has been called."""
    return _world is not None


def is_torchelastic_launched():
    """Returns whether torchrun started this process."""
    return os.environ.get("TORCHELASTIC_RUN_ID") is not None


def is_gloo_available():
    """Returns True: the gloo backend is available."""
    return _C._dist_available("gloo")


def is_mpi_available():
    """Returns whether an MPI library can be loaded."""
    return _C._dist_available("mpi")


def is_nccl_available():
    """Returns whether the NCCL library can be loaded."""
    return _C._dist_available("nccl")


def is_ucc_available():
    """Returns False: Corten has no UCC backend."""
    return False


is_xccl_available = is_ucc_available


def is_backend_available(backend):
    """Returns whether the named backend can be used."""
    return _C._dist_available(backend.lower())


def _get_default_group():
    if _world is None:
        raise ValueError(_NOT_INITIALIZED)
    return _world


def _get_default_store():
    return _get_default_group()._store


def _group_or_world(group):
    if group is None or group is GroupMember.WORLD:
        return _get_default_group()
    if isinstance(group, (str, int)):
        raise ValueError(f"Group {group} is not registered, please create group with torch.distributed.new_group API")
    return group


def _ranks_of(group):
    """Returns the global ranks of a group's members, in group order."""
    if _rank_not_in_group(group) and _others:
        return list(_others)
    return list(_group_or_world(group)._ranks)


def _resolve_process_group(group_name):
    """Returns the group with the given name."""
    for group in _groups:
        if group.group_name == group_name:
            return group
    raise ValueError(f"Could not resolve the process group registered under the name {group_name}")


def _rank_not_in_group(group):
    return group is not None and group == GroupMember.NON_GROUP_MEMBER


def _warn_not_in_group(name):
    rank = -1 if GroupMember.WORLD is None else GroupMember.WORLD.rank()
    warnings.warn(f"Running {name} on global rank {rank} which does not belong to the given group.", stacklevel=3)


def get_rank(group=None):
    """Returns the rank of this process in a group (default: all processes), or -1 if it is not a member."""
    return -1 if _rank_not_in_group(group) else _group_or_world(group).rank()


def get_world_size(group=None):
    """Returns the number of processes in a group (default: all processes), or -1 if this process is not a member."""
    return -1 if _rank_not_in_group(group) else _group_or_world(group).size()


def get_backend(group=None):
    """Returns the name of a group's backend."""
    if _rank_not_in_group(group):
        raise ValueError("Invalid process group specified")
    return _group_or_world(group).name()


def get_process_group_ranks(group):
    """Returns the global ranks of a group's members.

    A process outside the group may pass GroupMember.NON_GROUP_MEMBER, which stands for the group created last without it.
    """
    return _ranks_of(group)


def get_global_rank(group, group_rank):
    """Translates a rank of a group to a global rank."""
    ranks = _ranks_of(group)
    if not 0 <= group_rank < len(ranks):
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return ranks[group_rank]


def get_group_rank(group, global_rank):
    """Translates a global rank to a rank of a group."""
    ranks = _ranks_of(group)
    if global_rank not in ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return ranks.index(global_rank)


def get_node_local_rank(fallback_rank=None):
    """Returns the rank of this process on its machine (LOCAL_RANK), or `fallback_rank` if that is not set."""
    value = first_set(LOCAL_RANKS)
    if value is None and fallback_rank is None:
        raise RuntimeError("LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow "
                           "`get_node_local_rank` to work, assuming you are not running in an environment with multiple "
                           "nodes.")
    return int(fallback_rank if value is None else value)


def get_pg_count():
    """Returns the number of open groups."""
    return len(_groups)


def get_default_backend_for_device(device):
    """Returns the name of the default backend for a device."""
    kind = _C.device(device).type
    if kind not in ("cpu", "cuda"):
        raise ValueError(f"Default backend not registered for device : {device}")
    return "nccl" if kind == "cuda" else "gloo"


def get_backend_config(group=None):
    """Returns the backends of a group in the form that init_process_group accepts, such as "cpu:gloo,cuda:nccl"."""
    plan = _group_or_world(group)._plan
    return ",".join(f"{device}:{name}" if device != name else f"cpu:{name},cuda:{name}" for device, name in plan.items())


def supports_complex(reduceOp):
    """Returns whether the reduction supports complex tensors."""
    return reduceOp in (ReduceOp.SUM, ReduceOp.AVG)


# ---- creating groups ----

def _plan(backend):
    """Parses a backend string such as "gloo" or "cpu:gloo,cuda:nccl" to {device type: backend}; None selects what is available."""
    if backend in (None, "", Backend.UNDEFINED):
        return {"cpu": "gloo", "cuda": "nccl"} if is_nccl_available() and _C._cuda_device_count() else {"cpu": "gloo"}
    parts = [part.rpartition(":") for part in backend.lower().split(",")]
    plan = {device or name: name for device, _, name in parts}
    for name in plan.values():
        if name not in ("gloo", "mpi", "nccl"):
            raise AssertionError(f"Unknown backend type {name}")
        if name == "mpi" and not is_mpi_available():
            raise RuntimeError("Distributed package doesn't have MPI built in. MPI is only included if you build PyTorch from "
                               "source on a host that has MPI installed.")
        if name == "nccl" and not is_nccl_available():
            raise RuntimeError("Distributed package doesn't have NCCL built in")
    return plan


def _open(plan, store, rank, size, timeout):
    """Opens the backends of a plan, each under a separate prefix of the store."""
    engines = {}
    try:
        for device, name in plan.items():
            inner = None if store is None else PrefixStore(f"{device}:{name}", store)._handle
            engines[device] = _C._group_new(name, inner, rank, size, timeout.total_seconds())
    except BaseException:
        for handle in engines.values():
            _C._group_close(handle, False)
        raise
    return engines


def _seconds_checked(timeout):
    if timeout is None:
        return default_pg_timeout
    if not isinstance(timeout, timedelta):
        raise TypeError(f"Expected timeout argument to be of type datetime.timedelta, got {timeout}")
    return timeout


def _fresh(name, store, count):
    """Returns a group name that is unused in this store; each of `count` processes calls it once per group."""
    return f"{name}/{(store.add(f'{name}/arrived', 1) - 1) // count}"


def _resolve_rendezvous(init_method, store, rank, world_size, timeout):
    """Resolves the arguments of init_process_group to (store, rank, world_size)."""
    if store is not None:
        if init_method is not None:
            raise AssertionError("Cannot specify both init_method and store.")
        if world_size <= 0:
            raise AssertionError("world_size must be positive if using store")
        if rank < 0:
            raise AssertionError("rank must be non-negative if using store")
    else:
        store, rank, world_size = next(iter(rendezvous(init_method or "env://", rank, world_size, timeout=timeout)))
        store.set_timeout(timeout)
    if world_size < 1:
        raise RuntimeError(f"a group has at least one process, not {world_size}")
    return PrefixStore(_fresh("default_pg", store, world_size), store), rank, world_size


def _bound(device_id):
    """Checks and returns the device of this process, or None if none was given."""
    if device_id is None:
        return None
    if isinstance(device_id, int):
        device_id = _C.device("cuda", device_id)
    if device_id.index is None:
        raise ValueError("init_process_group device_id parameter must be a device with a valid index, e.g. cpu:0 or cuda:0")
    if device_id.type != "cpu":
        count = _C._cuda_device_count() if device_id.type == "cuda" else 0
        if device_id.index >= count:
            raise ValueError(f"device_id {device_id} is out of range. Please use a device index less than the number of accelerators "
                             f"available: {count}.")
    return device_id


def _no_options(pg_options):
    if pg_options is not None:
        no_effect("pg_options", "groups have the settings of the library")


def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="",
                       pg_options=None, device_id=None, _ranks=None, enable_reconfigure=False):
    """Initializes torch.distributed: creates the group of all processes and waits until all have joined.

    backend: "gloo", "nccl", "mpi", or one per device type ("cpu:gloo,cuda:nccl"). None: the default of device_id, or of the
    devices of this machine.
    init_method: the URL where processes find each other; default env://, the variables that the launcher sets.
    timeout: the default timeout of all operations, a timedelta.
    device_id: the device of this process; an NCCL group is set up on it at once.
    """
    global _world, _counter
    if _world is not None:
        raise ValueError("trying to initialize the default process group twice!")
    _no_options(pg_options)
    if enable_reconfigure:
        no_effect("init_process_group(enable_reconfigure=True)", "the group is made at once")
    device = _bound(device_id)
    if backend is None and device is not None:
        backend = get_default_backend_for_device(device)
    timeout = _seconds_checked(timeout)
    plan = _plan(backend)
    if list(plan.values()) == ["mpi"]:  # the MPI library knows rank and world size
        engines = _open(plan, None, -1, -1, timeout)
        rank, world_size = _C._group_facts(next(iter(engines.values())))
        store = HashStore()
    else:
        store, rank, world_size = _resolve_rendezvous(init_method, store, rank, world_size, timeout)
        engines = _open(plan, PrefixStore("0", store), rank, world_size, timeout)
    name = Backend(next(iter(plan.values())) if len(plan) == 1 or backend is None else backend)
    _world = ProcessGroup(name, engines, list(range(world_size)), rank, store, "0", timeout)
    _world._plan, _world.bound_device_id, _world.group_desc = plan, device, "default_pg"
    _groups.append(_world)
    _counter = 1


def _integers(ranks):
    try:
        return [operator.index(rank) for rank in ranks]
    except TypeError:
        raise TypeError("ranks must be a sequence of integers") from None


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None,
              device_id=None, sort_ranks=True):
    """Creates a group of the processes `ranks` (default: all). All processes must make the same calls in the same order."""
    global _counter
    world = _get_default_group()
    timeout = world._timeout if timeout is None else _seconds_checked(timeout)
    _no_options(pg_options)
    device = world.bound_device_id if device_id is None else _bound(device_id)
    ranks = list(range(world.size())) if ranks is None else _integers(ranks)
    if sort_ranks:
        ranks.sort()
    if len(ranks) > world.size():
        raise ValueError("the new group's world size should be less or equal to the world size set by init_process_group")
    if len(set(ranks)) != len(ranks):
        raise ValueError(f"ranks list must not contain duplicate entries, got {ranks}")
    for rank in ranks:
        if rank < 0 or rank >= world.size():
            raise ValueError(f"Rank {rank} is out of range. Valid ranks are 0 to {world.size() - 1} (world_size={world.size()})")
    if not use_local_synchronization:
        name, _counter = str(_counter), _counter + 1
    if world.rank() not in ranks:
        _others[:] = ranks
        return GroupMember.NON_GROUP_MEMBER
    if use_local_synchronization:  # only members call this, so all of them must derive the same name
        name = _fresh("local:" + ",".join(map(str, ranks)), world._store, len(ranks))
    rank, plan = ranks.index(world.rank()), world._plan if backend is None else _plan(backend)
    if list(plan.values()) == ["mpi"]:
        parent = world._engine("cpu")
        engines = {device: _C._group_split(parent, ranks, timeout.total_seconds()) for device in plan}
    else:
        engines = _open(plan, PrefixStore(name, world._store), rank, len(ranks), timeout)
    group = ProcessGroup(world.name() if backend is None else Backend(backend), engines, ranks, rank, world._store, name, timeout)
    group._plan, group.group_desc, group.bound_device_id = plan, group_desc or "undefined", device
    _groups.append(group)
    return group


def split_group(parent_pg=None, split_ranks=None, timeout=None, pg_options=None, group_desc=None, backend=None):
    """Splits a group: each list in `split_ranks` (ranks in the parent) becomes a group that keeps the order of the parent.

    All processes of the parent must call it; those that are in no list get GroupMember.NON_GROUP_MEMBER.
    """
    if not split_ranks:
        raise ValueError("split_ranks cannot be None or empty")
    parent = _group_or_world(parent_pg)
    if parent not in _groups:
        raise ValueError(f"Group {parent} is not registered")
    if backend is not None:
        plan = {device: name for device, name in parent._plan.items() if backend.lower() in (name, f"{device}:{name}")}
        if not plan and not set(backend.lower().split(",")) <= {f"{device}:{name}" for device, name in parent._plan.items()}:
            raise ValueError(f"Requested backend '{backend.lower()}' is not present in the parent process group (parent backends: "
                             f"{parent._plan})")
    mine = None
    for ranks in map(_integers, split_ranks):
        if len(ranks) == 0:
            raise ValueError("the split group cannot be empty")
        if len(ranks) > parent.size():
            raise ValueError("the split group's size should be less or equal to the world_size set by init_process_group")
        if len(set(ranks)) != len(ranks):
            raise ValueError("the split group cannot have duplicate ranks")
        if parent.rank() in ranks:
            if mine is not None:
                raise ValueError(f"Rank {parent.rank()} appears in more than one split")
            mine = ranks
    if mine is None:
        _others[:] = [parent._ranks[rank] for rank in split_ranks[-1]]
        return GroupMember.NON_GROUP_MEMBER
    description = f"{parent.group_desc}:split:{parent._splits}" if group_desc is None else group_desc
    parent._splits += 1
    return new_group([parent._ranks[rank] for rank in mine], parent._timeout if timeout is None else timeout, backend, pg_options,
                     use_local_synchronization=True, group_desc=description, sort_ranks=False)


def new_subgroups(group_size=None, group=None, timeout=None, backend=None, pg_options=None, group_desc=None):
    """Divides the ranks into consecutive groups of `group_size`; returns (this rank's group, list of all groups)."""
    if group_size is None:
        count = _C._cuda_device_count()
        if not count:
            raise ValueError("Default group size only takes effect when a CUDA device is available.If your program does not use "
                             "GPUs, please pass in a group size")
        group_size = count
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    ranks = get_process_group_ranks(group)
    if len(ranks) < group_size:
        raise ValueError(f"The arg 'group_size' ({group_size}) must not exceed the world size ({len(ranks)})")
    if len(ranks) % group_size:
        raise ValueError(f"The world size ({len(ranks)}) must be divisible by '{group_size=}'")
    return new_subgroups_by_enumeration([ranks[i:i + group_size] for i in range(0, len(ranks), group_size)], timeout, backend,
                                        pg_options, group_desc)


def new_subgroups_by_enumeration(ranks_per_subgroup_list, timeout=None, backend=None, pg_options=None, group_desc=None):
    """Creates one group per list of ranks; returns (this rank's group, list of all groups)."""
    if not ranks_per_subgroup_list:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    mine, groups, seen = None, [], {}
    for i, ranks in enumerate(ranks_per_subgroup_list):
        group = new_group(ranks, timeout, backend, pg_options, group_desc=group_desc)
        groups.append(group)
        for rank in ranks:
            if rank in seen:
                raise ValueError(f"Rank {rank} has appeared in both subgroup {seen[rank]} and {ranks}")
            seen[rank] = ranks
            if rank == get_rank():
                mine = group
    return mine, groups


def destroy_process_group(group=None):
    """Closes a group; without an argument, closes all groups."""
    global _world, _counter
    if _rank_not_in_group(group):
        return
    if group is None and _world is None:
        raise AssertionError("Process group cannot be None")
    if group is None or group is _world:
        for each in reversed(_groups):
            each._close()
        _groups.clear()
        _world, _counter = None, 0
        return
    if group not in _groups:
        raise ValueError("Invalid process group specified or has been destroyed.")
    group._close()
    _groups.remove(group)


def set_timeout(timeout, group=None):
    """Sets the timeout of later operations on a group."""
    group = _group_or_world(group)
    group._timeout = _seconds_checked(timeout)
    for handle in group._engines.values():
        _C._group_set_timeout(handle, timeout.total_seconds())


@atexit.register
def _leave():
    """At exit: tells the other processes that this one leaves normally, so that they do not report it as failed."""
    failed = getattr(sys, "last_value", None) is not None  # the process ends with an exception, so it does not leave normally
    for each in reversed(_groups):
        each._close(not failed)
    _groups.clear()


from ._collectives import *  # noqa: E402, F403
from ._debug import get_backend_impl, record_comm, shrink_group  # noqa: E402, F401
from ._objects import *  # noqa: E402, F403
