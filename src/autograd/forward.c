/* SPDX-License-Identifier: BSD-3-Clause */
/* Forward-mode derivatives by dual numbers. attach.c calls cti_dual_settle after each recorded
 * operation; the rest is the public interface to levels, duals and tangents.
 *
 * Note [Dual numbers]: a dual is x + eps t, where eps is a leaf with the value 0. It is recorded
 * like any tensor that requires a gradient, so views, in-place writes and all differentiable
 * operations propagate it. The tangent of a result y is dy/d eps, found by two backward passes (the
 * double-backward trick): the first gives u -> u . dy/d eps, which is linear in u, and its
 * derivative with respect to u is the tangent. u is set to 1, because some operations treat zeros
 * specially. Both passes run after each operation, over its one node. Then the result becomes a new
 * dual. It keeps its history only if that also leads to a leaf of the program and grad mode is on;
 * otherwise the tangent replaces the history, and the values that the node saved are freed.
 * While a level is open, no_grad still records nodes that lead to eps and drops all others, so each
 * node knows which kinds of leaves it leads to. A tensor that leads only to eps does not require a
 * gradient as far as users see. */
#include "autograd/internal.h"
#include "core/check_args.h"

#include "core/error.h"
#include "core/shape.h"
#include "corten/autograd.h"
#include "corten/macros.h"
#include "corten/own.h"

#include <stdatomic.h>
#include <string.h>

static ct_tensor *eps;         /* of the open level; NULL: none is open */
static atomic_bool any;        /* whether a level was ever opened */
static __thread bool settling; /* a tangent is being computed */

struct dual {
    struct cti_node node;
    ct_tensor *tangent; /* owned */
};

static bool dual_backward(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                          ct_tensor **out)
{
    if (!grads[0])
        return true;
    if (wanted[0] && !settling) /* the tangent replaces the earlier history */
        out[0] = ct_retain(grads[0]);
    if (!wanted[1])
        return true;
    ct_tensor *conj = ct_own_conj(((struct dual *)n)->tangent);
    ct_tensor *product = ct_own_mul(V(grads[0]), V(conj));
    ct_tensor *sum = ct_own_sum(product, CT_NO_DIMS, false, CT_NO_DTYPE);
    ct_tensor *real = sum && ct_dtype_is_complex(ct_dtype(sum)) ? ct_own_real(sum) : ct_retain(sum);
    out[1] = ct_own_to(real, CT_FLOAT64, (struct ct_device){CT_CPU, -1}, false, false,
                       CT_PRESERVE_FORMAT);
    cti_release_all(conj, product, sum, real);
    return out[1] != NULL;
}

static void dual_clear(struct cti_node *n)
{
    ct_release(((struct dual *)n)->tangent);
    ((struct dual *)n)->tangent = NULL;
}

static const struct cti_node_class dual_class = {.name = "Identity",
                                                 .size = sizeof(struct dual),
                                                 .backward = dual_backward,
                                                 .clear = dual_clear};

/* Makes t a dual. history: the edge of its gradient, or empty. Takes over history and tangent. */
static bool become_take(ct_tensor *t, struct cti_edge history, ct_tensor *tangent)
{
    struct cti_node *n = tangent ? cti_node_new(&dual_class, 2) : NULL;
    if (!n) {
        cti_node_release(history.node);
        ct_release(tangent);
        return false;
    }
    ((struct dual *)n)->tangent = tangent;
    if (history.node && history.node->leads & CTI_LEADS_LEAF && !cti_grad_tangents_only())
        cti_node_set_edge(n, 0, history);
    else
        cti_node_release(history.node);
    if (cti_node_edge(n, 1, eps) && cti_node_output(n, 0, 1, t))
        return cti_set_history_take(t, n, 0);
    cti_node_release(n);
    return false;
}

/* The derivative of sum(output * weight) with respect to `input`. NULL without an error: it does
 * not depend on it. */
static ct_tensor *derivative(ct_tensor *output, ct_tensor *input, ct_tensor *weight)
{
    ct_tensor *found = NULL;
    ct_list given = weight ? CT_LIST(weight) : CT_NO_LIST;
    return ct_autograd_gradients(CT_LIST(output), CT_LIST(input), given, true, true, true, &found)
               ? found
               : NULL;
}

/* dy/d eps, owned; zeros if no gradient reaches eps. NULL with an error: failed; NULL without one:
 * there is no path to eps. */
static ct_tensor *tangent_of(ct_tensor *y)
{
    bool outer = settling;
    settling = true;
    ct_tensor *plain = ct_own_detach(y), *tangent = NULL;
    ct_tensor *weight =
        ct_own_ones_like(plain, CT_NO_DTYPE, CT_NO_DEVICE, CT_PRESERVE_FORMAT, true);
    ct_tensor *along = weight ? derivative(y, eps, weight) : NULL;
    if (along) {
        if (cti_wants_grad(along))
            tangent = derivative(along, weight, NULL);
        if (!tangent && !ct_error())
            tangent =
                ct_own_zeros_like(plain, CT_NO_DTYPE, CT_NO_DEVICE, CT_PRESERVE_FORMAT, false);
    }
    cti_release_all(plain, weight, along);
    settling = outer;
    return tangent;
}

bool cti_dual_open(void)
{
    return eps != NULL;
}

static ct_tensor *detached_take(ct_tensor *t)
{
    ct_tensor *plain = ct_own_detach(t);
    ct_release(t);
    return plain;
}

