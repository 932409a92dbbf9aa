# SPDX-License-Identifier: BSD-3-Clause
"""A generative adversarial network that learns a ring of eight clusters, and draws where its points fall.

    python examples/train_gan.py [--steps 1500]
"""
import argparse
import math

import corten
from corten import nn
from progress import Progress


def ring(n):
    angle = corten.randint(8, (n,)) * (math.pi / 4)
    return corten.stack([angle.cos(), angle.sin()], dim=1) + 0.05 * corten.randn(n, 2)


def network(inputs, outputs, width=64):
    return nn.Sequential(nn.Linear(inputs, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2),
                         nn.Linear(width, outputs))


def draw(points, rows=17):
    """Draws a density map of the points."""
    cells = [[0] * (2 * rows) for _ in range(rows)]
    for x, y in points.tolist():
        row, column = int((1.4 - y) / 2.8 * rows), int((x + 1.4) / 2.8 * 2 * rows)
        if 0 <= row < rows and 0 <= column < 2 * rows:
            cells[row][column] += 1
    for line in cells:
        print("".join(" .:*#@"[min(count, 5)] for count in line))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1500)
    options = parser.parse_args()
    corten.manual_seed(0)
    maker, judge = network(8, 2), network(2, 1)
    optimizers = [corten.optim.Adam(net.parameters(), lr=1e-3, betas=(0.5, 0.9)) for net in (maker, judge)]
    criterion = nn.BCEWithLogitsLoss()
    yes, no = corten.ones(128, 1), corten.zeros(128, 1)
    progress = Progress(options.steps)
    for step in range(options.steps):
        fake = maker(corten.randn(128, 8))
        judged = criterion(judge(ring(128)), yes) + criterion(judge(fake.detach()), no)
        optimizers[1].zero_grad()
        judged.backward()
        optimizers[1].step()
        fooled = criterion(judge(fake), yes)
        optimizers[0].zero_grad()
        fooled.backward()
        optimizers[0].step()
        progress.show(step, judged.item(), f"maker {fooled.item():.3f}")
    with corten.no_grad():
        points = maker(corten.randn(1000, 8))
    draw(points)
    print(f"mean distance from the middle {points.norm(dim=1).mean().item():.3f}")


if __name__ == "__main__":
    main()
