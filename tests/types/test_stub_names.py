# SPDX-License-Identifier: BSD-3-Clause
"""Stubs and modules have the same names. As for a type checker, a stub's names are those that it defines or re-exports."""
import ast
import importlib
import importlib.util
import inspect
import pkgutil
import types
from pathlib import Path

import pytest

import corten

ROOT = Path(corten.__file__).parent


def stub_of(module):
    base = ROOT.joinpath(*module.split('.')[1:])
    found = [p for p in (base / '__init__.pyi', base.with_suffix('.pyi')) if p.exists()]
    return found[0] if found else None


def source_of(module, node):
    """Returns the module that a relative import refers to."""
    if not node.level:
        return node.module or ''
    package = module.split('.') if stub_of(module).stem == '__init__' else module.split('.')[:-1]
    parts = package[:len(package) + 1 - node.level] + (node.module or '').split('.')
    return '.'.join(p for p in parts if p)


def declared(module, seen=()):
    """Returns the names that users of a stub may import."""
    path = stub_of(module)
    if path is None or module in seen:
        return set()
    known, exported = set(), None
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            known.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            known.add(node.target.id)
        elif isinstance(node, ast.Assign):
            known |= {t.id for t in node.targets if isinstance(t, ast.Name)}
            if node.targets[0].id == '__all__':
                exported = set(ast.literal_eval(node.value))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if alias.name == '*':
                    source = source_of(module, node)
                    known |= starred(source, (*seen, module))
                elif alias.asname == alias.name or exported and alias.name in exported:
                    known.add(alias.name)
    return known | (exported or set())


def starred(module, seen):
    """Returns the names that `from module import *` defines: a literal __all__, else the public names."""
    if module.split('.')[0] != 'corten':
        return set(importlib.import_module(module).__all__)
    for node in ast.parse(stub_of(module).read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == '__all__':
            return set(ast.literal_eval(node.value))
    return {n for n in declared(module, seen) if n[0] != '_'}


def modules():
    """Returns the public modules of the package that can be imported on this machine."""
    yield 'corten'
    for info in pkgutil.walk_packages(corten.__path__, 'corten.', onerror=lambda name: None):
        if not any(part[0] == '_' for part in info.name.split('.')) and info.name != 'corten.libcorten':
            yield info.name


def is_ours(name, value, module):
    """Whether a public name of a module is part of its interface, rather than something that the module imported."""
    if name[0] == '_' or isinstance(value, types.ModuleType):
        return False
    home = getattr(value, '__module__', None) or ''
    return isinstance(home, str) and home.replace('torch', 'corten', 1) == module.__name__


MODULES = list(modules())


@pytest.mark.parametrize('name', MODULES)
def test_stub_names_what_the_module_has(name):
    module = importlib.import_module(name)
    known = declared(name)
    if '__getattr__' in known:  # marks an incomplete stub, as of modules whose names only raise
        return
    public = {n for n in getattr(module, '__all__', ()) if isinstance(n, str)}
    public |= {n for n, value in vars(module).items() if is_ours(n, value, module)}
    assert not public - known, f'{name} lacks in its stub: {sorted(public - known)}'


def is_submodule(name, member):
    """Whether a member is a module that becomes an attribute when it is imported."""
    return stub_of(name).stem == '__init__' and importlib.util.find_spec(f'{name}.{member}') is not None


@pytest.mark.parametrize('name', MODULES)
def test_module_has_what_the_stub_names(name):
    module = importlib.import_module(name)
    missing = [n for n in declared(name) if n[0] != '_' and not hasattr(module, n) and not is_submodule(name, n)]
    assert not missing, f'the stub of {name} names what is not there: {sorted(missing)}'


def test_stubs_are_installed():
    assert (ROOT / 'py.typed').exists()
    without = [p for p in ROOT.rglob('*.py') if not p.with_suffix('.pyi').exists() and p.name != '__main__.py']
    assert not without
    assert inspect.ismodule(corten)
