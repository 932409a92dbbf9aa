# SPDX-License-Identifier: BSD-3-Clause
"""Training scripts written for PyTorch (tests/scripts), run unchanged by `python -m corten`: they print PyTorch's losses.

What they should print was recorded with PyTorch: PYTHON_WITH_TORCH tests/python/test_scripts.py
"""
import os
import pathlib
import re
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parents[1] / "scripts"
NAMES = sorted(path.stem for path in SCRIPTS.glob("*.py"))
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def output(command):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def close(mine, theirs):
    """The last digit that is printed may be off by one, and the rest by 1e-4."""
    digits = len(theirs.partition(".")[2].partition("e")[0])
    return abs(float(mine) - float(theirs)) <= 1e-4 * abs(float(theirs)) + 1.01 * 10.0**-digits


if __name__ == "__main__":
    for name in NAMES:
        (SCRIPTS / "expected" / f"{name}.txt").write_text(output([sys.executable, SCRIPTS / f"{name}.py"]))
else:
    import pytest

    @pytest.mark.parametrize("name", NAMES)
    def test_script(name):
        mine = output([sys.executable, "-m", "corten", SCRIPTS / f"{name}.py"])
        theirs = (SCRIPTS / "expected" / f"{name}.txt").read_text()
        assert NUMBER.sub("#", mine) == NUMBER.sub("#", theirs)
        wrong = [pair for pair in zip(NUMBER.findall(mine), NUMBER.findall(theirs)) if not close(*pair)]
        assert not wrong
