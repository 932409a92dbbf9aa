/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles: which operations ran, inside of which, when and how long, with what shapes; the nodes
 * of backward, and blocks that the program names. One is recorded at a time, of all threads.
 *
 *     ct_profile_start(.shapes = true);
 *     ... any calls ...
 *     ct_profile *p = ct_profile_stop();
 *     puts(ct_profile_table(p, .sort_by = "self_cpu_time_total", .row_limit = 10));
 *     ct_profile_save_trace(p, "trace.json");       for chrome://tracing or Perfetto
 *
 * While none is recorded a call does not know of it. */
#ifndef CORTEN_PROFILE_H
#define CORTEN_PROFILE_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/macros.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ct_profile ct_profile;

struct ct_profile_start_args {
    size_t struct_size;
    bool shapes; /* of the tensors that operations are given */
    /* For bindings, may be NULL: called as an event begins, on its thread. It may note what it
     * wants of events by their numbers; it must not fail. */
    void (*begun)(void *context, int64_t event);
    void *context;
};
#define ct_profile_start_defaults                                                                  \
    {                                                                                              \
        .struct_size = sizeof(struct ct_profile_start_args), .shapes = false, .begun = NULL,       \
        .context = NULL                                                                            \
    }
CT_API bool ct_profile_start_ex(const struct ct_profile_start_args *args); /* false: one is */
CT_API bool ct_profile_is_on(void);
/* Ends the recording; what was recorded joins the innermost scope. NULL and an error: none was. */
CT_API ct_profile *ct_profile_stop(void);

/* A block with a name, between the two calls of one thread. */
CT_API int64_t ct_profile_begin(const char *name);
CT_API void ct_profile_end(int64_t block);

enum ct_profile_kind { CT_PROFILE_OPERATION, CT_PROFILE_NODE, CT_PROFILE_BLOCK };

struct ct_profile_event {
    const char *name; /* "matmul", "MulBackward0" */
    enum ct_profile_kind kind;
    int64_t thread;        /* as the system numbers them */
    int64_t start, end;    /* nanoseconds of the monotonic clock */
    int64_t inside;        /* nanoseconds of the events in it */
    int64_t parent;        /* the event that it was in, or -1 */
    int64_t memory;        /* bytes that it took and did not give back */
    const int64_t *shapes; /* of each tensor the number of dims and the sizes; -1: no tensor */
    int64_t nshapes;       /* numbers in shapes */
    int64_t made;          /* elements of the tensor that it returned, or -1 */
};
CT_API int64_t ct_profile_count(const ct_profile *p);
CT_API int64_t ct_profile_lost(const ct_profile *p); /* for want of memory */
CT_API const struct ct_profile_event *ct_profile_at(const ct_profile *p, int64_t i); /* by start */

struct ct_profile_table_args {
    size_t struct_size;
    /* "self_cpu_time_total", "cpu_time_total", "count", "cpu_memory_usage"; NULL: as they came */
    const char *sort_by;
    int64_t row_limit; /* -1: all */
    bool by_shape;     /* calls with other shapes are other rows */
};
#define ct_profile_table_defaults                                                                  \
    {                                                                                              \
        .struct_size = sizeof(struct ct_profile_table_args), .sort_by = "self_cpu_time_total",     \
        .row_limit = 100, .by_shape = false                                                        \
    }
/* All calls of a name together, a row each. */
CT_API const char *ct_profile_table_ex(const ct_profile *p,
                                       const struct ct_profile_table_args *args);
CT_API bool ct_profile_save_trace(const ct_profile *p, const char *path);

/* For bindings: an operation with the tensors that it is given, and with what it made (or NULL). */
CT_API int64_t ct_profile_begin_call(const char *name, ct_list given);
CT_API void ct_profile_end_call(int64_t call, const ct_tensor *result);
/* Owned, freed by ct_profile_free; malloc'ed. */
CT_API ct_profile *ct_own_profile_stop(void);
CT_API void ct_profile_free(ct_profile *p);
CT_API char *ct_own_profile_table(const ct_profile *p, const struct ct_profile_table_args *args);
CT_API char *ct_own_profile_trace(const ct_profile *p); /* Chrome's JSON */

/* ---- counting arithmetic ---- */

/* A product of matrices, a convolution, attention or one of their derivatives, as it is about to be
 * computed. */
struct ct_product {
    const char *name; /* as PyTorch's: "mm", "addmm", "bmm", "baddbmm", "convolution", ... */
    ct_ints shape[5]; /* of the n tensors: the factors, then the result */
    int n;
    bool transposed; /* of a convolution */
};
typedef void (*ct_product_function)(void *context, const struct ct_product *product);

/* Calls `count` for each product that this thread computes from now on; NULL: no longer. `count`
 * must not fail, and computes nothing. */
CT_API void ct_count_products(ct_product_function count, void *context);

#ifdef __cplusplus
}
#else
#define ct_profile_start(...)                                                                      \
    CT_PROFILE_START(CT_ID(ct_k), ct_profile_start __VA_OPT__(, ) __VA_ARGS__)
#define CT_PROFILE_START(k, fn, ...)                                                               \
    (__extension__({                                                                               \
        struct fn##_args k = fn##_defaults;                                                        \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__)                                               \
        fn##_ex(&k);                                                                               \
    }))
#define ct_profile_table(...) CT_CALL_A_K(CT_ID(ct_k), ct_profile_table, __VA_ARGS__)
#endif

#include "corten/restore_letters.h"

#endif
