# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.model_zoo: old names of the download functions of torch.hub, and tqdm, which scripts import from here."""
from ..hub import load_state_dict_from_url as load_url
from ..hub import tqdm

__all__ = ["load_url", "tqdm"]
