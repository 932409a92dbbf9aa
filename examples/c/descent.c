/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradient descent: fit y = a x^2 + b x + c to noisy points. The loop defines the loss;
 * ct_backward computes its gradient. */
#include <corten.h>
#include <stdio.h>

int main(void)
{
    ct_manual_seed(0);
    ct_tensor *x = ct_sub(ct_mul(ct_rand(CT_SHAPE(200, 1)), 4), 2); /* in [-2, 2) */
    ct_tensor *powers = ct_cat(CT_LIST(ct_mul(x, x), x, ct_ones_like(x)), .dim = 1);
    ct_tensor *truth = ct_tensor_of(float, CT_SHAPE(3), 1.5, -2, 0.5);
    ct_tensor *y = ct_add(ct_matmul(powers, truth), ct_mul(ct_randn(CT_SHAPE(200)), 0.1));
    ct_tensor *w = ct_zeros(CT_SHAPE(3), .requires_grad = true);

    for (int step = 0; step < 200; step++) {
        CT_SCOPE; /* releases the tensors of each step */
        ct_tensor *error = ct_sub(ct_matmul(powers, w), y);
        ct_tensor *loss = ct_mean(ct_mul(error, error));
        if (!ct_backward(loss))
            break;
        if (step % 50 == 0)
            printf("step %3d  loss %.4f\n", step, ct_item(loss));
        CT_NO_GRAD;
        ct_sub_(w, ct_grad(w), .alpha = 0.1);
        ct_zero_(ct_grad(w));
    }
    if (ct_error()) {
        fprintf(stderr, "%s: %s\n", ct_error_class(), ct_error());
        return 1;
    }
    printf("found %s\n", ct_repr(ct_detach(w)));
    return 0;
}
