# SPDX-License-Identifier: BSD-3-Clause
"""The module corten itself: names after import, lazily loaded submodules, constants, print options."""
import subprocess
import sys

import corten as ct
import pytest


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_import_brings_no_other_package():
    added = run("import sys; old = set(sys.modules); import corten; print(*sorted(set(sys.modules) - old))").split()
    assert set(added) == {"corten", "corten._C"}


def test_lazy_names():
    assert "set_printoptions" in dir(ct) and "autograd" in dir(ct)
    assert ct.autograd.grad.__name__ == "grad"
    with pytest.raises(AttributeError, match="module 'corten' has no attribute 'nothing'"):
        ct.nothing


def test_constants():
    assert ct.inf == float("inf") and ct.nan != ct.nan and ct.newaxis is None
    assert abs(ct.pi - 3.14159265) < 1e-8 and abs(ct.e - 2.71828182) < 1e-8
    assert ct.__version__.count(".") == 2


def test_printoptions():
    x = ct.tensor([1.23456, 100000.0])
    plain = repr(x)
    try:
        ct.set_printoptions(precision=2, sci_mode=False)
        assert repr(x) == "tensor([     1.23, 100000.00])"
        ct.set_printoptions(profile="short")
        assert repr(ct.tensor([1.23456])) == "tensor([1.23])"
    finally:
        ct.set_printoptions(profile="default")
    assert repr(x) == plain
    with pytest.raises(TypeError):
        ct.set_printoptions(colour=1)
