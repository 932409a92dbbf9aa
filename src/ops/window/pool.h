/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of pooling share. */
#ifndef CORTEN_OPS_POOL_H
#define CORTEN_OPS_POOL_H

#include "core/hold.h"
#include "ops/window/window.h"

/* The arguments of a pooling at full length: a number for each of ndim dims. */
struct cti_pool {
    int ndim;
    int64_t kernel[3], stride[3], padding[3], dilation[3];
    bool ceil_mode;
};

struct cti_pair { /* greatest elements and their numbers; NULL: failed */
    ct_tensor *output, *indices;
};

/* Without the height of images that were lines; lets go of h. */
struct cti_pair cti_pair_squeeze_take(struct cti_pair pair, struct cti_hold *h);
/* Brings lists to full length and checks them; name: as PyTorch's errors call the function. */
bool cti_pool_args(struct cti_pool *p, const char *name, int ndim, ct_ints kernel, ct_ints stride,
                   ct_ints padding, ct_ints dilation, bool ceil_mode);
/* Checks input and sizes; the numbers of windows to `out`. */
bool cti_pool_sizes(const struct cti_pool *p, const char *name, const ct_tensor *input,
                    int64_t *out);
int64_t cti_pool_windows(int64_t in, int64_t kernel, int64_t stride, int64_t padding,
                         int64_t dilation, bool ceil_mode);
/* The windows that share `in` elements out to dim->out, with divisors for averages. */
bool cti_pool_shares(struct cti_window_dim *dim, int64_t in, int64_t out, bool averages);
bool cti_pool_check_full(const char *name, const ct_tensor *input, int from);

#endif
