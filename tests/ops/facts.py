# SPDX-License-Identifier: BSD-3-Clause
"""Evaluates a case and describes everything a user can see of it as text, called a fact.

A case is (data type, layout, form, expression). In the Python expression, `torch` is the library under
test, Corten or PyTorch, and names are inputs: `x23` is a tensor of shape (2, 3), `x` a tensor without
dims, `y3_int64` a tensor with its own data type. The letter selects the values (FILLS), the layout of the
case the strides. This module knows neither rows nor files and imports no tensor library.
"""
import math
import re
import warnings
from collections import namedtuple

Case = namedtuple("Case", "row dtype layout form text")

DTYPES = ("bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
          "complex64 complex128").split()
NAME = re.compile(r"([a-z])(\d*)(?:_([a-z]+\d*))?$")
BITS = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52, "complex64": 23, "complex128": 52}
LEAST = {"float16": 2.0 ** -14, "bfloat16": 2.0 ** -126, "float32": 2.0 ** -126, "float64": 2.0 ** -1022}
DIGITS = {"float16": 5, "bfloat16": 4, "float32": 9, "float64": 17, "complex64": 9, "complex128": 17}
SPECIAL = [math.nan, math.inf, -math.inf, -0.0, 0.0, 1.0, -1.0, 0.5, -2.0, 1e4, -3e-7, 6e4, 2.5, -1.5]
LIMITS = {"uint8": (0, 255), "int8": (-128, 127), "int16": (-2 ** 15, 2 ** 15 - 1),
          "int32": (-2 ** 31, 2 ** 31 - 1), "int64": (-2 ** 63, 2 ** 63 - 1), "uint16": (0, 2 ** 16 - 1),
          "uint32": (0, 2 ** 32 - 1), "uint64": (0, 2 ** 64 - 1), "bool": (0, 1)}
# Matrices of these numbers with up to four rows and columns have condition numbers below 6 in every layout.
GOOD = [-5, 2, -5, -4, -5, -3, -1, 2, 4, -1, -2, -4, 4, 4, -4, 2, -1, 2, 4, 1, -5, -1, 4, -4, 1, -2, -3, 4, 3]


def mixed(k):
    return (k * 7 + 3) % 11 - 5


def other(k):
    return (k * 5 + 2) % 7 - 3


def kind_of(dtype):
    if dtype == "bool":
        return "bool"
    return "complex" if "complex" in dtype else "float" if "float" in dtype else "int"


def number(step, k, dtype):
    """Converts element k of a sequence of small integers to a value of a data type."""
    v, kind = step(k), kind_of(dtype)
    if kind == "bool":
        return bool(v % 2)
    if kind == "int":
        return abs(v) if dtype.startswith("u") else v
    if kind == "float":
        return v * 0.375 + (k % 3) * 0.0625  # sums of these values are exact in every order and type
    return complex(v * 0.375 + (k % 3) * 0.0625, step(k + 3) * 0.25)


