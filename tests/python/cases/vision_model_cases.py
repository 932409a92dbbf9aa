# SPDX-License-Identifier: BSD-3-Clause
"""Test cases for torchvision's networks. test_vision_models.py runs them with corten.vision.models and compares the results with
torchvision's, which `make record` writes to tests/recorded/python/vision_model.json.gz if torchvision is installed.

Each network is created after manual_seed(0) and applied in eval mode to two random images drawn after manual_seed(1). The
recorded values are its output and the sum of the absolute gradient of its first weight."""
import hashlib
import json

import recorded

MODELS = {  # constructor arguments, height and width of the image
    "resnet18": ({}, 64), "resnet50": ({}, 64), "resnext50_32x4d": ({}, 64), "alexnet": ({}, 64), "vgg11_bn": ({"init_weights": False}, 32), "mobilenet_v2": ({}, 64),
    "mobilenet_v3_small": ({}, 64), "vit_b_16": ({"image_size": 32}, 32), "squeezenet1_1": ({}, 64), "densenet121": ({}, 64),
}


def keys(torch, models, name):
    """Returns the number of state dict entries, a digest of their names and shapes, and the number of parameters."""
    with torch.device("meta"):
        net = models.get_model(name)
    found = [(k, list(v.shape)) for k, v in net.state_dict().items()]
    return [len(found), hashlib.md5(json.dumps(found).encode()).hexdigest(), sum(p.numel() for p in net.parameters())]


def first_values(torch, models, name):
    torch.manual_seed(0)
    net = models.get_model(name, num_classes=10)
    return [v.double().abs().sum().item() for v in list(net.state_dict().values())[::37]]


def answer(torch, models, name):
    args, side = MODELS[name]
    torch.manual_seed(0)
    net = getattr(models, name)(num_classes=10, **args).eval()
    torch.manual_seed(1)
    x = torch.randn(2, 3, side, side)
    if name.startswith("vit"):  # its last layer is initialised with zeros
        torch.nn.init.normal_(net.heads.head.weight)
    out = net(x)
    out.square().sum().backward()
    return [out.detach().flatten().tolist(), next(net.parameters()).grad.double().abs().sum().item()]


def facts(torch):
    """Returns the facts of the networks that the record has already: parameter names and shapes, initial values, outputs."""
    import torchvision.models as models
    before = recorded.read("python/vision_model")
    return {"keys": {name: keys(torch, models, name) for name in before["keys"]},
            "init": {name: first_values(torch, models, name) for name in before["init"]},
            "forward": {name: answer(torch, models, name) for name in MODELS}}
