/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles: which operations and backward nodes ran, in which order and for how long, with which
 * shapes, and blocks that the program names. One profile is recorded at a time, for all threads.
 *
 *     ct_profile_start(.shapes = true);
 *     ... any calls ...
 *     ct_profile *p = ct_profile_stop();
 *     puts(ct_profile_table(p, .sort_by = "self_cpu_time_total", .row_limit = 10));
 *     ct_profile_save_trace(p, "trace.json");       for chrome://tracing or Perfetto
 *
 * While nothing is recorded, profiling costs an operation one test of a flag. */
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
    bool shapes; /* record the shapes of the arguments */
    /* For bindings; may be NULL. Called when an event begins, on its thread, with the number of the
     * event. It must not fail. */
    void (*begun)(void *context, int64_t event);
    void *context;
};
#define ct_profile_start_defaults                                                                  \
    {                                                                                              \
        .struct_size = sizeof(struct ct_profile_start_args), .shapes = false, .begun = NULL,       \
        .context = NULL                                                                            \
    }
CT_API bool ct_profile_start_ex(const struct ct_profile_start_args *args); /* false: already on */
CT_API bool ct_profile_is_on(void);
/* Ends the recording and returns it, in the innermost scope. NULL and an error: it was not on. */
CT_API ct_profile *ct_profile_stop(void);

/* A named block, between two calls on one thread. begin returns the argument of end. */
CT_API int64_t ct_profile_begin(const char *name);
CT_API void ct_profile_end(int64_t block);

enum ct_profile_kind { CT_PROFILE_OPERATION, CT_PROFILE_NODE, CT_PROFILE_BLOCK };

struct ct_profile_event {
    const char *name; /* "matmul", "MulBackward0" */
    enum ct_profile_kind kind;
    int64_t thread;     /* the thread number of the system */
    int64_t start, end; /* nanoseconds of the monotonic clock */
    int64_t inside;     /* nanoseconds of the events nested in it */
    int64_t parent;     /* the event that it is nested in, or -1 */
    int64_t memory;     /* bytes allocated during the event minus bytes freed */
    /* For each argument tensor the number of dims and the sizes; -1: absent. nshapes numbers. */
    const int64_t *shapes;
    int64_t nshapes;
    int64_t made; /* elements of the result, or -1 */
};
CT_API int64_t ct_profile_count(const ct_profile *p);
/* How many events were lost because memory ran out. */
CT_API int64_t ct_profile_lost(const ct_profile *p);
CT_API const struct ct_profile_event *ct_profile_at(const ct_profile *p, int64_t i); /* by start */

struct ct_profile_table_args {
    size_t struct_size;
    /* "self_cpu_time_total", "cpu_time_total", "count" or "cpu_memory_usage"; NULL: in order of
     * time */
    const char *sort_by;
    int64_t row_limit; /* -1: all */
    bool by_shape;     /* separate rows for calls with different shapes */
};
#define ct_profile_table_defaults                                                                  \
    {                                                                                              \
        .struct_size = sizeof(struct ct_profile_table_args), .sort_by = "self_cpu_time_total",     \
        .row_limit = 100, .by_shape = false                                                        \
    }
/* Returns a text table with one row for each name, in the innermost scope. save_trace writes the
 * events in Chrome's JSON format. */
CT_API const char *ct_profile_table_ex(const ct_profile *p,
                                       const struct ct_profile_table_args *args);
CT_API bool ct_profile_save_trace(const ct_profile *p, const char *path);

/* For bindings: an operation with its argument tensors; begin returns the argument of end. result
 * may be NULL. */
CT_API int64_t ct_profile_begin_call(const char *name, ct_list given);
CT_API void ct_profile_end_call(int64_t call, const ct_tensor *result);
/* Owned: free a profile with ct_profile_free, and a text, allocated by malloc, with free. */
CT_API ct_profile *ct_own_profile_stop(void);
CT_API void ct_profile_free(ct_profile *p);
CT_API char *ct_own_profile_table(const ct_profile *p, const struct ct_profile_table_args *args);
CT_API char *ct_own_profile_trace(const ct_profile *p); /* Chrome's JSON */

/* ---- counting arithmetic ---- */

/* A matrix product, a convolution, attention or a derivative of one of them. */
struct ct_product {
    const char *name; /* PyTorch's name: "mm", "addmm", "bmm", "baddbmm", "convolution", ... */
    ct_ints shape[5]; /* of n tensors: the factors, then the result */
    int n;
    bool transposed; /* of a convolution */
};
typedef void (*ct_product_function)(void *context, const struct ct_product *product);

/* Makes this thread call `count` just before it computes a product, for counting floating-point
 * operations. NULL: stops that. `count` must not fail and must not call operations. */
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
