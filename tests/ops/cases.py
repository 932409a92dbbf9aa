# SPDX-License-Identifier: BSD-3-Clause
"""Makes the test cases of a row: samples times data types, layouts and forms.

The samples of pointwise rows follow from the number of operands. Samples of other rows are in the package `samples`, one
module per family. A module has SAMPLES and optionally ULPS (error bounds), DELIBERATE (intended differences) and MORE
(samples of rows of other modules). A sample is the text of an argument list, such as `x23, 0, keepdim=True`; facts.py
explains the names.
"""
import importlib
import re
import sys
import zlib
from pathlib import Path

from facts import DTYPES, OUTS, Case
from samples import SAMPLES, ULPS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RULES = []  # deliberate differences: see tests/conformance/deliberate.py
FAMILIES = [importlib.import_module(".".join(path.relative_to(HERE).with_suffix("").parts))
            for path in sorted((HERE / "samples").rglob("*.py")) if path.stem != "__init__"]
for module in FAMILIES:
    SAMPLES.update(module.SAMPLES)
    ULPS.update(getattr(module, "ULPS", {}))
    RULES += getattr(module, "DELIBERATE", [])
for module in FAMILIES:
    for name, found in getattr(module, "MORE", {}).items():
        SAMPLES[name] = [*SAMPLES.get(name, []), *found]
sys.path.insert(0, str(ROOT / "tools"))
import rows as table  # noqa: E402

FEW = ("bool", "uint8", "int64", "bfloat16", "float32", "complex64")  # one type of each kind
BREAKABLE = ("int8", "int64", "bfloat16", "float32", "float64")
OPERAND = re.compile(r"\bx(?=\d)")
SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
         "and": "&", "or": "|", "xor": "^", "matmul": "@", "lshift": "<<", "rshift": ">>",
         "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
UNARY = {"neg": "-{}", "abs": "abs({})", "invert": "~{}", "pos": "+{}"}
NUMBERS = ("True", "2", "-3", "2.5", "1.5 - 2j", "300", "2 ** 40", "float('nan')", "float('inf')")
# Argument lists that no operation accepts; the error text must be PyTorch's.
WRONG = ("", "None", "'text'", "[1, 2]", "x23, nothing=1", "x23, x23, x23, x23, x23, x23, x23")


def all_rows():
    return table.load(table.tables())


def family(row):
    return row.source


def public(row):
    """Whether Python can call the row. Internal rows are tested through the derivatives that use them."""
    return row.forms & {"function", "method", "inplace", "out"} and "internal" not in row.forms


def iterates(row):
    """Whether the row iterates to convergence, so that the number of steps and the signs of results are unspecified."""
    return row.name == "lobpcg"


def normwise(row):
    """Whether errors are relative to the largest element of a result. LAPACK guarantees no more for singular vectors, and its
    kernels depend on the processor."""
    return row.name in ("svd", "linalg_svd", "linalg_polar", "svd_lowrank", "pca_lowrank", "lobpcg")


def without_fma():
    """Whether Corten's loops lack FMA, as in the sanitizer builds, where factorisations round more often."""
    corten = sys.modules.get("corten")
    return corten is not None and corten.backends.cpu.get_cpu_capability() == "DEFAULT"


def ulps(row, case):
    """Returns the allowed difference from PyTorch's floating-point results, in units in the last place."""
    units = ULPS.get(row.name, ULPS.get(family(row), 0))
    if family(row) in ("linalg", "linalg_eigen") and without_fma():
        units *= 16
    if case.form == "out wide":  # computed in lower precision, compared in float64
        types = [case.dtype, *(d for d in ("bfloat16", "float16") if f"_{d}" in case.text)]
        units = max(units, 2) * 2 ** max({"bfloat16": 45, "float16": 42}.get(d, 29) for d in types)
    return units


