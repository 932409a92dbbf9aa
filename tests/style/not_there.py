#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the lists of absent features in docs/conformance.md: names that raise, arguments without an
effect, functions that always return the same value.

    python tests/style/not_there.py            prints the lists
    python tests/style/not_there.py --write    puts them into docs/conformance.md

The lists come from the code: absent names register themselves in corten._missing, functions pass
arguments without an effect to `no_effect`, and a function whose body is a constant always returns it.
test_not_there.py compares the page with the code.
"""
import ast
import importlib
import pathlib
import pkgutil
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs/conformance.md'
BEGIN, END = '<!-- not there: written by tests/style/not_there.py -->', '<!-- not there: end -->'
NOT_IMPORTED = {'corten.__main__', 'corten.libcorten'}  # the first is a program, the second the C library


def import_everything():
    """Imports all modules of the package, so that all absent names have registered themselves."""
    import corten
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        for found in pkgutil.walk_packages(corten.__path__, 'corten.'):
            if found.name not in NOT_IMPORTED:
                importlib.import_module(found.name)


def refusals():
    """Returns {absent name: what to use instead}."""
    import_everything()
    from corten._missing import MISSING
    return dict(sorted(MISSING.items()))


def sources():
    """Yields (name in PyTorch, syntax tree) of every public module of the package."""
    package = ROOT / 'python/corten'
    for path in sorted(package.rglob('*.py')):
        parts = path.relative_to(package).with_suffix('').parts
        name = '.'.join(('torch', *parts)).removesuffix('.__init__')
        yield name.replace('torch.vision', 'torchvision'), ast.parse(path.read_text())


def without_effect():
    """Returns {argument: what happens}, from the calls of `no_effect` with literal texts."""
    found = {}
    for _, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith('no_effect') and len(node.args) > 1:
                what, instead = (text_of(arg) for arg in node.args[:2])
                found[what] = instead
    return dict(sorted(found.items()))


def text_of(node):
    """Returns a literal text; replacement fields of an f-string are shown as source code."""
    if isinstance(node, ast.JoinedStr):
        return ''.join(p.value if isinstance(p, ast.Constant) else '{' + ast.unparse(p.value) + '}' for p in node.values)
    return node.value if isinstance(node, ast.Constant) else ast.unparse(node)


def answer(function):
    """Returns as text the constant that a function always returns, or None."""
    if any('abstract' in ast.unparse(d) or 'overload' in ast.unparse(d) for d in function.decorator_list):
        return None
    body = function.body[isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant):]
    if not body or isinstance(body[0], ast.Pass):
        return 'None'
    if len(body) == 1 and isinstance(body[0], ast.Return):
        value = body[0].value
        if value is None or isinstance(value, ast.Constant) or ast.unparse(value) in ('{}', '[]', '()'):
            return 'None' if value is None else ast.unparse(value)
    return None


def constants():
    """Returns {public function: (constant, first line of its docstring)}."""
    found = {}
    for module, tree in sources():
        if any(part.startswith('_') for part in module.split('.')):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith('_') and answer(node) is not None:
                doc = (ast.get_docstring(node) or '').split('\n')[0]
                found[f'{module}.{node.name}'] = answer(node), doc
    return dict(sorted(found.items()))


def section():
    """Returns the part of the page between its two marks."""
    lines = [BEGIN, '', '### Names that refuse', '',
             'They exist, so that a program that imports them runs; using them raises `MissingFeature`, which is a',
             '`NotImplementedError`, with the sentence shown here.', '', '| name | instead |', '|---|---|']
    lines += [f'| `{name}` | {instead} |' for name, instead in refusals().items()]
    lines += ['', '### Arguments and switches without an effect', '', 'They are accepted; the first use in a program warns.', '',
              '| given | what happens |', '|---|---|']
    lines += [f'| `{what}` | {instead} |' for what, instead in without_effect().items()]
    lines += ['', '### Functions that always give the same answer', '', '| function | answer | |', '|---|---|---|']
    lines += [f'| `{name}` | `{value}` | {doc} |' for name, (value, doc) in constants().items()]
    return '\n'.join([*lines, '', END])


def page_with(text, part):
    """Replaces the section in the page, or appends it if there is none."""
    if BEGIN not in text:
        return f'{text.rstrip()}\n\n## What is not there\n\n{part}\n'
    return text[:text.index(BEGIN)] + part + text[text.index(END) + len(END):]


def main():
    if sys.argv[1:] == ['--write']:
        PAGE.write_text(page_with(PAGE.read_text(), section()))
    else:
        print(section())


if __name__ == '__main__':
    main()
