/* SPDX-License-Identifier: BSD-3-Clause */
/* gemv and dot products: bound by reading the matrix, so it is never copied. Contiguous rows are
 * dot products (dots), contiguous columns are accumulated (axpys). The work is cut into blocks of
 * rows and segments of k that depend on the shape alone; segments are added in order. Called by
 * gemm.c for every type but bool.
 *
 * Complex numbers are pairs of real ones. If a row of A is read as re, im, re, im, its dot products
 * with (xr, -xi, ...) and (xi, xr, ...) are the real and the imaginary part of the result. Columns
 * are multiplied by xr and by xi separately, and the two sums are combined at the end. Conjugating
 * A changes signs. */
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/pack.h"

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/small.h"
#include "core/tensor.h"
#include "math/half.h"

#include <string.h>

enum {
    DOT_SEGMENT = 16384, /* elements of k, with contiguous rows */
    AXPY_SEGMENT = 1024,
    AXPY_ROWS = 4096, /* accumulators of a row block stay in L1 */
    DOT_ROWS = 16,
    GRAIN_ELEMENTS = 40000, /* smaller matrices use one thread */
    STACK_BYTES = 16 << 10
};

struct job {
    const struct cti_gemm *g;
    const struct cti_gemm_line *line;
    bool dots;
    bool narrow;    /* dots of small integers keep only their low bits */
    int64_t a_size; /* bytes of a matrix element */
    int64_t size;   /* bytes of an accumulator */
    int64_t per;    /* real numbers for each element: 2 for complex */
    int64_t block, blocks, segment, segments;
    int64_t matrix_x, matrix_out; /* bytes of x and of the sums, for one matrix of the batch */
    bool x_gathered;              /* false: x is used in place */
    const char *x;
    char *out, *memory;
};

/* Copies element `from` of complex x, with a sign, to element `to` of the vector that the kernels
 * read. */
static inline __attribute__((always_inline)) void set_part(void *out, int64_t to, const void *in,
                                                           int64_t from, double sign, bool wide)
{
    if (wide)
        ((double *)out)[to] = sign * ((const double *)in)[from];
    else
        ((float *)out)[to] = (float)sign * ((const float *)in)[from];
}

/* Complex x for the kernels: two real vectors, one after the other. */
static inline __attribute__((always_inline)) void
gather_complex(const struct job *job, const void *from, void *to, bool wide)
{
    const struct cti_gemm *g = job->g;
    double sign_a = g->conj_a ? -1 : 1, sign_b = g->conj_b ? -1 : 1;
    for (int64_t i = 0; i < g->k; i++) {
        int64_t re = 2 * i * g->b_row, im = re + 1;
        if (job->dots) {
            set_part(to, 2 * i, from, re, 1, wide);
            set_part(to, 2 * i + 1, from, im, -sign_a * sign_b, wide);
            set_part(to, 2 * (g->k + i), from, im, sign_b, wide);
            set_part(to, 2 * (g->k + i) + 1, from, re, sign_a, wide);
        } else {
            set_part(to, i, from, re, 1, wide);
            set_part(to, g->k + i, from, im, sign_b, wide);
        }
    }
}

/* Copies the x of one matrix to the vector that the kernels read: contiguous, in the accumulation
 * type. */
static void gather_x(const struct job *job, const char *from, char *to)
{
    const struct cti_gemm *g = job->g;
    if (g->dtype == CT_COMPLEX64)
        gather_complex(job, from, to, false);
    else if (g->dtype == CT_COMPLEX128)
        gather_complex(job, from, to, true);
    else if (g->dtype == CT_FLOAT16)
        for (int64_t i = 0; i < g->k; i++)
            ((float *)to)[i] = ctm_f32_from_f16(((const uint16_t *)from)[i * g->b_row]);
    else if (g->dtype == CT_BFLOAT16)
        for (int64_t i = 0; i < g->k; i++)
            ((float *)to)[i] = ctm_f32_from_bf16(((const uint16_t *)from)[i * g->b_row]);
    else if (job->a_size == 1)
        for (int64_t i = 0; i < g->k; i++)
            ((uint32_t *)to)[i] = ((const uint8_t *)from)[i * g->b_row];
    else if (job->a_size == 2)
        for (int64_t i = 0; i < g->k; i++)
            ((uint32_t *)to)[i] = ((const uint16_t *)from)[i * g->b_row];
    else if (job->size == 4)
        for (int64_t i = 0; i < g->k; i++)
            memcpy(to + 4 * i, from + 4 * i * g->b_row, 4);
    else
        for (int64_t i = 0; i < g->k; i++)
            memcpy(to + 8 * i, from + 8 * i * g->b_row, 8);
}

