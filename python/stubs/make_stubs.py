# SPDX-License-Identifier: BSD-3-Clause
"""Writes type stubs (.pyi) for the Python modules of the package, while Corten is built.

    make_stubs.py FOLDER DEPFILE      writes FOLDER/nn/functional.pyi and so on; DEPFILE lists the sources for ninja

If the source tree contains a stub for a module, it is copied.
The sources have no annotations, so that imports stay fast and signatures look like PyTorch's. This program parses a
module without importing it. It takes the type of a parameter from the first of these that has it: an annotation in the
source, types.toml (by qualified name, then by the parameter's name), the default value. results.toml has the types of
results and attributes. All other types become Any.
"""
import ast
import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / 'corten'
TABLE = {k: v for path in HERE.glob('*.toml') for k, v in tomllib.loads(path.read_text()).items()}
BUILTINS = {'bool', 'bytes', 'complex', 'dict', 'float', 'frozenset', 'int', 'list', 'object', 'set', 'str',
            'tuple', 'type', 'None', 'BaseException', 'Exception'}
ARGUMENTS = {'tuple': '_t.Any, ...', 'dict': '_t.Any, _t.Any', 'OrderedDict': '_t.Any, _t.Any', 'defaultdict': '_t.Any, _t.Any',
             'MutableMapping': '_t.Any, _t.Any', 'Mapping': '_t.Any, _t.Any'}
DUNDERS = {'__init__': 'None', '__len__': 'int', '__repr__': 'str', '__str__': 'str', '__bool__': 'bool',
           '__contains__': 'bool', '__eq__': 'bool', '__ne__': 'bool', '__hash__': 'int', '__setattr__': 'None',
           '__delattr__': 'None', '__setitem__': 'None', '__delitem__': 'None', '__exit__': 'None', '__new__': 'Self',
           '__dir__': 'list[str]', '__int__': 'int', '__float__': 'float', '__format__': 'str', '__setstate__': 'None'}


def dotted(node):
    """Return 'a.b.c' for a chain of attribute accesses, else ''."""
    if isinstance(node, ast.Attribute):
        return f'{dotted(node.value)}.{node.attr}' if dotted(node.value) else ''
    return node.id if isinstance(node, ast.Name) else ''


def statements(body):
    """Yield the statements of a module or class, including those inside `if`, `try` and `with` blocks."""
    for node in body:
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from statements(node.body)
            yield from statements(getattr(node, 'orelse', []))
        else:
            yield node


def own_nodes(function):
    """Yield the nodes of a function's body, except those of nested functions and classes."""
    queue = list(function.body)
    for node in queue:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            queue += ast.iter_child_nodes(node)


