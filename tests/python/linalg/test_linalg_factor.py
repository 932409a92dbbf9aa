# SPDX-License-Identifier: BSD-3-Clause
"""Cholesky, QR, Householder reflectors, least squares, triangular and symmetric solvers, checked by their definitions, against
NumPy, and by finite differences."""
import corten as torch
import pytest
from corten.autograd import gradcheck, gradgradcheck
from matrix_cases import KINDS, close, definite, matrices

np = pytest.importorskip("numpy")
hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies
SIZES = (1, 2, 3, 5, 16, 17, 40)  # 16 is the largest size factored without LAPACK


shapes = st.tuples(st.sampled_from([(), (1,), (3,), (2, 2), (0,)]), st.sampled_from(SIZES), st.sampled_from(SIZES))
kinds, layouts = st.sampled_from(sorted(KINDS)), st.sampled_from(["rows", "columns", "steps"])


def laid(a, layout):
    t = torch.from_numpy(a)
    if layout == "columns":
        return t.mT.contiguous().mT
    return torch.stack([t, t], -1)[..., 1] if layout == "steps" else t


@hypothesis.settings(deadline=None, max_examples=60, derandomize=True)
@hypothesis.given(shapes, kinds, layouts, st.booleans())
def test_cholesky(shape, dtype, layout, upper):
    batch, n, k = shape
    a = definite(*batch, n, n, dtype=dtype)
    x, limit = laid(a, layout), KINDS[dtype] * 10
    factor = torch.linalg.cholesky(x, upper=upper)
    assert factor.stride()[-2:] == (1, n) or not factor.numel()
    assert close(factor.mH @ factor if upper else factor @ factor.mH, a, limit)
    assert torch.equal(factor, factor.triu() if upper else factor.tril())
    low = factor.mH if upper else factor
    assert not a.size or close(low, np.linalg.cholesky(a), limit)
    b = matrices(*batch, n, k, dtype=dtype, seed=2)
    assert close(x @ torch.cholesky_solve(torch.from_numpy(b), factor, upper), b, limit * 10)
    assert close(x @ torch.cholesky_inverse(factor, upper), np.broadcast_to(np.eye(n, dtype=dtype), a.shape), limit * 10)


@hypothesis.settings(deadline=None, max_examples=80, derandomize=True)
@hypothesis.given(shapes, kinds, layouts, st.sampled_from(["reduced", "complete", "r"]))
def test_qr(shape, dtype, layout, mode):
    batch, m, n = shape
    a, limit = matrices(*batch, m, n, dtype=dtype), KINDS[dtype]
    q, r = torch.linalg.qr(laid(a, layout), mode)
    assert torch.equal(r, r.triu())
    if mode == "r":
        assert q.shape == (0,) and close(r.abs(), np.abs(np.linalg.qr(a, mode="r")) if a.size else np.abs(a), limit) or not a.size
        return
    k = m if mode == "complete" else min(m, n)
    assert q.shape == (*batch, m, k) and r.shape == (*batch, k, n)
    assert close(q @ r, a, limit) and close(q.mH @ q, np.broadcast_to(np.eye(k, dtype=dtype), (*batch, k, k)), limit)
    packed, tau = torch.geqrf(laid(a, layout))
    full = torch.linalg.qr(laid(a, layout), "complete").Q
    if m >= n:
        assert close(torch.linalg.householder_product(packed, tau), full[..., :n], limit)
    c = torch.from_numpy(matrices(*batch, m, 3, dtype=dtype, seed=3))
    assert close(torch.ormqr(packed, tau, c), full @ c, limit) and close(torch.ormqr(packed, tau, c, transpose=True), full.mH @ c, limit)
    assert close(torch.ormqr(packed, tau, c.mT, left=False), c.mT @ full, limit)