/* One block of rows and one segment of k. Sums of segment s: all rows, `per` real numbers each; for
 * complex axpys all multiples by xr first, then those by xi. */
static void vector_item(const struct job *job, int64_t item)
{
    const struct cti_gemm *g = job->g;
    int64_t s = item % job->segments, block = item / job->segments % job->blocks;
    int64_t batch = item / (job->segments * job->blocks), per = job->per, size = job->size;
    int64_t i = block * job->block, rows = min64(job->block, g->m - i);
    int64_t j = s * job->segment, k = min64(job->segment, g->k - j);
    int64_t at = batch * g->a_batch + i * g->a_row + j * g->a_col;
    const char *a = (const char *)g->a + at * per * job->a_size;
    const char *x = job->x + batch * job->matrix_x;
    x += j * (job->narrow ? job->a_size : size * (job->dots ? per : 1));
    char *out = job->out + batch * job->matrix_out + (s * g->m * per + i) * per * size;
    if (job->narrow) {
        for (int64_t r = 0; r < rows; r++)
            ((uint32_t *)out)[r] = job->line->narrow(k, a + r * g->a_row * job->a_size, x);
        return;
    }
    if (job->dots) {
        job->line->dots(rows, k * per, a, g->a_row * per, x, g->k * per, (int)per, out);
        return;
    }
    int64_t out_next = g->m * per;
    for (int64_t v = 0; v < per; v++)
        memset(out + v * out_next * size, 0, (size_t)(rows * per * size));
    job->line->axpys(rows * per, k, a, g->a_col * per, x, g->k, (int)per, out, out_next);
}

static void run_items(void *context, int64_t begin, int64_t end)
{
    for (int64_t item = begin; item < end; item++)
        vector_item(context, item);
}

/* Adds the other segments to the first; each has `count` sums, and they are `next` bytes apart. */
static void add_segments(const struct job *job, char *sums, int64_t count, int64_t next)
{
    bool whole = job->g->dtype < CT_FLOAT16;
    for (int64_t s = 1; s < job->segments; s++) {
        for (int64_t i = 0; i < count; i++) {
            int64_t from = s * next + i;
            if (whole && job->size == 4)
                ((uint32_t *)sums)[i] += ((uint32_t *)sums)[from];
            else if (whole)
                ((uint64_t *)sums)[i] += ((uint64_t *)sums)[from];
            else if (job->size == 4)
                ((float *)sums)[i] += ((float *)sums)[from];
            else
                ((double *)sums)[i] += ((double *)sums)[from];
        }
    }
}

/* Complex axpys: combines the multiples by xr with those by xi, 2 m later. */
static void join_c64(float *sums, int64_t m, float sign)
{
    const float *by_im = sums + 2 * m;
    for (int64_t i = 0; i < 2 * m; i += 2) {
        float re = sums[i] - sign * by_im[i + 1], im = sign * sums[i + 1] + by_im[i];
        sums[i] = re;
        sums[i + 1] = im;
    }
}

static void join_c128(double *sums, int64_t m, double sign)
{
    const double *by_im = sums + 2 * m;
    for (int64_t i = 0; i < 2 * m; i += 2) {
        double re = sums[i] - sign * by_im[i + 1], im = sign * sums[i + 1] + by_im[i];
        sums[i] = re;
        sums[i + 1] = im;
    }
}

/* Stores the result as a row of m elements. */
static struct cti_gemm_target target_of(const struct cti_gemm *g, char *c, const char *bias)
{
    return (struct cti_gemm_target){.dtype = g->dtype,
                                    .c = c,
                                    .col = g->c_row,
                                    .alpha = {g->alpha[0], g->alpha[1]},
                                    .beta = {g->beta[0], g->beta[1]},
                                    .bias = bias,
                                    .bias_col = g->bias_row};
}

