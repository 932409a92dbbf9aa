/* SPDX-License-Identifier: BSD-3-Clause */
/* The common implementation of pointwise operations: converts operands (tensors and numbers) to one
 * struct cti_pointwise for the backend. Dtypes are inferred step by step as PyTorch promotes them;
 * half types are computed in float32 and rounded once, at the result. See pointwise.h. */
#include "ops/pointwise/pointwise.h"

#include "core/dtype.h"
#include "core/note.h"
#include "core/settings.h"
#include "core/shape.h"
#include "core/sparse.h"
#include "core/value.h"
#include "fronts.h"
#include "ops/front.h"
#include "rows.h"

#include <string.h>

/* The dtype of a slot and its promotion class: 0 tensor with dims, 1 0-d tensor, 2 number. */
struct slot_type {
    uint8_t dtype, rank;
};

struct plan {
    struct cti_pointwise work;
    struct slot_type type[CTI_MAX_SLOTS];
    ct_tensor *tensor[CTI_MAX_OPERANDS]; /* by operand, NULL for a number */
    int64_t bstride[CTI_MAX_OPERANDS][CTI_MAX_DIMS];
    char number[CTI_MAX_OPERANDS][16];
    int64_t shape[CTI_MAX_DIMS];
    int64_t numel;
    bool alike;                          /* all tensors have the result's shape */
    const struct cti_row_facts *refused; /* an operation that does not support its dtype, or NULL */
    uint8_t refused_type;
};

static inline uint8_t pointwise_compute_type(uint8_t dtype)
{
    return (uint8_t)cti_dtype_compute((enum ct_dtype)dtype);
}

/* ---- types ---- */

/* Promotes slots of several dtypes by PyTorch's rules, using placeholder tensors for them. */
static __attribute__((noinline)) uint8_t
promote_mixed(const struct cti_row_facts *f, const struct slot_type *type, const uint8_t *in, int n)
{
    ct_value v[CTI_MAX_INPUTS];
    ct_tensor placeholder[CTI_MAX_INPUTS];
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (!(f->promoting >> i & 1))
            continue;
        const struct slot_type *t = &type[in[i]];
        placeholder[count].dtype = t->dtype;
        placeholder[count].ndim = t->rank == 0;
        placeholder[count].flags = t->rank == 2 ? CTI_WRAPPED_NUMBER : 0;
        v[count].kind = CT_VALUE_TENSOR;
        v[count].as.tensor = &placeholder[count];
        count++;
    }
    return (uint8_t)cti_result_type(v, count);
}

static uint8_t promote_slots(const struct cti_row_facts *f, const struct slot_type *type,
                             const uint8_t *in, int n, uint8_t *rank)
{
    uint8_t first = 255, least = 2;
    bool same = true;
    for (int i = 0; i < n; i++) {
        const struct slot_type *t = &type[in[i]];
        bool promotes = f->promoting >> i & 1;
        if (!promotes && !(f->masks >> i & 1))
            continue;
        least = t->rank < least ? t->rank : least;
        if (!promotes)
            continue;
        same = same && (first == 255 || t->dtype == first);
        first = first == 255 ? t->dtype : first;
    }
    *rank = least;
    return same ? first : promote_mixed(f, type, in, n);
}

/* Returns the operation's message for a kind of dtype that it rejects, or NULL. PyTorch raises it
 * before shape checks; the generic "not implemented" comes after them. */
static const char *own_refusal(const struct plan *p)
{
    const struct cti_row_facts *f = p->refused;
    uint8_t dtype = p->refused_type;
    return dtype == CT_BOOL        ? f->refuse_bool
           : dtype >= CT_COMPLEX64 ? f->refuse_complex
           : dtype <= CT_UINT64    ? f->refuse_integer
                                   : NULL;
}

static void *not_implemented(const struct plan *p)
{
    ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", p->refused->kernel,
            cti_dtype_scalar_name((enum ct_dtype)p->refused_type));
    if (p->refused_type >= CT_FLOAT16 && strncmp(p->refused->name, "bitwise_", 8) == 0)
        cti_note("& binds tighter than comparisons: write (x > 0) & (y > 0)");
    return NULL;
}

