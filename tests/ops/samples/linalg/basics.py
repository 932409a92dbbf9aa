# SPDX-License-Identifier: BSD-3-Clause
"""Samples of linear algebra. Matrices called m are well-conditioned (facts.GOOD); singular ones are written out."""
import itertools

from facts import BITS, VALUES
from samples import COMPLEX, FLOATING, ONE, PLAIN, SOME, one

FULL = ["float32", "float64", "complex64", "complex128"]
SINGULAR = "torch.ones(3, 3)"
ONE_SINGULAR = "torch.stack([torch.eye(3), torch.ones(3, 3)])"
LAYOUTS = ["c", "t", "s"]

INVERSES = [("m33", None, LAYOUTS), ("m22", FULL, LAYOUTS), ("m11", FULL, PLAIN), ("m44", FULL, PLAIN), ("m233", FULL, LAYOUTS), ("m2322", FULL, PLAIN), ("m33", COMPLEX, ["j"]),
            ("x00", FLOATING, PLAIN), ("x200", FULL, PLAIN), ("x033", FULL, PLAIN), ("x2033", ONE, PLAIN), ("n33", FULL, PLAIN),
            *one("x23", "x3", "x", "m33, 1", SINGULAR, SINGULAR + ".t()", ONE_SINGULAR, "torch.zeros(1, 1)", "torch.zeros(2, 1, 1)", "torch.tensor([[1., 2.], [2., 4.]], dtype=torch.float64)",
                 "torch.diag(torch.tensor([1., 0., 0.]))", "torch.tensor([[1., 0., 3.], [2., 0., 5.], [7., 0., 1.]])", "torch.tensor([[1., 2., 3.], [0., 0., 0.], [7., 3., 1.]])")]

SVD_OF_NOTHING = [("x03", FULL, PLAIN), ("x30", FULL, PLAIN), ("x00", FULL, PLAIN), ("x032", FULL, PLAIN), ("x203", FULL, PLAIN)]
SOLVE = [("m33, y3", None, ["c", "tc", "st"]), ("m33, y32", None, ["c", "tc", "ct", "ss"]), ("m233, y32", FULL, PLAIN), ("m233, y232", FULL, ["c", "tt"]), ("m233, y23", FULL, ["c", "tt"]), ("m33, y232", FULL, PLAIN), ("m233, y3", FULL, PLAIN),
         ("m33, y23, left=False", FULL, ["c", "tc", "ss"]), ("m233, y223, left=False", FULL, PLAIN), ("m33, y32", COMPLEX, ["jj", "cj", "jc"]), ("m33, y23, left=False", COMPLEX, ["jj", "cj"]), ("m11, y1", FULL, PLAIN), ("m2133, y332", FULL, PLAIN),
         ("x00, y0", FULL, PLAIN), ("x00, y02", FULL, PLAIN), ("x033, y03", FULL, PLAIN), ("x033, y032", FULL, PLAIN), ("m33, y30", FULL, PLAIN), ("m33, n3", FULL, PLAIN), ("n33, y3", FULL, PLAIN),
         *one("x23, y3", "x3, y3", "m33, y4", "m33, y42", "m33, y", "m33, y32_float64", "m33, y3, left=False", "m33, y32, left=False", "m233, y332", "m11, y1, left=False", f"{SINGULAR}, y3", f"{ONE_SINGULAR}, y32", f"{SINGULAR.replace('ones', 'zeros')}, y3", "m33", "m33, 3",
              "m33, y3, False")]
DETS = [("m33", None, LAYOUTS), ("m22", FULL, LAYOUTS), ("m44", FULL, LAYOUTS), ("m11", FULL, PLAIN), ("m233", FULL, LAYOUTS), ("m2322", FULL, PLAIN), ("m33", COMPLEX, ["j"]), ("x00", FULL, PLAIN), ("x200", FULL, PLAIN), ("x033", FULL, PLAIN),
        ("n33", FULL, PLAIN), *one("x23", "x3", "x", SINGULAR, ONE_SINGULAR, "torch.zeros(2, 2)", "torch.eye(3).neg()", "m33, 1", "x23_int64")]