def value_type(node):
    """Return the type of a literal, or None if the expression is not one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    if isinstance(node, ast.Constant):
        return {bool: 'bool', str: 'str', float: 'float', int: 'int', bytes: 'bytes'}.get(type(node.value))
    if isinstance(node, ast.JoinedStr):
        return 'str'
    if isinstance(node, (ast.Compare, ast.UnaryOp)) and isinstance(getattr(node, 'op', ast.Not()), ast.Not):
        if not isinstance(node, ast.Compare) or all(isinstance(o, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for o in node.ops):
            return 'bool'
    if isinstance(node, (ast.List, ast.ListComp)):
        return 'list[Any]'
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return 'dict[Any, Any]'
    if isinstance(node, ast.Call) and dotted(node.func) in {'isinstance', 'bool', 'hasattr', 'any', 'all', 'issubclass'}:
        return 'bool'
    if isinstance(node, ast.Call) and dotted(node.func) in {'len', 'int', 'str', 'float'}:
        return {'len': 'int'}.get(dotted(node.func), dotted(node.func))
    return None


class Stub:
    """Build the stub of one module."""

    def __init__(self, path):
        relative = path.resolve().relative_to(PACKAGE)
        self.parts = relative.with_suffix('').parts
        self.is_package = self.parts[-1] == '__init__'
        self.name = '.'.join(self.parts[:-1] if self.is_package else self.parts)
        self.folder = path.parent
        self.table = TABLE['modules'].get(self.name, {})
        self.all_is_known, self.dotted = True, {}
        body = list(statements(ast.parse(path.read_text()).body))
        self.imports, self.defined, self.all, self.stars = {}, {}, [], []
        for node in body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    if alias.name == '*':
                        self.stars.append(f'from {"." * node.level}{node.module or ""} import *')
                        continue
                    name = alias.asname or alias.name.split('.')[0]
                    self.imports[name] = (node, alias)
                    if '.' in alias.name and isinstance(node, ast.Import) and not alias.asname:
                        self.dotted.setdefault(name, []).append(alias.name)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.defined[node.name] = node
            else:
                self.assign(node)
        self.needed = {}  # imported names that the stub uses
        self.outer = set()  # names that hide builtins in the enclosing definitions

    def assign(self, node):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, 'target', None)]
        value = getattr(node, 'value', None)
        for target in targets:
            if isinstance(target, ast.Name):
                if target.id == '__all__' and isinstance(value, (ast.List, ast.Tuple)):
                    self.all += [e.value for e in value.elts if isinstance(e, ast.Constant)]
                    self.all_is_known &= all(isinstance(e, ast.Constant) for e in value.elts)
                elif target.id[:2] != '__':
                    self.defined.setdefault(target.id, node)
            elif isinstance(target, (ast.Tuple, ast.List)):
                for element in target.elts:
                    if isinstance(element, ast.Name):
                        self.defined.setdefault(element.id, ast.Assign(targets=[element], value=None))

    # types -------------------------------------------------------------------------------------

    def spell(self, text):
        """Write a type from the tables: builtins unchanged, other names imported from _typing."""
        def one(match):
            word = match[0]
            if word in BUILTINS and word in self.outer:
                return f'_t.builtins.{word}'
            return word if word in BUILTINS else f'_t.{word}'
        parts = re.split(r"('[^']*')", text)
        return ''.join(p if p[:1] == "'" else re.sub(r'(?<![\w.])[A-Za-z_]\w*', one, p) for p in parts)

    def local(self, node):
        """Write an expression of the source (a base class or annotation), and import the names it uses."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                self.needed[inner.id] = None
        return self.spell_generic(node)

    def spell_generic(self, node):
        """Write an expression with Any for missing arguments of generic types."""
        if isinstance(node, ast.BinOp):
            return f'{self.spell_generic(node.left)} | {self.spell_generic(node.right)}'
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Tuple):
            return f'{dotted(node.value)}[{self.spell_generic(node.slice)}]'
        if isinstance(node, ast.Subscript):
            return f'{dotted(node.value)}[{", ".join(map(self.spell_generic, node.slice.elts))}]'
        text, last = ast.unparse(node), dotted(node).split('.')[-1]
        if last in TABLE['generic']:
            return f'{text}[{ARGUMENTS.get(last, "_t.Any")}]'
        return text

    def known(self, node):
        names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
        return all(n in self.imports or isinstance(self.defined.get(n), ast.ClassDef) or n in BUILTINS
                   or self.is_type_variable(n) for n in names)

    def is_type_variable(self, name):
        value = getattr(self.defined.get(name), 'value', None)
        return isinstance(value, ast.Call) and dotted(value.func).split('.')[-1] == 'TypeVar'

    def look_up(self, kind, qualified, name):
        """Look up a name in a table: first for this definition, then for the enclosing modules from the inside out, then for all."""
        exact = TABLE[kind].get(f'{qualified}.{name}' if kind == 'parameters' else qualified)
        if exact:
            return exact
        parts = self.name.split('.')
        for count in range(len(parts), -1, -1):
            scope = TABLE[kind].get('.'.join(parts[:count]) or 'all', {})
            if isinstance(scope, dict) and name in scope:
                return scope[name]
        return None

    def parameter(self, qualified, arg, default, kind=''):
        if arg.annotation is not None and self.known(arg.annotation):
            text = self.local(arg.annotation)
        else:
            found = self.look_up('parameters', qualified, kind + arg.arg)
            if found is None and default is not None:
                found = value_type(default)
                found = {'int': 'Any', 'list[Any]': 'Any', 'dict[Any, Any]': 'Any'}.get(found, found)
            found = found or 'Any'
            if isinstance(default, ast.Constant) and default.value is None and found not in ('Any', 'None') \
                    and not re.search(r'\bNone$', found):
                found += ' | None'
            text = self.spell(found)
        if default is None:
            return text, ''
        plain = isinstance(default, ast.Constant) and default.value is not Ellipsis and len(repr(default.value)) < 30
        minus = isinstance(default, ast.UnaryOp) and isinstance(default.operand, ast.Constant)
        return text, f' = {ast.unparse(default) if plain or minus else "..."}'

    def signature(self, qualified, function, bound):
        a = function.args
        found, names = [], {}
        positional = a.posonlyargs + a.args
        defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
        for i, (arg, default) in enumerate(zip(positional, defaults, strict=True)):
            if bound and i == 0:
                found.append(arg.arg)
            else:
                text, value = self.parameter(qualified, arg, default)
                names[arg.arg] = text
                found.append(f'{arg.arg}: {text}{value}')
            if i + 1 == len(a.posonlyargs):
                found.append('/')
        if a.vararg:
            found.append(f'*{a.vararg.arg}: {self.parameter(qualified, a.vararg, None, "*")[0]}')
        elif a.kwonlyargs:
            found.append('*')
        for arg, default in zip(a.kwonlyargs, a.kw_defaults, strict=True):
            text, value = self.parameter(qualified, arg, default)
            names[arg.arg] = text
            found.append(f'{arg.arg}: {text}{value}')
        if a.kwarg:
            found.append(f'**{a.kwarg.arg}: {self.parameter(qualified, a.kwarg, None, "**")[0]}')
        return ', '.join(found), names

    def result(self, qualified, function, owner):
        """Return the type of a function's result as far as its `return` statements show it."""
        name = function.name
        if function.returns is not None and self.known(function.returns):
            return self.local(function.returns)
        found = self.look_up('returns', qualified, name) or DUNDERS.get(name)
        if found:
            return self.spell(found)
        nodes = list(own_nodes(function))
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in nodes):
            return '_t.Iterator[_t.Any]'
        returned = [n.value for n in nodes if isinstance(n, ast.Return)]
        values = [v for v in returned if v is not None and not (isinstance(v, ast.Constant) and v.value is None)]
        if not values:
            raises = function.body and isinstance(function.body[-1], ast.Raise)
            return '_t.Any' if raises or name[:8] == '__torch_' else 'None'
        if owner and function.args.args and all(isinstance(v, ast.Name) and v.id == function.args.args[0].arg for v in values):
            return '_t.Self' if len(values) == len(returned) else '_t.Any'
        kinds = {value_type(v) for v in values}
        if len(kinds) == 1 and None not in kinds and len(values) == len(returned):
            return self.spell(kinds.pop())
        calls = {v.func.id if isinstance(v, ast.Call) and isinstance(v.func, ast.Name) else '' for v in values}
        if len(calls) == 1 and len(values) == len(returned) and isinstance(self.defined.get(*calls), ast.ClassDef):
            return self.spell_generic(ast.Name(calls.pop()))
        return '_t.Any'

    # definitions -------------------------------------------------------------------------------

    def function(self, function, owner='', indent=''):
        qualified = '.'.join(p for p in (self.name, owner, function.name) if p)
        if qualified in TABLE['definitions']:
            return [indent + line if line else '' for line in TABLE['definitions'][qualified].strip().split('\n')]
        lines, static, context = [], False, False
        kind = ''
        for decorator in function.decorator_list:
            name = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
            last = name.split('.')[-1]
            if function.name == '__new__':
                continue
            if last in ('staticmethod', 'classmethod'):
                lines.append(f'{indent}@{last}')
                static = last == 'staticmethod'
            elif last.endswith('property'):
                kind = 'property'
                lines.append(f'{indent}@property')
            elif last in ('setter', 'deleter'):
                kind = 'setter'
                lines.append(f'{indent}@{name}')
            elif last == 'contextmanager':
                context = True
        between, _ = self.signature(qualified, function, owner and not static)
        result = self.result(qualified, function, owner)
        if context:
            inner = self.look_up('returns', qualified, function.name)
            result = f'_t.Context[{self.spell(inner) if inner else "_t.Any"}]'
        if kind == 'setter':
            result = 'None'
        word = 'async def' if isinstance(function, ast.AsyncFunctionDef) else 'def'
        comment = ignored(qualified)
        return [*lines, f'{indent}{word} {function.name}({between}) -> {result}: ...{"  # " * bool(comment)}{comment}']

    def bases(self, node):
        found = []
        for base in node.bases:
            if isinstance(base, ast.Call):
                if dotted(base.func).split('.')[-1] == 'namedtuple':
                    found.append('_t.NamedTuple')
                continue
            found.append(self.local(base))
        for keyword in node.keywords:
            if keyword.arg == 'metaclass' and dotted(keyword.value).split('.')[-1] in ('ABCMeta', 'EnumMeta'):
                found.append(f'metaclass={self.local(keyword.value)}')
        return f'({", ".join(found)})' if found else ''

    def is_enum(self, node):
        return any('Enum' in dotted(b) or 'Flag' in dotted(b) or isinstance(self.defined.get(dotted(b)), ast.ClassDef)
                   and self.is_enum(self.defined[dotted(b)]) for b in node.bases)

    def fields_of_namedtuple(self, node):
        for base in node.bases:
            if isinstance(base, ast.Call):
                names = ast.literal_eval(base.args[1])
                return names.replace(',', ' ').split() if isinstance(names, str) else list(names)
        return []

    def klass(self, node, indent='', owner=''):
        qualified = f'{owner}{node.name}'
        lines = []
        for decorator in node.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            if dotted(target).split('.')[-1] in ('dataclass', 'runtime_checkable'):
                lines.append(f'{indent}@{self.local(decorator)}')
        lines.append(f'{indent}class {node.name}{self.bases(node)}:')
        inside, inner = indent + '    ', []
        is_enum = self.is_enum(node)
        is_record = bool(lines[:-1]) or any('NamedTuple' in dotted(b) for b in node.bases)
        methods = {n.name: n for n in statements(node.body) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
        before, self.outer = self.outer, self.outer | set(methods)
        aliases = []
        inner += [f'{inside}{name}: _t.Any' for name in self.fields_of_namedtuple(node)]
        done = set()
        for child in statements(node.body):
            if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
                known = self.known(child.annotation)
                text = self.local(child.annotation) if known else '_t.Any'
                inner.append(f'{inside}{child.target.id}: {text}{" = ..." * bool(child.value and is_record)}')
                done.add(child.target.id)
            elif isinstance(child, ast.Assign):
                for target, value in assignments(child):
                    if isinstance(target, ast.Name) and target.id not in done:
                        is_alias = isinstance(value, ast.Name) and value.id in methods
                        into = aliases if is_alias else inner
                        into += self.class_attribute(target.id, value, inside, is_enum, is_record, methods, qualified)
                        done.add(target.id)
            elif isinstance(child, ast.ClassDef):
                inner += self.klass(child, inside, qualified + '.')
                done.add(child.name)
        inner += self.instance_attributes(node, methods, inside, qualified, done, is_record)
        extra = TABLE['members'].get(f'{self.name}.{qualified}', '').strip()
        inner += [inside + line for line in extra.split('\n') if line]
        for child in statements(node.body):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) and self.shows(child.name):
                inner += self.function(child, qualified, inside)
        self.outer = before
        inner += aliases
        comment = ignored(f'{self.name}.{qualified}')
        lines[-1] += ' ...' * (not inner) + '  # ' * bool(comment) + comment
        return lines + [self.with_comment(line, qualified) for line in inner]

    def with_comment(self, line, owner):
        name = re.split(r'[: ]', line.strip())[0]
        comment = ignored(f'{self.name}.{owner}.{name}') if name.isidentifier() else ''
        return f'{line}  # {comment}' if comment else line

    def shows(self, name):
        return name[:1] != '_' or name[:2] == '__' or name in TABLE['private_methods']

    def class_attribute(self, name, value, inside, is_enum, is_record, methods, owner):
        if is_enum and name[:1] != '_':
            try:
                return [f'{inside}{name} = {ast.literal_eval(value)!r}']
            except (ValueError, TypeError):
                return [f'{inside}{name} = ...']
        if not self.shows(name) or name in ('__slots__', '__match_args__', '__all__', '__module__', '__doc__', '__hash__'):
            return []
        if isinstance(value, ast.Name) and value.id in methods and self.shows(value.id):
            return [f'{inside}{name} = {value.id}']
        if name[:2] == '__':
            return []
        found = self.look_up('attributes', f'{self.name}.{owner}.{name}', name)
        text = self.spell(found or value_type(value) or 'Any')
        if is_record:  # otherwise a type checker would treat it as a field
            return [f'{inside}@property', f'{inside}def {name}(self) -> {text}: ...']
        return [f'{inside}{name}: {text}']

    def instance_attributes(self, node, methods, inside, owner, done, is_record):
        found = {}
        for method in methods.values():
            if not method.args.args:
                continue
            me = method.args.args[0].arg
            types = self.signature(f'{self.name}.{owner}.{method.name}', method, True)[1] if method.name == '__init__' else {}
            for statement in own_nodes(method):
                for target, value in assignments(statement):
                    if isinstance(target, ast.Attribute) and dotted(target.value) == me:
                        text = self.attribute_type(value, types, f'{self.name}.{owner}.{target.attr}', target.attr)
                        found.setdefault(target.attr, text)
                registered = registered_name(statement, me)
                if registered:
                    found.setdefault(*registered)
        if node.name in LAYER_TYPES and self.name.startswith('nn.modules'):
            found |= {name: self.spell(text) for name, text in LAYER_TYPES[node.name].items() if name in found}
        shown = {name: text for name, text in found.items() if name not in methods and name not in done and self.shows(name)}
        if is_record:  # otherwise a type checker would treat them as fields
            return [line for name, text in shown.items() for line in (
                f'{inside}@property', f'{inside}def {name}(self) -> {text}: ...')]
        return [f'{inside}{name}: {text}' for name, text in shown.items()]

    def attribute_type(self, value, types, qualified, name):
        found = self.look_up('attributes', qualified, name)
        if found:
            return self.spell(found)
        if isinstance(value, ast.Name) and value.id in types:
            return types[value.id]
        if isinstance(value, ast.Call) and dotted(value.func).split('.')[-1] in (
                'Parameter', 'UninitializedParameter', 'UninitializedBuffer'):
            return '_t.Parameter' if 'Buffer' not in dotted(value.func) else '_t.Tensor'
        kind = value_type(value) if value is not None else None
        return self.spell(kind) if kind not in (None, 'int') else '_t.Any'

    def variable(self, name, node):
        value = getattr(node, 'value', None)
        if isinstance(node, ast.AnnAssign) and self.known(node.annotation):
            return [f'{name}: {self.local(node.annotation)}']
        found = self.look_up('attributes', f'{self.name}.{name}', name)
        if found:
            return [f'{name}: {self.spell(found)}']
        if self.is_type_variable(name):
            self.needed[dotted(value.func).split('.')[0]] = None
            return [f'{name} = {ast.unparse(value)}']
        if isinstance(value, ast.Name) and isinstance(self.defined.get(value.id), (ast.ClassDef, ast.FunctionDef)):
            return [f'{name} = {value.id}']
        if isinstance(value, (ast.Name, ast.Attribute)) and dotted(value).split('.')[0] in self.imports \
                and dotted(value).split('.')[-1][:1].isupper() and '_C' not in dotted(value):
            return [f'{name} = {self.local(value)}']
        if isinstance(value, ast.Call) and dotted(value.func).split('.')[-1] in ('namedtuple', 'missing_class'):
            base = '(_t.NamedTuple)' if 'tuple' in dotted(value.func) else ''
            fields = []
            if base:
                text = ast.literal_eval(value.args[1])
                fields = text.replace(',', ' ').split() if isinstance(text, str) else list(text)
            return [f'class {name}{base}:{"" if fields else " ..."}', *(f'    {f}: _t.Any' for f in fields)]
        kind = value_type(value) if value is not None else None
        return [f'{name}: {self.spell(kind or "Any")}']

    # the module --------------------------------------------------------------------------------

    def import_line(self, name, shown):
        """Return the import of a name; with `shown` the import also re-exports it."""
        node, alias = self.imports[name]
        again = f' as {name}' if shown or alias.asname else ''
        if name in self.dotted:
            return '\n'.join(f'import {module}' for module in self.dotted[name])
        if isinstance(node, ast.Import):
            return f'import {alias.name}{again if alias.asname or "." not in alias.name else ""}'
        return f'from {"." * node.level}{node.module or ""} import {alias.name}{again}'

    def text(self):
        lines = []
        self.outer = set(self.defined) | set(self.imports)
        skip = set(self.table.get('skip', ()))
        for name, node in self.defined.items():
            if name in skip:
                continue
            if f'{self.name}.{name}' in TABLE['definitions'] and not isinstance(node, ast.FunctionDef):
                lines += TABLE['definitions'][f'{self.name}.{name}'].strip().split('\n')
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if name not in ('__getattr__', '__dir__'):
                    lines += self.function(node)
            elif isinstance(node, ast.ClassDef):
                lines += self.klass(node)
            else:
                lines += self.variable(name, node)
        for name, kind in (('functions', 'def {}(*args: _t.Any, **kwargs: _t.Any) -> _t.NoReturn: ...'),
                           ('classes', 'class {}:\n    def __init__(self, *args: _t.Any, **kwargs: _t.Any) -> None: ...')):
            words = ' '.join(ast.literal_eval(self.defined[n].value) for n in self.table.get(name, ())).split()
            lines += [kind.format(w) for w in words if w not in self.defined]
        for word in self.table.get('names', '').split():
            name, _, kind = word.partition(':')
            lines.append(f'{name}: {self.spell(kind or "Any")}')
        if self.table.get('incomplete'):
            lines.append('def __getattr__(name: str) -> _t.Any: ...')
        lines += self.table.get('tail', '').strip().split('\n')
        shown = {n for n, (node, _) in self.imports.items() if self.is_package and getattr(node, 'level', 0)
                 and node.module not in ('_missing', '_parts')} | set(self.all)
        used = {n: None for n in (*self.needed, *sorted(shown)) if n in self.imports and n not in self.defined and n not in skip}
        head = [self.import_line(name, name in shown) for name in used]
        head += [] if '*' in skip else self.stars
        bound = set(self.defined) | {n for n in used if n in shown}
        if self.is_package:
            head += [f'from . import {s} as {s}' for s in self.submodules() if s not in bound]
        head += self.table.get('lines', '').strip().split('\n')
        exported = [f'__all__ = {self.all!r}'] * bool(self.all and self.all_is_known and self.table.get('all', True))
        return '\n'.join(['# SPDX-License-Identifier: BSD-3-Clause', '# Written by python/stubs/make_stubs.py; do not edit.',
                          'from corten import _typing as _t', *filter(None, head), *exported, '', *lines, ''])

    def submodules(self):
        names = {p.stem for p in self.folder.glob('*.py')} | {p.parent.name for p in self.folder.glob('*/__init__.py')}
        return sorted(n for n in names if n[0] != '_')


