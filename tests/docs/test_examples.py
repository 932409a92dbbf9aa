# SPDX-License-Identifier: BSD-3-Clause
"""The examples of operations (docs/examples.txt, shown by help()) and those in docstrings give the output that they show, and every
operation has an example. Run as a program by a Python with PyTorch, this file checks the examples against PyTorch."""
import doctest
import importlib
import pathlib
import pkgutil
import re
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/examples.txt").read_text()


def examples():
    """Returns {name: [(source, expected output)]}."""
    found = {}
    for part in re.split(r"\n(?=\w)", TEXT)[1:]:
        name, body = part.rstrip().split("\n", 1)
        steps = re.split(r"^    >>> ", body, flags=re.M)[1:]
        found[name] = [(step.split("\n", 1) + [""])[:2] for step in steps]
    return found


def differences(torch):
    for name, steps in examples().items():
        names = {"torch": torch}
        for source, expected in steps:
            try:
                result = eval(compile(source, name, "eval"), names)
            except SyntaxError:
                exec(source, names)
                result = None
            text = "" if result is None else "".join(f"    {line}".rstrip() + "\n" for line in repr(result).split("\n"))
            if text.strip() != "\n".join(line.rstrip() for line in expected.split("\n")).strip():
                yield f"{name}: {source}\n{text}instead of\n{expected}"


def test_they_print_what_they_say():
    import corten
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "index_reduce.. is in beta")  # a warning at every call, as in PyTorch
        assert not list(differences(corten))


def test_every_operation_has_one():
    sys.path.insert(0, str(ROOT / "tools"))
    import emit_python
    import help_pages
    import rows
    ops = emit_python.gather(rows.load(rows.tables()))
    missing = [op.base for op in ops if not help_pages.example(op)]
    assert not missing
    import corten
    for where in (corten.add, corten.Tensor.add, corten.Tensor.add_, corten.linalg.det):
        assert ">>> torch." in where.__doc__ and "Arguments:" in where.__doc__


def modules():
    import corten
    skip = ("corten.__main__", "corten._C", "corten.libcorten")
    for info in pkgutil.walk_packages(corten.__path__, "corten."):
        if not info.name.startswith(skip):
            yield importlib.import_module(info.name)


def test_docstrings_in_c():
    """Examples of functions and methods that are not rows of the table."""
    import corten
    rows = {name.rstrip("_") for name in examples()}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
    count, out = 0, []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for owner in (corten._C, *(c for c in corten.Tensor.__mro__ if c is not object)):
            for name, value in vars(owner).items():
                doc = getattr(value, "__doc__", None) or ""
                if callable(value) and not isinstance(value, type) and ">>> " in doc and name.rstrip("_") not in rows:
                    test = doctest.DocTestParser().get_doctest(doc, {"torch": corten}, name, None, None)
                    count += len(test.examples)
                    runner.run(test, out=out.append)
    assert not out, "".join(out)
    assert count > 40


def test_docstrings(tmp_path, monkeypatch):
    """Runs every `>>>` example in the package's docstrings."""
    import corten
    monkeypatch.chdir(tmp_path)
    finder = doctest.DocTestFinder(exclude_empty=True)
    wrong, count, seen = [], 0, set()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for module in [corten, *modules()]:
            for test in finder.find(module, module.__name__, extraglobs={"corten": corten, "torch": corten, "nn": corten.nn}):
                if not test.examples or (test.filename, test.lineno, test.name) in seen:
                    continue
                seen.add((test.filename, test.lineno, test.name))
                corten.manual_seed(0)
                out = []
                doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False).run(test, out=out.append)
                count += len(test.examples)
                wrong += ["".join(out)] * bool(out)
    assert not wrong, "\n".join(wrong)
    assert count > 300


if __name__ == "__main__":
    import torch
    warnings.simplefilter("ignore")
    wrong = list(differences(torch))
    print("\n".join(wrong) or f"PyTorch {torch.__version__} prints the same")
    sys.exit(len(wrong) > 0)
