/* SPDX-License-Identifier: BSD-3-Clause */
/* User-defined derivatives: a node whose gradient is computed by a function of the program, with a
 * context that is freed with the node. The interface is in corten/autograd.h; Python's
 * autograd.Function is built on it. Results that are inputs, views or written in place are treated
 * as in PyTorch. */
#include "autograd/internal.h"
#include "core/check_args.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "core/error.h"
#include "inner.h"

#include <string.h>

#define FEW 8
#define NO_TENSOR UINT8_MAX /* ndim of a result that is not a tensor */

struct custom {
    struct cti_node node;
    ct_derivative derivative; /* its name is owned */
    struct cti_saved *saved;
    int64_t nsaved;
    bool freed;
};

/* ---- the node ---- */

/* Zeros for the undefined gradient of a result. */
static ct_tensor *zeros_like(const struct cti_meta *m)
{
    ct_tensor *t = cti_empty(m->ndim, cti_meta_shape(m), m->dtype, m->device);
    if (t && !CTI_RUN(fill, t, .dst = t, .number = ct_value_int(0))) {
        ct_release(t);
        return NULL;
    }
    return t;
}

static bool custom_call(struct custom *c, ct_tensor **grads, const bool *wanted, ct_tensor **out)
{
    struct cti_node *n = &c->node;
    bool good = true;
    for (int32_t k = 0; k < n->noutputs && !c->derivative.undefined && good; k++) {
        if (grads[k] || n->output[k].ndim == NO_TENSOR)
            continue;
        grads[k] = zeros_like(&n->output[k]);
        good = grads[k] != NULL;
    }
    struct ct_derivative_call answer = {n, grads, n->noutputs, wanted, out, n->nedges};
    if (!good || !c->derivative.backward(c->derivative.context, &answer))
        return false;
    for (int32_t i = 0; i < n->nedges; i++) {
        const struct cti_edge *edge = &n->edge[i];
        if (out[i] && wanted[i] && ct_dtype_is_complex(ct_dtype(out[i])) &&
            edge->node->output[edge->nr].dtype < CT_COMPLEX64)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == "
                "grad_is_complex) to be true, but got false.  (Could this error message "
                "be improved?  If so, please report an enhancement request to "
                "PyTorch.)");
    }
    return true;
}

static bool custom_run(struct cti_node *n, ct_tensor *const *given, const bool *wanted,
                       ct_tensor **out)
{
    ct_tensor *few[FEW], **grads = few;
    if (n->noutputs > FEW && !(grads = cti_malloc((size_t)n->noutputs * sizeof *grads)))
        return false;
    for (int32_t k = 0; k < n->noutputs; k++)
        grads[k] = ct_retain(given[k]);
    bool good = custom_call((struct custom *)n, grads, wanted, out);
    for (int32_t k = 0; k < n->noutputs; k++)
        ct_release(grads[k]);
    if (grads != few)
        cti_free(grads);
    return good;
}

static void forget_saved(struct custom *c)
{
    struct cti_saved *saved = c->saved;
    int64_t n = c->nsaved;
    c->saved = NULL;
    c->nsaved = 0;
    for (int64_t i = 0; i < n; i++)
        cti_saved_clear(&saved[i]);
    cti_free(saved);
}

static void custom_freed(struct cti_node *n)
{
    struct custom *c = (struct custom *)n;
    if (c->saved)
        c->freed = true;
    forget_saved(c);
}

static void custom_clear(struct cti_node *n)
{
    struct custom *c = (struct custom *)n;
    forget_saved(c);
    if (c->derivative.drop)
        c->derivative.drop(c->derivative.context);
    cti_free((void *)(uintptr_t)c->derivative.name);
}

const struct cti_node_class cti_custom_class = {
    .size = sizeof(struct custom),
    .runs_always = true,
    .backward = custom_run,
    .freed = custom_freed,
    .clear = custom_clear,
};

const char *cti_custom_name(const struct cti_node *n)
{
    return ((const struct custom *)n)->derivative.name;
}

const struct cti_saved *cti_custom_saved(const struct cti_node *n, int64_t *count)
{
    const struct custom *c = n->type == &cti_custom_class ? (const struct custom *)n : NULL;
    *count = c ? c->nsaved : 0;
    return c ? c->saved : NULL;
}

static void *refuse_take(ct_derivative d)
{
    if (d.drop)
        d.drop(d.context);
    return NULL;
}

ct_node *ct_own_node(ct_derivative d, ct_list inputs)
{
    if (!cti_check_list(&inputs, "ct_own_node", "inputs"))
        return refuse_take(d);
    int64_t n = inputs.v ? cti_run_list_count(inputs) : -1;
    if (n < 0)
        return refuse_take(d);
    const char *given = d.name ? d.name : "CustomBackward";
    size_t size = strlen(given) + 1;
    char *name = cti_malloc(size);
    struct custom *c = name ? (struct custom *)cti_node_new(&cti_custom_class, n) : NULL;
    if (!c) {
        cti_free(name);
        return refuse_take(d);
    }
    memcpy(name, given, size);
    c->derivative = d;
    c->derivative.name = name;
    if (cti_anomaly.on)
        cti_anomaly_made(&c->node); /* now that it has a name */
    if (cti_node_edge_list(&c->node, 0, ct_list_of(inputs.v, n)))
        return &c->node;
    cti_node_release(&c->node);
    return NULL;
}

