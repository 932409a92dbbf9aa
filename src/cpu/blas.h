/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface to a BLAS library that is opened at run time. Only this file and lapack.h know
 * about such libraries, and no BLAS header is included anywhere. Products also work without a
 * library; see Note [GEMM paths] in gemm.h.
 *
 * The first call of cti_blas() searches in this order: the path in CORTEN_BLAS (or "none"); the
 * package scipy-openblas32 installed beside Corten; the system's OpenBLAS, MKL or reference
 * library. Libraries with 64-bit integers are skipped. */
#ifndef CORTEN_CPU_BLAS_H
#define CORTEN_CPU_BLAS_H

#include <stdbool.h>

enum { CTI_BLAS_ROWS = 101, CTI_BLAS_PLAIN = 111, CTI_BLAS_TRANS = 112, CTI_BLAS_CONJ = 113 };

/* The C interface of BLAS (CBLAS); complex scalars are passed by address. */
struct cti_blas {
    void (*sgemm)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                  const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
    void (*dgemm)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                  const double *a, int lda, const double *b, int ldb, double beta, double *c,
                  int ldc);
    void (*cgemm)(int order, int trans_a, int trans_b, int m, int n, int k, const void *alpha,
                  const void *a, int lda, const void *b, int ldb, const void *beta, void *c,
                  int ldc);
    void (*zgemm)(int order, int trans_a, int trans_b, int m, int n, int k, const void *alpha,
                  const void *a, int lda, const void *b, int ldb, const void *beta, void *c,
                  int ldc);
};

/* Returns the functions of the library, or NULL if none was found. The library creates no
 * threads. */
const struct cti_blas *cti_blas(void);
bool cti_blas_wished(void); /* whether CORTEN_BLAS names a library that could be opened */

/* For lapack.c, which searches in the same order and then where the build found a library. Opens
 * one library after the other, single-threaded, until `take` accepts one. *no_memory: none was
 * opened for lack of memory, so a later search may succeed. */
bool cti_blas_search(bool (*take)(void *library), bool *no_memory);
/* Why the library named by CORTEN_BLAS is not in use; NULL if it is in use, or CORTEN_BLAS is
 * unset. */
const char *cti_blas_trouble(void);
bool cti_blas_find(void *library, const char *name, void *function); /* `name` as in C */

/* Enclose every call of the library in these two; do not nest them. OpenBLAS ends the process if
 * too many calls run at once or if it cannot allocate their buffers, so cti_blas_enter waits if
 * necessary. */
void cti_blas_enter(void);
void cti_blas_leave(void);

#endif
