# SPDX-License-Identifier: BSD-3-Clause
"""GradBucket: some gradients of DistributedDataParallel as a hook of register_comm_hook sees them."""

import enum

__all__ = ["BuiltinCommHookType", "GradBucket"]


class BuiltinCommHookType(enum.Enum):
    """Hooks that DistributedDataParallel._register_builtin_comm_hook takes: averages as they are, or of float16."""
    ALLREDUCE, FP16_COMPRESS = 0, 1


class GradBucket:
    """Several gradients in one tensor, which a communication hook sends. DistributedDataParallel makes them."""

    def __init__(self, bucket, index, last):
        self._bucket, self._index, self._last, self._buffer = bucket, index, last, bucket.flat

    def index(self):
        """Returns the position of the bucket in the order in which buckets are sent."""
        return self._index

    def is_last(self):
        """Whether it is the last bucket of this backward pass."""
        return self._last

    def buffer(self):
        """Returns the gradients one after the other in one tensor. A sparse gradient is alone in its bucket."""
        return self._buffer

    def set_buffer(self, tensor):
        """Replaces the tensor that buffer() returns."""
        self._buffer = tensor

    def gradients(self):
        """Returns the gradients as views of the tensor, one for each parameter."""
        if self._bucket.sparse:
            return [self._buffer]
        if self._buffer is self._bucket.flat:
            return list(self._bucket.views)
        parts = self._buffer.split([p.numel() for p in self._bucket.parameters])
        return [part.view(p.shape) for part, p in zip(parts, self._bucket.parameters, strict=True)]

    def parameters(self):
        """Returns the parameters of the gradients, in the same order."""
        return list(self._bucket.parameters)
