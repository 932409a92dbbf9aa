# SPDX-License-Identifier: BSD-3-Clause
"""torch.nested._internal: where PyTorch keeps the class of nested tensors."""