static bool takes_float8(const struct cti_row_facts *f, const struct plan *p,
                         const struct cti_step *step, uint8_t dtype)
{
    bool numbers = false;
    if (!cti_is_float8((enum ct_dtype)dtype) || f->float8 == CTI_FLOAT8_NO)
        return false;
    for (int i = 0; i < step->nin; i++)
        numbers = numbers || p->type[step->in[i]].rank == 2;
    return f->float8 == CTI_FLOAT8_YES || !numbers;
}

/* Infers a step's computing dtype and the dtype of its result. */
static void infer(struct plan *p, int s, uint8_t out)
{
    struct cti_step *step = &p->work.step[s];
    const struct cti_row_facts *f = &cti_row_facts[step->row];
    uint8_t rank, dtype = promote_slots(f, p->type, step->in, step->nin, &rank);
    if (f->to_float && dtype <= CT_UINT64)
        dtype = (uint8_t)ct_get_default_dtype();
    if (f->to_complex)
        dtype = (uint8_t)cti_dtype_to_complex((enum ct_dtype)dtype);
    if (dtype == (uint8_t)CT_NO_DTYPE) { /* no common dtype; the error is set */
        p->refused = f;
        p->refused_type = dtype;
        dtype = CT_FLOAT32;
    }
    if (!(f->types >> dtype & 1) && !p->refused && !takes_float8(f, p, step, dtype)) {
        p->refused = f;
        p->refused_type = dtype;
    }
    step->dtype = pointwise_compute_type(dtype);
    step->masks = f->masks;
    step->params = (uint8_t)(~(f->promoting | f->masks) & ((1u << step->nin) - 1));
    uint8_t result = f->result == CTI_RESULT_BOOL ? CT_BOOL
                     : f->result == CTI_RESULT_REAL
                         ? (uint8_t)cti_dtype_to_real((enum ct_dtype)dtype)
                         : dtype;
    p->type[out] = (struct slot_type){result, rank};
}

/* The dtype in which an operand is loaded: that of the first step that uses it. */
static uint8_t loading_type(const struct cti_pointwise *w, int slot)
{
    for (int s = 0; s < w->nsteps; s++)
        for (int i = 0; i < w->step[s].nin; i++)
            if (w->step[s].in[i] == slot)
                return w->step[s].masks >> i & 1 ? CT_BOOL : w->step[s].dtype;
    return pointwise_compute_type(w->operand[slot].dtype);
}

/* ---- shapes ---- */

/* Applies the rule of ct_set_broadcast if no operand has the result's shape. */
static bool check_stretched(const struct plan *p)
{
    const struct cti_pointwise *w = &p->work;
    struct cti_note_row row[CTI_MAX_OPERANDS];
    char text[CTI_SHAPE_TEXT];
    int n = 0;
    for (int o = 1; o < w->noperands; o++) {
        const ct_tensor *t = p->tensor[o];
        if (t && cti_same_shape(t, w->ndim, p->shape))
            return true;
        if (t)
            row[n++] = (struct cti_note_row){"operand", t->ndim, t->shape};
    }
#define STRETCHED "operands broadcast to shape %s, which none of them has"
    cti_shape_text(text, w->ndim, p->shape);
    if (cti_broadcast_rule() == CT_BROADCAST_WARN) {
        cti_warn(STRETCHED, text);
        return true;
    }
    ct_fail(CT_ERR_RUNTIME, STRETCHED, text);
    cti_note_shapes(row, n, -1);
    return cti_note("use unsqueeze() or expand() to show that this is intended, or "
                    "set_broadcast(\"allow\")");
}

