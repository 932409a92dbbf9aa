/* SPDX-License-Identifier: BSD-3-Clause */
/* The prototypes of the CPU's engines: a function cti_cpu_NAME(struct cti_NAME *) for each NAME of
 * CTI_ENGINES, in the folder of its family. */
#ifndef CORTEN_CPU_ENGINES_H
#define CORTEN_CPU_ENGINES_H

#include "core/backend.h"

#define CTI_CPU_PROTOTYPE(name, ...) CTI_ENGINE_PROTOTYPE(cpu, name)
CTI_ENGINES(CTI_CPU_PROTOTYPE)

#endif
