# SPDX-License-Identifier: BSD-3-Clause
"""Samples of resample.toml (interpolation), and how exact its results must be."""
from facts import finite_within
from samples import ONE, PLAIN, one

FLOATS = ["float32", "float64"]
ULPS = {"resample": 4096}
DELIBERATE = [("`interpolate` adds its weighted neighbours in another order than PyTorch, so that last digits differ, and a weight of 0 may turn an infinity into NaN in one library only.", "^interpolate[. ].*(linear|bicubic|lanczos)", "^b?float", "^b?float", finite_within(1e-5)),
              ("`interpolate` without a size, and with something that is not a tensor: Corten reports the missing size, PyTorch fails at the tensor.", r"^interpolate(.vec)? .*\((None|'text'|\[1, 2\])\)", "AttributeError", "either size")]
SAMPLES = {
    "interpolate": [("x235, 7", FLOATS, ["c", "t"]), ("x235, None, 1.7, 'linear'", FLOATS, PLAIN), ("x235, None, 1.7, 'linear', True", FLOATS, PLAIN),
                    ("x2354, (7, 3)", FLOATS, ["c", "l"]), ("x2354, (7, 3), mode='nearest-exact'", FLOATS, PLAIN), ("x2354, (7, 3), mode='bilinear'", FLOATS, ["c", "l"]),
                    ("x2354, (7, 3), mode='bilinear', align_corners=True", FLOATS, PLAIN), ("x2354, (7, 3), mode='bicubic'", FLOATS, PLAIN),
                    ("x2354, (7, 3), mode='area'", FLOATS, PLAIN), ("x2354, (2, 3), mode='bilinear', antialias=True", FLOATS, PLAIN),
                    ("x2354, (2, 6), mode='bicubic', antialias=True", FLOATS, PLAIN), ("x2354, (2, 6), mode='lanczos', antialias=True", FLOATS, PLAIN), ("x2354, None, (1.5, 2.5), 'bilinear'", FLOATS, PLAIN),
                    ("x23543, (3, 5, 4), mode='trilinear'", FLOATS, PLAIN), ("x23543, None, 2", ONE, PLAIN),
                    *one("x2354, None, 2", "x2354", "x2354, 7, 2", "x2354, (1, 2, 3)", "x2354, 7, mode='linear'", "x2354, 7, mode='bad'", "x2354, 7, align_corners=True", "x2354, 7, antialias=True")],
    "interpolate.vec": [("x2354, None, (1.5, 2.5), 'bilinear'", FLOATS, PLAIN), ("x235, None, [1.7], 'linear'", FLOATS, PLAIN)],
}
