/* SPDX-License-Identifier: BSD-3-Clause */
/* Custom derivatives from C: ct_with_derivative and its steps, saved tensors, lifetime of contexts,
 * undefined gradients, failures, and results that are inputs, written inputs or constants. */
#include <corten.h>
#include <corten/autograd.h>
#include <corten/own.h>

#include "../check.h"

#include <math.h>
#include <string.h>

static int dropped;

static void count_drop(void *context)
{
    (void)context;
    dropped++;
}

static double first_of(ct_tensor *t)
{
    CT_SCOPE;
    return t ? ct_item(ct_sum(t)) : NAN;
}

/* grad * context * saved[0] for the first input */
static bool times_saved(void *context, struct ct_derivative_call *c)
{
    CT_SCOPE;
    ct_tensor *x = ct_node_saved(c->node, 0);
    if (c->wanted[0])
        c->out[0] = ct_retain(ct_mul(ct_mul(c->grads[0], x), *(double *)context));
    return !c->wanted[0] || c->out[0];
}

static ct_tensor *square(ct_tensor *x, double *factor)
{
    ct_tensor *y;
    {
        CT_NO_GRAD;
        y = ct_mul(x, x);
    }
    ct_derivative d = {"SquareBackward", times_saved, count_drop, factor, false};
    return ct_with_derivative(y, CT_LIST(x), d, CT_LIST(x));
}

static void test_simple(void)
{
    double two = 2;
    dropped = 0;
    {
        CT_SCOPE;
        ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(2), 3.0));
        ct_tensor *y = square(x, &two);
        ct_node *fn = ct_own_grad_fn(y);
        CHECK(fn && strcmp(ct_node_name(fn), "SquareBackward") == 0);
        CHECK(ct_node_saved_count(fn) == 1 && ct_node_saved(fn, 0) == x);
        ct_node_release(fn);
        CHECK(strstr(ct_repr(y), "grad_fn=<SquareBackward>"));
        CHECK(ct_backward(ct_sum(y), .retain_graph = true) && first_of(ct_grad(x)) == 12);
        CHECK(ct_backward(ct_sum(y)) && first_of(ct_grad(x)) == 24);
        CHECK(!ct_backward(ct_sum(y)));
        CHECK(ct_error() && strncmp(ct_error(), "Trying to backward", 18) == 0);
        ct_clear_error();
        CHECK(dropped == 0);
    }
    CHECK(dropped == 1);
}

static void test_second_derivative(void)
{
    CT_SCOPE;
    double two = 2;
    ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(2), 3.0));
    ct_list g =
        ct_autograd_grad(CT_LIST(ct_sum(square(x, &two))), CT_LIST(x), .create_graph = true);
    CHECK(g.v && ct_backward(ct_sum(ct_mul(g.v[0], g.v[0]))));
    CHECK(first_of(ct_grad(x)) == 48); /* the derivative of (2x)^2 is 8x; both elements are equal */
}

static void test_unrecorded(void)
{
    CT_SCOPE;
    double two = 2;
    dropped = 0;
    ct_tensor *x = ct_full(CT_SHAPE(2), 3.0);
    CHECK(!ct_requires_grad(square(x, &two)) && dropped == 1);
    CHECK(!square(NULL, &two) && dropped == 2);
    ct_requires_grad_(x);
    ct_derivative d = {"SameBackward", times_saved, count_drop, &two, false};
    CHECK(!ct_with_derivative(x, CT_LIST(x), d, CT_NO_LIST) && ct_error() && dropped == 3);
    ct_clear_error();
}

static void test_overwritten(void)
{
    CT_SCOPE;
    double two = 2;
    ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(2), 3.0)), *w = ct_mul(x, 1);
    ct_tensor *y = square(w, &two);
    ct_mul_(w, 2);
    CHECK(!ct_backward(ct_sum(y)));
    CHECK(ct_error() && strstr(ct_error(), "which is output 0 of Mul, is at version 1"));
    ct_clear_error();
}

/* ---- the steps ---- */

struct seen {
    bool given[2];
    bool fails;
};

static bool look(void *context, struct ct_derivative_call *c)
{
    struct seen *seen = context;
    if (seen->fails)
        return ct_fail(CT_ERR_VALUE, "no derivative today") != NULL;
    for (int64_t k = 0; k < c->n && k < 2; k++)
        seen->given[k] = c->grads[k] != NULL;
    c->out[0] = ct_retain(c->grads[0]);
    return true;
}

