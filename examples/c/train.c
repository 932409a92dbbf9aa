/* SPDX-License-Identifier: BSD-3-Clause */
/* Trains a small convolutional network to tell crosses from circles, on pictures that the program
 * draws itself. The code resembles Python: layers, a loop, a loss that falls. */
#include <corten.h>
#include <stdio.h>

#define SIDE 16

struct network {
    struct ct_conv_layer conv1, conv2;
    struct ct_linear_layer fc;
};

static struct network new_network(ct_params *p)
{
    return (struct network){
        .conv1 = ct_new_conv2d(p, "conv1", 1, 8, CT_DIMS(3), .padding = CT_DIMS(1)),
        .conv2 = ct_new_conv2d(p, "conv2", 8, 16, CT_DIMS(3), .padding = CT_DIMS(1)),
        .fc = ct_new_linear(p, "fc", 16 * (SIDE / 4) * (SIDE / 4), 2),
    };
}

static ct_tensor *forward(const struct network *net, ct_tensor *x)
{
    x = ct_max_pool2d(ct_relu(ct_forward(net->conv1, x)), CT_DIMS(2));
    x = ct_max_pool2d(ct_relu(ct_forward(net->conv2, x)), CT_DIMS(2));
    return ct_forward(net->fc, ct_flatten(x, .start_dim = 1));
}

/* Draws n noisy pictures, half of them crosses (0), half circles (1). */
static ct_tensor *draw(int64_t n, ct_tensor **label)
{
    ct_tensor *at = ct_arange(SIDE, .dtype = CT_FLOAT32);
    ct_tensor *centre = ct_add(ct_mul(ct_rand(CT_SHAPE(2, n, 1, 1)), 4), 6);
    ct_tensor *dy = ct_sub(ct_view(at, CT_SHAPE(1, SIDE, 1)), ct_at(centre, 0));
    ct_tensor *dx = ct_sub(ct_view(at, CT_SHAPE(1, 1, SIDE)), ct_at(centre, 1));
    ct_tensor *radius = ct_sqrt(ct_add(ct_square(dx), ct_square(dy)));
    ct_tensor *circle = ct_lt(ct_abs(ct_sub(radius, 4)), 0.8);
    ct_tensor *cross =
        ct_logical_and(ct_lt(ct_abs(ct_sub(ct_abs(dx), ct_abs(dy))), 0.8), ct_lt(radius, 5));
    *label = ct_remainder(ct_arange(n), 2);
    ct_tensor *picked = ct_where(ct_view(ct_eq(*label, 1), CT_SHAPE(-1, 1, 1)), circle, cross);
    ct_tensor *noise = ct_mul(ct_randn(CT_SHAPE(n, SIDE, SIDE)), 0.3);
    return ct_unsqueeze(ct_add(ct_float(picked), noise), 1);
}

int main(void)
{
    ct_manual_seed(0);
    ct_params *params = ct_params_new();
    struct network net = new_network(params);
    ct_optim *optim = ct_adamw(ct_params_list(params), .lr = 3e-3);
    printf("%lld parameters\n", (long long)ct_params_numel(params));

    for (int step = 0; step <= 60; step++) {
        CT_SCOPE;
        ct_tensor *label, *x = draw(32, &label);
        ct_tensor *loss = ct_cross_entropy(forward(&net, x), label);
        ct_zero_grad(optim);
        ct_backward(loss);
        ct_clip_grad_norm(ct_params_list(params), 1.0);
        ct_step(optim);
        if (step % 20 == 0)
            printf("step %2d  loss %.3f\n", step, ct_item(loss));
    }

    CT_NO_GRAD;
    ct_tensor *label, *x = draw(200, &label);
    ct_tensor *right = ct_eq(ct_argmax(forward(&net, x), .dim = 1), label);
    double accuracy = ct_item(ct_mean(ct_float(right)));
    printf("accuracy %.2f\n", accuracy);
    if (ct_error())
        fprintf(stderr, "%s: %s\n", ct_error_location() ? ct_error_location() : "?", ct_error());
    return ct_error() || accuracy < 0.95;
}
