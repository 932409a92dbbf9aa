# SPDX-License-Identifier: BSD-3-Clause
"""Defaults of torch.save and torch.load; assign to change them."""


class load:
    """Defaults of torch.load."""
    mmap = False
    endianness = None
    mmap_flags = None
    calculate_storage_offsets = False


class save:
    """Defaults of torch.save."""
    compute_crc32 = True
    use_pinned_memory_for_d2h = False
    storage_alignment = 64