def ignored(qualified):
    """Return the comment that makes a type checker accept a definition required by PyTorch's interface."""
    for kind, names in TABLE['ignored'].items():
        if qualified in names:
            return kind if ':' in kind else f'type: ignore[{kind}]'
    return ''


def assignments(node):
    """Return [(target, value)] for an assignment; tuples are paired element by element."""
    numbers = isinstance(getattr(node, 'value', None), ast.Call) and dotted(node.value.func) == 'range'
    if isinstance(node, ast.AnnAssign):
        yield node.target, node.value
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Tuple):
                pairs = isinstance(node.value, ast.Tuple) and len(node.value.elts) == len(target.elts)
                some = [ast.Constant(n) for n in eval(ast.unparse(node.value))] if numbers else [None] * len(target.elts)
                yield from zip(target.elts, node.value.elts if pairs else some, strict=True)
            else:
                yield target, node.value


def registered_name(node, me):
    """Return (name, type) for a call that registers a parameter or buffer with a module."""
    if isinstance(node, ast.Call) and dotted(node.func) in (f'{me}.register_parameter', f'{me}.register_buffer'):
        if node.args and isinstance(node.args[0], ast.Constant):
            kind = 'Parameter' if 'parameter' in dotted(node.func) else 'Tensor'
            return node.args[0].value, f'_t.{kind} | _t.Any'
    return None


