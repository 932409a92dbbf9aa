# SPDX-License-Identifier: BSD-3-Clause
"""torch._dynamo.utils: what libraries ask before they choose a compiled form of a function."""

__all__ = ["is_compile_supported"]


def is_compile_supported(device_type):
    """False for every device: there is no compiler, so the plain form is the right one."""
    return False
