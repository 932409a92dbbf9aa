# SPDX-License-Identifier: BSD-3-Clause
"""Collects the stubs and all programs of the documentation in a folder for a type checker."""
import ast
import doctest
import re
import shutil
from pathlib import Path

import corten

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(corten.__file__).parent
IMPORTS = 'import corten\nimport corten as torch\nfrom corten import nn\n\n'
# Examples that a checker rightly refuses: a name used before it is bound, an override with fewer arguments, a loop variable
# that starts as None, names defined by the surrounding text.
NOT_TYPED = {'ModuleTracker', 'Optimizer', 'LSTMCell', 'ZeroRedundancyOptimizer'}


def snippets():
    """Returns {name: text} of the Python blocks in README.md and docs/*.md."""
    return {f'{page.stem.replace("-", "_").lower()}_{number}': text
            for page in (ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md')))
            for number, text in enumerate(re.findall(r'^```python\n(.*?)^```', page.read_text(), re.M | re.S))}


def as_function(name, examples):
    """Wraps the lines of a doctest in a function, so that the examples of a file share no names."""
    lines = [line for e in examples if doctest.SKIP not in e.options for line in e.source.splitlines()]
    return f'def {name}():\n' + ''.join(f'    {line}\n' for line in lines or ['pass'])


def docstrings(path):
    """Returns a module with one function for each example in a module's docstrings."""
    functions = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and getattr(node, 'name', '') not in NOT_TYPED:
            examples = doctest.DocTestParser().get_examples(ast.get_docstring(node) or '')
            if examples:
                functions.append(as_function(f'example_{len(functions)}_{getattr(node, "name", "module")}', examples))
    return functions


def operations():
    """Returns the examples of operations that help() shows."""
    parts = re.split(r'\n(?=\w)', (ROOT / 'docs/examples.txt').read_text())[1:]
    return [as_function(f'example_{number}', doctest.DocTestParser().get_examples(part.partition('\n')[2]))
            for number, part in enumerate(parts)]


def gather(folder):
    """Writes the stubs and the programs into a folder."""
    ignore = shutil.ignore_patterns('*.py', '*.so*', '__pycache__', '*.bin')
    shutil.copytree(PACKAGE, folder / 'corten', ignore=ignore)
    programs = folder / 'programs'
    programs.mkdir()
    for name, text in snippets().items():
        (programs / f'{name}.py').write_text(text)
    for path in (ROOT / 'examples').glob('*.py'):
        shutil.copy(path, programs)
    (programs / 'operations.py').write_text(IMPORTS + '\n\n'.join(operations()))
    for path in (ROOT / 'python/corten').rglob('*.py'):
        functions = docstrings(path)
        if functions:
            name = 'of_' + '_'.join(path.relative_to(ROOT / 'python/corten').with_suffix('').parts)
            (programs / f'{name}.py').write_text(IMPORTS + '\n\n'.join(functions))
