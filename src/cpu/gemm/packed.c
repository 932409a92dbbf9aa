/* SPDX-License-Identifier: BSD-3-Clause */
/* GEMM after Goto and van de Geijn (Anatomy of high-performance matrix multiplication, 2008):
 * blocks of B in the outer caches, blocks of A in the inner ones, both packed into panels (pack.c),
 * and a micro-kernel (simd/) whose accumulators stay in registers. The result is divided into
 * tiles, which are scheduled dynamically. Each element is always summed in the same order, k block
 * by k block, so the tiling may depend on the number of threads. Called by gemm.c; data types are
 * handled in pack.h.
 *
 * Note [Shared panels]: if each thread packs for its own tile, the same elements are packed
 * repeatedly: with 16 threads, eight times, which took a fifth of the time of a 1024 by 256 by 1024
 * product. So if several tiles share panels, all threads first pack each panel once, and a second
 * parallel region multiplies. Panels that exceed a share of the last-level cache are made in rounds
 * of a few k blocks; if not even one k block fits, tiles are large and each thread packs its own
 * panels. */
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/pack.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/small.h"
#include "core/tensor.h"

#include <stdatomic.h>

enum {
    TILE_K = 16,            /* AMX: units of k at a time */
    WIDE_TILE = 1024,       /* sides of a tile with separate float32 accumulators */
    STACK_BYTES = 24 << 10, /* small products need no allocation */
    WORKERS_MAX = 64,
    SHARED_GAIN = 12 << 10, /* units saved per thread that are worth a second parallel region */
    PACK_UNITS = 8 << 10,   /* units that a thread packs at a time, ... */
    PACK_RUN = 48,          /* ... in runs of memory of at least this many */
    CUTS_MOST = 48,         /* column splits that are tried */
    BIAS_ROWS = 160         /* rows of a block, with a bias for each row */
};
#define WORK_ALONE 4e5 /* flops that are not worth a second thread */

struct job {
    const struct cti_gemm *g;
    struct cti_gemm_im2col im2col; /* of a plain product: one part, nothing gathered */
    const struct cti_gemm_kernels *kernels;
    const struct cti_gemm_kernel *kernel; /* one of them */
    enum cti_gemm_unit unit;
    int64_t size;        /* bytes of a unit */
    int64_t m, n, k;     /* in units */
    bool tiles;          /* the kernel is AMX's */
    int64_t per_element; /* units of a result row for one element: 2 for complex */
    int64_t block_m, block_n, block_k;
    int64_t tile_m, tile_n, tiles_m, tiles_n;
    bool wide; /* a tile accumulates in float32 across k blocks before it is rounded */
    int workers;
    int64_t items, chunk; /* tiles of all matrices; tiles that a thread takes at a time */
    char *scratch;
    int64_t scratch_each, b_at, wide_at;
    atomic_llong next;
    /* Shared panels: A then B, matrix by matrix, k block by k block. */
    bool shared;
    int64_t k_begin, k_end, k_round; /* units of k being multiplied; in a round */
    int64_t a_each, b_each;          /* bytes of one matrix */
    int64_t a_count, b_count;        /* matrices: 1 if the batch shares one */
    int64_t a_group, b_group;        /* panels packed at a time, */
    int64_t a_groups, b_groups;      /* and how many times, for one k block of one matrix */
};

/* The smallest multiple of `step` that cuts x into as few pieces as `most` would. */
static int64_t even_cut(int64_t x, int64_t most, int64_t step)
{
    return round_up(ceil_div(x, ceil_div(x, most)), step);
}

static bool has_pairs(void)
{
    if (cti_gemm_tiles())
        return true;
#if defined(__x86_64__)
    return cti_gemm_kernels()->unit[CTI_UNIT_PAIR].mr && __builtin_cpu_supports("avx512bf16");
#else
    return false;
#endif
}

