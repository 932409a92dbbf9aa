# SPDX-License-Identifier: BSD-3-Clause
"""Pipes that read open files."""
from .. import IterDataPipe, functional_datapipe

__all__ = ["StreamReaderIterDataPipe"]


@functional_datapipe("read_from_stream")
class StreamReaderIterDataPipe(IterDataPipe):
    """(name, contents) for each (name, open file); with `chunk` in parts of so many bytes. The files are closed."""

    def __init__(self, datapipe, chunk=None):
        self.datapipe, self.chunk = datapipe, chunk

    def __iter__(self):
        for name, stream in self.datapipe:
            while data := stream.read(self.chunk):
                yield name, data
            stream.close()
