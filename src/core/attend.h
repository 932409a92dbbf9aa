/* SPDX-License-Identifier: BSD-3-Clause */
/* The attend engine: attention, forward and backward. Filled in by src/ops/attend. */
#ifndef CORTEN_CORE_ATTEND_H
#define CORTEN_CORE_ATTEND_H

#include "core/engine.h"

/* A tensor [batch, heads, rows, columns] with contiguous columns; strides count elements. Its
 * address is read from the tensor of the same name in `of`. */
struct cti_attend_side {
    void *data;
    int64_t batch, head, row;
};

/* For each head: P = softmax(scale Q K' + mask), out = P V. Query head h attends to head h / group
 * of keys and values (grouped-query attention). All tensors but a boolean mask have one type. A
 * query that may attend to no key gets zeros. Forward keeps only the log-sum-exp of each row;
 * backward recomputes P from it. */
struct cti_attend {
    struct cti_work work;
    struct {
        ct_tensor *out, *logsumexp, *grad_query, *grad_key, *grad_value;
        ct_tensor *query, *key, *value, *grad, *mask;
    } of;
    bool backward;
    enum ct_dtype dtype; /* float32 or float64 */
    int64_t batch, heads, group;
    int64_t queries, keys, depth, width; /* columns of Q and K; columns of V and out */
    struct cti_attend_side query, key, value, out;
    /* NULL: no mask; boolean: true marks keys to attend to; other types are added to the scores */
    const void *mask;
    bool mask_is_bool;
    int64_t mask_batch, mask_head, mask_row, mask_column;
    bool causal; /* query i sees keys 0 to i */
    double scale;
    void *logsumexp; /* [batch, heads, queries], contiguous; +inf for a query without keys */
    /* Backward only: the gradient of out, and the gradients of Q, K and V to write; NULL data: not
     * wanted. */
    struct cti_attend_side grad, grad_query, grad_key, grad_value;
};

#endif
