/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradient of the weights by Winograd tiles (winograd.h): for each position a product of
 * transformed gradients and transformed inputs, summed over all tiles. Long sums are split into
 * parts by the shape alone; an item of work is one part of a block of outputs. Called by conv.c. */
#include "cpu/conv/winograd.h"
#include "cpu/conv/winograd_tiles.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/parallel.h"

#include <stdatomic.h>
#include <string.h>

enum {
    WIDTH = 32,       /* channels that are finished together */
    BLOCK_ROWS = 64,  /* outputs of an item, at most */
    ITEMS = 32,       /* items to aim at, if there are enough tiles */
    TILES_FEW = 128,  /* tiles of a part, at least ... */
    TILES_MANY = 256, /* ... if accumulators exceed the cache */
    MANY_SUMS = 1 << 14,
    VECTORS_MOST = 16, /* vectors of tiles between two additions to the accumulators, ... */
    VECTORS_WIDE = 8,  /* ... if there are more channels and outputs than WIDE */
    WIDE = 64,
    WORKERS_MAX = 64
};

struct job {
    const struct cti_winograd *w;
    struct cti_winograd_grid grid;
    const struct cti_winograd_loops *loops;
    int64_t rows, columns, width; /* outputs; channels; channels of all quarters; multiples of 4 */
    int64_t vectors, block;       /* vectors of tiles in all; in a block */
    int64_t step, next_b, next_a; /* channel stride; position strides */
    int64_t parts, row_blocks, part; /* vectors of a part */
    float *sums;                     /* part, position, output, channel */
    int64_t position, part_sums;
    char *scratch;
    int64_t scratch_each, rows_at;
    atomic_llong next;
    atomic_bool infinite;
};

/* Adds the products of a block of transformed tiles: b has a row for each channel, a for each
 * output. */
static void add_products(const struct job *job, const float *a, const float *b, float *sums,
                         int64_t rows, int64_t vectors, bool first)
{
    int64_t step = job->step;
    for (int64_t x = 0; x < POSITIONS; x++)
        for (int64_t c0 = 0; c0 < job->width; c0 += LANES) { /* a block that fits L1 */
            int64_t end = c0 + LANES < job->width ? c0 + LANES : job->width;
            for (int64_t r = 0; r < rows; r += 4)
                for (int64_t c = c0; c < end; c += 4) {
                    struct cti_winograd_quarter q =
                        cti_winograd_quarter(job->w, &job->grid, c / job->columns);
                    if (!cti_winograd_is_void(&q, x))
                        job->loops->dots(a + x * job->next_a + r * step,
                                         b + x * job->next_b + c * step, step, vectors,
                                         sums + x * job->position + r * job->width + c, job->width,
                                         !first);
                }
        }
}

/* Transforms one vector of tiles, for all channels and for outputs [row, row + rows). */
static void transform(const struct job *job, float *a, float *b, int64_t row, int64_t rows,
                      int64_t vector)
{
    const struct cti_winograd *w = job->w;
    struct cti_winograd_run run[LANES];
    int runs = 0;
    for (int64_t i = 0; i < job->grid.quarters; i++) {
        struct cti_winograd_quarter q = cti_winograd_quarter(w, &job->grid, i);
        runs = cti_winograd_runs(w, &job->grid, &q, vector * LANES, run);
        for (int64_t c = 0; c < w->channels; c++)
            job->loops->input(b + (i * job->columns + c) * job->step, job->next_b,
                              w->input + c * w->in_channel, CTI_WINOGRAD_AHEAD * w->in_channel, run,
                              runs);
    }
    for (int64_t r = 0; r < rows && row + r < w->results; r++)
        job->loops->gradient(a + r * job->step, job->next_a, w->output + (row + r) * w->out_channel,
                             CTI_WINOGRAD_AHEAD * w->out_channel, run, runs);
}

static void weight_item(const struct job *job, char *scratch, int64_t item)
{
    int64_t part = item / job->row_blocks, row = item % job->row_blocks * BLOCK_ROWS;
    int64_t rows = job->rows - row < BLOCK_ROWS ? job->rows - row : BLOCK_ROWS;
    int64_t begin = part * job->part, end = begin + job->part;
    end = end < job->vectors ? end : job->vectors;
    float *b = (float *)scratch, *a = (float *)(scratch + job->rows_at);
    float *sums = job->sums + part * job->part_sums + row * job->width;
    memset(scratch, 0, (size_t)job->scratch_each); /* zeroes the padding of channels and outputs */
    for (int64_t v = begin, count; v < end; v += count) {
        count = end - v < job->block ? end - v : job->block;
        if (cti_interrupted())
            return;
        for (int64_t i = 0; i < count; i++)
            transform(job, a + i * LANES, b + i * LANES, row, rows, v + i);
        add_products(job, a, b, sums, rows, count, v == begin);
    }
}

