/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier transforms along a dim of tensors of any strides. Short or interleaved lines are
 * transformed in blocks, one line in each lane of a vector. Long lines are transformed one at a
 * time, by the four-step split into a matrix whose columns are the lanes. Real lines become complex
 * ones of half the length. Threads share the lines, or one long line; a line's result never depends
 * on other lines. Called through the backend table. */
#include "cpu/fft/fft.h"
#include "cpu/engines.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/small.h"
#include "cpu/index/index.h"
#include "cpu/isa.h"
#include "cpu/pointwise/pack.h"

#include <string.h>

#define BESIDE_BYTES ((int64_t)4 << 20) /* a block of interleaved lines: a share of L3 */
#define LONG_LINE 32768                 /* longer lines are shared by several threads */
#define GRAIN 8192                      /* elements worth a thread */
#define MOST_LANES 16

extern const struct cti_fft_loops CTI_ISA_NAMES(cti_fft_f32), CTI_ISA_NAMES(cti_fft_f64);

const struct cti_fft_loops *cti_fft_loops_for(enum ct_dtype dtype)
{
    static const struct cti_fft_loops *const narrow[] = CTI_ISA_TABLE(cti_fft_f32);
    static const struct cti_fft_loops *const wide[] = CTI_ISA_TABLE(cti_fft_f64);
    return (dtype == CT_FLOAT32 ? narrow : wide)[cti_cpu_isa()];
}

enum kind { COMPLEX, REAL_IN, REAL_OUT };

/* One call of the engine. */
struct fft {
    enum kind kind;
    bool inverse, mirrored; /* mirrored: the result of a real line has both Hermitian halves */
    bool blocks;
    bool far; /* lines do not fit L2: prefetch the next one */
    double scale;
    enum ct_dtype dtype;         /* of real and imaginary parts */
    int64_t n, length;           /* of a line; of the complex transform used for it */
    int64_t in_step, out_step;   /* bytes */
    int64_t in_count, out_count; /* elements */
    const struct cti_fft_loops *loops;
    struct cti_fft_plan *plan, *halves; /* halves: for real lines of even length */
    struct cti_lines lines;
    int64_t tasks, inner;      /* threads over lines, and within a line */
    int64_t work, area, bytes; /* bytes: a line's workspace; another line; all of a task's memory */
    char *memory;
};

int64_t cti_fft_line_bytes(const struct cti_fft_plan *plan, int64_t tasks)
{
    int64_t size = 2 * cti_itemsize(plan->dtype);
    const struct cti_fft_loops *loops = cti_fft_loops_for(plan->dtype);
    if (plan->algorithm == CTI_FFT_CHIRP)
        return CTI_FFT_UP(size * plan->down->n, 64) + cti_fft_line_bytes(plan->down, tasks);
    if (plan->algorithm == CTI_FFT_LANES)
        return 2 * cti_fft_array_bytes(size * plan->n);
    if (plan->algorithm != CTI_FFT_SPLIT)
        return CTI_FFT_UP(2 * size * plan->n, 64);
    int64_t rows = plan->down->n, columns = plan->across->n;
    return CTI_FFT_WIDTH(rows, loops->lanes) * CTI_FFT_UP(columns, loops->lanes) * size +
           tasks * 2 * (rows > columns ? rows : columns) * loops->atom;
}

void cti_fft_line(const struct cti_fft_plan *plan, enum ct_dtype dtype, const char *src, char *dst,
                  bool inverse, double scale, const struct cti_fft_work *work)
{
    if (plan->algorithm == CTI_FFT_CHIRP)
        cti_fft_chirp(plan, dtype == CT_FLOAT32, src, dst, inverse, scale, work);
    else
        cti_fft_loops_for(dtype)->line(plan, src, dst, inverse, scale, work);
}

/* ---- single lines ---- */

static void real_to_complex(char *dst, const char *src, int64_t n, int64_t size)
{
    memset(dst, 0, (size_t)(2 * n * size));
    for (int64_t j = 0; j < n; j++)
        memcpy(dst + 2 * j * size, src + j * size, (size_t)size);
}

