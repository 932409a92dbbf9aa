# SPDX-License-Identifier: BSD-3-Clause
"""Training scripts written for PyTorch (tests/scripts). test_training_scripts.py runs them with Corten and compares their
output with that under PyTorch, which `make record` writes to tests/recorded/python/training_script.json.gz."""
import os
import pathlib
import subprocess
import sys

SCRIPTS = {path.stem: path for path in sorted((pathlib.Path(__file__).resolve().parents[2] / "scripts").glob("*.py"))}


def output(command):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def facts(torch):
    return {name: output([sys.executable, path]) for name, path in SCRIPTS.items()}
