# SPDX-License-Identifier: BSD-3-Clause
"""CIFAR-10 and CIFAR-100: 32 x 32 color pictures, in pickles of NumPy arrays."""
import os
import pickle

from .utils import check_integrity, download_and_extract_archive
from .vision import VisionDataset, to_image


class _Reader(pickle.Unpickler):
    """The files hold arrays, lists and texts; nothing else is built."""
    _ALLOWED = {("numpy.core.multiarray", "_reconstruct"), ("numpy._core.multiarray", "_reconstruct"), ("numpy", "ndarray"),
                ("numpy", "dtype"), ("_codecs", "encode"), ("numpy.core.numeric", "_frombuffer"),
                ("numpy._core.numeric", "_frombuffer")}

    def find_class(self, module, name):
        if (module, name) in self._ALLOWED:
            return super().find_class(module.replace("numpy.core", "numpy._core") if _new_numpy() else module, name)
        raise pickle.UnpicklingError(f"a CIFAR file names {module}.{name}")


def _new_numpy():
    import numpy
    return int(numpy.__version__.split(".")[0]) >= 2


class CIFAR10(VisionDataset):
    """60,000 pictures of ten classes.

    root: the folder that holds, or gets, `cifar-10-batches-py`. train: the 50,000 or the 10,000 pictures.
    data: an array (N, 32, 32, 3) of uint8; targets: a list of ints. download=True gets the files.
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
            return _Reader(file, encoding="latin1").load()

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
        """Gets the files, unless they are there."""
        if not self._check_integrity():
            download_and_extract_archive(self.url, self.root, filename=self.filename, md5=self.tgz_md5)

    def __getitem__(self, index):
        return self._item(to_image(self.data[index]), self.targets[index])

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        return f"Split: {'Train' if self.train is True else 'Test'}"

    train_data = test_data = property(lambda self: self.data, doc="The name of `data` before 2019.")
    train_labels = test_labels = property(lambda self: self.targets, doc="The name of `targets` before 2019.")


class CIFAR100(CIFAR10):
    """60,000 pictures of a hundred classes."""
    base_folder = "cifar-100-python"
    url = "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"
    filename = "cifar-100-python.tar.gz"
    tgz_md5 = "eb9058c3a382ffc7106e4002c42a8d85"
    train_list = [["train", "16019d7e3df5f24257cddd939b257f8d"]]
    test_list = [["test", "f0ef6b0ae62326f3e7ffdfab6717acfc"]]
    meta = {"filename": "meta", "key": "fine_label_names", "md5": "7973b15100ade9c7d40fb424638fde48"}