/* dst = conj(src), one complex number. */
static void conjugate(char *dst, const char *src, enum ct_dtype dtype)
{
    if (dtype == CT_FLOAT32) {
        float z[2];
        memcpy(z, src, sizeof z);
        z[1] = -z[1];
        memcpy(dst, z, sizeof z);
    } else {
        double z[2];
        memcpy(z, src, sizeof z);
        z[1] = -z[1];
        memcpy(dst, z, sizeof z);
    }
}

/* Fills the second half of a real line's transform by Hermitian symmetry. */
static void mirror_lines(char *line, int64_t step, int64_t n, enum ct_dtype dtype)
{
    for (int64_t k = 1; k < (n + 1) / 2; k++)
        conjugate(line + (n - k) * step, line + k * step, dtype);
}

/* Transforms one real line from contiguous to contiguous memory; `z` and `planes` have room for a
 * line each. */
static void real_line(const struct fft *f, const char *src, char *dst, char *z, char *planes,
                      struct cti_fft_work *work)
{
    const int64_t size = cti_itemsize(f->dtype), n = f->n, h = f->length;
    const void *circle = f->halves ? f->halves->table : NULL;
    if (f->kind == REAL_IN && circle && f->plan->algorithm != CTI_FFT_CHIRP) {
        f->loops->real_line(f->plan, src, dst, circle, f->scale, z, planes, work);
    } else if (f->kind == REAL_IN && circle) {
        cti_fft_line(f->plan, f->dtype, src, z, false, 1, work);
        f->loops->after_line(dst, z, h, circle, f->scale, planes);
    } else if (f->kind == REAL_IN) {
        real_to_complex(z, src, n, size);
        cti_fft_line(f->plan, f->dtype, z, z, false, f->scale, work);
        memcpy(dst, z, (size_t)(2 * size * (n / 2 + 1)));
    } else if (circle) {
        f->loops->before_line(z, src, h, circle, f->scale, planes);
        cti_fft_line(f->plan, f->dtype, z, dst, true, 1, work);
    } else {
        memcpy(z, src, (size_t)(2 * size * (n / 2 + 1)));
        memset(z + size, 0, (size_t)size);
        mirror_lines(z, 2 * size, n, f->dtype);
        cti_fft_line(f->plan, f->dtype, z, z, true, f->scale, work);
        cti_cpu_pack(dst, z, 2 * size, n, size);
    }
}

static void do_line(const struct fft *f, const struct cti_line *line, const struct cti_line *next,
                    char *memory)
{
    const int64_t size = cti_itemsize(f->dtype);
    const int64_t in_size = f->kind == REAL_IN ? size : 2 * size;
    const int64_t out_size = f->kind == REAL_OUT ? size : 2 * size;
    struct cti_fft_work work = {.memory = memory, .tasks = f->inner};
    char *src = line->p[0], *dst = line->p[1], *z = memory + f->work, *planes = z + f->area;
    if (next && f->in_step == in_size)
        work.next_src = next->p[0];
    if (next && f->out_step == out_size)
        work.next_dst = next->p[1];
    if (f->in_step != in_size) {
        src = planes + f->area;
        cti_cpu_pack(src, line->p[0], f->in_step, f->in_count, in_size);
    }
    if (f->out_step != out_size)
        dst = planes + 2 * f->area;
    if (f->kind == COMPLEX)
        cti_fft_line(f->plan, f->dtype, src, dst, f->inverse, f->scale, &work);
    else
        real_line(f, src, dst, z, planes, &work);
    if (f->out_step != out_size)
        cti_cpu_unpack(line->p[1], dst, f->out_step, f->out_count, out_size);
    if (f->mirrored)
        mirror_lines(line->p[1], f->out_step, f->n, f->dtype);
}

