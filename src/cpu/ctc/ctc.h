/* SPDX-License-Identifier: BSD-3-Clause */
/* The ctc engine of the CPU. */
#ifndef CORTEN_CPU_CTC_H
#define CORTEN_CPU_CTC_H

#include "core/ctc.h"

bool cti_cpu_ctc(const struct cti_ctc *work);
bool cti_cpu_ctc_backward(const struct cti_ctc *work);

#endif
