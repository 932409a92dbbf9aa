# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed with two to four local processes: every collective with every type and odd sizes, groups, messages,
PyTorch's error texts, processes that die, DistributedDataParallel compared with PyTorch's, the launcher.

The test process hosts the store; its children connect to it at a port chosen by the system.
"""
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta

import numpy as np
import pytest

import corten
import corten.distributed as dist
import corten.multiprocessing as mp
from corten import nn

LONG = timedelta(seconds=90)
FLOATS = [corten.float16, corten.bfloat16, corten.float32, corten.float64]
INTS = [corten.uint8, corten.int8, corten.int16, corten.int32, corten.int64, corten.uint16, corten.uint32, corten.uint64]
COMPLEX = [corten.complex64, corten.complex128]
SIZES = [0, 1, 7, 4099]


def _enter(rank, port, size, function, timeout, args):
    store = dist.TCPStore("127.0.0.1", port, size, False, timeout=LONG, wait_for_workers=False)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=size, timeout=timeout)
    function(rank, size, *args)
    if dist.is_initialized():
        dist.destroy_process_group()


def together(size, function, *args, timeout=LONG):
    """Runs function(rank, size, *args) in `size` processes that form a group. Raises the first failure."""
    server = dist.TCPStore("127.0.0.1", 0, None, True, timeout=LONG, wait_for_workers=False)
    mp.spawn(_enter, (server.port, size, function, timeout, args), size)


def together_with_store(size, function, *args):
    """Runs function(rank, size, store port, *args) in `size` processes without a group. Raises the first failure."""
    server = dist.TCPStore("127.0.0.1", 0, None, True, timeout=LONG, wait_for_workers=False)
    mp.spawn(function, (size, server.port, *args), size)


def ints(n, dtype, seed):
    """Returns small numbers that every type can represent, different for each seed."""
    values = (np.arange(n) * 7 + seed * 3) % 5 + 1
    return corten.tensor(values.tolist()).to(dtype) if n else corten.zeros(0, dtype=dtype)


def same(tensor, values):
    got = tensor.to(corten.complex128 if tensor.is_complex() else corten.float64).numpy()
    np.testing.assert_array_equal(got, np.asarray(values), strict=False)


def raises(kind, text, function):
    with pytest.raises(kind) as caught:
        function()
    assert text in str(caught.value), str(caught.value)


# ---- collectives ----

def collectives(rank, size):
    ops = dist.ReduceOp
    fold = {ops.SUM: sum, ops.PRODUCT: lambda v: functools.reduce(np.multiply, v), ops.MIN: lambda v: functools.reduce(np.minimum, v),
            ops.MAX: lambda v: functools.reduce(np.maximum, v)}
    bits = {ops.BAND: np.bitwise_and, ops.BOR: np.bitwise_or, ops.BXOR: np.bitwise_xor}
    for dtype in FLOATS + INTS:
        for n in SIZES:
            wide = [ints(n, corten.float64, r).numpy() for r in range(size)]
            for op, function in fold.items():
                x = ints(n, dtype, rank)
                dist.all_reduce(x, op)
                same(x, function(wide))
            y = ints(n, dtype, rank)
            dist.reduce(y, dst=size - 1)
            same(y, sum(wide) if rank == size - 1 else wide[rank])
            z = ints(n, dtype, rank)
            dist.broadcast(z, src=1)
            same(z, wide[1])
            parts = [corten.zeros(n, dtype=dtype) for _ in range(size)]
            dist.all_gather(parts, ints(n, dtype, rank))
            for r in range(size):
                same(parts[r], wide[r])
            out = corten.zeros(n, dtype=dtype)
            dist.reduce_scatter(out, [ints(n, dtype, rank + 10 * r) for r in range(size)])
            same(out, sum(ints(n, corten.float64, r + 10 * rank).numpy() for r in range(size)))
        if dtype in INTS:
            for op, function in bits.items():
                x = ints(7, dtype, rank)
                dist.all_reduce(x, op)
                same(x, functools.reduce(function, [ints(7, corten.int64, r).numpy() for r in range(size)]))
    for dtype in COMPLEX:
        x = ints(9, dtype, rank) * 1j
        dist.all_reduce(x)
        same(x, sum(ints(9, corten.float64, r).numpy() for r in range(size)) * 1j)
    flags = corten.tensor([rank == 0, True, False])
    dist.all_reduce(flags, ops.MIN)
    assert flags.tolist() == [size == 1, True, False]
    mean = corten.full((3,), float(rank))
    dist.all_reduce(mean, ops.AVG)
    same(mean, [(size - 1) / 2] * 3)


def moves(rank, size):
    everyone = range(size)
    flat = corten.zeros(size * 3)
    dist.all_gather_into_tensor(flat, corten.full((3,), float(rank)))
    assert flat.view(size, 3)[:, 0].tolist() == [float(r) for r in everyone]
    part = corten.zeros(2)
    dist.reduce_scatter_tensor(part, corten.arange(2. * size) + rank)
    same(part, [size * (2 * rank + i) + sum(everyone) for i in range(2)])
    parts = [corten.zeros(2, dtype=corten.int64) for _ in everyone] if rank == 1 else None
    dist.gather(corten.tensor([rank, 7]), parts, dst=1)
    if rank == 1:
        assert [p.tolist() for p in parts] == [[r, 7] for r in everyone]
    got = corten.zeros(1)
    dist.scatter(got, [corten.full((1,), r * 10.) for r in everyone] if rank == 0 else None, src=0)
    assert got.item() == rank * 10
    out = [corten.zeros(r + 1) for r in everyone]  # of different sizes
    dist.all_to_all(out, [corten.full((rank + 1,), float(10 * rank + r)) for r in everyone])
    assert [o.tolist() for o in out] == [[10. * r + rank] * (r + 1) for r in everyone]
    out = corten.zeros(sum(everyone) + size, 2)
    dist.all_to_all_single(out, corten.full((size * (rank + 1), 2), float(rank)), [r + 1 for r in everyone], [rank + 1] * size)
    assert out[:, 1].tolist() == [float(r) for r in everyone for _ in range(r + 1)]
    # Long tensors travel in segments, strided ones are copied first; the elements around a view must not change.
    long = corten.full((700001,), 1., dtype=corten.float64)
    dist.all_reduce(long)
    assert (long == size).all()
    dist.broadcast(long.fill_(rank), src=0)
    assert (long == 0).all()
    grid = corten.zeros(4, 5)
    dist.all_reduce(grid.t()[1:3].fill_(1.))
    assert grid.sum().item() == 8 * size and grid[:, 0].sum() == 0
    conj = corten.tensor([1 + 2j]).conj()
    dist.all_reduce(conj)
    assert conj.tolist() == [size * (1 - 2j)]
    leaf = corten.zeros(3, requires_grad=True)
    version = leaf._version
    dist.broadcast(leaf.detach() if rank else leaf.detach().fill_(5), src=0)
    assert leaf.tolist() == [5.] * 3 and leaf._version > version and leaf.is_leaf
    # The result is the same bit for bit on all ranks and in every run.
    x = corten.sin(corten.arange(1000.) * (rank + 1))
    first = x.clone()
    dist.all_reduce(first)
    for _ in range(3):
        again = x.clone()
        dist.all_reduce(again)
        assert corten.equal(first, again)
    all_ = [corten.zeros(1000) for _ in everyone]
    dist.all_gather(all_, first)
    assert all(corten.equal(first, other) for other in all_)


def later(rank, size):
    xs = [corten.full((1000 * i + 1,), float(i)) for i in range(20)]
    works = [dist.all_reduce(x, async_op=True) for x in xs]
    for i, (x, work) in enumerate(zip(xs, works, strict=True)):
        assert work.wait() is True and work.is_completed() and work.is_success() and work.exception() is None
        assert work.result()[0] is x and (x == i * size).all()
    assert dist.barrier(async_op=True).wait() and dist.barrier() is None
    dist.monitored_barrier(timeout=LONG)


def messages(rank, size):
    left, right = (rank - 1) % size, (rank + 1) % size
    got = corten.zeros(3)
    receive, send = dist.irecv(got, left), dist.isend(corten.full((3,), float(rank)), right)
    assert receive.wait() and send.wait() and (got == left).all()
    # Messages are received by tag, out of order; large ones also while a collective runs.
    sends = [dist.isend(corten.full((n,), float(rank + n)), right, tag=n) for n in (5, 300000, 1)]
    total = corten.ones(1000)
    work = dist.all_reduce(total, async_op=True)
    for n in (1, 5, 300000):
        got = corten.zeros(n)
        assert dist.recv(got, left, tag=n) == left and (got == left + n).all()
    work.wait()
    assert (total == size).all()
    for send in sends:
        send.wait()
    if rank == 0:
        seen = {dist.recv(got := corten.zeros(1)) for _ in range(size - 1)}
        assert seen == set(range(1, size))
    else:
        dist.send(corten.full((1,), float(rank)), 0)
    dist.barrier()
    a, b = corten.zeros(2), corten.full((2,), float(rank))
    for work in dist.batch_isend_irecv([dist.P2POp(dist.irecv, a, left), dist.P2POp(dist.isend, b, right)]):
        work.wait()
    assert (a == left).all()
    short = corten.zeros(9)  # the message may be shorter than the tensor
    works = [dist.irecv(short, left), dist.isend(b, right)]
    for work in works:
        work.wait()
    assert short.tolist() == [float(left)] * 2 + [0.] * 7


def objects(rank, size):
    out = [None] * size
    dist.all_gather_object(out, {"rank": rank, "text": "x" * rank})
    assert [o["rank"] for o in out] == list(range(size))
    given = [1, "two", corten.arange(3)] if rank == 0 else [None] * 3
    dist.broadcast_object_list(given, src=0)
    assert given[:2] == [1, "two"] and given[2].tolist() == [0, 1, 2]
    out = [None] * size if rank == 1 else None
    dist.gather_object(("r", rank), out, dst=1)
    assert rank != 1 or out == [("r", r) for r in range(size)]
    mine = [None]
    dist.scatter_object_list(mine, [str(r) for r in range(size)] if rank == 0 else None, src=0)
    assert mine == [str(rank)]
    if rank == 0:
        dist.send_object_list([{"a": 1}, 2], dst=1)
    elif rank == 1:
        got = [None, None]
        assert dist.recv_object_list(got, src=0) == 0 and got == [{"a": 1}, 2]
    out = [None] * size
    dist.all_gather_object(out, {"w": corten.ones(2)}, weights_only=True)
    assert out[0]["w"].tolist() == [1, 1]
    import pickle
    if rank == 0:
        dist.send_object_list([print], dst=1)
    elif rank == 1:
        with pytest.raises(Exception) as caught:
            dist.recv_object_list([None], src=0, weights_only=True)
        assert isinstance(caught.value, (pickle.UnpicklingError, RuntimeError))


def groups(rank, size):
    assert (dist.get_rank(), dist.get_world_size(), dist.get_backend()) == (rank, size, "gloo")
    assert dist.group.WORLD.size() == size and dist.GroupMember.WORLD is dist.group.WORLD
    odd = dist.new_group([1, size - 1] if size > 2 else [1])
    if rank in (1, size - 1):
        x = corten.full((2,), float(rank))
        dist.all_reduce(x, group=odd)
        assert x[0].item() == sum({1, size - 1})
        dist.broadcast(x.fill_(rank), src=size - 1, group=odd)
        assert x[0].item() == size - 1 and dist.get_group_rank(odd, size - 1) == odd.size() - 1
        assert dist.get_global_rank(odd, 0) == 1 and dist.get_process_group_ranks(odd) == sorted({1, size - 1})
        raises(ValueError, "Global rank 0 is not part of group", lambda: dist.broadcast(x, src=0, group=odd))
    else:
        assert odd == dist.GroupMember.NON_GROUP_MEMBER and dist.get_rank(odd) == dist.get_world_size(odd) == -1
        with pytest.warns(UserWarning, match="Running all_reduce on global rank"):
            assert dist.all_reduce(corten.ones(1), group=odd) is None
    mine, all_ = dist.new_subgroups(size // 2)
    assert len(all_) == 2 and mine.size() == size // 2
    x = corten.ones(1)
    dist.all_reduce(x, group=mine)
    assert x.item() == size // 2
    dist.destroy_process_group(mine)
    raises(ValueError, "destroyed", lambda: dist.all_reduce(x, group=mine))
    dist.all_reduce(x.fill_(1.))
    assert x.item() == size


def local_groups(rank, size):
    """Groups that only their members create, twice with the same members."""
    if rank < 2:
        for _ in range(2):
            both = dist.new_group([0, 1], use_local_synchronization=True)
            dist.all_reduce(x := corten.ones(1), group=both)
            assert x.item() == 2
            dist.destroy_process_group(both)
    part = corten.zeros(size, 2) if rank == 1 else None
    dist.gather_into_tensor(corten.full((2,), float(rank)), part, dst=1)
    assert rank != 1 or part[:, 0].tolist() == [float(r) for r in range(size)]


def all_of_them(rank, size):
    for part in (collectives, moves, later, messages, objects, groups, local_groups):
        part(rank, size)
        dist.barrier()


@pytest.mark.parametrize("size", [2, 4])
def test_collectives(size):
    together(size, all_of_them)


def test_three_processes():
    together(3, moves)


def gradients(rank, size):
    from corten.distributed.nn import functional as F
    x = corten.full((2,), rank + 1., requires_grad=True)
    (F.all_reduce(x) * (rank + 1)).sum().backward()
    assert x.grad.tolist() == [size * (size + 1) / 2] * 2
    x.grad = None
    corten.stack(F.all_gather(x)).mul(corten.arange(1., size + 1).view(-1, 1)).sum().backward()
    assert x.grad.tolist() == [(rank + 1.) * size] * 2
    x.grad = None
    F.broadcast(x, 0).sum().backward()
    assert x.grad.tolist() == [size if rank == 0 else 0.] * 2


def test_gradients_through_collectives():
    together(2, gradients)


def again(rank, size, port):
    """A process leaves and rejoins a group through the same store; the exit of a forked child disturbs neither."""
    store = dist.TCPStore("127.0.0.1", port, size, False, timeout=LONG, wait_for_workers=False)
    own = dist.TCPStore("127.0.0.1", 0, 1, True, timeout=LONG)
    for _ in range(3):
        dist.init_process_group("gloo", store=store, rank=rank, world_size=size, timeout=LONG)
        if (child := os.fork()) == 0:
            raises(RuntimeError, "forked", lambda: dist.all_reduce(corten.ones(1)))
            assert store.num_keys() > 0 and own.num_keys() > 0
            del own, store
            dist.destroy_process_group()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        dist.all_reduce(x := corten.ones(1))
        assert x.item() == size
        own.set("k", "v")
        assert own.get("k") == b"v"
        dist.destroy_process_group()


def test_joining_again():
    together_with_store(2, again)


# ---- errors ----

def wrong_calls(rank, size):
    one, two = corten.zeros(1), corten.zeros(2)
    raises(ValueError, "trying to initialize the default process group twice!", lambda: dist.init_process_group("gloo"))
    raises(TypeError, "Invalid function argument. Expected parameter `tensor` of type torch.Tensor\n             but got <class 'int'> "
           "instead.", lambda: dist.all_reduce(3))
    raises(TypeError, "Expected parameter `tensor_list` of type List[torch.Tensor]\n             but got <class 'list'> with elements "
           "of type [<class 'int'>, <class 'int'>].", lambda: dist.all_gather([1, 2], two))
    raises(RuntimeError, "ProcessGroupGloo::allgather: invalid output tensor list at index 0 (expected length 2, got 1)",
           lambda: dist.all_gather([two], two))
    raises(RuntimeError, "ProcessGroupGloo::allgather: invalid tensor size at index 1 (expected (2), got (1))",
           lambda: dist.all_gather([two, one], two))
    raises(ValueError, "Invalid usage of tensors with different dtypesFound torch.float32 and  torch.int32",
           lambda: dist.all_gather([two, two.int()], two))
    raises(ValueError, "all_reduce does not support RedOpType.MAX on complex tensors",
           lambda: dist.all_reduce(two.to(corten.complex64), dist.ReduceOp.MAX))
    raises(RuntimeError, "Cannot use ReduceOp.BAND with non-integral dtype", lambda: dist.all_reduce(two, dist.ReduceOp.BAND))
    raises(RuntimeError, "result type Float can't be cast to the desired output type Byte",
           lambda: dist.all_reduce(two.to(corten.uint8), dist.ReduceOp.AVG))
    raises(RuntimeError, "invalid input tensor list size, must be world size", lambda: dist.reduce_scatter(two, [two]))
    raises(RuntimeError, "Tensor's dim 0 does not divide equally across group size",
           lambda: dist.all_to_all_single(corten.zeros(3), corten.zeros(3)))
    raises(RuntimeError, "Split sizes doesn't match total dim 0 size",
           lambda: dist.all_to_all_single(corten.zeros(3), corten.zeros(3), [1, 1], [1, 2]))
    raises(RuntimeError, "ProcessGroupGloo::alltoall: output tensor list size 1 does not match world size 2",
           lambda: dist.all_to_all([one], [one, one]))
    raises(RuntimeError, "Split sizes must be non-negative", lambda: dist.all_to_all_single(two, two, [-1, 3], [1, 1]))
    raises(RuntimeError, "ProcessGroupGloo::alltoall: input and output tensors must have the same size",
           lambda: dist.all_to_all([one, one], [one if r != rank else two for r in range(2)]))
    raises(RuntimeError, "input and output tensors must have the same size",
           lambda: dist.all_to_all_single(corten.zeros(3), corten.zeros(3), [1, 2], [2, 1]))
    raises(NotImplementedError, "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback "
           "function is registered for schema c10d::alltoall_.", lambda: dist.all_to_all([], []))
    raises(NotImplementedError, "c10d::allreduce_coalesced_.", lambda: dist.all_reduce_coalesced([]))
    raises(RuntimeError, "ProcessGroupGloo::scatter: Incorrect input list size 3. Input list size should be 2, same as size of the process "
           "group.", lambda: dist.scatter(two, [two] * 3, src=rank))
    raises(RuntimeError, "ProcessGroupGloo::gather: Incorrect output list size 3. Output list size should be 2, same as size of the process "
           "group.", lambda: dist.gather(two, [two] * 3, dst=rank))
    raises(RuntimeError, "output tensor size must be", lambda: dist.all_gather_into_tensor(corten.zeros(3), two))
    raises(RuntimeError, "input tensor must be the same size", lambda: dist.reduce_scatter_tensor(two, corten.zeros(3)))
    raises(RuntimeError, "Tag must be nonnegative", lambda: dist.send(two, 1 - rank, tag=-1))
    raises(ValueError, "Group -100 is not registered, please create group with torch.distributed.new_group API",
           lambda: dist.isend(two, 1 - rank, group=dist.GroupMember.NON_GROUP_MEMBER))
    raises(ValueError, "Argument ``scatter_list`` must be specified on source rank.", lambda: dist.scatter(two, None, src=rank))
    raises(ValueError, "Argument ``scatter_list`` must NOT be specified on non-source ranks.",
           lambda: dist.scatter(two, [two, two], src=1 - rank))
    raises(ValueError, "Argument ``gather_list`` must be specified on destination rank.", lambda: dist.gather(two, None, dst=rank))
    raises(ValueError, "Argument ``gather_list`` must NOT be specified on non-destination ranks.",
           lambda: dist.gather(two, [two, two], dst=1 - rank))
    raises(ValueError, "Invalid destination rank: destination rank should not be the same as the rank of the current process.",
           lambda: dist.send(two, dst=rank))
    raises(ValueError, "Must specify src or group_src", lambda: dist.broadcast(two))
    raises(ValueError, "is not part of group", lambda: dist.broadcast(two, src=7))
    raises(ValueError, "Can't specify both group_rank and global_rank", lambda: dist.broadcast(two, src=0, group_src=0))
    raises(RuntimeError, "ProcessGroupGloo::broadcast: invalid root rank: 3", lambda: dist.broadcast(two, group_src=3))
    for op in ("sum", 0):
        raises(TypeError, "(): incompatible function arguments.", lambda op=op: dist.all_reduce(two, op))
    for call in (lambda: dist.all_reduce(two, group="x"), lambda: dist.barrier(group="x")):
        raises(ValueError, "Process group x is not initialized in the world group map. Please initialize the group first.", call)
    raises(ValueError, "Group x is not registered, please create group with torch.distributed.new_group API", lambda: dist.get_rank("x"))
    raises(ValueError, "Rank 7 is out of range. Valid ranks are 0 to 1 (world_size=2)", lambda: dist.new_group([7]))
    raises(TypeError, "ranks must be a sequence of integers", lambda: dist.new_group(["x"]))
    raises(TypeError, "ranks must be a sequence of integers", lambda: dist.new_group(3))
    raises(TypeError, "Expected timeout argument to be of type datetime.timedelta, got 3", lambda: dist.monitored_barrier(timeout=3))
    raises(TypeError, "wait(): incompatible function arguments.", lambda: dist.barrier(async_op=True).wait(3))
    raises(ValueError, "source rank must provide non-None scatter_object_input_list",
           lambda: dist.scatter_object_list([None], None, src=rank))
    raises(ValueError, "Invalid ``p2p_op_list``.", lambda: dist.batch_isend_irecv(3))
    raises(ValueError, "ranks list must not contain duplicate entries, got [0, 0]", lambda: dist.new_group([0, 0]))
    raises(ValueError, "the new group's world size should be less or equal", lambda: dist.new_group([0, 1, 2]))
    raises(ValueError, "Invalid ``op``", lambda: dist.P2POp(1, one, 1))
    raises(ValueError, "p2p_op_list must not be empty", lambda: dist.batch_isend_irecv([]))
    dist.all_reduce(two)  # after these errors the group still works


def test_wrong_calls():
    together(2, wrong_calls)


@pytest.mark.parametrize("size", [0, -2])
def test_groups_of_nobody(tmp_path, size):
    raises(RuntimeError, f"a group has at least one process, not {size}",
           lambda: dist.init_process_group("gloo", f"file://{tmp_path}/f", rank=0, world_size=size))


def test_a_group_that_is_closed_while_another_thread_calls():
    for _ in range(20):
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        stop, seen = threading.Event(), []

        def call(stop=stop, seen=seen):
            while not stop.is_set():
                try:
                    dist.all_reduce(corten.ones(1000).t())
                except (RuntimeError, ValueError, AttributeError) as error:
                    seen.append(error)
                    return
        threads = [threading.Thread(target=call) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.01)
        dist.destroy_process_group()
        stop.set()
        for thread in threads:
            thread.join()


def test_without_a_group(monkeypatch):
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    text = "Default process group has not been initialized, please make sure to call init_process_group."
    for call in (dist.get_rank, dist.get_world_size, dist.barrier, lambda: dist.all_reduce(corten.ones(1)), dist.new_group):
        raises(ValueError, text, call)
    raises(ValueError, text, lambda: nn.parallel.DistributedDataParallel(nn.Linear(1, 1)))
    raises(AssertionError, "Process group cannot be None", dist.destroy_process_group)
    raises(AssertionError, "Unknown backend type foo", lambda: dist.init_process_group("foo"))
    start = "Error initializing torch.distributed using env:// rendezvous: environment variable "
    raises(ValueError, start + "RANK expected, but not set", lambda: dist.init_process_group("gloo"))
    monkeypatch.setenv("RANK", "0")
    raises(ValueError, start + "WORLD_SIZE expected, but not set", lambda: dist.init_process_group("gloo"))
    raises(ValueError, "tcp:// rendezvous: rank parameter missing", lambda: dist.init_process_group("gloo", "tcp://127.0.0.1:1"))
    raises(RuntimeError, "No rendezvous handler for foo://", lambda: dist.init_process_group("gloo", "foo://x"))
    raises(AssertionError, "Cannot specify both init_method and store.",
           lambda: dist.init_process_group("gloo", "env://", store=dist.HashStore()))
    raises(AssertionError, "world_size must be positive if using store", lambda: dist.init_process_group("gloo", store=dist.HashStore()))
    assert dist.is_available() and not dist.is_initialized() and dist.is_gloo_available() and not dist.is_torchelastic_launched()
    assert repr(dist.ReduceOp.SUM) == "<RedOpType.SUM: 0>" and str(dist.ReduceOp.MAX) == "RedOpType.MAX"
    assert isinstance(dist.ReduceOp.SUM, dist.ReduceOp)
    assert dist.Backend.default_device_backend_map["cpu"] == dist.get_default_backend_for_device("cpu") == "gloo"
    monkeypatch.setenv("WORLD_SIZE", "2")  # set by a launcher other than mpirun
    monkeypatch.delenv("OMPI_COMM_WORLD_SIZE", raising=False)
    monkeypatch.delenv("PMIX_RANK", raising=False)
    assert not dist.is_mpi_available()
    # Absent features that libraries import can be imported; using them raises an error.
    from corten.distributed.checkpoint.state_dict import get_model_state_dict
    from corten.distributed.fsdp import FullyShardedDataParallel
    for absent in (get_model_state_dict, FullyShardedDataParallel):
        raises(NotImplementedError, f"{absent.__name__} is not available in Corten: ", lambda absent=absent: absent(nn.Linear(1, 1)))


def test_one_process(tmp_path):
    dist.init_process_group("gloo", f"file://{tmp_path}/f", rank=0, world_size=1)
    try:
        x = corten.arange(3.)
        dist.all_reduce(x)
        dist.broadcast(x, 0)
        out = [corten.zeros(3)]
        dist.all_gather(out, x)
        dist.reduce_scatter(x, out)
        dist.barrier()
        assert x.tolist() == out[0].tolist() == [0, 1, 2]
    finally:
        dist.destroy_process_group()
    assert not dist.is_initialized()


# ---- what goes wrong between processes ----

def one_dies(rank, size, port, how):
    store = dist.TCPStore("127.0.0.1", port, size, False, timeout=LONG, wait_for_workers=False)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=size, timeout=LONG)
    dist.barrier()
    if rank != size - 1:
        store.set(f"{rank} left the barrier", "")
    else:
        # A death while the others are still inside the barrier would fail the barrier instead of all_reduce.
        store.wait([f"{r} left the barrier" for r in range(size - 1)], LONG)
        if how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "fork":  # a child that keeps the sockets open must not hide the death
            child = os.fork()
            if child == 0:
                time.sleep(100)
                os._exit(0)
            store.set("child", str(child))
            os.kill(os.getpid(), signal.SIGKILL)
        store.set(str(rank), "done")
        return
    start = time.monotonic()
    with pytest.raises(RuntimeError, match="Connection closed by peer|was destroyed or aborted"):
        for _ in range(3):
            dist.all_reduce(corten.ones(100000))
    raises(RuntimeError, "peer", lambda: dist.all_reduce(corten.ones(1)))
    assert time.monotonic() - start < 30
    store.set(str(rank), "done")


@pytest.mark.parametrize("how", ["kill", "fork", "leave"])
def test_death_is_noticed_by_all(how):
    server = dist.TCPStore("127.0.0.1", 0, None, True, timeout=LONG, wait_for_workers=False)
    context = mp.start_processes(one_dies, (3, server.port, how), 3, join=False)
    server.wait(["0", "1"], LONG)
    if how == "fork":  # it kept the sockets open all the time
        os.kill(int(server.get("child")), signal.SIGKILL)
    for process in context.processes:
        process.join(60)
    assert [p.exitcode for p in context.processes[:2]] == [0, 0]


def one_comes_late(rank, size):
    if rank == 0:
        start = time.monotonic()
        raises(RuntimeError, "Timed out waiting 1000ms for recv operation to complete", lambda: dist.recv(corten.zeros(1), 1))
        assert 0.9 < time.monotonic() - start < 30
        raises(RuntimeError, "Timed out", lambda: dist.all_reduce(corten.zeros(1)))
    else:
        dist.set_timeout(LONG)
        raises(RuntimeError, "peer", lambda: dist.recv(corten.zeros(1), 0, tag=5))


def wait_is_given_up(rank, size):
    if rank == 0:
        work = dist.irecv(got := corten.zeros(1), 1)
        raises(RuntimeError, "Timed out waiting 100ms", lambda: work.wait(timedelta(seconds=0.1)))
        dist.barrier()
        assert work.wait() and got.item() == 3
    else:
        dist.barrier()
        dist.send(corten.full((1,), 3.), 0)


def monitored(rank, size):
    if rank == 1:
        dist.barrier(dist.new_group([1]))
        return
    dist.new_group([1])
    if rank == 0:
        raises(RuntimeError, "[Rank 0]: Ranks 1 failed to pass monitoredBarrier in 700 ms",
               lambda: dist.monitored_barrier(timeout=timedelta(seconds=0.7), wait_all_ranks=True))
    else:
        raises(RuntimeError, "[Rank 2]: Rank 0 did not acknowledge monitoredBarrier in 3000 ms",
               lambda: dist.monitored_barrier(timeout=timedelta(seconds=3)))


def contradiction(rank, size):
    with pytest.raises(RuntimeError, match="mismatch|closed by peer|aborted"):
        if rank == 0:
            dist.all_reduce(corten.zeros(5))
        else:
            dist.broadcast(corten.zeros(5), src=1)
            dist.all_reduce(corten.zeros(5))


def sizes_differ(rank, size):
    with pytest.raises(RuntimeError, match="mismatch|closed by peer|aborted"):
        dist.all_reduce(corten.zeros(5 + 3 * rank))
        dist.all_reduce(corten.zeros(5))


def test_timeouts_and_contradictions():
    together(2, one_comes_late, timeout=timedelta(seconds=1))
    together(2, wait_is_given_up)
    together(3, monitored)
    together(2, contradiction)
    together(2, sizes_differ)


def interrupted(rank, size):
    if rank == 0:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore SIGINT
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            dist.recv(corten.zeros(1), 1)
    dist.barrier()


def test_interrupt():
    together(2, interrupted)


# ---- training ----

# PyTorch 2.15 with gloo and two processes: losses of both, and the first row of the last weight.
LOSSES = [[0.567153, 0.501994, 0.416911, 0.358141], [0.685298, 0.616393, 0.524817, 0.457607]]
WEIGHT = [-0.03515, -0.05161, 0.08921, -0.16909, -0.33728, -0.27948, 0.13433, 0.32285]


def network():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))


def train(net, x, y, steps=4, accumulate=None):
    opt, losses = corten.optim.SGD(net.parameters(), lr=0.1, momentum=0.9), []
    for _ in range(steps):
        opt.zero_grad()
        if accumulate:
            accumulate()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


def batch(rank=0, size=1):
    x, y = corten.sin(corten.arange(48.)).view(12, 4), corten.cos(corten.arange(24.)).view(12, 2)
    return x[rank::size], y[rank::size]


def parallel(rank, size):
    corten.manual_seed(rank)  # all ranks get the parameters of rank 0
    net = network()
    ddp = nn.parallel.DistributedDataParallel(net)
    losses = train(ddp, *batch(rank, size))
    np.testing.assert_allclose(losses, LOSSES[rank], atol=2e-6)
    np.testing.assert_allclose(net[2].weight[0].tolist(), WEIGHT, atol=2e-5)
    assert list(ddp.state_dict()) == ["module." + name for name in net.state_dict()]
    corten.manual_seed(0)
    alone = network()
    train(alone, *batch())
    for a, b in zip(net.parameters(), alone.parameters(), strict=True):
        corten.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
    # Small buckets and gradients that are views of buckets give the same result bit for bit.
    corten.manual_seed(0)
    net2 = network()
    train(nn.parallel.DistributedDataParallel(net2, bucket_cap_mb=1e-5, gradient_as_bucket_view=True), *batch(rank, size))
    for a, b in zip(net.parameters(), net2.parameters(), strict=True):
        assert corten.equal(a, b)


def accumulated(rank, size):
    """Two backward passes under no_sync() and one outside give the gradient of all three batches."""
    corten.manual_seed(0)
    net = nn.Linear(4, 2)
    ddp = nn.parallel.DistributedDataParallel(net)
    x, y = batch(rank, size)
    with ddp.no_sync():
        nn.functional.mse_loss(ddp(x[:3]), y[:3], reduction="sum").backward()
        mine = net.weight.grad.clone()
    nn.functional.mse_loss(ddp(x[3:]), y[3:], reduction="sum").backward()
    corten.manual_seed(0)
    alone = nn.Linear(4, 2)
    nn.functional.mse_loss(alone(x[:3]), y[:3], reduction="sum").backward()
    assert corten.equal(mine, alone.weight.grad)
    alone.zero_grad()
    (nn.functional.mse_loss(alone(batch()[0]), batch()[1], reduction="sum") / size).backward()
    corten.testing.assert_close(net.weight.grad, alone.weight.grad)


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.never = nn.Linear(4, 2), nn.Linear(4, 2), nn.Linear(1, 1)
        self.register_buffer("seen", corten.zeros(1))

    def forward(self, x, first):
        return {"out": (self.a if first else self.b)(x)}


def unused(rank, size):
    net = Branches()
    net.seen.fill_(rank + 3.)
    ddp = nn.parallel.DistributedDataParallel(net, find_unused_parameters=True)
    assert net.seen.item() == 3
    ddp(corten.ones(3, 4), rank == 0)["out"].sum().backward()
    assert net.a.weight.grad.tolist() == net.b.weight.grad.tolist() == [[1.5] * 4] * 2 and net.never.weight.grad is None
    plain = nn.parallel.DistributedDataParallel(Branches())
    plain(corten.ones(3, 4), True)["out"].sum().backward()
    raises(RuntimeError, "Expected to have finished reduction in the prior iteration before starting a new one.",
           lambda: plain(corten.ones(3, 4), True))
    raises(RuntimeError, "is not needed when a module doesn't have any parameter that requires a gradient.",
           lambda: nn.parallel.DistributedDataParallel(nn.ReLU()))
    raises(RuntimeError, "appears not to match sizes",
           lambda: nn.parallel.DistributedDataParallel(nn.Linear(2, 2 + rank)))


def batch_norm(rank, size):
    corten.manual_seed(0)
    x = corten.randn(6, 3, 4)
    sync = nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.BatchNorm1d(3)))
    plain = nn.Sequential(nn.BatchNorm1d(3))
    part, whole = x[rank::size].clone().requires_grad_(), x.clone().requires_grad_()
    weight = corten.arange(72.).view(6, 3, 4)
    from unittest import mock
    from corten.distributed.nn import functional
    with mock.patch.object(functional, "all_reduce", wraps=functional.all_reduce) as exchange:
        result = sync(part)
    assert exchange.call_count == 1
    (result * weight[rank::size]).sum().backward()
    (plain(whole) * weight).sum().backward()
    corten.testing.assert_close(part.grad, whole.grad[rank::size], rtol=1e-4, atol=1e-4)
    corten.testing.assert_close(sync[0].running_mean, plain[0].running_mean)
    corten.testing.assert_close(sync[0].running_var, plain[0].running_var)


def comm_hooks(rank, size):
    from corten.distributed.algorithms.ddp_comm_hooks import default_hooks as hooks
    wants = []
    for hook in (None, hooks.allreduce_hook, hooks.fp16_compress_hook, hooks.bf16_compress_wrapper(hooks.allreduce_hook)):
        corten.manual_seed(0)
        net = network()
        ddp = nn.parallel.DistributedDataParallel(net)
        if hook:
            ddp.register_comm_hook(None, hook)
            raises(RuntimeError, "can only be called once", lambda: ddp.register_comm_hook(None, hook))
        ddp(batch(rank, size)[0]).square().mean().backward()
        wants.append(net[0].weight.grad)
        corten.testing.assert_close(wants[-1], wants[0], rtol=2e-2, atol=2e-3)
    assert corten.equal(wants[0], wants[1]) and not corten.equal(wants[0], wants[2])


def training(rank, size):
    for part in (parallel, accumulated, unused, batch_norm, comm_hooks):
        part(rank, size)
        dist.barrier()


def test_training():
    together(2, training)


def samplers(rank, size):
    from corten.utils.data import DistributedSampler
    mine = DistributedSampler(range(10), seed=1)
    assert list(mine) == list(DistributedSampler(range(10), size, rank, seed=1)) and mine.num_replicas == size


def test_sampler():
    together(2, samplers)


# ---- the launcher ----

SCRIPT = r"""
import os, sys, time
import torch, torch.distributed as dist
dist.init_process_group("gloo")
x = torch.full((2,), float(dist.get_rank() + 1))
dist.all_reduce(x)
assert x[0].item() == 3 and int(os.environ["LOCAL_RANK"]) == dist.get_rank() and dist.is_torchelastic_launched()
print(f"sum {int(x[0].item())} {sys.argv[1]}\n", end="", flush=True)  # one write, so that lines of several processes do not mix
if sys.argv[1] == "fail":
    if dist.get_rank() == 1:
        sys.exit(7)
    time.sleep(100)
