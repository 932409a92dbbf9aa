# SPDX-License-Identifier: BSD-3-Clause
"""Samples of eigenvalues, and of functions of eigenvalues or singular values. The order of the eigenvalues of general
matrices and the phases of vectors are not determined, so the comparison ignores them."""
import re

from facts import BITS, DTYPES, VALUES, agree
from samples import COMPLEX, FLOATING, ONE, PLAIN, one
from samples.linalg.basics import FULL, LAYOUTS, ONE_SINGULAR, SINGULAR, SVD_OF_NOTHING, tensors

OF_NOTHING = [("x00", FULL, PLAIN), ("x200", FULL, PLAIN), ("x033", FULL, PLAIN)]
SQUARES = [("m33", None, LAYOUTS), ("m22", FULL, LAYOUTS), ("m11", FULL, PLAIN), ("m44", FULL, PLAIN), ("m233", FULL, LAYOUTS), ("m2322", FULL, PLAIN),
           ("m33", COMPLEX, ["j"]), *OF_NOTHING]
NOT_SQUARE = one("x23", "x3", "x", "m33, 1")
NAN = one("torch.full((3, 3), float('nan'))", "torch.stack([torch.eye(3), torch.full((3, 3), float('nan'))])", "torch.full((1, 1), float('inf'))")
TRIANGLES = [("m33 + m33.mH", FULL, LAYOUTS), ("m233 + m233.mH, 'U'", FULL, PLAIN), ("m33, 'U'", FULL, LAYOUTS), ("m33, UPLO='L'", FULL, PLAIN), ("m233, 'u'", FULL, PLAIN), ("m33, 'l'", ONE, PLAIN),
             *one("m33, 'X'", "m33, ''", "m33, 'LU'", "m33, UPLO=1", "m33, None", "torch.eye(3)", "torch.diag(torch.tensor([3., 1., 2.]))")]
ROTATION = "torch.tensor([[0., -1.], [1., 0.]])"
PAIR = "torch.tensor([[1., 2., 0.], [-2., 1., 0.], [0., 0., 5.]], dtype=torch.float64)"
ALL = [("m33", None, LAYOUTS), ("m23", FULL, LAYOUTS), ("m43", FULL, LAYOUTS), ("m243", FULL, PLAIN), ("m11", FULL, PLAIN), ("m33", COMPLEX, ["j"]), *SVD_OF_NOTHING]
FLAT = "torch.ones(2, 3)"
TOLERANCES = [("m33, atol=9., rtol=0.", FULL, PLAIN), ("m33, rtol=0.4", FULL, PLAIN), ("m33, atol=0., rtol=0.4", FULL, PLAIN), ("m33, atol=torch.tensor(9.)", FULL, PLAIN),
              ("m233, atol=torch.tensor([0.1, 9.])", FULL, PLAIN), ("m233, rtol=torch.tensor([0.1, 0.9])", FULL, PLAIN), ("m233, atol=torch.tensor([0., 9.]), rtol=torch.tensor(0.1)", FULL, PLAIN),
              ("m33, hermitian=True", FULL, LAYOUTS), ("m33 + m33.mH, hermitian=True", FULL, PLAIN), ("m233, hermitian=True, rtol=0.4", FULL, PLAIN), ("m33, 0.4", FULL, PLAIN), ("m33, 0.4, True", FULL, PLAIN), ("m33, torch.tensor(0.4)", FULL, PLAIN),
              ("m233, torch.tensor([0.1, 0.9])", FULL, PLAIN),
              *one("x3", "x", "m23, hermitian=True", f"{FLAT}", f"{FLAT}, atol=1e-3", f"{FLAT}, atol=torch.tensor(1e-3j)", f"{FLAT}, rtol=torch.tensor(1e-3j)", "m233, atol=torch.tensor([1., 2., 3.])", "m33, 'a'", "m33, atol='a'",
                   "m33, 1, 2, 3", f"{FLAT}, atol=torch.tensor(1e-3), rtol=1e-3", "x23_int64, atol=1., rtol=1.", "x, atol=1.", "x3, atol=1., rtol=1.", "x03, atol=1.", "x03, hermitian=True", "x00, hermitian=True", "x23, 1j")]
