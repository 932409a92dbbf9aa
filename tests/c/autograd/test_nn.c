/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers and named lists for C programs: initial values are torch.nn's, bit for bit (recorded from
 * PyTorch 2.15 with the seeds below), failures leave no partly constructed network. */
#include "../check.h"

#include <corten.h>
#include <math.h>
#include <stdio.h>

/* Nine significant digits identify a float32. */
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
    struct ct_conv_layer conv =
        ct_new_conv2d(p, "conv", 2, 4, CT_DIMS(3, 1), .stride = CT_DIMS(2), .groups = 2);
    CHECK_TEXT(ct_shape_str(conv.weight), "torch.Size([4, 1, 3, 1])");
    CHECK_TEXT(ct_shape_str(ct_forward(conv, ct_ones(CT_SHAPE(1, 2, 7, 5)))),
               "torch.Size([1, 4, 3, 3])");
    struct ct_embedding_layer table = ct_new_embedding(p, "table", 5, 3);
    CHECK(ct_equal(ct_forward(table, ct_arange(2)), ct_at(table.weight, ":2")));
    CHECK(ct_params_list(p).n == 4 && !ct_error());
}

static bool near(ct_tensor *t, const char *at, double want)
{
    return fabs(ct_item_at(t, at) - want) < 2e-6;
}

/* Values of torch.nn's layers with these seeds, PyTorch 2.15. */
static void test_convolutions(void)
{
    ct_params *p = ct_params_new();
    ct_manual_seed(2);
    struct ct_conv_layer one =
        ct_new_conv1d(p, "one", 2, 4, CT_DIMS(3), .padding = CT_DIMS(1), .groups = 2);
    struct ct_conv_layer three =
        ct_new_conv3d(p, "three", 1, 2, CT_DIMS(1, 2, 3), .stride = CT_DIMS(1, 1, 2));
    CHECK(is(one.weight, "3, 0, 2", 0.038369466) && is(one.bias, "0", -0.126958370));
    CHECK(is(three.weight, "1, 0, 0, 1, 2", -0.228597328));
    ct_tensor *x = ct_view(ct_arange(12, .dtype = CT_FLOAT32), CT_SHAPE(1, 1, 1, 3, 4));
    CHECK(near(ct_forward(three, x), "0, 1, 0, 1, 0", -0.715112686));
    CHECK_TEXT(ct_shape_str(ct_forward(one, ct_ones(CT_SHAPE(5, 2, 7)))), "torch.Size([5, 4, 7])");
    CHECK(!ct_new_conv3d(p, "bad", 1, 2, CT_DIMS(1, 2)).weight);
    CHECK_ERROR("RuntimeError", "ct_new_conv3d(): kernel_size has one number or 3");
}

static void test_norms(void)
{
    ct_params *p = ct_params_new();
    struct ct_batch_norm_layer bn = ct_new_batch_norm(p, "bn", 2);
    struct ct_layer_norm_layer ln = ct_new_layer_norm(p, "ln", CT_DIMS(3));
    struct ct_dropout_layer drop = ct_new_dropout(p, 0.5);
    ct_tensor *x = ct_view(ct_arange(8, .dtype = CT_FLOAT32), CT_SHAPE(2, 2, 2, 1));
    CHECK(ct_params_count(p) == 7 && ct_params_list(p).n == 4 && ct_params_is_training(p));
    CHECK(near(ct_forward(bn, x), "1, 1, 1, 0", 1.212676764));
    CHECK(near(bn.running_mean, "1", 0.45) && near(bn.running_var, "0", 1.466666579));
    CHECK(ct_item(bn.num_batches_tracked) == 1);
    CHECK(!ct_forward(bn, ct_ones(CT_SHAPE(1, 2))));
    CHECK_ERROR("ValueError", "Expected more than 1 value per channel when training, got input "
                              "size torch.Size([1, 2])");
    CHECK(near(ct_forward(ln, ct_tensor_of(float, CT_SHAPE(3), 1, 2, 4)), "2", 1.336301804));
    ct_manual_seed(3);
    CHECK_TEXT(ct_repr(ct_forward(drop, ct_ones(CT_SHAPE(8)))),
               "tensor([2., 2., 0., 2., 0., 0., 2., 2.])");
    ct_params_train(p, false);
    CHECK(near(ct_forward(bn, x), "1, 1, 1, 0", 5.408466339));
    CHECK(ct_item(bn.num_batches_tracked) == 1);
    CHECK(ct_equal(ct_forward(drop, x), x));
}

static void test_lstm(void)
{
    ct_params *p = ct_params_new();
    ct_manual_seed(0);
    struct ct_lstm_layer l = ct_new_lstm(p, "rnn", 3, 2, .num_layers = 2, .bidirectional = true);
    ct_tensor *x = ct_div(ct_view(ct_arange(24, .dtype = CT_FLOAT32), CT_SHAPE(4, 2, 3)), 10);
    CHECK_TEXT(ct_params_name(p, 5), "rnn.weight_hh_l0_reverse");
    CHECK(is(ct_params_at(p, 0), "0, 0", -0.005293981));
    CHECK(is(ct_params_get(p, "rnn.bias_hh_l1_reverse"), "7", 0.207976148));
    struct ct_lstm_states all = ct_run_lstm(l, x, CT_NO_TENSOR, CT_NO_TENSOR);
    CHECK(near(all.output, "3, 1, 0", 0.082438745) && near(all.output, "0, 0, 3", -0.316893131));
    CHECK(near(all.h, "3, 1, 1", -0.308560073) && near(all.c, "0, 0, 0", -0.892239630));
    CHECK(ct_equal(ct_forward(l, x), all.output));
    struct ct_lstm_states next = ct_run_lstm(l, x, all.h, all.c);
    CHECK(next.output && !ct_equal(next.output, all.output));
    CHECK(ct_backward(ct_sum(next.output)) && ct_grad(ct_params_at(p, 3)));
    CHECK(!ct_new_lstm(p, "none", 3, 0).params);
    CHECK_ERROR("ValueError", "hidden_size must be greater than zero");
}

