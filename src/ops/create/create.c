/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the operations of create.toml that make new tensors: empty, filled, eye, and tensors
 * like others. Ranges are in ranges.c. */
#include "ops/create/create.h"
#include "core/check_args.h"
#include "core/note.h"

#include "core/scope.h"
#include "core/settings.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"
#include "ops/shape/views/views.h"

#include <math.h>
#include <string.h>

static struct ct_device or_default_device(struct ct_device device)
{
    return device.type == CT_NO_DEVICE_TYPE ? ct_get_default_device() : device;
}

ct_tensor *cti_create_take(ct_tensor *t, bool requires_grad)
{
    if (!t || !requires_grad)
        return t;
    if (t->dtype <= CT_UINT64) {
        ct_fail(CT_ERR_RUNTIME,
                "Only Tensors of floating point and complex dtype can require gradients");
        cti_note("integers have no derivative: use dtype=torch.float32, or 1. instead of 1");
    } else if (ct_set_requires_grad(t, true))
        return t;
    ct_release(t);
    return NULL;
}

/* Fills t with a number. Consumes t. */
static ct_tensor *filled(ct_tensor *t, ct_value number)
{
    bool zero = number.kind == CT_VALUE_INT && number.as.i == 0; /* fits every dtype */
    return cti_take_if(t, t && (zero || cti_number_fits(number, t->dtype)) && cti_fill(t, number));
}

bool cti_create_fill_unwritten(ct_tensor *t)
{
    if (!cti_fill_empty() || t->storage->device.type == CT_META)
        return true;
    int bits = 8 * (int)cti_itemsize(t->dtype);
    int64_t most = ct_dtype_is_signed(t->dtype) ? (int64_t)(UINT64_MAX >> (65 - bits))
                                                : (int64_t)(UINT64_MAX >> (64 - bits));
    ct_value value = t->dtype > CT_UINT64  ? ct_value_float(NAN)
                     : t->dtype == CT_BOOL ? ct_value_bool(true)
                                           : ct_value_int(most);
    return cti_fill(t, value);
}

bool cti_create_grow(ct_tensor *t, int64_t nbytes)
{
    int64_t size = cti_itemsize(t->dtype), had = (ct_storage_nbytes(t->storage) + size - 1) / size;
    int64_t n = nbytes / size - had, step = 1;
    if (!ct_storage_resize(t->storage, nbytes))
        return false;
    if (!cti_fill_empty() || n <= 0)
        return true;
    ct_tensor *tail = cti_view(t, 1, &n, &step, had);
    bool good = tail && cti_create_fill_unwritten(tail);
    ct_release(tail);
    return good;
}

/* Fills t if programs ask for deterministic empty tensors. Consumes t. */
static ct_tensor *unwritten(ct_tensor *t)
{
    return t ? cti_take_if(t, cti_create_fill_unwritten(t)) : NULL;
}

static bool check_ndim(ct_ints size)
{
    if (size.n <= CTI_MAX_DIMS)
        return true;
    ct_fail(CT_ERR_RUNTIME, "a tensor can have at most %d dimensions", CTI_MAX_DIMS);
    return false;
}

ct_tensor *cti_create_empty(ct_ints size, enum ct_dtype dtype, struct ct_device device)
{
    return check_ndim(size) ? cti_empty((int)size.n, size.v, dtype, or_default_device(device))
                            : NULL;
}

/* ---- shapes ---- */

bool cti_op_empty_out(ct_tensor *out, ct_ints size, enum ct_dtype dtype, struct ct_device device,
                      bool requires_grad, int memory_format)
{
    (void)dtype, (void)device, (void)memory_format;
    ct_tensor *same = check_ndim(size) ? cti_create_take(ct_retain(out), requires_grad) : NULL;
    ct_release(same);
    return same && cti_out_resize(out, (int)size.n, size.v) && cti_create_fill_unwritten(out) &&
           cti_version_bump(out);
}

