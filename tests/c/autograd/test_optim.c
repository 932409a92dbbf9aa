/* SPDX-License-Identifier: BSD-3-Clause */
/* A failed optimizer step changes nothing: each allocation fails in turn, or the step is
 * interrupted, with parameters of several types and memory layouts. */
#include "../check.h"

#include <corten.h>

enum { PARAMS = 5 };

static ct_optim *make(int kind, ct_list params)
{
    return kind == 0   ? ct_adamw(params, .lr = 0.1)
           : kind == 1 ? ct_sgd(params, .lr = 0.1, .momentum = 0.9)
           : kind == 2 ? ct_rmsprop(params, .lr = 0.1, .centered = true)
                       : ct_adagrad(params, .lr = 0.1);
}

static void set_gradients(ct_tensor **p)
{
    for (int i = 0; i < PARAMS; i++)
        CHECK(ct_set_grad(p[i], ct_full_like(p[i], i + 1)));
}

/* Repeats the step until it succeeds; the result must be the same as without failures. */
static void test_kind(int kind)
{
    CT_SCOPE;
    ct_tensor *p[PARAMS], *before[PARAMS];
    ct_manual_seed(1);
    for (int i = 0; i < PARAMS; i++) {
        ct_tensor *x = ct_randn(CT_SHAPE(20, 30), .dtype = i % 2 ? CT_FLOAT64 : CT_FLOAT32);
        p[i] = ct_requires_grad_(
            i < 3 ? x : ct_at(ct_expand(ct_unsqueeze(x, 0), CT_SHAPE(2, 20, 30)), "0, :, ::2"));
        before[i] = ct_clone(p[i]);
    }
    ct_optim *o = make(kind, ct_list_of(p, PARAMS));
    set_gradients(p);
    bool good = false;
    for (int64_t n = 1; !good && n < 1000; n++) {
        ct_test_fail_alloc(n);
        good = ct_step(o);
        ct_test_fail_alloc(0);
        if (good)
            break;
        CHECK(ct_error_kind() == CT_ERR_OUT_OF_MEMORY);
        ct_clear_error();
        for (int i = 0; i < PARAMS; i++)
            CHECK(ct_equal(p[i], before[i]));
    }
    CHECK(good);
    ct_tensor *once[PARAMS];
    for (int i = 0; i < PARAMS; i++) {
        CHECK(!ct_equal(p[i], before[i]));
        once[i] = ct_clone(p[i]);
        CT_NO_GRAD;
        ct_copy_(p[i], before[i]);
    }
    ct_optim *fresh = make(kind, ct_list_of(p, PARAMS));
    CHECK(ct_step(fresh));
    for (int i = 0; i < PARAMS; i++)
        CHECK(ct_equal(p[i], once[i]));
    ct_interrupt();
    CHECK(!ct_step(fresh) && ct_error_kind() == CT_ERR_INTERRUPT);
    ct_clear_error();
    for (int i = 0; i < PARAMS; i++)
        CHECK(ct_equal(p[i], once[i]));
    ct_optim_free(o);
    ct_optim_free(fresh);
}

int main(void)
{
    for (int kind = 0; kind < 4; kind++)
        test_kind(kind);
    return failures != 0;
}
