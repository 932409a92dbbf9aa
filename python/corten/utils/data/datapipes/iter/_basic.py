# SPDX-License-Identifier: BSD-3-Clause
"""Data pipes that take items from one or several other pipes."""
import copy
import random

import corten

from ..._utils.collate import default_collate
from .. import DataChunk, IterDataPipe, functional_datapipe
from ..utils.common import StreamWrapper, get_file_binaries_from_pathnames, get_file_pathnames_from_root, validate_input_col
from ..utils.decoder import Decoder, basichandlers, extension_extract_fn, imagehandler

__all__ = ["BatcherIterDataPipe", "CollatorIterDataPipe", "ConcaterIterDataPipe", "FileListerIterDataPipe", "FileOpenerIterDataPipe",
           "FilterIterDataPipe", "GrouperIterDataPipe", "IterableWrapperIterDataPipe", "MapperIterDataPipe", "MultiplexerIterDataPipe",
           "RoutedDecoderIterDataPipe", "SamplerIterDataPipe", "ShufflerIterDataPipe", "UnBatcherIterDataPipe", "ZipperIterDataPipe"]


class _Of(IterDataPipe):
    """A pipe with as many items as its source."""

    def __len__(self):
        return _length(self, self.datapipe)


def _length(pipe, source):
    if hasattr(source, "__len__"):
        return len(source)
    raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length")


class IterableWrapperIterDataPipe(IterDataPipe):
    """The items of a list or another iterable.

    Args:
        iterable: the iterable.
        deepcopy: whether each iteration works on a copy; objects that cannot be copied warn. Default: True
    """

    def __init__(self, iterable, deepcopy=True):
        self.iterable, self.deepcopy = iterable, deepcopy

    def __iter__(self):
        source = self.iterable
        if self.deepcopy:
            try:
                source = copy.deepcopy(source)
            except TypeError:  # generators cannot be copied
                import warnings
                warnings.warn("The input iterable can not be deepcopied, please be aware of in-place modification would affect source "
                              "data.", stacklevel=2)
        yield from source

    def __len__(self):
        return _length(self, self.iterable)


@functional_datapipe("map")
class MapperIterDataPipe(_Of):
    """Apply a function to each item: pipe.map(fn).

    Args:
        datapipe: the source.
        fn: the function.
        input_col: the entry of the item that fn gets, or a list of entries. Default: None, for the item
        output_col: the entry that the result replaces; -1 appends it. Default: None, for the first entry of input_col
    """

    def __init__(self, datapipe, fn, input_col=None, output_col=None):
        self.datapipe, self.fn, self.input_col = datapipe, fn, input_col
        if input_col is None and output_col is not None:
            raise ValueError("`output_col` must be None when `input_col` is None.")
        if isinstance(output_col, (list, tuple)):
            if len(output_col) > 1:
                raise ValueError("`output_col` must be a single-element list or tuple")
            output_col = output_col[0]
        self.output_col = output_col
        validate_input_col(fn, input_col)

    def _apply_fn(self, data):
        columns, target = self.input_col, self.output_col
        if columns is None:
            return self.fn(data)
        several = isinstance(columns, (list, tuple))
        result = self.fn(*(data[c] for c in columns)) if several else self.fn(data[columns])
        new = list(data) if isinstance(data, tuple) else data
        if target == -1:
            new.append(result)
        elif target is not None or not several:
            new[columns if target is None else target] = result
        else:
            new[columns[0]] = result
            for column in sorted(columns[1:], reverse=True):
                del new[column]
        return tuple(new) if isinstance(data, tuple) else new

    def __iter__(self):
        return map(self._apply_fn, self.datapipe)


@functional_datapipe("collate")
class CollatorIterDataPipe(MapperIterDataPipe):
    """Combine each batch in tensors: pipe.collate().

    Args:
        datapipe: a source of batches.
        conversion: the function from a list of items to a batch. Default: default_collate
        collate_fn: another name of conversion. Default: None
    """

    def __init__(self, datapipe, conversion=default_collate, collate_fn=None):
        super().__init__(datapipe, conversion if collate_fn is None else collate_fn)


