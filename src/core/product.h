/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports matrix products and convolutions to a counter of floating-point operations
 * (ct_count_products, corten/profile.h). Operations call this just before they run the engine;
 * without a counter the call costs one test. */
#ifndef CORTEN_CORE_PRODUCT_H
#define CORTEN_CORE_PRODUCT_H

#include "core/tensor.h"
#include "corten/profile.h"

/* The counter of a thread, or NULL. A thread that continues the work of another one
 * (engine/new_stack.c) takes over its counter. */
struct cti_product_counter {
    ct_product_function count;
    void *context;
};
extern __thread struct cti_product_counter cti_product_counter
    __attribute__((tls_model("initial-exec")));

static inline bool cti_counts_products(void)
{
    return __builtin_expect(cti_product_counter.count != NULL, 0);
}

/* Reports a product: `factors` are the n operands of the operation `name`, in the order of its
 * arguments, and then its result. */
void cti_count_product(const char *name, const ct_tensor *const *factors, int n, bool transposed);
void cti_count_matrices(const char *name, int64_t m, int64_t k, int64_t n);

#endif