@hypothesis.settings(deadline=None, max_examples=120, derandomize=True)
@hypothesis.given(shapes, kinds, layouts, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_triangular(shape, dtype, layout, upper, left, unit, turned):
    batch, n, k = shape
    a = (matrices(*batch, n, n, dtype=dtype) / n + 2 * np.eye(n)).astype(dtype)
    b = matrices(*batch, *((n, k) if left else (k, n)), dtype=dtype, seed=2)
    x = laid(a, layout)
    x = x.mH if turned else x
    solution = torch.linalg.solve_triangular(x, torch.from_numpy(b), upper=upper, left=left, unitriangular=unit)
    used = x.triu(1 if unit else 0) if upper else x.tril(-1 if unit else 0)
    used = used + torch.eye(n, dtype=x.dtype) if unit else used
    assert close(used @ solution if left else solution @ used, b, KINDS[dtype] * 50)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
@pytest.mark.parametrize("m, n", [(4, 2), (2, 4), (3, 3), (60, 40), (40, 60), (1, 1)])
def test_least_squares_beside_numpy(m, n, driver, dtype):
    a, b, limit = matrices(m, n, dtype=dtype), matrices(m, 3, dtype=dtype, seed=2), KINDS[dtype] * 100
    mine = torch.linalg.lstsq(torch.from_numpy(a), torch.from_numpy(b), driver=driver)
    solution, residuals, rank, values = np.linalg.lstsq(a.astype("complex128"), b.astype("complex128"), rcond=None)
    assert close(mine.solution, (solution if "complex" in dtype else solution.real).astype(dtype), limit)
    if driver != "gels":
        assert mine.rank == rank
    if driver in ("gelsd", "gelss"):
        assert close(mine.singular_values, values.astype(mine.singular_values.numpy().dtype), limit)
    if driver != "gelsy" and m > n:
        assert close(mine.residuals, residuals.real.astype(mine.residuals.numpy().dtype), limit)


def test_least_squares_without_full_rank():
    a, b = torch.ones(4, 2, dtype=torch.float64), torch.arange(4.0, dtype=torch.float64)
    for driver in ("gelsy", "gelsd", "gelss"):
        f = torch.linalg.lstsq(a, b, driver=driver)
        assert f.rank == 1 and close(f.solution, np.array([0.75, 0.75]), 1e-12) and f.residuals.numel() == 0
    assert torch.linalg.lstsq(torch.diag(torch.tensor([1.0, 1e-3])), torch.ones(2), rcond=1e-2).rank == 1


@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_least_squares_of_broken_numbers(driver, capfd):
    for dtype, (m, n) in ((d, s) for d in KINDS for s in ((5, 3), (3, 5), (100, 40))):
        for value, which in (("nan", 0), ("nan", 1), ("inf", 0)):
            both = [torch.from_numpy(matrices(2, m, c, dtype=dtype)) for c in (n, 2)]
            both[which][1, 1, 1] = float(value)
            with pytest.raises(torch.linalg.LinAlgError, match=r"torch.linalg.lstsq: \(Batch element 1\): The least squares solution could not be computed because"):
                torch.linalg.lstsq(*both, driver=driver)
        b = torch.from_numpy(matrices(2, m, 2, dtype=dtype))
        b[1, 1, 1] = float("inf")
        solution = torch.linalg.lstsq(both[0].nan_to_num(posinf=1), b, driver=driver).solution
        assert not solution[0].isnan().any() and solution[1].isnan().all()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape, k", [((100, 40), 3), ((3, 80, 33), 2), ((200, 32), 70), ((64, 32), 1)])
@pytest.mark.parametrize("lost", [False, True])
def test_least_squares_of_tall_matrices(shape, k, lost, dtype):
    a, b = (torch.from_numpy(matrices(*s, dtype=dtype)) for s in (shape, (*shape[:-1], k)))
    if lost:  # two equal columns
        a[..., 5] = a[..., 6]
    mine, other = torch.linalg.lstsq(a, b), torch.linalg.lstsq(a, b, driver="gelsd")
    assert close(mine.solution, other.solution, KINDS[dtype]) and torch.equal(mine.rank, other.rank) and bool((mine.rank == shape[-1] - lost).all())


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (3, 5, 5), (40, 40)])
def test_symmetric_matrices(shape, dtype):
    a, b = matrices(*shape, dtype=dtype), torch.from_numpy(matrices(*shape[:-1], 2, dtype=dtype, seed=2))
    for hermitian, other in ((False, np.swapaxes(a, -1, -2)), (True, np.conj(np.swapaxes(a, -1, -2)))):
        x = torch.from_numpy(a + other)
        factors, pivots = torch.linalg.ldl_factor(x.tril(), hermitian=hermitian)
        assert close(x @ torch.linalg.ldl_solve(factors, pivots, b, hermitian=hermitian), b.numpy(), KINDS[dtype] * 1000)