void ct_node_set_undefined(ct_node *n, bool on)
{
    if (n && n->type == &cti_custom_class)
        ((struct custom *)n)->derivative.undefined = on;
}

/* ---- what it saves ---- */

static struct custom *custom_of(ct_node *n)
{
    if (n && n->type == &cti_custom_class)
        return (struct custom *)n;
    return n ? ct_fail(CT_ERR_RUNTIME, "%s is not a user-defined node", ct_node_name(n)) : NULL;
}

static bool is_history(const ct_node *n, const ct_tensor *t)
{
    return t && t->autograd && t->autograd->grad_fn && t->autograd->grad_fn == n;
}

/* Whether the history of t leads to the node, because t is a result or a view of a base that the
 * node wrote. If the node saved t as it is, they would own each other. */
static bool leads_to(const ct_node *n, const ct_tensor *t)
{
    return t != CT_NO_TENSOR && (is_history(n, t) || (n->outer && (is_history(n->outer, t) ||
                                                                   is_history(n->outer, t->base))));
}

bool ct_node_save(ct_node *n, ct_list tensors)
{
    if (!cti_check_pointer(n, "ct_node_save", "n"))
        return false;
    struct custom *c = custom_of(n);
    int64_t count = c && tensors.v ? cti_run_list_count(tensors) : -1;
    if (count < 0)
        return false;
    struct cti_saved *saved = cti_calloc((size_t)count + 1, sizeof *saved);
    if (!saved)
        return false;
    forget_saved(c);
    c->saved = saved;
    bool good = true;
    for (int64_t i = 0; i < count && good; i++, c->nsaved++) {
        ct_tensor *t = tensors.v[i];
        bool own = leads_to(n, t);
        uint32_t nr = own && t->autograd ? t->autograd->output_nr : 0;
        good = own ? cti_save_result(n, &saved[i], t, nr) : cti_save(&saved[i], t);
    }
    if (!good)
        forget_saved(c);
    return good;
}

int64_t ct_node_saved_count(ct_node *n)
{
    if (!cti_check_pointer(n, "ct_node_saved_count", "n"))
        return -1;
    struct custom *c = custom_of(n);
    if (c && c->freed)
        cti_fail_freed();
    return c && !c->freed ? c->nsaved : -1;
}

ct_tensor *ct_own_node_saved(ct_node *n, int64_t i)
{
    if (!cti_check_pointer(n, "ct_own_node_saved", "n"))
        return NULL;
    int64_t count = ct_node_saved_count(n);
    if (count < 0)
        return NULL;
    if (i < 0 || i >= count)
        return ct_fail(CT_ERR_INDEX, "saved tensor %lld of %lld", (long long)i, (long long)count);
    /* The program may inspect the history of the tensor, so it gets the history in every grad
     * mode. */
    struct cti_grad_mode was = cti_grad_resume();
    ct_tensor *t = cti_unpack(n, &((struct custom *)n)->saved[i]);
    cti_grad_resume_end(was);
    return t;
}

ct_tensor *ct_node_saved(ct_node *n, int64_t i)
{
    if (!cti_check_pointer(n, "ct_node_saved", "n"))
        return NULL;
    ct_tensor *t = ct_own_node_saved(n, i);
    return cti_is_given(t) ? ct_scoped(t) : t;
}

/* ---- results ---- */

static bool is_among(ct_list list, int64_t n, const ct_tensor *t)
{
    for (int64_t i = 0; i < n; i++)
        if (list.v[i] == t)
            return true;
    return false;
}

/* Replaces a result; takes over `fresh`. */
static bool replace_take(ct_tensor **result, ct_tensor *fresh)
{
    if (!fresh)
        return false;
    ct_release(*result);
    *result = fresh;
    return true;
}

/* Replaces an input that was returned unchanged by a view of itself, made without recording. */
static bool replace_by_view(ct_tensor **result)
{
    ct_tensor *t = *result;
    bool mode = cti_grad_pause();
    ct_tensor *view = cti_attach(NULL, cti_view(t, t->ndim, t->shape, t->stride, t->offset));
    cti_grad_restore(mode);
    return replace_take(result, view);
}

/* Makes a result a constant: no gradient passes through it. */
static bool tie_constant(ct_tensor **result, bool input, bool dirty)
{
    ct_tensor *t = *result;
    if (!cti_wants_grad(t))
        return !input || dirty || replace_by_view(result);
    if (input)
        return replace_take(result, cti_alias(t));
    return t->base || ct_detach_(t);
}

