/* SPDX-License-Identifier: BSD-3-Clause */
/* The autograd part of a tensor's public interface: requires_grad, grad, data, detach, grad_fn and
 * its nodes. Declared in corten/autograd.h and base.h; checks and messages are PyTorch's. */
#include "autograd/internal.h"
#include "core/check_args.h"

#include "core/alloc.h"
#include "core/debug.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/shape.h"
#include "fronts.h"

#include <stdio.h>
#include <string.h>

/* ---- state ---- */

bool ct_requires_grad(const ct_tensor *t)
{
    return cti_is_there(t) && cti_wants_grad(t);
}

/* A view whose base was written in place has a new history; that history counts here. */
bool ct_is_leaf(const ct_tensor *t)
{
    if (!t || !cti_wants_grad(t))
        return true;
    if (!t->base)
        return !t->autograd || !t->autograd->grad_fn;
    int64_t seen = t->autograd ? t->autograd->view_version : 0;
    if (!(t->base->flags & CTI_REQUIRES_GRAD) ||
        t->flags & (CTI_VIEW_NO_GRAD | CTI_VIEW_MULTI | CTI_VIEW_CUSTOM) ||
        seen == cti_version_count(t))
        return !t->autograd || !t->autograd->grad_fn;
    return false;
}

static bool set_requires_grad(ct_tensor *t, bool on, const char *refusal)
{
    if (!cti_is_there(t))
        return false;
    if (on && !cti_dtype_has_grad(ct_dtype(t)))
        return cti_refuse(CT_ERR_RUNTIME, "%s", refusal);
    if (!ct_is_leaf(t)) {
        if (on)
            return true;
        return cti_refuse(
            CT_ERR_RUNTIME,
            "you can only change requires_grad flags of leaf variables. If you want to "
            "use a computed variable in a subgraph that doesn't require differentiation "
            "use var_no_grad = var.detach().");
    }
    if (on && (t->flags & CTI_INFERENCE) && !cti_grad_mode.inference)
        return cti_refuse(CT_ERR_RUNTIME, "Setting requires_grad=True on inference tensor outside "
                                          "InferenceMode is not allowed.");
    if (on && !cti_autograd_of(t))
        return false;
    t->flags = (uint16_t)(on ? t->flags | CTI_REQUIRES_GRAD : t->flags & ~CTI_REQUIRES_GRAD);
    return true;
}

bool ct_is_inference(const ct_tensor *t)
{
    return t && (t->flags & CTI_INFERENCE);
}

bool ct_set_requires_grad(ct_tensor *t, bool on)
{
    if (cti_is_there(t) && on && !ct_is_leaf(t))
        return cti_refuse(CT_ERR_RUNTIME,
                          "you can only change requires_grad flags of leaf variables.");
    return set_requires_grad(t, on,
                             "only Tensors of floating point and complex dtype can require "
                             "gradients");
}

ct_tensor *ct_own_requires_grad_(ct_tensor *t, bool on)
{
    if (!cti_check_pointer(t, "ct_own_requires_grad_", "t"))
        return NULL;
    return set_requires_grad(t, on, "only Tensors of floating point dtype can require gradients")
               ? t
               : NULL;
}

ct_tensor *ct_requires_grad_(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_requires_grad_", "t"))
        return NULL;
    return ct_own_requires_grad_(t, true);
}

/* ---- grad ---- */

ct_tensor *ct_own_grad(ct_tensor *t)
{
    struct cti_autograd *a = cti_is_there(t) ? t->autograd : NULL;
    if (!a)
        return NULL;
    cti_byte_lock(&a->lock);
    ct_tensor *grad = ct_retain(a->grad);
    cti_byte_unlock(&a->lock);
    return grad;
}

ct_tensor *ct_grad(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_grad", "t"))
        return NULL;
    ct_tensor *grad = ct_own_grad(t);
    return grad ? ct_scoped(grad) : NULL;
}

enum ct_dtype ct_grad_dtype(const ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_grad_dtype", "t"))
        return CT_NO_DTYPE;
    int kept = t && t->autograd ? t->autograd->grad_dtype : 0;
    if (kept == CTI_GRAD_OF_ANY)
        return CT_NO_DTYPE;
    return kept ? (enum ct_dtype)(kept - 1) : ct_dtype(t);
}

