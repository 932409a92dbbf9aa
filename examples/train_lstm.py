# SPDX-License-Identifier: BSD-3-Clause
"""An LSTM that learns to predict the characters of sentences from a small grammar, then writes its own.

    python examples/train_lstm.py [--steps 400]
"""
import argparse
import random

import corten
from corten import nn
from corten.nn import functional as F
from progress import Progress

WHO = ["the smith", "a red tower", "the old bridge", "my ship", "the rain", "a quiet gate"]
DOES = ["rusts", "holds", "turns", "waits", "shines", "stands"]
WHERE = ["by the sea", "in the morning", "under the moss", "without a sound", "for a hundred years"]


def sentences(n):
    return "".join(f"{random.choice(WHO)} {random.choice(DOES)} {random.choice(WHERE)}.\n" for _ in range(n))


class Speller(nn.Module):
    def __init__(self, letters, width=96):
        super().__init__()
        self.embedding = nn.Embedding(letters, 24)
        self.lstm = nn.LSTM(24, width, num_layers=2, batch_first=True)
        self.head = nn.Linear(width, letters)

    def forward(self, x, state=None):
        y, state = self.lstm(self.embedding(x), state)
        return self.head(y), state


def write(net, letters, length):
    """Samples one character at a time and carries the state along."""
    text, state, last = "", None, corten.tensor([[letters.index("\n")]])
    with corten.no_grad():
        for _ in range(length):
            scores, state = net(last, state)
            last = corten.multinomial(F.softmax(scores[0, -1] / 0.7, dim=-1), 1).view(1, 1)
            text += letters[last.item()]
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    corten.manual_seed(0)
    random.seed(0)
    text = sentences(400)
    letters = sorted(set(text))
    data = corten.tensor([letters.index(c) for c in text])
    net = Speller(len(letters))
    optimizer = corten.optim.Adam(net.parameters(), lr=3e-3)
    progress = Progress(options.steps)
    for step in range(options.steps):
        starts = corten.randint(len(data) - 49, (16, 1)) + corten.arange(49)
        chunk = data[starts]
        scores, _ = net(chunk[:, :-1])
        loss = F.cross_entropy(scores.flatten(0, 1), chunk[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        progress.show(step, loss.item())
    print(write(net, letters, 300))


if __name__ == "__main__":
    main()
