/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorisations of one small real matrix, included by small.c for each type: T; WIDE, in which
 * squares of every T neither overflow nor underflow; and NAME(x) for a function's name. Matrices
 * are column-major, contiguous, and at most CTI_FACTOR_SMALL on a side. */

/* ---- L and U ---- */

/* Factors A = P L U with the row exchanges that LAPACK's getf2 chooses. Returns LAPACK's info. */
static CT_EXPANDED int NAME(lu_sized)(int m, int n, T *a, int32_t *pivots)
{
    int info = 0, k = m < n ? m : n;
    for (int j = 0; j < k; j++) {
        T *column = a + j * m;
        int best = j;
        for (int i = j + 1; i < m; i++)
            if (ABS(column[i]) > ABS(column[best]))
                best = i;
        pivots[j] = best + 1;
        if (column[best] == 0) {
            info = info ? info : j + 1;
            continue;
        }
        for (int c = 0; best != j && c < n; c++) {
            T kept = a[c * m + j];
            a[c * m + j] = a[c * m + best];
            a[c * m + best] = kept;
        }
        T pivot = column[j];
        for (int i = j + 1; i < m; i++)
            column[i] /= pivot;
        for (int c = j + 1; c < n; c++) {
            T *other = a + c * m, factor = other[j];
            for (int i = j + 1; i < m; i++)
                other[i] -= column[i] * factor;
        }
    }
    return info;
}

/* Specialises the most common sizes, so that the compiler can unroll the loops. */
static int NAME(lu)(int m, int n, T *a, int32_t *pivots)
{
    if (m == n && n == 2)
        return NAME(lu_sized)(2, 2, a, pivots);
    if (m == n && n == 3)
        return NAME(lu_sized)(3, 3, a, pivots);
    if (m == n && n == 4)
        return NAME(lu_sized)(4, 4, a, pivots);
    return NAME(lu_sized)(m, n, a, pivots);
}

/* Solves one column of the right side: with L, then U. */
static CT_EXPANDED void NAME(solve_column)(int n, const T *lu, const int32_t *pivots, T *b)
{
    for (int j = 0; j < n; j++) {
        T kept = b[j];
        b[j] = b[pivots[j] - 1];
        b[pivots[j] - 1] = kept;
    }
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++)
            b[i] -= lu[j * n + i] * b[j];
    for (int j = n - 1; j >= 0; j--) {
        b[j] /= lu[j * n + j];
        for (int i = 0; i < j; i++)
            b[i] -= lu[j * n + i] * b[j];
    }
}

/* Solves with the transpose: with U, then L. */
static void NAME(solve_column_transposed)(int n, const T *lu, const int32_t *pivots, T *b)
{
    for (int j = 0; j < n; j++) {
        T sum = b[j];
        for (int i = 0; i < j; i++)
            sum -= lu[j * n + i] * b[i];
        b[j] = sum / lu[j * n + j];
    }
    for (int j = n - 1; j >= 0; j--) {
        T sum = b[j];
        for (int i = j + 1; i < n; i++)
            sum -= lu[j * n + i] * b[i];
        b[j] = sum;
    }
    for (int j = n - 1; j >= 0; j--) {
        T kept = b[j];
        b[j] = b[pivots[j] - 1];
        b[pivots[j] - 1] = kept;
    }
}

static void NAME(lu_solve)(int n, int k, const T *lu, const int32_t *pivots, T *b, bool transposed)
{
    for (int c = 0; c < k; c++) {
        if (transposed)
            NAME(solve_column_transposed)(n, lu, pivots, b + c * n);
        else if (n == 4)
            NAME(solve_column)(4, lu, pivots, b + c * n);
        else
            NAME(solve_column)(n, lu, pivots, b + c * n);
    }
}

/* Solves with L, then U, for all columns of the identity at once; works along rows. */
static CT_EXPANDED void NAME(divide_unit)(int n, const T *lu, const int32_t *pivots, T *x)
{
    int row[CTI_FACTOR_SMALL];
    for (int j = 0; j < n; j++)
        row[j] = j;
    for (int j = 0; j < n; j++) {
        int kept = row[j];
        row[j] = row[pivots[j] - 1];
        row[pivots[j] - 1] = kept;
    }
    memset(x, 0, sizeof *x * (size_t)(n * n));
    for (int j = 0; j < n; j++)
        x[j * n + row[j]] = 1;
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++) {
            T factor = lu[j * n + i];
            for (int c = 0; c < n; c++)
                x[i * n + c] -= factor * x[j * n + c];
        }
    for (int j = n - 1; j >= 0; j--) {
        T pivot = 1 / lu[j * n + j];
        for (int c = 0; c < n; c++)
            x[j * n + c] *= pivot;
        for (int i = 0; i < j; i++) {
            T factor = lu[j * n + i];
            for (int c = 0; c < n; c++)
                x[i * n + c] -= factor * x[j * n + c];
        }
    }
}

