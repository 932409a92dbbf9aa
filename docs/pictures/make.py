# SPDX-License-Identifier: BSD-3-Clause
"""Makes the images of this folder, which README shows: make.py FOLDER."""
import pathlib
import sys

import corten
from corten.vision.utils import save_image


def storage(path):
    """Draws a transposed view of six numbers."""
    path.write_text(corten.explain(corten.arange(6).view(2, 3).t())._repr_svg_())


def julia(path):
    """Counts for how many steps of z^2 + c each point of a region of the plane stays near 0."""
    y, x = corten.meshgrid(corten.linspace(1.0, -1.0, 200), corten.linspace(-1.6, 1.6, 320), indexing="ij")
    z, steps = corten.complex(x, y), corten.zeros(200, 320)
    for _ in range(60):
        near = z.abs() < 2
        z = corten.where(near, z * z + (-0.8 + 0.156j), z)
        steps += near
    t = (steps / 60) ** 0.6
    save_image(corten.stack([t, t ** 2 * 0.7, (1 - t) * t * 1.6]).clamp(0, 1), path)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    storage(folder / "storage.svg")
    julia(folder / "julia.png")
