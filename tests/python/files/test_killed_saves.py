# SPDX-License-Identifier: BSD-3-Clause
"""`kill -9` during a save leaves either the complete old file or the complete new one. CORTEN_KILLS sets the number of kills (20)."""
import os
import random
import signal
import time

import pytest

import corten
from corten import safetensors

KILLS = int(os.environ.get("CORTEN_KILLS", 20))


def save_for_ever(path, save, i):
    while True:
        i += 1
        save({"number": corten.tensor(i), "all": corten.full((i % 7 * 10000 + 1,), float(i))}, path)


def wait_for_another(path, before):
    """Waits for the child's first file, which may take a while on a busy machine."""
    end = time.time() + 10
    while path.stat().st_ino == before and time.time() < end:
        time.sleep(0.001)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("name, save, load", [("x.pt", corten.save, corten.load),
                                              ("x.safetensors", safetensors.save_file, safetensors.load_file)], ids=["pt", "safetensors"])
def test_kill_while_saving(tmp_path, name, save, load):
    path, rng, seen = tmp_path / name, random.Random(0), set()
    start = time.time()
    save({"number": corten.tensor(0), "all": corten.zeros(1)}, path)
    once = time.time() - start
    for i in range(KILLS):
        before = path.stat().st_ino
        child = os.fork()
        if child == 0:
            try:
                save_for_ever(path, save, 1000 * i)
            finally:
                os._exit(1)
        wait_for_another(path, before)
        time.sleep(rng.uniform(0, 0.002 + 4 * min(once, 0.1)))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        got = load(path)
        number = got["number"].item()
        assert got["all"].shape == (number % 7 * 10000 + 1,) and (got["all"] == number).all()
        seen.add(number)
    assert len(seen) > KILLS // 5  # the kills hit saves at different stages
    left = [p.name for p in tmp_path.iterdir() if p != path]
    assert len(left) <= KILLS // 5, left  # temporary files of children that died before the rename
