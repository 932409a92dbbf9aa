# SPDX-License-Identifier: BSD-3-Clause
"""`make conformance`: runs every case of every row in Corten and in PyTorch 2.15 and compares the facts.

The libraries run in separate processes, since Corten does not depend on PyTorch. Prints a table by family and
the first differences; fails if deliberate.py does not explain a difference. For families whose rows were all
run, it also writes PyTorch's facts, which `make test` checks without PyTorch.
"""
import argparse
import os
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "ops"), str(HERE.parent / "recorded")]
import recorded  # noqa: E402
from cases import ROOT, all_rows, cases_of, choice, family, normwise, public, ulps  # noqa: E402
from deliberate import DELIBERATE, reason  # noqa: E402
from facts import agree  # noqa: E402
from modules import compare as compare_modules  # noqa: E402
from run_worker import Worker  # noqa: E402

KEPT = 200  # cases per row that are kept in the repository
KINDS = ("agree", "deliberate", "differ")
HEAD = """# Conformance

This page compares Corten with PyTorch 2.15: how closely the two agree, where Corten differs on purpose, and which names it lacks.

`make conformance` runs every operation in Corten and in PyTorch, each in its own process, and compares everything a user can see:
values (the same bits for integers, copies and basic arithmetic, a few units in the last place elsewhere), data type, shape,
strides, storage offset, which input a result shares memory with, changes to the inputs, and for wrong input the class and
message of the error. The cases are generated from the table of operations: 15 data types and their pairs; contiguous, transposed,
strided, expanded, conjugated, channels-last, 0-d, empty and broadcast inputs; NaN, infinities and the smallest and largest integers;
Python numbers on either side; calls as a function, a method, in place, with `out=` and as an operator. The arguments are in
`tests/ops/samples`, the rules for intended differences beside them and in `tests/conformance/deliberate.py`. A full run writes
this page and `tests/recorded/rows`, which `make test` checks without PyTorch.

## How far the agreement goes

Always identical: names and defaults, values, types, shapes, strides, aliasing, gradients, random streams, printed text, the class
of an exception, and its text when a call has one mistake.

Not imitated, since no sensible program depends on it:

- which of several mistakes is reported first;
- what a failed call leaves behind: in Corten a failed call changes nothing;
- PyTorch's many rules for `out=`. Corten has one contract for all operations: (1) while autograd records, a call is
  refused if one of its tensors, `out` included, requires a gradient; (2) `out` may have any type that the result can
  be cast to; (3) an `out` of another shape is resized, with a warning if it had elements, and gets the strides of a
  new result; (4) `out` may share memory with an argument without changing the result, but an `out` with several
  elements at one address is refused; (5) a call that fails leaves `out` as it was. `tests/ops/test_out.py` checks this
  for every operation;
- the order in which an error lists the signatures that did not match, error texts of functions that PyTorch implements in
  Python, warnings about future changes of PyTorch, private names.

## Results by family

`agree`: the same in both libraries. `deliberate`: Corten differs on purpose. `differ`: anything else, a bug.
"""


def run_both(cases, torch_python):
    """Runs both libraries at the same time and returns the facts of every case as (Corten's, PyTorch's)."""
    with tempfile.TemporaryDirectory() as folder:
        running = [Worker(library, python, cases, Path(folder))
                   for library, python in (("corten", sys.executable), ("torch", torch_python))]
        return list(zip(*(worker.finish() for worker in running)))


def shorten(text, most=300):
    text = text.replace("\n", "\\n")
    return text if len(text) <= most else text[:most] + "..."


def show(case, mine, theirs):
    print(f"  [{case.row}] {case.text}   ({case.dtype}, layout {case.layout}, {case.form})")
    print(f"      corten  {shorten(mine)}\n      torch   {shorten(theirs)}")


