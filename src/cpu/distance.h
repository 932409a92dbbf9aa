/* SPDX-License-Identifier: BSD-3-Clause */
/* The distance engine of the CPU. */
#ifndef CORTEN_CPU_DISTANCE_H
#define CORTEN_CPU_DISTANCE_H

#include "core/backend.h"

bool cti_cpu_distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p);

#endif
