# SPDX-License-Identifier: BSD-3-Clause
"""A small ResNet on images of CIFAR's shape: basic blocks, SGD with momentum, a schedule, accuracy, a checkpoint."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

parser = argparse.ArgumentParser(description="ResNet")
parser.add_argument("--lr", default=0.02, type=float, help="learning rate")
parser.add_argument("--steps", default=10, type=int)
parser.add_argument("--resume", "-r", action="store_true")
args = parser.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, in_planes, planes, stride=1):
        super(BasicBlock, self).__init__()
        self.conv1 = nn.Conv2d(in_planes, planes, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, kernel_size=3, stride=1, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.shortcut = nn.Sequential()
        if stride != 1 or in_planes != self.expansion * planes:
            self.shortcut = nn.Sequential(
                nn.Conv2d(in_planes, self.expansion * planes, kernel_size=1, stride=stride, bias=False),
                nn.BatchNorm2d(self.expansion * planes))

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += self.shortcut(x)
        return F.relu(out)


class ResNet(nn.Module):
    def __init__(self, block, num_blocks, num_classes=10, width=8):
        super(ResNet, self).__init__()
        self.in_planes = width
        self.conv1 = nn.Conv2d(3, width, kernel_size=3, stride=1, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.layer1 = self._make_layer(block, width, num_blocks[0], stride=1)
        self.layer2 = self._make_layer(block, 2 * width, num_blocks[1], stride=2)
        self.layer3 = self._make_layer(block, 4 * width, num_blocks[2], stride=2)
        self.linear = nn.Linear(4 * width * block.expansion, num_classes)

    def _make_layer(self, block, planes, num_blocks, stride):
        layers = []
        for stride in [stride] + [1] * (num_blocks - 1):
            layers.append(block(self.in_planes, planes, stride))
            self.in_planes = planes * block.expansion
        return nn.Sequential(*layers)

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.layer3(self.layer2(self.layer1(out)))
        out = F.avg_pool2d(out, 8)
        out = out.view(out.size(0), -1)
        return self.linear(out)


print("==> Preparing data..")
prototypes = torch.randn(10, 3, 32, 32)


def batch(n=16):
    targets = torch.randint(10, (n,))
    images = prototypes[targets] + 0.7 * torch.randn(n, 3, 32, 32)
    flip = torch.rand(n) < 0.5
    images[flip] = images[flip].flip(-1)
    return images, targets


print("==> Building model..")
net = ResNet(BasicBlock, [1, 1, 1])
net = net.to(device)
if device == "cuda":
    net = torch.nn.DataParallel(net)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.steps)

net.train()
train_loss, correct, total = 0, 0, 0
for batch_idx in range(args.steps):
    inputs, targets = batch()
    inputs, targets = inputs.to(device), targets.to(device)
    optimizer.zero_grad()
    outputs = net(inputs)
    loss = criterion(outputs, targets)
    loss.backward()
    optimizer.step()
    scheduler.step()
    train_loss += loss.item()
    _, predicted = outputs.max(1)
    total += targets.size(0)
    correct += predicted.eq(targets).sum().item()
    print("%d Loss: %.4f | running %.4f" % (batch_idx, loss.item(), train_loss / (batch_idx + 1)))

net.eval()
with torch.no_grad():
    inputs, targets = batch(32)
    outputs = net(inputs.to(device))
    print("test loss %.3f" % criterion(outputs, targets.to(device)).item())
state = {"net": net.state_dict(), "acc": 100. * correct / total, "epoch": 0}
again = ResNet(BasicBlock, [1, 1, 1])
again.load_state_dict(state["net"])
print(torch.allclose(again.eval().to(device)(inputs.to(device)), outputs), len(state["net"]))
