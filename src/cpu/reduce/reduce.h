/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduce engine of the CPU. */
#ifndef CORTEN_CPU_REDUCE_H
#define CORTEN_CPU_REDUCE_H

#include "core/backend.h"

bool cti_cpu_reduce(const struct cti_reduce *work);

#endif
