# SPDX-License-Identifier: BSD-3-Clause
"""Utility functions of the launcher."""
from ...._parts import parts_of
from .api import get_env_variable_or_raise, get_socket_with_port, macros

__all__ = ["get_env_variable_or_raise", "get_socket_with_port", "macros"]

__getattr__ = parts_of(__name__)
