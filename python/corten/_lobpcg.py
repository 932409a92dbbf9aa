# SPDX-License-Identifier: BSD-3-Clause
"""A few eigenvalues of a large matrix by the locally optimal block preconditioned conjugate gradient method.

The basic method is A. Knyazev's (SIAM J. Sci. Comput. 23, 2001), the other one, `ortho`, that of J. Duersch, M. Shao,
C. Yang and M. Gu (SIAM J. Sci. Comput. 40, 2018), with the orthogonalisation of A. Stathopoulos and K. Wu (2002).
The worker's attributes are what a tracker may look at; all arithmetic is done by tensors.
"""
from . import _C, linalg
from .autograd import Function, grad

__all__ = ["lobpcg"]
_TOLERANCES = {_C.float32: 1.2e-07 ** 0.5, _C.float64: 2.23e-16 ** 0.5}


def _times(A, B):
    """A B; no A is the unit matrix."""
    return B if A is None else _C.matmul(A, B)


def _form(A, S):
    """S^T A S."""
    return _C.matmul(S.mT, _times(A, S))


def _eigen(A, largest=False):
    """Eigenvalues and vectors, the least or the largest first."""
    E, Z = linalg.eigh(A, UPLO="U")
    return (E.flip(-1), Z.flip(-1)) if largest else (E, Z)


def _norm(x):
    return linalg.vector_norm(x)