if sys.argv[1] == "hang":
    print(f"ready {os.getpid()}\n", end="", flush=True)
    dist.recv(torch.zeros(1), 1 - dist.get_rank())
"""


def launch(tmp_path, *arguments, start=("-m", "corten", "-m", "torch.distributed.run"), **kwargs):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    command = [sys.executable, *start, "--nproc_per_node=2", str(path), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kwargs)


def test_launcher(tmp_path):
    out, error = launch(tmp_path, "fine").communicate(timeout=120)
    assert out.count("sum 3 fine") == 2, error
    failing = launch(tmp_path, "fail")
    out, error = failing.communicate(timeout=120)
    assert failing.returncode == 7 and "rank 1 failed with exit code 7" in error, error


def test_launcher_passes_signals_on(tmp_path):
    running = launch(tmp_path, "hang")
    pids = []
    while len(pids) < 2:
        line = running.stdout.readline()
        assert line, running.stderr.read()
        pids += map(int, re.findall(r"ready (\d+)", line))
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGTERM
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_launcher_as_a_module_of_corten(tmp_path):
    path = tmp_path / "plain.py"
    path.write_text("import corten.distributed as dist\ndist.init_process_group()\nprint(f'rank {dist.get_rank()} ', end='', flush=True)\n")
    done = subprocess.run([sys.executable, "-m", "corten.distributed.run", "--standalone", "--nproc-per-node", "2", str(path)],
                          capture_output=True, text=True, timeout=120)
    assert done.stdout.count("rank 0") == done.stdout.count("rank 1") == 1, done.stderr


def env_of_others(rank, size, port):
    names = ("SLURM_PROCID", "SLURM_NTASKS") if rank else ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")
    os.environ.update({names[0]: str(rank), names[1]: str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
                       "TORCHELASTIC_USE_AGENT_STORE": "True"})
    dist.init_process_group("gloo")
    assert dist.get_rank() == rank and dist.get_world_size() == size
    dist.destroy_process_group()


def test_ranks_of_other_launchers():
    together_with_store(2, env_of_others)


# ---- MPI ----

MPI_SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import corten
import corten.distributed as dist
import test_distributed as parts
dist.init_process_group("mpi")
rank, size = dist.get_rank(), dist.get_world_size()
for part in (parts.collectives, parts.moves, parts.messages, parts.objects, parts.parallel if size == 2 else parts.samplers):
    part(rank, size)
    dist.barrier()
works = [dist.all_reduce(corten.ones(1000), async_op=True) for _ in range(10)]
assert all(work.wait() for work in works)
ends = dist.new_group([0, size - 1])
if rank in (0, size - 1):
    dist.all_reduce(x := corten.ones(3), group=ends)
    assert (x == 2).all()
if sys.argv[2] == "fail" and rank == 1:
    raise ValueError("on purpose")
if sys.argv[2] == "fail":
    dist.recv(corten.zeros(1), 1, tag=9)
dist.destroy_process_group()
print(f"fine {rank} of {size}\\n", end="", flush=True)
"""


