# SPDX-License-Identifier: BSD-3-Clause
"""Exceptions of saved-tensor hooks pass through operations on subclasses; checkpoints of subclasses and inside vmap."""
import pytest

import corten as torch
from corten.utils.checkpoint import checkpoint


class Special(torch.Tensor):
    pass


@pytest.mark.parametrize('f', [torch.sin, lambda x: x * x, lambda x: x.sum().exp()])
def test_an_exception_of_a_pack_hook_keeps_its_class(f):
    def refuse(tensor):
        raise KeyError('refused')

    x = torch.ones(2).as_subclass(Special).requires_grad_()
    with torch.autograd.graph.saved_tensors_hooks(refuse, lambda packed: packed), pytest.raises(KeyError, match='refused'):
        f(x)


@pytest.mark.parametrize('use_reentrant', [True, False])
def test_checkpoints_take_subclasses(use_reentrant):
    x = torch.ones(2).as_subclass(Special).requires_grad_()
    y = checkpoint(lambda t: t.sin().cos(), x, use_reentrant=use_reentrant)
    assert type(y) is Special
    y.sum().backward()
    plain = torch.ones(2, requires_grad=True)
    plain.sin().cos().sum().backward()
    assert torch.equal(x.grad, plain.grad)


def test_checkpoint_inside_vmap():
    y = torch.func.vmap(lambda x: checkpoint(torch.sin, x, use_reentrant=False))(torch.arange(3.))
    assert torch.equal(y, torch.arange(3.).sin())
