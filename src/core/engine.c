/* SPDX-License-Identifier: BSD-3-Clause */
/* Picks the backend of a device and runs an engine, see core/engine.h. Two backends need no
 * function per engine and are defined here: the meta backend, whose tensors have shapes but no
 * elements, and the sparse backend, whose tensors no engine can read. No other file of core refers
 * to individual backends. */
#include "core/backend.h"
#include "core/sparse.h"

const struct cti_engine_facts cti_engine_facts[CTI_ENGINE_COUNT] = {
#define FACTS(name, ntensors, nwritten, traits) {#name, ntensors, nwritten, traits},
    CTI_ENGINES(FACTS)};

/* Meta tensors have no elements, and the operation has already checked its arguments and allocated
 * the result. */
static enum cti_status run_meta(struct cti_work *work)
{
    if (!(cti_engine_facts[work->engine].traits & CTI_OF_ELEMENTS))
        return CTI_DONE;
    ct_fail(CT_ERR_NOT_IMPLEMENTED,
            "the size of this result depends on elements, which meta tensors do not have");
    return CTI_FAILED;
}

/* Operations that support sparse tensors never get here: see Note [Sparse tensors]. */
static enum cti_status refuse_sparse(struct cti_work *work)
{
    cti_sparse_refused(cti_engine_facts[work->engine].name);
    return CTI_FAILED;
}

static const struct cti_backend meta_backend = {.run = {[0 ... CTI_ENGINE_COUNT - 1] = run_meta}};
static const struct cti_backend sparse_backend = {
    .run = {[0 ... CTI_ENGINE_COUNT - 1] = refuse_sparse}};

const struct cti_backend *const cti_backends[] = {
    [CT_CPU] = &cti_cpu_backend,
    [CT_CUDA] = &cti_cuda_backend,
    [CT_META] = &meta_backend,
    [CTI_SPARSE_DEVICE] = &sparse_backend,
};

/* An interrupted engine of the CPU counts as failed whatever it returned: see Note [Interrupted] in
 * core/interrupt.h. */
enum cti_status cti_run_rest(struct cti_work *work, enum cti_status status)
{
    const struct cti_engine_facts *facts = &cti_engine_facts[work->engine];
    bool accelerator = cti_accelerator_of(work->device.type) != NULL;
    if (status == CTI_DECLINED && accelerator && !(facts->traits & CTI_FUSED))
        status = cti_stage(work);
    else if (status == CTI_DONE && !accelerator && !cti_ran())
        status = CTI_FAILED;
    if (status == CTI_DECLINED && !(facts->traits & CTI_FUSED))
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "no backend has the engine '%s'", facts->name);
    return status;
}

enum cti_status cti_offer(struct cti_work *work)
{
    return cti_run_rest(work, cti_backends[work->device.type]->run[work->engine](work));
}
