# SPDX-License-Identifier: BSD-3-Clause
"""Updates everything that the tests have recorded from PyTorch: `make record`, or PYTHON_WITH_TORCH record.py [NAME...]

- tests/python/facts/*.txt are handwritten expressions with PyTorch's results. If Corten differs on purpose, remove the
  entry.
- tests/python/cases/NAME_cases.py have a function `facts`, whose result goes to tests/recorded/python.
- tests/recorded/rows has cases that run.py chose from the samples of tests/ops; they are run again here.

Prints what has changed. NAME is the name of a file, such as `index`, `autograd` or `arithmetic`; the default is all files.
Each module of cases runs in a separate process, since some change global settings.
"""
import importlib
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / folder) for folder in ("recorded", "ops", "python/cases", "python/facts")]
import recorded  # noqa: E402
from expressions import FACTS, ask, entries, forget  # noqa: E402
from run_worker import answers  # noqa: E402

CASES = {path.stem.removesuffix("_cases"): path.stem for path in sorted((TESTS / "python/cases").glob("*_cases.py"))}


def record_expressions(path):
    import torch
    text = path.read_text()
    for expression, before in entries(path):
        answer = ask(torch, expression)
        forget(torch)
        if answer != before:
            print(f"{path.stem}: {expression}\n  was {before}\n  now {answer}")
            text = text.replace(f">>> {expression}\n{before}\n", f">>> {expression}\n{answer}\n")
    path.write_text(text)


def record_cases(name):
    """Runs in this process."""
    import torch
    torch.set_num_threads(1)
    facts = json.loads(json.dumps(importlib.import_module(CASES[name]).facts(torch)))
    before = recorded.read(f"python/{name}") if recorded.path(f"python/{name}").exists() else {}
    for case in facts.keys() | before.keys():
        if json.dumps(facts.get(case)) != json.dumps(before.get(case)):  # NaN is not equal to itself
            print(f"{name}: {case}\n  was {str(before.get(case))[:300]}\n  now {str(facts.get(case))[:300]}")
    recorded.write(f"python/{name}", facts)


def record_rows(table):
    name = recorded.tables()[table]
    before = recorded.read(name)
    asked = [[row, *case[:-1]] for row, cases in before.items() for case in cases]
    with tempfile.TemporaryDirectory() as folder:
        said = iter(answers("torch", sys.executable, asked, Path(folder)))
    facts = {row: [[*case[:-1], next(said)] for case in cases] for row, cases in before.items()}
    for row, cases in facts.items():
        for now, was in zip(cases, before[row]):
            if now != was:
                print(f"{table}: {row} {now[:-1]}\n  was {was[-1][:300]}\n  now {now[-1][:300]}")
    recorded.write(name, facts)


def main(chosen):
    warnings.simplefilter("ignore")
    if chosen[:1] == ["--in-this-process"]:
        return record_cases(chosen[1])
    for path in FACTS:
        if not chosen or path.stem in chosen:
            record_expressions(path)
    for name in CASES:
        if not chosen or name in chosen:
            done = subprocess.run([sys.executable, __file__, "--in-this-process", name], stderr=subprocess.PIPE, text=True)
            if done.returncode and "No module named 'torchvision'" in done.stderr:
                print(f"{name}: left as it is, since torchvision is not installed")
            elif done.returncode:
                sys.exit(f"{name} could not be recorded:\n{done.stderr}")
    for table in recorded.tables():
        if not chosen or table in chosen:
            record_rows(table)


if __name__ == "__main__":
    main(sys.argv[1:])
