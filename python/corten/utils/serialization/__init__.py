# SPDX-License-Identifier: BSD-3-Clause
"""Settings of torch.save and torch.load."""
from . import config
