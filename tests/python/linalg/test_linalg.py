# SPDX-License-Identifier: BSD-3-Clause
"""Linear algebra compared with NumPy's and checked by definition: residuals, derivatives at singular matrices, errors."""
import functools
import math
import os
import subprocess
import sys

import corten as torch
import pytest
from matrix_cases import KINDS, close, matrices

np = pytest.importorskip("numpy")


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (5, 5), (40, 40), (3, 4, 4), (2, 3, 5, 5), (200, 6, 6), (0, 0), (0, 3, 3), (2, 0, 0)])
def test_square_matrices_beside_numpy(shape, dtype):
    a, limit = matrices(*shape, dtype=dtype), KINDS[dtype] * 50
    b = matrices(*shape[:-1], 2, dtype=dtype, seed=2)
    x = torch.from_numpy(a)
    assert close(torch.linalg.inv(x).numpy(), np.linalg.inv(a), limit * 10)
    assert close(torch.linalg.solve(x, torch.from_numpy(b)).numpy(), np.linalg.solve(a, b), limit * 10)
    assert close(torch.linalg.det(x).numpy(), np.linalg.det(a), limit)
    sign, logabs = np.linalg.slogdet(a)
    mine = torch.linalg.slogdet(x)
    assert close(mine.sign.numpy(), sign, limit) and close(mine.logabsdet.numpy(), logabs, limit)
    assert close((torch.linalg.inv(x) @ x).numpy(), np.broadcast_to(np.eye(shape[-1]), shape), limit * 10)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (2, 3), (30, 20), (20, 30), (4, 5, 3), (100, 3, 3), (2, 2, 3, 5), (0, 3), (3, 0), (0, 2, 3)])
@pytest.mark.parametrize("full", [True, False])
def test_singular_values_beside_numpy(shape, dtype, full):
    a, limit = matrices(*shape, dtype=dtype), KINDS[dtype]
    u, s, vh = torch.linalg.svd(torch.from_numpy(a), full)
    m, n = shape[-2:]
    k = min(m, n)
    assert u.shape == (*shape[:-2], m, m if full else k) and vh.shape == (*shape[:-2], n if full else k, n)
    assert close(s.numpy(), np.linalg.svd(a, compute_uv=False), limit)
    assert close(torch.linalg.svdvals(torch.from_numpy(a)).numpy(), s.numpy(), limit)
    assert close(((u[..., :k] * s.unsqueeze(-2)) @ vh[..., :k, :]).numpy(), a, limit)
    for v in (u, vh.mH):
        unit = np.broadcast_to(np.eye(v.shape[-1]), (*shape[:-2], v.shape[-1], v.shape[-1]))
        assert close((v.mH @ v).numpy(), unit, limit)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (3, 6), (6, 3), (4, 3, 3), (2, 5, 40, 30), (0, 3), (3, 0), (0, 2, 2)])
def test_factors(shape, dtype):
    a, limit = matrices(*shape, dtype=dtype), KINDS[dtype]
    x = torch.from_numpy(a)
    p, low, up = torch.linalg.lu(x)
    assert close((p @ low @ up).numpy(), a, limit)
    assert (low.tril() == low).all() and (up.triu() == up).all() and (p.sum(-1) == 1).all() and (p.sum(-2) == 1).all()
    if shape[-1] == shape[-2]:
        b = matrices(*shape[:-1], 2, dtype=dtype, seed=2)
        lu, pivots = torch.linalg.lu_factor(x)
        assert close(torch.linalg.lu_solve(lu, pivots, torch.from_numpy(b)).numpy(), np.linalg.solve(a, b), limit * 100)
        turned = torch.linalg.lu_solve(lu, pivots, torch.from_numpy(b), adjoint=True)
        assert close((x.mH @ turned).numpy(), b, limit * 100)


def test_pivots_that_are_no_rows():
    for bad in ([0, 1], [1, 3], [-5, 1], [2 ** 30, 1]):
        pivots = torch.tensor(bad, dtype=torch.int32)
        with pytest.raises(RuntimeError, match="Did you properly pass the result of lu_factor"):
            torch.linalg.lu_solve(torch.eye(2), pivots, torch.ones(2, 1))
        with pytest.raises(RuntimeError, match="pivots passed to lu_unpack"):
            torch.lu_unpack(torch.eye(2), pivots)


