/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampling engine of the CPU. */
#ifndef CORTEN_CPU_SAMPLE_H
#define CORTEN_CPU_SAMPLE_H

#include "core/sample.h"

bool cti_cpu_sample(const struct cti_sample *work);

#endif