def pointwise_samples(row):
    """Returns [(sample, data types, layouts)] of a pointwise row."""
    tensors = [a for a in row.args if a.is_tensor]
    if len(tensors) == 1:
        found = [(s, DTYPES, "c") for s in ("x23", "x", "x03", "n7", "q7", "x2224")]
        found += [("x23", DTYPES, "t s e j".split()), ("x2224", FEW, ["l", "t", "s"])]
    elif len(tensors) == 2:
        found = binary_samples(row, tensors)
    else:
        found = ternary_samples(tensors)
    return found


def typed(name, dtype):
    return f"{name}_{dtype}"


def binary_samples(row, tensors):
    first, second = tensors
    pairs = [(f"x23, {typed('y23', d)}", DTYPES, "c") for d in DTYPES]
    pairs += [(f"x, {typed('y23', d)}", DTYPES, "c") for d in DTYPES]
    pairs += [(f"x23, {typed('y', d)}", DTYPES, "c") for d in DTYPES]
    found = pairs + [(s, DTYPES, "c") for s in ("x, y", "x23, d23", "n9, q9", "x23, y3", "x03, y3")]
    found += [(s, FEW, "c") for s in ("x21, y13", "x3, y23", "x23, y4", "x03, y23", "x223, y23, ", "x24, y13")]
    found += [("x23, d23", FEW, "tt ct tc ss ee cj jj".split()), ("x2224, d2224", FEW, "ll lc cl lt".split())]
    # slow functions and block functions may take a number of steps proportional to an argument
    functions = table.FACTS["functions"]
    rare = row.each.get("any", "").split("(")[0] in (*functions["blocks"], *functions["slow"])
    numbers = [n for n in NUMBERS if n != "2 ** 40" or not rare]
    found = [f for f in found if not rare or f[0] != "n9, q9"]
    found += [("n9, q9", [d for d in DTYPES if "float" in d or "8" in d], "c")] if rare else []
    found += [(f"x23, {n}", DTYPES, "c") for n in numbers]
    found += [(f"x, {n}", FEW, "c") for n in numbers] + [(f"x03, {n}", FEW, "c") for n in ("2", "2.5")]
    found += [(f"{n}, x23", FEW, "c") for n in ("2", "2.5", "True")]
    return found


def ternary_samples(tensors):
    shapes = ("{0}23, {1}23, {2}23", "{0}23, {1}3, {2}", "{0}, {1}23, {2}21", "{0}03, {1}3, {2}", "{0}23, {1}4, {2}23")
    letters = ["b" if t.kind == "Mask" else "xyz"[i] for i, t in enumerate(tensors)]
    found = [(s.format(*letters), DTYPES, "c") for s in shapes]
    found += [(shapes[0].format(*letters), FEW, "tt ct tc ss ee".split())]
    found += [(f"{letters[0]}23, {typed('y23', d)}, {typed('z23', e)}", FEW, "c") for d in FEW for e in FEW]
    found += [(f"{letters[0]}23, {typed('y23', d)}, {typed('z', e)}", FEW, "c") for d in FEW for e in FEW]
    found += [(f"{letters[0]}9, n9, q9", DTYPES, "c")]
    if tensors[-1].kind.startswith("Value"):
        found += [(f"{letters[0]}23, y23, {n}", DTYPES, "c") for n in NUMBERS]
    if tensors[-2].kind.startswith("Value"):
        found += [(f"{letters[0]}23, {n}, y23", FEW, "c") for n in NUMBERS[:5]]
        found += [(f"{letters[0]}23, {n}, {m}", ["bool"], "c") for n in NUMBERS[:5] for m in NUMBERS[:5]]
    return found


def broken(samples):
    """Yields the samples again with NaN, infinities, signed zeros and the limits of integers in them."""
    for text, dtypes, _ in samples:
        for letter in "nw":
            other = OPERAND.sub(letter, text)
            if other != text:
                yield other, [d for d in BREAKABLE if d in dtypes], ("c",)


