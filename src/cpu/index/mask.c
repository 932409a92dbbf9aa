/* SPDX-License-Identifier: BSD-3-Clause */
/* count_nonzero, masked_select, masked_put and nonzero. Selected elements are counted block by
 * block; prefix sums of the counts say where each block writes, and the blocks are then packed
 * independently. So the result does not depend on threads. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/compress.h"
#include "cpu/index/index.h"
#include "cpu/isa.h"

#include <string.h>

#define BLOCK 16384 /* elements */

extern const struct cti_compress CTI_ISA_NAMES(cti_compress);

const struct cti_compress *cti_compress_best(void)
{
    static const struct cti_compress *const loops[] = CTI_ISA_TABLE(cti_compress);
    return loops[cti_cpu_isa()];
}

/* Converts n elements to bytes 0 and 1. An element is 0 if all its bytes are 0, ignoring the sign
 * of a floating-point zero. */
static void to_mask(enum ct_dtype dtype, const char *in, int64_t n, uint8_t *mask)
{
    const uint16_t *v2 = (const void *)in;
    const uint32_t *v4 = (const void *)in;
    const uint64_t *v8 = (const void *)in;
    bool real = ct_dtype_is_floating(dtype) || ct_dtype_is_complex(dtype);
    uint32_t keep4 = dtype == CT_COMPLEX32 ? 0x7FFF7FFFu : real ? 0x7FFFFFFFu : ~0u;
    uint64_t keep8 = real ? ~0ull >> 1 : ~0ull;
    uint16_t keep2 = real ? 0x7FFF : 0xFFFF;
    if (dtype == CT_COMPLEX64) {
        for (int64_t i = 0; i < n; i++)
            mask[i] = ((v4[2 * i] | v4[2 * i + 1]) & keep4) != 0;
        return;
    }
    switch (cti_itemsize(dtype)) {
    case 1:
        for (int64_t i = 0; i < n; i++)
            mask[i] = in[i] != 0;
        break;
    case 2:
        for (int64_t i = 0; i < n; i++)
            mask[i] = (v2[i] & keep2) != 0;
        break;
    case 4:
        for (int64_t i = 0; i < n; i++)
            mask[i] = (v4[i] & keep4) != 0;
        break;
    case 8:
        for (int64_t i = 0; i < n; i++)
            mask[i] = (v8[i] & keep8) != 0;
        break;
    default:
        for (int64_t i = 0; i < n; i++)
            mask[i] = ((v8[2 * i] | v8[2 * i + 1]) & keep8) != 0;
    }
}

struct masked {
    const struct cti_compress *loops;
    ct_tensor *out, *in, *mask;
    struct cti_lines lines; /* masked_put: self */
    int64_t n, item;
    int64_t *begin; /* offset of each block's results; first its count */
};

/* The mask bytes of a block: the tensor's own, or a copy in `room`. */
static const uint8_t *block_mask(const ct_tensor *t, int64_t first, int64_t n, uint8_t *room)
{
    enum ct_dtype dtype = t->dtype;
    const char *p = cti_data(t) + first * cti_itemsize(dtype);
    if (dtype == CT_BOOL || dtype == CT_UINT8)
        return (const uint8_t *)p;
    to_mask(dtype, p, n, room);
    return room;
}

