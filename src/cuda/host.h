/* SPDX-License-Identifier: BSD-3-Clause */
/* The host fallback of every engine: inputs are copied to host memory, the CPU's engine runs there,
 * results are copied back. Slow and always right. Engines of src/cuda fall back for rare types and
 * shapes, and for what has no kernel; the fake device has nothing else. */
#ifndef CORTEN_CUDA_HOST_H
#define CORTEN_CUDA_HOST_H

#include "core/backend.h"

bool cti_cuda_host_pointwise(const struct cti_pointwise *work);
bool cti_cuda_host_reduce(const struct cti_reduce *work);
bool cti_cuda_host_fill(ct_tensor *dst, ct_value number);
bool cti_cuda_host_ramp(ct_tensor *dst, ct_value start, ct_value step, ct_value end);
bool cti_cuda_host_scan(enum cti_scan_op op, ct_tensor *out, ct_tensor *index, ct_tensor *in,
                        int64_t dim);
bool cti_cuda_host_softmax(enum cti_softmax_op op, ct_tensor *out, ct_tensor *in, ct_tensor *grad,
                           int64_t dim);
bool cti_cuda_host_index_check(ct_tensor *index, int64_t size, bool wrap, int64_t *bad);
bool cti_cuda_host_gather(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index);
bool cti_cuda_host_scatter(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                           enum cti_combine reduction);
bool cti_cuda_host_index_select(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index);
bool cti_cuda_host_index_get(ct_tensor *out, ct_tensor *in, ct_tensor *const *index, int nindex);
bool cti_cuda_host_index_put(ct_tensor *self, ct_tensor *const *index, int nindex, ct_tensor *value,
                             bool accumulate);
int64_t cti_cuda_host_count_nonzero(ct_tensor *mask);
bool cti_cuda_host_masked_select(ct_tensor *out, ct_tensor *in, ct_tensor *mask);
bool cti_cuda_host_masked_put(ct_tensor *self, ct_tensor *mask, ct_tensor *src);
bool cti_cuda_host_nonzero(ct_tensor *out, ct_tensor *in);
bool cti_cuda_host_sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim,
                        bool descending, bool stable);
bool cti_cuda_host_topk(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                        bool largest, bool sorted);
bool cti_cuda_host_search(ct_tensor *out, ct_tensor *sorted, ct_tensor *values, ct_tensor *sorter,
                          bool right);
bool cti_cuda_host_sort_rows(ct_tensor *index, ct_tensor *rows);
bool cti_cuda_host_place(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                         bool nan_wins);
bool cti_cuda_host_distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p);
bool cti_cuda_host_fft(ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, double scale);
bool cti_cuda_host_gemm(const struct cti_gemm *work);
bool cti_cuda_host_factor(const struct cti_factor *work);
bool cti_cuda_host_random(const struct cti_fill_random *work);
bool cti_cuda_host_update(const struct cti_update *work);
bool cti_cuda_host_attend(const struct cti_attend *work);
bool cti_cuda_host_attend_backward(const struct cti_attend *work);
bool cti_cuda_host_recur(const struct cti_recur *work);
bool cti_cuda_host_recur_backward(const struct cti_recur *work);
bool cti_cuda_host_conv(const struct cti_conv *work);
bool cti_cuda_host_window(const struct cti_window *work);
bool cti_cuda_host_sample(const struct cti_sample *work);
bool cti_cuda_host_ctc(const struct cti_ctc *work);
bool cti_cuda_host_ctc_backward(const struct cti_ctc *work);
bool cti_cuda_host_norm(const struct cti_norm *work);
bool cti_cuda_host_norm_backward(const struct cti_norm *work);

#endif