static bool check_written(ct_tensor *t, int64_t n, bool input)
{
    if (cti_wants_grad(t) && ct_is_leaf(t))
        return cti_refuse(CT_ERR_RUNTIME, "a leaf Variable that requires grad has been used in an "
                                          "in-place operation.");
    if (!input)
        cti_warn("ctx.mark_dirty() received a tensor that was not an input. Only input Tensors "
                 "that have been mutated should be passed to ctx.mark_dirty().");
    if (t->base && n > 1)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "If your Function modifies inplace an input that is a view of another "
            "Tensor, your Function cannot return more than one Tensor. This is not "
            "supported by the current autograd engine. You should either make sure the "
            "input is not a view (using .clone() for example) or make your Function "
            "only return one Tensor (potentially splitting it into two Functions: one "
            "doing the inplace that returns a single Tensor and a second one that does "
            "the other operations). You can ask on the forum "
            "https://discuss.pytorch.org/ if you need help to do this change.");
    return true;
}

/* Makes the node the history of a result that was written in place, or of its base. */
static bool tie_written(struct cti_node *node, ct_tensor *t, uint32_t k)
{
    if (t->base) {
        if (cti_inplace_refused(t) || !cti_view_rebase_begin(node, t))
            return false;
        if (cti_retained_move(node->outer, 0, t->base))
            return cti_view_rebase_take(cti_node_retain(node), t);
        cti_inplace_cancel(cti_node_retain(node));
        return false;
    }
    return cti_retained_move(node, k, t) && ct_set_grad(t, CT_NO_TENSOR) &&
           cti_set_history_take(t, cti_node_retain(node), k);
}

static bool tie(struct cti_node *node, ct_tensor **result, int64_t k, int64_t n, bool input,
                uint8_t mark)
{
    bool dirty = mark & CT_RESULT_WRITTEN;
    if (node && !cti_node_output(node, k, n, *result))
        return false;
    if (!node || (mark & CT_RESULT_CONSTANT) || !cti_dtype_has_grad(ct_dtype(*result)))
        return tie_constant(result, input, dirty);
    if (dirty)
        return check_written(*result, n, input) && tie_written(node, *result, (uint32_t)k);
    if (input && !replace_by_view(result))
        return false;
    return cti_set_history_take(*result, cti_node_retain(node), (uint32_t)k);
}

/* Marks a view among the results, which decides how it may be written later. */
static void mark_view(ct_tensor *t, bool several)
{
    t->flags = (uint16_t)((t->flags & ~(CTI_VIEW_NO_GRAD | CTI_VIEW_MULTI | CTI_VIEW_CUSTOM)) |
                          (several ? CTI_VIEW_MULTI : CTI_VIEW_CUSTOM));
}

bool ct_node_tie(ct_node *node, ct_list inputs, ct_tensor **results, const uint8_t *marks,
                 int64_t n)
{
    if (!(cti_check_list(&inputs, "ct_node_tie", "inputs") &&
          cti_check_array(results, n, "ct_node_tie", "results")))
        return false;
    int64_t ninputs = inputs.v ? cti_run_list_count(inputs) : -1, recorded = 0;
    if (ninputs < 0)
        return false;
    for (int64_t k = 0; k < n; k++) {
        if (!results[k])
            continue;
        bool input = is_among(inputs, ninputs, results[k]);
        uint8_t mark = marks ? marks[k] : 0;
        if (!tie(node, &results[k], k, n, input, mark))
            return false;
        if (results[k]->base && !(input && (mark & CT_RESULT_WRITTEN)))
            mark_view(results[k], false);
        recorded += node && !(mark & CT_RESULT_CONSTANT) && cti_wants_grad(results[k]);
    }
    for (int64_t k = 0; k < n; k++) {
        if (results[k] && results[k]->base && recorded > 1)
            mark_view(results[k], true);
        else if (!results[k] && node && node->noutputs)
            node->output[k].ndim = NO_TENSOR;
    }
    return true;
}

ct_tensor *ct_with_derivative(ct_tensor *result, ct_list inputs, ct_derivative d, ct_list saved)
{
    if (!d.backward) {
        refuse_take(d);
        return ct_fail(CT_ERR_TYPE, "ct_with_derivative(): a derivative without `backward`");
    }
    int64_t n = result && inputs.v ? cti_run_list_count(inputs) : -1;
    if (n < 0 || !cti_grad_program_enabled() || !cti_wants_grad_list(ct_list_of(inputs.v, n))) {
        refuse_take(d);
        return n < 0 ? NULL : result;
    }
    if (is_among(inputs, n, result)) {
        refuse_take(d);
        return ct_fail(CT_ERR_VALUE, "the result must be a new tensor, not an input");
    }
    ct_node *node = ct_own_node(d, inputs);
    ct_tensor *tied = result;
    bool good = node && ct_node_tie(node, inputs, &tied, NULL, 1) &&
                (!saved.v || ct_node_save(node, saved));
    ct_node_release(node);
    return good ? result : NULL;
}