def test_large_matrices_and_batches():
    a = definite(300, 300)
    assert close(torch.linalg.inv(torch.from_numpy(a)), np.linalg.inv(a), 1e-11)
    assert close(torch.linalg.cholesky(torch.from_numpy(a)), np.linalg.cholesky(a), 1e-11)
    many = definite(2000, 4, 4, seed=4)
    x = torch.from_numpy(many)
    assert close(torch.linalg.cholesky(x), np.linalg.cholesky(many), 1e-12) and close(torch.linalg.inv(x), np.linalg.inv(many), 1e-12)
    assert close(torch.linalg.solve(x, x), np.broadcast_to(np.eye(4), many.shape), 1e-12)
    assert close(torch.linalg.solve(x.mT, x.mT, left=False), np.broadcast_to(np.eye(4), many.shape), 1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_not_positive_definite(n):
    a = torch.eye(n, dtype=torch.float64).repeat(3, 1, 1)
    a[1, n - 1, n - 1] = -1
    words = rf"linalg.cholesky: \(Batch element 1\): The factorization could not be completed because the input is not positive-definite \(the leading minor of order {n} "
    with pytest.raises(torch.linalg.LinAlgError, match=words):
        torch.linalg.cholesky(a)
    assert torch.linalg.cholesky_ex(a).info.tolist() == [0, n, 0]
    a[2, 0, 0] = float("nan")
    for upper in (False, True):
        assert torch.linalg.cholesky_ex(a, upper=upper).info.tolist() == [0, n, 1]
    assert torch.linalg.cholesky_ex(a.to(torch.complex64)).info.tolist() == [0, n, 1]


def test_small_singular_matrices():
    a = torch.ones(2, 3, 3)
    a[0] = torch.eye(3)
    with pytest.raises(torch.linalg.LinAlgError, match=r"linalg.inv: \(Batch element 1\): The diagonal element 2 is zero"):
        torch.linalg.inv(a)
    assert torch.linalg.inv_ex(a).info.tolist() == [0, 2] and torch.equal(torch.linalg.inv_ex(a).inverse[0], torch.eye(3))
    assert torch.linalg.det(a).tolist() == [1, 0]


def recorded(*shape, dtype):
    return torch.from_numpy(matrices(*shape, dtype=dtype, seed=sum(shape))).requires_grad_()


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", ["cholesky", "inverse", "tall", "wide", "reflectors", "few reflectors", "reflect", "reflect right", "least", "least wide", "residuals", "vectors"])
def test_derivatives(name, dtype):
    unit = torch.eye(3, dtype=getattr(torch, dtype))
    spd, linalg = (lambda a: a @ a.mH + 3 * unit), torch.linalg
    a43, a33, a24 = recorded(2, 4, 3, dtype=dtype), recorded(3, 3, dtype=dtype), recorded(2, 4, dtype=dtype)
    packed, tau = (t.detach().requires_grad_() for t in torch.geqrf(a43.detach()))
    cases = {
        "cholesky": (lambda a: linalg.cholesky(spd(a)), a33), "inverse": (lambda a: torch.cholesky_inverse(linalg.cholesky(spd(a), upper=True), True), a33),
        "tall": (linalg.qr, a43), "wide": (linalg.qr, a24),
        "reflectors": (linalg.householder_product, packed, tau), "few reflectors": (linalg.householder_product, a43, recorded(2, 2, dtype=dtype)),
        "reflect": (lambda a, t, c: torch.ormqr(a, t, c, transpose=True), packed, tau, recorded(2, 4, 2, dtype=dtype)),
        "reflect right": (lambda a, t, c: torch.ormqr(a, t, c, left=False), packed, tau, recorded(2, 2, 4, dtype=dtype)),
        "least": (lambda a, b: linalg.lstsq(a, b).solution, a43, recorded(2, 4, 2, dtype=dtype)), "least wide": (lambda a, b: linalg.lstsq(a, b).solution, a24, recorded(2, 2, dtype=dtype)),
        "residuals": (lambda a, b: linalg.lstsq(a, b, driver="gels")[:2], a43, recorded(1, 4, 2, dtype=dtype)), "vectors": (lambda a, b: linalg.lstsq(a, b).solution, a43, recorded(2, 4, dtype=dtype)),
    }
    function, *inputs = cases[name]
    assert gradcheck(function, inputs) and gradgradcheck(function, inputs)


def test_derivatives_that_are_not():
    a = torch.randn(4, 3, requires_grad=True)
    for mode, words in (("r", "depends on Q, which is not computed when mode='r'"), ("complete", "not differentiable when mode='complete' and nrows > ncols")):
        with pytest.raises(RuntimeError, match=words):
            torch.linalg.qr(a, mode).R.sum().backward()
    with pytest.raises(NotImplementedError, match="the derivative for 'geqrf' is not implemented."):
        torch.geqrf(a).a.sum().backward()
    with pytest.raises(RuntimeError, match="derivative for aten::linalg_ldl_factor_ex is not implemented"):
        torch.linalg.ldl_factor(a @ a.mT).LD.sum().backward()


def test_deprecated_names():
    a, b = torch.from_numpy(matrices(5, 2)), torch.from_numpy(matrices(5, 1, seed=2))
    x, packed = torch.gels(b, a)
    rest = a @ x[:2] - b
    assert packed.shape == a.shape and close(x[:2], torch.linalg.lstsq(a, b).solution, 1e-12) and close(x[2:].square().sum(0), rest.square().sum(0), 1e-12)
    assert torch.equal(b.lstsq(a).solution, x) and torch.equal(torch.qr(a).R, torch.linalg.qr(a).R) and torch.qr(a, some=False).Q.shape == (5, 5)
    spd = torch.from_numpy(definite(3, 3))
    assert torch.equal(spd.cholesky(), torch.linalg.cholesky(spd)) and torch.equal(torch.cholesky(spd, upper=True), torch.linalg.cholesky(spd, upper=True))
    torch.set_warn_always(True)  # the warning is given once per process, perhaps by an earlier test
    try:
        with pytest.warns(UserWarning, match="torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangular"):
            assert close(torch.triangular_solve(spd, spd).solution, torch.linalg.solve_triangular(spd, spd, upper=True), 1e-12)
    finally:
        torch.set_warn_always(False)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", [(450, 450), (2, 385, 385), (500, 390), (390, 500)])
def test_tiles(shape, dtype):
    """Large matrices give the same factors bit for bit with one thread and with several, and the factors are correct."""
    a, limit = torch.from_numpy(matrices(*shape, dtype=dtype)), KINDS[dtype] * 50
    spd = torch.from_numpy(definite(*shape, dtype=dtype)) if shape[-1] == shape[-2] else None

    def factors(threads):
        torch.set_num_threads(threads)
        found = [*torch.linalg.qr(a), *torch.linalg.lu(a)]
        if spd is not None:
            found += [torch.linalg.cholesky(spd), torch.linalg.cholesky(spd, upper=True), torch.linalg.inv(spd), torch.linalg.inv(a), torch.linalg.solve(a, spd), torch.linalg.solve(spd, a, left=False)]
        return found

    before = torch.get_num_threads()
    try:
        one, several = factors(1), factors(3)
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(x, y) for x, y in zip(one, several))
    q, r, p, low, up, *rest = several
    unit = np.broadcast_to(np.eye(min(shape[-2:]), dtype=dtype), (*shape[:-2], q.shape[-1], q.shape[-1]))
    assert close(q @ r, a, limit) and close(q.mH @ q, unit, limit) and close(p @ low @ up, a, limit)
    if rest:
        lower, upper, inverse, exchanged, left, right = rest
        assert close(lower @ lower.mH, spd, limit) and close(upper.mH @ upper, spd, limit) and torch.equal(lower, lower.tril()) and torch.equal(upper, upper.triu())
        assert close(inverse @ spd, unit, limit) and close(exchanged @ a, unit, limit * 50) and close(a @ left, spd, limit) and close(right @ spd, a, limit)


