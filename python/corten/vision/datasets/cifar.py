# SPDX-License-Identifier: BSD-3-Clause
"""CIFAR-10 and CIFAR-100: 32 x 32 color images, stored as pickles of NumPy arrays."""
import os
import pickle

from ... import _C
from .utils import check_integrity, download_and_extract_archive
from .vision import VisionDataset, to_image


class _Array:
    """Stands for a NumPy array during unpickling; the real array is built in `array`, only from bytes that are present."""

    def __init__(self, *_):
        self.array = None

    def set(self, state):
        import numpy
        _, shape, dtype, fortran, data = state
        data = data.encode("latin1") if isinstance(data, str) else data
        self.array = numpy.frombuffer(data, dtype.name).reshape(shape, order="F" if fortran else "C")


class _Type:
    """Stands for numpy.dtype in a pickle: a name such as "u1"."""

    def __init__(self, name, *_):
        if not isinstance(name, str) or name[:1] not in "biufc" or not name[1:].isdigit():
            raise pickle.UnpicklingError(f"CIFAR file: unsupported array dtype {name!r}")
        self.name = name


def _from_buffer(data, dtype, shape, order):
    array = _Array()
    array.set((1, shape, dtype, order == "F", data))
    return array


_NAMES = {"multiarray._reconstruct": _Array, "numeric._frombuffer": _from_buffer, "numpy.ndarray": _Array, "numpy.dtype": _Type,
          "_codecs.encode": lambda text, _="latin1": text.encode("latin1")}


def _find(module, name):
    found = _NAMES.get(f"{module.removeprefix('numpy._core.').removeprefix('numpy.core.')}.{name}")
    if found is None:
        raise pickle.UnpicklingError(f"CIFAR file: the name {module}.{name} is not allowed")
    return found


def _build(made, state):
    if isinstance(made, _Array):
        made.set(state)


def _refuse(_):
    raise pickle.UnpicklingError("CIFAR file: persistent ids are not allowed")


def read_batch(data):
    """Reads a CIFAR file with a restricted unpickler, which accepts only dicts, lists, str and arrays."""
    batch = _C._unpickle(data, _find, _refuse, _build, "latin1")[0]
    if not isinstance(batch, dict):
        raise pickle.UnpicklingError("CIFAR file: expected a dict")
    return {key: value.array if isinstance(value, _Array) else value for key, value in batch.items()}


class CIFAR10(VisionDataset):
    """60,000 images in 10 classes (Krizhevsky, 2009).

    root: the directory that contains, or will contain, `cifar-10-batches-py`. train: the 50,000 training images if True, else
    the 10,000 test images. transform, target_transform: applied to images and labels. download: whether to download missing files.

    Attributes: `data`, an array (N, 32, 32, 3) of uint8, and `targets`, a list of ints.
    """
    base_folder = "cifar-10-batches-py"
    url = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
    filename = "cifar-10-python.tar.gz"
    tgz_md5 = "c58f30108f718f92721af3b95e74349a"
    train_list = [
        ["data_batch_1", "c99cafc152244af753f735de768cd75f"],
        ["data_batch_2", "d4bba439e000b95fd0a9bffe97cbabec"],
        ["data_batch_3", "54ebc095f3ab1f0389bbae665268c751"],
        ["data_batch_4", "634d18415352ddfa80567beed471001a"],
        ["data_batch_5", "482c414d41f54cd18b22e5b47cb7c3cb"],
    ]
    test_list = [["test_batch", "40351d587109b95175f43aff81a1287e"]]
    meta = {"filename": "batches.meta", "key": "label_names", "md5": "5ff9c542aee3614f3951f8cda6e48888"}

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        if download:
            self.download()
        if not self._check_integrity():
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        import numpy
        data, self.targets = [], []
        for name, _ in self.train_list if train else self.test_list:
            entry = self._read(name)
            data.append(entry["data"])
            self.targets.extend(entry["labels"] if "labels" in entry else entry["fine_labels"])
        self.data = numpy.vstack(data).reshape(-1, 3, 32, 32).transpose((0, 2, 3, 1))
        self._load_meta()

    def _read(self, name):
        with open(os.path.join(self.root, self.base_folder, name), "rb") as file:
            return read_batch(file.read())

    def _load_meta(self):
        path = os.path.join(self.root, self.base_folder, self.meta["filename"])
        if not check_integrity(path, self.meta["md5"]):
            raise RuntimeError("Dataset metadata file not found or corrupted. You can use download=True to download it")
        self.classes = self._read(self.meta["filename"])[self.meta["key"]]
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}

    def _check_integrity(self):
        return all(check_integrity(os.path.join(self.root, self.base_folder, name), md5)
                   for name, md5 in self.train_list + self.test_list)

    def download(self):
        """Downloads the files unless they are present."""
        if not self._check_integrity():
            download_and_extract_archive(self.url, self.root, filename=self.filename, md5=self.tgz_md5)

    def __getitem__(self, index):
        return self._item(to_image(self.data[index]), self.targets[index])

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        """Returns the line about the split."""
        return f"Split: {'Train' if self.train is True else 'Test'}"

    train_data = test_data = property(lambda self: self.data, doc="The name of `data` before 2019.")
    train_labels = test_labels = property(lambda self: self.targets, doc="The name of `targets` before 2019.")


class CIFAR100(CIFAR10):
    """60,000 images in 100 classes (Krizhevsky, 2009)."""
    base_folder = "cifar-100-python"
    url = "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"
    filename = "cifar-100-python.tar.gz"
    tgz_md5 = "eb9058c3a382ffc7106e4002c42a8d85"
    train_list = [["train", "16019d7e3df5f24257cddd939b257f8d"]]
    test_list = [["test", "f0ef6b0ae62326f3e7ffdfab6717acfc"]]
    meta = {"filename": "meta", "key": "fine_label_names", "md5": "7973b15100ade9c7d40fb424638fde48"}
