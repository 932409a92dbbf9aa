/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication between processes, with the names and semantics of torch.distributed: stores,
 * through which processes find each other; groups of processes; and their collective operations.
 *
 *     ct_group *world = ct_group_from_env("gloo"); // its ranks come from the launcher
 *     bool good = ct_wait(ct_dist_all_reduce(world, x, CT_REDUCE_SUM));
 *     ct_group_close(world);
 *
 * A call on a group starts the work and returns at once. All processes of a group must make the
 * same calls in the same order, except ct_dist_isend and ct_dist_irecv, which are matched by tag.
 * The program must not use an operation's tensors until the operation has finished. Not included by
 * corten.h. */
#ifndef CORTEN_DIST_H
#define CORTEN_DIST_H

#ifdef __GNUC__
#pragma GCC system_header /* warnings point at the program, not into expanded macros */
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ct_store ct_store; /* keys and values, shared by all processes */
typedef struct ct_group ct_group; /* this process as a member of a group */
typedef struct ct_work ct_work;   /* an operation in progress */

/* ---- stores: returned references are owned, timeouts are in seconds ---- */

/* The store at host:port. serve: this process is the server until the last reference is released;
 * port 0: the system chooses one. world_size > 0: waits until that many processes have connected.
 */
CT_API ct_store *ct_store_tcp(const char *host, int port, bool serve, int64_t world_size,
                              double timeout);
CT_API ct_store *ct_store_file(const char *path); /* for processes with a common file system */
CT_API ct_store *ct_store_hash(void);             /* in memory, for threads of this process */
CT_API ct_store *ct_store_prefix(const char *prefix,
                                 ct_store *inner); /* inner, with keys "prefix/key" */
CT_API ct_store *ct_store_retain(ct_store *s);
CT_API void ct_store_release(ct_store *s);
CT_API double ct_store_timeout(const ct_store *s); /* the default timeout for waits */
CT_API void ct_store_set_timeout(ct_store *s, double timeout);
CT_API int ct_store_port(const ct_store *s); /* 0: not a TCP store */

CT_API bool ct_store_set(ct_store *s, const char *key, const void *value, int64_t n);
/* Waits for the key and returns its value: n bytes and a final 0, allocated by malloc. NULL:
 * failed. */
CT_API char *ct_store_get(ct_store *s, const char *key, int64_t *n);
CT_API bool ct_store_wait(ct_store *s, const char *const *keys, int64_t count, double timeout);
CT_API int ct_store_check(ct_store *s, const char *key); /* 1: the key exists; -1: failed */
/* Adds `by` to the value, a decimal number (0 if the key does not exist), with wraparound, and
 * returns the sum. Every result is possible, so only ct_error_kind() reveals a failure: clear an
 * earlier error first. */
CT_API int64_t ct_store_add(ct_store *s, const char *key, int64_t by);
/* Atomically replaces the value by `desired` if it equals `expected` (or if the key does not exist
 * and `expected` is empty). Returns the value afterwards, as ct_store_get does. */
CT_API char *ct_store_compare_set(ct_store *s, const char *key, const void *expected,
                                  int64_t nexpected, const void *desired, int64_t ndesired,
                                  int64_t *n);
CT_API bool ct_store_append(ct_store *s, const char *key, const void *value, int64_t n);
CT_API int ct_store_delete(ct_store *s, const char *key); /* 1: it existed; -1: failed */
CT_API int64_t ct_store_num_keys(ct_store *s);            /* -1: failed */

/* ---- groups ---- */

/* Whether a communication backend is available here: "gloo" (TCP, tensors on the CPU), "mpi" (the
 * system's MPI library) or "nccl" (NVIDIA's library, tensors on GPUs). Sets no error. */
CT_API bool ct_dist_available(const char *engine);
/* Makes a group; returns when all its processes have called this with the same store. size < 1: the
 * engine knows the size (mpi, which needs no store). timeout: the default of the group's work. */
CT_API ct_group *ct_group_create(const char *engine, ct_store *store, int rank, int size,
                                 double timeout);
/* The group of all processes of a program, as its launcher describes it in the environment: RANK
 * and WORLD_SIZE (or mpirun's or Slurm's names for them), MASTER_ADDR and MASTER_PORT. */
CT_API ct_group *ct_group_from_env(const char *engine);
/* Makes a group of n ranks of `group`. Exactly those ranks must call it. ranks[i] gets rank i in
 * the new group. For engines without a store. */
