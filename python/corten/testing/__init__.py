# SPDX-License-Identifier: BSD-3-Clause
"""torch.testing: `assert_close` compares results, `make_tensor` creates random test inputs."""
from ._comparison import assert_allclose, assert_close
from ._creation import make_tensor

__all__ = ["assert_allclose", "assert_close", "make_tensor"]


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
