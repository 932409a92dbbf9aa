# SPDX-License-Identifier: BSD-3-Clause
"""lobpcg as Python calls it: parameters in dictionaries, and the object that a tracker looks at."""
from ._C import _submodules

__all__ = ["lobpcg"]
_ORTHO = (("ortho_i_max", "ortho_j_max"), ("ortho_tol", "ortho_tol_drop", "ortho_tol_replace"))


class LOBPCG:
    """The state of one matrix's iterations, as python/src/tracker.c has it; a tracker may set bvars["force_stop"]."""

    def __init__(self, tracker):
        self.tracker, self.bvars = tracker, {"_": False}

    def __str__(self):
        names = ("iparams", "fparams", "bparams", "ivars", "fvars", "bvars", "tvars", "A", "B", "iK", "X", "E")
        return "LOBPCG:\n" + "".join(f"  {name}={getattr(self, name)}\n" for name in names)

    def call_tracker(self):
        """Shows the state to the tracker."""
        self.tracker(self)


def _watched(tracker):
    """The tracker as the library calls it: with a dictionary, and a new worker for each matrix."""
    worker = None

    def call(state):
        nonlocal worker
        if state["ivars"]["istep"] == 1:
            worker = LOBPCG(tracker)
        vars(worker).update(state)
        worker.call_tracker()
        return worker.bvars.get("force_stop", False)
    return call


def lobpcg(A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None,
           ortho_iparams=None, ortho_fparams=None, ortho_bparams=None):
    """The k largest eigenvalues, or the least, of A, or of A beside B, and their vectors.

    X: where to start (n vectors at random otherwise); iK: the preconditioner; method: "ortho" or "basic"; tracker:
    called with the state of each step."""
    given = [None if own is None else [own.get(name, -1) for name in names]  # -1: the usual one
             for own, names in zip((ortho_iparams, ortho_fparams), _ORTHO)]
    drop = None if ortho_bparams is None else bool(ortho_bparams.get("ortho_use_drop", False))
    return tuple(_submodules["_lobpcg"].lobpcg(A, k, B, X, n, iK, niter, tol, largest, method,
                                                None if tracker is None else _watched(tracker), *given, drop))
