# SPDX-License-Identifier: BSD-3-Clause
"""Operands on different devices: no engine may read memory that does not exist.

Runs every sample of every row with one of its tensors on the meta device. The call must raise or return meta
tensors. Each batch of rows runs in a separate process, so that a crash fails only one test.
"""
import ast
import subprocess
import sys
import warnings
from pathlib import Path

import corten
import pytest
from cases import all_rows, cases_of, family, public
from facts import NAME, Inputs, make_out

ROWS = [row for row in all_rows() if public(row)]
# Rows that may mix devices: a tensor is only a template or a source of a copy, or each result belongs to one tensor.
ANY_DEVICE = {"expand_as", "view_as", "reshape_as", "resize_as_", "resize_as", "broadcast_tensors", "sum_to_size",
              "atleast_1d.Sequence", "atleast_2d.Sequence", "atleast_3d.Sequence", "type_as", "set_", "slice_inverse"}

# Programs read lengths and counts of packed sequences, so these are on the CPU for data on any device, as in PyTorch.
LENGTHS_ON_CPU = {"_pack_padded_sequence", "_pad_packed_sequence"}


def names_in(text):
    """Returns the names of the inputs that a case uses, except those of which it uses only dtype or shape."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    asked = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr in ("dtype", "shape")}
    names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in asked]
    return [n for n in dict.fromkeys(names) if NAME.match(n)]


class OneOnMeta(Inputs):
    """The inputs of a case, one of them on the meta device."""

    def __init__(self, torch, case, name):
        super().__init__(torch, case)
        self.name = name

    def __missing__(self, name):
        made = super().__missing__(name)
        if name == self.name:
            self[name] = made = made.to("meta")
        return made


def one_case(case, name):
    """Returns a description of the failure of a case, or None."""
    inputs = OneOnMeta(corten, case, name)
    given = {}
    try:
        if case.form.startswith("out "):
            like = eval(case.text, {"torch": corten}, Inputs(corten, case))
            outs = [make_out(corten, r, "same") for r in (like if isinstance(like, tuple) else [like])]
            inputs["out"] = given["out"] = tuple(outs) if isinstance(like, tuple) else outs[0]
            if name == "out":
                inputs["out"] = outs[0].to("meta") if len(outs) == 1 else tuple(o.to("meta") for o in outs)
            result = eval(case.text[:-1] + ", out=out)", {"torch": corten}, inputs)
        elif case.form == "iop":
            exec(case.text, {"torch": corten}, inputs)
            result = None
        else:
            result = eval(case.text, {"torch": corten}, inputs)
    except Exception:
        return None
    results = result if isinstance(result, (tuple, list)) else [result]
    if case.row in LENGTHS_ON_CPU:
        results = results[:1]
    wrong = [r for r in results if isinstance(r, corten.Tensor) and r.device.type != "meta" and r.numel()]
    return "made a tensor on the CPU" if wrong else None


def check(rows, done):
    """Runs in the child. Writes each case before running it, so that the parent can name it after a crash."""
    bad = []
    warnings.simplefilter("ignore")
    for row in ROWS:
        if row.name not in rows or row.name in ANY_DEVICE:
            continue
        seen = set()
        for case in sorted(cases_of(row), key=lambda c: c.dtype != "float32"):
            form = "out same" if case.form.startswith("out ") else case.form
            if case.layout[0] != "c" or (form, case.text) in seen or "device=" in case.text:
                continue
            seen.add((form, case.text))
            for name in names_in(case.text) + ["out"] * form.startswith("out "):
                done.write_text(f"{case} with {name} on meta")
                wrong = one_case(case, name)
                if wrong:
                    bad.append(f"{row.name}: {case.text} ({case.dtype}, {form}) with {name} on meta {wrong}")
    print("\n".join(bad))


@pytest.mark.parametrize("source", sorted({family(row) for row in ROWS}))
def test_one_tensor_on_meta(source, tmp_path):
    rows = [row.name for row in ROWS if family(row) == source]
    done = tmp_path / "case"
    run = subprocess.run([sys.executable, __file__, str(done), *rows], capture_output=True, text=True)
    assert run.returncode == 0, f"exit status {run.returncode} in {done.read_text()}\n{run.stderr[-2000:]}"
    assert not run.stdout.strip(), run.stdout[:4000]


if __name__ == "__main__":
    check(set(sys.argv[2:]), Path(sys.argv[1]))
