# SPDX-License-Identifier: BSD-3-Clause
"""Data pipes that are iterated: their names without IterDataPipe, and modules with the names of PyTorch's files."""
import sys
import types

from . import _basic, _children, streamreader
from ._basic import *  # noqa: F403
from ._children import *  # noqa: F403
from .streamreader import StreamReaderIterDataPipe

_END = "IterDataPipe"
_FILES = {
    "callable": ("Collator", "Mapper"), "combinatorics": ("Sampler", "Shuffler"),
    "combining": ("Concater", "Demultiplexer", "Forker", "Multiplexer", "Zipper"), "filelister": ("FileLister",),
    "fileopener": ("FileOpener",), "grouping": ("Batcher", "Grouper", "UnBatcher"), "routeddecoder": ("RoutedDecoder",),
    "selecting": ("Filter",), "sharding": ("ShardingFilter",), "utils": ("IterableWrapper",)}
for _file, _names in _FILES.items():
    _module = types.ModuleType(f"{__name__}.{_file}", "Data pipes, under the name of PyTorch's file.")
    for _name in _names:
        _class = getattr(_basic if hasattr(_basic, _name + _END) else _children, _name + _END)
        globals()[_name] = _class
        setattr(_module, _name + _END, _class)
    _module.__all__ = [name + _END for name in _names]
    sys.modules[_module.__name__] = globals()[_file] = _module
sharding.SHARDING_PRIORITIES = _children.SHARDING_PRIORITIES  # noqa: F821
StreamReader = StreamReaderIterDataPipe
__all__ = sorted(["StreamReader", *(name for names in _FILES.values() for name in names)])  # noqa: PLE0605
