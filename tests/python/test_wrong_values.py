# SPDX-License-Identifier: BSD-3-Clause
"""Values that were wrong once: writing into views with a mark, complex sums of exponentials, ties, and oddments."""
import importlib
import os
import subprocess
import sys

import pytest

import corten

nan, inf = float("nan"), float("inf")


def negative():
    """[-1, 1, -0], a view that negates."""
    v = corten.tensor([1 + 1j, 2 - 1j, 3 + 0j]).conj().imag
    assert v.is_neg()
    return v


@pytest.mark.parametrize("name", ["gt_", "lt_", "ge_", "le_", "eq_", "ne_", "logical_and_", "logical_or_", "logical_xor_"])
def test_truths_in_place_of_a_negative_view(name):
    other = corten.tensor([0., 1., -1.])
    plain = negative().clone()
    assert getattr(negative(), name)(other).tolist() == getattr(plain, name)(other).tolist()


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "float16", "float64"])
def test_negative_views_of_every_type(dtype):
    """Numbers of an integer type are negated as integers, not by their highest bit."""
    dtype = getattr(corten, dtype)
    x = corten.arange(100).remainder(50).to(dtype)
    view, want = corten._neg_view(x), -x
    assert view.tolist() == want.tolist() and view[3].item() == want[3].item()
    for f in (lambda t: t.clone(), lambda t: t.flip(0), lambda t: t[::2].contiguous(), lambda t: t + 1, lambda t: t.to(corten.float32),
              lambda t: corten.cat([t, t]), lambda t: t.sum(), lambda t: t.sort()[0], lambda t: t[corten.tensor([3, 1])]):
        assert corten.equal(f(view), f(want))
    assert view.fill_(3).tolist() == [3] * 100 and x.tolist() == (-corten.full((100,), 3, dtype=dtype)).tolist()
    view.copy_(want)
    assert x.tolist() == (-want).tolist()


def test_the_smallest_integer_stays_itself_in_a_negative_view():
    x = corten.tensor([-2**63, 2**53 + 1])
    assert corten._neg_view(x).tolist() == corten._neg_view(x).clone().tolist() == [-2**63, -2**53 - 1]
    corten._neg_view(x).fill_(2**53 + 1)
    assert x.tolist() == [-2**53 - 1] * 2
    with pytest.raises(NotImplementedError, match="\"neg_cpu\" not implemented for 'Bool'"):
        corten._neg_view(x > 0)


def test_out_of_a_negative_view():
    assert corten.gt(corten.ones(3), corten.zeros(3), out=negative()).tolist() == [1, 1, 1]
    wide = corten.complex(corten.arange(6.).double(), corten.arange(6.).double()).conj().imag
    assert wide.logical_or_(corten.ones(6)).tolist() == [1] * 6
    for kind in (corten.bool, corten.uint8, corten.int16, corten.float16):
        assert negative().copy_(corten.tensor([1, 0, 1], dtype=kind)).tolist() == [1, 0, 1]
    z = corten.tensor([1 + 1j, 2j]).conj()
    assert z.copy_(corten.tensor([1 + 2j, 3], dtype=corten.complex128)).tolist() == [1 + 2j, 3]


def test_shape_of_out():
    with pytest.warns(UserWarning, match="was resized"):
        assert corten.add(corten.ones(2, 3), 1, out=negative()).tolist() == [[2, 2, 2]] * 2
    with pytest.warns(UserWarning, match="was resized"):
        assert corten.max(corten.ones(4), corten.ones(4), out=negative()).shape == (4,)
    with pytest.raises(RuntimeError, match=r"output with shape \[1\] doesn't match the broadcast shape \[5\]"):
        negative()[:1].hypot_(corten.ones(5))
    with pytest.warns(UserWarning, match="was resized"):
        assert corten.kron(corten.ones(3, 1), corten.ones(2, 3).t(), out=corten.empty(3, 2)).shape == (9, 2)


@pytest.mark.parametrize("dtype", [corten.complex64, corten.complex128])
def test_logcumsumexp_of_complex_numbers(dtype):
    x = corten.tensor([-1.5 + 1j, .5, 30, 1], dtype=dtype)
    want = corten.exp(x.to(corten.complex128)).cumsum(0).log()
    assert corten.allclose(x.logcumsumexp(0).to(corten.complex128), want, rtol=1e-6)
    far = corten.tensor([-1.5 + 1j, .5, 700, 1], dtype=dtype).logcumsumexp(0)
    assert corten.allclose(far[:2].to(corten.complex128), want[:2], rtol=1e-6)
    assert far[2:].real.tolist() == [700, 700] and far[2:].imag.abs().max() < 1e-30
    broken = corten.tensor([-1.5 + 1j, .5, nan, 1], dtype=dtype).logcumsumexp(0)
    assert broken.isnan().tolist() == [False, False, True, True]
    low = corten.tensor([-inf, -inf, 2 + 1j], dtype=dtype).logcumsumexp(0)
    assert low[0].real == -inf and abs(low[2].item() - (2 + 1j)) < 1e-6
    both = corten.stack([x, x.flip(0)], 1)
    assert corten.equal(both.logcumsumexp(0)[:, 0], x.logcumsumexp(0))
    x = corten.randn(4, dtype=corten.complex128, requires_grad=True)
    assert corten.autograd.gradcheck(lambda x: x.logcumsumexp(0), x)