P3, P233 = "torch.tensor([3, 2, 3], dtype=torch.int32)", "torch.tensor([[3, 2, 3], [1, 3, 3]], dtype=torch.int32)"
LU = [("m33", None, LAYOUTS), ("m23", FULL, LAYOUTS), ("m43", FULL, LAYOUTS), ("m11", FULL, PLAIN), ("m233", FULL, LAYOUTS), ("m224", FULL, PLAIN), ("m243", FULL, PLAIN), ("m33", COMPLEX, ["j"]),
      *SVD_OF_NOTHING, ("x200", FULL, PLAIN), ("n33", FULL, PLAIN), *one("x3", "x", SINGULAR, ONE_SINGULAR, "torch.zeros(2, 3)", "m33, pivot=False", "m33, False", "m33, pivot=True")]
ORDERS = ("2", "-2", "1", "-1", "float('inf')", "-float('inf')")
MATRIX_NORMS = [("x33, 1", SOME, PLAIN), ("x33, 2", SOME, PLAIN), *one("x3, 1", "x, 2", "m33, 2, dtype=torch.float64", "m33, 1, dtype=torch.float64", "m33_float64, 2, dtype=torch.float32", "m33_complex64, 1, dtype=torch.float32",
                                                                       "m33_complex64, 2, dtype=torch.complex128", "m33, 1, dtype=torch.int32")]
DTYPED = one("x23, dtype=torch.float64", "x23, dtype=torch.int64", "x23_float64, dtype=torch.float32", "x23, dtype=torch.complex64", "x23_complex64, dtype=torch.float64", "x23_complex64, dtype=torch.complex128",
             "x23_float16, dtype=torch.float32", "x23_float16, dtype=torch.bfloat16")

