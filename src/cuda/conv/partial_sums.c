/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits the sums of a weight gradient over blocks and adds the partial sums; see partial_sums.h.
 */
#include "cuda/conv/partial_sums.h"

#include "core/small.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define THREADS 256
#define MOST 256

/* As in the kernel. */
struct arguments {
    const void *parts;
    void *weight;
    int64_t nparts, n, size[4], stride[5];
};

/* Whether one part can be the gradient itself. */
static bool is_plain(const ct_tensor *t)
{
    int64_t step = 1;
    bool plain = t->dtype == cti_cuda_compute(t->dtype);
    for (int d = t->ndim - 1; d >= 0; d--) {
        plain = plain && (t->shape[d] == 1 || t->stride[d] == step);
        step *= t->shape[d];
    }
    return plain;
}

bool cti_conv_partial_sums_begin(struct cti_conv_partial_sums *p, const struct cti_conv *w,
                                 int64_t wanted, int64_t all, int64_t least)
{
    int64_t possible = ceil_div(all, least), n = wanted < possible ? wanted : possible;
    int64_t size = cti_itemsize((enum ct_dtype)cti_cuda_compute(w->weight->dtype));
    n = n < 1 ? 1 : n < MOST ? n : MOST;
    *p = (struct cti_conv_partial_sums){.span = ceil_div(all, n)};
    p->n = ceil_div(all, p->span);
    if (cti_cuda_fake())
        return true;
    p->alone = p->n == 1 && is_plain(w->weight);
    if (p->alone) {
        p->data = cti_data(w->weight);
        return true;
    }
    p->data = cti_cuda_scratch(w->weight->storage->device.index, p->n * w->weight->numel * size,
                               &p->block);
    return p->data != NULL;
}

static bool add(const struct cti_conv_partial_sums *p, const ct_tensor *t)
{
    int dtype = t->dtype, wide = cti_cuda_compute(dtype);
    struct arguments a = {p->data, cti_data(t), p->n, t->numel, {1, 1, 1, 1}, {0}};
    struct cti_text store = {0};
    for (int d = 0; d < t->ndim; d++) {
        a.stride[d] = t->stride[d];
        if (d > 0)
            a.size[d - 1] = t->shape[d];
    }
    cti_cuda_cast(&store, dtype, wide, "(x)");
    bool good = !store.failed &&
                cti_cuda_run(&(struct cti_launch){.file = "conv/partial_sums",
                                                  .texts = {{"MEMORY", cti_cuda_type[dtype]},
                                                            {"A", cti_cuda_type[wide]},
                                                            {"STORE(x)", store.v}},
                                                  .device = t->storage->device.index,
                                                  .grid = {(unsigned)ceil_div(t->numel, 32)},
                                                  .threads = THREADS,
                                                  .args = &a,
                                                  .size = sizeof a});
    cti_text_free(&store);
    return good;
}

bool cti_conv_partial_sums_end(struct cti_conv_partial_sums *p, const struct cti_conv *w, bool sent)
{
    bool good = sent && (p->alone || add(p, w->weight));
    cti_cuda_scratch_end(p->block);
    return good;
}
