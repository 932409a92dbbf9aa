/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's engines. */
#include "cpu/gemm.h"
#include "cpu/pointwise.h"

const struct cti_backend cti_cpu_backend = {
    .pointwise = cti_cpu_pointwise,
    .copy = cti_cpu_copy,
    .fill = cti_cpu_fill,
    .gemm = cti_cpu_gemm,
};
