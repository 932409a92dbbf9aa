# SPDX-License-Identifier: BSD-3-Clause
"""The memory format of the weights of convolutions."""
from ..modules import conv

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def _convert(module, kinds, memory_format):
    for part in module.modules():
        if isinstance(part, kinds):
            data = part.weight.detach().clone(memory_format=memory_format)
            part.weight.data = data.resize_(data.size(), memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module, memory_format):
    """Convert the weights of all convolutions of images (Conv2d, ConvTranspose2d) inside a module to a memory format, in place.

    Other parameters and buffers are left alone, unlike with `module.to(memory_format=...)`. Returns
    the module.

    Args:
        module: the module.
        memory_format: for example torch.channels_last.
    """
    return _convert(module, (conv.Conv2d, conv.ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module, memory_format):
    """Convert the weights of all convolutions of volumes (Conv3d, ConvTranspose3d) inside a module to a memory format, in place.

    Other parameters and buffers are left alone, unlike with `module.to(memory_format=...)`. Returns
    the module.

    Args:
        module: the module.
        memory_format: for example torch.channels_last_3d.
    """
    return _convert(module, (conv.Conv3d, conv.ConvTranspose3d), memory_format)