/* Results that are contiguous across the batch are stored at once. */
static bool finish_all(const struct job *job)
{
    const struct cti_gemm *g = job->g;
    if (job->segments > 1 || job->per > 1 || (g->batch > 1 && g->c_batch != g->m * g->c_row))
        return false;
    if (g->bias && g->batch > 1)
        return false;
    struct cti_gemm_target target = target_of(g, g->c, g->bias);
    cti_gemm_kernels()->store(&target, 0, 0, 1, g->batch * g->m, job->out, 0);
    return true;
}

static void vector_finish(const struct job *job, int64_t batch)
{
    const struct cti_gemm *g = job->g;
    char *sums = job->out + batch * job->matrix_out;
    char *c = (char *)g->c + batch * g->c_batch * job->per * job->a_size;
    const char *bias =
        g->bias ? (const char *)g->bias + batch * g->bias_batch * job->per * job->a_size : NULL;
    struct cti_gemm_target target = target_of(g, c, bias);
    int64_t next = g->m * job->per * job->per;
    add_segments(job, sums, job->dots ? g->m * job->per : next, next);
    if (!job->dots && g->dtype == CT_COMPLEX64)
        join_c64((float *)sums, g->m, g->conj_a ? -1 : 1);
    else if (!job->dots && g->dtype == CT_COMPLEX128)
        join_c128((double *)sums, g->m, g->conj_a ? -1 : 1);
    cti_gemm_kernels()->store(&target, 0, 0, 1, g->m, sums, 0);
}

static void vector_run(struct job *job)
{
    const struct cti_gemm *g = job->g;
    int64_t items = job->blocks * job->segments * g->batch;
    for (int64_t i = 0; i < g->batch && job->x_gathered; i++)
        gather_x(job, (const char *)g->b + i * g->b_batch * job->per * job->a_size,
                 job->memory + i * job->matrix_x);
    int64_t one = min64(job->block, g->m) * min64(job->segment, g->k) * job->per;
    cti_parallel_for(items, GRAIN_ELEMENTS / one + 1, run_items, job);
    if (finish_all(job))
        return;
    for (int64_t i = 0; i < g->batch; i++)
        vector_finish(job, i);
}

static enum cti_gemm_line_kind kind_of(enum ct_dtype dtype)
{
    switch (dtype) {
    case CT_INT8:
    case CT_UINT8:
        return CTI_LINE_U8;
    case CT_INT16:
    case CT_UINT16:
        return CTI_LINE_U16;
    case CT_INT32:
    case CT_UINT32:
        return CTI_LINE_U32;
    case CT_INT64:
    case CT_UINT64:
        return CTI_LINE_U64;
    case CT_FLOAT16:
        return CTI_LINE_F16;
    case CT_BFLOAT16:
        return CTI_LINE_BF16;
    case CT_FLOAT64:
    case CT_COMPLEX128:
        return CTI_LINE_F64;
    case CT_NO_DTYPE:
    case CT_BOOL:
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
    case CT_FLOAT32:
    case CT_COMPLEX64:
    case CT_COMPLEX32:
    case CT_DTYPE_COUNT:
        break;
    }
    return CTI_LINE_F32;
}

bool cti_gemm_vector(const struct cti_gemm *g)
{
    struct job job = {.g = g};
    enum cti_gemm_line_kind kind = kind_of(g->dtype);
    int64_t item = cti_itemsize(g->dtype);
    bool widened = item < 4; /* to the accumulation type */
    job.line = &cti_gemm_kernels()->line[kind];
    job.dots = g->a_col == 1;
    job.size = kind == CTI_LINE_F64 || kind == CTI_LINE_U64 ? 8 : 4;
    job.a_size = widened ? item : job.size;
    job.per = item / job.a_size;
    job.block = job.dots ? DOT_ROWS : AXPY_ROWS;
    job.segment = job.dots ? DOT_SEGMENT : AXPY_SEGMENT;
    job.blocks = (g->m + job.block - 1) / job.block;
    job.segments = (g->k + job.segment - 1) / job.segment;
    job.matrix_x = g->k * job.per * (job.dots ? job.per : 1) * job.size;
    job.matrix_out = job.segments * g->m * job.per * job.per * job.size;
    job.narrow = job.dots && job.line->narrow && (g->b_row == 1 || g->k == 1);
    job.x_gathered = (widened && !job.narrow) || job.per == 2 || (g->b_row != 1 && g->k > 1);
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
        job.matrix_x = g->b_batch * (job.narrow ? job.a_size : job.size);
    vector_run(&job);
    if (block)
        cti_block_free(block);
    return true;
}
