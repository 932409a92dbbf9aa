/* SPDX-License-Identifier: BSD-3-Clause */
/* The pointwise engine of the CPU, and the move engine, which is a program without steps. */
#ifndef CORTEN_CPU_POINTWISE_H
#define CORTEN_CPU_POINTWISE_H

#include "core/backend.h"

bool cti_cpu_pointwise(const struct cti_pointwise *work);
bool cti_cpu_copy(ct_tensor *dst, ct_tensor *src);
bool cti_cpu_fill(ct_tensor *dst, ct_value number);
bool cti_cpu_ramp(ct_tensor *dst, ct_value start, ct_value step, ct_value end);

#endif
