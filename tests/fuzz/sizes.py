# SPDX-License-Identifier: BSD-3-Clause
"""Passes sizes near the limits of int64 to everything that takes a size: size arithmetic must check for overflow.

    python tests/fuzz/sizes.py --jobs 2                 all 1.7 million calls, half an hour; of most use under UBSan
    python tests/fuzz/sizes.py --share 50               every 50th of them; --part 3 --parts 30: of every 30th function
    python tests/fuzz/sizes.py --call 'torch.tile(x23, (2 ** 62, 4))' --on meta

One or two numbers of a valid call are replaced: an integer by one of EDGES, or a size of a tensor by one of SIZES. The valid calls are
the samples of every row, and calls of modules, other functions and the C interface, which are found by trial. Each call runs on the
CPU and on the meta device, whose tensors can have any size, and with backward if it has a derivative. It must give a result or an
exception within SOON seconds and print nothing, since a printed sanitizer report is a failure (halt_on_error=0 collects all reports).
Calls run in separate processes, so that a call that dies or hangs is reported and the next process continues."""
import argparse
import ast
import ctypes
import inspect
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
import zlib
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "ops")]

EDGES = (2 ** 62, 2 ** 62 + 4, 2 ** 63 - 1, -2 ** 63, -2 ** 62, 2 ** 61, 2 ** 31, 2 ** 32, 3 * 2 ** 60, -1, 0)
PAIRED = (2 ** 62, 2 ** 63 - 1, -2 ** 63, 2 ** 61, 2 ** 32)
SIZES = (2 ** 31, 2 ** 32, 2 ** 61, 2 ** 62, 2 ** 63 - 1, 3 * 2 ** 60)
PLACES = ("cpu", "meta", "cpu backward", "meta backward")
SOON = 10  # seconds a call may take
MEMORY = 1 << 30  # bytes of address space
# Functions whose argument is a number of steps, or that change global state.
SKIPPED = {"lobpcg", "svd_lowrank", "pca_lowrank", "from_file", "set_", "install_as_torch", "manual_seed", "seed", "set_num_threads",
           "set_num_interop_threads", "save", "load"}

Call = namedtuple("Call", "text on dtype")


# ---- what the names in a call mean ----

def tensor(*shape, dtype=None):
    """Returns a tensor of ones; a large one is an expanded single element."""
    import corten
    size = 1
    for n in shape:
        size *= n
    if size <= 1 << 16 or (size < 2 ** 60 and facts.DEVICE == "meta"):
        return corten.ones(shape, dtype=dtype, device=facts.DEVICE)
    return corten.ones([1] * len(shape), dtype=dtype, device=facts.DEVICE).expand(shape)


class Inputs(dict):
    """The tensors of a call by name, such as x23 in the samples."""

    def __init__(self, call):
        super().__init__()
        self.call = call

    def __missing__(self, name):
        import corten
        if not facts.NAME.match(name):
            raise KeyError(name)
        made = facts.make(corten, name, self.call.dtype, "c")
        self[name] = made = differentiable(self.call, made)
        return made


def differentiable(call, made):
    return made.requires_grad_() if "backward" in call.on and (made.is_floating_point() or made.is_complex()) else made


def sized(call):
    """Implements `sized('x', 2, 3)`: a tensor with the data type of the letter in the samples."""
    def make(letter, *shape, dtype=None):
        import corten
        return differentiable(call, tensor(*shape, dtype=getattr(corten, dtype or facts.FIXED.get(letter, call.dtype))))
    return make


def evaluate(call):
    import corten
    facts.DEVICE = "meta" if "meta" in call.on else None
    around = {"torch": corten, "sized": sized(call), "plain": plain}
    with corten.device("meta" if "meta" in call.on else "cpu"):
        result = eval(call.text, around, Inputs(call))
        while isinstance(result, (tuple, list)) and result:
            result = result[0]
        most = 1 << 24 if "cpu" in call.on else 2 ** 63  # elements of a view, whose sum would take too long
        if "backward" in call.on and isinstance(result, corten.Tensor) and result.requires_grad and result.numel() < most:
            result.backward(corten.ones((), dtype=result.dtype).expand(result.shape))
    return result


