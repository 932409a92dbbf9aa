# SPDX-License-Identifier: BSD-3-Clause
"""Samples of Cholesky, QR, least squares, and triangular and symmetric solvers. Matrices named m are well-conditioned
(facts.GOOD); positive definite ones are products."""
import re

from samples import COMPLEX, ONE, PLAIN, one

FULL = ["float32", "float64", "complex64", "complex128"]
REAL = ["float32", "float64"]
HALVES = ["float16", "bfloat16", "int64", "uint8", "bool"]
GEOMETRY = re.compile(r"\[[^;>]*?\+\d+|\?.*")
LAYOUTS = ["c", "t", "s"]


def positive(shape):
    return f"m{shape} @ m{shape}.mH + torch.eye({shape[-1]})"


NOTHING = [("x00", None, PLAIN), ("x200", FULL, PLAIN), ("x033", FULL, PLAIN), ("x2033", ONE, PLAIN)]
NOT_POSITIVE = one("torch.zeros(2, 2)", "-torch.eye(3)", "torch.stack([torch.eye(3), -torch.eye(3)])", "torch.tensor([[1., 2.], [2., 1.]])", "torch.tensor([[1., 0.], [2., 1.]])", "torch.tensor([[1., 2.], [0., 1.]])",
                   "torch.diag(torch.tensor([1., 2., -3., 4.]))")
CHOLESKY = [(positive(shape) + more, FULL, ["c", "t"]) for shape in ("33", "11", "22", "44", "233", "2322") for more in ("", ", upper=True")] + [
    (f"({positive('33')}).mT", FULL, PLAIN), (f"({positive('33')}).conj()", COMPLEX, PLAIN), ("m33", HALVES, PLAIN), ("m33 + m33.mT + 9 * torch.eye(3)", REAL, LAYOUTS), ("m33 + m33.mT + 9 * torch.eye(3), upper=True", REAL, LAYOUTS), ("(9 * torch.eye(3)).tril(-1) + 9 * torch.eye(3) + torch.ones(3, 3).triu(1)", ONE, PLAIN),
    *NOTHING, *NOT_POSITIVE, ("n33", FULL, PLAIN), *one("x23", "x3", "x", "m33, True", "x33_int64", "x33_float16", "x03", "m33, upper=1")]
FACTORS = [("m33.tril()", REAL, LAYOUTS), ("m33.triu(), True", REAL, LAYOUTS), ("m33", ["float16", "int64", "bool"], PLAIN), (f"torch.linalg.cholesky({positive('33')})", FULL, PLAIN), (f"torch.linalg.cholesky({positive('233')})", FULL, PLAIN),
           (f"torch.linalg.cholesky({positive('44')}, upper=True), upper=True", FULL, PLAIN), ("m11", REAL, PLAIN), ("m233.tril()", REAL, ["c", "t"]), *NOTHING, *one("x23", "x3", "x", "torch.zeros(2, 2)", "torch.zeros(2, 2, 2)", "m33, 1")]
SOLVE = [("y32, m33.tril()", FULL, ["c", "ct", "tc", "ss"]), ("y32, m33.triu(), True", FULL, ["c", "ct"]), ("y32, m33.triu(), upper=True", FULL, PLAIN), ("y232, m233.tril()", FULL, ["c", "tt"]), ("y32, m233.tril()", FULL, PLAIN),
         ("y232, m33.tril()", FULL, PLAIN), ("y2132, m333.tril()", FULL, PLAIN), ("y32, m33", ["float16", "int64", "bool"], PLAIN), ("y32, m33.tril()", COMPLEX, ["jj", "cj", "jc"]), ("y02, x00", FULL, PLAIN), ("y30, m33", FULL, PLAIN),
         ("y032, x033", FULL, PLAIN), *one("y3, m33", "y32, x3", "y42, m33", "y32, x23", "y32_float64, m33", "y332, m233", "y32", "y32, 3")]
TRIANGULAR = [(f"m33, y32, upper={upper}{more}", FULL, ["c", "ct", "tc", "ss", "tt"]) for upper in (True, False) for more in ("", ", unitriangular=True")] + [
    (f"m33, y23, upper={upper}, left=False{more}", FULL, ["c", "ct", "tc", "ss"]) for upper in (True, False) for more in ("", ", unitriangular=True")] + [
    ("m233, y232, upper=True", FULL, ["c", "tt", "ct"]), ("m233, y32, upper=False", FULL, ["c", "tt"]), ("m33, y232, upper=True", FULL, ["c", "tt", "ss"]), ("m33, y223, upper=True, left=False", FULL, PLAIN), ("m2133, y332, upper=True", FULL, PLAIN),
    ("m33, y32, upper=True", COMPLEX, ["jj", "cj", "jc"]), ("m33.mH, y32, upper=True", COMPLEX, ["c", "t"]), ("m233.mH, y23, upper=True, left=False", COMPLEX, ["c", "t"]), ("m233.mH, y232, upper=False", COMPLEX, ["c", "t"]), ("m33.conj(), y32.conj(), upper=True", COMPLEX, ["c", "t", "tc", "ct"]),
    ("m33, y32, upper=True", ["float16", "int64", "bool"], PLAIN), ("x00, y02, upper=True", FULL, PLAIN), ("x033, y032, upper=True", FULL, PLAIN), ("m33, y30, upper=True", FULL, PLAIN), ("m11, y11, upper=True", FULL, PLAIN), ("n33, y32, upper=True", REAL, PLAIN),
    *one("m33, y32", "m33, y32, True", "m33, y3, upper=True", "x3, y32, upper=True", "x23, y32, upper=True", "m33, y42, upper=True", "m33, y32, upper=True, left=False", "m33, y32_float64, upper=True", "m233, y332, upper=True", "torch.zeros(2, 2), torch.ones(2, 1), upper=True",
         "m33, upper=True")]
