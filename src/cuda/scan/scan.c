/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans along a dim by scan.cu: chooses a thread, a warp or a block for each line, and how many
 * splits of each line fill the card. */
#include "core/small.h"
#include "cuda/common/line_strides.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"
#include "cuda/scan/scan_args.h"

#include <stdlib.h>

#define STATE_BYTES 16 /* at most, of an accumulator */

/* How many threads share a line; must agree with the kernel. */
enum group { THREAD, WARP, BLOCK };

/* Elements that a block holds in registers: `units` vectors of 16 bytes for each thread. */
static int64_t tile_size(int64_t itemsize, int units)
{
    return THREADS * units * (itemsize >= 16 ? 1 : itemsize == 1 ? 8 : 16 / itemsize);
}

/* The accumulator's dtype. As on the CPU it is float64 for floating types. Integers wrap around, so
 * 32 bits are enough for all but 64-bit types. */
static int accumulator_of(int dtype)
{
    return dtype >= CT_COMPLEX64                     ? CT_COMPLEX128
           : dtype >= CT_FLOAT16                     ? CT_FLOAT64
           : dtype == CT_INT64 || dtype == CT_UINT64 ? CT_UINT64
                                                     : CT_UINT32;
}

/* Chooses the threads of a line and the splits: as many as fill the card, as long as each split is
 * long enough to pay for the launch that computes the totals. */
static enum group choose(struct scan_args *a, int64_t tile, int64_t multiprocessors)
{
    int64_t between = a->lines.ndim ? llabs(a->lines.stride[0][a->lines.ndim - 1]) : 0;
    bool rows = a->lines.count == 1 || between == 0 || llabs(a->in_stride) <= between;
    enum group group = !rows || a->n <= 16 ? THREAD : a->n <= 512 ? WARP : BLOCK;
    int64_t wanted = (group == BLOCK ? 16 : 1024) * multiprocessors / a->lines.count;
    int64_t possible = group == BLOCK ? a->n / tile : group == THREAD ? a->n / 16 : 1;
    int64_t splits = max64(min64(min64(wanted, possible), 4096), 1);
    a->split_size = ceil_div(a->n, splits);
    if (group == BLOCK)
        a->split_size = round_up(a->split_size, tile);
    a->splits = ceil_div(a->n, a->split_size);
    return group;
}

enum cti_status cti_cuda_scan(struct cti_scan *work)
{
    ct_tensor *out = work->out, *index = work->index, *in = work->in;
    int dtype = in->dtype, device = in->storage->device.index;
    struct scan_args a = {.in = cti_data(in),
                          .out = cti_data(out),
                          .index = cti_cuda_data(index),
                          .n = cti_cuda_line_size(in, work->dim),
                          .in_stride = cti_cuda_line_stride(in, work->dim),
                          .out_stride = cti_cuda_line_stride(out, work->dim),
                          .index_stride = cti_cuda_line_stride(index, work->dim)};
    if (!cti_cuda_has_kernels() ||
        !cti_cuda_lines(&a.lines, (const ct_tensor *const[]){in, out, index}, work->dim))
        return CTI_DECLINED;
    if (in->numel == 0)
        return CTI_DONE;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return CTI_FAILED;
    /* Smaller tiles give more blocks, which small tensors need to fill the card. */
    int units = a.n >= 1 << 14 && in->numel >= 1 << 22 ? 4 : 1;
    enum group group = choose(&a, tile_size(cti_itemsize(in->dtype), units), d->multiprocessors);
    bool complex = dtype >= CT_COMPLEX64;
    struct cti_launch l = {.file = "scan/scan",
                           .texts = {{"T", cti_cuda_type[dtype]},
                                     {"STATE", cti_cuda_type[accumulator_of(dtype)]},
                                     {"REAL", !complex                ? NULL
                                              : dtype == CT_COMPLEX64 ? "float"
                                                                      : "double"},
                                     {"INDEX", a.n >= INT32_MAX ? "int64_t" : "int"}},
                           .params = {{"GROUP", group},
                                      {"UNITS", group == BLOCK ? units : 1},
                                      {"OP", (int)work->op},
                                      {"TOTALS", a.splits > 1}},
                           .device = device,
                           .grid = {group == BLOCK  ? a.lines.count * a.splits
                                    : group == WARP ? ceil_div(a.lines.count, THREADS / 32)
                                                    : ceil_div(a.lines.count, THREADS),
                                    group == THREAD ? a.splits : 1},
                           .threads = THREADS,
                           CTI_ARGS(a)};
    void *block = NULL;
    bool good = true;
    if (a.splits > 1) {
        a.totals = cti_cuda_scratch(device, a.lines.count * a.splits * STATE_BYTES, &block);
        good = a.totals && cti_cuda_run(&l);
        l.params[3].value = 0;
    }
    good = good && cti_cuda_run(&l);
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}
