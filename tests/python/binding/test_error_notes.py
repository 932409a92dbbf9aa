# SPDX-License-Identifier: BSD-3-Clause
"""Notes on exceptions. The message is PyTorch's (tested elsewhere); Corten's note shows the cause and suggests a line
that fixes it. These tests also run that line."""
import pathlib
import traceback

import pytest

import corten as ct


def note_of(call, *kinds):
    with pytest.raises(kinds or RuntimeError) as caught:
        call()
    notes = caught.value.__notes__
    assert len(notes) == 1 and notes[0] in "".join(traceback.format_exception(caught.value))
    assert notes[0] not in str(caught.value)
    return notes[0]


def test_shapes_are_drawn_from_the_right():
    assert note_of(lambda: ct.ones(2, 3, 4) + ct.ones(5, 4)).split("\n")[:3] == [
        "  a: [2, 3, 4]",
        "  b:    [5, 4]",
        "         ^"]
    assert note_of(lambda: ct.ones(10, 200, 3) * ct.ones(7, 3)).split("\n")[:3] == [
        "  a: [10, 200, 3]",
        "  b:     [  7, 3]",
        "            ^"]
    assert note_of(lambda: ct.ones(1, 2, 3).sub_(ct.ones(4, 3)))


@pytest.mark.parametrize("a, b, hint", [
    ((2, 3), (2,), "b.unsqueeze(-1)"),
    ((2,), (2, 3), "a.unsqueeze(-1)"),
    ((4, 2, 3), (4, 2), "b.unsqueeze(-1)"),
    ((2, 3), (3, 2), "b.t()"),
    ((5, 2, 3), (5, 3, 2), "b.mT"),
])
def test_what_would_broadcast(a, b, hint):
    a, b = ct.ones(a), ct.ones(b)
    assert hint + " would fit" in note_of(lambda: a + b)
    name = hint[0]
    eval(f"x + {hint}" if name == "b" else f"{hint} + x", {"a": a, "b": b, "x": a if name == "b" else b})


@pytest.mark.parametrize("a, b, hint", [
    ((2, 3), (2, 3), "mat1 @ mat2.t()"),
    ((3, 2), (3, 4), "mat1.t() @ mat2"),
    ((2, 3), (4, 2), "mat2 @ mat1"),
    ((2, 3), (5, 7), None),
])
def test_what_could_be_multiplied(a, b, hint):
    a, b = ct.ones(a), ct.ones(b)
    note = note_of(lambda: a @ b)
    assert f"the last size of mat1 ({a.shape[1]}) has to be the last but one of mat2 ({b.shape[0]})" in note
    assert ("would fit" in note) == bool(hint)
    if hint:
        assert hint + " would fit" in note
        eval(hint, {"mat1": a, "mat2": b})
    assert note_of(lambda: ct.ones(2, 3, 4) @ ct.ones(2, 3, 4)).endswith("batch1 @ batch2.mT would fit")
    assert note_of(lambda: ct.ones(2, 3) @ ct.ones(2)).endswith("mat.t() @ vec would fit")


def test_types_of_products():
    note = note_of(lambda: ct.ones(2, 3) @ ct.ones(3, 2, dtype=ct.float64))
    assert note == ("  m1: torch.float32\n  m2: torch.float64\nboth operands need the same dtype: use m1.to(torch.float64)")
    assert note_of(lambda: ct.ones(2, 3, dtype=ct.float64) @ ct.ones(3, 2)).endswith("m2.to(torch.float64)")
    assert "of type torch.float32" in note_of(lambda: ct.arange(3).add_(1.5))
    assert "x.float().mean()" in note_of(lambda: ct.arange(3).mean(), NotImplementedError)


def test_lists():
    want = "   the first: [2, 3]\n  tensors[1]: [2, 4]\n                  ^"
    assert note_of(lambda: ct.cat([ct.ones(2, 3), ct.ones(2, 4)])) == want
    assert note_of(lambda: ct.stack([ct.ones(2, 3), ct.ones(2, 4)])) == want
    assert "cat joins" in note_of(lambda: ct.stack([ct.ones(2), ct.ones(2, 1)]))


def test_sizes():
    x = ct.ones(2, 3)
    note = note_of(lambda: x.view(4, 2))
    assert note == "  the input has 6 elements, this shape has 8\nuse -1 for dim 0 to compute its size: 3"
    assert "6 elements are not a multiple of 4" in note_of(lambda: x.view(-1, 4))
    assert "shape [3, 2], stride [1, 3]" in note_of(lambda: x.t().view(6))
    assert "x.reshape([6])" in note_of(lambda: x.t().view(6))
    assert note_of(lambda: x.expand(4, 3)).startswith("  target: [4, 3]\n  tensor: [2, 3]\n           ^")


def test_indices():
    x = ct.ones(2, 3)
    assert note_of(lambda: x[0, 3], IndexError) == "dim 1 has size 3: indices are 0 to 2, or -3 to -1 from the end"
    assert "nothing to index" in note_of(lambda: ct.ones(0)[0], IndexError)
    assert "index.long()" in note_of(lambda: x[ct.ones(2)], IndexError)
    assert "x[:, mask]" in note_of(lambda: x[ct.ones(3) > 0], IndexError)


def test_gradients():
    x = ct.ones(3, requires_grad=True)
    assert "torch.no_grad()" in note_of(lambda: x.add_(1))
    y = (x * x).sum()
    y.backward()
    assert "retain_graph=True" in note_of(y.backward)
    assert "the output has shape [3]" in note_of((x * 2).backward)
    assert "requires_grad=True" in note_of(ct.ones(()).backward)
    assert "clone()" in note_of(x.numpy)


def spoil(x):
    x.mul_(2)  # the write that backward must report


