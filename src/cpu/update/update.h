/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of optimizer steps. */
#ifndef CORTEN_CPU_UPDATE_H
#define CORTEN_CPU_UPDATE_H

#include "core/update.h"

bool cti_cpu_update(const struct cti_update *work);

#endif