# ---- changes of a call ----

def integers(tree):
    """Returns the syntax nodes of a call that are integers, such as 3, -3 and 2 ** 40."""
    found, inside = [], set()
    for node in ast.walk(tree):  # a node comes before its children
        parts = {ast.UnaryOp: ("operand",), ast.BinOp: ("left", "right"), ast.Constant: ()}.get(type(node))
        parts = None if parts is None else [getattr(node, p) for p in parts] or [node]
        if parts and id(node) not in inside and all(isinstance(p, ast.Constant) and type(p.value) is int for p in parts):
            found.append(node)
            inside |= set(map(id, parts))
    return found


class Put(ast.NodeTransformer):
    """Replaces some nodes with other expressions."""

    def __init__(self, places):
        self.places = places

    def visit(self, node):
        return self.places[id(node)] if id(node) in self.places else super().generic_visit(node)


def put(tree, places):
    """Returns the text of a call with some nodes replaced by numbers; the tree itself does not change."""
    copy = Copier()
    copied = copy.visit(tree)
    return ast.unparse(Put({id(copy.of[id(node)]): ast.Constant(n) for node, n in places}).visit(copied))


class Copier:
    """Copies a tree and maps each node to its copy."""

    def __init__(self):
        self.of = {}

    def visit(self, node):
        fields = {}
        for name, value in ast.iter_fields(node):
            fields[name] = [self.visit(v) if isinstance(v, ast.AST) else v for v in value] if isinstance(value, list) else \
                self.visit(value) if isinstance(value, ast.AST) else value
        self.of[id(node)] = made = type(node)(**fields)
        return made


def changed_numbers(text):
    tree = ast.parse(text, mode="eval").body
    nodes = integers(tree)[:9]
    for node in nodes:
        for n in EDGES:
            yield put(tree, [(node, n)])
    for a, b in itertools.combinations(nodes, 2):
        for n, m in itertools.product(PAIRED, PAIRED):
            yield put(tree, [(a, n), (b, m)])
    if len(nodes) > 2:
        for n in PAIRED:
            yield put(tree, [(node, n) for node in nodes])


def changed_sizes(text):
    """Yields the call with one size of its tensors much larger: in all tensors, so that they still match, or in one."""
    names = sorted({n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and facts.NAME.match(n.id)})
    digits = sorted({d for name in names for d in facts.NAME.match(name).group(2)})

    def spelled(name, digit, n, at=None):
        letter, shape, dtype = facts.NAME.match(name).groups()
        sizes = [str(n) if (d == digit if at is None else i == at) else d for i, d in enumerate(shape)]
        return f"sized({', '.join([repr(letter), *sizes] + [f'dtype={dtype!r}'] * bool(dtype))})"

    def written(changes):
        return re.sub(r"\b[a-z]\d+(_[a-z]+\d*)?\b(?!\()", lambda m: changes.get(m.group(), m.group()), text)
    for n in SIZES:
        for digit in digits:
            yield written({name: spelled(name, digit, n) for name in names if digit in facts.NAME.match(name).group(2)})
        for name in names if len(names) > 1 else ():
            for i in range(len(facts.NAME.match(name).group(2))):
                yield written({name: spelled(name, None, n, i)})
        yield written({name: re.sub(r", \d+", f", {n}", spelled(name, None, n, -1)) for name in names})
    for digit in digits:  # no elements, but products of the other sizes that overflow
        shapes = {name: facts.NAME.match(name).group(2) for name in names}
        for n in (2 ** 31, 2 ** 62):
            yield written({name: spelled(name, None, n, -1).replace(f", {digit}", ", 0") if digit in shapes[name] else name for name in names})
            yield written({name: re.sub(r", [1-9]\d*", f", {n}", spelled(name, None, n, -1).replace(f", {digit}", ", 0")) for name in names})


# ---- valid calls ----

def good(call):
    """Returns whether a call succeeds."""
    try:
        evaluate(call)
        return True
    except Exception:
        return False


