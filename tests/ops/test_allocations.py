# SPDX-License-Identifier: BSD-3-Clause
"""Calls every row with the first, second, third ... allocation of the library failing. The error must be out of
memory, no input may change, and the call must succeed afterwards."""
import ctypes
import gc
import os
import re
import warnings

import cases
import corten as torch
import facts
import pytest

MOST_ALLOCATIONS, MOST_CASES = 400, 3
MOST_ITERATING, FEWER = 10 ** 6, 16  # after the first 400 allocations of an iterative row, test fewer and fewer
ROWS = [r for r in cases.all_rows() if cases.public(r)]
fail_alloc = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "libcorten.so.0")).ct_test_fail_alloc
fail_alloc.argtypes = [ctypes.c_int64]


def evaluate(case, inputs):
    return eval(case.text, {"torch": torch}, inputs)


def described(inputs):
    return {name: (str(t), t.stride(), t._version) for name, t in inputs.items() if isinstance(t, torch.Tensor)}


def works(case):
    try:
        evaluate(case, facts.Inputs(torch, case))
    except Exception:
        return False
    return True


def attempt(case, n):
    """Runs the case with the n-th allocation failing. Returns whether there was an n-th one."""
    inputs = facts.Inputs(torch, case)
    for name in re.findall(r"\w+", case.text):
        if facts.NAME.match(name) and name[0] in facts.FILLS:
            inputs[name]  # makes the input before allocations fail
    before = described(inputs)
    fail_alloc(n)
    try:
        evaluate(case, inputs)
    except (RuntimeError, MemoryError) as e:
        fail_alloc(0)
        assert isinstance(e, MemoryError) or "out of memory" in str(e), f"{case.text}, allocation {n}: {e}"
        assert described(inputs) == before, f"{case.text}, allocation {n}: an input has changed"
        return True
    finally:
        fail_alloc(0)
    return False


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.name)
def test_row(row):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [c for c in cases.cases_of(row) if c.dtype in ("float32", "int64")]
        for case in [c for c in cases.choice(dict.fromkeys(found, ""), 12) if works(c)][:MOST_CASES]:
            n, most = 1, MOST_ITERATING if cases.iterates(row) else MOST_ALLOCATIONS
            while n < most and attempt(case, n):
                n += 1 if n < MOST_ALLOCATIONS else n // FEWER
            assert n < most, f"{case.text}: still failing"
            assert works(case)
    gc.collect()


def test_generator():
    fail_alloc(1)
    try:
        with pytest.raises(MemoryError):
            torch.Generator()
    finally:
        fail_alloc(0)
    assert torch.ones(2).grad is None and torch.Generator().initial_seed() >= 0  # the failure left no error behind