static int64_t block_size(const struct masked *m, int64_t block)
{
    int64_t left = m->n - block * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

static void count_blocks(void *context, int64_t begin, int64_t end)
{
    struct masked *m = context;
    uint8_t room[BLOCK];
    for (int64_t b = begin; b < end; b++) {
        int64_t n = block_size(m, b);
        m->begin[b] = m->loops->count(block_mask(m->mask, b * BLOCK, n, room), n);
    }
}

/* Counts each block and forms the prefix sums; begin[blocks] is the total. False: out of memory, or
 * interrupted. */
static bool plan(struct masked *m, ct_tensor *mask)
{
    int64_t blocks = (mask->numel + BLOCK - 1) / BLOCK, total = 0;
    m->loops = cti_compress_best();
    m->mask = mask;
    m->n = mask->numel;
    m->begin = cti_malloc((size_t)(blocks + 1) * sizeof(int64_t));
    if (!m->begin)
        return false;
    if (!cti_parallel_for(blocks, 2, count_blocks, m)) {
        cti_free(m->begin);
        return false;
    }
    for (int64_t b = 0; b < blocks; b++) {
        int64_t count = m->begin[b];
        m->begin[b] = total;
        total += count;
    }
    m->begin[blocks] = total;
    return true;
}

enum cti_status cti_cpu_count_nonzero(struct cti_count_nonzero *work)
{
    struct masked m = {0};
    if (!plan(&m, work->mask))
        return CTI_FAILED;
    work->count = m.begin[(work->mask->numel + BLOCK - 1) / BLOCK];
    cti_free(m.begin);
    return CTI_DONE;
}

/* Processes the blocks if the result has room for exactly the selected elements. */
static bool pack_all(struct masked *m, void (*body)(void *, int64_t, int64_t))
{
    int64_t blocks = (m->n + BLOCK - 1) / BLOCK;
    bool fits = m->begin[blocks] == m->out->shape[0];
    if (fits)
        cti_parallel_for(blocks, 2, body, m);
    else
        ct_fail(CT_ERR_RUNTIME, "the mask was changed by another thread");
    cti_free(m->begin);
    return fits;
}

#define T uint8_t
#define NAME(x) x##_1
#include "cpu/index/mask_typed.h"

#define T uint16_t
#define NAME(x) x##_2
#include "cpu/index/mask_typed.h"

#define T uint32_t
#define NAME(x) x##_4
#include "cpu/index/mask_typed.h"

#define T uint64_t
#define NAME(x) x##_8
#include "cpu/index/mask_typed.h"

struct sixteen {
    uint64_t low, high;
};

#define T struct sixteen
#define NAME(x) x##_16
#include "cpu/index/mask_typed.h"

static void select_blocks(void *context, int64_t begin, int64_t end)
{
    struct masked *m = context;
    for (int64_t b = begin; b < end; b++) {
        int64_t n = block_size(m, b), room = m->begin[b + 1] - m->begin[b];
        const uint8_t *mask = (const uint8_t *)cti_data(m->mask) + b * BLOCK;
        const char *in = cti_data(m->in) + b * BLOCK * m->item;
        char *out = cti_data(m->out) + m->begin[b] * m->item;
        if (m->item == 4)
            m->loops->values4(mask, (const void *)in, n, (void *)out, room);
        else if (m->item == 8)
            m->loops->values8(mask, (const void *)in, n, (void *)out, room);
        else if (m->item == 1)
            pack_1(mask, in, room, out);
        else if (m->item == 2)
            pack_2(mask, in, room, out);
        else
            pack_16(mask, in, room, out);
    }
}

enum cti_status cti_cpu_masked_select(struct cti_masked_select *work)
{
    ct_tensor *out = work->out, *in = work->in, *mask = work->mask;
    struct masked m = {.out = out, .in = in};
    m.item = cti_itemsize(in->dtype);
    return plan(&m, mask) && pack_all(&m, select_blocks);
}

/* masked_scatter_: the k-th selected element of self becomes the k-th of src, or a 0-d src. */
static void put_blocks(void *context, int64_t begin, int64_t end)
{
    struct masked *m = context;
    bool same = m->in->ndim == 0;
    for (int64_t b = begin; b < end; b++) {
        const uint8_t *mask = (const uint8_t *)cti_data(m->mask) + b * BLOCK;
        const char *src = cti_data(m->in) + (same ? 0 : m->begin[b] * m->item);
        int64_t n = block_size(m, b), step = same ? 0 : m->item;
        struct cti_line at;
        cti_line_at(&m->lines, b * BLOCK, &at);
        for (int64_t i = 0; i < n; i++) {
            if (mask[i]) {
                memcpy(at.p[0], src, (size_t)m->item);
                src += step;
            }
            cti_line_next(&m->lines, &at);
        }
    }
}

/* The same for a contiguous self. */
static void put_dense(void *context, int64_t begin, int64_t end)
{
    struct masked *m = context;
    const char *src = cti_data(m->in);
    int64_t last = m->in->numel - 1;
    for (int64_t b = begin; b < end; b++) {
        const uint8_t *mask = (const uint8_t *)cti_data(m->mask) + b * BLOCK;
        char *self = cti_data(m->out) + b * BLOCK * m->item;
        int64_t n = block_size(m, b), next = m->begin[b];
        if (m->item == 1)
            put_1(mask, self, n, src, next, last);
        else if (m->item == 2)
            put_2(mask, self, n, src, next, last);
        else if (m->item == 4)
            put_4(mask, self, n, src, next, last);
        else if (m->item == 8)
            put_8(mask, self, n, src, next, last);
        else
            put_16(mask, self, n, src, next, last);
    }
}

enum cti_status cti_cpu_masked_put(struct cti_masked_put *work)
{
    ct_tensor *self = work->self, *mask = work->mask, *src = work->src;
    struct masked m = {.out = self, .in = src, .mask = mask, .n = mask->numel};
    struct cti_geometry g = cti_geometry_of(self);
    int64_t blocks = (m.n + BLOCK - 1) / BLOCK;
    m.item = cti_itemsize(self->dtype);
    cti_lines_begin(&m.lines, g.ndim, g.shape, CTI_NO_SKIP, CTI_NO_SKIP);
    cti_lines_add(&m.lines, self);
    bool dense = (self->flags & CTI_CONTIGUOUS) != 0;
    if (src->ndim == 0) {
        cti_parallel_for(blocks, 2, put_blocks, &m);
        return true;
    }
    if (!plan(&m, mask))
        return false;
    bool enough = m.begin[blocks] <= src->numel;
    dense = dense && src->numel > 0;
    if (enough)
        cti_parallel_for(blocks, 2, dense ? put_dense : put_blocks, &m);
    else
        ct_fail(CT_ERR_RUNTIME, "Number of elements of source < number of ones in mask");
    cti_free(m.begin);
    return enough;
}

/* Writes the positions of the selected elements of one block, one row of the last dim at a time. */
static void position_blocks(void *context, int64_t begin, int64_t end)
{
    struct masked *m = context;
    uint8_t room[BLOCK];
    int ndim = m->in->ndim;
    const int64_t *shape = m->in->shape;
    int64_t *out = (int64_t *)(void *)cti_data(m->out), total = m->out->shape[0];
    for (int64_t b = begin; b < end; b++) {
        int64_t n = block_size(m, b), at = m->begin[b], last = m->begin[b + 1];
        const uint8_t *mask = block_mask(m->in, b * BLOCK, n, room);
        for (int64_t i = 0; i < n && at < last;) {
            int64_t row = (b * BLOCK + i) / shape[ndim - 1];
            int64_t column = (b * BLOCK + i) - row * shape[ndim - 1];
            int64_t width = shape[ndim - 1] - column < n - i ? shape[ndim - 1] - column : n - i;
            int64_t *innermost = out + (ndim - 1) * total + at;
            int64_t found = m->loops->positions(mask + i, width, column, innermost, last - at);
            for (int d = ndim - 2; d >= 0; d--) {
                int64_t next = row / shape[d], v = row - next * shape[d];
                for (int64_t k = 0; k < found; k++)
                    out[d * total + at + k] = v;
                row = next;
            }
            at += found;
            i += width;
        }
    }
}

enum cti_status cti_cpu_nonzero(struct cti_nonzero *work)
{
    ct_tensor *out = work->out, *in = work->in;
    struct masked m = {.out = out, .in = in};
    if (in->ndim == 0 || out->numel == 0)
        return true;
    return plan(&m, in) && pack_all(&m, position_blocks);
}