static void test_attention(void)
{
    ct_params *p = ct_params_new();
    ct_manual_seed(1);
    struct ct_attention_layer l = ct_new_attention(p, "att", 4, 2);
    ct_tensor *x = ct_div(ct_view(ct_arange(24, .dtype = CT_FLOAT32), CT_SHAPE(2, 3, 4)), 10);
    CHECK(is(l.in_proj_weight, "0, 0", -0.228051335) && is(l.in_proj_weight, "11, 3", 0.089441583));
    CHECK(is(l.out_proj.weight, "3, 3", -0.045013666) && ct_item(ct_sum(l.out_proj.bias)) == 0);
    CHECK_TEXT(ct_params_name(p, 2), "att.out_proj.weight");
    ct_tensor *y = ct_forward(l, x);
    CHECK(near(y, "0, 0, 0", 0.071930513) && near(y, "1, 2, 3", 0.326507777));
    y = ct_attend(l, x, x, x, .is_causal = true);
    CHECK(near(y, "0, 0, 0", 0.022029839) && near(y, "1, 1, 2", 0.337221354));
    CHECK(!ct_new_attention(p, "odd", 5, 2).in_proj_weight);
    CHECK_ERROR("ValueError", "embed_dim must be divisible by num_heads");
    CHECK(!ct_forward(l, ct_ones(CT_SHAPE(3, 4))));
    CHECK_ERROR("RuntimeError",
                "ct_attend(): query is (batch, length, width), not torch.Size([3, 4])");
}

static void test_files(void)
{
    ct_params *p = ct_params_new(), *other = ct_params_new();
    ct_new_linear(p, "a", 2, 2);
    ct_new_batch_norm(p, "b", 2);
    ct_new_linear(other, "a", 2, 2);
    CHECK(ct_save(ct_params_dict(p), "test_nn.pt"));
    ct_new_batch_norm(other, "b", 2);
    CHECK(ct_params_load(other, ct_load_dict("test_nn.pt")));
    CHECK(ct_equal(ct_params_get(p, "a.weight"), ct_params_get(other, "a.weight")));
    ct_params *few = ct_params_new();
    ct_new_linear(few, "a", 2, 2);
    ct_tensor *was = ct_clone(ct_detach(ct_params_at(few, 0)));
    CHECK(!ct_params_load(few, ct_load_dict("test_nn.pt")));
    CHECK_ERROR("RuntimeError", "Unexpected key: \"b.weight\"");
    CHECK(ct_equal(was, ct_params_at(few, 0)));
    CHECK(!ct_params_load(few, ct_load_dict("nowhere.pt")));
    CHECK(ct_error() != NULL);
    ct_clear_error();
    CHECK(ct_params_to(p, ct_device("meta")) && ct_device_of(ct_params_at(p, 0)).type == CT_META);
    remove("test_nn.pt");
}

/* Making and applying a network with the n-th allocation failing gives an error and leaks nothing.
 */
static ct_tensor *try_network(ct_params *p)
{
    ct_tensor *x =
        ct_forward(ct_new_embedding(p, "table", 7, 8), ct_view(ct_arange(6), CT_SHAPE(2, 3)));
    x = ct_forward(ct_new_lstm(p, "lstm", 8, 4, .bidirectional = true, .batch_first = true), x);
    x = ct_forward(ct_new_attention(p, "att", 8, 2), x);
    x = ct_forward(ct_new_layer_norm(p, "ln", CT_DIMS(8)), x);
    x = ct_forward(ct_new_conv1d(p, "conv", 3, 2, CT_DIMS(3)), x);
    x = ct_forward(ct_new_batch_norm(p, "bn", 2), x);
    return ct_forward(ct_new_dropout(p, 0.1), ct_forward(ct_new_linear(p, "fc", 6, 1), x));
}

static void test_memory_that_fails(void)
{
    bool done = false;
    for (int64_t n = 1; !done && n < 2000; n += n < 40 ? 1 : 3) {
        CT_SCOPE;
        ct_test_fail_alloc(n);
        ct_params *p = ct_params_new();
        ct_tensor *y = p ? try_network(p) : NULL;
        ct_test_fail_alloc(0);
        CHECK(y || ct_error());
        done = y != NULL;
        ct_clear_error();
    }
    CHECK(done);
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

/* Optimizers: failing allocations and invalid lists. tests/python tests the formulas. */
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
    test_convolutions();
    test_norms();
    test_lstm();
    test_attention();
    test_files();
    test_memory_that_fails();
    test_wrong_use();
    test_optimizer();
    return failures != 0;
}
