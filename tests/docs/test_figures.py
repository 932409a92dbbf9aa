# SPDX-License-Identifier: BSD-3-Clause
"""The figures in README.md match one recorded run of bench/readme.py."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_readme_shows_the_recorded_run():
    shown = subprocess.run([sys.executable, ROOT / 'bench/readme.py', '--show'], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() in (ROOT / 'README.md').read_text()
