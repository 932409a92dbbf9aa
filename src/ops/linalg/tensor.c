/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements tensorinv and tensorsolve, which treat tensors as matrices whose rows and columns span
 * several dims. */
#include "core/alloc.h"
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

#include <string.h>

static int64_t sizes_product(const int64_t *shape, int64_t n)
{
    int64_t all = 1;
    for (int64_t d = 0; d < n; d++)
        all *= shape[d];
    return all;
}

ct_tensor *cti_op_linalg_tensorinv(ct_tensor *input, int64_t ind)
{
    struct cti_hold h = {0};
    int64_t shape[CTI_MAX_DIMS];
    if (ind <= 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected a strictly positive integer for 'ind', but got %lld",
                       (long long)ind);
    if (ind > input->ndim)
        return ct_fail(CT_ERR_RUNTIME, "ArrayRef: invalid slice, N = %lld; size = %d",
                       (long long)ind, input->ndim);
    int64_t behind = input->ndim - ind, first = sizes_product(input->shape, ind);
    int64_t second = sizes_product(input->shape + ind, behind);
    if (first != second)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
                       "prod(self.shape[:ind]), but got %lld != %lld",
                       (long long)second, (long long)first);
    memcpy(shape, input->shape + ind, (size_t)behind * sizeof *shape);
    memcpy(shape + behind, input->shape, (size_t)ind * sizeof *shape);
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(input, ct_ints_of((int64_t[]){first, first}, 2)));
    struct ct_linalg_inv_ex_result f = ct_own_linalg_inv_ex(flat, false);
    cti_hold(&h, f.inverse);
    cti_hold(&h, f.info);
    bool good = f.inverse &&
                cti_linalg_succeeded(f.info, CT_ERR_LINALG, CTI_LINALG_SINGULAR_INVERSE, "inv");
    ct_tensor *result =
        good ? cti_hold(&h, ct_own_reshape(f.inverse, ct_ints_of(shape, input->ndim))) : NULL;
    return cti_hold_end(&h, result);
}

ct_tensor *cti_op_linalg_tensorsolve(ct_tensor *input, ct_tensor *other, ct_ints dims)
{
    struct cti_hold h = {0};
    int64_t last[CTI_MAX_DIMS];
    ct_tensor *moved = input;
    if (dims.v) {
        for (int64_t i = 0; i < dims.n && i < CTI_MAX_DIMS; i++)
            last[i] = input->ndim - dims.n + i;
        moved = cti_hold(&h, ct_own_movedim(input, dims, ct_ints_of(last, dims.n)));
        if (!moved)
            return cti_hold_end(&h, NULL);
    }
    int64_t behind = moved->ndim - other->ndim;
    if (behind < 0) {
        cti_hold_end(&h, NULL);
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected self to have at least as many dimensions as other, but got %d and "
                       "%d",
                       input->ndim, other->ndim);
    }
    const int64_t *shape = moved->shape + other->ndim;
    int64_t n = sizes_product(shape, behind);
    if (n != other->numel) {
        cti_hold_end(&h, NULL);
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
                       "prod(self.shape[:other.ndim]), but got %lld != %lld",
                       (long long)n, (long long)other->numel);
    }
    ct_tensor *matrix = cti_hold(&h, ct_own_reshape(moved, ct_ints_of((int64_t[]){n, n}, 2)));
    ct_tensor *flat = cti_hold(&h, ct_own_flatten(other, 0, -1));
    ct_tensor *x = cti_hold(&h, ct_own_linalg_solve(matrix, flat, true));
    return cti_hold_end(&h, cti_hold(&h, ct_own_reshape(x, ct_ints_of(shape, behind))));
}
