# SPDX-License-Identifier: BSD-3-Clause
"""torchrun and torch.distributed.launch: options, several launchers, failures; test_distributed.py has signals."""
import glob
import json
import os
import socket
import subprocess
import sys

import pytest

from corten.distributed.elastic.multiprocessing.api import Std
from corten.distributed.elastic.multiprocessing.errors import ChildFailedError
from corten.distributed.launcher.api import LaunchConfig, elastic_launch
from corten.distributed.run import config_from_args, parse_args

RUN = "torch.distributed.run"


def start(path, *options, module=RUN, arguments=(), **env):
    command = [sys.executable, "-m", "corten", "-m", module, *options, str(path), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **env})


def finish(process, seconds=60):
    try:
        return process.communicate(timeout=seconds)
    finally:
        process.kill()


def run(*args, **kwargs):
    process = start(*args, **kwargs)
    out, error = finish(process)
    return process.returncode, out, error


def script(tmp_path, text):
    path = tmp_path / "script.py"
    path.write_text("import os, sys\n\ndef say(text, to=1):\n    os.write(to, (text + chr(10)).encode())  # in one piece\n\n" + text)
    return path


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def test_local_rank_is_an_argument_of_the_older_command(tmp_path):
    path = script(tmp_path, "say(' '.join(sys.argv[1:]))")
    code, out, error = run(path, "--nproc_per_node=2", module="torch.distributed.launch", arguments=["x"])
    assert sorted(out.split("\n")[:2]) == ["--local-rank=0 x", "--local-rank=1 x"] and "FutureWarning" in error and code == 0
    _, out, _ = run(path, "--nproc_per_node=2", "--use-env", module="torch.distributed.launch", arguments=["x"])
    assert out == "x\nx\n"


FAILING = """
import time
from torch.distributed.elastic.multiprocessing.errors import record

@record
def main():
    if os.environ["RANK"] == "2":
        raise KeyError("what went wrong") if "raise" in sys.argv else SystemExit(5)
    time.sleep(100)

main()
"""


def test_the_first_failure_is_reported(tmp_path):
    path = script(tmp_path, FAILING)
    code, _, error = run(path, "--nproc-per-node=3")
    assert code == 5 and "torchrun: rank 2 failed with exit code 5" in error and "Root Cause (first observed failure):" in error
    code, _, error = run(path, "--nproc-per-node=3", arguments=["raise"])
    assert code == 1 and "KeyError: 'what went wrong'" in error.partition("Root Cause")[2]
    code, out, error = run(script(tmp_path, "say(os.environ['TORCHELASTIC_RESTART_COUNT']); os.kill(os.getpid(), 9)"), "--max-restarts=1")
    assert code == 128 + 9 and out == "0\n1\n" and "all start again" in error and "(SIGKILL)" in error


def test_output(tmp_path):
    path = script(tmp_path, "say('out ' + os.environ['LOCAL_RANK']); say('err ' + os.environ['ROLE_NAME'], 2)")
    logs = str(tmp_path / "logs")

    def files(name):
        return {os.path.relpath(found, logs).split(os.sep, 1)[1]: open(found).read()
                for found in glob.glob(f"{logs}/{name}_*/**/*.log", recursive=True)}
    code, out, error = run(path, "--nproc-per-node=2", "--log-dir", logs, "--role=trainer")  # --log-dir without --redirects changes nothing
    assert sorted(out.split()) == sorted("out 0 out 1".split()) and error.count("err trainer") == 2 and code == 0
    two = ("--nproc-per-node=2", "--master-port", str(free_port()), "--log-dir", logs)
    _, out, error = run(path, *two, "--redirects=3", "--rdzv-id=a")
    assert out == "" and "err" not in error
    assert files("a") == {f"attempt_0/{i}/{name}": text for i in (0, 1) for name, text in (("stdout.log", f"out {i}\n"),
                                                                                          ("stderr.log", "err default\n"))}
    _, out, error = run(path, *two, "--tee=0:1,1:3", "--rdzv-id=b", "--duplicate-stdout-filters=t 1,u 1")
    assert sorted(out.splitlines()) == ["[default0]:out 0", "[default1]:out 1"] and "[default1]:err default\n" in error
    assert files("b") == {"attempt_0/0/stdout.log": "out 0\n", "attempt_0/1/stdout.log": "out 1\n",
                          "attempt_0/1/stderr.log": "err default\n", "attempt_0/filtered_stdout.log": "[default1]:out 1\n"}
    _, out, error = run(path, *two, "--tee=3", "--local-ranks-filter=1", "--log-line-prefix-template=${rank}> ")
    assert out == "1> out 1\n" and error.count("err default") == 1
    _, out, error = run(path, "--nproc-per-node=2", "--local_ranks_filter=0", PET_ROLE="worker")
    assert out == "out 0\n" and error.count("err worker") == 1
    code, _, error = run(path, "--redirects=5")
    assert code and "5 does not match" in error
    assert Std.from_str("0:1,2:3") == {0: Std.OUT, 2: Std.ALL}


