/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of x[i, j, ...] and x[i, j, ...] = v with index tensors. For a read, the gradient is
 * added at the indices to a tensor of zeros. For a write, self gets the gradient with zeros where
 * it was overwritten, and v gets the gradient's elements there. Generated nodes cannot keep a list
 * of index tensors, so src/ops/index/tensors.c makes these nodes itself. */
#include "autograd/derivatives/index.h"

#include "autograd/internal.h"
#include "core/alloc.h"
#include "inner.h"

struct index_node {
    struct cti_node node;
    struct cti_meta input; /* IndexBackward0: shape and type of the input */
    bool accumulate;       /* IndexPutBackward0 */
    int64_t n;
    struct cti_saved *index;
};

static void index_freed(struct cti_node *n)
{
    struct index_node *x = (struct index_node *)n;
    for (int64_t i = 0; i < x->n; i++)
        cti_saved_clear(&x->index[i]);
}

static void index_clear(struct cti_node *n)
{
    struct index_node *x = (struct index_node *)n;
    index_freed(n);
    cti_free(x->index);
    cti_meta_clear(&x->input);
}

static void index_node_drop(ct_list list)
{
    for (int64_t i = 0; i < list.n; i++)
        if (list.v[i] != CT_NO_TENSOR)
            ct_release(list.v[i]);
    cti_free((void *)(uintptr_t)list.v);
}

/* The saved indices, owned; v NULL: failed. */
static ct_list index_node_indices(struct index_node *x)
{
    ct_list none = {NULL, 0};
    ct_tensor **v = cti_calloc((size_t)x->n, sizeof *v);
    for (int64_t i = 0; v && i < x->n; i++) {
        v[i] = cti_unpack(&x->node, &x->index[i]);
        if (!v[i]) {
            index_node_drop(ct_list_of(v, i));
            return none;
        }
    }
    return ct_list_of(v, x->n);
}

static bool index_backward(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                           ct_tensor **out)
{
    struct index_node *x = (struct index_node *)n;
    if (!grads[0] || !wanted[0])
        return true;
    ct_list index = index_node_indices(x);
    if (!index.v)
        return false;
    ct_tensor *zeros =
        ct_own_zeros(cti_meta_ints(&x->input), grads[0]->dtype, x->input.device, false);
    if (zeros)
        out[0] = ct_own_index_put(zeros, index, grads[0], true);
    ct_release(zeros);
    index_node_drop(index);
    return out[0] != NULL;
}

static bool put_backward(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                         ct_tensor **out)
{
    struct index_node *x = (struct index_node *)n;
    ct_tensor *grad = grads[0];
    if (!grad)
        return true;
    ct_list index = index_node_indices(x);
    if (!index.v)
        return false;
    bool good = true;
    if (wanted[0] && x->accumulate) {
        out[0] = ct_retain(grad);
    } else if (wanted[0]) {
        ct_tensor *zero = ct_own_zeros(ct_ints_of((const int64_t[]){0}, 0), grad->dtype,
                                       grad->storage->device, false);
        out[0] = zero ? ct_own_index_put(grad, index, zero, false) : NULL;
        ct_release(zero);
        good = out[0] != NULL;
    }
    if (good && wanted[1]) {
        out[1] = ct_own_index_Tensor(grad, index);
        good = out[1] != NULL;
    }
    index_node_drop(index);
    return good;
}

static const struct cti_node_class index_class = {
    .name = "IndexBackward0",
    .size = sizeof(struct index_node),
    .backward = index_backward,
    .freed = index_freed,
    .clear = index_clear,
};

static const struct cti_node_class put_class = {
    .name = "IndexPutBackward0",
    .size = sizeof(struct index_node),
    .backward = put_backward,
    .freed = index_freed,
    .clear = index_clear,
};

static struct index_node *index_node_make(const struct cti_node_class *type, ct_list indices,
                                          int64_t edges)
{
    struct index_node *x = (struct index_node *)cti_node_new(type, edges);
    if (!x)
        return NULL;
    x->index = cti_calloc((size_t)(indices.n ? indices.n : 1), sizeof *x->index);
    bool good = x->index != NULL;
    for (int64_t i = 0; good && i < indices.n; i++, x->n++)
        good = cti_save(&x->index[i], indices.v[i]);
    if (good)
        return x;
    cti_node_release(&x->node);
    return NULL;
}

struct cti_node *cti_node_index(ct_tensor *input, ct_list indices)
{
    struct index_node *x = index_node_make(&index_class, indices, 1);
    if (x && cti_meta_set(&x->input, input) && cti_node_edge(&x->node, 0, input))
        return &x->node;
    if (x)
        cti_node_release(&x->node);
    return NULL;
}

struct cti_node *cti_node_index_put(ct_tensor *self, ct_list indices, ct_tensor *values,
                                    bool accumulate)
{
    struct index_node *x = index_node_make(&put_class, indices, 2);
    if (x && cti_node_edge(&x->node, 0, self) && cti_node_edge(&x->node, 1, values)) {
        x->accumulate = accumulate;
        return &x->node;
    }
    if (x)
        cti_node_release(&x->node);
    return NULL;
}
