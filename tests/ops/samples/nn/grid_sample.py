# SPDX-License-Identifier: BSD-3-Clause
"""Samples of sample.toml: positions inside, outside and on the edges of the input."""
from facts import finite_within
from samples import ONE, PLAIN, one

HALVES = ["float16", "bfloat16", "float32", "float64"]
FLOATS = ["float32", "float64"]
FLAT, DEEP = "y2372.sin() * 1.3", "y22323.sin() * 1.3"
MODES, PADDINGS = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
ULPS = {"sample": 256}


DELIBERATE = [
    ("`grid_sample` adds its weighted neighbours in another order than PyTorch, so that last digits differ.", "^grid_sample[ r]", "^float(32|64)", "^float(32|64)", finite_within(1e-4)),
    ("`grid_sample` of half types computes sampling positions in float32; PyTorch computes them in the half type, where they are less accurate.", "^grid_sample.* b?float16 ", "^bfloat16", "^bfloat16", finite_within(0.2)),
    ("`grid_sample` of half types computes sampling positions in float32; PyTorch computes them in the half type, where they are less accurate.", "^grid_sample.* float16 ", "^float16", "^float16", finite_within(0.03)),
    ("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "^(grid_sample|affine_grid) ", "TypeError|AttributeError", "TypeError"),
    ("`grid_sampler` refuses an unknown interpolation or padding mode; PyTorch accepts any number.", "^grid_sampler", "", "unknown (interpolation|padding) mode"),
]


def numbers(x, grid, few=False):
    found = [(f"{x}, {grid}, {m}, {p}, {c}", FLOATS, PLAIN) for m in range(3) for p in range(3) for c in (True, False)]
    found += [(f"{x}, {grid}, 0, 0, False", HALVES, ["c", "t"]), (f"{x}, {grid}, 0, 0, False", ["int64", "complex64"], PLAIN)]
    return found[::4] + found[-2:] if few else found


def small(x, grid):
    """Small inputs, so that finite differences are fast."""
    return [(f"{x}, {grid}, {m}, {p}, {p % 2 == 0}", ["float64"], PLAIN) for m in (0, 2) for p in range(3)]


SAMPLES = {
    "grid_sample": [(f"x2345, {FLAT}, {m!r}, {p!r}, {c}", FLOATS, PLAIN) for m in MODES for p in PADDINGS for c in (True, False)]
    + [(f"x23435, {DEEP}, {m!r}, {p!r}, {c}", ONE, PLAIN) for m in MODES for p in PADDINGS for c in (True, False)]
    + [(f"x2345, {FLAT}", HALVES, ["c", "t", "l"]), (f"x2345, {FLAT}, padding_mode='border', align_corners=False", FLOATS, PLAIN),
       ("x2345, y2322.clamp(-1, 1), 'nearest', align_corners=True", FLOATS, PLAIN), ("x2045, y2372", ONE, PLAIN), ("x2345, y2072", ONE, PLAIN),
       *one("x2345, y2373", "x2345, y3372", "x2305, y2372", "x2345, y2372_float64", "x234, y2372", "x2345, y2372, 'cubic'",
            "x2345, y2372, padding_mode='none'", "x2345, y22323", "x2345", "x2345, 1")],
    "grid_sampler": numbers("x2345", FLAT) + numbers("x23435", DEEP, True),
    "grid_sampler_2d": numbers("x2345", FLAT, True) + small("x1233", "y1222.sin() * 1.3"),
    "grid_sampler_3d": numbers("x23435", DEEP, True) + small("x11233", "y11223.sin() * 1.3"),
    "affine_grid": [("x223, (2, 3, 4, 5)", HALVES, ["c", "t"]), ("x223, [2, 3, 4, 5], True", FLOATS, PLAIN), ("x234, (2, 3, 4, 5, 2)", FLOATS, PLAIN),
                    ("x223, (2, 1, 1, 1), True", FLOATS, PLAIN), ("x223, torch.Size([2, 1, 1, 3]), False", FLOATS, PLAIN),
                    *one("x223, (2, 3, 4)", "x234, (2, 3, 4, 5)", "x223, (2, 3, 4, 0)", "x23, (2, 3, 4, 5)", "x223_int64, (2, 3, 4, 5)"),
                    ("x223, (2, 3, 4, 5)", ["int64"], PLAIN)],
    "affine_grid_generator": [("x223, (2, 3, 4, 5), False", HALVES, PLAIN), ("x234, (2, 3, 4, 5, 2), True", FLOATS, PLAIN),
                              *one("x223, (2, 3, 4), False", "x223, (3, 3, 4, 5), False")],
}
