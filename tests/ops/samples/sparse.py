# SPDX-License-Identifier: BSD-3-Clause
"""Samples of the sparse rows. tests/python/facts/sparse/sparse.txt and test_sparse.py test other rows on sparse tensors."""
import re

from samples import ONE, PLAIN, SOME, one

TWICE = "torch.sparse_coo_tensor(torch.tensor([[1, 0, 1], [2, 0, 2]]), x3, (2, 3), check_invariants=True)"
DENSE = "torch.sparse_coo_tensor(torch.tensor([[1, 0, 1]]), x32, (2, 2), check_invariants=True)"
S = "a23.to_sparse()"
ROWS = "a23.to_sparse_csr()"
COLUMNS = "a23.to_sparse_csc()"
BATCH = "a23.expand(2, 2, 3).to_sparse_csr()"
DOUBLE = ["float32", "float64", "complex64"]
REAL = ["float32", "float64"]
SAMPLES = {
    "crow_indices": [(ROWS, SOME, PLAIN), (BATCH, REAL, PLAIN), *one(COLUMNS, S, "x23")],
    "col_indices": [(ROWS, SOME, PLAIN), (BATCH, REAL, PLAIN), *one(COLUMNS, S, "x23")],
    "ccol_indices": [(COLUMNS, SOME, PLAIN), (BATCH.replace("csr", "csc"), REAL, PLAIN), *one(ROWS, S, "x23")],
    "row_indices": [(COLUMNS, SOME, PLAIN), (f"{COLUMNS}.clone()", SOME, PLAIN), (BATCH.replace("csr", "csc"), REAL, PLAIN), *one(ROWS, S, "x23")],
    "values": [(S, SOME, PLAIN), (ROWS, SOME, PLAIN), (BATCH, REAL, PLAIN), (COLUMNS, REAL, PLAIN), *one(TWICE, "x23")],
    "indices": [(S, SOME, PLAIN), *one(TWICE, "x23")],
    "coalesce": [(TWICE, SOME, PLAIN), (DENSE, REAL, PLAIN), (S, REAL, PLAIN), *one("x23")],
    "to_dense": [(S, None, PLAIN), (ROWS, None, PLAIN), (COLUMNS, SOME, PLAIN), (BATCH, REAL, PLAIN), (TWICE, SOME, PLAIN), (DENSE, REAL, PLAIN), ("x23", REAL, PLAIN)],
    "to_sparse": [("a23", None, PLAIN), ("a234, 2", SOME, PLAIN), ("a23, 1", SOME, PLAIN), ("x", ONE, PLAIN), ("x03", ONE, PLAIN), *one("x23, 3", "x23, 0")],
    "to_sparse_bsr": [("a24, (2, 2)", None, PLAIN), ("a234, (1, 3), 1", ONE, PLAIN), *one("a23, (2, 2)", "a24, (0, 2)", "x3, (1, 1)", "a24")],
    "to_sparse_bsc": [("a24, (1, 2)", None, PLAIN), *one("a23, (2, 2)", "a24, (2,)", "a24")],
    "to_sparse_csr": [("a23", None, PLAIN), ("a234, 1", SOME, PLAIN), (S, SOME, PLAIN), (ROWS, ONE, PLAIN), (COLUMNS, SOME, PLAIN), (TWICE, REAL, PLAIN), ("x03", ONE, PLAIN),
                      *one("x23, 1", "x23, -1")],
    "to_sparse_csc": [("a23", None, PLAIN), ("a234, 1", SOME, PLAIN), (S, SOME, PLAIN), (ROWS, SOME, PLAIN), (COLUMNS, ONE, PLAIN), (TWICE, REAL, PLAIN), *one("x23, 1")],
    "sparse_mask": [(f"y23, {S}", SOME, PLAIN), (f"y23, {ROWS}", REAL, PLAIN), (f"y23, {TWICE}", REAL, PLAIN), *one(f"y22, {S}")],
    "sparse_mm": [(f"{S}, y34", DOUBLE, PLAIN), (f"{ROWS}, y34", DOUBLE, PLAIN), (f"{COLUMNS}, y34", REAL, PLAIN), (f"{ROWS}, y34.to_sparse_csr()", REAL, PLAIN), (f"{TWICE}, y34", DOUBLE, PLAIN), (f"{S}, y34.to_sparse()", REAL, PLAIN),
                  (f"y32, {S}", REAL, PLAIN), *one(f"{S}, y24", f"{ROWS}, y24")],
    "sparse_sampled_addmm": [(f"{ROWS}, x24, y43", DOUBLE, PLAIN), (f"{ROWS}, x24, y43, beta=2, alpha=0.5", REAL, PLAIN), *one(f"{ROWS}, x24, y34")],
    "sparse_addmm": [(f"x24, {ROWS}, y34", DOUBLE, PLAIN), (f"x24, {S}, y34", DOUBLE, PLAIN), (f"x24, {S}, y34, beta=2, alpha=0.5", REAL, PLAIN)],
    "sparse_sum": [(S, SOME, PLAIN), (f"{S}, 0", SOME, PLAIN), (f"{TWICE}, 1", REAL, PLAIN), (f"{S}, [0, 1]", REAL, PLAIN), (f"{DENSE}, 1", REAL, PLAIN),
                   (f"{S}, dtype=torch.float64", REAL, PLAIN)],
    "sparse_softmax": [(f"{S}, 0", REAL, PLAIN), (f"{S}, 1", REAL, PLAIN), (f"{TWICE}, 1", REAL, PLAIN), (f"{DENSE}, 1", REAL, PLAIN)],
    "sparse_log_softmax": [(f"{S}, 0", REAL, PLAIN), (f"{TWICE}, 1", REAL, PLAIN), (f"{DENSE}, 1", REAL, PLAIN)],
}
ULPS = {"sparse_softmax": 4, "sparse_log_softmax": 16}


def but_offset(mine, theirs):
    """Returns whether the elements agree, regardless of strides."""
    return re.sub(r"\)\+\d+", ")", mine) == re.sub(r"\)\+\d+", ")", theirs)


DELIBERATE = [
    ("`row_indices` and `col_indices` of compressed sparse tensors are views of one index tensor in Corten, so their storage offset may not be 0.", "^(row|col)_indices ", "^int64", "^int64", but_offset),
    ("`to_sparse` has one signature in Corten, and its errors name it; PyTorch tries several and lists them all.", "^to_sparse ", "^!TypeError", "^!TypeError"),
    ("Errors of sparse functions name the function that the program called; PyTorch's name an inner one.", "^sparse_", "^!TypeError", "^!TypeError"),
]
