# SPDX-License-Identifier: BSD-3-Clause
"""Search for free TCP ports."""
from .api import get_socket_with_port

__all__ = ["get_free_port"]


def get_free_port():
    """Returns a TCP port that is currently free."""
    with get_socket_with_port() as found:
        return found.getsockname()[1]
