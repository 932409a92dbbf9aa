# SPDX-License-Identifier: BSD-3-Clause
"""Base class of image datasets: root directory, transforms and repr."""
import os

from ...utils.data import Dataset


def to_image(array):
    """Converts an array (H, W, C) to a PIL image if PIL is installed; otherwise returns the array."""
    try:
        from PIL import Image
    except ImportError:
        return array
    return Image.fromarray(array)


class StandardTransform:
    """Applies one transform to the image and another to the target."""

    def __init__(self, transform=None, target_transform=None):
        self.transform, self.target_transform = transform, target_transform

    def __call__(self, input, target):
        if self.transform is not None:
            input = self.transform(input)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return input, target

    def __repr__(self):
        lines = ["StandardTransform"]
        for head, part in (("Transform: ", self.transform), ("Target transform: ", self.target_transform)):
            if part is not None:
                first, *rest = repr(part).splitlines()
                lines += [head + first, *(" " * len(head) + line for line in rest)]
        return "\n".join(lines)


class VisionDataset(Dataset):
    """Base class of image datasets that are stored in a directory."""

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        self.root = os.path.expanduser(root) if isinstance(root, str) else root
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.transform, self.target_transform = transform, target_transform
        if transform is not None or target_transform is not None:
            transforms = StandardTransform(transform, target_transform)
        self.transforms = transforms

    def __getitem__(self, index):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    def __repr__(self):
        body = [f"Number of datapoints: {len(self)}"]
        if self.root is not None:
            body.append(f"Root location: {self.root}")
        body += self.extra_repr().splitlines()
        if getattr(self, "transforms", None) is not None:
            body.append(repr(self.transforms))
        text = "\n".join(body).splitlines()
        return "\n".join([f"Dataset {type(self).__name__}", *("    " + line for line in text)])

    def extra_repr(self):
        """Returns further lines for repr."""
        return ""

    def _item(self, picture, target):
        if self.transform is not None:
            picture = self.transform(picture)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return picture, target
