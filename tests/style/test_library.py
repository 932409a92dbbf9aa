# SPDX-License-Identifier: BSD-3-Clause
"""The installed library: exported names, thread-local storage, use from C."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest
from rooms import ROOT

PACKAGE = pathlib.Path(find_spec('corten').origin).parent
LIBRARY = PACKAGE / 'libcorten.so.0'
PROGRAM = '#include <corten.h>\nint main(void) { return ct_error() != NULL; }\n'


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def need(tool):
    if not shutil.which(tool):
        pytest.skip(f'{tool} is not installed')


def test_only_public_names_are_exported():
    need('nm')
    names = [line.split()[-1].split('@')[0] for line in output('nm', '-D', '--defined-only', LIBRARY).splitlines()]
    wrong = [n for n in names if not n.startswith('ct_') and n != 'CORTEN_0']
    assert not wrong
    assert any(n.startswith('ct_') for n in names)


def test_rows_that_rows_call_stay_inside():
    need('nm')
    sys.path.insert(0, str(ROOT / 'tools'))
    import rows
    inner = {f'ct_own_{r.cname}' for r in rows.load(rows.tables()) if r.inner}
    names = {line.split()[-1].split('@')[0] for line in output('nm', '-D', '--defined-only', LIBRARY).splitlines()}
    assert inner and not inner & names
    header = (PACKAGE / 'include/corten/own.h').read_text()
    assert not [n for n in inner if f'{n}(' in header]


def test_soname_and_needs():
    need('readelf')
    text = output('readelf', '-dW', LIBRARY)
    assert '[libcorten.so.0]' in text
    needed = set(re.findall(r'\(NEEDED\).*\[(.*)\]', text))
    allowed = {'libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'ld-linux-x86-64.so.2'}
    assert needed <= allowed, needed - allowed


def test_thread_local_storage_is_small():
    """Thread-local variables use the static TLS block, which is small, so their size is limited."""
    need('readelf')
    sizes = re.findall(r'^\s*TLS\s+(?:0x\w+\s+){4}(0x\w+)', output('readelf', '-lW', LIBRARY), re.M)
    assert sum(int(s, 16) for s in sizes) <= 1024


def test_pkg_config(tmp_path):
    need('pkg-config')
    need('cc')
    env = dict(os.environ, PKG_CONFIG_PATH=str(PACKAGE / 'lib' / 'pkgconfig'))
    flags = shlex.split(output('pkg-config', '--cflags', '--libs', 'corten', env=env))  # paths may have spaces
    (tmp_path / 'use.c').write_text(PROGRAM)
    output('cc', '-std=gnu11', 'use.c', '-o', 'use', *flags, cwd=tmp_path)
    output('./use', cwd=tmp_path)


def test_cmake_package(tmp_path):
    need('cmake')
    need('cc')
    (tmp_path / 'use.c').write_text(PROGRAM)
    (tmp_path / 'CMakeLists.txt').write_text(
        'cmake_minimum_required(VERSION 3.16)\nproject(use C)\nfind_package(Corten 0.1 REQUIRED)\n'
        'add_executable(use use.c)\ntarget_link_libraries(use Corten::corten)\n'
    )
    env = {k: v for k, v in os.environ.items() if k != 'MAKEFLAGS'}
    output('cmake', '-S', '.', '-B', 'out', f'-DCMAKE_PREFIX_PATH={PACKAGE}', cwd=tmp_path, env=env)
    output('cmake', '--build', 'out', cwd=tmp_path, env=env)
    output('out/use', cwd=tmp_path)
