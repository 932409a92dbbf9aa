# SPDX-License-Identifier: BSD-3-Clause
"""torchrun: starts a script in several processes of this machine and tells each who it is.

    python -m corten.distributed.run --nproc_per_node=2 SCRIPT [ARGUMENT ...]

The launcher serves the store by which the processes meet. If one fails, the others are ended and its code is the
launcher's; signals are passed on. Several machines: the same command on each, with --nnodes, --node_rank and --master_addr.
"""
import argparse
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta

from ._stores import TCPStore

__all__ = ["get_args_parser", "main", "parse_args", "run"]


def get_args_parser():
    """The arguments, by torchrun's names."""
    parser = argparse.ArgumentParser(prog="torchrun", description="Starts a script in several processes.")

    def add(*names, **kwargs):
        parser.add_argument(*names, *(name.replace("_", "-") for name in names if "_" in name), **kwargs)
    add("--nnodes", default="1", help="machines")
    add("--nproc_per_node", default="1", help="processes of each: a number, 'cpu', 'gpu' or 'auto'")
    add("--node_rank", type=int, default=int(os.environ.get("GROUP_RANK", 0)), help="the number of this machine")
    add("--master_addr", default="127.0.0.1", help="the machine with number 0")
    add("--master_port", type=int, default=0, help="a port of it; 0: any, for one machine")
    add("--rdzv_backend", default="static", help="taken, and 'c10d' and 'static' mean the same")
    add("--rdzv_endpoint", default="", help="host:port in the place of the two above")
    add("--rdzv_id", default="none", help="a name of the run")
    add("--rdzv_conf", default="", help="taken, without a meaning")
    add("--standalone", action="store_true", help="one machine, any port")
    add("--max_restarts", type=int, default=0, help="how often all processes are started again after a failure")
    add("--monitor_interval", type=float, default=0.1, help="seconds between looks at the processes")
    add("--start_method", default="spawn", help="taken, without a meaning")
    parser.add_argument("-m", "--module", action="store_true", help="the script is a module")
    add("--no_python", action="store_true", help="the script is a program")
    add("--log_dir", default=None, help="a folder for the output of each process")
    add("--use_env", action="store_true", help="taken: it is always so")
    parser.add_argument("training_script")
    parser.add_argument("training_script_args", nargs=argparse.REMAINDER)
    return parser


def parse_args(args=None):
    """Arguments of a command line."""
    return get_args_parser().parse_args(args)


def _count(text):
    if text.isdigit():
        return int(text)
    if text in ("gpu", "auto", "cpu"):
        from .. import _C
        gpus = _C._cuda_device_count() if text != "cpu" else 0
        if gpus or text == "gpu":
            return gpus
        return os.cpu_count() or 1
    raise ValueError(f"Unsupported nproc_per_node value: {text}")


def _command(args):
    if args.no_python:
        return [args.training_script]
    start = [sys.executable, "-u"]
    if "torch" in sys.modules:  # started as `python -m corten ...`: the script means Corten by torch
        start += ["-m", "corten"]
    return [*start, *(["-m"] if args.module else []), args.training_script]


class _Processes:
    """The processes of one attempt."""

    def __init__(self, args, count, nodes, host, port, attempt):
        command = [*_command(args), *args.training_script_args]
        self.logs, self.processes = [], []
        for local in range(count):
            rank = args.node_rank * count + local
            names = {"RANK": rank, "WORLD_SIZE": nodes * count, "LOCAL_RANK": local, "LOCAL_WORLD_SIZE": count,
                     "GROUP_RANK": args.node_rank, "GROUP_WORLD_SIZE": nodes, "ROLE_RANK": rank, "ROLE_NAME": "default",
                     "ROLE_WORLD_SIZE": nodes * count, "MASTER_ADDR": host, "MASTER_PORT": port,
                     "TORCHELASTIC_RESTART_COUNT": attempt, "TORCHELASTIC_MAX_RESTARTS": args.max_restarts,
                     "TORCHELASTIC_RUN_ID": args.rdzv_id, "TORCHELASTIC_USE_AGENT_STORE": True}
            env = {**os.environ, **{name: str(value) for name, value in names.items()}}
            if count > 1:
                env.setdefault("OMP_NUM_THREADS", "1")
            try:
                self.processes.append(subprocess.Popen(command, env=env, **self._output(args, rank)))
            except OSError:
                self.end()
                raise

    def _output(self, args, rank):
        if not args.log_dir:
            return {}
        os.makedirs(args.log_dir, exist_ok=True)
        self.logs.append(open(os.path.join(args.log_dir, f"{rank}.log"), "wb"))
        return {"stdout": self.logs[-1], "stderr": subprocess.STDOUT}

    def wait(self, interval):
        """0 when all are done, or the code of the first that failed."""
        while True:
            codes = [process.poll() for process in self.processes]
            failed = next(((i, code) for i, code in enumerate(codes) if code), None)
            if failed or all(code == 0 for code in codes):
                return failed
            time.sleep(interval)

    def end(self, number=signal.SIGTERM, patience=10.):
        """Ends those that still run; kills those that do not end."""
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(number)
        limit = time.monotonic() + patience
        for process in self.processes:
            try:
                process.wait(max(0., limit - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for log in self.logs:
            log.close()


class _Signalled(BaseException):
    pass


def _raise_signal(number, frame):
    raise _Signalled(number)


def run(args):
    """Runs what the arguments say; the exit code."""
    nodes, count = int(args.nnodes.rpartition(":")[2]), _count(args.nproc_per_node)
    host, port = args.master_addr, args.master_port
    if args.rdzv_endpoint:
        host, _, text = args.rdzv_endpoint.rpartition(":") if ":" in args.rdzv_endpoint else (args.rdzv_endpoint, "", "29400")
        port = int(text)
    if args.standalone or (nodes == 1 and not args.rdzv_endpoint and not args.master_port):
        host, port = "127.0.0.1", 0
    elif port == 0:
        port = 29500
    first = args.node_rank == 0
    store = TCPStore(host, port, None, True, timedelta(seconds=300), wait_for_workers=False) if first else None
    port = store.port if first else port
    before = {number: signal.signal(number, _raise_signal) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    processes = None
    try:
        for attempt in range(args.max_restarts + 1):
            processes = _Processes(args, count, nodes, host, port, attempt)
            failed = processes.wait(args.monitor_interval)
            processes.end()
            if failed is None:
                return 0
            print(f"torchrun: rank {args.node_rank * count + failed[0]} failed with exit code {failed[1]}", file=sys.stderr, flush=True)
        return failed[1] if failed[1] > 0 else 128 - failed[1]
    except _Signalled as signalled:
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        if processes is not None:
            processes.end(signalled.args[0])
        return 128 + signalled.args[0]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def main(args=None):
    """The command."""
    sys.exit(run(parse_args(args)))


if __name__ == "__main__":
    main()
