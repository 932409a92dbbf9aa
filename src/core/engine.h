/* SPDX-License-Identifier: BSD-3-Clause */
/* Engines: what a device computes. Fronts (src/ops and others) check, promote, broadcast and
 * allocate; then they fill in the struct of an engine and hand it to cti_run, which finds the
 * backend of the device. Engines see geometry and bytes: they never allocate a result, never
 * record, never know a row's arguments.
 *
 * Note [Engines]: the struct of every engine begins with a struct cti_work, directly followed by
 * the tensors that the engine writes, then by those that it reads (an optional one may be NULL), as
 * CTI_ENGINES counts them. So whatever treats all engines alike needs no code for each: meta
 * tensors, sparse tensors, staging (core/staging.c). docs/adding-an-engine.md adds one. */
#ifndef CORTEN_CORE_ENGINE_H
#define CORTEN_CORE_ENGINE_H

#include "core/interrupt.h"
#include "core/tensor.h"

enum cti_engine_trait {
    CTI_PLAIN = 0,
    CTI_HAS_LIST = 1 << 0, /* a ct_list of tensors to be read follows the tensors */
    /* How large the result is depends on elements, which meta tensors do not have. */
    CTI_OF_ELEMENTS = 1 << 1,
    /* Works on addresses, which cti_take_addresses takes from the tensors before it runs. */
    CTI_HAS_ADDRESSES = 1 << 2,
    /* Names its memory by addresses and no tensors; core/staging.c knows its struct. */
    CTI_IN_MEMORY = 1 << 3,
    /* Only a faster way: where a backend declines, the front has another (cti_offer). */
    CTI_FUSED = 1 << 4
};

/* Engine NAME has struct cti_NAME, which core/backend.h defines or names the header of; then how
 * many tensors it has, how many of them are written, and its traits. */
/* clang-format off */
#define CTI_ENGINES(X)                                                                             \
    X(pointwise,      0,  0, CTI_IN_MEMORY)                                                        \
    X(reduce,         3,  2, CTI_PLAIN)                                                            \
    X(copy,           2,  1, CTI_PLAIN)                                                            \
    X(join,           1,  1, CTI_HAS_LIST)                                                         \
    X(fill,           1,  1, CTI_PLAIN)                                                            \
    X(ramp,           1,  1, CTI_PLAIN)                                                            \
    X(scan,           3,  2, CTI_PLAIN)                                                            \
    X(softmax,        3,  1, CTI_PLAIN)                                                            \
    X(norm,          10,  6, CTI_PLAIN)                                                            \
    X(attend,        10,  5, CTI_HAS_ADDRESSES)                                                    \
    X(ctc,            5,  3, CTI_HAS_ADDRESSES)                                                    \
    X(recur,         18, 12, CTI_HAS_ADDRESSES)                                                    \
    X(window,         3,  2, CTI_PLAIN)                                                            \
    X(sample,         7,  3, CTI_PLAIN)                                                            \
    X(index_check,    1,  0, CTI_PLAIN)                                                            \
    X(gather,         3,  1, CTI_PLAIN)                                                            \
    X(scatter,        3,  1, CTI_PLAIN)                                                            \
    X(scatter_lines,  3,  1, CTI_FUSED)                                                            \
    X(class_loss,     7,  3, CTI_FUSED)                                                            \
    X(index_select,   3,  1, CTI_PLAIN)                                                            \
    X(bag_sum,        4,  1, CTI_PLAIN)                                                            \
    X(index_get,      2,  1, CTI_HAS_LIST)                                                         \
    X(index_put,      2,  1, CTI_HAS_LIST)                                                         \
    X(count_nonzero,  1,  0, CTI_OF_ELEMENTS)                                                      \
    X(masked_select,  3,  1, CTI_OF_ELEMENTS)                                                      \
    X(masked_put,     3,  1, CTI_PLAIN)                                                            \
    X(nonzero,        2,  1, CTI_OF_ELEMENTS)                                                      \
    X(sort,           3,  2, CTI_PLAIN)                                                            \
    X(topk,           3,  2, CTI_PLAIN)                                                            \
    X(search,         4,  1, CTI_PLAIN)                                                            \
    X(sort_rows,      2,  1, CTI_PLAIN)                                                            \
    X(kthvalue,       3,  2, CTI_PLAIN)                                                            \
    X(distance,       3,  1, CTI_PLAIN)                                                            \
    X(fft,            2,  1, CTI_PLAIN)                                                            \
    X(gemm,           4,  1, CTI_HAS_ADDRESSES)                                                    \
    X(conv,           4,  3, CTI_PLAIN)                                                            \
    X(factor,         5,  5, CTI_HAS_ADDRESSES)                                                    \
    X(random,         3,  1, CTI_PLAIN)                                                            \
    X(update,         0,  0, CTI_IN_MEMORY)