def mpirun(tmp_path, size, *arguments):
    if not shutil.which("mpirun") or not dist.is_mpi_available():
        pytest.skip("no Open MPI")
    path = tmp_path / "by_mpi.py"
    path.write_text(MPI_SCRIPT)
    command = ["mpirun", "--oversubscribe", "-n", str(size), sys.executable, str(path), os.path.dirname(__file__), *arguments]
    env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, timeout=180, env=env)


@pytest.mark.parametrize("size", [2, 3])
def test_mpi(tmp_path, size):
    done = mpirun(tmp_path, size, "fine")
    assert done.returncode == 0 and [done.stdout.count(f"fine {i} of {size}") for i in range(size)] == [1] * size, done.stderr


def test_mpi_ends_when_one_fails(tmp_path):
    done = mpirun(tmp_path, 2, "fail")
    assert done.returncode != 0 and "on purpose" in done.stderr and "fine" not in done.stdout, done.stderr


# ---- NCCL: a substitute library that prints each call, on fake devices ----

FAKE_NCCL = r"""
#include <stdio.h>
#include <string.h>
struct id { char bytes[128]; };
static int say(const char *text) { fprintf(stderr, "%s\n", text); return 0; }
#define SAY(...) do { char line[200]; snprintf(line, sizeof line, __VA_ARGS__); return say(line); } while (0)
int ncclGetUniqueId(struct id *id) { memset(id, 7, sizeof *id); SAY("id"); }
int ncclCommInitRank(void **c, int n, struct id id, int r) { *c = (void *)1; SAY("init %d of %d by %d", r, n, id.bytes[127]); }
int ncclCommDestroy(void *c) { SAY("destroy"); }
int ncclCommAbort(void *c) { SAY("abort"); }
int ncclGroupStart(void) { SAY("["); }
int ncclGroupEnd(void) { SAY("]"); }
int ncclAllReduce(const void *i, void *o, size_t n, int t, int op, void *c, void *s) { SAY("all_reduce %zu %d %d %d", n, t, op, i == o); }
int ncclReduce(const void *i, void *o, size_t n, int t, int op, int r, void *c, void *s) { SAY("reduce %zu %d %d %d", n, t, op, r); }
int ncclBroadcast(const void *i, void *o, size_t n, int t, int r, void *c, void *s) { SAY("broadcast %zu %d %d", n, t, r); }
int ncclAllGather(const void *i, void *o, size_t n, int t, void *c, void *s) { SAY("all_gather %zu %d", n, t); }
int ncclReduceScatter(const void *i, void *o, size_t n, int t, int op, void *c, void *s) { SAY("reduce_scatter %zu %d %d", n, t, op); }
int ncclSend(const void *d, size_t n, int t, int p, void *c, void *s) { SAY("send %zu %d %d", n, t, p); }
int ncclRecv(void *d, size_t n, int t, int p, void *c, void *s) { if (n == 13) return 5; SAY("recv %zu %d %d", n, t, p); }
const char *ncclGetErrorString(int code) { return code == 5 ? "invalid usage" : "?"; }
"""

