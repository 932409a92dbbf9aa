/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's engines: cti_cpu_NAME(struct cti_NAME *) for each NAME of CTI_ENGINES, in the folder of
 * its family. backend.c puts them into the table. */
#ifndef CORTEN_CPU_ENGINES_H
#define CORTEN_CPU_ENGINES_H

#include "core/backend.h"

#define CTI_CPU_PROTOTYPE(name, ...) CTI_ENGINE_PROTOTYPE(cpu, name)
CTI_ENGINES(CTI_CPU_PROTOTYPE)

#endif
