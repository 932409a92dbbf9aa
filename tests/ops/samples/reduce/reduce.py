# SPDX-License-Identifier: BSD-3-Clause
"""Samples of reductions with two results, of reductions that ignore NaN, and of searches in sorted rows."""
from facts import finite_within
from samples import DIMS, FLOATING, PLAIN, REAL, SOME, SPREAD, WITH_DTYPE, one

Q = "torch.tensor([0.25, 0.5, 0.875], dtype=p.dtype)"  # results are exact
DOUBLE = ["float32", "float64"]
PLACES = ["x234, 0", "x234, 1, True", "x234, -1", "a234, 1", "x, 0", "x, -1, True", ("x03, 0", None, PLAIN),
          ("x03, 1", None, PLAIN), ("n9, 0", REAL, PLAIN), ("q33, 0", REAL, PLAIN), ("x2224, 2", SOME, ["l", "t"]),
          *one("x234, 3", "x234, -4", "x, 1", "x234, None", "x234, (0, 1)", "x234, dim=0, keepdim=True")]
QUANTILES = [*(f"x234, {q}" for q in ("0.5", "0.375", "0", "1", "0.375, 1", "0.625, -1, True", "0.875, 0")), ("x, 0.5", DOUBLE, PLAIN),
             ("x, 0.5, 0", DOUBLE, PLAIN), ("n9, 0.375", DOUBLE, PLAIN), ("n9, 0.375, keepdim=True", DOUBLE, PLAIN),
             ("q33, 0.375, 0", DOUBLE, PLAIN), ("q33, 0.375, 1", DOUBLE, PLAIN), ("x2224, 0.375, 2", DOUBLE, ["l", "t"]),
             *((f"x234, 0.375, 1, interpolation='{w}'", DOUBLE, PLAIN) for w in ("linear", "lower", "higher", "midpoint", "nearest")),
             *((f"x234, {Q}{w}", DOUBLE, ["c", "t"]) for w in ("", ", 1", ", -1, True", ", keepdim=True", ", 0, interpolation='lower'")),
             ("x7, u0", DOUBLE, PLAIN), (f"x234, {Q}, 1, interpolation='midpoint'", DOUBLE, PLAIN),
             *one("x234, 1.5", "x234, -0.1", "x234, 2", "x03, 0.5", "x234, 0.5, 3", "x234, 0.5, interpolation='x'", "x234, x3", "x234, u23",
                  "x234, u3_float64", "x234, 'a'", "x234, 0.5, 'a'", "x234")]
SAMPLES = {
    "hash_tensor": [("x234", None, ["c", "t", "s"]), ("x234, 1", SOME, ["c", "t"]), ("x234, (0, 2), keepdim=True", SOME, PLAIN), ("x", SOME, PLAIN), ("n9", SOME, PLAIN), ("x03, 1", SOME, PLAIN), *one("x03", "x03, 0", "x23, 2", "x23, (0, 0)", "x23, mode=1", "x23, 'a'")],
    "nansum": DIMS + WITH_DTYPE, "nanmean": DIMS + WITH_DTYPE,
    "aminmax": ["x234", *(f"x234, dim={d}" for d in ("0", "1, keepdim=True", "-1")), "x234, keepdim=True", "x", "x, dim=0", "x, dim=-1, keepdim=True",
                ("x03", None, PLAIN), ("x03, dim=0", None, PLAIN), ("x03, dim=1", None, PLAIN), ("n9", None, PLAIN), ("q33, dim=0", None, PLAIN),
                ("x2224, dim=2", SOME, ["l", "t"]), *one("x234, dim=3", "x234, 1", "x234, dim=(0, 1)", "x, dim=1")],
    **{f"{name}_mean": DIMS + SPREAD for name in ("var", "std")},
    **{f"{name}_mean.unbiased": ["x234, False", "x234, True", ("x1", FLOATING, PLAIN)] for name in ("var", "std")},
    **{f"{name}_mean.unbiased_dim": ["x234, 0, False", "x234, (0, 1), True, True", "x234, dim=1, unbiased=False, keepdim=True"] for name in ("var", "std")},
    "nanmedian": ["x234", "x7", "x", ("a234", None, PLAIN), ("x03", None, PLAIN), ("n9", None, PLAIN), ("q33", None, PLAIN), ("n3 * 0 + float('nan')", FLOATING, PLAIN)],
    "nanmedian.dim": PLACES, "mode": ["x234", "a7", *PLACES],
    "quantile": [], "nanquantile": [],
    "quantile.scalar": QUANTILES, "nanquantile.scalar": QUANTILES,
}
SAMPLES["quantile"] = SAMPLES["nanquantile"] = [(f"x234, {Q}", DOUBLE, PLAIN), (f"x7, {Q}", DOUBLE, ["c", "s"]), *one("x23_int64, u3", f"x234, {Q}, 0, True, interpolation='higher'")]
ULPS = {"quantile": 4, "quantile.scalar": 4, "nanquantile": 4, "nanquantile.scalar": 4}
DELIBERATE = [
    ("`var_mean` and `std_mean` return the same mean as `mean`; PyTorch updates a running mean, which is less accurate.",
     r"^(var|std)_mean\S* torch.\w+\((x234, \(0, 1\), True, True|q33, 0|x7)\) ", "^tuple<", "^tuple<", finite_within(1e-6)),
]
