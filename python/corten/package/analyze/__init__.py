# SPDX-License-Identifier: BSD-3-Clause
"""torch.package.analyze: queries about packages."""
from . import is_from_package  # noqa: F401
