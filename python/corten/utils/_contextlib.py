# SPDX-License-Identifier: BSD-3-Clause
"""Blocks of code that are decorators, too."""
import functools
import inspect
import warnings

__all__ = ["context_decorator"]


def context_decorator(ctx, func):
    """`func` in a block: `ctx` is the block, or makes one for each call. A generator is in it while it runs, not while it waits."""
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
    """A base of blocks: an instance decorates functions, each call of which is in a copy of the block (clone())."""

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
        """Another block of this kind."""
        return self.__class__()
