# SPDX-License-Identifier: BSD-3-Clause
"""Times files and loaders: files.py [corten|torch] [MEGABYTES]. Run it once for each, in turns, in a folder with room."""
import importlib
import os
import sys
import tempfile
import time


def best(call, times):
    """Milliseconds of the fastest call."""
    fastest = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()
        fastest = min(fastest, time.perf_counter() - start)
    return 1000 * fastest


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "corten"
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    torch, data = importlib.import_module(name), importlib.import_module(f"{name}.utils.data")
    state = {str(i): torch.ones(2**18 * max(megabytes // 64, 1)) for i in range(64)}
    with tempfile.TemporaryDirectory(dir=".") as folder:
        path = os.path.join(folder, "state.pt")
        print(f"{name}: save {megabytes} MB      {best(lambda: torch.save(state, path), 3):10.1f} ms")
        print(f"{name}: load, mapped    {best(lambda: torch.load(path, mmap=True), 6):10.1f} ms")
        print(f"{name}: load, read      {best(lambda: torch.load(path), 4):10.1f} ms")
    rows = data.TensorDataset(torch.randn(60000, 20), torch.arange(60000))
    for shuffle in (False, True):
        def epoch():
            for _ in data.DataLoader(rows, batch_size=64, shuffle=shuffle):
                pass
        print(f"{name}: 60,000 rows, {'shuffled' if shuffle else 'in order'} {best(epoch, 3):8.1f} ms")


if __name__ == "__main__":
    main()