def record(rows, cases, facts):
    """Writes PyTorch's facts of selected cases, for each family whose rows were all run."""
    of_row, kept, by_name = defaultdict(dict), defaultdict(dict), {row.name: row for row in rows}
    for case, (mine, theirs) in zip(cases, facts):
        if agree(mine, theirs, ulps(by_name[case.row], case), normwise(by_name[case.row])) or not reason(case, mine, theirs):
            of_row[case.row][case] = theirs
    for row in rows:
        found = of_row[row.name]
        kept[family(row)][row.name] = [[*c[1:], found[c]] for c in choice(found, KEPT)]
    whole = Counter(family(r) for r in all_rows() if public(r))
    name_of = {family(row): recorded.table_of(row) for row in rows}
    for name, found in kept.items():
        if len(found) == whole[name]:
            recorded.write(name_of[name], found)
            print(f"recorded {sum(map(len, found.values()))} facts of {name}")


def compare(rows, cases, facts, most):
    """Prints the first differences of each row. Returns counts (agree, deliberate, differ) by family, and the reasons."""
    by_name = {row.name: row for row in rows}
    counts, reasons, wrong = defaultdict(Counter), Counter(), defaultdict(list)
    for case, (mine, theirs) in zip(cases, facts):
        row, why = by_name[case.row], None
        if agree(mine, theirs, ulps(row, case), normwise(row)):
            kind = "agree"
        else:
            why = reason(case, mine, theirs)
            kind = "deliberate" if why else "differ"
        counts[family(row)][kind] += 1
        if why:
            reasons[why] += 1
        elif kind == "differ":
            wrong[case.row].append((case, mine, theirs))
    for name, found in wrong.items():
        print(f"{name}: {len(found)} differ")
        for triple in found[:most]:
            show(*triple)
    return counts, reasons


def table(rows, counts):
    """Returns lines of (family, rows, agree, deliberate, differ); the last is the total."""
    found = [(name, sum(family(r) == name for r in rows), *(counts[name][k] for k in KINDS)) for name in sorted(counts)]
    return [*found, ("all", *(sum(line[i] for line in found) for i in range(1, 5)))]


def report(lines, reasons):
    """Writes docs/conformance.md."""
    text = [HEAD, "| family | rows | agree | deliberate | differ |", "|---|---:|---:|---:|---:|"]
    text += ["| " + " | ".join(map(str, line)) + " |" for line in lines]
    text += ["", "## Where Corten differs on purpose", "",
             "Corten differs from PyTorch 2.15 in these ways, each with the number of cases of the comparison above. Any other "
             "difference is a bug.", "", "| difference | cases |", "|---|---:|"]
    text += [f"| {why} | {reasons[why]} |" for why in dict.fromkeys(rule.why for rule in DELIBERATE) if reasons[why]]
    page = ROOT / "docs/conformance.md"
    behind = page.read_text().partition("\n## Random network calls")  # sections written by networks.py and by tests/style/not_there.py
    page.write_text("\n".join(text) + "\n" + "".join(behind[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="", help="only these rows or families, by comma")
    parser.add_argument("--most", type=int, default=3, help="differences shown of each row")
    options = parser.parse_args()
    chosen = set(filter(None, options.rows.split(",")))
    rows = [r for r in all_rows() if public(r) and (not chosen or chosen & {r.name, r.python_name, family(r)})]
    cases, bare = [], []
    for row in rows:
        found = cases_of(row)
        cases += found
        bare += [row.name] if not found else []
    torch_python = os.environ.get("CORTEN_TORCH_PYTHON", ROOT / ".venv-torch/bin/python")
    facts = run_both(cases, torch_python) if cases else []
    counts, reasons = compare(rows, cases, facts, options.most)
    if not chosen or "modules" in chosen:
        _, counts["modules"]["agree"], counts["modules"]["differ"] = compare_modules(torch_python, options.most)
    lines = table(rows, counts)
    print(f"\n{'family':12} {'rows':>5} {'agree':>8} {'deliberate':>11} {'differ':>8}")
    for line in lines:
        print("{:12} {:5} {:8} {:11} {:8}".format(*line))
    record(rows, cases, facts)
    if not chosen:
        report(lines, reasons)
    if bare:
        print("rows without samples (tests/ops/samples):", ", ".join(bare))
    sys.exit(bool(lines[-1][-1] or bare))


if __name__ == "__main__":
    main()