static enum cti_gemm_unit unit_of(enum ct_dtype dtype)
{
    switch (dtype) {
    case CT_UINT8:
    case CT_INT8:
    case CT_INT16:
    case CT_UINT16:
    case CT_INT32:
    case CT_UINT32:
        return CTI_UNIT_U32;
    case CT_INT64:
    case CT_UINT64:
        return CTI_UNIT_U64;
    case CT_BFLOAT16:
        return has_pairs() ? CTI_UNIT_PAIR : CTI_UNIT_F32;
    case CT_FLOAT64:
    case CT_COMPLEX128:
        return CTI_UNIT_F64;
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
    case CT_FLOAT16:
    case CT_FLOAT32:
    case CT_COMPLEX64:
    case CT_COMPLEX32:
    case CT_NO_DTYPE:
    case CT_BOOL:
    case CT_DTYPE_COUNT:
        break;
    }
    return CTI_UNIT_F32;
}

/* Whether a kernel may write accumulators straight into the result. */
static bool is_plain(enum ct_dtype dtype)
{
    return cti_itemsize(dtype) >= 4;
}

static void packed_describe(struct job *job, const struct cti_gemm *g,
                            const struct cti_gemm_im2col *im2col)
{
    bool complex = g->dtype == CT_COMPLEX64 || g->dtype == CT_COMPLEX128;
    bool half = g->dtype == CT_FLOAT16 || g->dtype == CT_BFLOAT16;
    job->g = g;
    job->im2col =
        im2col ? *im2col : (struct cti_gemm_im2col){.groups = g->batch, .c_dtype = g->dtype};
    job->unit = unit_of(g->dtype);
    job->kernels = cti_gemm_kernels();
    job->tiles = job->unit == CTI_UNIT_PAIR && cti_gemm_tiles();
    job->kernel = job->tiles ? cti_gemm_tiles() : &job->kernels->unit[job->unit];
    job->size = job->unit == CTI_UNIT_F64 || job->unit == CTI_UNIT_U64 ? 8 : 4;
    job->per_element = complex ? 2 : 1;
    job->m = g->m;
    job->n = g->n * job->per_element;
    job->k = job->unit == CTI_UNIT_PAIR ? (g->k + 1) / 2 : g->k * job->per_element;
    /* Narrow integers may be cut in k like wide ones: wrap-around is associative. */
    if (job->tiles)
        job->k = round_up(job->k, TILE_K);
    const struct cti_gemm_limits *limits = cti_gemm_limits();
    job->block_k =
        even_cut(job->k, (job->tiles ? limits->tiles_k_bytes : limits->k_bytes) / job->size,
                 job->tiles ? TILE_K : 4);
    job->wide = half && job->k > job->block_k;
}

static void packed_tiles(struct job *job)
{
    const struct cti_gemm_kernel *kernel = job->kernel;
    double work = 2.0 * (double)job->m * (double)job->n * (double)job->k;
    double all = work * (double)job->g->batch;
    int threads = all < 2 * WORK_ALONE ? 1 : cti_parallel_threads();
    job->workers = threads < WORKERS_MAX ? threads : WORKERS_MAX;
    int64_t most = job->wide ? WIDE_TILE : INT64_MAX / 2;
    job->tile_m = round_up(min64(job->m, most), kernel->mr);
    job->tile_n = round_up(min64(job->n, most), kernel->nr);
    for (;;) {
        job->tiles_m = (job->m + job->tile_m - 1) / job->tile_m;
        job->tiles_n = (job->n + job->tile_n - 1) / job->tile_n;
        double one = work / (double)(job->tiles_m * job->tiles_n);
        job->items = job->tiles_m * job->tiles_n * job->g->batch;
        /* A few tiles for each thread balance the load. */
        if (job->workers == 1 || job->items >= 4 * job->workers || one < 2 * WORK_ALONE)
            break;
        if (job->tile_m >= job->tile_n && job->tile_m > kernel->mr)
            job->tile_m = round_up(job->tile_m / 2, kernel->mr);
        else if (job->tile_n > kernel->nr)
            job->tile_n = round_up(job->tile_n / 2, kernel->nr);
        else
            break;
    }
    job->workers = (int)min64(job->workers, job->items);
    double chunk = WORK_ALONE / (all / (double)job->items);
    job->chunk = chunk < 1 ? 1 : min64((int64_t)chunk, job->items / (2 * job->workers) + 1);
}

