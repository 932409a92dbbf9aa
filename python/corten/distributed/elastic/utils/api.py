# SPDX-License-Identifier: BSD-3-Clause
"""Small functions of the launcher."""
import os
import socket
import string

__all__ = ["get_env_variable_or_raise", "get_socket_with_port", "macros"]


def get_env_variable_or_raise(env_name):
    """The value of a variable of the environment; ValueError if it is not set."""
    value = os.environ.get(env_name)
    if value is None:
        raise ValueError(f"Environment variable {env_name} expected, but not set")
    return value


def get_socket_with_port():
    """A socket that listens on this machine at a port that was free."""
    found = socket.socket()
    try:
        found.bind(("localhost", 0))
        found.listen(0)
        return found
    except OSError as error:
        found.close()
        raise RuntimeError("Failed to create a socket") from error


class macros:
    """What the launcher replaces in the arguments of a worker."""
    local_rank = "${local_rank}"

    @staticmethod
    def substitute(args, local_rank):
        """The arguments of the worker with this rank; those that are not texts stay."""
        return [string.Template(arg).safe_substitute(local_rank=local_rank) if isinstance(arg, str) else arg for arg in args]
