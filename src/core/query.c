/* SPDX-License-Identifier: BSD-3-Clause */
/* The queries of base.h: facts about tensors and storages, single elements, and access to memory of
 * the caller. A NULL argument gives -1, NaN, NULL or false, and sets an error unless one is set. */
#include "core/backend.h"
#include "core/check_args.h"
#include "core/debug.h"
#include "core/note.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "core/sparse.h"
#include "core/value.h"

#include <math.h>

int64_t ct_ndim(const ct_tensor *t)
{
    return cti_is_there(t) ? t->ndim : -1;
}

int64_t ct_numel(const ct_tensor *t)
{
    return cti_is_there(t) ? t->numel : -1;
}

/* The dim for size() and stride(), counted from 0; -1 and an error: out of range. */
static int asked_dim(const ct_tensor *t, int64_t dim)
{
    int wrapped;
    if (t->ndim == 0) {
        ct_fail(CT_ERR_INDEX, "Dimension specified as %lld but tensor has no dimensions",
                (long long)dim);
        return -1;
    }
    return cti_shape_wrap_dim(dim, t->ndim, &wrapped) ? wrapped : -1;
}

int64_t ct_size(const ct_tensor *t, int64_t dim)
{
    int d = cti_is_there(t) ? asked_dim(t, dim) : -1;
    return d < 0 ? -1 : t->shape[d];
}

int64_t ct_stride(const ct_tensor *t, int64_t dim)
{
    int d = cti_is_there(t) ? asked_dim(t, dim) : -1;
    return d < 0 ? -1 : t->stride[d];
}

const int64_t *ct_shape_ptr(const ct_tensor *t)
{
    return cti_is_there(t) ? t->shape : NULL;
}

const int64_t *ct_stride_ptr(const ct_tensor *t)
{
    return cti_is_there(t) ? t->stride : NULL;
}

int64_t ct_storage_offset(const ct_tensor *t)
{
    return cti_is_there(t) ? t->offset : -1;
}

int64_t ct_element_size(const ct_tensor *t)
{
    return cti_is_there(t) ? cti_itemsize(t->dtype) : -1;
}

enum ct_dtype ct_dtype(const ct_tensor *t)
{
    return cti_is_there(t) ? t->dtype : CT_NO_DTYPE;
}

struct ct_device ct_device_of(const ct_tensor *t)
{
    if (!cti_is_there(t))
        return (struct ct_device){CT_BAD_DEVICE, -1};
    if (__builtin_expect(t->flags & CTI_SPARSE, 0))
        t = cti_sparse_of(t)->values;
    return t->storage->device;
}

bool ct_is_contiguous(const ct_tensor *t)
{
    return cti_is_there(t) && t->flags & CTI_CONTIGUOUS;
}

bool ct_is_contiguous_as(const ct_tensor *t, enum ct_memory_format format)
{
    return cti_is_there(t) && cti_check_format(format, "ct_is_contiguous_as", "format") &&
           cti_shape_is_contiguous(t->ndim, t->shape, t->stride, format);
}

bool ct_is_conj(const ct_tensor *t)
{
    return cti_is_there(t) && t->flags & CTI_CONJ;
}

bool ct_is_neg(const ct_tensor *t)
{
    return cti_is_there(t) && t->flags & CTI_NEG;
}

int64_t ct_version(const ct_tensor *t)
{
    return cti_is_there(t) ? cti_version_count(t) : -1;
}

/* ---- single elements ---- */

static __attribute__((noinline)) ct_value item_elsewhere(ct_tensor *t)
{
    if (t->storage->device.type == CT_META) {
        ct_fail(CT_ERR_RUNTIME, "Tensor.item() cannot be called on meta tensors");
        return ct_value_tensor(NULL);
    }
    ct_tensor *here = cti_host(t);
    ct_value value = here ? cti_value_element(here, cti_data(here)) : ct_value_tensor(NULL);
    ct_release(here);
    return value;
}