@pytest.mark.parametrize("ord", [None, 1, -1, 2, -2, math.inf, -math.inf, "fro", "nuc"])
@pytest.mark.parametrize("dtype", KINDS)
def test_norms_beside_numpy(ord, dtype):
    a, limit = matrices(4, 5, dtype=dtype), KINDS[dtype]
    x = torch.from_numpy(a)
    assert close(torch.linalg.norm(x, ord).numpy(), np.asarray(np.linalg.norm(a, ord)), limit)
    if ord == "nuc":
        assert close(torch.norm(x, p="nuc").numpy(), np.asarray(np.linalg.norm(a, "nuc")), limit)
        assert close(x.norm("nuc").numpy(), np.asarray(np.linalg.norm(a, "nuc")), limit)


@pytest.mark.parametrize("n", [-1, -2, -3, -7])
def test_negative_powers(n):
    a = matrices(3, 4, 4) + 3 * np.eye(4)
    assert close(torch.matrix_power(torch.from_numpy(a), n).numpy(), np.linalg.matrix_power(a, n), 1e-9)


def test_strides_flips_and_conjugates():
    a = matrices(6, 6, dtype="complex128")
    for mine, theirs in ((torch.from_numpy(a)[::2, 1::2], a[::2, 1::2]), (torch.from_numpy(a).conj(), a.conj()), (torch.from_numpy(a).T, a.T),
                         (torch.from_numpy(a).mH, a.conj().T), (torch.from_numpy(a)[:3, :3].expand(2, 3, 3), np.broadcast_to(a[:3, :3], (2, 3, 3)))):
        assert close(torch.linalg.inv(mine).resolve_conj().numpy(), np.linalg.inv(theirs), 1e-10)
        assert close(torch.linalg.det(mine).numpy(), np.linalg.det(theirs), 1e-10)
        assert close(torch.linalg.svdvals(mine).numpy(), np.linalg.svd(theirs, compute_uv=False), 1e-10)
    b = matrices(2, 6, dtype="complex128", seed=3)
    x = torch.linalg.solve(torch.from_numpy(a), torch.from_numpy(b), left=False)
    assert close((x @ torch.from_numpy(a)).numpy(), b, 1e-10)


def test_what_is_not_finite():
    nan, inf = math.nan, math.inf
    for bad in ([[nan, 1.], [1., 2.]], [[1., 2.], [3., nan]], [[inf, nan], [nan, inf]]):
        with pytest.raises(torch.linalg.LinAlgError, match="non-finite"):
            torch.linalg.svd(torch.tensor(bad))
        assert torch.linalg.inv(torch.tensor(bad)).isnan().any()
    with pytest.raises(torch.linalg.LinAlgError, match=r"\(Batch element 1\)"):
        torch.linalg.svdvals(torch.tensor([[[1., 2.], [3., 4.]], [[1., nan], [3., 4.]]]))
    assert torch.linalg.svdvals(torch.tensor([[inf, 1.], [1., 2.]])).isnan().all()


def test_an_error_of_its_own():
    assert issubclass(torch.linalg.LinAlgError, RuntimeError)
    assert torch.linalg.LinAlgError is torch._C._LinAlgError
    with pytest.raises(torch.linalg.LinAlgError, match="The diagonal element 2 is zero"):
        torch.ones(3, 3).inverse()
    with pytest.raises(torch.linalg.LinAlgError, match="The solver failed because the input matrix is singular"):
        torch.linalg.solve(torch.zeros(2, 2), torch.ones(2))
    out = torch.full((3, 3), 9.)
    with pytest.raises(torch.linalg.LinAlgError):
        torch.linalg.inv(torch.ones(3, 3), out=out)
    assert (out == 9).all()


def cofactors(a):
    minor = [[np.linalg.det(np.delete(np.delete(a, i, 0), j, 1)) * (-1) ** (i + j) for j in range(len(a))] for i in range(len(a))]
    return np.array(minor)


def test_derivative_of_a_singular_determinant():
    a = np.array([[1., 2, 3], [4, 5, 6], [5, 7, 9]])
    x = torch.tensor(a.tolist(), dtype=torch.float64, requires_grad=True)
    torch.linalg.det(x).backward()
    assert close(x.grad.numpy(), cofactors(a), 1e-9)
    # exactly singular, differentiated twice: det of [[p, 0], [0, s]] at s = 0 has d2/dp ds = 1
    x = torch.tensor([[2., 0], [0, 0]], dtype=torch.float64, requires_grad=True)
    first, = torch.autograd.grad(torch.linalg.det(x), x, create_graph=True)
    assert close(first.detach().numpy(), np.array([[0., 0], [0, 2]]), 1e-12)
    second, = torch.autograd.grad(first[1, 1], x)
    assert close(second.numpy(), np.array([[1., 0], [0, 0]]), 1e-12)