static int NAME(lu_inverse)(int n, T *lu, const int32_t *pivots)
{
    T rows[CTI_FACTOR_SMALL * CTI_FACTOR_SMALL];
    for (int j = 0; j < n; j++)
        if (lu[j * n + j] == 0)
            return j + 1;
    if (n == 3)
        NAME(divide_unit)(3, lu, pivots, rows);
    else if (n == 4)
        NAME(divide_unit)(4, lu, pivots, rows);
    else
        NAME(divide_unit)(n, lu, pivots, rows);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            lu[j * n + i] = rows[i * n + j];
    return 0;
}

/* ---- reflectors ---- */

/* Makes a reflector that maps x[0 .. n) to a multiple of the first unit vector, as LAPACK's larfg:
 * its vector replaces x[1 ..), and x[0] becomes the multiple. Returns the factor tau. */
static T NAME(reflector)(int n, T *x)
{
    WIDE sum = 0;
    for (int i = 1; i < n; i++)
        sum += (WIDE)x[i] * (WIDE)x[i];
    if (sum == 0)
        return 0;
    WIDE alpha = x[0], length = WIDE_SQRT(alpha * alpha + sum);
    WIDE beta = alpha > 0 ? -length : length;
    T scale = (T)(1 / (alpha - beta));
    for (int i = 1; i < n; i++)
        x[i] *= scale;
    x[0] = (T)beta;
    return (T)((beta - alpha) / beta);
}

/* a[0 .. m) -= tau v v^T a, where v begins with an implicit 1. */
static inline void NAME(reflect)(int m, const T *v, T tau, T *a)
{
    T sum = a[0];
    for (int i = 1; i < m; i++)
        sum += v[i] * a[i];
    sum *= tau;
    a[0] -= sum;
    for (int i = 1; i < m; i++)
        a[i] -= v[i] * sum;
}

static CT_EXPANDED void NAME(qr_sized)(int m, int n, T *a, T *tau)
{
    int k = m < n ? m : n;
    for (int j = 0; j < k; j++) {
        T *column = a + j * m + j;
        tau[j] = NAME(reflector)(m - j, column);
        for (int c = j + 1; tau[j] != 0 && c < n; c++)
            NAME(reflect)(m - j, column, tau[j], a + c * m + j);
    }
}

static void NAME(qr)(int m, int n, T *a, T *tau)
{
    if (m == 4 && n == 4)
        NAME(qr_sized)(4, 4, a, tau);
    else
        NAME(qr_sized)(m, n, a, tau);
}

static void NAME(reflectors)(int m, int n, int k, T *a, const T *tau)
{
    for (int j = k; j < n; j++) {
        memset(a + j * m, 0, sizeof *a * (size_t)m);
        a[j * m + j] = 1;
    }
    for (int j = k - 1; j >= 0; j--) {
        T *column = a + j * m + j;
        for (int c = j + 1; c < n; c++)
            NAME(reflect)(m - j, column, tau[j], a + c * m + j);
        for (int i = 1; i < m - j; i++)
            column[i] *= -tau[j];
        column[0] = 1 - tau[j];
        memset(a + j * m, 0, sizeof *a * (size_t)j);
    }
}

/* ---- Cholesky's factors ---- */

/* Factors column by column. If a leading minor is not positive, leaves the remaining columns
 * unchanged. */
static CT_EXPANDED int NAME(cholesky_lower_sized)(int n, T *a)
{
    for (int j = 0; j < n; j++) {
        T *column = a + j * n;
        for (int k = 0; k < j; k++) {
            const T *before = a + k * n;
            T factor = before[j];
            for (int i = j; i < n; i++)
                column[i] -= before[i] * factor;
        }
        if (!(column[j] > 0))
            return j + 1;
        T root = SQRT(column[j]);
        column[j] = root;
        for (int i = j + 1; i < n; i++)
            column[i] /= root;
    }
    return 0;
}

static int NAME(cholesky_lower)(int n, T *a)
{
    return n == 4   ? NAME(cholesky_lower_sized)(4, a)
           : n == 3 ? NAME(cholesky_lower_sized)(3, a)
                    : NAME(cholesky_lower_sized)(n, a);
}

static int NAME(cholesky_upper)(int n, T *a)
{
    for (int j = 0; j < n; j++) {
        T *column = a + j * n;
        for (int i = 0; i <= j; i++) {
            const T *before = a + i * n;
            T sum = column[i];
            for (int k = 0; k < i; k++)
                sum -= before[k] * column[k];
            if (i < j)
                column[i] = sum / before[i];
            else
                column[i] = sum;
        }
        if (!(column[j] > 0))
            return j + 1;
        column[j] = SQRT(column[j]);
    }
    return 0;
}

#undef T
#undef NAME
#undef ABS
#undef WIDE
#undef WIDE_SQRT
#undef SQRT
