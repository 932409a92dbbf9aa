# SPDX-License-Identifier: BSD-3-Clause
"""Datasets chained by methods: pipe.map(f).batch(4). PyTorch has deprecated them; kept for programs that use them."""
import contextlib
import functools

from ...._missing import MissingFeature
from ..dataset import Dataset, IterableDataset

_deterministic = False


class _Functions:
    """Makes functions registered by name methods of every pipe."""
    functions = {}

    def __getattr__(self, name):
        if name not in type(self).functions and name[:1] != "_":
            from . import iter, map  # noqa: F401  they register the methods of all pipes
        if name in type(self).functions:
            return functools.partial(type(self).functions[name], self)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}")

    @classmethod
    def register_function(cls, function_name, function):
        """Register function(pipe, ...) as the method `function_name` of every pipe.

        Args:
            function_name: the name of the method.
            function: the function.
        """
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(cls, function_name, cls_to_register, enable_df_api_tracing=False):
        """Register a class of pipes as the method `function_name` of every pipe.

        Args:
            function_name: the name of the method.
            cls_to_register: the class; the method calls cls_to_register(pipe, ...).
            enable_df_api_tracing: must be False. Default: False
        """
        if enable_df_api_tracing:
            raise MissingFeature("IterDataPipe.register_datapipe_as_function(enable_df_api_tracing=True)", "leave it out; pipes of data "
                                 "frames are made of torcharrow's frames, which Corten does not know")
        if function_name in cls.functions:
            raise Exception(f"Unable to add DataPipe function name {function_name} as it is already taken")
        cls.functions[function_name] = cls_to_register


class IterDataPipe(_Functions, IterableDataset):
    """Base class of pipes that are iterated; every iter pipe is available as a method, such as pipe.map(f).

        >>> from corten.utils.data.datapipes.iter import IterableWrapper
        >>> list(IterableWrapper(range(5)).map(lambda x: x * 10).batch(2))
        [[0, 10], [20, 30], [40]]
    """
    functions = {}

    def reset(self):
        """Start again; pipes with a state override it."""


class MapDataPipe(_Functions, Dataset):
    """Base class of pipes that are indexed; every map pipe is available as a method."""
    functions = {}


class DFIterDataPipe(IterDataPipe):
    """Base class of pipes of data frames, for compatibility."""


class DataChunk(list):
    """A list of items that stay together, such as a batch.

    Args:
        items: the items.
    """

    def __init__(self, items):
        items = list(items)
        super().__init__(items)
        self.items = items

    def raw_iterator(self):
        """Yield the items one by one."""
        yield from self.items


class functional_datapipe:
    """A class decorator that makes a class of pipes a method of all pipes.

    Args:
        name: the name of the method.
        enable_df_api_tracing: must be False. Default: False
    """

    def __init__(self, name, enable_df_api_tracing=False):
        self.name, self.enable_df_api_tracing = name, enable_df_api_tracing

    def __call__(self, cls):
        if not isinstance(cls, type) or not issubclass(cls, (IterDataPipe, MapDataPipe)):
            raise TypeError("`functional_datapipe` can only decorate IterDataPipe")
        (IterDataPipe if issubclass(cls, IterDataPipe) else MapDataPipe).register_datapipe_as_function(
            self.name, cls, self.enable_df_api_tracing)
        return cls


class guaranteed_datapipes_determinism:
    """A context in which creating a pipe marked as non-deterministic raises TypeError."""

    def __init__(self):
        global _deterministic
        self.prev, _deterministic = _deterministic, True

    def __enter__(self):
        return None

    def __exit__(self, *error):
        global _deterministic
        _deterministic = self.prev


def non_deterministic(arg):
    """A class decorator that marks a class of pipes as non-deterministic.

    Args:
        arg: the class; or a function of the constructor's arguments that returns whether such a pipe is, to be used as
            @non_deterministic(function).
    """
    def mark(cls, test=lambda *args: True):
        @functools.wraps(cls)
        def make(*args, **kwargs):
            if _deterministic and test(*args):
                raise TypeError(f"{cls.__name__} is non-deterministic, but you set 'guaranteed_datapipes_determinism'.")
            return cls(*args, **kwargs)
        return make
    return mark(arg) if isinstance(arg, type) else lambda cls: mark(cls, arg)


def argument_validation(function):
    """Return the function unchanged: argument types are not checked."""
    return function


def runtime_validation(function):
    """Return the function unchanged: item types are not checked."""
    return function


@contextlib.contextmanager
def runtime_validation_disabled():
    """A context without type checks, which Corten never makes."""
    yield


from ...._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
