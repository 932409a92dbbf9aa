/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverse matrices: undoing a linear map, and the error for a singular matrix. */
#include <corten.h>

#include <stdio.h>

int main(void)
{
    ct_tensor *a = ct_tensor_of(float, CT_SHAPE(2, 2), 4, 7, 2, 6);
    ct_tensor *x = ct_tensor_of(float, CT_SHAPE(2), 1, -2);
    ct_tensor *back = ct_matmul(ct_inverse(a), ct_matmul(a, x));
    if (!back) {
        fprintf(stderr, "%s\n", ct_error());
        return 1;
    }
    ct_print(back);
    bool right = ct_allclose(back, x, .atol = 1e-5) == 1;

    if (ct_inverse(ct_ones(CT_SHAPE(3, 3))))
        return 1;
    printf("%s\n", ct_error());
    right = right && ct_error_kind() == CT_ERR_LINALG;
    ct_clear_error();
    return right ? 0 : 1;
}
