/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that work together: a store by which they find each other, groups of them, and what a
 * group does with tensors. Names and meaning are those of torch.distributed.
 *
 *     ct_group *world = ct_group_from_env("gloo"); // its ranks come from the launcher
 *     bool good = ct_wait(ct_dist_all_reduce(world, x, CT_REDUCE_SUM));
 *     ct_group_close(world);
 *
 * A call on a group begins the work and returns; every process of the group makes the same calls in
 * the same order (but for ct_dist_isend and ct_irecv, which are matched by their tags). The tensors
 * of a work belong to it until it is done. Not in corten.h. */
#ifndef CORTEN_DIST_H
#define CORTEN_DIST_H

#ifdef __GNUC__
#pragma GCC system_header /* compilers speak of the program, not of what macros are made of */
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ct_store ct_store; /* keys and values that all processes see */
typedef struct ct_group ct_group; /* this process's membership in a group */
typedef struct ct_work ct_work;   /* something that a group has begun */

/* ---- stores; references are owned, times are in seconds ---- */

/* The store at host:port. serve: this process has it (port 0: the system chooses one) and ends it
 * with the last reference. world_size > 0: waits until that many processes are there. */
CT_API ct_store *ct_store_tcp(const char *host, int port, bool serve, int64_t world_size,
                              double timeout);
CT_API ct_store *ct_store_file(const char *path); /* for processes that see the same file */
CT_API ct_store *ct_store_hash(void);             /* for the threads of this process */
CT_API ct_store *ct_store_prefix(const char *prefix, ct_store *inner); /* keys "prefix/key" */
CT_API ct_store *ct_store_retain(ct_store *s);
CT_API void ct_store_release(ct_store *s);
CT_API double ct_store_timeout(const ct_store *s); /* of ct_store_get and ct_store_wait */
CT_API void ct_store_set_timeout(ct_store *s, double timeout);
CT_API int ct_store_port(const ct_store *s); /* 0: it has none */

CT_API bool ct_store_set(ct_store *s, const char *key, const void *value, int64_t n);
/* Waits for the key. n bytes and a 0 behind them, malloc'ed. NULL: an error. */
CT_API char *ct_store_get(ct_store *s, const char *key, int64_t *n);
CT_API bool ct_store_wait(ct_store *s, const char *const *keys, int64_t count, double timeout);
CT_API int ct_store_check(ct_store *s, const char *key); /* 1: it is there; -1: an error */
/* The value as a number, 0 where there is none, plus `by`, which wraps round; as text in the store.
 * A counter can hold INT64_MIN too: it is a failure if ct_error_kind() names an error afterwards,
 * so clear an earlier error first. */
CT_API int64_t ct_store_add(ct_store *s, const char *key, int64_t by);
/* What the key holds afterwards: `desired` where it held `expected` (empty: or was not there), and
 * what it held else. Malloc'ed as by ct_store_get. */
CT_API char *ct_store_compare_set(ct_store *s, const char *key, const void *expected,
                                  int64_t nexpected, const void *desired, int64_t ndesired,
                                  int64_t *n);
CT_API bool ct_store_append(ct_store *s, const char *key, const void *value, int64_t n);
CT_API int ct_store_delete(ct_store *s, const char *key); /* 1: it was there; -1: an error */
CT_API int64_t ct_store_num_keys(ct_store *s);            /* -1: an error */

/* ---- groups ---- */

/* Engines: "gloo" (TCP between the hosts' processes), "mpi" (a library of the system's), "nccl"
 * (NVIDIA's, for tensors on GPUs). False, without an error: it cannot be used here. */
CT_API bool ct_dist_available(const char *engine);
/* Waits for the others of the group, who call it with the same store. size < 1: as the engine knows
 * it (mpi, whose store may be NULL). timeout: of every work that names none. */
CT_API ct_group *ct_group_create(const char *engine, ct_store *store, int rank, int size,
                                 double timeout);
/* The group of all processes of a program, as its launcher describes it in the environment: RANK
 * and WORLD_SIZE (or mpirun's or Slurm's names for them), MASTER_ADDR and MASTER_PORT. */
