# SPDX-License-Identifier: BSD-3-Clause
"""The connection between a loader and a worker process: a socket pair per worker carries jobs one way and batches the other.

The shared memory of tensors travels as file descriptors next to the bytes (SCM_RIGHTS). The kernel holds descriptors in
transit, so what a worker has sent arrives even if the worker is killed, and nothing leaks if the loader ends first. A message
is a header (job number, size of the pickle, number of descriptors), the descriptors in portions, and the pickle.
"""
import os
import queue
import select
import socket
import struct
import threading
import weakref

from ...._utils import ExceptionWrapper
from ....multiprocessing import reductions

_HEADER = struct.Struct("!qqq")
_PORTION = 200  # descriptors per call; Linux allows at most 253
_SMALL = 4096  # bytes that a writable socket accepts without blocking
_ours = weakref.WeakSet()  # the channel ends of this process


class Channel:
    """One end of a connection, made from one end of multiprocessing.Pipe(), which it takes over.

    A small message is written at once, so that it is not lost if the worker dies later. A large message could block until
    the other side reads, so a thread writes it while the caller continues.
    """

    def __init__(self, connection):
        self._socket = socket.socket(fileno=os.dup(connection.fileno()))
        self._socket.setblocking(True)
        connection.close()
        self._lock, self._backlog, self._left, self._thread = threading.Lock(), queue.SimpleQueue(), 0, None
        _ours.add(self)

    def fileno(self):
        """Return the socket's file descriptor."""
        return self._socket.fileno()

    def hung_up(self):
        """Return whether the other side is closed; there may still be something to read."""
        return bool(self._poll(0) & select.POLLHUP)

    def _poll(self, events):
        poll = select.poll()
        poll.register(self._socket, events)
        return next((found for _, found in poll.poll(0)), 0)

    def put(self, number, data):
        """Send a job or a batch. Data that cannot be pickled raises here; a closed other side is not an error."""
        message = number, *reductions.dumps(data)
        with self._lock:
            if not self._left and len(message[1]) <= _SMALL and self._poll(select.POLLOUT):
                self._send(message)
                return
            self._left += 1
            self._backlog.put(message)
            if self._thread is None:
                self._thread = threading.Thread(target=self._send_backlog, daemon=True)
                self._thread.start()

    def finish(self):
        """Wait until everything is sent."""
        if self._thread is not None:
            self._backlog.put(None)
            self._thread.join()

    def close(self):
        """Close this end."""
        self._socket.close()

    def _send(self, message):
        number, data, storages = message
        fds = [storage._share_fd() for storage in storages]
        try:
            portions = [fds[i:i + _PORTION] for i in range(0, len(fds), _PORTION)] or [[]]
            socket.send_fds(self._socket, [_HEADER.pack(number, len(data), len(fds))], portions[0])
            for portion in portions[1:]:
                socket.send_fds(self._socket, [b"+"], portion)
            self._socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def _send_backlog(self):
        while (message := self._backlog.get()) is not None:
            self._send(message)
            del message
            with self._lock:
                self._left -= 1

    def get(self):
        """Wait for the next (number, data). Data that cannot be unpickled is returned as an ExceptionWrapper.

        EOFError and OSError mean that the other side is closed.
        """
        number, data, fds = self._receive()
        try:
            return number, reductions.loads(data, fds)
        except Exception:
            return number, ExceptionWrapper(where="while a message between a DataLoader and its worker was unpickled")

    def _receive(self):
        fds = []
        try:
            number, nbytes, count = _HEADER.unpack(self._piece(_HEADER.size, fds))
            while len(fds) < count:
                self._piece(1, fds)
            data = bytearray(nbytes)
            self._fill(memoryview(data))
            return number, data, fds
        except BaseException:
            for fd in fds:
                os.close(fd)
            raise

    def _fill(self, left):
        while left:
            got = self._socket.recv_into(left)
            if not got:
                raise EOFError
            left = left[got:]

    def _piece(self, nbytes, fds):
        """Read some bytes, and the descriptors that come with the first of them."""
        data, more, _, _ = socket.recv_fds(self._socket, nbytes, _PORTION)
        fds += more
        if not data:
            raise EOFError
        rest = bytearray(nbytes - len(data))
        self._fill(memoryview(rest))
        return data + rest


def close_inherited():
    """In a forked worker, close the copies of the loader's ends: other workers could not notice the loader's end otherwise."""
    for channel in list(_ours):
        channel.close()
