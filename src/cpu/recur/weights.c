/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with weights that are packed once and used at every step; see Note [Steps] in recur.h.
 * Each element is summed over k in order, for any blocks. */
#include "core/alloc.h"
#include "core/parallel.h"
#include "core/small.h"
#include "core/tensor.h"
#include "cpu/gemm/pack.h"
#include "cpu/recur/recur.h"

enum { BLOCK_K = 512 }; /* rows of a panel that fits L1 */
#define WORK_ALONE 4e5  /* flops that are not worth a second thread */

extern const struct cti_recur_loops CTI_ISA_NAMES(cti_recur_f32);
extern const struct cti_recur_loops CTI_ISA_NAMES(cti_recur_f64);

const struct cti_recur_loops *cti_recur_loops(enum ct_dtype dtype)
{
    static const struct cti_recur_loops *const f32[] = CTI_ISA_TABLE(cti_recur_f32);
    static const struct cti_recur_loops *const f64[] = CTI_ISA_TABLE(cti_recur_f64);
    return (dtype == CT_FLOAT64 ? f64 : f32)[cti_cpu_isa()];
}

bool cti_recur_pack(struct cti_recur_weights *w, enum ct_dtype dtype, const void *data, int64_t k,
                    int64_t n, int64_t sets, int64_t set_stride, int64_t n_stride, int64_t k_stride)
{
    enum cti_gemm_unit unit = dtype == CT_FLOAT64 ? CTI_UNIT_F64 : CTI_UNIT_F32;
    const struct cti_gemm_kernels *kernels = cti_gemm_kernels();
    *w = (struct cti_recur_weights){.kernel = &kernels->unit[unit],
                                    .loops = cti_recur_loops(dtype),
                                    .size = cti_itemsize(dtype),
                                    .k = k,
                                    .n = n,
                                    .sets = sets};
    int nr = w->kernel->nr;
    w->blocks = (n + nr - 1) / nr;
    int64_t panel = k * nr * w->size;
    w->block = cti_block_new(w->blocks * sets * panel + 64);
    if (!w->block)
        return false;
    for (int64_t b = 0; b < w->blocks; b++)
        for (int64_t s = 0; s < sets; s++) {
            struct cti_gemm_side side = {.dtype = dtype, .unit = unit, .k = k};
            side.data = (const char *)data + s * set_stride * w->size;
            side.w_stride = n_stride;
            side.k_stride = k_stride;
            kernels->pack(&side, (char *)w->block->address + (b * sets + s) * panel, nr, b * nr,
                          min64(nr, n - b * nr), 0, k);
        }
    return true;
}

void cti_recur_unpack(struct cti_recur_weights *w)
{
    if (w->block)
        cti_block_free(w->block);
    w->block = NULL;
}

struct job {
    const struct cti_recur_weights *w;
    const char *a;
    int64_t a_row, rows, row_blocks;
    cti_recur_finish *finish;
    const void *context;
};

/* Returns the number of rows for the next kernel call: 1, or an even number. */
static int weight_rows(int64_t left, int most)
{
    return left >= most ? most : left == 1 ? 1 : (int)(left & ~INT64_C(1));
}

static void multiply_panel(const struct job *job, char *sums, int64_t sum_row, const char *a,
                           int64_t rows, const char *panel)
{
    const struct cti_recur_weights *w = job->w;
    const struct cti_gemm_kernel *kernel = w->kernel;
    if (!kernel->direct) {
        w->loops->multiply(sums, sum_row, a, job->a_row, rows, panel, w->k, kernel->nr);
        return;
    }
    for (int64_t k = 0; k < w->k; k += BLOCK_K)
        for (int64_t i = 0, n; i < rows; i += n) {
            n = weight_rows(rows - i, kernel->mr);
            kernel->direct(min64(BLOCK_K, w->k - k), a + (i * job->a_row + k) * w->size, job->a_row,
                           1, panel + k * kernel->nr * w->size, kernel->nr,
                           sums + i * sum_row * w->size, sum_row, k > 0, (int)n, kernel->nr);
        }
}

static void pack_work(void *context, int64_t begin, int64_t end)
{
    const struct job *job = context;
    const struct cti_recur_weights *w = job->w;
    int64_t nr = w->kernel->nr, sum_row = w->sets * nr, panel = w->k * nr * w->size;
    _Alignas(64) char sums[CTI_RECUR_SUMS];
    for (int64_t item = begin; item < end; item++) {
        int64_t block = item / job->row_blocks, row = item % job->row_blocks * CTI_RECUR_ROWS;
        int64_t rows = min64(CTI_RECUR_ROWS, job->rows - row);
        const char *panels = (const char *)w->block->address + block * w->sets * panel;
        for (int64_t s = 0; s < w->sets; s++)
            multiply_panel(job, sums + s * nr * w->size, sum_row,
                           job->a + row * job->a_row * w->size, rows, panels + s * panel);
        job->finish(job->context, row, rows, block * nr, min64(nr, w->n - block * nr), sums,
                    sum_row, nr);
    }
}

void cti_recur_multiply(const struct cti_recur_weights *w, const void *a, int64_t a_row,
                        int64_t rows, cti_recur_finish *finish, const void *context)
{
    int64_t row_blocks = (rows + CTI_RECUR_ROWS - 1) / CTI_RECUR_ROWS;
    struct job job = {w, a, a_row, rows, row_blocks, finish, context};
    double each = 2.0 * (double)min64(rows, CTI_RECUR_ROWS) * (double)w->k *
                  (double)(w->sets * w->kernel->nr);
    int64_t grain = (int64_t)(WORK_ALONE / (each + 1)) + 1; /* + 1 avoids a division by zero */
    cti_parallel_for(w->blocks * row_blocks, grain, pack_work, &job);
}
