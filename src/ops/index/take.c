/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements take and put, declared in index.toml, which address elements of a tensor by their flat
 * index. No autograd node is made here. */
#include "core/dtype.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/index/index.h"

static bool check_put(ct_tensor *self, ct_tensor *index, ct_tensor *source)
{
    int64_t bad = 0;
    if (index->dtype != CT_INT64)
        return ct_fail(CT_ERR_RUNTIME, "put_(): Expected a long tensor for index, but got %s",
                       cti_dtype_scalar_name(index->dtype));
    if (self->dtype != source->dtype)
        return ct_fail(CT_ERR_RUNTIME,
                       "put_(): self and source expected to have the same dtype, but got "
                       "self.dtype = %s and source.dtype = %s",
                       cti_dtype_scalar_name(self->dtype), cti_dtype_scalar_name(source->dtype));
    if (source->numel != index->numel)
        return ct_fail(CT_ERR_INDEX,
                       "put_(): Expected source and index to have the same number of elements, "
                       "but got source.numel() = %lld, index.numel() = %lld",
                       (long long)source->numel, (long long)index->numel);
    if (self->numel == 0 && index->numel)
        return ct_fail(CT_ERR_INDEX, "put_(): Tried to put elements into an empty tensor");
    if (index->numel && !cti_check_index(index, self->numel, true, &bad))
        return ct_fail(CT_ERR_INDEX,
                       "out of range: tried to access index %lld on a tensor of %lld elements.",
                       (long long)bad, (long long)self->numel);
    return cti_shape_check_writable(self) && cti_shape_check_overlap(self, index, false) &&
           cti_shape_check_overlap(self, source, false);
}

bool cti_op_put_(ct_tensor *self, ct_tensor *index, ct_tensor *source, bool accumulate)
{
    if (!check_put(self, index, source))
        return false;
    if (index->numel == 0)
        return true;
    enum ct_dtype dtype = accumulate ? cti_dtype_compute(self->dtype) : self->dtype;
    /* The engine writes only to contiguous memory, so other targets are copied. */
    ct_tensor *whole = cti_cast_contiguous(self, dtype);
    ct_tensor *from = whole ? cti_cast(source, dtype) : NULL, *flat = NULL, *values = NULL;
    if (from)
        values = cti_op_reshape(from, cti_shape_of(index));
    if (values)
        flat = cti_view(whole, 1, &whole->numel, &(int64_t){1}, whole->offset);
    bool good = flat && CTI_RUN(index_put, self, .self = flat, .value = values,
                                .accumulate = accumulate, .index = {&index, 1});
    if (good && whole != self)
        good = cti_copy(self, whole);
    cti_release_all(whole, from, values, flat);
    return good;
}

ct_tensor *cti_op_take(ct_tensor *input, ct_tensor *index)
{
    int64_t bad = 0;
    if (index->dtype != CT_INT64)
        return ct_fail(CT_ERR_RUNTIME, "take(): Expected a long tensor for index, but got %s",
                       cti_dtype_scalar_name(index->dtype));
    if (input->numel == 0 && index->numel)
        return ct_fail(CT_ERR_INDEX, "take(): tried to take from an empty tensor");
    if (index->numel && !cti_check_index(index, input->numel, true, &bad))
        return ct_fail(CT_ERR_INDEX,
                       "out of range: tried to access index %lld on a tensor of %lld elements.",
                       (long long)bad, (long long)input->numel);
    ct_tensor *whole = cti_contiguous(input), *flat = NULL, *out = NULL;
    if (whole)
        flat = cti_view(whole, 1, &whole->numel, &(int64_t){1}, whole->offset);
    if (flat)
        out = cti_empty(index->ndim, index->shape, input->dtype, input->storage->device);
    out = cti_take_if(out, out && (!out->numel || CTI_RUN(index_get, out, .out = out, .in = flat,
                                                          .index = {&index, 1})));
    cti_release_all(whole, flat);
    return out;
}

ct_tensor *cti_op_take_backward(ct_tensor *grad, ct_ints sizes, ct_tensor *index)
{
    ct_tensor *result = cti_zeros_for(grad, sizes);
    struct cti_target to = {NULL, NULL};
    if (!result)
        return NULL;
    bool good = result->numel == 0 || index->numel == 0;
    if (!good && cti_target_begin(&to, result, true)) {
        ct_tensor *flat = cti_view(to.work, 1, &result->numel, &(int64_t){1}, 0);
        ct_tensor *from = cti_cast(grad, to.work->dtype);
        good = flat && from &&
               CTI_RUN(index_put, grad, .self = flat, .value = from, .accumulate = true,
                       .index = {&index, 1});
        good = cti_target_end(&to, good);
        cti_release_all(flat, from);
    }
    return cti_take_if(result, good);
}
