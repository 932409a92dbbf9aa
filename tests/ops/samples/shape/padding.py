# SPDX-License-Identifier: BSD-3-Clause
"""Samples of padding.toml, windows.toml, resize.toml, and of some rows of create, views and index."""
from samples import FLOATING, ONE, PLAIN, SOME, one

WINDOW = one("5", "6", "0", "1", "2", "-1", "5, False", "6, periodic=False", "1, False", "5, dtype=torch.float64", "6, False, dtype=torch.float64", "5, dtype=torch.float16", "5, dtype=torch.bfloat16",
             "5, dtype=torch.int64", "5, dtype=torch.bool", "5, dtype=torch.complex64", "5, requires_grad=True", "2.5", "5, device='cpu'", "window_length=4", "5, 3", "20", "1, dtype=torch.int32")
MODES = [("x23, (1, 2), mode='reflect'", None, ["c", "t", "s", "j"]), ("x23, (2, 1), mode='replicate'", None, ["c", "t", "s"]), ("x23, (3, 1), mode='circular'", None, ["c", "t", "s"]),
         ("x234, (1, 2), 'reflect'", SOME, ["c", "t"]), ("x234, (3, 0, 1, 2), 'reflect'", SOME, ["c", "t"]), ("x234, (1, 5, 2, 2), 'replicate'", SOME, ["c", "t"]), ("x234, (1, 4, 3, 2), 'circular'", SOME, ["c", "t"]),
         ("x2234, (1, 2, 1, 2), 'reflect'", SOME, ["c", "l", "t"]), ("x2234, (1, 2, 1, 2), 'replicate'", SOME, ["c", "l"]), ("x2234, (1, 2, 1, 2), 'circular'", SOME, ["c", "l"]),
         ("x2234, (1, 2, 1, 2, 1, 1), 'reflect'", SOME, PLAIN), ("x12234, (1, 2, 1, 2, 1, 1), 'reflect'", ONE, PLAIN), ("x12234, (1, 2, 1, 2, 1, 1), 'replicate'", ONE, PLAIN), ("x12234, (1, 2, 1, 2, 1, 1), 'circular'", ONE, PLAIN),
         ("x23, (-1, 2), 'reflect'", SOME, PLAIN), ("x23, (-1, 2), 'replicate'", SOME, PLAIN), ("x23, (-1, 2), 'circular'", SOME, PLAIN), ("x234, (-1, 2, 1, -1), 'reflect'", SOME, PLAIN), ("x234, (2, -1, -1, 1), 'circular'", SOME, PLAIN),
         *one("x23, (3, 0), 'reflect'", "x234, (1, 1, 3, 1), 'reflect'", "x23, (-3, 2), 'reflect'", "x23, (-1, -2), 'reflect'", "x23, (-1, -2), 'replicate'", "x23, (4, 0), 'circular'", "x23, (-3, 0), 'circular'", "x23, (-4, 0), 'circular'",
              "x234, (1, 1, -4, 0), 'replicate'", "x2234, (1, 1, 1, 1, -3, 1), 'replicate'", "x23, (1, 1), 'a'", "x234, (1, 1, -4, 0), 'reflect'", "x2234, (1, 1, 1, 1, -3, 1), 'reflect'", "x23, (1, 1), 'a', 1", "x23, (1, 1), 'reflect', 1.", "x23, (1, 1), 'reflect', 0", "x23, (1,), 'reflect'", "x23, (1,)", "x03, (1, 1), 'reflect'",
              "x033, (1, 1), 'reflect'", "x20, (1, 1), 'reflect'", "x20, (1, 1), 'replicate'", "x20, (1, 1), 'circular'", "x03, (1, 1), 'circular'", "x, (1, 1), 'reflect'", "x23, ()", "x23, (), 'reflect'", "x23, (0, 0), 'reflect'",
              "x4, (1, 1), 'reflect'", "x2234, (1, 1), 'reflect'", "x23, 3", "x23, (1, 1), 'constant', None", "x23, [1, 1], mode='constant', value='a'", "x23, (1, 1), mode=3", "x023, (0, 0, 1, 1), 'replicate'")]

