/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the CPU's engines. The table is complete, because other backends fall back on it
 * (core/staging.c). */
#include "cpu/engines.h"

enum cti_status cti_cpu_join(struct cti_join *work)
{
    return cti_join_by_copies(work);
}

/* ---- fused engines that only save kernel launches, so the CPU does not implement them ---- */

enum cti_status cti_cpu_class_loss(struct cti_class_loss *work)
{
    (void)work;
    return CTI_DECLINED;
}

enum cti_status cti_cpu_scatter_lines(struct cti_scatter_lines *work)
{
    (void)work;
    return CTI_DECLINED;
}

/* ---- the table ---- */

#define ENTRY(name, ...) CTI_ENGINE_ENTRY(cpu, name)
CTI_ENGINES(ENTRY)

#define PLACE(name, ...) [CTI_ENGINE_##name] = entry_##name,
const struct cti_backend cti_cpu_backend = {.run = {CTI_ENGINES(PLACE)}};
