/* SPDX-License-Identifier: BSD-3-Clause */
/* The history of views.
 *
 * Note [Views]: a view knows its base, the tensor whose memory it shows, and has flags that tell
 * how it was made. The relation of a view to its base is given by their geometries in the same
 * memory, including the types and the conj and neg flags. The gradient of a base is stored with the
 * layout of the base, so the gradient of a view is the part of it at the view's own geometry, and
 * no view function has to be kept.
 *   - An in-place write to a view becomes a write to its base: CopySlices runs the node of the
 *     write on the view's part of the gradient.
 *   - A view whose base was written since the view was made (its version differs) gets a new
 *     grad_fn when it is needed: AsStridedBackward0, from the present history of the base. */
#include "autograd/internal.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "grads.h"
#include "inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The geometry of a tensor in its storage. */
struct cti_view_geometry {
    int64_t offset;
    struct ct_device device;
    uint16_t flags; /* CTI_CONJ, CTI_NEG */
    uint8_t dtype, ndim;
    int64_t dims[]; /* sizes, then strides */
};

struct view_node {
    struct cti_node node;
    struct cti_view_geometry *base, *view;
    struct cti_node
        *fn; /* CopySlices: the node of the write, owned; NULL after the graph was freed */
};

static void geometry_set(struct cti_view_geometry *g, const ct_tensor *t)
{
    size_t dims = t->ndim * sizeof(int64_t);
    *g = (struct cti_view_geometry){.offset = t->offset,
                                    .device = t->storage->device,
                                    .flags = t->flags & (CTI_CONJ | CTI_NEG),
                                    .dtype = t->dtype,
                                    .ndim = t->ndim};
    memcpy(g->dims, t->shape, dims);
    memcpy(g->dims + t->ndim, t->stride, dims);
}

/* With space for one more dim, which an in-place call may add (unsqueeze_). */
struct cti_view_geometry *cti_view_geometry_of(const ct_tensor *t)
{
    struct cti_view_geometry *g = cti_malloc(sizeof *g + 2 * (t->ndim + 1u) * sizeof(int64_t));
    if (g)
        geometry_set(g, t);
    return g;
}

void cti_view_geometry_free(struct cti_view_geometry *g)
{
    cti_free(g);
}

static struct cti_view_geometry *geometry_copy(const struct cti_view_geometry *g)
{
    size_t size = sizeof *g + 2 * g->ndim * sizeof(int64_t);
    struct cti_view_geometry *copy = cti_malloc(size);
    if (copy)
        memcpy(copy, g, size);
    return copy;
}

/* Extends [low, high), in bytes, to the memory that g covers. */
static void geometry_cover(const struct cti_view_geometry *g, int64_t *low, int64_t *high)
{
    int64_t size = cti_itemsize(g->dtype), first = g->offset, last = g->offset;
    for (int d = 0; d < g->ndim; d++) {
        int64_t n = g->dims[d], step = g->dims[g->ndim + d];
        if (n == 0)
            return;
        *(step < 0 ? &first : &last) += (n - 1) * step;
    }
    if (first * size < *low)
        *low = first * size;
    if ((last + 1) * size > *high)
        *high = (last + 1) * size;
}

/* A new tensor with the layout of `base`, in memory that covers `view`, too; zeroed, or
 * uninitialised. */
static ct_tensor *mirror_new(const struct cti_view_geometry *base,
                             const struct cti_view_geometry *view, bool zero, int64_t *shift)
{
    int64_t low = INT64_MAX, high = INT64_MIN, size = cti_itemsize(base->dtype);
    geometry_cover(base, &low, &high);
    geometry_cover(view, &low, &high);
    if (low > high)
        low = high = 0;
    low -= ((low % size) + size) % size; /* both types stay aligned */
    *shift = low;
    ct_storage *s = cti_storage_new(high - low, base->device);
    if (s && zero) {
        int64_t n = high - low;
        ct_tensor *bytes = cti_tensor_take(ct_storage_retain(s), CT_UINT8, 1, &n, NULL, 0);
        bool good = bytes && CTI_RUN(fill, bytes, .dst = bytes, .number = ct_value_int(0));
        ct_release(bytes);
        if (!good) {
            ct_storage_release(s);
            return NULL;
        }
    }
    ct_tensor *t = cti_tensor_take(s, base->dtype, base->ndim, base->dims, base->dims + base->ndim,
                                   base->offset - low / size);
    if (t)
        t->flags |= base->flags;
    return t;
}

