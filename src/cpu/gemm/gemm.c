/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry to matrix products on the CPU: normalises the layout and dispatches to a path; see Note
 * [GEMM paths] in gemm.h. Called through the backend table, and by other engines built on
 * products. */
#include "cpu/gemm/gemm.h"
#include "cpu/engines.h"

#include "core/interrupt.h"
#include "core/tensor.h"
#include "cpu/blas.h"
#include "cpu/gemm/pack.h"
#include "cpu/isa.h"

#include <stdlib.h>
#include <string.h>

enum {
    TINY_WORK = 512, /* multiplications */
    LONG_SUM = 16,   /* sums of at least this many additions are latency-bound */
    NARROW = 16      /* fewer columns would leave most of a vector idle */
};

const struct cti_gemm_kernels *cti_gemm_kernels(void)
{
    static const struct cti_gemm_kernels *const kernels[] = CTI_ISA_TABLE(cti_gemm_kernels);
    return kernels[cti_cpu_isa()];
}

const struct cti_gemm_limits *cti_gemm_limits(void)
{
    static struct cti_gemm_limits limits;
    static int known; /* racing first callers write the same values */
    if (__atomic_load_n(&known, __ATOMIC_ACQUIRE))
        return &limits;
    int64_t l2 = cti_cpu_inner_cache(2), l3 = cti_cpu_cache_size() / 16, half = 8 * l3;
    half = half < 8 << 20 ? 8 << 20 : half > 96 << 20 ? 96 << 20 : half;
    l3 = l3 < 3 << 20 ? 3 << 20 : l3 > 16 << 20 ? 16 << 20 : l3;
    int64_t kb[6] = {l2 / 4 >> 10, l3 >> 10, l2 / 8 * 5 >> 10, 4, 4, half >> 10};
    const char *wish = getenv("CORTEN_GEMM");
    for (int i = 0; i < 6 && wish && *wish; i++) {
        char *end;
        long long number = strtoll(wish, &end, 10);
        kb[i] = number >= (i < 3 || i == 5 ? 64 : 1) && number <= 1 << 20 ? number : kb[i];
        wish = *end ? end + 1 : end;
    }
    __atomic_store_n(&limits.a_bytes, kb[0] << 10, __ATOMIC_RELAXED);
    __atomic_store_n(&limits.b_bytes, kb[1] << 10, __ATOMIC_RELAXED);
    __atomic_store_n(&limits.direct_bytes, kb[2] << 10, __ATOMIC_RELAXED);
    __atomic_store_n(&limits.k_bytes, kb[3] << 10, __ATOMIC_RELAXED);
    __atomic_store_n(&limits.tiles_k_bytes, kb[4] << 10, __ATOMIC_RELAXED);
    __atomic_store_n(&limits.shared_bytes, kb[5] << 10, __ATOMIC_RELAXED);
    __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
    return &limits;
}

static void swap64(int64_t *x, int64_t *y)
{
    int64_t old = *x;
    *x = *y;
    *y = old;
}

/* C' = B' A'. */
static void transpose(struct cti_gemm *g)
{
    const void *a = g->a;
    bool conj_a = g->conj_a;
    swap64(&g->m, &g->n);
    swap64(&g->a_row, &g->b_col);
    swap64(&g->a_col, &g->b_row);
    swap64(&g->a_batch, &g->b_batch);
    swap64(&g->c_row, &g->c_col);
    swap64(&g->bias_row, &g->bias_col);
    g->a = g->b;
    g->b = a;
    g->conj_a = g->conj_b;
    g->conj_b = conj_a;
}

/* A batch of vertically adjacent matrices times one B is one tall product. */
static void fold_batch(struct cti_gemm *g)
{
    if (g->bias && (g->bias_batch || g->bias_row))
        return;
    if (g->batch > 1 && g->b_batch == 0 && g->m == 1) {
        g->a_row = g->a_batch;
        g->c_row = g->c_batch;
    } else if (g->batch == 1 || g->b_batch != 0 || g->a_batch != g->m * g->a_row ||
               g->c_batch != g->m * g->c_row) {
        return;
    }
    g->m *= g->batch;
    g->batch = 1;
}

