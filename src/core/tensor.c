/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensors as objects: making them and views of them, reference counts, version counters. Every
 * folder calls it. It depends on neither operations nor gradients, which it reaches through
 * cti_core_hooks. */
#include "core/tensor.h"
#include "core/alloc.h"
#include "core/debug.h"
#include "core/ref.h"
#include "core/shape.h"
#include "core/sparse.h"
#include "core/thread.h"

#include <string.h>

struct cti_core_hooks cti_core_hooks;

/* Markers whose addresses no tensor can have. */
static char list_end_byte, no_tensor_byte;
ct_tensor *const ct_list_end_mark = (ct_tensor *)&list_end_byte;
ct_tensor *const ct_no_tensor_mark = (ct_tensor *)&no_tensor_byte;

/* ---- making and freeing ---- */

static bool reserve_dims(ct_tensor *t, int ndim)
{
    if ((uint32_t)ndim <= t->capacity)
        return true;
    if (ndim > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor has at most %d dimensions, not %d", CTI_MAX_DIMS,
                       ndim);
    int64_t *dims = cti_malloc(2 * (size_t)ndim * sizeof *dims);
    if (!dims)
        return false;
    if (t->shape != t->inline_dims)
        cti_free(t->shape);
    t->shape = dims;
    t->stride = dims + ndim;
    t->capacity = (uint32_t)ndim;
    return true;
}

/* A new tensor without storage; its sizes and strides are uninitialised. */
static inline ct_tensor *new_tensor(enum ct_dtype dtype, int ndim)
{
    ct_tensor *t = cti_pool_get(CTI_POOL_TENSOR);
    if (!t)
        return NULL;
    t->refs = 1;
    t->dtype = (uint8_t)dtype;
    t->ndim = (uint8_t)ndim;
    t->flags = cti_thread.new_flags;
    t->capacity = CTI_INLINE_DIMS;
    t->storage = NULL;
    t->offset = 0;
    t->shape = t->inline_dims;
    t->stride = t->inline_dims + CTI_INLINE_DIMS;
    t->version = NULL;
    t->base = NULL;
    t->autograd = NULL;
    t->handle = NULL;
    if (__builtin_expect(ndim > CTI_INLINE_DIMS, 0) && !reserve_dims(t, ndim)) {
        cti_pool_put(CTI_POOL_TENSOR, t);
        return NULL;
    }
    return t;
}

static inline void free_memory(ct_tensor *t)
{
    if (__builtin_expect(t->shape != t->inline_dims, 0))
        cti_free(t->shape);
    if (__builtin_expect(cti_debug_on, 0))
        cti_debug_bury(t);
    else
        cti_pool_put(CTI_POOL_TENSOR, t);
}

static inline void drop_version(struct cti_version *v)
{
    if (v && __atomic_load_n(&v->refs, __ATOMIC_RELAXED) != CTI_VERSION_INSIDE)
        cti_version_release(v);
}

static inline void keep_version(struct cti_version *v)
{
    if (__atomic_load_n(&v->refs, __ATOMIC_RELAXED) != CTI_VERSION_INSIDE)
        __atomic_fetch_add(&v->refs, 1, __ATOMIC_RELAXED);
}

void cti_tensor_new_flags(uint16_t flags)
{
    cti_thread.new_flags = flags;
}

ct_tensor *ct_retain(ct_tensor *t)
{
    if (t && t != CT_NO_TENSOR)
        cti_ref_get(&t->refs);
    return t;
}

/* A loop, not a recursion, because a chain of bases may be long. */
void ct_release(ct_tensor *t)
{
    if (__builtin_expect(cti_debug_on, 0) && t && t != CT_NO_TENSOR && cti_debug_dead(t)) {
        ct_fail(CT_ERR_RUNTIME, "a tensor is released twice: %s", cti_debug_dead(t));
        return;
    }
    while (t && t != CT_NO_TENSOR && cti_ref_put(&t->refs)) {
        if (__builtin_expect(t->handle != NULL, 0) && cti_core_hooks.handle_last_reference) {
            __atomic_store_n(&t->refs, 1, __ATOMIC_RELAXED);
            if (cti_core_hooks.handle_last_reference(t))
                return;
        }
        ct_tensor *base = t->base;
        if (__builtin_expect(t->autograd != NULL, 0) && cti_core_hooks.autograd_release)
            cti_core_hooks.autograd_release(t->autograd);
        drop_version(t->version);
        ct_storage_release(t->storage);
        free_memory(t);
        t = base;
    }
}

