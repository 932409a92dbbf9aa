/* SPDX-License-Identifier: BSD-3-Clause */
/* The solves of divide.c for elements of type T in vectors VEC. Matrices are column-major. Operands
 * are copied to aligned, zero-padded buffers, so that loops see full vectors; loops with constant
 * bounds are unrolled, so that accumulators stay in registers. */
#define LANES ((int)(WIDTH / sizeof(T)))
#define SIDE CTI_DIVIDE_SIDE
#define STRIP (VECS * LANES)

/* Copies the strict triangle and, unless the diagonal is a unit diagonal, multiplies its rows by
 * the reciprocals of the diagonal. False: a reciprocal is not finite. */
static bool NAME(take_triangle)(bool upper, int n, const T *a, int lda, T *to, T *reciprocal)
{
    for (int k = 0; k < n; k++) {
        reciprocal[k] = upper ? 1 / a[(int64_t)k * lda + k] : 1;
        if (!(reciprocal[k] - reciprocal[k] == 0))
            return false;
    }
    memset(to, 0, SIDE * SIDE * sizeof(T));
    for (int k = 0; k < n; k++) {
        const T *column = a + (int64_t)k * lda;
        for (int i = upper ? 0 : k + 1; i < (upper ? k : n); i++)
            to[k * SIDE + i] = column[i] * reciprocal[i];
    }
    return true;
}

/* LANES rows of COLS columns: subtracts the contribution of solved rows [from, to), then
 * substitutes through the diagonal square, from its row `first` on. */
static void NAME(divide_rows)(const T *a, T (*x)[SIDE], int row, int from, int to, int first,
                              int step)
{
    VEC sum[COLS];
    for (int c = 0; c < COLS; c++)
        sum[c] = *(const VEC *)(x[c] + row);
    for (int k = from; k < to; k++) {
        VEC part = *(const VEC *)(a + k * SIDE + row);
        for (int c = 0; c < COLS; c++)
            sum[c] = NAME(less)(sum[c], part, NAME(spread)(x[c][k]));
    }
    for (int i = 0; i < LANES; i++, first += step) {
        VEC part = *(const VEC *)(a + (row + first) * SIDE + row);
        for (int c = 0; c < COLS; c++)
            sum[c] = NAME(less)(sum[c], part, NAME(lane)(sum[c], first));
    }
    for (int c = 0; c < COLS; c++)
        *(VEC *)(x[c] + row) = sum[c];
}

static bool NAME(left)(bool upper, int n, int cols, const void *a, int lda, void *b, int ldb)
{
    _Alignas(WIDTH) T triangle[SIDE * SIDE], x[COLS][SIDE], reciprocal[SIDE];
    int whole = (n + LANES - 1) / LANES * LANES;
    if (!NAME(take_triangle)(upper, n, a, lda, triangle, reciprocal))
        return false;
    memset(x, 0, sizeof x);
    for (int c = 0; c < cols; c += COLS) {
        int some = cols - c < COLS ? cols - c : COLS;
        T *at = (T *)b + (int64_t)c * ldb;
        for (int j = 0; j < some; j++)
            for (int i = 0; i < n; i++)
                x[j][i] = at[(int64_t)j * ldb + i] * reciprocal[i];
        for (int done = 0; done < whole; done += LANES) {
            int row = upper ? whole - LANES - done : done;
            NAME(divide_rows)
            (triangle, x, row, upper ? row + LANES : 0, upper ? whole : row, upper ? LANES - 1 : 0,
             upper ? -1 : 1);
        }
        for (int j = 0; j < some; j++)
            memcpy(at + (int64_t)j * ldb, x[j], (size_t)n * sizeof(T));
    }
    return true;
}

/* Solves `part` columns of a strip from j on; the columns before are solved. */
static inline __attribute__((always_inline)) void
NAME(divide_part)(const int part, int j, const T *a, int lda, T (*x)[STRIP])
{
    VEC sum[PART][VECS];
    for (int q = 0; q < part; q++)
        for (int r = 0; r < VECS; r++)
            sum[q][r] = *(const VEC *)(x[j + q] + r * LANES);
    for (int k = 0; k < j; k++) {
        const T *factor = a + (int64_t)k * lda + j;
        for (int r = 0; r < VECS; r++) {
            VEC done = *(const VEC *)(x[k] + r * LANES);
            for (int q = 0; q < part; q++)
                sum[q][r] = NAME(less)(sum[q][r], done, NAME(spread)(factor[q]));
        }
    }
    for (int q = 0; q < part; q++) {
        const T *factor = a + (int64_t)(j + q) * lda + j, reciprocal = 1 / factor[q];
        for (int r = 0; r < VECS; r++) {
            sum[q][r] = sum[q][r] * reciprocal;
            *(VEC *)(x[j + q] + r * LANES) = sum[q][r];
            for (int p = q + 1; p < part; p++)
                sum[p][r] = NAME(less)(sum[p][r], sum[q][r], NAME(spread)(factor[p]));
        }
    }
}

static bool NAME(right)(int rows, int n, const void *a, int lda, void *b, int ldb)
{
    _Alignas(WIDTH) T x[SIDE][STRIP];
    if (n > SIDE)
        return false;
    memset(x, 0, (size_t)n * sizeof x[0]);
    for (int i = 0; i < rows; i += STRIP) {
        size_t bytes = (size_t)(rows - i < STRIP ? rows - i : STRIP) * sizeof(T);
        T *at = (T *)b + i;
        int j = 0;
        for (int k = 0; k < n; k++)
            memcpy(x[k], at + (int64_t)k * ldb, bytes);
        for (; j + PART <= n; j += PART)
            NAME(divide_part)(PART, j, a, lda, x);
        for (; j < n; j++)
            NAME(divide_part)(1, j, a, lda, x);
        for (int k = 0; k < n; k++)
            memcpy(at + (int64_t)k * ldb, x[k], bytes);
    }
    return true;
}

#undef T
#undef VEC
#undef NAME
#undef LANES
#undef SIDE
#undef STRIP