/* The part of a mirror at the geometry of `view`: a view of it. */
static ct_tensor *mirror_part(ct_tensor *whole, const struct cti_view_geometry *view, int64_t shift)
{
    int64_t size = cti_itemsize(view->dtype);
    ct_tensor *t = cti_view(whole, view->ndim, view->dims, view->dims + view->ndim,
                            view->offset - shift / size);
    if (t) {
        t->dtype = view->dtype;
        t->flags = (uint16_t)((t->flags & ~(CTI_CONJ | CTI_NEG)) | view->flags);
    }
    return t;
}

/* Whether two elements may share memory. Dims with stride 0 have been removed. */
static bool may_overlap(int ndim, const int64_t *shape, const int64_t *stride)
{
    int order[CTI_MAX_DIMS], n = 0;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 0)
            return false;
        if (shape[d] == 1)
            continue;
        int k = n++;
        for (; k > 0 && llabs(stride[order[k - 1]]) > llabs(stride[d]); k--)
            order[k] = order[k - 1];
        order[k] = d;
    }
    int64_t reach = 0;
    for (int k = 0; k < n; k++) {
        int64_t step = llabs(stride[order[k]]);
        if (step <= reach)
            return true;
        reach += step * (shape[order[k]] - 1);
    }
    return false;
}

/* ---- gradients through a geometry ---- */

/* Sums a gradient over the dims with stride 0, and stores the view's other dims in `moving`. */
static ct_tensor *sum_fixed_dims(ct_tensor *grad, const struct cti_view_geometry *view,
                                 struct cti_view_geometry *moving)
{
    int64_t fixed[CTI_MAX_DIMS];
    int nfixed = 0, n = 0;
    for (int d = 0; d < view->ndim; d++)
        if (view->dims[view->ndim + d] == 0)
            fixed[nfixed++] = d;
        else
            moving->dims[n++] = view->dims[d];
    moving->ndim = (uint8_t)n;
    for (int d = 0, k = n; d < view->ndim; d++)
        if (view->dims[view->ndim + d] != 0)
            moving->dims[k++] = view->dims[view->ndim + d];
    return nfixed ? cti_grad_sum_dims(grad, ct_ints_of(fixed, nfixed), false) : ct_retain(grad);
}

/* The gradient of a base from that of a view whose elements may share memory. */
static ct_tensor *scatter_back(ct_tensor *grad, const struct cti_view_geometry *base,
                               const struct cti_view_geometry *view)
{
    int64_t low = INT64_MAX, high = INT64_MIN, size = cti_itemsize(base->dtype);
    geometry_cover(base, &low, &high);
    geometry_cover(view, &low, &high);
    int64_t n = low > high ? 0 : (high - low) / size, first = low > high ? 0 : low / size;
    return cti_grad_scatter(grad, n, ct_ints_of(view->dims, view->ndim),
                            ct_ints_of(view->dims + view->ndim, view->ndim), view->offset - first,
                            ct_ints_of(base->dims, base->ndim),
                            ct_ints_of(base->dims + base->ndim, base->ndim), base->offset - first,
                            may_overlap(base->ndim, base->dims, base->dims + base->ndim));
}

static ct_tensor *gradient_of_base(ct_tensor *grad, const struct cti_view_geometry *base,
                                   const struct cti_view_geometry *view)
{
    struct cti_view_geometry *moving = geometry_copy(view);
    ct_tensor *summed = moving ? sum_fixed_dims(grad, view, moving) : NULL;
    ct_tensor *whole = NULL, *part = NULL, *result = NULL;
    int64_t shift;
    if (!summed)
        goto out;
    if (view->dtype == base->dtype &&
        (may_overlap(moving->ndim, moving->dims, moving->dims + moving->ndim) ||
         may_overlap(base->ndim, base->dims, base->dims + base->ndim))) {
        result = scatter_back(summed, base, moving);
        goto out;
    }
    whole = mirror_new(base, moving, true, &shift);
    part = whole ? mirror_part(whole, moving, shift) : NULL;
    if (part && ct_own_copy_(part, summed, false))
        result = ct_retain(whole);
out:
    cti_release_all(part, whole, summed);
    cti_free(moving);
    return result;
}

static bool as_strided_backward(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                                ct_tensor **out)
{
    struct view_node *v = (struct view_node *)n;
    if (wanted[0])
        out[0] = gradient_of_base(grads[0], v->base, v->view);
    return !wanted[0] || out[0];
}

/* Runs the node of an in-place write on the view's part of the base's gradient. */
static bool copy_slices_backward(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                                 ct_tensor **out)
{
    struct view_node *v = (struct view_node *)n;
    if (!v->fn)
        return cti_fail_freed() != NULL;
    int64_t shift;
    ct_tensor *whole = mirror_new(v->base, v->view, false, &shift), *part = NULL, *copy = NULL;
    bool good = whole && ct_own_copy_(whole, grads[0], false);
    if (good)
        part = mirror_part(whole, v->view, shift);
    copy = part ? ct_own_clone(part, CT_CONTIGUOUS_FORMAT) : NULL;
    good = copy && cti_node_derive(v->fn, &copy, wanted, out);
    if (good && wanted[0]) {
        good = out[0] ? ct_own_copy_(part, out[0], false) != NULL
                      : ct_own_fill_(part, ct_value_int(0)) != NULL;
        ct_release(out[0]);
        out[0] = whole;
        whole = NULL;
    }
    cti_release_all(copy, part, whole);
    return good;
}