def special(k, dtype, turn=0):
    """Returns element k of a sequence of infinities, NaN, signed zeros and the limits of integers."""
    kind, k = kind_of(dtype), k + turn
    if kind == "float":
        return SPECIAL[k % len(SPECIAL)]
    if kind == "complex":
        return complex(SPECIAL[k % len(SPECIAL)], SPECIAL[(k * 3 + 1) % len(SPECIAL)])
    low, high = LIMITS[dtype]
    return type(True if kind == "bool" else 1)([low, high, high - 1, low + 1, 0, 1, high // 2, 3][k % 8])


def holed(k, dtype):
    """Returns ordinary numbers with every fourth element NaN, or for integers a limit of the type."""
    broken = {"float": math.nan, "complex": complex(math.nan, 1)}.get(kind_of(dtype))
    if k % 4 != 1:
        return number(mixed, k, dtype)
    return special(k, dtype) if broken is None else broken


FILLS = {
    "x": lambda k, d: number(mixed, k, d),
    "y": lambda k, d: number(other, k, d),
    "z": lambda k, d: number(lambda k: (k * 3 + 1) % 5 - 2, k, d),
    "d": lambda k, d: number(lambda k: other(k) or 3, k, d) or 1,  # a divisor: never zero
    "p": lambda k, d: number(lambda k: (k * 7 + 3) % 11 + 1, k, d),  # positive
    "u": lambda k, d: number(lambda k: (k * 7 + 3) % 11, k, d) * 0.2 if kind_of(d) == "float"
    else number(lambda k: k % 2, k, d),  # between 0 and 1
    "a": lambda k, d: number(lambda k: (k * 5) % 3, k, d),  # many equal elements
    "m": lambda k, d: number(lambda k: GOOD[k % len(GOOD)], k, d),  # for linear algebra
    "n": special,
    "q": lambda k, d: special(k, d, 5),
    "w": holed,
    "o": lambda k, d: number(lambda k: 9, k, d),  # for tensors that are overwritten
    "b": lambda k, d: (k * 5) % 3 == 0,
    "i": lambda k, d: (k * 3) % 2,
    "j": lambda k, d: [2, 0, 1][k % 3],
}
FIXED = {"b": "bool", "i": "int64", "j": "int64"}  # letters with a fixed data type


def lay(shape, layout):
    """Returns strides, offset and number of stored elements for a layout letter."""
    n = len(shape)
    order = list(range(n))[::-1]
    if layout == "t":  # the first dim has the smallest stride
        order = list(range(n))
    elif layout == "l" and n == 4:  # channels last
        order = [1, 3, 2, 0]
    step, strides = (2 if layout == "s" else 1), [0] * n
    for d in order:
        strides[d] = step
        step *= max(shape[d], 1)
    if layout == "e" and n:  # the first dim is expanded
        strides[0] = 0
    offset = 1 if layout == "s" and n else 0
    last = offset + sum((size - 1) * s for size, s in zip(shape, strides))
    return strides, offset, 0 if 0 in shape else last + 1


DEVICE = None  # device of the inputs; None: the default device


def make(torch, name, dtype, layout):
    letter, shape, own = NAME.match(name).groups()
    dtype, shape = own or FIXED.get(letter, dtype), [int(c) for c in shape]
    layout = layout[0] if letter == "x" else layout[-1]
    strides, offset, length = lay(shape, layout if layout != "j" else "c")
    flat = torch.tensor([FILLS[letter](k, dtype) for k in range(length)], dtype=getattr(torch, dtype),
                        device=DEVICE)
    made = flat.as_strided(shape, strides, offset)
    return made.conj() if layout == "j" and made.is_complex() else made


class Inputs(dict):
    """The inputs of a case by name, created on first use and kept, so that changes to them can be detected."""

    def __init__(self, torch, case):
        super().__init__()
        self.torch, self.case, self.before = torch, case, {}

    def __missing__(self, name):
        if not NAME.match(name):
            raise KeyError(name)
        self[name] = made = make(self.torch, name, self.case.dtype, self.case.layout)
        self.before[name] = tensor_text(made)
        return made


# ---- facts ----


def value_text(v, digits):
    if isinstance(v, complex):
        return f"{value_text(v.real, digits)}&{value_text(v.imag, digits)}"
    if isinstance(v, bool):
        return "FT"[v]
    if isinstance(v, float):
        return "nan" if v != v else f"{v:.{digits}g}"
    return str(v)


def flatten(nested):
    if not isinstance(nested, list):
        return [nested]
    return [v for part in nested for v in flatten(part)]


def parts_of(t):
    """Returns the index and value tensors of a sparse tensor."""
    if t.is_sparse:
        return t._indices(), t._values()
    by_rows = str(t.layout) in ("torch.sparse_csr", "torch.sparse_bsr")
    return (t.crow_indices(), t.col_indices(), t.values()) if by_rows else (t.ccol_indices(), t.row_indices(), t.values())


def tensor_text(t, shared="", values=True):
    layout = str(t.layout)
    if layout != "torch.strided":
        parts = [re.sub(r"\([\d,]*\)\+\d+", "()+0", tensor_text(part, "", values)) for part in parts_of(t)]
        sizes = "x".join(map(str, t.shape))
        kind = ("sparse", " sorted" * t.is_coalesced()) if t.is_sparse else (layout[-3:], "")
        return f"{kind[0]} {sizes}{kind[1]}{shared}<{'; '.join(parts)}>"
    dtype = str(t.dtype).removeprefix("torch.")
    sizes = "x".join(map(str, t.shape))
    strides = ",".join(map(str, t.stride()))
    marks = ("~" if t.is_conj() else "") + ("-" if t.is_neg() else "")
    head = f"{dtype}[{sizes}]({strides})+{t.storage_offset()}{marks}{shared}"
    if not values:
        return head
    digits = DIGITS.get(dtype, 0)
    return head + ": " + " ".join(value_text(v, digits) for v in flatten(t.tolist()))


def start_of_storage(t):
    if str(t.layout) != "torch.strided":
        return 0
    return t.data_ptr() - t.storage_offset() * t.element_size() if t.numel() else 0


def shared_with(t, tensors):
    """Returns ` is NAME` if the result is an input, ` of NAME` if it shares an input's storage, else an empty string."""
    for name, other in tensors.items():
        if t is other:
            return f" is {name}"
    start = start_of_storage(t)
    for name, other in tensors.items():
        if start and start == start_of_storage(other):
            return f" of {name}"
    return ""


def result_text(torch, result, tensors, values=True):
    if isinstance(result, torch.Tensor):
        return tensor_text(result, shared_with(result, tensors), values)
    if isinstance(result, (tuple, list)) and not isinstance(result, torch.Size):
        kind = type(result).__name__
        return f"{kind}<" + "; ".join(result_text(torch, r, tensors, values) for r in result) + ">"
    return f"{type(result).__name__} {result}"


OUTS = ("same", "strided", "empty", "wide")  # test_out.py tests other kinds


def make_out(torch, like, kind):
    """Makes an `out` argument of a kind for a result like `like`."""
    dtype = torch.complex128 if kind == "wide" else like.dtype
    shape = [0] if kind == "empty" else list(like.shape)
    if kind == "strided":
        strides, offset, length = lay(shape, "t" if len(shape) > 1 else "s")
        return torch.full((length,), 9, dtype=torch.int64, device=like.device).to(dtype).as_strided(
            shape, strides, offset)
    return torch.full(shape, 9, dtype=torch.int64, device=like.device).to(dtype)


def run_out(torch, case, inputs, kind):
    """Runs the case without `out` to learn the shape of the result, then with it."""
    plain = eval(case.text, {"torch": torch}, inputs)
    several = not isinstance(plain, torch.Tensor)
    outs = [make_out(torch, r, kind) for r in (plain if several else [plain])]
    for i, out in enumerate(outs):
        inputs[f"out{i}"] = out
    inputs["out"] = tuple(outs) if several else outs[0]
    return eval(case.text[:-1] + ("out=out)" if case.text.endswith("()") else ", out=out)"), {"torch": torch}, inputs)


def fact(torch, case):
    """Returns the fact of a case: results with layout and aliasing, changed inputs and warnings, or the error."""
    inputs = Inputs(torch, case)
    torch.manual_seed(7)
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            if case.form.startswith("out "):
                result = run_out(torch, case, inputs, case.form[4:])
            elif case.form == "iop":
                exec(case.text, {"torch": torch}, inputs)
                result = inputs[case.text.split()[0]]
            else:
                result = eval(case.text, {"torch": torch}, inputs)
            tensors = {name: t for name, t in inputs.items() if isinstance(t, torch.Tensor)}
            text = result_text(torch, result, tensors, "empty" not in case.row)
            for name, before in inputs.before.items():
                now = tensor_text(inputs[name])
                if now != before and inputs[name] is not result:
                    text += f" | {name} now {now}"
        said = dict.fromkeys(f"{w.category.__name__}: {w.message}".split(" (Triggered")[0] for w in heard)
        return "".join([text, *(f" ? {w}" for w in said)])
    except Exception as e:
        return f"!{type(e).__name__}: {str(e).split(chr(10) + 'Exception raised from')[0]}"


# ---- comparison ----

VALUES = re.compile(r"(\w+)(\[[^\]]*\]\([^)]*\)\+\d+[~-]*(?: (?:is|of) \w+)?): ([^|;>?]*)")


def numbers(token):
    return [float(part) for part in token.split("&")]


def close(mine, theirs, dtype, ulps, largest=0):
    """Returns whether two floating-point values differ by at most `ulps` units in the last place of the value, or of `largest`."""
    real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    ulps = max(ulps, 2) if real != dtype else min(ulps, 4) if "16" in dtype else ulps
    if real not in LEAST:
        return False
    mine, theirs = numbers(mine), numbers(theirs)
    # The error of each part of a complex number is relative to the larger part.
    scale = max([LEAST[real], *(abs(v) for v in theirs if math.isfinite(v))])
    for a, b in zip(mine, theirs):
        if math.isnan(a) != math.isnan(b):
            return False
        if a != b and not math.isnan(a):
            if not math.isfinite(a) or not math.isfinite(b):
                return False
            size = max(largest, scale if len(mine) > 1 else max(abs(b), LEAST[real]))
            if abs(a - b) > (ulps + 0.1) * 2.0 ** (math.frexp(size)[1] - 1 - BITS[dtype]):
                return False
    return True


def largest_of(values):
    """Returns the largest finite magnitude among the values of a result."""
    return max((abs(x) for v in values for x in numbers(v) if math.isfinite(x)), default=0)


def agree(mine, theirs, ulps, normwise=False):
    """Returns whether two facts agree, with floating-point values within `ulps`. With `normwise` the error is relative to the
    largest value of each result, as in the error bounds of factorisations."""
    if mine == theirs:
        return True
    if mine[:1] == "!" or theirs[:1] == "!":
        return False
    if VALUES.sub(r"\1\2", mine).replace(" ", "") != VALUES.sub(r"\1\2", theirs).replace(" ", ""):
        return False
    for (dtype, _, left), (_, _, right) in zip(VALUES.findall(mine), VALUES.findall(theirs)):
        left, right = left.split(), right.split()
        if len(left) != len(right):
            return False
        largest = largest_of(right) if normwise and ("float" in dtype or "complex" in dtype) else 0
        if not all(a == b or close(a, b, dtype, ulps, largest) for a, b in zip(left, right)):
            return False
    return True


def nearly(mine, theirs, close=0.02):
    """Returns whether two results agree within the precision of half types, regardless of strides."""
    def parts(text):
        head, _, values = re.sub(r"\([\d,]*\)", "()", text.split(" ? ")[0]).partition(": ")
        return head, re.split("[ &]", values)
    (head, a), (other, b) = parts(mine), parts(theirs)
    return head == other and len(a) == len(b) and all(
        x == y or abs(float(x) - float(y)) <= close * (1 + abs(float(y))) for x, y in zip(a, b))


def finite_within(close):
    """Returns a comparison of facts: equal types and geometry, and relative errors up to `close` where both values are finite."""
    def parts(fact):
        fact = fact.split(" ? ")[0]
        values = [float({"True": 1, "False": 0}.get(v, v)) for _, _, text in VALUES.findall(fact)
                  for v in re.split("[ &]+", text.strip()) if v]
        return VALUES.sub(r"\1\2", fact).replace(" ", ""), values

    def alike(mine, theirs):
        (head, a), (other, b) = parts(mine), parts(theirs)
        return head == other and len(a) == len(b) and all(
            not math.isfinite(x) or not math.isfinite(y) or abs(x - y) <= close * (1 + abs(y)) for x, y in zip(a, b))
    return alike


where_finite = finite_within(1e-4)
