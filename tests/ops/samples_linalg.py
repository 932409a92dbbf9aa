# SPDX-License-Identifier: BSD-3-Clause
"""Samples of linear algebra. Matrices called m are well-conditioned (facts.GOOD); singular ones are written out."""
from samples import COMPLEX, FLOATING, ONE, PLAIN, SOME, one

FULL = ["float32", "float64", "complex64", "complex128"]
SINGULAR = "torch.ones(3, 3)"
ONE_SINGULAR = "torch.stack([torch.eye(3), torch.ones(3, 3)])"
LAYOUTS = ["c", "t", "s"]

INVERSES = [("m33", None, LAYOUTS), ("m22", FULL, LAYOUTS), ("m11", FULL, PLAIN), ("m44", FULL, PLAIN), ("m233", FULL, LAYOUTS), ("m2322", FULL, PLAIN), ("m33", COMPLEX, ["j"]),
            ("x00", FLOATING, PLAIN), ("x200", FULL, PLAIN), ("x033", FULL, PLAIN), ("x2033", ONE, PLAIN), ("n33", FULL, PLAIN),
            *one("x23", "x3", "x", "m33, 1", SINGULAR, SINGULAR + ".t()", ONE_SINGULAR, "torch.zeros(1, 1)", "torch.zeros(2, 1, 1)", "torch.tensor([[1., 2.], [2., 4.]], dtype=torch.float64)",
                 "torch.diag(torch.tensor([1., 0., 0.]))", "torch.tensor([[1., 0., 3.], [2., 0., 5.], [7., 0., 1.]])", "torch.tensor([[1., 2., 3.], [0., 0., 0.], [7., 3., 1.]])")]

SAMPLES = {
    "linalg_inv": INVERSES, "inverse": INVERSES,
    "linalg_inv_ex": [*INVERSES, ("m33, check_errors=True", FULL, PLAIN), *one(SINGULAR + ", check_errors=True", ONE_SINGULAR + ", check_errors=True", "m33, True")],
}
ULPS = {"linalg": 64}
DELIBERATE = []
