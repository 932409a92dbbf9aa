# SPDX-License-Identifier: BSD-3-Clause
"""A progress line for training: step, loss, a curve of the loss, steps per second."""
import sys
import time

BARS = "▁▂▃▄▅▆▇█"


class Progress:
    """`show(step, loss)` redraws the line; the curve shows up to `width` means of the loss. A file gets only the last line."""

    def __init__(self, steps, width=30):
        self.steps, self.width = steps, width
        self.losses, self.begin, self.drawn = [], time.time(), 0.0

    def curve(self):
        size = max(-(-len(self.losses) // self.width), 1)
        means = [sum(part) / len(part) for part in (self.losses[i:i + size] for i in range(0, len(self.losses), size))]
        low, high = min(means), max(means)
        return "".join(BARS[int((x - low) / (high - low or 1) * 7)] for x in means)

    def show(self, step, loss, more=""):
        self.losses.append(loss)
        now = time.time()
        last = step + 1 == self.steps
        if (now - self.drawn < 0.1 or not sys.stdout.isatty()) and not last:
            return
        self.drawn = now
        rate = (step + 1) / max(now - self.begin, 1e-9)
        end = "\n" if last else "\r"
        print(f"step {step + 1:5}/{self.steps}  loss {loss:8.4f}  {self.curve():{self.width}}  {rate:6.1f}/s  {more}", end=end)
        sys.stdout.flush()