class LOBPCG:
    """The state of one matrix's iterations."""

    def __init__(self, A, B, X, iK, iparams, fparams, bparams, method, tracker):
        self.A, self.B, self.iK = A, B, iK
        self.iparams, self.fparams, self.bparams = iparams, fparams, bparams
        self.method, self.tracker = method, tracker
        m, n = iparams["m"], iparams["n"]
        like = {"dtype": X.dtype, "device": X.device}
        self.X = X
        self.E, self.R, self.S = _C.zeros((n,), **like), _C.zeros((m, n), **like), _C.zeros((m, 3 * n), **like)
        self.tvars, self.ivars, self.fvars, self.bvars = {}, {"istep": 0}, {"_": 0.0}, {"_": False}

    def __str__(self):
        names = ("iparams", "fparams", "bparams", "ivars", "fvars", "bvars", "tvars", "A", "B", "iK", "X", "E")
        return "LOBPCG:\n" + "".join(f"  {name}={getattr(self, name)}\n" for name in names)

    def update(self):
        """One step; the first one makes ready for the others."""
        if self.ivars["istep"] == 0:
            size = _norm(self.X)
            self.fvars["X_norm"] = float(size)
            self.fvars["A_norm"] = float(_norm(_times(self.A, self.X)) / size)
            self.fvars["B_norm"] = float(_norm(_times(self.B, self.X)) / size)
            self.ivars.update(iterations_left=self.iparams["niter"], converged_count=0, converged_end=0)
        if self.method == "ortho":
            self._update_ortho()
        else:
            self._update_basic()
        self.ivars["iterations_left"] -= 1
        self.ivars["istep"] += 1

    def update_residual(self):
        """R = A X - B X E."""
        self.R = _times(self.A, self.X) - _times(self.B, self.X) * self.E

    def update_converged_count(self):
        """How many pairs have converged, from the first on; may be redefined."""
        before = self.ivars["converged_count"]
        scale = self.fvars["A_norm"] + _C.abs(self.E[:self.X.shape[-1]]) * self.fvars["B_norm"]
        rerr = linalg.vector_norm(self.R, 2, (0,)) / (linalg.vector_norm(self.X, 2, (0,)) * scale)
        good = [*(rerr < self.fparams["tol"]).tolist(), False]
        count = good.index(False)
        if count < before:
            raise AssertionError(f"the number of converged eigenpairs (was {before}, got {count}) cannot decrease")
        self.ivars["converged_count"] = count
        self.tvars["rerr"] = rerr
        return count

    def stop_iteration(self):
        """Enough steps, enough pairs, or a tracker's word."""
        return (self.bvars.get("force_stop", False) or self.ivars["iterations_left"] == 0
                or self.ivars["converged_count"] >= self.iparams["k"])

    def run(self):
        """Steps until stop_iteration says so."""
        self.update()
        self.call_tracker()
        while not self.stop_iteration():
            self.update()
            self.call_tracker()

    def call_tracker(self):
        """Shows the state to the tracker, if there is one."""
        if self.tracker is not None:
            self.tracker(self)

    def _start(self):
        """The first vectors, made orthogonal, and their eigenvalues."""
        Ri = self._get_rayleigh_ritz_transform(self.X)
        E, Z = _eigen(_form(_form(self.A, self.X), Ri), self.bparams["largest"])
        return E, _C.matmul(self.X, _C.matmul(Ri, Z))

    def _gather(self, P, W):
        """S = [X, P, W], and where it ends."""
        n, place = self.iparams["n"], self.iparams["n"]
        self.S[:, :n] = self.X
        for part in (P, W):
            if part is not None:
                self.S[:, place:place + part.shape[-1]] = part
                place += part.shape[-1]
        self.ivars["converged_end"] = place

    def _update_basic(self):
        n, nc, P = self.iparams["n"], self.ivars["converged_count"], None
        if self.ivars["istep"] == 0:
            E, X = self._start()
            self.X[:], self.E[:] = X, E
            nc = 0
        else:
            S = self.S[:, nc:self.ivars["converged_end"]]
            Ri = self._get_rayleigh_ritz_transform(S)
            E, Z = _eigen(_form(_form(self.A, S), Ri), self.bparams["largest"])
            self.X[:, nc:] = _C.matmul(S, _C.matmul(Ri, Z[:, :n - nc]))
            self.E[nc:] = E[:n - nc]
            P = _C.matmul(S, _C.matmul(Ri, Z[:, n:2 * n - nc]))
        self.update_residual()
        done = self.update_converged_count()
        self._gather(P, _times(self.iK, self.R if P is None else self.R[:, done:]))

    def _update_ortho(self):
        n, nc, P = self.iparams["n"], self.ivars["converged_count"], None
        if self.ivars["istep"] == 0:
            self.X = self._start()[1]
        else:
            S = self.S[:, nc:self.ivars["converged_end"]]
            E, Z = _eigen(_form(self.A, S), self.bparams["largest"])
            self.X[:, nc:] = _C.matmul(S, Z[:, :n - nc])
            self.E[nc:] = E[:n - nc]
            P = _C.matmul(S, _C.matmul(Z[:, n - nc:], linalg.qr(Z[:n - nc, n - nc:].mT).Q))
        self.update_residual()
        done = self.update_converged_count()
        if P is None:
            self._gather(None, self._get_ortho(self.R, self.X))
        else:
            self._gather(P, self._get_ortho(self.R[:, done:], _C.cat([self.X, P], -1)))

    def _get_rayleigh_ritz_transform(self, S):
        """Upper triangular Ri with Ri^T S^T B S Ri = 1: by Cholesky's factor of S^T B S, scaled to a diagonal of 1."""
        SBS = _form(self.B, S)
        scale = SBS.diagonal(0, -2, -1) ** -0.5
        R = linalg.cholesky((SBS * scale) * scale.reshape(-1, 1), upper=True)
        return linalg.solve_triangular(R, scale.diag_embed(), upper=True, left=False)

    def _get_svqb(self, U, drop, tau):
        """B-orthonormal columns with the span of U; `drop` leaves out those that add little to it."""
        if U.numel() == 0:
            return U
        UBU = _form(self.B, U)
        d = UBU.diagonal(0, -2, -1)
        some = d != 0
        if not some.all():
            U = U[:, some]
            if U.numel() == 0:
                return U
            UBU = _form(self.B, U)
            d = UBU.diagonal(0, -2, -1)
        column = (d ** -0.5).reshape(-1, 1)
        E, Z = _eigen((UBU * column) * column.mT)
        least = tau * E.abs().max()
        if drop:
            keep = least < E
            E, Z, column = E[keep], Z[:, keep], column[keep]
        else:
            E = _C.where(E < least, least, E)
        return _C.matmul(U * column.mT, Z * E ** -0.5)

    def _get_ortho(self, U, V):
        """B-orthonormal columns of U, B-orthogonal to those of V; none are left where V has them all."""
        tol, use_drop = self.fparams["ortho_tol"], self.bparams["ortho_use_drop"]
        for key in [k for k in self.fvars if k.startswith("ortho_") and k.endswith("_rerr")]:
            self.fvars.pop(key)
        self.ivars.pop("ortho_i", 0)
        self.ivars.pop("ortho_j", 0)
        size, i, j = _norm(_times(self.B, V)), 0, 0
        VBU = _C.matmul(V.mT, _times(self.B, U))
        for i in range(self.iparams["ortho_i_max"]):
            U = U - _C.matmul(V, VBU)
            for j in range(self.iparams["ortho_j_max"]):
                first = use_drop and j == 0
                U = self._get_svqb(U, use_drop and j > 0,
                                   self.fparams["ortho_tol_drop" if first else "ortho_tol_replace"])
                if U.numel() == 0:
                    self.ivars.update(ortho_i=i, ortho_j=j)
                    return U
                BU = _times(self.B, U)
                UBU = _C.matmul(U.mT, BU)
                unit = _C.eye(UBU.shape[-1], device=UBU.device, dtype=UBU.dtype)
                rerr = float(_norm(UBU - unit).double() / (_norm(BU) * _norm(U)))
                self.fvars[f"ortho_UBUmI_rerr[{i}, {j}]"] = rerr
                if rerr < tol:
                    break
            VBU = _C.matmul(V.mT, BU)
            rerr = float(_norm(VBU).double() / (size * _norm(U)))
            self.fvars[f"ortho_VBU_rerr[{i}]"] = rerr
            if rerr < tol:
                break
            if self.iparams["m"] < U.shape[-1] + V.shape[-1]:
                if self.B is None:
                    raise AssertionError("B must not be None")
                raise ValueError(f"Overdetermined shape of U: #B-cols(={self.B.shape[-1]}) >= #U-cols(={U.shape[-1]}) + "
                                 f"#V-cols(={V.shape[-1]}) must hold")
        self.ivars.update(ortho_i=i, ortho_j=j)
        return U


