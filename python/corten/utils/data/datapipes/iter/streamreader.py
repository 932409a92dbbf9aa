# SPDX-License-Identifier: BSD-3-Clause
"""Pipes that read open files."""
from .. import IterDataPipe, functional_datapipe

__all__ = ["StreamReaderIterDataPipe"]


@functional_datapipe("read_from_stream")
class StreamReaderIterDataPipe(IterDataPipe):
    """Read files: pipe.read_from_stream() maps (name, open file) to (name, contents) and closes the files.

    Args:
        datapipe: the source.
        chunk: the size of the pieces to read. Default: None, for whole files
    """

    def __init__(self, datapipe, chunk=None):
        self.datapipe, self.chunk = datapipe, chunk

    def __iter__(self):
        for name, stream in self.datapipe:
            while data := stream.read(self.chunk):
                yield name, data
            stream.close()