/* Chooses tiles of full panels, a few for each thread, that keep all threads busy to the end. The
 * cost of a tile is its flops plus streaming its panels from the outer caches, 4 flops a unit. */
static void choose_even_tiles(struct job *job)
{
    int64_t mr = job->kernel->mr, nr = job->kernel->nr, batch = job->g->batch;
    int64_t panels_m = ceil_div(job->m, mr), panels_n = ceil_div(job->n, nr);
    double work = 2.0 * (double)job->m * (double)job->n * (double)job->k;
    double most = work * (double)batch / WORK_ALONE, best = 0;
    int64_t want = 4 * job->workers < most ? 4 * job->workers : (int64_t)most, last = 0;
    for (int64_t cut = 1; cut <= min64(panels_n, CUTS_MOST); cut++) {
        int64_t n = ceil_div(panels_n, cut), tiles_n = ceil_div(panels_n, n);
        if (n == last)
            continue;
        last = n;
        int64_t cut_m = ceil_div(want, tiles_n * batch);
        for (int64_t more = 0; more < 3 && cut_m + more <= panels_m; more++) {
            int64_t m = ceil_div(panels_m, cut_m + more), tiles_m = ceil_div(panels_m, m);
            int64_t rounds = ceil_div(tiles_m * tiles_n * batch, job->workers);
            double cost = (double)rounds * (double)(m * mr * n * nr + 4 * (m * mr + n * nr));
            if (best != 0 && cost >= best)
                continue;
            best = cost;
            job->tile_m = m * mr;
            job->tile_n = n * nr;
            job->tiles_m = tiles_m;
            job->tiles_n = tiles_n;
        }
    }
    job->items = job->tiles_m * job->tiles_n * batch;
    job->chunk = 1;
}

/* Whether panels are packed once for all; see Note [Shared panels]. */
static void choose_sharing(struct job *job)
{
    const struct cti_gemm *g = job->g;
    int64_t mr = job->kernel->mr, nr = job->kernel->nr;
    int64_t rows = round_up(job->m, mr), cols = round_up(job->n, nr);
    bool same = !job->im2col.a && !job->im2col.b;
    job->k_end = job->k;
    if (job->workers == 1 || job->tiles_m * job->tiles_n == 1)
        return;
    job->a_count = same && g->a_batch == 0 ? 1 : g->batch;
    job->b_count = same && g->b_batch == 0 ? 1 : g->batch;
    double once = (double)rows * (double)job->a_count + (double)cols * (double)job->b_count;
    double apart = (double)(job->tile_m + job->tile_n) * (double)job->items;
    double fits = (double)cti_gemm_limits()->shared_bytes / (once * (double)job->size);
    if ((apart - once) * (double)job->k < (double)SHARED_GAIN * job->workers ||
        apart < once * 5 / 4 || /* A is small, and packed B would be read only once */
        fits < (double)(job->wide ? job->k : job->block_k))
        return;
    job->shared = true;
    job->k_round = fits < (double)job->k ? (int64_t)fits / job->block_k * job->block_k : job->k;
    job->a_each = round_up(rows * job->k_round * job->size, 64);
    job->b_each = round_up(cols * job->k_round * job->size, 64);
    job->a_group = (PACK_UNITS / job->block_k + PACK_RUN) / mr + 1;
    job->b_group = (PACK_UNITS / job->block_k + PACK_RUN) / nr + 1;
    job->a_groups = ceil_div(rows / mr, job->a_group);
    job->b_groups = ceil_div(cols / nr, job->b_group);
    if (!job->wide)
        choose_even_tiles(job);
}

