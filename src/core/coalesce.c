/* SPDX-License-Identifier: BSD-3-Clause */
/* Dropping, ordering and merging of dims; see coalesce.h. */
#include "core/coalesce.h"

static void move_dim(const struct cti_dims *dims, int to, int from)
{
    dims->size[to] = dims->size[from];
    for (int k = 0; k < dims->tensors; k++)
        dims->stride[k][to] = dims->stride[k][from];
}

static void exchange(int64_t *a, int64_t *b)
{
    int64_t keep = *a;
    *a = *b;
    *b = keep;
}

void cti_dims_swap(const struct cti_dims *dims, int a, int b)
{
    exchange(&dims->size[a], &dims->size[b]);
    for (int k = 0; k < dims->tensors; k++)
        exchange(&dims->stride[k][a], &dims->stride[k][b]);
}

static void drop_ones(struct cti_dims *dims)
{
    int n = 0;
    for (int d = 0; d < dims->n; d++) {
        if (dims->size[d] == 1)
            continue;
        if (n != d)
            move_dim(dims, n, d);
        n++;
    }
    dims->n = n;
}

static int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Whether the order wants dim a inside dim b. */
static bool goes_inside(const struct cti_dims *dims, int a, int b)
{
    if (dims->order == CTI_DIMS_FIRST)
        return magnitude(dims->stride[0][a]) < magnitude(dims->stride[0][b]);
    for (int k = 0; k < dims->tensors; k++) {
        int64_t x = magnitude(dims->stride[k][a]), y = magnitude(dims->stride[k][b]);
        if (x != y && x && y)
            return x < y;
    }
    return false;
}

/* Insertion sort: CTI_DIMS_EACH is not transitive, so the outcome depends on which dims are
 * compared, and results of engines depend on the outcome. */
static void sort_dims(const struct cti_dims *dims)
{
    for (int i = 1; i < dims->n; i++)
        for (int d = i; d > 0; d--) {
            int inner = dims->inner_last ? d : d - 1, outer = dims->inner_last ? d - 1 : d;
            if (!goes_inside(dims, outer, inner))
                break;
            cti_dims_swap(dims, d - 1, d);
        }
}

static bool merges(const struct cti_dims *dims, int inner, int outer)
{
    for (int k = 0; k < dims->tensors; k++)
        if (dims->stride[k][outer] != dims->stride[k][inner] * dims->size[inner])
            return false;
    return true;
}

static void merge_dims(struct cti_dims *dims)
{
    int last = 0;
    for (int d = 1; d < dims->n; d++) {
        int64_t size = dims->size[last];
        bool joined = dims->inner_last ? merges(dims, d, last) : merges(dims, last, d);
        if (!joined) {
            if (++last != d)
                move_dim(dims, last, d);
            continue;
        }
        if (dims->inner_last) /* a merged dim has the stride of its inner part */
            move_dim(dims, last, d);
        else
            dims->size[last] = dims->size[d];
        dims->size[last] *= size;
    }
    dims->n = dims->n ? last + 1 : 0;
}

int cti_coalesce(struct cti_dims *dims)
{
    drop_ones(dims);
    if (dims->order != CTI_DIMS_KEEP)
        sort_dims(dims);
    merge_dims(dims);
    if (dims->n == 0 && dims->keep_one) {
        dims->n = 1;
        dims->size[0] = 1;
        for (int k = 0; k < dims->tensors; k++)
            dims->stride[k][0] = 0;
    }
    return dims->n;
}
