# SPDX-License-Identifier: BSD-3-Clause
"""The older name of tensor.py."""
from .tensor import *  # noqa: F403
