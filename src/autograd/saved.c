/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved values: what a node keeps for its derivative. Reading one fails if the graph was freed or
 * the tensor was overwritten in the meantime. Called by generated nodes and by operations. See Note
 * [Saved values] in autograd.h. */
#include "autograd/internal.h"

#include "core/alloc.h"
#include "core/dtype.h"
#include "core/note.h"
#include "inner.h"

#include <stdio.h>
#include <string.h>

bool cti_save(struct cti_saved *s, ct_tensor *t)
{
    return cti_save_value(s, cti_is_given(t) ? ct_value_tensor(t) : ct_value_none());
}

static bool has_own_history(const ct_tensor *t)
{
    return t->autograd && t->autograd->grad_fn;
}

bool cti_save_value(struct cti_saved *s, ct_value v)
{
    s->kind = CTI_SAVED_INPUT;
    /* because formulas compute with it */
    s->value = v.kind == CT_VALUE_BOOL ? ct_value_int(v.as.b) : v;
    if (v.kind != CT_VALUE_TENSOR)
        return true;
    if ((v.as.tensor->flags & CTI_INFERENCE) || cti_grad_mode.packs) {
        s->kind = CTI_SAVED_NONE;
        if (!(v.as.tensor->flags & CTI_INFERENCE))
            return cti_pack(s, v.as.tensor, NULL, false);
        return cti_refuse(
            CT_ERR_RUNTIME,
            "Inference tensors cannot be saved for backward. Please do not use Tensors "
            "created in inference mode in computation tracked by autograd. To work "
            "around this, you can make a clone to get a normal tensor and use it in "
            "autograd, or use `torch.no_grad()` instead of "
            "`torch.inference_mode()`.");
    }
    ct_retain(v.as.tensor);
    s->version = cti_version_count(v.as.tensor);
    s->ndim = v.as.tensor->ndim;
    s->had_history = has_own_history(v.as.tensor);
    cti_watch(v.as.tensor);
    return true;
}

bool cti_save_result(struct cti_node *n, struct cti_saved *s, ct_tensor *result, uint32_t output_nr)
{
    ct_tensor *alias = cti_alias(result);
    if (!alias)
        return false;
    if (cti_grad_mode.packs) {
        s->output_nr = output_nr;
        bool good = cti_set_history_take(alias, cti_node_retain(n), output_nr) &&
                    cti_pack(s, alias, NULL, true);
        ct_release(alias);
        return good;
    }
    s->kind = CTI_SAVED_RESULT;
    s->value = ct_value_tensor(alias);
    s->version = cti_version_count(alias);
    s->ndim = alias->ndim;
    cti_watch(alias);
    s->output_nr = output_nr;
    return true;
}

/* Replaces a saved tensor by `t`, which it takes over, with the history that self had before the
 * write. */
static bool replace_saved_take(struct cti_saved *s, ct_tensor *t, const struct cti_edge *history)
{
    if (!t)
        return false;
    ct_release(s->value.as.tensor);
    s->value = ct_value_tensor(t);
    s->ndim = t->ndim;
    s->kind = CTI_SAVED_COPY;
    if (history->node && history->node->type != &cti_accumulate_class) {
        s->grad_fn = cti_node_retain(history->node);
        s->output_nr = history->nr;
    }
    return true;
}

/* Packs a copy of self again, because the write changes the tensor that the packer has got. */
static bool pack_copy(struct cti_saved *s, ct_tensor *self, const struct cti_node *n)
{
    bool mode = cti_grad_pause();
    ct_tensor *copy = ct_own_clone(self, CT_PRESERVE_FORMAT);
    cti_grad_restore(mode);
    cti_saved_clear(s);
    bool good = copy && cti_pack(s, copy, n->edge[0].node ? &n->edge[0] : NULL, false);
    ct_release(copy);
    return good;
}

