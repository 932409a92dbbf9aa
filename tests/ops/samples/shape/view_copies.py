# SPDX-License-Identifier: BSD-3-Clause
"""Samples of the *_copy forms of views, and of slices that autograd does not treat as views."""
from samples import ONE, PLAIN, SOME, one

SAMPLES = {
    "alias_copy": [("x234", SOME, ["c", "t", "s"]), ("x", SOME, PLAIN)],
    "as_strided_copy": [("x234, (2, 2), (1, 2)", SOME, PLAIN), ("x23, (3,), (2,), 1", SOME, PLAIN), *one("x23, (9,), (2,)", "x23, (-1,), (1,)")],
    "detach_copy": [("x234", SOME, ["c", "t"])],
    "diagonal_copy": [("x234", SOME, ["c", "t"]), ("x234, 1, 1, 2", SOME, PLAIN), *one("x23, 0, 0, 0", "x3")],
    "expand_copy": [("x3, (2, 3)", SOME, PLAIN), ("x31, (-1, 4)", SOME, ["c", "t"]), *one("x23, (3, 3)", "x23, (3,)")],
    "narrow_copy": [("x43, 0, 1, 2", SOME, ["c", "t"]), ("x43, 1, -2, 1", SOME, PLAIN)],
    "permute_copy": [("x234, (2, 0, 1)", SOME, ["c", "t"]), *one("x23, (0,)", "x23, (0, 0)")],
    "select_copy": [("x234, 1, 0", SOME, ["c", "t"]), *one("x23, 0, 2", "x, 0, 0")],
    "slice_copy": [("x234", SOME, PLAIN), ("x234, 1, 0, 2", SOME, ["c", "t"]), ("x7, 0, 1, None, 2", SOME, PLAIN), *one("x23, 0, 0, 1, 0", "x23, 2")],
    "squeeze_copy": [("x213", SOME, ["c", "t"]), ("x213, 1", SOME, PLAIN), ("x1213, (0, 2)", SOME, PLAIN), *one("x23, 2", "x23, 'a'")],
    "t_copy": [("x23", SOME, ["c", "t"]), ("x3", SOME, PLAIN), *one("x234")],
    "transpose_copy": [("x234, 0, 2", SOME, ["c", "t"]), *one("x23, 0, 2")],
    "unfold_copy": [("x234, 2, 2, 1", SOME, ["c", "t"]), *one("x23, 1, 4, 1", "x23, 1, 1, 0")],
    "unsqueeze_copy": [("x23, 0", SOME, ["c", "t"]), ("x23, -1", SOME, PLAIN), *one("x23, 4")],
    "view_as_real_copy": [("x23", ["complex64", "complex128"], ["c", "t"]), *one("x23")],
    "view_as_complex_copy": [("x72", ["float32", "float64"], PLAIN), *one("x23")],
    "view_copy": [("x234, (6, 4)", SOME, PLAIN), ("x234, (-1,)", SOME, PLAIN), *one("x23, (4,)", "x23, 'a'")],
    "view_copy.dtype": [("x234, torch.uint8", ONE, PLAIN), ("x234, torch.int32", ONE, PLAIN), *one("x23, torch.float64")],
    "split_copy": [("x43, 2", SOME, ["c", "t"]), ("x43, 2, 1", SOME, PLAIN), *one("x43, -1", "x")],
    "split_with_sizes_copy": [("x43, (1, 3)", SOME, ["c", "t"]), *one("x43, (1, 1)")],
    "unbind_copy": [("x23", SOME, ["c", "t"]), ("x23, 1", SOME, PLAIN), *one("x")],
    "unsafe_split": [("x43, 3", SOME, ["c", "t"]), ("x43, 2, 1", SOME, PLAIN), *one("x43, -1", "x, 1")],
    "unsafe_split_with_sizes": [("x43, (1, 3)", SOME, ["c", "t"]), *one("x43, (1, 1)")],
    "unsafe_chunk": [("x43, 3", SOME, ["c", "t"]), ("x43, 2, 1", SOME, PLAIN), ("x03, 2", SOME, PLAIN), *one("x43, 0", "x, 1")],
}
