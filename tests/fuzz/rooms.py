# SPDX-License-Identifier: BSD-3-Clause
"""Random programs with larger objects: training modules, optimizers, corrupted files, sparse tensors, and functions of the C
interface called by address. The programs list the available functions at run time, so new ones are included."""
import ctypes
import inspect
import io
import json
import os
import pathlib
import tempfile

import corten

FOLDER = pathlib.Path(corten.__file__).parent
LIBRARY = ctypes.CDLL(str(FOLDER / "libcorten.so.0"))
LIBRARY.ct_error.restype = ctypes.c_char_p
NUMERIC = (corten.float32, corten.float64, corten.float32, corten.bfloat16, corten.complex64)


def classes(home, base):
    return [c for _, c in sorted(vars(home).items()) if inspect.isclass(c) and issubclass(c, base) and c is not base]


MODULES = classes(corten.nn, corten.nn.Module)
OPTIMIZERS = classes(corten.optim, corten.optim.Optimizer)
SCHEDULERS = classes(corten.optim.lr_scheduler, corten.optim.lr_scheduler.LRScheduler)


def at(name):
    """Called before each call with its name, so that the fuzzer can name a call that never returned."""


def attempt(f, *args, **kwargs):
    """Calls a function. It may raise any exception except SystemError, and must not leave the library's error set."""
    try:
        return f(*args, **kwargs)
    except SystemError:
        raise
    except Exception:  # random calls usually raise
        return None
    finally:
        standing = LIBRARY.ct_error()
        if standing:
            LIBRARY.ct_clear_error()
            raise SystemError(f"the error {standing} was left behind")


# ---- modules and optimizers ----

def some_module(p, depth=0):
    """Makes a module with small numbers and random other arguments."""
    r = p.r
    cls = r.choice(MODULES)
    at(cls.__name__)
    try:
        names = list(inspect.signature(cls.__init__).parameters.values())[1:]
    except ValueError:
        names = []
    args, kwargs = [], {}
    for a in names:
        if a.kind in (a.VAR_POSITIONAL, a.VAR_KEYWORD):
            continue
        value = r.choice((1, 2, 3, 4, 4, 4)) if r.random() < 0.85 else p.value()
        if a.default is a.empty:
            args.append(some_module(p, depth + 1) if "layer" in a.name and depth < 2 else value)
        elif r.random() < 0.15:
            kwargs[a.name] = not a.default if isinstance(a.default, bool) and r.random() < 0.8 else value
    return cls(*args, **kwargs)


def some_input(p, ndim):
    r = p.r
    t = corten.randn([4] * ndim)
    return r.choice((t, t, t, t.to(r.choice(NUMERIC)), corten.randint(0, 4, [4] * ndim), p.tensor(), t.transpose(0, -1)))


def network(p):
    r = p.r
    module = attempt(some_module, p)
    if module is None:
        return
    for _ in range(r.randrange(1, 5)):
        ndim = r.choice((1, 2, 2, 3, 3, 4, 5))
        out = attempt(module, *(some_input(p, ndim) for _ in range(r.choice((1, 1, 1, 2, 3)))))
        while isinstance(out, (tuple, list)) and out:
            out = out[0]
        if isinstance(out, corten.Tensor):
            p.keep(out)
            attempt(lambda: out.abs().sum().backward())
        attempt(r.choice((
            module.eval, module.train, module.double, module.half, module.zero_grad, lambda: repr(module),
            lambda: module.load_state_dict(module.state_dict()), lambda: module.to(r.choice(NUMERIC)),
            lambda: [h.set_() for h in module.parameters()], lambda: [h.data.resize_(1) for h in module.buffers()],
            lambda: setattr(module, r.choice([n for n, _ in module.named_parameters()]), corten.nn.Parameter(p.tensor())),
            lambda: learn(p, list(module.parameters())))))


def learn(p, parameters):
    """Takes optimizer steps and changes parameters, gradients and state in between."""
    r = p.r
    cls = r.choice(OPTIMIZERS)
    at(cls.__name__)
    kwargs = {}
    for a in inspect.signature(cls.__init__).parameters.values():
        if a.name not in ("self", "params") and r.random() < 0.3:
            kwargs[a.name] = not a.default if isinstance(a.default, bool) else r.choice((0, 0.1, 0.9, 2, p.value()))
    optimizer = cls(parameters, **kwargs)
    schedule = attempt(r.choice(SCHEDULERS), optimizer, *(r.choice((1, 2, 3, [1, 2])) for _ in range(r.choice((0, 1, 1, 2)))))
    for _ in range(r.randrange(1, 5)):
        for q in parameters:
            if r.random() < 0.8 and q.is_floating_point():
                attempt(setattr, q, "grad", corten.randn_like(q) if r.random() < 0.9 else p.tensor())
        attempt(optimizer.step, *([lambda: corten.ones(())] if r.random() < 0.3 else []))
        if schedule:
            attempt(schedule.step)
        some = list(optimizer.state.values())
        attempt(r.choice((
            optimizer.zero_grad, lambda: optimizer.load_state_dict(optimizer.state_dict()),
            lambda: r.choice(list(some[0].values())).resize_(1), lambda: some[0].update({k: p.value() for k in some[0]}),
            lambda: optimizer.param_groups[0].update(lr=p.value()), lambda: parameters[0].data.unsqueeze_(0),
            lambda: optimizer.add_param_group({"params": [p.tensor()]}), lambda: None)))


