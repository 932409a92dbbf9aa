# SPDX-License-Identifier: BSD-3-Clause
"""Samples of pool.toml, and how exact its results must be."""
from samples import ONE, PLAIN, one

HALVES = ["float16", "bfloat16", "float32", "float64"]
TYPES = ["bool", "int64", "complex64", *HALVES]
SIZES = {1: "x237", 2: "x2365", 3: "x12354"}
MANY = "(1, 1, 1, 1)"


def pool(n, *more, dilation=False, default="None"):
    x = SIZES[n]
    found = [(f"{x}, 2", TYPES, PLAIN), (f"{x}, 2", ONE, ["t", "s", "l"]), (f"{x}, 3, 2, 1", HALVES, PLAIN), (f"{x}, 3, 1, 1", ONE, ["c", "l"]),
             (f"{x}, 3, 2, 1, ceil_mode=True", HALVES, ["c", "l"]), (f"{x[0]}{x[2:]}, 2", ONE, PLAIN), (f"x0{x[2:]}, 2", ONE, PLAIN), (f"w{x[1:]}, 2", ONE, PLAIN)]
    found += one(f"{x}, 0", f"{x}, 2, 0", f"{x}, 2, -1", f"{x}, 2, 2, -1", f"{x}, 2, 2, 2", f"{x}, 9", f"{x}, {MANY}", f"{x}, 2, {MANY}", f"{x}, 2, 2, {MANY}",
                 "x2, 2", f"x22{x[1:]}, 2", f"x30{x[3:]}, 2", f"{x}", f"{x}, 'a'")
    if dilation:
        found += [(f"{x}, 2, 1, 1, 2", HALVES, ["c", "l"]), (f"{x}, 3, 2, 1, 2", ONE, PLAIN), *one(f"{x}, 2, 2, 0, 0", f"{x}, 2, 2, 0, {MANY}", f"{x}, 3, 1, 2, 2")]
    return found + list(more)


def shared(n):
    x = SIZES[n]
    return [(f"{x}, 2", TYPES, PLAIN), (f"{x}, 3", ONE, ["c", "t", "l"]), (f"{x}, 1", HALVES, ["c", "l"]), (f"{x}, 9", ONE, PLAIN), (f"{x}, 0", ONE, PLAIN),
            (f"{x[0]}{x[2:]}, 2", ONE, PLAIN), (f"x0{x[2:]}, 2", ONE, PLAIN), (f"{x}, {(3, 2, 4)[:n]}", HALVES, ["c", "l"]),
            *one(f"{x}, -1", f"{x}, {MANY}", "x2, 2", f"{x}")]


def fractional(n):
    x, y = ("x2398", "y232.sigmoid()") if n == 2 else ("x23987", "y233.sigmoid()")
    sizes, odd = ("(4, 3)", "(4, 3, 2, 1)") if n == 2 else ("(4, 3, 2)", "(4, 3)")

    def call(x, kernel, size, y, more=""):
        return f"{x}, {kernel}, {size}, None, True, {y}"
    found = [(call(x, 2, sizes, y), [*HALVES, "int64"], ["c", "t"]), (call(x, (3, 2, 2)[:n], 3, y), HALVES, PLAIN), (call(x, 1, 1, y), ONE, PLAIN),
             (f"{x}, 2, None, {(.5, .4, .3)[:n]}, False, {y}", HALVES, PLAIN), (call(x.replace("x2", "x0"), 2, sizes, y), ONE, PLAIN),
             (call(f"x{x[2:]}", 2, sizes, y.replace("y2", "y1")), ONE, PLAIN)]
    return found + one(call(x, 2, odd, y), call(x, MANY, sizes, y), call(x, 8, sizes, y), call(x, 2, sizes, "y23"), call(x, 2, sizes, y.replace("y23", "y24")),
                       call(x, 2, sizes, y.replace("y2", "y1")), call(x, 2, sizes, "y237"), call(x, 2, sizes, y.replace("y23", "y23")[:4] + "_float64.sigmoid()"),
                       f"{x}, 2", call("x23", 2, sizes, y), call(x.replace("x23", "x20"), 2, sizes, y.replace("y23", "y20")))


ULPS = {"pool": 4}

DELIBERATE = [
    ("`avg_pool3d` with an `out` that is not contiguous writes it correctly; PyTorch ignores its strides and writes beyond its end.", "^avg_pool3d .* out strided", "^float", "^float"),
    ("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "^fractional_max_pool", "Boolean value", "positional arguments"),
    ("Average pooling of half types over three dims (also inside `local_response_norm`) works on the CPU in Corten; PyTorch has no kernel for it.", "^avg_pool3d ", "avg_pool3d_out_frame", "^b?float16"),
    ("Errors of pooling functions show the shape that the program passed; PyTorch adds dims before it checks, and shows those too.", "^(adaptive_)?(avg|max)_pool", "Expected|Trying|internal|size|Dimension", "Expected|Trying|size"),
    ("`max_pool1d` has the same error texts with and without indices; PyTorch's version with indices is another function, with other texts.", "^max_pool1d_with_indices ", "", "max_pool1d"),
    ("Average pooling of integers is computed in float64; PyTorch sums in integers, which overflow for large values.", "^avg_pool.* int64", "^int64", "^int64"),
]

SAMPLES = {
    "avg_pool1d": pool(1, ("x237, 3, 2, 1, False, False", HALVES, PLAIN)),
    "avg_pool2d": pool(2, ("x2365, 3, 2, 1, True, False", HALVES, ["c", "l"]), ("x2365, (3, 2), (1, 2), (1, 0)", HALVES, PLAIN),
                       ("x2365, 2, divisor_override=3", HALVES, PLAIN), *one("x2365, 2, divisor_override=0")),
    "avg_pool3d": pool(3, ("x12354, 3, 2, 1, True, False", ["float32", "float64"], PLAIN), ("x12354, 2, divisor_override=3", ONE, PLAIN)),
    "max_pool1d": pool(1, dilation=True), "max_pool2d": pool(2, dilation=True), "max_pool3d": pool(3, dilation=True),
    "max_pool1d_with_indices": pool(1, dilation=True), "max_pool2d_with_indices": pool(2, dilation=True), "max_pool3d_with_indices": pool(3, dilation=True),
    "fractional_max_pool2d": fractional(2), "fractional_max_pool3d": fractional(3),
    "adaptive_avg_pool1d": shared(1), "adaptive_avg_pool2d": shared(2), "adaptive_avg_pool3d": shared(3),
    "adaptive_max_pool1d": shared(1), "adaptive_max_pool2d_with_indices": shared(2), "adaptive_max_pool3d_with_indices": shared(3),
}