def with_defaults(row, text):
    """Yields the call with each integer argument that it omits."""
    inside = text[text.index("(") + 1:-1]
    for arg in row.args:
        if arg.default is None or not re.match(r"ints?\b", arg.kind) or f"{arg.name}=" in inside:
            continue
        more = ("ONE", "(ONE,)", "(ONE, ONE)", "(ONE, ONE, ONE)") if arg.kind.startswith("ints") else ("ONE",)
        yield from (f"{text[:-1]}{', ' * bool(inside.strip())}{arg.name}={m})".replace("ONE", "1") for m in more)


def calls_of_row(row):
    """Yields valid calls of a row, one of each form."""
    for form in ("function", "method", "inplace"):
        seen, count = set(), 0
        for sample, dtypes, _ in cases.samples_of(row) if form in row.forms else ():
            text = cases.call_text(row, form, sample)
            if not text or form_of(text) in seen or "device=" in text:
                continue
            dtype = next((d for d in ("float32", "int64", "complex64", "bool") if d in dtypes and good(Call(text, "cpu", d))), None)
            if not dtype:
                continue
            seen.add(form_of(text))
            count += 1
            yield Call(text, "cpu", dtype)
            if count <= 3:
                for more in with_defaults(row, text):
                    if good(Call(more, "cpu", dtype)):
                        yield Call(more, "cpu", dtype)
            if form == "function" and "out" in row.forms and count <= 2:
                yield Call(f"{text[:-1].rstrip(', ')}, out=torch.empty(0))", "cpu", dtype)


def row_calls(mine):
    for row in cases.all_rows():
        if cases.public(row) and row.python_name not in SKIPPED and mine(row.name):
            yield from calls_of_row(row)


INPUTS = ("x444", "x44", "x4", "x4444", "x44444", "i4")


def module_calls(mine):
    """Yields calls of modules made with small numbers."""
    import rooms
    for cls in filter(lambda cls: mine(cls.__name__), rooms.MODULES):
        try:
            names = list(inspect.signature(cls.__init__).parameters.values())[1:]
        except ValueError:
            continue
        required = [a for a in names if a.default is a.empty and a.kind == a.POSITIONAL_OR_KEYWORD]
        count = 0
        for size in ("4", "2", "1", "(2, 2)", "(1, 1, 1, 1)"):
            made = f"torch.nn.{cls.__name__}({', '.join([size] * len(required))}"
            if count == 2 or not good(Call(made + ")", "cpu", "float32")):
                continue
            count += 1
            found = [f"({i})" for i in INPUTS if good(Call(f"{made})({i})", "cpu", "float32"))]
            found += [f"({i}, {j})" for i in INPUTS for j in INPUTS if not found and good(Call(f"{made})({i}, {j})", "cpu", "float32"))]
            for end in (found or [""])[:3]:
                yield Call(f"{made}){end}", "cpu", "float32")
                for a in names:
                    if "layers" in a.name:  # returns as many as the argument says
                        continue
                    if isinstance(a.default, (int, type(None))) and not isinstance(a.default, bool) and a not in required:
                        for value in ("1", "2", "(1, 1)"):
                            text = f"{made}{', ' * bool(required)}{a.name}={value}){end}"
                            if good(Call(text, "cpu", "float32")):
                                yield Call(text, "cpu", "float32")


def function_calls(mine):
    """Yields calls of functions and methods that are not rows, with arguments found by trial."""
    import programs
    rows = {row.python_name for row in cases.all_rows()} | {row.path.split(".")[-1] for row in cases.all_rows()}
    heads = [name.replace("corten", "torch", 1) for name, _ in programs.FUNCTIONS if name.split(".")[-1] not in rows | SKIPPED]
    heads += [f"{x}.{name}" for name in programs.METHODS if name not in rows | SKIPPED and not name.startswith("_") for x in ("x4", "x44", "x444")]
    for head in filter(mine, heads):
        found = 0
        for n in range(4):
            for args in itertools.product(("x44", "x444", "2", "(1, 2)"), repeat=n):
                call = Call(f"{head}({', '.join(args)})", "cpu", "float32")
                if found < 6 and good(call):
                    found += 1
                    yield call


