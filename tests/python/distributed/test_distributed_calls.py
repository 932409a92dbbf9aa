# SPDX-License-Identifier: BSD-3-Clause
"""Rarely used calls and arguments of torch.distributed; test_distributed.py tests the collectives themselves."""
import time
from datetime import timedelta

import pytest

import corten
import corten.distributed as dist
from corten.distributed import _functional_collectives as functional
from test_distributed import raises, together


def barrier_in_time(rank, size):
    raises(TypeError, "barrier(): incompatible function arguments.", lambda: dist.barrier(timeout=3))
    dist.barrier(timeout=timedelta(seconds=60))
    dist.barrier(device_ids=[0], async_op=True, timeout=timedelta(seconds=60)).wait()
    if rank == 0:
        start = time.monotonic()
        raises(RuntimeError, "Timed out waiting 700ms", lambda: dist.barrier(timeout=timedelta(seconds=0.7)))
        assert 0.6 < time.monotonic() - start < 30
    else:
        raises(RuntimeError, "", lambda: dist.recv(corten.zeros(1), 0))  # fails when rank 0 leaves


def test_barrier_has_its_own_timeout():
    together(2, barrier_in_time)


def groups(rank, size):
    group = dist.new_group([0])
    assert dist.get_process_group_ranks(group) == [0] and dist.get_global_rank(group, 0) == dist.get_group_rank(group, 0) == 0
    raises(ValueError, "Global rank 1 is not part of group", lambda: dist.get_group_rank(group, 1))
    turned = dist.split_group(None, [[1, 0]], group_desc="turned")
    assert (turned.rank(), turned.size(), turned.group_desc) == (1 - rank, 2, "turned")
    alone = dist.split_group(turned, [[1]])  # contains global rank 0
    assert alone == dist.GroupMember.NON_GROUP_MEMBER if rank else dist.get_process_group_ranks(alone) == [0]
    raises(ValueError, "split_ranks cannot be None or empty", lambda: dist.split_group(None, []))
    raises(ValueError, "duplicate ranks", lambda: dist.split_group(None, [[0, 0]]))
    raises(ValueError, "Requested backend 'nccl' is not present", lambda: dist.split_group(None, [[0, 1]], backend="nccl"))
    assert dist.get_backend_impl(turned).size() == 2 and dist.get_backend_impl(turned.group_name) is turned
    assert dist.get_debug_level() is dist.DebugLevel.OFF
    with pytest.warns(UserWarning, match=r"set_debug_level\(DETAIL\) has no effect"):
        dist.set_debug_level(dist.DebugLevel.DETAIL)
    with pytest.raises(NotImplementedError, match="new_group"):
        dist.distributed_c10d.shrink_group([1])


def coalesced(rank, size):
    def lists():
        return [[corten.empty(2), corten.empty(1)] for _ in range(size)]
    outputs = lists()
    dist.all_gather_coalesced(outputs, [corten.ones(2) * rank, corten.ones(1) * rank])
    assert [[x.tolist() for x in row] for row in outputs] == [[[0, 0], [0]], [[1, 1], [1]]]
    future = dist.all_gather_coalesced(lists(), [corten.ones(2) * rank, corten.ones(1) * rank], async_op=True)
    assert [[x.tolist() for x in row] for row in future.wait()] == [[[0, 0], [0]], [[1, 1], [1]]]
    raises(RuntimeError, "output lists should be equal to world size", lambda: dist.all_gather_coalesced([], [corten.ones(1)]))


def sparse_sums(rank, size):
    x = corten.sparse_coo_tensor([[rank, 3]], [1., 2.], (4,))
    work = dist.all_reduce(x, async_op=True)
    assert work.wait() and work.is_success() and work.result()[0] is x
    assert x.is_coalesced() and x.to_dense().tolist() == [1, 1, 0, 4]
    empty = corten.sparse_coo_tensor(corten.zeros(1, 0, dtype=corten.int64), corten.zeros(0, 2), (3, 2))
    rows = empty.clone() if rank else corten.sparse_coo_tensor([[2, 2]], [[1., 2.], [3., 4.]], (3, 2))
    dist.all_reduce(rows)
    assert rows.to_dense().tolist() == [[0, 0], [0, 0], [4, 6]]
    raises(RuntimeError, "only works with ReduceOp.SUM", lambda: dist.all_reduce(x, dist.ReduceOp.MAX))
    raises(NotImplementedError, "Could not run 'c10d::broadcast_' with arguments from the 'SparseCPU' backend",
           lambda: dist.broadcast(x, 0))
    raises(NotImplementedError, "'c10d::allreduce_' with arguments from the 'SparseCsrCPU'",
           lambda: dist.all_reduce(corten.eye(2).to_sparse_csr()))


