/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the updates of many parameters: those with the same program, dtypes and device become one
 * call of the engine `update`. Tensors with another layout than their parameter are copied to its
 * layout first, and back if they were written. Called by bindings and optimizer.c.
 *
 * Note [All or nothing]: everything that can fail, above all allocation, happens before the first
 * element is written, and the writing cannot be interrupted. So a step that fails changes
 * nothing. */
#include "optim/program.h"

#include "autograd/autograd.h"
#include "core/alloc.h"
#include "core/dtype.h"
#include "core/interrupt.h"
#include "core/shape.h"
#include "ops/front.h"

#include <string.h>

/* A tensor that is updated through a copy with another layout. */
struct relayout {
    ct_tensor *of, *copy;
    bool written;
};

/* One call of the engine. */
struct batch {
    struct cti_update work;
};

/* All calls of a step. */
struct plan {
    struct batch *batch;
    struct cti_update_line *line; /* one per item */
    struct relayout *relayout;    /* at most CTI_UPDATE_OPERANDS per item */
    ct_tensor **written;          /* likewise; their versions are bumped */
    int64_t nbatches, nlines, nrelayouts, nwritten;
};

int cti_optim_operands(const struct ct_optim_item *item, ct_tensor **tensor)
{
    int n = CTI_OPTIM_STATE;
    tensor[CTI_OPTIM_PARAM] = item->param;
    tensor[CTI_OPTIM_GRAD] = item->grad;
    for (int i = 0; i < CT_OPTIM_STATES; i++) {
        tensor[CTI_OPTIM_STATE + i] = item->state[i];
        if (item->state[i])
            n = CTI_OPTIM_STATE + i + 1;
    }
    return n;
}

/* ---- checks, before anything is written ---- */

static bool check_item(enum ct_optim_kind kind, const struct ct_optim_options *o,
                       const struct ct_optim_item *item)
{
    ct_tensor *tensor[CTI_UPDATE_OPERANDS], *param = item->param;
    if (!param || !item->grad)
        return cti_refuse(CT_ERR_TYPE, "an optimizer needs a parameter and its gradient");
    for (int i = 0; i < CT_OPTIM_STATES; i++)
        if (ct_optim_state_name(kind, o, i) && !item->state[i])
            return cti_refuse(CT_ERR_KEY, "%s", ct_optim_state_name(kind, o, i));
    int n = cti_optim_operands(item, tensor);
    for (int k = 0; k < n; k++) {
        ct_tensor *t = tensor[k];
        if (!t)
            continue;
        bool alike =
            t->dtype >= CT_FLOAT16 && (t->dtype >= CT_COMPLEX64) == (param->dtype >= CT_COMPLEX64);
        if (!alike)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "an optimizer's tensors must all be real or all complex floating-point, "
                "but got %s for a parameter of %s",
                cti_dtype_scalar_name(t->dtype), cti_dtype_scalar_name(param->dtype));
        if (!cti_same_shape(t, param->ndim, param->shape)) {
            char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
            return cti_refuse(
                CT_ERR_RUNTIME,
                "a gradient or state of shape %s does not fit its parameter of shape %s",
                cti_shape_text(have, t->ndim, t->shape),
                cti_shape_text(want, param->ndim, param->shape));
        }
        if (t->storage->device.type != param->storage->device.type ||
            t->storage->device.index != param->storage->device.index)
            return cti_device_refused(t, param, NULL);
        if (k != CTI_OPTIM_GRAD && !cti_shape_check_writable(t))
            return false;
    }
    return true;
}

/* ---- one parameter as a contiguous line ---- */

/* Whether t has the same layout as `like`, which is dense. */
static bool same_layout(const ct_tensor *t, const ct_tensor *like)
{
    if (t->flags & (CTI_CONJ | CTI_NEG))
        return false;
    if ((t->flags & CTI_CONTIGUOUS) && (like->flags & CTI_CONTIGUOUS))
        return true;
    for (int d = 0; d < t->ndim; d++)
        if (t->shape[d] != 1 && t->stride[d] != like->stride[d])
            return false;
    return true;
}