/* Sets C to the bias, for paths that accumulate onto C instead of adding a bias in their
 * epilogue. */
static void start_with_bias(struct cti_gemm *g)
{
    size_t size = (size_t)cti_itemsize(g->dtype);
    if (!g->bias)
        return;
    for (int64_t i = 0; i < g->batch; i++)
        for (int64_t row = 0; row < g->m && (row % 64 != 63 || !cti_interrupted()); row++)
            for (int64_t col = 0; col < g->n; col++) {
                int64_t to = i * g->c_batch + row * g->c_row + col * g->c_col;
                int64_t from = i * g->bias_batch + row * g->bias_row + col * g->bias_col;
                memcpy((char *)g->c + to * (int64_t)size,
                       (const char *)g->bias + from * (int64_t)size, size);
            }
    g->bias = NULL;
    g->beta[0] = 1;
}

/* C = beta * C, for k = 0. */
static void scale(const struct cti_gemm *g)
{
    int64_t itemsize = cti_itemsize(g->dtype);
    static const double zeros[2];
    for (int64_t i = 0; i < g->batch; i++) {
        char *c = (char *)g->c + i * g->c_batch * itemsize;
        struct cti_gemm_target target = {g->dtype, c, g->c_row, g->c_col,
                                         .beta = {g->beta[0], g->beta[1]}};
        for (int64_t row = 0; row < g->m; row++)
            for (int64_t col = 0; col < g->n; col++)
                cti_gemm_kernels()->store(&target, row, col, 1, 1, zeros, 0);
    }
}

/* A few long sums take the vector path instead: here, each addition would wait for the one
 * before. */
static bool is_tiny(const struct cti_gemm *g)
{
    if (g->k >= LONG_SUM && (g->m == 1 || g->n == 1))
        return false;
    return (g->dtype == CT_FLOAT32 || g->dtype == CT_FLOAT64) && g->n <= CTI_GEMM_TINY_COLS &&
           g->m <= TINY_WORK && g->k <= TINY_WORK && g->m * g->n * g->k <= TINY_WORK;
}

/* n is 1, and A's rows or columns are contiguous. */
static bool is_vector(const struct cti_gemm *g)
{
    return g->dtype != CT_BOOL && g->n == 1 && (g->a_col == 1 || (g->a_row == 1 && g->m > 1));
}

/* CTI_FAILED: out of memory; the error is set and C is unchanged. */
enum cti_status cti_cpu_gemm(struct cti_gemm *given)
{
    struct cti_gemm g = *given;
    if (g.m == 0 || g.n == 0 || g.batch == 0)
        return true;
    if (g.k == 0 || (g.alpha[0] == 0 && g.alpha[1] == 0)) {
        start_with_bias(&g);
        scale(&g);
        return true;
    }
    if (is_tiny(&g)) {
        start_with_bias(&g);
        cti_gemm_tiny(&g);
        return true;
    }
    fold_batch(&g);
    transpose(&g);
    fold_batch(&g);
    transpose(&g);
    if (is_vector(&g))
        return cti_gemm_vector(&g);
    transpose(&g);
    if (is_vector(&g))
        return cti_gemm_vector(&g);
    /* Transpose if that makes the rows of C contiguous, or turns a few columns into a few rows. */
    bool transposed = g.m >= NARROW && (g.n < NARROW || (g.c_col != 1 && g.c_row == 1));
    if (transposed)
        transpose(&g);
    if (cti_blas_wished() || cti_cpu_isa() == CTI_ISA_BASELINE) {
        bool done;
        start_with_bias(&g);
        bool right = cti_gemm_blas(&g, &done);
        if (!right || done)
            return right;
    }
    if (cti_gemm_is_direct(&g)) {
        cti_gemm_direct(&g);
        return true;
    }
    return cti_gemm_packed(&g, NULL);
}