static void copy_slices_freed(struct cti_node *n)
{
    struct view_node *v = (struct view_node *)n;
    cti_node_release(v->fn);
    v->fn = NULL;
}

static void view_clear(struct cti_node *n)
{
    struct view_node *v = (struct view_node *)n;
    cti_free(v->base);
    cti_free(v->view);
    if (v->fn)
        v->fn->outer = NULL;
    cti_node_release(v->fn);
}

static const struct cti_node_class copy_slices_class = {
    .name = "CopySlices",
    .size = sizeof(struct view_node),
    .backward = copy_slices_backward,
    .freed = copy_slices_freed,
    .clear = view_clear,
};

#define REPLAY(text)                                                                               \
    {                                                                                              \
        .name = text, .size = sizeof(struct view_node), .unreported = true,                        \
        .backward = as_strided_backward, .clear = view_clear                                       \
    }
static const struct cti_node_class replay_class[] = {
    REPLAY("AsStridedBackward0"), REPLAY("ViewAsRealBackward0"), REPLAY("ViewAsComplexBackward0"),
    REPLAY("ConjBackward0"),      REPLAY("NegViewBackward0"),
};

/* The node class with the name of the node that PyTorch makes for this view. */
static const struct cti_node_class *class_of(const struct cti_view_geometry *base,
                                             const struct cti_view_geometry *view)
{
    bool base_complex = base->dtype >= CT_COMPLEX64, view_complex = view->dtype >= CT_COMPLEX64;
    if (base_complex != view_complex)
        return &replay_class[base_complex ? 1 : 2];
    uint16_t changed = base->flags ^ view->flags;
    return &replay_class[changed & CTI_CONJ ? 3 : changed & CTI_NEG ? 4 : 0];
}

/* A node for a view of a base; takes over both geometries. */
static struct view_node *view_node_take(const struct cti_node_class *type, int64_t nedges,
                                        struct cti_view_geometry *base,
                                        struct cti_view_geometry *view)
{
    if (base && view && !type)
        type = class_of(base, view);
    struct view_node *v = base && view ? (struct view_node *)cti_node_new(type, nedges) : NULL;
    if (!v) {
        cti_free(base);
        cti_free(view);
        return NULL;
    }
    v->base = base;
    v->view = view;
    return v;
}

struct cti_node *cti_view_history(ct_tensor *view)
{
    struct view_node *v =
        view_node_take(NULL, 1, cti_view_geometry_of(view->base), cti_view_geometry_of(view));
    if (v && cti_node_edge(&v->node, 0, view->base) && cti_node_output(&v->node, 0, 1, view))
        return &v->node;
    cti_node_release(v ? &v->node : NULL);
    return NULL;
}

struct cti_node *cti_view_result_history(struct cti_node *outer)
{
    struct view_node *slices = (struct view_node *)outer;
    struct view_node *v =
        view_node_take(NULL, 1, geometry_copy(slices->base), geometry_copy(slices->view));
    if (!v)
        return NULL;
    cti_node_set_edge(&v->node, 0, (struct cti_edge){cti_node_retain(outer), 0});
    struct cti_meta *m = &v->node.output_inline;
    m->dtype = slices->view->dtype;
    m->ndim = slices->view->ndim;
    m->device = slices->view->device;
    int64_t *dims = m->dims;
    if (m->ndim > CTI_META_DIMS && !(dims = m->more = cti_malloc(m->ndim * sizeof *dims))) {
        cti_node_release(&v->node);
        return NULL;
    }
    memcpy(dims, slices->view->dims, m->ndim * sizeof *dims);
    v->node.noutputs = 1;
    return &v->node;
}

static bool same_geometry(const struct cti_view_geometry *a, const struct cti_view_geometry *b)
{
    return a->ndim == b->ndim && a->dtype == b->dtype && a->flags == b->flags &&
           a->offset == b->offset && !memcmp(a->dims, b->dims, 2 * a->ndim * sizeof(int64_t));
}

