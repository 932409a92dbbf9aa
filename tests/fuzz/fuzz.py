# SPDX-License-Identifier: BSD-3-Clause
"""The fuzzer: runs random programs (programs.py) in separate processes until its time is over.

    python tests/fuzz/fuzz.py --seconds 600 --jobs 2        new programs, from a random seed on
    python tests/fuzz/fuzz.py --seed 1234 --count 1          one program again

A process that dies or hangs is reported with the seed of its program and its last call; a new process continues with the next seed.
Under the address sanitizer each process reports leaks when it ends. The exit code is the number of reports, at most 100."""
import argparse
import ctypes
import faulthandler
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
LONG = float(os.environ.get("CORTEN_FUZZ_LONG", 180 if SANITIZED else 60))  # seconds for one program
MEMORY = 3 << 30  # bytes of address space; sanitizers need more, so there only the size of one allocation is limited
OPTIONS = ":handle_abort=1:max_allocation_size_mb=500"
NAME = 48  # bytes for the name of the running call


def work(seed, count, place, threads):
    """Runs programs. Writes the seed of each to a file before it begins, followed by the name of each call."""
    if not SANITIZED:  # sanitizers print more than faulthandler
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        faulthandler.enable()
    import programs
    import rooms
    import corten
    corten.set_num_threads(2)
    mark = os.open(place, os.O_RDWR)
    rooms.at = lambda name: os.pwrite(mark, name.encode()[:NAME].ljust(NAME), 8)
    for i in range(seed, seed + count):
        os.pwrite(mark, struct.pack("<q", i), 0)
        programs.run(i, threads)
    leaked = look_for_leaks() if SANITIZED else 0
    os._exit(LEAKED if leaked else 0)  # does not wait for running threads


LEAKED = 99  # exit code of a process that leaked


def look_for_leaks():
    """Has the sanitizer report leaks, if it was started with leak detection."""
    import gc
    gc.collect()
    try:
        return ctypes.CDLL(None).__lsan_do_recoverable_leak_check()
    except AttributeError:
        return 0


def leaks_of_ours(said):
    """Returns the sanitizer's reports with Corten in the stack trace; the interpreter itself leaks as well."""
    blocks = [b for b in said.split("\n\n") if b.lstrip().startswith("Direct leak")]
    ours = re.compile(r" \.\./(src|python)/|src/gen/|libcorten|/_C\.")
    return "\n\n".join(b for b in blocks if ours.search(b))


class Worker:
    def __init__(self, seed, count, folder, threads):
        self.place = tempfile.NamedTemporaryFile(dir=folder, delete=False)
        self.place.write(struct.pack("<q", seed))
        self.place.flush()
        self.errors = tempfile.TemporaryFile(dir=folder)
        self.first, self.last = seed, seed + count
        self.at, self.age, self.looked = seed, 0, time.time()
        env = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + OPTIONS)
        self.process = subprocess.Popen([sys.executable, __file__, "--work", str(seed), str(count), self.place.name,
                                         "--threads", str(threads)],
                                        env=env, cwd=os.path.dirname(os.path.abspath(__file__)), stdout=subprocess.DEVNULL, stderr=self.errors)

    def seed(self):
        with open(self.place.name, "rb") as f:
            return struct.unpack("<q", f.read(8))[0]

    def name(self):
        """Returns the last call of the program."""
        with open(self.place.name, "rb") as f:
            name = f.read()[8:].decode(errors="replace").strip()
        return f" after {name}" if name else ""

    def watch(self):
        """Aborts a program that takes too long; faulthandler or the sanitizer (handle_abort=1) then prints where it is. Each call
        adds at most one second to its age, so that time in which the whole fuzzer was suspended does not count."""
        now, seed = time.time(), self.seed()
        self.age = self.age + min(now - self.looked, 1) if seed == self.at else 0
        self.at, self.looked = seed, now
        if self.age > LONG + 30:
            self.process.kill()
        elif self.age > LONG:
            self.process.send_signal(signal.SIGABRT)

    def report(self):
        """Returns a report of how the process ended, or None."""
        self.errors.seek(0)
        code = self.process.returncode
        how = ("hangs" if self.age > LONG else f"dies of signal {-code}" if code < 0 else "leaks, or one of the 199 before it"
               if code == LEAKED else f"exits with {code}") + self.name()
        said = self.errors.read().decode(errors="replace")
        if code == LEAKED:
            said = leaks_of_ours(said)
            if not said:
                return None
        said = said if len(said) < 3000 else said[:2000] + "\n...\n" + said[-1000:]
        return f"seed {self.seed()} {how}\n{said}"


def fuzz(seed, seconds=None, count=None, jobs=1, threads=0, say=lambda text: None):
    """Returns (number of programs run, reports of failures); also passes each report to `say` immediately."""
    end, done, reports, workers, at = time.time() + (seconds or 1e9), 0, [], [], seed
    with tempfile.TemporaryDirectory() as folder:
        while True:
            while len(workers) < jobs and time.time() < end and (count is None or at < seed + count) and len(reports) < 100:
                n = 200 if count is None else min(200, seed + count - at)
                workers.append(Worker(at, n, folder, threads))
                at += n
            for w in workers[:]:
                if w.process.poll() is None and time.time() < end + 5:
                    w.watch()
                    continue
                if w.process.returncode is None:  # the time is over
                    if w.age > 10:
                        say(f"seed {w.seed()} had run for {w.age:.0f} s{w.name()} when the time was over")
                    w.process.kill()
                    w.process.wait()
                    done += w.seed() - w.first
                elif w.process.returncode:
                    text = w.report()
                    if text:
                        reports.append(text)
                        say(text)
                    done += w.seed() + 1 - w.first
                    rest = w.last - w.seed() - 1
                    if rest and time.time() < end:
                        workers.append(Worker(w.seed() + 1, rest, folder, threads))
                else:
                    done += w.last - w.first
                workers.remove(w)
            if not workers and (time.time() >= end or (count is not None and at >= seed + count) or len(reports) >= 100):
                return max(done, 0), reports
            time.sleep(0.05)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=random.randrange(2 ** 40))
    p.add_argument("--seconds", type=float)
    p.add_argument("--count", type=int)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--threads", type=int, default=0, help="only programs of that many threads")
    p.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.work:
        return work(int(a.work[0]), int(a.work[1]), a.work[2], a.threads)
    if a.seconds is None and a.count is None:
        a.seconds = 60
    begin = time.time()
    done, reports = fuzz(a.seed, a.seconds, a.count, a.jobs, a.threads, lambda text: print(text, flush=True))
    print(f"{done} programs from seed {a.seed} on in {time.time() - begin:.0f} s: {len(reports)} died")
    return min(len(reports), 100)


if __name__ == "__main__":
    sys.exit(main())
