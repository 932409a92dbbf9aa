/* SPDX-License-Identifier: BSD-3-Clause */
/* embedding_bag: sums of bags of rows, without materialising the rows. One thread sums each bag, in
 * order. Called by src/ops/embed through the backend table; the caller has checked types, shapes
 * and indices. */
#include "cpu/index/bags.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/index.h"
#include "cpu/isa.h"

extern const struct cti_bag_loops CTI_ISA_NAMES(cti_bag_loops);
static const struct cti_bag_loops *const loops[] = CTI_ISA_TABLE(cti_bag_loops);

struct bags {
    cti_bag_sum *sum;
    char *out;
    const char *in;
    const int64_t *index, *ends;
    int64_t row, width, size; /* elements between rows and in a row; bytes of one */
    int64_t n;                /* number of indices; the ends of bags are clamped to it */
};

static int64_t bag_bound(const struct bags *b, int64_t i)
{
    int64_t end = i < 0 ? 0 : b->ends[i];
    return end < 0 ? 0 : end < b->n ? end : b->n;
}

static void sum_bags(void *context, int64_t begin, int64_t end)
{
    const struct bags *b = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = bag_bound(b, i - 1), last = bag_bound(b, i);
        b->sum(b->out + i * b->width * b->size, b->in, b->row, b->index + first,
               last > first ? last - first : 0, b->width);
    }
}

enum cti_status cti_cpu_bag_sum(struct cti_bag_sum *work)
{
    ct_tensor *out = work->out, *in = work->in, *index = work->index, *ends = work->ends;
    bool single = in->dtype == CT_FLOAT32;
    struct bags b = {.out = cti_data(out),
                     .in = cti_data(in),
                     .index = (const int64_t *)(const void *)cti_data(index),
                     .ends = (const int64_t *)(const void *)cti_data(ends),
                     .row = in->stride[0],
                     .width = in->shape[1],
                     .size = cti_itemsize(in->dtype),
                     .n = index->numel};
    b.sum = single ? loops[cti_cpu_isa()]->f32 : loops[cti_cpu_isa()]->f64;
    int64_t bags = out->shape[0], each = index->numel / (bags ? bags : 1) * b.width;
    cti_parallel_for(bags, cti_line_grain(each), sum_bags, &b);
    return true;
}
