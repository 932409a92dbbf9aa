# SPDX-License-Identifier: BSD-3-Clause
"""Samples of stacks.toml, rearrange.toml and diagonals.toml."""
from samples import ONE, PLAIN, SOME, one

LISTS = [("(x23, y23)", None, ["c", "t", "tc", "s"]), ("(x3, y3)", None, ["c", "s"]), ("(x, y)", SOME, PLAIN), ("[x23]", SOME, PLAIN),
         ("(x23, y23_float64, z23_int64)", SOME, PLAIN), ("(x234, y234)", SOME, ["c", "t"]), ("(x2224, y2224)", SOME, ["l", "lc", "t"]),
         ("(x03, y23)", SOME, PLAIN), ("(x3, y23)", SOME, PLAIN), ("(x, y3)", SOME, PLAIN), ("(x0, y23)", SOME, PLAIN),
         *one("()", "(x23, y24)", "(x23, 3)", "x23", "(x23, y3)", "tensors=(x3, y3)")]
SPLITS = [("x43, 2", None, ["c", "t", "s"]), ("x4, 2", SOME, ["c", "s"]), ("x2224, 2", SOME, ["c", "l"]), ("x43, (1, 2)", None, ["c", "t"]), ("x234, [1]", SOME, PLAIN),
          *one("x23, 2", "x23, 3", "x, 2", "x43, 0", "x43, -3", "x43, (2, 1)", "x43, (-1,)", "x43, ()", "x43, (9,)", "x43, 2.5", "x03, 3", "x234, 2", "x234, 4", "x43, 'a'", "x4")]
LOWER = [("x33", None, ["c", "t", "s", "j"]), ("x34, 1", None, ["c", "t"]), ("x43, -1", None, ["c", "t"]), ("x234", SOME, ["c", "t", "s"]), ("x234, 9", SOME, PLAIN), ("x234, -9", SOME, PLAIN),
         ("x2224", SOME, ["l"]), ("x03", SOME, PLAIN), ("x30", SOME, PLAIN), ("x23", ONE, ["e"]), ("n33", None, PLAIN), ("x11, 1", SOME, PLAIN),
         *one("x3", "x", "x33, diagonal=1", "x33, 1.5", "x33, 2 ** 62", "x33, -2 ** 62")]
INDICES = one("3, 4", "4, 3", "3, 4, 1", "3, 4, -1", "3, 4, 9", "3, 4, -9", "0, 4", "3, 0", "-1, 4", "3, -1", "3, 3, dtype=torch.int32", "3, 3, dtype=torch.float32", "3, 3, dtype=torch.bool",
              "3, 3, dtype=torch.uint8", "3", "row=2, col=2, offset=1", "3, 3, device='cpu'", "3, 2.5", "1, 1")

