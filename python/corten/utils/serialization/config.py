# SPDX-License-Identifier: BSD-3-Clause
"""Defaults of torch.save and torch.load, to be changed by assignment."""


class load:
    """torch.load"""
    mmap = False
    endianness = None
    mmap_flags = None
    calculate_storage_offsets = False


class save:
    """torch.save"""
    compute_crc32 = True
    use_pinned_memory_for_d2h = False
    storage_alignment = 64
