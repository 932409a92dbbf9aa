/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix times a vector, and the product of two vectors: bound by reading the matrix, so nothing
 * of it is copied. Rows that run through memory are summed one by one (dots), columns that do are
 * added up (axpys). The work is cut into blocks of rows and segments of k that depend on the shape
 * alone; segments' sums are added in order. Called by gemm.c for floating and complex types.
 *
 * Complex numbers go as pairs of real ones. With A's elements seen as re, im, re, im, a row's dots
 * with (xr, -xi, ...) and (xi, xr, ...) are the real and the imaginary part of the result; and a
 * column's multiples by xr and by xi hold the parts of their sum. Conjugating A changes signs. */
#include "cpu/gemm.h"
#include "cpu/gemm_pack.h"

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/tensor.h"

#include <string.h>

enum {
    DOT_SEGMENT = 16384, /* of k, where a row is k long */
    AXPY_SEGMENT = 1024,
    AXPY_ROWS = 4096, /* sums of a block of rows stay in the L1 cache */
    DOT_ROWS = 16,
    GRAIN_ELEMENTS = 40000, /* of the matrix, not worth a second thread */
    STACK_BYTES = 16 << 10
};

struct job {
    const struct cti_gemm *g;
    bool dots;
    int64_t size; /* bytes of a real number */
    int64_t per;  /* real numbers in an element */
    int64_t block, blocks, segment, segments;
    int64_t matrix_x, matrix_out; /* bytes of x and of the sums, for one matrix of the batch */
    bool x_gathered;              /* false: x is used where it lies */
    const char *x;
    char *out, *memory;
};

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* x as the kernels want it: one real vector, or two for complex numbers; k by k without gaps. */
static void gather_f32(const struct job *job, const float *from, float *to)
{
    const struct cti_gemm *g = job->g;
    float sign_a = g->conj_a ? -1 : 1, sign_b = g->conj_b ? -1 : 1;
    for (int64_t i = 0; i < g->k; i++) {
        const float *x = from + i * g->b_row * job->per;
        if (job->per == 1) {
            to[i] = x[0];
        } else if (job->dots) {
            to[2 * i] = x[0];
            to[2 * i + 1] = -sign_a * sign_b * x[1];
            to[2 * g->k + 2 * i] = sign_b * x[1];
            to[2 * g->k + 2 * i + 1] = sign_a * x[0];
        } else {
            to[i] = x[0];
            to[g->k + i] = sign_b * x[1];
        }
    }
}

static void gather_f64(const struct job *job, const double *from, double *to)
{
    const struct cti_gemm *g = job->g;
    double sign_a = g->conj_a ? -1 : 1, sign_b = g->conj_b ? -1 : 1;
    for (int64_t i = 0; i < g->k; i++) {
        const double *x = from + i * g->b_row * job->per;
        if (job->per == 1) {
            to[i] = x[0];
        } else if (job->dots) {
            to[2 * i] = x[0];
            to[2 * i + 1] = -sign_a * sign_b * x[1];
            to[2 * g->k + 2 * i] = sign_b * x[1];
            to[2 * g->k + 2 * i + 1] = sign_a * x[0];
        } else {
            to[i] = x[0];
            to[g->k + i] = sign_b * x[1];
        }
    }
}

/* One block of rows and one segment of k. Sums of segment s: all rows, `per` real numbers each;
 * for complex axpys all multiples by xr first, then those by xi. */
static void run_item(const struct job *job, int64_t item)
{
    const struct cti_gemm *g = job->g;
    const struct cti_gemm_kernels *kernels = cti_gemm_kernels();
    int64_t s = item % job->segments, block = item / job->segments % job->blocks;
    int64_t batch = item / (job->segments * job->blocks), per = job->per, size = job->size;
    int64_t i = block * job->block, rows = min64(job->block, g->m - i);
    int64_t j = s * job->segment, k = min64(job->segment, g->k - j);
    const char *a =
        (const char *)g->a + (batch * g->a_batch + i * g->a_row + j * g->a_col) * per * size;
    const char *x = job->x + batch * job->matrix_x + j * size * (job->dots ? per : 1);
    char *out = job->out + batch * job->matrix_out + s * g->m * per * per * size;
    int nx = (int)per;
    if (job->dots) {
        out += i * per * size;
        int64_t x_next = g->k * per, a_row = g->a_row * per;
        if (size == 4)
            kernels->dots_f32(rows, k * per, (const float *)a, a_row, (const float *)x, x_next, nx,
                              (float *)out);
        else
            kernels->dots_f64(rows, k * per, (const double *)a, a_row, (const double *)x, x_next,
                              nx, (double *)out);
        return;
    }
    out += i * per * size;
    int64_t out_next = g->m * per, a_col = g->a_col * per;
    for (int v = 0; v < nx; v++)
        memset(out + v * out_next * size, 0, (size_t)(rows * per * size));
    if (size == 4)
        kernels->axpys_f32(rows * per, k, (const float *)a, a_col, (const float *)x, g->k, nx,
                           (float *)out, out_next);
    else
        kernels->axpys_f64(rows * per, k, (const double *)a, a_col, (const double *)x, g->k, nx,
                           (double *)out, out_next);
}

