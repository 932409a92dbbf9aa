# SPDX-License-Identifier: BSD-3-Clause
"""Adds to models.json, beside this file, what torchvision's networks answer: make_models.py, with a Python that has torchvision.

A network is made after manual_seed(0) and gets two pictures drawn after manual_seed(1): its answer in eval mode, and the sum of the
magnitudes of the gradient of its first weights."""
import json
import pathlib
import sys

MODELS = {  # arguments, side of the picture
    "resnet18": ({}, 64), "resnet50": ({}, 64), "resnext50_32x4d": ({}, 64), "alexnet": ({}, 64), "vgg11_bn": ({"init_weights": False}, 32), "mobilenet_v2": ({}, 64),
    "mobilenet_v3_small": ({}, 64), "vit_b_16": ({"image_size": 32}, 32), "squeezenet1_1": ({}, 64), "densenet121": ({}, 64),
}


def answer(torch, models, name):
    args, side = MODELS[name]
    torch.manual_seed(0)
    net = getattr(models, name)(num_classes=10, **args).eval()
    torch.manual_seed(1)
    x = torch.randn(2, 3, side, side)
    if name.startswith("vit"):  # whose last layer begins with zeros
        torch.nn.init.normal_(net.heads.head.weight)
    out = net(x)
    out.square().sum().backward()
    return [out.detach().flatten().tolist(), next(net.parameters()).grad.double().abs().sum().item()]


if __name__ == "__main__":
    import torch
    import torchvision
    path = pathlib.Path(__file__).parent / "models.json"
    facts = json.loads(path.read_text())
    facts["forward"] = {name: answer(torch, torchvision.models, name) for name in sys.argv[1:] or MODELS}
    path.write_text(json.dumps(facts, indent=0) + "\n")
