/* SPDX-License-Identifier: BSD-3-Clause */
/* Engines: the computations that a device provides, such as a matrix product or a sort. A front
 * (src/ops) checks its arguments, promotes types, broadcasts shapes and allocates the result; then
 * it fills in the struct of an engine and calls cti_run, which picks the backend of the device. An
 * engine never allocates a result, records a derivative or knows the arguments of an operation.
 *
 * Note [Engines]: the struct of every engine starts with a struct cti_work. The tensors that the
 * engine writes follow it directly, then the tensors that it reads; an optional tensor may be NULL.
 * CTI_ENGINES holds their counts. Code that treats all engines alike therefore loops over these
 * tensors and needs no function per engine: meta tensors and sparse tensors (core/engine.c) and
 * staging to the host (core/staging.c). docs/adding-an-engine.md adds an engine step by step. */
#ifndef CORTEN_CORE_ENGINE_H
#define CORTEN_CORE_ENGINE_H

#include "core/interrupt.h"
#include "core/tensor.h"

enum cti_engine_trait {
    CTI_PLAIN = 0,
    CTI_HAS_LIST = 1 << 0,    /* a ct_list of tensors that are read follows the tensors */
    CTI_OF_ELEMENTS = 1 << 1, /* the result's size depends on element values: fails on meta */
    /* The struct also has addresses; cti_take_addresses reads them from the tensors just before the
     * backend's function runs. */
    CTI_HAS_ADDRESSES = 1 << 2,
    /* The struct has addresses instead of tensors; core/staging.c has a function for it. */
    CTI_IN_MEMORY = 1 << 3,
    /* A faster path for work that the operation can also do with other engines, so a backend may
     * decline it without staging (cti_offer). */
    CTI_FUSED = 1 << 4
};

/* X(name, tensors, tensors that are written, traits). Engine NAME has a struct cti_NAME, in
 * core/backend.h or in a header that core/backend.h names, and a function cti_cpu_NAME. */
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

/* FAILED: the error is set. DECLINED: the backend has no kernel for this work and wrote nothing.
 * false and true convert to FAILED and DONE, so that an engine may end with `return good;`. */
enum cti_status { CTI_FAILED, CTI_DONE, CTI_DECLINED };

struct cti_work {
    uint8_t engine; /* enum cti_engine_id */
    struct ct_device device;
} __attribute__((aligned(sizeof(void *)))); /* so that the tensors follow without a gap */

static inline ct_tensor **cti_work_tensors(struct cti_work *work)
{
    return (ct_tensor **)(void *)(work + 1);
}

/* The list behind the tensors, of an engine with CTI_HAS_LIST. */
static inline ct_list *cti_work_list(struct cti_work *work)
{
    return (ct_list *)(void *)(cti_work_tensors(work) + cti_engine_facts[work->engine].ntensors);
}

/* Reads the addresses of an engine with CTI_HAS_ADDRESSES from its tensors; core/addresses.c. */
void cti_take_addresses(struct cti_work *work);

/* ---- backends ---- */

/* The table of a device type: one entry for every engine, never NULL. */
struct cti_backend {
    enum cti_status (*run[CTI_ENGINE_COUNT])(struct cti_work *work);
};
extern const struct cti_backend cti_cpu_backend, cti_cuda_backend;
extern const struct cti_backend *const cti_backends[]; /* by device type; NULL: no backend */

/* A backend lists the names of its engines once and makes three things of the list: the prototypes
 * of its functions, such as cti_cpu_topk(struct cti_topk *); an entry for each, which casts the
 * struct to its type; and the table of entries. See cpu/backend.c. */
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

/* The slow path of cti_run and cti_offer: stages work that the backend declined, and makes an
 * interrupted call fail. */
enum cti_status cti_run_rest(struct cti_work *work, enum cti_status status);
/* Runs the CPU's engine on host copies of the work's memory; core/staging.c. */
enum cti_status cti_stage(struct cti_work *work);

/* Runs an engine on its device, or on host copies if the device declines. False: the error is set.
 */
static inline bool cti_run(struct cti_work *work)
{
    enum cti_status status = cti_backends[work->device.type]->run[work->engine](work);
    if (__builtin_expect(status == CTI_DONE && !cti_ever_interrupted(), 1))
        return true;
    return cti_run_rest(work, status) == CTI_DONE;
}

/* The same for a struct of which all but `work` is filled in. on: a tensor on the device. */
static inline bool cti_run_on(struct cti_work *work, enum cti_engine_id engine, const ct_tensor *on)
{
    *work = (struct cti_work){(uint8_t)engine, on->storage->device};
    return cti_run(work);
}

/* Runs an engine with CTI_FUSED, which may be declined. */
enum cti_status cti_offer(struct cti_work *work);

/* CTI_RUN(fill, t, .dst = t, .number = zero): fills in struct cti_fill and runs it on t's device.
 */
#define CTI_WORK(name, on, ...)                                                                    \
    (&(struct cti_##name){.work = {CTI_ENGINE_##name, (on)->storage->device}, __VA_ARGS__}.work)
#define CTI_RUN(name, on, ...) cti_run(CTI_WORK(name, on, __VA_ARGS__))

#endif
