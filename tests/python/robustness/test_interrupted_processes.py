# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C and death of the main process while child processes are working: DataLoader workers, and processes started by spawn."""
import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = '''
import os
import signal
import sys
import time
import corten
import corten.multiprocessing as mp
from corten.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __len__(self):
        return 9

    def __getitem__(self, i):
        if i == 3:
            work(i)
        return i


def work(i):
    os.write(1, f"WORKS {os.getpid()}\\n".encode())
    time.sleep(100)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    what, method = sys.argv[1:]
    try:
        if what == "loader":
            for batch in DataLoader(Rows(), num_workers=2, multiprocessing_context=method):
                pass
        else:
            mp.start_processes(work, nprocs=2, start_method=method)
    except KeyboardInterrupt:
        print("INTERRUPTED", flush=True)
'''


def begin(tmp_path, what, method):
    """Starts the program; returns it and the process ids of its children."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    running = subprocess.Popen([sys.executable, str(path), what, method], stdout=subprocess.PIPE, text=True, start_new_session=True)
    return running, [int(running.stdout.readline().split()[1]) for _ in range(1 if what == "loader" else 2)]


def ended(pid):
    for _ in range(200):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("what", ["loader", "spawn"])
def test_an_interrupt_ends_all(tmp_path, what, method):
    """The loader must not wait its usual five seconds for a busy worker. A busy machine may delay an attempt, so there are three."""
    for whole in (False, True):  # signal only the main process, as a notebook does, or the whole group, as a terminal does
        times = []
        while not times or (times[-1] >= 4 and len(times) < 3):
            running, pids = begin(tmp_path, what, method)
            start = time.monotonic()
            (os.killpg if whole else os.kill)(running.pid, signal.SIGINT)
            out, _ = running.communicate(timeout=60)
            times.append(time.monotonic() - start)
            assert "INTERRUPTED" in out and running.returncode == 0
            assert all(map(ended, pids))
        assert times[-1] < 4, times


@pytest.mark.skipif(sys.platform != "linux", reason="prctl")
def test_processes_end_with_the_one_that_started_them(tmp_path):
    for method in ("fork", "spawn"):
        running, pids = begin(tmp_path, "spawn", method)
        running.kill()
        running.wait()
        assert all(map(ended, pids))
