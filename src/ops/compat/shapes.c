/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements Tensor.resize and resize_as (without underscore). They are deprecated and return a
 * view of another shape, whereas resize_ changes the tensor itself. */
#include "fronts.h"
#include "ops/front.h"

#include <stdio.h>

/* Writes sizes as "2x3". */
static const char *compat_sizes_text(char *text, size_t size, ct_ints sizes)
{
    size_t used = 0;
    text[0] = 0;
    for (int64_t d = 0; d < sizes.n && used < size; d++)
        used +=
            (size_t)snprintf(text + used, size - used, d ? "x%lld" : "%lld", (long long)sizes.v[d]);
    return text;
}

static ct_tensor *reshaped(ct_tensor *input, ct_ints sizes, const char *name)
{
    char want[CTI_SHAPE_TEXT], have[CTI_SHAPE_TEXT];
    int64_t n = 1;
    bool bad = sizes.n > CTI_MAX_DIMS;
    cti_warn("non-inplace %s is deprecated", name);
    for (int64_t d = 0; d < sizes.n && !bad; d++)
        bad = __builtin_mul_overflow(n, sizes.v[d], &n);
    if (bad || n != input->numel)
        return ct_fail(CT_ERR_RUNTIME,
                       "requested resize to %s (%lld elements in total), but the given tensor has "
                       "a size of %s (%lld elements). autograd's resize can only change the shape "
                       "of a given tensor, while preserving the number of elements. ",
                       compat_sizes_text(want, sizeof want, sizes), (long long)n,
                       compat_sizes_text(have, sizeof have, cti_shape_of(input)),
                       (long long)input->numel);
    ct_tensor *whole = ct_own_contiguous(input, CT_CONTIGUOUS_FORMAT);
    return cti_replace_take(whole, ct_own_view(whole, sizes));
}

ct_tensor *cti_op_resize(ct_tensor *input, ct_ints sizes)
{
    return reshaped(input, sizes, "resize");
}

ct_tensor *cti_op_resize_as(ct_tensor *input, ct_tensor *tensor)
{
    return reshaped(input, cti_shape_of(tensor), "resize_as");
}
