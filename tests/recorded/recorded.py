# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes what PyTorch answered: one file NAME.json.gz for each family of cases, below this folder.

`rows/` has the rows of the table (written by tests/conformance/run.py), in the folders of src/ops; `python/` has the
answers to the cases of tests/python/cases (written by tests/conformance/record.py). `make record` writes both.
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
    """The same facts make the same bytes, so that git shows no change where there is none."""
    text = json.dumps(facts, separators=(",", ":"))
    path(name).parent.mkdir(parents=True, exist_ok=True)
    path(name).write_bytes(gzip.compress(text.encode(), mtime=0))


def tables():
    """{table: name} of the recorded tables of rows, `arithmetic`: `rows/pointwise/arithmetic`."""
    found = (p.relative_to(HERE).as_posix().removesuffix(".json.gz") for p in (HERE / "rows").rglob("*.json.gz"))
    return {name.rpartition("/")[2]: name for name in sorted(found, key=lambda name: name.rpartition("/")[2])}


def table_of(row):
    """The name under which the facts of a row are recorded."""
    return "rows" / Path(row.where.partition(":")[0]).with_suffix("")
