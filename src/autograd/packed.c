/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing of saved values (PyTorch's saved_tensors_hooks): an active packer receives each tensor
 * that a node would save, and returns it when a derivative needs it. In the meantime the tensor may
 * be on disk or on another device. Called by saved.c; bindings set packers through
 * corten/autograd.h. */
#include "autograd/internal.h"

#include "autograd/autocast/autocast.h"
#include "autograd/engine/engine.h"
#include "core/alloc.h"
#include "core/note.h"
#include "core/shape.h"
#include "inner.h"

/* Note [Packed values]: the program may unpack any tensor, so the node keeps the history of the
 * packed one as an edge, and gives it to the unpacked tensor if that is to be recorded. A
 * replacement of a leaf shares the leaf's AccumulateGrad. */
struct cti_packed {
    ct_packer packer; /* as it was when the tensor was packed */
    void *handle;
    struct cti_edge history; /* owned; of an input that wants a gradient */
    struct cti_meta meta;    /* shape and type of the packed tensor, on which formulas rely */
    bool of_result;          /* the packed tensor is result output_nr of the node */
    /* Note [Opened once]: each gradient formula of a node reads the values it needs, but the
     * program's unpack function is called once for all of them, as in PyTorch: it may read a disk
     * or recompute. The unpacked tensor is kept here until the node has run. */
    ct_tensor *opened; /* owned */
    struct cti_packed *next_opened;
};

struct packer_level {
    ct_packer packer;
    struct packer_level *outer;
};

static __thread struct packer_level *innermost __attribute__((tls_model("initial-exec")));

bool ct_push_packer(ct_packer packer)
{
    struct packer_level *level = cti_malloc(sizeof *level);
    if (!level) {
        if (packer.end)
            packer.end(packer.context);
        return false;
    }
    *level = (struct packer_level){packer, innermost};
    innermost = level;
    cti_grad_mode.packs = true;
    return true;
}

void ct_pop_packer(void)
{
    struct packer_level *level = innermost;
    if (!level)
        return;
    innermost = level->outer;
    cti_grad_mode.packs = innermost != NULL;
    if (level->packer.end)
        level->packer.end(level->packer.context);
    cti_free(level);
}

void *cti_packers(void)
{
    return innermost;
}

void cti_packers_lend(void *packers)
{
    innermost = packers;
}

/* ---- packing ---- */

static bool call_pack(struct cti_packed *p, ct_tensor *t)
{
    int64_t version = cti_version_count(t);
    bool old = ct_set_grad_enabled(false);
    p->handle = p->packer.pack(p->packer.context, t);
    ct_set_grad_enabled(old);
    if (p->handle && cti_version_count(t) != version) {
        p->packer.drop(p->handle);
        p->handle = NULL;
        ct_fail(CT_ERR_RUNTIME,
                "A saved tensor pack hook is modifying its input in place. Tensors provided as "
                "input to pack hook cannot be modified by in-place operations as this can lead to "
                "unexpected side-effects. Please open an issue if you need to perform in-place "
                "operations on the input to a pack hook.");
    }
    return p->handle != NULL;
}

bool cti_pack(struct cti_saved *s, ct_tensor *t, const struct cti_edge *history, bool of_result)
{
    struct cti_packed *p = cti_calloc(1, sizeof *p);
    if (!p)
        return false;
    p->packer = innermost->packer;
    p->of_result = of_result;
    if (!cti_meta_set(&p->meta, t) || !call_pack(p, t)) {
        cti_meta_clear(&p->meta);
        cti_free(p);
        return false;
    }
    if (history)
        p->history = (struct cti_edge){cti_node_retain(history->node), history->nr};
    else if (!of_result && cti_wants_grad(t) && !cti_gradient_edge(t, &p->history)) {
        p->packer.drop(p->handle);
        cti_meta_clear(&p->meta);
        cti_free(p);
        return false;
    }
    s->kind = CTI_SAVED_PACKED;
    s->packed = p;
    s->value = ct_value_none();
    return true;
}

void cti_packed_free(struct cti_packed *p)
{
    p->packer.drop(p->handle);
    cti_node_release(p->history.node);
    cti_meta_clear(&p->meta);
    cti_free(p);
}

int cti_packed_visit(const struct cti_packed *p, ct_visitor visit, void *arg)
{
    return visit(p->handle, p->packer.drop, arg);
}

/* ---- unpacking ---- */

/* Whether an unpacked tensor of type `given` may replace a packed one: for instance a half type for
 * a float type, which is then cast, but not a real type for a complex one. */
static bool can_stand_for(enum ct_dtype given, enum ct_dtype packed)
{
    return (!ct_dtype_is_complex(given) || ct_dtype_is_complex(packed)) &&
           (given < CT_FLOAT16 || packed >= CT_FLOAT16);
}

static bool expands_to(const ct_tensor *t, const struct cti_meta *m)
{
    int pad = m->ndim - t->ndim;
    for (int d = 0; pad >= 0 && d < t->ndim; d++)
        if (t->shape[d] != 1 && t->shape[d] != cti_meta_shape(m)[d + pad])
            return false;
    return pad >= 0;
}

/* Takes the unpacked tensor t and returns it with the type and shape that the formula expects:
 * another precision is cast, and fewer dims are broadcast. Otherwise an error. */
static ct_tensor *as_packed_take(const struct cti_meta *m, ct_tensor *t)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    enum ct_dtype dtype = m->dtype;
    bool was_off = cti_grad_pause();
    if (t->dtype != dtype && can_stand_for(ct_dtype(t), dtype))
        t = cti_replace_take(t, ct_own_to_dtype(t, dtype));
    if (t && !cti_meta_has_shape(m, t) && expands_to(t, m))
        t = cti_replace_take(t, ct_own_expand(t, cti_meta_ints(m), false));
    cti_grad_restore(was_off);
    if (!t || (t->dtype == dtype && t->storage->device.type == m->device.type &&
               cti_meta_has_shape(m, t)))
        return t;
    ct_fail(CT_ERR_RUNTIME,
            "a saved tensor of shape %s and type %s was packed, and unpacked as one of shape %s "
            "and type %s",
            cti_shape_text(want, m->ndim, cti_meta_shape(m)), ct_dtype_str(dtype),
            cti_shape_text(have, t->ndim, t->shape), ct_dtype_str(ct_dtype(t)));
    ct_release(t);
    return NULL;
}