static void weight_work(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    (void)end; /* dynamic scheduling; `begin` names this worker's scratch */
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (item >= job->parts * job->row_blocks || cti_interrupted())
            return;
        weight_item(job, job->scratch + begin * job->scratch_each, item);
    }
}

/* G^T u G of the sum u of all parts: one quarter of the taps of one output's weights. `from` is the
 * first position of the first channel. */
static bool finish_quarter(const struct job *job, const struct cti_winograd_quarter *q,
                           const float *from, float *to, int64_t channels)
{
    double u[POSITIONS][WIDTH] = {0};
    bool finite = true;
    for (int x = 0; x < POSITIONS; x++)
        if (!cti_winograd_is_void(q, x))
            job->loops->add_up(u[x], from + x * job->position, job->part_sums, job->parts,
                               channels);
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

/* Finishes some channels of a quarter, output by output. */
static void finish_weights(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    const struct cti_winograd *w = job->w;
    int64_t each = (w->channels + WIDTH - 1) / WIDTH, all = each * job->grid.quarters;
    bool finite = true;
    for (int64_t at = begin; at < end; at++) {
        int64_t result = at / all, quarter = at % all / each, channel = at % each * WIDTH;
        int64_t count = w->channels - channel < WIDTH ? w->channels - channel : WIDTH;
        struct cti_winograd_quarter q = cti_winograd_quarter(w, &job->grid, quarter);
        float *to = w->weight + result * w->w_result + channel * w->w_channel +
                    q.first[0] * w->w_tap[0] + q.first[1] * w->w_tap[1];
        finite &= finish_quarter(
            job, &q, job->sums + result * job->width + quarter * job->columns + channel, to, count);
    }
    if (!finite)
        atomic_store(&job->infinite, true);
}

static int64_t weight_parts(struct job *job)
{
    const struct cti_winograd *w = job->w;
    int64_t floats = (int64_t)sizeof(float);
    bool many = w->results * job->width >= MANY_SUMS;
    int64_t tiles = job->grid.tiles / (many ? TILES_MANY : TILES_FEW);
    job->vectors = (job->grid.tiles + LANES - 1) / LANES;
    job->block = w->results + job->width > WIDE ? VECTORS_WIDE : VECTORS_MOST;
    /* Padded by a cache line, since positions and channels would fall into the same cache sets
     * otherwise. */
    job->step = job->block * LANES + LANES;
    job->row_blocks = (job->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    job->parts = (ITEMS + job->row_blocks - 1) / job->row_blocks;
    job->parts = job->parts < tiles ? job->parts : tiles < 1 ? 1 : tiles;
    job->part = (job->vectors + job->parts - 1) / job->parts;
    job->parts = (job->vectors + job->part - 1) / job->part;
    job->position = job->rows * job->width;
    job->part_sums = POSITIONS * job->position;
    int64_t rows = job->rows < BLOCK_ROWS ? job->rows : BLOCK_ROWS;
    job->next_b = job->width * job->step + LANES;
    job->next_a = rows * job->step + LANES;
    job->rows_at = POSITIONS * job->next_b * floats;
    job->scratch_each = job->rows_at + POSITIONS * job->next_a * floats;
    int64_t threads = cti_parallel_threads(), items = job->parts * job->row_blocks;
    threads = threads < WORKERS_MAX ? threads : WORKERS_MAX;
    return threads < items ? threads : items;
}

bool cti_winograd_weight(const struct cti_winograd *w, bool *done)
{
    struct job job = {.w = w, .loops = cti_winograd_loops(), .grid = cti_winograd_grid(w)};
    job.rows = (w->results + 3) / 4 * 4;
    job.columns = (w->channels + 3) / 4 * 4;
    job.width = job.columns * job.grid.quarters;
    int64_t workers = weight_parts(&job);
    int64_t sums = (job.parts * job.part_sums * (int64_t)sizeof(float) + 63) / 64 * 64;
    struct cti_block *block = cti_block_new(sums + workers * job.scratch_each);
    if (!block)
        return false;
    job.sums = (float *)block->address;
    job.scratch = (char *)block->address + sums;
    atomic_init(&job.next, 0);
    atomic_init(&job.infinite, false);
    int64_t lines = w->results * job.grid.quarters * ((w->channels + WIDTH - 1) / WIDTH);
    if (cti_parallel_for(workers, 1, weight_work, &job))
        cti_parallel_for(lines, 8, finish_weights, &job);
    *done = !atomic_load(&job.infinite);
    cti_block_free(block);
    return true;
}
