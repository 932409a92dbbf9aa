/* SPDX-License-Identifier: BSD-3-Clause */
/* The counter of products: see core/product.h. */
#include "core/product.h"
#include "core/check_args.h"

__thread struct cti_product_counter cti_product_counter;

void ct_count_products(ct_product_function count, void *context)
{
    cti_product_counter = (struct cti_product_counter){count, context};
}

void cti_count_product(const char *name, const ct_tensor *const *factors, int n, bool transposed)
{
    struct ct_product product = {.name = name, .n = n, .transposed = transposed};
    for (int i = 0; i < n; i++)
        product.shape[i] = ct_ints_of(factors[i]->shape, factors[i]->ndim);
    cti_product_counter.count(cti_product_counter.context, &product);
}

void cti_count_matrices(const char *name, int64_t m, int64_t k, int64_t n)
{
    struct ct_product product = {.name = name, .n = 3};
    const int64_t shape[3][2] = {{m, k}, {k, n}, {m, n}};
    for (int i = 0; i < 3; i++)
        product.shape[i] = ct_ints_of(shape[i], 2);
    cti_product_counter.count(cti_product_counter.context, &product);
}
