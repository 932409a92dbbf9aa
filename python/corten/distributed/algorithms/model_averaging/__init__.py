# SPDX-License-Identifier: BSD-3-Clause
"""Model averaging: average parameters periodically instead of gradients at every step."""
from ...._parts import parts_of

__getattr__ = parts_of(__name__)
