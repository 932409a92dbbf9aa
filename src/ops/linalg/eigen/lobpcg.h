/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between the two files of lobpcg: lobpcg_call.c reads the arguments and loops over
 * the batch, lobpcg.c iterates for one matrix. */
#ifndef CORTEN_OPS_LINALG_LOBPCG_H
#define CORTEN_OPS_LINALG_LOBPCG_H

#include "ops/linalg/linalg.h"

/* The state for one matrix. The caller owns X, E, R and S; A, B and iK may be CT_NO_TENSOR. */
struct cti_lobpcg {
    ct_tensor *A, *B, *iK;
    ct_tensor *X, *E, *R, *S; /* vectors, values, residuals, search space */
    int64_t m, n, k, niter;
    double tol;
    bool largest;
    const char *method;
    int64_t ortho_i_max, ortho_j_max;
    double ortho_tol, ortho_tol_drop, ortho_tol_replace;
    bool ortho_use_drop;
    int64_t istep, converged_count, converged_end;
    double X_norm, A_norm, B_norm;
};

/* Iterates up to niter times or until k pairs have converged; updates X, E, R and S in place. */
bool cti_lobpcg_run(struct cti_lobpcg *s);

#endif