/* ---- geometry ---- */

/* Note [Wild strides]
 * The strides of a dim with one element, and all strides of a tensor without elements, are
 * meaningless and may be huge: x[::2 ** 62], torch.empty(0, 2 ** 62). Loops multiply strides by the
 * size of an element before they check sizes, so these products must not overflow: strides and
 * offsets are limited here, to MAX_STRIDE. Code that computes strides uses unsigned multiplication
 * (cti_stride_times), which wraps instead of overflowing, and need not check. */
#define MAX_STRIDE (INT64_MAX / 16)

static inline bool is_wild(int64_t stride)
{
    return (uint64_t)stride + MAX_STRIDE > 2 * (uint64_t)MAX_STRIDE;
}

__attribute__((cold, noinline)) static void tame(ct_tensor *t)
{
    for (int d = 0; d < t->ndim; d++)
        if (is_wild(t->stride[d]))
            t->stride[d] = t->stride[d] < 0 ? -MAX_STRIDE : MAX_STRIDE;
    if (is_wild(t->offset) || t->offset < 0)
        t->offset = 0;
}

/* Note [Countable]: the product of those sizes of a tensor that are not 0 fits an int64, and so
 * does the product of any subset of them. The functions of src/ops can multiply the sizes of a
 * tensor without checks. */
static inline bool is_countable(int ndim, const int64_t *shape)
{
    int64_t count = 1;
    bool overflow = false;
    for (int d = 0; d < ndim; d++)
        overflow |= __builtin_mul_overflow(count, shape[d] ? shape[d] : 1, &count);
    return !overflow;
}

/* Stores row-major strides behind the sizes that are already in t. -1: a size is negative; -2: the
 * sizes are not countable; otherwise numel. */
static inline int64_t set_contiguous(ct_tensor *t)
{
    const int64_t *shape = t->shape;
    int64_t step = 1, *stride = t->stride;
    bool overflow = false, empty = false;
    for (int d = t->ndim - 1; d >= 0; d--) {
        int64_t size = shape[d];
        stride[d] = step;
        if (size > 1) {
            overflow |= __builtin_mul_overflow(step, size, &step);
        } else if (size < 1) {
            if (size < 0)
                return -1;
            empty = true;
        }
    }
    t->flags |= CTI_CONTIGUOUS;
    t->numel = empty ? 0 : step;
    if (__builtin_expect(!overflow && (uint64_t)step <= MAX_STRIDE, 1))
        return t->numel;
    tame(t);
    return overflow ? -2 : t->numel;
}

void cti_tensor_layout_changed(ct_tensor *t)
{
    int64_t step = 1;
    bool empty = false, dense = true, wild = is_wild(t->offset) || t->offset < 0;
    for (int d = t->ndim - 1; d >= 0; d--) {
        int64_t size = t->shape[d];
        empty |= size == 0;
        wild |= is_wild(t->stride[d]);
        if (size != 1) {
            dense &= t->stride[d] == step;
            step = (int64_t)((uint64_t)step * (uint64_t)size);
        }
    }
    if (__builtin_expect(wild, 0))
        tame(t);
    t->numel = empty ? 0 : step;
    t->flags = (uint16_t)(dense || empty ? t->flags | CTI_CONTIGUOUS : t->flags & ~CTI_CONTIGUOUS);
}

static inline void copy_dims(int64_t *to, const int64_t *from, int ndim)
{
    for (int d = 0; d < ndim; d++)
        to[d] = from[d];
}

