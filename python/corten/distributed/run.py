# SPDX-License-Identifier: BSD-3-Clause
"""torchrun: starts a script in several processes and sets the environment variables that torch.distributed reads.

    python -m corten.distributed.run --nproc-per-node=2 SCRIPT [ARGUMENT ...]

The launcher serves the store through which the processes find each other. If a process fails, the launcher ends the others,
reports which failed first, and exits with its code. Signals are forwarded. To use several machines, run the same command on
each:

    python -m corten.distributed.run --nnodes=2 --nproc-per-node=4 --rdzv-backend=c10d --rdzv-endpoint=HOST:29400 --rdzv-id=7 SCRIPT

Every option takes its default from an environment variable with the prefix PET_, such as PET_NPROC_PER_NODE=2.
"""
import argparse
import os
import sys
import uuid

from .._missing import MissingFeature
from .elastic.multiprocessing.api import DefaultLogsSpecs, SignalException, Std
from .elastic.multiprocessing.errors import ChildFailedError
from .launcher.api import LaunchConfig, elastic_launch

__all__ = ["config_from_args", "determine_local_world_size", "get_args_parser", "main", "parse_args", "parse_min_max_nnodes", "run",
           "run_script_path"]

_OPTIONS = (  # (name, type, default, help); bool means a switch
    ("nnodes", str, "1:1", "number of machines, or minimum and maximum as MIN:MAX"),
    ("nproc_per_node", str, "1", "processes on each machine: a number, 'cpu', 'gpu' or 'auto'"),
    ("rdzv_backend", str, "static", "how machines find each other: 'c10d' (the same command on each) or 'static' (with --node-rank)"),
    ("rdzv_endpoint", str, "", "host:port of one of the machines"),
    ("rdzv_id", str, "none", "a name of the run"),
    ("rdzv_conf", str, "", "key=value,...: timeout, join_timeout, last_call_timeout, read_timeout (seconds), is_host"),
    ("standalone", bool, False, "one machine, any port"),
    ("max_restarts", int, 0, "how often the launcher starts all processes again after a failure"),
    ("monitor_interval", float, 0.1, "seconds between checks of the other machines"),
    ("start_method", str, "spawn", "how functions are started (launcher.api.elastic_launch); a script is always a new process"),
    ("event_log_handler", str, "null", "'null': events are not recorded"),
    ("role", str, "default", "a name for these processes (ROLE_NAME, ROLE_RANK, ROLE_WORLD_SIZE)"),
    ("no_python", bool, False, "the script is a program"),
    ("run_path", bool, False, "the script is a path of a Python file"),
    ("log_dir", str, None, "the folder for the files of --redirects and --tee"),
    ("local_ranks_filter", str, "", "comma-separated local ranks whose output is shown on the terminal"),
    ("duplicate_stdout_filters", list, [], "comma-separated texts: lines of --tee that contain one are copied to filtered_stdout.log"),
    ("duplicate_stderr_filters", list, [], "the same for filtered_stderr.log"),
    ("log_line_prefix_template", str, "", "what precedes each line of --tee: ${role_name}, ${local_rank}, ${rank}, ${hostname}"),
    ("node_rank", int, 0, "the number of this machine, for --rdzv-backend=static"),
    ("master_addr", str, "127.0.0.1", "the address of machine 0, for --rdzv-backend=static"),
    ("master_port", int, None, "a port of machine 0, 29500 by default"),
    ("local_addr", str, None, "the address of this machine, if the endpoint uses another one"),
    ("logs_specs", str, None, "not available"),
    ("numa_binding", str, None, "not available"),
    ("signals_to_handle", str, "SIGTERM,SIGINT,SIGHUP,SIGQUIT", "signals that the launcher passes on to the processes"),
    ("shutdown_timeout", int, None, "seconds until the launcher kills processes that do not end, 30 by default"),
    ("virtual_local_rank", bool, False, "each process sees only its own GPU, as number 0"),
)


def _words(text):
    """Splits a comma-separated list in which ",," is an escaped comma."""
    return [part.replace("\0", ",") for part in text.replace(",,", "\0").split(",")]


def get_args_parser():
    """Builds the parser with torchrun's options."""
    parser = argparse.ArgumentParser(prog="torchrun", description="Starts a script in several processes.")

    def add(name, kind, default, meaning, *short):
        names = list(dict.fromkeys((f"--{name.replace('_', '-')}", f"--{name}")))
        text = os.environ.get(f"PET_{name.upper()}")
        if kind is bool:
            parser.add_argument(*short, *names, dest=name, action="store_true", default=text == "1", help=meaning)
            return
        convert = _words if kind is list else kind
        choices = ["spawn", "fork", "forkserver"] if name == "start_method" else None
        parser.add_argument(*short, *names, dest=name, type=convert, default=default if text is None else convert(text), help=meaning,
                            choices=choices)
    for option in _OPTIONS:
        add(*option)
    add("module", bool, False, "the script is a module", "-m")
    add("redirects", str, "0", "streams that go into files: 1 output, 2 errors, 3 both, or by local rank as in 0:1,1:2", "-r")
    add("tee", str, "0", "streams that go into files and to the terminal", "-t")
    parser.add_argument("training_script", help="the script, or what -m and --no-python say")
    parser.add_argument("training_script_args", nargs=argparse.REMAINDER, help="its arguments")
    return parser


def parse_args(args=None):
    """Parses a command line."""
    return get_args_parser().parse_args(args)


def parse_min_max_nnodes(nnodes):
    """Parses "2:4" to (2, 4) and "3" to (3, 3)."""
    numbers = [int(part) for part in nnodes.split(":")]
    if len(numbers) > 2:
        raise RuntimeError(f'nnodes={nnodes} is not in "MIN:MAX" format')
    return numbers[0], numbers[-1]