bool ct_set_grad_dtype(ct_tensor *t, enum ct_dtype dtype)
{
    if (!cti_check_pointer(t, "ct_set_grad_dtype", "t"))
        return false;
    if (!ct_is_leaf(t))
        return ct_fail(CT_ERR_RUNTIME, "grad_dtype can only be set on leaf tensors.");
    struct cti_autograd *a = cti_autograd_of(t);
    if (!a)
        return false;
    if (a->grad && dtype != CT_NO_DTYPE && a->grad->dtype != dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "Cannot set grad_dtype to '%s' because there is already a gradient with "
                       "dtype '%s'. Please clear the gradient (.grad = None) before changing "
                       "grad_dtype, or ensure the new grad_dtype matches the existing gradient's "
                       "dtype.",
                       cti_dtype_scalar_name(dtype), cti_dtype_cpp_name(ct_dtype(a->grad)));
    cti_byte_lock(&a->lock);
    a->grad_dtype = (uint8_t)(dtype == CT_NO_DTYPE ? CTI_GRAD_OF_ANY : 1 + dtype);
    a->accumulator = NULL; /* it casts to the old type */
    cti_byte_unlock(&a->lock);
    return true;
}

static bool check_grad(const ct_tensor *t, const ct_tensor *grad)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    enum ct_dtype wanted = ct_grad_dtype(t);
    if (grad == t)
        return cti_refuse(CT_ERR_RUNTIME, "can't assign Variable as its own grad");
    if (wanted != CT_NO_DTYPE && ct_dtype(grad) != wanted)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "attempting to assign a gradient with dtype '%s' to a tensor with "
            "grad_dtype '%s'. The gradient must match the tensor's grad_dtype (defaults "
            "to the tensor's dtype). You can set the tensor's grad_dtype attribute with "
            "a specific dtype, or None to allow any dtype. Set grad_dtype with caution. "
            "Diverging the dtypes of a tensor and its gradient may break downstream "
            "systems that assume they match.",
            cti_dtype_cpp_name(ct_dtype(grad)), cti_dtype_scalar_name(wanted));
    if (!cti_same_device(ct_device_of(grad), ct_device_of(t)))
        return cti_refuse(CT_ERR_RUNTIME,
                          "attempting to assign a gradient with device type '%s' to a tensor with "
                          "device type '%s'. Please ensure that the gradient and the tensor are on "
                          "the same device",
                          ct_device_str(ct_device_of(grad)), ct_device_str(ct_device_of(t)));
    bool same = grad->ndim == t->ndim;
    for (int d = 0; same && d < t->ndim; d++)
        same = grad->shape[d] == t->shape[d];
    if (!same)
        return cti_refuse(CT_ERR_RUNTIME,
                          "attempting to assign a gradient of size '%s' to a tensor of size '%s'. "
                          "Please ensure that the gradient and the tensor are the same size",
                          cti_shape_text(a, grad->ndim, grad->shape),
                          cti_shape_text(b, t->ndim, t->shape));
    return true;
}

bool ct_set_grad(ct_tensor *t, ct_tensor *grad)
{
    if (!(cti_check_pointer(t, "ct_set_grad", "t") &&
          cti_check_pointer(grad, "ct_set_grad", "grad")))
        return false;
    if (!cti_is_there(t) || !cti_is_there(grad))
        return false;
    if (grad == CT_NO_TENSOR)
        grad = NULL;
    if (!grad && !t->autograd)
        return true;
    if (grad && !check_grad(t, grad))
        return false;
    struct cti_autograd *a = cti_autograd_of(t);
    if (!a)
        return false;
    ct_retain(grad);
    cti_byte_lock(&a->lock);
    ct_tensor *old = a->grad;
    a->grad = grad;
    cti_byte_unlock(&a->lock);
    ct_release(old);
    return true;
}

/* ---- data, detach, base ---- */

ct_tensor *ct_own_data(ct_tensor *t)
{
    ct_tensor *data = cti_is_there(t) ? cti_alias(t) : NULL;
    if (data)
        cti_version_renew(data);
    return data;
}

