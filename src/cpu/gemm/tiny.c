/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of a few hundred multiplications: no packing, no allocation, no threads. Called by
 * gemm.c, which keeps n at most CTI_GEMM_TINY_COLS. */
#include "cpu/gemm/gemm.h"

static void tiny_f32(const struct cti_gemm *g, const float *a, const float *b, float *c)
{
    float alpha = (float)g->alpha[0], beta = (float)g->beta[0];
    for (int64_t i = 0; i < g->m; i++, a += g->a_row, c += g->c_row) {
        float sum[CTI_GEMM_TINY_COLS] = {0};
        for (int64_t p = 0; p < g->k; p++) {
            const float *row = b + p * g->b_row;
            float x = a[p * g->a_col];
            for (int64_t j = 0; j < g->n; j++)
                sum[j] += x * row[j * g->b_col];
        }
        for (int64_t j = 0; j < g->n; j++)
            c[j * g->c_col] = alpha * sum[j] + (beta == 0 ? 0 : beta * c[j * g->c_col]);
    }
}

static void tiny_f64(const struct cti_gemm *g, const double *a, const double *b, double *c)
{
    double alpha = g->alpha[0], beta = g->beta[0];
    for (int64_t i = 0; i < g->m; i++, a += g->a_row, c += g->c_row) {
        double sum[CTI_GEMM_TINY_COLS] = {0};
        for (int64_t p = 0; p < g->k; p++) {
            const double *row = b + p * g->b_row;
            double x = a[p * g->a_col];
            for (int64_t j = 0; j < g->n; j++)
                sum[j] += x * row[j * g->b_col];
        }
        for (int64_t j = 0; j < g->n; j++)
            c[j * g->c_col] = alpha * sum[j] + (beta == 0 ? 0 : beta * c[j * g->c_col]);
    }
}

void cti_gemm_tiny(const struct cti_gemm *g)
{
    for (int64_t i = 0; i < g->batch; i++) {
        if (g->dtype == CT_FLOAT32)
            tiny_f32(g, (const float *)g->a + i * g->a_batch, (const float *)g->b + i * g->b_batch,
                     (float *)g->c + i * g->c_batch);
        else
            tiny_f64(g, (const double *)g->a + i * g->a_batch,
                     (const double *)g->b + i * g->b_batch, (double *)g->c + i * g->c_batch);
    }
}
