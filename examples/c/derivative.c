/* SPDX-License-Identifier: BSD-3-Clause */
/* A custom derivative: the function rounds, so its true derivative is zero almost everywhere, but
 * it passes gradients through unchanged ("straight-through estimator"). Below it, a cube with a
 * handwritten derivative that can itself be differentiated. */
#include <corten.h>
#include <corten/autograd.h>
#include <stdio.h>

static bool pass(void *context, struct ct_derivative_call *c)
{
    (void)context;
    c->out[0] = ct_retain(c->grads[0]);
    return true;
}

static ct_tensor *rounded(ct_tensor *x)
{
    ct_tensor *y;
    {
        CT_NO_GRAD;
        y = ct_round(x);
    }
    ct_derivative d = {.name = "RoundedBackward", .backward = pass};
    return ct_with_derivative(y, CT_LIST(x), d, CT_NO_LIST);
}

static bool cube_backward(void *context, struct ct_derivative_call *c)
{
    (void)context;
    CT_SCOPE;
    ct_tensor *x = ct_node_saved(c->node, 0);
    c->out[0] = ct_retain(ct_mul(c->grads[0], ct_mul(ct_mul(x, x), 3)));
    return c->out[0] != NULL;
}

static ct_tensor *cube(ct_tensor *x)
{
    ct_tensor *y;
    {
        CT_NO_GRAD;
        y = ct_mul(ct_mul(x, x), x);
    }
    ct_derivative d = {.name = "CubeBackward", .backward = cube_backward};
    return ct_with_derivative(y, CT_LIST(x), d, CT_LIST(x)); /* x is saved for backward */
}

int main(void)
{
    ct_tensor *x = ct_requires_grad_(ct_tensor_of(float, CT_SHAPE(3), 0.25, 1.75, 2.5));
    ct_backward(ct_sum(ct_mul(rounded(x), ct_tensor_of(float, CT_SHAPE(3), 1, 2, 3))));
    printf("through the rounding: %s\n", ct_repr(ct_grad(x)));

    ct_tensor *z = ct_requires_grad_(ct_tensor_of(float, CT_SHAPE(2), 2, 3)), *y = cube(z);
    ct_print(y);
    ct_list first = ct_autograd_grad(CT_LIST(ct_sum(y)), CT_LIST(z), .create_graph = true);
    if (!first.v || !ct_backward(ct_sum(first.v[0]))) {
        fprintf(stderr, "%s: %s\n", ct_error_class(), ct_error());
        return 1;
    }
    printf("first derivative %s, second %s\n", ct_repr(ct_detach(first.v[0])), ct_repr(ct_grad(z)));
    return ct_error() != NULL;
}
