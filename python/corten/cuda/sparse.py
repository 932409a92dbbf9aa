# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.sparse: sparse tensors of older types were here; the module has no names."""