static ct_node *two_results(struct seen *seen, ct_tensor *x, ct_tensor **results, uint8_t *marks,
                            bool undefined)
{
    ct_derivative d = {"TwoBackward", look, NULL, seen, undefined};
    ct_node *n = ct_own_node(d, CT_LIST(x));
    bool old = ct_set_grad_enabled(false);
    results[0] = ct_own_mul(ct_value_tensor(x), ct_value_int(2));
    results[1] = ct_own_mul(ct_value_tensor(x), ct_value_int(3));
    ct_set_grad_enabled(old);
    CHECK(n && ct_node_tie(n, CT_LIST(x), results, marks, 2));
    return n;
}

static void test_several(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(2), 3.0)), *r[2];
    struct seen seen = {0};
    for (int undefined = 0; undefined < 2; undefined++) {
        ct_node *n = two_results(&seen, x, r, NULL, undefined);
        CHECK(ct_requires_grad(r[0]) && ct_requires_grad(r[1]) && ct_output_nr(r[1]) == 1);
        CHECK(ct_backward(ct_sum(r[0])) && seen.given[0] && seen.given[1] == !undefined);
        ct_node_release(n);
        ct_release(r[0]);
        ct_release(r[1]);
    }
    ct_node *n = two_results(&seen, x, r, (uint8_t[]){0, CT_RESULT_CONSTANT}, false);
    CHECK(ct_requires_grad(r[0]) && !ct_requires_grad(r[1]));
    seen.fails = true;
    CHECK(!ct_backward(ct_sum(r[0])) && ct_error_kind() == CT_ERR_VALUE);
    CHECK(strcmp(ct_error(), "no derivative today") == 0);
    ct_clear_error();
    ct_node_release(n);
    ct_release(r[0]);
    ct_release(r[1]);
}

static void test_inputs_as_results(void)
{
    CT_SCOPE;
    struct seen seen = {0};
    ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(2), 3.0)), *w = ct_mul(x, 1);
    ct_derivative d = {"LookBackward", look, NULL, &seen, false};
    ct_node *n = ct_own_node(d, CT_LIST(w));
    ct_tensor *r = ct_retain(w);
    CHECK(ct_node_tie(n, CT_LIST(w), &r, NULL, 1) && r != w && ct_base_of(r) == w);
    CHECK(!ct_add_(r, 1) && strstr(ct_error(), "created inside a custom Function"));
    ct_clear_error();
    ct_node_release(n);
    ct_release(r);

    n = ct_own_node(d, CT_LIST(w));
    r = ct_retain(w);
    CHECK(ct_node_tie(n, CT_LIST(w), &r, (uint8_t[]){CT_RESULT_WRITTEN}, 1) && r == w);
    ct_node *fn = ct_own_grad_fn(w);
    CHECK(fn == n && ct_backward(ct_sum(w)) && first_of(ct_grad(x)) == 2);
    ct_node_release(fn);
    ct_node_release(n);
    ct_release(r);

    n = ct_own_node(d, CT_LIST(x));
    r = ct_retain(x);
    CHECK(!ct_node_tie(n, CT_LIST(x), &r, (uint8_t[]){CT_RESULT_WRITTEN}, 1));
    CHECK(ct_error() && strncmp(ct_error(), "a leaf Variable", 15) == 0);
    ct_clear_error();
    ct_node_release(n);
    ct_release(r);
}

/* ---- packers: the caller keeps the saved tensors ---- */

struct packs {
    int packed, unpacked, dropped, ended;
};
static struct packs packs;

static void *pack(void *context, ct_tensor *t)
{
    ((struct packs *)context)->packed++;
    return ct_own_clone(t, CT_PRESERVE_FORMAT);
}

static ct_tensor *unpack(void *packed)
{
    packs.unpacked++;
    return ct_retain(packed);
}

static void drop_packed(void *packed)
{
    packs.dropped++;
    ct_release(packed);
}

static void end_packs(void *context)
{
    ((struct packs *)context)->ended++;
}

static void test_packer(void)
{
    CT_SCOPE;
    packs = (struct packs){0};
    ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(2), 3.0));
    CHECK(ct_push_packer((ct_packer){pack, unpack, drop_packed, end_packs, &packs}));
    ct_tensor *y = ct_mul(x, x), *w = ct_mul(y, 1);
    ct_pop_packer();
    CHECK(packs.packed == 2 && packs.ended == 1);
    ct_mul_(w, 2);
    CHECK(ct_backward(ct_sum(y)) && first_of(ct_grad(x)) == 12);
    CHECK(packs.unpacked == 2 && packs.dropped == 2);
    ct_pop_packer(); /* no packer is left: does nothing */
}

