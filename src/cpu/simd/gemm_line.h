/* SPDX-License-Identifier: BSD-3-Clause */
/* gemv kernels (struct cti_gemm_line), included by gemm_kernel.c for each matrix type, with
 *   KIND   a suffix for the functions defined here
 *   TA, T  the matrix type; the type of x and the sums, with vectors VEC and VEC_ANY of T
 *   LOAD, LOAD_ONE   TA in memory -> a vector of T, one T
 *   SPREAD, MADD, MADD_ONE   broadcast; sum + a * b of vectors, of scalars
 * They read the matrix once, at memory bandwidth. The order of additions is the same for every row,
 * aligned or not, so dividing rows among threads does not change bits. */
#define LANES ((int64_t)(sizeof(VEC) / sizeof(T)))
#define DOT CTI_ISA_PASTE(dot, KIND)
#define DOTS CTI_ISA_PASTE(dots, KIND)
#define AXPYS CTI_ISA_PASTE(axpys, KIND)
#define AXPY4 CTI_ISA_PASTE(axpy4, KIND)

/* `rows` and `nx` are constants after inlining. */
static inline __attribute__((always_inline)) void
DOT(int rows, int nx, int64_t k, const TA *a, int64_t a_row, const T *x, int64_t x_next, T *out)
{
    VEC sum[4][2][2]; /* row, vector, parity: independent chains hide add latency */
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < nx; v++)
            sum[r][v][0] = sum[r][v][1] = (VEC){0};
    int64_t j = 0;
    for (; j + 2 * LANES <= k; j += 2 * LANES)
        for (int r = 0; r < rows; r++)
            for (int v = 0; v < nx; v++)
                for (int h = 0; h < 2; h++) {
                    VEC ar = LOAD(a + r * a_row + j + h * LANES);
                    const T *xv = x + v * x_next + j + h * LANES;
                    sum[r][v][h] = MADD(sum[r][v][h], ar, *(const VEC_ANY *)xv);
                }
    if (j + LANES <= k) {
        for (int r = 0; r < rows; r++)
            for (int v = 0; v < nx; v++)
                sum[r][v][0] = MADD(sum[r][v][0], LOAD(a + r * a_row + j),
                                    *(const VEC_ANY *)(x + v * x_next + j));
        j += LANES;
    }
    for (int r = 0; r < rows; r++) {
        for (int v = 0; v < nx; v++) {
            VEC both = sum[r][v][0] + sum[r][v][1];
            T total = 0;
            for (int64_t l = 0; l < LANES; l++)
                total += both[l];
            for (int64_t i = j; i < k; i++)
                total = MADD_ONE(total, LOAD_ONE(a + r * a_row + i), x[v * x_next + i]);
            out[r * nx + v] = total;
        }
    }
}

static void DOTS(int64_t rows, int64_t k, const void *matrix, int64_t a_row, const void *x,
                 int64_t x_next, int nx, void *sums)
{
    const TA *a = matrix;
    T *out = sums;
    int64_t i = 0;
    if (nx == 1) {
        for (; i + 4 <= rows; i += 4)
            DOT(4, 1, k, a + i * a_row, a_row, x, x_next, out + i);
        for (; i < rows; i++)
            DOT(1, 1, k, a + i * a_row, a_row, x, x_next, out + i);
    } else {
        for (; i + 2 <= rows; i += 2)
            DOT(2, 2, k, a + i * a_row, a_row, x, x_next, out + 2 * i);
        for (; i < rows; i++)
            DOT(1, 2, k, a + i * a_row, a_row, x, x_next, out + 2 * i);
    }
}

/* out[i] += a[i] x[0] + a[a_col + i] x[1] + ... for `cols` columns, a constant after inlining. */
static inline __attribute__((always_inline)) void AXPY4(int cols, int64_t rows, const TA *a,
                                                        int64_t a_col, const T *x, T *out)
{
    int64_t i = 0;
    for (; i + LANES <= rows; i += LANES) {
        VEC sum = *(const VEC_ANY *)(out + i);
        for (int c = 0; c < cols; c++)
            sum = MADD(sum, LOAD(a + c * a_col + i), SPREAD(x[c]));
        *(VEC_ANY *)(out + i) = sum;
    }
    for (; i < rows; i++)
        for (int c = 0; c < cols; c++)
            out[i] = MADD_ONE(out[i], LOAD_ONE(a + c * a_col + i), x[c]);
}

static void AXPYS(int64_t rows, int64_t k, const void *matrix, int64_t a_col, const void *vectors,
                  int64_t x_next, int nx, void *sums, int64_t out_next)
{
    const TA *a = matrix;
    const T *x = vectors;
    T *out = sums;
    int64_t j = 0;
    for (; j + 4 <= k; j += 4)
        for (int v = 0; v < nx; v++)
            AXPY4(4, rows, a + j * a_col, a_col, x + v * x_next + j, out + v * out_next);
    for (; j < k; j++)
        for (int v = 0; v < nx; v++)
            AXPY4(1, rows, a + j * a_col, a_col, x + v * x_next + j, out + v * out_next);
}

#undef LANES
#undef DOT
#undef DOTS
#undef AXPY4
#undef AXPYS
#undef KIND
#undef TA
#undef LOAD
#undef LOAD_ONE
#undef T
#undef VEC
#undef VEC_ANY
#undef SPREAD
#undef MADD
#undef MADD_ONE