def determine_local_world_size(nproc_per_node):
    """Resolves "2", "cpu", "gpu" or "auto" to a number of processes."""
    from .. import _C
    try:
        return int(nproc_per_node)
    except ValueError:
        pass
    if nproc_per_node not in ("cpu", "gpu", "auto"):
        raise ValueError(f"Unsupported nproc_per_node value: {nproc_per_node}")
    gpus = _C._cuda_device_count() if nproc_per_node != "cpu" else 0
    if nproc_per_node == "gpu" and not gpus:
        raise ValueError("Cuda is not available.")
    return gpus or os.cpu_count() or 1


def _pairs(text):
    """Parses "key=value,key=value" to a dict."""
    parts = [part.partition("=") for part in text.split(",")] if text else []
    if not all(key and sign and value for key, sign, value in parts):
        raise ValueError("The rendezvous configuration string must be in format <key1>=<value1>,...,<keyN>=<valueN>.")
    return {key: value for key, _, value in parts}


def run_script_path(training_script, *training_script_args):
    """Runs a Python file in this process as if it had been started with these arguments."""
    import runpy
    sys.argv = [training_script, *training_script_args]
    runpy.run_path(training_script, run_name="__main__")


def _command(args):
    """Returns (program, arguments)."""
    if args.no_python and not args.run_path:
        if args.module:
            raise ValueError("Don't use both the '--no-python' flag and the '--module' flag at the same time.")
        program, given = args.training_script, []
    else:
        program, given = os.environ.get("PYTHON_EXEC", sys.executable), ["-u"]
        if "torch" in sys.modules:  # started as `python -m corten ...`: the script imports Corten as torch
            given += ["-m", "corten"]
        given += [*(["-m"] if args.module and not args.run_path else []), args.training_script]
    if not getattr(args, "use_env", True):
        given.append("--local-rank=${local_rank}")
    return program, [*given, *args.training_script_args]


def config_from_args(args):
    """Converts parsed arguments to (LaunchConfig, program, arguments)."""
    least, most = parse_min_max_nnodes(args.nnodes)
    if not 0 < least <= most:
        raise AssertionError(f"min_nodes must be > 0 and <= max_nodes, got min_nodes={least}, max_nodes={most}")
    if args.max_restarts < 0:
        raise AssertionError("max_restarts must be >= 0")
    for name, value, instead in (("--logs-specs", args.logs_specs, "use --log-dir, --redirects and --tee"),
                                 ("--numa-binding", args.numa_binding, "start the script under numactl")):
        if value is not None:
            raise MissingFeature(f"torchrun {name}", instead)
    shown = None
    if args.local_ranks_filter:
        try:
            shown = set(map(int, args.local_ranks_filter.split(",")))
        except ValueError:
            raise ValueError("--local_ranks_filter must be a comma-separated list of integers e.g. --local_ranks_filter=0,1,2") from None
    options, endpoint = _pairs(args.rdzv_conf), args.rdzv_endpoint
    if args.rdzv_backend == "static":
        options["rank"] = args.node_rank
        endpoint = endpoint or f"{args.master_addr}:{args.master_port or 29500}"
    elif args.node_rank:
        print(f"torchrun: --node-rank is for --rdzv-backend=static; {args.rdzv_backend} chooses the number", file=sys.stderr)
    program, given = _command(args)
    config = LaunchConfig(
        min_nodes=least, max_nodes=most, nproc_per_node=determine_local_world_size(args.nproc_per_node), run_id=args.rdzv_id,
        role=args.role, rdzv_endpoint=endpoint, rdzv_backend=args.rdzv_backend, rdzv_configs=options, max_restarts=args.max_restarts,
        monitor_interval=args.monitor_interval, start_method=args.start_method,
        log_line_prefix_template=args.log_line_prefix_template or os.environ.get("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE"),
        local_addr=args.local_addr, event_log_handler=args.event_log_handler, signals_to_handle=args.signals_to_handle,
        logs_specs=DefaultLogsSpecs(args.log_dir, Std.from_str(args.redirects), Std.from_str(args.tee), shown),
        duplicate_stdout_filters=args.duplicate_stdout_filters, duplicate_stderr_filters=args.duplicate_stderr_filters,
        virtual_local_rank=args.virtual_local_rank, shutdown_timeout=args.shutdown_timeout)
    return config, program, given


def run(args):
    """Runs the program that the parsed arguments name; raises ChildFailedError if a process fails."""
    alone = args.rdzv_backend == "static" and not args.rdzv_endpoint and args.master_port is None
    if args.standalone or (alone and parse_min_max_nnodes(args.nnodes)[1] == 1):
        args.rdzv_backend, args.rdzv_endpoint, args.rdzv_id = "c10d", "localhost:0", str(uuid.uuid4())
    config, program, given = config_from_args(args)
    elastic_launch(config, program)(*given)


def _exit_with(function, args):
    """Calls a function, then exits with the code of the first failed worker, or by the signal that ended the launcher."""
    try:
        function(args)
    except ChildFailedError as error:
        rank, failure = error.get_first_failure()
        print(f"torchrun: rank {rank} failed with exit code {failure.exitcode}\n{error}", file=sys.stderr, flush=True)
        sys.exit(failure.exitcode if failure.exitcode > 0 else 128 - failure.exitcode)
    except SignalException as error:
        sys.exit(128 + error.sigval)


def main(args=None):
    """The entry point of the command."""
    _exit_with(run, parse_args(args))


if __name__ == "__main__":
    main()
