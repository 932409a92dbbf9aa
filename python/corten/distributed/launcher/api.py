# SPDX-License-Identifier: BSD-3-Clause
"""elastic_launch: runs a command or a function in several processes, on this machine and on others launched the same way.

    results = elastic_launch(LaunchConfig(1, 1, 2, rdzv_backend="c10d", rdzv_endpoint="localhost:0"), function)(argument)
"""
import os
import signal
import sys
import tempfile
import threading
import uuid
from dataclasses import dataclass, field
from typing import Any

from ..._missing import MissingFeature, no_effect
from ..elastic.multiprocessing.api import DefaultLogsSpecs, SignalException
from ..elastic.multiprocessing.errors import ChildFailedError
from ..elastic.rendezvous.api import RendezvousError, RendezvousParameters
from ._nodes import Nodes
from ._workers import Workers

__all__ = ["LaunchConfig", "elastic_launch", "launch_agent"]


@dataclass
class LaunchConfig:
    """What to launch and how; each field corresponds to an option of torchrun (`python -m torch.distributed.run --help`)."""
    min_nodes: int
    max_nodes: int
    nproc_per_node: int
    logs_specs: Any = None
    run_id: str = ""
    role: str = "default_role"
    rdzv_endpoint: str = ""
    rdzv_backend: str = "etcd"
    rdzv_configs: dict = field(default_factory=dict)
    rdzv_timeout: int = -1
    max_restarts: int = 3
    monitor_interval: float = 0.1
    start_method: str = "spawn"
    log_line_prefix_template: Any = None
    metrics_cfg: dict = field(default_factory=dict)
    local_addr: Any = None
    event_log_handler: str = "null"
    numa_options: Any = None
    signals_to_handle: str = "SIGTERM,SIGINT,SIGHUP,SIGQUIT"
    duplicate_stdout_filters: Any = None
    duplicate_stderr_filters: Any = None
    virtual_local_rank: bool = False
    shutdown_timeout: Any = None

    def __post_init__(self):
        if self.rdzv_timeout != -1:
            self.rdzv_configs["timeout"] = self.rdzv_timeout
        self.rdzv_configs.setdefault("timeout", 900)
        if self.logs_specs is None:
            self.logs_specs = DefaultLogsSpecs()
        if self.shutdown_timeout is None:
            self.shutdown_timeout = int(os.environ.get("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "30"))
        elif self.shutdown_timeout < 0:
            raise ValueError(f"shutdown_timeout must be non-negative, got {self.shutdown_timeout}")
        if self.numa_options is not None:
            raise MissingFeature("LaunchConfig(numa_options=...)", "start the script under numactl")
        if self.event_log_handler != "null":
            no_effect(f"event_log_handler={self.event_log_handler!r}", "the launcher reports failures on stderr only")
        if self.metrics_cfg:
            no_effect("metrics_cfg", "the launcher counts nothing")


def _raise_signal(number, frame):
    name = signal.Signals(number).name
    raise SignalException(f"Process {os.getpid()} got signal: {name}", signal.Signals(number))


def _handle_signals(names):
    """Installs signal handlers; returns the previous ones by signal number."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in names.split(","):
            number = getattr(signal, name.strip().upper(), None)
            if not isinstance(number, signal.Signals):
                raise ValueError(f"{name} is not a signal")
            before[number] = signal.signal(number, _raise_signal)
    return before


def _name_of(entrypoint, args):
    if callable(entrypoint):
        return getattr(entrypoint, "__qualname__", repr(entrypoint))
    return next((arg for arg in args if arg[:1] != "-"), "") if entrypoint == sys.executable else entrypoint


def _attempts(config, nodes, entrypoint, args, running):
    """Runs attempts until the workers succeed; returns {rank: result}, or the failures of the last attempt."""
    for attempt in range(config.max_restarts + 1):
        ranks = nodes.agree(attempt, config.nproc_per_node, config.role)
        workers = Workers(config, entrypoint, args, ranks, nodes.host, nodes.port, attempt)
        running[:] = [workers]
        state = news = ""
        while not state and not news:
            state = workers.wait(config.monitor_interval)
            news = "" if state else nodes.failure_report(attempt)
        failures = workers.failures()
        if state == "failed":
            nodes.report(attempt, "restart" if attempt < config.max_restarts else "failed")
        if state == "done" and not failures:
            workers.end(signal.SIGTERM, 0.)
            return {}, workers.results()
        workers.end(signal.SIGTERM, float(config.shutdown_timeout))
        if news == "failed":
            raise RendezvousError("a worker of another node failed")
        if failures and attempt < config.max_restarts:
            rank, failure = next(iter(failures.items()))
            print(f"torchrun: rank {rank} failed with exit code {failure.exitcode}; all start again "
                  f"({config.max_restarts - attempt} times at most)", file=sys.stderr, flush=True)
    return failures, {}


def launch_agent(config, entrypoint, args, health_check_server=None):
    """Starts and monitors the workers. Returns {rank: result}; raises ChildFailedError if a worker failed in the last attempt."""
    if health_check_server is not None:
        raise MissingFeature("launch_agent(health_check_server=...)", "watch the process of the launcher")
    config.run_id = config.run_id or str(uuid.uuid4().int)
    parameters = RendezvousParameters(config.rdzv_backend, config.rdzv_endpoint, config.run_id, config.min_nodes, config.max_nodes,
                                      config.local_addr, **config.rdzv_configs)
    before, running = _handle_signals(config.signals_to_handle), []
    folder = tempfile.TemporaryDirectory(prefix="torchrun_")
    config._results = os.path.join(folder.name, "result")
    if callable(entrypoint):
        import multiprocessing
        config._context = multiprocessing.get_context(config.start_method)
    try:
        nodes = Nodes(parameters)
        try:
            failures, results = _attempts(config, nodes, entrypoint, args, running)
        except RendezvousError:
            for workers in running:
                workers.end(signal.SIGTERM, float(config.shutdown_timeout))
            raise
        finally:
            if not isinstance(sys.exc_info()[1], SignalException):
                nodes.leave()
    except SignalException as caught:
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        for workers in running:
            workers.end(caught.sigval, float(config.shutdown_timeout))
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        folder.cleanup()
    if failures:
        raise ChildFailedError(_name_of(entrypoint, args), failures)
    if hasattr(config.logs_specs, "_clean_up"):
        config.logs_specs._clean_up()
    return results


class elastic_launch:
    """elastic_launch(config, entrypoint)(*args) runs a command (a str with arguments `args`) or a function in all workers."""

    def __init__(self, config, entrypoint, health_check_server=None):
        self._config, self._entrypoint, self._health_check_server = config, entrypoint, health_check_server

    def __call__(self, *args):
        return launch_agent(self._config, self._entrypoint, list(args), self._health_check_server)