OLD = [(f"y32, m33{more}", FULL, ["c", "ct", "tc", "ss"]) for more in ("", ", False", ", True, True", ", False, True, True", ", unitriangular=True")] + [
    ("y232, m233", FULL, ["c", "tt"]), ("y32, m233, True, True", FULL, PLAIN), ("y232, m33", FULL, PLAIN), ("y32, m33", COMPLEX, ["jj", "cj", "jc"]), ("y32, m33", ["float16", "int64", "bool"], PLAIN), ("y02, x00", FULL, PLAIN), ("y032, x033", FULL, PLAIN), ("y30, m33", FULL, PLAIN),
    *one("y3, m33", "y32, x3", "y42, m33", "y32, x23", "y32_float64, m33", "y332, m233", "y32", "y32, m33, transpose=True")]
TALL = [("m43", FULL, LAYOUTS), ("m23", FULL, LAYOUTS), ("m33", None, LAYOUTS), ("m11", FULL, PLAIN), ("m41", FULL, PLAIN), ("m14", FULL, PLAIN), ("m243", FULL, LAYOUTS), ("m224", FULL, PLAIN), ("m2322", FULL, PLAIN), ("m33", COMPLEX, ["j"]),
        ("x03", FULL, PLAIN), ("x30", FULL, PLAIN), ("x00", FULL, PLAIN), ("x032", FULL, PLAIN), ("x203", FULL, PLAIN), ("x230", FULL, PLAIN), *one("x3", "x", "torch.zeros(3, 2)", "x23_int64", "x23_float16")]
MODES = [(f"{text}, {mode}", types and [t for t in types if t in FULL], layouts) for text, types, layouts in TALL if text[0] in "mx" and "_" not in text and text not in ("x3", "x") for mode in ("'complete'", "mode='r'")]
REFLECTORS = [("m43, y3", FULL, ["c", "tc", "ss"]), ("m33, y3", FULL, ["c", "tc"]), ("m43, y2", FULL, PLAIN), ("m43, y1", FULL, PLAIN), ("m243, y23", FULL, ["c", "tt"]), ("m33, y3", COMPLEX, ["jj", "jc", "cj"]), ("m33, y3", ["float16", "int64", "bool"], PLAIN),
              ("x30, y0", FULL, PLAIN), ("m33, y0", FULL, PLAIN), ("x00, y0", FULL, PLAIN), ("x033, y03", FULL, PLAIN),
              *one("x23, y2", "x3, y3", "m43, y4", "m43, y", "m43, y23", "m243, y3", "m243, y33", "m43, y3_float64", "m43")]
REFLECT = [(f"m43, y3, {other}{more}", FULL, ["c", "tc", "ss"]) for other, more in (("z42", ""), ("z42, True, True", ""), ("z24, False", ""), ("z24, False, True", ""), ("z42", ", transpose=True"), ("z24", ", left=False"))] + [
    ("m243, y23, z242", FULL, ["c", "tt"]), ("m43, y2, z42", FULL, PLAIN), ("m33, y3, z32", COMPLEX, ["jj", "jc", "cj"]), ("m33, y3, z32", ["float16", "int64", "bool"], PLAIN), ("m33, y0, z32", FULL, PLAIN), ("m33, y3, z30", FULL, PLAIN), ("x033, y03, z032", FULL, PLAIN), ("x00, y0, z02", FULL, PLAIN),
    *one("x3, y3, z32", "m33, y3, z3", "m33, y4, z32", "m33, y, z32", "m43, y3, z32", "m43, y4, z42", "m33, y23, z32", "m33, y3, z232", "m233, y33, z232", "m233, y23, z332", "m33, y3_float64, z32", "m33, y3, z32_float64", "m43, y3, z42, False", "m33, y3")]
