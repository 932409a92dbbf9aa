# SPDX-License-Identifier: BSD-3-Clause
"""Eigenvalues and functions built on them, checked by their definitions and against NumPy; and error texts."""
import ast
import inspect
import math
import pathlib
import re
import warnings

import corten as torch
import pytest
from corten import linalg
from corten.autograd import gradcheck, gradgradcheck
from matrix_cases import KINDS, close, definite, matrices

np = pytest.importorskip("numpy")
hypothesis = pytest.importorskip("hypothesis")
given, settings, st = hypothesis.given, hypothesis.settings, hypothesis.strategies
SHAPES = [(1, 1), (2, 2), (5, 5), (40, 40), (3, 4, 4), (2, 3, 5, 5), (100, 3, 3), (0, 0), (0, 3, 3), (2, 0, 0)]


def unit(like):
    n = like.shape[-1]
    return np.broadcast_to(np.eye(n), (*like.shape[:-2], n, n))


@st.composite
def stacks(draw, square=True):
    n, batch = draw(st.integers(1, 6)), draw(st.sampled_from([(), (2,), (2, 3)]))
    m = n if square else draw(st.integers(1, 6))
    return matrices(*batch, m, n, dtype=draw(st.sampled_from(["float64", "complex128"])), seed=draw(st.integers(0, 10 ** 6)))


# ---- eigenvalues ----

@settings(deadline=None, max_examples=60)
@given(stacks())
def test_vectors_are_turned_into_their_multiples(a):
    x = torch.from_numpy(a)
    L, V = linalg.eig(x)
    assert close(x.to(V.dtype) @ V, (V * L.unsqueeze(-2)).numpy(), 1e-9)
    assert close(linalg.vector_norm(V, dim=-2), np.ones(L.shape), 1e-12)
    assert close(L.sum(-1), np.trace(a, axis1=-2, axis2=-1), 1e-10)
    assert torch.allclose(linalg.eigvals(x).abs().sort(-1).values, L.abs().sort(-1).values)


@settings(deadline=None, max_examples=60)
@given(stacks(), st.sampled_from(["L", "U", "l", "u"]))
def test_one_triangle_is_read(a, uplo):
    lower = uplo in "lL"
    whole = np.tril(a) if lower else np.triu(a)
    whole = whole + np.conj(np.swapaxes(np.tril(whole, -1) + np.triu(whole, 1), -1, -2))
    diagonal = np.arange(a.shape[-1])
    whole[..., diagonal, diagonal] = whole[..., diagonal, diagonal].real
    L, V = linalg.eigh(torch.from_numpy(a), uplo)
    assert close((V * L.unsqueeze(-2)) @ V.mH, whole, 1e-11) and close(V.mH @ V, unit(whole), 1e-12)
    assert L.dtype == torch.float64 and bool((L.diff(dim=-1) >= 0).all())
    assert close(linalg.eigvalsh(torch.from_numpy(a), UPLO=uplo), L.numpy(), 1e-12)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_values_beside_numpy(shape, dtype):
    a, limit = matrices(*shape, dtype=dtype), KINDS[dtype] * 20
    s = a + a.conj().swapaxes(-1, -2)
    assert close(linalg.eigvalsh(torch.from_numpy(s)), np.linalg.eigvalsh(s), limit)
    mine, theirs = linalg.eigvals(torch.from_numpy(a)), np.linalg.eigvals(a)
    assert mine.dtype == linalg.eig(torch.from_numpy(a)).eigenvectors.dtype and mine.is_complex()

    def far(x, y):  # the largest distance from a number of x to the nearest of y
        return np.abs(x[..., :, None] - y[..., None, :]).min(-1).max(initial=0)
    if mine.numel():
        assert max(far(mine.numpy(), theirs), far(theirs, mine.numpy())) < limit * 10


def test_layout_and_names_of_results():
    x = torch.ones(2, 3, 3)
    for result in (linalg.eigh(x), linalg.eig(x)):
        assert result.eigenvalues.stride() == (3, 1) and result.eigenvectors.stride() == (9, 1, 3)
    assert repr(linalg.eigh(torch.eye(1))) == "torch.return_types.linalg_eigh(\neigenvalues=tensor([1.]),\neigenvectors=tensor([[1.]]))"
    rotation = linalg.eig(torch.tensor([[0., -1.], [1., 0.]]))
    assert sorted(rotation.eigenvalues.imag.tolist()) == [-1, 1]