ORDERS = ("None", "2", "-2", "1", "-1", "1.0", "float('inf')", "-float('inf')", "'fro'", "'nuc'")

SAMPLES = {
    "linalg_eig": [*SQUARES, *NOT_SQUARE, *one(ROTATION, PAIR, f"torch.stack([{ROTATION}, torch.diag(torch.tensor([1., 2.]))])", "torch.full((3, 3), float('nan'))")],
    "linalg_eigvals": [*SQUARES, *NOT_SQUARE, *one(ROTATION, PAIR, f"torch.stack([{ROTATION}, torch.diag(torch.tensor([1., 2.]))])")],
    "linalg_eigh": [*SQUARES, *TRIANGLES, *one("x23", "x3", "x", "m33, 1"), *NAN], "linalg_eigvalsh": [*SQUARES, *TRIANGLES, *one("x23", "x3", "x"), *NAN],
    "linalg_matrix_exp": [*SQUARES, *NOT_SQUARE, *((f"m33 * {scale}", FULL, ["c", "t"]) for scale in ("1e-9", "1e-5", "1e-3", "0.03", "0.1", "0.3", "3")),
                          ("torch.stack([m33 * 3, m33 * 1e-3, m33 * 0.2, m33 * 3, m33 * 1e-9])", FULL, PLAIN), ("n33", FULL, PLAIN),
                          *one("torch.zeros(2, 2)", "torch.eye(3) * 100", "torch.tensor([[0., 1.], [0., 0.]])", "torch.tensor([[0., 1e6], [0., 0.]])", "torch.full((2, 2), float('nan'))")],
    "matrix_exp": [("m33", None, LAYOUTS), ("m233", FULL, PLAIN), *NOT_SQUARE],
    "linalg_matrix_sqrth": [("m33 @ m33.mH", FULL, LAYOUTS), ("m33", None, PLAIN), ("m233 @ m233.mH", FULL, PLAIN), ("m11 * m11.conj()", FULL, PLAIN), *OF_NOTHING, *NOT_SQUARE,
                            *one("torch.zeros(2, 2)", "-torch.eye(2)", "torch.full((3, 3), float('nan'))", "torch.diag(torch.tensor([4., 9.]))")],
    "linalg_polar": [("m33", None, LAYOUTS), ("m43", FULL, LAYOUTS), ("m243", FULL, PLAIN), ("m233", FULL, ["c", "s"]), ("m11", FULL, PLAIN), ("m33", COMPLEX, ["j"]), *OF_NOTHING, ("x30", FULL, PLAIN), ("x230", FULL, PLAIN), ("x043", FULL, PLAIN),
                     *one("x23", "x03", "x3", "x", "m33, 1", "torch.full((3, 3), float('nan'))")],
    "linalg_pinv": [*ALL, *TOLERANCES, *one(SINGULAR, ONE_SINGULAR, "torch.zeros(2, 3)")],
    "linalg_pinv.atol_rtol_tensor": one("m33, atol=torch.tensor(1.), rtol=None"), "linalg_pinv.rcond_tensor": one("m33, rcond=torch.tensor(0.4)"), "linalg_pinv.rcond": one("m33, rcond=0.4, hermitian=True"),
    "pinverse": [*ALL, ("m33, 0.4", FULL, PLAIN), *one("x3", "m33, rcond=0.4", "m33, 'a'", "m33, torch.tensor(0.4)")],
    "linalg_matrix_rank": [*ALL, *TOLERANCES, *one(SINGULAR, ONE_SINGULAR, "torch.zeros(2, 3)", "torch.full((3, 3), float('nan'))", "m33, tol=0.4", "m33, tol=torch.tensor(0.4j)")],
    "linalg_matrix_rank.atol_rtol_tensor": one("m33, atol=torch.tensor(1.), rtol=None"), "linalg_matrix_rank.tol_tensor": one("m33, tol=torch.tensor(0.4)"),
    "linalg_matrix_rank.tol": one("m33, tol=0.4, hermitian=True"),
    "linalg_cond": [("m33", None, LAYOUTS), *((f"m33, {p}", FULL, ["c", "t"]) for p in ORDERS), *((f"m233, {p}", FULL, PLAIN) for p in ORDERS), ("m23", FULL, LAYOUTS), ("m243, -2", FULL, PLAIN), ("m33, 1", FLOATING, PLAIN),
                    *SVD_OF_NOTHING, *((f"x00, {p}", FULL, PLAIN) for p in ORDERS),
                    *one(*(f"m23, {p}" for p in ORDERS), *(f"x03, {p}" for p in ORDERS), *(f"{SINGULAR}, {p}" for p in ORDERS[3:9]), *(f"{ONE_SINGULAR}, {p}" for p in ORDERS[3:9]), "x3", "x", "m33, 3", "m33, -3", "m33, 2.5", "m33, 1j", "m33, 'x'", "m33, p='fro'",
                         "m33, p=-1", "m33, True", "torch.zeros(2, 2), 1", "torch.zeros(2, 2), 'fro'", "x33_int64, 1")],
    "linalg_cond.p_str": one("m33, p='nuc'"),
    "linalg_tensorinv": [("m44.reshape(2, 2, 2, 2)", FULL, LAYOUTS), ("m44.reshape(4, 2, 2), 1", FULL, PLAIN), ("m44.reshape(2, 2, 4)", FULL, PLAIN), ("m33, 1", None, PLAIN), ("x00, 1", FULL, PLAIN),
                         *one("m33", "m33, 0", "m33, -1", "m33, 5", "x", "x, 1", "m11", "m33, ind=1", "x234", f"{SINGULAR}, 1", "m33, 'a'", "m33, 1.5", "x0, 1")],
    "linalg_tensorsolve": [("m44.reshape(2, 2, 2, 2), y22", FULL, ["c", "tt"]), ("m44.reshape(2, 2, 4), y22", FULL, PLAIN), ("m44.reshape(4, 2, 2), y4", FULL, PLAIN), ("m33, y3", None, PLAIN),
                           ("m44.reshape(2, 4, 2), y4, (0,)", FULL, PLAIN), ("m44.reshape(2, 4, 2), y4, dims=(0, 2)", FULL, PLAIN), ("x00, y0", FULL, PLAIN),
                           *one("m33, y4", "m33, y33", "m33, y333", "m33, y", "x, y", "x1, y", "m33, y3, (3,)", "m33, y3, (0, 0)", "m33, y3, 0", "m33, y3_float64", f"{SINGULAR}, y3", "m33", "m33, 3", "m33, y3, dims=None", "m33, y3, ()")],
}
EVEN, START = "m66 @ m66.mH + torch.eye(6)", "X=torch.eye(6, 2, dtype=torch.float64)"
LAST = "tol=1e-14, niter=40"  # to full precision, which finite differences need
SAMPLES |= {
    "lobpcg": [(f"{EVEN}", [d for d in DTYPES if d != "float64"], ["c", "t"]), (f"{EVEN}, 2, {LAST}", FULL, ["c", "t"]), (f"{EVEN}, 2, largest=False, {LAST}", FULL, PLAIN), (f"{EVEN}, 2, method='basic', niter=4", ONE, PLAIN),
               (f"{EVEN}, 2, method='basic', {LAST}", ["float64"], PLAIN), (f"{EVEN}, {START}, {LAST}", FULL, PLAIN), ("m299 @ m299.mH, 2, niter=30", FULL, PLAIN), (f"{EVEN}, 1, torch.diag(torch.arange(1., 7.))", FULL, PLAIN),
               (f"{EVEN}, n=2, iK=torch.eye(6, dtype=torch.float64), {LAST}", FULL, PLAIN),
               *one("x23", "x3", "x", "x00", "x066", "m33, 2", f"{EVEN}, B=m33", f"{EVEN}, X=x33", "m299, X=x233", "m299, 3, n=2", f"{EVEN}, 2, ortho_iparams={{'ortho_i_max': 2}}, ortho_fparams={{'ortho_tol': 1e-5}}, ortho_bparams={{'ortho_use_drop': True}}")],
    "svd_lowrank": [("m43, 3", FULL, LAYOUTS), ("m43, 2", None, PLAIN), ("m34, 3", FULL, ["c", "t", "j"]), ("m243, 3, 1", FULL, PLAIN), ("m43, 3, M=y3", FULL, PLAIN), ("m34, None, None", FULL, PLAIN), ("m43, 0", FULL, PLAIN), ("x03, 0", FULL, PLAIN), ("x043, 2", FULL, PLAIN),
                    *one("x3", "x", "m43, -1", "m43, 3, M=y4", "m43, 2, -1", "m43, q=2, niter=3")],
    "pca_lowrank": [("m43, 3", FULL, LAYOUTS), ("m43, 2", None, PLAIN), ("m34, 2", FULL, PLAIN), ("m43, 3, False", FULL, PLAIN), ("m243, 3, True, 1", FULL, PLAIN),
                    *one("x3", "x", "m43, 4", "m43, -1", "m43, 2, niter=-1", "m43, q=2, center=False, niter=3")],
}
SAMPLES["lu"] = [("m33", None, LAYOUTS), ("m23", FULL, PLAIN), ("m43", FULL, PLAIN), ("m233", FULL, PLAIN), ("m33, True, True", FULL, PLAIN), *SVD_OF_NOTHING,
                 *one("x3", "x", SINGULAR, ONE_SINGULAR, f"{ONE_SINGULAR}, get_infos=True", "m33, False", "m33, pivot=False, get_infos=True")]