def _one(A, B, X, iK, parameters, n, method, tracker):
    m, k = A.shape[-1], parameters[0]["k"]
    if X is None:
        X = _C.randn((m, n), dtype=_floating(A), device=A.device)
    if tuple(X.shape) != (m, n):
        raise AssertionError(f"X shape mismatch: got {X.shape}, expected {(m, n)}")
    worker = LOBPCG(A, B, X, iK, *parameters, method, tracker)
    worker.run()
    return worker.E[:k], worker.X[:, :k]


def _floating(A):
    return A.dtype if A.dtype in (_C.float16, _C.float32, _C.float64) else _C.float32


def _parameters(A, k, n, niter, tol, largest, method, ortho):
    """The worker's three dictionaries."""
    tol = _TOLERANCES[_floating(A)] if tol is None else tol
    iparams = {"m": A.shape[-1], "n": n, "k": k, "niter": 1000 if niter is None else niter}
    fparams, bparams = {"tol": tol}, {"largest": True if largest is None else largest}
    if method == "ortho":
        for own, given in zip((iparams, fparams, bparams), ortho):
            own.update(given or {})
        for own, usual in ((iparams, {"ortho_i_max": 3, "ortho_j_max": 3}), (bparams, {"ortho_use_drop": False}),
                           (fparams, dict.fromkeys(("ortho_tol", "ortho_tol_drop", "ortho_tol_replace"), tol))):
            own.update({name: own.get(name, value) for name, value in usual.items()})
    return iparams, fparams, bparams


