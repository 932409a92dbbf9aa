/* SPDX-License-Identifier: BSD-3-Clause */
/* The engines of CUDA devices, by file; backend.c puts them into the table. */
#ifndef CORTEN_CUDA_ENGINES_H
#define CORTEN_CUDA_ENGINES_H

#include "core/backend.h"

struct cti_gemm;
struct cti_conv;
struct cti_update;
struct cti_window;
struct cti_sample;
struct cti_fill_random;

bool cti_cuda_pointwise(const struct cti_pointwise *work);
bool cti_cuda_join(ct_tensor *dst, ct_tensor *const *src, int64_t n, int dim);
bool cti_cuda_fill(ct_tensor *dst, ct_value number);
bool cti_cuda_reduce(const struct cti_reduce *work);
bool cti_cuda_scan(enum cti_scan_op op, ct_tensor *out, ct_tensor *index, ct_tensor *in,
                   int64_t dim);
int64_t cti_cuda_count_nonzero(ct_tensor *mask);
bool cti_cuda_masked_select(ct_tensor *out, ct_tensor *in, ct_tensor *mask);
bool cti_cuda_masked_put(ct_tensor *self, ct_tensor *mask, ct_tensor *src);
bool cti_cuda_nonzero(ct_tensor *out, ct_tensor *in);
bool cti_cuda_softmax(enum cti_softmax_op op, ct_tensor *out, ct_tensor *in, ct_tensor *grad,
                      int64_t dim);
bool cti_cuda_update(const struct cti_update *work);
bool cti_cuda_random(const struct cti_fill_random *work);
bool cti_cuda_index_check(ct_tensor *index, int64_t size, bool wrap, int64_t *bad);
bool cti_cuda_gather(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index);
bool cti_cuda_scatter(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                      enum cti_combine how);
int cti_cuda_scatter_lines(ct_tensor *out, ct_tensor *index, ct_tensor *src);
int cti_cuda_class_loss(const struct cti_class_loss *work);
bool cti_cuda_index_select(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index);
bool cti_cuda_index_get(ct_tensor *out, ct_tensor *in, ct_tensor *const *index, int nindex);
bool cti_cuda_index_put(ct_tensor *self, ct_tensor *const *index, int nindex, ct_tensor *value,
                        bool accumulate);
bool cti_cuda_ramp(ct_tensor *dst, ct_value start, ct_value step, ct_value end);
bool cti_cuda_distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p);
bool cti_cuda_sample(const struct cti_sample *work);
bool cti_cuda_sort_rows(ct_tensor *index, ct_tensor *rows);
bool cti_cuda_sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim, bool descending,
                   bool stable);
bool cti_cuda_topk(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                   bool largest, bool sorted);
bool cti_cuda_place(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                    bool nan_wins);
bool cti_cuda_search(ct_tensor *out, ct_tensor *sorted, ct_tensor *values, ct_tensor *sorter,
                     bool right);
bool cti_cuda_conv(const struct cti_conv *work);
bool cti_cuda_window(const struct cti_window *work);
bool cti_cuda_factor(const struct cti_factor *work);
bool cti_cuda_fft(ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, double scale);
bool cti_cuda_attend(const struct cti_attend *work);
bool cti_cuda_attend_backward(const struct cti_attend *work);
bool cti_cuda_ctc(const struct cti_ctc *work);
bool cti_cuda_ctc_backward(const struct cti_ctc *work);
bool cti_cuda_norm(const struct cti_norm *work);
bool cti_cuda_norm_backward(const struct cti_norm *work);
bool cti_cuda_recur(const struct cti_recur *work);
bool cti_cuda_recur_backward(const struct cti_recur *work);
bool cti_cuda_gemm(const struct cti_gemm *work);
bool cti_cuda_copy(ct_tensor *dst, ct_tensor *src);
/* pinned.c */
bool cti_cuda_is_pinned(const void *host);
ct_storage *cti_cuda_pinned(int64_t nbytes); /* of the CPU */

#endif