struct cti_node *cti_view_saved_history(struct cti_node *outer, const ct_tensor *t)
{
    const struct cti_view_geometry *base = ((struct view_node *)outer)->base;
    struct cti_view_geometry *geometry = cti_view_geometry_of(t);
    if (geometry && same_geometry(geometry, base)) {
        cti_free(geometry);
        return cti_node_retain(outer);
    }
    struct view_node *v = view_node_take(NULL, 1, geometry_copy(base), geometry);
    if (!v)
        return NULL;
    cti_node_set_edge(&v->node, 0, (struct cti_edge){cti_node_retain(outer), 0});
    if (cti_node_output(&v->node, 0, 1, t))
        return &v->node;
    cti_node_release(&v->node);
    return NULL;
}

ct_tensor *cti_grad_as_strided(ct_tensor *grad, const struct cti_view_geometry *input, ct_ints size,
                               ct_ints stride, int64_t storage_offset)
{
    struct cti_view_geometry *view =
        cti_malloc(sizeof *view + 2 * (size_t)size.n * sizeof(int64_t));
    if (!view)
        return NULL;
    *view = *input;
    view->ndim = (uint8_t)size.n;
    if (storage_offset != CT_NO_DIM)
        view->offset = storage_offset;
    memcpy(view->dims, size.v, (size_t)size.n * sizeof(int64_t));
    memcpy(view->dims + size.n, stride.v, (size_t)size.n * sizeof(int64_t));
    ct_tensor *result = gradient_of_base(grad, input, view);
    cti_free(view);
    return result;
}

bool cti_view_rebase_begin(struct cti_node *node, ct_tensor *view)
{
    ct_tensor *base = view->base;
    struct view_node *v = view_node_take(&copy_slices_class, node->nedges ? node->nedges : 1,
                                         cti_view_geometry_of(base), cti_view_geometry_of(view));
    if (!v)
        return false;
    for (int32_t i = 1; i < node->nedges; i++)
        if (node->edge[i].node)
            cti_node_set_edge(
                &v->node, i,
                (struct cti_edge){cti_node_retain(node->edge[i].node), node->edge[i].nr});
    if (!cti_node_edge(&v->node, 0, base) || !cti_node_output(&v->node, 0, 1, base) ||
        !cti_autograd_of(base)) {
        cti_node_release(&v->node);
        return false;
    }
    node->outer = &v->node;
    return true;
}

bool cti_view_rebase_take(struct cti_node *node, ct_tensor *view)
{
    struct view_node *v = (struct view_node *)node->outer;
    v->fn = node;
    geometry_set(v->view, view); /* whose shape the call may have changed (transpose_) */
    return cti_set_history_take(view->base, &v->node, 0);
}

/* ---- writes that are refused ---- */

bool cti_view_check(ct_tensor *view, bool indirect)
{
    if (!(view->flags & (CTI_VIEW_NO_GRAD | CTI_VIEW_MULTI | CTI_VIEW_CUSTOM)))
        return true;
    const struct cti_node *fn = view->autograd ? view->autograd->grad_fn : NULL;
    unsigned nr = view->autograd ? view->autograd->output_nr : 0;
    bool multi = !(view->flags & CTI_VIEW_NO_GRAD);
    const char *how = indirect ? "its base or another view of its base has been" : "is being";
    bool inference = view->flags & CTI_VIEW_INFERENCE;
    const char *mode = inference ? "inference" : "no_grad";
    const char *now = inference ? "in normal mode" : "with grad mode enabled";
    char room[64], head[256], advice[400];
    snprintf(advice, sizeof advice,
             " Given that this use case is ambiguous and error-prone, it is forbidden. You can "
             "clarify your code by moving both the view and the inplace either both inside the "
             "%s block (if you don't want the inplace to be tracked) or both outside (if you want "
             "the inplace to be tracked).",
             inference ? "inference_mode" : "no_grad");
    if (fn && multi)
        snprintf(head, sizeof head, "Output %u of %s is a view and %s modified inplace.", nr,
                 cti_node_short_name(fn, room), how);
    else if (fn)
        snprintf(head, sizeof head,
                 "Output %u of %s is a view of a view which was created in %s mode and %s "
                 "modified inplace %s.",
                 nr, cti_node_short_name(fn, room), mode, how, now);
    else
        snprintf(head, sizeof head, "A view was created in %s mode and %s modified inplace %s.",
                 mode, how, now);
    return cti_refuse(
        CT_ERR_RUNTIME, "%s%s", head,
        view->flags & CTI_VIEW_CUSTOM
            ? " This view was created inside a custom Function (or because an input was "
              "returned as-is) and the autograd logic to handle view+inplace would "
              "override the custom backward associated with the custom Function, "
              "leading to incorrect gradients. This behavior is forbidden. You can fix "
              "this by cloning the output of the custom Function."
        : multi ? " This view is the output of a function that returns multiple views. "
                  "Such functions do not allow the output views to be modified inplace. "
                  "You should replace the inplace operation by an out-of-place one."
                : advice);
}