static void do_lines(void *context, int64_t begin, int64_t end)
{
    const struct fft *f = context;
    int64_t first = begin * f->lines.count / f->tasks, last = end * f->lines.count / f->tasks;
    struct cti_line line, next;
    cti_line_at(&f->lines, first, &line);
    for (int64_t i = first; i < last && !cti_interrupted(); i++) {
        next = line;
        cti_line_next(&f->lines, &next);
        do_line(f, &line, f->far && i + 1 < last ? &next : NULL, f->memory + begin * f->bytes);
        line = next;
    }
}

/* ---- blocks of lines ---- */

static void do_block(const struct fft *f, char *const *in, char *const *out, int64_t lanes, char *x,
                     char *y)
{
    const int64_t size = cti_itemsize(f->dtype);
    const struct cti_fft_loops *loops = f->loops;
    struct cti_fft_side from = {in, lanes, f->in_step, size};
    struct cti_fft_side to = {out, lanes, f->out_step, size};
    if (f->kind == REAL_IN)
        from = (struct cti_fft_side){in, lanes, 2 * f->in_step, f->in_step};
    if (f->kind == REAL_OUT)
        to = (struct cti_fft_side){out, lanes, 2 * f->out_step, f->out_step};
    if (f->kind == COMPLEX) {
        loops->block(f->plan, &from, &to, x, y, f->inverse, f->scale);
        return;
    }
    if (f->kind == REAL_OUT) {
        loops->load(y, &from, f->length + 1);
        loops->before_atoms(x, y, f->length, f->halves->table, f->scale);
        loops->block(f->plan, NULL, &to, x, y, true, 1);
        return;
    }
    char *z = loops->block(f->plan, &from, NULL, x, y, false, 1);
    char *other = z == x ? y : x;
    loops->after_atoms(other, z, f->length, f->halves->table, f->scale);
    loops->store(&to, other, f->length + 1, 1);
    for (int64_t l = 0; f->mirrored && l < lanes; l++)
        mirror_lines(out[l], f->out_step, f->n, f->dtype);
}

static void do_blocks(void *context, int64_t begin, int64_t end)
{
    const struct fft *f = context;
    int64_t lanes = f->loops->lanes, blocks = (f->lines.count + lanes - 1) / lanes;
    int64_t first = begin * blocks / f->tasks * lanes, last = end * blocks / f->tasks * lanes;
    char *x = f->memory + begin * f->bytes, *y = x + f->bytes / 2;
    struct cti_line line;
    last = last < f->lines.count ? last : f->lines.count;
    cti_line_at(&f->lines, first, &line);
    for (int64_t i = first; i < last && !cti_interrupted(); i += lanes) {
        char *in[MOST_LANES], *out[MOST_LANES];
        int64_t some = last - i < lanes ? last - i : lanes;
        for (int64_t l = 0; l < some; l++) {
            in[l] = line.p[0];
            out[l] = line.p[1];
            cti_line_next(&f->lines, &line);
        }
        if (some < lanes)
            memset(x, 0, (size_t)f->bytes);
        do_block(f, in, out, some, x, y);
    }
}

/* ---- the engine ---- */

/* Whether to transform lines in blocks: yes if they are interleaved in memory, or short. */
static bool in_blocks(const struct fft *f, enum cti_fft_algorithm algorithm)
{
    const struct cti_lines *l = &f->lines;
    const int64_t size = 2 * cti_itemsize(f->dtype), last = l->ndim - 1;
    if (!cti_fft_smooth(f->length) || (f->kind != COMPLEX && f->n % 2) || l->count < 2)
        return false;
    bool beside = f->kind == COMPLEX && last >= 0 && l->shape[last] >= f->loops->lanes &&
                  (l->bstride[0][last] == size || l->bstride[1][last] == size);
    int64_t bytes = 2 * f->length * f->loops->atom;
    return algorithm == CTI_FFT_DIRECT || (beside && bytes <= BESIDE_BYTES) ||
           (algorithm == CTI_FFT_SPLIT && l->count >= f->loops->lanes &&
            bytes <= cti_cpu_inner_cache(2) / 4);
}

