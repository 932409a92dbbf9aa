/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers of all operations; see front.h. */
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

static ct_tensor *resolved_copy(ct_tensor *t, enum ct_dtype dtype, enum ct_memory_format format);

bool cti_copy(ct_tensor *dst, ct_tensor *src)
{
    if (src->storage->device.type == CT_META && dst->storage->device.type != CT_META)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "Cannot copy out of meta tensor; no data!");
    if (!(dst->flags & (CTI_CONJ | CTI_NEG)) || dst->dtype == src->dtype)
        return cti_run_copy(dst, src);
    /* Copy in dst's dtype first: the conj or neg flag applies there, and src's dtype may have no
     * negative or complex numbers. */
    ct_tensor *cast = resolved_copy(src, (enum ct_dtype)dst->dtype, CT_PRESERVE_FORMAT);
    bool good = cast && cti_run_copy(dst, cast);
    ct_release(cast);
    return good;
}

bool cti_fill(ct_tensor *dst, ct_value number)
{
    return CTI_RUN(fill, dst, .dst = dst, .number = number);
}

/* A copy with the conj and neg flags resolved. */
static ct_tensor *resolved_copy(ct_tensor *t, enum ct_dtype dtype, enum ct_memory_format format)
{
    ct_tensor *c = cti_empty_like(t, dtype, format);
    return cti_take_if(c, c && cti_copy(c, t));
}

ct_tensor *cti_clone(ct_tensor *t)
{
    return resolved_copy(t, t->dtype, CT_PRESERVE_FORMAT);
}

void cti_warn_of_real(void)
{
    static bool warned;
    cti_warn_once(&warned, "Casting complex values to real discards the imaginary part");
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
    return resolved_copy(t, dtype, CT_PRESERVE_FORMAT);
}

ct_tensor *cti_resolve(ct_tensor *t)
{
    return cti_cast(t, t->dtype);
}

ct_tensor *cti_contiguous(ct_tensor *t)
{
    if ((t->flags & CTI_CONTIGUOUS) && !(t->flags & (CTI_CONJ | CTI_NEG)))
        return ct_retain(t);
    return resolved_copy(t, t->dtype, CT_CONTIGUOUS_FORMAT);
}

ct_tensor *cti_cast_contiguous(ct_tensor *t, enum ct_dtype dtype)
{
    ct_tensor *cast = t ? cti_cast(t, dtype) : NULL;
    return cast ? cti_replace_take(cast, cti_contiguous(cast)) : NULL;
}

/* ---- results ---- */

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
    list.n = 0; /* cti_attach_several has released its tensors */
    ct_list_release(list);
    return CT_NO_LIST;
}

ct_tensor *cti_finish_inplace(struct cti_node *node, ct_tensor *self, bool good)
{
    if (good)
        return cti_attach_inplace(node, self);
    cti_inplace_cancel(node);
    return NULL;
}
