# SPDX-License-Identifier: BSD-3-Clause
"""Runs a few steps of each Python program in examples/; its loss must be a number. Meson tests the C examples."""
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(p.stem for p in EXAMPLES.glob("*.py") if "--steps" in p.read_text())


def test_there_are_some():
    assert {"loops", "train_cnn", "train_gpt", "train_lstm"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_program(name, tmp_path):
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py", "--steps", "3"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"step +3/3  loss +-?\d+\.\d+  ", done.stdout), done.stdout