ct_tensor *cti_op_empty(ct_ints size, enum ct_dtype dtype, struct ct_device device,
                        bool requires_grad, int memory_format)
{
    int64_t stride[CTI_MAX_DIMS];
    dtype = cti_create_dtype(dtype);
    if (memory_format < 0 || memory_format == CT_CONTIGUOUS_FORMAT)
        return cti_create_take(unwritten(cti_create_empty(size, dtype, device)), requires_grad);
    if (memory_format == CT_PRESERVE_FORMAT)
        return ct_fail(CT_ERR_RUNTIME, "unsupported memory format Preserve");
    if (!check_ndim(size) || !cti_shape_format_strides((enum ct_memory_format)memory_format,
                                                       (int)size.n, size.v, stride))
        return NULL;
    ct_tensor *t = cti_empty_strided((int)size.n, size.v, stride, dtype, or_default_device(device));
    return cti_create_take(unwritten(t), requires_grad);
}

ct_tensor *cti_op_empty_strided(ct_ints size, ct_ints stride, enum ct_dtype dtype,
                                struct ct_device device, bool requires_grad)
{
    if (size.n != stride.n)
        return ct_fail(CT_ERR_RUNTIME,
                       "dimensionality of sizes (%lld) must match dimensionality of strides (%lld)",
                       (long long)size.n, (long long)stride.n);
    if (!check_ndim(size))
        return NULL;
    ct_tensor *t = cti_empty_strided((int)size.n, size.v, stride.v, cti_create_dtype(dtype),
                                     or_default_device(device));
    return cti_create_take(unwritten(t), requires_grad);
}

ct_tensor *cti_op_empty_permuted(ct_ints size, ct_ints layout, enum ct_dtype dtype,
                                 struct ct_device device, bool requires_grad)
{
    int64_t stride[CTI_MAX_DIMS], step = 1;
    uint64_t seen = 0;
    if (!check_ndim(size))
        return NULL;
    if (size.n != layout.n)
        return ct_fail(CT_ERR_RUNTIME,
                       "Number of dimensions in size does not match the length of the "
                       "physical_layout; i.e. len(size) = %lld is not equal to "
                       "len(physical_layout) = %lld",
                       (long long)size.n, (long long)layout.n);
    for (int64_t i = 0; i < layout.n; i++) {
        int64_t d = layout.v[i];
        if (d < 0 || d >= size.n)
            return ct_fail(CT_ERR_RUNTIME,
                           "Dimension out of range (expected to be between 0 and %lld, but got "
                           "%lld at index %lld).  NB: negative dims not currently supported; file "
                           "an issue if you want it.",
                           (long long)size.n - 1, (long long)d, (long long)i);
        if (seen >> d & 1)
            return ct_fail(CT_ERR_RUNTIME, "Duplicate dim not allowed");
        seen |= UINT64_C(1) << d;
    }
    if (cti_shape_numel((int)size.n, size.v) < 0)
        return NULL;
    for (int64_t i = layout.n; i-- > 0;) {
        stride[layout.v[i]] = step;
        step *= size.v[layout.v[i]] > 1 ? size.v[layout.v[i]] : 1;
    }
    ct_tensor *t = cti_empty_strided((int)size.n, size.v, stride, cti_create_dtype(dtype),
                                     or_default_device(device));
    return cti_create_take(unwritten(t), requires_grad);
}

static ct_tensor *shape_of(ct_ints size, ct_value value, enum ct_dtype dtype,
                           struct ct_device device, bool requires_grad)
{
    return cti_create_take(filled(cti_create_empty(size, dtype, device), value), requires_grad);
}

ct_tensor *cti_op_zeros(ct_ints size, enum ct_dtype dtype, struct ct_device device,
                        bool requires_grad)
{
    for (int64_t d = 0; d < size.n; d++)
        if (size.v[d] < 0)
            return ct_fail(CT_ERR_RUNTIME, "zeros: Dimension size must be non-negative.");
    return shape_of(size, ct_value_int(0), cti_create_dtype(dtype), device, requires_grad);
}

ct_tensor *cti_op_ones(ct_ints size, enum ct_dtype dtype, struct ct_device device,
                       bool requires_grad)
{
    return shape_of(size, ct_value_int(1), cti_create_dtype(dtype), device, requires_grad);
}

ct_tensor *cti_op_full(ct_ints size, ct_value fill_value, enum ct_dtype dtype,
                       struct ct_device device, bool requires_grad)
{
    if (dtype == CT_NO_DTYPE)
        dtype = fill_value.kind == CT_VALUE_UINT ? CT_INT64 : cti_value_dtype(fill_value);
    return shape_of(size, fill_value, dtype, device, requires_grad);
}

