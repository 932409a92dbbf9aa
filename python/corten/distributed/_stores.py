# SPDX-License-Identifier: BSD-3-Clause
"""Stores: keys and values by which processes find each other. Their work is done by the library."""
import os
import weakref
from datetime import timedelta

from .. import _C
from .._missing import MissingFeature

__all__ = ["FileStore", "HashStore", "PrefixStore", "Store", "TCPStore"]


def _seconds(timeout):
    return timeout.total_seconds() if isinstance(timeout, timedelta) else float(timeout)


def _bytes(value, name):
    if not isinstance(value, (str, bytes, bytearray, memoryview)):  # bytes(3) would be three zeros
        raise TypeError(f"{name}(): incompatible function arguments. A text or bytes are expected, not {type(value).__name__}")
    return value.encode() if isinstance(value, str) else bytes(value)


class Store:
    """What all stores can do."""
    _handle = None

    def set(self, key, value):
        """Sets a key to a text or bytes."""
        _C._store_set(self._handle, key, _bytes(value, "set"), False)

    def get(self, key):
        """The bytes of a key; waits for it."""
        return _C._store_get(self._handle, key)

    def append(self, key, value):
        """Adds bytes at the end of a key's."""
        _C._store_set(self._handle, key, _bytes(value, "append"), True)

    def add(self, key, amount):
        """Adds to a key that is an int64, 0 at first; its new value, which wraps round."""
        if not isinstance(amount, int) or not -2 ** 63 <= amount < 2 ** 63:
            raise TypeError(f"add(): incompatible function arguments. An int64 is expected, not {amount!r}")
        return _C._store_add(self._handle, key, amount)

    def compare_set(self, key, expected_value, desired_value):
        """Sets a key if it has the value that is expected (an empty one: or is not there); what it has then."""
        return _C._store_compare_set(self._handle, key, _bytes(expected_value, "compare_set"), _bytes(desired_value, "compare_set"))

    def wait(self, keys, timeout=None):
        """Waits until all keys are there."""
        if isinstance(keys, str) or not all(isinstance(key, str) for key in keys):
            raise TypeError("wait(): incompatible function arguments. A list of keys is expected")
        _C._store_wait(self._handle, list(keys), _C._store_timeout(self._handle) if timeout is None else _seconds(timeout))

    def check(self, keys):
        """Whether all keys are there."""
        return all(_C._store_ask(self._handle, "check", key) for key in keys)

    def delete_key(self, key):
        """Takes a key away; whether it was there."""
        return bool(_C._store_ask(self._handle, "delete", key))

    def num_keys(self):
        """How many keys there are."""
        return _C._store_ask(self._handle, "num_keys", "")

    def multi_get(self, keys):
        """The bytes of several keys."""
        return [self.get(key) for key in keys]

    def multi_set(self, keys, values):
        """Sets several keys."""
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)

    def has_extended_api(self):
        """True: append, multi_get and multi_set are there."""
        return True

    def set_timeout(self, timeout):
        """How long get and wait wait."""
        _C._store_timeout(self._handle, _seconds(timeout))

    @property
    def timeout(self):
        """How long waits for a key may take, a timedelta."""
        return timedelta(seconds=_C._store_timeout(self._handle))


_servers = weakref.WeakValueDictionary()  # port -> the store of this process that serves it


class TCPStore(Store):
    """A store that one process serves (is_master) and all others reach at host_name:port.

    With `multi_tenant`, masters of one process at one port share a server.
    """

    def __init__(self, host_name, port, world_size=None, is_master=False, timeout=timedelta(seconds=300),
                 wait_for_workers=True, multi_tenant=False, master_listen_fd=None, use_libuv=True):
        if master_listen_fd is not None:
            raise MissingFeature("TCPStore(master_listen_fd=...)", "give port 0, and the store's `port` to the others")
        self.host, self.world_size = host_name, world_size
        count = world_size if wait_for_workers and world_size and world_size > 0 else 0
        self._server = _servers.get(port) if multi_tenant and is_master else None  # kept while this store needs it
        self._handle = _C._store_tcp(host_name, port, is_master and self._server is None, count, _seconds(timeout))
        if multi_tenant and is_master and self._server is None:
            _servers[self.port] = self

    @property
    def port(self):
        """The port that the server listens on."""
        return _C._store_port(self._handle)

    def __repr__(self):
        return f"TCPStore({self.host}, {self.port})"


def _leave_file(handle, path, world_size, pid):
    """A FileStore is gone: the last of `world_size` removes the file, so that the next run begins with an empty one."""
    if pid != os.getpid() or not os.path.exists(path):
        return
    left = _C._store_add(handle, "cleanup/", 1)
    if _C._store_add(handle, "refcount/", -1) == 0 and left >= world_size:
        os.unlink(path)


class FileStore(Store):
    """A store in a file that all processes see. When `world_size` stores have been closed and none is open, the file is removed."""

    def __init__(self, file_name, world_size=-1):
        self.path = file_name
        self._handle = _C._store_file(file_name)
        if world_size >= 0:
            _C._store_add(self._handle, "refcount/", 1)
            weakref.finalize(self, _leave_file, self._handle, file_name, world_size, os.getpid())


class HashStore(Store):
    """A store for the threads of one process."""

    def __init__(self):
        self._handle = _C._store_hash()


class PrefixStore(Store):
    """Another store, with a prefix before each key."""

    def __init__(self, prefix, store):
        if not isinstance(store, Store):
            raise TypeError(f"__init__(): incompatible constructor arguments. A store is expected, not {type(store).__name__}")
        self.underlying_store, self.prefix = store, prefix
        self._handle = _C._store_prefix(prefix, store._handle)
