# SPDX-License-Identifier: BSD-3-Clause
"""Ports of this machine."""
from .api import get_socket_with_port

__all__ = ["get_free_port"]


def get_free_port():
    """The number of a port that no process uses now."""
    with get_socket_with_port() as found:
        return found.getsockname()[1]