SAMPLES = {
    # stacks
    **{f"atleast_{n}d": [("x", None, PLAIN), ("x3", SOME, ["c", "s"]), ("x23", SOME, ["c", "t"]), ("x234", SOME, PLAIN), ("x03", ONE, PLAIN)] for n in (1, 2, 3)},
    **{f"atleast_{n}d.Sequence": [("x, y3", SOME, PLAIN), ("(x, y3, z23)", SOME, PLAIN), ("[x234]", ONE, PLAIN), *one("x, 3", "[]", "3", "(x, 3)")] for n in (1, 2, 3)},
    "hstack": LISTS, "vstack": LISTS, "dstack": LISTS, "column_stack": LISTS,
    "tensor_split": [("x43, 3", None, ["c", "t", "s"]), ("x43, 2, 1", SOME, PLAIN), ("x43, 3, -1", SOME, PLAIN), ("x7, 3", SOME, ["c", "s"]),
                     *one("x43, 0", "x43, -1", "x, 2", "x43, 2, 2", "x03, 3", "x4, 9", "x43, sections=2", "x43, 2, dim=1")],
    "tensor_split.indices": [("x43, (1, 3)", None, ["c", "t", "s"]), ("x43, [1], 1", SOME, PLAIN), *one("x43, (3, 1)", "x43, (-1,)", "x43, ()", "x43, (9,)", "x43, (1, 'a')", "x43, (-9, 2)", "x, (1,)", "x43, indices=(1,), dim=1")],
    "tensor_split.tensor_indices_or_sections": [("x43, torch.tensor([1, 3])", SOME, ["c", "t"]), ("x43, torch.tensor(2)", SOME, PLAIN),
                                                *one("x43, torch.tensor([1.5])", "x43, torch.tensor([[1]])", "x43, torch.tensor([], dtype=torch.int64)", "x43, torch.tensor(1, dtype=torch.int32)")],
    "hsplit": SPLITS, "hsplit.array": SPLITS, "vsplit": SPLITS, "vsplit.array": SPLITS, "dsplit": SPLITS, "dsplit.array": SPLITS,
    "meshgrid": [("x3, y4, indexing='ij'", None, ["c", "s"]), ("x3, y4, indexing='xy'", SOME, ["c", "s"]), ("x3, y4, z2, indexing='xy'", SOME, PLAIN), ("x3, y, indexing='ij'", SOME, PLAIN), ("[x3, y4]", SOME, PLAIN), ("x3", SOME, PLAIN),
                 *one("x3, y4", "x3, y3_float64", "x3, indexing='a'", "x3, indexing='xy'", "()", "x0, y3, indexing='ij'", "3", "x3, 4", "x, y, indexing='xy'")],
    "cartesian_prod": [("x3, y4", None, ["c", "s"]), ("x3", SOME, ["c", "s"]), ("x2, y3, z2", SOME, PLAIN), *one("x3, y3_float64", "x3, y23", "x, y3", "x23", "x0, y3", "3", "x3, 4")],
    "combinations": [("x4", None, ["c", "s"]), ("x4, 3", SOME, PLAIN), ("x4, 2, True", SOME, PLAIN), ("x4, 1", SOME, PLAIN), ("x4, r=3, with_replacement=True", SOME, PLAIN),
                     *one("x4, 0", "x4, -1", "x4, 5", "x0", "x23", "x", "x0, 1", "x4, 2.5", "x2, 4, True")],
    "block_diag": [("x23, y33", None, ["c", "t", "tc"]), ("x23, y3, z", SOME, ["c", "s"]), ("x23, y23_float64", SOME, PLAIN), ("x23, y23_int64", SOME, PLAIN), ("x", SOME, PLAIN),
                   *one("x234, y23", "x03, y23", "x0, y3", "3", "x23, 3", "x23, y23_complex64")],
    # rearrange
    "flip": [("x234, (0,)", None, ["c", "t", "s", "j"]), ("x234, (0, 2)", None, ["c", "t", "s"]), ("x7, [0]", None, ["c", "s"]), ("x234, (1, -1)", SOME, ["c", "t", "e"]), ("x2224, (1, 3)", SOME, ["l", "t"]),
             ("x, (0,)", SOME, PLAIN), ("x, ()", SOME, PLAIN), ("x03, (0,)", SOME, PLAIN), ("x23, ()", SOME, ["c", "t"]),
             *one("x23, (0, 0)", "x23, (0, -2)", "x23, (2,)", "x23, 0", "x23, 0, 1", "x23, dims=(1,)", "x23, (1.5,)", "x23, -1")],
    "fliplr": [("x23", None, ["c", "t", "s"]), ("x234", SOME, PLAIN), *one("x3", "x", "x03")],
    "flipud": [("x23", None, ["c", "t", "s"]), ("x3", SOME, ["c", "s"]), *one("x", "x03")],
    "roll": [("x23, 1", None, ["c", "t", "s", "j"]), ("x23, 1, 0", None, ["c", "t", "s"]), ("x23, -1, 1", SOME, ["c", "t"]), ("x234, (1, 2), (0, 2)", None, ["c", "t", "s"]), ("x234, (1, 2), (1, 1)", SOME, PLAIN),
             ("x23, 7, 1", SOME, PLAIN), ("x23, 0, 1", SOME, ["c", "t"]), ("x23, 3, 1", SOME, PLAIN), ("x2224, 1, 1", SOME, ["l", "t", "s"]), ("x2224, 1", SOME, ["l"]), ("x, 1", SOME, PLAIN), ("x03, 1", SOME, PLAIN), ("x03, 1, 1", SOME, ["c", "t"]),
             *one("x23, (1, 1)", "x23, (1, 1), 0", "x23, 1, (0, 1)", "x23, ()", "x23, 1, 2", "x, 1, 0", "x23, shifts=1, dims=0", "x23, 1.5", "x23, (), ()", "x23, 1, dims=(-1,)", "x23, 2 ** 62, 0")],
    "rot90": [(f"x234, {k}, (0, 1)", SOME, ["c", "t", "s"]) for k in (0, 1, 2, 3, -1, 5)] + [("x23", None, ["c", "t"]), ("x234, 1, (2, 0)", SOME, PLAIN), ("x2224, 1, (2, 3)", SOME, ["l"]),
             *one("x23, 1, (0,)", "x23, 1, (0, 0)", "x23, 1, (0, 2)", "x23, 1, (0, -2)", "x3", "x23, 1, (0, 1, 0)", "x23, k=2, dims=[0, 1]", "x03", "x23, 1.5", "x23, 1, 0")],
    "repeat": [("x23, 2, 3", None, ["c", "t", "s", "j"]), ("x23, (2, 2, 2)", None, ["c", "t"]), ("x23, 1, 1", SOME, ["c", "t"]), ("x, 2", SOME, PLAIN), ("x, 2, 3", SOME, PLAIN), ("x23, 2, 0", SOME, PLAIN), ("x03, 2, 2", SOME, PLAIN), ("x13, 4, 1", SOME, ["c", "e"]), ("x2224, 1, 2, 1, 1", SOME, ["l"]),
               *one("x23, 2", "x23, 2, -1", "x23, ()", "x, ()", "x23, 'a'", "x23", "x23, 2, 2.5", "x23, repeats=(2, 2)", "x23, 2 ** 40, 2 ** 40")],
    "tile": [("x23, (2,)", None, ["c", "t", "s"]), ("x23, (2, 3)", SOME, PLAIN), ("x23, (2, 1, 2)", SOME, PLAIN), ("x, (2,)", SOME, PLAIN), ("x23, ()", SOME, ["c", "t"]), *one("x23, 2", "x23, 2, 2", "x23, (-1,)", "x23, dims=(2,)", "x23, (0,)")],
    "repeat_interleave.Tensor": one("torch.tensor([1, 2, 0, 3])", "torch.tensor([1, 2], dtype=torch.int32)", "torch.tensor([1, 2]), output_size=3", "torch.tensor([1, 2]), output_size=4", "torch.tensor([1, -1])", "torch.tensor([1.5])", "torch.tensor([[1]])",
                                    "torch.tensor(3)", "torch.tensor([], dtype=torch.int64)", "torch.tensor([0, 0])", "torch.tensor([0])", "torch.tensor([True])", "torch.tensor([2], dtype=torch.uint8)"),
    "repeat_interleave.self_Tensor": [("x23, torch.tensor([1, 2]), 0", None, ["c", "t", "s"]), ("x23, torch.tensor([2, 0, 1]), dim=1", SOME, PLAIN), ("x23, torch.tensor([2]), 0", SOME, PLAIN), ("x23, torch.tensor(2), 1", SOME, PLAIN),
                                      ("x23, torch.tensor([1, 2, 0, 1, 1, 3])", SOME, ["c", "t"]), ("x3, torch.tensor([1, 2, 0], dtype=torch.int32), 0", SOME, PLAIN), ("x, torch.tensor([2])", SOME, PLAIN), ("x13, torch.tensor([2]), 0", SOME, PLAIN),
                                      *one("x23, torch.tensor([1, 2, 3]), 0", "x23, torch.tensor([1, -2]), 0", "x23, torch.tensor([1., 2.]), 0", "x23, torch.tensor([[1, 2]]), 0", "x23, torch.tensor([1, 2])", "x23, torch.tensor([1, 2]), 5", "x, torch.tensor([2]), 0",
                                           "x23, torch.tensor([1, 2]), 0, output_size=3", "x23, torch.tensor([1, 2]), 0, output_size=9", "x03, torch.tensor([], dtype=torch.int64), 0", "x03, torch.tensor([2]), 0")],
    "repeat_interleave.self_int": [("x23, 2", None, ["c", "t", "s"]), ("x23, 2, 0", None, ["c", "t", "s"]), ("x234, 3, -1", SOME, ["c", "t"]), ("x23, 0, 1", SOME, PLAIN), ("x, 2", SOME, PLAIN), ("x03, 2", SOME, PLAIN), ("x03, 2, 1", SOME, PLAIN), ("x2224, 2, 1", SOME, ["l"]),
                                   *one("x23, -1", "x23, 2, 5", "x23, 2, 0, output_size=4", "x23, 2, 0, output_size=5", "x, 2, 0", "x23, 2.5", "x23, repeats=2, dim=1")],
    "pixel_shuffle": [("x2412, 2", None, ["c", "t", "s"]), ("x2422, 2", SOME, ["c", "l", "t", "s"]), ("x412, 2", SOME, ["c", "t"]), ("x423, 1", SOME, PLAIN), ("x04, 1", ONE, PLAIN), *one("x2422, 3", "x2422, 0", "x2422, -1", "x23, 1", "x2422, 2.5", "x0422, 2", "x2402, 2")],
    "pixel_unshuffle": [("x2142, 2", None, ["c", "t", "s"]), ("x2244, 2", SOME, ["c", "l", "t", "s"]), ("x142, 2", SOME, ["c", "t"]), *one("x2244, 3", "x2243, 2", "x2244, 0", "x23, 1", "x0244, 2")],
    "channel_shuffle": [("x2422, 2", None, ["c", "l", "t", "s"]), ("x243, 2", SOME, ["c", "t"]), ("x24222, 4", SOME, PLAIN), *one("x2422, 3", "x2422, 0", "x23, 1", "x0422, 2", "x2422, 1", "x2422, 2.5")],
    # diagonals
    "diag": [("x3", None, ["c", "s"]), ("x3, 1", SOME, PLAIN), ("x3, -2", SOME, PLAIN), ("x33", None, ["c", "t"]), ("x34, 1", SOME, ["c", "t", "s"]), ("x34, -1", SOME, PLAIN), *one("x33, 5", "x33, -5", "x", "x234", "x0", "x03", "x33, diagonal=1", "x33, 1.5")],
    "diag_embed": [("x3", None, ["c", "s"]), ("x23", None, ["c", "t"]), ("x23, 1, 0, 2", SOME, PLAIN), ("x23, -1, 2, 0", SOME, PLAIN), ("x03", SOME, PLAIN), ("x30", SOME, PLAIN), *one("x23, 0, 0, 0", "x", "x23, 0, 0, 4", "x23, offset=1, dim1=0, dim2=1", "x23, 0, 1, -2")],
    "diagflat": [("x3", None, ["c", "s"]), ("x23", SOME, ["c", "t"]), ("x23, 1", SOME, PLAIN), ("x", SOME, PLAIN), ("x03", ONE, PLAIN), *one("x23, 1.5", "x23, offset=-2")],
    "fill_diagonal": [("x33, 7", None, ["c", "t", "s"]), ("x34, 2.5", None, PLAIN), ("x72, 7, True", SOME, ["c", "t"]), ("x72, 7, wrap=False", SOME, PLAIN), ("x333, 7", SOME, ["c", "t"]), *one("x332, 7", "x3, 7", "x33, y", "x03, 7", "x33, 'a'", "x33, fill_value=1j", "x23, 300")],
    "diagonal_scatter": [("x33, y3", None, ["c", "tc", "sc", "ec"]), ("x34, y3, 1", SOME, PLAIN), ("x234, y43, 0, 1, 2", ONE, PLAIN), ("x234, y23, 0, 1, 2", SOME, ["c", "t"]), ("x33, y3_float64", SOME, PLAIN), *one("x33, y4", "x33, y", "x3, y3", "x33, y3, 0, 1, 1", "x33, y0, 5")],
    "select_scatter": [("x23, y3, 0, 1", None, ["c", "tc", "sc", "ec"]), ("x23, y2, 1, -1", SOME, ["c", "t"]), ("x23, y3_float64, 0, 0", SOME, PLAIN), *one("x23, y2, 0, 0", "x23, y3, 0, 2", "x23, y3, 2, 0", "x, y, 0, 0", "x23, y3, dim=0, index=1", "x23, y3")],
    "slice_scatter": [("x43, y23, 0, 1, 3", None, ["c", "tc", "sc", "ec"]), ("x43, y23, 0, 0, 4, 2", SOME, ["c", "t"]), ("x43, y41, 1, 1, 2", SOME, PLAIN), ("x43, y43", SOME, PLAIN), ("x43, y23_float64, 0, 2", SOME, PLAIN), ("x43, y13, start=-1", SOME, PLAIN),
                      *one("x43, y23", "x43, y23, 0, 1", "x43, y23, 0, 0, 4, -1", "x43, y23, 0, 0, 4, 0", "x43, y23, 2", "x, y", "x43, y03, 0, 9", "x43, y3, 0, 1, 2")],
    "as_strided_scatter": [("x23, y3, (3,), (2,)", SOME, ["c", "t"]), ("x23, y2, (2,), (1,), 1", SOME, PLAIN), *one("x23, y4, (3,), (2,)", "x23, y9, (9,), (1,)")],
    "tril": LOWER, "triu": LOWER, "tril_indices": INDICES, "triu_indices": INDICES,
    "vander": [("x3", None, ["c", "s"]), ("x3, 2", SOME, PLAIN), ("x3, 5, True", None, PLAIN), ("x3, increasing=True", SOME, PLAIN), *one("x3, 0", "x3, 1", "x3, -1", "x23", "x", "x0", "x3, N=2", "x0, 3", "x3, 2.5")],
}
ULPS = {"vander": 4}
