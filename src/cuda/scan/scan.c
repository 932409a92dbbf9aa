/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans along a dim by scan.cu: chooses thread, warp or block for each line, and how many
 * splits of long lines fill the card. */
#include "core/small.h"
#include "cuda/common/line_strides.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include <stdio.h>

#define THREADS 256

struct arguments {
    const char *in;
    char *out, *index, *parts;
    int64_t n, span, splits, in_step, out_step, index_step;
    struct cti_cuda_lines all;
};

/* Elements that a block of 256 threads holds in registers. */
static int64_t tile_of(int64_t item, int units)
{
    return THREADS * units * (item >= 16 ? 1 : item == 1 ? 8 : 16 / item);
}

/* The accumulator: float64 for floating types, as on the CPU; integers wrap, so up to 32 bits add
 * in 32. */
static int wide_of(int dtype)
{
    return dtype >= CT_COMPLEX64                     ? CT_COMPLEX128
           : dtype >= CT_FLOAT16                     ? CT_FLOAT64
           : dtype == CT_INT64 || dtype == CT_UINT64 ? CT_UINT64
                                                     : CT_UINT32;
}

static cu_function kernel_of(int device, char way, int units, bool totals, enum cti_scan_op op,
                             int dtype, bool far)
{
    const char *type = cti_cuda_type[dtype], *wide = cti_cuda_type[wide_of(dtype)];
    char definitions[320], shared[160];
    bool complex = dtype >= CT_COMPLEX64;
    units = way == 'b' ? units : 1;
    snprintf(shared, sizeof shared,
             "#define WAY '%c'\n%s#define UNITS %d\n#define OP %d\ntypedef %s T;\n", way,
             totals ? "#define TOTALS\n" : "", units, (int)op, type);
    if (op == CTI_SCAN_MIN || op == CTI_SCAN_MAX)
        snprintf(definitions, sizeof definitions, "#define PLACE %s\n", far ? "long long" : "int");
    else if (complex)
        snprintf(definitions, sizeof definitions,
                 "#define COMPLEX\n#define WIDE ct_c128\n"
                 "#define WIDEN(x) ct_c128{(double)(x).re, (double)(x).im}\n"
                 "#define NARROW(x) T{(%s)(x).re, (%s)(x).im}\n#define START ct_c128{%s, 0}\n",
                 dtype == CT_COMPLEX64 ? "float" : "double",
                 dtype == CT_COMPLEX64 ? "float" : "double",
                 op == CTI_SCAN_SUM    ? "0"
                 : op == CTI_SCAN_PROD ? "1"
                                       : "-__longlong_as_double(0x7ff0000000000000ll)");
    else
        snprintf(definitions, sizeof definitions,
                 "#define WIDE %s\n#define WIDEN(x) (%s)(x)\n#define NARROW(x) (T)(x)\n"
                 "#define START %s\n",
                 wide, wide, op == CTI_SCAN_PROD ? "1" : "0");
    return cti_cuda_template(device, "scan/scan", "%s%s", shared, definitions);
}

/* Thread, warp or block for a line, and its splits: enough threads to fill the card, but only where
 * a split pays for the extra launch. */
static char choose(struct arguments *a, int64_t tile, const struct cti_cuda_device *d)
{
    int64_t across = a->all.ndim ? a->all.step[0][a->all.ndim - 1] : 0;
    int64_t along = a->in_step < 0 ? -a->in_step : a->in_step, full, possible;
    across = across < 0 ? -across : across;
    bool rows = a->all.count == 1 || across == 0 || along <= across;
    char way = !rows || a->n <= 16 ? 't' : a->n <= 512 ? 'w' : 'b';
    a->splits = 1;
    if (way == 'b') {
        full = 16 * (int64_t)d->multiprocessors / a->all.count;
        possible = a->n / tile;
    } else {
        full = 1024 * (int64_t)d->multiprocessors / a->all.count;
        possible = way == 't' ? a->n / 16 : 1;
    }
    a->splits = min64(min64(full, possible), 4096);
    a->splits = a->splits < 2 ? 1 : a->splits;
    a->span = (a->n + a->splits - 1) / a->splits;
    if (way == 'b')
        a->span = (a->span + tile - 1) / tile * tile;
    a->splits = (a->n + a->span - 1) / a->span;
    return way;
}

static bool launch(int device, cu_function f, char way, const struct arguments *a)
{
    unsigned grid[3] = {0, 1, 1};
    if (way == 'b')
        grid[0] = (unsigned)(a->all.count * a->splits);
    else if (way == 'w')
        grid[0] = (unsigned)((a->all.count + THREADS / 32 - 1) / (THREADS / 32));
    else
        grid[0] = (unsigned)((a->all.count + THREADS - 1) / THREADS), grid[1] = (unsigned)a->splits;
    return cti_cuda_launch_2d(device, f, grid, THREADS, 0, a, sizeof *a);
}

enum cti_status cti_cuda_scan(struct cti_scan *work)
{
    ct_tensor *out = work->out, *index = work->index, *in = work->in;
    enum cti_scan_op op = work->op;
    int64_t dim = work->dim;
    struct arguments a = {.in = cti_data(in), .out = cti_data(out)};
    int device = in->storage->device.index;
    if (!cti_cuda_has_kernels() ||
        !cti_cuda_lines(&a.all, (const ct_tensor *const[]){in, out, index}, dim))
        return CTI_DECLINED;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    if (in->numel == 0)
        return true;
    a.index = index ? cti_data(index) : NULL;
    a.n = cti_cuda_line_size(in, dim);
    a.in_step = cti_cuda_line_step(in, dim);
    a.out_step = cti_cuda_line_step(out, dim);
    a.index_step = cti_cuda_line_step(index, dim);
    int units = a.n >= 1 << 14 && in->numel >= 1 << 22 ? 4 : 1; /* else more blocks */
    char way = choose(&a, tile_of(cti_itemsize((enum ct_dtype)in->dtype), units), d);
    bool far = a.n >= INT32_MAX;
    cu_function f = kernel_of(device, way, units, false, op, in->dtype, far);
    cu_function totals = a.splits > 1 ? kernel_of(device, way, units, true, op, in->dtype, far) : f;
    if (!f || !totals)
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    void *block = NULL;
    if (a.splits > 1 && !(a.parts = cti_cuda_scratch(device, a.all.count * a.splits * 16, &block)))
        return false;
    bool good = a.splits == 1 || launch(device, totals, way, &a);
    good = good && launch(device, f, way, &a);
    cti_cuda_scratch_end(block);
    return good;
}
