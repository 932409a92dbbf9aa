# SPDX-License-Identifier: BSD-3-Clause
"""The base classes of data pipes, under the name of PyTorch's file."""
from . import DFIterDataPipe, IterDataPipe, MapDataPipe

__all__ = ["DFIterDataPipe", "IterDataPipe", "MapDataPipe"]


class _IterDataPipeSerializationWrapper(IterDataPipe):
    """A pipe to be sent to a spawned process; pipes are pickled as they are."""

    def __init__(self, datapipe):
        self._datapipe = datapipe

    def __iter__(self):
        yield from self._datapipe

    def __len__(self):
        return len(self._datapipe)


class _MapDataPipeSerializationWrapper(MapDataPipe):
    """An indexed pipe to be sent to a spawned process; pipes are pickled as they are."""

    def __init__(self, datapipe):
        self._datapipe = datapipe

    def __getitem__(self, index):
        return self._datapipe[index]

    def __len__(self):
        return len(self._datapipe)