bool ct_set_data(ct_tensor *t, ct_tensor *data)
{
    if (!(cti_check_pointer(t, "ct_set_data", "t") &&
          cti_check_pointer(data, "ct_set_data", "data")))
        return false;
    if (!cti_is_there(t) || !cti_is_there(data))
        return false;
    if (cti_wants_grad(t) && !cti_dtype_has_grad(ct_dtype(data)))
        return cti_refuse(CT_ERR_RUNTIME, "data set to a tensor that requires gradients must be "
                                          "floating point or complex dtype");
    bool other =
        t->dtype != data->dtype || !cti_same_device(t->storage->device, data->storage->device);
    if (t->autograd && other) {
        /* The AccumulateGrad of a leaf casts to the old type; the next graph gets a new one. */
        cti_byte_lock(&t->autograd->lock);
        t->autograd->accumulator = NULL;
        cti_byte_unlock(&t->autograd->lock);
    }
    return cti_tensor_become(t, data);
}

ct_tensor *cti_op_detach(ct_tensor *t)
{
    return cti_alias(t);
}

ct_tensor *ct_detach_(ct_tensor *t)
{
    if (!cti_is_there(t))
        return NULL;
    if (t->base)
        return ct_fail(
            CT_ERR_RUNTIME,
            "Can't detach views in-place. Use detach() instead. If you are using "
            "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is "
            "set as True, gradients are views of DDP buckets, and hence detach_() cannot "
            "be called on these gradients. To fix this error, please refer to the "
            "Optimizer.zero_grad() function in torch/optim/optimizer.py as the "
            "solution.");
    struct cti_autograd *a = t->autograd;
    t->flags = (uint16_t)(t->flags & ~CTI_REQUIRES_GRAD);
    if (a) {
        struct cti_node *old = a->grad_fn;
        if (old && a->retains_grad)
            cti_hooks_forget_retained(&old->hooks, a);
        cti_byte_lock(&a->lock);
        a->grad_fn = NULL;
        cti_byte_unlock(&a->lock);
        a->output_nr = 0;
        a->retains_grad = false;
        cti_node_release(old);
    }
    return t;
}

bool ct_bump_version(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_bump_version", "t"))
        return false;
    return t && cti_version_bump(t);
}

ct_tensor *ct_base_of(ct_tensor *t)
{
    return t ? t->base : NULL;
}

/* ---- nodes ---- */

ct_node *ct_own_grad_fn(ct_tensor *t)
{
    bool failed = false;
    return cti_own_grad_fn(t, &failed);
}

ct_node *ct_own_gradient_edge(ct_tensor *t, int64_t *output_nr)
{
    if (!(cti_check_pointer(t, "ct_own_gradient_edge", "t") &&
          cti_check_pointer(output_nr, "ct_own_gradient_edge", "output_nr")))
        return NULL;
    struct cti_edge edge = {NULL, 0};
    if (cti_wants_grad(t) && cti_gradient_edge(t, &edge))
        *output_nr = edge.nr;
    return edge.node;
}

ct_tensor *ct_own_edge_tensor(ct_node *n, int64_t nr)
{
    if (!cti_check_pointer(n, "ct_own_edge_tensor", "n"))
        return NULL;
    if (nr < 0 || nr >= n->noutputs)
        return ct_fail(CT_ERR_INDEX, "%s has no result %lld", cti_node_name(n), (long long)nr);
    if (ct_node_variable(n))
        return ct_retain(ct_node_variable(n));
    const struct cti_meta *m = &n->output[nr];
    enum ct_dtype dtype = m->dtype;
    const int64_t strides[CTI_MAX_DIMS] = {0}; /* strides of 0: one element for every position */
    ct_storage *s = cti_storage_new(cti_itemsize(dtype), m->device);
    ct_tensor *t = s ? cti_tensor_take(s, dtype, m->ndim, cti_meta_shape(m), strides, 0) : NULL;
    if (!t || cti_set_history_take(t, cti_node_retain(n), (uint32_t)nr))
        return t;
    ct_release(t);
    return NULL;
}

int64_t ct_output_nr(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_output_nr", "t"))
        return -1;
    return t && t->autograd ? t->autograd->output_nr : 0;
}

/* Returns the name of the grad_fn for printing or, as in PyTorch, "Invalid" if the history of a
 * view cannot be updated. */