@pytest.mark.filterwarnings("error")
def test_phase_of_singular_vectors():
    x = torch.from_numpy(matrices(3, 3, dtype="complex128")).requires_grad_()
    u, _, vh = torch.linalg.svd(x)
    with pytest.raises(RuntimeError, match="svd_backward: The singular vectors in the complex case"):
        torch.view_as_real(u).sum().backward()
    u, s, vh = torch.linalg.svd(x)  # a loss that does not depend on the phase: the nearest matrix of rank 2
    near = (u[:, :2] * s[:2]) @ vh[:2]
    grad, = torch.autograd.grad(near[0, 1].abs(), x)
    step, place = 1e-6, (1, 2)

    def loss(h):
        y = x.detach().clone()
        y[place] += h
        u, s, vh = torch.linalg.svd(y)
        return ((u[:, :2] * s[:2]) @ vh[:2])[0, 1].abs().item()

    slope = complex((loss(step) - loss(-step)) / (2 * step), (loss(step * 1j) - loss(-step * 1j)) / (2 * step))
    assert abs(grad[place].item() - slope) < 1e-6


def run(code, **env):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **env})


def test_without_a_library():
    done = run("import corten\ntry:\n    corten.ones(2, 2).inverse()\nexcept RuntimeError as e:\n    print(e)\nprint(corten.ones(2, 2) @ corten.ones(2, 2))",
               CORTEN_BLAS="none")
    assert "needs a LAPACK library" in done.stdout and "tensor([[2., 2.]" in done.stdout


def test_opened_at_the_first_use():
    done = run("import corten\nx = corten.eye(3) * 2\nnames = lambda: 'openblas' in open('/proc/self/maps').read()\nbefore = names()\nx.inverse()\nprint(before, names())",
               CORTEN_ISA="avx2")
    assert done.stdout.startswith(("False True", "True True")), done.stderr


def test_opening_leaves_the_process_as_it_was():
    """LAPACK starts no threads, and the environment is not modified, since other threads may be reading it."""
    code = ("import corten, ctypes, os\ncorten.set_num_threads(1)\nplace = ctypes.c_void_p.in_dll(ctypes.CDLL(None), 'environ')\n"
            "look = lambda: (place.value, len(os.listdir('/proc/self/task')), os.sched_getaffinity(0))\n"
            "before = look()\n(corten.eye(40) * 2 + 1).inverse()\nprint(before == look())")
    assert run(code).stdout == "True\n"


def test_threads_do_not_change_bits():
    code = ("import corten, hashlib\ncorten.manual_seed(1)\nx = corten.randn(300, 12, 12)\n"
            "print(hashlib.sha256(corten.linalg.inv(x).numpy().tobytes() + corten.linalg.svdvals(x).numpy().tobytes()).hexdigest())")
    assert run(code, OMP_NUM_THREADS="1").stdout == run(code, OMP_NUM_THREADS="4").stdout != ""


@pytest.mark.parametrize("name", ["linalg.qr", "linalg.svd", "linalg.lu", "linalg.eigh", "linalg.slogdet", "linalg.cholesky_ex", "linalg.inv_ex", "linalg.lu_factor",
                                  "linalg.ldl_factor", "linalg.polar", "geqrf", "qr", "sort", "aminmax"])
def test_several_results_are_written_all_or_none(name):
    function, a = functools.reduce(getattr, name.split("."), torch), torch.eye(3)
    made = function(a)
    for wrong in range(len(made)):
        out = [torch.full_like(r, 7) for r in made]
        out[wrong] = torch.full((1,), 7, dtype=torch.int16 if made[wrong].is_floating_point() else torch.bool)
        with pytest.raises(RuntimeError):
            function(a, out=tuple(out))
        assert all((o == torch.tensor(7, dtype=o.dtype)).all() for o in out) and out[wrong].shape == (1,)


def test_norms_without_a_derivative():
    x = torch.ones(3, requires_grad=True)
    assert torch.autograd.grad(torch.linalg.vector_norm(x, 0), x, allow_unused=True) == (None,)
    assert not torch.linalg.matrix_norm(torch.zeros(3, 0, requires_grad=True), 1).requires_grad
    with pytest.raises(RuntimeError, match="dim must be a 2-tuple. Got 0 1 2"):
        torch.norm(torch.ones(2, 2, 2), dim=(0, 1, 2))


def test_elements_are_looked_at_before_the_shape():
    with pytest.raises(RuntimeError, match="torch.linalg.eig: input tensor should not contain infs or NaNs."):
        torch.linalg.eig(torch.tensor([math.nan, 1.]))
    with pytest.raises(RuntimeError, match="linalg.eigvals: The input tensor A must have at least 2 dimensions."):
        torch.linalg.eigvals(torch.tensor([math.nan, 1.]))
