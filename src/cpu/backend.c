/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's engines. */
#include "cpu/attend/attend.h"
#include "cpu/conv/conv.h"
#include "cpu/ctc/ctc.h"
#include "cpu/distance/distance.h"
#include "cpu/factor/factor.h"
#include "cpu/fft/fft.h"
#include "cpu/gemm/gemm.h"
#include "cpu/index/index.h"
#include "cpu/norm/norm.h"
#include "cpu/order/order.h"
#include "cpu/pointwise/pointwise.h"
#include "cpu/random/random.h"
#include "cpu/recur/recur.h"
#include "cpu/reduce/reduce.h"
#include "cpu/sample/sample.h"
#include "cpu/softmax/softmax.h"
#include "cpu/update/update.h"
#include "cpu/window/window.h"

const struct cti_backend cti_cpu_backend = {
    .pointwise = cti_cpu_pointwise,
    .reduce = cti_cpu_reduce,
    .copy = cti_cpu_copy,
    .fill = cti_cpu_fill,
    .ramp = cti_cpu_ramp,
    .scan = cti_cpu_scan,
    .softmax = cti_cpu_softmax,
    .norm = cti_cpu_norm,
    .norm_backward = cti_cpu_norm_backward,
    .attend = cti_cpu_attend,
    .attend_backward = cti_cpu_attend_backward,
    .ctc = cti_cpu_ctc,
    .ctc_backward = cti_cpu_ctc_backward,
    .recur = cti_cpu_recur,
    .recur_backward = cti_cpu_recur_backward,
    .window = cti_cpu_window,
    .sample = cti_cpu_sample,
    .index_check = cti_cpu_index_check,
    .gather = cti_cpu_gather,
    .scatter = cti_cpu_scatter,
    .index_select = cti_cpu_index_select,
    .index_get = cti_cpu_index_get,
    .index_put = cti_cpu_index_put,
    .count_nonzero = cti_cpu_count_nonzero,
    .masked_select = cti_cpu_masked_select,
    .masked_put = cti_cpu_masked_put,
    .nonzero = cti_cpu_nonzero,
    .sort = cti_cpu_sort,
    .topk = cti_cpu_topk,
    .search = cti_cpu_search,
    .sort_rows = cti_cpu_sort_rows,
    .place = cti_cpu_place,
    .distance = cti_cpu_distance,
    .fft = cti_cpu_fft,
    .gemm = cti_cpu_gemm,
    .conv = cti_cpu_conv,
    .factor = cti_cpu_factor,
    .random = cti_cpu_random,
    .update = cti_cpu_update,
};