@functional_datapipe("filter")
class FilterIterDataPipe(IterDataPipe):
    """Keep the items for which a function returns True: pipe.filter(filter_fn).

    Args:
        datapipe: the source.
        filter_fn: the function; results other than bools raise ValueError.
        input_col: the entry of the item that filter_fn gets, or a list of entries. Default: None, for the item
    """

    def __init__(self, datapipe, filter_fn, input_col=None):
        self.datapipe, self.filter_fn, self.input_col = datapipe, filter_fn, input_col
        validate_input_col(filter_fn, input_col)

    def _keeps(self, data):
        columns = self.input_col
        if columns is None:
            keep = self.filter_fn(data)
        else:
            keep = self.filter_fn(*(data[c] for c in columns)) if isinstance(columns, (list, tuple)) else self.filter_fn(data[columns])
        if not isinstance(keep, bool):
            raise ValueError(f"Boolean output is required for `filter_fn` of FilterIterDataPipe, got {type(keep)}")
        return keep

    def __iter__(self):
        return filter(self._keeps, self.datapipe)


@functional_datapipe("batch")
class BatcherIterDataPipe(IterDataPipe):
    """Collect items in lists: pipe.batch(batch_size).

    Args:
        datapipe: the source.
        batch_size: the number of items in a list.
        drop_last: whether to leave out a shorter list at the end. Default: False
        wrapper_class: the class of the lists. Default: DataChunk
    """

    def __init__(self, datapipe, batch_size, drop_last=False, wrapper_class=DataChunk):
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        self.datapipe, self.batch_size, self.drop_last, self.wrapper_class = datapipe, batch_size, drop_last, wrapper_class

    def __iter__(self):
        batch = []
        for item in self.datapipe:
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.wrapper_class(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.wrapper_class(batch)

    def __len__(self):
        items = _length(self, self.datapipe)
        return items // self.batch_size if self.drop_last else -(-items // self.batch_size)


@functional_datapipe("unbatch")
class UnBatcherIterDataPipe(IterDataPipe):
    """Yield the items of lists: pipe.unbatch().

    Args:
        datapipe: a source of lists.
        unbatch_level: how many levels of nested lists to open; -1 for all. Default: 1
    """

    def __init__(self, datapipe, unbatch_level=1):
        self.datapipe, self.unbatch_level = datapipe, unbatch_level

    def __iter__(self):
        for item in self.datapipe:
            yield from self._dive(item, self.unbatch_level)

    def _dive(self, item, level):
        if level < -1:
            raise ValueError("unbatch_level must be -1 or >= 0")
        if level != 0 and isinstance(item, list):
            for inner in item:
                yield from self._dive(inner, level if level < 0 else level - 1)
        elif level <= 0:
            yield item
        else:
            raise IndexError(f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe")


@functional_datapipe("groupby")
class GrouperIterDataPipe(IterDataPipe):
    """Collect items with equal keys in lists: pipe.groupby(group_key_fn).

    A group is yielded as soon as it is full, the rest at the end. If buffer_size items wait, the largest group is yielded
    although it is not full; if it has fewer than guaranteed_group_size items, this is an error, or the group is dropped
    with drop_remaining.

    Args:
        datapipe: the source.
        group_key_fn: a function from an item to its key.
        keep_key: True yields pairs (key, list). Default: False
        buffer_size: the number of items that may wait. Default: 10000
        group_size: the size of a full group. Default: None, for no limit
        guaranteed_group_size: the smallest size of a group yielded early. Default: None, for group_size
        drop_remaining: whether to drop smaller groups. Default: False
    """

    def __init__(self, datapipe, group_key_fn, *, keep_key=False, buffer_size=10000, group_size=None, guaranteed_group_size=None,
                 drop_remaining=False):
        if group_size is not None and buffer_size is not None and not 0 < group_size <= buffer_size:
            raise AssertionError("group_size must be > 0 and <= buffer_size")
        if guaranteed_group_size is not None and (group_size is None or not 0 < guaranteed_group_size <= group_size):
            raise AssertionError("guaranteed_group_size must be > 0 and <= group_size and group_size must be set")
        self.datapipe, self.group_key_fn, self.keep_key, self.max_buffer_size = datapipe, group_key_fn, keep_key, buffer_size
        self.group_size, self.drop_remaining, self.wrapper_class = group_size, drop_remaining, DataChunk
        self.guaranteed_group_size = group_size if guaranteed_group_size is None else guaranteed_group_size

    def _result(self, key, items):
        chunk = self.wrapper_class(items)
        return (key, chunk) if self.keep_key else chunk

    def __iter__(self):
        groups, waiting = {}, 0
        for item in self.datapipe:
            key = self.group_key_fn(item)
            group = groups.setdefault(key, [])
            group.append(item)
            waiting += 1
            if len(group) == self.group_size:
                waiting -= len(groups.pop(key))
                yield self._result(key, group)
            if waiting == self.max_buffer_size:
                key = max(groups, key=lambda k: len(groups[k]))
                group = groups.pop(key)
                waiting -= len(group)
                if self.guaranteed_group_size is None or len(group) >= self.guaranteed_group_size:
                    yield self._result(key, group)
                elif not self.drop_remaining:
                    raise RuntimeError("Failed to group items", str(group))
        for key, group in groups.items():
            yield self._result(key, group)


@functional_datapipe("shuffle")
class ShufflerIterDataPipe(_Of):
    """Yield the items in random order, as far as a buffer allows: pipe.shuffle().

    Args:
        datapipe: the source.
        buffer_size: the number of items to choose from. Default: 10000
        unbatch_level: how many levels of lists to open first. Default: 0
    """

    def __init__(self, datapipe, *, buffer_size=10000, unbatch_level=0):
        if buffer_size <= 0:
            raise AssertionError("buffer_size should be larger than 0")
        self.datapipe = datapipe if unbatch_level == 0 else datapipe.unbatch(unbatch_level=unbatch_level)
        self.buffer_size, self._enabled, self._seed = buffer_size, True, None

    def set_shuffle(self, shuffle=True):
        """Switch shuffling on or off; return the pipe.

        Args:
            shuffle: the setting. Default: True
        """
        self._enabled = shuffle
        return self

    def set_seed(self, seed):
        """Set the seed of the next iteration; without it the default generator draws one. Returns the pipe.

        Args:
            seed: an int.
        """
        self._seed = seed
        return self

    def __iter__(self):
        if not self._enabled:
            yield from self.datapipe
            return
        if self._seed is None:
            self._seed = int(corten.empty((), dtype=corten.int64).random_().item())
        draw, buffer = random.Random(self._seed), []
        self._seed = None
        for item in self.datapipe:
            if len(buffer) < self.buffer_size:
                buffer.append(item)
                continue
            place = draw.randint(0, len(buffer) - 1)
            found, buffer[place] = buffer[place], item
            yield found
        while buffer:
            yield buffer.pop(draw.randint(0, len(buffer) - 1))


class SamplerIterDataPipe(IterDataPipe):
    """The indices that a sampler yields for a pipe.

    Args:
        datapipe: the source; it has a length.
        sampler: a class, called with data_source=datapipe and the arguments below. Default: SequentialSampler
        sampler_args, sampler_kwargs: its other arguments. Default: None
    """

    def __init__(self, datapipe, sampler=corten.utils.data.SequentialSampler, sampler_args=None, sampler_kwargs=None):
        if not hasattr(datapipe, "__len__"):
            raise AssertionError("Sampler class requires input datapipe implemented `__len__`")
        self.datapipe, self.sampler_args, self.sampler_kwargs = datapipe, sampler_args or (), {**(sampler_kwargs or {})}
        self.sampler_kwargs["data_source"] = datapipe
        self.sampler = sampler(*self.sampler_args, **self.sampler_kwargs)

    def __iter__(self):
        return iter(self.sampler)

    def __len__(self):
        return _length(self, self.sampler)


# ---- several pipes ----

def _pipes(name, pipes):
    if not pipes:
        raise ValueError(f"Expected at least one DataPipe, but got nothing: {name}" if name else
                         "Expected at least one DataPipe, but got nothing")
    if not all(isinstance(pipe, IterDataPipe) for pipe in pipes):
        raise TypeError("Expected all inputs to be `IterDataPipe`")
    return pipes


@functional_datapipe("concat")
class ConcaterIterDataPipe(IterDataPipe):
    """Yield the items of several pipes, one pipe after the other: pipe.concat(others).

    Args:
        datapipes: the sources.
    """

    def __init__(self, *datapipes):
        self.datapipes = _pipes("", datapipes)

    def __iter__(self):
        for pipe in self.datapipes:
            yield from pipe

    def __len__(self):
        return sum(_length(self, pipe) for pipe in self.datapipes)


@functional_datapipe("zip")
class ZipperIterDataPipe(IterDataPipe):
    """Yield tuples with an item of each pipe, until one ends: pipe.zip(others).

    Args:
        datapipes: the sources.
    """

    def __init__(self, *datapipes):
        if not all(isinstance(pipe, IterDataPipe) for pipe in datapipes):
            raise TypeError("All inputs are required to be `IterDataPipe` for `ZipIterDataPipe`.")
        self.datapipes = datapipes

    def __iter__(self):
        return zip(*self.datapipes)

    def __len__(self):
        return min(_length(self, pipe) for pipe in self.datapipes)


@functional_datapipe("mux")
class MultiplexerIterDataPipe(IterDataPipe):
    """Yield an item of each pipe in turn, until one ends: pipe.mux(others).

    Args:
        datapipes: the sources.
    """

    def __init__(self, *datapipes):
        self.datapipes = datapipes

    def __iter__(self):
        for items in zip(*self.datapipes):
            yield from items

    def __len__(self):
        return len(self.datapipes) * min(_length(self, pipe) for pipe in self.datapipes)


# ---- files ----

class FileListerIterDataPipe(IterDataPipe):
    """Yield the paths of the files in folders: pipe.list_files().

    Args:
        root: a folder, a sequence of them, or a pipe of them. Default: "."
        masks: a pattern such as "*.txt" for file names, or a list of patterns. Default: "", for all files
        recursive: whether to enter subfolders. Default: False
        abspath: whether to yield absolute paths. Default: False
        non_deterministic: whether to skip sorting. Default: False
        length: what len() returns; -1 for an error. Default: -1
    """

    def __init__(self, root=".", masks="", *, recursive=False, abspath=False, non_deterministic=False, length=-1):
        self.datapipe = IterableWrapperIterDataPipe([root] if isinstance(root, str) else root) if not isinstance(root, IterDataPipe) else root
        self.masks, self.recursive, self.abspath, self.non_deterministic, self.length = masks, recursive, abspath, non_deterministic, length

    def __iter__(self):
        for path in self.datapipe:
            yield from get_file_pathnames_from_root(path, self.masks, self.recursive, self.abspath, self.non_deterministic)

    def __len__(self):
        return _given(self)


functional_datapipe("list_files")(FileListerIterDataPipe)


def _given(pipe):
    if pipe.length == -1:
        raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length")
    return pipe.length


@functional_datapipe("open_files")
class FileOpenerIterDataPipe(IterDataPipe):
    """Yield pairs (path, open file): pipe.open_files().

    Args:
        datapipe: a source of paths.
        mode: "b" or "rb" for bytes, "t", "rt" or "r" for text. Default: "r"
        encoding: the encoding of text. Default: None, for Python's default
        length: what len() returns; -1 for an error. Default: -1
    """

    def __init__(self, datapipe, mode="r", encoding=None, length=-1):
        if mode not in ("b", "t", "rb", "rt", "r"):
            raise ValueError(f"Invalid mode {mode}")
        if "b" in mode and encoding is not None:
            raise ValueError("binary mode doesn't take an encoding argument")
        self.datapipe, self.mode, self.encoding, self.length = datapipe, mode, encoding, length

    def __iter__(self):
        yield from get_file_binaries_from_pathnames(self.datapipe, self.mode, self.encoding)

    def __len__(self):
        return _given(self)


@functional_datapipe("routed_decode")
class RoutedDecoderIterDataPipe(_Of):
    """Decode files by their extensions: pipe.routed_decode() maps (path, open file) to (path, object).

    Args:
        datapipe: the source.
        handlers: functions (extension, bytes) that return an object, or None for an unknown extension. Default: those for text,
            numbers, JSON, pickles, tensors and images
        key_fn: a function from a path to the extension. Default: extension_extract_fn
    """

    def __init__(self, datapipe, *handlers, key_fn=extension_extract_fn):
        self.datapipe = datapipe
        self.decoder = Decoder(*(handlers or (basichandlers, imagehandler("torch"))), key_fn=key_fn)

    def add_handler(self, *handler):
        """Add handlers, tried after the present ones.

        Args:
            handler: the handlers.
        """
        self.decoder.add_handler(*handler)

    def __iter__(self):
        for data in self.datapipe:
            result = self.decoder((data[0], data[1]))
            StreamWrapper.close_streams(data[1])
            yield result
