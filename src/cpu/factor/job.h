/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal to the factor engine: the job that the driver (factor.c) passes to the functions for one
 * matrix, and helpers that those functions share. A kind of factorisation consists of a function
 * for one matrix and a function that computes the memory needed on each thread. The table of kinds
 * is in factor.c, the functions in the files of their families. */
#ifndef CORTEN_CPU_FACTOR_JOB_H
#define CORTEN_CPU_FACTOR_JOB_H

#include "core/error.h"
#include "core/factor.h"
#include "cpu/factor/lapack.h"

struct cti_factor_job {
    const struct cti_factor *w;
    const struct cti_lapack *lapack;
    int type, m, n, k; /* LAPACK's names */
    int64_t size, real;
    int workers, lwork;
    char *room; /* for each worker: work, rwork, iwork */
    int64_t work_bytes, rwork_bytes, room_bytes;
    int64_t next;  /* atomic */
    int64_t claim; /* matrices that a worker takes at a time */
};

/* Factors the i-th matrix. */
typedef void cti_factor_one(const struct cti_factor_job *job, char *room, int64_t i);
/* Sets lwork and the three byte counts; the driver rounds room_bytes up and allocates. */
typedef bool cti_factor_room(struct cti_factor_job *job);
/* Calls LAPACK for the i-th matrix and returns its info. With lwork -1 only the best size of `work`
 * is written to the room. */
typedef int cti_factor_call(const struct cti_factor_job *job, char *room, int64_t i,
                            const int *lwork);

/* Sets lwork by a workspace query of `call`, and the byte counts from it, iwork_bytes, and
 * rwork_bytes, which the caller has set. `name` appears in the error. */
bool cti_factor_query_workspace(struct cti_factor_job *job, cti_factor_call *call,
                                int64_t iwork_bytes, const char *name);

cti_factor_one cti_factor_lu, cti_factor_lu_solve, cti_factor_order;
cti_factor_one cti_factor_lu_inverse;
cti_factor_room cti_factor_lu_inverse_room;
cti_factor_one cti_factor_svd;
cti_factor_room cti_factor_svd_room;
cti_factor_one cti_factor_cholesky, cti_factor_cholesky_solve, cti_factor_cholesky_inverse;
cti_factor_one cti_factor_triangular, cti_factor_ldl, cti_factor_ldl_solve;
cti_factor_room cti_factor_ldl_room;
cti_factor_one cti_factor_qr, cti_factor_reflect, cti_factor_lstsq;
cti_factor_room cti_factor_qr_room, cti_factor_reflect_room, cti_factor_lstsq_room;
cti_factor_one cti_factor_eigh, cti_factor_eig;
cti_factor_room cti_factor_eigh_room, cti_factor_eig_room;

/* Computes the order of m rows after k row exchanges. False: a pivot is not a valid row index. */
bool cti_factor_rows(const int32_t *pivot, int64_t k, int64_t *row, int64_t m);
/* Classifies n reals (a complex number counts as two). 0: all finite; 1: there may be infinities;
 * 2: there is a NaN. */
int cti_factor_oddity(const struct cti_factor_job *job, const void *data, int64_t n);
void cti_factor_fill_nan(const struct cti_factor_job *job, void *data, int64_t n);

static inline int cti_factor_least_one(int n)
{
    return n > 1 ? n : 1;
}

static inline char *cti_factor_part_at(const struct cti_factor_job *job, int part, int64_t size,
                                       int64_t i)
{
    const struct cti_factor_part *p = &job->w->part[part];
    return p->data ? (char *)p->data + i * p->step * size : NULL;
}

#endif
