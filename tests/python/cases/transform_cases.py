# SPDX-License-Identifier: BSD-3-Clause
"""Calls of image transforms. test_vision.py runs them with corten.vision and compares the images with torchvision's, which
`make record` writes to tests/recorded/python/transform.json.gz if torchvision is installed."""
CALLS = {
    "brightness": lambda F, T, I, x: F.adjust_brightness(x, 1.3),
    "contrast": lambda F, T, I, x: F.adjust_contrast(x, 0.6),
    "saturation": lambda F, T, I, x: F.adjust_saturation(x, 1.7),
    "hue": lambda F, T, I, x: F.adjust_hue(x, 0.2),
    "gamma": lambda F, T, I, x: F.adjust_gamma(x, 0.7),
    "gray": lambda F, T, I, x: F.rgb_to_grayscale(x, 3),
    "autocontrast": lambda F, T, I, x: F.autocontrast(x),
    "sharpness": lambda F, T, I, x: F.adjust_sharpness(x, 2.0),
    "blur": lambda F, T, I, x: F.gaussian_blur(x, [3, 5], [0.8, 1.2]),
    "rotate": lambda F, T, I, x: F.rotate(x, 30),
    "rotate smoothly": lambda F, T, I, x: F.rotate(x, 30, I.BILINEAR),
    "rotate and expand": lambda F, T, I, x: F.rotate(x, 30, expand=True),
    "affine": lambda F, T, I, x: F.affine(x, 10, [2, 1], 1.2, [5.0, 3.0]),
    "affine with fill": lambda F, T, I, x: F.affine(x, 10, [2, 1], 1.2, [5.0, 3.0], I.BILINEAR, fill=[0.5, 0.5, 0.5]),
    "perspective": lambda F, T, I, x: F.perspective(x, [[0, 0], [11, 0], [11, 8], [0, 8]], [[1, 1], [10, 0], [11, 7], [0, 8]]),
    "pad": lambda F, T, I, x: F.pad(x, [1, 2, 3, 1], padding_mode="symmetric"),
    "center crop": lambda F, T, I, x: F.center_crop(x, [11, 7]),
    "resize": lambda F, T, I, x: F.resize(x, [5, 7]),
    "resize nearest": lambda F, T, I, x: F.resize(x, [5, 7], I.NEAREST),
    "resize bicubic": lambda F, T, I, x: F.resize(x, [15, 17], I.BICUBIC),
    "jitter": lambda F, T, I, x: T.ColorJitter(0.3, 0.3, 0.3, 0.1)(x),
    "random resized crop": lambda F, T, I, x: T.RandomResizedCrop(5)(x),
    "random affine": lambda F, T, I, x: T.RandomAffine(15, (0.1, 0.1), (0.8, 1.2), 5)(x),
    "random rotation": lambda F, T, I, x: T.RandomRotation(15)(x),
    "random perspective": lambda F, T, I, x: T.RandomPerspective(p=1)(x),
    "random erasing": lambda F, T, I, x: T.RandomErasing(p=1)(x),
}


def facts(torch):
    import torchvision.transforms as T
    found = {}
    for name, call in CALLS.items():
        torch.manual_seed(0)
        given = {"bytes": torch.randint(0, 256, (3, 9, 12)).to(torch.uint8), "floats": torch.rand(3, 9, 12)}
        for kind, x in given.items():
            torch.manual_seed(1)
            y = call(T.functional, T, T.InterpolationMode, x)
            found[f"{kind} {name}"] = {"shape": list(y.shape), "values": [round(v, 6) for v in y.double().flatten()[::7].tolist()]}
    return found
