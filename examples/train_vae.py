# SPDX-License-Identifier: BSD-3-Clause
"""A variational autoencoder of small pictures: discs of random position and size, drawn here. Prints pictures that it generates.

    python examples/train_vae.py [--steps 600]
"""
import argparse

import corten
from corten import nn
from corten.nn import functional as F
from progress import Progress

SIZE = 16
SHADES = " .:-=+*#%@"


def discs(n):
    y, x = corten.meshgrid(corten.linspace(-1, 1, SIZE), corten.linspace(-1, 1, SIZE), indexing="ij")
    place, radius = corten.rand(n, 2, 1, 1) - 0.5, 0.3 + 0.3 * corten.rand(n, 1, 1)
    distance = ((x - place[:, 0])**2 + (y - place[:, 1])**2).sqrt()
    return corten.sigmoid((radius - distance) * 20)


class VAE(nn.Module):
    def __init__(self, inner=4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(SIZE * SIZE, 128), nn.ReLU(), nn.Linear(128, 2 * inner))
        self.decoder = nn.Sequential(nn.Linear(inner, 128), nn.ReLU(), nn.Linear(128, SIZE * SIZE), nn.Sigmoid(),
                                     nn.Unflatten(1, (SIZE, SIZE)))

    def forward(self, x):
        mean, log_var = self.encoder(x).chunk(2, dim=1)
        z = mean + corten.randn_like(mean) * (0.5 * log_var).exp()
        return self.decoder(z), mean, log_var


def draw(images):
    """Prints pictures next to each other, one character for two rows of pixels."""
    for row in range(0, SIZE, 2):
        print("   ".join("".join(SHADES[min(int(v * 10), 9)] for v in image[row].tolist()) for image in images))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=600)
    options = parser.parse_args()
    corten.manual_seed(0)
    net = VAE()
    optimizer = corten.optim.Adam(net.parameters(), lr=2e-3)
    progress = Progress(options.steps)
    for step in range(options.steps):
        images = discs(64)
        made, mean, log_var = net(images)
        error = F.binary_cross_entropy(made, images, reduction="sum")
        divergence = -0.5 * (1 + log_var - mean**2 - log_var.exp()).sum()
        loss = (error + divergence) / 64
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        progress.show(step, loss.item())
    with corten.no_grad():
        draw(net.decoder(corten.randn(5, 4)))


if __name__ == "__main__":
    main()
