/* SPDX-License-Identifier: BSD-3-Clause */
/* What fronts share; see front.h. */
#include "ops/front.h"

#include "fronts.h"
#include "ops/index/index.h"

#include <stdio.h>
#include <string.h>

/* ---- arguments ---- */

bool cti_list_is_whole(ct_list *list)
{
    if (!list->v)
        return list->n == 0;
    list->n = cti_list_count(*list);
    for (int64_t i = 0; i < list->n; i++)
        if (!list->v[i])
            return false;
    return true;
}

void cti_keywords_copy(void *args, size_t size, const void *given)
{
    size_t given_size;
    if (!given)
        return;
    memcpy(&given_size, given, sizeof given_size);
    memcpy(args, given, given_size < size ? given_size : size);
}

/* ---- copies ---- */

bool cti_copy(ct_tensor *dst, ct_tensor *src)
{
    if (src->storage->device.type == CT_META && dst->storage->device.type != CT_META)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "Cannot copy out of meta tensor; no data!") != NULL;
    return cti_backend_of(dst)->copy(dst, src);
}

bool cti_fill(ct_tensor *dst, ct_value number)
{
    return cti_backend_of(dst)->fill(dst, number);
}

/* A copy with conj and neg resolved. */
static ct_tensor *copied(ct_tensor *t, enum ct_dtype dtype, enum ct_memory_format format)
{
    ct_tensor *c = cti_empty_like(t, dtype, format);
    return cti_take_if(c, c && cti_copy(c, t));
}

ct_tensor *cti_clone(ct_tensor *t)
{
    return copied(t, (enum ct_dtype)t->dtype, CT_PRESERVE_FORMAT);
}

void cti_warn_of_real(void)
{
    static bool said;
    cti_warn_once(&said, "Casting complex values to real discards the imaginary part");
}

void cti_warn_of_cast(const ct_tensor *from, enum ct_dtype to)
{
    if (from->numel && from->dtype >= CT_COMPLEX64 && to < CT_COMPLEX64 && to != CT_BOOL)
        cti_warn_of_real();
}

ct_tensor *cti_cast(ct_tensor *t, enum ct_dtype dtype)
{
    if (t->dtype == dtype && !(t->flags & (CTI_CONJ | CTI_NEG)))
        return ct_retain(t);
    cti_warn_of_cast(t, dtype);
    return copied(t, dtype, CT_PRESERVE_FORMAT);
}

ct_tensor *cti_resolve(ct_tensor *t)
{
    return cti_cast(t, (enum ct_dtype)t->dtype);
}

ct_tensor *cti_contiguous(ct_tensor *t)
{
    if ((t->flags & CTI_CONTIGUOUS) && !(t->flags & (CTI_CONJ | CTI_NEG)))
        return ct_retain(t);
    return copied(t, (enum ct_dtype)t->dtype, CT_CONTIGUOUS_FORMAT);
}

/* ---- results ---- */

void *cti_out_refused(const char *name)
{
    return ct_fail(CT_ERR_RUNTIME,
                   "%s(): functions with out=... arguments don't support automatic "
                   "differentiation, but one of the arguments requires grad.",
                   name);
}

bool cti_resize(ct_tensor *t, int ndim, const int64_t *shape)
{
    if (cti_same_shape(t, ndim, shape))
        return true;
    int64_t size = cti_itemsize((enum ct_dtype)t->dtype), stride[CTI_MAX_DIMS];
    int64_t nbytes = cti_shape_nbytes(ndim, shape, NULL, t->offset, size);
    if (nbytes < 0)
        return cti_shape_fail(ndim, shape, NULL);
    if (nbytes > ct_storage_nbytes(t->storage) && !ct_storage_resize(t->storage, nbytes))
        return false;
    cti_shape_contiguous(ndim, shape, stride);
    return cti_tensor_set_geometry(t, ndim, shape, stride, t->offset);
}

bool cti_out_dtype(const ct_tensor *out, enum ct_dtype *dtype)
{
    if (*dtype == CT_NO_DTYPE)
        *dtype = (enum ct_dtype)out->dtype;
    if (*dtype == (enum ct_dtype)out->dtype)
        return true;
    return ct_fail(CT_ERR_RUNTIME, "dtype %s does not match dtype of out parameter (%s)",
                   cti_dtype_scalar_name(*dtype),
                   cti_dtype_scalar_name((enum ct_dtype)out->dtype)) != NULL;
}

bool cti_out_resize(ct_tensor *out, int ndim, const int64_t *shape)
{
    if (out->numel && !cti_same_shape(out, ndim, shape)) {
        char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
        cti_warn("An output with one or more elements was resized since it had shape %s, which "
                 "does not match the required output shape %s. This behavior is deprecated, and in "
                 "a future PyTorch release outputs will not be resized unless they have zero "
                 "elements. You can explicitly reuse an out tensor t by resizing it, inplace, to "
                 "zero elements with t.resize_(0).",
                 cti_shape_text(have, out->ndim, out->shape), cti_shape_text(want, ndim, shape));
    }
    return cti_resize(out, ndim, shape);
}

