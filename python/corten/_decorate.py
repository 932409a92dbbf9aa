# SPDX-License-Identifier: BSD-3-Clause
"""no_grad, enable_grad and inference_mode as decorators; imported when the first function is decorated."""
import functools
import inspect
import warnings


def decorate(mode, function):
    """Wraps a function (or a class, with a warning) so that each call runs in the mode."""
    if inspect.isclass(function):
        warnings.warn("Decorating classes is deprecated and will be disabled in future versions. You should only "
                      "decorate functions or methods. To preserve the current behavior of class decoration, you can "
                      "directly decorate the `__init__` method and nothing else.", FutureWarning, stacklevel=3)
        function.__init__ = decorate(mode, function.__init__)
        return function
    if inspect.isgeneratorfunction(function):
        return _generator(mode, function)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with mode.clone():
            return function(*args, **kwargs)
    return wrapper


def _generator(mode, function):
    """Wraps a generator function so that the mode is active only while its code runs, not at a yield."""
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        run = function(*args, **kwargs)
        step, sent = run.send, None
        try:
            while True:
                try:
                    with mode.clone():
                        given = step(sent)
                except StopIteration as stop:
                    return stop.value
                try:
                    sent, step = (yield given), run.send
                except GeneratorExit:
                    with mode.clone():
                        run.close()
                    raise
                except BaseException as error:
                    sent, step = error, run.throw
        finally:
            run.close()
    return wrapper
