# SPDX-License-Identifier: BSD-3-Clause
"""explain(a, b): how shapes broadcast, dim by dim, or why they do not; as text and as SVG."""
import textwrap
from html import escape


class Broadcast:
    """Shapes aligned at their last dims, with the resulting size of each column."""

    def __init__(self, *operands):
        self.shapes = [tuple(getattr(x, "shape", x if isinstance(x, (tuple, list)) else ())) for x in operands]
        self.ndim = max((len(s) for s in self.shapes), default=0)
        self.rows = [(None,) * (self.ndim - len(s)) + s for s in self.shapes]
        self.columns = [self._column([row[i] for row in self.rows]) for i in range(self.ndim)]
        self.shape = None if any(size is None for size, _ in self.columns) else tuple(size for size, _ in self.columns)

    @staticmethod
    def _column(sizes):
        known = {s for s in sizes if s not in (None, 1)}
        if len(known) > 1:
            return None, "clash"
        size = known.pop() if known else 1
        if any(s is None for s in sizes) or (size != 1 and any(s == 1 for s in sizes)):
            return size, "stretched"
        return size, "equal"

    def _lines(self):
        names = [chr(ord("a") + i) for i in range(len(self.rows))]
        cells = [[("." if s is None else str(s)) for s in row] for row in self.rows]
        result = ["?" if size is None else str(size) for size, _ in self.columns]
        marks = [{"clash": "^", "stretched": "~", "equal": ""}[kind] for _, kind in self.columns]
        widths = [max(len(r[i]) for r in (*cells, result, marks)) for i in range(self.ndim)]

        def line(head, row):
            return f"{head:7s}" + "  ".join(c.rjust(w) for c, w in zip(row, widths))
        yield from (line(name, row).rstrip() for name, row in zip(names, cells))
        yield line("result", result).rstrip()
        if any(marks):
            yield line("", marks).rstrip()

    def why(self):
        """Explains the result in a sentence."""
        if self.shape is not None:
            stretched = [i - self.ndim for i, (_, kind) in enumerate(self.columns) if kind == "stretched"]
            if not stretched:
                return "The shapes are equal: no dim is stretched."
            which = f"Dim {stretched[0]} is" if len(stretched) == 1 else f"Dims {', '.join(map(str, stretched))} are"
            return f"{which} stretched: a size of 1 (or none) is read again and again, nothing is copied."
        bad = [i for i, (size, _) in enumerate(self.columns) if size is None]
        sizes = sorted({row[bad[-1]] for row in self.rows if row[bad[-1]] not in (None, 1)})
        text = f"Dim {bad[-1] - self.ndim} has the sizes {' and '.join(map(str, sizes))}: they must be equal, or one of them 1."
        for i, shape in enumerate(self.shapes):
            if len(shape) == 1 and self.ndim > 1 and any(len(o) > 1 and o[-2] == shape[0] for o in self.shapes):
                text += f" {chr(ord('a') + i)}[:, None] would run along the rows."
        return text

    def __repr__(self):
        return "\n".join((*self._lines(), "", self.why()))

    def _repr_svg_(self):
        """Draws the table with the sentence below it, wrapped to the width.

        The background is white because the text is black, and the notebook may have a dark theme.
        """
        colors = {"clash": "#f4b6b6", "stretched": "#fbe3a1", "equal": "#cfe8cf"}
        table_height = 30 * (len(self.rows) + 1) + 20
        width = max(90 + 60 * self.ndim, 420)
        letter = 7.3  # pixels per letter at font size 12
        lines = textwrap.wrap(self.why(), int((width - 16) / letter))
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{table_height + 16 * len(lines) + 8}" '
                 'font-family="monospace" font-size="15">', '<rect width="100%" height="100%" fill="#fff"/>']
        rows = [*self.rows, tuple("?" if size is None else size for size, _ in self.columns)]
        for y, row in enumerate(rows):
            name = chr(ord("a") + y) if y < len(self.rows) else "result"
            parts.append(f'<text x="8" y="{25 + 30 * y}">{name}</text>')
            for x, size in enumerate(row):
                dashed = ' stroke-dasharray="3"' if size is None else ""
                fill = "none" if size is None else colors[self.columns[x][1]]
                parts.append(f'<rect x="{80 + 60 * x}" y="{6 + 30 * y}" width="52" height="26" fill="{fill}" stroke="#888"{dashed}/>')
                if size is not None:
                    parts.append(f'<text x="{106 + 60 * x}" y="{25 + 30 * y}" text-anchor="middle">{escape(str(size))}</text>')
        parts += [f'<text x="8" y="{table_height + 16 * i}" font-size="12">{escape(line)}</text>' for i, line in enumerate(lines)]
        return "".join((*parts, "</svg>"))