static bool check_in_place_shape(const ct_tensor *self, const ct_tensor *result)
{
    char have[CTI_SHAPE_TEXT], want[CTI_SHAPE_TEXT];
    if (cti_same_shape(self, result->ndim, result->shape))
        return true;
    return ct_fail(CT_ERR_RUNTIME,
                   "Bad in-place call: input tensor size %s and output tensor size %s should match",
                   cti_shape_text(have, self->ndim, self->shape),
                   cti_shape_text(want, result->ndim, result->shape)) != NULL;
}

bool cti_out_write_new(ct_tensor *out, ct_tensor *result)
{
    bool good = result && !cti_out_apart(out, result) &&
                cti_check_can_cast((enum ct_dtype)result->dtype, (enum ct_dtype)out->dtype) &&
                cti_resize(out, result->ndim, result->shape) && cti_shape_check_writable(out) &&
                cti_copy(out, result) && cti_version_bump(out);
    ct_release(result);
    return good;
}

bool cti_write_result(ct_tensor *self, ct_tensor *result)
{
    bool good = result && check_in_place_shape(self, result) &&
                cti_check_can_cast((enum ct_dtype)result->dtype, (enum ct_dtype)self->dtype) &&
                cti_copy(self, result);
    ct_release(result);
    return good;
}

bool cti_out_recorded(ct_tensor *result)
{
    char name[64];
    size_t n = 0;
    if (!cti_grad_on() || !cti_wants_grad(result))
        return false;
    const char *node = ct_grad_fn_str(result), *end = strstr(node, "Backward");
    for (; *node && node != end && n < sizeof name - 2; node++) { /* LinalgPinv: linalg_pinv */
        bool upper = *node >= 'A' && *node <= 'Z';
        if (upper && n)
            name[n++] = '_';
        name[n++] = (char)(upper ? *node - 'A' + 'a' : *node);
    }
    name[n] = 0;
    return !cti_out_refused(name);
}

bool cti_out_copy(ct_tensor *out, ct_tensor *result)
{
    bool good = result && !cti_out_recorded(result) && !cti_out_apart(out, result) &&
                cti_check_can_cast((enum ct_dtype)result->dtype, (enum ct_dtype)out->dtype) &&
                cti_out_resize(out, result->ndim, result->shape) && cti_shape_check_writable(out) &&
                cti_copy(out, result);
    ct_release(result);
    return good;
}

bool cti_out_write(ct_tensor *out, ct_tensor *result)
{
    return cti_out_copy(out, result) && cti_version_bump(out);
}

bool cti_out_requires(ct_tensor *out, bool requires_grad)
{
    return !requires_grad || ct_set_requires_grad(out, true);
}

bool cti_out_fit(ct_tensor *out, const ct_tensor *result)
{
    return cti_same_shape(out, result->ndim, result->shape) ||
           (cti_out_resize(out, result->ndim, result->shape) &&
            cti_tensor_set_geometry(out, out->ndim, out->shape, result->stride, out->offset));
}

/* Note [Promises]: PyTorch gives `out` its size after it has looked at the arguments and before the
 * work, which may fail: an index is out of range, there is no loop for a type. Here the work comes
 * first; a function that knows the shape says so before it goes on, and where it fails `out` gets
 * that shape (but where memory is out: then nothing changes). Only rows that say `promises` listen,
 * each for its own call. */
static _Thread_local struct {
    bool made;
    int ndim;
    int64_t shape[CTI_MAX_DIMS];
} promise;

void cti_promise_nothing(void)
{
    promise.made = false;
}

void cti_promise(int ndim, const int64_t *shape)
{
    promise.made = true;
    promise.ndim = ndim;
    if (ndim)
        memcpy(promise.shape, shape, (size_t)ndim * sizeof *shape);
}

ct_tensor *cti_promised(ct_tensor *out, ct_tensor *result)
{
    if (!result && promise.made && ct_error_kind() != CT_ERR_OUT_OF_MEMORY)
        cti_out_resize(out, promise.ndim, promise.shape);
    return result;
}

bool cti_out_overlaps_tensor(const ct_tensor *out, const ct_tensor *in)
{
    return in != CT_NO_TENSOR && !cti_shape_check_overlap(out, in, false);
}

bool cti_out_overlaps_list(const ct_tensor *out, ct_list in)
{
    for (int64_t i = 0; i < in.n; i++)
        if (cti_out_overlaps_tensor(out, in.v[i]))
            return true;
    return false;
}

bool cti_out_write_exact(ct_tensor *out, ct_tensor *result)
{
    return cti_out_write(out, cti_if(result && cti_out_resize(out, result->ndim, result->shape) &&
                                         cti_out_exact(out, result),
                                     result));
}

bool cti_out_write_cast(ct_tensor *out, ct_tensor *result)
{
    return cti_out_write(
        out, cti_if(result && cti_out_resize(out, result->ndim, result->shape), result));
}

