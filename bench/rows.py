# SPDX-License-Identifier: BSD-3-Clause
"""Times every row on its test samples in Corten, and in PyTorch and NumPy if they can be imported. A row
is timed on the small sample (the cost of a call) and, if it computes, on about a million elements. Each
library runs in its own process. The processes alternate on each case and the best time counts, so that
load on the machine affects all libraries alike.

    .venv/bin/python bench/rows.py [--rows add,sum] [--threads 1] [--json FILE] [--torch PYTHON]
"""
import argparse
import json
import math
import os
import platform
import subprocess
import sys
import timeit
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1] / "tests" / "ops"))
from facts import FILLS, FIXED, NAME  # noqa: E402

LARGE = 1_000_000
TURNS, SECONDS = 5, 0.002  # seconds per case, and per measurement at least
NUMPY_NAMES = {
    "sub": "subtract", "mul": "multiply", "div": "divide", "neg": "negative", "pow": "power",
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal", "atan2": "arctan2", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
    "clamp": "clip", "cat": "concatenate", "mm": "matmul", "bmm": "matmul", "mv": "matmul",
    "permute": "transpose", "movedim": "moveaxis", "unsqueeze": "expand_dims",
}


def names_in(text):
    """Returns the inputs of a sample: {name: (letter, shape, own data type)}."""
    used = compile(text, "sample", "eval").co_names
    found = {n: NAME.fullmatch(n).groups() for n in used if NAME.fullmatch(n) and n[0] in FILLS}
    return {n: (letter, [int(c) for c in shape], own) for n, (letter, shape, own) in found.items()}


# ---- the process of one library ----


class Library:
    """Makes inputs and times expressions; NumPy is called by PyTorch's names where it has them."""

    def __init__(self, name, threads):
        self.is_numpy = name == "numpy"
        self.lib = __import__(name)
        self.inputs = {}
        if not self.is_numpy:
            self.lib.set_num_threads(threads)

    def array(self, letter, shape, dtype, scale):
        n, lib = math.prod(shape), self.lib
        if scale == 1:
            values = [FILLS[letter](k, dtype) for k in range(n)]
            flat = lib.array(values, dtype) if self.is_numpy else lib.tensor(values, dtype=getattr(lib, dtype))
        else:
            numbers = lib.random.default_rng(0).standard_normal(n, "float32") if self.is_numpy else lib.randn(n)
            numbers = {"b": lambda: numbers > 0, "i": lambda: numbers > 0, "j": lambda: numbers > 0,
                       "p": lambda: abs(numbers) + 0.5, "d": lambda: abs(numbers) + 0.5,
                       "u": lambda: abs(numbers) % 1}.get(letter, lambda: numbers * 3)()
            flat = numbers.astype(dtype) if self.is_numpy else numbers.to(getattr(lib, dtype))
        return flat.reshape(shape)

    def prepare(self, text, dtype, scale):
        """Returns a timer of the expression, and the shape of its result."""
        given = {"torch": self.lib}
        for name, (letter, shape, own) in names_in(text).items():
            key = letter, tuple(size * scale for size in shape), own or FIXED.get(letter, dtype), scale
            if key not in self.inputs:
                self.inputs[key] = self.array(*key)
            given[name] = self.inputs[key]
        if self.is_numpy:
            head, dot, rest = text.partition("(")
            head = "torch." + NUMPY_NAMES.get(head.removeprefix("torch."), head.removeprefix("torch."))
            text = (head + dot + rest).replace("keepdim", "keepdims").replace("dim=", "axis=")
        result = eval(text, given)
        self.timer = timeit.Timer(text, globals=given)
        self.calls = 1
        while (spent := self.timer.timeit(self.calls)) < SECONDS:
            self.calls = max(2 * self.calls, int(1.2 * self.calls * SECONDS / max(spent, 1e-9)))
        return list(getattr(result, "shape", [])) if not isinstance(result, (tuple, list)) else None


