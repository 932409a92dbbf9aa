/* SPDX-License-Identifier: BSD-3-Clause */
/* The epilogue for float32 and float64, included by store.c with T and NAME(name). */

/* If `col` is 1, it is a constant after inlining. */
static inline __attribute__((always_inline)) void NAME(store_row)(const struct cti_gemm_target *t,
                                                                  T *c, int64_t col, int64_t cols,
                                                                  const T *sum, const T *bias)
{
    T alpha = (T)t->alpha[0], beta = (T)t->beta[0];
    if (beta == 0)
        for (int64_t j = 0; j < cols; j++)
            c[j * col] = alpha * sum[j];
    else
        for (int64_t j = 0; j < cols; j++)
            c[j * col] = alpha * sum[j] + beta * c[j * col];
    if (bias && t->bias_col == 1)
        for (int64_t j = 0; j < cols; j++)
            c[j * col] += bias[j];
    else if (bias)
        for (int64_t j = 0; j < cols; j++)
            c[j * col] += bias[j * t->bias_col];
}

static void NAME(store)(const struct cti_gemm_target *t, int64_t at, int64_t bias_at, int64_t rows,
                        int64_t cols, const T *sum, int64_t sum_row)
{
    T *c = (T *)t->c + at;
    const T *bias = t->bias ? (const T *)t->bias + bias_at : NULL;
    for (int64_t i = 0; i < rows; i++, c += t->row, sum += sum_row) {
        if (t->col == 1)
            NAME(store_row)(t, c, 1, cols, sum, bias);
        else
            NAME(store_row)(t, c, t->col, cols, sum, bias);
        bias = bias ? bias + t->bias_row : NULL;
    }
}

#undef T
#undef NAME
