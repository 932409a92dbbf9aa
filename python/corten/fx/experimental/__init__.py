# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.experimental: names around symbolic shapes."""


from ..._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
