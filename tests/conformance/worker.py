# SPDX-License-Identifier: BSD-3-Clause
"""Runs cases in one library and writes their facts, one per line: worker.py LIBRARY CASES FACTS FIRST.

Each fact is written immediately, so that the parent knows at which case the process died. run.py starts
this with Corten's Python and with PyTorch's.
"""
import importlib
import json
import re
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops"))
from dropped import functions, said_anew  # noqa: E402
from facts import Case, fact  # noqa: E402


# warnings about PyTorch's future plans
EXPERIMENT = re.compile(r" \? UserWarning: (ComplexHalf support is experimental and many operators don't support it yet\.|"
                        r"Sparse [CB]S[RC] tensor support is in beta state\.[^?]*issues\.)")


def main(library, cases, facts, first):
    torch = importlib.import_module(library)
    torch.set_num_threads(1)
    if hasattr(torch, "set_warn_always"):
        torch.set_warn_always(True)  # not only for the first call
    with open(cases) as f:
        cases = [Case(*c) for c in json.load(f)[int(first):]]
    anew = functions(torch) if library == "torch" else {}
    with open(facts, "a", buffering=1) as out:
        for case in cases:
            signal.alarm(20)  # no handler: a case that hangs ends this process
            with said_anew(torch, case.row, anew.get(case.row)):
                out.write(json.dumps(EXPERIMENT.sub("", fact(torch, case))) + "\n")
        signal.alarm(0)


main(*sys.argv[1:])