static bool pointwise_broadcast(struct plan *p)
{
    struct cti_pointwise *w = &p->work;
    const ct_tensor *first = NULL;
    bool alike = true;
    w->ndim = 0;
    w->shape = p->shape;
    for (int o = 1; o < w->noperands; o++) {
        const ct_tensor *t = p->tensor[o];
        if (!t || (first && alike && cti_same_shape(first, t->ndim, t->shape)))
            continue;
        if (!cti_shape_broadcast(&w->ndim, p->shape, t->ndim, t->shape))
            return false;
        alike = !first;
        first = first ? first : t;
    }
    p->alike = alike;
    p->numel = first && alike ? first->numel : 1;
    for (int d = 0; d < w->ndim && !alike; d++)
        p->numel = cti_mul_sat(p->numel, p->shape[d]);
    if (__builtin_expect(!alike && cti_broadcast_rule() != CT_BROADCAST_ALLOW, 0))
        return check_stretched(p);
    return true;
}

static void stride_operand(struct plan *p, int o)
{
    struct cti_pointwise *w = &p->work;
    struct cti_operand *x = &w->operand[o];
    ct_tensor *t = p->tensor[o];
    int64_t *bstride = p->bstride[o];
    x->bstride = bstride;
    if (!t) {
        for (int d = 0; d < w->ndim; d++)
            bstride[d] = 0;
        return;
    }
    int64_t size = cti_itemsize(t->dtype);
    int pad = w->ndim - t->ndim;
    for (int d = 0; d < w->ndim; d++)
        bstride[d] = d < pad || t->shape[d - pad] == 1 ? 0 : t->stride[d - pad] * size;
}

/* Whether operands can be treated as one dim: all are contiguous with the result's numel, or single
 * elements. */
static bool is_line(const struct plan *p)
{
    const struct cti_pointwise *w = &p->work;
    for (int o = 0; o < w->noperands; o++) {
        const ct_tensor *t = p->tensor[o];
        if (t && t->numel != 1 && !((t->flags & CTI_CONTIGUOUS) && t->numel == p->numel))
            return false;
    }
    return true;
}

static inline __attribute__((always_inline)) void set_strides(struct plan *p)
{
    struct cti_pointwise *w = &p->work;
    if (!is_line(p)) {
        for (int o = 0; o < w->noperands; o++)
            stride_operand(p, o);
        return;
    }
    w->ndim = 1;
    w->shape = &p->numel;
    for (int o = 0; o < w->noperands; o++) {
        const ct_tensor *t = p->tensor[o];
        p->bstride[o][0] = t && t->numel != 1 ? cti_itemsize(t->dtype) : 0;
        w->operand[o].bstride = p->bstride[o];
    }
}

/* ---- the result ---- */

/* Whether t has the strides of a new tensor, even for dims of size 0 or 1, where other strides
 * would be valid, too. */
static bool is_usual(const ct_tensor *t)
{
    int64_t step = 1;
    for (int d = t->ndim - 1; d >= 0; d--) {
        if (t->stride[d] != step)
            return false;
        step *= t->shape[d] > 1 ? t->shape[d] : 1;
    }
    return true;
}

/* The strides of a result that is not simply contiguous. PyTorch casts operands of other dtypes
 * first, which makes them dense. `sorted`: an operand is a number, for PyTorch a 0-d tensor of
 * another shape, so the strides are sorted instead of copied. */
static __attribute__((noinline)) void result_strides(struct plan *p, bool sorted, int64_t *stride)
{
    struct cti_pointwise *w = &p->work;
    ct_tensor cast[CTI_MAX_INPUTS], *tensors[CTI_MAX_OPERANDS];
    int64_t dense[CTI_MAX_INPUTS][CTI_MAX_DIMS];
    int n = 0, casts = 0;
    for (int o = 1; o < w->noperands; o++) {
        ct_tensor *t = p->tensor[o];
        if (!t)
            continue;
        if (pointwise_compute_type(t->dtype) != w->step[0].dtype && casts < CTI_MAX_INPUTS &&
            !cti_shape_is_dense(t)) {
            cast[casts] = *t;
            cti_shape_like_strides(t, dense[casts]);
            cast[casts].stride = dense[casts];
            if (cti_shape_is_contiguous(t->ndim, t->shape, dense[casts], CT_CONTIGUOUS_FORMAT))
                cast[casts].flags |= CTI_CONTIGUOUS;
            t = &cast[casts++];
        }
        tensors[n++] = t;
    }
    if (sorted && n)
        cti_shape_sorted_strides(n, tensors, w->ndim, p->shape, stride);
    else
        cti_shape_result_strides(n, tensors, w->ndim, p->shape, stride);
}

