/* SPDX-License-Identifier: BSD-3-Clause */
/* Winograd convolution, forward (winograd.h, Note [Winograd tiles]): divides the work into blocks
 * of tiles and of output channels, and calls the transforms (simd/winograd.c) and the micro-kernels
 * on cached data. Each output is summed over channels in order, for any blocks, so blocks may
 * depend on the number of threads and on the processor's caches. Called by conv.c. */
#include "cpu/conv/winograd.h"
#include "cpu/conv/winograd_tiles.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/parallel.h"

#include <stdatomic.h>

enum {
    PANELS_MOST = 4,    /* panels of tiles in a block, at most */
    ROWS_MOST = 4,      /* weight panels between two output transforms */
    RESULTS_LEAST = 64, /* outputs of a block: fewer would repeat the input transform too often */
    CHANNELS = 64,      /* channels of one accumulation: longer sums would lose accuracy */
    /* For one output channel and one panel of tiles; padded against cache set conflicts. */
    SUM = POSITIONS * 32 + 16,
    WORKERS_MAX = 64
};

struct job {
    const struct cti_winograd *w;
    struct cti_winograd_grid grid;
    const struct cti_winograd_loops *loops;
    const struct cti_gemm_kernel *kernel;
    int64_t k;                  /* channels times quarters */
    float *weights;             /* transformed, as [position][panel of outputs][k][output] */
    int64_t mr, rows, position; /* outputs in a panel; panels; position stride */
    int64_t step;               /* position stride in a panel of tiles */
    int64_t panels, block;      /* panels of tiles in all; in a block */
    int64_t row_block;          /* panels of outputs in a block */
    int64_t blocks, row_blocks;
    char *scratch;
    int64_t scratch_each, sums_at;
    atomic_llong next;
    atomic_bool infinite;
};

/* ---- weights ---- */

/* Weight transform G g G^T for the outputs of one panel and some channels. */
static void transform_weights(void *context, int64_t begin, int64_t end)
{
    const struct job *job = context;
    const struct cti_winograd *w = job->w;
    int64_t mr = job->mr;
    for (int64_t at = begin; at < end; at++) {
        int64_t row = at / job->k, quarter = at % job->k / w->channels;
        int64_t channel = at % w->channels;
        struct cti_winograd_quarter q = cti_winograd_quarter(w, &job->grid, quarter);
        float g[3][3][CTI_GEMM_MR_MAX] = {0}, t[4][3][CTI_GEMM_MR_MAX];
        for (int64_t i = 0; i < mr && row * mr + i < w->results; i++) {
            const float *from = w->weight + (row * mr + i) * w->w_result + channel * w->w_channel +
                                q.first[0] * w->w_tap[0] + q.first[1] * w->w_tap[1];
            for (int64_t y = 0; y < q.taps[0]; y++)
                for (int64_t x = 0; x < q.taps[1]; x++)
                    g[y][x][i] = from[y * w->w_tap[0] + x * w->w_tap[1]];
        }
        for (int x = 0; x < 3; x++)
            for (int64_t i = 0; i < mr; i++) {
                float outer = g[0][x][i] + g[2][x][i];
                t[0][x][i] = g[0][x][i];
                t[1][x][i] = 0.5f * (outer + g[1][x][i]);
                t[2][x][i] = 0.5f * (outer - g[1][x][i]);
                t[3][x][i] = g[2][x][i];
            }
        float *to = job->weights + at * mr;
        for (int y = 0; y < 4; y++, to += 4 * job->position)
            for (int64_t i = 0; i < mr; i++) {
                float outer = t[y][0][i] + t[y][2][i];
                to[i] = t[y][0][i];
                to[i + job->position] = 0.5f * (outer + t[y][1][i]);
                to[i + 2 * job->position] = 0.5f * (outer - t[y][1][i]);
                to[i + 3 * job->position] = t[y][2][i];
            }
    }
}

/* ---- a block of tiles and results ---- */

struct panel {
    struct cti_winograd_run run[2][LANES]; /* of two vectors of tiles, to store the outputs */
    int runs[2];
};

static void transform_input(const struct job *job, struct panel *p, int64_t panel, float *tiles)
{
    const struct cti_winograd *w = job->w;
    for (int64_t quarter = job->grid.quarters - 1; quarter >= 0; quarter--)
        for (int v = 0; v < 2; v++) {
            struct cti_winograd_quarter q = cti_winograd_quarter(w, &job->grid, quarter);
            int64_t first = (2 * panel + v) * LANES;
            int runs = p->runs[v] = cti_winograd_runs(w, &job->grid, &q, first, p->run[v]);
            float *to = tiles + quarter * w->channels * 32 + v * LANES;
            for (int64_t c = 0; c < w->channels; c++)
                job->loops->input(to + c * 32, job->step, w->input + c * w->in_channel,
                                  CTI_WINOGRAD_AHEAD * w->in_channel, p->run[v], runs);
        }
}

/* Multiplies some outputs with a panel of tiles, at one position. */
static void multiply_position(const struct job *job, int64_t position, const float *a,
                              const float *b, float *sums, int rows)
{
    int64_t channels = job->w->channels;
    for (int64_t quarter = 0; quarter < job->grid.quarters; quarter++) {
        struct cti_winograd_quarter q = cti_winograd_quarter(job->w, &job->grid, quarter);
        if (cti_winograd_is_void(&q, position))
            continue;
        int64_t end = (quarter + 1) * channels;
        for (int64_t k = quarter * channels, count; k < end; k += count) {
            count = end - k < CHANNELS * 3 / 2 ? end - k : CHANNELS;
            job->kernel->run(count, a + k * job->mr, b + k * 32, sums, SUM, k > 0 ? sums : NULL,
                             SUM, rows, 32);
        }
    }
}