# ---- the C interface ----

def plain(name, *args):
    """Calls a C function of the library by address with Python values."""
    import rooms
    kept, made = [], []
    for kind, value in zip(dict(rooms.CALLS)[name], args):
        made.append(as_c(rooms, kind, value, kept))
    f = getattr(rooms.LIBRARY, name)
    f.restype = ctypes.c_void_p
    answer = f(*made)
    error = rooms.LIBRARY.ct_error()
    rooms.LIBRARY.ct_clear_error()
    if (answer is None) != (error is not None):
        raise SystemError(f"{name} gave {answer} and the error {error}")
    first = made[0].value if made and isinstance(made[0], ctypes.c_void_p) else None
    if answer and not (name.endswith(("_", "_out")) and answer == first):
        rooms.LIBRARY.ct_release(ctypes.c_void_p(answer))
    if error:
        raise RuntimeError(error)


def as_c(rooms, kind, value, kept):
    bare = kind.rstrip("?")
    kept.append(value)
    if value is None:
        empty = {"Tensor": ctypes.c_void_p.in_dll(rooms.LIBRARY, "ct_no_tensor_mark") if bare == "Tensor" else None, "int": ctypes.c_int64(-2 ** 63),
                 "ints": rooms.Ints(None, 0), "dtype": ctypes.c_int(-1), "bool": ctypes.c_int(-1), "device": rooms.Device(0, -1),
                 "memory_format": ctypes.c_int(0), "str": ctypes.c_char_p(None), "float": ctypes.c_double(float("nan")),
                 "floats": rooms.Floats(None, 0), "Value": rooms.Value(0, rooms.As(i=0)), "Number": rooms.Value(0, rooms.As(i=0))}
        return empty.get(bare.split("[")[0], ctypes.c_void_p(None))
    if hasattr(value, "_cdata"):
        return rooms.Value(2, rooms.As(tensor=value._cdata)) if bare in ("Value", "Operand") else ctypes.c_void_p(value._cdata)
    if bare == "bool":
        return ctypes.c_int(value) if kind[-1] == "?" else ctypes.c_bool(value)
    if bare == "int":
        return ctypes.c_int64(value)
    if bare == "float":
        return ctypes.c_double(value)
    if bare.startswith("ints"):
        kept.append((ctypes.c_int64 * (len(value) + 1))(*value))
        return rooms.Ints(ctypes.cast(kept[-1], ctypes.POINTER(ctypes.c_int64)), len(value))
    if bare.startswith("floats"):
        kept.append((ctypes.c_double * (len(value) + 1))(*value))
        return rooms.Floats(ctypes.cast(kept[-1], ctypes.POINTER(ctypes.c_double)), len(value))
    if bare.startswith("Tensors"):
        kept.append((ctypes.c_void_p * (len(value) + 1))(*[t._cdata for t in value]))
        return rooms.List(ctypes.cast(kept[-1], ctypes.POINTER(ctypes.c_void_p)), len(value))
    if bare in ("Value", "Number", "Operand"):
        return rooms.Value(4, rooms.As(i=value))
    if bare in ("dtype", "memory_format"):
        return ctypes.c_int(int(value))  # strings in the call, since these are not sizes
    if bare == "device":
        return rooms.Device(1, -1)
    return ctypes.c_char_p(value)


def words_of(kind, dims):
    """Returns texts to try for an argument of the C interface; tensors have this number of dims."""
    bare = kind.rstrip("?")
    if bare in ("Tensor", "Mask", "Operand", "Value"):
        found = [f"x{'4' * dims}", *(["i4"] if bare in ("Tensor", "Mask") else ["2"])]
    elif bare == "int":
        found = ["1", "2"]
    elif bare.startswith("ints"):
        found = ["[1]", "[2, 2]", "[4, 2, 2]", "[1, 1, 1, 1]"]
    elif bare.startswith("Tensors"):
        found = [f"[x{'4' * dims}, y{'4' * dims}]"]
    else:
        found = {"bool": ["False"], "float": ["0.5"], "Number": ["1"], "dtype": ["'9'"], "memory_format": ["'0'"], "device": ["'1'"],
                 "floats": ["[1.0, 1.0]"], "str": ["b'sum'", "b'none'", "b'constant'"]}.get(bare, ["None"])
    return [*["None"] * (kind[-1] == "?"), *found][:4]


