/* SPDX-License-Identifier: BSD-3-Clause */
/* Attaches history to the results of operations: connects results to the node that was made for the
 * call, and replaces the history of a tensor that was written in place. Generated entry points call
 * this before and after the computation. It also rejects invalid in-place writes, with PyTorch's
 * errors. */
#include "autograd/internal.h"
#include "core/guard.h"
#include "core/note.h"
#include "core/shape.h"

/* Under no_grad only tangents are recorded, so a node without one is dropped. */
static struct cti_node *needed_take(struct cti_node *node)
{
    if (!node || !cti_grad_tangents_only() || cti_carries_dual(node))
        return node;
    cti_node_release(node);
    return NULL;
}

/* Marks a view that is made while nothing is recorded, and notes its version. */
static bool note_unrecorded_view(ct_tensor *view)
{
    if (cti_grad_program_enabled())
        return true;
    view->flags |= CTI_VIEW_NO_GRAD;
    if (cti_grad_mode.inference && !(view->flags & CTI_INFERENCE))
        view->flags |= CTI_VIEW_INFERENCE;
    int64_t version = cti_version_count(view);
    if (version == 0 && !cti_wants_grad(view))
        return true;
    struct cti_autograd *a = cti_autograd_of(view);
    if (a)
        a->view_version = version;
    return a != NULL;
}

/* The saved value of result k. */
static struct cti_saved *saved_result(struct cti_node *node, int64_t k)
{
    int slot = node->type->result_slot[k] - 1;
    return (struct cti_saved *)((char *)node + node->type->saved_at[slot]);
}

/* Saves result k if the derivative needs it. */
static bool keep_result(struct cti_node *node, ct_tensor *result, int64_t k)
{
    return k >= CTI_NODE_OUTPUTS || !(node->keeps >> k & 1) ||
           cti_save_result(node, saved_result(node, k), result, (uint32_t)k);
}

/* Makes the node the history of result k of n; borrows the node. */
static bool result_tie(struct cti_node *node, ct_tensor *result, int64_t k, int64_t n)
{
    return cti_node_output(node, k, n, result) && keep_result(node, result, k) &&
           cti_set_history_take(result, cti_node_retain(node), (uint32_t)k);
}

/* Whether the result is an argument that the call returned unchanged, with its history. */
static bool is_argument(const ct_tensor *t)
{
    return t->autograd && ((t->flags & CTI_REQUIRES_GRAD) || t->autograd->grad_fn);
}

ct_tensor *cti_attach(struct cti_node *node, ct_tensor *result)
{
    bool good = result != NULL;
    node = needed_take(node);
    if (good && node && cti_dtype_has_grad(result->dtype) && !is_argument(result))
        good = result_tie(node, result, 0, 1);
    else if (good && result->base && !result->autograd)
        good = note_unrecorded_view(result);
    if (good && cti_carries_dual(node))
        good = cti_dual_settle(result);
    cti_node_release(node);
    return cti_take_if(result, good);
}

bool cti_attach_several(struct cti_node *node, ct_tensor **results, int64_t n)
{
    bool good = true;
    node = needed_take(node);
    for (int64_t k = 0; k < n && good; k++) {
        ct_tensor *r = results[k];
        if (!r)
            continue;
        if (node && cti_dtype_has_grad(r->dtype))
            good = result_tie(node, r, k, n);
        else if (node)
            good = keep_result(node, r, k);
        else if (r->base)
            good = note_unrecorded_view(r);
        if (r->base && cti_grad_program_enabled())
            r->flags |= CTI_VIEW_MULTI;
    }
    for (int64_t k = 0; k < n && good && cti_carries_dual(node); k++)
        good = !results[k] || cti_dual_settle(results[k]);
    cti_node_release(node);
    for (int64_t k = 0; k < n && !good; k++) {
        ct_release(results[k]);
        results[k] = NULL;
    }
    return good;
}

static void note_leaf(void)
{
    cti_note("an optimiser's step is written inside `with torch.no_grad():`; as a part of the "
             "computation, x = x + ... makes a new tensor");
}