bool cti_save_before_write(struct cti_node *n, ct_tensor *self)
{
    const struct cti_node_class *type = n->type;
    const ct_tensor *root = self->base ? self->base : self;
    for (int i = 0; i < type->nsaved; i++) {
        struct cti_saved *s = (struct cti_saved *)((char *)n + type->saved_at[i]);
        if (s->kind == CTI_SAVED_PACKED && type->self_slot == i + 1 && !pack_copy(s, self, n))
            return false;
        if (s->kind != CTI_SAVED_INPUT || s->value.kind != CT_VALUE_TENSOR)
            continue;
        ct_tensor *t = s->value.as.tensor;
        if (t == self && type->self_slot == i + 1) {
            bool mode = cti_grad_pause();
            ct_tensor *copy = ct_own_clone(t, CT_PRESERVE_FORMAT);
            cti_grad_restore(mode);
            if (!replace_saved_take(s, copy, &n->edge[0]))
                return false;
            s->version = cti_version_count(copy);
        } else if (t == root || t->base == root) {
            /* Reading it will report the overwrite. Until then it must not own the node. */
            struct cti_edge history = {NULL, 0};
            if (cti_wants_grad(t) && !cti_gradient_edge(t, &history))
                return false;
            bool good = replace_saved_take(s, cti_alias(t), &history);
            cti_node_release(history.node);
            if (!good)
                return false;
            if (t == root)
                s->kind = CTI_SAVED_WRITTEN;
        }
    }
    return true;
}

void cti_saved_clear(struct cti_saved *s)
{
    if (s->kind == CTI_SAVED_NONE)
        return;
    bool packed = s->kind == CTI_SAVED_PACKED;
    s->kind = CTI_SAVED_NONE;
    struct cti_node *grad_fn = s->grad_fn;
    if (packed) {
        struct cti_packed *p = s->packed;
        s->packed = NULL;
        cti_packed_free(p);
        return;
    }
    s->grad_fn = NULL;
    if (s->value.kind == CT_VALUE_TENSOR)
        ct_release(s->value.as.tensor);
    s->value = ct_value_none();
    cti_node_release(grad_fn);
}

void *cti_fail_freed(void)
{
    ct_fail(CT_ERR_RUNTIME,
            "Trying to backward through the graph a second time (or directly access saved "
            "tensors after they have already been freed). Saved intermediate values of the "
            "graph are freed when you call .backward() or autograd.grad(). Specify "
            "retain_graph=True if you need to backward through the graph a second time or "
            "if you need to access saved tensors after calling backward.");
    return cti_note("in a loop, compute the loss anew before each backward() and detach() what is "
                    "carried into the next round; loss.backward(retain_graph=True) keeps the "
                    "graph");
}

const char *cti_node_short_name(const struct cti_node *n, char room[64])
{
    const char *name = cti_node_name(n), *cut = strstr(name, "Backward");
    if (!cut) {
        snprintf(room, 64, "torch::autograd::%s", name);
        return room;
    }
    const char *number = cut + strlen("Backward");
    snprintf(room, 64, "%.*s%s", (int)(cut - name), name, strcmp(number, "0") ? number : "");
    return room;
}

/* Sets the error for a tensor that was written in place since it was saved. */
static void *fail_overwritten(struct cti_node *n, const struct cti_saved *s)
{
    ct_tensor *t = s->value.as.tensor;
    struct cti_node *maker = NULL;
    uint32_t nr = s->output_nr;
    if (s->kind == CTI_SAVED_INPUT) {
        bool failed = false;
        maker = cti_own_grad_fn(t, &failed);
        if (failed)
            return NULL;
        nr = maker ? t->autograd->output_nr : 0;
    } else if (s->kind == CTI_SAVED_WRITTEN) {
        maker = cti_node_retain(n->outer ? n->outer : n);
    } else if (s->kind == CTI_SAVED_RESULT) {
        maker = cti_node_retain(n);
    } /* else t is a view of memory that its own node wrote, and its history would be recomputed */
    char shape[512], which[128] = "", room[64];
    size_t used = (size_t)snprintf(shape, sizeof shape, "[");
    for (int i = 0; i < t->ndim && used < sizeof shape - 24; i++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%lld", i ? ", " : "",
                                 (long long)t->shape[i]);
    snprintf(shape + used, sizeof shape - used, "]");
    if (maker || s->grad_fn)
        snprintf(which, sizeof which, ", which is output %u of %s,", maker ? nr : 0,
                 maker ? cti_node_short_name(maker, room) : "AsStrided");
    cti_node_release(maker);
    ct_fail(CT_ERR_RUNTIME,
            "one of the variables needed for gradient computation has been modified by an "
            "inplace operation: [%s %s]%s is at version %lld; expected version %lld "
            "instead. Hint: %s",
            cti_dtype_old_name(t->dtype), shape, which, (long long)cti_version_count(t),
            (long long)s->version,
            cti_anomaly.on ? "the backtrace further above shows the operation that failed to "
                             "compute its gradient. The variable in question was changed in there "
                             "or anywhere later. Good luck!"
                           : "enable anomaly detection to find the operation that failed to "
                             "compute its gradient, with torch.autograd.set_detect_anomaly(True, "
                             "check_nan=False).");
    cti_note_write(t, s->version + 1);
    return cti_note(
        "in place of x += ... or x[...] = ..., x = x + ... or a clone() before the write "
        "leaves alone what backward needs");
}

