# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of data pipes: files that close themselves, and checks of functions and names."""
import fnmatch
import functools
import inspect
import os

__all__ = ["StreamWrapper", "get_file_binaries_from_pathnames", "get_file_pathnames_from_root", "match_masks", "validate_input_col",
           "validate_pathname_binary_tuple"]


def validate_input_col(fn, input_col):
    """Raise ValueError unless a function takes as many positional arguments as there are columns.

    Args:
        fn: the function.
        input_col: one column, or a list or tuple of columns.
    """
    try:
        given = inspect.signature(fn).parameters.values()
    except ValueError:  # some functions in C have no signature
        return
    name = getattr(fn.func if isinstance(fn, functools.partial) else fn, "__name__", repr(fn))
    named = [p for p in given if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if named:
        raise ValueError(f"The function {name} takes {len(named)} non-default keyword-only parameters, which is not allowed.")
    places = [p for p in given if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    columns = len(input_col) if isinstance(input_col, (list, tuple)) else 1
    least = sum(p.default is p.empty for p in places)
    if columns < least:
        raise ValueError(f"The function {name} takes {least} positional parameters, but {columns} are required.")
    if columns > len(places) and not any(p.kind is p.VAR_POSITIONAL for p in given):
        raise ValueError(f"The function {name} takes {len(places)} parameters, but {columns} are required.")


def match_masks(name, masks):
    """Return whether a name matches one of several patterns.

    Args:
        name: the name.
        masks: a pattern such as "*.txt", or a list of patterns; without a pattern every name matches.
    """
    masks = [masks] if isinstance(masks, str) else masks
    return not masks or masks == [""] or any(fnmatch.fnmatch(name, mask) for mask in masks)


def get_file_pathnames_from_root(root, masks, recursive=False, abspath=False, non_deterministic=False):
    """Yield the paths of the files in a folder.

    Args:
        root: the folder; a file yields itself.
        masks: a pattern for file names, or a list of patterns.
        recursive: whether to enter subfolders. Default: False
        abspath: whether to yield absolute paths. Default: False
        non_deterministic: whether to skip sorting. Default: False
    """
    def fail(error):
        import warnings
        warnings.warn(f"{error.filename} : {error.strerror}", stacklevel=3)
        raise error
    if os.path.isfile(root):
        path = os.path.abspath(root) if abspath else root
        if match_masks(os.path.basename(path), masks):
            yield path
        return
    for path, folders, files in os.walk(root, onerror=fail):
        path = os.path.abspath(path) if abspath else path
        yield from (os.path.join(path, name) for name in (files if non_deterministic else sorted(files)) if match_masks(name, masks))
        if not recursive:
            return
        if not non_deterministic:
            folders.sort()


def get_file_binaries_from_pathnames(pathnames, mode, encoding=None):
    """Yield pairs (path, open file).

    Args:
        pathnames: a path or an iterable of paths.
        mode: the mode of open(); "b" or "t" alone mean reading.
        encoding: the encoding of text. Default: None
    """
    if isinstance(pathnames, (str, bytes)) or not hasattr(pathnames, "__iter__"):
        pathnames = [pathnames]
    for path in pathnames:
        if not isinstance(path, str):
            raise TypeError(f"Expected string type for pathname, but got {type(path)}")
        yield path, StreamWrapper(open(path, "r" + mode if mode in ("b", "t") else mode, encoding=encoding))


def validate_pathname_binary_tuple(data):
    """Raise TypeError unless data is a pair of a path and an open file.

    Args:
        data: the object to check.
    """
    import io
    if not isinstance(data, tuple):
        raise TypeError(f"pathname binary data should be tuple type, but it is type {type(data)}")
    if len(data) != 2:
        raise TypeError(f"pathname binary stream tuple length should be 2, but got {len(data)}")
    if not isinstance(data[0], str):
        raise TypeError(f"pathname within the tuple should have string type pathname, but it is type {type(data[0])}")
    if not isinstance(data[1], (io.IOBase, StreamWrapper)):
        raise TypeError(f"binary stream within the tuple should have IOBase orits subclasses as type, but it is type {type(data[1])}")


class StreamWrapper:
    """An open file that is closed with the last reference to it; otherwise it behaves like the file.

    Args:
        file_obj: the file.
        parent_stream: the StreamWrapper of the archive that contains it; after autoclose() that is closed with the last of its
            files. Default: None
        name: a name for repr(). Default: None
    """

    session_streams = {}
    debug_unclosed_streams = False  # True: session_streams holds the open ones

    def __init__(self, file_obj, parent_stream=None, name=None):
        if parent_stream is not None:
            if not isinstance(parent_stream, StreamWrapper):
                raise RuntimeError(f"Parent stream should be StreamWrapper, {type(parent_stream)} was given")
            parent_stream.child_counter += 1
        self.file_obj, self.parent_stream, self.name = file_obj, parent_stream, name
        self.child_counter, self.close_on_last_child, self.closed = 0, False, False
        if StreamWrapper.debug_unclosed_streams:
            StreamWrapper.session_streams[self] = 1

    @classmethod
    def close_streams(cls, v, depth=0):
        """Close all StreamWrappers in nested lists, tuples and dictionaries, up to ten levels deep.

        Args:
            v: the structure.
            depth: the current level. Default: 0
        """
        if isinstance(v, StreamWrapper):
            v.close()
        elif isinstance(v, (dict, list, tuple)) and depth < 10:
            for entry in v.values() if isinstance(v, dict) else v:
                cls.close_streams(entry, depth + 1)

    def __getattr__(self, name):
        return getattr(self.__dict__["file_obj"], name)

    def close(self, *args, **kwargs):
        """Close the file and, if it was the last one of an archive with autoclose(), the archive.

        Args:
            args, kwargs: passed to the file's close().
        """
        if self.closed:
            return
        StreamWrapper.session_streams.pop(self, None)
        parent = self.parent_stream
        if parent is not None:
            parent.child_counter -= 1
            if not parent.child_counter and parent.close_on_last_child:
                parent.close()
        if hasattr(self.file_obj, "close"):
            self.file_obj.close(*args, **kwargs)
        self.closed = True

    def autoclose(self):
        """Close this archive as soon as none of its files is open."""
        self.close_on_last_child = True
        if not self.child_counter:
            self.close()

    def __del__(self):
        if not self.__dict__.get("closed", True):
            self.close()

    def __iter__(self):
        yield from self.file_obj

    def __next__(self):
        return next(self.file_obj)

    def __dir__(self):
        return sorted({*self.__dict__, *dir(StreamWrapper), *dir(self.file_obj)})

    def __repr__(self):
        return f"StreamWrapper<{self.file_obj!r}>" if self.name is None else f"StreamWrapper<{self.name},{self.file_obj!r}>"

    def __getstate__(self):
        return self.file_obj

    def __setstate__(self, obj):
        self.__init__(obj)