LSTSQ = [(f"m43, y42{more}", FULL, ["c", "tc", "ss"]) for more in ("", ", driver='gels'", ", driver='gelsd'", ", driver='gelss'", ", None, driver='gelsy'")] + [
    (f"m23, y22{more}", FULL, PLAIN) for more in ("", ", driver='gels'", ", driver='gelsd'", ", driver='gelss'")] + [(f"m33, y32{more}", FULL, PLAIN) for more in ("", ", driver='gelsd'", ", rcond=1e-3", ", 0.5", ", rcond=-1.0")] + [
    (f"m43, y4{more}", FULL, PLAIN) for more in ("", ", driver='gels'", ", driver='gelsd'")] + [(f"m243, y242{more}", FULL, PLAIN) for more in ("", ", driver='gels'", ", driver='gelss'")] + [(f"m243, y24{more}", FULL, PLAIN) for more in ("", ", driver='gelsd'")] + [
    ("m1343, y2142", FULL, PLAIN), ("m1343, y2142, driver='gelsd'", FULL, PLAIN), ("m33, y32", COMPLEX, ["jj", "cj", "jc"]), ("m33, y32", ["float16", "int64", "bool"], PLAIN),
    *((f"{text}{more}", ONE, PLAIN) for text in ("x03, y02", "x30, y32", "x043, y042", "x00, y02") for more in ("", ", driver='gels'")), ("m43, y40", ONE, PLAIN),
    *one("x3, y3", "m33, y", "m33, y2", "m33, y22", "m33, y32_float64", "m33, y232", "m233, y332", "m243, y43", "m33, y32, driver='x'", "m33, y32, driver=''", "torch.ones(4, 2), torch.arange(4.)", "torch.zeros(4, 2), torch.arange(4.), driver='gelsd'", "torch.zeros(3, 3), torch.ones(3, 1)",
         "m33, y32, 1e-3, 'gels'", "m33", "m43, y42, 1")]
SYMMETRIC = "m{0} + m{0}.mT"
LDL = [(SYMMETRIC.format(shape) + more, FULL, ["c", "t"]) for shape in ("33", "22", "11", "44", "233") for more in ("", ", hermitian=True")] + [("m33 + m33.mH, hermitian=True", COMPLEX, PLAIN), ("m33", None, PLAIN), *NOTHING, ("torch.eye(3)", ONE, PLAIN),
       *one("x23", "x3", "x", "m33, True", "x33_int64")]
P3 = "torch.tensor([1, 2, 3], dtype=torch.int32)"
LDL_SOLVE = [(f"m33, {P3}, y32", None, ["c", "tc", "ct"]), (f"m33, {P3}, y32, hermitian=True", FULL, ["c", "tc"]), ("m33, torch.tensor([-2, -2, 3], dtype=torch.int32), y32", FULL, PLAIN), ("m33, torch.tensor([3, 2, 3], dtype=torch.int32), y232", FULL, PLAIN),
             (f"m233, {P3}.expand(2, 3), y232", FULL, PLAIN), (f"m233, {P3}.expand(2, 3), y32", FULL, PLAIN), ("m33, torch.tensor([1, 2, 3]), y32", ONE, PLAIN), ("x00, torch.zeros(0, dtype=torch.int32), y02", FULL, PLAIN),
             *one(f"m33, {P3}, y3", f"m33, {P3}, y42", f"m33, {P3}, y32_float64", f"x23, {P3}, y32", f"x3, {P3}, y32", "m33, torch.tensor([1, 2], dtype=torch.int32), y32", "m33, torch.tensor([1, 4, 3], dtype=torch.int32), y32", "m33, torch.tensor([0, 2, 3], dtype=torch.int32), y32",
                  "m33, torch.tensor([1, -4, 3], dtype=torch.int32), y32", f"m233, {P3}, y32", f"m233, {P3}.expand(2, 3), y332", "m33, y3, y32", "m33, b3, y32", f"m33, {P3}")]

SAMPLES = {
    "linalg_cholesky": CHOLESKY, "linalg_cholesky_ex.info": [*CHOLESKY, *((s + ", check_errors=True", d, l) for s, d, l in NOT_POSITIVE), (positive("33") + ", check_errors=True", FULL, PLAIN)],
    "cholesky_inverse": FACTORS, "cholesky_solve": SOLVE, "linalg_solve_triangular": TRIANGULAR, "triangular_solve": OLD,
    "linalg_qr": [*TALL, *MODES, *one("m33, 'x'", "m33, mode=1", "m33, 'reduced'", "m33, ''")], "geqrf": TALL,
    "linalg_householder_product": REFLECTORS, "orgqr": REFLECTORS, "ormqr": REFLECT, "linalg_lstsq": LSTSQ,
    "gels": [("y42, m43", REAL, PLAIN), *one("y42, x3", "y3, m33", "y32", "y42, m33")], "cholesky": [(positive("33"), REAL, PLAIN), ("m33 @ m33.mT + torch.eye(3), True", ONE, PLAIN)], "qr": [("m43", REAL, PLAIN), ("m43, False", ONE, PLAIN), ("m23", ONE, PLAIN)],
    "linalg_ldl_factor": LDL, "linalg_ldl_factor_ex.info": [*LDL, *one("m33, check_errors=True")], "linalg_ldl_solve": LDL_SOLVE,
}
ULPS = {"linalg_factor": 512}


def same_but_for_geometry(mine, theirs):
    """Returns whether the results are empty and have the same type."""
    return GEOMETRY.sub("", mine) == GEOMETRY.sub("", theirs)


DELIBERATE = [
    ("Factorisations of matrices with NaN or infinities: the order of the elimination decides how far they spread.", "^linalg_cholesky_ex.info .*n33.* complex", "nan.*: 1>", "nan.*: 1>"),
]
