# SPDX-License-Identifier: BSD-3-Clause
"""Samples of attention."""
from facts import finite_within, nearly
from samples import FLOATING, ONE, PLAIN, one

REAL_FLOATING = [d for d in FLOATING if "complex" not in d]
SEEN = "torch.ones(3, 4, dtype=torch.bool).tril()"
HIDDEN = "torch.tensor([[True, False, True, True], [False] * 4, [True] * 4])"

SAMPLES = {
    "scaled_dot_product_attention": [
        ("x2234, y2244, z2244", REAL_FLOATING, ["c", "t", "s", "e"]), ("x2234, y2244, z2244, is_causal=True", REAL_FLOATING, ["c", "t"]),
        ("x2234, y2244, z2243", REAL_FLOATING, PLAIN), ("x234, y244, z244", REAL_FLOATING, ["c", "t"]), ("x34, y44, z42", REAL_FLOATING, PLAIN),
        ("x2234, y2244, z2244, scale=0.5", REAL_FLOATING, PLAIN), ("x2234, y2244, z2244, scale=-2", ONE, PLAIN), ("x2234, y2244, z2244, scale=0", ONE, PLAIN),
        (f"x2234, y2244, z2244, {SEEN}", REAL_FLOATING, PLAIN), (f"x2234, y2244, z2244, {HIDDEN}", REAL_FLOATING, PLAIN), (f"x34, y44, z42, attn_mask={HIDDEN}", REAL_FLOATING, PLAIN),
        ("x2234, y2244, z2244, a34", REAL_FLOATING, ["c", "t"]), ("x2234, y2244, z2244, a2134", ["float64"], PLAIN), ("x2234, y2244, z2244, a14", ["float64"], PLAIN),
        ("x2434, y2244, z2244, enable_gqa=True", REAL_FLOATING, PLAIN), ("x434, y244, z144, enable_gqa=True", REAL_FLOATING, PLAIN),
        ("x22234, y22244, z22244", ["float64"], PLAIN), ("x2234, y2144, z1244", REAL_FLOATING, PLAIN), ("x2034, y2044, z2044", ONE, PLAIN), ("x2204, y2244, z2244", ONE, PLAIN),
        ("x2234, y2244, z2244, None, 0.0, False", ONE, PLAIN), ("x2234, y2244, z2244, dropout_p=1.0", ONE, PLAIN),
        *one("x2234, y2244_float64, z2244", "x4, y4, z4", f"x2234, y2244, z2244, {SEEN}, is_causal=True", "x2234, y2244, z2244, torch.ones(3, 4, dtype=torch.int64)", "x2234, y2244, z2244, torch.ones(2, 4)",
             "x2234, y2243, z2244", "x2434, y2244, z2244", "x2434, y2344, z2344, enable_gqa=True", "x34, y44, z44, enable_gqa=True", "x2234, y2244, z2244, dropout_p=1.5", "x2234, y2244", "x2234, y2244, z2244, 1",
             "x2234, y2244, z2244, foo=1", "x2234_int64, y2244_int64, z2244_int64", "x2234_complex64, y2244_complex64, z2244_complex64"),
    ],
}
ULPS = {"attend": 1024}  # sums with cancellation
DELIBERATE = [
    ("Attention with a NaN in a query gives NaN; PyTorch's fused kernel returns 0.", r"^scaled_dot_product_attention .*[wnq][23]", "nan|: 0 0", "nan", finite_within(2 ** -7)),
    ("float16 and bfloat16 are computed in float32 and rounded once, at the result; PyTorch also rounds intermediate results.", "^scaled_dot_product_attention .*float16", "^b?float16", "^b?float16", nearly),
]