bool cti_inplace_refused(ct_tensor *self)
{
    if (!cti_dtype_has_grad(self->dtype) || (cti_grad_tangents_only() && !ct_is_dual(self)))
        return false;
    if (self->base) {
        if (!cti_view_check(self, false))
            return true;
        if (cti_wants_grad(self) && ct_is_leaf(self->base)) {
            ct_fail(CT_ERR_RUNTIME, "a view of a leaf Variable that requires grad is being used "
                                    "in an in-place operation.");
            note_leaf();
            return true;
        }
    }
    if (cti_wants_grad(self) && ct_is_leaf(self)) {
        ct_fail(CT_ERR_RUNTIME,
                "a leaf Variable that requires grad is being used in an in-place operation.");
        note_leaf();
        return true;
    }
    return false;
}

static bool zero_backward(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                          ct_tensor **out)
{
    (void)n;
    if (wanted[0])
        out[0] = cti_grad_zeros_like(grads[0]);
    return !wanted[0] || out[0];
}

/* Sets the history of self after an in-place operation without a derivative, whose result does not
 * depend on the earlier value. */
static const struct cti_node_class zero_class = {
    .name = "ZeroBackward0", .size = sizeof(struct cti_node), .backward = zero_backward};

static bool forget_history(ct_tensor *self, struct cti_node **node)
{
    *node = cti_node_new(&zero_class, 1);
    return *node && cti_node_edge(*node, 0, self);
}

bool cti_retained_move(struct cti_node *node, uint32_t nr, ct_tensor *t)
{
    const struct cti_autograd *a = cti_autograd_of(t);
    return a && (!a->retains_grad || !a->grad_fn || cti_hooks_retain_grad(node, nr, t));
}

/* Prepares the new history of a write, so that nothing can fail after the write. */
static bool write_prepare(struct cti_node *node, ct_tensor *self)
{
    if (!cti_version_of(self) || !cti_node_output(node, 0, 1, self) || !keep_result(node, self, 0))
        return false;
    if (node->type->moved_name)
        return cti_autograd_of(self) != NULL;
    if (!self->base)
        return cti_retained_move(node, 0, self);
    return cti_view_rebase_begin(node, self) && cti_retained_move(node->outer, 0, self->base);
}

void cti_inplace_cancel(struct cti_node *node)
{
    struct cti_node *outer = node ? node->outer : NULL;
    if (outer)
        node->outer = NULL;
    cti_node_release(outer);
    cti_node_release(node);
}

bool cti_inplace_begin(ct_tensor *self, struct cti_node **node)
{
    bool good = true;
    *node = needed_take(*node);
    if (*node && cti_grad_tangents_only() && cti_wants_grad(self) && ct_is_leaf(self)) {
        cti_node_release(*node); /* no input needs a gradient: a leaf stays a leaf */
        *node = NULL;
    }
    if (self->flags & CTI_INFERENCE)
        good = cti_check_inference_write(self);
    if (__builtin_expect(cti_storage_closed(self->storage), 0))
        good = good && cti_storage_check_writable(self->storage);
    bool recorded = cti_dtype_has_grad(self->dtype);
    if (*node)
        (*node)->in_place = true;
    if (good && !*node) {
        if (!cti_grad_on() || !cti_wants_grad(self) ||
            (cti_grad_tangents_only() && !ct_is_dual(self)))
            return self->version || cti_version_of(self);
        good =
            !cti_inplace_refused(self) && forget_history(self, node) && write_prepare(*node, self);
        if (good)
            return true;
    } else if (good && recorded) {
        good = !cti_inplace_refused(self) && cti_save_before_write(*node, self) &&
               write_prepare(*node, self);
        if (good)
            return true;
    }
    cti_inplace_cancel(*node);
    *node = NULL;
    return good && cti_version_of(self);
}

ct_tensor *cti_attach_inplace(struct cti_node *node, ct_tensor *self)
{
    bool good = cti_version_bump(self);
    if (!node)
        return good ? self : NULL;
    if (node->keeps & 1) {
        struct cti_saved *s = saved_result(node, 0);
        s->version = cti_version_count(self);
        if (s->kind == CTI_SAVED_PACKED) { /* the value before the write */
            cti_saved_clear(s);
            good = good && cti_save_result(node, s, self, 0);
        }
    }
    good = good && cti_node_output(node, 0, 1, self);
    if (!good) {
        cti_inplace_cancel(node);
        return NULL;
    }
    bool in_base = self->base && !node->type->moved_name;
    bool dual = cti_carries_dual(in_base ? node->outer : node);
    if (in_base)
        good = cti_view_rebase_take(node, self);
    else
        good = cti_set_history_take(self, node, 0);
    if (good && dual)
        good = cti_dual_settle(in_base ? self->base : self);
    return good ? self : NULL;
}
