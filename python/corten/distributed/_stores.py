# SPDX-License-Identifier: BSD-3-Clause
"""Key-value stores through which processes find each other. The C library implements them."""
import os
import weakref
from datetime import timedelta

from .. import _C
from .._missing import MissingFeature

__all__ = ["FileStore", "HashStore", "PrefixStore", "Store", "TCPStore"]


def _seconds(timeout):
    return timeout.total_seconds() if isinstance(timeout, timedelta) else float(timeout)


def _bytes(value, name):
    if not isinstance(value, (str, bytes, bytearray, memoryview)):  # bytes(3) would be three zero bytes
        raise TypeError(f"{name}(): incompatible function arguments. Expected str or bytes, not {type(value).__name__}")
    return value.encode() if isinstance(value, str) else bytes(value)


class Store:
    """Base class of key-value stores."""
    _handle = None

    def set(self, key, value):
        """Sets `key` to a str or bytes."""
        _C._store_set(self._handle, key, _bytes(value, "set"), False)

    def get(self, key):
        """Returns the value of `key` as bytes; waits until the key is set, up to the timeout."""
        return _C._store_get(self._handle, key)

    def append(self, key, value):
        """Appends bytes to the value of `key`."""
        _C._store_set(self._handle, key, _bytes(value, "append"), True)

    def add(self, key, amount):
        """Adds `amount` to the int64 counter `key`, which starts at 0, and returns the new value (modulo 2**64)."""
        if not isinstance(amount, int) or not -2 ** 63 <= amount < 2 ** 63:
            raise TypeError(f"add(): incompatible function arguments. An int64 is expected, not {amount!r}")
        return _C._store_add(self._handle, key, amount)

    def compare_set(self, key, expected_value, desired_value):
        """Sets `key` to desired_value if its value is expected_value, or if expected_value is empty and the key is absent.

        Returns the value of the key after the call.
        """
        return _C._store_compare_set(self._handle, key, _bytes(expected_value, "compare_set"), _bytes(desired_value, "compare_set"))

    def wait(self, keys, timeout=None):
        """Waits until all `keys` are set; `timeout` defaults to the timeout of the store."""
        if isinstance(keys, str) or not all(isinstance(key, str) for key in keys):
            raise TypeError("wait(): incompatible function arguments. A list of keys is expected")
        _C._store_wait(self._handle, list(keys), _C._store_timeout(self._handle) if timeout is None else _seconds(timeout))

    def check(self, keys):
        """Returns whether all `keys` are set."""
        return all(_C._store_ask(self._handle, "check", key) for key in keys)

    def delete_key(self, key):
        """Deletes `key` and returns whether it existed."""
        return bool(_C._store_ask(self._handle, "delete", key))

    def num_keys(self):
        """Returns the number of keys."""
        return _C._store_ask(self._handle, "num_keys", "")

    def multi_get(self, keys):
        """Returns the values of several keys as a list of bytes."""
        return [self.get(key) for key in keys]

    def multi_set(self, keys, values):
        """Sets several keys."""
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)

    def has_extended_api(self):
        """Returns True: append, multi_get and multi_set are available."""
        return True

    def set_timeout(self, timeout):
        """Sets the default timeout of get and wait, a timedelta."""
        _C._store_timeout(self._handle, _seconds(timeout))

    @property
    def timeout(self):
        """The default timeout of get and wait, a timedelta."""
        return timedelta(seconds=_C._store_timeout(self._handle))


_servers = weakref.WeakValueDictionary()  # port -> store of this process that runs the server


class TCPStore(Store):
    """A store that one process serves (is_master=True) and all others reach at host_name:port.

    With `multi_tenant`, masters of one process on one port share a server.
    """

    def __init__(self, host_name, port, world_size=None, is_master=False, timeout=timedelta(seconds=300),
                 wait_for_workers=True, multi_tenant=False, master_listen_fd=None, use_libuv=True):
        if master_listen_fd is not None:
            raise MissingFeature("TCPStore(master_listen_fd=...)", "give port 0, and the store's `port` to the others")
        self.host, self.world_size = host_name, world_size
        count = world_size if wait_for_workers and world_size and world_size > 0 else 0
        self._server = _servers.get(port) if multi_tenant and is_master else None  # holds a reference to the shared server
        self._handle = _C._store_tcp(host_name, port, is_master and self._server is None, count, _seconds(timeout))
        if multi_tenant and is_master and self._server is None:
            _servers[self.port] = self

    @property
    def port(self):
        """The port on which the server listens."""
        return _C._store_port(self._handle)

    def __repr__(self):
        return f"TCPStore({self.host}, {self.port})"


def _leave_file(handle, path, world_size, pid):
    """Called when a FileStore is destroyed. The last of `world_size` stores removes the file, so that the next run starts empty."""
    if pid != os.getpid() or not os.path.exists(path):
        return
    left = _C._store_add(handle, "cleanup/", 1)
    if _C._store_add(handle, "refcount/", -1) == 0 and left >= world_size:
        os.unlink(path)


class FileStore(Store):
    """A store in a file that all processes can access.

    The file is removed when `world_size` stores have been closed and none is open.
    """

    def __init__(self, file_name, world_size=-1):
        self.path = file_name
        self._handle = _C._store_file(file_name)
        if world_size >= 0:
            _C._store_add(self._handle, "refcount/", 1)
            weakref.finalize(self, _leave_file, self._handle, file_name, world_size, os.getpid())


class HashStore(Store):
    """A store in memory, for the threads of one process."""

    def __init__(self):
        self._handle = _C._store_hash()


class PrefixStore(Store):
    """A view of another store that adds `prefix` to every key."""

    def __init__(self, prefix, store):
        if not isinstance(store, Store):
            raise TypeError(f"__init__(): incompatible constructor arguments. A store is expected, not {type(store).__name__}")
        self.underlying_store, self.prefix = store, prefix
        self._handle = _C._store_prefix(prefix, store._handle)