/* Divides the work among threads and sizes their workspace. */
static void share(struct fft *f)
{
    int64_t threads = cti_parallel_threads(), count = f->lines.count, lanes = f->loops->lanes;
    int64_t worth = (int64_t)((double)count * (double)f->n / GRAIN) + 1;
    threads = min64(threads, worth);
    f->inner = 1;
    if (f->blocks) {
        f->tasks = min64(threads, (count + lanes - 1) / lanes);
        f->bytes = 2 * (f->length + 1) * f->loops->atom;
        return;
    }
    f->tasks = min64(threads, count);
    if (count < threads && f->length >= LONG_LINE) {
        f->tasks = 1;
        f->inner = threads;
    }
    f->work = cti_fft_line_bytes(f->plan, f->inner);
    f->far = count * f->n * 2 * cti_itemsize(f->dtype) > cti_cpu_inner_cache(2);
    f->area = CTI_FFT_UP((f->n + 2) * 2 * cti_itemsize(f->dtype), 64);
    f->bytes = f->work + 4 * f->area;
}

static bool fft_run(struct fft *f)
{
    share(f);
    struct cti_block *block = cti_block_new(f->tasks * f->bytes);
    if (!block)
        return false;
    f->memory = block->address;
    if (f->blocks)
        cti_parallel_for(f->tasks, 1, do_blocks, f);
    else
        cti_parallel_for(f->tasks, 1, do_lines, f);
    cti_block_free(block);
    return true;
}

static bool one_dim(ct_tensor *out, ct_tensor *in, int64_t dim, bool inverse, double scale)
{
    bool narrow = out->dtype == CT_COMPLEX64 || out->dtype == CT_FLOAT32;
    struct fft f = {.inverse = inverse,
                    .scale = scale,
                    .dtype = narrow ? CT_FLOAT32 : CT_FLOAT64,
                    .in_count = in->shape[dim],
                    .out_count = out->shape[dim]};
    if (out->numel == 0)
        return true;
    f.kind = in->dtype < CT_COMPLEX64 ? REAL_IN : out->dtype < CT_COMPLEX64 ? REAL_OUT : COMPLEX;
    f.n = f.length = f.kind == REAL_IN ? f.in_count : f.out_count;
    f.loops = cti_fft_loops_for(f.dtype);
    f.in_step = in->stride[dim] * cti_itemsize(in->dtype);
    f.out_step = out->stride[dim] * cti_itemsize(out->dtype);
    cti_lines_begin(&f.lines, in->ndim, in->shape, (int)dim, CTI_NO_SKIP);
    cti_lines_add(&f.lines, in);
    cti_lines_add(&f.lines, out);
    if (f.kind == REAL_IN) {
        f.mirrored = f.out_count == f.n;
        f.out_count = f.n / 2 + 1;
    }
    if (f.kind != COMPLEX && f.n % 2 == 0) {
        f.length = f.n / 2;
        if (!(f.halves = cti_fft_plan_get(f.n, f.dtype, CTI_FFT_HALVES)))
            return false;
    }
    enum cti_fft_algorithm algorithm = cti_fft_algorithm_for(f.length, f.dtype);
    f.blocks = in_blocks(&f, algorithm);
    f.plan = cti_fft_plan_get(f.length, f.dtype, f.blocks ? CTI_FFT_DIRECT : algorithm);
    bool good = f.plan && fft_run(&f);
    cti_fft_plan_put(f.halves);
    cti_fft_plan_put(f.plan);
    return good;
}

/* The last pass applies the scale factor. */
enum cti_status cti_cpu_fft(struct cti_fft *work)
{
    ct_tensor *out = work->out, *in = work->in;
    ct_ints dim = work->dims;
    bool inverse = work->inverse;
    double scale = work->scale;
    for (int64_t i = dim.n - 1; i >= 0; i--, in = out)
        if (!one_dim(out, in, dim.v[i], inverse, i == 0 ? scale : 1))
            return false;
    return true;
}