def samples_of(row):
    """Returns [(sample, data types, layouts)], empty if the row has none."""
    own = SAMPLES.get(row.name, [])
    found = pointwise_samples(row) if row.maker == "each" and row.name not in ("copy",) else []
    for entry in own:
        text, dtypes, layouts = entry if isinstance(entry, tuple) else (entry, None, None)
        found.append((text, dtypes or DTYPES, layouts or ("c", "t", "s")))
    return found + list(broken(found[-len(own):] if own else ()))


CALLED = dict.fromkeys(("_histogramdd_from_bins", "_histogramdd_from_counts"), "histogramdd")  # these rows implement parts of it


def call_text(row, form, sample):
    name = row.python_name
    if form == "function" or (form == "inplace" and not row.is_method_in_place):
        return f"torch.{CALLED.get(name, row.path)}{'_' if form == 'inplace' and name[-1] != '_' else ''}({sample})"
    parts = [p.strip() for p in table.split_commas(sample)]
    receiver = parts.pop(0)
    if not receiver or "=" in receiver or receiver[0] not in "abdijmnopquwxyz":
        return None
    return f"{receiver}.{name.rstrip('_')}{'_' if form == 'inplace' else ''}({', '.join(parts)})"


def operator_cases(row, samples):
    for word in row.operators:
        word = word.strip("_")
        reflected, inplace = word[0] == "r" and word[1:] in SIGNS, word[0] == "i" and word[1:] in SIGNS
        for sample, dtypes, layouts in samples:
            parts = [p.strip() for p in table.split_commas(sample) if p.strip()]
            if word in UNARY and len(parts) == 1:
                text, form = UNARY[word].format(parts[0]), "operator"
            elif len(parts) != 2 or "=" in sample:
                continue
            elif inplace:
                text, form = f"{parts[0]} {SIGNS[word[1:]]}= {parts[1]}", "iop"
            else:
                left, right = reversed(parts) if reflected else parts
                text, form = f"({left}) {SIGNS[word[1:] if reflected else word]} ({right})", "operator"
                if reflected and not parts[1].lstrip("-")[0].isdigit():
                    continue
            yield from spread(row, form, text, dtypes, layouts)


def spread(row, form, text, dtypes, layouts):
    for dtype in dtypes:
        for layout in layouts:
            yield Case(row.name, dtype, layout, form, text)


def cases_of(row):
    """Returns all cases of a row without duplicates, in a fixed order."""
    samples = samples_of(row)
    found = []
    for form in ("function", "method", "inplace"):
        if form not in row.forms:
            continue
        for sample, dtypes, layouts in samples:
            text = call_text(row, form, sample)
            if text:
                found += spread(row, form, text, dtypes, layouts)
        if samples:
            found += [Case(row.name, "float32", "c", form, text)
                      for text in (call_text(row, form, s) for s in WRONG) if text]
    if "out" in row.forms:
        for sample, dtypes, layouts in samples:
            for dtype in dtypes if dtypes is not DTYPES else FEW:
                found += [Case(row.name, dtype, layouts[0], f"out {kind}", call_text(row, "function", sample))
                          for kind in OUTS]
    found += operator_cases(row, samples)
    for alias in row.aliases if samples else ():
        found.append(Case(row.name, "float32", "c", "function", f"torch.{alias}({samples[0][0]})"))
    return list(dict.fromkeys(found))


def choice(facts, most):
    """Chooses at most `most` cases of {case: fact} to keep in the repository, by hash, so that the choice is even and
    reproducible. At most a fifth are errors, and a fifth calls with `out`, whose contract test_out.py checks."""
    order = sorted(facts, key=lambda c: zlib.crc32("|".join(c).encode()))
    wrong = [c for c in order if facts[c].startswith("!")]
    given = [c for c in order if c.form.startswith("out ") and c not in set(wrong)]
    usual = [c for c in order if c not in {*wrong, *given}]
    fifth = most // 5
    usual = usual[:most - min(len(given), fifth) - min(len(wrong), fifth)]
    few = max(len(usual) // 3, 1)
    return [*usual, *given[:min(fifth, few)], *wrong[:min(fifth, few)]]