bool cti_dual_settle(ct_tensor *y)
{
    struct cti_edge history;
    if (settling || !eps || y->base || !cti_dtype_has_grad(y->dtype))
        return true;
    if (!cti_gradient_edge(y, &history))
        return false;
    int leads = history.node->leads;
    const struct cti_node_class *type = history.node->type;
    if (!(leads & CTI_LEADS_DUAL) || type == &dual_class || type == &cti_custom_class) {
        cti_node_release(history.node);
        return true;
    }
    struct cti_grad_mode was = cti_grad_resume();
    ct_tensor *tangent = tangent_of(y);
    cti_grad_resume_end(was);
    if (tangent && (!(leads & CTI_LEADS_LEAF) || cti_grad_tangents_only()))
        tangent = detached_take(tangent);
    if (!tangent) {
        cti_node_release(history.node);
        return !ct_error();
    }
    return become_take(y, history, tangent);
}

/* ---- the public interface ---- */

bool ct_dual_enter(void)
{
    if (eps)
        return cti_refuse(CT_ERR_RUNTIME, "Nested forward mode AD is not supported at the moment");
    ct_tensor *made = cti_empty(0, NULL, CT_FLOAT64, (struct ct_device){CT_CPU, -1});
    if (!made)
        return false;
    *(double *)cti_data(made) = 0;
    made->flags |= CTI_DUAL_SOURCE;
    if (!ct_own_requires_grad_(made, true)) {
        ct_release(made);
        return false;
    }
    atomic_store_explicit(&any, true, memory_order_relaxed);
    eps = made;
    cti_grad_duals(true);
    return true;
}

bool ct_dual_exit(void)
{
    if (!eps)
        return cti_refuse(CT_ERR_RUNTIME, "Dual level must be a positive number.");
    ct_release(eps);
    eps = NULL;
    cti_grad_duals(false);
    return true;
}

bool ct_set_tangents_enabled(bool on)
{
    bool old = cti_grad_mode.duals;
    cti_grad_duals(on && eps);
    return old;
}

static bool check_dual(const ct_tensor *primal, const ct_tensor *tangent, bool again)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    if (!eps)
        return cti_refuse(CT_ERR_RUNTIME, "Trying to create a dual Tensor for forward AD but no "
                                          "level exists, make sure to enter_dual_level() first.");
    if (!cti_dtype_has_grad(primal->dtype) || !cti_dtype_has_grad(tangent->dtype)) {
        bool first = !cti_dtype_has_grad(primal->dtype);
        return cti_refuse(CT_ERR_VALUE, "Expected %s to be floating point or complex, but got: %s",
                          first ? "primal" : "tangent",
                          ct_dtype_str((first ? primal : tangent)->dtype));
    }
    if (tangent->ndim != primal->ndim ||
        memcmp(tangent->shape, primal->shape, (size_t)primal->ndim * sizeof *primal->shape) != 0)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Trying to set a forward gradient that has a different size than that of "
                          "the original Tensor, this is not supported. Tensor is of size %s while "
                          "the given forward gradient is of size %s.",
                          cti_shape_text(a, primal->ndim, primal->shape),
                          cti_shape_text(b, tangent->ndim, tangent->shape));
    return again || !ct_is_dual(primal) ||
           cti_refuse(CT_ERR_RUNTIME, "Making a dual Tensor based on a Tensor that already has a "
                                      "forward gradient at the same level 0 is not supported.");
}

ct_tensor *ct_own_make_dual(ct_tensor *primal, ct_tensor *tangent, bool again)
{
    struct cti_edge history = {NULL, 0};
    if (!cti_check_pointer(primal, "ct_own_make_dual", "primal") ||
        !cti_check_pointer(tangent, "ct_own_make_dual", "tangent") ||
        !check_dual(primal, tangent, again))
        return NULL;
    ct_tensor *t = ct_own_detach(primal);
    if (t && cti_wants_grad(primal) && !cti_gradient_edge(primal, &history)) {
        ct_release(t);
        return NULL;
    }
    bool good = t && become_take(t, history, ct_retain(tangent));
    return cti_take_if(t, good);
}

ct_tensor *ct_own_dual_tangent(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_own_dual_tangent", "t"))
        return NULL;
    if (!eps || !ct_is_dual(t))
        return NULL;
    struct cti_grad_mode was = cti_grad_resume();
    ct_tensor *tangent = tangent_of(t);
    cti_grad_resume_end(was);
    return tangent && ct_is_only_dual(t) ? detached_take(tangent) : tangent;
}

/* Reads the present history. The new history of a view whose base was written is not computed,
 * because that may fail. */
static int leads_here(const ct_tensor *t)
{
    if (t->flags & CTI_DUAL_SOURCE)
        return CTI_LEADS_DUAL;
    struct cti_autograd *a = t->autograd;
    if (!a)
        return 0;
    cti_byte_lock(&a->lock);
    int leads = a->grad_fn ? a->grad_fn->leads : 0;
    cti_byte_unlock(&a->lock);
    return leads;
}

static int leads_of(const ct_tensor *t)
{
    if (!atomic_load_explicit(&any, memory_order_relaxed) || !cti_wants_grad(t))
        return 0;
    return leads_here(t) | (t->base ? leads_here(t->base) : 0);
}

bool ct_is_dual(const ct_tensor *t)
{
    return leads_of(t) & CTI_LEADS_DUAL;
}

bool ct_is_only_dual(const ct_tensor *t)
{
    return leads_of(t) == CTI_LEADS_DUAL;
}
