# SPDX-License-Identifier: BSD-3-Clause
"""The old name of hub's downloads; torchvision and many scripts take tqdm from here."""
from ..hub import load_state_dict_from_url as load_url
from ..hub import tqdm

__all__ = ["load_url", "tqdm"]
