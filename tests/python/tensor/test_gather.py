# SPDX-License-Identifier: BSD-3-Clause
"""Compares gather, scatter, index_*, masked_* and nonzero with NumPy: types, strides, order, gradients."""
import os
import subprocess
import sys

import corten as ct
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SETTINGS = settings(max_examples=100, deadline=None)
INTEGERS = ["uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"]
TYPES = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]


def numbers(shape, dtype, seed=0):
    a = np.random.default_rng(seed).integers(0, 5, shape)
    return a.astype(dtype)


def laid_out(a, how):
    """Returns the array as a tensor with other strides."""
    t = ct.tensor(a)
    if how == "reversed" and a.ndim:
        return ct.tensor(np.ascontiguousarray(np.flip(a)))[tuple([slice(None, None, -1)] * a.ndim)]
    if how == "transposed" and a.ndim > 1:
        return ct.tensor(np.ascontiguousarray(a.T)).permute(*reversed(range(a.ndim)))
    return t


LAYOUTS = ["plain", "reversed", "transposed"]


@st.composite
def along(draw):
    """Draws a shape, a dim and an index array, which may exceed the shape only along that dim."""
    big = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    dim = draw(st.integers(0, len(big) - 1))
    small = [draw(st.integers(1, 7 if d == dim else n)) for d, n in enumerate(big)]
    index = np.random.default_rng(draw(st.integers(0, 99))).integers(0, big[dim], small)
    return tuple(big), dim, index


def selected(a, dim, index):
    """Returns the NumPy index of the elements of `a` that `index` selects along `dim`."""
    position = list(np.indices(index.shape))
    position[dim] = index
    return tuple(position)


@SETTINGS
@given(along(), st.sampled_from(TYPES), st.sampled_from(LAYOUTS), st.sampled_from(LAYOUTS))
def test_gather(case, dtype, how, how_index):
    shape, dim, index = case
    a = numbers(shape, dtype)
    got = ct.gather(laid_out(a, how), dim, laid_out(index, how_index))
    assert got.tolist() == a[selected(a, dim, index)].tolist()


@SETTINGS
@given(along(), st.sampled_from(TYPES), st.sampled_from(LAYOUTS))
def test_scatter_add(case, dtype, how):
    shape, dim, index = case
    a, v = numbers(shape, dtype), numbers(index.shape, dtype, 1)
    expected = a.copy()
    np.add.at(expected, selected(a, dim, index), v)
    x = laid_out(a, how)
    assert x.scatter_add(dim, ct.tensor(index), ct.tensor(v)).tolist() == expected.tolist()
    assert x.tolist() == a.tolist()
    x.scatter_add_(dim, ct.tensor(index), ct.tensor(v))
    assert x.tolist() == expected.tolist()


@SETTINGS
@given(along(), st.sampled_from(["float32", "float64", "int64", "uint8"]), st.booleans())
def test_scatter_reduce(case, dtype, include_self):
    shape, dim, index = case
    a, v = numbers(shape, dtype), numbers(index.shape, dtype, 1)
    place = selected(a, dim, index)
    written = np.zeros(shape, bool)
    written[place] = True
    for name, ufunc, start in [("sum", np.add, 0), ("prod", np.multiply, 1), ("amax", np.maximum, None),
                               ("amin", np.minimum, None)]:
        expected = a.copy()
        if not include_self:
            low, high = (np.iinfo(dtype).min, np.iinfo(dtype).max) if a.dtype.kind in "iu" else (-np.inf, np.inf)
            expected[written] = {"amax": low, "amin": high}.get(name, start)
        ufunc.at(expected, place, v)
        got = ct.tensor(a).scatter_reduce(dim, ct.tensor(index), ct.tensor(v), name, include_self=include_self)
        assert got.tolist() == expected.tolist()


@SETTINGS
@given(along(), st.sampled_from(TYPES), st.sampled_from(LAYOUTS))
def test_whole_slices(case, dtype, how):
    shape, dim, index = case
    line = index.reshape(-1)[: shape[dim]]
    a = numbers(shape, dtype)
    x, at = laid_out(a, how), ct.tensor(line)
    assert x.index_select(dim, at).tolist() == a.take(line, dim).tolist()
    v = numbers([len(line) if d == dim else n for d, n in enumerate(shape)], dtype, 1)
    expected = a.copy()
    np.add.at(expected, (slice(None),) * dim + (line,), v)
    assert x.index_add(dim, at, ct.tensor(v)).tolist() == expected.tolist()
    expected = a.copy()
    expected[(slice(None),) * dim + (line,)] = 1
    assert x.index_fill(dim, at, 1).tolist() == expected.tolist()
    assert x.index_fill(dim, at - shape[dim], 1).tolist() == expected.tolist()


