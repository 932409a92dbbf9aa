# SPDX-License-Identifier: BSD-3-Clause
"""Parts of the launcher that scripts and libraries mention."""
from ..._parts import parts_of

__getattr__ = parts_of(__name__)
