# SPDX-License-Identifier: BSD-3-Clause
"""MNIST, FashionMNIST, KMNIST and EMNIST: 28 x 28 grayscale images in IDX files, plain or gzipped."""
import gzip
import os
import struct

from ... import _C
from .utils import check_integrity, download_from, extract_archive
from .vision import VisionDataset, to_image

_IDX_TYPES = {8: _C.uint8, 9: _C.int8, 11: _C.int16, 12: _C.int32, 13: _C.float32, 14: _C.float64}


def read_sn3_pascalvincent_tensor(path, strict=True):
    """Reads an IDX file: magic number with type and number of dims, sizes, then big-endian elements."""
    opener = gzip.open if os.fspath(path).endswith(".gz") else open
    with opener(path, "rb") as file:
        data = file.read()
    if len(data) < 4 or data[0] or data[1] or data[2] not in _IDX_TYPES:
        raise ValueError(f"{path} is not an IDX file")
    dtype, ndim = _IDX_TYPES[data[2]], data[3]
    if len(data) < 4 + 4 * ndim:
        raise ValueError(f"{path} is truncated within its header")
    shape = struct.unpack(f">{ndim}I", data[4:4 + 4 * ndim])
    count = 1
    for size in shape:
        count *= size
    body = data[4 + 4 * ndim:]
    if len(body) < count * dtype.itemsize or (strict and len(body) != count * dtype.itemsize):
        raise ValueError(f"{path} has {len(body)} bytes of data, expected {count * dtype.itemsize}")
    if not count:
        return _C.empty(shape, dtype=dtype)
    storage = _C.frombuffer(bytearray(body[:count * dtype.itemsize]), dtype=_C.uint8)
    if dtype.itemsize > 1:
        storage.untyped_storage().byteswap(dtype)
    return storage.view(dtype).view(shape)


def read_image_file(path):
    """Reads the images of an IDX file."""
    x = read_sn3_pascalvincent_tensor(path, strict=False)
    if x.dtype != _C.uint8 or x.ndimension() != 3:
        raise ValueError(f"x should be a 3-dimensional tensor of uint8 instead of {tuple(x.shape)} of {x.dtype}")
    return x


def read_label_file(path):
    """Reads the labels of an IDX file."""
    x = read_sn3_pascalvincent_tensor(path, strict=False)
    if x.dtype != _C.uint8 or x.ndimension() != 1:
        raise ValueError(f"x should be a 1-dimensional tensor of uint8 instead of {tuple(x.shape)} of {x.dtype}")
    return x.long()


