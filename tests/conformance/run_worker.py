# SPDX-License-Identifier: BSD-3-Clause
"""Runs worker.py on a list of cases and restarts it after a case that ended its process. Used by run.py and record.py."""
import json
import os
import subprocess
import sys
from pathlib import Path

WORKER = Path(__file__).resolve().parent / "worker.py"


class Worker:
    """A worker of one library; `folder` holds the lists of cases and facts while it runs."""

    def __init__(self, library, python, cases, folder):
        self.library, self.python, self.count = library, python, len(cases)
        self.cases, self.facts = folder / f"{library}.cases", folder / f"{library}.facts"
        self.cases.write_text(json.dumps(cases))
        self.start(0)

    def start(self, first):
        self.process = subprocess.Popen([self.python, WORKER, self.library, self.cases, self.facts, str(first)],
                                        stdout=sys.stderr, env={**os.environ, "OMP_NUM_THREADS": "1"})

    def finish(self):
        """Returns the facts of all cases. The fact of a case that ended its process is that it did."""
        while True:
            status = self.process.wait()
            lines = self.facts.read_text().splitlines() if self.facts.exists() else []
            if status == 0 or len(lines) >= self.count:
                return [json.loads(line) for line in lines]
            if status > 0:
                sys.exit(f"{self.library} could not run: see above")
            with self.facts.open("a") as f:
                f.write(json.dumps(f"!killed by signal {-status}") + "\n")
            self.start(len(lines) + 1)


def answers(library, python, cases, folder):
    return Worker(library, python, cases, folder).finish()
