# SPDX-License-Identifier: BSD-3-Clause
"""help() has a page for every public name; pages of operations are complete, and a signature fits the calls that users write."""
import importlib
import inspect
import pathlib
import pkgutil
import statistics
import sys
import types

import corten

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIP = ("corten.__main__", "corten._C", "corten.libcorten")
sys.path += [str(ROOT / "tools"), str(ROOT / "docs")]
import emit_python  # noqa: E402
import help_pages  # noqa: E402
import rows  # noqa: E402

OPS = emit_python.gather(rows.load(rows.tables()))


def listed(op):
    return [(row, emit_python.calls(row, op.form, op.base)) for row in op.rows]


def modules():
    yield corten
    for info in pkgutil.walk_packages(corten.__path__, "corten."):
        if not info.name.startswith(SKIP) and not any(part.startswith("_") for part in info.name.split(".")):
            yield importlib.import_module(info.name)


def is_ours(value):
    home = getattr(value, "__module__", None) or getattr(getattr(value, "__objclass__", None), "__module__", None) or "corten"
    return str(home).split(".")[0] in ("corten", "torch")  # __module__ of a class is its module in PyTorch


def public():
    """Yields (name, object, docstring) of every public function, class, method and property, each object once. A method may
    inherit its docstring, as in help()."""
    seen = set()
    for module in modules():
        for name in dir(module):
            value = getattr(module, name, None) if name[0] != "_" else None
            kind = inspect.isclass(value) or inspect.isroutine(value)
            if not kind or not is_ours(value) or id(value) in seen:
                continue
            seen.add(id(value))
            yield f"{module.__name__}.{name}", value, value.__doc__
            own = [b for b in value.__mro__ if b is value or b.__name__ == "TensorBase"] if inspect.isclass(value) else []
            for inner, member in (item for base in own for item in vars(base).items()):
                member = member.__func__ if isinstance(member, (staticmethod, classmethod)) else member
                if inner[0] != "_" and (inspect.isroutine(member) or isinstance(member, (property, types.GetSetDescriptorType))):
                    texts = (getattr(vars(base).get(inner), "__doc__", None) for base in value.__mro__)
                    yield f"{module.__name__}.{name}.{inner}", member, next(filter(None, texts), None)


def test_every_public_name_has_a_docstring():
    missing = [name for name, _, text in public() if not text]
    assert not missing, "\n".join(missing)


def test_docstrings_are_more_than_a_line():
    """The median docstring of layers, optimizers and network functions has at least 40 words."""
    from corten import nn, optim
    for module in (nn.modules, optim, nn.functional):
        values = [v for n, v in vars(module).items() if n[0] != "_" and is_ours(v) and (inspect.isclass(v) or inspect.isroutine(v))]
        assert statistics.median(len((v.__doc__ or "").split()) for v in values) >= 40, module.__name__


def test_every_argument_has_a_meaning():
    missing = {f"{op.base}: {name}" for op in OPS for name, _, text in help_pages.arguments(op, listed(op)) if not text.split(" Default: ")[0]}
    assert not missing


def test_texts_and_meanings_belong_to_operations():
    paths = {row.path for op in OPS for row in op.rows} | {op.base for op in OPS}
    assert not set(help_pages.TEXTS) - paths
    assert not set(help_pages.MEANINGS["of"]) - {path.rstrip("_") for path in paths}
    assert not set(help_pages.MEANINGS["family"]) - {row.source for op in OPS for row in op.rows}
    names = {a.name for op in OPS for _, calls in listed(op) for call in calls for a, _ in call} | {"outs"}
    unknown = {name for table in help_pages.MEANINGS.values() for name in (
        table if not isinstance(next(iter(table.values())), dict) else [n for inner in table.values() for n in inner])} - names
    assert not unknown


def test_pages_of_methods_have_no_input():
    for op in OPS:
        if op.form != "function":
            owner = {row.owner.name for row in op.rows}
            assert not owner & {name for name, _, _ in help_pages.arguments(op, listed(op))}, op.base


def test_signatures_fit_usual_calls():
    for function, arguments in ((corten.add, (1, 2)), (corten.Tensor.permute, (1, 2, 3)), (corten.zeros, (2, 3)),
                                (corten.Tensor.reshape, (1, 2, 3)), (corten.Tensor.repeat, (1, 2, 3)), (corten.sum, (1, 2))):
        inspect.signature(function).bind(*arguments)
    assert not [n for n, v, _ in public() if getattr(v, "__text_signature__", None) and not readable(v)]


def readable(function):
    try:
        return inspect.signature(function)
    except ValueError:
        return None


def test_pages():
    view = corten.Tensor.view.__doc__
    assert view.startswith("view(*size) -> Tensor\n") and "\nview(dtype) -> Tensor\n" in view
    assert "shares memory" in view and "Arguments:\n    size (int or sequence of ints): " in view and ">>> x.view(2, 3)" in view
    assert corten.where.__doc__.startswith("where(condition, input, other, *, out=None) -> Tensor\n")
    assert "`self + weight * (end - self)`" in corten.Tensor.lerp.__doc__
    assert corten.Tensor.add_.__doc__.startswith("In-place version of `add`, which adds `other`")
    assert "(solution, residuals, rank, singular_values)" in corten.linalg.lstsq.__doc__
