/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements x.set_(), which makes a tensor use another storage. Bindings call it directly: the
 * tables of operations have no argument type for storages. */
#include "autograd/autograd.h"
#include "core/check_args.h"
#include "core/settings.h"
#include "core/shape.h"
#include "core/value.h"

/* As in PyTorch, grows the storage to what the sizes require. */
static bool grow_storage(ct_storage *s, enum ct_dtype dtype, int ndim, const int64_t *shape,
                         const int64_t *stride, int64_t offset)
{
    int64_t nbytes = cti_shape_nbytes(ndim, shape, stride, offset, cti_itemsize(dtype));
    return nbytes <= ct_storage_nbytes(s) || ct_storage_resize(s, nbytes);
}

bool ct_set_source(ct_tensor *t, ct_storage *s, ct_ints shape, ct_ints stride, int64_t offset)
{
    if (!(cti_check_pointer(t, "ct_set_source", "t") &&
          cti_check_pointer(s, "ct_set_source", "s") &&
          CTI_CHECK_NUMBERS(shape, "ct_set_source", "shape") &&
          (!stride.v || CTI_CHECK_NUMBERS(stride, "ct_set_source", "stride"))))
        return false;
    if (!t || !s || !shape.v)
        return false;
    if (t->flags & CTI_SPARSE)
        return ct_storage_of(t) != NULL; /* NULL, with the error */
    int64_t n = cti_ints_count(shape);
    if (stride.v && cti_ints_count(stride) != n)
        return ct_fail(CT_ERR_RUNTIME, "unequal size length (%lld) and stride length (%lld)",
                       (long long)n, (long long)cti_ints_count(stride));
    for (int64_t d = 0; stride.v && d < n && !cti_negative_strides(); d++)
        if (stride.v[d] < 0) {
            char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
            return cti_refuse(
                CT_ERR_RUNTIME, "Storage size calculation overflowed with sizes=%s and strides=%s",
                cti_shape_text(a, (int)n, shape.v), cti_shape_text(b, (int)n, stride.v));
        }
    if (cti_grad_on() && cti_wants_grad(t))
        return ct_is_leaf(t)
                   ? ct_fail(CT_ERR_RUNTIME, "a leaf Variable that requires grad is being used in "
                                             "an in-place operation.")
                   : ct_fail(CT_ERR_NOT_IMPLEMENTED,
                             "the derivative for 'set_' is not implemented.");
    struct cti_node *node = NULL;
    if (!cti_inplace_begin(t, &node))
        return false;
    enum ct_dtype dtype = t->dtype;
    if (n <= CTI_MAX_DIMS && offset >= 0 &&
        !grow_storage(s, dtype, (int)n, shape.v, stride.v, offset))
        return false;
    ct_tensor *view = ct_own_from_storage(s, dtype, shape, stride, offset);
    bool good = view && cti_tensor_become(t, view);
    ct_release(view);
    if (good && t->base) { /* no longer a view */
        ct_release(t->base);
        t->base = NULL;
    }
    return good && cti_version_bump(t);
}
