/* SPDX-License-Identifier: BSD-3-Clause */
/* LSD radix sort of long lines; radix.cu. Three launches a digit. */
#include "cuda/common/line_strides.h"
#include "cuda/order/order.h"
#include "cuda/runtime/kernel.h"

#include <stdio.h>

#define THREADS 256
#define WARPS (THREADS / 32)
#define DIGITS 256

struct arguments {
    const char *in;
    char *values, *index;
    const void *keys;
    const uint32_t *at;
    void *keys_out;
    uint32_t *at_out;
    uint32_t *counts, *totals;
    uint64_t flip;
    int64_t n, tiles, in_step, value_step, index_step;
    int shift, mask;
    struct cti_cuda_lines all;
};

void cti_cuda_key_text(char *text, size_t size, int dtype)
{
    int bits = 8 * (int)cti_itemsize((enum ct_dtype)dtype);
    bool floating = dtype >= CT_FLOAT16 && dtype <= CT_FLOAT64;
    bool plain =
        dtype == CT_BOOL || dtype == CT_UINT8 || (dtype >= CT_UINT16 && dtype <= CT_UINT64);
    const char *infinite = dtype == CT_FLOAT16    ? "0x7c00"
                           : dtype == CT_BFLOAT16 ? "0x7f80"
                           : dtype == CT_FLOAT32  ? "0x7f800000"
                                                  : "0x7ff0000000000000ull";
    snprintf(text, size,
             "typedef uint%d_t B;\ntypedef uint%d_t K;\n#define BITS %d\n#define KIND '%c'\n"
             "#define INFINITE %s\n",
             bits, bits > 32 ? 64 : 32, bits,
             floating ? 'f'
             : plain  ? 'u'
                      : 's',
             infinite);
}

static cu_function kernel_of(int device, char what, int items, int dtype)
{
    char keys[160];
    cti_cuda_key_text(keys, sizeof keys, dtype);
    return cti_cuda_template(device, "order/radix", "#define WHAT '%c'\n#define ITEMS %d\n%s", what,
                             items, keys);
}

struct sorter {
    int device, low, bits;
    cu_function count, offset, scatter;
    struct arguments a;
    char *keys[2], *at[2];
};

/* Keys and positions ping-pong between two buffers; the last pass writes the tensors. */
static bool run(struct sorter *s)
{
    struct arguments *a = &s->a;
    char *values = a->values, *index = a->index;
    unsigned tiles = (unsigned)(a->all.count * a->tiles);
    unsigned rows = (unsigned)((a->all.count * DIGITS + WARPS - 1) / WARPS);
    bool good = true;
    for (int shift = s->low, side = 0; good && shift < s->bits; shift += 8, side ^= 1) {
        bool last = shift + 8 >= s->bits;
        a->shift = shift;
        a->mask = (1 << (s->bits - shift < 8 ? s->bits - shift : 8)) - 1;
        a->keys_out = last ? NULL : s->keys[side];
        a->at_out = last ? NULL : (uint32_t *)(void *)s->at[side];
        a->values = last ? values : NULL;
        a->index = last ? index : NULL;
        good = cti_cuda_launch(s->device, s->count, tiles, THREADS, 0, a, sizeof *a) &&
               cti_cuda_launch(s->device, s->offset, rows, THREADS, 0, a, sizeof *a) &&
               cti_cuda_launch(s->device, s->scatter, tiles, THREADS, 0, a, sizeof *a);
        a->keys = a->keys_out;
        a->at = a->at_out;
    }
    return good;
}

bool cti_cuda_radix_sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim,
                         bool descending, int low, int bits)
{
    struct sorter s = {.device = in->storage->device.index, .low = low, .bits = bits};
    int64_t item = cti_itemsize((enum ct_dtype)in->dtype), key = item > 4 ? 8 : 4;
    int items = key == 4 && in->numel >= 1 << 22 ? 16 : 8;
    void *block = NULL;
    if (!cti_cuda_lines(&s.a.all, (const ct_tensor *const[]){in, values, index}, dim))
        return cti_refuse(CT_ERR_RUNTIME, "sort: too many dims");
    s.count = kernel_of(s.device, 'c', items, in->dtype);
    s.offset = s.count ? kernel_of(s.device, 'o', items, in->dtype) : NULL;
    s.scatter = s.offset ? kernel_of(s.device, 's', items, in->dtype) : NULL;
    if (!s.scatter || cti_cuda_fake())
        return s.scatter != NULL;
    s.a.in = cti_data(in);
    s.a.values = values ? cti_data(values) : NULL;
    s.a.index = index ? cti_data(index) : NULL;
    s.a.n = cti_cuda_line_size(in, dim);
    s.a.tiles = (s.a.n + THREADS * items - 1) / (THREADS * items);
    s.a.in_step = cti_cuda_line_step(in, dim);
    s.a.value_step = cti_cuda_line_step(values, dim);
    s.a.index_step = cti_cuda_line_step(index, dim);
    s.a.flip = descending ? UINT64_MAX : 0;
    int64_t numel = (in->numel + 3) / 4 * 4, counts = s.a.all.count * DIGITS;
    int64_t nbytes = 2 * numel * (key + 4) + counts * (s.a.tiles + 1) * 4;
    char *room = cti_cuda_scratch(s.device, nbytes, &block);
    if (!room)
        return false;
    for (int k = 0; k < 2; k++, room += numel * key)
        s.keys[k] = room;
    for (int k = 0; k < 2; k++, room += numel * 4)
        s.at[k] = room;
    s.a.counts = (uint32_t *)(void *)room;
    s.a.totals = s.a.counts + counts * s.a.tiles;
    bool good = run(&s);
    cti_cuda_scratch_end(block);
    return good;
}
