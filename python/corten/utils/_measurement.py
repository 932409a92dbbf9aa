# SPDX-License-Identifier: BSD-3-Clause
"""`Measurement` and `TaskSpec` of utils.benchmark: results of a Timer, with units and significant digits.

Statistics are computed with Corten's own operations. `Compare` prints several measurements as a table."""
import contextlib
import dataclasses
import textwrap
from typing import Any

import corten

_MOST_DIGITS = 4
_LEAST_INTERVAL = 25e-9  # seconds; smaller intervals count as this
_DOUBTFUL, _SUSPECT = 0.1, 0.25  # interquartile range over median at which a measurement warns
_UNITS = {-3: ("ns", 1e-9), -2: ("us", 1e-6), -1: ("ms", 1e-3)}
_WORDS = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}


def select_unit(t):
    """Returns the unit that suits a time in seconds, with its length in seconds: ("ms", 1e-3)."""
    return _UNITS.get(int(corten.tensor(t).log10().item() // 3), ("s", 1))


def unit_to_english(u):
    """Returns the name of a unit: "ms" -> "millisecond"."""
    return _WORDS[u]


def trim_sigfig(x, n):
    """Rounds a number to n significant digits: trim_sigfig(3.14159, 2) -> 3.1."""
    if n != int(n):
        raise AssertionError("Number of significant figures must be an integer")
    scale = 10 ** (int(corten.tensor(x).abs().log10().ceil().item()) - n)
    return float(corten.tensor(x / scale).round() * scale)


def ordered_unique(elements):
    """Removes duplicates and keeps the order."""
    return list(dict.fromkeys(elements))


@contextlib.contextmanager
def set_torch_threads(n):
    """Context manager that sets the number of threads."""
    before = corten.get_num_threads()
    try:
        corten.set_num_threads(n)
        yield
    finally:
        corten.set_num_threads(before)


@dataclasses.dataclass(repr=False, frozen=True)
class TaskSpec:
    """The arguments of a Timer, except globals. Measurements with equal TaskSpecs belong together."""
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
        """Returns the label of the task, or the statement itself."""
        name = self.stmt if self.label is None else self.label
        if self.label is not None or "\n" not in name:
            return name + (f": {self.sub_label}" if self.sub_label else "")
        return f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}\n{textwrap.indent(name, '  ')}"

    def setup_str(self):
        """Returns the setup code as it is printed."""
        if self.setup in ("", "pass"):
            return ""
        return f"setup:\n{textwrap.indent(self.setup, '  ')}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self):
        """Returns title, description and setup, the head of a printed measurement."""
        parts = filter(None, (self.title, self.description, self.setup_str()))
        return "\n".join(f"{part}\n" if "\n" in part else part for part in parts)


@dataclasses.dataclass(repr=False)
class Measurement:
    """The timings of a statement: each of `raw_times` is the seconds of `number_per_run` runs."""
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
        """Seconds per run, one value for each measurement."""
        return [t / self.number_per_run for t in self.raw_times]

    def _tensor(self):
        return corten.tensor(sorted(self.times), dtype=corten.float64)

    def _quantile(self, part):
        return self._tensor().quantile(part).item() if self.raw_times else -1.0

    @property
    def mean(self):
        """Mean time per run in seconds."""
        return self._tensor().mean().item() if self.raw_times else -1.0

    @property
    def median(self):
        """Median time per run in seconds."""
        return self._quantile(0.5)

    @property
    def iqr(self):
        """Interquartile range of the times, in seconds."""
        return self._quantile(0.75) - self._quantile(0.25)

    @property
    def significant_figures(self):
        """Estimated number of significant digits of the median, from the interquartile range."""
        n = len(self.raw_times)
        middle = corten.tensor(sorted(self.times)[n // 4:int(corten.tensor(3 * n / 4).ceil())])
        spread = 1.645 * middle.std(unbiased=False).item() / corten.tensor(len(middle)).sqrt().item()
        digits = corten.tensor(self.median / max(spread, _LEAST_INTERVAL)).log10().floor()
        return min(max(int(digits), 1), _MOST_DIGITS)

    def meets_confidence(self, threshold=_DOUBTFUL):
        """Returns whether the interquartile range is below `threshold` times the median."""
        return self.iqr / self.median < threshold

    @property
    def has_warnings(self):
        """Whether the times vary so much that the result is unreliable."""
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
        """Merges measurements of equal tasks; returns one Measurement per task."""
        found = {}
        for m in measurements:
            found.setdefault(m.task_spec, []).extend(m.times)
        return [Measurement(1, times, spec) for spec, times in found.items()]


Measurement.__module__ = TaskSpec.__module__ = "torch.utils.benchmark.utils.common"