static bool is_written(const struct cti_optim_program *p, int operand)
{
    for (int s = 0; s < p->nsteps; s++)
        if (p->step[s].out == operand)
            return true;
    return false;
}

/* Whether the parameter is dense: then all operands use its layout, otherwise contiguous copies. */
static bool is_dense(const ct_tensor *t)
{
    return !(t->flags & (CTI_CONJ | CTI_NEG)) &&
           ((t->flags & CTI_CONTIGUOUS) || cti_shape_is_dense(t));
}

/* Adds a parameter to the current batch, with copies of operands that have another layout. */
static bool add_line(struct plan *all, const struct cti_optim_program *p, ct_tensor **tensor, int n)
{
    struct cti_update *u = &all->batch[all->nbatches - 1].work;
    struct cti_update_line *line = &all->line[all->nlines];
    const ct_tensor *param = tensor[CTI_OPTIM_PARAM];
    bool dense = is_dense(param), complex_pair = param->dtype >= CT_COMPLEX64;
    *line = (struct cti_update_line){.at = u->total, .numel = param->numel << complex_pair};
    for (int k = 0; k < n; k++) {
        ct_tensor *t = tensor[k];
        if (t && !(dense && same_layout(t, param))) {
            ct_tensor *copy =
                cti_empty_like(param, t->dtype, dense ? CT_PRESERVE_FORMAT : CT_CONTIGUOUS_FORMAT);
            if (!copy)
                return false;
            all->relayout[all->nrelayouts++] = (struct relayout){t, copy, is_written(p, k)};
            if (!cti_copy(copy, t))
                return false;
            t = copy;
        }
        line->data[k] = t ? cti_data(t) : NULL;
        if (t && k != CTI_OPTIM_GRAD && is_written(p, k)) {
            all->written[all->nwritten++] = tensor[k];
            if (!cti_version_of(tensor[k])) /* creates a missing counter now */
                return false;
        }
    }
    memcpy(line->number, p->number, sizeof line->number);
    all->nlines++;
    u->nlines++;
    u->total += line->numel;
    return true;
}

/* ---- batches ---- */

static uint8_t real_type(uint8_t dtype)
{
    return (uint8_t)cti_dtype_to_real((enum ct_dtype)dtype);
}

/* Starts a batch with the program of its first item. Complex tensors are treated as pairs of real
 * numbers. */
static void batch_begin(struct plan *all, const struct cti_optim_program *p, ct_tensor **tensor,
                        int n)
{
    struct batch *b = &all->batch[all->nbatches++];
    struct cti_update *u = &b->work;
    *b = (struct batch){.work.line = all->line + all->nlines};
    u->work = (struct cti_work){CTI_ENGINE_update, tensor[0]->storage->device};
    u->noperands = n;
    u->nsteps = p->nsteps;
    u->nnumbers = p->nnumbers;
    memcpy(u->step, p->step, (size_t)p->nsteps * sizeof *p->step);
    for (int k = 0; k < n; k++)
        u->dtype[k] = tensor[k] ? real_type(tensor[k]->dtype) : real_type(tensor[0]->dtype);
    u->compute = u->dtype[0] == CT_FLOAT64 ? CT_FLOAT64 : CT_FLOAT32;
    for (int s = 0; s < p->nsteps; s++)
        u->step[s].dtype = u->compute;
}

static bool same_step(const struct cti_step *a, const struct cti_step *b)
{
    return a->row == b->row && a->out == b->out && a->nin == b->nin &&
           memcmp(a->in, b->in, a->nin) == 0;
}

