/* SPDX-License-Identifier: BSD-3-Clause */
/* AccumulateGrad: the node at the end of every path, which adds a gradient to its leaf. The node
 * owns the leaf, so a graph keeps its leaves alive; the leaf refers to its node without owning
 * it. */
#include "autograd/internal.h"

#include "core/shape.h"

#include <string.h>

struct accumulate {
    struct cti_node node;
    ct_tensor *variable; /* owned */
};

static bool accumulate_run(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                           ct_tensor **out)
{
    (void)wanted, (void)out;
    ct_tensor *leaf = ((struct accumulate *)n)->variable;
    /* detach_() or requires_grad_(False) was called after the graph was made */
    if (!cti_wants_grad(leaf))
        return true;
    return (!grads[0] || cti_accumulate_into(leaf, grads[0], true)) &&
           (!leaf->autograd->hooks || cti_hooks_leaf_done(leaf));
}

static void accumulate_clear(struct cti_node *n)
{
    ct_tensor *leaf = ((struct accumulate *)n)->variable;
    if (!leaf)
        return;
    struct cti_autograd *a = leaf->autograd;
    cti_byte_lock(&a->lock);
    if (a->accumulator == n)
        a->accumulator = NULL;
    cti_byte_unlock(&a->lock);
    ct_release(leaf);
}

const struct cti_node_class cti_accumulate_class = {
    .name = "AccumulateGrad",
    .size = sizeof(struct accumulate),
    .runs_always = true, /* because its leaf may have hooks */
    .unreported = true,
    .backward = accumulate_run,
    .clear = accumulate_clear,
};

static bool has_shape(const ct_tensor *t, int ndim, const int64_t *shape)
{
    return t->ndim == ndim && memcmp(t->shape, shape, (size_t)ndim * sizeof *shape) == 0;
}

struct cti_node *cti_accumulator_of(ct_tensor *leaf)
{
    struct cti_autograd *a = cti_autograd_of(leaf);
    if (!a)
        return NULL;
    cti_byte_lock(&a->lock);
    struct cti_node *n = a->accumulator;
    if (!n || !cti_retain_if_alive(&n->refs)) {
        n = cti_node_new(&cti_accumulate_class, 0);
        if (n && !cti_node_output(n, 0, 1, leaf)) {
            cti_node_release(n);
            n = NULL;
        }
        if (n) {
            if (a->grad_dtype)
                n->output[0].dtype = (uint8_t)(a->grad_dtype - 1);
            n->sequence = CTI_SEQUENCE_LEAF;
            n->leads = leaf->flags & CTI_DUAL_SOURCE ? CTI_LEADS_DUAL : CTI_LEADS_LEAF;
            ((struct accumulate *)n)->variable = ct_retain(leaf);
            a->accumulator = n;
        }
    }
    cti_byte_unlock(&a->lock);
    return n;
}

bool cti_accumulator_share(ct_tensor *t, struct cti_node *n)
{
    struct cti_autograd *a = cti_autograd_of(t);
    if (!a || !cti_hooks_hold(&a->hooks, n))
        return false;
    a->accumulator = n;
    t->flags |= CTI_REQUIRES_GRAD;
    return true;
}

ct_tensor *ct_node_variable(const ct_node *n)
{
    return n && n->type == &cti_accumulate_class ? ((const struct accumulate *)n)->variable : NULL;
}

/* PyTorch's contract: the gradient of a dense leaf has the strides of the leaf; any other gradient
 * is contiguous. */
static bool has_layout_of(const ct_tensor *grad, const ct_tensor *leaf, bool leaf_dense)
{
    if (!has_shape(grad, leaf->ndim, leaf->shape))
        return false;
    if (!leaf_dense)
        return (grad->flags & CTI_CONTIGUOUS) != 0;
    for (int d = 0; d < grad->ndim; d++)
        if (grad->shape[d] == 1 ? grad->stride[d] == 0 : grad->stride[d] != leaf->stride[d])
            return false;
    return true;
}

/* Whether no other tensor uses the memory. A view may have a base that only the view holds. */
static bool is_alone(const ct_tensor *grad)
{
    return grad->refs == 1 && grad->storage->refs == (grad->base && grad->base->refs == 1 ? 2 : 1);
}

/* Whether the leaf can keep the gradient itself instead of a copy: it has the right layout, and the
 * engine holds the only reference. */
static bool can_steal(const ct_tensor *grad, const ct_tensor *leaf, bool leaf_dense)
{
    return is_alone(grad) && (grad->base || !grad->autograd) &&
           !(grad->flags & (CTI_CONJ | CTI_NEG)) && has_layout_of(grad, leaf, leaf_dense);
}

/* Accumulates a gradient that has a history. The history may lead back to the leaf, as in
 * x.backward(x, create_graph=True), and adding the gradient then takes the leaf's lock. So the sum
 * is computed without holding the lock, and recomputed if another thread has stored a sum in the
 * meantime. */
static bool accumulate_recorded(ct_tensor *t, ct_tensor *grad, bool steal)
{
    struct cti_autograd *a = t->autograd;
    bool done = false, good = true;
    while (good && !done) {
        cti_byte_lock(&a->lock);
        ct_tensor *old = a->grad ? ct_retain(a->grad) : NULL;
        cti_byte_unlock(&a->lock);
        bool dense = steal && cti_shape_is_dense(t);
        ct_tensor *fresh = old ? cti_grad_add(old, grad) : cti_grad_copy(grad, dense ? t : NULL);
        good = fresh != NULL;
        cti_byte_lock(&a->lock);
        done = good && a->grad == old;
        if (done)
            a->grad = fresh;
        cti_byte_unlock(&a->lock);
        ct_release(done ? old : fresh);
        ct_release(old);
    }
    return good;
}

bool cti_accumulate_into(ct_tensor *t, ct_tensor *grad, bool steal)
{
    struct cti_autograd *a = cti_autograd_of(t);
    if (!a)
        return false;
    if (cti_grad_on())
        return accumulate_recorded(t, grad, steal);
    cti_byte_lock(&a->lock);
    ct_tensor *old = a->grad, *fresh = NULL;
    bool good = true;
    if (!old) {
        bool dense = steal && cti_shape_is_dense(t);
        if (steal && can_steal(grad, t, dense))
            fresh = grad->base ? cti_alias(grad) : ct_retain(grad);
        else
            fresh = cti_grad_copy(grad, dense ? t : NULL);
        good = fresh != NULL;
    } else if (cti_grad_becomes_dense(old, grad)) {
        fresh = cti_grad_add(old, grad);
        good = fresh != NULL;
    } else {
        good = cti_grad_add_into(old, grad);
    }
    if (fresh)
        a->grad = fresh;
    cti_byte_unlock(&a->lock);
    if (fresh)
        ct_release(old);
    return good;
}
