# SPDX-License-Identifier: BSD-3-Clause
"""Random calls of private functions of the extension module, and of every method of its classes, including special methods. The
package calls them with checked arguments, but any program can call them, and they must not crash."""
import corten

from rooms import attempt
import rooms

MODULE = corten._C
# Functions that change global state for later programs, or take addresses and file descriptors.
STATE = ("_set_", "_push_", "_pop_", "_profile_", "_dual_e", "_guard_e", "_count_", "_cuda_", "_disable_torch_function",
         "_function_tools", "_anomaly_tools", "_open_fd", "__")
CLASSES = [c for _, c in sorted(vars(MODULE).items()) if isinstance(c, type)]
FUNCTIONS = [f for name, f in sorted(vars(MODULE).items())
             if name[0] == "_" and not name.startswith(STATE) and callable(f) and not isinstance(f, type)]
METHODS = [(c, name) for c in CLASSES for name in sorted(dir(c))
           if callable(getattr(c, name, None)) and getattr(c, name) is not getattr(object, name, None)
           and name not in ("__subclasshook__", "__init_subclass__", "data_ptr", "share_memory_", "_share_fd", "from_file")]


def thing(p):
    """Returns an object of one of the module's classes, or a class, or a function."""
    r, t = p.r, p.tensor()
    return r.choice((
        lambda: t, lambda: t.grad_fn, lambda: t.untyped_storage(), lambda: corten.Generator(), lambda: t.shape, lambda: t.dtype,
        lambda: t.device, lambda: corten.nn.Linear(2, 2), lambda: corten.no_grad(), lambda: corten.finfo(corten.float32),
        lambda: corten.nn.Parameter(t), lambda: t.sum().grad_fn, lambda: corten.strided, lambda: corten.autograd.Function,
        lambda: r.choice(CLASSES), lambda: r.choice(FUNCTIONS), lambda: corten.add))()


def value(p):
    k = p.r.random()
    if k < 0.6:
        return p.value()
    if k < 0.85:
        return attempt(thing, p)
    if k < 0.92:
        return tuple(value(p) for _ in range(p.r.randrange(4)))
    return p.r.choice((b"abc", b"", {"a": 1}, "x", type, int, lambda *args: None, [None]))


def room(p):
    r = p.r
    for _ in range(r.randrange(4, 25)):
        args = []
        if r.random() < 0.5:
            f = r.choice(FUNCTIONS)
            name = f.__name__
        else:
            owner, name = r.choice(METHODS)
            f = getattr(owner, name)
            name = f"{owner.__name__}.{name}"
            args = [o for o in (attempt(thing, p) for _ in range(6)) if isinstance(o, owner)][:r.random() < 0.9]
        args += [value(p) for _ in range(r.choice((0, 1, 1, 2, 2, 3, 4, 5)))]
        kwargs = {r.choice(("dtype", "device", "mode", "stream", "memo", "args", "kwargs")): value(p)} if r.random() < 0.1 else {}
        rooms.at(name)
        attempt(f, *args, **kwargs)
    corten.set_grad_enabled(True)
