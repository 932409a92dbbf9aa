/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic on gradients: adding, copying, summing to the shape of a broadcast argument, casting,
 * and reading the gradient of a base through a view's geometry. The engine and the derivatives call
 * it. It is recorded when grad mode is on, like every operation. */
#include "autograd/internal.h"

#include "core/backend.h"
#include "core/shape.h"
#include "core/sparse.h"
#include "core/value.h"
#include "fronts.h"
#include "inner.h"

#include <complex.h>
#include <math.h>

/* ---- adding and copying ---- */

ct_tensor *cti_grad_ratio(ct_tensor *a, ct_tensor *b)
{
    ct_tensor *zero = ct_own_eq(ct_value_tensor(b), ct_value_int(0));
    ct_tensor *safe = ct_own_where(zero, ct_value_int(1), ct_value_tensor(b));
    ct_tensor *q = ct_own_div(ct_value_tensor(a), ct_value_tensor(safe), NULL);
    ct_tensor *out = ct_own_where(zero, ct_value_int(0), ct_value_tensor(q));
    cti_release_all(zero, safe, q);
    return out;
}

/* A sparse tensor is added to a dense one, never the other way. */
bool cti_grad_becomes_dense(const ct_tensor *a, const ct_tensor *b)
{
    return a->flags & CTI_SPARSE && !(b->flags & CTI_SPARSE);
}

ct_tensor *cti_grad_add(ct_tensor *a, ct_tensor *b)
{
    if (cti_grad_becomes_dense(a, b))
        return ct_own_add(ct_value_tensor(b), ct_value_tensor(a), ct_value_int(1));
    return ct_own_add(ct_value_tensor(a), ct_value_tensor(b), ct_value_int(1));
}

bool cti_grad_add_into(ct_tensor *a, ct_tensor *b)
{
    return ct_own_add_(a, ct_value_tensor(b), ct_value_int(1)) != NULL;
}

ct_tensor *cti_grad_copy(ct_tensor *grad, const ct_tensor *like)
{
    int64_t contiguous[CTI_MAX_DIMS];
    if (grad->flags & CTI_SPARSE)
        return ct_own_clone(grad, CT_PRESERVE_FORMAT);
    const int64_t *stride = like ? like->stride : contiguous;
    if (!like)
        cti_shape_contiguous(grad->ndim, grad->shape, contiguous);
    const ct_tensor *shape = like ? like : grad;
    ct_tensor *copy =
        cti_empty_strided(shape->ndim, shape->shape, stride, ct_dtype(grad), grad->storage->device);
    return cti_take_if(copy, copy && ct_own_copy_(copy, grad, false));
}

static ct_tensor *filled_like(const ct_tensor *t, int64_t number)
{
    ct_tensor *r = cti_empty_like(t, ct_dtype(t), CT_PRESERVE_FORMAT);
    return cti_take_if(r, r && CTI_RUN(fill, r, .dst = r, .number = ct_value_int(number)));
}

ct_tensor *cti_grad_ones_like(ct_tensor *t)
{
    return filled_like(t, 1);
}

ct_tensor *cti_grad_zeros_like(ct_tensor *t)
{
    return filled_like(t, 0);
}

/* ---- conjugates ---- */

ct_value cti_grad_conj(ct_value v)
{
    if (v.kind == CT_VALUE_COMPLEX)
        v.as.c.im = -v.as.c.im;
    if (v.kind == CT_VALUE_TENSOR)
        return ct_value_tensor(ct_dtype_is_complex(ct_dtype(v.as.tensor)) ? ct_own_conj(v.as.tensor)
                                                                          : ct_retain(v.as.tensor));
    return v;
}

ct_tensor *cti_grad_conj_tensor(ct_value v)
{
    v = cti_grad_conj(v);
    return v.kind == CT_VALUE_TENSOR ? v.as.tensor : cti_wrap_number(v, CT_NO_DTYPE);
}

/* ---- numbers ---- */

static double as_double(ct_value v)
{
    return v.kind == CT_VALUE_INT       ? (double)v.as.i
           : v.kind == CT_VALUE_UINT    ? (double)v.as.u
           : v.kind == CT_VALUE_BOOL    ? (double)v.as.b
           : v.kind == CT_VALUE_COMPLEX ? v.as.c.re
                                        : v.as.f;
}

static ct_value complex_number(char what, ct_value a, ct_value b)
{
    double _Complex x, y, z;
    __real__ x = as_double(a);
    __imag__ x = a.kind == CT_VALUE_COMPLEX ? a.as.c.im : 0;
    __real__ y = as_double(b);
    __imag__ y = b.kind == CT_VALUE_COMPLEX ? b.as.c.im : 0;
    z = what == '+'   ? x + y
        : what == '-' ? x - y
        : what == '*' ? x * y
        : what == '/' ? x / y
        : what == 'n' ? -x
                      : clog(x);
    return ct_value_complex_of(__real__ z, __imag__ z);
}