class MNIST(VisionDataset):
    """70,000 handwritten digits (LeCun et al., 1998).

    root: the directory that contains, or will contain, `MNIST/raw`. train: the 60,000 training images if True, else the 10,000
    test images. transform, target_transform: applied to images and labels. download: whether to download missing files.

    Attributes: `data`, a tensor (N, 28, 28) of uint8, and `targets`, a tensor of int64.
    """
    mirrors = ["https://ossci-datasets.s3.amazonaws.com/mnist/", "http://yann.lecun.com/exdb/mnist/"]
    resources = [
        ("train-images-idx3-ubyte.gz", "f68b3c2dcbeaaa9fbdd348bbdeb94873"),
        ("train-labels-idx1-ubyte.gz", "d53e105ee54ea40749a09fcbcd1e9432"),
        ("t10k-images-idx3-ubyte.gz", "9fb629c4189551a2d022fa330f9573f3"),
        ("t10k-labels-idx1-ubyte.gz", "ec29112dd5afa0611ce80d1b7f02629c"),
    ]
    training_file, test_file = "training.pt", "test.pt"
    classes = ["0 - zero", "1 - one", "2 - two", "3 - three", "4 - four", "5 - five", "6 - six", "7 - seven", "8 - eight",
               "9 - nine"]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        if download:
            self.download()
        if not self._check_exists():
            raise RuntimeError("Dataset not found. You can use download=True to download it")
        self.data, self.targets = self._load_data()

    def _load_data(self):
        part = "train" if self.train else "t10k"
        return (read_image_file(self._path(f"{part}-images-idx3-ubyte")),
                read_label_file(self._path(f"{part}-labels-idx1-ubyte")))

    def _path(self, name):
        plain = os.path.join(self.raw_folder, name)
        return plain if os.path.exists(plain) else plain + ".gz"

    def _check_exists(self):
        return all(check_integrity(self._path(os.path.splitext(os.path.basename(name))[0])) for name, _ in self.resources)

    def download(self):
        """Downloads the files unless they are present."""
        if self._check_exists():
            return
        os.makedirs(self.raw_folder, exist_ok=True)
        for filename, md5 in self.resources:
            download_from(self.mirrors, self.raw_folder, filename, md5)
            extract_archive(os.path.join(self.raw_folder, filename), self.raw_folder)

    @property
    def raw_folder(self):
        """The directory of the IDX files."""
        return os.path.join(self.root, type(self).__name__, "raw")

    @property
    def processed_folder(self):
        """The directory in which older versions kept converted copies."""
        return os.path.join(self.root, type(self).__name__, "processed")

    @property
    def class_to_idx(self):
        """{class name: class index}."""
        return {name: i for i, name in enumerate(self.classes)}

    def __getitem__(self, index):
        return self._item(to_image(self.data[index].numpy()), int(self.targets[index]))

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        """Returns the line about the split."""
        return f"Split: {'Train' if self.train is True else 'Test'}"

    train_data = test_data = property(lambda self: self.data, doc="The name of `data` before 2019.")
    train_labels = test_labels = property(lambda self: self.targets, doc="The name of `targets` before 2019.")


class FashionMNIST(MNIST):
    """70,000 images of clothes (Xiao et al., 2017)."""
    mirrors = ["http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"]
    resources = [
        ("train-images-idx3-ubyte.gz", "8d4fb7e6c68d591d4c3dfef9ec88bf0d"),
        ("train-labels-idx1-ubyte.gz", "25c81989df183df01b3e8a0aad5dffbe"),
        ("t10k-images-idx3-ubyte.gz", "bef4ecab320f06d8554ea6380940ec79"),
        ("t10k-labels-idx1-ubyte.gz", "bb300cfdad3c16e7a12a480ee83cd310"),
    ]
    classes = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]


class KMNIST(MNIST):
    """70,000 handwritten Japanese characters (Clanuwat et al., 2018)."""
    mirrors = ["http://codh.rois.ac.jp/kmnist/dataset/kmnist/"]
    resources = [
        ("train-images-idx3-ubyte.gz", "bdb82020997e1d708af4cf47b453dcf7"),
        ("train-labels-idx1-ubyte.gz", "e144d726b3acfaa3e44228e80efcd344"),
        ("t10k-images-idx3-ubyte.gz", "5c965bf0a639b31b8f53240b1b52f4d7"),
        ("t10k-labels-idx1-ubyte.gz", "7320c461ea6c1c855c0b718fb2a4b134"),
    ]
    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]


class EMNIST(MNIST):
    """Handwritten letters and digits (Cohen et al., 2017); `split` names a subset. The files must be present."""
    splits = ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")

    def __init__(self, root, split, **kwargs):
        from .utils import verify_str_arg
        self.split = verify_str_arg(split, "split", self.splits)
        self.resources = [(f"emnist-{split}-{part}-{kind}-ubyte.gz", None) for part in ("train", "test")
                          for kind in ("images-idx3", "labels-idx1")]
        super().__init__(root, **kwargs)

    def _load_data(self):
        part = "train" if self.train else "test"
        return (read_image_file(self._path(f"emnist-{self.split}-{part}-images-idx3-ubyte")),
                read_label_file(self._path(f"emnist-{self.split}-{part}-labels-idx1-ubyte")))