def test_tiles_of_matrices_that_have_no_factors():
    a = torch.eye(600, dtype=torch.float64)
    a[500, 500] = -1
    assert torch.linalg.cholesky_ex(a).info == 501 and torch.linalg.cholesky_ex(a, upper=True).info == 501
    a[200, 200] = float("nan")
    assert torch.linalg.cholesky_ex(a).info == 201
    b = torch.eye(600)
    b[450] = 0
    assert torch.linalg.inv_ex(b).info == 451 and torch.linalg.lu_factor_ex(b).info == 451


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", [(90, 40), (300, 100), (400, 130)])
def test_rank_of_least_squares_of_tall_matrices(shape, dtype):
    """The diagonal of R decides whether lstsq uses column pivoting: full rank, dependent columns, and orthogonal columns of
    which one is small, single and batched."""
    m, n = shape
    a, b = matrices(m, n, dtype=dtype), matrices(m, 3, dtype=dtype, seed=5)
    dependent, small = a.copy(), np.zeros_like(a)
    dependent[:, -1] = 2 * a[:, 0]
    small[:n] = np.diag([1] * (n - 1) + [1e-20])
    found = torch.linalg.lstsq(torch.from_numpy(np.stack([a, dependent, small])), torch.from_numpy(b).expand(3, m, 3))
    assert found.rank.tolist() == [n, n - 1, n - 1]
    for x, matrix in zip(found.solution, (a, dependent, small)):
        wide = np.promote_types(dtype, "float64")
        want = np.linalg.lstsq(matrix.astype(wide), b.astype(wide), rcond=1e-6)[0]
        assert close(x, want.astype(dtype), KINDS[dtype] * 500)


