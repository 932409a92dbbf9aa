/* SPDX-License-Identifier: BSD-3-Clause */
/* Products by the BLAS library of blas.h: float32, float64 and complex. The library runs
 * single-threaded on tiles of the result that our threads share; tiles follow the shape alone,
 * since the library's bits may depend on them. Operands that are neither row- nor column-major are
 * copied first. Called by gemm.c. */
#include "cpu/gemm/gemm.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/small.h"
#include "core/tensor.h"
#include "cpu/blas.h"

#include <limits.h>
#include <string.h>

enum { TILE_M = 256, TILE_N = 512, BLOCK_K = 4096, WORKERS_MAX = 64 };
#define WORK_ALONE 4e6 /* multiplications that are not worth splitting */

/* An operand of one tile: in place, or a copy. */
struct operand {
    const char *data;
    int trans, ld;
};

struct job {
    const struct cti_gemm *g;
    const struct cti_blas *blas;
    int64_t size;
    int64_t tile_m, tile_n, tiles_m, tiles_n, block_k;
    int workers;
    int64_t items;
    char *scratch; /* workspace for copies of A and B, for each worker */
    int64_t a_bytes, b_bytes;
    int64_t next; /* atomic */
};

/* Whether BLAS can read an m by n matrix with these strides. */
static bool readable(int64_t m, int64_t n, int64_t row, int64_t col, bool conj,
                     struct operand *operand)
{
    if (!conj && (col == 1 || n == 1) && (row >= n || m == 1) && row <= INT_MAX) {
        operand->trans = CTI_BLAS_PLAIN;
        operand->ld = (int)(m == 1 ? n : row);
        return true;
    }
    if ((row == 1 || m == 1) && (col >= m || n == 1) && col <= INT_MAX) {
        operand->trans = conj ? CTI_BLAS_CONJ : CTI_BLAS_TRANS;
        operand->ld = (int)(n == 1 ? m : col);
        return true;
    }
    return false;
}

static void copy_matrix(char *to, const char *from, int64_t m, int64_t n, int64_t row, int64_t col,
                        int64_t size, bool conj)
{
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++, to += size) {
            memcpy(to, from + (i * row + j * col) * size, (size_t)size);
            if (conj)
                to[size - 1] ^= (char)0x80; /* flip the sign of the imaginary part, little endian */
        }
    }
}

static struct operand blas_operand(const char *data, int64_t m, int64_t n, int64_t row, int64_t col,
                                   int64_t size, bool conj, char *room)
{
    struct operand operand = {.data = data};
    if (!readable(m, n, row, col, conj, &operand)) {
        copy_matrix(room, data, m, n, row, col, size, conj);
        operand = (struct operand){room, CTI_BLAS_PLAIN, (int)n};
    }
    return operand;
}

static void call(const struct job *job, const struct operand *a, const struct operand *b, char *c,
                 int m, int n, int k, const double beta[2])
{
    const struct cti_gemm *g = job->g;
    int ldc = (int)(g->m == 1 ? g->n : g->c_row);
    float alpha32[2] = {(float)g->alpha[0], (float)g->alpha[1]};
    float beta32[2] = {(float)beta[0], (float)beta[1]};
    cti_blas_enter();
    if (g->dtype == CT_FLOAT32)
        job->blas->sgemm(CTI_BLAS_ROWS, a->trans, b->trans, m, n, k, alpha32[0],
                         (const float *)a->data, a->ld, (const float *)b->data, b->ld, beta32[0],
                         (float *)c, ldc);
    else if (g->dtype == CT_FLOAT64)
        job->blas->dgemm(CTI_BLAS_ROWS, a->trans, b->trans, m, n, k, g->alpha[0],
                         (const double *)a->data, a->ld, (const double *)b->data, b->ld, beta[0],
                         (double *)c, ldc);
    else if (g->dtype == CT_COMPLEX64)
        job->blas->cgemm(CTI_BLAS_ROWS, a->trans, b->trans, m, n, k, alpha32, a->data, a->ld,
                         b->data, b->ld, beta32, c, ldc);
    else
        job->blas->zgemm(CTI_BLAS_ROWS, a->trans, b->trans, m, n, k, g->alpha, a->data, a->ld,
                         b->data, b->ld, beta, c, ldc);
    cti_blas_leave();
}

