# SPDX-License-Identifier: BSD-3-Clause
"""torch.nested._internal: the module in which PyTorch defines nested tensors."""
