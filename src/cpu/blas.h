/* SPDX-License-Identifier: BSD-3-Clause */
/* The seam to a BLAS library, opened at run time: nothing but this and lapack.h knows one, and no
 * BLAS header is included anywhere. Products work without; see Note [GEMM paths] in gemm.h.
 *
 * Looked for at the first call of cti_blas(), in this order: the path in CORTEN_BLAS (or "none");
 * the package scipy-openblas32 beside Corten's; the system's OpenBLAS, MKL or reference library.
 * Libraries with 64-bit integers are passed over. */
#ifndef CORTEN_CPU_BLAS_H
#define CORTEN_CPU_BLAS_H

#include <stdbool.h>

enum { CTI_BLAS_ROWS = 101, CTI_BLAS_PLAIN = 111, CTI_BLAS_TRANS = 112, CTI_BLAS_CONJ = 113 };

/* C's interface to BLAS; complex numbers are passed by address. */
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

/* The library's functions, or NULL when there is none. The library makes no threads of its own. */
const struct cti_blas *cti_blas(void);
bool cti_blas_wished(void); /* CORTEN_BLAS names a library, and it could be opened */

/* For lapack.c, which looks in the same places and then where the build found a library: opens one
 * after the other until `take` returns true, which keeps it, on one thread. no_memory: that is why
 * none was opened, and later one may be. */
bool cti_blas_search(bool (*take)(void *library), bool *no_memory);
/* Why the library that CORTEN_BLAS names is not in use; NULL: it is, or none is named. */
const char *cti_blas_trouble(void);
bool cti_blas_find(void *library, const char *name, void *function); /* by its name in C */

/* Around every call: OpenBLAS has room for 64 at once and ends the process at some larger number,
 * and without memory for all of them. Waits for a place; not to be nested. */
void cti_blas_enter(void);
void cti_blas_leave(void);

#endif
