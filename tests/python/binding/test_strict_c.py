# SPDX-License-Identifier: BSD-3-Clause
"""The installed headers compile without warnings at every warning level and language standard, and C++ can use the default
arguments of every operation."""
import pathlib
import re
import shutil
import subprocess

import pytest

import corten

HEADERS = pathlib.Path(corten.__file__).parent / "include"
EXAMPLES = sorted((pathlib.Path(__file__).resolve().parents[3] / "examples/c").glob("*.c"))


def compiles(command, *files, text=None):
    done = subprocess.run([*command, "-fsyntax-only", "-Werror", f"-I{HEADERS}", *map(str, files)], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_strict_programs(compiler):
    if not shutil.which(compiler):
        pytest.skip("is not installed")
    compiles([compiler, "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wconversion", "-pedantic"], *EXAMPLES)


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_defaults_in_cpp(compiler):
    if not shutil.which(compiler):
        pytest.skip("is not installed")
    names = [n for h in sorted((HEADERS / "corten").glob("*.h")) for n in re.findall(r"^struct (ct_\w+)_args {", h.read_text(), re.M)]
    assert len(names) > 600
    body = "".join(f"    {{ struct {n}_args a = CT_ARGS({n}); (void)a; }}\n" for n in names)
    compiles([compiler, "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-x", "c++", "-"],
             text=f"#include <corten.h>\nint main()\n{{\n{body}}}\n")


def test_wrong_calls_do_not_compile():
    if not shutil.which("gcc"):
        pytest.skip("is not installed")
    for call, said in (("ct_matmul(x, 3)", "expected a ct_tensor"), ("ct_add(x)", "requires"), ("ct_sum(x, .dims = CT_DIMS(0))", "did you mean"),
                       ("ct_print(3)", "ct_print takes")):
        text = f"#include <corten.h>\nvoid f(ct_tensor *x);\nvoid f(ct_tensor *x)\n{{\n    {call};\n}}\n"
        done = subprocess.run(["gcc", "-std=gnu11", "-fsyntax-only", f"-I{HEADERS}", "-x", "c", "-"], input=text, capture_output=True, text=True)
        assert done.returncode and said in done.stderr and "<stdin>:5" in done.stderr, done.stderr
