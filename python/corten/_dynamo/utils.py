# SPDX-License-Identifier: BSD-3-Clause
"""torch._dynamo.utils: queries by which libraries decide whether to compile a function."""

__all__ = ["is_compile_supported"]


def is_compile_supported(device_type):
    """Returns False for every device: there is no compiler."""
    return False
