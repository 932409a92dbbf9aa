# SPDX-License-Identifier: BSD-3-Clause
"""Files that close themselves, and functions that fit the columns they are given."""
import fnmatch
import functools
import inspect
import os

__all__ = ["StreamWrapper", "get_file_binaries_from_pathnames", "get_file_pathnames_from_root", "match_masks", "validate_input_col",
           "validate_pathname_binary_tuple"]


def validate_input_col(fn, input_col):
    """A ValueError unless a function can be called with as many arguments as there are columns: one, or those of a list or tuple."""
    try:
        given = inspect.signature(fn).parameters.values()
    except ValueError:  # of some functions in C nothing is known
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
    """Whether a name matches one of several patterns such as "*.txt"; without a pattern every name does."""
    masks = [masks] if isinstance(masks, str) else masks
    return not masks or masks == [""] or any(fnmatch.fnmatch(name, mask) for mask in masks)


def get_file_pathnames_from_root(root, masks, recursive=False, abspath=False, non_deterministic=False):
    """The files in a folder whose names match, sorted unless `non_deterministic`; a file as root is itself."""
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
    """(path, open file) for each path. `mode` may be "b" or "t" alone, for reading."""
    if isinstance(pathnames, (str, bytes)) or not hasattr(pathnames, "__iter__"):
        pathnames = [pathnames]
    for path in pathnames:
        if not isinstance(path, str):
            raise TypeError(f"Expected string type for pathname, but got {type(path)}")
        yield path, StreamWrapper(open(path, "r" + mode if mode in ("b", "t") else mode, encoding=encoding))


def validate_pathname_binary_tuple(data):
    """A TypeError unless this is a pair of a path and an open file."""
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
    """An open file that is closed when nobody refers to it any more; in all else the file itself.

    parent_stream: the archive that it lies in; with autoclose() that is closed after the last of its files.
    """

    session_streams = {}
    debug_unclosed_streams = False  # True: session_streams has those that are open

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
        """Closes all in lists, tuples and dictionaries, ten levels deep."""
        if isinstance(v, StreamWrapper):
            v.close()
        elif isinstance(v, (dict, list, tuple)) and depth < 10:
            for entry in v.values() if isinstance(v, dict) else v:
                cls.close_streams(entry, depth + 1)

    def __getattr__(self, name):
        return getattr(self.__dict__["file_obj"], name)

    def close(self, *args, **kwargs):
        """Closes the file, and after the last file of an archive that has autoclose() the archive."""
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
        """Closes this as soon as no file in it is open."""
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