def test_writes_are_found():
    """The error of backward names the source line that overwrote a saved tensor."""
    line = spoil.__code__.co_firstlineno + 1
    for size in (3, 50_000):  # for the larger size, the operations release the GIL
        x = ct.ones(size, requires_grad=True)
        y = x * 2
        z = (y * y).sum()
        spoil(y)
        y.add_(1)  # only the first write after saving is reported
        note = note_of(z.backward)
        assert note.startswith(f"the memory was written in place at {__file__}, line {line}, in spoil\n"), note
    y = x.exp()
    y[0] = 5
    line = pathlib.Path(__file__).read_text().split("\n").index("    y[0] = 5") + 1
    assert f"{__file__}, line {line}, in test_writes_are_found" in note_of(y.sum().backward)


def test_many_writes():
    """Only the latest writes are kept; an older one gets no source location rather than a wrong one."""
    x = ct.ones(3, requires_grad=True)
    y = x * 2
    z = (y * y).sum()
    spoil(y)
    for _ in range(100):
        a = x * 2
        b = a * a
        spoil(a)
    assert "spoil" not in note_of(z.backward) and "spoil" in note_of(b.sum().backward)


def test_single_numbers():
    x = ct.ones(2, 3)
    assert "x.tolist()" in note_of(x.item)
    assert "x.tolist()" in note_of(lambda: float(x), ValueError)
    assert "x.any() or x.all()" in note_of(lambda: bool(x))


def test_devices():
    assert note_of(lambda: ct.device("gpu")).endswith("a GPU is 'cuda'")
    assert "'cuda:0'" in note_of(lambda: ct.ones(2, device="cuda:x"))


def test_first_error_keeps_its_own_note():
    """A note is attached to one exception and never to a later one."""
    note_of(lambda: ct.ones(2) + ct.ones(3))
    with pytest.raises(RuntimeError) as caught:
        ct.zeros(-1)
    assert not hasattr(caught.value, "__notes__")


# ---- broadcasts that are usually mistakes ----

def test_broadcasts_that_stretch():
    column, row, table = ct.ones(3, 1), ct.ones(3), ct.ones(3, 3)
    assert (column - row).shape == (3, 3)
    with ct.set_broadcast("raise"):
        note = note_of(lambda: column - row)
        assert note.startswith("  operand: [3, 1]\n  operand:    [3]\n")
        assert note_of(lambda: column < row) and note_of(lambda: ct.where(row > 0, column, 2))
        table + row, table * column, row + 1, row + ct.ones(()), column - row.unsqueeze(-1)
        table.sub_(row)
        x = column.clone().requires_grad_()
        ((x * table).exp().mean() + (x - x.mean()).std()).backward()  # broadcasts inside the library are not reported either
        with ct.set_broadcast("warn"), pytest.warns(UserWarning, match=r"operands broadcast to shape \[3, 3\], which none"):
            assert (column - row).shape == (3, 3)
        with pytest.raises(RuntimeError):
            column + row
    assert (column - row).shape == (3, 3)
    ct.set_broadcast("raise")
    try:
        with pytest.raises(RuntimeError):
            ct.add(column, row)
    finally:
        ct.set_broadcast("allow")
    with pytest.raises(ValueError):
        ct.set_broadcast("never")


@pytest.mark.parametrize("call, kind, hint", [
    (lambda: ct.tensor([[1, 2], [3]]), ValueError, "pad the shorter ones"),
    (lambda: ct.tensor([ct.ones(2), ct.ones(2)]), ValueError, "torch.stack(list)"),
    (lambda: ct.tensor([1, 2], requires_grad=True), RuntimeError, "dtype=torch.float32"),
    (lambda: ct.ones(2, 3).sum(axis=2), IndexError, "-1 is the last; there are 2"),
    (lambda: ct.ones(3).cumsum(1), IndexError, "there is 1"),
    (lambda: ct.ones(2, 3)[0, 0, 0], IndexError, "the index names 3 dims, the tensor has 2"),
    (lambda: ct.ones(3)[1.0], IndexError, "x[int(i)]"),
    (lambda: ct.cat(ct.ones(2), ct.ones(2)), TypeError, "[x, y]"),
    (lambda: ct.ones(3).add_(ct.ones(2, 3)), RuntimeError, "a new tensor of shape [2, 3]"),
    (lambda: ct.where(ct.ones(2), 1, 2), RuntimeError, "condition.bool()"),
    (lambda: ct.ones(2).masked_fill(ct.ones(2), 1), RuntimeError, "mask.bool()"),
    (lambda: ct.ones(2) & ct.ones(2), NotImplementedError, "(x > 0) & (y > 0)"),
    (lambda: ct.ones(2, 2).dot(ct.ones(2, 2)), RuntimeError, "input @ tensor"),
    (lambda: ct.ones(2, 3).mm(ct.ones(3)), RuntimeError, "operator @"),
    (lambda: ct.ones(2, 3).bmm(ct.ones(2, 3)), RuntimeError, "operator @"),
    (lambda: ct.ones(2, 3).repeat(2), RuntimeError, "each of the 2 dims"),
    (lambda: ct.ones(2, 3).scatter_(1, ct.tensor([[5]]), 1.), RuntimeError, "indices are 0 to 2"),
    (lambda: ct.rand(2, dtype=ct.int64), NotImplementedError, "torch.randint"),
    (lambda: list(ct.tensor(3)), TypeError, "x.item()"),
    (lambda: len(ct.tensor(3)), TypeError, "x.item()"),
    (lambda: ct.from_numpy([1, 2]), TypeError, "torch.tensor(data)"),
    (lambda: ct.ones(2).to("cuda"), RuntimeError, "torch.cuda.is_available()"),
])
def test_first_mistakes(call, kind, hint):
    assert hint in note_of(call, kind)
