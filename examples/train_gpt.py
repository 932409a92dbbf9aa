# SPDX-License-Identifier: BSD-3-Clause
"""A small GPT that learns to add: it reads "27+85=" and writes the sum, last digit first. It is then tested on sums that it
has not seen.

    python examples/train_gpt.py [--steps 1500]
"""
import argparse

import corten
from corten import nn
from corten.nn import functional as F
from progress import Progress

LETTERS = "0123456789+= "
LENGTH = 9  # "27+85=211": the sum is written backwards


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self, width=64, heads=4, depth=2):
        super().__init__()
        self.letters, self.places = nn.Embedding(len(LETTERS), width), nn.Embedding(LENGTH, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(depth)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, len(LETTERS), bias=False)

    def forward(self, x):
        x = self.letters(x) + self.places(corten.arange(x.size(1)))
        return self.head(self.norm(self.blocks(x)))


def line(a, b):
    return f"{a:02}+{b:02}=" + f"{a + b:03}"[::-1]


def encode(lines):
    return corten.tensor([[LETTERS.index(c) for c in text] for text in lines])


def answers(net, pairs):
    """Returns what the network writes after the equals signs."""
    text = encode([line(a, b)[:6] for a, b in pairs])
    with corten.no_grad():
        for _ in range(3):
            text = corten.cat([text, net(text)[:, -1:].argmax(-1)], dim=1)
    return ["".join(LETTERS[i] for i in row[6:])[::-1] for row in text.tolist()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1500)
    options = parser.parse_args()
    corten.manual_seed(0)
    order = corten.randperm(10000).tolist()
    seen, new = order[:9000], order[9000:]
    lines = encode([line(i // 100, i % 100) for i in seen])
    net = GPT()
    optimizer = corten.optim.AdamW(net.parameters(), lr=2e-3)
    schedule = corten.optim.lr_scheduler.CosineAnnealingLR(optimizer, options.steps)
    progress = Progress(options.steps)
    for step in range(options.steps):
        batch = lines[corten.randint(len(seen), (128,))]
        scores = net(batch[:, :-1])[:, 5:]  # loss of the sum's digits only
        loss = F.cross_entropy(scores.flatten(0, 1), batch[:, 6:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        progress.show(step, loss.item())
    pairs = [(i // 100, i % 100) for i in new[:500]]
    said = answers(net, pairs)
    right = sum(text == f"{a + b:03}" for text, (a, b) in zip(said, pairs))
    for text, (a, b) in list(zip(said, pairs))[:5]:
        print(f"{a} + {b} = {text}")
    print(f"{right} of {len(pairs)} new sums right")


if __name__ == "__main__":
    main()
