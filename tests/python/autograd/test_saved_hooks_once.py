# SPDX-License-Identifier: BSD-3-Clause
"""A node unpacks each saved tensor once per backward pass, even if several of its gradients need it."""
import pytest

import corten as torch
from corten.utils.checkpoint import checkpoint

F = torch.nn.functional
CALLS = {
    "mse_loss": lambda a, b: F.mse_loss(a, b),
    "grid_sample": lambda a, b: F.grid_sample(a.view(1, 1, 3, 4), b.view(1, 2, 3, 2), align_corners=False).sum(),
    "bilinear": lambda a, b: F.bilinear(a, b, torch.ones(2, 4, 4)).sum(),
    "cdist": lambda a, b: torch.cdist(a, b).sum(),
    "mul_": lambda a, b: (a.clone().mul_(b)[:2].mul_(b[:2])).sum(),
    "lerp": lambda a, b: torch.lerp(a, b, a * b).sum(),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("again", [False, True])
def test_unpacks_once(name, again):
    a, b = (torch.linspace(-1, 1, 12).view(3, 4) * s for s in (0.9, 0.7))
    a.requires_grad_(), b.requires_grad_()
    packed, opened = [], []

    def pack(t):
        packed.append(t)
        return len(packed) - 1

    def unpack(i):
        opened.append(i)
        return packed[i]

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        out = CALLS[name](a, b)
    plain = torch.autograd.grad(CALLS[name](a, b), (a, b))
    for _ in range(1 + again):
        del opened[:]
        found = torch.autograd.grad(out, (a, b), retain_graph=again)
        assert len(opened) == len(set(opened)) and opened
        assert all(torch.equal(x, y) for x, y in zip(found, plain))


@pytest.mark.parametrize("name", CALLS)
def test_in_a_checkpoint(name):
    a, b = (torch.linspace(-1, 1, 12).view(3, 4) * s for s in (0.9, 0.7))
    a.requires_grad_(), b.requires_grad_()
    plain = torch.autograd.grad(CALLS[name](a, b), (a, b))
    found = torch.autograd.grad(checkpoint(CALLS[name], a, b, use_reentrant=False), (a, b))
    assert all(torch.equal(x, y) for x, y in zip(found, plain))
