# SPDX-License-Identifier: BSD-3-Clause
"""Configuration of torch.save and torch.load."""
from . import config