SAMPLES = {
    "constant_pad_nd": [("x23, (1, 2)", None, ["c", "t", "s", "j"]), ("x23, (1, 2, 0, 1), 7", None, ["c", "t"]), ("x23, (1, 1), 2.5", None, PLAIN), ("x2224, (1, 1, 2)", ONE, PLAIN), ("x2224, (1, 1, 0, 2), 3", SOME, ["c", "l", "t"]), ("x23, (-1, 1)", SOME, ["c", "t"]),
                        ("x23, (-1, -1)", SOME, ["c", "t"]), ("x23, (0, 0)", SOME, ["c", "t", "s"]), ("x23, (-1, -1, 1, 0)", SOME, PLAIN), ("x23, (1, 1), True", SOME, PLAIN), ("x23, (1, 1), 1j", SOME, PLAIN), ("x23, (1, 1), 300", SOME, PLAIN), ("x234, (0, 0, 0, 0, 1, 2), -1", SOME, ["c", "t"]),
                        *one("x23, (1,)", "x23, (1, 1, 1, 1, 1, 1)", "x23, (-2, -2)", "x23, (-4, 5)", "x23, (-3, 5)", "x23, ()", "x, (1, 1)", "x03, (1, 1)", "x03, (0, 0, 1, 0)", "x23, 3", "x23, pad=(1, 1), value=2", "x, ()")],
    "pad": [("x23, (1, 2)", None, ["c", "t"]), ("x23, (1, 2), value=7", None, PLAIN), ("x23, (1, 2, 1, 0), 'constant', 2.5", None, PLAIN), *MODES],
    "bartlett_window": WINDOW, "blackman_window": WINDOW, "hann_window": WINDOW,
    "hamming_window": WINDOW + one("5, True, 0.5", "5, True, 0.5, 0.3", "5, False, alpha=0.6, beta=0.4"),
    "kaiser_window": WINDOW + one("5, True, 5.0", "6, False, 8.6", "5, False, beta=0.0", "30, True, 14.0, dtype=torch.float64"),
    "resize_": [("x23, 2, 2", None, ["c", "t"]), ("x23, (3, 2)", SOME, ["c", "t", "s"]), ("x23, 2, 3", SOME, ["c", "t", "s"]), ("x23, 0", SOME, PLAIN), ("x23, ()", SOME, PLAIN), ("x2224, 2, 2, 2, 2, memory_format=torch.channels_last", SOME, PLAIN),
                ("x2224, 2, 2, 2, 4, memory_format=torch.channels_last", SOME, PLAIN), ("x2224, 2, 2, 2, 4, memory_format=torch.contiguous_format", SOME, ["l", "c"]),
                *one("x23, -1", "x23, 2, -1", "x23, 2 ** 62, 4", "x23, 2.5", "x23, 'a'", "x23", "x23, [2, 2]", "x23, 2, 3, memory_format=torch.channels_last", "x23, 2, 3, memory_format=torch.preserve_format")],
    "resize_as_": [("x23, y4", None, PLAIN), ("x23, y32", SOME, ["c", "t", "ct"]), ("x2224, y2222, memory_format=torch.preserve_format", SOME, ["l", "c", "cl"]), ("x2224, y2222", SOME, ["cl"]), *one("x23, 3", "x23, y22, memory_format=torch.channels_last", "x23, y23")],
    "resize": [("x23, 6", None, ["c", "t"]), ("x23, 3, 2", SOME, ["c", "t"]), *one("x23, 7", "x23, 2, 2")],
    "resize_as": [("x23, y32", SOME, ["c", "t"]), *one("x23, y4")],
    "empty_permuted": one("(2, 3), (1, 0)", "(2, 3, 4), (1, 2, 0)", "(2, 3), (1,)", "(2, 3), (1, 1)", "(2, 3), (1, 2)", "(2, 3), (-1, 0)", "(), ()", "(0, 3), (1, 0)", "(2, 3), (1, 0), dtype=torch.int64", "(2, -1), (0, 1)", "(2, 1, 3), (2, 1, 0)"),
    "new_empty_strided": [("x23, (2, 3), (1, 2)", SOME, PLAIN), *one("x23, (2, 3), (1,)", "x23, (2,), (3,), dtype=torch.int64", "x23, (2,), (-1,)")],
    "range": one("0, 3", "0, 3, 0.5", "0, 3, dtype=torch.int64", "3, 0", "3, 0, -1", "0, 3, 0", "0, 3.5", "0, float('inf')", "3", "0, 5, 2", "0, 1, 0.1", "0, 3, dtype=torch.bool", "0, 3, dtype=torch.complex64", "0, 3, dtype=torch.float16", "1, 2, requires_grad=True", "0.5, 4, dtype=torch.int64", "0, 2, 0.3, dtype=torch.float64", "1j, 2", "'a', 2"),
    "from_file": one("'/dev/null'", "'/dev/null', size=0", "'/dev/null', size=None", "'/nowhere/at/all', size=2", "'/nowhere/at/all', True, 2", "3", "'/dev/null', size=2.5", "'/dev/null', size=2, dtype=torch.int64, requires_grad=True"),
    "broadcast_to": [("x13, (4, 3)", None, ["c", "t", "s"]), ("x, (2,)", SOME, PLAIN), *one("x23, (2, 2)", "x23, (2, 2, 3)", "x23, 2, 2, 3", "x23, size=(2, 3)", "x13, (-1, 3)")],
    "slice_inverse": [("x43[1:3], x43, 0, 1, 3", SOME, PLAIN), *one("x23, y23", "x23, y99")],
    "put": [("x23, torch.tensor([1, 4]), y2", None, ["c", "t", "s"]), ("x23, torch.tensor([1, 1, -1]), y3, True", None, ["c", "t", "e"]), ("x23, i22 * 3, y22, True", SOME, PLAIN), ("x23, torch.tensor([[1], [2]]), y2", SOME, PLAIN), ("x, torch.tensor(0), y", SOME, PLAIN),
            *one("x23, torch.tensor([1, 2]), y1", "x23, torch.tensor([6]), y1", "x23, torch.tensor([-7]), y1", "x23, torch.tensor([1]), y1_int64", "x23, torch.tensor([1.]), y1", "x23, torch.tensor([1], dtype=torch.int32), y1", "x03, torch.tensor([0]), y1", "x03, i0, y0", "x23, i0, y0")],
    "index_reduce": [(f"x23, 0, torch.tensor([1, 1]), y23, '{r}'{s}", None, PLAIN) for r in ("prod", "mean", "amax", "amin") for s in ("", ", include_self=False")]
    + [("x23, 1, torch.tensor([2, 0]), y22, 'amax'", SOME, ["c", "t", "s", "e"]), ("x23, 1, torch.tensor([2, 0], dtype=torch.int32), y22, 'prod'", SOME, PLAIN), ("n33, 0, torch.tensor([0, 0]), q23, 'amax'", FLOATING, PLAIN),
       *one("x23, 0, i2, y23, 'sum'", "x23, 0, torch.tensor([0, 5]), y23, 'amax'", "x23, 0, torch.tensor([0, 0, 0]), y23, 'amax'", "x23, 0, torch.tensor([[0, 0]]), y23, 'amax'", "x23, 0, torch.tensor([0., 0.]), y23, 'amax'", "x23, 0, i2, y23_float64, 'amax'",
            "x23, 2, i2, y23, 'amax'", "x23, 0, i2, y24, 'amax'", "x, 0, torch.tensor([0]), y1, 'amax'", "x, 0, torch.tensor([0]), y, 'prod'", "x23, 1, torch.tensor([0, 5]), y22, 'prod'", "x23, 0, torch.tensor([-1]), y13, 'prod'", "x3, 0, torch.tensor([4]), y1, 'mean'")],
}
ULPS = {"windows": 8, "kaiser_window": 32}