bool cti_out_write_recorded(ct_tensor *out, ct_tensor *result)
{
    bool good = result && !cti_out_apart(out, result) &&
                cti_check_can_cast((enum ct_dtype)result->dtype, (enum ct_dtype)out->dtype) &&
                cti_out_resize(out, result->ndim, result->shape) &&
                ct_own_copy_(out, result, false);
    ct_release(result);
    return good;
}

const char *cti_old_type_name(char *text, size_t size, enum ct_dtype dtype)
{
    bool old = (dtype >= CT_UINT8 && dtype <= CT_INT64) || dtype == CT_FLOAT16 ||
               dtype == CT_FLOAT32 || dtype == CT_FLOAT64;
    snprintf(text, size, old ? "torch.%sTensor" : "CPU%sType", cti_dtype_scalar_name(dtype));
    return text;
}

bool cti_out_type_refused(const char *words, const ct_tensor *out, enum ct_dtype result)
{
    char text[512] = "";
    for (const char *at = words; *at;) {
        const char *brace = strchr(at, '{'), *end = brace ? strchr(brace, '}') : NULL;
        size_t used = strlen(text);
        if (!end) {
            snprintf(text + used, sizeof text - used, "%s", at);
            break;
        }
        enum ct_dtype which = brace[1] == 'o' ? (enum ct_dtype)out->dtype : result;
        char old[40];
        const char *name = end[-1] == 'c'   ? cti_dtype_cpp_name(which)
                           : end[-1] == 'o' ? cti_old_type_name(old, sizeof old, which)
                                            : cti_dtype_scalar_name(which);
        snprintf(text + used, sizeof text - used, "%.*s%s", (int)(brace - at), at, name);
        at = end + 1;
    }
    return ct_fail(CT_ERR_RUNTIME, "%s", text) != NULL;
}

bool cti_out_is(const ct_tensor *out, const ct_tensor *result, const char *words)
{
    return out->dtype == result->dtype ||
           cti_out_type_refused(words, out, (enum ct_dtype)result->dtype);
}

bool cti_out_exact(const ct_tensor *out, const ct_tensor *result)
{
    return cti_out_is(out, result,
                      "Expected out tensor to have dtype {result_c}, but got {out_c} instead");
}

ct_tensor *cti_if(bool good, ct_tensor *result)
{
    if (good)
        return result;
    ct_release(result);
    return NULL;
}

/* Gives `out` the result's shape and strides, then its elements; takes the result. */
static bool write_laid(ct_tensor *out, ct_tensor *result)
{
    bool good = !cti_out_recorded(result) && !cti_out_apart(out, result) &&
                cti_check_can_cast((enum ct_dtype)result->dtype, (enum ct_dtype)out->dtype) &&
                cti_out_resize(out, result->ndim, result->shape) &&
                cti_tensor_set_geometry(out, out->ndim, out->shape, result->stride, out->offset);
    return cti_out_write(out, cti_if(good, result));
}

bool cti_out_write_laid(ct_tensor *out, ct_tensor *result)
{
    bool fits = !result || cti_same_shape(out, result->ndim, result->shape);
    return fits ? cti_out_write(out, result) : write_laid(out, result);
}

/* Whether an `out` without elements takes the result's strides: one of another type does not, nor
 * one that has the shape already, when the result lies row by row. */
static bool is_blank(const ct_tensor *out, const ct_tensor *result)
{
    int64_t rows[CTI_MAX_DIMS];
    if (!result || out->numel || out->dtype != result->dtype)
        return false;
    cti_shape_contiguous(result->ndim, result->shape, rows);
    return !cti_same_shape(out, result->ndim, result->shape) ||
           memcmp(rows, result->stride, (size_t)result->ndim * sizeof *rows) != 0;
}

bool cti_out_write_columns(ct_tensor *out, ct_tensor *result)
{
    return is_blank(out, result) ? write_laid(out, result) : cti_out_write(out, result);
}

bool cti_out_write_solved(ct_tensor *out, ct_tensor *result)
{
    return is_blank(out, result) ? write_laid(out, result) : cti_out_write_laid(out, result);
}

void cti_finish_several(struct cti_node *node, ct_tensor **results, int64_t n, bool good)
{
    if (good) {
        cti_attach_several(node, results, n);
        return;
    }
    if (node)
        cti_node_release(node);
    for (int64_t i = 0; i < n; i++) {
        ct_release(results[i]);
        results[i] = NULL;
    }
}

ct_list cti_finish_list(struct cti_node *node, ct_list list)
{
    if (!list.v) {
        if (node)
            cti_node_release(node);
        return list;
    }
    if (cti_attach_several(node, (ct_tensor **)(uintptr_t)list.v, list.n))
        return list;
    list.n = 0; /* its tensors are gone */
    ct_list_release(list);
    return (ct_list){NULL, 0};
}

ct_tensor *cti_finish_inplace(struct cti_node *node, ct_tensor *self, bool good)
{
    if (good)
        return cti_attach_inplace(node, self);
    cti_inplace_cancel(node);
    return NULL;
}