def layer_types():
    """Return {class: {attribute: type}} from nn/modules/_annotations.py."""
    tree = ast.parse((PACKAGE / 'nn/modules/_annotations.py').read_text())
    text = next(n.value.value for n in tree.body if isinstance(n, ast.Assign) and dotted(n.targets[0]) == '_TYPES')
    found = {}
    for line in text.replace('\n    ', ' ').strip().splitlines():
        name, _, attributes = line.partition(': ')
        parts = re.split(r'(?:^|, )(\w+): ', attributes)[1:]
        found[name] = dict(zip(parts[::2], parts[1::2], strict=True))
    return found


LAYER_TYPES = layer_types()


def write(path, text):
    """Write a file unless its contents are unchanged, so that an install copies only changed files."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main():
    out, depfile = Path(sys.argv[1]), Path(sys.argv[2])
    sources = sorted(PACKAGE.rglob('*.py'))
    written = set()
    for path in sorted({p.with_suffix('') for p in (*sources, *PACKAGE.rglob('*.pyi'))}):
        if path.name == '__main__':
            continue
        stub, source = path.with_suffix('.pyi'), path.with_suffix('.py')
        target = out / stub.relative_to(PACKAGE)
        written.add(target)
        write(target, stub.read_text() if stub.exists() else Stub(source).text())
    for old in set(out.rglob('*.pyi')) - written:
        old.unlink()
    out.touch()  # ninja compares the modification time of the folder with those of the sources
    inputs = [*sources, *PACKAGE.rglob('*.pyi'), Path(__file__).resolve(), *HERE.glob('*.toml')]
    depfile.write_text(f'{sys.argv[1]}: ' + ' '.join(str(p).replace(' ', '\\ ') for p in inputs) + '\n')


if __name__ == '__main__':
    main()
