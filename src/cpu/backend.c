/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's engines. */
#include "cpu/distance.h"
#include "cpu/factor.h"
#include "cpu/fft.h"
#include "cpu/gemm.h"
#include "cpu/index.h"
#include "cpu/order.h"
#include "cpu/pointwise.h"
#include "cpu/random.h"
#include "cpu/reduce.h"
#include "cpu/softmax.h"

const struct cti_backend cti_cpu_backend = {
    .pointwise = cti_cpu_pointwise,
    .reduce = cti_cpu_reduce,
    .copy = cti_cpu_copy,
    .fill = cti_cpu_fill,
    .ramp = cti_cpu_ramp,
    .scan = cti_cpu_scan,
    .softmax = cti_cpu_softmax,
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
    .factor = cti_cpu_factor,
    .random = cti_cpu_random,
};
