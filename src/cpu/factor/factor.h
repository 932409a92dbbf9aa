/* SPDX-License-Identifier: BSD-3-Clause */
/* The factor engine of the CPU. */
#ifndef CORTEN_CPU_FACTOR_H
#define CORTEN_CPU_FACTOR_H

#include "core/factor.h"

bool cti_cpu_factor(const struct cti_factor *work);

#endif
