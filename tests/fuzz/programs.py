# SPDX-License-Identifier: BSD-3-Clause
"""Random programs for the fuzzer. A seed is a program: `run(seed)` makes and runs it. It may end with any Python exception except
SystemError; a crash, a hang or a report of a sanitizer is a failure.

Kinds of programs: one call of a function or method with random arguments; small programs of views, in-place writes, hooks and
backward; the same in several threads; calls with objects that change while they are read. rooms.py has larger ones: modules,
optimizers, files, sparse tensors, the C interface; hidden.py calls private functions."""
import gc
import random
import threading
import types
import warnings

import corten

import hidden
import rooms

# Functions that change global state, read files, or wait as long as an argument says.
SKIPPED = {
    "install_as_torch", "from_file", "save", "load", "explain", "lobpcg", "seed", "compile", "frombuffer", "set_printoptions",
    "share_memory_", "apply_", "map_", "map2_", "__torch_function__", "__reduce_ex__", "__setstate__", "__deepcopy__", "data_ptr",
    "pin_memory", "get_device_module", "__dir__", "__sizeof__", "cuda", "xpu", "ipu", "tracker", "_make_subclass", "lu_solve",
}
DTYPES = [corten.bool, corten.uint8, corten.int8, corten.int16, corten.int32, corten.int64, corten.float16, corten.bfloat16,
          corten.float32, corten.float64, corten.complex64, corten.complex128, corten.uint16, corten.uint32, corten.uint64]
NUMBERS = [0, 1, -1, 2, 3, -2, 5, 7, 63, 64, 0.5, -0.5, 1e-30, 1e30, float("inf"), float("nan"), -float("inf"), True, False, 1j,
           1 - 2j, 2 ** 31, -2 ** 31, 2 ** 62, 2 ** 63, -2 ** 63, 2 ** 64]
WORDS = ["mean", "sum", "none", "constant", "reflect", "floor", "trunc", "ij", "ij->ji", "tanh", "reduced", "fro", "nuc", "amax",
         "prod", "", "é", "linear", "backward"]


ROOMS = (rooms.network, rooms.network, rooms.optimizer, rooms.file, rooms.plain, hidden.room) + (
    (rooms.sparse,) if hasattr(corten, "sparse_coo_tensor") else ())


def skipped(name):
    return name in SKIPPED or name.startswith(("set_", "_", "is_", "get_", "use_")) or name.endswith("Storage")


KINDS = (types.BuiltinFunctionType, types.FunctionType, type(corten.nn.functional.relu6))


def callables():
    """Returns the functions that may be called with any arguments, in a fixed order."""
    found = []
    for home in (corten, corten.linalg, corten.special, corten.fft, corten.nn.functional, corten.nn.init, corten.nn.utils,
                 corten.signal.windows, getattr(corten, "sparse", None)):
        for name in sorted(dir(home)):
            value = getattr(home, name, None)
            if not skipped(name) and isinstance(value, KINDS):
                found.append((f"{home.__name__}.{name}", value))
    return found


FUNCTIONS = callables()
METHODS = [name for name in sorted(dir(corten.Tensor)) if not skipped(name.strip("_")) and callable(getattr(corten.Tensor, name))
           and not (name[:2] == "__" and name[2:-2] in ("init", "new", "class", "subclasshook", "init_subclass", "getattribute",
                                                        "setattr", "delattr", "hash", "reduce", "array_wrap"))]
PROPERTIES = [name for name in sorted(dir(corten.Tensor)) if isinstance(getattr(corten.Tensor, name), types.GetSetDescriptorType)
              and name[0] != "_"]


# ---- objects ----

class Evil:
    """An index object that modifies a list or a tensor each time it is read."""

    def __init__(self, act, value):
        self.act, self.value = act, value

    def __index__(self):
        self.act()
        return self.value


class Other:
    """Overrides __torch_function__: returns NotImplemented, returns a result, or raises."""

    def __init__(self, how):
        self.how = how

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if self.how == 0:
            return NotImplemented
        if self.how == 1:
            raise KeyError
        return 1


class Sub(corten.Tensor):
    pass