CT_API ct_group *ct_group_from_env(const char *engine);
/* The ranks of `group` that are named make a group of their own; they and nobody else call it. The
 * order of `ranks` is that of the new ones. For engines without a store. */
CT_API ct_group *ct_group_split(ct_group *group, const int *ranks, int n, double timeout);
CT_API int ct_group_rank(const ct_group *g);
CT_API int ct_group_size(const ct_group *g);
CT_API const char *ct_group_engine(const ct_group *g);
CT_API void ct_group_close(ct_group *g); /* what is not done yet fails */
/* The same as if the process had ended: the others of the group get an error. */
CT_API void ct_group_abort(ct_group *g);
CT_API void ct_group_set_timeout(ct_group *g, double timeout);

/* ---- work ---- */

/* Waits, and gives the work up; false: it failed. NULL gives false, so that calls can be nested. */
CT_API bool ct_wait(ct_work *w);
CT_API bool ct_work_wait(ct_work *w, double timeout); /* without giving it up; 0: no limit */
CT_API bool ct_work_done(ct_work *w);
/* Its error, or CT_ERR_NONE: it is not done or all is well. The text lives as long as the work. */
CT_API enum ct_error_kind ct_work_error(ct_work *w, const char **text);
CT_API int ct_work_source(ct_work *w); /* who sent what an irecv from anybody received; or -1 */
CT_API void ct_work_release(ct_work *w);

/* ---- what groups do; each returns an owned work, NULL: an error ---- */

enum ct_reduce_op {
    CT_REDUCE_SUM,
    CT_REDUCE_AVG,
    CT_REDUCE_PRODUCT,
    CT_REDUCE_MIN,
    CT_REDUCE_MAX,
    CT_REDUCE_BAND,
    CT_REDUCE_BOR,
    CT_REDUCE_BXOR,
    CT_REDUCE_OPS
};

CT_API ct_work *ct_dist_all_reduce(ct_group *g, ct_tensor *t, enum ct_reduce_op op);
CT_API ct_work *ct_dist_reduce(ct_group *g, ct_tensor *t, int dst, enum ct_reduce_op op);
CT_API ct_work *ct_dist_broadcast(ct_group *g, ct_tensor *t, int src);
/* A list has one tensor for each process, or is empty where this one gives or gets none. */
CT_API ct_work *ct_dist_all_gather(ct_group *g, ct_list outputs, ct_tensor *input);
CT_API ct_work *ct_dist_all_gather_into_tensor(ct_group *g, ct_tensor *output, ct_tensor *input);
CT_API ct_work *ct_dist_gather(ct_group *g, ct_list outputs, ct_tensor *input, int dst);
CT_API ct_work *ct_dist_scatter(ct_group *g, ct_tensor *output, ct_list inputs, int src);
CT_API ct_work *ct_dist_reduce_scatter(ct_group *g, ct_tensor *output, ct_list inputs,
                                       enum ct_reduce_op op);
CT_API ct_work *ct_dist_reduce_scatter_tensor(ct_group *g, ct_tensor *output, ct_tensor *input,
                                              enum ct_reduce_op op);
CT_API ct_work *ct_dist_all_to_all(ct_group *g, ct_list outputs, ct_list inputs);
/* Parts of dim 0, of these sizes; v == NULL: of equal size. */
CT_API ct_work *ct_dist_all_to_all_single(ct_group *g, ct_tensor *output, ct_tensor *input,
                                          ct_ints output_sizes, ct_ints input_sizes);
CT_API ct_work *ct_dist_barrier(ct_group *g);
/* A barrier that fails after `timeout` seconds. 0: the group's timeout. */
CT_API ct_work *ct_dist_barrier_within(ct_group *g, double timeout);
/* Rank 0 waits for each of the others and names those that do not come in time: all of them, or
 * the first. timeout 0: the group's. */
CT_API ct_work *ct_dist_monitored_barrier(ct_group *g, double timeout, bool wait_all);
CT_API ct_work *ct_dist_isend(ct_group *g, ct_tensor *t, int dst, int tag);
CT_API ct_work *ct_dist_irecv(ct_group *g, ct_tensor *t, int src, int tag); /* src -1: anybody */

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
