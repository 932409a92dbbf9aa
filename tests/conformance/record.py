# SPDX-License-Identifier: BSD-3-Clause
"""Records anew what tests/python has from PyTorch: PYTHON_WITH_TORCH tests/conformance/record.py [NAME...]

facts/*.txt are expressions with PyTorch's answers; an answer that Corten means not to give is left out
of the file by whoever reviews the change. *_cases.py are scripts whose output is *_facts.txt. The facts
of rows are recorded by run.py; `make conformance` does both.
"""
import subprocess
import sys
import warnings
from pathlib import Path

import torch

PYTHON = Path(__file__).resolve().parents[1] / "python"
sys.path.insert(0, str(PYTHON))
from expressions import FACTS, ask, entries, forget  # noqa: E402


def record(path):
    text = path.read_text()
    for expression, before in entries(path):
        answer = ask(torch, expression)
        forget(torch)
        if answer != before:
            print(f"{path.stem}: {expression}\n  was {before}\n  now {answer}")
            text = text.replace(f">>> {expression}\n{before}\n", f">>> {expression}\n{answer}\n")
    path.write_text(text)


def main(chosen):
    warnings.simplefilter("ignore")
    for path in sorted(FACTS.glob("*.txt")):
        if not chosen or path.stem in chosen:
            record(path)
    for script in sorted(PYTHON.glob("*_cases.py")):
        facts = script.with_name(script.stem.removesuffix("_cases") + "_facts.txt")
        if facts.exists() and (not chosen or script.stem in chosen):
            done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
            facts.write_text(done.stdout)


main(set(sys.argv[1:]))
