# SPDX-License-Identifier: BSD-3-Clause
"""What stands around a training loop: checkpoints, comparisons, nests, names that programs mention in passing."""
import pytest

import corten as torch
from corten import nn
from corten.testing import assert_close
from corten.utils import _pytree as tree
from corten.utils.checkpoint import checkpoint, checkpoint_sequential


def test_checkpoints_give_the_same_gradients_and_random_numbers():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Tanh(), nn.Linear(8, 4))
    x = torch.randn(3, 4, requires_grad=True)

    def run(call):
        net.zero_grad()
        x.grad = None
        torch.manual_seed(1)
        y = call()
        y.sum().backward()
        return [y.tolist(), x.grad.tolist(), net[0].weight.grad.tolist(), torch.rand(2).tolist()]

    want = run(lambda: net(x))
    assert run(lambda: checkpoint(net, x, use_reentrant=False)) == want
    assert run(lambda: checkpoint(net, x, use_reentrant=True)) == want
    assert run(lambda: checkpoint_sequential(net, 2, x, use_reentrant=False)) == want


def test_a_checkpoint_keeps_its_inputs_alone():
    calls = []

    def twice(x):
        calls.append(torch.is_grad_enabled())
        return (x.sin() * 2).exp()

    x = torch.ones(3, requires_grad=True)
    y = checkpoint(twice, x, use_reentrant=False)
    assert calls == [True]
    y.sum().backward()
    assert calls == [True, True]


@pytest.mark.parametrize("actual, expected, options, text", [
    (torch.tensor([1., 2, 3]), torch.tensor([1., 2, 4]), {}, "Tensor-likes are not close!\n\nMismatched elements: 1 / 3 (33.3%)\n"
     "Greatest absolute difference: 1.0 at index (2,) (up to 1e-05 allowed)\nGreatest relative difference: 0.25 at index (2,) (up to 1.3e-06 allowed)"),
    (torch.tensor([1.]), torch.tensor([1.], dtype=torch.float64), {},
     "The values for attribute 'dtype' do not match: torch.float32 != torch.float64."),
    (torch.tensor([1]), torch.tensor([2]), {}, "Tensor-likes are not equal!\n\nMismatched elements: 1 / 1 (100.0%)\n"
     "Greatest absolute difference: 1 at index (0,)\nGreatest relative difference: 0.5 at index (0,)"),
    (1.0, 2.0, {}, "Scalars are not close!\n\nExpected 2.0 but got 1.0.\nAbsolute difference: 1.0 (up to 1e-07 allowed)\n"
     "Relative difference: 0.5 (up to 1e-07 allowed)"),
    ([1], [1, 2], {}, "The length of the sequences mismatch: 1 != 2"), (torch.tensor([1.]), torch.tensor([2.]), {"msg": "hey"}, "hey"),
])
def test_assert_close(actual, expected, options, text):
    with pytest.raises(AssertionError) as error:
        assert_close(actual, expected, **options)
    assert str(error.value) == text


def test_assert_close_is_content():
    assert_close(torch.tensor([1.0]), torch.tensor([1.0 + 1e-6]))
    assert_close({"a": [torch.tensor([float("nan")])]}, {"a": [torch.tensor([float("nan")])]}, equal_nan=True)


def test_nests():
    nest = {"a": [1, (2, 3)], "b": None}
    leaves, shape = tree.tree_flatten(nest)
    assert leaves == [1, 2, 3, None] and tree.tree_unflatten(leaves, shape) == nest and shape.num_leaves == 4
    assert tree.tree_map(lambda x, y: x + y, [1, (2,)], [10, (20,)]) == [11, (22,)]
    assert tree.tree_map_only(int, lambda x: -x, [1, "a", (2.0, 3)]) == [-1, "a", (2.0, -3)]


def test_names_in_passing():
    net = nn.Linear(2, 2)
    assert torch.jit.script(net) is net and torch.compile(net)._orig_mod is net and torch.compile()(len) is len
    assert torch.jit.ignore(net.forward) == net.forward and not torch.jit.is_scripting()
    assert torch.distributed.is_available() and not torch.distributed.is_initialized()
    assert torch.fx.wrap("len") == "len" and not torch.compiler.is_compiling()
    with pytest.raises(RuntimeError, match="state_dict"):
        torch.onnx.export(net, None, "x")
    with nn.attention.sdpa_kernel(nn.attention.SDPBackend.MATH):
        pass
