/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers and named lists for C programs: initial values are torch.nn's, bit for bit (recorded from
 * PyTorch 2.15 with the seeds below), failures leave no half-made network. */
#include "check.h"

#include <corten.h>
#include <math.h>

/* Nine digits are a float32. */
static bool is(ct_tensor *t, const char *at, double want)
{
    return fabs(ct_item_at(t, at) - want) < 1e-9;
}

static void test_initial_values(void)
{
    ct_params *p = ct_params_new();
    ct_manual_seed(0);
    struct ct_linear_layer fc = ct_new_linear(p, "fc", 3, 2);
    /* torch.manual_seed(0); torch.nn.Linear(3, 2) */
    CHECK(is(fc.weight, "0, 0", -0.004322518) && is(fc.weight, "1, 2", 0.154820725));
    CHECK(is(fc.bias, "1", 0.457774937));
    CHECK(ct_params_count(p) == 2 && ct_params_numel(p) == 8);
    CHECK_TEXT(ct_params_name(p, 1), "fc.bias");
    CHECK(ct_params_get(p, "fc.weight") == fc.weight && ct_requires_grad(fc.weight));
    CHECK(!ct_params_get(p, "nothing"));
    CHECK_ERROR("KeyError", "nothing");
}

static void test_forward(void)
{
    ct_params *p = ct_params_new();
    struct ct_linear_layer fc = ct_new_linear(p, "fc", 3, 2, .bias = false, .dtype = CT_FLOAT64);
    ct_tensor *x = ct_ones(CT_SHAPE(4, 3), .dtype = CT_FLOAT64);
    CHECK(fc.bias == CT_NO_TENSOR);
    CHECK(ct_allclose(ct_forward(fc, x), ct_matmul(x, ct_t(fc.weight))));
    struct ct_conv2d_layer conv =
        ct_new_conv2d(p, "conv", 2, 4, CT_DIMS(3, 1), .stride = CT_DIMS(2), .groups = 2);
    CHECK_TEXT(ct_shape_str(conv.weight), "torch.Size([4, 1, 3, 1])");
    CHECK_TEXT(ct_shape_str(ct_forward(conv, ct_ones(CT_SHAPE(1, 2, 7, 5)))),
               "torch.Size([1, 4, 3, 3])");
    struct ct_embedding_layer table = ct_new_embedding(p, "table", 5, 3);
    CHECK(ct_equal(ct_forward(table, ct_arange(2)), ct_at(table.weight, ":2")));
    CHECK(ct_params_list(p).n == 4 && !ct_error());
}

static void test_wrong_use(void)
{
    ct_params *p = ct_params_new(), *other = ct_params_new();
    ct_new_linear(p, "a", 2, 2);
    CHECK(!ct_new_linear(p, "a", 2, 2).weight);
    CHECK_ERROR("KeyError", "attribute 'a.weight' already exists");
    CHECK(!ct_new_linear(NULL, "a", 2, 2).weight);
    CHECK_ERROR("TypeError", "ct_new_linear(): the list of parameters is NULL");
    struct ct_linear_layer none = {NULL, NULL};
    CHECK(!ct_forward(none, ct_ones(CT_SHAPE(2))));
    CHECK_ERROR("TypeError", "ct_forward(): argument 'layer.weight' is NULL");
    CHECK(!ct_new_conv2d(p, "c", 3, 4, CT_DIMS(3), .groups = 2).weight);
    CHECK_ERROR("ValueError", "in_channels must be divisible by groups");
    ct_new_linear(other, "a", 2, 3);
    ct_tensor *was = ct_clone(ct_detach(ct_params_get(p, "a.weight")));
    CHECK(!ct_params_copy(p, other));
    CHECK_ERROR("RuntimeError",
                "size mismatch for a.weight: copying a param with shape [3, 2] from "
                "another list, the shape in current model is [2, 2].");
    CHECK(ct_equal(was, ct_params_get(p, "a.weight")));
    ct_params *same = ct_params_new();
    ct_new_linear(same, "a", 2, 2);
    CHECK(ct_params_copy(p, same) &&
          ct_equal(ct_params_get(p, "a.bias"), ct_params_get(same, "a.bias")));
}

/* Optimizers: memory that fails, lists that are wrong; the formulas are tests/python's. */
static void test_optimizer(void)
{
    ct_tensor *w = ct_requires_grad_(ct_ones(CT_SHAPE(3)));
    CHECK(!ct_sgd(CT_LIST(w), .lr = 0.1, .nesterov = true));
    CHECK_ERROR("ValueError", "Nesterov momentum requires a momentum and zero dampening");
    CHECK(!ct_adam(CT_LIST(ct_mul(w, 2))));
    CHECK_ERROR("ValueError", "can't optimize a non-leaf Tensor");
    ct_optim *o = ct_sgd(CT_LIST(w), .lr = 0.5);
    CHECK(ct_step(o)); /* nothing has a gradient */
    ct_backward(ct_sum(ct_mul(w, 4)));
    CHECK(fabs(ct_clip_grad_norm(CT_LIST(w), 1) - 4 * sqrt(3)) < 1e-5);
    CHECK(ct_step(o) && fabs(ct_item(ct_at(w, 0)) - (1 - 0.5 / sqrt(3))) < 1e-5);
    ct_zero_grad(o);
    CHECK(!ct_grad(w) && !ct_error());
    ct_optim_free(o);
}

int main(void)
{
    test_initial_values();
    test_forward();
    test_wrong_use();
    test_optimizer();
    return failures != 0;
}
