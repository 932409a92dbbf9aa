# SPDX-License-Identifier: BSD-3-Clause
"""torch.futures: values that another thread sets."""
import threading
from typing import Generic, TypeVar

__all__ = ["Future", "collect_all", "wait_all"]


T = TypeVar("T")


class Future(Generic[T]):
    """A value that another thread sets, and functions that wait for it. `Future[int]` says in annotations what it will be.

        >>> future = torch.futures.Future()
        >>> double = future.then(lambda f: f.value() * 2)
        >>> future.set_result(4)
        >>> double.wait()
        8

    devices: GPUs that the value's tensors are on. Their work need not be done when the value is set: streams that are current where
    the value is waited for, or a callback runs, wait for it.
    """

    def __init__(self, *, devices=None):
        self._condition, self._done, self._value, self._error, self._calls = threading.Condition(), False, None, None, []
        self._devices, self._events = list(devices or ()), []

    def done(self):
        """Whether it is there."""
        return self._done

    def wait(self):
        """The value, or the error that is in its place."""
        with self._condition:
            self._condition.wait_for(lambda: self._done)
        if self._error is not None:
            raise self._error
        self._wait_for_devices()
        return self._value

    def _wait_for_devices(self):
        """What comes later in the current streams waits for the work that makes the value."""
        from . import cuda
        for event in self._events:
            event.wait(cuda.current_stream(event.device))

    def value(self):
        """The value that is there already."""
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
        """Sets the value."""
        if self._devices:
            from . import cuda
            self._events = [cuda.current_stream(device).record_event() for device in self._devices]
        self._finish(result, None)

    def set_exception(self, result):
        """Sets an error in the value's place."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._finish(None, result)

    def add_done_callback(self, callback):
        """callback(future), as soon as the value is there."""
        with self._condition:
            if not self._done:
                self._calls.append(callback)
                return
        callback(self)

    def then(self, callback):
        """A future of callback(future)."""
        after = Future()

        def call(future):
            try:
                after.set_result(callback(future))
            except Exception as error:
                after.set_exception(error)
        self.add_done_callback(call)
        return after


def collect_all(futures):
    """A future of a list of futures that are all there."""
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
    """The values of all."""
    return [future.wait() for future in collect_all(futures).wait()]


def fork(func, *args, **kwargs):
    """torch.fork: calls a function at once, as PyTorch does outside of its script compiler; the future has its result."""
    future = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future):
    """torch.wait: what a future has, once it is there."""
    if not isinstance(future, Future):
        raise TypeError(f"wait(): argument 'future' must be torch.Future, not {type(future).__name__}")
    return future.wait()