@SETTINGS
@given(st.sampled_from([(), (0,), (7,), (3, 5), (2, 3, 4)]), st.sampled_from(TYPES), st.sampled_from(LAYOUTS))
def test_masks(shape, dtype, how):
    a = numbers(shape, dtype)
    mask = numbers(shape, "int64", 2) > 1
    x, m = laid_out(a, how), laid_out(mask, how)
    assert ct.masked_select(x, m).tolist() == a[mask].reshape(-1).tolist()
    assert x.masked_fill(m, 1).tolist() == np.where(mask, np.array(1, dtype), a).tolist()
    v = numbers(max(a.size, 1), dtype, 3)
    expected = a.copy()
    if a.ndim:
        expected[mask] = v[: mask.sum()]
    elif mask:
        expected = v[0]
    assert x.masked_scatter(m, ct.tensor(v)).tolist() == expected.tolist()
    assert ct.count_nonzero(x).item() == np.count_nonzero(a)
    if a.ndim:
        assert ct.nonzero(x).tolist() == np.argwhere(a).tolist()
        assert [i.tolist() for i in ct.where(m)] == [i.tolist() for i in np.nonzero(mask)]


@pytest.mark.parametrize("n", [1, 15, 16, 17, 16384, 16385, 100003])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64", "complex128"])
def test_masks_of_many_lengths(n, dtype):
    a, mask = numbers(n, dtype), numbers(n, "int64", 2) > 2
    assert np.array_equal(ct.masked_select(ct.tensor(a), ct.tensor(mask)).tolist(), a[mask])
    assert ct.nonzero(ct.tensor(mask)).reshape(-1).tolist() == np.flatnonzero(mask).tolist()


@pytest.mark.parametrize("statement", [
    "x.scatter_(0, torch.tensor([1, 7]), torch.ones(2))",
    "x.scatter_add_(0, torch.tensor([1, -1]), torch.ones(2))",
    "x.scatter_reduce_(0, torch.tensor([1, 7]), torch.ones(2), 'sum', include_self=False)",
    "x.index_add_(0, torch.tensor([1, 7]), torch.ones(2))",
    "x.index_copy_(0, torch.tensor([1, 7]), torch.ones(2))",
    "x.index_fill_(0, torch.tensor([1, 7]), 5)",
    "x.masked_scatter_(x >= 0, torch.ones(2))",
    "x.__setitem__(torch.tensor([1, 7]), 5.)",
    "x.index_put_((torch.tensor([1, 7]),), torch.ones(2), True)",
])
def test_a_failed_write_leaves_everything(statement):
    x = ct.zeros(5)
    with pytest.raises((RuntimeError, IndexError)):
        eval(statement, {"x": x, "torch": ct})
    assert x.tolist() == [0] * 5 and x._version == 0


def test_threads_do_not_change_sums():
    rng = np.random.default_rng(0)
    index, v = ct.tensor(rng.integers(0, 3000, 200000)), ct.tensor(rng.standard_normal(200000).astype("f"))
    old = ct.get_num_threads()
    results = []
    for threads in (1, 2, 3):
        ct.set_num_threads(threads)
        z = ct.zeros(3000)
        results.append((z.scatter_add(0, index, v).tolist(), z.index_put((index,), v, True).tolist()))
    ct.set_num_threads(old)
    assert results[0] == results[1] == results[2]
    assert results[0][0] == results[0][1]


def test_layouts_of_results():
    x = ct.zeros(3, 4, 5)
    i = ct.tensor([0, 2, 1])
    assert x[:, i].stride() == (15, 5, 1)
    assert x.transpose(0, 2)[i].stride() == (12, 1, 4)
    assert x.transpose(0, 2)[:, i].stride() == (1, 5, 15)
    assert x.permute(2, 0, 1)[:, :, ct.tensor([0, 1])].stride() == (2, 10, 1)
    assert ct.nonzero(x + 1).stride() == (1, 60)


def slope(f, a, i, h=1e-3):
    up, down = a.copy(), a.copy()
    up.flat[i] += h
    down.flat[i] -= h
    return (f(ct.tensor(up)).item() - f(ct.tensor(down)).item()) / (2 * h)