static void run_items(void *context, int64_t begin, int64_t end)
{
    for (int64_t item = begin; item < end; item++)
        run_item(context, item);
}

/* Adds the segments up and joins the parts of complex sums; the result is in the first segment. */
static void join_f32(const struct job *job, float *sums)
{
    const struct cti_gemm *g = job->g;
    int64_t count = g->m * job->per * (job->dots ? 1 : job->per);
    int64_t next = g->m * job->per * job->per;
    for (int64_t s = 1; s < job->segments; s++)
        for (int64_t i = 0; i < count; i++)
            sums[i] += sums[s * next + i];
    if (job->dots || job->per == 1)
        return;
    const float *by_im = sums + 2 * g->m;
    float sign = g->conj_a ? -1 : 1;
    for (int64_t i = 0; i < 2 * g->m; i += 2) {
        float re = sums[i] - sign * by_im[i + 1], im = sign * sums[i + 1] + by_im[i];
        sums[i] = re;
        sums[i + 1] = im;
    }
}

static void join_f64(const struct job *job, double *sums)
{
    const struct cti_gemm *g = job->g;
    int64_t count = g->m * job->per * (job->dots ? 1 : job->per);
    int64_t next = g->m * job->per * job->per;
    for (int64_t s = 1; s < job->segments; s++)
        for (int64_t i = 0; i < count; i++)
            sums[i] += sums[s * next + i];
    if (job->dots || job->per == 1)
        return;
    const double *by_im = sums + 2 * g->m;
    double sign = g->conj_a ? -1 : 1;
    for (int64_t i = 0; i < 2 * g->m; i += 2) {
        double re = sums[i] - sign * by_im[i + 1], im = sign * sums[i + 1] + by_im[i];
        sums[i] = re;
        sums[i + 1] = im;
    }
}

static void run(struct job *job)
{
    const struct cti_gemm *g = job->g;
    int64_t element = job->size * job->per, items = job->blocks * job->segments * g->batch;
    for (int64_t batch = 0; batch < g->batch && job->x_gathered; batch++) {
        const char *from = (const char *)g->b + batch * g->b_batch * element;
        char *to = job->memory + batch * job->matrix_x;
        if (job->size == 4)
            gather_f32(job, (const float *)from, (float *)to);
        else
            gather_f64(job, (const double *)from, (double *)to);
    }
    int64_t one = min64(job->block, g->m) * min64(job->segment, g->k) * job->per;
    cti_parallel_for(items, GRAIN_ELEMENTS / one + 1, run_items, job);
    for (int64_t batch = 0; batch < g->batch; batch++) {
        char *sums = job->out + batch * job->matrix_out;
        char *c = (char *)g->c + batch * g->c_batch * element;
        struct cti_gemm_target target = {
            g->dtype, c, 0, g->c_row, {g->alpha[0], g->alpha[1]}, {g->beta[0], g->beta[1]}};
        if (job->size == 4)
            join_f32(job, (float *)sums);
        else
            join_f64(job, (double *)sums);
        cti_gemm_kernels()->store(&target, 0, 0, 1, g->m, sums, 0);
    }
}

bool cti_gemm_vector(const struct cti_gemm *g)
{
    struct job job = {.g = g};
    job.dots = g->a_col == 1 || g->k == 1;
    job.size = g->dtype == CT_FLOAT32 || g->dtype == CT_COMPLEX64 ? 4 : 8;
    job.per = cti_itemsize(g->dtype) / job.size;
    job.block = job.dots ? DOT_ROWS : AXPY_ROWS;
    job.segment = job.dots ? DOT_SEGMENT : AXPY_SEGMENT;
    job.blocks = (g->m + job.block - 1) / job.block;
    job.segments = (g->k + job.segment - 1) / job.segment;
    job.matrix_x = g->k * job.per * (job.dots ? job.per : 1) * job.size;
    job.matrix_out = job.segments * g->m * job.per * job.per * job.size;
    job.x_gathered = job.per == 2 || (g->b_row != 1 && g->k > 1);
    int64_t x_bytes = job.x_gathered ? g->batch * job.matrix_x : 0;
    int64_t bytes = x_bytes + g->batch * job.matrix_out;
    _Alignas(64) char small[STACK_BYTES];
    struct cti_block *block = bytes <= STACK_BYTES ? NULL : cti_block_new(bytes);
    if (bytes > STACK_BYTES && !block)
        return false;
    job.memory = block ? block->address : small;
    job.out = job.memory + x_bytes;
    job.x = job.x_gathered ? job.memory : g->b;
    if (!job.x_gathered)
        job.matrix_x = g->b_batch * job.size;
    run(&job);
    if (block)
        cti_block_free(block);
    return true;
}
