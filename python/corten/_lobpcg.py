# SPDX-License-Identifier: BSD-3-Clause
"""lobpcg as Python calls it: parameters in dictionaries, and the object that a tracker looks at."""
from ._C import _submodules

__all__ = ["lobpcg"]
_ORTHO = (("ortho_i_max", "ortho_j_max"), ("ortho_tol", "ortho_tol_drop", "ortho_tol_replace"), ("ortho_use_drop",))


class LOBPCG:
    """The state of one matrix's iterations; a tracker may set bvars["force_stop"]."""

    def __init__(self, tracker):
        self.tracker, self.bvars = tracker, {"_": False}

    def __str__(self):
        names = ("iparams", "fparams", "bparams", "ivars", "fvars", "bvars", "tvars", "A", "B", "iK", "X", "E")
        return "LOBPCG:\n" + "".join(f"  {name}={getattr(self, name)}\n" for name in names)

    def see(self, state):
        """Takes over what the library's step left."""
        def some(*names):
            return {name: state[name] for name in names}
        counts, tolerances, flags = _ORTHO if state["method"] == "ortho" else ((), (), ())
        for name in ("A", "B", "iK", "X", "E", "R", "S", "method"):
            setattr(self, name, state[name])
        self.iparams = some("m", "n", "k", "niter", *counts)
        if state["batch_index"] >= 0:
            self.iparams["batch_index"] = state["batch_index"]
        self.fparams, self.bparams = some("tol", *tolerances), some("largest", *flags)
        self.ivars = some("istep", "iterations_left", "converged_count", "converged_end",
                          *(("ortho_i", "ortho_j") if counts else ()))
        self.fvars = {"_": 0.0, **some("X_norm", "A_norm", "B_norm")}
        for i, j, error in state["ortho_rerr"]:
            self.fvars[f"ortho_VBU_rerr[{i}]" if j < 0 else f"ortho_UBUmI_rerr[{i}, {j}]"] = error
        self.tvars = some("rerr")

    def call_tracker(self):
        """Shows the state to the tracker."""
        self.tracker(self)


def _watched(tracker):
    """The tracker as the library calls it: with a dictionary, and a new worker for each matrix."""
    worker = None

    def call(state):
        nonlocal worker
        if state["istep"] == 1:
            worker = LOBPCG(tracker)
        worker.see(state)
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