bool cti_tensor_set_geometry(ct_tensor *t, int ndim, const int64_t *shape, const int64_t *stride,
                             int64_t offset)
{
    /* The arguments may point into t itself. */
    int64_t dims[2 * CTI_MAX_DIMS];
    if (ndim <= CTI_MAX_DIMS) {
        if (!is_countable(ndim, shape))
            return cti_shape_fail(ndim, shape, stride) != NULL;
        copy_dims(dims, shape, ndim);
        copy_dims(dims + ndim, stride, ndim);
    }
    if (!reserve_dims(t, ndim))
        return false;
    copy_dims(t->shape, dims, ndim);
    copy_dims(t->stride, dims + ndim, ndim);
    t->ndim = (uint8_t)ndim;
    t->offset = offset;
    cti_tensor_layout_changed(t);
    return true;
}

/* ---- new tensors ---- */

ct_tensor *cti_tensor_take(ct_storage *s, enum ct_dtype dtype, int ndim, const int64_t *shape,
                           const int64_t *stride, int64_t offset)
{
    ct_tensor *t = s ? new_tensor(dtype, ndim) : NULL;
    if (!t) {
        ct_storage_release(s);
        return NULL;
    }
    copy_dims(t->shape, shape, ndim);
    t->offset = offset;
    if (stride) {
        copy_dims(t->stride, stride, ndim);
        cti_tensor_layout_changed(t);
    } else {
        set_contiguous(t);
    }
    t->storage = s;
    /* The version inside the storage belongs to its first tensor and all that share its memory. */
    if (__atomic_load_n(&s->refs, __ATOMIC_RELAXED) == 1 && !s->handle) {
        s->version.count = 0;
        t->version = &s->version;
    }
    return t;
}

ct_tensor *cti_empty(int ndim, const int64_t *shape, enum ct_dtype dtype, struct ct_device device)
{
    ct_tensor *t = new_tensor(dtype, ndim);
    if (!t)
        return NULL;
    copy_dims(t->shape, shape, ndim);
    int64_t nbytes, numel = set_contiguous(t);
    if (__builtin_expect(numel < 0, 0) ||
        __builtin_mul_overflow(numel, cti_itemsize(dtype), &nbytes)) {
        free_memory(t);
        return cti_shape_fail(ndim, shape, NULL);
    }
    ct_storage *s = cti_storage_new(nbytes, device);
    if (!s) {
        free_memory(t);
        return NULL;
    }
    t->storage = s;
    t->version = &s->version;
    return t;
}

ct_tensor *cti_empty_strided(int ndim, const int64_t *shape, const int64_t *stride,
                             enum ct_dtype dtype, struct ct_device device)
{
    int64_t nbytes = cti_shape_nbytes(ndim, shape, stride, 0, cti_itemsize(dtype));
    if (nbytes < 0)
        return cti_shape_fail(ndim, shape, stride);
    return cti_tensor_take(cti_storage_new(nbytes, device), dtype, ndim, shape, stride, 0);
}

/* ---- views ---- */

static inline ct_tensor *share_memory(ct_tensor *t, int ndim, const int64_t *shape,
                                      const int64_t *stride, int64_t offset)
{
    if (__builtin_expect(ndim <= CTI_MAX_DIMS && !is_countable(ndim, shape), 0))
        return cti_shape_fail(ndim, shape, stride);
    struct cti_version *version = cti_version_of(t);
    ct_tensor *v = version ? new_tensor(t->dtype, ndim) : NULL;
    if (!v)
        return NULL;
    v->flags = t->flags & (CTI_CONJ | CTI_NEG | CTI_INFERENCE | CTI_SPARSE);
    copy_dims(v->shape, shape, ndim);
    copy_dims(v->stride, stride, ndim);
    v->offset = offset;
    cti_tensor_layout_changed(v);
    v->storage = t->storage;
    cti_ref_get(&t->storage->refs);
    v->version = version;
    keep_version(version);
    return v;
}

