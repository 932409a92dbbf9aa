# SPDX-License-Identifier: BSD-3-Clause
"""What a Timer measured, and what of it: `Measurement` and `TaskSpec` of utils.benchmark, units and digits.

The statistics are Corten's own operations on the times; `Compare` lays several measurements out as a table."""
import contextlib
import dataclasses
import textwrap
from typing import Any

import corten

_MOST_DIGITS = 4
_LEAST_INTERVAL = 25e-9  # seconds that no statistics get below
_DOUBTFUL, _SUSPECT = 0.1, 0.25  # spreads, as parts of the median, that are warned of
_UNITS = {-3: ("ns", 1e-9), -2: ("us", 1e-6), -1: ("ms", 1e-3)}
_WORDS = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}


def select_unit(t):
    """The unit that suits a time, and its length."""
    return _UNITS.get(int(corten.tensor(t).log10().item() // 3), ("s", 1))


def unit_to_english(u):
    """The name of a unit."""
    return _WORDS[u]


def trim_sigfig(x, n):
    """A number with n significant digits: 3.14159, 2 -> 3.1."""
    if n != int(n):
        raise AssertionError("Number of significant figures must be an integer")
    scale = 10 ** (int(corten.tensor(x).abs().log10().ceil().item()) - n)
    return float(corten.tensor(x / scale).round() * scale)


def ordered_unique(elements):
    """Each element once, in order."""
    return list(dict.fromkeys(elements))


@contextlib.contextmanager
def set_torch_threads(n):
    """A number of threads for a while."""
    before = corten.get_num_threads()
    try:
        corten.set_num_threads(n)
        yield
    finally:
        corten.set_num_threads(before)


@dataclasses.dataclass(repr=False, frozen=True)
class TaskSpec:
    """What a Timer was told, but for its globals. Measurements with equal ones are of the same task."""
    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self):
        """What is timed, in a few words, or the whole statement."""
        name = self.stmt if self.label is None else self.label
        if self.label is not None or "\n" not in name:
            return name + (f": {self.sub_label}" if self.sub_label else "")
        return f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}\n{textwrap.indent(name, '  ')}"

    def setup_str(self):
        """The setup as it is printed."""
        if self.setup in ("", "pass"):
            return ""
        return f"setup:\n{textwrap.indent(self.setup, '  ')}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self):
        """Title, description and setup: the head of a printed measurement."""
        parts = filter(None, (self.title, self.description, self.setup_str()))
        return "\n".join(f"{part}\n" if "\n" in part else part for part in parts)


@dataclasses.dataclass(repr=False)
class Measurement:
    """The seconds that runs of a statement took; `raw_times` holds one total for `number_per_run` runs each."""
    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = None

    def __getattr__(self, name):  # stmt, label and the like
        if name in TaskSpec.__dataclass_fields__:
            return getattr(self.task_spec, name)
        raise AttributeError(f"'Measurement' object has no attribute '{name}'")

    title = property(lambda self: self.task_spec.title, doc="The title of the measurement.")
    as_row_name = property(lambda self: self.sub_label or self.stmt or "[Unknown]", doc="The name of the row in a table.")

    @property
    def times(self):
        """Seconds of one run, one for each measurement."""
        return [t / self.number_per_run for t in self.raw_times]

    def _tensor(self):
        return corten.tensor(sorted(self.times), dtype=corten.float64)

    def _quantile(self, part):
        return self._tensor().quantile(part).item() if self.raw_times else -1.0

    @property
    def mean(self):
        """The mean time of one run."""
        return self._tensor().mean().item() if self.raw_times else -1.0

    @property
    def median(self):
        """The median time of one run."""
        return self._quantile(0.5)

    @property
    def iqr(self):
        """How far the middle half of the times spreads."""
        return self._quantile(0.75) - self._quantile(0.25)

    @property
    def significant_figures(self):
        """About how many digits of the median can be trusted, from the spread of the middle half."""
        n = len(self.raw_times)
        middle = corten.tensor(sorted(self.times)[n // 4:int(corten.tensor(3 * n / 4).ceil())])
        spread = 1.645 * middle.std(unbiased=False).item() / corten.tensor(len(middle)).sqrt().item()
        digits = corten.tensor(self.median / max(spread, _LEAST_INTERVAL)).log10().floor()
        return min(max(int(digits), 1), _MOST_DIGITS)

    def meets_confidence(self, threshold=_DOUBTFUL):
        """Whether the times spread by less than this part of the median."""
        return self.iqr / self.median < threshold

    @property
    def has_warnings(self):
        """Whether the times spread so far that they should not be trusted."""
        return bool(self._warnings())

    def _warnings(self):
        if not self.raw_times or self.meets_confidence(_DOUBTFUL):
            return []
        why = ("This could indicate system fluctuation." if self.meets_confidence(_SUSPECT)
               else "This suggests significant environmental influence.")
        return [f"  WARNING: Interquartile range is {self.iqr / self.median * 100:.1f}% of the median measurement.",
                f"           {why}"]

    def __repr__(self):
        n, (unit, length) = len(self.raw_times), select_unit(self.median)
        lines = [object.__repr__(self), *self.task_spec.summarize().split("\n"),
                 f"  {'Median: ' if n > 1 else ''}{self.median / length:.2f} {unit}"]
        if n >= 4:
            low, high = self._quantile(0.25), self._quantile(0.75)
            lines.append(f"  IQR:    {self.iqr / length:.2f} {unit} ({low / length:.2f} to {high / length:.2f})")
        lines.append(f"  {n} measurement{'s' * (n > 1)}, {self.number_per_run} runs "
                     f"{'per measurement,' if n > 1 else ','} {self.num_threads} thread{'s' * (self.num_threads > 1)}")
        return "\n".join(lines + self._warnings())

    @staticmethod
    def merge(measurements):
        """One measurement for each task, of the times of all that measured it."""
        found = {}
        for m in measurements:
            found.setdefault(m.task_spec, []).extend(m.times)
        return [Measurement(1, times, spec) for spec, times in found.items()]


Measurement.__module__ = TaskSpec.__module__ = "torch.utils.benchmark.utils.common"