def serve(name, threads):
    library = Library(name, threads)
    print(json.dumps(library.lib.__version__), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = library.prepare(*request) if request else library.timer.timeit(library.calls) / library.calls
        except Exception as e:
            answer = {"error": f"{type(e).__name__}: {e}"}
        print(json.dumps(answer), flush=True)


# ---- the parent process ----


class Worker:
    def __init__(self, name, python, threads):
        self.name = name
        self.process = subprocess.Popen([python, HERE, "--serve", name, "--threads", str(threads)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.version = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "gone"}

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self.answer()


def good(answer):
    return not (isinstance(answer, dict) and "error" in answer)


def rank(sample):
    """Sorts typical samples first: operands of one shape and type, no special values, many elements."""
    inputs = names_in(f"f({sample[0]})").values()
    return (any(own for _, _, own in inputs), any(letter in "anq" for letter, _, _ in inputs),
            len({tuple(shape) for _, shape, _ in inputs}), -sum(math.prod(shape) for _, shape, _ in inputs), len(sample[0]))


def texts_of(row):
    """Returns calls of a row with a data type, typical ones first."""
    import cases
    form = next((f for f in ("function", "method", "inplace") if f in row.forms), None)
    for sample, dtypes, layouts in sorted(cases.samples_of(row), key=rank):
        text = cases.call_text(row, form, sample) if form and "c" in layouts else None
        for dtype in ("float32", "int64", "complex64", "bool"):
            if text and dtype in dtypes:
                yield text, dtype


def scale_of(row, text):
    shapes = [shape for _, shape, _ in names_in(text).values() if shape]
    if row.maker == "view" or not shapes:
        return 1
    shape = max(shapes, key=math.prod)
    return int((LARGE / max(math.prod(shape), 1)) ** (1 / len(shape)))


def time_row(row, workers):
    first, others = workers[0], workers[1:]
    chosen = next(((t, d, s) for t, d in texts_of(row) if good(s := first.ask([t, d, 1])) and 0 not in (s or [])), None)
    if not chosen:
        return
    text, dtype, _ = chosen
    for scale in dict.fromkeys((1, scale_of(row, text))):
        shape = first.ask([text, dtype, scale])
        if not good(shape):
            continue
        same = [w for w in others if w.ask([text, dtype, scale]) == shape]
        seconds = {w.name: math.inf for w in (first, *same)}
        for _ in range(TURNS):
            for w in (first, *same):
                seconds[w.name] = min(seconds[w.name], w.ask(None))
        yield {"row": row.name, "family": row.where.split(".")[0], "size": "call" if scale == 1 else "large",
               "text": text, "dtype": dtype, "shape": shape, "seconds": seconds}


def ratio(case, name):
    return case["seconds"]["corten"] / case["seconds"][name] if name in case["seconds"] else None


def show(case):
    ratios = "".join(f"{r:10.2f}" if (r := ratio(case, n)) else " " * 10 for n in ("torch", "numpy"))
    print(f"{case['row']:24}{case['size']:8}{case['seconds']['corten'] * 1e6:12.2f}{ratios}  {case['text']}", flush=True)


def summary(cases):
    """Returns geometric means of the ratios, by family and size."""
    print(f"\n{'family':24}{'size':8}{'cases':>12}{'/torch':>10}{'/numpy':>10}")
    for family, size in sorted({(c["family"], c["size"]) for c in cases}):
        some = [c for c in cases if (c["family"], c["size"]) == (family, size)]
        means = ""
        for name in ("torch", "numpy"):
            logs = [math.log(r) for c in some if (r := ratio(c, name))]
            means += f"{math.exp(sum(logs) / len(logs)):10.2f}" if logs else " " * 10
        print(f"{family:24}{size:8}{len(some):12}{means}")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--rows", help="only these, divided by commas")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--json", type=Path)
    p.add_argument("--torch", default=os.environ.get("CORTEN_TORCH_PYTHON", sys.executable),
                   help="a Python that has PyTorch")
    p.add_argument("--serve", help=argparse.SUPPRESS)
    args = p.parse_args()
    if args.serve:
        return serve(args.serve, args.threads)
    import cases
    pythons = {"corten": sys.executable, "torch": args.torch, "numpy": sys.executable}
    workers = [Worker(name, python, args.threads) for name, python in pythons.items()]
    workers = [w for w in workers if good(w.version)]
    if not workers or workers[0].name != "corten":
        sys.exit("corten cannot be imported: make build")
    print("microseconds of Corten, and as a part of the others' (below 1: Corten is faster)")
    print(f"{'row':24}{'size':8}{'us':>12}{'/torch':>10}{'/numpy':>10}")
    done = []
    for row in cases.all_rows():
        if cases.public(row) and (not args.rows or row.name in args.rows.split(",")):
            for case in time_row(row, workers):
                done.append(case)
                show(case)
    summary(done)
    if args.json:
        about = {"machine": platform.platform(), "threads": args.threads, "versions": {w.name: w.version for w in workers}}
        args.json.write_text(json.dumps({**about, "cases": done}, indent=1))


if __name__ == "__main__":
    main()