static int64_t as_whole(ct_value v)
{
    return v.kind == CT_VALUE_INT ? v.as.i : v.kind == CT_VALUE_BOOL && v.as.b;
}

ct_value cti_grad_number(char what, ct_value a, ct_value b)
{
    if (a.kind == CT_VALUE_COMPLEX || b.kind == CT_VALUE_COMPLEX)
        return complex_number(what, a, b);
    int64_t whole;
    double x = as_double(a), y = as_double(b);
    bool ints = a.kind != CT_VALUE_FLOAT && b.kind != CT_VALUE_FLOAT && a.kind != CT_VALUE_UINT &&
                b.kind != CT_VALUE_UINT;
    int64_t i = as_whole(a), j = as_whole(b);
    switch (what) {
    case '+':
        return ints && !__builtin_add_overflow(i, j, &whole) ? ct_value_int(whole)
                                                             : ct_value_float(x + y);
    case '-':
        return ints && !__builtin_sub_overflow(i, j, &whole) ? ct_value_int(whole)
                                                             : ct_value_float(x - y);
    case '*':
        return ints && !__builtin_mul_overflow(i, j, &whole) ? ct_value_int(whole)
                                                             : ct_value_float(x * y);
    case 'n':
        return ints && !__builtin_sub_overflow(0, i, &whole) ? ct_value_int(whole)
                                                             : ct_value_float(-x);
    case '/':
        return ct_value_float(x / y);
    default:
        return ct_value_float(log(x));
    }
}

/* ---- to the shape and type of an argument ---- */

ct_tensor *cti_grad_sum_dims(ct_tensor *grad, ct_ints dims, bool keepdim)
{
    return ct_own_sum(grad, dims, keepdim, CT_NO_DTYPE);
}

/* Sums over the dims that broadcasting added, and over those it expanded, which get size 1
 * again. */
ct_tensor *cti_grad_sum_to(ct_tensor *grad, ct_ints shape)
{
    int64_t added[CTI_MAX_DIMS], stretched[CTI_MAX_DIMS];
    int64_t nadded = grad->ndim - shape.n, nstretched = 0;
    for (int64_t d = 0; d < nadded; d++)
        added[d] = d;
    for (int64_t d = 0; d < shape.n; d++)
        if (shape.v[d] == 1 && grad->shape[d + nadded] != 1)
            stretched[nstretched++] = d;
    ct_tensor *sum =
        nadded ? cti_grad_sum_dims(grad, ct_ints_of(added, nadded), false) : ct_retain(grad);
    if (!sum || !nstretched)
        return sum;
    ct_tensor *result = cti_grad_sum_dims(sum, ct_ints_of(stretched, nstretched), true);
    ct_release(sum);
    return result;
}

/* Whether the argument's shape can be broadcast to the gradient's. */
static bool can_sum_to(const ct_tensor *grad, const struct cti_meta *want)
{
    const int64_t *shape = cti_meta_shape(want);
    int pad = grad->ndim - want->ndim;
    for (int d = 0; pad >= 0 && d < want->ndim; d++)
        if (shape[d] != 1 && shape[d] != grad->shape[d + pad])
            return false;
    return pad >= 0;
}

bool cti_grads_fit(const struct cti_node *n, ct_tensor *const *grads)
{
    for (int32_t k = 0; n->type->name && k < n->noutputs; k++) {
        const struct cti_meta *want = &n->output[k];
        if (!grads[k] || want->device.type == CT_NO_DEVICE_TYPE) /* integers have no gradient */
            continue;
        if (!cti_meta_has_shape(want, grads[k])) {
            char have[CTI_SHAPE_TEXT], wanted[CTI_SHAPE_TEXT];
            return cti_refuse(
                CT_ERR_RUNTIME,
                "%s expected a gradient of shape %s for its result %d, but got one of "
                "shape %s",
                cti_node_name(n), cti_shape_text(wanted, want->ndim, cti_meta_shape(want)), (int)k,
                cti_shape_text(have, grads[k]->ndim, grads[k]->shape));
        }
        if (grads[k]->storage->device.type != want->device.type &&
            !(grads[k]->flags & CTI_SPARSE) && want->device.type != CTI_SPARSE_DEVICE)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "%s expected a gradient on the device of its result %d, but got one on "
                "another",
                cti_node_name(n), (int)k);
    }
    return true;
}