def test_bits_do_not_depend_on_threads():
    a, n = torch.from_numpy(definite(64, 12, 12)), torch.get_num_threads()
    found = []
    for threads in (1, 2, 5):
        torch.set_num_threads(threads)
        found.append([*linalg.eigh(a), *linalg.eig(a), linalg.matrix_exp(a / 40), linalg.pinv(a)])
    torch.set_num_threads(n)
    for other in found[1:]:
        assert all(torch.equal(x, y) for x, y in zip(found[0], other))


NAN = torch.full((3, 3), math.nan)
TEXTS = [
    (lambda: linalg.eigh(NAN), linalg.LinAlgError, "linalg.eigh: The algorithm failed to converge because the input matrix is ill-conditioned or has "
     "too many repeated eigenvalues (error code: 2)."),
    (lambda: linalg.eigvalsh(torch.stack([torch.eye(3), NAN])), linalg.LinAlgError, "linalg.eigh: (Batch element 1): The algorithm failed to converge "
     "because the input matrix is ill-conditioned or has too many repeated eigenvalues (error code: 1)."),
    (lambda: linalg.eig(NAN), RuntimeError, "torch.linalg.eig: input tensor should not contain infs or NaNs."),
    (lambda: linalg.eigvals(torch.eye(2) * math.inf), RuntimeError, "torch.linalg.eigvals: input tensor should not contain infs or NaNs."),
    (lambda: linalg.eigh(torch.ones(2, 3)), RuntimeError, "linalg.eigh: A must be batches of square matrices, but they are 2 by 3 matrices"),
    (lambda: linalg.eigh(torch.eye(2), "Lower"), RuntimeError, "Expected UPLO argument to be 'L' or 'U', but got Lower"),
    (lambda: linalg.eig(torch.eye(2).int()), RuntimeError, "Unknown Complex ScalarType for Int"),
    (lambda: linalg.pinv(torch.ones(3)), RuntimeError, "linalg.pinv(Float{[3]}): expected a tensor with 2 or more dimensions of float, double, cfloat or "
     "cdouble types"),
    (lambda: linalg.cond(torch.eye(2), 3), ValueError, "linalg.cond got an invalid norm type: 3"),
    (lambda: linalg.polar(torch.ones(2, 3)), RuntimeError, "linalg.polar: input must have at least as many rows as columns, but got 2 by 3 matrices"),
    (lambda: linalg.tensorinv(torch.ones(2, 3), 1), RuntimeError, "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), "
     "but got 3 != 2"),
    (lambda: linalg.tensorinv(torch.ones(2, 2), 1), linalg.LinAlgError, "inv: The diagonal element 2 is zero, the inversion could not be completed because "
     "the input matrix is singular."),
]


