/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting elements and bytes, wrapping dims, broadcasting: the checks of sizes that every
 * operation makes, with PyTorch's error messages. See shape.h; the strides of results are in
 * layout.c. */
#include "core/shape.h"
#include "core/note.h"

#include <stdio.h>

const char *cti_shape_text(char text[CTI_SHAPE_TEXT], int ndim, const int64_t *shape)
{
    char *end = text;
    *end++ = '[';
    for (int d = 0; d < ndim; d++)
        end += sprintf(end, d ? ", %lld" : "%lld", (long long)shape[d]);
    *end++ = ']';
    *end = '\0';
    return text;
}

void *cti_shape_fail(int ndim, const int64_t *shape, const int64_t *stride)
{
    char sizes[CTI_SHAPE_TEXT], strides[CTI_SHAPE_TEXT];
    cti_shape_text(sizes, ndim, shape);
    for (int d = 0; d < ndim; d++)
        if (shape[d] < 0)
            return ct_fail(CT_ERR_RUNTIME,
                           "Trying to create tensor with negative dimension %lld: %s",
                           (long long)shape[d], sizes);
    if (!stride)
        return ct_fail(CT_ERR_RUNTIME, "Storage size calculation overflowed with sizes=%s", sizes);
    return ct_fail(CT_ERR_RUNTIME,
                   "Storage size calculation overflowed with sizes=%s and strides=%s", sizes,
                   cti_shape_text(strides, ndim, stride));
}

int64_t cti_shape_numel(int ndim, const int64_t *shape)
{
    int64_t numel = 1;
    bool overflow = false, empty = false;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] < 0) {
            cti_shape_fail(ndim, shape, NULL);
            return -1;
        }
        empty |= shape[d] == 0;
        overflow |= __builtin_mul_overflow(numel, shape[d] ? shape[d] : 1, &numel);
    }
    if (overflow) {
        cti_shape_fail(ndim, shape, NULL);
        return -1;
    }
    return empty ? 0 : numel;
}

int64_t cti_shape_nbytes(int ndim, const int64_t *shape, const int64_t *stride, int64_t offset,
                         int64_t itemsize)
{
    int64_t step = 1, count = 1, last = offset, far, nbytes;
    bool bad = offset < 0, empty = false, huge = false;
    for (int d = ndim - 1; d >= 0; d--) {
        int64_t along = stride ? stride[d] : step;
        bad |= shape[d] < 0 || along < 0;
        empty |= shape[d] == 0;
        if (shape[d] > 1) {
            huge |= __builtin_mul_overflow(count, shape[d], &count);
            bad |= __builtin_mul_overflow(shape[d] - 1, along, &far);
            bad |= __builtin_add_overflow(last, far, &last);
            if (!stride)
                bad |= __builtin_mul_overflow(step, shape[d], &step);
        }
    }
    if (empty) {
        for (int d = 0; d < ndim; d++)
            if (shape[d] < 0)
                return -1;
        return huge ? -1 : 0;
    }
    bad |= huge;
    bad |= __builtin_add_overflow(last, 1, &last);
    bad |= __builtin_mul_overflow(last, itemsize, &nbytes);
    return bad ? -1 : nbytes;
}

bool cti_shape_wrap_dim(int64_t dim, int ndim, int *wrapped)
{
    int64_t n = ndim > 0 ? ndim : 1;
    if (dim < -n || dim >= n) {
        ct_fail(CT_ERR_INDEX,
                "Dimension out of range (expected to be in range of [%lld, %lld], but got "
                "%lld)",
                (long long)-n, (long long)(n - 1), (long long)dim);
        return cti_note("dims are counted from 0, or from the end: -1 is the last; there %s %d",
                        ndim == 1 ? "is" : "are", ndim);
    }
    *wrapped = (int)(dim < 0 ? dim + n : dim);
    return true;
}

bool cti_shape_broadcast(int *ndim, int64_t *shape, int more_ndim, const int64_t *more)
{
    int n = *ndim > more_ndim ? *ndim : more_ndim;
    if (n > CTI_MAX_DIMS)
        return ct_fail(CT_ERR_RUNTIME, "a tensor has at most %d dimensions, not %d", CTI_MAX_DIMS,
                       n);
    /* From the last dim to the first, because the old sizes move towards the end of the new
     * shape. */
    for (int i = 1; i <= n; i++) {
        int64_t a = i <= *ndim ? shape[*ndim - i] : 1;
        int64_t b = i <= more_ndim ? more[more_ndim - i] : 1;
        if (a != b && a != 1 && b != 1) {
            ct_fail(CT_ERR_RUNTIME,
                    "The size of tensor a (%lld) must match the size of tensor b (%lld) at "
                    "non-singleton dimension %d",
                    (long long)a, (long long)b, n - i);
            return cti_note_broadcast(&(struct cti_note_row){"a", *ndim, shape},
                                      &(struct cti_note_row){"b", more_ndim, more});
        }
    }
    if (more_ndim > *ndim) {
        int shift = more_ndim - *ndim;
        for (int d = *ndim - 1; d >= 0; d--)
            shape[d + shift] = shape[d];
        for (int d = 0; d < shift; d++)
            shape[d] = 1;
        *ndim = more_ndim;
    }
    for (int d = 0, shift = n - more_ndim; d < more_ndim; d++)
        if (more[d] != 1)
            shape[d + shift] = more[d];
    return true;
}

void cti_shape_expand_strides(const ct_tensor *t, int ndim, const int64_t *shape, int64_t *stride)
{
    int shift = ndim - t->ndim;
    for (int d = 0; d < shift; d++)
        stride[d] = 0;
    for (int d = 0; d < t->ndim; d++)
        stride[shift + d] = t->shape[d] == 1 && shape[shift + d] != 1 ? 0 : t->stride[d];
}
