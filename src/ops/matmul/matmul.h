/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of products share: the one call of the gemm engine, the checks before it, and
 * letting go of several tensors. Used by this folder alone. */
#ifndef CORTEN_OPS_MATMUL_H
#define CORTEN_OPS_MATMUL_H

#include "ops/front.h"

/* c = alpha a b + beta c. All have 2 dims, or 3 with a batch; `b` may have one less: a vector is a
 * matrix of one column. c shares no memory with a and b and has no lazy flags; with beta 0 it is
 * not read. Truth values have no products: `kernel` is the name in the error, unless there is
 * nothing to multiply. */
bool cti_product_into(ct_tensor *c, ct_tensor *a, ct_tensor *b, ct_value alpha, ct_value beta,
                      const char *kernel);
/* c = alpha a b + bias, which has c's shape, perhaps expanded, no lazy flags and memory of its own;
 * not of truth values. */
bool cti_product_plus(ct_tensor *c, ct_tensor *a, ct_tensor *b, ct_value alpha, ct_tensor *bias);
/* May a product of a and b be written to c where it lies? */
bool cti_product_direct(const ct_tensor *c, const ct_tensor *a, const ct_tensor *b);
/* "NAME: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)" and the like. */
bool cti_product_check_matrices(const char *name, const ct_tensor *a, const ct_tensor *b);
bool cti_product_check_batches(const ct_tensor *a, const ct_tensor *b);
/* A tensor's type as C++ calls it, which is how some messages do. */
static inline const char *cti_product_type_name(const ct_tensor *t)
{
    return cti_dtype_cpp_name(t->dtype);
}

/* Releases n tensors (owned), NULL among them or not. */
static inline void cti_product_release(ct_tensor *const *t, int n)
{
    for (int i = 0; i < n; i++)
        ct_release(t[i]);
}

/* Puts `fresh` (owned) in the place of *t (owned); false if it is NULL. */
static inline bool cti_product_renew(ct_tensor **t, ct_tensor *fresh)
{
    ct_release(*t);
    *t = fresh;
    return fresh != NULL;
}

#endif
