# SPDX-License-Identifier: BSD-3-Clause
"""DistributedDataParallel and SyncBatchNorm where a step is not just a forward and a backward of float32; test_distributed.py has
those beside PyTorch's."""
import corten
from corten import nn
from test_distributed import Branches, raises, together

Parallel = nn.parallel.DistributedDataParallel


def forgotten(rank, size):
    """A forward that no backward follows, such as one in eval mode, is forgotten."""
    for net, result in ((Parallel(nn.Linear(4, 2, bias=False)), lambda out: out * (rank + 1)),
                        (Parallel(Branches(), find_unused_parameters=True), lambda out: out["out"] * (rank + 1))):
        args = (corten.ones(3, 4), True) if net.find_unused_parameters else (corten.ones(3, 4),)
        net(*args)
        net.eval()(*args)
        result(net.train()(*args)).sum().backward()
        weight, *others = net.parameters()
        assert weight.grad.tolist() == [[4.5] * 4] * 2 and [p.grad is None for p in others[1:]] == [True] * len(others[1:])


def twice(rank, size):
    """The gradient of one branch is made twice while that of the other is waited for."""
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
    """An output that is not part of the loss: its parameters keep None, or get what other processes have for them."""
    for keyed in (False, True):
        for mine, wanted in ((0, (4.5, None, None)), (rank, (1.5, 3, None))):
            net = Parallel(Pair(keyed), find_unused_parameters=True)
            for _ in range(3):
                net.zero_grad()
                (net(corten.ones(3, 4))[mine] * (rank + 1)).sum().backward()
                weights = [part.weight.grad for part in (net.module.a, net.module.b, net.module.never)]
                assert [w if w is None else w[0, 0].item() for w in weights] == list(wanted)


def halves(rank, size):
    large = corten.full((2, 3, 20000), 100., dtype=corten.float16)  # its sum is infinite in float16
    large[:, :, ::2] = 98
    half = nn.SyncBatchNorm(3)(large)
    assert half.dtype == corten.float16 and (half.abs() - 1).abs().max() < 2e-3


def all_parts(rank, size):
    for part in (forgotten, twice, left_out, halves):
        part(rank, size)
        corten.distributed.barrier()


def test_training():
    together(2, all_parts)