PLACE = """
names = "RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE GROUP_RANK GROUP_WORLD_SIZE ROLE_RANK ROLE_WORLD_SIZE CUDA_VISIBLE_DEVICES"
say(' '.join(os.environ.get(name, '-') for name in names.split()))
import torch, torch.distributed as dist
dist.init_process_group("gloo")
x = torch.ones(1)
dist.all_reduce(x)
assert x.item() == dist.get_world_size()
dist.destroy_process_group()
"""


def places(processes):
    lines = []
    for process in processes:
        out, error = finish(process)
        assert process.returncode == 0, error
        lines += out.splitlines()
    return sorted(lines)


def test_several_machines_run_the_same_command(tmp_path):
    path, end = script(tmp_path, PLACE), f"--rdzv-endpoint=127.0.0.1:{free_port()}"
    c10d = ("--nnodes=2", "--rdzv-backend=c10d", end, "--rdzv-id=7")
    assert places([start(path, "--nproc-per-node=2", *c10d, CUDA_VISIBLE_DEVICES="5") for _ in range(2)]) == [
        "0 4 0 2 0 2 0 4 5", "1 4 1 2 0 2 1 4 5", "2 4 0 2 1 2 2 4 5", "3 4 1 2 1 2 3 4 5"]
    static = ("--nnodes=2", f"--master-port={free_port()}")  # different numbers of processes and different roles
    assert places([start(path, *static, "--node-rank=1", "--nproc-per-node=1", "--role=b", CUDA_VISIBLE_DEVICES="5"),
                   start(path, *static, "--node-rank=0", "--nproc-per-node=2", "--virtual-local-rank", CUDA_VISIBLE_DEVICES="5,7")]) == [
        "0 3 0 2 0 2 0 2 5", "1 3 0 2 0 2 1 2 7", "2 3 0 1 1 2 0 1 5"]
    # --nnodes=1:2, and the second node never joins
    assert places([start(path, "--nnodes=1:2", "--rdzv-backend=c10d", f"--rdzv-endpoint=localhost:{free_port()}",
                         "--rdzv-conf=last_call_timeout=1", CUDA_VISIBLE_DEVICES="5")]) == ["0 1 0 1 0 1 0 1 5"]


def test_a_failure_ends_all_machines(tmp_path):
    path = script(tmp_path, "import time\nif os.environ['RANK'] == '1': sys.exit(3)\ntime.sleep(100)")
    c10d = ("--nnodes=2", "--rdzv-backend=c10d", f"--rdzv-endpoint=127.0.0.1:{free_port()}", "--max-restarts=1")
    both = [start(path, *c10d) for _ in range(2)]
    errors = [finish(process)[1] for process in both]
    assert sorted(process.returncode for process in both) == [1, 3], errors
    assert "a worker of another node failed" in "".join(errors) and "all start again" in "".join(errors)


def test_wrong_options(tmp_path):
    path = script(tmp_path, "")
    for options, text in ((["--rdzv-backend=no-such"], "ValueError: The rendezvous backend 'no-such' is not registered"),
                          (["--rdzv-backend=etcd", "--rdzv-endpoint=x:1"], "use --rdzv-backend=c10d"),
                          (["--nnodes=2:1"], "min_nodes must be > 0 and <= max_nodes"), (["--numa-binding=node"], "numactl"),
                          (["--nproc-per-node=some"], "Unsupported nproc_per_node value"), (["--start-method=x"], "invalid choice"),
                          (["--no-python", "-m"], "Don't use both"), (["--rdzv-conf=x"], "must be in format")):
        code, _, error = run(path, *options)
        assert code and text in error, (options, error)
    code, out, _ = run("/bin/echo", "--no-python", "--standalone", arguments=["a", "${local_rank}"])
    assert (code, out) == (0, "a 0\n")


def double(x):
    if x is None:
        raise ValueError("nothing to double")
    return int(os.environ["RANK"]), 2 * x


def test_functions():
    config, program, given = config_from_args(parse_args(["--nproc-per-node=2", "--nnodes=1:3", "--rdzv-id=5", "-m", "x", "y"]))
    assert (config.min_nodes, config.max_nodes, config.nproc_per_node, config.run_id) == (1, 3, 2, "5")
    assert program == sys.executable and given[-3:] == ["-m", "x", "y"]

    def new():
        return LaunchConfig(1, 1, 2, rdzv_backend="c10d", rdzv_endpoint="localhost:0", max_restarts=0)
    assert elastic_launch(new(), double)(4) == {0: (0, 8), 1: (1, 8)}
    with pytest.raises(ChildFailedError, match="nothing to double") as caught:
        elastic_launch(new(), double)(None)
    rank, failure = caught.value.get_first_failure()
    assert failure.exitcode == 1 and failure.local_rank == rank
    assert json.load(open(failure.error_file))["message"]["message"] == "ValueError: nothing to double"
    assert elastic_launch(new(), "true")() == {0: None, 1: None}
    with pytest.raises(NotImplementedError, match="numactl"):
        LaunchConfig(1, 1, 1, numa_options=1)
