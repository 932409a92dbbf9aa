# SPDX-License-Identifier: BSD-3-Clause
"""torch.futures: results that another thread will provide."""
import threading
from typing import Generic, TypeVar

__all__ = ["Future", "collect_all", "wait_all"]


T = TypeVar("T")


class Future(Generic[T]):
    """A result that another thread provides. `Future[int]` annotates its type.

        >>> future = torch.futures.Future()
        >>> double = future.then(lambda f: f.value() * 2)
        >>> future.set_result(4)
        >>> double.wait()
        8

    devices: GPUs that hold the result's tensors. Their work may still be pending when the result is set; streams that are current
    in wait() or in a callback wait for it.
    """

    def __init__(self, *, devices=None):
        self._condition, self._done, self._value, self._error, self._calls = threading.Condition(), False, None, None, []
        self._devices, self._events = list(devices or ()), []

    def done(self):
        """Returns whether the result (or an error) is set."""
        return self._done

    def wait(self):
        """Blocks until the future is complete; returns the result or raises the error."""
        with self._condition:
            self._condition.wait_for(lambda: self._done)
        if self._error is not None:
            raise self._error
        self._wait_for_devices()
        return self._value

    def _wait_for_devices(self):
        """Makes the current streams wait for the work that produces the result."""
        from . import cuda
        for event in self._events:
            event.wait(cuda.current_stream(event.device))

    def value(self):
        """Returns the result of a complete future."""
        if not self._done:
            raise RuntimeError("value() can only be called on a completed future")
        return self.wait()

    def _finish(self, value, error):
        with self._condition:
            if self._done:
                raise RuntimeError("Attempting to mark a completed Future as complete again. Note that a Future can only be marked completed once.")
            self._done, self._value, self._error = True, value, error
            calls, self._calls = self._calls, []
            self._condition.notify_all()
        for call in calls:
            self._wait_for_devices()
            call(self)

    def set_result(self, result):
        """Sets the result."""
        if self._devices:
            from . import cuda
            self._events = [cuda.current_stream(device).record_event() for device in self._devices]
        self._finish(result, None)

    def set_exception(self, result):
        """Sets an exception as the outcome."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._finish(None, result)

    def add_done_callback(self, callback):
        """Calls callback(future) when the future is complete."""
        with self._condition:
            if not self._done:
                self._calls.append(callback)
                return
        callback(self)

    def then(self, callback):
        """Returns a future of callback(future), run when this future is complete."""
        after = Future()

        def call(future):
            try:
                after.set_result(callback(future))
            except Exception as error:
                after.set_exception(error)
        self.add_done_callback(call)
        return after


def collect_all(futures):
    """Returns a future of the list of futures, which completes when all of them have."""
    futures, after = list(futures), Future()
    left, lock = [len(futures)], threading.Lock()

    def one(future):
        with lock:
            left[0] -= 1
            last = left[0] == 0
        if last:
            after.set_result(futures)
    if not futures:
        after.set_result([])
    for future in futures:
        future.add_done_callback(one)
    return after


def wait_all(futures):
    """Waits for all futures; returns their results."""
    return [future.wait() for future in collect_all(futures).wait()]


def fork(func, *args, **kwargs):
    """torch.fork: calls a function immediately, as PyTorch does outside TorchScript; returns a complete future."""
    future = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future):
    """torch.wait: waits for a future and returns its result."""
    if not isinstance(future, Future):
        raise TypeError(f"wait(): argument 'future' must be torch.Future, not {type(future).__name__}")
    return future.wait()