/* A tensor on the same memory with the right history, for a derivative that is recorded. */
static ct_tensor *with_history(struct cti_node *n, const struct cti_saved *s)
{
    ct_tensor *t = cti_alias(s->value.as.tensor);
    if (!t)
        return NULL;
    struct cti_node *fn = s->grad_fn;
    if (s->kind == CTI_SAVED_COPY)
        fn = fn ? cti_node_retain(fn) : NULL;
    else
        fn = n->outer ? cti_view_saved_history(n->outer, t) : cti_node_retain(n);
    bool none = s->kind == CTI_SAVED_COPY && !fn;
    return cti_take_if(t, none || (fn && cti_set_history_take(t, fn, n->outer ? 0 : s->output_nr)));
}

ct_tensor *cti_unpack(struct cti_node *n, struct cti_saved *s)
{
    ct_value v = cti_unpack_value(n, s);
    if (v.kind == CT_VALUE_NONE)
        return CT_NO_TENSOR;
    return v.kind == CT_VALUE_TENSOR ? v.as.tensor : NULL;
}

ct_value cti_unpack_value(struct cti_node *n, struct cti_saved *s)
{
    if (s->kind == CTI_SAVED_NONE)
        return ct_value_tensor(cti_fail_freed());
    if (s->value.kind != CT_VALUE_TENSOR)
        return s->kind == CTI_SAVED_PACKED ? ct_value_tensor(cti_packed_open(n, s)) : s->value;
    ct_tensor *t = s->value.as.tensor;
    if (cti_version_count(t) != s->version)
        return ct_value_tensor(fail_overwritten(n, s));
    if (t->ndim != s->ndim) /* x.data = ... changes a tensor without counting in its version */
        return ct_value_tensor(
            ct_fail(CT_ERR_RUNTIME,
                    "one of the variables needed for gradient computation had %d dims when it was "
                    "saved and has %d now",
                    s->ndim, t->ndim));
    if (s->kind == CTI_SAVED_INPUT && s->had_history && !has_own_history(t))
        return ct_value_tensor(
            ct_fail(CT_ERR_RUNTIME,
                    "Trying to use a saved tensor that has been detached in-place, i.e. with "
                    ".detach_().This is not supported, please use out-of-place `.detach()` "
                    "instead"));
    if (s->kind == CTI_SAVED_INPUT || !cti_grad_on())
        return ct_value_tensor(ct_retain(t));
    return ct_value_tensor(with_history(n, s));
}

/* ---- values other than tensors ---- */

bool cti_save_ints(struct cti_saved_ints *s, ct_ints list)
{
    s->given = list.v != NULL;
    s->n = list.v ? list.n : 0;
    if (s->n > CTI_META_DIMS && !(s->more = cti_malloc((size_t)s->n * sizeof *s->more)))
        return false;
    if (s->n)
        memcpy(s->more ? s->more : s->few, list.v, (size_t)s->n * sizeof *list.v);
    return true;
}

void cti_saved_ints_clear(struct cti_saved_ints *s)
{
    cti_free(s->more);
}

bool cti_save_list(struct cti_saved_list *s, ct_list list)
{
    s->meta = cti_calloc((size_t)list.n + 1, sizeof *s->meta);
    if (!s->meta)
        return false;
    for (; s->n < list.n; s->n++)
        if (!cti_meta_set(&s->meta[s->n], list.v[s->n]))
            return false;
    return true;
}

void cti_saved_list_clear(struct cti_saved_list *s)
{
    for (int64_t i = 0; i < s->n; i++)
        cti_meta_clear(&s->meta[i]);
    cti_free(s->meta);
}
