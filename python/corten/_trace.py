# SPDX-License-Identifier: BSD-3-Clause
"""Interception of calls: while a Watch is active, every operation that Python can call is replaced by a wrapper.

A Watch receives (name, function, args, kwargs) and makes the call. When the last one stops, the original operations are
restored, so a program without a Watch runs at full speed.
"""
import functools
import os
import sys
import types

from . import _C

_PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")  # with a trailing separator: a user's directory may be called corten, too
_watchers = []
_replaced = []  # (owner, name, original)
_SKIP = {"is_grad_enabled", "is_inference_mode_enabled", "set_grad_enabled", "get_default_dtype", "is_tensor", "manual_seed",
         "get_rng_state", "set_rng_state", "seed", "initial_seed", "Generator", "device", "typename", "is_storage"}
_METHODS_SKIP = {"__new__", "__init__", "__getattribute__", "__setattr__", "__delattr__", "__repr__", "__str__", "__format__",
                 "__hash__", "__reduce_ex__", "__reduce__", "__class_getitem__", "__init_subclass__", "__subclasshook__",
                 "__torch_function__", "__dir__", "__sizeof__", "__deepcopy__", "__setstate__", "__iter__", "__len__",
                 "__array__", "__dlpack__", "__dlpack_device__", "__bool__", "__index__", "__int__", "__float__", "size", "dim",
                 "stride", "numel", "data_ptr", "storage_offset", "is_contiguous", "element_size", "ndimension", "nelement",
                 "untyped_storage", "storage", "is_floating_point", "is_complex", "get_device", "requires_grad_", "is_shared",
                 "is_conj", "is_neg", "is_pinned", "is_inference", "is_signed", "as_subclass", "type", "register_hook",
                 "retain_grad", "__contains__", "__complex__", "is_set_to", "is_same_size"}