def plain_calls(mine):
    import rooms
    for name, kinds in rooms.CALLS:
        if not mine(name) or name.removeprefix("ct_own_").removesuffix("_out").rstrip("_") in SKIPPED:
            continue
        found = 0
        for dims in (2, 1, 3, 4):
            for args in itertools.islice(itertools.product(*(words_of(kind, dims) for kind in kinds)), 300):
                call = Call(f"plain({', '.join([repr(name), *args])})", "cpu", "float32")
                if found < 3 and any(c.isdigit() for c in "".join(args)) and good(call):
                    found += 1
                    yield call


# ---- running them ----

def places_of(text):
    """Returns the devices and modes in which a call is made. Calls with large tensors run only on meta, since the CPU would process each
    element. In-place forms, `out=` and the C interface run without backward, which would repeat that of the function."""
    once = text.startswith("plain(") or "out=" in text or re.search(r"\w_\(", text)
    return [on for on in PLACES if not (once and "backward" in on) and not ("sized(" in text and "cpu" in on)]


def changes(base):
    """Yields all calls derived from a valid one."""
    for text in dict.fromkeys(itertools.chain(changed_numbers(base.text), changed_sizes(base.text))):
        for on in places_of(text):
            yield Call(text, on, base.dtype)


def chosen(call, share):
    return zlib.crc32(f"{call.text} {call.on}".encode()) % share == 0


def form_of(text):
    """Returns a call without its numbers and types; one call of each such form is enough."""
    text = re.sub(r"\b[a-z](\d*)(_[a-z]+\d*)?\b(?!\()", lambda m: f"tensor{len(m.group(1))}", text)
    return re.sub(r"-?\d+(\.\d+)?", "#", re.sub(r"torch\.(bool|u?int\d+|b?float\d+|complex\d+)", "type", text))


def collect(path, part, parts):
    """Writes the valid calls of one part of all functions to a file, one per line."""
    quiet()

    def mine(name):
        return zlib.crc32(name.encode()) % parts == part
    with open(path, "w") as f:
        for base in itertools.chain(row_calls(mine), module_calls(mine), function_calls(mine), plain_calls(mine)):
            f.write(json.dumps(base) + "\n")
            f.flush()


def quiet():
    import resource
    if not fuzz.SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import corten
    corten.set_num_threads(2)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, late)


class Late(BaseException):
    """Raised in a call that takes too long. Only attempt() catches it."""


def late(*_):
    raise Late


REFUSED = "WARNING: AddressSanitizer failed to allocate"  # expected: malloc fails and the library raises


def attempt(call):
    """Runs a call. Returns a description of the failure, or None."""
    import rooms
    said = os.fstat(2).st_size
    wrong = None
    try:
        signal.setitimer(signal.ITIMER_REAL, SOON)
        try:
            evaluate(call)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except SystemError as e:
        wrong = str(e)
    except Late:
        wrong = f"took {SOON} s"
    except Exception:
        pass
    error = rooms.LIBRARY.ct_error()
    if error:
        rooms.LIBRARY.ct_clear_error()
        wrong = f"left the error {error}"
    if os.fstat(2).st_size > said:
        lines = os.pread(2, 3000, said).decode(errors="replace").splitlines(keepends=True)
        wrong = "".join(line for line in lines if REFUSED not in line) or wrong
    return wrong


