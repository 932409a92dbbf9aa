# SPDX-License-Identifier: BSD-3-Clause
"""How Corten reports a part of PyTorch that it does not have.

Programs often import names that they never use. So such a name exists, and raises an error only when it is used. The error is
always a `MissingFeature`, whose text ends with what to do instead:

    symbolic_trace = missing_function("torch.fx.symbolic_trace", "register forward hooks to see inside a module")
    DTensor = missing_class("torch.distributed.tensor.DTensor", "use DistributedDataParallel")
    raise MissingFeature("torch.compile(backend='tensorrt')", "leave the backend out")

An argument that is accepted for compatibility but has no effect calls `no_effect`, which warns once per process.

`docs/conformance.md` lists everything declared here: a test imports all modules and writes the list from `MISSING`.
"""

MISSING = {}  # name in PyTorch -> what to do instead
_WARNED = set()


class MissingFeature(NotImplementedError):
    """Raised when a program uses a part of PyTorch that Corten lacks. `name` is its name in PyTorch, `instead` an alternative."""

    def __init__(self, name, instead):
        super().__init__(f"{name} is not available in Corten: {instead}")
        self.name, self.instead = name, instead

    def __reduce__(self):
        return type(self), (self.name, self.instead)


def missing_function(name, instead):
    """Returns a function that raises MissingFeature when it is called. `name` is the full name in PyTorch."""
    def missing(*args, **kwargs):
        raise MissingFeature(name, instead)
    MISSING[name] = instead
    missing.__module__, _, missing.__name__ = name.rpartition(".")
    missing.__qualname__ = missing.__name__
    missing.__doc__ = f"Not available in Corten: {instead}."
    return missing


def missing_class(name, instead, base=object):
    """Returns a class that raises MissingFeature when it is instantiated; isinstance() with it is False.

    Modules can subclass it and use it in annotations (`MissingClass[int]`), since they do both while being imported.
    """
    def refuse(cls, *args, **kwargs):
        raise MissingFeature(name, instead)
    MISSING[name] = instead
    module, _, short = name.rpartition(".")
    return type(short, (base,), {"__new__": refuse, "__class_getitem__": classmethod(lambda cls, item: cls),
                                 "__module__": module, "__doc__": f"Not available in Corten: {instead}."})


def no_effect(what, instead, stacklevel=3):
    """Warns, once per process and `what`, that an argument or switch is accepted but has no effect.

    `what` is the text as the user would write it ("DataParallel(device_ids=...)"); `instead` says what happens.
    """
    from ._settings import is_warn_always_enabled
    if what in _WARNED and not is_warn_always_enabled():
        return
    _WARNED.add(what)
    import warnings
    warnings.warn(f"{what} has no effect in Corten: {instead}", UserWarning, stacklevel=stacklevel)


def missing_modules(package, instead, table):
    """Creates modules of a package that contain only missing names: {"passes.shape_prop": "ShapeProp TensorMetadata"}.

    A name with an initial capital becomes a class. If a module exists as a file, it gets the names that it lacks.
    """
    import importlib
    import importlib.util
    import sys
    from types import ModuleType
    shown = "torch" + package.partition(".")[1] + package.partition(".")[2]
    for path, names in table.items():
        outer = sys.modules[package]
        for i, part in enumerate(parts := path.split(".")):
            full = f"{package}.{'.'.join(parts[:i + 1])}"
            if full not in sys.modules and importlib.util.find_spec(full):
                importlib.import_module(full)
            elif full not in sys.modules:
                module = sys.modules[full] = ModuleType(full, f"Names that refuse: {instead}.")
                module.__path__, module.__all__ = [], []
            outer.__dict__.setdefault(part, sys.modules[full])
            outer = sys.modules[full]
        for name in names.split():
            if name not in vars(outer):
                make = missing_class if name.lstrip("_")[0].isupper() else missing_function
                setattr(outer, name, make(f"{shown}.{path}.{name}", instead))