NCCL_SCRIPT = """
import corten, sys
import corten.distributed as dist
assert dist.is_nccl_available()
store = dist.HashStore()
dist.init_process_group("nccl", store=store, rank=0, world_size=2)
cuda = lambda n, dtype=corten.float32: corten.zeros(n, dtype=dtype, device="cuda")
dist.all_reduce(cuda(5))
dist.all_reduce(cuda(5, corten.bfloat16), dist.ReduceOp.AVG)
dist.all_reduce(cuda(5, corten.complex128))
dist.all_reduce(cuda(5, corten.bool))
dist.reduce(cuda(3, corten.int64), 1, dist.ReduceOp.MAX)
dist.broadcast(cuda(3), 1)
dist.all_gather_into_tensor(cuda(6), cuda(3))
dist.all_gather([cuda(3), cuda(3)], cuda(3))
dist.reduce_scatter_tensor(cuda(2), cuda(4))
dist.gather(cuda(1), [cuda(1), cuda(1)], dst=0)
dist.scatter(cuda(1), src=1)
dist.all_to_all_single(cuda(3), cuda(4), [1, 2], [1, 3])
work = dist.isend(cuda(2), 1)
assert work.wait() and work.is_completed()
for bad in (lambda: dist.all_reduce(cuda(2, corten.int16)), lambda: dist.all_reduce(corten.zeros(2)), lambda: dist.recv(cuda(13, corten.uint8), 1),
            lambda: dist.all_reduce(cuda(2, corten.int64), dist.ReduceOp.BOR), lambda: dist.recv(cuda(2)), dist.monitored_barrier):
    try:
        bad()
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error, file=sys.stderr, flush=True)
dist.destroy_process_group()
"""

