# SPDX-License-Identifier: BSD-3-Clause
"""For tests: `assert_close` compares what programs compute, `make_tensor` makes something to compute with."""
from ._comparison import assert_allclose, assert_close
from ._creation import make_tensor

__all__ = ["assert_allclose", "assert_close", "make_tensor"]


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
