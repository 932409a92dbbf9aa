/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradient of the weights of Winograd's convolutions (winograd.h): for each position a product
 * of transformed gradients and transformed tiles, summed over all tiles. Long sums are cut into
 * parts by the shape alone; a part and a block of results are work for a thread. Called by
 * weight.c. */
#include "cpu/conv/winograd.h"
#include "cpu/conv/winograd_tiles.h"
#include "cpu/gemm/pack.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/parallel.h"

#include <stdatomic.h>

enum {
    WIDTH = 32,                       /* channels of a panel */
    LINE = POSITIONS * LANES + LANES, /* one channel's vector of tiles in the buffer */
    BLOCK_ROWS = 8,                   /* panels of results in a block */
    ITEMS = 32,                       /* to share out, where there are tiles enough */
    PART_TILES = 128,                 /* of a part at least */
    VECTORS_FEW = 8,                  /* vectors of tiles between two additions to sums ... */
    VECTORS_MANY = 16,                /* ... and where sums do not stay in a cache */
    MANY_SUMS = 1 << 14,
    WORKERS_MAX = 64
};

struct job {
    const struct cti_winograd *w;
    struct cti_winograd_grid grid;
    const struct cti_winograd_loops *loops;
    const struct cti_gemm_kernels *kernels;
    const struct cti_gemm_kernel *kernel;
    int64_t mr, rows, columns, width; /* panels of results, of channels, of those of all quarters */
    int64_t vectors, block, k;        /* of all tiles; of those taken at a time; tiles of these */
    int64_t parts, row_blocks, part;  /* vectors of a part */
    float *sums;                      /* part, position, result, channel */
    int64_t position, part_sums;
    char *scratch;
    int64_t scratch_each, rows_at, buffer_at;
    atomic_llong next;
    atomic_bool infinite;
};

/* Panels of one operand for one vector of tiles: `count` channels in panels of `width`, k of which
 * this vector fills LANES from `at` on. */
struct side {
    void (*transform)(float *to, int64_t step, const float *from,
                      const struct cti_winograd_run *run, int runs);
    const float *from;
    int64_t channel, count, width, position; /* position: from one to the next, elements */
};

static void fill_panels(const struct job *job, const struct side *s, float *to, int64_t at,
                        const struct cti_winograd_run *run, int runs, float *buffer)
{
    struct cti_gemm_side pack = {
        .dtype = CT_FLOAT32, .unit = CTI_UNIT_F32, .w_stride = LINE, .k_stride = 1, .k = LANES};
    for (int64_t c = 0; c < s->count; c += s->width, to += job->k * s->width) {
        int64_t count = s->count - c < s->width ? s->count - c : s->width;
        for (int64_t i = 0; i < count; i++)
            s->transform(buffer + i * LINE, LANES, s->from + (c + i) * s->channel, run, runs);
        for (int64_t x = 0; x < POSITIONS; x++) {
            pack.data = (const char *)(buffer + x * LANES);
            job->kernels->pack(&pack, to + x * s->position + at * s->width, (int)s->width, 0, count,
                               0, LANES);
        }
    }
}

/* Adds a block of tiles to the sums of results [row, row + rows). */
static void add_products(const struct job *job, const float *a, const float *b, float *sums,
                         int64_t rows, int64_t k, bool first, int64_t results)
{
    int64_t mr = job->mr, line = job->width * WIDTH;
    for (int64_t x = 0; x < POSITIONS; x++)
        for (int64_t c = 0; c < job->width; c++) {
            struct cti_winograd_quarter q =
                cti_winograd_quarter(job->w, &job->grid, c / job->columns);
            if (cti_winograd_is_void(&q, x))
                continue;
            for (int64_t r = 0; r < rows; r++) {
                int64_t left = results - r * mr;
                int64_t channels = job->w->channels - c % job->columns * WIDTH;
                job->kernel->run(
                    k, a + (x * rows + r) * job->k * mr, b + (x * job->width + c) * job->k * WIDTH,
                    sums + x * job->position + r * mr * line + c * WIDTH, line, !first,
                    (int)(left < mr ? left : mr), (int)(channels < WIDTH ? channels : WIDTH));
            }
        }
}

static void run_item(const struct job *job, char *scratch, int64_t item)
{
    const struct cti_winograd *w = job->w;
    int64_t part = item / job->row_blocks, row = item % job->row_blocks * BLOCK_ROWS;
    int64_t rows = job->rows - row < BLOCK_ROWS ? job->rows - row : BLOCK_ROWS, mr = job->mr;
    int64_t results = w->results - row * mr < rows * mr ? w->results - row * mr : rows * mr;
    int64_t begin = part * job->part, end = begin + job->part;
    end = end < job->vectors ? end : job->vectors;
    float *b = (float *)scratch, *a = (float *)(scratch + job->rows_at);
    float *buffer = (float *)(scratch + job->buffer_at);
    float *sums = job->sums + part * job->part_sums + row * mr * job->width * WIDTH;
    struct side image = {job->loops->input, w->input, w->in_channel,
                         w->channels,       WIDTH,    job->width * WIDTH * job->k};
    struct side grad = {
        job->loops->gradient, w->output + row * mr * w->out_channel, w->out_channel, results, mr,
        rows * mr * job->k};
    for (int64_t v = begin, count; v < end; v += count) {
        count = end - v < job->block ? end - v : job->block;
        if (cti_interrupted())
            return;
        for (int64_t i = 0; i < count; i++) {
            struct cti_winograd_run run[LANES];
            int runs = 0;
            for (int64_t quarter = 0; quarter < job->grid.quarters; quarter++) {
                struct cti_winograd_quarter q = cti_winograd_quarter(w, &job->grid, quarter);
                runs = cti_winograd_runs(w, &job->grid, &q, (v + i) * LANES, run);
                fill_panels(job, &image, b + quarter * job->columns * WIDTH * job->k, i * LANES,
                            run, runs, buffer);
            }
            fill_panels(job, &grad, a, i * LANES, run, runs, buffer);
        }
        add_products(job, a, b, sums, rows, count * LANES, v == begin, results);
    }
}

