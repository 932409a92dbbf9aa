# SPDX-License-Identifier: BSD-3-Clause
"""Compares every module of nn (tests/python/cases/nn_cases.py) and the behaviour of modules (nn_behaviour_cases.py) in
Corten and in PyTorch.

run.py calls this. record.py writes PyTorch's results to tests/recorded/python, from which `make test` checks them
without PyTorch.
"""
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "recorded"), str(HERE.parent / "python/cases")]


def compare(torch_python, most):
    """Returns (cases, agree, differ) and prints the first differences."""
    import nn_behaviour_cases
    import nn_cases
    import recorded
    from autograd_cases import run

    import corten
    subprocess.run([torch_python, HERE / "record.py", "nn", "nn_behaviour"], check=True)
    theirs, said = recorded.read("python/nn"), recorded.read("python/nn_behaviour")
    mine = json.loads(json.dumps(nn_cases.facts(corten)))
    wrong = []
    for name, fact in theirs.items():
        dtype = name.rpartition(" | ")[2]
        wrong += [(name, d) for d in nn_cases.differences(mine[name], fact, nn_cases.TOLERANCE.get(dtype, 0))[:1]]
    for case in nn_behaviour_cases.CASES:
        text = run(corten, case).replace('corten.', 'torch.')
        wrong += [] if text == said[case.__name__] else [(case.__name__, "other text")]
    for name, difference in wrong[:most]:
        print(f"  [modules] {name}\n      {difference[:600]}")
    cases = len(theirs) + len(nn_behaviour_cases.CASES)
    return cases, cases - len(wrong), len(wrong)
