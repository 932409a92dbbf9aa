# SPDX-License-Identifier: BSD-3-Clause
"""Error reports from workers to torchrun: `@record` on the main function writes an exception to a file.

    @record
    def main():
        ...
"""
import functools
import json
import os
import signal
import socket
import time
import traceback
import warnings
from dataclasses import dataclass, field
from datetime import datetime

__all__ = ["ChildFailedError", "ErrorHandler", "ProcessFailure", "get_error_handler", "record"]

_NOT_AVAILABLE = "<N/A>"


class ErrorHandler:
    """Writes exceptions as JSON to the file named by TORCHELASTIC_ERROR_FILE; subclasses may write elsewhere."""
    _fn_name = None

    def _get_error_file_path(self):
        return os.environ.get("TORCHELASTIC_ERROR_FILE") or None

    def set_entrypoint_fn_name(self, fn_name):
        """Stores the name of the recorded function, for subclasses."""
        self._fn_name = fn_name

    def initialize(self):
        """Enables faulthandler, which prints the stacks of all threads on fatal signals such as SIGSEGV."""
        import faulthandler
        try:
            faulthandler.enable(all_threads=True)
        except Exception as error:
            warnings.warn(f"Unable to enable fault handler. {type(error).__name__}: {error}", stacklevel=2)

    def record_exception(self, e):
        """Writes an exception with its traceback and time stamp."""
        path = self._get_error_file_path()
        if path:
            text = "".join(traceback.format_exception(e))
            details = {"py_callstack": text, "timestamp": str(int(time.time()))}
            self._write(path, {"message": {"message": f"{type(e).__name__}: {e}", "extraInfo": details}})

    def record_success(self):
        """Called when the function returns normally; does nothing by default."""

    def dump_error_file(self, rootcause_error_file, error_code=0):
        """Copies the error file of a failed worker to the error file of this process."""
        path = self._get_error_file_path()
        if not path:
            return
        with open(rootcause_error_file) as file:
            data = json.load(file)
        if error_code and isinstance(data.get("message"), dict):
            data["message"]["errorCode"] = error_code
        self._write(path, data)

    @staticmethod
    def _write(path, data):
        try:
            with open(path, "w") as file:
                json.dump(data, file)
        except OSError as error:
            warnings.warn(f"Unable to write error to file. {type(error).__name__}: {error}", stacklevel=3)


def get_error_handler():
    """Returns the default handler of record()."""
    return ErrorHandler()


@dataclass
class ProcessFailure:
    """A failed worker. `message` holds the exception, if the worker's main function is decorated with @record."""
    local_rank: int
    pid: int
    exitcode: int
    error_file: str
    error_file_data: dict = field(init=False)
    message: object = field(init=False)
    timestamp: int = field(init=False)

    def __post_init__(self):
        self.error_file_data, self.message, self.timestamp = {"message": "<NONE>"}, "", int(time.time())
        if os.path.isfile(self.error_file):
            with open(self.error_file) as file:
                self.error_file_data = json.load(file)
            self.message = self.error_file_data["message"]
            details = self.error_file_data if isinstance(self.message, str) else self.message["extraInfo"]
            self.timestamp = int(details.get("timestamp", 0))
        else:
            self.error_file = _NOT_AVAILABLE
        if not self.message:
            self.message = (f"Signal {-self.exitcode} ({self.signal_name()}) received by PID {self.pid}" if self.exitcode < 0 else
                            "decorate the main function with torch.distributed.elastic.multiprocessing.errors.record to see it here")

    def signal_name(self):
        """The name of the signal that killed the process, "<N/A>" if there was none."""
        try:
            return signal.Signals(-self.exitcode).name
        except ValueError:
            return _NOT_AVAILABLE

    def timestamp_isoformat(self):
        """The time of the failure as YYYY-MM-DD_HH:MM:SS."""
        return datetime.fromtimestamp(self.timestamp).isoformat(sep="_")

    def _lines(self, index, rank):
        text = self.message
        if isinstance(text, dict):
            text = text.get("extraInfo", {}).get("py_callstack", text.get("message", _NOT_AVAILABLE)).replace("\n", "\n  ")
        name = "" if self.signal_name() == _NOT_AVAILABLE else f" ({self.signal_name()})"
        facts = {"time": self.timestamp_isoformat(), "host": socket.getfqdn(), "rank": f"{rank} (local_rank: {self.local_rank})",
                 "exitcode": f"{self.exitcode} (pid: {self.pid}){name}", "error_file": self.error_file, "traceback": text}
        return "\n".join([f"[{index}]:", *(f"  {what:10}: {value}" for what, value in facts.items())])


class ChildFailedError(Exception):
    """Raised when workers fail: `name` is the program, `failures` maps ranks to ProcessFailure."""

    def __init__(self, name, failures):
        if not failures:
            raise AssertionError("ChildFailedError requires at least one failure")
        self.name, self.failures = name, failures
        super().__init__(self.format_msg())

    def get_first_failure(self):
        """Returns (rank, ProcessFailure) of the worker that failed first."""
        rank = min(self.failures, key=lambda rank: self.failures[rank].timestamp)
        return rank, self.failures[rank]

    def format_msg(self, boarder_delim="=", section_delim="-"):
        """Returns the report: the earliest failure is the root cause; the others are listed above it."""
        root, _ = self.get_first_failure()
        parts = {rank: failure._lines(i, rank) for i, (rank, failure) in enumerate(self.failures.items())}
        others = [text for rank, text in parts.items() if rank != root] or ["  <NO_OTHER_FAILURES>"]
        width = min(60, max(len(line) for text in [f"{self.name} FAILED", *parts.values()] for line in text.split("\n")))
        border, section = boarder_delim * width, section_delim * width
        return "\n".join(["", border, f"{self.name} FAILED", section, "Failures:", *others, section,
                          "Root Cause (first observed failure):", parts[root], border])


def record(fn, error_handler=None):
    """Decorator for the main function of a worker: writes its exception to the error file that torchrun reads."""
    handler = get_error_handler() if error_handler is None else error_handler

    @functools.wraps(fn)
    def recorded(*args, **kwargs):
        handler.set_entrypoint_fn_name(getattr(fn, "__qualname__", None))
        handler.initialize()
        try:
            result = fn(*args, **kwargs)
        except SystemExit as error:
            if error.code == 0:
                return None
            raise
        except ChildFailedError as error:
            _, failure = error.get_first_failure()
            if failure.error_file != _NOT_AVAILABLE:
                handler.dump_error_file(failure.error_file, failure.exitcode)
            raise
        except Exception as error:
            handler.record_exception(error)
            raise
        handler.record_success()
        return result
    return recorded