/* Computes the outputs of panels [row, end) for a block of tiles: 16 products, then the output
 * transform. */
static void make_results(const struct job *job, const struct panel *panel, int64_t panels,
                         const float *tiles, float *sums, int64_t row, int64_t end)
{
    const struct cti_winograd *w = job->w;
    int64_t mr = job->mr, last = end * mr < w->results ? end * mr : w->results;
    int64_t all = (end - row) * mr * SUM; /* floats of one panel of tiles */
    for (int64_t x = 0; x < POSITIONS; x++)
        for (int64_t r = row; r < end; r++)
            for (int64_t p = 0; p < panels; p++) {
                int64_t rows = last - r * mr < mr ? last - r * mr : mr;
                multiply_position(job, x, job->weights + x * job->position + r * job->k * mr,
                                  tiles + (p * POSITIONS + x) * job->step,
                                  sums + p * all + (r - row) * mr * SUM + x * 32, (int)rows);
            }
    bool finite = true;
    for (int64_t p = 0; p < panels; p++)
        for (int64_t o = row * mr; o < last; o++)
            for (int v = 0; v < 2; v++)
                job->loops->output(sums + p * all + (o - row * mr) * SUM + v * LANES, 32,
                                   w->bias ? w->bias[o] : 0, w->output + o * w->out_channel,
                                   CTI_WINOGRAD_AHEAD * w->out_channel, panel[p].run[v],
                                   panel[p].runs[v], &finite);
    if (!finite)
        atomic_store((atomic_bool *)&job->infinite, true);
}

static void forward_item(const struct job *job, char *scratch, int64_t item)
{
    int64_t first = item / job->row_blocks * job->block, row = item % job->row_blocks;
    int64_t panels = job->panels - first < job->block ? job->panels - first : job->block;
    int64_t end = (row + 1) * job->row_block < job->rows ? (row + 1) * job->row_block : job->rows;
    struct panel panel[PANELS_MOST];
    float *tiles = (float *)scratch, *sums = (float *)(scratch + job->sums_at);
    for (int64_t p = 0; p < panels; p++)
        transform_input(job, &panel[p], first + p, tiles + p * POSITIONS * job->step);
    for (row *= job->row_block; row < end; row += ROWS_MOST)
        make_results(job, panel, panels, tiles, sums, row,
                     end - row < ROWS_MOST ? end : row + ROWS_MOST);
}

static void forward_work(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    (void)end; /* dynamic scheduling; `begin` names this worker's scratch */
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (item >= job->blocks * job->row_blocks || cti_interrupted() ||
            atomic_load_explicit(&job->infinite, memory_order_relaxed))
            return;
        forward_item(job, job->scratch + begin * job->scratch_each, item);
    }
}

/* ---- driver ---- */

/* Sizes blocks of tiles to half of L2, or smaller if threads would be idle; then divides output
 * channels too. */
static int64_t forward_blocks(struct job *job)
{
    int64_t threads = cti_parallel_threads(), each = POSITIONS * job->step * (int64_t)sizeof(float);
    threads = threads < WORKERS_MAX ? threads : WORKERS_MAX;
    job->block = cti_cpu_inner_cache(2) / 2 / each;
    job->block = job->block < 2 ? 2 : job->block > PANELS_MOST ? PANELS_MOST : job->block;
    while (job->block > 1 && job->panels < 3 * threads * job->block)
        job->block--;
    job->blocks = (job->panels + job->block - 1) / job->block;
    job->row_block = job->rows;
    while (job->blocks * ((job->rows + job->row_block - 1) / job->row_block) < 2 * threads &&
           job->row_block * job->mr >= 2 * RESULTS_LEAST)
        job->row_block = (job->row_block + 1) / 2;
    job->row_blocks = (job->rows + job->row_block - 1) / job->row_block;
    int64_t items = job->blocks * job->row_blocks;
    int64_t rows = job->row_block < ROWS_MOST ? job->row_block : ROWS_MOST;
    job->sums_at = job->block * each;
    job->scratch_each = job->sums_at + job->block * rows * job->mr * SUM * (int64_t)sizeof(float);
    return threads < items ? threads : items;
}

bool cti_winograd_forward(const struct cti_winograd *w, bool *done)
{
    struct job job = {.w = w, .loops = cti_winograd_loops(), .kernel = cti_winograd_kernel()};
    job.grid = cti_winograd_grid(w);
    job.mr = job.kernel->mr;
    job.rows = (w->results + job.mr - 1) / job.mr;
    job.k = job.grid.quarters * w->channels;
    job.position = job.rows * job.mr * job.k;
    job.step = 32 * job.k + LANES;
    job.panels = (job.grid.tiles + 31) / 32;
    int64_t workers = forward_blocks(&job);
    int64_t weights = (POSITIONS * job.position * (int64_t)sizeof(float) + 63) / 64 * 64;
    struct cti_block *block = cti_block_new(weights + workers * job.scratch_each);
    if (!block)
        return false;
    job.weights = (float *)block->address;
    job.scratch = (char *)block->address + weights;
    atomic_init(&job.next, 0);
    atomic_init(&job.infinite, false);
    if (cti_parallel_for(job.rows * job.k, 64, transform_weights, &job))
        cti_parallel_for(workers, 1, forward_work, &job);
    *done = !atomic_load(&job.infinite);
    cti_block_free(block);
    return true;
}
