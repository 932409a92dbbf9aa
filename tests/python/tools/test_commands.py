# SPDX-License-Identifier: BSD-3-Clause
"""The commands of `python -m corten`: info and explain."""
import subprocess
import sys

import corten


def test_commands(tmp_path):
    def run(*args):
        return subprocess.run([sys.executable, '-m', 'corten', *args], capture_output=True, text=True, check=True,
                              cwd=tmp_path).stdout
    (tmp_path / 'info').write_bytes(b'\0')  # a file named like the command does not interfere
    assert 'corten            ' in run('info')
    corten.save({'w': corten.ones(2, 3), 'n': [1, 'x']}, tmp_path / 'x.pt')
    assert '(2, 3)' in run('explain', 'x.pt') and '1 tensors in 1 storages of 24 bytes' in run('explain', 'x.pt')