SAMPLES = {
    "linalg_inv": INVERSES, "inverse": INVERSES,
    "linalg_inv_ex": [*INVERSES, ("m33, check_errors=True", FULL, PLAIN), *one(SINGULAR + ", check_errors=True", ONE_SINGULAR + ", check_errors=True", "m33, True")],
    "linalg_lu_factor": LU, "linalg_lu": LU, "linalg_lu_factor_ex.info": [*LU, *one(SINGULAR + ", check_errors=True", ONE_SINGULAR + ", check_errors=True", "m33, check_errors=True", "m33, True")],
    "lu_unpack": [("m33, torch.tensor([3, 2, 3], dtype=torch.int32)", None, ["c", "t"]), ("m23, torch.tensor([2, 2], dtype=torch.int32)", FULL, ["c", "t"]), ("m43, torch.tensor([2, 4, 4], dtype=torch.int32)", FULL, ["c", "t"]),
                  ("m33, torch.tensor([3, 2, 3], dtype=torch.int32), True, False", FULL, PLAIN), ("m33, torch.tensor([3, 2, 3], dtype=torch.int32), False", FULL, PLAIN), ("m233, torch.tensor([[3, 2, 3], [1, 3, 3]], dtype=torch.int32)", FULL, PLAIN),
                  *one("x3, x3", "m33, x3", "m33, torch.tensor([1, 2], dtype=torch.int32)", "m33, torch.tensor([1, 4, 3], dtype=torch.int32)", "m33, torch.tensor([0, 2, 3], dtype=torch.int32)", "m33, torch.tensor([1, 2, 3])",
                       "x03, torch.zeros(0, dtype=torch.int32)", "x30, torch.zeros(0, dtype=torch.int32)", "x033, torch.zeros(0, 3, dtype=torch.int32)", "m33, torch.tensor([1, 2, 3]), unpack_pivots=False", "m33")],
    "linalg_lu_solve": [(f"m33, {P3}, y32", None, ["c", "tc", "ct"]), (f"m33, {P3}, y32, adjoint=True", FULL, ["c", "tt"]), (f"m33, {P3}, y23, left=False", FULL, ["c", "tt"]), (f"m33, {P3}, y23, left=False, adjoint=True", FULL, PLAIN),
                        (f"m233, {P233}, y232", FULL, PLAIN), (f"m233, {P233}, y32", FULL, PLAIN), (f"m33, {P3}, y232", FULL, PLAIN), ("x00, torch.zeros(0, dtype=torch.int32), y02", FULL, PLAIN),
                        *one(f"m33, {P3}, y3", f"m33, {P3}, y42", f"m33, {P3}, y32_float64", f"x23, {P3}, y32", f"x3, {P3}, y32", "m33, torch.tensor([1, 2, 3]), y32", "m33, torch.tensor([1, 2], dtype=torch.int32), y32",
                             "m33, torch.tensor([1, 4, 3], dtype=torch.int32), y32", "m33, torch.tensor([0, 2, 3], dtype=torch.int32), y32", f"m233, {P3}, y32", f"m233, {P233}, y332", f"m33, {P3}, y23, left=True", f"m33, {P3}")],
    "lu_solve": [(f"y32, m33, {P3}", None, ["c", "tt"]), (f"y232, m233, {P233}", FULL, PLAIN), *one(f"y3, m33, {P3}", "y32, m33, y3")],
    "linalg_solve": SOLVE, "linalg_solve_ex.info": [*SOLVE, *one(f"{SINGULAR}, x3, check_errors=True", f"{ONE_SINGULAR}, x32, check_errors=True", "m33, x3, check_errors=True")],
    **dict.fromkeys(("linalg_det", "det", "linalg_slogdet", "slogdet", "logdet"), DETS),
    "linalg_svd": [("m33", None, LAYOUTS), ("m23", FULL, LAYOUTS), ("m43", FULL, LAYOUTS), ("m23, False", FULL, LAYOUTS), ("m43, full_matrices=False", FULL, LAYOUTS), ("m11", FULL, PLAIN),
                   ("m243, False", FULL, ["c", "s"]), ("m243", FULL, PLAIN), ("m33", COMPLEX, ["j"]), *SVD_OF_NOTHING, ("n33", FULL, PLAIN),
                   *one("x3", "x", "m33, driver='gesvd'", "m33, True, None", "x03, False", "x30, False", "x23, 'a'")],
    "linalg_svdvals": [("m33", None, LAYOUTS), ("m23", FULL, LAYOUTS), ("m43", FULL, LAYOUTS), ("m2243", FULL, PLAIN), ("m33", COMPLEX, ["j"]), *SVD_OF_NOTHING, ("n33", FULL, PLAIN),
                       *one("x3", "x", "m33, driver='gesvd'", "m33, 1")],
    "svd": [("m33", None, LAYOUTS), ("m23", FULL, LAYOUTS), ("m43, False", FULL, PLAIN), ("m43, compute_uv=False", FULL, PLAIN), ("m243, True, False", FULL, PLAIN), ("m243", FULL, PLAIN),
            ("m33", COMPLEX, ["j"]), *SVD_OF_NOTHING, *one("x3", "x", "m33, 1, 1")],
    "linalg_vector_norm": [(f"x23{more}", None, PLAIN) for more in ("", ", 1", ", 0", ", float('inf')", ", -2", ", 3", ", 2.5, 0", ", 2, (0, 1), True", ", dim=-1, keepdim=True")]
    + [("x234, 2, (0, 2)", FLOATING, LAYOUTS), ("x, 2", FLOATING, PLAIN), ("x03", FLOATING, PLAIN), ("n9", FLOATING, PLAIN), ("x234, 1, ()", FLOATING, PLAIN)] + DTYPED
    + one("x03, -1", "x23, 'a'", "x23, 2, 5", "x23, 2, (0, 0)", "x23, None", "x23, 1j", "x03, float('inf'), 1"),
    "linalg_matrix_norm": [(f"m33, {ord}{more}", FLOATING, ["c", "t"]) for ord in ORDERS for more in ("", ", keepdim=True")] + MATRIX_NORMS
    + [(f"m243, {ord}, {dims}{keep}", FULL, PLAIN) for ord in ORDERS for dims in ("(0, 1)", "(-1, 0)") for keep in ("", ", True")]
    + one("m33, 3", "m33, 2.5", "m33, 1j", "m33, 1, (0, 0)", "m33, 1, (0, 3)", "m33, 2, (0, 1, 1)", "m33, 1, 0", "m33, None", "x03, -2", "x03, 2", "x30, 1", "x03, -1", "x203, 2", "x203, float('inf')", "m33, True"),
    "linalg_matrix_norm.str_ord": [(f"m33{ord}", None, ["c", "t"]) for ord in ("", ", 'nuc'", ", 'fro', keepdim=True")] + [("m243, 'nuc', (0, -1), True", FULL, PLAIN), ("m243, 'nuc', (1, 0)", FULL, PLAIN)]
    + one("m33, 'x'", "m33, 'nuc', (0,)", "m33, 'nuc', 0", "x3, 'nuc'", "x03, 'nuc'", "x203, 'nuc'", "m33, 'fro', (0, 1, 2)", "m33, 'nuc', (1, 1)", "m33, 'nuc', dtype=torch.float64", "m33, 'fro', dtype=torch.int64",
          "m33_float64, 'nuc', dtype=torch.float32", "m33, 'fro', dtype=torch.complex64"),
    "linalg_norm": [(f"m33{ord}", FLOATING, ["c", "t"]) for ord in ("", ", 2", ", -2", ", 1", ", float('inf')", ", None, 0", ", 3, 1", ", None, (0, 1), True")] + DTYPED
    + [("x4, 3", FLOATING, PLAIN), ("m243", FLOATING, PLAIN), ("m243, 2, (0, 2)", FULL, PLAIN), ("m243, 2, (0, 2), True", FULL, PLAIN), ("x33", SOME, PLAIN), ("x33, 2", SOME, PLAIN), ("x", FULL, PLAIN)]
    + one("m243, 2", "x, 2", "m33, 3", "m33, 2, (0, 1, 2)", "m33, 2, ()", "x3, 2, (0, 1)", "x3, None, (0, 1)", "m33, 1, (0, 0)", "x03", "x03, 2", "x03, -2"),
    "norm_except_dim": one("m33", "x23, 2, 1", "x23, 1, 0", "m243, 2, 1", "m243, 3, -1", "m243, 2, -2", "x3, 2, 0", "x3, 1, 0", "x23, 2, 5",
                           "m33_float16", "m33_int64", "x23_complex64, 2, 0"),
    "linalg_norm.ord_str": one("m33, 'nuc'", "m33, 'fro'", "m33, 'x'", "m243, 'nuc'", "m243, 'nuc', (0, 1)", "m243, 'fro', (0, -1), True", "x3, 'nuc'", "x3, 'fro'", "m33, 'nuc', 0", "m33_float16, 'nuc'", "m33_int64, 'fro'", "x, 'nuc'",
                               "m33, 'nuc', dtype=torch.float64"),
    "linalg_matmul": [("x23, y34", None, ["c", "tt"]), ("x3, y3", SOME, PLAIN), ("x423, y434", SOME, PLAIN), *one("x23, y23")],
    "linalg_matrix_power": [("m33, 3", None, ["c", "t"]), ("m33, -2", FULL, ["c", "t"]), ("m33, 0", SOME, PLAIN), *one("x23, 2", "m33, 2.5", "m33, n=2")],
    "linalg_multi_dot": [("[x23, y34]", SOME, ["c", "tt"]), ("[x23, y34, z42]", SOME, ["c", "tt"]), ("[x3, y34, z4]", SOME, PLAIN), ("[x3, y34]", SOME, PLAIN), ("[y34, z4]", SOME, PLAIN), ("[x21, y15, z51, x13, y32]", SOME, PLAIN),
                         ("(x3, y3)", SOME, PLAIN), ("[x03, y34]", ONE, PLAIN), *one("[]", "[x23]", "[x23, y234, z42]", "[x234, y43]", "[x23, y234]", "[x23, y43]", "[x23, y34_float64]", "[x3, y43]", "x23", "[x, y3]")],
    "linalg_vecdot": [("x23, y23", None, ["c", "t"]), ("x23, y3", FLOATING, PLAIN), ("x3, y3", None, PLAIN), ("x23, y23, dim=0", FLOATING, PLAIN), ("x23, y23", COMPLEX, ["jc", "cj"]), ("x3, y3", COMPLEX, ["jc"]),
                      *one("x23, y23_float64", "x23, y4", "x3, y4", "x3, y3, dim=3", "x23, y23, dim=2", "x, y", "x03, y03", "x23, y23, 1")],
    "linalg_vander": [("x3", None, PLAIN), ("x23", SOME, ["c", "t"]), ("x3, N=2", SOME, PLAIN), ("x3, N=5", FLOATING, PLAIN), *one("x", "x, N=3", "x0", "x1", "x3, N=1", "x3, 2", "x03", "x0, N=2")],
    "linalg_diagonal": [("x23", None, ["c", "t"]), ("x234", SOME, PLAIN), ("x234, offset=1, dim1=0, dim2=2", SOME, PLAIN), *one("x3", "x23, 1", "x23, dim1=1, dim2=1", "x23, offset=-5")],
}
ULPS = {"linalg": 64, "compat": 64}


