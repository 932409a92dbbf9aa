# SPDX-License-Identifier: BSD-3-Clause
"""Decodes the contents of files by their extensions."""
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
    """Decode bytes by the extension of their file; return None for an unknown one.

    txt, text, transcript: text. cls, cls2, class, count, index, inx, id: an int, or None if the text is not one. json,
    jsn: JSON. pickle, pyd: pickles, which can run code. pt: what torch.load returns.

    Args:
        extension: the extension, without the dot.
        data: the bytes.
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
    """Return a handler (name, data) that returns f(data) for some extensions, and None for others.

    Args:
        extensions: the extensions, separated by spaces; one may have several parts, such as "seg.jpg".
        f: the function.
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


# ---- images ----

# {imagespec: (kind of object, type of its numbers, mode in Pillow)}
_PICTURES = {"l8": ("numpy", "uint8", "l"), "rgb8": ("numpy", "uint8", "rgb"), "rgba8": ("numpy", "uint8", "rgba"),
             "l": ("numpy", "float", "l"), "rgb": ("numpy", "float", "rgb"), "rgba": ("numpy", "float", "rgba"),
             "torchl8": ("torch", "uint8", "l"), "torchrgb8": ("torch", "uint8", "rgb"), "torchrgba8": ("torch", "uint8", "rgba"),
             "torchl": ("torch", "float", "l"), "torchrgb": ("torch", "float", "rgb"), "torch": ("torch", "float", "rgb"),
             "torchrgba": ("torch", "float", "rgba"), "pill": ("pil", None, "l"), "pil": ("pil", None, "rgb"),
             "pilrgb": ("pil", None, "rgb"), "pilrgba": ("pil", None, "rgba")}


class ImageHandler:
    """A handler for jpg, jpeg, png, ppm, pgm, pbm and pnm images; needs Pillow.

    Args:
        imagespec: what to return: "pil", "pilrgb", "pilrgba", "pill" for Pillow images; "rgb", "rgba", "l" for NumPy arrays with
            values from 0 to 1, with "8" appended for bytes; with "torch" before these for tensors, channels first.
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
    """Return ImageHandler(imagespec).

    Args:
        imagespec: as for ImageHandler.
    """
    return ImageHandler(imagespec)


# ---- the rest ----

_READ = "read the file in a function of your own, and use it as a handler"
videohandler = missing_function("torch.utils.data.datapipes.utils.decoder.videohandler", _READ)
audiohandler = missing_function("torch.utils.data.datapipes.utils.decoder.audiohandler", _READ)


class MatHandler:
    """A handler for MATLAB's mat files; needs SciPy.

    Args:
        loadmat_kwargs: arguments of scipy.io.loadmat.
    """

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
    """Return MatHandler(**loadmat_kwargs).

    Args:
        loadmat_kwargs: arguments of scipy.io.loadmat.
    """
    return MatHandler(**loadmat_kwargs)


def extension_extract_fn(pathname):
    """Return the extension of a path, without its dot.

    Args:
        pathname: the path.
    """
    end = os.path.splitext(pathname)[1]
    return end[1:] if end else end


class Decoder:
    """Decode {name: bytes}, or a pair (name, bytes), by the first handler that knows a name's extension.

    Names that begin with "__" are not decoded.

    Args:
        handler: functions (extension, bytes) that return an object, or None for an unknown extension.
        key_fn: a function from a name to its extension. Default: extension_extract_fn
    """

    def __init__(self, *handler, key_fn=extension_extract_fn):
        self.handlers, self.key_fn = list(handler) if handler else [], key_fn

    def add_handler(self, *handler):
        """Add handlers, tried after the present ones.

        Args:
            handler: the handlers.
        """
        if not handler:
            return
        self.handlers = [*self.handlers, *handler] if self.handlers else list(handler)

    def decode1(self, key, data):
        """Decode bytes; those that no handler knows are returned unchanged.

        Args:
            key: the extension.
            data: the bytes, or an open file.
        """
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
        """Return {name: object}.

        Args:
            data: {name: bytes}, or an iterable of pairs.
        """
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