@pytest.mark.parametrize("name, a, b, want", [
    ("fmax", 1., 1., (.5, .5)), ("fmin", 1., 1., (.5, .5)), ("fmax", 1., nan, (1, 0)), ("fmax", nan, nan, (1, 0)),
    ("fmin", nan, 1., (0, 1)), ("maximum", 1., nan, (1, 1)), ("maximum", nan, 1., (1, 1)), ("minimum", 1., nan, (1, 1)),
    ("maximum", 2., 1., (1, 0)), ("minimum", 2., 1., (0, 1)), ("maximum", 1., 1., (.5, .5))])
def test_gradients_of_ties_and_nan(name, a, b, want):
    a, b = (corten.tensor(v, requires_grad=True) for v in (a, b))
    assert tuple(g.item() for g in corten.autograd.grad(getattr(corten, name)(a, b), (a, b))) == want


def test_oddments(tmp_path):
    with pytest.raises(RuntimeError, match="argument alpha must not be a floating point number"):
        corten.rsub(corten.ones(1, dtype=corten.int8), -1, alpha=1.5)
    assert corten.rsub(corten.ones(1), 3, alpha=1.5).tolist() == [1.5]
    assert "nbytes" in dir(corten.ones(1).untyped_storage())
    (tmp_path / "a").write_bytes(b"abcd")
    with pytest.raises(ValueError, match="null character"):
        corten.from_file(f"{tmp_path}/a\0.txt", size=4, dtype=corten.uint8)
    assert corten.arange(3)[::-1].to("meta").shape == (3,) and format(corten.tensor(2.), ".1f") == "2.0"
    with pytest.raises(TypeError):
        corten.tensor(2.).__format__((1,))
    assert importlib.reload(corten) is corten and corten.inf == inf


def test_names_of_modules():
    assert corten.jit.script(len) is len and not corten.jit.is_tracing() and issubclass(corten.jit.TracerWarning, Warning)

    @corten.jit.ignore
    def f():
        return 1
    assert f() == 1 and corten.jit.annotate(int, 2) == 2
    assert corten.return_types.max is type(corten.ones(2).max(0)) and corten.return_types.linalg_qr.__name__
    assert isinstance(corten.ones(1), corten.types.Tensor) and corten.types.Number


def test_return_types():
    types = corten.return_types
    assert len(types.all_return_types) == len(types.__all__) - 2
    for name in types.__all__[2:]:
        assert issubclass(getattr(types, name), tuple) and getattr(types, name).__name__ == name
    values, indices = corten.zeros(()), corten.zeros((), dtype=corten.int64)
    assert type(corten.max(corten.ones(2), 0, out=(values, indices))) is types.max_out and types.max((1, 2)).indices == 2

    class Pair(tuple):
        pass
    types.pytree_register_structseq(Pair)
    assert type(corten.utils._pytree.tree_map(lambda x: x + 1, Pair([1, 2]))) is Pair


def test_gradients_of_subclasses():
    class Mine(corten.Tensor):
        pass

    x = corten.tensor([1., 2.]).as_subclass(Mine)
    functional = corten.autograd.functional
    assert type(functional.jacobian(lambda x: x * x, x)) is Mine
    assert repr(functional.hessian(lambda x: (x * x).sum(), x)) == "Mine([[2., 0.],\n      [0., 2.]])"
    for name in "vjp", "jvp", "hvp", "vhp":
        value, product = getattr(functional, name)(lambda x: (x * x).sum(), x, *(() if name == "vjp" else (x,)))
        assert type(value) is type(product) is Mine
    leaf = corten.ones(2).as_subclass(Mine).requires_grad_()
    found, = corten.autograd.grad((leaf * 3).sum(), leaf)
    assert type(found) is Mine and found.tolist() == [3, 3]


LEAST = {corten.uint8: 0, corten.int8: -128, corten.int64: -2 ** 63, corten.float16: -inf, corten.float32: -inf, corten.float64: -inf}


@pytest.mark.parametrize("dtype", LEAST, ids=str)
def test_the_maximum_of_a_window_without_elements(dtype):
    """A window that begins in the padding, of a dilation greater than the input: memory beyond the input was read."""
    pool, least = corten.nn.functional, LEAST[dtype]
    x = corten.arange(1, 13).to(dtype).view(1, 2, 6, 1)
    for image in (x, x.contiguous(memory_format=corten.channels_last)):
        for values, index in ((pool.max_pool2d(image, (1, 2), 1, (0, 1), (1, 2)), None),
                              pool.max_pool2d(image, (1, 2), 1, (0, 1), (1, 2), return_indices=True)):
            assert values.flatten().tolist() == [least] * 12
            assert index is None or (0 <= index.min() and index.max() < 6)
    line = corten.arange(1, 3).to(dtype).view(1, 1, 2)
    assert pool.max_pool2d(line.view(1, 1, 1, 2), 3, 1, 1, (1, 1)).tolist() == [[[[2, 2]]]]
    assert pool.max_pool3d(x.view(2, 1, 6, 1, 1), (2, 1, 1), 5, (1, 0, 0), (7, 1, 1)).flatten().tolist() == [least] * 2
    if dtype.is_floating_point:
        x.requires_grad_()
        assert corten.equal(pool.max_pool2d(x, (1, 2), 1, (0, 1), (1, 2)), corten.full((1, 2, 6, 1), -inf, dtype=dtype))
        pool.max_pool2d(x, (1, 2), 1, (0, 1), (1, 2)).sum().backward()
        assert x.grad.isfinite().all()