def tensors(fact):
    """Returns [(sizes, elements)] of the results in a fact."""
    return [([int(n) for n in geometry[1:geometry.index("]")].split("x") if n], [complex(*map(float, v.split("&"))) for v in values.split()])
            for _, geometry, values in VALUES.findall(fact)]


def rebuilt(fact):
    """Multiplies the factors of singular value decompositions; the last result is Vh, or V for the row svd."""
    (su, u), (_, s), (sv, v) = tensors(fact)
    m, p, k, n = su[-2], su[-1], min(su[-2], sv[-1 if "linalg" in fact else -2]), sv[-1 if "linalg" in fact else -2]
    rows = sv[-2] if "linalg" in fact else sv[-1]
    found = []
    for b in range(len(s) // k if k else 0):
        for i, j in itertools.product(range(m), range(n)):
            at = b * rows * n
            found.append(sum(u[(b * m + i) * p + q] * s[b * k + q]
                             * (v[at + q * n + j] if "linalg" in fact else v[at + j * rows + q].conjugate()) for q in range(k)))
    return found


def same_matrix(mine, theirs):
    """Returns whether types, geometry, singular values and products agree, and vectors up to a phase each."""
    mine, theirs = (fact.split(" ? ")[0] for fact in (mine, theirs))  # PyTorch resizes and warns in another order
    if VALUES.sub(r"\1\2", mine) != VALUES.sub(r"\1\2", theirs):
        return False
    unit = 2.0 ** (6 - BITS[VALUES.findall(theirs)[0][0]])
    near = [abs(abs(a) - abs(b)) <= unit * 8 for x, y in zip(tensors(mine), tensors(theirs)) for a, b in zip(x[1], y[1])]
    return all(near) and all(abs(a - b) <= unit * 8 for a, b in zip(rebuilt(mine), rebuilt(theirs)))


DELIBERATE = [
    ("Singular vectors are unique only up to a sign or phase. The tests compare the product of the factors instead.", r"^(linalg_)?svd ", r"svd(_out)?<", r"svd(_out)?<", same_matrix),
    ("Factorisations of matrices with NaN or infinities: the order of the elimination decides how far they spread.", r"^linalg_lu\S* .*n33", "nan", "nan"),
    ("The norm of complex numbers with a NaN is NaN in Corten; PyTorch returns infinity if the number's other part is infinite.", "^linalg_(vector_)?norm .*complex", r"^float.* inf( \?|$)", "nan"),
]
