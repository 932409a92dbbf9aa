# SPDX-License-Identifier: BSD-3-Clause
"""Names around PyTorch's symbolic shapes."""