ct_value ct_item_value(ct_tensor *t)
{
    if (!cti_is_there(t))
        return ct_value_tensor(NULL);
    if (t->numel != 1) {
        ct_fail(CT_ERR_RUNTIME, "a Tensor with %lld elements cannot be converted to Scalar",
                (long long)t->numel);
        cti_note("x.tolist() has all of them, x[0].item() one, x.sum().item() what they make "
                 "together");
        return ct_value_tensor(NULL);
    }
    if (__builtin_expect(t->storage->device.type != CT_CPU, 0))
        return item_elsewhere(t);
    return cti_value_element(t, cti_data(t));
}

double ct_item(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_item", "t"))
        return NAN;
    ct_value v = ct_item_value(t);
    if (v.kind == CT_VALUE_NULL)
        return NAN;
    if (v.kind == CT_VALUE_COMPLEX && v.as.c.im != 0) {
        ct_fail(CT_ERR_RUNTIME, "value cannot be converted to type double without overflow");
        return NAN;
    }
    return cti_value_real(v);
}

int64_t ct_item_i64(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_item_i64", "t"))
        return -1;
    ct_value v = ct_item_value(t);
    if (v.kind == CT_VALUE_NULL)
        return -1;
    bool fits =
        v.kind == CT_VALUE_FLOAT ? v.as.f >= -0x1p63 && v.as.f < 0x1p63 : v.kind != CT_VALUE_UINT;
    if (!fits)
        ct_fail(CT_ERR_RUNTIME, "value cannot be converted to type int64_t without overflow");
    return fits ? cti_value_int(v) : -1;
}

/* ---- storages ---- */

ct_storage *ct_storage_of(ct_tensor *t)
{
    if (!cti_is_there(t))
        return NULL;
    if (t->flags & CTI_SPARSE)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "Cannot access storage of Sparse%sTensorImpl",
                       cti_compressed(t) ? "Csr" : "");
    __atomic_store_n(&t->storage->dtype, t->dtype, __ATOMIC_RELAXED);
    return t->storage;
}

static enum ct_dtype storage_dtype(const ct_storage *s)
{
    return (enum ct_dtype)__atomic_load_n(&s->dtype, __ATOMIC_RELAXED);
}

int64_t ct_storage_size(const ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_storage_size", "s"))
        return -1;
    return s->nbytes / cti_itemsize(storage_dtype(s));
}

/* The address of element i, which counts from the end if negative; NULL and IndexError: out of
 * range. */
static char *storage_element(ct_storage *s, int64_t i)
{
    int64_t n = ct_storage_size(s);
    if (i < -n || i >= n)
        return ct_fail(CT_ERR_INDEX, "index %lld out of range for storage of size %lld",
                       (long long)i, (long long)n);
    return s->data + (i < 0 ? i + n : i) * cti_itemsize(storage_dtype(s));
}

double ct_storage_get(ct_storage *s, int64_t i)
{
    if (!cti_check_pointer(s, "ct_storage_get", "s"))
        return NAN;
    char *element = s ? storage_element(s, i) : NULL;
    return element ? cti_value_real(cti_value_load(element, storage_dtype(s))) : NAN;
}

bool ct_storage_set(ct_storage *s, int64_t i, double value)
{
    if (!cti_check_pointer(s, "ct_storage_set", "s"))
        return false;
    char *element = s ? storage_element(s, i) : NULL;
    if (element)
        cti_value_store(element, storage_dtype(s), ct_value_float(value));
    return element != NULL;
}

/* Computes how many elements the memory must have before the first element (for negative strides)
 * and from the first element on; false: overflow. */
static bool extent(int ndim, const int64_t *shape, const int64_t *stride, int64_t *below,
                   int64_t *above)
{
    int64_t far;
    *below = 0;
    *above = 1;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 0) {
            *below = *above = 0;
            return true;
        }
        int64_t *side = stride[d] < 0 ? below : above;
        if (__builtin_mul_overflow(shape[d] - 1, stride[d] < 0 ? -stride[d] : stride[d], &far) ||
            __builtin_add_overflow(*side, far, side))
            return false;
    }
    return true;
}

