# SPDX-License-Identifier: BSD-3-Clause
"""Names of torch.distributed.elastic that scripts mention."""
