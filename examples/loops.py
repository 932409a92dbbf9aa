# SPDX-License-Identifier: BSD-3-Clause
"""Three training loops: a line fitted with handwritten gradient descent, a thousand weights fitted the same way, and the same with a
module, an optimizer and a schedule. The true values are known, so you can see each loop converge to them.

    python examples/loops.py [--steps 300] [--device cpu]
"""
import argparse

import corten
from corten import nn
from progress import Progress


def line(steps):
    """Fits y = 3 x - 2 to points without noise: two leaves, their gradients, and an update under no_grad."""
    w, b = corten.zeros(1, requires_grad=True), corten.zeros(1, requires_grad=True)
    progress = Progress(steps)
    for step in range(steps):
        x = corten.randn(20, 1)
        loss = ((w * x + b - (3 * x - 2)) ** 2).mean()
        loss.backward()
        with corten.no_grad():
            for p in (w, b):
                p -= 0.05 * p.grad
                p.grad = None
        progress.show(step, loss.item(), f"w {w.item():6.3f}  b {b.item():6.3f}")


def plane(steps, device, n=1000):
    """The same with a thousand weights: one matrix product per step, on any device."""
    truth = corten.full((n,), 4.0, device=device)
    w = corten.randn(n, device=device, requires_grad=True)
    progress = Progress(steps)
    for step in range(steps):
        x = corten.randn(64, n, device=device)
        loss = ((x @ w - x @ truth) ** 2).mean() / 2
        loss.backward()
        with corten.no_grad():
            w -= 0.02 * w.grad
            w.grad.zero_()
        progress.show(step, loss.item(), f"distance {(w - truth).norm().item():8.4f}")


def comfortable(steps, device):
    """A module holds the parameters, an optimizer takes the steps, a schedule makes them smaller."""
    net = nn.Linear(1000, 1).to(device)
    optimizer = corten.optim.SGD(net.parameters(), lr=0.02, momentum=0.5)
    schedule = corten.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    progress = Progress(steps)
    for step in range(steps):
        x = corten.randn(64, 1000, device=device)
        loss = nn.functional.mse_loss(net(x), 4 * x.sum(1, keepdim=True) - 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        progress.show(step, loss.item(), f"lr {schedule.get_last_lr()[0]:.4f}  bias {net.bias.item():6.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    corten.manual_seed(0)
    print("two numbers")
    line(options.steps)
    print("a thousand numbers")
    plane(options.steps, options.device)
    print("a thousand numbers, comfortably")
    comfortable(options.steps, options.device)


if __name__ == "__main__":
    main()
