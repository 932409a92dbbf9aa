# SPDX-License-Identifier: BSD-3-Clause
"""OptimizedModule, the class of modules that torch.compile returns."""
from ..nn import Module


class OptimizedModule(Module):
    """A module that forwards calls and attributes to another one, `_orig_mod`, whose name prefixes the keys of its state dict."""

    def __init__(self, mod):
        super().__init__()
        self._modules["_orig_mod"] = mod

    @property
    def training(self):
        """Whether the wrapped module is in training mode."""
        return self._modules["_orig_mod"].training if "_orig_mod" in self.__dict__.get("_modules", ()) else True

    @training.setter
    def training(self, mode):
        if "_orig_mod" in self.__dict__.get("_modules", ()):
            self._modules["_orig_mod"].training = mode

    def forward(self, *args, **kwargs):
        """Calls the wrapped module."""
        return self._modules["_orig_mod"](*args, **kwargs)

    def __getattr__(self, name):
        modules = self.__dict__.get("_modules")
        if not modules or "_orig_mod" not in modules:
            raise AttributeError(name)
        return modules["_orig_mod"] if name == "_orig_mod" else getattr(modules["_orig_mod"], name)

    def __setattr__(self, name, value):
        modules = self.__dict__.get("_modules")
        if not modules or "_orig_mod" not in modules or name in type(self).__dict__ or name in self.__dict__:
            super().__setattr__(name, value)
        elif name == "_orig_mod":
            modules[name] = value
        else:
            setattr(modules["_orig_mod"], name, value)

    def __delattr__(self, name):
        if name in self.__dict__:
            super().__delattr__(name)
        else:
            delattr(self._modules["_orig_mod"], name)

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self._modules["_orig_mod"])})


def is_dynamo_supported():
    """Returns False: nothing is compiled."""
    return False
