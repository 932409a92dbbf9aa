# SPDX-License-Identifier: BSD-3-Clause
"""Makes objects of the contents of files, by the ends of their names."""
import io
import json
import os
import pickle

import corten

from ....._missing import missing_function
from .common import StreamWrapper

__all__ = ["Decoder", "ImageHandler", "MatHandler", "audiohandler", "basichandlers", "extension_extract_fn", "handle_extension",
           "imagehandler", "mathandler", "videohandler"]


def basichandlers(extension, data):
    """The object that bytes mean by the end of their file's name, or None if this function does not know it.

    txt, text, transcript: text. cls, cls2, class, count, index, inx, id: a number, or None if it is none. json, jsn. pickle, pyd. pt: what
    torch.load makes of it.
    """
    if extension in ("txt", "text", "transcript"):
        return data.decode("utf-8")
    if extension in ("cls", "cls2", "class", "count", "index", "inx", "id"):
        try:
            return int(data)
        except ValueError:
            return None
    if extension in ("json", "jsn"):
        return json.loads(data)
    if extension in ("pyd", "pickle"):
        return pickle.loads(data)
    return corten.load(io.BytesIO(data)) if extension == "pt" else None


def handle_extension(extensions, f):
    """A function of (name, data) that returns f(data) if the name ends in one of several ends ("jpg jpeg"), else None.

    An end may have several parts: "seg.jpg".
    """
    extensions = extensions.lower().split()

    def handle(key, data):
        parts = key.lower().split(".")
        for target in extensions:
            target = target.split(".")
            if len(target) <= len(parts) and parts[-len(target):] == target:
                return f(data)
        return None
    return handle


# ---- pictures ----

# what a picture becomes: (kind of object, type of its numbers, mode of the picture)
_PICTURES = {"l8": ("numpy", "uint8", "l"), "rgb8": ("numpy", "uint8", "rgb"), "rgba8": ("numpy", "uint8", "rgba"),
             "l": ("numpy", "float", "l"), "rgb": ("numpy", "float", "rgb"), "rgba": ("numpy", "float", "rgba"),
             "torchl8": ("torch", "uint8", "l"), "torchrgb8": ("torch", "uint8", "rgb"), "torchrgba8": ("torch", "uint8", "rgba"),
             "torchl": ("torch", "float", "l"), "torchrgb": ("torch", "float", "rgb"), "torch": ("torch", "float", "rgb"),
             "torchrgba": ("torch", "float", "rgba"), "pill": ("pil", None, "l"), "pil": ("pil", None, "rgb"),
             "pilrgb": ("pil", None, "rgb"), "pilrgba": ("pil", None, "rgba")}


class ImageHandler:
    """Makes pictures of jpg, jpeg, png, ppm, pgm, pbm and pnm, by the package Pillow.

    imagespec: "pil", "pilrgb", "pilrgba", "pill" for Pillow's objects; "rgb", "rgba", "l" for numpy arrays from 0 to 1, with "8" at the end
    for bytes; "torch" before these for tensors, colours first.
    """

    def __init__(self, imagespec):
        if imagespec not in _PICTURES:
            raise AssertionError(f"unknown image specification: {imagespec}")
        self.imagespec = imagespec.lower()

    def __call__(self, extension, data):
        if extension.lower() not in ("jpg", "jpeg", "png", "ppm", "pgm", "pbm", "pnm"):
            return None
        import numpy
        try:
            import PIL.Image
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError("Package `PIL` is required to be installed for default image decoder. Please use `pip install "
                                      "Pillow` to install the package") from error
        kind, number, mode = _PICTURES[self.imagespec]
        with io.BytesIO(data) as stream:
            picture = PIL.Image.open(stream).convert(mode.upper())
        if kind == "pil":
            return picture
        array = numpy.asarray(picture)
        if number == "float":
            array = array.astype("f") / 255
        if kind == "numpy":
            return array
        return corten.tensor(array.transpose(2, 0, 1) if array.ndim > 2 else array)


def imagehandler(imagespec):
    """The same as ImageHandler."""
    return ImageHandler(imagespec)


# ---- the rest ----

_READ = "read the file in a function of your own, and use it as a handler"
videohandler = missing_function("torch.utils.data.datapipes.utils.decoder.videohandler", _READ)
audiohandler = missing_function("torch.utils.data.datapipes.utils.decoder.audiohandler", _READ)


class MatHandler:
    """Reads files of MATLAB by the package scipy; `loadmat_kwargs` are for scipy.io.loadmat."""

    def __init__(self, **loadmat_kwargs):
        try:
            import scipy.io
        except ImportError as error:
            raise ModuleNotFoundError("Package `scipy` is required to be installed for mat file.Please use `pip install scipy` or `conda "
                                      "install scipy`to install the package") from error
        self.sio, self.loadmat_kwargs = scipy.io, loadmat_kwargs

    def __call__(self, extension, data):
        if extension != "mat":
            return None
        with io.BytesIO(data) as stream:
            return self.sio.loadmat(stream, **self.loadmat_kwargs)


def mathandler(**loadmat_kwargs):
    """The same as MatHandler."""
    return MatHandler(**loadmat_kwargs)


def extension_extract_fn(pathname):
    """The end of a file's name, without its dot."""
    end = os.path.splitext(pathname)[1]
    return end[1:] if end else end


class Decoder:
    """Makes objects of {name: bytes}, or of (name, bytes), by the first handler that knows a name's end.

    A handler is a function of (end, bytes) that returns None for what it does not know. Names that begin with "__" stay as they are.
    """

    def __init__(self, *handler, key_fn=extension_extract_fn):
        self.handlers, self.key_fn = list(handler) if handler else [], key_fn

    def add_handler(self, *handler):
        """Adds handlers, asked after those that are there."""
        if not handler:
            return
        self.handlers = [*self.handlers, *handler] if self.handlers else list(handler)

    def decode1(self, key, data):
        """What bytes mean by the end `key`; bytes that no handler knows stay as they are."""
        if not data:
            return data
        stream = data if isinstance(data, (io.BufferedIOBase, io.RawIOBase, StreamWrapper)) else None
        data = stream.read() if stream is not None else data
        try:
            for handler in self.handlers:
                result = handler(key, data)
                if result is not None:
                    return result
            return data
        finally:
            StreamWrapper.close_streams(stream)

    def decode(self, data):
        """The objects by name."""
        result = {}
        for name, value in data.items() if isinstance(data, dict) else data:
            keep = name[:2] == "__"
            if keep and isinstance(value, bytes):
                value = value.decode("utf-8")
            result[name] = value if keep else self.decode1(self.key_fn(name), value)
        return result

    def __call__(self, data):
        if isinstance(data, tuple):
            return tuple(*self.decode([data]).items())
        return self.decode(data)
