/* SPDX-License-Identifier: BSD-3-Clause */
/* LSD radix sort of long lines by radix.cu, with three launches for each digit. */
#include "core/small.h"
#include "cuda/common/line_strides.h"
#include "cuda/order/order.h"
#include "cuda/order/order_args.h"
#include "cuda/runtime/kernel.h"

#define WARPS (THREADS / 32)

struct cti_launch cti_cuda_order_launch(const char *file, int what, int dtype, int device,
                                        const void *args, size_t size)
{
    int64_t itemsize = cti_itemsize((enum ct_dtype)dtype);
    bool floating = dtype >= CT_FLOAT16 && dtype <= CT_FLOAT64;
    bool is_unsigned =
        dtype == CT_BOOL || dtype == CT_UINT8 || (dtype >= CT_UINT16 && dtype <= CT_UINT64);
    const char *infinity = dtype == CT_FLOAT16    ? "0x7c00"
                           : dtype == CT_BFLOAT16 ? "0x7f80"
                           : dtype == CT_FLOAT32  ? "0x7f800000"
                                                  : "0x7ff0000000000000ull";
    return (struct cti_launch){.file = file,
                               .texts = {{"RAW", cti_cuda_bits_type(itemsize)},
                                         {"KEY", cti_cuda_bits_type(itemsize > 4 ? 8 : 4)},
                                         {"INFINITE", infinity}},
                               .params = {{"WHAT", what},
                                          {"BITS", 8 * (int)itemsize},
                                          {"KIND", floating      ? 'f'
                                                   : is_unsigned ? 'u'
                                                                 : 's'}},
                               .device = device,
                               .threads = THREADS,
                               .args = args,
                               .size = size};
}

/* Workspace: keys and positions alternate between two buffers. */
struct buffers {
    char *keys[2];
    uint32_t *positions[2];
};

static bool radix_launch(const struct radix_args *a, int what, int dtype, int device, int items)
{
    struct cti_launch l = cti_cuda_order_launch("order/radix", what, dtype, device, a, sizeof *a);
    l.params[3] = (struct cti_param){"ITEMS", items};
    l.grid[0] =
        what == RADIX_OFFSET ? ceil_div(a->lines.count * DIGITS, WARPS) : a->lines.count * a->tiles;
    return cti_cuda_run(&l);
}

/* One digit after another, from bit `low` on; the last pass writes the tensors. */
static bool radix_run(struct radix_args *a, const struct buffers *b, int dtype, int device,
                      int items, int low, int bits)
{
    char *values = a->values, *index = a->index;
    bool good = true;
    for (int shift = low, side = 0; good && shift < bits; shift += 8, side ^= 1) {
        bool last = shift + 8 >= bits;
        a->shift = shift;
        a->mask = (1 << (last ? bits - shift : 8)) - 1;
        a->keys_out = last ? NULL : b->keys[side];
        a->positions_out = last ? NULL : b->positions[side];
        a->values = last ? values : NULL;
        a->index = last ? index : NULL;
        good = radix_launch(a, RADIX_COUNT, dtype, device, items) &&
               radix_launch(a, RADIX_OFFSET, dtype, device, items) &&
               radix_launch(a, RADIX_SCATTER, dtype, device, items);
        a->keys = a->keys_out;
        a->positions = a->positions_out;
    }
    return good;
}

bool cti_cuda_radix_sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim,
                         bool descending, int low, int bits)
{
    int device = in->storage->device.index;
    int64_t key = cti_itemsize(in->dtype) > 4 ? 8 : 4; /* bytes */
    int items = key == 4 && in->numel >= 1 << 22 ? 16 : 8;
    struct radix_args a = {.in = cti_data(in),
                           .values = cti_cuda_data(values),
                           .index = cti_cuda_data(index),
                           .n = cti_cuda_line_size(in, dim),
                           .in_stride = cti_cuda_line_stride(in, dim),
                           .value_stride = cti_cuda_line_stride(values, dim),
                           .index_stride = cti_cuda_line_stride(index, dim),
                           .flip = descending ? UINT64_MAX : 0};
    if (!cti_cuda_lines(&a.lines, (const ct_tensor *const[]){in, values, index}, dim))
        return cti_refuse(CT_ERR_RUNTIME, "sort: too many dims");
    a.tiles = ceil_div(a.n, THREADS * items);
    int64_t numel = round_up(in->numel, 4), counts = a.lines.count * DIGITS;
    void *block = NULL;
    char *p = cti_cuda_scratch(device, 2 * numel * (key + 4) + counts * (a.tiles + 1) * 4, &block);
    if (!p)
        return false;
    uint32_t *words = (uint32_t *)(void *)(p + 2 * numel * key);
    struct buffers b = {{p, p + numel * key}, {words, words + numel}};
    a.counts = words + 2 * numel;
    a.totals = a.counts + counts * a.tiles;
    bool good = radix_run(&a, &b, in->dtype, device, items, low, bits);
    cti_cuda_scratch_end(block);
    return good;
}
