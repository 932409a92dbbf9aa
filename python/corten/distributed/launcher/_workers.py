# SPDX-License-Identifier: BSD-3-Clause
"""The workers of one attempt on one node: their processes, environment and output."""
import os
import pickle
import socket
import string
import subprocess
import sys
import threading
import time

from ..elastic.multiprocessing.errors import ProcessFailure, get_error_handler


def _variables(config, ranks, host, port, attempt, local):
    """Returns the environment variables to add for a worker."""
    names = {"RANK": ranks.first_rank + local, "WORLD_SIZE": ranks.world_size, "LOCAL_RANK": local,
             "LOCAL_WORLD_SIZE": config.nproc_per_node, "GROUP_RANK": ranks.node, "GROUP_WORLD_SIZE": ranks.nodes,
             "ROLE_RANK": ranks.first_role_rank + local, "ROLE_NAME": config.role, "ROLE_WORLD_SIZE": ranks.role_world_size,
             "MASTER_ADDR": host, "MASTER_PORT": port, "TORCHELASTIC_RESTART_COUNT": attempt,
             "TORCHELASTIC_MAX_RESTARTS": config.max_restarts, "TORCHELASTIC_RUN_ID": config.run_id,
             "TORCHELASTIC_USE_AGENT_STORE": True}
    if config.virtual_local_rank:
        visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
        names["CUDA_VISIBLE_DEVICES"] = visible[local] if len(visible) > local and visible[0] else local
        names["LOCAL_RANK"] = 0
    if config.nproc_per_node > 1 and "OMP_NUM_THREADS" not in os.environ:
        names["OMP_NUM_THREADS"] = 1
    return {name: str(value) for name, value in names.items()}


class _Command:
    """A worker process that runs a command."""

    def __init__(self, entrypoint, args, env, out, error):
        given = [str(arg).replace("${local_rank}", env["LOCAL_RANK"]) for arg in args]
        streams = [open(path, "wb") if path else None for path in (out, error)]
        try:
            self._process = subprocess.Popen([entrypoint, *given], env={**os.environ, **env}, stdout=streams[0], stderr=streams[1])
        finally:
            for stream in streams:
                if stream is not None:
                    stream.close()
        self.pid, self.wait, self.send_signal = self._process.pid, self._process.wait, self._process.send_signal

    def result(self):
        """Returns None: a command has no result."""


def _run_function(function, args, env, out, error, results):
    os.environ.update(env)
    for path, number in ((out, 1), (error, 2)):
        if path:
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)
    try:
        value = function(*args)
    except Exception as caught:
        get_error_handler().record_exception(caught)
        raise
    with open(results, "wb") as file:
        pickle.dump(value, file)


class _Function:
    """A worker process that runs a Python function."""

    def __init__(self, context, function, args, env, out, error, results):
        given = tuple(arg.replace("${local_rank}", env["LOCAL_RANK"]) if isinstance(arg, str) else arg for arg in args)
        self._results = results
        self._process = context.Process(target=_run_function, args=(function, given, env, out, error, results))
        self._process.start()
        self.pid = self._process.pid

    def wait(self):
        """Waits for the process and returns its exit code."""
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number):
        """Sends a signal if the process is still running."""
        if self._process.is_alive():
            os.kill(self.pid, number)

    def result(self):
        """Returns the result of the function."""
        with open(self._results, "rb") as file:
            return pickle.load(file)


class _Tail(threading.Thread):
    """A thread that copies a worker's log file to the terminal, with a prefix on each line; filtered lines also go to `copies`."""

    def __init__(self, path, stream, prefix, filters, copies):
        super().__init__(daemon=True)
        self._path, self._stream, self._prefix, self._filters, self._copies = path, stream, prefix, filters, copies
        self._ended = threading.Event()

    def run(self):
        """Copies until end() is called and the file is exhausted."""
        with open(self._path, errors="replace") as file:
            rest = ""
            while True:
                ended = self._ended.is_set()
                text = rest + file.read()
                *lines, rest = text.split("\n")
                if ended and rest:
                    lines, rest = [*lines, rest], ""
                for line in lines:
                    self._show(line)
                if ended:
                    return
                self._ended.wait(0.05)

    def _show(self, line):
        self._stream.write(f"{self._prefix}{line}\n")
        self._stream.flush()
        if self._filters and any(part in line for part in self._filters):
            with open(self._copies, "a") as file:
                file.write(f"{self._prefix}{line}\n")

    def end(self):
        """Copies the rest of the file and stops."""
        self._ended.set()
        self.join(10)


