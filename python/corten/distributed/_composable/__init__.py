# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed._composable: only the names that libraries import."""
