# SPDX-License-Identifier: BSD-3-Clause
"""The type stubs declare exactly the names of the module; operations have the docstrings of their rows."""
import ast
import inspect
import pathlib

import corten as ct

STUBS = pathlib.Path(ct.__file__).with_suffix(".pyi")
TREE = ast.parse(STUBS.read_text())


def names_in(body):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


def test_typed():
    assert STUBS.with_name("py.typed").exists()


def test_module_has_what_the_stubs_name():
    missing = [n for n in names_in(TREE.body) if not n.startswith("_") and not hasattr(ct, n)]
    assert not missing


def test_stubs_name_what_the_module_has():
    known = set(names_in(TREE.body))
    bases = {"TensorBase", "StorageBase", "DisableTorchFunction", "DisableTorchFunctionSubclass"}  # only _C has these names
    public = {n for n, v in vars(ct._C).items() if n[0] != "_" and n not in bases and not inspect.ismodule(v)}
    assert not public - known


def test_methods():
    tensor = next(n for n in TREE.body if isinstance(n, ast.ClassDef) and n.name == "Tensor")
    later = {"__buffer__"}  # Python 3.12 and newer
    missing = [n for n in names_in(tensor.body) if not hasattr(ct.Tensor, n) and n not in later]
    assert not missing


def test_signatures_and_docs():
    assert str(inspect.signature(ct.add)) == "(input, other, *, alpha=1, out=None)"
    assert str(inspect.signature(ct.Tensor.add)) == "(self, /, other, *, alpha=1)"
    assert ct.add.__doc__.startswith("Adds `other`")
    assert ct.Tensor.add_.__doc__.startswith("In-place version of `add`, which adds")
