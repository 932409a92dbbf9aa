# SPDX-License-Identifier: BSD-3-Clause
"""A variational autoencoder on 28 x 28 images of rectangles."""
from __future__ import print_function

import argparse

import torch
import torch.utils.data
from torch import nn, optim
from torch.nn import functional as F

parser = argparse.ArgumentParser(description="VAE")
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--steps", type=int, default=10)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
torch.manual_seed(args.seed)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Rectangles(torch.utils.data.Dataset):
    def __init__(self, n):
        self.images = torch.zeros(n, 1, 28, 28)
        for i in range(n):
            top, left, height, width = torch.randint(2, 14, (4,)).tolist()
            self.images[i, 0, top:top + height, left:left + width] = 1.0

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], index


class VAE(nn.Module):
    def __init__(self):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(784, 64)
        self.fc21 = nn.Linear(64, 8)
        self.fc22 = nn.Linear(64, 8)
        self.fc3 = nn.Linear(8, 64)
        self.fc4 = nn.Linear(64, 784)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 784))
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 784), reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


loader = torch.utils.data.DataLoader(Rectangles(args.batch_size * args.steps), batch_size=args.batch_size, shuffle=True)
model = VAE().to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)
model.train()
for batch_idx, (data, _) in enumerate(loader):
    data = data.to(device)
    optimizer.zero_grad()
    recon_batch, mu, logvar = model(data)
    loss = loss_function(recon_batch, data, mu, logvar)
    loss.backward()
    optimizer.step()
    print("[{}/{}] Loss: {:.6f}".format(batch_idx * len(data), len(loader.dataset), loss.item() / len(data)))
with torch.no_grad():
    sample = model.decode(torch.randn(4, 8).to(device)).cpu()
print(tuple(sample.view(4, 1, 28, 28).shape), "mean %.3f" % sample.mean().item())