NCCL_CALLS = """id
init 0 of 2 by 7
all_reduce 5 7 0 1
all_reduce 5 9 4 1
all_reduce 10 8 0 1
all_reduce 5 1 2 1
reduce 3 4 2 1
broadcast 12 1 1
all_gather 12 1
[
send 12 1 0
recv 12 1 0
send 12 1 1
recv 12 1 1
]
reduce_scatter 2 7 0
[
send 4 1 0
recv 4 1 0
recv 4 1 1
]
[
recv 4 1 1
]
[
send 4 1 0
recv 4 1 0
send 12 1 1
recv 8 1 1
]
[
send 8 1 1
]
RuntimeError Input tensor data type is not supported for NCCL process group: Short
RuntimeError No backend type associated with device type cpu
[
]
DistBackendError NCCL error in: invalid usage
ValueError Cannot use ReduceOp.BOR with NCCL
[
]
RuntimeError recv from any rank is not supported with NCCL
ValueError monitored_barrier is only implemented for GLOO backend.
destroy
"""


def test_nccl_is_asked_the_right_things(tmp_path):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler")
    (tmp_path / "nccl.c").write_text(FAKE_NCCL)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(tmp_path / "nccl.so"), str(tmp_path / "nccl.c")], check=True)
    env = {**os.environ, "CORTEN_NCCL": str(tmp_path / "nccl.so"), "CORTEN_FAKE_CUDA": "1"}
    done = subprocess.run([sys.executable, "-c", NCCL_SCRIPT], capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 0 and done.stderr == NCCL_CALLS, done.stderr