def test_differentiable_results_of_least_squares():
    found = torch.linalg.lstsq(torch.from_numpy(matrices(4, 2)).requires_grad_(), torch.from_numpy(matrices(4, 1)), driver="gelsd")
    assert [t.requires_grad for t in found] == [True, True, False, False]
    A, B = torch.zeros(3, 0, requires_grad=True), (torch.arange(6.).reshape(3, 2) + 1).requires_grad_()  # the residual is all of B
    found = torch.linalg.lstsq(A, B, driver="gelsd")
    assert found.residuals.tolist() == [35., 56.] and found.rank.item() == 0
    ga, gb = torch.autograd.grad(found.residuals.sum(), (A, B), retain_graph=True)
    assert ga.shape == (3, 0) and gb.tolist() == [[2., 4.], [6., 8.], [10., 12.]]
    assert torch.autograd.grad(found.solution.sum(), (A, B))[1].tolist() == [[0., 0.]] * 3
    nothing = torch.linalg.lstsq(A, B, driver="gelsy").residuals  # this driver returns no residuals
    assert torch.autograd.grad(nothing.sum(), (A, B), allow_unused=True) == (None, None)


def test_factors_of_one_call_are_one_node():
    A = torch.from_numpy(matrices(3, 4)).requires_grad_()
    P, L, U = torch.linalg.lu(A)
    assert not P.requires_grad and L.grad_fn is U.grad_fn and L.grad_fn.name() == "LinalgLuBackward0"
    assert gradcheck(lambda a: torch.linalg.lu(a)[1:], A) and gradgradcheck(lambda a: torch.linalg.lu(a)[1:], A)
    P, L, U = torch.linalg.lu(torch.zeros(2, 0, 0), pivot=False)
    assert P.shape == (0,) and L.shape == (2, 0, 0)


def test_lu_of_old_writes_out():
    a = torch.from_numpy(matrices(3, 3))
    out = (torch.empty(0, dtype=torch.float64), torch.ones(5, dtype=torch.int64))
    assert torch.lu(a, out=out) is out and torch.equal(out[0], torch.linalg.lu_factor(a)[0]) and out[1].shape == (3,)
    with pytest.raises(TypeError, match="expected tuple of 3 elements but got 2"):
        torch.lu(a, get_infos=True, out=out)
