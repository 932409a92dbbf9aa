#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds parameters that a Python function of Corten accepts and never reads.

A program that passes such an argument expects an effect. So each parameter either has an effect,
raises, warns once (`_missing.no_effect`), or is listed in ignored_parameters.toml with the reason why
ignoring it is harmless. test_ignored_parameters.py compares that list with the code.

    python tests/style/ignored_parameters.py            prints what the list lacks or has too much
    python tests/style/ignored_parameters.py --write    adds new ones as "undecided", drops stale ones

Checked are functions in modules and classes, including private ones, since a public function may pass
its argument on. Not checked are nested functions (callbacks have their caller's signature), Python's
protocols (`__exit__`, `__getattr__`, ...), and functions that only raise.
"""
import ast
import fnmatch
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / 'python/corten'
LIST = pathlib.Path(__file__).with_suffix('.toml')
UNDECIDED = 'undecided'
# Special methods whose parameters the class chooses; Python prescribes those of the others.
LOOKED_AT = {'__init__', '__new__', '__call__', '__init_subclass__'}
HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Parameters that are accepted but not read, with the reason why that misleads no caller. Names may have
# wildcards. ignored_parameters.py checks and writes this file, sorted by name.
'''


def body_of(function):
    """Returns the statements of a function without its docstring; for a lambda, its expression."""
    if isinstance(function, ast.Lambda):
        return [ast.Return(function.body)]
    first = function.body[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[text and isinstance(first.value.value, str):]


def only_raises(function):
    """Whether the function is abstract, an overload, or always raises."""
    marks = [ast.unparse(d).rpartition('.')[2] for d in getattr(function, 'decorator_list', [])]
    if {'abstractmethod', 'overload'} & set(marks):
        return True
    body = body_of(function)
    if len(body) != 1:
        return False
    dots = isinstance(body[0], ast.Expr) and getattr(body[0].value, 'value', None) is ...
    return dots or isinstance(body[0], ast.Raise)


def names_read(function):
    """Returns the names that the body reads, or None for all. `del x`, `_ = x` and a bare `x` do not count."""
    read, todo = set(), body_of(function)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == '_':
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Name, ast.Tuple)):
            continue
        if isinstance(node, ast.Call) and getattr(node.func, 'id', '') in ('locals', 'vars'):
            if not node.args:
                return None
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read.add(node.id)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read.add(node.target.id)
        todo.extend(ast.iter_child_nodes(node))
    return read


def parameters(function, method):
    """Returns the names of all parameters, without self or cls of a method."""
    a = function.args
    names = [p.arg for p in a.posonlyargs + a.args]
    marks = [ast.unparse(d) for d in getattr(function, 'decorator_list', [])]
    names = names[method and 'staticmethod' not in marks:]
    names += [p.arg for p in a.kwonlyargs]
    return names + [p.arg for p in (a.vararg, a.kwarg) if p]


def unread(tree, module):
    """Yields `module.function.parameter` for every parameter that is not read."""
    def visit(statements, place, method):
        for node in statements:
            if isinstance(node, ast.ClassDef):
                yield from visit(node.body, f'{place}.{node.name}', True)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from look(node, node.name, place, method)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                yield from look(node.value, ast.unparse(node.targets[0]), place, method)
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                inner = node.body + getattr(node, 'orelse', [])
                for handler in getattr(node, 'handlers', []):
                    inner = inner + handler.body
                yield from visit(inner, place, method)

    def look(function, name, place, method):
        if name.startswith('__') and name.endswith('__') and name not in LOOKED_AT:
            return
        if only_raises(function):
            return
        read = names_read(function)
        for parameter in parameters(function, method) if read is not None else []:
            if parameter not in read:
                yield f'{place}.{name}.{parameter}'

    yield from visit(tree.body, module, False)


def found():
    """Returns all parameters of the package that are not read, sorted."""
    names = set()
    for path in sorted(PACKAGE.rglob('*.py')):
        parts = path.relative_to(PACKAGE).with_suffix('').parts
        module = '.'.join(('corten', *parts)).removesuffix('.__init__')
        names |= set(unread(ast.parse(path.read_text()), module))
    return sorted(names)


def reasons():
    return tomllib.loads(LIST.read_text()) if LIST.exists() else {}


def compare(names, known):
    """Returns the names that no entry covers, and the entries that cover no name."""
    new = [n for n in names if not any(fnmatch.fnmatchcase(n, k) for k in known)]
    stale = [k for k in known if not fnmatch.filter(names, k)]
    return new, stale


def main():
    known = reasons()
    new, stale = compare(found(), known)
    if sys.argv[1:] == ['--write']:
        kept = {k: v for k, v in known.items() if k not in stale} | dict.fromkeys(new, UNDECIDED)
        quoted = {k: v.replace('\\', '\\\\').replace('"', '\\"') for k, v in sorted(kept.items())}
        LIST.write_text(HEAD + ''.join(f'"{k}" = "{v}"\n' for k, v in quoted.items()))
    else:
        print(*[f'new: {n}' for n in new], *[f'stale: {k}' for k in stale], sep='\n')


if __name__ == '__main__':
    main()
