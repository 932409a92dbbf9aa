# SPDX-License-Identifier: BSD-3-Clause
"""torch.package.analyze: questions about packages."""
from . import is_from_package  # noqa: F401