def _lobpcg(A, k, B, X, n, iK, niter, tol, largest, method, tracker, *ortho):
    if A.shape[-2] != A.shape[-1]:
        raise AssertionError(f"A must be square, got shape {A.shape}")
    if B is not None and A.shape != B.shape:
        raise AssertionError(f"A and B must have same shape, got {A.shape} vs {B.shape}")
    m, method = A.shape[-1], "ortho" if method is None else method
    k = (1 if X is None else X.shape[-1]) if k is None else k
    n = (k if n is None else n) if X is None else X.shape[-1]
    if m < 3 * n:
        raise ValueError(f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than 3 x the "
                         f"number of requested eigenpairs (={n})")
    parameters = _parameters(A, k, n, niter, tol, largest, method, ortho)
    if A.ndim == 2:
        return _one(A, B, X, iK, parameters, n, method, tracker)
    batch, found = A.shape[:-2], []
    flat = [None if t is None else t.flatten(0, -3) for t in (A, B, X)]
    for i in range(flat[0].shape[0]):
        parameters[0]["batch_index"] = i
        found.append(_one(*(None if t is None else t[i] for t in flat), iK, parameters, n, method, tracker))
    return (_C.stack([E for E, _ in found]).reshape(batch + (k,)),
            _C.stack([V for _, V in found]).reshape(batch + (m, k)))


class LOBPCGAutogradFunction(Function):
    """The derivative is that of all eigenvalues, of which some are asked for."""

    @staticmethod
    def forward(ctx, A, k, B, X, n, iK, niter, tol, largest, *rest):
        D, U = _lobpcg(A.contiguous(), k, None if B is None else B.contiguous(), X, n, iK, niter, tol, largest, *rest)
        ctx.save_for_backward(A, B, D, U)
        ctx.largest = largest is None or largest
        return D, U

    @staticmethod
    def backward(ctx, D_grad, U_grad):
        A, B, D, U = ctx.saved_tensors
        D, U = D.detach(), U.detach()
        if A.is_complex() or (B is not None and B.is_complex()):
            raise ValueError("lobpcg.backward does not support complex input yet. Note that lobpcg.forward does though.")
        if B is not None:
            raise ValueError("lobpcg.backward does not support backward with B != I yet.")
        again, k = _C.is_grad_enabled(), D.shape[-1]
        with _C.enable_grad():
            if not A.requires_grad:
                A = A.detach().requires_grad_()
            E, V = _eigen(A, ctx.largest)
            E, V = E[..., :k], V[..., :k]
            turned = _C.copysign(_C.ones_like(D), (V.detach() * U).sum(-2)).unsqueeze(-2)  # to the same side as U
            found = grad((E, V * turned), A, (D_grad, U_grad), create_graph=again)[0]
        return (found,) + (None,) * 13


def lobpcg(A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None,
           ortho_iparams=None, ortho_fparams=None, ortho_bparams=None):
    """The k largest eigenvalues, or the least, of A, or of A beside B, and their vectors.

    X: where to start (n vectors at random otherwise); iK: the preconditioner; method: "ortho" or "basic"; tracker:
    called with the state of each step."""
    if A.requires_grad or (B is not None and B.requires_grad):
        A = (A + A.mT) / 2  # the gradient equals its transpose too
        B = None if B is None else (B + B.mT) / 2
        return LOBPCGAutogradFunction.apply(A, k, B, X, n, iK, niter, tol, largest, method, tracker, ortho_iparams,
                                            ortho_fparams, ortho_bparams)
    return _lobpcg(A, k, B, X, n, iK, niter, tol, largest, method, tracker, ortho_iparams, ortho_fparams, ortho_bparams)