CT_API ct_group *ct_group_split(ct_group *group, const int *ranks, int n, double timeout);
CT_API int ct_group_rank(const ct_group *g);
CT_API int ct_group_size(const ct_group *g);
CT_API const char *ct_group_engine(const ct_group *g);
CT_API void ct_group_close(ct_group *g); /* work in progress fails */
/* Closes the connections at once; the other processes then get an error. */
CT_API void ct_group_abort(ct_group *g);
CT_API void ct_group_set_timeout(ct_group *g, double timeout);

/* ---- work ---- */

/* Waits for the work and releases it. False: it failed, or w is NULL, so that calls can be nested.
 */
CT_API bool ct_wait(ct_work *w);
CT_API bool ct_work_wait(ct_work *w, double timeout); /* without releasing it; 0: no limit */
CT_API bool ct_work_done(ct_work *w);
/* The error of the work; CT_ERR_NONE: not done, or no error. *text lives as long as the work. */
CT_API enum ct_error_kind ct_work_error(ct_work *w, const char **text);
CT_API int ct_work_source(ct_work *w); /* the sender of what an irecv received, or -1 */
CT_API void ct_work_release(ct_work *w);

/* ---- collective operations: each returns a ct_work that the caller owns, or NULL on failure ----
 */

/* dst and src are ranks. Tensors are read and written while the work is in progress. */

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

/* Reduces the tensors t of all processes element by element, in place: on every process, or only on
 * rank dst. broadcast copies the t of rank src to all processes. */
CT_API ct_work *ct_dist_all_reduce(ct_group *g, ct_tensor *t, enum ct_reduce_op op);
CT_API ct_work *ct_dist_reduce(ct_group *g, ct_tensor *t, int dst, enum ct_reduce_op op);
CT_API ct_work *ct_dist_broadcast(ct_group *g, ct_tensor *t, int src);
/* gather: collects the inputs of all processes, on every process or on rank dst, in a list or
 * concatenated in one tensor. scatter: rank src sends inputs[i] to rank i. reduce_scatter: reduces
 * inputs[i] of all processes and stores the result on rank i. all_to_all: inputs[i] goes to rank i.
 * A list has one tensor for each process; it is empty on ranks that send or receive none. */
CT_API ct_work *ct_dist_all_gather(ct_group *g, ct_list outputs, ct_tensor *input);
CT_API ct_work *ct_dist_all_gather_into_tensor(ct_group *g, ct_tensor *output, ct_tensor *input);
CT_API ct_work *ct_dist_gather(ct_group *g, ct_list outputs, ct_tensor *input, int dst);
CT_API ct_work *ct_dist_scatter(ct_group *g, ct_tensor *output, ct_list inputs, int src);
CT_API ct_work *ct_dist_reduce_scatter(ct_group *g, ct_tensor *output, ct_list inputs,
                                       enum ct_reduce_op op);
CT_API ct_work *ct_dist_reduce_scatter_tensor(ct_group *g, ct_tensor *output, ct_tensor *input,
                                              enum ct_reduce_op op);
CT_API ct_work *ct_dist_all_to_all(ct_group *g, ct_list outputs, ct_list inputs);
/* Splits dim 0 into parts of these sizes, one for each process; v == NULL: equal parts. */
CT_API ct_work *ct_dist_all_to_all_single(ct_group *g, ct_tensor *output, ct_tensor *input,
                                          ct_ints output_sizes, ct_ints input_sizes);
CT_API ct_work *ct_dist_barrier(ct_group *g);
/* A barrier with its own timeout in seconds. 0: that of the group. */
CT_API ct_work *ct_dist_barrier_within(ct_group *g, double timeout);
/* A barrier in which rank 0 reports the ranks that did not arrive in time: all of them (wait_all),
 * or only the first. timeout 0: that of the group. */
CT_API ct_work *ct_dist_monitored_barrier(ct_group *g, double timeout, bool wait_all);
/* Sends t to rank dst, and receives from rank src; both tensors must have the same size and type,
 * and the tags must be equal. */
CT_API ct_work *ct_dist_isend(ct_group *g, ct_tensor *t, int dst, int tag);
CT_API ct_work *ct_dist_irecv(ct_group *g, ct_tensor *t, int src, int tag); /* src -1: any */

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