def optimizer(p):
    learn(p, [corten.randn(p.shape(), dtype=p.r.choice(NUMERIC)).requires_grad_() for _ in range(p.r.randrange(1, 6))])


# ---- files ----

def changed(p, data):
    """Returns the bytes of a file with some changed, removed or duplicated."""
    r, data = p.r, bytearray(data)
    for _ in range(r.choice((0, 1, 1, 2, 5))):
        if not data:
            break
        i = r.randrange(len(data)) if r.random() < 0.7 else max(0, len(data) - 1 - r.randrange(min(len(data), 120)))
        k = r.randrange(6)
        if k < 3:
            data[i] = r.choice((0, 255, 127, 128, 1, r.randrange(256), data[i] ^ 1 << r.randrange(8)))
        elif k == 3:
            del data[i:i + r.choice((1, 4, 60))]
        elif k == 4:
            data[i:i] = data[i:i + r.choice((1, 8, 40))]
        else:
            data[i:i + 8] = r.choice((2 ** 63 - 1, 2 ** 32, 2 ** 31 - 1, 2 ** 64 - 1, 0)).to_bytes(8, "little")
    return bytes(data)


def file(p):
    r = p.r
    things = {str(i): p.tensor() for i in range(r.randrange(1, 4))}
    thing = r.choice((things, list(things.values()), p.tensor(), {"a": [things, 1, 2.5, "x", None]}, corten.nn.Linear(2, 3).state_dict()))
    kind = r.randrange(5)
    if kind < 2:
        buffer = io.BytesIO()
        if attempt(lambda: corten.save(thing, buffer, _use_new_zipfile_serialization=kind == 0) or True):
            data = changed(p, buffer.getvalue())
            attempt(lambda: repr(corten.load(io.BytesIO(data), weights_only=True)))
            with tempfile.NamedTemporaryFile() as f:
                f.write(data)
                f.flush()
                attempt(lambda: repr(corten.load(f.name, weights_only=True, mmap=r.random() < 0.5)))
    elif kind == 2:
        from corten import safetensors
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.safetensors")
            if attempt(lambda: safetensors.save_file(things, path) or True):
                pathlib.Path(path).write_bytes(changed(p, pathlib.Path(path).read_bytes()))
                attempt(lambda: repr(safetensors.load_file(path)))
    elif kind == 3:
        from corten.vision import io as pictures
        image = corten.randint(0, 256, (r.choice((1, 3, 4)), r.choice((1, 5, 17)), r.choice((1, 8, 19))), dtype=corten.uint8)
        data = attempt(r.choice([getattr(pictures, n) for n in ("encode_png", "encode_jpeg") if hasattr(pictures, n)]), image)
        if data is not None:
            bytes_ = changed(p, bytes(data.tolist()))
            attempt(lambda: pictures.decode_image(corten.tensor(list(bytes_), dtype=corten.uint8)))
    else:
        import pickle
        data = attempt(pickle.dumps, p.tensor())
        if data:
            attempt(lambda: repr(corten.load(io.BytesIO(changed(p, data)), weights_only=True)))


# ---- sparse tensors ----

def sparse(p):
    r = p.r
    for _ in range(r.randrange(2, 8)):
        t = attempt(p.tensor)
        made = attempt(r.choice([getattr(t, n) for n in dir(t) if n.startswith("to_sparse")] + [lambda: some_sparse(p)]))
        if isinstance(made, corten.Tensor):
            p.tensors.append(made)
        p.step()
        p.step()


def some_sparse(p):
    r = p.r
    index = corten.randint(-1 if r.random() < 0.1 else 0, 4, (2, r.choice((0, 1, 5, 7))))
    if r.random() < 0.3:
        return corten.sparse_compressed_tensor(corten.arange(index.shape[1] + 1), index[0], p.tensor(), layout=r.choice((corten.sparse_csr, corten.sparse_csc)))
    t = corten.sparse_coo_tensor(index, corten.randn(index.shape[1], *p.shape()[:1]), *([(4, 4)] if r.random() < 0.5 else []))
    return t.requires_grad_() if r.random() < 0.3 else t


# ---- functions of the C interface, by address ----

class Ints(ctypes.Structure):
    _fields_ = [("v", ctypes.POINTER(ctypes.c_int64)), ("n", ctypes.c_int64)]


class Floats(ctypes.Structure):
    _fields_ = [("v", ctypes.POINTER(ctypes.c_double)), ("n", ctypes.c_int64)]


class List(ctypes.Structure):
    _fields_ = [("v", ctypes.POINTER(ctypes.c_void_p)), ("n", ctypes.c_int64)]