def functions(rank, size):
    world = dist.group.WORLD
    x = corten.tensor([[1., 5.], [3., 3.]]) * (1 + rank)
    x.requires_grad_()
    for call, value, grad in (
            (lambda: functional.all_reduce(x, "sum", world), [[3, 15], [9, 9]], [[2, 2], [2, 2]]),
            (lambda: functional.all_reduce(x, "max", world), [[2, 10], [6, 6]], [[2 * rank] * 2] * 2),
            (lambda: functional.all_gather_single(x, 1, world), [[1, 5, 2, 10], [3, 3, 6, 6]], [[2, 2], [2, 2]]),
            (lambda: functional.reduce_scatter_single(x, "SUM", 1, world), [[[3], [9]], [[15], [9]]][rank], [[1, 1], [1, 1]]),
            (lambda: functional.all_to_all_single(x, None, None, world.group_name), [[1 + 2 * rank, 5 - 2 * rank], [2 + 4 * rank,
             10 - 4 * rank]], [[1, 1], [1, 1]]),
            (lambda: functional.permute_tensor(x.flatten(), [1, 0], world), [[2, 10, 6, 6], [1, 5, 3, 3]][rank], [[1, 1], [1, 1]])):
        x.grad = None
        result = call()
        assert result.tolist() == value, (result, value)
        result.sum().backward()
        assert x.grad.tolist() == grad, (x.grad, grad)
    assert functional.broadcast(x, 1, world).tolist() == [[2, 10], [6, 6]]
    with pytest.warns(FutureWarning, match="use `torch.distributed._functional_collectives.reduce_scatter_single`"):
        assert functional.reduce_scatter_tensor(x, "avg", 0, world).tolist() == [[1.5, 7.5], [4.5, 4.5]][rank:rank + 1]
    raises(RuntimeError, "all_reduce backward only supports", lambda: functional.all_reduce(x, "product", world).sum().backward())
    raises(ValueError, "Could not resolve the process group", lambda: functional.all_reduce(x, "sum", "no such"))
    with pytest.warns(FutureWarning, match="ranks"):
        assert functional.all_reduce(corten.ones(1), "sum", [0, 1], "tag").item() == 2
    one = corten.zeros(1, 2)  # the output argument is filled as well
    dist.nn.functional.reduce_scatter(one, list(x.split(1)))
    assert one.tolist() == [[3, 15], [9, 9]][rank:rank + 1]


def sent_objects(rank, size):
    for options in ({}, {"use_batch": True}, {"device": corten.device("cpu")}):
        if rank == 0:
            dist.send_object_list(["a", 3], dst=1, **options)
        else:
            got = [None, None]
            assert dist.recv_object_list(got, src=0, **options) == 0 and got == ["a", 3]
    got = [rank]
    dist.broadcast_object_list(got, src=1, device="cpu")
    assert got == [1]


def devices_of_groups(rank, size):
    assert dist.group.WORLD.bound_device_id is None and dist.group.WORLD.group_desc == "default_pg"
    bound = dist.new_group(device_id=corten.device("cpu:0"))
    assert bound.bound_device_id == corten.device("cpu:0") and bound.group_desc == "undefined"
    raises(ValueError, "must be a device with a valid index", lambda: dist.new_group(device_id=corten.device("cpu")))
    raises(ValueError, "device_id cuda:64 is out of range", lambda: dist.new_group(device_id=64))
    with pytest.warns(UserWarning, match="pg_options has no effect"):
        dist.new_group(pg_options=object())


def all_calls(rank, size):
    for part in (groups, coalesced, sparse_sums, functions, sent_objects, devices_of_groups):
        part(rank, size)
        dist.barrier()


def test_calls():
    together(2, all_calls)
