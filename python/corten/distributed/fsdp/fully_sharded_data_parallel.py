# SPDX-License-Identifier: BSD-3-Clause
"""The same by another name."""
from . import *  # noqa: F403