ct_tensor *cti_op_scalar_tensor(ct_value s, enum ct_dtype dtype, struct ct_device device,
                                bool requires_grad)
{
    return cti_create_take(
        filled(cti_create_empty(ct_ints_of(NULL, 0), cti_create_dtype(dtype), device), s),
        requires_grad);
}

ct_tensor *cti_op_eye(int64_t n, int64_t m, enum ct_dtype dtype, struct ct_device device,
                      bool requires_grad)
{
    int64_t shape[2] = {n, m == CT_NO_DIM ? n : m};
    for (int d = 0; d < 2; d++)
        if (shape[d] < 0)
            return ct_fail(CT_ERR_RUNTIME, "%c must be greater or equal to 0, got %lld",
                           d ? 'm' : 'n', (long long)shape[d]);
    ct_tensor *t = filled(cti_create_empty(ct_ints_of(shape, 2), cti_create_dtype(dtype), device),
                          ct_value_int(0));
    if (!t)
        return NULL;
    int64_t size = shape[0] < shape[1] ? shape[0] : shape[1], stride = t->stride[0] + t->stride[1];
    ct_tensor *diagonal = cti_view(t, 1, &size, &stride, 0);
    bool good = diagonal && cti_fill(diagonal, ct_value_int(1));
    ct_release(diagonal);
    return cti_create_take(cti_take_new_if(t, good), requires_grad);
}

/* ---- like another ---- */

ct_tensor *cti_op_empty_like(ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                             bool requires_grad, int memory_format)
{
    enum ct_memory_format format =
        memory_format < 0 ? CT_PRESERVE_FORMAT : (enum ct_memory_format)memory_format;
    dtype = dtype == CT_NO_DTYPE ? input->dtype : dtype;
    ct_tensor *t = cti_empty_like_on(input, dtype, device, format);
    return cti_create_take(unwritten(t), requires_grad);
}

static ct_tensor *like(ct_tensor *input, ct_value value, enum ct_dtype dtype,
                       struct ct_device device, bool requires_grad, int memory_format)
{
    return cti_create_take(
        filled(cti_op_empty_like(input, dtype, device, false, memory_format), value),
        requires_grad);
}

ct_tensor *cti_op_zeros_like(ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                             bool requires_grad, int memory_format)
{
    return like(input, ct_value_int(0), dtype, device, requires_grad, memory_format);
}

ct_tensor *cti_op_ones_like(ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                            bool requires_grad, int memory_format)
{
    return like(input, ct_value_int(1), dtype, device, requires_grad, memory_format);
}

ct_tensor *cti_op_full_like(ct_tensor *input, ct_value fill_value, enum ct_dtype dtype,
                            struct ct_device device, bool requires_grad, int memory_format)
{
    return like(input, fill_value, dtype, device, requires_grad, memory_format);
}

static ct_tensor *new_of(ct_tensor *input, ct_ints size, enum ct_dtype dtype,
                         struct ct_device device)
{
    return cti_create_empty(size, dtype == CT_NO_DTYPE ? input->dtype : dtype,
                            device.type == CT_NO_DEVICE_TYPE ? input->storage->device : device);
}

ct_tensor *cti_op_new_empty(ct_tensor *input, ct_ints size, enum ct_dtype dtype,
                            struct ct_device device, bool requires_grad)
{
    return cti_create_take(unwritten(new_of(input, size, dtype, device)), requires_grad);
}

ct_tensor *cti_op_new_empty_strided(ct_tensor *input, ct_ints size, ct_ints stride,
                                    enum ct_dtype dtype, struct ct_device device,
                                    bool requires_grad)
{
    return cti_op_empty_strided(size, stride, dtype == CT_NO_DTYPE ? input->dtype : dtype,
                                device.type == CT_NO_DEVICE_TYPE ? input->storage->device : device,
                                requires_grad);
}

ct_tensor *cti_op_new_full(ct_tensor *input, ct_ints size, ct_value fill_value, enum ct_dtype dtype,
                           struct ct_device device, bool requires_grad)
{
    return cti_create_take(filled(new_of(input, size, dtype, device), fill_value), requires_grad);
}