/* How many bytes a storage needs for this geometry; -1 and an error: impossible. */
static int64_t needed(int ndim, const int64_t *shape, const int64_t *stride, int64_t offset,
                      int64_t itemsize)
{
    int64_t below, above, nbytes;
    if (cti_shape_numel(ndim, shape) < 0)
        return -1;
    bool good = extent(ndim, shape, stride, &below, &above);
    if (good && above == 0)
        return 0;
    if (!good || below > offset || __builtin_add_overflow(offset, above, &nbytes) ||
        __builtin_mul_overflow(nbytes, itemsize, &nbytes)) {
        cti_shape_fail(ndim, shape, stride);
        return -1;
    }
    return nbytes;
}

ct_tensor *ct_own_from_storage(ct_storage *s, enum ct_dtype dtype, ct_ints shape, ct_ints stride,
                               int64_t offset)
{
    if (!(cti_check_pointer(s, "ct_own_from_storage", "s") &&
          CTI_CHECK_NUMBERS(shape, "ct_own_from_storage", "shape") &&
          (!stride.v || CTI_CHECK_NUMBERS(stride, "ct_own_from_storage", "stride"))))
        return NULL;
    if (!cti_check_dtype(dtype, "ct_own_from_storage", "dtype") || !shape.v)
        return NULL;
    int64_t n = cti_ints_count(shape), contiguous[CTI_MAX_DIMS];
    if (n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor has at most %d dimensions, not %lld", CTI_MAX_DIMS,
                       (long long)n);
    if (stride.v && cti_ints_count(stride) != n)
        return ct_fail(CT_ERR_RUNTIME,
                       "dimensionality of sizes (%lld) must match dimensionality of strides (%lld)",
                       (long long)n, (long long)cti_ints_count(stride));
    if (offset < 0)
        return ct_fail(CT_ERR_RUNTIME, "Tensor: invalid storage offset %lld", (long long)offset);
    if (!stride.v) {
        cti_shape_contiguous((int)n, shape.v, contiguous);
        stride.v = contiguous;
    }
    int64_t nbytes = needed((int)n, shape.v, stride.v, offset, cti_itemsize(dtype));
    if (nbytes < 0)
        return NULL;
    if (nbytes > s->nbytes) {
        char sizes[CTI_SHAPE_TEXT], strides[CTI_SHAPE_TEXT];
        return ct_fail(CT_ERR_RUNTIME,
                       "setStorage: sizes %s, strides %s, storage offset %lld, and itemsize %lld "
                       "requiring a storage size of %lld are out of bounds for storage of size "
                       "%lld",
                       cti_shape_text(sizes, (int)n, shape.v),
                       cti_shape_text(strides, (int)n, stride.v), (long long)offset,
                       (long long)cti_itemsize(dtype), (long long)nbytes, (long long)s->nbytes);
    }
    return cti_tensor_take(ct_storage_retain(s), dtype, (int)n, shape.v, stride.v, offset);
}

/* ---- memory of the caller ---- */