/* Whether a result is contiguous. *sorted: whether an operand that decides the layout is a number.
 */
static bool result_is_plain(const struct plan *p, bool *sorted)
{
    const struct cti_pointwise *w = &p->work;
    const struct cti_row_facts *f = &cti_row_facts[w->step[0].row];
    uint32_t promoting = f->beside_numbers || w->nsteps > 1 ? 0 : f->promoting;
    bool plain = true, usual = true;
    *sorted = false;
    for (int o = 1; o < w->noperands; o++) {
        const ct_tensor *t = p->tensor[o];
        if (!t)
            *sorted = *sorted || (promoting >> (o - 1) & 1);
        else
            plain = plain && ((t->flags & CTI_CONTIGUOUS) || t->numel == 1);
    }
    if (!plain || w->ndim < 2 || (p->alike && !*sorted))
        return plain;
    for (int o = 1; o < w->noperands; o++)
        usual = usual && (!p->tensor[o] || is_usual(p->tensor[o]));
    return usual;
}

/* Returns the layout that the operation specifies; programs of several steps have no special
 * layout. */
static enum cti_row_layout layout_of(const struct plan *p)
{
    const struct cti_pointwise *w = &p->work;
    enum cti_row_layout how = w->nsteps == 1
                                  ? (enum cti_row_layout)cti_row_facts[w->step[0].row].layout
                                  : CTI_LAYOUT_SORTED;
    const ct_tensor *first = p->tensor[1];
    switch (how) {
    case CTI_LAYOUT_SORTED:
    case CTI_LAYOUT_PLAIN:
        break;
    case CTI_LAYOUT_LIKE:
        return first && cti_same_shape(first, w->ndim, p->shape) ? how : CTI_LAYOUT_SORTED;
    case CTI_LAYOUT_PLAIN_NUMBER:
        return first ? CTI_LAYOUT_SORTED : CTI_LAYOUT_PLAIN;
    case CTI_LAYOUT_PLAIN_COMPLEX:
        return w->step[0].dtype < CT_COMPLEX64 ? CTI_LAYOUT_SORTED : CTI_LAYOUT_PLAIN;
    }
    return how;
}

/* Finds the tensor that decides the result's device: the first, except that any other tensor takes
 * precedence over a 0-d CPU tensor. */
static __attribute__((noinline)) const ct_tensor *deciding_tensor(const struct plan *p)
{
    const ct_tensor *first = NULL;
    for (int o = 1; o < p->work.noperands; o++) {
        const ct_tensor *t = p->tensor[o];
        if (t && (!first || (first->ndim == 0 && first->storage->device.type == CT_CPU)))
            first = t;
    }
    return first;
}

/* Compares type and index at once. */
static inline bool is_there(const ct_tensor *t, struct ct_device device)
{
    return memcmp(&t->storage->device, &device, sizeof device) == 0;
}

/* A new result with the strides that PyTorch gives it. */
static ct_tensor *make_result(struct plan *p, enum ct_dtype dtype)
{
    struct cti_pointwise *w = &p->work;
    const ct_tensor *first = p->tensor[1];
    if (!first || first->ndim == 0)
        first = deciding_tensor(p);
    struct ct_device device = first ? first->storage->device : (struct ct_device){CT_CPU, -1};
    int64_t stride[CTI_MAX_DIMS];
    bool sorted;
    bool usual = cti_row_facts[w->step[0].row].layout == CTI_LAYOUT_SORTED;
    enum cti_row_layout how = usual ? CTI_LAYOUT_SORTED : layout_of(p);
    if (how == CTI_LAYOUT_LIKE)
        return cti_empty_like(p->tensor[1], dtype, CT_PRESERVE_FORMAT);
    if (how == CTI_LAYOUT_PLAIN || result_is_plain(p, &sorted))
        return cti_empty(w->ndim, p->shape, dtype, device);
    result_strides(p, sorted, stride);
    return cti_empty_strided(w->ndim, p->shape, stride, dtype, device);
}

