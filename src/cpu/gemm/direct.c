/* SPDX-License-Identifier: BSD-3-Clause */
/* Products whose operands stay in cache: no packing, the micro-kernels read A and B in place.
 * Packing costs a fifth of a product of 100 by 100 and nothing of one of 1000. Called by gemm.c.
 * Each element is summed over k in order, as in packed.c. */
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/kernel.h"

#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/tensor.h"

#include <stdatomic.h>
#include <string.h>

enum {
    K_MOST = 1024,
    /* In a transposed A, each step of k reads another cache line, often on another page. Beyond
     * this size the lines evict each other: on a Xeon, 1024 by 256 by 1024 took three times as long
     * as a packed product. */
    TRANSPOSED_BYTES = 64 << 10
};
#define WORK_ALONE 4e5 /* flops that are not worth a second thread */

struct job {
    const struct cti_gemm *g;
    const struct cti_gemm_kernel *kernel;
    int64_t size;          /* bytes of an element */
    int64_t blocks, items; /* blocks of rows in one matrix, in all */
    int64_t chunk;         /* items taken at a time */
    atomic_llong next;
};

static const struct cti_gemm_kernel *kernel_of(enum ct_dtype dtype)
{
    return &cti_gemm_kernels()->unit[dtype == CT_FLOAT32 ? CTI_UNIT_F32 : CTI_UNIT_F64];
}

bool cti_gemm_is_direct(const struct cti_gemm *g)
{
    return (g->dtype == CT_FLOAT32 || g->dtype == CT_FLOAT64) && kernel_of(g->dtype)->direct &&
           g->b_col == 1 && g->c_col == 1 &&
           (g->alpha[0] == 1 ? g->beta[0] == 0 || g->beta[0] == 1
                             : g->alpha[0] == -1 && g->beta[0] == 1 && !g->bias) &&
           g->k <= K_MOST &&
           (g->a_col == 1 || g->m <= TRANSPOSED_BYTES / cti_itemsize(g->dtype) / g->k) &&
           g->n <= cti_gemm_limits()->direct_bytes / cti_itemsize(g->dtype) / g->k;
}

/* Returns the number of rows for the next kernel call: 1, or an even number. */
static int direct_rows(int64_t left, int most)
{
    return left >= most ? most : left == 1 ? 1 : (int)(left & ~INT64_C(1));
}

/* Sets rows of C to the bias; the kernels then add the product. */
static void set_bias(const struct cti_gemm *g, char *c, const char *bias, int64_t rows,
                     int64_t size)
{
    for (int64_t i = 0; i < rows; i++, c += g->c_row * size, bias += g->bias_row * size) {
        if (g->bias_col == 1)
            memcpy(c, bias, (size_t)(g->n * size));
        else if (size == 4)
            for (int64_t j = 0; j < g->n; j++)
                ((float *)c)[j] = ((const float *)bias)[j * g->bias_col];
        else
            for (int64_t j = 0; j < g->n; j++)
                ((double *)c)[j] = ((const double *)bias)[j * g->bias_col];
    }
}

static void direct_item(const struct job *job, int64_t item)
{
    const struct cti_gemm *g = job->g;
    int mr = job->kernel->mr, nr = job->kernel->nr;
    int64_t batch = item / job->blocks, i = item % job->blocks * mr, size = job->size;
    int64_t end = i + mr < g->m ? i + mr : g->m;
    const char *b = (const char *)g->b + batch * g->b_batch * size;
    for (int rows; i < end; i += rows) {
        rows = direct_rows(end - i, mr);
        const char *a = (const char *)g->a + (batch * g->a_batch + i * g->a_row) * size;
        char *c = (char *)g->c + (batch * g->c_batch + i * g->c_row) * size;
        if (g->bias)
            set_bias(g, c, (const char *)g->bias + (batch * g->bias_batch + i * g->bias_row) * size,
                     rows, size);
        int add = g->alpha[0] < 0 ? -1 : g->beta[0] == 1 || g->bias;
        for (int64_t j = 0; j < g->n; j += nr)
            job->kernel->direct(g->k, a, g->a_row, g->a_col, b + j * size, g->b_row, c + j * size,
                                g->c_row, add, rows, g->n - j < nr ? (int)(g->n - j) : nr);
    }
}

static void direct_work(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    (void)begin, (void)end; /* dynamic scheduling by job->next */
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&job->next, job->chunk, memory_order_relaxed);
        if (item >= job->items || cti_interrupted())
            return;
        int64_t last = item + job->chunk < job->items ? item + job->chunk : job->items;
        for (; item < last; item++)
            direct_item(job, item);
    }
}

void cti_gemm_direct(const struct cti_gemm *g)
{
    struct job job = {.g = g, .kernel = kernel_of(g->dtype), .size = cti_itemsize(g->dtype)};
    job.blocks = (g->m + job.kernel->mr - 1) / job.kernel->mr;
    job.items = job.blocks * g->batch;
    double each = 2.0 * job.kernel->mr * (double)g->n * (double)g->k;
    bool alone = each * (double)job.items < 2 * WORK_ALONE || job.items == 1;
    int64_t workers = alone ? 1 : cti_parallel_threads();
    workers = workers < job.items ? workers : job.items;
    double chunk = WORK_ALONE / 2 / each;
    int64_t share = job.items / (4 * workers) + 1;
    job.chunk = alone ? job.items : chunk < 1 ? 1 : chunk < (double)share ? (int64_t)chunk : share;
    atomic_init(&job.next, 0);
    cti_parallel_for(workers, 1, direct_work, &job);
}
