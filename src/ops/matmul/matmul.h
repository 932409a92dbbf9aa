/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement products: the call of the gemm engine and the checks before
 * it. Used by this folder and ops/linalg. */
#ifndef CORTEN_OPS_MATMUL_H
#define CORTEN_OPS_MATMUL_H

#include "ops/front.h"

/* Computes c = alpha a b + beta c. All have 2 dims, or 3 with a batch; `b` may have one dim less
 * and is then a vector. c does not overlap a and b, has no conj or neg flag, and is not read if
 * beta is 0. Products of bools are refused with `kernel` as the name in the error, unless they are
 * empty. */
bool cti_product_into(ct_tensor *c, ct_tensor *a, ct_tensor *b, ct_value alpha, ct_value beta,
                      const char *kernel);
/* Computes c = alpha a b + bias. bias has c's shape, perhaps expanded, has no conj or neg flag, and
 * does not overlap c. Not for bools. */
bool cti_product_plus(ct_tensor *c, ct_tensor *a, ct_tensor *b, ct_value alpha, ct_tensor *bias);
/* Whether a product of a and b can be written straight to c. */
bool cti_product_direct(const ct_tensor *c, const ct_tensor *a, const ct_tensor *b);
/* Check the sizes of two matrices, or of two batches of them for bmm. The errors are "NAME: mat1
 * and mat2 shapes cannot be multiplied (2x3 and 4x5)" and similar ones. */
bool cti_product_check_matrices(const char *name, const ct_tensor *a, const ct_tensor *b);
bool cti_product_check_batches(const ct_tensor *a, const ct_tensor *b);
/* Return the name of t's dtype in C++ (float), or of its scalar type (Float), for PyTorch's
 * messages.
 * */
static inline const char *cti_product_type_name(const ct_tensor *t)
{
    return cti_dtype_cpp_name(t->dtype);
}
static inline const char *cti_product_scalar_name(const ct_tensor *t)
{
    return cti_dtype_scalar_name(t->dtype);
}
/* Replaces *t by `fresh`, both owned; false if it is NULL. */
static inline bool cti_product_renew(ct_tensor **t, ct_tensor *fresh)
{
    ct_release(*t);
    *t = fresh;
    return fresh != NULL;
}

#endif
