/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits the sums of a weight gradient over blocks and adds the partial sums; see partial_sums.h.
 */
#include "cuda/common/partial_sums.h"

#include "core/shape.h"
#include "core/small.h"
#include "cuda/common/partial_sums_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define MAX_PARTS 256

bool cti_conv_partial_sums_begin(struct cti_conv_partial_sums *p, const struct cti_conv *w,
                                 int64_t wanted, int64_t all, int64_t least)
{
    const ct_tensor *t = w->weight;
    int compute = cti_cuda_compute(t->dtype);
    int64_t size = cti_itemsize((enum ct_dtype)compute);
    int64_t n = min64(max64(min64(wanted, ceil_div(all, least)), 1), MAX_PARTS);
    *p = (struct cti_conv_partial_sums){.span = ceil_div(all, n)};
    p->n = ceil_div(all, p->span);
    p->in_place = p->n == 1 && t->dtype == compute &&
                  cti_shape_is_contiguous(t->ndim, t->shape, t->stride, CT_CONTIGUOUS_FORMAT);
    p->data = p->in_place
                  ? cti_data(t)
                  : cti_cuda_scratch(t->storage->device.index, p->n * t->numel * size, &p->block);
    return p->data != NULL;
}

static bool partial_sums_add(const struct cti_conv_partial_sums *p, const ct_tensor *t)
{
    int dtype = t->dtype, wide = cti_cuda_compute(dtype);
    struct partial_sums_args a = {p->data, cti_data(t), p->n, t->numel, {1, 1, 1, 1}, {0}};
    for (int d = 0; d < t->ndim; d++) {
        a.stride[d] = t->stride[d];
        if (d > 0)
            a.size[d - 1] = t->shape[d];
    }
    return cti_cuda_run(
        &(struct cti_launch){.file = "common/partial_sums",
                             .texts = {{"T", cti_cuda_type[dtype]}, {"A", cti_cuda_type[wide]}},
                             .casts = {{"STORE(x)", dtype, wide}},
                             .device = t->storage->device.index,
                             .grid = {ceil_div(t->numel, 32)},
                             .threads = 256,
                             .args = &a,
                             .size = sizeof a});
}

bool cti_conv_partial_sums_end(struct cti_conv_partial_sums *p, const struct cti_conv *w,
                               bool launched)
{
    bool good = launched && (p->in_place || partial_sums_add(p, w->weight));
    cti_cuda_scratch_end(p->block);
    return good;
}
