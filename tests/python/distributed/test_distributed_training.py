# SPDX-License-Identifier: BSD-3-Clause
"""DistributedDataParallel and SyncBatchNorm in unusual steps: unused outputs, half types, sparse gradients, hooks, uneven inputs.
test_distributed.py compares plain steps with PyTorch's."""
import warnings
from types import SimpleNamespace

import pytest

import corten
import corten.distributed as dist
from corten import nn
from corten.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from test_distributed import Branches, raises, together

Parallel = nn.parallel.DistributedDataParallel


def forgotten(rank, size):
    """A forward pass without a backward, such as one in eval mode, does not affect later steps."""
    for net, result in ((Parallel(nn.Linear(4, 2, bias=False)), lambda out: out * (rank + 1)),
                        (Parallel(Branches(), find_unused_parameters=True), lambda out: out["out"] * (rank + 1))):
        args = (corten.ones(3, 4), True) if net.find_unused_parameters else (corten.ones(3, 4),)
        net(*args)
        net.eval()(*args)
        result(net.train()(*args)).sum().backward()
        weight, *others = net.parameters()
        assert weight.grad.tolist() == [[4.5] * 4] * 2 and [p.grad is None for p in others[1:]] == [True] * len(others[1:])


def twice(rank, size):
    """A second backward over one branch raises while the reducer still waits for the other branch."""
    net = Parallel(Branches(), broadcast_buffers=False)
    out = net(corten.ones(3, 4), True)["out"].sum()
    out.backward(retain_graph=True)
    raises(RuntimeError, "Expected to mark a variable ready only once.", out.backward)


class Pair(nn.Module):
    def __init__(self, keyed):
        super().__init__()
        self.a, self.b, self.never, self.keyed = nn.Linear(4, 2), nn.Linear(4, 2), nn.Linear(1, 1), keyed

    def forward(self, x):
        return {0: self.a(x), 1: self.b(x)} if self.keyed else (self.a(x), self.b(x))


def left_out(rank, size):
    """Parameters of an output that no rank uses keep a gradient of None; if another rank uses it, they get the average."""
    for keyed in (False, True):
        for mine, wanted in ((0, (4.5, None, None)), (rank, (1.5, 3, None))):
            net = Parallel(Pair(keyed), find_unused_parameters=True)
            for _ in range(3):
                net.zero_grad()
                (net(corten.ones(3, 4))[mine] * (rank + 1)).sum().backward()
                weights = [part.weight.grad for part in (net.module.a, net.module.b, net.module.never)]
                assert [w if w is None else w[0, 0].item() for w in weights] == list(wanted)


def halves(rank, size):
    large = corten.full((2, 3, 20000), 100., dtype=corten.float16)  # the sum overflows float16
    large[:, :, ::2] = 98
    half = nn.SyncBatchNorm(3)(large)
    assert half.dtype == corten.float16 and (half.abs() - 1).abs().max() < 2e-3


def sparse_rows(rank, size):
    """Sparse gradients of an embedding stay sparse and are averaged, also next to dense ones and with a hook."""
    for hook in (False, True):
        corten.manual_seed(0)
        net = Parallel(nn.Sequential(nn.Embedding(10, 4, sparse=True), nn.Linear(4, 1, bias=False)))
        kinds = []
        if hook:
            net.register_comm_hook(kinds, seen)
        for _ in range(2):
            net.zero_grad()
            net(corten.tensor([rank, 2])).sum().backward()
            rows, line = (p.grad for p in net.parameters())
            weight = net.module[1].weight.detach()
            expected = corten.zeros(10, 4)
            expected[:3] = weight * corten.tensor([.5, .5, 1])[:, None]
            assert rows.is_sparse and corten.allclose(rows.to_dense(), expected) and not line.is_sparse
            first = net.module[0].weight.detach()
            assert corten.allclose(line, (first[0] + first[1]) / 2 + first[2])
        assert kinds == ([False, True] * 2 if hook else [])


