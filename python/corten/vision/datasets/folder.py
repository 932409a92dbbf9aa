# SPDX-License-Identifier: BSD-3-Clause
"""Datasets of files that are sorted into one directory per class."""
import os

from .vision import VisionDataset

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def has_file_allowed_extension(filename, extensions):
    """Returns whether a file name has one of these extensions."""
    return filename.lower().endswith(extensions if isinstance(extensions, str) else tuple(extensions))


def is_image_file(filename):
    """Returns whether a file name has an image extension."""
    return has_file_allowed_extension(filename, IMG_EXTENSIONS)


def find_classes(directory):
    """Returns (sorted names of the subdirectories, {name: class index})."""
    classes = sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
    if not classes:
        raise FileNotFoundError(f"Couldn't find any class folder in {directory}.")
    return classes, {name: i for i, name in enumerate(classes)}


def make_dataset(directory, class_to_idx=None, extensions=None, is_valid_file=None, allow_empty=False):
    """Returns (path, class index) of all files, sorted."""
    directory = os.path.expanduser(directory)
    if class_to_idx is None:
        class_to_idx = find_classes(directory)[1]
    elif not class_to_idx:
        raise ValueError("'class_to_index' must have at least one entry to collect any samples.")
    if (extensions is None) == (is_valid_file is None):
        raise ValueError("Both extensions and is_valid_file cannot be None or not None at the same time")
    if is_valid_file is None:
        def is_valid_file(path):
            return has_file_allowed_extension(path, extensions)
    found, seen = [], set()
    for name in sorted(class_to_idx):
        folder = os.path.join(directory, name)
        if not os.path.isdir(folder):
            continue
        for base, _, files in sorted(os.walk(folder, followlinks=True)):
            for file in sorted(files):
                path = os.path.join(base, file)
                if is_valid_file(path):
                    found.append((path, class_to_idx[name]))
                    seen.add(name)
    empty = set(class_to_idx) - seen
    if empty and not allow_empty:
        text = f"Found no valid file for the classes {', '.join(sorted(empty))}. "
        if extensions is not None:
            text += f"Supported extensions are: {extensions if isinstance(extensions, str) else ', '.join(extensions)}"
        raise FileNotFoundError(text)
    return found


def pil_loader(path):
    """Loads an image with PIL, in RGB."""
    from PIL import Image
    with open(path, "rb") as file:
        return Image.open(file).convert("RGB")


def default_loader(path):
    """Loads a PIL image if PIL is installed, else an array (H, W, C)."""
    try:
        return pil_loader(path)
    except ImportError:
        from .. import io
        return io.read_image(path, io.ImageReadMode.RGB).permute(1, 2, 0).contiguous().numpy()


class DatasetFolder(VisionDataset):
    """A dataset of files root/class/file, whose subdirectories are the classes."""

    def __init__(self, root, loader, extensions=None, transform=None, target_transform=None, is_valid_file=None,
                 allow_empty=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        classes, class_to_idx = self.find_classes(self.root)
        self.samples = self.make_dataset(self.root, class_to_idx, extensions, is_valid_file, allow_empty)
        self.loader, self.extensions, self.classes, self.class_to_idx = loader, extensions, classes, class_to_idx
        self.targets = [target for _, target in self.samples]

    @staticmethod
    def make_dataset(directory, class_to_idx, extensions=None, is_valid_file=None, allow_empty=False):
        """Returns (path, class index) of all files."""
        return make_dataset(directory, class_to_idx, extensions=extensions, is_valid_file=is_valid_file, allow_empty=allow_empty)

    def find_classes(self, directory):
        """Returns (class names, {name: class index}) of a directory."""
        return find_classes(directory)

    def __getitem__(self, index):
        path, target = self.samples[index]
        return self._item(self.loader(path), target)

    def __len__(self):
        return len(self.samples)


class ImageFolder(DatasetFolder):
    """A dataset of images root/class/file, for example root/dog/1.png."""

    def __init__(self, root, transform=None, target_transform=None, loader=default_loader, is_valid_file=None,
                 allow_empty=False):
        super().__init__(root, loader, IMG_EXTENSIONS if is_valid_file is None else None, transform=transform,
                         target_transform=target_transform, is_valid_file=is_valid_file, allow_empty=allow_empty)
        self.imgs = self.samples