/* Checks that `out` does not overlap itself or, in place, other operands. */
static bool check_memory(const struct plan *p, const ct_tensor *out, bool in_place)
{
    const struct cti_pointwise *w = &p->work;
    if (!cti_shape_check_writable(out))
        return false;
    for (int o = 1; o < w->noperands; o++) {
        const ct_tensor *t = p->tensor[o];
        if (t && out->storage->device.type == CT_META && cti_out_apart(out, t))
            return false;
        if (t && in_place && t->storage == out->storage && !cti_shape_check_overlap(out, t, true))
            return false;
    }
    return true;
}

static bool fail_shape(const ct_tensor *out, int ndim, const int64_t *shape)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    ct_fail(CT_ERR_RUNTIME, "output with shape %s doesn't match the broadcast shape %s",
            cti_shape_text(have, out->ndim, out->shape), cti_shape_text(want, ndim, shape));
    return cti_note(
        "an in-place operation keeps the tensor's shape; x = x + y gives a new tensor of "
        "shape %s",
        want);
}

/* An `out` that is also an operand must already have the result's shape. */
static bool check_out_shape(const struct plan *p, const ct_tensor *out)
{
    const struct cti_pointwise *w = &p->work;
    bool read = false;
    for (int o = 1; o < w->noperands; o++)
        read = read || p->tensor[o] == out;
    return !read || cti_same_shape(out, w->ndim, p->shape) || fail_shape(out, w->ndim, p->shape);
}

/* Whether the loops can write straight into `out`. If not (another shape, partial overlap with an
 * operand, or a half result written to a wider dtype, which has to be rounded to half first), the
 * result is computed in a new tensor and copied. */
static bool is_direct(const struct plan *p, const ct_tensor *out, enum ct_dtype dtype)
{
    const struct cti_pointwise *w = &p->work;
    if (out->dtype != dtype && pointwise_compute_type((uint8_t)dtype) != dtype)
        return false;
    if (!cti_same_shape(out, w->ndim, p->shape))
        return false;
    for (int o = 1; o < w->noperands; o++)
        if (p->tensor[o] && p->tensor[o] != out && p->tensor[o]->storage == out->storage &&
            cti_shape_may_overlap(p->tensor[o], out))
            return false;
    return true;
}

/* ---- running a plan ---- */

static void set_operands(struct plan *p, const ct_value *operand, int n)
{
    struct cti_pointwise *w = &p->work;
    w->nout = 1;
    w->noperands = n + 1;
    for (int i = 0; i < n; i++) {
        ct_tensor *t = operand[i].kind == CT_VALUE_TENSOR ? operand[i].as.tensor : NULL;
        struct slot_type *type = &p->type[i + 1];
        p->tensor[i + 1] = t;
        if (t) {
            type->dtype = (uint8_t)cti_promoting_dtype(t);
            type->rank = t->flags & CTI_WRAPPED_NUMBER ? 2 : t->ndim ? 0 : 1;
        } else {
            type->dtype = (uint8_t)cti_value_dtype(operand[i]);
            type->rank = 2;
        }
    }
}

/* Loads an operand that is not on the result's device: only a 0-d CPU tensor, as a number. */
static __attribute__((noinline)) bool load_number(struct plan *p, int o)
{
    struct cti_operand *x = &p->work.operand[o];
    ct_tensor *t = p->tensor[o];
    if (t->ndim > 0 || t->storage->device.type != CT_CPU)
        return cti_device_refused(t, p->tensor[0], NULL);
    x->data = p->number[o];
    x->flags = 0;
    p->work.numbers |= 1u << o;
    x->dtype = x->compute;
    cti_value_store(x->data, (enum ct_dtype)x->compute, ct_item_value(t));
    return true;
}