static void packed_blocks(struct job *job)
{
    const struct cti_gemm_kernel *kernel = job->kernel;
    int64_t row_bytes = job->block_k * job->size;
    bool spread = job->g->bias && job->g->bias_col == 0; /* blocks of at most BIAS_ROWS rows */
    int64_t most = cti_gemm_limits()->a_bytes / row_bytes;
    most = spread ? min64(most, BIAS_ROWS - CTI_GEMM_MR_MAX) : most;
    job->block_m = even_cut(min64(job->tile_m, job->m), most, kernel->mr);
    job->block_n =
        even_cut(min64(job->tile_n, job->n), cti_gemm_limits()->b_bytes / row_bytes, kernel->nr);
    job->b_at = job->shared ? 0 : round_up(job->block_m * row_bytes, 64);
    job->wide_at = job->shared ? 0 : job->b_at + round_up(job->block_n * row_bytes, 64);
    job->scratch_each = job->wide_at + (job->wide ? job->tile_m * job->tile_n * 4 : 0);
}

/* The offset of a position, and the length of the row from there on. */
static int64_t offset_of(const struct cti_gemm_positions *p, int64_t position, int64_t *run)
{
    int64_t p2 = position % p->grid[2], rest = position / p->grid[2];
    int64_t p1 = rest % p->grid[1], p0 = rest / p->grid[1] % p->grid[0];
    int64_t image = rest / p->grid[1] / p->grid[0];
    *run = p->grid[2] - p2;
    return image * p->image_stride + p0 * p->stride[0] + p1 * p->stride[1] + p2 * p->stride[2];
}

/* Stores accumulators from (i, j) on; the target may be scattered over positions. */
static void store(const struct job *job, struct cti_gemm_target target, int64_t i, int64_t j,
                  int64_t rows, int64_t cols, const char *sums, int64_t sum_row)
{
    int64_t size = cti_itemsize(target.dtype), run;
    char *c = target.c;
    if (target.cols) {
        for (int64_t done = 0; done < cols; done += run) {
            target.c = c + offset_of(target.cols, j + done, &run) * size;
            run = min64(run, cols - done);
            job->kernels->store(&target, i, 0, rows, run,
                                sums + done * job->per_element * job->size, sum_row);
        }
    } else if (target.rows) {
        for (int64_t done = 0; done < rows; done += run) {
            target.c = c + offset_of(target.rows, i + done, &run) * size;
            run = min64(run, rows - done);
            job->kernels->store(&target, 0, j, run, cols, sums + done * sum_row * job->size,
                                sum_row);
        }
    } else {
        job->kernels->store(&target, i, j, rows, cols, sums, sum_row);
    }
}

/* The address where a kernel may write directly; NULL: the tile is not contiguous. */
static char *tile_address(const struct cti_gemm_target *target, int64_t size, int64_t row,
                          int64_t i, int64_t j, int64_t cols)
{
    int64_t run;
    if (!target->cols)
        return target->c + (i * row + j) * size;
    int64_t at = offset_of(target->cols, j, &run);
    return run < cols ? NULL : target->c + (i * row + at) * size;
}

/* A float32 bias as the micro-kernel adds it: a vector of columns, rows `from_row` apart. A bias
 * for each row is expanded to a tile, for as many rows as fit. */
struct bias {
    const float *numbers;
    int64_t col, row;
    float spread[BIAS_ROWS * CTI_GEMM_NR_MAX];
};

static void prepare_bias(struct bias *b, const struct cti_gemm_target *target, int64_t i0,
                         int64_t m, int nr)
{
    b->numbers = (const float *)target->bias;
    b->col = target->bias_col;
    b->row = target->bias_row;
    if (!b->numbers || b->col)
        return;
    for (int64_t i = 0; i < m; i++)
        for (int j = 0; j < nr; j++)
            b->spread[i * nr + j] = b->numbers[(i0 + i) * b->row];
    b->numbers = b->spread;
    b->row = nr;
}