/* Takes t and returns it with the history of the packed tensor. */
static ct_tensor *with_history_take(struct cti_packed *p, struct cti_node *n, uint32_t output_nr,
                                    ct_tensor *t)
{
    bool good;
    if (!p->of_result && p->history.node->type == &cti_accumulate_class)
        good = cti_accumulator_share(t, p->history.node);
    else if (p->of_result && n->outer)
        good = cti_set_history_take(t, cti_view_result_history(n->outer), 0);
    else if (p->of_result)
        good = cti_set_history_take(t, cti_node_retain(n), output_nr);
    else
        good = cti_set_history_take(t, cti_node_retain(p->history.node), p->history.nr);
    if (good)
        return t;
    ct_release(t);
    return NULL;
}

static ct_tensor *ask(struct cti_packed *p)
{
    uint8_t casting = cti_autocast_resume();
    ct_tensor *given = p->packer.unpack(p->handle);
    cti_autocast_restore(casting);
    return given ? as_packed_take(&p->meta, given) : NULL;
}

/* A user-defined derivative reads its values itself, so it unpacks each time. */
ct_tensor *cti_packed_open(struct cti_node *n, const struct cti_saved *s)
{
    struct cti_packed *p = s->packed;
    struct cti_running *running = cti_engine_here.running;
    bool keeps = running && running->node == n && running->locked && n->type != &cti_custom_class;
    ct_tensor *given = keeps && p->opened ? ct_retain(p->opened) : ask(p);
    if (given && keeps && !p->opened) {
        p->opened = ct_retain(given);
        p->next_opened = running->opened;
        running->opened = p;
    }
    bool has_history = p->of_result || p->history.node;
    if (!given || !cti_grad_on())
        return given;
    ct_tensor *t = cti_alias(given);
    ct_release(given);
    return t && has_history ? with_history_take(p, n, s->output_nr, t) : t;
}

void cti_packed_close(struct cti_running *running)
{
    while (running->opened) {
        struct cti_packed *p = running->opened;
        running->opened = p->next_opened;
        ct_release(p->opened);
        p->opened = NULL;
    }
}
