# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of rows that PyTorch 2.15 has dropped, or has only for other devices, in terms of its remaining functions.
Their facts are recorded from these definitions."""
from collections import namedtuple
from contextlib import contextmanager

Eig, SymEig = namedtuple("eig", "eigenvalues eigenvectors"), namedtuple("symeig", "eigenvalues eigenvectors")
Solve, Gels, QR = namedtuple("solve", "solution LU"), namedtuple("gels", "solution QR"), namedtuple("qr", "Q R")


def functions(torch):
    """Returns {row name: function}."""
    linalg = torch.linalg

    def eig(input, eigenvectors=False):
        values, vectors = linalg.eig(input)
        second = values.imag < 0  # for a conjugate pair: the imaginary part of the first vector
        columns = torch.where(second, vectors.imag.roll(1, 1), vectors.real) if eigenvectors else input.new_empty(0)
        return Eig(torch.view_as_real(values).clone(), columns)

    def symeig(input, eigenvectors=False, upper=True):
        values, vectors = linalg.eigh(input, "U" if upper else "L")
        return SymEig(values, vectors if eigenvectors else input.new_empty(0))

    def gels(input, A):
        factors, tau = torch.geqrf(A)
        solution = linalg.lstsq(A, input, driver="gels").solution
        left = torch.ormqr(factors, tau, input, transpose=True)[A.shape[1]:]
        return Gels(torch.cat([solution, left]).mT.contiguous().mT, factors)

    def product(plain):
        return lambda *args, **kwargs: plain(*(t.to(args[-1]) for t in args[:-1]), **kwargs)

    return {
        "eig": eig, "symeig": symeig, "gels": gels,
        "solve": lambda input, A: Solve(linalg.solve(A, input), linalg.lu_factor(A)[0]),
        "cholesky": lambda input, upper=False, **kwargs: linalg.cholesky(input, upper=upper, **kwargs),
        "qr": lambda input, some=True: QR(*linalg.qr(input, "reduced" if some else "complete")),
        **{f"{f.__name__}.dtype": product(f) for f in (torch.mm, torch.bmm, torch.addmm, torch.baddbmm)},
    }


@contextmanager
def said_anew(torch, row, function):
    """Context in which these functions are installed in the module and in Tensor."""
    name = row.split(".")[0]
    places = [(torch, getattr(torch, name, None)), (torch.Tensor, getattr(torch.Tensor, name, None))] if function else []
    for place, _ in places:
        setattr(place, name, function)
    try:
        yield
    finally:
        for place, old in places:
            setattr(place, name, old)