ct_tensor *ct_own_from_memory(void *data, enum ct_dtype dtype, ct_ints shape, ct_ints stride,
                              void (*deleter)(void *context), void *context)
{
    if (!(CTI_CHECK_NUMBERS(shape, "ct_own_from_memory", "shape") &&
          (!stride.v || CTI_CHECK_NUMBERS(stride, "ct_own_from_memory", "stride"))))
        return NULL;
    int64_t n = shape.v ? cti_ints_count(shape) : -1, contiguous[CTI_MAX_DIMS];
    int64_t below, above, nbytes, itemsize = ct_dtype_size(dtype);
    if (n < 0 || n > CTI_MAX_DIMS || itemsize < 0) {
        ct_fail(CT_ERR_RUNTIME, "from_data: a shape of at most %d sizes and a data type are needed",
                CTI_MAX_DIMS);
        goto refused;
    }
    if (stride.v && cti_ints_count(stride) != n) {
        ct_fail(CT_ERR_RUNTIME,
                "dimensionality of sizes (%lld) must match dimensionality of strides (%lld)",
                (long long)n, (long long)cti_ints_count(stride));
        goto refused;
    }
    if (cti_shape_numel((int)n, shape.v) < 0)
        goto refused;
    if (!stride.v) {
        cti_shape_contiguous((int)n, shape.v, contiguous);
        stride.v = contiguous;
    }
    if (!extent((int)n, shape.v, stride.v, &below, &above) ||
        __builtin_add_overflow(below, above, &nbytes) ||
        __builtin_mul_overflow(nbytes, itemsize, &nbytes)) {
        cti_shape_fail((int)n, shape.v, stride.v);
        goto refused;
    }
    if (!data && nbytes > 0) {
        ct_fail(CT_ERR_VALUE, "from_data: the address is NULL");
        goto refused;
    }
    char *lowest = data ? (char *)data - below * itemsize : NULL;
    return cti_tensor_take(
        cti_storage_borrow(lowest, nbytes, (struct ct_device){CT_CPU, -1}, deleter, context), dtype,
        (int)n, shape.v, stride.v, below);
refused:
    if (deleter)
        deleter(context);
    return NULL;
}

void *ct_data(ct_tensor *t)
{
    if (!cti_is_there(t))
        return NULL;
    if (t->flags & CTI_SPARSE)
        return ct_fail(CT_ERR_RUNTIME,
                       "Cannot access data pointer of Tensor that doesn't have storage");
    __atomic_store_n(&t->storage->exposed, true, __ATOMIC_RELAXED);
    return cti_data(t);
}

void *ct_data_as(ct_tensor *t, enum ct_dtype dtype)
{
    if (!cti_is_there(t))
        return NULL;
    if (t->dtype != dtype)
        return ct_fail(CT_ERR_TYPE, "data: expected a tensor of %s, got %s", ct_dtype_str(dtype),
                       ct_dtype_str(t->dtype));
    if (t->flags & (CTI_CONJ | CTI_NEG)) {
        ct_fail(CT_ERR_RUNTIME, "data: the elements of a conj or neg view are not those in memory");
        cti_note(
            "ct_resolve_conj(ct_resolve_neg(x)) has them in memory, ct_to_array() copies them");
        return NULL;
    }
    return ct_data(t);
}

/* ---- iteration over elements ---- */

struct ct_walk ct_walk_of(ct_tensor *t, enum ct_dtype dtype)
{
    struct ct_walk w = {.t = t};
    if (!cti_is_there(t) || !t->numel ||
        !ct_data_as(t, dtype == CT_NO_DTYPE ? (enum ct_dtype)t->dtype : dtype))
        return w;
    if (t->storage->device.type != CT_CPU) {
        ct_fail(CT_ERR_RUNTIME, "CT_FOR: the elements are not in the host's memory");
        return w;
    }
    w.at = cti_data(t);
    w.left = t->ndim ? t->shape[t->ndim - 1] : 1;
    w.step = t->ndim ? t->stride[t->ndim - 1] * cti_itemsize(t->dtype) : 0;
    return w;
}

/* Goes from the last element of a line to the first of the next; lines are along the last dim. */
void ct_walk_line(struct ct_walk *w)
{
    if (!cti_check_pointer(w, "ct_walk_line", "walk"))
        return;
    const ct_tensor *t = w->t;
    int64_t item = cti_itemsize(t->dtype), offset = 0;
    int d = t->ndim - 2;
    while (d >= 0 && ++w->index[d] == t->shape[d])
        w->index[d--] = 0;
    w->at = NULL;
    if (d < 0)
        return;
    for (d = 0; d < t->ndim - 1; d++)
        offset += w->index[d] * t->stride[d];
    w->at = cti_data(t) + offset * item;
    w->left = t->shape[t->ndim - 1];
}

const char *ct_library_version(void)
{
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
    return TEXT(CT_VERSION_MAJOR) "." TEXT(CT_VERSION_MINOR) "." TEXT(CT_VERSION_PATCH);
}