ct_tensor *cti_grad_fit_take(ct_tensor *grad, const struct cti_meta *want, const char *node,
                             int64_t index)
{
    if (!cti_meta_has_shape(want, grad)) {
        char have[CTI_SHAPE_TEXT], wanted[CTI_SHAPE_TEXT];
        ct_tensor *sum = can_sum_to(grad, want) ? cti_grad_sum_to(grad, cti_meta_ints(want)) : NULL;
        if (!sum)
            ct_fail(CT_ERR_RUNTIME,
                    "Function %s returned an invalid gradient at index %lld - got %s but expected "
                    "shape compatible with %s",
                    node, (long long)index, cti_shape_text(have, grad->ndim, grad->shape),
                    cti_shape_text(wanted, want->ndim, cti_meta_shape(want)));
        ct_release(grad);
        grad = sum;
    }
    if (want->dtype == CTI_GRAD_OF_ANY - 1)
        return grad;
    if (grad && grad->dtype >= CT_COMPLEX64 && want->dtype < CT_COMPLEX64) {
        /* A real argument gets the real part; a cast would warn about the imaginary part. */
        int format = grad->numel ? CT_PRESERVE_FORMAT : CT_CONTIGUOUS_FORMAT;
        ct_tensor *part = ct_own_real(grad), *own = ct_own_clone(part, format);
        cti_release_all(part, grad);
        grad = own;
    }
    if (grad && grad->dtype != want->dtype) {
        ct_tensor *other = ct_own_to_dtype(grad, want->dtype);
        ct_release(grad);
        grad = other;
    }
    /* A number may be on the CPU, and the gradient of a copy between devices is on the other
     * device. */
    if (grad && !cti_same_device(grad->storage->device, want->device) &&
        !(grad->flags & CTI_SPARSE) && want->device.type != CTI_SPARSE_DEVICE) {
        ct_tensor *moved =
            ct_own_to(grad, CT_NO_DTYPE, want->device, false, false, CT_PRESERVE_FORMAT);
        ct_release(grad);
        grad = moved;
    }
    return grad;
}

/* ---- views whose elements share memory ---- */

/* The index of each element of a geometry in memory of n elements, as one list. */
static ct_tensor *indices_of(int64_t n, ct_ints shape, ct_ints stride, int64_t offset,
                             struct ct_device device)
{
    ct_tensor *all =
        ct_own_arange(ct_value_int(0), ct_value_int(n), ct_value_int(1), CT_INT64, device, false);
    ct_tensor *part = all ? ct_own_as_strided(all, shape, stride, offset) : NULL;
    ct_tensor *list = part ? ct_own_reshape(part, ct_ints_of((const int64_t[]){-1}, 1)) : NULL;
    cti_release_all(all, part);
    return list;
}

/* n zeros, with values added at the indices in `list`. */
static ct_tensor *add_at(int64_t n, ct_tensor *list, ct_tensor *values)
{
    ct_tensor *zeros = cti_empty(1, &n, ct_dtype(values), values->storage->device);
    ct_tensor *flat = ct_own_reshape(values, ct_ints_of((const int64_t[]){-1}, 1)), *sum = NULL;
    if (zeros && flat && CTI_RUN(fill, zeros, .dst = zeros, .number = ct_value_int(0)))
        sum = ct_own_index_add(zeros, 0, list, flat, ct_value_int(1));
    cti_release_all(zeros, flat);
    return sum;
}

/* How many elements of the geometry share each of n positions, at least 1. */
static ct_tensor *shares(int64_t n, ct_tensor *list, ct_tensor *like)
{
    ct_tensor *ones = cti_empty(1, &list->numel, ct_dtype(like), like->storage->device), *r = NULL;
    if (ones && CTI_RUN(fill, ones, .dst = ones, .number = ct_value_int(1)))
        r = add_at(n, list, ones);
    ct_tensor *one = cti_wrap_number(ct_value_int(1), CT_INT64);
    ct_tensor *result = r && one ? ct_own_maximum(ct_value_tensor(r), one) : NULL;
    cti_release_all(ones, one, r);
    return result;
}

ct_tensor *cti_grad_scatter(ct_tensor *grad, int64_t n, ct_ints view_shape, ct_ints view_stride,
                            int64_t view_offset, ct_ints base_shape, ct_ints base_stride,
                            int64_t base_offset, bool base_shares)
{
    struct ct_device device = grad->storage->device;
    ct_tensor *list = indices_of(n, view_shape, view_stride, view_offset, device);
    ct_tensor *sum = list ? add_at(n, list, grad) : NULL, *result = NULL;
    if (sum && base_shares) {
        ct_tensor *at = indices_of(n, base_shape, base_stride, base_offset, device);
        ct_tensor *count = at ? shares(n, at, grad) : NULL;
        ct_tensor *part = ct_own_div(ct_value_tensor(sum), ct_value_tensor(count), NULL);
        cti_release_all(at, count, sum);
        sum = part;
    }
    if (sum)
        result = ct_own_as_strided(sum, base_shape, base_stride, base_offset);
    cti_release_all(list, sum);
    return result;
}
