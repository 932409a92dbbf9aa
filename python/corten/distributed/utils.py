# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.utils: only what libraries use."""
from . import _collectives as coll


def _sync_module_states(module, process_group, broadcast_bucket_size, src, params_and_buffers_to_ignore=(), broadcast_buffers=True):
    """Broadcasts parameters and buffers from rank `src` to all ranks."""
    tensors = [*module.named_parameters(), *(module.named_buffers() if broadcast_buffers else ())]
    for name, tensor in tensors:
        if name not in params_and_buffers_to_ignore:
            coll.broadcast(tensor.detach(), group=process_group, group_src=src)
