# SPDX-License-Identifier: BSD-3-Clause
"""Compares two factorisations of the same matrix. Factors are not unique: vectors may differ by a sign, a phase or the
choice of a basis, and rows by the choice of pivots. So the comparison uses the product of the factors, the singular
values and eigenvalues, and checks that vectors are orthonormal. Matrices are lists of rows of complex numbers."""
import math

from facts import VALUES


# Name of the result tuple: (kind, number of factors, index of the result that holds vectors). svd returns V,
# linalg_svd its adjoint.
KINDS = {"linalg_svd": ("svd", 3, 1), "svd": ("usv", 3, 1), "tuple": ("usv", 3, 1), "linalg_eigh": ("eigh", 2, 0),
         "symeig": ("eigh", 2, 0), "linalg_lu": ("lu", 3, None), "linalg_lu_factor": ("lu_factor", 2, 1)}


def matrices(fact, vectors):
    """Parses a fact to a list of matrices per result; result number `vectors` is a batch of vectors, each a 1-row matrix."""
    found = []
    for dtype, head, text in VALUES.findall(fact.split(" ? ")[0]):
        shape = [int(n) for n in head[1:head.index("]")].split("x") if n]
        flat = [complex(*map(float, token.split("&"))) for token in text.split()]
        columns = shape[-1] if shape else 1
        rows = shape[-2] if len(shape) > 1 and len(found) != vectors else 1
        lines = [flat[i:i + columns] for i in range(0, len(flat), columns)]
        found.append([lines[i:i + rows] for i in range(0, len(lines), rows)])
    return found


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def adjoint(a):
    return [[x.conjugate() for x in column] for column in zip(*a)]


def apart(a, b):
    """Returns the largest difference between elements of two matrices."""
    return max((abs(x - y) for p, q in zip(a, b) for x, y in zip(p, q)), default=0)


def unlike_orthonormal(columns):
    """Returns the largest element of |Q^H Q - I|."""
    found = product(adjoint(columns), columns)
    return apart(found, [[float(i == j) for j in range(len(found))] for i in range(len(found))])


def scaled(columns, values):
    """Multiplies each column by a value, and drops further columns."""
    return [[x * v for x, v in zip(row, values)] for row in columns]


def of_pivots(lu, pivots):
    """Multiplies L and U, stored in one matrix with the unit diagonal of L implied, and undoes the row exchanges."""
    n = min(len(lu), len(lu[0]))
    low = [[row[j] if j < i else float(i == j) for j in range(n)] for i, row in enumerate(lu)]
    up = [[x if j >= i else 0 for j, x in enumerate(row)] for i, row in enumerate(lu[:n])]
    rows = product(low, up)
    for i in reversed(range(len(pivots))):
        other = int(pivots[i].real) - 1
        rows[i], rows[other] = rows[other], rows[i]
    return rows


def defined_by(kind, parts):
    """Returns ([matrices that do not depend on the choice of factors], deviation of the vectors from orthonormality)."""
    if kind in ("svd", "usv"):
        u, s, v = parts[0], parts[1][0], parts[2] if kind == "usv" else adjoint(parts[2])
        whole = product(scaled(u, s), adjoint([row[:len(s)] for row in v]))
        return [whole, [s]], max(unlike_orthonormal(u), unlike_orthonormal(v))
    if kind == "eigh":
        return [product(scaled(parts[1], parts[0][0]), adjoint(parts[1])), parts[0]], unlike_orthonormal(parts[1])
    if kind == "lu":
        return [product(product(*parts[:2]), parts[2])], 0
    return [of_pivots(parts[0], parts[1][0])], 0


def same_matrix(mine, theirs, close):
    """Returns whether both facts have the same types and geometry, and factors of the same matrix."""
    kind, count, vectors = KINDS.get(theirs.partition("<")[0].removesuffix("_out").removesuffix("_ex"), (None, 0, 0))
    if not kind or VALUES.sub(r"\1\2", mine).replace(" ", "") != VALUES.sub(r"\1\2", theirs).replace(" ", ""):
        return False
    a, b = matrices(mine, vectors), matrices(theirs, vectors)
    if a[count:] != b[count:] or len({len(part) for part in a[:count] + b[:count]}) != 1:
        return False
    for one, other in zip(zip(*a[:count]), zip(*b[:count])):
        (found, crooked), (wanted, _) = defined_by(kind, one), defined_by(kind, other)
        size = max((abs(x) for m in wanted for row in m for x in row), default=0)
        far = max(map(apart, found, wanted), default=0)
        if not (math.isfinite(far) and far <= close * (1 + size) and crooked <= close):
            return False
    return True
