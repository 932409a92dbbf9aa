/* SPDX-License-Identifier: BSD-3-Clause */
/* LAPACK functions by their Fortran names, from the library that blas.h finds. Called only in this
 * folder. All arguments are passed by address, followed by the lengths of text arguments. */
#ifndef CORTEN_CPU_LAPACK_H
#define CORTEN_CPU_LAPACK_H

#include <stddef.h>

/* Types in the order s, d, c, z. */
enum cti_lapack_type { CTI_LAPACK_S, CTI_LAPACK_D, CTI_LAPACK_C, CTI_LAPACK_Z };

struct cti_lapack {
    void (*getrf[4])(const int *m, const int *n, void *a, const int *lda, int *pivots, int *info);
    void (*getrs[4])(const char *trans, const int *n, const int *k, const void *lu, const int *ldlu,
                     const int *pivots, void *b, const int *ldb, int *info, size_t);
    void (*getri[4])(const int *n, void *lu, const int *ldlu, const int *pivots, void *work,
                     const int *lwork, int *info);
    void (*potrf[4])(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t);
    void (*potri[4])(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t);
    void (*potrs[4])(const char *uplo, const int *n, const int *k, const void *a, const int *lda,
                     void *b, const int *ldb, int *info, size_t);
    void (*trsm[4])(const char *side, const char *uplo, const char *trans, const char *diag,
                    const int *m, const int *n, const void *alpha, const void *a, const int *lda,
                    void *b, const int *ldb, size_t, size_t, size_t, size_t);
    void (*gemm[4])(const char *trans_a, const char *trans_b, const int *m, const int *n,
                    const int *k, const void *alpha, const void *a, const int *lda, const void *b,
                    const int *ldb, const void *beta, void *c, const int *ldc, size_t, size_t);
    void (*laswp[4])(const int *n, void *a, const int *lda, const int *first, const int *last,
                     const int *pivots, const int *step);
    /* orgqr and ormqr are called ungqr and unmqr for c and z. */
    void (*geqrf[4])(const int *m, const int *n, void *a, const int *lda, void *tau, void *work,
                     const int *lwork, int *info);
    void (*orgqr[4])(const int *m, const int *n, const int *k, void *a, const int *lda,
                     const void *tau, void *work, const int *lwork, int *info);
    void (*ormqr[4])(const char *side, const char *trans, const int *m, const int *n, const int *k,
                     const void *a, const int *lda, const void *tau, void *c, const int *ldc,
                     void *work, const int *lwork, int *info, size_t, size_t);
    /* Computes the triangle T of a block of reflectors, I - V T V^H; V is only read. */
    void (*larft[4])(const char *direct, const char *store, const int *n, const int *k, void *v,
                     const int *ldv, const void *tau, void *t, const int *ldt, size_t, size_t);
    void (*larfb[4])(const char *side, const char *trans, const char *direct, const char *store,
                     const int *m, const int *n, const int *k, const void *v, const int *ldv,
                     const void *t, const int *ldt, void *c, const int *ldc, void *work,
                     const int *ldwork, size_t, size_t, size_t, size_t);
    /* Symmetric; and Hermitian for c and z. */
    void (*sytrf[4])(const char *uplo, const int *n, void *a, const int *lda, int *pivots,
                     void *work, const int *lwork, int *info, size_t);
    void (*hetrf[2])(const char *uplo, const int *n, void *a, const int *lda, int *pivots,
                     void *work, const int *lwork, int *info, size_t);
    void (*sytrs[4])(const char *uplo, const int *n, const int *k, const void *a, const int *lda,
                     const int *pivots, void *b, const int *ldb, int *info, size_t);
    void (*hetrs[2])(const char *uplo, const int *n, const int *k, const void *a, const int *lda,
                     const int *pivots, void *b, const int *ldb, int *info, size_t);
    void (*gels[4])(const char *trans, const int *m, const int *n, const int *k, void *a,
                    const int *lda, void *b, const int *ldb, void *work, const int *lwork,
                    int *info, size_t);
    /* Like gesdd below, c and z have rwork after lwork. */
    void (*gelsy_real[2])(const int *m, const int *n, const int *k, void *a, const int *lda,
                          void *b, const int *ldb, int *order, const void *rcond, int *rank,
                          void *work, const int *lwork, int *info);
    void (*gelsy_complex[2])(const int *m, const int *n, const int *k, void *a, const int *lda,
                             void *b, const int *ldb, int *order, const void *rcond, int *rank,
                             void *work, const int *lwork, void *rwork, int *info);
    void (*gelsd_real[2])(const int *m, const int *n, const int *k, void *a, const int *lda,
                          void *b, const int *ldb, void *s, const void *rcond, int *rank,
                          void *work, const int *lwork, int *iwork, int *info);
    void (*gelsd_complex[2])(const int *m, const int *n, const int *k, void *a, const int *lda,
                             void *b, const int *ldb, void *s, const void *rcond, int *rank,
                             void *work, const int *lwork, void *rwork, int *iwork, int *info);
    void (*gelss_real[2])(const int *m, const int *n, const int *k, void *a, const int *lda,
                          void *b, const int *ldb, void *s, const void *rcond, int *rank,
                          void *work, const int *lwork, int *info);
    void (*gelss_complex[2])(const int *m, const int *n, const int *k, void *a, const int *lda,
                             void *b, const int *ldb, void *s, const void *rcond, int *rank,
                             void *work, const int *lwork, void *rwork, int *info);
    /* c and z have rwork before iwork. */
    void (*gesdd_real[2])(const char *jobz, const int *m, const int *n, void *a, const int *lda,
                          void *s, void *u, const int *ldu, void *vt, const int *ldvt, void *work,
                          const int *lwork, int *iwork, int *info, size_t);
    void (*gesdd_complex[2])(const char *jobz, const int *m, const int *n, void *a, const int *lda,
                             void *s, void *u, const int *ldu, void *vt, const int *ldvt,
                             void *work, const int *lwork, void *rwork, int *iwork, int *info,
                             size_t);
    void (*syevd[2])(const char *jobz, const char *uplo, const int *n, void *a, const int *lda,
                     void *w, void *work, const int *lwork, int *iwork, const int *liwork,
                     int *info, size_t, size_t);
    void (*heevd[2])(const char *jobz, const char *uplo, const int *n, void *a, const int *lda,
                     void *w, void *work, const int *lwork, void *rwork, const int *lrwork,
                     int *iwork, const int *liwork, int *info, size_t, size_t);
    void (*geev_real[2])(const char *jobvl, const char *jobvr, const int *n, void *a,
                         const int *lda, void *wr, void *wi, void *vl, const int *ldvl, void *vr,
                         const int *ldvr, void *work, const int *lwork, int *info, size_t, size_t);
    void (*geev_complex[2])(const char *jobvl, const char *jobvr, const int *n, void *a,
                            const int *lda, void *w, void *vl, const int *ldvl, void *vr,
                            const int *ldvr, void *work, const int *lwork, void *rwork, int *info,
                            size_t, size_t);
};

/* Returns the functions of the library; NULL and an error if none was found. The first call opens
 * the library, in single-threaded mode. Every call of a function needs cti_blas_enter and
 * cti_blas_leave around it. */
const struct cti_lapack *cti_lapack(void);

#endif