static void work(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    (void)end; /* whoever comes first takes what there is, for as many workers as it was given */
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (item >= job->parts * job->row_blocks || cti_interrupted())
            return;
        run_item(job, job->scratch + begin * job->scratch_each, item);
    }
}

/* G' u G of the sum u of all parts: one quarter of the taps of one result's weights. `from` is the
 * first position of the first channel. */
static bool finish_quarter(const struct job *job, const struct cti_winograd_quarter *q,
                           const float *from, float *to, int64_t channels)
{
    double u[POSITIONS][WIDTH] = {0};
    bool finite = true;
    for (int64_t p = 0; p < job->parts; p++, from += job->part_sums)
        for (int x = 0; x < POSITIONS; x++)
            for (int64_t c = 0; c < channels && !cti_winograd_is_void(q, x); c++)
                u[x][c] += (double)from[x * job->position + c];
    for (int64_t c = 0; c < channels; c++, to += job->w->w_channel) {
        double t[3][4];
        for (int x = 0; x < 4; x++) {
            t[0][x] = u[x][c] + 0.5 * (u[4 + x][c] + u[8 + x][c]);
            t[1][x] = 0.5 * (u[4 + x][c] - u[8 + x][c]);
            t[2][x] = 0.5 * (u[4 + x][c] + u[8 + x][c]) + u[12 + x][c];
        }
        for (int64_t y = 0; y < q->taps[0]; y++) {
            double middle = 0.5 * (t[y][1] + t[y][2]);
            double g[3] = {t[y][0] + middle, 0.5 * (t[y][1] - t[y][2]), middle + t[y][3]};
            for (int64_t x = 0; x < q->taps[1]; x++) {
                float rounded = (float)g[x];
                to[y * job->w->w_tap[0] + x * job->w->w_tap[1]] = rounded;
                finite = finite && rounded - rounded == 0;
            }
        }
    }
    return finite;
}

/* Panels of channels, result by result. */
static void finish(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    const struct cti_winograd *w = job->w;
    bool finite = true;
    for (int64_t at = begin; at < end; at++) {
        int64_t result = at / job->width, panel = at % job->width;
        int64_t channel = panel % job->columns * WIDTH, left = w->channels - channel;
        struct cti_winograd_quarter q = cti_winograd_quarter(w, &job->grid, panel / job->columns);
        float *to = w->weight + result * w->w_result + channel * w->w_channel +
                    q.first[0] * w->w_tap[0] + q.first[1] * w->w_tap[1];
        finite &= finish_quarter(job, &q, job->sums + at * WIDTH, to, left < WIDTH ? left : WIDTH);
    }
    if (!finite)
        atomic_store(&job->infinite, true);
}

static int64_t choose_parts(struct job *job)
{
    const struct cti_winograd *w = job->w;
    int64_t floats = (int64_t)sizeof(float), tiles = job->grid.tiles / PART_TILES;
    job->vectors = (job->grid.tiles + LANES - 1) / LANES;
    job->block = w->results * job->width * WIDTH < MANY_SUMS ? VECTORS_FEW : VECTORS_MANY;
    job->k = job->block * LANES;
    job->row_blocks = (job->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    job->parts = (ITEMS + job->row_blocks - 1) / job->row_blocks;
    job->parts = job->parts < tiles ? job->parts : tiles < 1 ? 1 : tiles;
    job->part = (job->vectors + job->parts - 1) / job->parts;
    job->parts = (job->vectors + job->part - 1) / job->part;
    job->position = job->rows * job->mr * job->width * WIDTH;
    job->part_sums = POSITIONS * job->position;
    job->rows_at = POSITIONS * job->width * WIDTH * job->k * floats;
    int64_t rows = job->rows < BLOCK_ROWS ? job->rows : BLOCK_ROWS;
    job->buffer_at = job->rows_at + POSITIONS * rows * job->mr * job->k * floats;
    job->scratch_each = job->buffer_at + WIDTH * LINE * floats;
    int64_t threads = cti_parallel_threads(), items = job->parts * job->row_blocks;
    threads = threads < WORKERS_MAX ? threads : WORKERS_MAX;
    return threads < items ? threads : items;
}

bool cti_winograd_weight(const struct cti_winograd *w, bool *done)
{
    struct job job = {.w = w,
                      .loops = cti_winograd_loops(),
                      .kernels = cti_gemm_kernels(),
                      .kernel = cti_winograd_kernel(),
                      .grid = cti_winograd_grid(w)};
    job.mr = job.kernel->mr;
    job.rows = (w->results + job.mr - 1) / job.mr;
    job.columns = (w->channels + WIDTH - 1) / WIDTH;
    job.width = job.columns * job.grid.quarters;
    int64_t workers = choose_parts(&job), sums = job.parts * job.part_sums * (int64_t)sizeof(float);
    struct cti_block *block = cti_block_new(sums + workers * job.scratch_each);
    if (!block)
        return false;
    job.sums = (float *)block->address;
    job.scratch = (char *)block->address + sums;
    atomic_init(&job.next, 0);
    atomic_init(&job.infinite, false);
    if (cti_parallel_for(workers, 1, work, &job))
        cti_parallel_for(w->results * job.width, 8, finish, &job);
    *done = !atomic_load(&job.infinite);
    cti_block_free(block);
    return true;
}
