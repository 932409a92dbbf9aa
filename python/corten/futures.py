# SPDX-License-Identifier: BSD-3-Clause
"""torch.futures: values that another thread sets."""
import threading

__all__ = ["Future", "collect_all", "wait_all"]


class Future:
    """A value that may not be there yet; functions that are to be called with it."""

    def __init__(self, *, devices=None):
        self._condition, self._done, self._value, self._error, self._calls = threading.Condition(), False, None, None, []

    def done(self):
        """Whether it is there."""
        return self._done

    def wait(self):
        """The value, or the error that is in its place."""
        with self._condition:
            self._condition.wait_for(lambda: self._done)
        if self._error is not None:
            raise self._error
        return self._value

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
            call(self)

    def set_result(self, result):
        self._finish(result, None)

    def set_exception(self, result):
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
