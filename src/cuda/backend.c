/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of CUDA's engines (core/backend.h). What has no kernel falls back to the host. */
#include "cuda/engines.h"
#include "cuda/host.h"

static bool bag_sum(ct_tensor *out, ct_tensor *in, ct_tensor *index, ct_tensor *ends)
{
    (void)out, (void)in, (void)index, (void)ends;
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "sums of bags are the CPU's");
}

const struct cti_backend cti_cuda_backend = {
    .pointwise = cti_cuda_pointwise,
    .reduce = cti_cuda_reduce,
    .copy = cti_cuda_copy,
    .join = cti_cuda_join,
    .fill = cti_cuda_fill,
    .ramp = cti_cuda_ramp,
    .scan = cti_cuda_scan,
    .softmax = cti_cuda_softmax,
    .index_check = cti_cuda_index_check,
    .gather = cti_cuda_gather,
    .scatter = cti_cuda_scatter,
    .scatter_lines = cti_cuda_scatter_lines,
    .class_loss = cti_cuda_class_loss,
    .bag_sum = bag_sum,
    .index_select = cti_cuda_index_select,
    .index_get = cti_cuda_index_get,
    .index_put = cti_cuda_index_put,
    .count_nonzero = cti_cuda_count_nonzero,
    .masked_select = cti_cuda_masked_select,
    .masked_put = cti_cuda_masked_put,
    .nonzero = cti_cuda_nonzero,
    .sort = cti_cuda_sort,
    .topk = cti_cuda_topk,
    .search = cti_cuda_search,
    .sort_rows = cti_cuda_sort_rows,
    .place = cti_cuda_place,
    .distance = cti_cuda_distance,
    .fft = cti_cuda_fft,
    .gemm = cti_cuda_gemm,
    .factor = cti_cuda_factor,
    .random = cti_cuda_random,
    .update = cti_cuda_update,
    .attend = cti_cuda_attend,
    .attend_backward = cti_cuda_attend_backward,
    .recur = cti_cuda_recur,
    .recur_backward = cti_cuda_recur_backward,
    .window = cti_cuda_window,
    .sample = cti_cuda_sample,
    .conv = cti_cuda_conv,
    .ctc = cti_cuda_ctc,
    .ctc_backward = cti_cuda_ctc_backward,
    .norm = cti_cuda_norm,
    .norm_backward = cti_cuda_norm_backward,
};