INDEX = [[0, 1], [2, 0], [1, 1]]
GRADIENTS = [
    "x.gather(1, index)", "x.scatter(1, index, 2.)", "x.scatter(1, index[:, :1], x[:, :1] * 2)",
    "x.scatter_add(1, index, x[:, :2] * x[:, 2:])",
    "x.index_select(0, index[0])", "x.index_add(0, index[1], x[:2], alpha=3)", "x.index_fill(1, index[0], 5.)",
    "x.index_copy(0, index[1], x[1:] * 2)", "x.masked_select(mask)", "x.masked_fill(mask, 3.)",
    "x.masked_scatter(mask, x * 3)", "x.take(index)", "torch.take_along_dim(x, index, 1)", "x[index]", "x[:, index]",
    "x[index, index]", "x[mask]", "x[1:, None, ::2]", "x[::-1, 0]", "x[..., -1]", "x.index_put((index[0],), x[0] * x[1])",
    "x.index_put((index,), x[0], accumulate=True)", "x.masked_select(mask[:1])",
]


@pytest.mark.parametrize("expression", GRADIENTS)
def test_gradients(expression):
    a = np.random.default_rng(1).standard_normal((3, 4))
    index = ct.tensor(INDEX)
    mask = ct.tensor(a > 0)

    def value(x):
        r = eval(expression, {"x": x, "index": index, "mask": mask, "torch": ct})
        weight = ct.arange(1.0, r.numel() + 1, dtype=ct.float64).reshape(r.shape)
        return (r * r * weight).sum()

    def steepness(x):
        x = x if x.requires_grad else x.requires_grad_()
        (g,) = ct.autograd.grad(value(x), x, create_graph=True)
        return (g * g).sum()

    for f in (value, steepness):  # first and second derivatives
        x = ct.tensor(a).requires_grad_()
        (g,) = ct.autograd.grad(f(x), x)
        expected = [slope(f, a, i) for i in range(a.size)]
        assert np.allclose(g.reshape(-1).tolist(), expected, rtol=1e-4, atol=1e-4)


def test_value_tensors_have_gradients():
    v = ct.tensor(2.0, requires_grad=True)
    x = ct.zeros(3, 2)
    x.index_fill(0, ct.tensor([0, 0, -1]), v).sum().backward()
    assert v.grad.item() == 4
    x.masked_fill(ct.tensor([[True], [False], [True]]), v).sum().backward()
    assert v.grad.item() == 8


def test_writing_into_views_is_recorded():
    x = ct.ones(3, requires_grad=True)
    y = ct.zeros(2, 3)
    y[0] = x * 2
    y[1, ct.tensor([0, 2])] = x[:2] * 3
    y[:, ct.tensor([False, True, False])] = 7.0
    y.sum().backward()
    assert x.grad.tolist() == [5, 3, 2]


@pytest.mark.parametrize("name", ["remainder", "fmod", "floor_divide"])
def test_nothing_is_divided_by_zero(name):
    whole = ct.zeros(0, 3, dtype=ct.int64)
    for zero in (0, ct.tensor(0), ct.zeros(1, 3, dtype=ct.int64)):
        assert getattr(ct, name)(whole, zero).shape == (0, 3)
    assert getattr(ct, name)(ct.zeros(1, 3, dtype=ct.int64), whole).shape == (0, 3)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        getattr(ct, name)(ct.ones(2, dtype=ct.int64), 0)


def test_take_along_an_empty_dim():
    x = ct.zeros(0, 3)
    assert ct.take_along_dim(x, x.argsort(dim=0), 0).shape == (0, 3)


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
def test_bad_index_anywhere_in_a_long_line(isa):
    code = """if True:
        import corten as ct
        for n in (63, 64, 65, 79, 16384, 16384 + 71):
            source, target = ct.ones(n), ct.zeros(10)
            for at in {0, 1, 8, n // 2, n - 9, n - 1}:
                for bad in (10, -1, 2 ** 63 - 1, -2 ** 63):
                    index = ct.zeros(n, dtype=ct.int64)
                    index[at] = bad
                    try:
                        target.scatter_add_(0, index, source)
                    except RuntimeError as error:
                        assert "out of bounds" in str(error)
                    else:
                        raise AssertionError((n, at, bad))
            assert not target.any()
            target.scatter_add_(0, ct.full((n,), 9), source)
            assert target[9] == n
    """
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "CORTEN_ISA": isa}, check=True)