/* Whether prepare_bias can handle it. */
static bool is_simple_bias(const struct cti_gemm_target *target, int64_t m)
{
    return !target->bias || (target->bias_col == 1 && target->bias_row == 0) ||
           (target->bias_col == 0 && m <= BIAS_ROWS);
}

/* The macro-kernel: one block of A times one block of B. i0, j0: in the target, in units. */
static void multiply_block(const struct job *job, const struct cti_gemm_target *target,
                           const char *a, const char *b, int64_t i0, int64_t j0, int64_t m,
                           int64_t n, int64_t k)
{
    const struct cti_gemm_kernel *kernel = job->kernel;
    int mr = kernel->mr, nr = kernel->nr;
    int64_t per = job->per_element, row = target->row * per;
    bool plain = is_plain(target->dtype) && target->col == 1 && target->alpha[0] == 1 &&
                 target->alpha[1] == 0 && target->beta[1] == 0 && !target->rows &&
                 (per == 1 || !target->cols) && (!target->bias || target->dtype == CT_FLOAT32) &&
                 is_simple_bias(target, m);
    bool add = target->beta[0] == 1;
    plain = plain && (add || target->beta[0] == 0);
    _Alignas(64) char sums[CTI_GEMM_MR_MAX * CTI_GEMM_NR_MAX * 4];
    struct bias bias;
    if (plain)
        prepare_bias(&bias, target, i0, m, nr);
    for (int64_t j = 0; j < n; j += nr) {
        int cols = (int)min64(nr, n - j);
        for (int64_t i = 0; i < m; i += mr) {
            int rows = (int)min64(mr, m - i);
            const char *pa = a + i * k * job->size, *pb = b + j * k * job->size;
            char *c = plain && rows % 2 == 0 && (cols == nr || cols == nr / 2)
                          ? tile_address(target, job->size, row, i0 + i, j0 + j, cols)
                          : NULL;
            if (c && bias.numbers) {
                const float *from = bias.col ? bias.numbers + j0 + j : bias.numbers + i * nr;
                kernel->run(k, pa, pb, c, row, from, bias.row, rows, cols);
            } else if (c) {
                kernel->run(k, pa, pb, c, row, add ? c : NULL, row, rows, cols);
            } else {
                kernel->run(k, pa, pb, sums, nr, NULL, 0, rows, cols);
                store(job, *target, i0 + i, (j0 + j) / per, rows, cols / per, sums, nr);
            }
        }
    }
}

/* The panels of one operand from (w0, p) on: shared ones, or packed now. */
static const char *panels_of(const struct job *job, const struct cti_gemm_side *side, int width,
                             const char *shared, char *scratch, int64_t all, int64_t w0, int64_t w,
                             int64_t p, int64_t kb)
{
    if (job->shared)
        return shared + ((p - job->k_begin) * round_up(all, width) + w0 * kb) * job->size;
    job->kernels->pack(side, scratch, width, w0, w, p, kb);
    return scratch;
}

/* The two operands of a tile, and their panels if they are shared. */
struct sides {
    struct cti_gemm_side a, b;
    const char *panels_a, *panels_b;
};

