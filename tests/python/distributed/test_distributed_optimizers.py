# SPDX-License-Identifier: BSD-3-Clause
"""Distributed optimizers, communication hooks and model averaging."""
import pytest

import corten
import corten.distributed as dist
from corten import nn
from corten.distributed import collective_utils
from corten.distributed.algorithms.ddp_comm_hooks import DDPCommHookType, register_ddp_comm_hook
from corten.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook import PostLocalSGDState, post_localSGD_hook
from corten.distributed.algorithms.join import Join
from corten.distributed.algorithms.model_averaging import averagers, utils
from corten.distributed.optim import PostLocalSGDOptimizer, ZeroRedundancyOptimizer
from test_distributed import raises, together

Parallel = nn.parallel.DistributedDataParallel


def model(seed=0):
    corten.manual_seed(seed)
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))


def batch(rank=0):
    return corten.linspace(-1, 1, 12).view(4, 3) * (1 + rank)


def divided(rank, size):
    """A sharded optimizer has the same steps, states, options and groups as one optimizer for all parameters."""
    for options in ({}, {"parameters_as_bucket_view": True}):
        net, alone = model(), model()
        groups = [[{"params": list(m[0].parameters())}, {"params": list(m[2].parameters()), "lr": 0.05}] for m in (net, alone)]
        zero = ZeroRedundancyOptimizer(groups[0], corten.optim.Adam, lr=0.01, **options)
        one = corten.optim.Adam(groups[1], lr=0.01)
        schedules = [corten.optim.lr_scheduler.StepLR(o, 1, 0.5) for o in (zero, one)]

        def step():
            for m, optimizer, schedule in ((net, zero, schedules[0]), (alone, one, schedules[1])):
                optimizer.zero_grad()
                m(batch()).square().sum().backward()
                optimizer.step()
                schedule.step()
        for _ in range(3):
            step()
        assert all(corten.equal(a, b) for a, b in zip(net.parameters(), alone.parameters(), strict=True))
        assert 0 < len(zero.optim.state) < 4 and zero.param_groups[1]["lr"] == 0.05 / 8
        raises(RuntimeError, "has not been consolidated on this rank", zero.state_dict)
        zero.consolidate_state_dict(to=1)
        held = [None]
        if rank == 1:
            held = [zero.state_dict()]
            whole = one.state_dict()
            assert held[0]["param_groups"] == whole["param_groups"]
            assert all(corten.equal(held[0]["state"][i][name], value) for i, state in whole["state"].items() for name, value in state.items())
        dist.broadcast_object_list(held, src=1)
        other = model()
        other.load_state_dict(alone.state_dict())
        again = ZeroRedundancyOptimizer([{"params": list(m.parameters())} for m in (other[0], other[2])], corten.optim.Adam, lr=1.)
        again.load_state_dict(held[0])
        schedules[0].optimizer = zero = again
        net = other
        step()
        assert all(corten.equal(a, b) for a, b in zip(net.parameters(), alone.parameters(), strict=True))
    more = nn.Linear(2, 2)
    zero.add_param_group({"params": list(more.parameters()), "lr": 0.5})
    assert len(zero.optim.param_groups) == 3 and zero.optim.param_groups[2]["lr"] == 0.5
    raises(NotImplementedError, "call step() after backward",
           lambda: ZeroRedundancyOptimizer(more.parameters(), corten.optim.SGD, overlap_with_ddp=True))
    raises(ValueError, "empty parameter list", lambda: ZeroRedundancyOptimizer([], corten.optim.SGD))


def unequal(rank, size):
    """The optimizer can join with uneven inputs, like the model."""
    net = Parallel(model())
    zero = ZeroRedundancyOptimizer(net.parameters(), corten.optim.SGD, lr=0.1)
    with Join([net, zero]):
        for _ in range(1 + 2 * rank):
            zero.zero_grad()
            net(batch(rank)).square().mean().backward()
            zero.step()
    weights = [None] * size
    dist.all_gather_object(weights, net.module[0].weight.tolist())
    assert weights[0] == weights[1]


def hooks(rank, size):
    for kind, averaged in ((DDPCommHookType.ALLREDUCE, True), (DDPCommHookType.BF16_COMPRESS, True), (DDPCommHookType.NOOP, False)):
        net = Parallel(nn.Linear(1, 1, bias=False))
        register_ddp_comm_hook(kind, net)
        net(corten.full((1, 1), 1. + 2 * rank)).sum().backward()
        assert net.module.weight.grad.item() == (2 if averaged else 1 + 2 * rank)
    with pytest.raises(NotImplementedError, match="bf16_compress_hook"):
        register_ddp_comm_hook(DDPCommHookType.POWER_SGD, net)
    net = Parallel(nn.Linear(1, 1, bias=False))
    net.register_comm_hook(PostLocalSGDState(None, dist.new_subgroups(1)[0], 1), post_localSGD_hook)
    corten.nn.init.ones_(net.module.weight)
    optimizer = PostLocalSGDOptimizer(corten.optim.SGD(net.parameters(), lr=1.), averagers.PeriodicModelAverager(2, warmup_steps=1))
    found = []
    for _ in range(2):
        optimizer.zero_grad()
        net(corten.full((1, 1), 1. + 2 * rank)).sum().backward()
        optimizer.step()
        found.append(net.module.weight.item())
    assert found == [-1, -3]  # 1 - 2, the average of gradients; then -1 - (1 or 3), the average of weights
    assert optimizer.state_dict()["step"] == 2
    p = nn.Parameter(corten.full((2,), float(rank)))
    utils.average_parameters([p], None)
    assert p.tolist() == [.5, .5] and utils.get_params_to_average([p]) == []


def objects(rank, size):
    world = dist.group.WORLD
    assert collective_utils.all_gather(lambda: rank, pg=world) == [0, 1]
    assert collective_utils.broadcast(lambda: "made once", rank=1, pg=world) == "made once"
    raises(RuntimeError, "Rank 0 failed: stage s: exception", lambda: collective_utils.broadcast(lambda: 1 / 0, stage_name="s", pg=world))
    with pytest.raises(RuntimeError) as caught:
        collective_utils.all_gather((lambda: 1 / 0) if rank else (lambda: 1), pg=world)
    assert caught.value.args[1][0][0] == 1
    raises(TypeError, "Object type at index 1", lambda: collective_utils.all_gather_object_enforce_type(world, [0, 0], "x" if rank else 1))


def everything(rank, size):
    for part in (divided, unequal, hooks, objects):
        part(rank, size)
        dist.barrier()


def test_parts():
    together(2, everything)
