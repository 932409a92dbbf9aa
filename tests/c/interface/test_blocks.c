/* SPDX-License-Identifier: BSD-3-Clause */
/* Block macros of the C interface: scopes that end with their braces, however control leaves them,
 * tensors passed outwards, gradient modes, separate threads, and gradients in a small loop. */
#include "../check.h"

#include <corten.h>
#include <pthread.h>

static ct_tensor *kept(ct_tensor *x)
{
    CT_SCOPE;
    ct_tensor *y = ct_mul(ct_add(x, 1), 2);
    return ct_keep(y);
}

static void test_leaving(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_ones(CT_SHAPE(2));
    int64_t before = ct_live_count();
    for (int i = 0; i < 5; i++) {
        CT_SCOPE;
        ct_neg(x);
        if (i == 1)
            continue;
        if (i == 3)
            break;
        ct_neg(x);
    }
    CHECK(ct_live_count() == before);
    ct_tensor *y = kept(x);
    CHECK(ct_live_count() == before + 1 && ct_item(ct_sum(y)) == 8);
    {
        CT_SCOPE;
        ct_neg(y);
        goto out;
    }
out:
    CHECK(ct_live_count() == before + 2); /* y, and the sum */
    ct_free(y);
    CHECK(ct_live_count() == before + 1);
}

static void test_replacing(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_zeros(CT_SHAPE(1));
    int64_t before = ct_live_count();
    for (int i = 0; i < 100; i++) {
        CT_SCOPE;
        ct_replace(&x, ct_add(x, 1));
    }
    CHECK(ct_live_count() == before && ct_item(x) == 100);
    CHECK(ct_contiguous(x) == x && ct_live_count() == before + 1); /* one reference more */
    CHECK(ct_mul_(x, 2) == x && ct_live_count() == before + 1);
}

static void test_by_hand(void)
{
    ct_scope outer = ct_scope_begin();
    ct_tensor *x = ct_zeros(CT_SHAPE(1));
    ct_scope inner = ct_scope_begin();
    ct_neg(x);
    (void)inner;
    ct_scope_end(outer); /* also ends the scopes inside it */
    CHECK(ct_live_count() == 0);
}

static void test_modes(void)
{
    CT_SCOPE;
    ct_tensor *w = ct_ones(CT_SHAPE(2), .requires_grad = true);
    {
        CT_NO_GRAD;
        CHECK(!ct_is_grad_enabled() && !ct_requires_grad(ct_mul(w, 2)));
        {
            CT_ENABLE_GRAD;
            CHECK(ct_requires_grad(ct_mul(w, 2)));
        }
        CHECK(!ct_is_grad_enabled());
    }
    CHECK(ct_is_grad_enabled());
}

static void test_descent(void)
{
    CT_SCOPE;
    ct_tensor *w = ct_zeros(CT_SHAPE(2), .requires_grad = true);
    ct_tensor *goal = ct_tensor_of(float, CT_SHAPE(2), 3, -1);
    for (int i = 0; i < 60; i++) {
        CT_SCOPE;
        ct_tensor *loss = ct_sum(ct_pow(ct_sub(w, goal), 2));
        CHECK(ct_backward(loss));
        CT_NO_GRAD;
        ct_sub_(w, ct_grad(w), .alpha = 0.2);
        ct_zero_(ct_grad(w));
    }
    CHECK(ct_allclose(w, goal, .atol = 1e-4) == 1 && !ct_error());
    CHECK(!ct_sub_(w, 1));
    CHECK_ERROR("RuntimeError",
                "a leaf Variable that requires grad is being used in an in-place operation.");
}

static void test_gradients(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_ones(CT_SHAPE(2), .requires_grad = true);
    ct_tensor *other = ct_ones(CT_SHAPE(2), .requires_grad = true);
    ct_tensor *loss = ct_sum(ct_mul(x, 3));
    CHECK(!ct_autograd_grad(CT_LIST(loss), CT_LIST(x, other), .retain_graph = true).v);
    CHECK(ct_error_kind() == CT_ERR_RUNTIME);
    ct_clear_error();
    int64_t before = ct_live_count();
    ct_list grads = ct_autograd_grad(CT_LIST(loss), CT_LIST(x, other), .allow_unused = true);
    CHECK(grads.n == 2 && ct_item(ct_sum(grads.v[0])) == 6 && !grads.v[1]);
    CHECK(ct_live_count() == before + 2); /* the gradient, and its sum */
}

static void *run_thread(void *unused)
{
    (void)unused;
    CT_NO_GRAD; /* for this thread only */
    ct_tensor *x = ct_ones(CT_SHAPE(1000));
    ct_at(x, "5000");
    bool good = ct_live_count() == 1 && ct_error_kind() == CT_ERR_INDEX && !ct_is_grad_enabled();
    return good ? (void *)1 : NULL; /* the root scope ends with the thread */
}

static void test_threads(void)
{
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, run_thread, NULL);
    for (int i = 0; i < 4; i++) {
        void *good;
        pthread_join(thread[i], &good);
        CHECK(good);
    }
    CHECK(!ct_error() && ct_live_count() == 0 && ct_is_grad_enabled());
}

int main(void)
{
    test_leaving();
    test_replacing();
    test_by_hand();
    test_modes();
    test_descent();
    test_gradients();
    test_threads();
    CHECK(!ct_error());
    return failures != 0;
}