static void blas_item(const struct job *job, char *room, int64_t item)
{
    const struct cti_gemm *g = job->g;
    int64_t j = item % job->tiles_n * job->tile_n;
    int64_t i = item / job->tiles_n % job->tiles_m * job->tile_m;
    int64_t batch = item / (job->tiles_n * job->tiles_m), size = job->size;
    int64_t m = min64(job->tile_m, g->m - i), n = min64(job->tile_n, g->n - j);
    const char *a = (const char *)g->a + (batch * g->a_batch + i * g->a_row) * size;
    const char *b = (const char *)g->b + (batch * g->b_batch + j * g->b_col) * size;
    char *c = (char *)g->c + (batch * g->c_batch + i * g->c_row + j) * size;
    for (int64_t p = 0; p < g->k; p += job->block_k) {
        int64_t k = min64(job->block_k, g->k - p);
        struct operand x =
            blas_operand(a + p * g->a_col * size, m, k, g->a_row, g->a_col, size, g->conj_a, room);
        struct operand y = blas_operand(b + p * g->b_row * size, k, n, g->b_row, g->b_col, size,
                                        g->conj_b, room + job->a_bytes);
        call(job, &x, &y, c, (int)m, (int)n, (int)k, p ? (const double[2]){1, 0} : g->beta);
    }
}

static void blas_work(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    char *room = job->scratch + begin * (job->a_bytes + job->b_bytes);
    (void)end; /* dynamic scheduling by job->next */
    for (;;) {
        int64_t item = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
        if (item >= job->items || cti_interrupted())
            return;
        blas_item(job, room, item);
    }
}

static void blas_tiles(struct job *job)
{
    const struct cti_gemm *g = job->g;
    struct operand unused;
    double work_each = (double)g->m * (double)g->n * (double)g->k;
    bool cut = work_each > WORK_ALONE;
    job->tile_m = cut || g->m > INT_MAX ? min64(TILE_M, g->m) : g->m;
    job->tile_n = cut || g->n > INT_MAX ? min64(TILE_N, g->n) : g->n;
    job->tiles_m = (g->m + job->tile_m - 1) / job->tile_m;
    job->tiles_n = (g->n + job->tile_n - 1) / job->tile_n;
    job->items = job->tiles_m * job->tiles_n * g->batch;
    job->block_k = min64(BLOCK_K, g->k);
    bool copy_a = !readable(g->m, g->k, g->a_row, g->a_col, g->conj_a, &unused);
    bool copy_b = !readable(g->k, g->n, g->b_row, g->b_col, g->conj_b, &unused);
    job->a_bytes = copy_a ? job->tile_m * job->block_k * job->size : 0;
    job->b_bytes = copy_b ? job->block_k * job->tile_n * job->size : 0;
    double all = work_each * (double)g->batch;
    int threads = all < WORK_ALONE / 4 ? 1 : cti_parallel_threads();
    job->workers = (int)min64(threads < WORKERS_MAX ? threads : WORKERS_MAX, job->items);
}

bool cti_gemm_blas(const struct cti_gemm *g, bool *done)
{
    struct job job = {.g = g, .blas = cti_blas(), .size = cti_itemsize(g->dtype)};
    bool fits = g->dtype == CT_FLOAT32 || g->dtype == CT_FLOAT64 || g->dtype == CT_COMPLEX64 ||
                g->dtype == CT_COMPLEX128;
    *done = job.blas && fits && (g->c_col == 1 || g->n == 1) && (g->c_row >= g->n || g->m == 1) &&
            g->c_row <= INT_MAX;
    if (!*done)
        return true;
    blas_tiles(&job);
    int64_t bytes = (job.a_bytes + job.b_bytes) * job.workers;
    struct cti_block *block = bytes ? cti_block_new(bytes) : NULL;
    if (bytes && !block)
        return false;
    job.scratch = block ? block->address : NULL;
    cti_parallel_for(job.workers, 1, blas_work, &job);
    if (block)
        cti_block_free(block);
    return true;
}
