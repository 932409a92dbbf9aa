# SPDX-License-Identifier: BSD-3-Clause
"""Redirection of worker output: to the terminal, to files, or to both."""
import enum
import os
import re
import shutil
import tempfile
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from ...._missing import missing_class

__all__ = ["DefaultLogsSpecs", "LogsDest", "LogsSpecs", "MultiprocessContext", "PContext", "RunProcsResult", "SignalException", "Std",
           "SubprocessContext", "to_map"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts workers and waits for them"
PContext, MultiprocessContext, SubprocessContext = (
    missing_class(f"torch.distributed.elastic.multiprocessing.api.{name}", _INSTEAD)
    for name in ("PContext", "MultiprocessContext", "SubprocessContext"))


class SignalException(Exception):
    """Raised when the launcher receives the signal `sigval`."""

    def __init__(self, msg, sigval):
        super().__init__(msg)
        self.sigval = sigval


class Std(enum.IntFlag):
    """Standard streams of a process: NONE, OUT, ERR or ALL."""
    NONE = 0
    OUT = 1
    ERR = 2
    ALL = OUT | ERR

    @classmethod
    def from_str(cls, vm):
        """Parses "3" (both streams of all workers) or "0:1,1:2" (stdout of worker 0, stderr of worker 1)."""
        if re.fullmatch("[0-3]", vm):
            return cls(int(vm))
        if re.fullmatch("([0-9]+:[0-3],?)+", vm):
            return {int(rank): cls(int(std)) for rank, std in (part.split(":") for part in vm.strip(",").split(","))}
        raise ValueError(f"{vm} does not match: <^[0123]$> or <^(\\d:[0123],)*(\\d:[0123])$>")


def to_map(val_or_map, local_world_size):
    """Expands one value for all workers, or a map with gaps, to {local rank: streams}."""
    if isinstance(val_or_map, Std):
        return dict.fromkeys(range(local_world_size), val_or_map)
    return {rank: val_or_map.get(rank, Std.NONE) for rank in range(local_world_size)}


@dataclass
class LogsDest:
    """Output files by local rank; "" means the terminal. Streams in tee_stdouts and tee_stderrs also go to the terminal."""
    stdouts: dict = field(default_factory=dict)
    stderrs: dict = field(default_factory=dict)
    tee_stdouts: dict = field(default_factory=dict)
    tee_stderrs: dict = field(default_factory=dict)
    error_files: dict = field(default_factory=dict)
    filtered_stdout: str = ""
    filtered_stderr: str = ""


@dataclass
class RunProcsResult:
    """Outcome of the workers: results and failures by local rank, and the files with their output."""
    return_values: dict = field(default_factory=dict)
    failures: dict = field(default_factory=dict)
    stdouts: dict = field(default_factory=dict)
    stderrs: dict = field(default_factory=dict)

    def is_failed(self):
        """Returns whether a worker failed."""
        return len(self.failures) > 0


class LogsSpecs(ABC):
    """Base class that chooses the output files. `redirects` and `tee` are a Std for all workers or a map by local rank.

    Streams in `redirects` go to files only, those in `tee` to files and the terminal. If `local_ranks_filter` is given, only
    these local ranks write to the terminal.
    """

    def __init__(self, log_dir=None, redirects=Std.NONE, tee=Std.NONE, local_ranks_filter=None):
        self._root_log_dir, self._redirects, self._tee, self._local_ranks_filter = log_dir, redirects, tee, local_ranks_filter

    @abstractmethod
    def reify(self, envs):
        """Returns the LogsDest for workers, given their environments as {local rank: variables}."""

    @property
    @abstractmethod
    def root_log_dir(self):
        """The directory that holds the logs of all runs."""


class DefaultLogsSpecs(LogsSpecs):
    """Files <log_dir>/<run id>_<random>/attempt_<number>/<local rank>/stdout.log, stderr.log and error.json."""

    def __init__(self, log_dir=None, redirects=Std.NONE, tee=Std.NONE, local_ranks_filter=None):
        self._temporary = None
        if not log_dir:
            log_dir = self._temporary = tempfile.mkdtemp(prefix="torchelastic_")
        elif log_dir != os.devnull and os.path.isfile(log_dir):
            raise NotADirectoryError(f"log_dir: {log_dir} is a file")
        super().__init__(log_dir, redirects, tee, local_ranks_filter)
        self._run_log_dir = None

    @property
    def root_log_dir(self):
        """The directory that holds the logs of all runs."""
        return str(self._root_log_dir)

    def reify(self, envs):
        """Creates the directories, and adds the paths of the error files to the environments."""
        nprocs = len(envs)
        redirects, tee = to_map(self._redirects, nprocs), to_map(self._tee, nprocs)
        if self._root_log_dir == os.devnull:
            for env in envs.values():
                env["TORCHELASTIC_ERROR_FILE"] = ""
            nowhere = dict.fromkeys(range(nprocs), os.devnull)
            stdouts, stderrs = ({rank: os.devnull if (redirects[rank] | tee[rank]) & std else "" for rank in range(nprocs)}
                                for std in (Std.OUT, Std.ERR))
            return LogsDest(stdouts, stderrs, {}, {}, nowhere, os.devnull, os.devnull)
        first = envs.get(0, {})
        if self._run_log_dir is None:
            os.makedirs(self._root_log_dir, exist_ok=True)
            prefix = re.sub("[^-.0-9A-Za-z]", "_", first.get("TORCHELASTIC_RUN_ID", "run"))
            self._run_log_dir = tempfile.mkdtemp(prefix=f"{prefix}_", dir=self._root_log_dir)
        attempt = os.path.join(self._run_log_dir, f"attempt_{first.get('TORCHELASTIC_RESTART_COUNT', '0')}")
        shutil.rmtree(attempt, ignore_errors=True)
        dest = LogsDest(filtered_stdout=os.path.join(attempt, "filtered_stdout.log"),
                        filtered_stderr=os.path.join(attempt, "filtered_stderr.log"))
        for rank, env in envs.items():
            folder = os.path.join(attempt, str(rank))
            os.makedirs(folder)
            env["TORCHELASTIC_ERROR_FILE"] = dest.error_files[rank] = os.path.join(folder, "error.json")
            shown = not self._local_ranks_filter or rank in self._local_ranks_filter
            for std, name, files, tees in ((Std.OUT, "stdout.log", dest.stdouts, dest.tee_stdouts),
                                           (Std.ERR, "stderr.log", dest.stderrs, dest.tee_stderrs)):
                path = os.path.join(folder, name)
                if (redirects[rank] | tee[rank]) & std:
                    files[rank] = path
                else:
                    files[rank] = "" if shown else os.devnull
                if tee[rank] & std and shown:
                    tees[rank] = path
        return dest

    def _clean_up(self):
        """Removes the temporary directory, unless output was redirected to it."""
        if self._temporary and not (self._redirects or self._tee):
            shutil.rmtree(self._temporary, ignore_errors=True)