class Workers:
    """The worker processes of this node. Keeps the order in which they end, because the first failure is the root cause."""

    def __init__(self, config, entrypoint, args, ranks, host, port, attempt):
        self._ranks, self._ended = ranks, threading.Condition()
        self._codes = {}  # local rank -> exit code, in the order of exits
        self._times = {}
        self._processes, self._tails = [], []
        envs = {local: _variables(config, ranks, host, port, attempt, local) for local in range(config.nproc_per_node)}
        self._logs = logs = config.logs_specs.reify(envs)
        for paths in (logs.tee_stdouts, logs.tee_stderrs):
            for path in paths.values():
                open(path, "w").close()
        try:
            for local, env in envs.items():
                streams = logs.stdouts[local], logs.stderrs[local]
                if callable(entrypoint):
                    self._processes.append(_Function(config._context, entrypoint, args, env, *streams, f"{config._results}{local}"))
                else:
                    self._processes.append(_Command(entrypoint, args, env, *streams))
                threading.Thread(target=self._watch, args=(local, self._processes[-1]), daemon=True).start()
        except BaseException:
            self.end(15, 10.)
            raise
        for paths, stream, filters, copies in (
                (logs.tee_stdouts, sys.stdout, config.duplicate_stdout_filters, logs.filtered_stdout),
                (logs.tee_stderrs, sys.stderr, config.duplicate_stderr_filters, logs.filtered_stderr)):
            for local, path in paths.items():
                tail = _Tail(path, stream, self._prefix(config, local), filters, copies)
                tail.start()
                self._tails.append(tail)

    def _prefix(self, config, local):
        template = config.log_line_prefix_template or "[${role_name}${local_rank}]:"
        return string.Template(template).safe_substitute(role_name=config.role, local_rank=local, hostname=socket.gethostname(),
                                                         rank=self._ranks.first_rank + local)

    def _watch(self, local, process):
        code = process.wait()
        with self._ended:
            self._codes[local], self._times[local] = code, int(time.time())
            self._ended.notify_all()

    def wait(self, seconds):
        """Waits up to `seconds`; returns "failed" if a worker failed, "done" if all have ended, else ""."""
        with self._ended:
            def state():
                return "failed" if any(self._codes.values()) else "done" if len(self._codes) == len(self._processes) else ""
            self._ended.wait_for(state, seconds)
            return state()

    def failures(self):
        """Returns {rank: ProcessFailure} of the failed workers, in the order of failures."""
        with self._ended:
            failed = [(local, code) for local, code in self._codes.items() if code]
        found = {}
        for local, code in failed:
            failure = ProcessFailure(local, self._processes[local].pid, code, self._logs.error_files.get(local, ""))
            failure.timestamp = min(failure.timestamp, self._times[local])  # time of exit, unless the worker recorded an earlier one
            found[self._ranks.first_rank + local] = failure
        return found

    def results(self):
        """Returns {rank: result of the function}."""
        return {self._ranks.first_rank + local: process.result() for local, process in enumerate(self._processes)}

    def end(self, number, patience):
        """Sends a signal to running workers, kills those that outlive `patience` seconds, and flushes their output."""
        for sent, seconds in ((number, patience), (9, 10.)):
            limit = time.monotonic() + seconds
            with self._ended:
                for local, process in enumerate(self._processes):
                    if local not in self._codes:
                        process.send_signal(sent)
                while len(self._codes) < len(self._processes) and time.monotonic() < limit:
                    self._ended.wait(0.1)
        for tail in self._tails:
            tail.end()
        self._tails = []
