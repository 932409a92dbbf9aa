/* SPDX-License-Identifier: BSD-3-Clause */
/* The engines by name, with their arguments, for backends that have one answer for all of them:
 * meta tensors, sparse tensors. core/backend.h documents each; count_nonzero, which returns a
 * count, is not among them. */
#ifndef CORTEN_CORE_ENGINES_H
#define CORTEN_CORE_ENGINES_H

#include "core/backend.h"

/* clang-format off */
#define CTI_ENGINES(X)                                                                             \
    X(pointwise, const struct cti_pointwise *work)                                                 \
    X(reduce, const struct cti_reduce *work)                                                       \
    X(copy, ct_tensor *dst, ct_tensor *src)                                                        \
    X(join, ct_tensor *dst, ct_tensor *const *src, int64_t n, int dim)                             \
    X(fill, ct_tensor *dst, ct_value number)                                                       \
    X(ramp, ct_tensor *dst, ct_value start, ct_value step, ct_value end)                           \
    X(scan, enum cti_scan_op op, ct_tensor *out, ct_tensor *index, ct_tensor *in, int64_t dim)     \
    X(softmax, enum cti_softmax_op op, ct_tensor *out, ct_tensor *in, ct_tensor *grad,             \
       int64_t dim)                                                                                \
    X(norm, const struct cti_norm *work)                                                           \
    X(norm_backward, const struct cti_norm *work)                                                  \
    X(attend, const struct cti_attend *work)                                                       \
    X(attend_backward, const struct cti_attend *work)                                              \
    X(ctc, const struct cti_ctc *work)                                                             \
    X(ctc_backward, const struct cti_ctc *work)                                                    \
    X(recur, const struct cti_recur *work)                                                         \
    X(recur_backward, const struct cti_recur *work)                                                \
    X(window, const struct cti_window *work)                                                       \
    X(sample, const struct cti_sample *work)                                                       \
    X(index_check, ct_tensor *index, int64_t size, bool wrap, int64_t *bad)                        \
    X(gather, ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)                        \
    X(scatter, ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,                     \
       enum cti_combine how)                                                                       \
    X(index_select, ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)                  \
    X(index_get, ct_tensor *out, ct_tensor *in, ct_tensor *const *index, int nindex)               \
    X(index_put, ct_tensor *self, ct_tensor *const *index, int nindex, ct_tensor *value,           \
       bool accumulate)                                                                            \
    X(masked_put, ct_tensor *self, ct_tensor *mask, ct_tensor *src)                                \
    X(sort, ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim, bool descending,      \
       bool stable)                                                                                \
    X(topk, ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,            \
       bool largest, bool sorted)                                                                  \
    X(search, ct_tensor *out, ct_tensor *sorted, ct_tensor *values, ct_tensor *sorter, bool right) \
    X(sort_rows, ct_tensor *index, ct_tensor *rows)                                                \
    X(place, ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,           \
       bool nan_wins)                                                                              \
    X(distance, ct_tensor *out, ct_tensor *a, ct_tensor *b, double p)                              \
    X(fft, ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, double scale)                 \
    X(gemm, const struct cti_gemm *work)                                                           \
    X(conv, const struct cti_conv *work)                                                           \
    X(factor, const struct cti_factor *work)                                                       \
    X(random, const struct cti_fill_random *work)                                                  \
    X(update, const struct cti_update *work)

/* Those whose result sizes depend on element values. */
#define CTI_ENGINES_OF_ELEMENTS(X)                                                                 \
    X(masked_select, ct_tensor *out, ct_tensor *in, ct_tensor *mask)                               \
    X(nonzero, ct_tensor *out, ct_tensor *in)
/* clang-format on */

#endif
