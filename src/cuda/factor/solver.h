/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface to cuSOLVER and cuBLAS for the factor engine: a table of functions for each element
 * type, and one handle of each library per device. Calls are serialised by a lock. Included by
 * factor.c and svd_eigen.c. */
#ifndef CORTEN_CUDA_FACTOR_SOLVER_H
#define CORTEN_CUDA_FACTOR_SOLVER_H

#include "core/factor.h"
#include "cuda/factor/factor_args.h"
#include "cuda/runtime/kernel.h"

/* The functions that exist for each type of element, with S, D, C or Z before their names. */
struct cti_cuda_solver_typed {
    int (*getrf_size)(void *h, int m, int n, void *a, int lda, int *lwork);
    int (*getrf)(void *h, int m, int n, void *a, int lda, void *work, int *pivots, int *info);
    int (*getrs)(void *h, int op, int n, int k, const void *a, int lda, const int *pivots, void *b,
                 int ldb, int *info);
    int (*geqrf_size)(void *h, int m, int n, void *a, int lda, int *lwork);
    int (*geqrf)(void *h, int m, int n, void *a, int lda, void *tau, void *work, int lwork,
                 int *info);
    int (*orgqr_size)(void *h, int m, int n, int k, const void *a, int lda, const void *tau,
                      int *lwork);
    int (*orgqr)(void *h, int m, int n, int k, void *a, int lda, const void *tau, void *work,
                 int lwork, int *info);
    int (*ormqr_size)(void *h, int side, int op, int m, int n, int k, const void *a, int lda,
                      const void *tau, const void *c, int ldc, int *lwork);
    int (*ormqr)(void *h, int side, int op, int m, int n, int k, const void *a, int lda,
                 const void *tau, void *c, int ldc, void *work, int lwork, int *info);
    int (*potrf_batched)(void *h, int uplo, int n, void **a, int lda, int *info, int batch);
    int (*gesvdj_size)(void *h, int job, int thin, int m, int n, const void *a, int lda,
                       const void *s, const void *u, int ldu, const void *v, int ldv, int *lwork,
                       void *params);
    int (*gesvdj)(void *h, int job, int thin, int m, int n, void *a, int lda, void *s, void *u,
                  int ldu, void *v, int ldv, void *work, int lwork, int *info, void *params);
    int (*gesvdj_batched_size)(void *h, int job, int m, int n, const void *a, int lda,
                               const void *s, const void *u, int ldu, const void *v, int ldv,
                               int *lwork, void *params, int batch);
    int (*gesvdj_batched)(void *h, int job, int m, int n, void *a, int lda, void *s, void *u,
                          int ldu, void *v, int ldv, void *work, int lwork, int *info, void *params,
                          int batch);
    int (*trsm)(void *h, int side, int uplo, int op, int diag, int m, int n, const void *alpha,
                const void *a, int lda, void *b, int ldb);
    int (*trsm_batched)(void *h, int side, int uplo, int op, int diag, int m, int n,
                        const void *alpha, void *const *a, int lda, void *const *b, int ldb,
                        int batch);
    int (*getrf_batched)(void *h, int n, void *const *a, int lda, int *pivots, int *info,
                         int batch);
    int (*getrs_batched)(void *h, int op, int n, int k, void *const *a, int lda, const int *pivots,
                         void *const *b, int ldb, int *info, int batch);
};

/* All functions; those after `typed` take the type of the elements as an argument. */
struct cti_cuda_solver {
    struct cti_cuda_solver_typed typed[4];
    int (*potrf_size)(void *h, void *params, int uplo, int64_t n, int type, const void *a,
                      int64_t lda, int compute, size_t *device, size_t *host);
    int (*potrf)(void *h, void *params, int uplo, int64_t n, int type, void *a, int64_t lda,
                 int compute, void *device_scratch, size_t device, void *host_scratch, size_t host,
                 int *info);
    int (*syevd_size)(void *h, void *params, int job, int uplo, int64_t n, int type, const void *a,
                      int64_t lda, int real, const void *w, int compute, size_t *device,
                      size_t *host);
    int (*syevd)(void *h, void *params, int job, int uplo, int64_t n, int type, void *a,
                 int64_t lda, int real, void *w, int compute, void *device_scratch, size_t device,
                 void *host_scratch, size_t host, int *info);
    int (*gesvdj_params)(void **params);
    int (*gesvdj_tolerance)(void *params, double tolerance);
    int (*gesvdj_sweeps)(void *params, int most);
    /* Only in newer versions, else NULL. */
    int (*syev_batched_size)(void *h, void *params, int job, int uplo, int64_t n, int type,
                             const void *a, int64_t lda, int real, const void *w, int compute,
                             size_t *device, size_t *host, int64_t batch);
    int (*syev_batched)(void *h, void *params, int job, int uplo, int64_t n, int type, void *a,
                        int64_t lda, int real, void *w, int compute, void *device_scratch,
                        size_t device, void *host_scratch, size_t host, int *info, int64_t batch);
};

/* One call of the engine. */
struct cti_cuda_job {
    const struct cti_factor *w;
    const struct cti_cuda_solver *all;
    const struct cti_cuda_solver_typed *f;
    void *solver, *blas, *params; /* handles; parameters of functions that take a type */
    int device, type;             /* type: NVIDIA's cudaDataType */
    int64_t item;
    void *blocks[8]; /* scratch memory, released by cti_cuda_job_end */
    int nblocks;
};

/* Locks the libraries until cti_cuda_job_end. False without an error: they were not found, or the
 * work is too large for them. */
bool cti_cuda_job_begin(struct cti_cuda_job *job, const struct cti_factor *work);
void cti_cuda_job_end(struct cti_cuda_job *job);
/* Device memory until the end of the call; NULL: failed. */
void *cti_cuda_job_scratch(struct cti_cuda_job *job, int64_t nbytes);
/* Checks the status of a library function. False: it failed, the error is set. */
bool cti_cuda_job_did(int status, const char *name);
/* The i-th matrix (or vector) of a part. */
void *cti_cuda_job_at(const struct cti_cuda_job *job, int part, int64_t i);

/* Launches factor.cu; op: see factor_args.h. Uses `threads` threads, except for PIVOTS and FINITE,
 * which use one block for each matrix of the batch. */
bool cti_cuda_factor_kernel(struct cti_cuda_job *job, int op, const struct factor_args *args,
                            int64_t threads);
/* An array, on the device, of the addresses of the batch's matrices; NULL: failed. */
void **cti_cuda_job_addresses(struct cti_cuda_job *job, void *first, int64_t step);
/* Copies batches of column-major matrices: dst, m by n, becomes src, or its conjugate transpose. */
bool cti_cuda_job_copy(struct cti_cuda_job *job, void *dst, int64_t dst_rows, int64_t dst_step,
                       const void *src, int64_t src_rows, int64_t src_step, int64_t m, int64_t n,
                       bool transposed);

/* svd_eigen.c. *lost: Jacobi did not converge; no error is set, and part 0 has been restored. */
bool cti_cuda_svd(struct cti_cuda_job *job, bool *lost);
bool cti_cuda_eigh(struct cti_cuda_job *job);

#endif
