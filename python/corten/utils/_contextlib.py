# SPDX-License-Identifier: BSD-3-Clause
"""Context managers that also work as decorators."""
import functools
import inspect
import warnings

__all__ = ["context_decorator"]


def context_decorator(ctx, func):
    """Decorates `func` so that each call runs in a context: `ctx` is the context manager, or a function that makes one per call.

    A generator function is inside the context only while its code runs, not while it is suspended at a yield.
    """
    if callable(ctx) and hasattr(ctx, "__enter__"):
        raise AssertionError(f"Passed in {ctx} is both callable and also a valid context manager (has __enter__), making it ambiguous which "
                             "interface to use.  If you intended to pass a context manager factory, rewrite your call as "
                             "context_decorator(lambda: ctx()); if you intended to pass a context manager directly, rewrite your call as "
                             "context_decorator(lambda: ctx)")
    if inspect.isclass(func):
        raise RuntimeError("Cannot decorate classes; it is ambiguous whether or not only the constructor or all methods should have the "
                           "context manager applied; additionally, decorating a class at definition-site will prevent use of the "
                           "identifier as a conventional type.  To specify which methods to decorate, decorate each of them individually.")
    make = ctx if callable(ctx) else lambda: ctx
    if inspect.isgeneratorfunction(func):
        return _generator(make, func)

    @functools.wraps(func)
    def decorate_context(*args, **kwargs):
        with make():
            return func(*args, **kwargs)
    return decorate_context


def _generator(make, func):
    @functools.wraps(func)
    def generator(*args, **kwargs):
        inner = func(*args, **kwargs)
        step, value = inner.send, None
        try:
            while True:
                with make():
                    found = step(value)
                try:
                    step, value = inner.send, (yield found)
                except GeneratorExit:
                    with make():
                        inner.close()
                    raise
                except BaseException as error:
                    step, value = inner.throw, error
        except StopIteration as end:
            return end.value
    return generator


class _DecoratorContextManager:
    """Base class of context managers that decorate functions; each call runs in a new copy, made by clone()."""

    def __call__(self, orig_func):
        if not inspect.isclass(orig_func):
            return context_decorator(self.clone, orig_func)
        warnings.warn("Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or "
                      "methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` method and "
                      "nothing else.", FutureWarning, stacklevel=2)
        return context_decorator(self.clone, lambda *args, **kwargs: orig_func(*args, **kwargs))

    def __enter__(self):
        raise NotImplementedError

    def __exit__(self, exc_type, exc_value, traceback):
        raise NotImplementedError

    def clone(self):
        """Returns a new context manager of the same class."""
        return self.__class__()
