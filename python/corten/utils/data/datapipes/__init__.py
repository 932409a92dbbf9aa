# SPDX-License-Identifier: BSD-3-Clause
"""Data sets that are chained by methods: pipe.map(f).batch(4). Kept for programs that still use them."""
import contextlib
import functools

from ...._missing import MissingFeature
from ..dataset import Dataset, IterableDataset

_deterministic = False


class _Functions:
    """Functions that were registered by name are methods of every pipe."""
    functions = {}

    def __getattr__(self, name):
        if name not in type(self).functions and name[:1] != "_":
            from . import iter, map  # noqa: F401  they register the methods of all pipes
        if name in type(self).functions:
            return functools.partial(type(self).functions[name], self)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}")

    @classmethod
    def register_function(cls, function_name, function):
        """Makes function(pipe, ...) the method `function_name`."""
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(cls, function_name, cls_to_register, enable_df_api_tracing=False):
        """Makes a class the method `function_name`."""
        if enable_df_api_tracing:
            raise MissingFeature("IterDataPipe.register_datapipe_as_function(enable_df_api_tracing=True)", "leave it out; pipes of data "
                                 "frames are made of torcharrow's frames, which Corten does not know")
        if function_name in cls.functions:
            raise Exception(f"Unable to add DataPipe function name {function_name} as it is already taken")
        cls.functions[function_name] = cls_to_register


class IterDataPipe(_Functions, IterableDataset):
    """A pipe that is iterated."""
    functions = {}

    def reset(self):
        """Starts again."""


class MapDataPipe(_Functions, Dataset):
    """A pipe that is indexed."""
    functions = {}


class DFIterDataPipe(IterDataPipe):
    """A pipe of data frames."""


class DataChunk(list):
    """Items that travel together."""

    def __init__(self, items):
        items = list(items)
        super().__init__(items)
        self.items = items

    def raw_iterator(self):
        """The items one by one."""
        yield from self.items


class functional_datapipe:
    """@functional_datapipe("name"): a pipe's class as a method of all pipes."""

    def __init__(self, name, enable_df_api_tracing=False):
        self.name, self.enable_df_api_tracing = name, enable_df_api_tracing

    def __call__(self, cls):
        if not isinstance(cls, type) or not issubclass(cls, (IterDataPipe, MapDataPipe)):
            raise TypeError("`functional_datapipe` can only decorate IterDataPipe")
        (IterDataPipe if issubclass(cls, IterDataPipe) else MapDataPipe).register_datapipe_as_function(
            self.name, cls, self.enable_df_api_tracing)
        return cls


class guaranteed_datapipes_determinism:
    """In this block pipes that are not deterministic are refused."""

    def __init__(self):
        global _deterministic
        self.prev, _deterministic = _deterministic, True

    def __enter__(self):
        return None

    def __exit__(self, *error):
        global _deterministic
        _deterministic = self.prev


def non_deterministic(arg):
    """Marks the class of a pipe as not deterministic, always or when a function says so."""
    def mark(cls, test=lambda *args: True):
        @functools.wraps(cls)
        def make(*args, **kwargs):
            if _deterministic and test(*args):
                raise TypeError(f"{cls.__name__} is non-deterministic, but you set 'guaranteed_datapipes_determinism'.")
            return cls(*args, **kwargs)
        return make
    return mark(arg) if isinstance(arg, type) else lambda cls: mark(cls, arg)


def argument_validation(function):
    """Leaves a function as it is: types of arguments are not tested."""
    return function


def runtime_validation(function):
    """Leaves a function as it is: types of items are not tested."""
    return function


@contextlib.contextmanager
def runtime_validation_disabled():
    """A block without tests of types."""
    yield


from ...._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