static void test_edge(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(2), 3.0)), *y = ct_mul(x, x);
    int64_t nr = -1;
    ct_node *node = ct_own_gradient_edge(y, &nr);
    ct_tensor *edge = ct_scoped(ct_own_edge_tensor(node, nr));
    ct_list g = ct_autograd_grad(CT_LIST(ct_sum(ct_mul(y, 5))), CT_LIST(edge));
    CHECK(g.v && first_of(g.v[0]) == 10);
    CHECK(!ct_own_edge_tensor(node, 1) && ct_error_kind() == CT_ERR_INDEX);
    ct_clear_error();
    ct_node_release(node);
}

static void test_anomaly(void)
{
    CT_SCOPE;
    ct_set_anomaly_enabled(true, true);
    ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(1), -1.0));
    CHECK(!ct_backward(ct_sqrt(x)));
    CHECK_ERROR("RuntimeError", "Function 'SqrtBackward0' returned nan values in its 0th output.");
    ct_set_anomaly_enabled(false, true);
    CHECK(ct_backward(ct_sqrt(x)));
}

/* ---- failing allocations ---- */

static void test_no_memory(void)
{
    double two = 2;
    bool done = false;
    for (int64_t k = 1; k < 200 && !done; k++) {
        CT_SCOPE;
        ct_tensor *x = ct_requires_grad_(ct_full(CT_SHAPE(2), 3.0));
        dropped = 0;
        ct_test_fail_alloc(k);
        {
            CT_SCOPE;
            ct_push_packer((ct_packer){pack, unpack, drop_packed, NULL, &packs});
            ct_tensor *y = square(x, &two);
            done = y && ct_backward(ct_sum(ct_mul(y, y)));
            ct_pop_packer();
        }
        ct_test_fail_alloc(0);
        CHECK(dropped <= 1);
        ct_clear_error();
    }
    CHECK(done);
}

/* ---- ct_gradcheck ---- */

static ct_tensor *bent(ct_list in, void *context)
{
    double *power = context;
    ct_tensor *y = ct_mul(ct_tanh(in.v[0]), ct_pow(in.v[1], *power));
    return ct_matmul(y, ct_t(in.v[0]));
}

static ct_tensor *turned(ct_list in, void *context)
{
    (void)context;
    return ct_mul(ct_exp(in.v[0]), ct_conj(in.v[0]));
}

static ct_tensor *squared_wrong(ct_list in, void *context)
{
    (void)context;
    return ct_mul(in.v[0], ct_detach(in.v[0])); /* half of its derivative */
}

static ct_tensor *fails(ct_list in, void *context)
{
    return context ? ct_matmul(in.v[0], in.v[0]) : NULL;
}

static void test_gradcheck(void)
{
    double power = 1.5;
    ct_manual_seed(1);
    ct_tensor *x = ct_requires_grad_(ct_randn(CT_SHAPE(2, 3), .dtype = CT_FLOAT64));
    ct_tensor *y = ct_requires_grad_(ct_rand(CT_SHAPE(2, 1), .dtype = CT_FLOAT64));
    int64_t live = ct_live_count();
    CHECK(ct_gradcheck(bent, CT_LIST(x, y), .context = &power) && !ct_error());
    ct_tensor *z = ct_requires_grad_(ct_randn(CT_SHAPE(4), .dtype = CT_COMPLEX128));
    CHECK(ct_gradcheck(turned, CT_LIST(z)) && !ct_error() && ct_live_count() <= live + 8);
    CHECK(!ct_gradcheck(squared_wrong,
                        CT_LIST(ct_requires_grad_(ct_full(CT_SHAPE(1), 3., .dtype = CT_FLOAT64)))));
    CHECK(ct_error() && strstr(ct_error(), "ct_gradcheck(): element 0 of input 0: backward gives "
                                           "1.62091, differences of the function give 3.24181"));
    CHECK_TEXT(ct_error_class(), "RuntimeError");
    CHECK(ct_error_location() && strstr(ct_error_location(), "ct_gradcheck"));
    ct_clear_error();
    CHECK(!ct_gradcheck(turned, CT_LIST(ct_detach(z))));
    CHECK(ct_error_kind() == CT_ERR_VALUE);
    ct_clear_error();
    CHECK(!ct_gradcheck(fails, CT_LIST(x), .context = x));
    CHECK_ERROR("RuntimeError", "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
    CHECK(!ct_gradcheck(fails, CT_LIST(x)) && !ct_gradcheck(NULL, CT_LIST(x)));
    CHECK_ERROR("RuntimeError", "ct_gradcheck(): the function returned NULL");
    CHECK(ct_is_grad_enabled());
}

int main(void)
{
    test_gradcheck();
    test_simple();
    test_second_derivative();
    test_unrecorded();
    test_overwritten();
    test_several();
    test_inputs_as_results();
    test_packer();
    test_edge();
    test_anomaly();
    test_no_memory();
    return failures != 0;
}