OLD = {"eig": [ROTATION, "torch.eye(2), True", "m33, True"], "symeig": ["m33", "m33, True", "m33, True, False", "m33 + m33.mH, True"], "solve": ["y32, m33"]}
SAMPLES |= {name: one(*found) for name, found in OLD.items()}
ULPS = {"linalg_eigen": 64, "svd_lowrank": 256}  # a random projection, then several factors


def pairs(fact):
    """Returns [(eigenvalue, eigenvector)] of each matrix in a fact."""
    (sizes, values), (_, vectors) = tensors(fact)
    n = sizes[-1]
    return [[(values[b * n + j], [vectors[(b * n + i) * n + j] for i in range(n)]) for j in range(n)] for b in range(len(values) // n if n else 0)]


def match(mine, theirs, near):
    """Returns whether the elements of two lists match one to one."""
    left = list(theirs)
    for a in mine:
        found = next((b for b in left if near(a, b)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def same_eigen(mine, theirs):
    """Returns whether types and geometry agree, eigenvalues in any order, and their vectors up to a phase."""
    mine, theirs = (fact.split(" ? ")[0] for fact in (mine, theirs))
    if VALUES.sub(r"\1\2", mine) != VALUES.sub(r"\1\2", theirs):
        return False
    unit = 2.0 ** (9 - BITS[VALUES.findall(theirs)[0][0]])

    def near(a, b):
        inner = sum(x.conjugate() * y for x, y in zip(a[1], b[1]))
        return (a[0] == b[0] or abs(a[0] - b[0]) <= unit) and abs(abs(inner) - 1) <= unit
    return all(match(a, b, near) for a, b in zip(pairs(mine), pairs(theirs), strict=True))


def same_values(mine, theirs):
    """Returns whether types and geometry agree, and the eigenvalues of each matrix in any order."""
    mine, theirs = (fact.split(" ? ")[0] for fact in (mine, theirs))
    if VALUES.sub(r"\1\2", mine) != VALUES.sub(r"\1\2", theirs):
        return False
    unit = 2.0 ** (9 - BITS[VALUES.findall(theirs)[0][0]])
    (sizes, a), (_, b) = tensors(mine)[0], tensors(theirs)[0]
    n = sizes[-1]
    return all(match(a[i:i + n], b[i:i + n], lambda x, y: abs(x - y) <= unit) for i in range(0, len(a), n or 1))


def but_strides(mine, theirs):
    """Returns whether results agree, ignoring the strides of empty ones."""
    return re.sub(r"\([\d,]*\)", "()", mine) == re.sub(r"\([\d,]*\)", "()", theirs)


def close_by(mine, theirs, bits=None):
    """Returns whether types and geometry agree, and numbers up to an error relative to the largest."""
    mine, theirs = (fact.split(" ? ")[0] for fact in (mine, theirs))
    if VALUES.sub(r"\1\2", mine) != VALUES.sub(r"\1\2", theirs):
        return False
    for (dtype, _, _), (_, a), (_, b) in zip(VALUES.findall(theirs), tensors(mine), tensors(theirs)):
        most = max(map(abs, b), default=0)
        if dtype not in BITS or any(abs(x - y) > most * 2.0 ** (6 - (bits or BITS[dtype])) for x, y in zip(a, b)):
            return False
    return True


def same_sizes(mine, theirs):
    """Returns whether types and geometry agree, and magnitudes to half of their digits, since iterations from the same
    random start stop at slightly different values."""
    if VALUES.sub(r"\1\2", mine) != VALUES.sub(r"\1\2", theirs):
        return False
    return all(abs(abs(x) - abs(y)) <= 2.0 ** (-BITS[dtype] / 2) * max([1, *map(abs, b)])
               for (dtype, _, _), (_, a), (_, b) in zip(VALUES.findall(theirs), tensors(mine), tensors(theirs)) for x, y in zip(a, b))


DELIBERATE = [
    ("`lobpcg`, `svd_lowrank` and `pca_lowrank` iterate to a tolerance, and their vectors are unique only up to a sign or phase. The tests compare sizes.", "^(lobpcg|svd_lowrank|pca_lowrank) ", "^tuple<", "^tuple<", same_sizes),
    ("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", "^(lobpcg|svd_lowrank|pca_lowrank) ", "AttributeError|must be square", "TypeError"),
    ("Eigenvectors are unique only up to a phase, and eigenvalues of a general matrix have no fixed order. The tests compare what defines them.", "^linalg_eigh? ", r"^linalg_eigh?(_out)?<|^linalg_eigh_eigvals<", r"^linalg_eigh?(_out)?<", same_eigen),
    ("Eigenvectors are unique only up to a phase, and eigenvalues of a general matrix have no fixed order. The tests compare what defines them.", "^linalg_eigvals ", "^complex", "^complex", same_values),
    ("In functions of matrices the rounding error of every element is measured by the largest element; small elements may differ in more digits.", "^(linalg_(matrix_exp|matrix_sqrth|polar|pinv\\S*|cond|eigvalsh|tensorinv|tensorsolve)|matrix_exp|pinverse|symeig) ", r"\d", r"\d", close_by),
    ("`linalg.tensorsolve` with too few dims: Corten says so; PyTorch raises an error of the C++ library.", "^linalg_tensorsolve .*y333", "std::vector", "at least as many dimensions"),
    ("`matrix_exp` of half types is computed in float32; PyTorch's overflows.", "matrix_exp .*b?float16", "^b?float16", "^b?float16"),
    ("`lu` returns a plain tuple and warns once that it is deprecated; PyTorch's class of tuple and number of warnings depend on the arguments.", "^lu ", r"^(tuple|_lu_with_info)<", "^tuple<", lambda mine, theirs: agree(mine.split(" ? ")[0], theirs.split(" ? ")[0].replace("_lu_with_info<", "tuple<"), 64)),
    ("`eig`, `symeig`, `solve` and others were removed from PyTorch. Corten keeps them, and their error texts differ from those of the functions that replace them.", r"^(eig|symeig|solve|gels|cholesky|qr|\w+\.dtype) ", "^!", "^!|^lstsq<"),
]
