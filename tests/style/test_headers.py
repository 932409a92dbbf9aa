# SPDX-License-Identifier: BSD-3-Clause
"""The public headers: each compiles alone, in C and C++, without a warning; invalid calls are rejected at
compile time; the expansion of nested calls grows linearly."""
import pathlib
import shutil
import string
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRICT = ['-Wall', '-Wextra', '-Wshadow', '-Wconversion', '-Werror', '-fsyntax-only', f'-I{ROOT}/include']
C = [[cc, '-std=gnu11', *STRICT] for cc in ('gcc', 'clang')]
CPP = [['g++', '-std=c++11', '-pedantic', *STRICT], ['g++', '-std=c++20', '-pedantic', *STRICT],
       ['clang++', '-std=c++17', '-pedantic', *STRICT]]
HEADERS = ['corten.h', *(f'corten/{name}.h' for name in (
    'archive', 'autograd', 'base', 'cuda', 'dist', 'dlpack', 'io', 'macros', 'nn', 'ops', 'optim', 'profile', 'wait'))]
PEDANTIC = [*C, ['gcc', '-std=c11', '-pedantic', *STRICT], ['clang', '-std=c11', '-pedantic', *STRICT]]
PROGRAM = '#include <corten.h>\nct_tensor *f(ct_tensor *x, ct_tensor *y) {{ (void)x; (void)y; return {}; }}\n'
GOOD = ['ct_sum(x, .dim = CT_DIMS(0, 1), .keepdim = true)', 'ct_argmax(x, .dim = 0)', 'ct_add(1, y)',
        'ct_at(x, "1:, ?", y)', 'ct_cat(CT_LIST(x, y))', 'ct_view(x, CT_SHAPE(2, -1))',
        'ct_linear(x, y, .bias = ct_sum(x, .dim = CT_DIMS(0), .keepdim = ct_item(ct_sum(y, .dim = CT_DIMS(1))) > 0))']
BAD = ['ct_sum(x, .dim = 0)',  # one int where a list is expected
       'ct_argmax(x, .dim = CT_DIMS(0))',  # a list where one int is expected
       'ct_sum(x, .keepdims = true)',  # no such keyword
       'ct_add(x)', 'ct_add(x, y, 2)',  # too few, too many
       'ct_matmul(x, 2)',  # a number where only a tensor is accepted
       'ct_view(x, 2, 3)', 'ct_cat(x, y)']
# An invalid call, and the correction that the first error message must suggest.
HINTS = {'ct_sum(x, 0)': '.name = value', 'ct_sum(x, .keepdim = true, 0)': '.name = value',
         'ct_sum(x, CT_DIMS(0))': '.name = value', 'ct_cat(x, x)': 'CT_LIST(x, y)', 'ct_cat(x)': 'CT_LIST(x, y)',
         'ct_ones(2, 3)': 'CT_SHAPE(2, 3)', 'ct_ones(2)': 'CT_SHAPE(2, 3)', 'ct_view(x, 2, 3)': 'CT_SHAPE(2, 3)',
         'ct_view(x, CT_SHAPE(2), 3)': 'too many arguments', 'ct_permute(x, 1, 0)': 'CT_DIMS(0, 1)',
         'ct_matmul(x, 2)': 'expected a ct_tensor *', 'ct_add(x, CT_DIMS(2))': 'a_tensor_or_a_number',
         'ct_add(x, (int *)0)': 'a_tensor_or_a_number', 'ct_sum(x, .keepdims = true)': 'keepdims'}
LETTERS = ''.join(f'#define {letter} (user macro)\n' for letter in string.ascii_letters)
LETTERS_PROGRAM = LETTERS + """
#include <{header}>
#ifdef CORTEN_H
ct_tensor *sum_of_rows(ct_tensor *input, ct_tensor *other)
{{
    CT_SCOPE;
    double total = 0;
    float *at, values[6] = {{0}};
    CT_FOR (at, input)
        total += *at;
    ct_tensor *all = ct_cat(CT_LIST(ct_add(input, 1, .alpha = 2), other, ct_from_data(values, CT_SHAPE(2, 3))));
    all = ct_at(ct_add(all, ct_tensor_of(float, CT_SHAPE(-1), 1, 2, 3)), "1:, ?", other);
    ct_print(ct_ones(CT_SHAPE(2, 3)));
    return ct_keep(ct_mul(ct_view(ct_sum(all, .dim = CT_DIMS(0)), CT_SHAPE(-1)), total));
}}
#endif
#if {check}
#error a user macro is lost
#endif
"""


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
@pytest.mark.parametrize('command', PEDANTIC, ids=lambda c: ' '.join(c[:2]))
def test_accepted(command, call):
    done = compile_text(command, PROGRAM.format(call))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize('call', BAD)
@pytest.mark.parametrize('command', C, ids=lambda c: c[0])
def test_refused(command, call):
    assert compile_text(command, PROGRAM.format(call)).returncode != 0


@pytest.mark.parametrize(('call', 'hint'), HINTS.items())
@pytest.mark.parametrize('command', C, ids=lambda c: c[0])
def test_errors_say_what_to_write(command, call, hint):
    done = compile_text(command, PROGRAM.format(call))
    first = next(line for line in done.stderr.split('\n') if 'error:' in line)
    assert hint in first, done.stderr


@pytest.mark.parametrize('header', HEADERS)
@pytest.mark.parametrize('command', [*C, CPP[0]], ids=lambda c: c[0])
def test_macros_of_one_letter(command, header):
    """The headers work with any macros that a program defines, and leave them defined."""
    check = ' || '.join(f'!defined {letter}' for letter in string.ascii_letters)
    text = LETTERS_PROGRAM.format(header=header, check=check)
    if command[0] == 'g++':
        text = text.replace('CORTEN_H', 'NOT_IN_CPP')
    done = compile_text(command, text, 'c++' if command[0] == 'g++' else 'c')
    assert done.returncode == 0, done.stderr


def test_nesting_is_cheap():
    """The expansion of a nested call grows linearly with its depth."""
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