ct_tensor *cti_op_new_zeros(ct_tensor *input, ct_ints size, enum ct_dtype dtype,
                            struct ct_device device, bool requires_grad)
{
    return cti_op_new_full(input, size, ct_value_int(0), dtype, device, requires_grad);
}

ct_tensor *cti_op_new_ones(ct_tensor *input, ct_ints size, enum ct_dtype dtype,
                           struct ct_device device, bool requires_grad)
{
    return cti_op_new_full(input, size, ct_value_int(1), dtype, device, requires_grad);
}

/* ---- tensors from the data of C programs ---- */

ct_tensor *ct_tensor_copy(enum ct_dtype dtype, ct_ints shape, const void *values, int64_t count)
{
    if (!CTI_CHECK_NUMBERS(shape, "ct_tensor_copy", "shape"))
        return NULL;
    int64_t sizes[CTI_MAX_DIMS];
    ct_ints counted = cti_ints_counted(shape);
    if (!check_ndim(counted) || !cti_infer_shape(counted, count, sizes))
        return NULL;
    ct_tensor *t = cti_empty((int)counted.n, sizes, dtype, (struct ct_device){CT_CPU, -1});
    if (!t)
        return NULL;
    memcpy(cti_data(t), values, (size_t)(count * cti_itemsize(dtype)));
    struct ct_device target = ct_get_default_device();
    if (target.type == CT_CPU)
        return ct_scoped(t);
    return ct_scoped(
        cti_replace_take(t, ct_own_to(t, dtype, target, false, false, CT_PRESERVE_FORMAT)));
}

/* Sets the error and calls the deleter, as releasing the tensor would have. */
static ct_tensor *refuse_data(const struct ct_from_data_args *a, const char *why)
{
    if (a->deleter)
        a->deleter(a->context);
    return ct_fail(CT_ERR_VALUE, "ct_from_data(): %s", why);
}

/* Replaces one -1 so that there are `count` elements; false if that is impossible. */
static bool fill_in_shape(ct_ints *shape, int64_t count, int64_t *sizes)
{
    int64_t rest = 1, open = -1;
    if (!shape->v || shape->n > CTI_MAX_DIMS)
        return true; /* ct_own_from_memory refuses it */
    for (int64_t d = 0; d < shape->n; d++) {
        sizes[d] = shape->v[d];
        if (sizes[d] == -1 && open < 0)
            open = d;
        else if (sizes[d] < 0 || __builtin_mul_overflow(rest, sizes[d], &rest))
            return sizes[d] != -1; /* a second -1; the rest is refused later */
    }
    if (open < 0)
        return count < 0 || count >= rest;
    if (count < 0 || rest == 0 || count % rest)
        return false;
    sizes[open] = count / rest;
    shape->v = sizes;
    return true;
}

ct_tensor *ct_from_data_ex(void *data, enum ct_dtype dtype, ct_ints shape,
                           const struct ct_from_data_args *given)
{
    if (!CTI_CHECK_NUMBERS(shape, "ct_from_data", "shape"))
        return NULL;
    struct ct_from_data_args a = ct_from_data_defaults;
    cti_keywords_copy(&a, sizeof a, given);
    if (!CTI_CHECK_NUMBERS(a.stride, "ct_from_data", "stride"))
        return NULL;
    int64_t sizes[CTI_MAX_DIMS];
    shape = cti_ints_counted(shape);
    if (dtype == CT_NO_DTYPE || a.dtype != CT_NO_DTYPE) {
        /* C has no half types, so any type of the same size is accepted. */
        if (dtype != CT_NO_DTYPE && ct_dtype_size(dtype) != ct_dtype_size(a.dtype))
            return refuse_data(&a, "the size of the elements pointed to differs from .dtype's");
        dtype = a.dtype;
    }
    if (!fill_in_shape(&shape, a.count, sizes))
        return refuse_data(&a, "a -1 in the shape needs .count, a multiple of the other sizes");
    ct_tensor *t = ct_scoped(
        ct_own_from_memory(data, dtype, shape, cti_ints_counted(a.stride), a.deleter, a.context));
    if (t)
        t->storage->read_only = a.read_only;
    return t;
}