/* A tile: rows [i0, i0 + m) and columns [j0, j0 + n) of the product, into target from (ti, tj). */
static void multiply_tile(const struct job *job, char *scratch, const struct sides *sides,
                          struct cti_gemm_target target, int64_t i0, int64_t j0, int64_t m,
                          int64_t n, int64_t ti, int64_t tj)
{
    const struct cti_gemm_kernel *kernel = job->kernel;
    double beta[2] = {target.beta[0], target.beta[1]};
    const char *bias = target.bias;
    for (int64_t j = 0; j < n; j += job->block_n) {
        int64_t nb = min64(job->block_n, n - j);
        for (int64_t p = job->k_begin; p < job->k_end; p += job->block_k) {
            int64_t kb = min64(job->block_k, job->k - p);
            target.beta[0] = p ? 1 : beta[0];
            target.beta[1] = p ? 0 : beta[1];
            target.bias = p ? NULL : bias;
            if ((p || j) && cti_interrupted())
                return;
            const char *b = panels_of(job, &sides->b, kernel->nr, sides->panels_b,
                                      scratch + job->b_at, job->n, j0 + j, nb, p, kb);
            for (int64_t i = 0; i < m; i += job->block_m) {
                int64_t mb = min64(job->block_m, m - i);
                const char *a = panels_of(job, &sides->a, kernel->mr, sides->panels_a, scratch,
                                          job->m, i0 + i, mb, p, kb);
                multiply_block(job, &target, a, b, ti + i, tj + j, mb, nb, kb);
            }
        }
    }
}

/* The operands of one matrix of the batch, which counts parts too. */
static struct sides sides_of(const struct job *job, int64_t batch)
{
    const struct cti_gemm *g = job->g;
    const struct cti_gemm_im2col *e = &job->im2col;
    int64_t size = cti_itemsize(g->dtype), part = batch / e->groups;
    struct sides s = {.a = {.dtype = g->dtype, .unit = job->unit, .k = g->k, .conj = g->conj_a},
                      .b = {.dtype = g->dtype, .unit = job->unit, .k = g->k, .conj = g->conj_b},
                      .panels_a = job->scratch + (job->a_count == 1 ? 0 : batch) * job->a_each,
                      .panels_b = job->scratch + job->a_count * job->a_each +
                                  (job->b_count == 1 ? 0 : batch) * job->b_each};
    batch = batch % e->groups;
    s.a.data = (const char *)g->a + (batch * g->a_batch + part * e->a_part) * size;
    s.a.w_stride = g->a_row;
    s.a.k_stride = g->a_col;
    s.a.gather = e->a;
    s.b.data = (const char *)g->b + (batch * g->b_batch + part * e->b_part) * size;
    s.b.w_stride = g->b_col;
    s.b.k_stride = g->b_row;
    s.a.tiles = job->tiles;
    s.b.expand = job->per_element == 2;
    s.b.gather = e->b;
    s.a.images = s.b.images = e->images - part * e->part_images;
    return s;
}

/* Packs the `group`-th group of panels of one k block of one matrix. */
static void pack_group(const struct job *job, bool is_b, int64_t matrix, int64_t p, int64_t group)
{
    struct sides s = sides_of(job, matrix);
    int width = is_b ? job->kernel->nr : job->kernel->mr;
    int64_t all = is_b ? job->n : job->m;
    int64_t step = (is_b ? job->b_group : job->a_group) * width, w0 = group * step;
    int64_t kb = min64(job->block_k, job->k - p);
    int64_t at = (p - job->k_begin) * round_up(all, width) + w0 * kb;
    char *panels = (char *)(is_b ? s.panels_b : s.panels_a) + at * job->size;
    job->kernels->pack(is_b ? &s.b : &s.a, panels, width, w0, min64(step, all - w0), p, kb);
}

static void pack_groups(void *context, int64_t begin, int64_t end)
{
    const struct job *job = context;
    int64_t blocks = ceil_div(job->k_end - job->k_begin, job->block_k);
    int64_t of_a = job->a_count * blocks * job->a_groups;
    for (int64_t i = begin; i < end && (i == begin || !cti_interrupted()); i++) {
        bool is_b = i >= of_a;
        int64_t groups = is_b ? job->b_groups : job->a_groups, at = is_b ? i - of_a : i;
        pack_group(job, is_b, at / groups / blocks,
                   job->k_begin + at / groups % blocks * job->block_k, at % groups);
    }
}