class Program:
    """One program: its random generator and its tensors."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.tensors = []
        self.kept = []

    # ---- arguments ----

    def shape(self):
        r = self.r
        return tuple(r.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 17)) for _ in range(r.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 6))))

    def tensor(self):
        r = self.r
        if self.tensors and r.random() < 0.6:
            return r.choice(self.tensors)
        dtype, shape = r.choice(DTYPES), self.shape()
        if r.random() < 0.5:
            dtype = r.choice((corten.float32, corten.float64))
        if r.random() < 0.3:
            t = corten.randint(0, 4, shape).to(dtype)
        elif dtype.is_floating_point or dtype.is_complex:
            t = corten.randn(shape, dtype=dtype)
        else:
            t = corten.randint(-3 if dtype.is_signed else 0, 7, shape).to(dtype)
        if r.random() < 0.04:
            t = corten.empty(shape, dtype=dtype, device="meta")
        elif r.random() < 0.03 and t.numel():  # an empty size would still make a long nested list
            t = t.expand(40000 // max(t.numel(), 1) + 1, *shape).contiguous()
        elif r.random() < 0.05 and t.numel():
            t.view(-1)[r.randrange(t.numel())] = r.choice((float("nan"), float("inf"), 0)) if dtype.is_floating_point else 1
        t = self.twist(t)
        if (dtype.is_floating_point or dtype.is_complex) and r.random() < 0.4:
            t = t.detach().requires_grad_()
        if r.random() < 0.05:
            t = t.as_subclass(Sub)
        self.tensors.append(t)
        return t

    def twist(self, t):
        r = self.r
        k = r.randrange(10)
        if k == 0 and t.dim():
            return t.transpose(0, -1)
        if k == 1 and t.dim():
            return t[..., ::2]
        if k == 2 and t.dim():
            return t[::-1]
        if k == 3:
            return t.expand(2, *t.shape)
        if k == 4 and t.is_complex():
            return t.conj()
        if k == 5 and t.is_complex():
            return t.conj().imag
        return t

    def integer(self):
        r = self.r
        return r.choice((0, 0, 1, 1, -1, 2, -2, 3, 4, 5)) if r.random() < 0.95 else r.choice((2 ** 31, -2 ** 31, 2 ** 62, -2 ** 63, 63))

    def ints(self):
        values = [self.integer() for _ in range(self.r.choice((0, 1, 2, 2, 3, 4)))]
        return tuple(values) if self.r.random() < 0.7 else values

    def value(self):
        r, k = self.r, self.r.randrange(100)
        if k < 42:
            return self.tensor()
        if k < 62:
            return self.integer()
        if k < 70:
            return r.choice(NUMBERS)
        if k < 78:
            return self.ints()
        if k < 82:
            return [self.tensor() for _ in range(r.randrange(4))]
        if k < 85:
            return r.choice((True, False))
        if k < 87:
            return r.choice(DTYPES)
        if k < 89:
            return r.choice(WORDS)
        if k < 92:
            return None
        if k < 94:
            return slice(*(r.choice((None, self.integer())) for _ in range(3)))
        if k < 96:
            return self.evil()
        return r.choice((Other(r.randrange(3)), ..., {}, object(), corten.device("meta"), [[1, 2], [3]], range(3), "cpu"))

    def evil(self):
        r = self.r
        victim = [self.integer() for _ in range(r.randrange(1, 5))]
        target = self.tensor()
        act = r.choice((victim.clear, lambda: victim.extend(range(50)), gc.collect, lambda: target.resize_(3), target.set_,
                        lambda: self.tensors.clear(), lambda: None))

        def safely():
            try:
                act()
            except RuntimeError:
                pass
        one = Evil(safely, self.integer())
        if r.random() < 0.5:
            return one
        victim.insert(0, one)
        return victim

    # ---- steps ----

    def keep(self, answer):
        if isinstance(answer, corten.Tensor):
            if answer.numel() <= 100000:
                self.tensors.append(answer)
        elif isinstance(answer, (tuple, list)):
            for item in answer[:4]:
                self.keep(item)
        del self.tensors[:-12]

    def call(self):
        r = self.r
        args = [self.value() for _ in range(r.choice((1, 1, 2, 2, 3, 4)))]
        if r.random() < 0.5:
            name = r.choice(METHODS)
            f = getattr(self.tensor(), name)
        else:
            name, f = r.choice(FUNCTIONS)
        kwargs = {}
        rooms.at(name)
        if r.random() < 0.15:
            kwargs[r.choice(("dim", "keepdim", "dtype", "out", "n", "other", "alpha", "generator", "p"))] = self.value()
        self.keep(f(*args[:0 if r.random() < 0.25 and name in METHODS else None], **kwargs))

    def index(self):
        t = self.tensor()
        key = tuple(self.value() for _ in range(self.r.randrange(1, 4)))
        key = key if len(key) > 1 or self.r.random() < 0.3 else key[0]
        if self.r.random() < 0.6:
            self.keep(t[key])
        else:
            t[key] = self.value()

    def view(self):
        r, t = self.r, self.tensor()
        self.keep(r.choice((
            lambda: t.view(-1), lambda: t.t(), lambda: t[0], lambda: t[1:], lambda: t.unsqueeze(0), lambda: t.squeeze(),
            lambda: t.transpose(0, -1), lambda: t.unbind(0), lambda: t.detach(), lambda: t.data, lambda: t.view(corten.uint8),
            lambda: t.as_strided((2, 2), (1, 1)), lambda: t.expand(2, *t.shape), lambda: corten.view_as_real(t), lambda: t.imag,
            lambda: t.unfold(0, 2, 1), lambda: t.diagonal(), lambda: t.split(1)))())

    def write(self):
        r, t = self.r, self.tensor()
        r.choice((
            lambda: t.add_(1), lambda: t.mul_(self.tensor()), lambda: t.zero_(), lambda: t.copy_(self.tensor()), lambda: t.t_(),
            lambda: t.unsqueeze_(0), lambda: t.squeeze_(), lambda: t.resize_(self.shape()), lambda: t.exp_(), lambda: t.gt_(0),
            lambda: t.set_(self.tensor()), lambda: t.index_fill_(0, corten.tensor([0]), 1), lambda: setattr(t, "data", self.tensor()),
            lambda: t.untyped_storage().resize_(r.choice((0, 8, 4096, 9000))), lambda: t.detach_(), lambda: t.requires_grad_(),
            lambda: t.as_strided_((2,), (1,)), lambda: t.fill_(3), lambda: t.masked_fill_(t > 0, 2), lambda: t.swapaxes_(0, -1)))()

    def hook(self, grad=None):
        """Returns a random hook, which does nothing, returns another gradient, or misbehaves."""
        r, t = self.r, grad
        return r.choice((
            lambda: None, lambda: t * 2, lambda: t.resize_(1) and None, lambda: t.unsqueeze_(0) and None, lambda: self.tensors.clear(),
            lambda: [h.remove() for h in self.kept if hasattr(h, "remove")] and None, lambda: gc.collect() and None,
            lambda: self.tensor(), lambda: t.zero_() and None))()

    def differentiate(self):
        r, t = self.r, self.tensor()
        r.choice((
            lambda: t.sum().backward(), lambda: t.sum().backward(retain_graph=True), lambda: t.retain_grad(),
            lambda: self.kept.append(t.register_hook(self.hook)), lambda: t.grad_fn(self.tensor()),
            lambda: self.kept.append(t.grad_fn), lambda: t.grad_fn.register_prehook(lambda g: None),
            lambda: t.grad_fn.register_hook(lambda a, b: None), lambda: t.grad.add_(1), lambda: setattr(t, "grad", self.tensor()),
            lambda: t.abs().sum().backward(create_graph=True), lambda: self.kept.append(t.grad_fn.next_functions),
            lambda: corten.autograd.grad(t.sum(), [self.tensor()], allow_unused=True),
            lambda: setattr(t, "owner", r.choice(self.tensors)), lambda: t.backward(self.tensor())))()

    def look(self):
        t = self.tensor()
        self.r.choice((lambda: repr(t), lambda: t.tolist(), lambda: bool(t), lambda: float(t), lambda: list(t), lambda: hash(t),
                       lambda: t.numpy(), lambda: memoryview(t), lambda: getattr(t, self.r.choice(PROPERTIES)),
                       lambda: t.grad_fn and [getattr(t.grad_fn, n) for n in dir(t.grad_fn) if n.startswith("_saved")]))()

    def forget(self):
        r = self.r
        if self.tensors and r.random() < 0.7:
            self.tensors.pop(r.randrange(len(self.tensors)))
        elif self.kept:
            self.kept.pop()
        if r.random() < 0.1:
            gc.collect()

    def step(self):
        step = self.r.choice((self.call, self.call, self.call, self.index, self.view, self.write, self.differentiate, self.look,
                              self.forget))
        rooms.attempt(step)

    def run(self):
        for _ in range(self.r.randrange(4, 25)):
            self.step()


def packed(program):
    """Runs it with saved-tensor hooks that replace saved tensors."""
    r = program.r
    change = r.choice((lambda t: t, lambda t: t.to(corten.float16), lambda t: t[:1], lambda t: t.clone().zero_(), lambda t: t + 1))
    with corten.autograd.graph.saved_tensors_hooks(change, lambda t: t):
        program.run()
    for t in program.tensors[:]:
        rooms.attempt(lambda: t.sum().backward())


def together(program, count=2):
    """Several threads use the same tensors, only in ways that are allowed concurrently: reading, backward and hooks, no in-place writes."""
    for _ in range(4):
        program.tensor()
    shared, failed = program.tensors, []
    safe = ("call", "view", "differentiate", "look")

    def work(seed):
        mine = Program(seed)
        mine.tensors = [t for t in shared if t.numel() < 1000]
        mine.write = mine.index = mine.forget
        for _ in range(12):
            step = getattr(mine, mine.r.choice(safe))
            if step == mine.call:
                mine.tensors = [t.clone() for t in mine.tensors[:4]]
            try:
                rooms.attempt(step)
            except SystemError as e:
                failed.append(e)
    threads = [threading.Thread(target=work, args=(program.r.randrange(2 ** 40),)) for _ in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failed:
        raise failed[0]


def run(seed, threads=None):
    """Runs the program of a seed, independent of earlier programs; with that many threads, if a number is given."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        corten.manual_seed(seed)
        program = Program(seed)
        kind = program.r.random()
        if threads:
            together(program, threads)
        elif kind < 0.1:
            packed(program)
        elif kind < 0.2:
            together(program, program.r.choice((2, 2, 4)))
        elif kind < 0.45:
            rooms.attempt(program.r.choice(ROOMS), program)
        else:
            program.run()
        program.tensors.clear()
        program.kept.clear()
