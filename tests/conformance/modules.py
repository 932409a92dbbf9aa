# SPDX-License-Identifier: BSD-3-Clause
"""Every module of nn (tests/python/nn_cases.py) and what modules do (nn_behaviour_cases.py), in Corten and in PyTorch.

Called by run.py. PyTorch's facts are written to tests/python, where `make test` checks them without PyTorch.
"""
import gzip
import json
import subprocess
import sys
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1] / "python"
FACTS, TEXTS = PYTHON / "nn_facts.json.gz", PYTHON / "nn_behaviour_facts.txt"
sys.path.insert(0, str(PYTHON))


def compare(torch_python, most):
    """(cases, agree, differ); prints the first differences."""
    import nn_behaviour_cases
    import nn_cases
    from autograd_cases import run

    import corten
    subprocess.run([torch_python, PYTHON / "nn_cases.py", FACTS], check=True)
    said = subprocess.run([torch_python, PYTHON / "nn_behaviour_cases.py"], check=True, capture_output=True, text=True).stdout
    TEXTS.write_text(said)
    theirs = json.loads(gzip.decompress(FACTS.read_bytes()))
    mine = json.loads(json.dumps(nn_cases.all_facts(corten)))
    wrong = []
    for name, fact in theirs.items():
        dtype = name.rpartition(" | ")[2]
        wrong += [(name, d) for d in nn_cases.differences(mine[name], fact, nn_cases.TOLERANCE.get(dtype, 0))[:1]]
    for case in nn_behaviour_cases.CASES:
        text = f"== {case.__name__}\n{run(corten, case).replace('corten.', 'torch.')}\n"
        wrong += [] if text in said else [(case.__name__, "other text")]
    for name, difference in wrong[:most]:
        print(f"  [modules] {name}\n      {difference[:600]}")
    cases = len(theirs) + len(nn_behaviour_cases.CASES)
    return cases, cases - len(wrong), len(wrong)
