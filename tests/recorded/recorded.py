# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes the results recorded from PyTorch: one file NAME.json.gz per family of cases in this folder.

`rows/` has the facts of rows (written by tests/conformance/run.py), in the same folders as src/ops; `python/` has the
facts of tests/python/cases (written by tests/conformance/record.py). `make record` updates both.
"""
import gzip
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent


def path(name):
    return HERE / f"{name}.json.gz"


def read(name):
    return json.loads(gzip.decompress(path(name).read_bytes()))


def write(name, facts):
    """Writes facts. The same facts give the same bytes, so that git shows no spurious change."""
    text = json.dumps(facts, separators=(",", ":"))
    path(name).parent.mkdir(parents=True, exist_ok=True)
    path(name).write_bytes(gzip.compress(text.encode(), mtime=0))


def tables():
    """Returns {table: name} of the recorded tables, such as `arithmetic`: `rows/pointwise/arithmetic`."""
    found = (p.relative_to(HERE).as_posix().removesuffix(".json.gz") for p in (HERE / "rows").rglob("*.json.gz"))
    return {name.rpartition("/")[2]: name for name in sorted(found, key=lambda name: name.rpartition("/")[2])}


def table_of(row):
    """Returns the name under which the facts of a row are recorded."""
    return "rows" / Path(row.where.partition(":")[0]).with_suffix("")
