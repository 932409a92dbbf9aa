/* SPDX-License-Identifier: BSD-3-Clause */
/* The conv engine of the CPU; see core/conv.h and Note [Convolution paths] in conv.c. */
#ifndef CORTEN_CPU_CONV_H
#define CORTEN_CPU_CONV_H

#include "core/conv.h"

/* False: out of memory, the error is set. */
bool cti_cpu_conv(const struct cti_conv *work);

#endif
