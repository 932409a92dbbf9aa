# SPDX-License-Identifier: BSD-3-Clause
"""Samples of special.toml and polynomials.toml, and the errors of PyTorch's results.

For float32 PyTorch uses the float32 algorithms of Cephes in most cases, with errors of tens of ULP near zeros
and for large arguments. tests/c/math/test_special.c compares Corten's results with exact values.
"""
from samples import FLOATING, ONE, PLAIN, SOME, one

UNARY = ["x23", "x", ("x03", None, PLAIN), ("n9", None, PLAIN), ("u23", None, PLAIN), ("p23", None, PLAIN), ("x2224", SOME, ["l", "t", "s"])]
REAL = ["float32", "float64"]
# covers all ranges of the approximations
FAR = [(f"torch.tensor([1e-30, 1e-3, 0.3, 0.9, 1.7, 3.1, 7.7, 8.3, 12., 33.], dtype=torch.{d}){sign}", ONE, PLAIN)
       for d in REAL for sign in ("", " * -1")]
BELOW = [(f"torch.tensor([-1e-3, -0.3, -0.9, -1.7, -3.1], dtype=torch.{d})", ONE, PLAIN) for d in REAL]
PAIRS = [(f"torch.tensor([1e-3, 0.3, 1.7, 12., 20.], dtype=torch.{d}).reshape(5, 1), torch.tensor([0.2, 0.5, 1.7, 12.5, 60.], dtype=torch.{d})",
          ONE, PLAIN) for d in REAL]

SAMPLES = {
    "polygamma": [(f"{n}, {x}", None, PLAIN) for n in (0, 1, 2, 5) for x in ("x23", "p23")] +
                 [("1, n9", FLOATING, PLAIN), ("3, n9", FLOATING, PLAIN), ("2, x2224", SOME, ["l", "t", "s"]), ("1, x", SOME, PLAIN), ("1, x03", SOME, PLAIN)]
    + one("-1, x23", "x23, 1", "2", "1.5, x23"),
    "polygamma_": [("p23, 1", None, PLAIN), ("p23, 3", FLOATING, ["c", "t"]), *one("p23, -1")],
    "logit": [*UNARY, ("u23, 0.1", None, PLAIN), ("n9, 1e-3", FLOATING, PLAIN), ("u23, eps=0.7", FLOATING, PLAIN), ("u23, -1.0", FLOATING, PLAIN), *one("u23, 'a'", "u23, 0.1, 2")],
    "mvlgamma": [("p23, 1", None, PLAIN), ("(p23 + 3), 2", None, PLAIN), ("(p23 + 3), 3", FLOATING, PLAIN), *one("p23, 0", "p23, -1", "p23", "(p23 + 3), p=4")],
    **dict.fromkeys(("i0", "special_i0e", "special_i1", "special_i1e", "special_modified_bessel_k0", "special_modified_bessel_k1", "special_scaled_modified_bessel_k0", "special_scaled_modified_bessel_k1", "special_erfcx", "special_log_ndtr", "special_spherical_bessel_j0", "lgamma", "erfc", "special_airy_ai"), FAR),
    "digamma": BELOW, "igamma": PAIRS, "igammac": PAIRS, "special_zeta": PAIRS,
}
ULPS = {"special": 32, "polynomials": 32, "digamma": 64, "polygamma": 64, "polygamma_": 64, "igamma": 512, "igammac": 1024, "special_erfcx": 128, "special_log_ndtr": 128,
        **{f"special_bessel_{b}": 256 for b in ("j0", "j1", "y0", "y1")}}
