/* SPDX-License-Identifier: BSD-3-Clause */
/* Tile geometry of Winograd convolution (winograd_tiles.h), and whether the algorithm pays for a
 * shape. */
#include "cpu/conv/winograd_tiles.h"

#include "core/small.h"

const struct cti_winograd_loops *cti_winograd_loops(void)
{
    static const struct cti_winograd_loops *const loops[] = CTI_ISA_TABLE(cti_winograd_loops);
    return loops[cti_cpu_isa()];
}

const struct cti_gemm_kernel *cti_winograd_kernel(void)
{
    return &cti_gemm_kernels()->unit[CTI_UNIT_F32];
}

struct cti_winograd_grid cti_winograd_grid(const struct cti_winograd *w)
{
    struct cti_winograd_grid grid = {.rows = (w->out[0] + 1) / 2, .columns = (w->out[1] + 1) / 2};
    grid.tiles = w->images * grid.rows * grid.columns;
    grid.across = (w->taps[1] + 2) / 3;
    grid.quarters = (w->taps[0] + 2) / 3 * grid.across;
    return grid;
}

struct cti_winograd_quarter cti_winograd_quarter(const struct cti_winograd *w,
                                                 const struct cti_winograd_grid *grid,
                                                 int64_t quarter)
{
    struct cti_winograd_quarter q = {
        .first = {quarter / grid->across * 3, quarter % grid->across * 3}};
    for (int d = 0; d < 2; d++)
        q.taps[d] = w->taps[d] - q.first[d] < 3 ? w->taps[d] - q.first[d] : 3;
    return q;
}

/* Bits [first, end) of 32. */
static uint32_t bits(int64_t first, int64_t end)
{
    first = first < 0 ? 0 : first;
    end = end > 32 ? 32 : end;
    return first >= end ? 0
                        : (uint32_t)(((UINT64_C(1) << end) - 1) & ~((UINT64_C(1) << first) - 1));
}

int cti_winograd_runs(const struct cti_winograd *w, const struct cti_winograd_grid *grid,
                      const struct cti_winograd_quarter *q, int64_t first,
                      struct cti_winograd_run *run)
{
    int64_t origin[2] = {w->origin[0] + q->first[0], w->origin[1] + q->first[1]};
    int64_t count = min64(LANES, grid->tiles - first), at = 0;
    int n = 0;
    for (int64_t length; at < count; at += length, n++) {
        int64_t tile = first + at, x = tile % grid->columns, y = tile / grid->columns % grid->rows;
        int64_t image = tile / grid->columns / grid->rows;
        length = min64(grid->columns - x, count - at);
        int64_t x0 = 2 * (x - at) + origin[1], out0 = 2 * (x - at), end = 2 * (at + length);
        struct cti_winograd_run *r = &run[n];
        *r = (struct cti_winograd_run){
            .column = {bits(max64(2 * at, -x0), min64(end, w->in[1] - x0)),
                       bits(max64(2 * at, -x0 - 2), min64(end, w->in[1] - x0 - 2))},
            .out_columns = bits(2 * at, min64(end, w->out[1] - out0))};
        for (int i = 0; i < 4; i++) {
            int64_t y0 = 2 * y + origin[0] + i;
            r->in[i] = image * w->in_image + y0 * w->in[1] + x0;
            r->row |= (uint32_t)(y0 >= 0 && y0 < w->in[0]) << i;
        }
        for (int i = 0; i < 2; i++) {
            r->out[i] = image * w->out_image + (2 * y + i) * w->out[1] + out0;
            r->out_row |= (uint32_t)(2 * y + i < w->out[0]) << i;
        }
    }
    return n;
}

/* The number of positions with nonzero weights along one dim; 0: unsupported number of taps. */
static int64_t nonzero_positions(int64_t taps)
{
    return taps == 3 ? 4 : taps == 5 ? 7 : taps == 6 ? 8 : 0;
}

/* Few channels or outputs leave the kernels idle, few tiles do not amortise the weight transform,
 * and tiles that overhang the output undo the gain. */
bool cti_winograd_serves(const struct cti_winograd *w)
{
    enum { CHANNELS = 12, TILES = 64 };
    int64_t work = nonzero_positions(w->taps[0]) * nonzero_positions(w->taps[1]);
    if (!work || !cti_winograd_loops()->input || w->channels < CHANNELS || w->results < CHANNELS)
        return false;
    struct cti_winograd_grid grid = cti_winograd_grid(w);
    double gain = (double)(w->out[0] * w->out[1] * w->taps[0] * w->taps[1]) /
                  (double)(grid.rows * grid.columns * work);
    return grid.tiles >= TILES && gain >= 1.4;
}