ct_tensor *cti_view(ct_tensor *t, int ndim, const int64_t *shape, const int64_t *stride,
                    int64_t offset)
{
    if (__builtin_expect(t->flags & CTI_SPARSE, 0))
        return cti_sparse_refused("as_strided");
    ct_tensor *v = share_memory(t, ndim, shape, stride, offset);
    if (v) {
        v->flags |=
            t->flags & (CTI_VIEW_NO_GRAD | CTI_VIEW_MULTI | CTI_VIEW_CUSTOM | CTI_VIEW_INFERENCE);
        v->base = t->base ? t->base : t;
        cti_ref_get(&v->base->refs);
    }
    return v;
}

ct_tensor *cti_alias(ct_tensor *t)
{
    return share_memory(t, t->ndim, t->shape, t->stride, t->offset);
}

/* A separate version with the current count, which t keeps if its storage changes. */
static struct cti_version *separate_version(const ct_tensor *t)
{
    struct cti_version *v = cti_malloc(sizeof *v);
    if (v)
        *v = (struct cti_version){1, (uint32_t)cti_version_count(t)};
    return v;
}

bool cti_tensor_become(ct_tensor *t, const ct_tensor *other)
{
    ct_storage *old = t->storage;
    if (old != other->storage && t->version == &old->version) {
        struct cti_version *version = separate_version(t);
        if (!version)
            return false;
        t->version = version;
    }
    if (!cti_tensor_set_geometry(t, other->ndim, other->shape, other->stride, other->offset))
        return false;
    t->dtype = other->dtype;
    const uint16_t views = CTI_CONJ | CTI_NEG | CTI_SPARSE;
    t->flags = (uint16_t)((t->flags & ~views) | (other->flags & views));
    t->storage = ct_storage_retain(other->storage);
    ct_storage_release(old);
    return true;
}

/* ---- versions ---- */

struct cti_version *cti_version_of(ct_tensor *t)
{
    struct cti_version *v = __atomic_load_n(&t->version, __ATOMIC_ACQUIRE);
    if (v)
        return v;
    struct cti_version *fresh = cti_malloc(sizeof *fresh);
    if (!fresh)
        return NULL;
    *fresh = (struct cti_version){1, 0};
    /* Two threads may come here at once; one version wins. */
    if (__atomic_compare_exchange_n(&t->version, &v, fresh, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return fresh;
    cti_free(fresh);
    return v;
}

void cti_version_release(struct cti_version *v)
{
    if (v && __atomic_load_n(&v->refs, __ATOMIC_RELAXED) != CTI_VERSION_INSIDE &&
        __atomic_fetch_sub(&v->refs, 1, __ATOMIC_ACQ_REL) == 1)
        cti_free(v);
}

/* If the storages differ, a version inside with's storage is first replaced by a separate one,
 * since t may outlive that storage. */
bool cti_version_share(ct_tensor *t, ct_tensor *with)
{
    struct cti_version *v = cti_version_of(with);
    if (!v)
        return false;
    if (v == t->version)
        return true;
    if (v->refs == CTI_VERSION_INSIDE && t->storage != with->storage) {
        struct cti_version *own = separate_version(with);
        if (!own)
            return false;
        v = with->version = own;
    }
    keep_version(v);
    drop_version(t->version);
    t->version = v;
    return true;
}

void cti_version_renew(ct_tensor *t)
{
    drop_version(t->version);
    t->version = NULL;
}

bool cti_version_bump(ct_tensor *t)
{
    struct cti_version *v = cti_version_of(t);
    if (!v)
        return false;
    uint32_t count = __atomic_add_fetch(&v->count, 1, __ATOMIC_RELEASE);
    if (__builtin_expect(count & CTI_VERSION_WATCHED, 0) && cti_core_hooks.watched_write)
        cti_core_hooks.watched_write(v, count & ~CTI_VERSION_WATCHED);
    return true;
}

/* ---- handles ---- */

void *ct_handle(const ct_tensor *t)
{
    return t ? __atomic_load_n(&t->handle, __ATOMIC_ACQUIRE) : NULL;
}

void ct_set_handle(ct_tensor *t, void *handle)
{
    if (t)
        __atomic_store_n(&t->handle, handle, __ATOMIC_RELEASE);
}