static inline __attribute__((always_inline)) bool load_operands(struct plan *p,
                                                                const ct_value *operand)
{
    struct cti_pointwise *w = &p->work;
    struct ct_device device = p->tensor[0]->storage->device;
    w->numbers = 0;
    for (int o = 1; o < w->noperands; o++) {
        struct cti_operand *x = &w->operand[o];
        ct_tensor *t = p->tensor[o];
        x->dtype = t ? t->dtype : p->type[o].dtype;
        x->compute = loading_type(w, o);
        w->slot_dtype[o] = x->compute;
        if (t) {
            if (__builtin_expect(!is_there(t, device), 0)) {
                if (!load_number(p, o))
                    return false;
                continue;
            }
            x->data = cti_data(t);
            x->flags = t->flags & (CTI_CONJ | CTI_NEG);
        } else if (operand[o - 1].kind == CT_VALUE_COMPLEX && x->compute < CT_COMPLEX64) {
            return cti_refuse(CT_ERR_RUNTIME,
                              "value cannot be converted to type double without overflow");
        } else {
            x->data = p->number[o];
            x->flags = 0;
            w->numbers |= 1u << o;
            x->dtype = x->compute;
            cti_value_store(x->data, (enum ct_dtype)x->compute, operand[o - 1]);
        }
    }
    return true;
}

/* All checks of the operands and of `out` (the user's, or self in place). */
static inline __attribute__((always_inline)) bool check(struct plan *p, const ct_tensor *out,
                                                        const ct_value *operand,
                                                        enum ct_dtype dtype, bool in_place)
{
    if (p->refused && p->refused_type == (uint8_t)CT_NO_DTYPE)
        return false;
    if (p->refused && own_refusal(p))
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "%s", own_refusal(p));
    if (out && !check_memory(p, out, in_place))
        return false;
    if (!pointwise_broadcast(p))
        return false;
    if (out && !(check_out_shape(p, out) && cti_check_can_cast(dtype, out->dtype)))
        return false;
    if (p->refused)
        return not_implemented(p) != NULL;
    bool (*late)(const ct_value *) = cti_row_facts[p->work.step[0].row].late;
    return !late || late(operand);
}

static inline bool compute(struct plan *p, ct_tensor *result, enum ct_dtype dtype,
                           const ct_value *operand)
{
    struct cti_pointwise *w = &p->work;
    p->tensor[0] = result;
    w->operand[0].data = cti_data(result);
    w->operand[0].dtype = result->dtype;
    w->operand[0].compute = w->slot_dtype[0] = pointwise_compute_type((uint8_t)dtype);
    w->operand[0].flags = 0;
    if (!load_operands(p, operand))
        return false;
    set_strides(p);
    return cti_run_on(&w->work, CTI_ENGINE_pointwise, result);
}

/* Not inlined, for results that are not new; `compute` itself is inlined into the common path. */
static __attribute__((noinline)) bool compute_apart(struct plan *p, ct_tensor *result,
                                                    enum ct_dtype dtype, const ct_value *operand)
{
    return compute(p, result, dtype, operand);
}

static enum ct_dtype result_type(const struct plan *p)
{
    return p->type[p->work.step[p->work.nsteps - 1].out].dtype;
}

static __attribute__((noinline)) ct_tensor *run_into(struct plan *p, ct_tensor *out,
                                                     const ct_value *operand, bool in_place)
{
    enum ct_dtype dtype = result_type(p);
    if (!check(p, out, operand, dtype, in_place))
        return NULL;
    if (is_direct(p, out, dtype))
        return compute_apart(p, out, dtype, operand) ? out : NULL;
    ct_tensor *result = make_result(p, dtype);
    result = cti_take_if(result, result && compute_apart(p, result, dtype, operand));
    return cti_out_copy(out, result) ? out : NULL;
}

/* Allocating a result fails for a sparse operand; replaces that error by one that names the
 * operation. */
static __attribute__((noinline, cold)) ct_tensor *name_refused(const struct plan *p)
{
    const ct_tensor *first = deciding_tensor(p);
    if (first && first->flags & CTI_SPARSE) {
        ct_clear_error();
        cti_sparse_refused(cti_row_facts[p->work.step[0].row].name);
    }
    return NULL;
}