class Complex(ctypes.Structure):
    _fields_ = [("re", ctypes.c_double), ("im", ctypes.c_double)]


class As(ctypes.Union):
    _fields_ = [("tensor", ctypes.c_void_p), ("b", ctypes.c_bool), ("i", ctypes.c_int64), ("f", ctypes.c_double), ("c", Complex)]


class Value(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("of", As)]


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("index", ctypes.c_int)]


def interface():
    """Returns [(name, argument types)] of functions that return a tensor."""
    rows = json.loads((FOLDER / "include/corten/own.json").read_text())
    found = []
    for row in rows:
        kinds = {a["name"]: a["kind"] for a in row["args"]}
        for f in row["functions"]:
            if f["returns"] == "ct_tensor *" and "tracker?" not in kinds.values() and row["name"] not in ("set_", "from_file"):
                found.append((f["name"], [kinds.get(a, "Tensor") for a in f["args"]]))
    return sorted(found)


def argument(p, kind, kept):
    r = p.r
    if kind in ("Tensor", "Mask"):
        if r.random() < 0.03:
            return ctypes.c_void_p(None)
        kept.append(p.tensor())
        return ctypes.c_void_p(kept[-1]._cdata)
    if kind.rstrip("?") in ("Tensor", "generator"):
        if kind == "generator?":
            return ctypes.c_void_p(None)
        return argument(p, "Tensor", kept) if r.random() < 0.5 else ctypes.c_void_p.in_dll(LIBRARY, "ct_no_tensor_mark")
    if kind == "bool":
        return ctypes.c_bool(r.random() < 0.5)
    if kind in ("int", "int?"):
        return ctypes.c_int64(-2 ** 63 if kind[-1] == "?" and r.random() < 0.3 else p.integer())
    if kind in ("float", "float?"):
        return ctypes.c_double(r.choice((0.0, 1.0, 2.0, 0.5, -1.0, float("inf"), float("nan"))))
    if kind.startswith("ints"):
        values = [p.integer() for _ in range(r.randrange(5))]
        kept.append((ctypes.c_int64 * (len(values) + 1))(*values))
        return Ints(ctypes.cast(kept[-1], ctypes.POINTER(ctypes.c_int64)), len(values)) if kind[-1] != "?" or r.random() < 0.6 else Ints(None, 0)
    if kind.startswith("floats"):
        kept.append((ctypes.c_double * 4)(1, 2, 0.5, 2))
        return Floats(ctypes.cast(kept[-1], ctypes.POINTER(ctypes.c_double)), r.randrange(4))
    if kind.startswith("Tensors"):
        tensors = [p.tensor() for _ in range(r.randrange(4))]
        kept.append(tensors)
        kept.append((ctypes.c_void_p * (len(tensors) + 1))(*[t._cdata for t in tensors]))
        return List(ctypes.cast(kept[-1], ctypes.POINTER(ctypes.c_void_p)), len(tensors))
    if kind.rstrip("?") in ("Value", "Number", "Operand"):
        k = r.randrange(5)
        if k < 2 and kind in ("Value", "Operand"):
            kept.append(p.tensor())
            return Value(2, As(tensor=kept[-1]._cdata))
        return r.choice((Value(4, As(i=p.integer())), Value(5, As(f=0.5)), Value(3, As(b=True)), Value(6, As(c=Complex(1, 2)))))
    if kind in ("dtype", "dtype?"):
        return ctypes.c_int(r.choice((-1, 0, 1, 5, 9, 11, 12, 13, 14)) if kind[-1] == "?" else r.randrange(15))
    if kind == "bool?":
        return ctypes.c_int(r.choice((-1, 0, 1)))
    if kind == "device?":
        return Device(r.choice((0, 1, 1, 4)), -1)
    if kind.startswith("memory_format"):
        return ctypes.c_int(r.randrange(4))
    kept.append(r.choice((b"mean", b"sum", b"constant", b"", b"ij->ji", b"floor", b"none", b"reduced")))  # str
    return ctypes.c_char_p(None if kind[-1] == "?" and r.random() < 0.5 else kept[-1])


CALLS = interface()


def plain(p):
    for _ in range(p.r.randrange(5, 30)):
        name, kinds = p.r.choice(CALLS)
        kept = []
        try:
            args = [argument(p, kind, kept) for kind in kinds]
        except Exception:  # the tensor could not be made
            continue
        at(name)
        f = getattr(LIBRARY, name)
        f.restype = ctypes.c_void_p
        answer = f(*args)
        error = LIBRARY.ct_error()
        if answer is None and error is None and not any(getattr(a, "value", 1) is None for a in args):
            raise SystemError(f"{name} failed without an error")
        if answer is not None and error is not None:
            raise SystemError(f"{name} succeeded with the error {error}")
        LIBRARY.ct_clear_error()
        first = args[0].value if args and isinstance(args[0], ctypes.c_void_p) else None
        if answer and not (name.endswith(("_", "_out")) and answer == first):
            LIBRARY.ct_release(ctypes.c_void_p(answer))