def _wrap(name, function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        watch = _watchers[-1] if _watchers else None
        if watch is None or watch.busy:
            return function(*args, **kwargs)
        return watch(name, function, args, kwargs)
    return call


def _replace(owner, name, value):
    _replaced.append((owner, name, owner.__dict__[name] if isinstance(owner, type) else vars(owner)[name]))
    setattr(owner, name, value)


def _install():
    known = {}
    for name, value in list(vars(_C).items()):
        if isinstance(value, types.BuiltinFunctionType) and not name.startswith("_") and name not in _SKIP:
            known[id(value)] = (value, _wrap(name, value))
    for part in _C._submodules.values():
        for name, value in vars(part).items():
            if isinstance(value, (types.BuiltinFunctionType, _C._FunctionalFunction)) and not name.startswith("_"):
                known.setdefault(id(value), (value, _wrap(f"{part.__name__}_{name}".removeprefix("nn.functional_"), value)))
    for module_name, module in list(sys.modules.items()):
        if module is None or not (module_name == "corten" or module_name.startswith(("corten.", "torch"))):
            continue
        for name, value in list(getattr(module, "__dict__", {}).items()):
            found = known.get(id(value))
            if found is not None and found[0] is value:
                _replace(module, name, found[1])
    for cls in (_C.Tensor.__mro__):
        if cls is object:
            continue
        for name, value in list(vars(cls).items()):
            if callable(value) and not isinstance(value, (type, staticmethod, classmethod)) and name not in _METHODS_SKIP and \
                    not (name.startswith("_") and not name.startswith("__")) and cls.__flags__ & (1 << 9):
                label = name.strip("_") if name.startswith("__") else name
                _replace(cls, name, _wrap(_OPERATORS.get(label, label), value))
        if cls is _C.Tensor:  # attributes of the base class are shadowed by wrappers in the class
            for base in cls.__mro__[1:-1]:
                for name, value in list(vars(base).items()):
                    if name not in vars(cls) and callable(value) and name not in _METHODS_SKIP and (
                            not name.startswith("_") or name.strip("_") in _OPERATORS):
                        _replaced.append((cls, name, None))
                        label = name.strip("_") if name.startswith("__") else name
                        setattr(cls, name, _wrap(_OPERATORS.get(label, label), value))
            break


_OPERATORS = {"radd": "add", "rsub": "sub", "rmul": "mul", "truediv": "div", "rtruediv": "div", "matmul": "matmul",
              "rmatmul": "matmul", "iadd": "add_", "isub": "sub_", "imul": "mul_", "itruediv": "div_", "getitem": "index",
              "setitem": "index_put_", "neg": "neg", "add": "add", "sub": "sub", "mul": "mul", "pow": "pow", "rpow": "pow",
              "abs": "abs", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "floordiv": "floor_divide",
              "mod": "remainder", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "invert": "bitwise_not",
              "ipow": "pow_"}


def _uninstall():
    for owner, name, original in reversed(_replaced):
        if original is None:
            delattr(owner, name)
        else:
            setattr(owner, name, original)
    _replaced.clear()


class Watch:
    """Base class of objects that intercept calls between start() and stop()."""
    busy = False

    def start(self):
        """Starts intercepting calls."""
        if not _watchers:
            _install()
        _watchers.append(self)

    def stop(self):
        """Stops intercepting calls."""
        _watchers.remove(self)
        if not _watchers:
            _uninstall()

    def __call__(self, name, function, args, kwargs):
        raise NotImplementedError


def tensors_in(values):
    """Returns the tensors among values, including those in lists."""
    for value in values:
        if isinstance(value, _C.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors_in(value)


class detect_nan(Watch):
    """Raises at the first operation in the block that makes a NaN (with inf=True, also an infinity) from finite numbers.

    The error shows the call, its source location and its arguments. In backward, it shows the forward call that caused it.

        >>> with corten.detect_nan():
        ...     corten.tensor([-1.]).sqrt()
        Traceback (most recent call last):
        RuntimeError: sqrt made the first NaN: 1 of 1 elements ...
    """

    def __init__(self, inf=False):
        self.inf = inf

    def __enter__(self):
        from .autograd import anomaly_mode
        self.before, self.node = (_C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled()), None
        self.listener, anomaly_mode._listener = anomaly_mode._listener, self._failed
        _C.set_anomaly_enabled(True, True)  # the autograd engine checks backward
        self.start()
        return self

    def __exit__(self, kind, error, trace):
        from .autograd import anomaly_mode
        self.stop()
        _C.set_anomaly_enabled(*self.before)
        anomaly_mode._listener = self.listener
        if self.node is not None and isinstance(error, RuntimeError) and "returned nan" in str(error):
            raise RuntimeError(f"{self.node} made the first NaN, in backward. Its call in forward was\n{self.call_site}") from error

    def _failed(self, node):
        lines = node.metadata.get("traceback_") or ["  before this block\n"]
        here = [line for line in lines if not line.startswith(f'  File "{_PACKAGE}')]
        self.node, self.call_site = node.name(), (here or lines)[-1].rstrip()

    def _bad(self, tensor):
        if not (tensor.is_floating_point() or tensor.is_complex()) or tensor.device.type == "meta":
            return 0
        x = tensor.detach()
        wrong = x.isnan()
        if self.inf:
            wrong = wrong | x.isinf()
        return int(wrong.sum())

    def __call__(self, name, function, args, kwargs):
        result = function(*args, **kwargs)
        if name.startswith(("empty", "new_empty", "resize", "is", "nan", "allclose", "equal")):
            return result
        self.busy = True
        try:
            for tensor in tensors_in((result,)):
                bad = self._bad(tensor)
                given = list(tensors_in((*args, *kwargs.values())))
                wished = any(isinstance(v, float) and v != v for v in (*args, *kwargs.values()))
                if bad and given and not wished and not any(self._bad(t) for t in given if t is not tensor):
                    raise RuntimeError(self._text(name, tensor, bad, given))
        finally:
            self.busy = False
        return result

    @staticmethod
    def _text(name, tensor, bad, given):
        import traceback
        frame = next((f for f in reversed(traceback.extract_stack()) if not f.filename.startswith(_PACKAGE)), None)
        lines = [f"{name} made the first NaN: {bad} of {tensor.numel()} elements of its result {tuple(tensor.shape)}"]
        if frame:
            lines.append(f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}\n    {frame.line}')
        for i, t in enumerate(given):
            if t.numel() and t.is_floating_point():
                lines.append(f"  argument {i}: {tuple(t.shape)}, from {t.min().item():.6g} to {t.max().item():.6g}")
        return "\n".join(lines)
