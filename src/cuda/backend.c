/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of CUDA's engines; see engines.h. */
#include "cuda/engines.h"
#include "cuda/runtime/driver.h"

enum cti_status cti_cuda_launched(bool good)
{
    return !good ? CTI_FAILED : cti_cuda_fake() ? CTI_DECLINED : CTI_DONE;
}

static enum cti_status decline(struct cti_work *work)
{
    (void)work;
    return CTI_DECLINED;
}

#define ENTRY(name) CTI_ENGINE_ENTRY(cuda, name)
CTI_CUDA_ENGINES(ENTRY)

#define SLOT(name) [CTI_ENGINE_##name] = entry_##name,
#pragma GCC diagnostic ignored "-Woverride-init"
const struct cti_backend cti_cuda_backend = {
    .run = {[0 ... CTI_ENGINE_COUNT - 1] = decline, CTI_CUDA_ENGINES(SLOT)}};