@pytest.mark.parametrize("call, kind, text", TEXTS, ids=range(len(TEXTS)))
def test_words_of_errors(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text


@pytest.mark.parametrize("function", [lambda x: linalg.eigh(x + x.mH), linalg.eig], ids=["eigh", "eig"])
def test_a_loss_must_not_depend_on_the_phase(function):
    x = torch.from_numpy(matrices(3, 3, dtype="complex128")).requires_grad_()
    V = function(x).eigenvectors
    V.abs().sum().backward()
    with pytest.raises(RuntimeError, match=re.escape("_backward: The eigenvectors in the complex case are specified up to multiplication by e^{i phi}. "
                                                     "The specified loss function depends on this quantity, so it is ill-defined.")):
        function(x).eigenvectors.sum().abs().backward()


def invariant(function, symmetric):
    """Returns a function of x that gives the eigenvalues and |vectors|^2, which do not depend on the phase."""
    def call(x):
        L, V = function(x + x.mH if symmetric else x)
        return L, V.abs() ** 2
    return call


DERIVED = {
    "eigh": (invariant(linalg.eigh, True), (2, 3, 3)), "eig": (invariant(linalg.eig, False), (3, 3)), "eigvals": (linalg.eigvals, (3, 3)),
    "eigvalsh": (lambda x: linalg.eigvalsh(x + x.mH), (3, 3)), "matrix_exp": (linalg.matrix_exp, (2, 3, 3)),
    "matrix_sqrth": (lambda x: linalg.matrix_sqrth(x @ x.mH), (2, 2, 2)), "polar": (linalg.polar, (4, 2)), "polar of a square": (linalg.polar, (2, 3, 3)),
    "pinv": (linalg.pinv, (3, 2)), "pinv of a wide one": (linalg.pinv, (2, 2, 3)), "cond": (linalg.cond, (3, 3)), "cond 1": (lambda x: linalg.cond(x, 1), (3, 3)),
    "tensorinv": (lambda x: linalg.tensorinv(x.reshape(2, 2, 4)), (4, 4)), "tensorsolve": (lambda x: linalg.tensorsolve(x.reshape(4, 2, 2), x[0]), (4, 4)),
}


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", DERIVED)
def test_derivatives(name, dtype):
    function, shape = DERIVED[name]
    x = torch.from_numpy(matrices(*shape, dtype=dtype, seed=4)).requires_grad_()
    assert gradcheck(function, (x,)) and gradgradcheck(function, (x,))


def test_derivatives_where_values_repeat():
    x = torch.eye(3, dtype=torch.float64, requires_grad=True)
    for function in (linalg.polar, linalg.matrix_exp, linalg.pinv):
        assert gradcheck(function, (x,)) and gradgradcheck(function, (x,))
    root = linalg.matrix_sqrth(x * 4)
    assert torch.equal(torch.autograd.grad(root.sum(), x)[0], torch.ones(3, 3, dtype=torch.float64))


@pytest.mark.parametrize("name", ["eig", "eigvals", "eigh", "eigvalsh", "pinv", "polar", "svdvals", "det", "slogdet", "inv", "matrix_power"])
def test_out_does_not_lose_a_history(name):
    x = torch.eye(2, requires_grad=True)
    call = (lambda a, **out: linalg.matrix_power(a, 2, **out)) if name == "matrix_power" else getattr(linalg, name)
    plain = call(x.detach())
    several = isinstance(plain, tuple)
    outs = tuple(torch.full_like(t, 7) for t in (plain if several else (plain,)))
    with pytest.raises(RuntimeError, match="functions with out=... arguments don't support automatic differentiation"):
        call(x, out=outs if several else outs[0])
    assert all(torch.equal(t, torch.full_like(t, 7)) for t in outs)
    wanting = tuple(t.clone().requires_grad_() if t.dtype.is_floating_point or t.is_complex() else t for t in outs)
    with pytest.raises(RuntimeError, match="functions with out=... arguments don't support automatic differentiation"):
        call(x.detach(), out=wanting if several else wanting[0])
    with torch.no_grad():
        call(x, out=outs if several else outs[0])
    assert torch.allclose(outs[0], plain[0] if several else plain)


# ---- functions of matrices ----

@settings(deadline=None, max_examples=60)
@given(stacks(), st.sampled_from([0.0, 1e-9, 1e-4, 0.01, 0.1, 0.3, 1.0, 4.0]))
def test_exponential(a, scale):
    x = torch.from_numpy(a * scale)
    mine = linalg.matrix_exp(x)
    L, V = np.linalg.eig(a * scale)
    want = (V * np.exp(L)[..., None, :]) @ np.linalg.inv(V)
    assert close(mine, want if np.iscomplexobj(a) else want.real, 1e-8)
    assert close(mine @ linalg.matrix_exp(-x), unit(a), 1e-9 * float(mine.abs().max()) ** 2 + 1e-12)


def test_exponential_of_a_batch_is_that_of_each():
    scales = torch.tensor([0., 1e-8, 1e-3, .02, .2, .5, 1., 3., 10., .2, 3.], dtype=torch.float64)
    a = torch.from_numpy(matrices(4, 4)) * scales.reshape(-1, 1, 1)
    mine = linalg.matrix_exp(a)
    assert all(torch.equal(mine[i], linalg.matrix_exp(a[i])) for i in range(len(a)))
    assert torch.equal(linalg.matrix_exp(torch.zeros(2, 2)), torch.eye(2)) and linalg.matrix_exp(NAN).isnan().all()
    assert linalg.matrix_exp(torch.eye(2).half()).tolist() == [[2.71875, 0], [0, 2.71875]]
    assert torch.equal(a[2].matrix_exp(), torch.matrix_exp(a[2]))


@settings(deadline=None, max_examples=40)
@given(stacks(square=False))
def test_polar_factors_and_roots(a):
    tall = a if a.shape[-2] >= a.shape[-1] else a.swapaxes(-1, -2)
    U, H = linalg.polar(torch.from_numpy(np.ascontiguousarray(tall)))
    assert close(U @ H, tall, 1e-11) and close(U.mH @ U, unit(tall), 1e-12) and close(H.mH, H.numpy(), 1e-12)
    assert bool((linalg.eigvalsh(H) >= -1e-12).all())
    square = H @ H
    assert close(linalg.matrix_sqrth(square), H.numpy(), 1e-6)


# ---- pseudoinverse, rank, condition ----

@settings(deadline=None, max_examples=60)
@given(stacks(square=False), st.booleans())
def test_pseudoinverse_by_its_four_equations(a, flat):
    if flat:  # of rank 1
        a = a[..., :1] @ np.ones((1, a.shape[-1]), dtype=a.dtype)
    x = torch.from_numpy(np.ascontiguousarray(a))
    p = linalg.pinv(x)
    for mine, want in ((x @ p @ x, x), (p @ x @ p, p), ((x @ p).mH, x @ p), ((p @ x).mH, p @ x)):
        assert close(mine, want.resolve_conj().numpy(), 1e-8 * float(p.abs().max() + 1))
    assert close(p, np.linalg.pinv(a), 1e-8 * float(p.abs().max() + 1))
    assert linalg.matrix_rank(x).tolist() == np.linalg.matrix_rank(a).tolist()


def test_tolerances():
    x = torch.diag(torch.tensor([4., 1., 1e-3], dtype=torch.float64))
    assert linalg.matrix_rank(x) == 3 and linalg.matrix_rank(x, rtol=0.01) == 2 and linalg.matrix_rank(x, atol=2.) == 1
    assert linalg.matrix_rank(x, 0.5) == 2 and linalg.matrix_rank(x, tol=0.5, hermitian=True) == 2
    assert linalg.matrix_rank(torch.stack([x, x]), atol=torch.tensor([0.01, 2.])).tolist() == [2, 1]
    assert linalg.matrix_rank(-x, hermitian=True) == 3 and linalg.matrix_rank(torch.zeros(3, 0)) == 0
    assert linalg.pinv(x, rtol=0.5).diagonal().tolist() == [0.25, 0, 0] and linalg.pinv(x, atol=0.5).diagonal().tolist() == [0.25, 1, 0]
    assert linalg.pinv(x, 0.1).diagonal().tolist() == [0.25, 1, 0] and torch.pinverse(x, rcond=0.5).diagonal().tolist() == [0.25, 0, 0]
    assert torch.allclose(linalg.pinv(-x, hermitian=True), -torch.diag(torch.tensor([0.25, 1, 1e3], dtype=torch.float64)))


@pytest.mark.parametrize("p", [None, 2, -2, 1, -1, math.inf, -math.inf, "fro", "nuc"])
def test_conditions_beside_numpy(p):
    a = matrices(3, 4, 4)
    assert close(linalg.cond(torch.from_numpy(a), p), np.linalg.cond(a, p), 1e-9)
    if p not in (None, 2, -2, "nuc"):
        assert linalg.cond(torch.zeros(2, 2), p) == math.inf


# ---- tensors as matrices ----

def test_tensors_as_matrices_beside_numpy():
    a, b = matrices(2, 3, 6), matrices(2, 3)
    assert close(linalg.tensorinv(torch.from_numpy(a)), np.linalg.tensorinv(a), 1e-10)
    assert close(linalg.tensorsolve(torch.from_numpy(a), torch.from_numpy(b)), np.linalg.tensorsolve(a, b), 1e-10)
    a = matrices(2, 6, 3)
    b = matrices(6)
    mine = linalg.tensorsolve(torch.from_numpy(a), torch.from_numpy(b), dims=(0, 2))
    assert mine.shape == (2, 3) and close(mine, np.linalg.tensorsolve(a, b, axes=(0, 2)), 1e-10)


# ---- lobpcg, svd_lowrank, pca_lowrank ----

@pytest.mark.parametrize("more", [{}, {"method": "basic", "niter": 40}, {"largest": False, "niter": 300}, {"n": 4}, {"ortho_bparams": {"ortho_use_drop": True}},
                                  {"B": True}, {"iK": True, "largest": False}])
def test_lobpcg(more):
    torch.manual_seed(3)
    A = torch.from_numpy(definite(30, 30))
    B = torch.diag(torch.arange(1., 31., dtype=torch.float64)) if "B" in more else None
    given = {**more, **({"B": B} if B is not None else {}), **({"iK": linalg.inv(A)} if "iK" in more else {})}
    E, X = torch.lobpcg(A, 2, **given)
    unit_b = torch.eye(30, dtype=torch.float64) if B is None else B
    every = np.sort(np.linalg.eigvals(np.linalg.solve(unit_b.numpy(), A.numpy())).real)
    want = every[:2] if more.get("largest") is False else every[::-1][:2]
    assert close(E, want, 1e-6) and close(A @ X, (unit_b @ X * E).numpy(), 1e-4)


def test_lobpcg_of_a_batch():
    A = torch.from_numpy(definite(2, 3, 12, 12))
    E, X = torch.lobpcg(A, k=2)
    assert E.shape == (2, 3, 2) and X.shape == (2, 3, 12, 2) and close(E, np.linalg.eigvalsh(A.numpy())[..., ::-1][..., :2], 1e-6)
    with pytest.raises(ValueError, match=re.escape("the number of A rows (=5) is smaller than 3 x the number of requested eigenpairs (=2)")):
        torch.lobpcg(torch.eye(5), k=2)


def test_derivative_of_lobpcg():
    x = torch.from_numpy(matrices(8, 8)).requires_grad_()

    def some(x):
        torch.manual_seed(0)
        E, V = torch.lobpcg(x @ x.mT, k=2, tol=1e-14, niter=200)
        return E, V.abs()

    def all_of(x):
        E, V = linalg.eigh(x @ x.mT)
        return E.flip(-1)[:2], V.flip(-1)[:, :2].abs()
    weights = torch.from_numpy(matrices(8, 2))
    mine, theirs = (torch.autograd.grad((E * weights[0]).sum() + (V * weights).sum(), x, create_graph=True)[0] for E, V in (some(x), all_of(x)))
    assert torch.allclose(mine, theirs, atol=1e-7)
    again = [torch.autograd.grad((g * g).sum(), x)[0] for g in (mine, theirs)]
    assert torch.allclose(*again, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", [(20, 12), (12, 20), (2, 20, 12)])
def test_low_rank(shape, dtype):
    torch.manual_seed(1)
    a = matrices(*shape[:-1], 3, dtype=dtype) @ matrices(*shape[:-2], 3, shape[-1], dtype=dtype, seed=2)
    A, limit = torch.from_numpy(a), KINDS[dtype] * 10
    U, S, V = torch.svd_lowrank(A, q=4)
    assert U.shape == (*shape[:-1], 4) and V.shape == (*shape[:-2], shape[-1], 4)
    assert close((U * S.unsqueeze(-2)) @ V.mH, a, limit) and close(S[..., :3], np.linalg.svd(a, compute_uv=False)[..., :3], limit)
    mean = A.mean(-2, keepdim=True)
    assert close(torch.svd_lowrank(A, 4, M=mean)[1][..., :3], np.linalg.svd(a - mean.numpy(), compute_uv=False)[..., :3], limit)
    assert close(torch.pca_lowrank(A, 4)[1][..., :3], np.linalg.svd(a - mean.numpy(), compute_uv=False)[..., :3], limit)
    assert torch.pca_lowrank(A, center=False)[1].shape[-1] == 6


# ---- deprecated names ----

def test_names_of_old():
    e, v = torch.eig(torch.tensor([[0., -1.], [1., 0.]], dtype=torch.float64), True)
    assert sorted(e.tolist()) == [[0, -1], [0, 1]] and v.shape == (2, 2)
    z = torch.complex(v[:, 0], v[:, 1])  # the first vector of a pair belongs to the eigenvalue with positive imaginary part
    assert torch.allclose(torch.tensor([[0., -1.], [1., 0.]], dtype=torch.complex128) @ z, z * 1j)
    assert torch.eig(torch.eye(2)).eigenvectors.numel() == 0
    a = torch.from_numpy(definite(3, 3))
    assert torch.allclose(torch.symeig(a).eigenvalues, linalg.eigvalsh(a))
    b = torch.from_numpy(matrices(3, 2))
    x, lu = torch.solve(b, a)
    assert torch.allclose(a @ x, b) and torch.equal(lu, linalg.lu_factor(a).LU)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(torch.lu(a)) == 2 and len(a.lu(get_infos=True)) == 3 and torch.equal(a.lu()[0], lu)


# ---- the array API, stubs ----

STANDARD = """cholesky(x, /, *, upper=False)
cross(x1, x2, /, *, axis=-1)
det(x, /)
diagonal(x, /, *, offset=0)
eig(x, /)
eigh(x, /)
eigvals(x, /)
eigvalsh(x, /)
inv(x, /)
matmul(x1, x2, /)
matrix_norm(x, /, *, keepdims=False, ord='fro')
matrix_power(x, n, /)
matrix_rank(x, /, *, rtol=None)
matrix_transpose(x, /)
outer(x1, x2, /)
pinv(x, /, *, rtol=None)
qr(x, /, *, mode='reduced')
slogdet(x, /)
solve(x1, x2, /)
svd(x, /, *, full_matrices=True)
svdvals(x, /)
tensordot(x1, x2, /, *, axes=2)
trace(x, /, *, offset=0, dtype=None)
vecdot(x1, x2, /, *, axis=-1)
vector_norm(x, /, *, axis=None, keepdims=False, ord=2)""".splitlines()


@pytest.mark.parametrize("line", STANDARD)
def test_array_api_signature(line):
    from corten import array_api as xp
    name, _, parameters = line.partition("(")
    function = getattr(xp.linalg, name)
    assert str(inspect.signature(function)) == "(" + parameters and function.__doc__ and name in xp.linalg.__all__


def test_array_api_beside_numpy():
    from corten.array_api import linalg as mine
    a, b = matrices(2, 3, 3), matrices(3, 2)
    x = torch.from_numpy
    for name in ("det", "inv", "svdvals", "eigvalsh", "matrix_transpose"):
        arg = a + a.swapaxes(-1, -2) if name == "eigvalsh" else a
        assert close(getattr(mine, name)(x(arg)), getattr(np.linalg, name)(arg), 1e-10)
    assert close(mine.solve(x(a), x(b)), np.linalg.solve(a, b), 1e-10) and mine.solve(x(a), x(b[:, 0])).shape == (2, 3)
    assert close(mine.solve(x(a), x(a[0, :2].T.copy())), np.linalg.solve(a, a[0, :2].T), 1e-10)  # not a stack of vectors
    assert close(mine.trace(x(a), offset=1), np.trace(a, offset=1, axis1=1, axis2=2), 1e-12)
    assert mine.trace(torch.ones(2, 2, dtype=torch.uint8)).dtype == torch.uint64
    assert close(mine.diagonal(x(a), offset=-1), np.diagonal(a, -1, 1, 2), 0)
    for order in ("fro", "nuc", 1, 2, -1, math.inf):
        assert close(mine.matrix_norm(x(a), keepdims=True, ord=order), np.linalg.matrix_norm(a, keepdims=True, ord=order), 1e-10)
    for axis, order in ((None, 2), ((0, 1), 3), (-1, math.inf), (1, 0)):
        assert close(mine.vector_norm(x(a), axis=axis, keepdims=True, ord=order), np.linalg.vector_norm(a, axis=axis, keepdims=True, ord=order), 1e-10)
    assert close(mine.cross(x(a), x(b[:, 0].astype("float32"))), np.linalg.cross(a, b[:, 0].astype("float32")), 1e-6)
    with pytest.raises(ValueError):
        mine.cross(x(a), torch.ones(1))
    assert close(mine.outer(x(a[0, 0]), x(b[:, 0])), np.linalg.outer(a[0, 0], b[:, 0]), 0)
    assert mine.matrix_rank(x(a), rtol=x(np.array([1e-9, 2.]))).tolist() == [3, 0] and mine.pinv(x(b), rtol=0.1).shape == (2, 3)
    L, (Q, R) = mine.cholesky(x(definite(3, 3)), upper=True), mine.qr(x(b))
    assert close(L.mT @ L, definite(3, 3), 1e-12) and close(Q @ R, b, 1e-12) and mine.qr(x(b), mode="complete").Q.shape == (3, 3)
    assert mine.matrix_power(x(a), -2).shape == a.shape and mine.slogdet(x(a)).sign.shape == (2,)


def test_stubs_name_what_the_module_has():
    tree = ast.parse(pathlib.Path(linalg.__file__).with_suffix(".pyi").read_text())
    assert {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))} == set(linalg.__all__)
