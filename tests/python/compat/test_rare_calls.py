# SPDX-License-Identifier: BSD-3-Clause
"""Rarely used functions and methods return what PyTorch returns for CPU tensors."""
import importlib

import corten as torch
import pytest


def test_detach_as_function():
    x = torch.ones(2, requires_grad=True) * 2
    assert torch.detach_(x) is x and x.is_leaf and not x.requires_grad
    assert torch.detach_(input=x) is x
    with pytest.raises(RuntimeError, match="Can't detach views in-place. Use detach\\(\\) instead"):
        torch.detach_(x.view(2))
    with pytest.raises(TypeError, match="detach_\\(\\): argument 'input' \\(position 1\\) must be Tensor, not int"):
        torch.detach_(1)


def test_old_states():
    x, data = torch.zeros(0), torch.arange(6.)
    assert x.__setstate__((data.untyped_storage(), 1, torch.Size([3]), (1,))) is None
    assert x.tolist() == [1, 2, 3]
    x.__setstate__((True, None, {}))
    assert x.requires_grad
    y = torch.zeros(0)
    y.__setstate__((data, None, {}, True, None))
    assert y.requires_grad and y.data_ptr() == data.data_ptr()
    for state, text in (((), "not enough values to unpack \\(expected 3, got 0\\)"),
                        ((1,) * 6, "too many values to unpack \\(expected 3\\)")):
        with pytest.raises(ValueError, match=text):
            torch.zeros(0).__setstate__(state)
    with pytest.raises(RuntimeError, match="__setstate__ can be only called on leaf Tensors"):
        (y * 2).__setstate__((True, None, {}))


def test_not_for_the_cpu():
    x = torch.zeros(2)
    with pytest.raises(RuntimeError, match="unknown parameter type"):
        x.record_stream(None)
    with pytest.raises(TypeError, match="record_stream\\(\\) missing 1 required positional arguments: \"s\""):
        x.record_stream()
    with pytest.raises(NotImplementedError, match="Could not run 'aten::record_stream' with arguments from the 'CPU'"):
        x.record_stream(torch.cpu.Stream())
    for arguments in ((0.,), (0,), (0., None), (0., (2, 3))):
        with pytest.raises(NotImplementedError, match="Could not run 'aten::to_padded_tensor' with arguments from the"):
            x.to_padded_tensor(*arguments)
    with pytest.raises(TypeError, match="argument 'padding' \\(position 1\\) must be float, not str"):
        x.to_padded_tensor("a")


def test_index():
    x = torch.arange(24.).reshape(2, 3, 4)
    assert torch.equal(x.index(1, 2), x[:, 2])
    assert torch.equal(x.index((0, 2), (1, slice(1, 3))), x[1, :, 1:3])
    assert torch.equal(x.index([-1], [torch.tensor([3, 0])]), x[:, :, [3, 0]])
    assert torch.equal(x.index((), ()), x)
    with pytest.raises(TypeError, match="dims \\(2\\) and indices \\(1\\) must have the same length"):
        x.index((0, 1), (1,))
    with pytest.raises(TypeError, match="expected a dimension specifyer but found 'a'"):
        x.index("a", None)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        x.index(0)


def test_assert_async():
    torch._assert_async(torch.tensor(2))
    with pytest.raises(RuntimeError, match="single nonzero value, but got zero"):
        torch._assert_async(torch.tensor(0.))
    with pytest.raises(RuntimeError, match="too small"):
        torch._assert_async(torch.tensor(False), "too small")


def test_backward_hooks_may_be_set():
    x, seen = torch.ones(2, requires_grad=True), []
    assert x._backward_hooks is None
    x._backward_hooks = {}
    x._backward_hooks = {0: seen.append}
    assert list(x._backward_hooks) == [0]
    x.sum().backward()
    assert seen[0].tolist() == [1, 1]
    with pytest.raises(TypeError):
        x._backward_hooks = 3


@pytest.mark.parametrize("reduce", ["sum", "mean", "max", "min", "prod"])
def test_segment_reduce_gradients(reduce):
    x = torch.tensor([[1., -2], [3, 0.5], [2, 4], [-1, 3]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: torch.segment_reduce(x, reduce, lengths=torch.tensor([1, 3])), (x,))


def test_oddments(tmp_path):
    with pytest.raises(RuntimeError, match="argument alpha must not be a floating point number"):
        torch.rsub(torch.ones(1, dtype=torch.int8), -1, alpha=1.5)
    assert torch.rsub(torch.ones(1), 3, alpha=1.5).tolist() == [1.5]
    assert "nbytes" in dir(torch.ones(1).untyped_storage())
    (tmp_path / "a").write_bytes(b"abcd")
    with pytest.raises(ValueError, match="null character"):
        torch.from_file(f"{tmp_path}/a\0.txt", size=4, dtype=torch.uint8)
    assert torch.arange(3)[::-1].to("meta").shape == (3,) and format(torch.tensor(2.), ".1f") == "2.0"
    with pytest.raises(TypeError):
        torch.tensor(2.).__format__((1,))
    assert importlib.reload(torch) is torch and torch.inf == float('inf')