def test_a_block_without_dims_decides_by_its_kind_alone():
    one, block = corten.tensor(1., dtype=corten.float64), corten.ones(2, 2)
    assert corten.block_diag(one, block).dtype == corten.block_diag(block, one).dtype == corten.float32
    assert corten.block_diag(one, block.int()).dtype == corten.block_diag(one, one).dtype == corten.float64
    assert corten.block_diag(one.float(), one).dtype == corten.float64


def test_areas_of_nothing():
    x = corten.ones(1, 2, 4, 4, requires_grad=True)
    result = corten.nn.functional.interpolate(x, (0, 3), mode="area")
    assert result.shape == (1, 2, 0, 3) and result.stride() == (6, 3, 3, 1)
    with pytest.raises(RuntimeError, match=r"adaptive_avg_pool2d_backward\(\): .* has sizes \[1, 2, 0, 3\] with dimension 2 being empty"):
        result.sum().backward()
    line = corten.ones(1, 1, 3, requires_grad=True)
    empty = corten.nn.functional.interpolate(line, scale_factor=.1, mode="area")
    assert empty.shape == (1, 1, 0)
    with pytest.raises(RuntimeError, match=r"has sizes \[1, 1, 1, 0\] with dimension 3 being empty"):
        empty.sum().backward()
    with pytest.raises(RuntimeError, match="must be greater than or equal to 0 but received {-1, 2}"):
        corten.nn.functional.interpolate(x, (-1, 2), mode="area")
    with pytest.raises(RuntimeError, match="should be greater than 0"):
        corten.nn.functional.interpolate(x, (0, 2))


@pytest.mark.parametrize("dim", [(0, 1), [0, -1], None, ()], ids=str)
def test_normalize_over_several_dims(dim):
    """The norm of [[3, 0], [0, 4]] is 5; the gradient of the sum of x / |x| is 1 / |x| - x sum(x) / |x|^3."""
    x = corten.tensor([[3., 0.], [0., 4.]], dtype=corten.float64, requires_grad=True)
    y = corten.nn.functional.normalize(x, dim=dim)
    assert corten.allclose(y, x / 5)
    grad, = corten.autograd.grad(y.sum(), x)
    assert corten.allclose(grad, 1 / 5 - x.detach() * 7 / 125)
    out = corten.empty(2, 2, dtype=corten.float64)
    assert corten.nn.functional.normalize(x.detach(), dim=dim, out=out) is out and corten.equal(out, y.detach())


def test_normalize_checks_dims():
    x = corten.ones(2, 2)
    with pytest.raises(RuntimeError, match="dim 0 appears multiple times in the list of dims"):
        corten.nn.functional.normalize(x, dim=(0, 0))
    with pytest.raises(IndexError, match=r"Dimension out of range \(expected to be in range of \[-2, 1\], but got 2\)"):
        corten.nn.functional.normalize(x, dim=(0, 2))


def test_negative_views_of_halves_on_a_gpu():
    """The fake device copies halves as they lie: their signs are bits."""
    program = """
import corten
for dtype in (corten.float16, corten.bfloat16, corten.float32):
    x = corten.tensor([3., -5., 0.], dtype=dtype, device="cuda")
    view = corten._neg_view(x)
    for copy in (view.clone(), view.cpu(), corten.cat([view, view])[:3], corten.nn.functional.pad(view, (1, 0))[1:], view.resolve_neg()):
        assert copy.tolist() == [-3., 5., 0.], copy
"""
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "CORTEN_FAKE_CUDA": "1"}, check=True)


@pytest.mark.parametrize("kernel, stride, width", [(3, 2, 8), (2, 2, 5), (2, 3, 7), (1, 2, 4), (2, 1, 3)])
def test_windows_read_nothing_that_has_no_weight(kernel, stride, width):
    """The gradient of an element in no window is 0, also where another gradient is NaN or infinite."""
    x = corten.ones(1, 1, width, dtype=corten.float64, requires_grad=True)
    y = corten.nn.functional.avg_pool1d(x, kernel, stride=stride)
    upstream = corten.ones_like(y)
    upstream[..., -1] = inf
    y.backward(upstream)
    want = [0.] * width
    for o in range(y.shape[-1]):
        for k in range(kernel):
            want[o * stride + k] += (inf if o == y.shape[-1] - 1 else 1) / kernel
    assert x.grad.flatten().tolist() == pytest.approx(want)
