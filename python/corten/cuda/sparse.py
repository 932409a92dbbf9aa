# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.sparse: once held sparse tensor types; kept as an empty module."""
