/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement pooling. The caller owns returned tensors and pairs. */
#ifndef CORTEN_OPS_POOL_H
#define CORTEN_OPS_POOL_H

#include "core/hold.h"
#include "ops/window/window.h"

/* The arguments of a pooling, expanded to ndim numbers each. */
struct cti_pool {
    int ndim;
    int64_t kernel[3], stride[3], padding[3], dilation[3];
    bool ceil_mode;
};

struct cti_pair { /* maxima and their flat indices in the plane; output NULL: failed */
    ct_tensor *output, *indices;
};

/* Writes the pair to the results of a row. False: it could not be computed. */
static inline bool cti_pair_store(struct cti_pair pair, ct_tensor **output, ct_tensor **indices)
{
    *output = pair.output;
    *indices = pair.indices;
    return pair.output != NULL;
}

/* Removes the height of 1 that a 1-d input was pooled with. Consumes `pair` and releases everything
 * else that h holds. */
struct cti_pair cti_pair_squeeze_take(struct cti_pair pair, struct cti_hold *h);
/* Expands and checks the lists; `name` is the function in PyTorch's errors. */
bool cti_pool_args(struct cti_pool *p, const char *name, int ndim, ct_ints kernel, ct_ints stride,
                   ct_ints padding, ct_ints dilation, bool ceil_mode);
/* Checks the input and writes the output's last p->ndim sizes to `out`. */
bool cti_pool_sizes(const struct cti_pool *p, const char *name, const ct_tensor *input,
                    int64_t *out);
/* Computes the number of windows along a dim of `in` elements; saturates, may be negative. */
int64_t cti_pool_windows(int64_t in, int64_t kernel, int64_t stride, int64_t padding,
                         int64_t dilation, bool ceil_mode);
/* Makes the table of adaptive pooling from `in` to `out` elements, with divisors for averages. */
bool cti_pool_shares(struct cti_window_dim *dim, int64_t in, int64_t out, bool averages);
/* Fails if a dim of the input, from dim `from` on, has size 0. */
bool cti_pool_check_full(const char *name, const ct_tensor *input, int from);

#endif