/* clang-format on */

enum cti_engine_id {
#define CTI_NUMBER(name, ...) CTI_ENGINE_##name,
    CTI_ENGINES(CTI_NUMBER)
#undef CTI_NUMBER
        CTI_ENGINE_COUNT
};

struct cti_engine_facts {
    const char *name;
    uint8_t ntensors, nwritten, traits;
};
extern const struct cti_engine_facts cti_engine_facts[CTI_ENGINE_COUNT];

/* FAILED: the error is set. DECLINED: nothing was written, and it is not for this backend. A true
 * of bool is DONE, so that an engine may end as `return good;`. */
enum cti_status { CTI_FAILED, CTI_DONE, CTI_DECLINED };

struct cti_work {
    uint8_t engine; /* enum cti_engine_id */
    struct ct_device device;
} __attribute__((aligned(sizeof(void *)))); /* no gap before the tensors */

static inline ct_tensor **cti_work_tensors(struct cti_work *work)
{
    return (ct_tensor **)(void *)(work + 1);
}

/* With CTI_HAS_LIST. */
static inline ct_list *cti_work_list(struct cti_work *work)
{
    return (ct_list *)(void *)(cti_work_tensors(work) + cti_engine_facts[work->engine].ntensors);
}

/* Fills in the addresses of an engine with CTI_HAS_ADDRESSES. */
void cti_take_addresses(struct cti_work *work);

/* ---- backends ---- */

/* A backend has an entry for every engine. */
struct cti_backend {
    enum cti_status (*run[CTI_ENGINE_COUNT])(struct cti_work *work);
};
extern const struct cti_backend cti_cpu_backend, cti_cuda_backend;
extern const struct cti_backend *const cti_backends[]; /* by device type; NULL: none is built */

/* The entry of an engine in its backend's table: entry_topk calls cti_cpu_topk(struct cti_topk *).
 * A backend lists its engines once and gets prototypes, entries and the table from that list. */
enum {
#define CTI_TRAITS(name, ntensors, nwritten, traits) CTI_TRAITS_##name = (traits),
    CTI_ENGINES(CTI_TRAITS)
#undef CTI_TRAITS
};
#define CTI_ENGINE_PROTOTYPE(backend, name)                                                        \
    struct cti_##name;                                                                             \
    enum cti_status cti_##backend##_##name(struct cti_##name *work);
#define CTI_ENGINE_ENTRY(backend, name)                                                            \
    static enum cti_status entry_##name(struct cti_work *work)                                     \
    {                                                                                              \
        if (CTI_TRAITS_##name & CTI_HAS_ADDRESSES)                                                 \
            cti_take_addresses(work);                                                              \
        return cti_##backend##_##name((struct cti_##name *)(void *)work);                          \
    }

/* ---- running ---- */

/* What cti_run and cti_offer do when it is not simply done: staging, interruptions. */
enum cti_status cti_run_rest(struct cti_work *work, enum cti_status status);
/* The same work by the CPU's engine on host copies of what it reads and writes: core/staging.c. */
enum cti_status cti_stage(struct cti_work *work);

/* Runs an engine on its device; where the device declines, on the CPU. False: the error is set. */
static inline bool cti_run(struct cti_work *work)
{
    enum cti_status status = cti_backends[work->device.type]->run[work->engine](work);
    if (__builtin_expect(status == CTI_DONE && !cti_ever_interrupted(), 1))
        return true;
    return cti_run_rest(work, status) == CTI_DONE;
}

/* The same with struct and head filled in apart. */
static inline bool cti_run_on(struct cti_work *work, enum cti_engine_id engine, const ct_tensor *on)
{
    *work = (struct cti_work){(uint8_t)engine, on->storage->device};
    return cti_run(work);
}

/* Runs an engine that may decline (CTI_FUSED). */
enum cti_status cti_offer(struct cti_work *work);

/* CTI_RUN(fill, t, .dst = t, .number = zero): fills in struct cti_fill and runs it on t's device.
 */
#define CTI_WORK(name, on, ...)                                                                    \
    (&(struct cti_##name){.work = {CTI_ENGINE_##name, (on)->storage->device}, __VA_ARGS__}.work)
#define CTI_RUN(name, on, ...) cti_run(CTI_WORK(name, on, __VA_ARGS__))

#endif
