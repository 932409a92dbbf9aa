# SPDX-License-Identifier: BSD-3-Clause
"""spawn(): runs a function in several processes; if one fails, the others are terminated and its error is raised with its traceback."""
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import sys
import tempfile
import traceback
import warnings


class ProcessException(Exception):
    """Base class of failures of spawned processes."""

    def __init__(self, msg, error_index, pid):
        super().__init__(msg)
        self.msg, self.error_index, self.pid = msg, error_index, pid

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """A spawned process raised an exception."""


class ProcessExitedException(ProcessException):
    """A spawned process was killed by a signal or exited with a nonzero code."""

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code, self.signal_name = exit_code, signal_name

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)


def _end_with_parent():
    """Requests SIGINT for this process when its parent ends for any reason (Linux only)."""
    try:
        import ctypes
        ctypes.CDLL(None).prctl(1, signal.SIGINT)  # PR_SET_PDEATHSIG
    except (AttributeError, OSError):
        pass


def _wrap(fn, i, args, error_file):
    _end_with_parent()
    try:
        fn(i, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        with open(error_file, "wb") as file:
            pickle.dump(traceback.format_exc(), file)
        sys.exit(1)


def _end(processes, seconds):
    """Terminates the running processes; kills those that do not exit in time."""
    started = [process for process in processes if process.pid is not None]
    for process in started:
        if process.is_alive():
            process.terminate()
    for process in started:
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()


class ProcessContext:
    """A group of processes that run one function."""

    def __init__(self, processes, error_files):
        self.processes, self.error_files = processes, error_files
        self.sentinels = {process.sentinel: i for i, process in enumerate(processes)}

    def pids(self):
        """The process ids."""
        return [int(process.pid) for process in self.processes]

    def join(self, timeout=None, grace_period=None):
        """Waits for the processes; returns whether all have finished. If one fails, ends the others and raises its error."""
        if not self.sentinels:
            return True
        failed = None
        for sentinel in multiprocessing.connection.wait(self.sentinels.keys(), timeout=timeout):
            index = self.sentinels.pop(sentinel)
            self.processes[index].join()
            if self.processes[index].exitcode != 0 and failed is None:
                failed = index
        if failed is None:
            return not self.sentinels
        _end(self.processes, 5 if grace_period is None else grace_period)
        self._raise(failed)

    def _raise(self, index):
        process, path = self.processes[index], self.error_files[index]
        if not os.path.exists(path):
            code = process.exitcode
            if code < 0:
                name = signal.Signals(-code).name
                raise ProcessExitedException(f"process {index} terminated with signal {name}", index, process.pid, code, name)
            raise ProcessExitedException(f"process {index} terminated with exit code {code}", index, process.pid, code)
        with open(path, "rb") as file:
            text = pickle.load(file)
        raise ProcessRaisedException(f"\n\n-- Process {index} terminated with the following error:\n{text}", index, process.pid)


class SpawnContext(ProcessContext):
    """Deprecated name of ProcessContext."""


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Runs fn(i, *args) in `nprocs` processes, for i from 0.

    join: wait for them; otherwise returns a ProcessContext. daemon: end them with the parent. start_method: "spawn", "fork" or
    "forkserver".
    """
    context = multiprocessing.get_context(start_method)
    folder = tempfile.mkdtemp(prefix="corten-spawn-")
    processes, files = [], []
    try:
        for i in range(nprocs):
            files.append(os.path.join(folder, str(i)))
            process = context.Process(target=_wrap, args=(fn, i, args, files[i]), daemon=daemon)
            processes.append(process)  # added before it starts, so that an interrupt in start() ends it too
            process.start()
        running = ProcessContext(processes, files)
        if not join:
            return running
        while not running.join():
            pass
    except KeyboardInterrupt:
        _end(processes, 1.)
        raise
    finally:
        if join:
            import shutil
            shutil.rmtree(folder, ignore_errors=True)


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Runs fn(i, *args) in `nprocs` new processes, for i from 0; if one fails, ends all and raises its error.

    join: wait for them; otherwise returns a ProcessContext.
    """
    if start_method != "spawn":
        warnings.warn(f"This method only supports start_method=spawn (got: {start_method}).\nTo use a different start_method use:"
                      "\n\t\t torch.multiprocessing.start_processes(...)", FutureWarning, stacklevel=2)
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")
