/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of one small real matrix, included by factor_small.c for each type: T, and NAME(x) for
 * the function's name. Matrices are column-major without gaps, up to CTI_FACTOR_SMALL on a side. */

/* Row interchanges as LAPACK's getf2 chooses them. Returns its info. */
static int NAME(lu)(int m, int n, T *a, int32_t *pivots)
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

/* One column of the right side: L, then U. */
static void NAME(solve_column)(int n, const T *lu, const int32_t *pivots, T *b)
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

/* The transpose: U, then L. */
static void NAME(solve_column_turned)(int n, const T *lu, const int32_t *pivots, T *b)
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

static void NAME(lu_solve)(int n, int k, const T *lu, const int32_t *pivots, T *b, bool turned)
{
    for (int c = 0; c < k; c++) {
        if (turned)
            NAME(solve_column_turned)(n, lu, pivots, b + c * n);
        else
            NAME(solve_column)(n, lu, pivots, b + c * n);
    }
}

static int NAME(lu_inverse)(int n, T *lu, const int32_t *pivots)
{
    T inverse[CTI_FACTOR_SMALL * CTI_FACTOR_SMALL];
    for (int j = 0; j < n; j++)
        if (lu[j * n + j] == 0)
            return j + 1;
    for (int i = 0; i < n * n; i++)
        inverse[i] = 0;
    for (int j = 0; j < n; j++)
        inverse[j * n + j] = 1;
    NAME(lu_solve)(n, n, lu, pivots, inverse, false);
    memcpy(lu, inverse, sizeof *lu * (size_t)(n * n));
    return 0;
}

/* Column by column; where a minor is not positive the rest stays as it was. */
static int NAME(cholesky_lower)(int n, T *a)
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
#undef SQRT
