# SPDX-License-Identifier: BSD-3-Clause
"""The public headers: each compiles alone, in C and C++, without a warning; what the C interface promises
not to compile does not; nested calls grow in proportion."""
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRICT = ['-Wall', '-Wextra', '-Wshadow', '-Wconversion', '-Werror', '-fsyntax-only', f'-I{ROOT}/include']
C = [[cc, '-std=gnu11', *STRICT] for cc in ('gcc', 'clang')]
CPP = [['g++', '-std=c++11', '-pedantic', *STRICT], ['g++', '-std=c++20', '-pedantic', *STRICT],
       ['clang++', '-std=c++17', '-pedantic', *STRICT]]
HEADERS = ['corten.h', 'corten/base.h', 'corten/autograd.h', 'corten/macros.h', 'corten/ops.h', 'corten/profile.h', 'corten/nn.h']
PROGRAM = '#include <corten.h>\nct_tensor *f(ct_tensor *x, ct_tensor *y) {{ (void)x; (void)y; return {}; }}\n'
GOOD = ['ct_sum(x, .dim = CT_DIMS(0, 1), .keepdim = true)', 'ct_argmax(x, .dim = 0)', 'ct_add(1, y)',
        'ct_at(x, "1:, ?", y)', 'ct_cat(CT_LIST(x, y))', 'ct_view(x, CT_SHAPE(2, -1))']
BAD = ['ct_sum(x, .dim = 0)',  # one int where several are taken
       'ct_argmax(x, .dim = CT_DIMS(0))',  # and the other way round
       'ct_sum(x, .keepdims = true)',  # no such keyword
       'ct_add(x)', 'ct_add(x, y, 2)',  # too few, too many
       'ct_matmul(x, 2)',  # a number where only a tensor is taken
       'ct_view(x, 2, 3)', 'ct_cat(x, y)']


def compile_text(command, text, language='c'):
    if not shutil.which(command[0]):
        pytest.skip(f'{command[0]} is not installed')
    return subprocess.run([*command, '-x', language, '-'], input=text, capture_output=True, text=True)


@pytest.mark.parametrize('header', HEADERS)
@pytest.mark.parametrize('command', C, ids=lambda c: c[0])
def test_in_c(command, header):
    done = compile_text(command, f'#include <{header}>\n#include <{header}>\n')
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize('header', HEADERS)
@pytest.mark.parametrize('command', CPP, ids=lambda c: ' '.join(c[:2]))
def test_in_cpp(command, header):
    done = compile_text(command, f'#include <{header}>\n', 'c++')
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize('call', GOOD)
@pytest.mark.parametrize('command', C, ids=lambda c: c[0])
def test_accepted(command, call):
    done = compile_text(command, PROGRAM.format(call))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize('call', BAD)
@pytest.mark.parametrize('command', C, ids=lambda c: c[0])
def test_refused(command, call):
    assert compile_text(command, PROGRAM.format(call)).returncode != 0


def test_nesting_is_cheap():
    """Each level of a nested call costs the same text."""
    if not shutil.which('gcc'):
        pytest.skip('gcc is not installed')

    def size(depth):
        call = 'x'
        for _ in range(depth):
            call = f'ct_add(ct_sum({call}, .keepdim = true), 2.5, .alpha = 2)'
        text = subprocess.run(['gcc', '-E', '-P', f'-I{ROOT}/include', '-x', 'c', '-'], input=PROGRAM.format(call),
                              capture_output=True, text=True, check=True).stdout
        return len(text)

    flat, few, many = size(0), size(4), size(12)
    assert many - flat < 3.2 * (few - flat)
