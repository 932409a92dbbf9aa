# SPDX-License-Identifier: BSD-3-Clause
"""`Compare` of utils.benchmark: prints measurements as tables in PyTorch's layout, one table per label.

Each row is a thread count, an environment and a name; each column is a description."""
import enum

import corten

from ._measurement import Measurement, ordered_unique, select_unit, trim_sigfig, unit_to_english

_BEST, _GOOD, _BAD, _VERY_BAD = "\033[92m\033[1m", "\033[34m\033[1m", "\033[2m\033[91m", "\033[31m\033[1m"
_END = "\033[0m\033[0m"
_LEGEND = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n"


class Colorize(enum.Enum):
    """Whether the colour of a time compares it with the best of its column or of its row."""
    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


def _colour(text, time, best):
    """Colours a time by its ratio to the best time."""
    if time <= best * 1.01 or time <= best + 100e-9:
        return _BEST + text + _END
    if time <= best * 1.1:
        return _GOOD + text + _END
    if time >= best * 5:
        return _VERY_BAD + text + _END
    return _BAD + text + _END if time >= best * 2 else text


class _Column:
    """Formats the times of one description: equal width, and as many digits as all of them support."""

    def __init__(self, results, scale, trim, warn):
        there = [r for r in results if r]
        self.scale, self.trim = scale, trim
        self.warn = warn and any(r.has_warnings for r in there)
        digits = [int(corten.tensor(r.median / scale).log10().ceil()) for r in there]
        after = min(max(r.significant_figures - d, 0) for d, r in zip(digits, there)) if trim else 1
        self.width, self.after = max(digits) + after + (after > 0), after

    def text(self, result):
        if result is None:
            return " " * len(self._text(1, 1, None))
        spread = result.iqr / result.median if result.has_warnings else None
        return self._text(result.median / self.scale, result.significant_figures, spread)

    def _text(self, number, digits, spread):
        number = trim_sigfig(number, digits) if self.trim else number
        mark = f" (! {spread * 100:.0f}%)" if self.warn and spread is not None else ""
        return f"{number:>{self.width}.{self.after}f}{mark:>{7 if self.warn else 0}}"


class _Table:
    """The table of all measurements with one label."""

    def __init__(self, results, colorize, trim, warn):
        self.results, self.colorize, self.warn = results, colorize, warn
        self.unit, self.scale = select_unit(min(r.median for r in results))
        keys = ordered_unique((r.num_threads, r.env, r.as_row_name) for r in results)
        self.keys = sorted(keys, key=lambda key: key[:2])  # stable sort: names keep their order
        self.names = ordered_unique(r.description for r in results)
        found = {(r.num_threads, r.env, r.as_row_name, r.description): r for r in results}
        self.cells = [[found.get((*key, name)) for name in self.names] for key in self.keys]
        self.columns = [_Column(column, self.scale, trim, warn) for column in zip(*self.cells)]

    def _row_heads(self):
        """Returns the first column: row names, and the environment where it changes."""
        envs = {r.env for r in self.results}
        width = max(len(env) for env in envs) if len(envs) > 1 else 0
        heads, before = [], (-1, "")
        for threads, env, name in self.keys:
            new = len(envs) > 1 and env != (before[1] if threads == before[0] else "")
            heads.append("  " + (f"({env})" if new else "").ljust(width + 4) + name)
            before = threads, env
        return heads

    def _best(self, row, column):
        """Returns the time that a cell is compared with; None without colours."""
        if self.colorize == Colorize.NONE:
            return None
        if self.colorize == Colorize.ROWWISE:
            rivals = self.cells[row]
        else:
            threads = self.keys[row][0]
            rivals = [cells[column] for key, cells in zip(self.keys, self.cells) if key[0] == threads]
        return min(r.median for r in rivals if r)

    def _line(self, row, texts, widths):
        line = [texts[0].ljust(widths[0])]
        for i, (text, width) in enumerate(zip(texts[1:], widths[1:])):
            result, text = self.cells[row][i], text.center(width)
            best = self._best(row, i) if result else None
            line.append(text if best is None else _colour(text, result.median, best))
        return "  |  ".join(line)

    def render(self):
        lines = [[head, *(column.text(r) for column, r in zip(self.columns, cells))]
                 for head, cells in zip(self._row_heads(), self.cells)]
        widths = [max(map(len, column)) for column in zip(["", *self.names], *lines)]
        text = ["  |  ".join(name.center(width) for name, width in zip(["", *self.names], widths))]
        whole, before = len(text[0]), None
        for row, (key, texts) in enumerate(zip(self.keys, lines)):
            if key[0] != before:
                text.append(f"{key[0]} threads: ".ljust(whole, "-"))
            before = key[0]
            text.append(self._line(row, texts, widths))
        title = f" {self.results[0].label or ''} ".center(whole - 2, "-")
        legend = _LEGEND if self.warn and any(r.has_warnings for r in self.results) else ""
        return (f"[{title}]\n" + "\n".join(text)
                + f"\n\nTimes are in {unit_to_english(self.unit)}s ({self.unit}).\n{legend}")


class Compare:
    """Compares measurements side by side: `print(Compare(results))`."""

    def __init__(self, results):
        self._results = []
        self.extend_results(results)
        self._trim, self._colorize, self._warn = False, Colorize.NONE, False

    def extend_results(self, results):
        """Adds more measurements."""
        for r in results:
            if not isinstance(r, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(r)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        """Shows only significant digits."""
        self._trim = True

    def colorize(self, rowwise=False):
        """Colours times by their ratio to the best time of their column, or of their row."""
        self._colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self):
        """Marks times with a large spread."""
        self._warn = True

    def __str__(self):
        labels = {}
        for r in Measurement.merge(self._results):
            labels.setdefault(r.label, []).append(r)
        return "\n".join(_Table(group, self._colorize, self._trim, self._warn).render() for group in labels.values())

    def print(self):
        """Prints the tables."""
        print(str(self))


Colorize.__module__ = Compare.__module__ = "torch.utils.benchmark.utils.compare"