static void packed_item(const struct job *job, char *scratch, int64_t item)
{
    const struct cti_gemm *g = job->g;
    int64_t tile_j = item % job->tiles_n, tile_i = item / job->tiles_n % job->tiles_m;
    int64_t batch = item / (job->tiles_n * job->tiles_m), size = cti_itemsize(g->dtype);
    int64_t i0 = tile_i * job->tile_m, j0 = tile_j * job->tile_n;
    int64_t m = min64(job->tile_m, job->m - i0), n = min64(job->tile_n, job->n - j0);
    const struct cti_gemm_im2col *e = &job->im2col;
    int64_t part = batch / e->groups, c_size = cti_itemsize(e->c_dtype);
    struct sides sides = sides_of(job, batch);
    batch = batch % e->groups;
    struct cti_gemm_target target = {
        .dtype = e->c_dtype,
        .c = (char *)g->c + (batch * g->c_batch + part * e->c_part) * c_size,
        .row = g->c_row,
        .col = g->c_col,
        .alpha = {g->alpha[0], g->alpha[1]},
        .beta = {g->beta[0], g->beta[1]},
        .bias = g->bias ? (const char *)g->bias + batch * g->bias_batch * size : NULL,
        .bias_row = g->bias_row,
        .bias_col = g->bias_col,
        .rows = e->rows,
        .cols = e->cols};
    if (job->wide) {
        char *sums = scratch + job->wide_at;
        struct cti_gemm_target wide = {CT_FLOAT32, sums, job->tile_n, 1, .alpha = {1, 0}};
        multiply_tile(job, scratch, &sides, wide, i0, j0, m, n, 0, 0);
        store(job, target, i0, j0, m, n, sums, job->tile_n);
    } else {
        multiply_tile(job, scratch, &sides, target, i0, j0, m, n, i0, j0);
    }
}

static void packed_work(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    int64_t shared = job->shared ? job->a_count * job->a_each + job->b_count * job->b_each : 0;
    char *scratch = job->scratch + shared + begin * job->scratch_each;
    (void)end; /* dynamic scheduling; `begin` names this worker's scratch */
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&job->next, job->chunk, memory_order_relaxed);
        if (item >= job->items || cti_interrupted())
            return;
        for (int64_t last = min64(item + job->chunk, job->items); item < last; item++)
            packed_item(job, scratch, item);
    }
}

static void run_shared(struct job *job)
{
    for (job->k_begin = 0; job->k_begin < job->k; job->k_begin = job->k_end) {
        job->k_end = min64(job->k_begin + job->k_round, job->k);
        int64_t blocks = ceil_div(job->k_end - job->k_begin, job->block_k);
        int64_t groups = job->a_count * job->a_groups + job->b_count * job->b_groups;
        atomic_store_explicit(&job->next, 0, memory_order_relaxed);
        if (!cti_parallel_for(blocks * groups, 1, pack_groups, job) ||
            !cti_parallel_for(job->workers, 1, packed_work, job))
            return;
    }
}

bool cti_gemm_packed(const struct cti_gemm *g, const struct cti_gemm_im2col *im2col)
{
    struct job job = {0};
    packed_describe(&job, g, im2col);
    packed_tiles(&job);
    choose_sharing(&job);
    packed_blocks(&job);
    atomic_init(&job.next, 0);
    int64_t bytes = job.scratch_each * job.workers;
    _Alignas(64) char small[STACK_BYTES];
    if (bytes <= STACK_BYTES && !job.shared) {
        job.scratch = small;
        cti_parallel_for(job.workers, 1, packed_work, &job);
        return true;
    }
    if (job.shared)
        bytes += job.a_count * job.a_each + job.b_count * job.b_each;
    struct cti_block *block = cti_block_new(bytes);
    if (!block)
        return false;
    job.scratch = block->address;
    if (job.shared)
        run_shared(&job);
    else
        cti_parallel_for(job.workers, 1, packed_work, &job);
    cti_block_free(block);
    return true;
}