static const char *grad_fn_name(const ct_tensor *t)
{
    if (ct_is_only_dual(t))
        return NULL;
    bool failed = false;
    struct cti_saved_error earlier;
    cti_error_take(&earlier);
    struct cti_node *n = cti_own_grad_fn((ct_tensor *)(uintptr_t)t, &failed);
    const char *name = failed ? "Invalid" : n ? cti_node_name(n) : NULL;
    cti_node_release(n);
    cti_error_put_back(&earlier);
    return name;
}

__attribute__((constructor)) static void tell_core(void)
{
    cti_core_hooks.grad_fn_name = grad_fn_name;
    cti_core_hooks.is_only_dual = ct_is_only_dual;
}

ct_node *ct_node_retain(ct_node *n)
{
    return n ? cti_node_retain(n) : NULL;
}

void ct_node_release(ct_node *n)
{
    cti_node_release(n);
}

const char *ct_node_name(const ct_node *n)
{
    return n ? cti_node_name(n) : NULL;
}

int64_t ct_node_sequence(const ct_node *n)
{
    return n ? (int64_t)n->sequence : 0;
}

int64_t ct_node_references(const ct_node *n)
{
    return n ? __atomic_load_n(&n->refs, __ATOMIC_ACQUIRE) : 0;
}

ct_node *ct_sole_grad_fn(const ct_tensor *t)
{
    struct cti_node *n = t && t->autograd ? t->autograd->grad_fn : NULL;
    return n && ct_node_references(n) == 1 ? n : NULL;
}

int64_t ct_node_results(const ct_node *n)
{
    return n ? n->noutputs : 0;
}

bool ct_node_run(ct_node *n, ct_list grads, ct_tensor **out)
{
    if (!(cti_check_pointer(n, "ct_node_run", "n") &&
          cti_check_list(&grads, "ct_node_run", "grads") &&
          cti_check_pointer(out, "ct_node_run", "out")))
        return false;
    if (!n || !grads.v || grads.n != n->noutputs)
        return false;
    bool *wanted = cti_calloc((size_t)n->nedges + 1, sizeof *wanted), some = n->type->runs_always;
    ct_tensor **given = cti_calloc((size_t)grads.n + 1, sizeof *given);
    bool good = wanted && given;
    for (int64_t k = 0; good && k < grads.n; k++) {
        given[k] = grads.v[k] == CT_NO_TENSOR ? NULL : grads.v[k];
        some |= given[k] != NULL;
    }
    for (int32_t i = 0; i < n->nedges; i++) {
        out[i] = NULL;
        if (good)
            wanted[i] = n->edge[i].node != NULL;
    }
    if (good && some) {
        struct cti_running here;
        cti_node_enter(n, &here);
        good = cti_node_derive(n, given, wanted, out);
        cti_node_leave(&here);
    }
    for (int32_t i = 0; i < n->nedges && !good; i++) {
        ct_release(out[i]);
        out[i] = NULL;
    }
    cti_free(wanted);
    cti_free(given);
    return good;
}

ct_value ct_node_saved_named(ct_node *n, const char *name)
{
    if (!(cti_check_pointer(n, "ct_node_saved_named", "n") &&
          cti_check_text(name, "ct_node_saved_named", "name")))
        return (ct_value){0};
    for (int i = 0; n && i < n->type->nsaved; i++) {
        if (strcmp(n->type->saved_name[i], name) != 0)
            continue;
        /* recording on, so that the tensor gets its history */
        struct cti_grad_mode was = cti_grad_resume();
        ct_value v = cti_unpack_value(n, (struct cti_saved *)((char *)n + n->type->saved_at[i]));
        cti_grad_resume_end(was);
        return v.kind == CT_VALUE_TENSOR && !v.as.tensor ? (ct_value){.kind = CT_VALUE_NULL} : v;
    }
    return (ct_value){.kind = CT_VALUE_NULL};
}

int64_t ct_node_edges(const ct_node *n)
{
    return n ? n->nedges : 0;
}

ct_node *ct_node_next(const ct_node *n, int64_t i, int64_t *output_nr)
{
    if (!cti_check_pointer(output_nr, "ct_node_next", "output_nr"))
        return NULL;
    if (!n || i < 0 || i >= n->nedges)
        return NULL;
    *output_nr = n->edge[i].nr;
    return n->edge[i].node;
}

void *ct_node_handle(const ct_node *n)
{
    return n ? n->handle : NULL;
}

void ct_node_set_handle(ct_node *n, void *handle)
{
    if (n)
        n->handle = handle;
}