def work(path, share, part, parts, first, step):
    """Runs in a child: the changes of every `parts`-th valid call from `first` on. Writes its position and failures to stdout."""
    quiet()
    bases = [Call(*json.loads(line)) for line in open(path)]
    for at in range(first, len(bases)):
        if at % parts != part:
            continue
        for i, call in enumerate(changes(bases[at])):
            if (at == first and i < step) or not chosen(call, share):
                continue
            os.write(1, (json.dumps(["at", at, i, call]) + "\n").encode())
            wrong = attempt(call)
            if wrong:
                os.write(1, (json.dumps(["wrong", call, wrong]) + "\n").encode())
    os.write(1, b'["done"]\n')


class Worker:
    def __init__(self, path, share, part, parts):
        self.args = [path, str(share), str(part), str(parts)]
        self.count, self.reports, self.at = 0, [], None
        self.start(0, 0)

    def start(self, first, step):
        self.errors = tempfile.TemporaryFile()
        env = dict(os.environ, UBSAN_OPTIONS="halt_on_error=0:print_stacktrace=1", ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + fuzz.OPTIONS)
        self.process = subprocess.Popen([sys.executable, __file__, "--work", *self.args, str(first), str(step)],
                                        stdout=subprocess.PIPE, stderr=self.errors, env=env)

    def run(self, say):
        """Reads the output of a child; after a call that killed it, starts another one behind that call."""
        while True:
            done = False
            watch = threading.Timer(0, lambda: None)
            for line in self.process.stdout:
                watch.cancel()
                what, *rest = json.loads(line)
                if what == "at":
                    self.at, self.count = rest, self.count + 1
                    watch = threading.Timer(3 * SOON, self.process.kill)
                    watch.start()
                elif what == "wrong":
                    self.report(say, *rest)
                done = what == "done"
            watch.cancel()
            code = self.process.wait()
            if done or self.at is None:
                if not done:
                    self.errors.seek(0)
                    self.report(say, ["the beginning", "", ""], self.errors.read().decode(errors="replace")[-2000:])
                return
            self.errors.seek(0)
            how = "hangs" if code == -signal.SIGKILL else f"ends the process with {code}"
            self.report(say, self.at[2], f"{how}\n{self.errors.read().decode(errors='replace')[-2000:]}")
            self.start(self.at[0], self.at[1] + 1)

    def report(self, say, call, wrong):
        call = Call(*call)
        self.reports.append(f"{call.text} on {call.on} ({call.dtype}): {wrong}")
        say(self.reports[-1])


def probe(share=1, jobs=1, part=0, parts=1, say=lambda text: None, bases=None):
    """Returns (number of calls, reports of failures)."""
    with tempfile.TemporaryDirectory() as folder:
        path = bases or os.path.join(folder, "bases")
        if not bases:
            subprocess.run([sys.executable, __file__, "--collect", path, str(part), str(parts)], check=True, stderr=subprocess.DEVNULL)
        workers = [Worker(path, share, part, jobs) for part in range(jobs)]
        threads = [threading.Thread(target=w.run, args=(say,)) for w in workers]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    return sum(w.count for w in workers), [r for w in workers for r in w.reports]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--share", type=int, default=1, help="one in so many calls")
    p.add_argument("--part", type=int, default=0)
    p.add_argument("--parts", type=int, default=1, help="of the functions take one in so many, those of a part")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--bases", help=argparse.SUPPRESS)  # a file written by --collect
    p.add_argument("--call", help="that one alone")
    p.add_argument("--on", default="cpu", choices=PLACES)
    p.add_argument("--dtype", default="float32")
    p.add_argument("--collect", nargs=3, help=argparse.SUPPRESS)
    p.add_argument("--work", nargs=6, help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.collect:
        return collect(a.collect[0], *map(int, a.collect[1:]))
    if a.work:
        return work(a.work[0], *map(int, a.work[1:]))
    if a.call:
        print(evaluate(Call(a.call, a.on, a.dtype)))
        return 0
    begin = time.time()
    count, reports = probe(a.share, a.jobs, a.part, a.parts, lambda text: print(text, flush=True), a.bases)
    print(f"{count} calls in {time.time() - begin:.0f} s: {len(reports)} reports")
    return min(len(reports), 100)


import cases  # noqa: E402
import facts  # noqa: E402
import fuzz  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