/* Whether a parameter can join the batch: same device, dtypes and program. */
static bool belongs(const struct cti_update *u, const struct cti_optim_program *p,
                    ct_tensor **tensor, int n)
{
    const struct ct_device d = tensor[0]->storage->device;
    bool same = u->nlines && cti_same_device(u->work.device, d) && u->noperands == n &&
                u->nsteps == p->nsteps;
    for (int k = 0; k < n && same; k++)
        same = u->dtype[k] == real_type(tensor[tensor[k] ? k : 0]->dtype);
    for (int s = 0; s < p->nsteps && same; s++)
        same = same_step(&u->step[s], &p->step[s]);
    return same;
}

/* Prepares everything except writing. */
static bool update_prepare(struct plan *all, enum ct_optim_kind kind,
                           const struct ct_optim_options *o, struct ct_optim_item *item,
                           int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        struct cti_optim_program p;
        ct_tensor *tensor[CTI_UPDATE_OPERANDS];
        int n = cti_optim_operands(&item[i], tensor);
        cti_optim_formula(&p, kind, o, &item[i], NULL);
        if (!all->nbatches || !belongs(&all->batch[all->nbatches - 1].work, &p, tensor, n))
            batch_begin(all, &p, tensor, n);
        if (!add_line(all, &p, tensor, n))
            return false;
    }
    return !cti_interrupted();
}

static bool write_all(const struct plan *all)
{
    bool good = true;
    cti_interrupt_hold(true);
    for (int64_t i = 0; i < all->nbatches && good; i++)
        if (all->batch[i].work.total)
            good = cti_run(&all->batch[i].work.work);
    for (int64_t i = 0; i < all->nrelayouts && good; i++)
        good = !all->relayout[i].written || cti_copy(all->relayout[i].of, all->relayout[i].copy);
    for (int64_t i = 0; i < all->nwritten && good; i++)
        good = cti_version_bump(all->written[i]);
    cti_interrupt_hold(false);
    return good;
}

/* Runs n items as engine calls; see Note [All or nothing]. */
static bool run_together(enum ct_optim_kind kind, const struct ct_optim_options *o,
                         struct ct_optim_item *item, int64_t n)
{
    size_t items = (size_t)(n ? n : 1);
    struct plan all = {.batch = cti_malloc(items * sizeof *all.batch),
                       .line = cti_malloc(items * sizeof *all.line),
                       .relayout = cti_malloc(items * CTI_UPDATE_OPERANDS * sizeof *all.relayout),
                       .written = cti_malloc(items * CTI_UPDATE_OPERANDS * sizeof *all.written)};
    bool good = all.batch && all.line && all.relayout && all.written &&
                update_prepare(&all, kind, o, item, n) && write_all(&all);
    for (int64_t i = 0; i < all.nrelayouts; i++)
        ct_release(all.relayout[i].copy);
    cti_free(all.batch);
    cti_free(all.line);
    cti_free(all.relayout);
    cti_free(all.written);
    return good;
}

/* Runs one parameter after another, recording every operation. */
static bool run_recorded(enum ct_optim_kind kind, const struct ct_optim_options *o,
                         struct ct_optim_item *item, int64_t n)
{
    bool good = true;
    for (int64_t i = 0; i < n && good; i++) {
        struct cti_optim_program p;
        struct cti_hold h = {0};
        good = cti_optim_formula(&p, kind, o, &item[i], &h) && cti_optim_record(&p, &item[i]);
        cti_hold_end(&h, NULL);
    }
    return good;
}

bool ct_optim_update(enum ct_optim_kind kind, const struct ct_optim_options *options,
                     struct ct_optim_item *item, int64_t n, bool recorded)
{
    if ((unsigned)kind >= CT_OPTIM_KINDS || !options || n < 0 || (n && !item))
        return cti_refuse(CT_ERR_VALUE, "unknown kind of optimizer");
    for (int64_t i = 0; i < n; i++)
        if (!check_item(kind, options, &item[i]))
            return false;
    return (recorded ? run_recorded : run_together)(kind, options, item, n);
}
