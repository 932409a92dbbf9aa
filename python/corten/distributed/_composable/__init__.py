# SPDX-License-Identifier: BSD-3-Clause
"""Names of torch.distributed._composable that libraries mention."""
