/* SPDX-License-Identifier: BSD-3-Clause */
/* Long lines sorted digit by digit; kernels/radix.cu. A launch that counts all digits, then one for
 * each of them. */
#include "cuda/kernel.h"
#include "cuda/lines.h"
#include "cuda/order.h"

#include <stdio.h>

#define THREADS 256
#define DIGITS 256

struct arguments {
    const char *in;
    char *values, *index;
    const void *keys;
    const uint32_t *at;
    void *keys_out;
    uint32_t *at_out;
    void *told;
    uint32_t *totals, *ticket;
    uint64_t flip;
    int64_t n, tiles, in_step, value_step, index_step;
    int shift, mask, pass, low, bits, chunks;
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

static cu_function kernel_of(int device, char what, int items, int passes, bool far, int dtype)
{
    char keys[160];
    cti_cuda_key_text(keys, sizeof keys, dtype);
    return cti_cuda_template(device, "radix",
                             "#define WHAT '%c'\n#define ITEMS %d\n#define PASSES %d\n"
                             "typedef unsigned %s COUNT;\n%s",
                             what, items, passes, far ? "long long" : "int", keys);
}

struct sorter {
    int device, low, bits, passes;
    bool far; /* counts need 64 bits */
    cu_function count, scatter;
    struct arguments a;
    char *keys[2], *at[2];
};

/* Keys and positions go back and forth between two places; the last digit goes to the tensors. */
static bool run(struct sorter *s)
{
    struct arguments *a = &s->a;
    char *values = a->values, *index = a->index, *told = a->told;
    unsigned tiles = (unsigned)(a->all.count * a->tiles);
    unsigned blocks = (unsigned)(a->all.count * a->chunks);
    bool good = cti_cuda_launch(s->device, s->count, blocks, THREADS, 0, a, sizeof *a);
    for (int p = 0; good && p < s->passes; p++) {
        int shift = s->low + 8 * p, left = s->bits - shift;
        bool last = p == s->passes - 1;
        a->pass = p;
        a->shift = shift;
        a->mask = (1 << (left < 8 ? left : 8)) - 1;
        a->keys_out = last ? NULL : s->keys[p % 2];
        a->at_out = last ? NULL : (uint32_t *)(void *)s->at[p % 2];
        a->values = last ? values : NULL;
        a->index = last ? index : NULL;
        a->told = told + (int64_t)p * tiles * DIGITS * (s->far ? 8 : 4);
        good = cti_cuda_launch(s->device, s->scatter, tiles, THREADS, 0, a, sizeof *a);
        a->keys = a->keys_out;
        a->at = a->at_out;
        a->ticket++;
    }
    return good;
}

/* Two places for keys and positions, then what has to be zero: what blocks tell each other in each
 * pass, totals, tickets. */
static bool take_room(struct sorter *s, int64_t numel, int64_t key, void **block)
{
    int64_t lines = s->a.all.count, passes = s->passes;
    int64_t told = passes * lines * s->a.tiles * DIGITS * (s->far ? 8 : 4);
    int64_t totals = lines * passes * DIGITS * 4, zeros = told + totals + passes * 4;
    numel = (numel + 3) / 4 * 4;
    char *room = cti_cuda_scratch(s->device, 2 * numel * (key + 4) + zeros, block);
    if (!room)
        return false;
    for (int k = 0; k < 2; k++, room += numel * key)
        s->keys[k] = room;
    for (int k = 0; k < 2; k++, room += numel * 4)
        s->at[k] = room;
    s->a.told = room;
    s->a.totals = (uint32_t *)(void *)(room + told);
    s->a.ticket = s->a.totals + totals / 4;
    return cti_cuda_check(cti_cu.set_bytes((cu_address)(uintptr_t)room, 0, (size_t)zeros,
                                           cti_cuda_stream(s->device)));
}

bool cti_cuda_radix_sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim,
                         bool descending, int low, int bits)
{
    struct sorter s = {.device = in->storage->device.index, .low = low, .bits = bits};
    int64_t item = cti_itemsize((enum ct_dtype)in->dtype), key = item > 4 ? 8 : 4;
    int items = key == 4 && in->numel >= 1 << 22 ? 16 : 8;
    struct cti_cuda_device *d = cti_cuda_use(s.device);
    void *block = NULL;
    if (!d)
        return false;
    if (!cti_cuda_lines(&s.a.all, (const ct_tensor *const[]){in, values, index}, dim))
        return ct_fail(CT_ERR_RUNTIME, "sort: too many dims") != NULL;
    s.a.n = cti_cuda_line_size(in, dim);
    s.passes = (bits - low + 7) / 8;
    s.far = s.a.n >= 1 << 30;
    s.count = kernel_of(s.device, 'h', items, s.passes, s.far, in->dtype);
    s.scatter = s.count ? kernel_of(s.device, 's', items, s.passes, s.far, in->dtype) : NULL;
    if (!s.scatter || cti_cuda_fake())
        return s.scatter != NULL;
    s.a.in = cti_data(in);
    s.a.values = values ? cti_data(values) : NULL;
    s.a.index = index ? cti_data(index) : NULL;
    s.a.tiles = (s.a.n + THREADS * items - 1) / (THREADS * items);
    s.a.in_step = cti_cuda_line_step(in, dim);
    s.a.value_step = cti_cuda_line_step(values, dim);
    s.a.index_step = cti_cuda_line_step(index, dim);
    s.a.flip = descending ? UINT64_MAX : 0;
    s.a.low = low;
    s.a.bits = bits;
    int64_t chunks = (8 * (int64_t)d->multiprocessors + s.a.all.count - 1) / s.a.all.count;
    s.a.chunks = (int)(chunks < s.a.tiles ? chunks : s.a.tiles);
    bool good = take_room(&s, in->numel, key, &block) && run(&s);
    cti_cuda_scratch_end(block);
    return good;
}
