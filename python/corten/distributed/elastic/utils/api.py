# SPDX-License-Identifier: BSD-3-Clause
"""Utility functions of the launcher."""
import os
import socket
import string

__all__ = ["get_env_variable_or_raise", "get_socket_with_port", "macros"]


def get_env_variable_or_raise(env_name):
    """Returns an environment variable; raises ValueError if it is not set."""
    value = os.environ.get(env_name)
    if value is None:
        raise ValueError(f"Environment variable {env_name} expected, but not set")
    return value


def get_socket_with_port():
    """Returns a listening socket on a free port of this machine."""
    found = socket.socket()
    try:
        found.bind(("localhost", 0))
        found.listen(0)
        return found
    except OSError as error:
        found.close()
        raise RuntimeError("Failed to create a socket") from error


class macros:
    """Placeholders that the launcher substitutes in worker arguments."""
    local_rank = "${local_rank}"

    @staticmethod
    def substitute(args, local_rank):
        """Returns the arguments with placeholders replaced for a worker; arguments that are not str are kept."""
        return [string.Template(arg).safe_substitute(local_rank=local_rank) if isinstance(arg, str) else arg for arg in args]