def seen(kinds, bucket):
    kinds.append(bucket.buffer().is_sparse)
    assert len(bucket.gradients()) == len(bucket.parameters()) == 1
    return allreduce_hook(None, bucket)


def low_precision(rank, size):
    """Forward and communication use bfloat16; parameters, gradients and the state_dict stay float32."""
    half = SimpleNamespace(param_dtype=corten.bfloat16, reduce_dtype=corten.float32, buffer_dtype=corten.bfloat16)
    net = Parallel(nn.Sequential(nn.Linear(6, 3), nn.BatchNorm1d(3, affine=False)), mixed_precision=half)
    assert net.module[1].running_mean.dtype == corten.bfloat16
    from corten.nn.parallel.distributed import _MixedPrecision
    net = Parallel(nn.Linear(6, 3, bias=False), mixed_precision=_MixedPrecision(param_dtype=corten.bfloat16))
    out = net(corten.full((1, 6), 1. + 2 * rank))
    assert out.dtype == corten.bfloat16 and net.reducer.buckets[0].flat.dtype == corten.bfloat16
    out.sum().backward()
    weight = net.module.weight
    assert weight.dtype == weight.grad.dtype == corten.float32 and weight.grad.tolist() == [[2.] * 6] * 3


def wrong_arguments(rank, size):
    group, linear = dist.group.WORLD, nn.Linear(6, 3)
    raises(ValueError, "only work with single-device/multiple-device GPU modules", lambda: Parallel(linear, device_ids=[0]))
    raises(ValueError, "only work with single-device/multiple-device GPU modules", lambda: Parallel(linear, output_device=1))
    raises(ValueError, "can only be None or contain a single element", lambda: Parallel(linear, device_ids=[0, 1]))
    raises(AttributeError, "ndim", lambda: Parallel(linear, device_mesh="nonsense"))
    raises(RuntimeError, "Cannot specify both process_group and device_mesh", lambda: Parallel(linear, process_group=group, device_mesh="x"))
    raises(ValueError, "need to be set at the same time", lambda: Parallel(linear, param_to_hook_all_reduce=linear.weight))
    raises(RuntimeError, "uninitialized parameters", lambda: Parallel(nn.LazyLinear(3)))
    for options, kind, text in (({"broadcast_buffers": True}, FutureWarning, "`broadcast_buffers` is deprecated"),
                                ({"check_reduction": True}, FutureWarning, "`check_reduction`"),
                                ({"batched_grad_copy": True}, UserWarning, "has no effect in Corten")):
        with pytest.warns(kind, match=text):
            Parallel(linear, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net = Parallel(linear, forward_sync_buffers=False)
    raises(TypeError, "must be callable", lambda: net.register_comm_hook(None, 3))
    raises(ValueError, "bucket annotation should be dist.GradBucket", lambda: net.register_comm_hook(None, wrong_hook))


def wrong_hook(state, bucket: int):
    return None


class Three(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = (nn.Linear(2, 2, bias=False) for _ in range(3))

    def forward(self, x, last=True):
        x = self.b(self.a(x))
        return self.c(x) if last else x


def buckets(rank, size):
    """Options that change only how gradients are communicated."""
    ways = ({}, {"bucket_cap_mb_list": [16 / 2 ** 20, 1]}, {"bucket_cap_mb": 1e-6}, {"lazy_bucket_allocation": True},
            {"lazy_bucket_allocation": True, "gradient_as_bucket_view": True}, {"static_graph": True})
    found, counts = [], []
    for options in ways:
        corten.manual_seed(3)
        net = Parallel(Three(), **options)
        for _ in range(2):
            net(corten.ones(1, 2) * (rank + 1)).sum().backward()
        found.append([p.grad for p in net.parameters()])
        counts.append(len(net.reducer.buckets))
        assert (net.reducer.buckets[0].flat is None) == net.lazy_bucket_allocation
    assert counts == [1, 2, 3, 1, 1, 1]
    assert all(corten.equal(a, b) for grads in found for a, b in zip(grads, found[0], strict=True))
    net = Parallel(Three(), find_unused_parameters=True, skip_all_reduce_unused_params=True, bucket_cap_mb=1e-6)
    net(corten.ones(1, 2), last=False).sum().backward()
    works = [bucket.work is not None for bucket in net.reducer.buckets]
    assert works == [False, True, True] and net.module.c.weight.grad is None and net.module.a.weight.grad is not None


def by_hand(rank, size):
    """Libraries run forward under no_sync() and call reducer.prepare_for_backward() themselves; they register built-in hooks."""
    net = Parallel(Three(), find_unused_parameters=True)
    net._register_builtin_comm_hook(dist.BuiltinCommHookType.FP16_COMPRESS)
    with net.no_sync():
        loss = net(corten.ones(1, 2) * (rank + 1), last=False).sum()
    assert not net.reducer._rebuild_buckets()
    net.reducer.prepare_for_backward([loss])
    loss.backward()
    grads = [None] * size
    dist.all_gather_object(grads, [None if p.grad is None else p.grad.tolist() for p in net.parameters()])
    assert grads[0] == grads[1] and grads[0][2] is None and grads[0][0] is not None
    dist.group.WORLD.barrier().wait()


def delayed(rank, size):
    """The gradients of b and c are averaged when the gradient of a is ready; that of a itself goes through a bucket."""
    corten.manual_seed(5 + rank)
    inner = Three()
    later = [(name, p) for name, p in inner.named_parameters() if name != "a.weight"]
    net = Parallel(inner, delay_all_reduce_named_params=later, param_to_hook_all_reduce=inner.a.weight)
    assert len(net.reducer.parameters) == 1
    net(corten.ones(1, 2) * (rank + 1)).sum().backward()
    corten.manual_seed(5)
    alone = Three()
    alone(corten.ones(1, 2) * 1.5).sum().backward()  # the gradient is linear in x, so this is the average over both ranks
    for p, q in zip(inner.parameters(), alone.parameters(), strict=True):
        assert corten.allclose(p, q) and corten.allclose(p.grad, q.grad)


def unequal(rank, size):
    """One rank has two batches, the other four."""
    for divide, expected in ((True, [1, 1, .5, .5]), (False, [1, 1, 1, 1])):
        net = Parallel(nn.Sequential(nn.Linear(1, 1, bias=False)), find_unused_parameters=divide)
        net.module.register_buffer("steps", corten.zeros(1))
        seen_ = []
        with net.join(divide_by_initial_world_size=divide):
            for _ in range(2 + 2 * rank):
                net.zero_grad()
                net(corten.ones(1, 1)).sum().backward()
                net.module.steps += 1
                with corten.no_grad():
                    net.module[0].weight -= net.module[0].weight.grad
                seen_.append(net.module[0].weight.grad.item())
        assert seen_ == expected[:len(seen_)]
        assert net.module.steps.item() == 4  # taken from the rank that joined last
        weights = [None] * size
        dist.all_gather_object(weights, net.module[0].weight.tolist())
        assert weights[0] == weights[1]
        net.zero_grad()
        net(corten.ones(1, 1) * rank).sum().backward()
        assert net.module[0].weight.grad.item() == .5
    with pytest.raises(RuntimeError, match="exhausted"):
        with net.join(throw_on_early_termination=True):
            for _ in range(1 + rank):
                net(corten.ones(1, 1)).sum().backward()


def all_parts(rank, size):
    for part in (forgotten, twice, left_out, halves, sparse_rows, low_precision, wrong_arguments, buckets, by_hand, delayed, unequal):
        part(rank, size)
        corten.distributed.barrier()


def test_training():
    together(2, all_parts)
