# SPDX-License-Identifier: BSD-3-Clause
"""Instruction counts per function, as valgrind's Callgrind writes them."""
import collections
import dataclasses
import typing

import corten

__all__ = ["CallgrindStats", "FunctionCount", "FunctionCounts"]


class FunctionCount(typing.NamedTuple):
    """The number of instructions executed in a function."""
    count: int
    function: str


@dataclasses.dataclass(repr=False, eq=False, frozen=True)
class FunctionCounts:
    """A list of (count, function), largest first. Supports addition, subtraction, filtering, renaming and printing.

    inclusive: whether counts include called functions. truncate_rows: whether long tables are shortened when printed.
    """

    _data: tuple
    inclusive: bool
    truncate_rows: bool = True
    _linewidth: int | None = None

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)

    def __getitem__(self, item):
        found = self._data[item]
        return FunctionCounts(found, self.inclusive, truncate_rows=False) if isinstance(item, slice) else found

    def __repr__(self):
        width = max((len(str(c)) + (c < 0) for c, _ in self), default=0)
        room = max((self._linewidth or corten._tensor_str.PRINT_OPTS.linewidth) - width - 4, 40)
        left = (room - 5) // 2
        names = [f if len(f) <= room else f"{f[:left]} ... {f[left + 5 - room:]}" for _, f in self]
        lines = [f"  {c:>{width}}  {name}" for (c, _), name in zip(self, names)]
        if self.truncate_rows and len(lines) > 18:
            lines[9:-9] = ["...".rjust(width + 2)]
        if not self.inclusive:
            lines += ["", f"Total: {self.sum()}"]
        return "\n".join([super().__repr__(), *lines])

    def _with(self, counts):
        rows = sorted((FunctionCount(c, f) for f, c in counts.items() if c), reverse=True)
        return FunctionCounts(tuple(rows), self.inclusive)

    def _merged(self, other, sign):
        if self.inclusive != other.inclusive:
            raise AssertionError("Cannot merge inclusive and exclusive counts.")
        counts = collections.Counter()
        for factor, rows in ((1, self), (sign, other)):
            for c, f in rows:
                counts[f] += factor * c
        return self._with(counts)

    def __add__(self, other):
        return self._merged(other, 1)

    def __sub__(self, other):
        return self._merged(other, -1)

    def __mul__(self, other):
        return self._with({f: int(c * other) for c, f in self})

    def transform(self, map_fn):
        """Renames each function to map_fn(name); counts of functions with equal new names are added."""
        counts = collections.Counter()
        for c, f in self:
            counts[map_fn(f)] += c
        return self._with(counts)

    def filter(self, filter_fn):
        """Keeps the functions for whose names filter_fn is true."""
        return FunctionCounts(tuple(row for row in self if filter_fn(row.function)), self.inclusive)

    def sum(self):
        """Returns the total count."""
        return sum(c for c, _ in self)

    def denoise(self):
        """Removes lookups in Python dictionaries, whose number changes from run to run."""
        return self.filter(lambda name: "dictobject.c:lookdict_unicode" not in name)


@dataclasses.dataclass(repr=False, eq=False, frozen=True)
class CallgrindStats:
    """Callgrind's counts of a statement, and of an empty statement as baseline."""

    task_spec: typing.Any
    number_per_run: int
    built_with_debug_symbols: bool
    baseline_inclusive_stats: FunctionCounts
    baseline_exclusive_stats: FunctionCounts
    stmt_inclusive_stats: FunctionCounts
    stmt_exclusive_stats: FunctionCounts
    stmt_callgrind_out: str | None

    def stats(self, inclusive=False):
        """Returns the counts by function, including or excluding called functions."""
        return self.stmt_inclusive_stats if inclusive else self.stmt_exclusive_stats

    def counts(self, *, denoise=False):
        """Returns the total number of instructions; `denoise` leaves out functions that vary from run to run."""
        return (self.stmt_exclusive_stats.denoise() if denoise else self.stmt_exclusive_stats).sum()

    def delta(self, other, inclusive=False):
        """Returns the difference to other counts, by function."""
        return self.stats(inclusive) - other.stats(inclusive)

    def as_standardized(self):
        """Removes build directories from function names, so that counts of different builds can be compared."""
        def short(name):
            path, found, rest = name.partition(":")
            return f"{path.rpartition('/')[2]}{found}{rest}" if "/" in path else name
        counts = {field.name: getattr(self, field.name).transform(short) for field in dataclasses.fields(self)
                  if field.name.endswith("_stats")}
        return dataclasses.replace(self, **counts)

    def __repr__(self):
        base, threads = self.baseline_exclusive_stats, self.task_spec.num_threads
        text = (f"{super().__repr__()}\n{self.task_spec.summarize()}\n"
                f"  {'':>25}All{'':>10}Noisy symbols removed\n"
                f"    Instructions: {self.counts():>12}{'':>15}{self.counts(denoise=True):>12}\n"
                f"    Baseline:     {base.sum():>12}{'':>15}{base.denoise().sum():>12}\n"
                f"{self.number_per_run} runs per measurement, {threads} thread{'s' if threads > 1 else ''}")
        return text if self.built_with_debug_symbols else text + "\nWarning: built without debug symbols, so functions may lack their files."