static ct_tensor *run_new(struct plan *p, const ct_value *operand)
{
    enum ct_dtype dtype = result_type(p);
    if (!check(p, NULL, operand, dtype, false))
        return NULL;
    ct_tensor *result = make_result(p, dtype);
    if (__builtin_expect(!result, 0))
        return name_refused(p);
    return cti_take_if(result, compute(p, result, dtype, operand));
}

/* An `out` that is also an operand must already have the result's shape. */
static bool fits_flagged(const ct_tensor *out, const ct_tensor *result, const ct_value *operand,
                         int n)
{
    for (int i = 0; i < n && !cti_same_shape(out, result->ndim, result->shape); i++)
        if (operand[i].kind == CT_VALUE_TENSOR && operand[i].as.tensor == out)
            return fail_shape(out, result->ndim, result->shape);
    return true;
}

/* Writes to a conj or neg view through a plain result: the loops ignore flags of their result. */
static ct_tensor *write_flagged(uint16_t row, ct_tensor *out, const ct_value *operand, int n)
{
    if (!cti_shape_check_writable(out))
        return NULL;
    ct_tensor *result = cti_pointwise(row, NULL, operand, n);
    result = cti_take_if(result, result && fits_flagged(out, result, operand, n));
    return cti_out_copy(out, result) ? out : NULL;
}

ct_tensor *cti_pointwise(uint16_t row, ct_tensor *out, const ct_value *operand, int n)
{
    struct plan p;
    bool in_place = out && operand[0].kind == CT_VALUE_TENSOR && operand[0].as.tensor == out;
    if (in_place && cti_row_facts[row].result == CTI_RESULT_REAL && out->dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_RUNTIME, "In-place %s is not supported for complex tensors.",
                       cti_row_facts[row].name);
    if (out && (out->flags & (CTI_CONJ | CTI_NEG)))
        return write_flagged(row, out, operand, n);
    set_operands(&p, operand, n);
    struct cti_step *step = &p.work.step[0];
    step->row = row;
    step->nin = (uint8_t)n;
    step->out = 0;
    for (int i = 0; i < n; i++)
        step->in[i] = (uint8_t)(i + 1);
    p.work.nsteps = 1;
    p.refused = NULL;
    infer(&p, 0, 0);
    return out ? run_into(&p, out, operand, in_place) : run_new(&p, operand);
}

/* Replaces a power by a number as cti_instead_pow does for the public operation, so that both forms
 * of a derivative are bitwise equal. */
static void shorten_power(struct cti_step *step, const ct_value *operand, int noperands)
{
    if (step->row != CTI_ROW_POW)
        return;
    int base = step->in[0] - 1, exponent = step->in[1] - 1, n = 2;
    if (base >= noperands || exponent >= noperands)
        return;
    ct_value pair[] = {operand[base], operand[exponent]};
    step->row = cti_instead_pow(pair, &n);
    step->nin = (uint8_t)n;
    if (step->row == CTI_ROW_MUL)
        step->in[1] = step->in[0];
}

ct_tensor *cti_pointwise_program(const struct cti_program *program, const ct_value *operand)
{
    struct plan p;
    set_operands(&p, operand, program->noperands);
    p.work.nsteps = program->nsteps;
    p.refused = NULL;
    for (int s = 0; s < program->nsteps; s++) {
        struct cti_step *step = &p.work.step[s];
        step->row = program->step[s].row;
        step->nin = cti_row_facts[step->row].nin;
        for (int i = 0; i < step->nin; i++)
            step->in[i] = (uint8_t)(program->step[s].in[i] + 1);
        shorten_power(step, operand, program->noperands);
        bool last = s == program->nsteps - 1;
        step->out = last ? 0 : (uint8_t)(program->noperands + 1 + s);
        infer(&p, s, step->out);
        p.work.slot_dtype[step->out] = pointwise_compute_type(p.type[step->out].dtype);
    }
    return run_new(&p, operand);
}
