/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients from C: accumulation, views and in-place writes, saved values, hooks, long chains,
 * threads, and what happens when memory runs out. Expected numbers and texts were recorded from
 * PyTorch 2.15. Exits with 0 if all checks pass. */
#include "autograd/autograd.h"
#include "core/alloc.h"
#include "corten.h"
#include "corten/own.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "FAILED: %s (%s)\n", what, ct_error() ? ct_error() : "no error");
        failures++;
    }
    ct_clear_error();
}

/* Checks that the last error begins with a text, then clears it. */
static void check_error(const char *text, const char *what)
{
    bool ok = ct_error() && strncmp(ct_error(), text, strlen(text)) == 0;
    if (!ok)
        fprintf(stderr, "FAILED: %s: expected `%s`, got `%s`\n", what, text,
                ct_error() ? ct_error() : "nothing");
    failures += !ok;
    ct_clear_error();
}

static bool has_values(ct_tensor *t, int64_t n, const double *expected)
{
    if (!t || ct_numel(t) != n)
        return false;
    CT_SCOPE;
    ct_tensor *d = ct_double(ct_contiguous(ct_detach(t)));
    const double *v = CT_DATA(double, d);
    for (int64_t i = 0; i < n; i++)
        if (!v || fabs(v[i] - expected[i]) > 1e-6)
            return false;
    return true;
}
#define IS(t, ...)                                                                                 \
    has_values(t, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

static ct_tensor *leaf(int64_t n)
{
    return ct_requires_grad_(ct_arange(n + 1, .start = 1, .dtype = CT_FLOAT32));
}

/* ---- accumulation ---- */

static void test_accumulation(void)
{
    CT_SCOPE;
    ct_tensor *x = leaf(3);
    check(ct_backward(ct_sum(ct_mul(x, x))) && IS(ct_grad(x), 2, 4, 6), "x * x");
    ct_tensor *first = ct_grad(x);
    check(ct_backward(ct_sum(ct_mul(x, x))) && IS(ct_grad(x), 4, 8, 12), "twice");
    check(ct_grad(x) == first, "added in place");
    check(ct_backward(ct_sum(ct_mul(x, x)), .create_graph = true) && ct_grad(x) != first,
          "added out of place for a graph");
    ct_set_grad(x, CT_NO_TENSOR);
    check(!ct_grad(x), "no gradient");
    ct_tensor *g = ct_ones(CT_SHAPE(3));
    check(ct_backward(x, .gradient = g) && ct_grad(x) != g && IS(ct_grad(x), 1, 1, 1), "copied");
    /* A gradient has the strides of its leaf. */
    ct_tensor *w = ct_requires_grad_(ct_t(ct_ones(CT_SHAPE(3, 2))));
    check(ct_backward(ct_sum(ct_mul(ct_contiguous(w), 2))) && ct_stride(ct_grad(w), 1) == 2,
          "strides of the leaf");
    /* Gradients are reduced and cast to the shape and type of the argument. */
    ct_tensor *a = leaf(1), *b = ct_requires_grad_(ct_ones(CT_SHAPE(2, 3), .dtype = CT_FLOAT64));
    check(ct_backward(ct_sum(ct_mul(a, b))) && IS(ct_grad(a), 6), "summed");
    check(ct_dtype(ct_grad(a)) == CT_FLOAT32 && ct_dtype(ct_grad(b)) == CT_FLOAT64, "cast");
    ct_tensor *z = ct_requires_grad_(ct_mul(ct_ones(CT_SHAPE(2)), ct_scalar_tensor(1)));
    ct_tensor *c = ct_full(CT_SHAPE(2), 1, .dtype = CT_COMPLEX64);
    check(ct_backward(ct_sum(ct_abs(ct_mul(z, c)))) && ct_dtype(ct_grad(z)) == CT_FLOAT32,
          "a real argument gets a real gradient");
}

/* ---- errors ---- */

static void test_errors(void)
{
    CT_SCOPE;
    ct_tensor *x = leaf(2), *y = ct_sum(ct_mul(x, 2));
    check(!ct_backward(ct_mul(x, 2)), "not a scalar");
    ct_clear_error();
    ct_backward(ct_mul(x, 2));
    check_error("grad can be implicitly created only for scalar outputs", "not a scalar");
    ct_backward(ct_ones(CT_SHAPE(1)));
    check_error("element 0 of tensors does not require grad and does not have a grad_fn", "leaf");
    check(ct_backward(y), "once");
    ct_backward(y);
    check_error("Trying to backward through the graph a second time", "twice");
    ct_tensor *s = ct_sum(ct_add(x, 2));
    check(ct_backward(s) && ct_backward(s), "nothing saved, nothing freed");
    y = ct_sum(ct_exp(x));
    check(ct_backward(y, .retain_graph = true) && ct_backward(y), "retained");
    ct_add_(x, 1);
    check_error("a leaf Variable that requires grad is being used in an in-place operation.",
                "leaf");
    ct_add_(ct_narrow(x, 0, 0, 1), 1);
    check_error("a view of a leaf Variable that requires grad is being used in an in-place "
                "operation.",
                "view of a leaf");
    ct_tensor *e = ct_exp(x);
    ct_mul_(e, 2);
    ct_backward(ct_sum(e));
    check_error("one of the variables needed for gradient computation has been modified by an "
                "inplace operation: [torch.FloatTensor [2]], which is output 0 of Exp, is at "
                "version 1; expected version 0 instead. Hint:",
                "overwritten");
    ct_tensor *m = ct_mul(x, 2);
    ct_mul_(m, m);
    ct_backward(ct_sum(m));
    check_error("one of the variables needed for gradient computation has been modified by an "
                "inplace operation: [torch.FloatTensor [2]], which is output 0 of Mul, is at "
                "version 1; expected version 0 instead.",
                "overwritten by itself");
    ct_autograd_grad(CT_LIST(ct_sum(x)), CT_LIST(leaf(2)));
    check_error("The differentiated Tensor at index 0 appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior.",
                "unused");
    ct_backward(ct_mul(x, 2), .gradient = ct_ones(CT_SHAPE(3)));
    check_error("Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and output[0] "
                "has a shape of torch.Size([2]).",
                "shape of a gradient");
    ct_set_grad(x, ct_ones(CT_SHAPE(3)));
    check_error("attempting to assign a gradient of size '[3]' to a tensor of size '[2]'. Please "
                "ensure that the gradient and the tensor are the same size",
                "assigned size");
    ct_set_requires_grad(ct_mul(x, 2), false);
    check_error("you can only change requires_grad flags of leaf variables.", "non-leaf");
    ct_detach_(ct_narrow(x, 0, 0, 1));
    check_error("Can't detach views in-place. Use detach() instead.", "detach_ of a view");
}

/* ---- views and in-place writes ---- */

static void test_views(void)
{
    CT_SCOPE;
    ct_tensor *x = leaf(4), *y = ct_mul(x, 1), *v = ct_narrow(y, 0, 0, 2);
    ct_mul_(y, 2);
    check(strcmp(ct_grad_fn_str(v), "AsStridedBackward0") == 0, "a view is replayed");
    ct_mul_(v, 3);
    check(strcmp(ct_grad_fn_str(y), "CopySlices") == 0, "a write to a view rebases its base");
    check(ct_backward(ct_sum(y)) && IS(ct_grad(x), 6, 6, 2, 2), "gradient through both");
    /* Writing to a view makes a base without history require a gradient. */
    ct_tensor *b = ct_ones(CT_SHAPE(4)), *w = ct_narrow(b, 0, 1, 2), *p = leaf(2);
    ct_mul_(w, p);
    check(ct_requires_grad(b) && !ct_is_leaf(b) && ct_requires_grad(w), "history arrives");
    check(ct_backward(ct_sum(ct_mul(b, b))) && IS(ct_grad(p), 2, 4), "of what was multiplied");
    /* An in-place operation saves the old value of self. */
    ct_set_grad(x, CT_NO_TENSOR);
    ct_tensor *s = ct_mul(x, 1);
    ct_sin_(s);
    check(ct_backward(ct_sum(s)) && IS(ct_grad(x), cos(1), cos(2), cos(3), cos(4)), "sin_");
    /* Second derivatives through an in-place write on a view. */
    ct_tensor *q = ct_mul(x, 1);
    ct_exp_(ct_narrow(q, 0, 0, 2));
    ct_tensor *d = ct_autograd_grad(CT_LIST(ct_sum(q)), CT_LIST(x), .create_graph = true).v[0];
    ct_tensor *dd = ct_autograd_grad(CT_LIST(ct_sum(d)), CT_LIST(x)).v[0];
    check(IS(d, exp(1), exp(2), 1, 1) && IS(dd, exp(1), exp(2), 0, 0), "twice through a view");
    /* Overlapping windows. */
    ct_set_grad(x, CT_NO_TENSOR);
    ct_tensor *o = ct_as_strided(x, CT_SHAPE(3, 2), CT_SHAPE(1, 1));
    check(ct_backward(ct_sum(o)) && IS(ct_grad(x), 1, 2, 2, 1), "overlapping windows");
    ct_set_grad(x, CT_NO_TENSOR);
    o = ct_as_strided(x, CT_SHAPE(2, 4), CT_SHAPE(0, 1));
    check(ct_backward(ct_sum(o)) && IS(ct_grad(x), 2, 2, 2, 2), "standing still");
    ct_tensor *parts = ct_unbind(ct_mul(x, 1)).v[1];
    ct_mul_(parts, 2);
    check_error("Output 1 of Unbind is a view and is being modified inplace. This view is the "
                "output of a function that returns multiple views.",
                "several views");
    ct_tensor *quiet;
    {
        CT_NO_GRAD;
        quiet = ct_narrow(y, 0, 0, 1);
        ct_keep(quiet);
    }
    ct_mul_(quiet, 2);
    check_error("A view was created in no_grad mode and is being modified inplace with grad mode "
                "enabled.",
                "a view made under no_grad");
    check(ct_requires_grad(quiet) && ct_is_leaf(quiet), "it counts as a leaf");
    ct_tensor *c = ct_requires_grad_(ct_full(CT_SHAPE(2), 1, .dtype = CT_COMPLEX64));
    ct_tensor *k = ct_mul(c, 1), *r = ct_view_as_real(k);
    ct_mul_(r, 3);
    check(strcmp(ct_grad_fn_str(r), "ViewAsRealBackward0") == 0, "a view of another type");
    check(ct_backward(ct_sum(ct_view_as_real(k))) && ct_grad(c) &&
              IS(ct_view_as_real(ct_grad(c)), 3, 3, 3, 3),
          "complex through real");
    ct_tensor *dat = ct_scoped(ct_own_data(x)), *det = ct_detach(y);
    int64_t version = ct_version(y);
    ct_mul_(det, 1);
    check(ct_version(y) == version + 1, "detach shares the version");
    ct_mul_(dat, 1);
    check(ct_version(x) == 0 && ct_version(dat) == 1, "data has its own");
}

/* ---- hooks ---- */

static char log_text[256];

static bool say(void *context, struct ct_hook_call *c)
{
    strcat(log_text, context);
    (void)c;
    return true;
}

static bool tenfold(void *context, struct ct_hook_call *c)
{
    (void)context;
    ct_tensor *g = ct_own_mul(ct_value_tensor(c->grads[0]), ct_value_int(10));
    ct_release(c->grads[0]);
    c->grads[0] = g;
    return g != NULL;
}

static void dropped(void *context)
{
    strcat(log_text, context);
    strcat(log_text, "! ");
}

static void test_hooks(void)
{
    {
        CT_SCOPE;
        log_text[0] = 0;
        ct_tensor *x = leaf(2), *y = ct_mul(x, 2);
        ct_hook_handle *a = ct_register_hook(y, (ct_hook){say, dropped, "t1 "});
        ct_retain_grad(y);
        ct_hook_handle *b = ct_register_hook(y, (ct_hook){tenfold, NULL, NULL});
        ct_node *fn = ct_own_grad_fn(y);
        ct_hook_handle *pre = ct_node_register_prehook(fn, (ct_hook){say, NULL, "pre "});
        ct_hook_handle *post = ct_node_register_hook(fn, (ct_hook){say, NULL, "post "});
        ct_hook_handle *l = ct_register_hook(x, (ct_hook){say, NULL, "leaf "});
        ct_hook_handle *p = ct_register_post_accumulate_grad_hook(x, (ct_hook){say, NULL, "done "});
        check(ct_backward(ct_sum(y), .retain_graph = true), "with hooks");
        check(strcmp(log_text, "t1 pre post leaf done ") == 0, log_text);
        check(IS(ct_grad(y), 10, 10) && IS(ct_grad(x), 20, 20), "a hook changes the gradient");
        ct_hook_remove(a);
        check(strstr(log_text, "t1 ! ") != NULL, "a removed hook is dropped");
        log_text[0] = 0;
        check(ct_backward(ct_sum(y)) && !strstr(log_text, "t1"), "and does not run");
        ct_hook_handle_release(a);
        ct_hook_handle_release(b);
        ct_hook_handle_release(pre);
        ct_hook_handle_release(post);
        ct_hook_handle_release(l);
        ct_hook_handle_release(p);
        ct_node_release(fn);
    }
    CT_SCOPE;
    check(!ct_register_hook(ct_ones(CT_SHAPE(1)), (ct_hook){say, dropped, "none"}), "no gradient");
}

/* ---- long chains, threads ---- */

static void test_chain(void)
{
    CT_SCOPE;
    ct_tensor *x = leaf(1), *y = ct_own_mul(ct_value_tensor(x), ct_value_float(1));
    for (int i = 0; i < 150000; i++) {
        ct_tensor *next = i % 2 ? ct_own_add(ct_value_tensor(y), ct_value_int(0), ct_value_int(1))
                                : ct_own_mul(ct_value_tensor(y), ct_value_tensor(y));
        ct_release(y);
        y = next;
    }
    check(ct_own_backward(y, CT_NO_TENSOR, 1, false, CT_NO_LIST), "a chain backwards");
    ct_tensor *shortened = ct_detach(y);
    ct_release(y);
    check(IS(shortened, 1), "and released");
}

struct shared {
    ct_tensor *leaf, *root;
};

static void *many_backwards(void *argument)
{
    struct shared *s = argument;
    for (int i = 0; i < 200; i++) {
        CT_SCOPE;
        ct_backward(ct_sum(ct_mul(s->leaf, ct_exp(ct_mul(s->leaf, 0)))));
        ct_backward(s->root, .retain_graph = true);
        CT_NO_GRAD;
        if (ct_requires_grad(ct_mul(s->leaf, 2)))
            return (void *)1;
    }
    return NULL;
}

static void test_threads(void)
{
    CT_SCOPE;
    pthread_t threads[4];
    ct_tensor *x = leaf(2);
    struct shared s = {x, ct_sum(ct_mul(ct_mul(x, 1), 2))};
    for (int i = 0; i < 4; i++)
        check(pthread_create(&threads[i], NULL, many_backwards, &s) == 0, "pthread_create");
    for (int i = 0; i < 4; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        check(!bad, "grad mode belongs to the thread");
    }
    check(IS(ct_grad(x), 2400, 2400), "every gradient arrived");
    check(ct_is_grad_enabled(), "here it is on");
}

/* ---- memory ---- */

static bool everything(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_requires_grad_(ct_ones(CT_SHAPE(2, 2)));
    ct_tensor *y = ct_mul(ct_exp(x), x);
    ct_tensor *v = ct_select(y, 0, 0);
    if (!ct_mul_(v, 2) || !ct_retain_grad(y))
        return false;
    ct_tensor *l = ct_sum(ct_cat(CT_LIST(y, ct_tanh(y))));
    ct_list g = ct_autograd_grad(CT_LIST(l), CT_LIST(x), .create_graph = true);
    return g.v && ct_backward(ct_sum(g.v[0]));
}

static void test_memory(void)
{
    check(everything(), "with memory");
    for (int64_t n = 1; n < 2000; n++) {
        cti_alloc_fail_after(n);
        bool good = everything();
        bool refused = ct_error_kind() == CT_ERR_OUT_OF_MEMORY;
        cti_alloc_fail_after(0);
        if (!good && !refused) {
            check(false, "an allocation failed without saying so");
            return;
        }
        ct_clear_error();
        if (good && !refused)
            return;
    }
    check(false, "more allocations than expected");
}

/* An in-place write on a tensor with a retained gradient, or on a view of it, either happens
 * completely or not at all when an allocation fails. */
static void test_write_on_retained(void)
{
    for (int part = 0; part < 2; part++) {
        for (int64_t n = 1; n < 100; n++) {
            CT_SCOPE;
            ct_tensor *x = leaf(3), *y = ct_mul(x, 2);
            ct_retain_grad(y);
            ct_tensor *target = part ? ct_select(y, 0, 0) : y;
            ct_tensor *factor = ct_full(CT_SHAPE(1), 5);
            cti_alloc_fail_after(n);
            bool good = ct_mul_(part ? target : y, ct_select(factor, 0, 0)) != NULL;
            cti_alloc_fail_after(0);
            ct_clear_error();
            check(ct_item(ct_select(y, 0, 0)) == (good ? 10 : 2), "written, or not at all");
            check(ct_version(y) == good, "counted if written");
            check(ct_backward(ct_sum(y)), "backward");
            check(ct_grad(y) && ct_item(ct_sum(ct_grad(y))) == 3, "the gradient is kept");
            check(ct_item(ct_select(ct_grad(x), 0, 0)) == (good ? 10 : 2), "the graph fits");
            if (good)
                break;
        }
    }
}

/* Switching gradient modes on and off inside a pause, as a hook may do, does not end the pause. */
static void test_pause(void)
{
    bool was = cti_grad_pause();
    check(!cti_grad_on() && !ct_is_grad_enabled(), "a pause is seen");
    bool old = ct_set_grad_enabled(false);
    ct_set_grad_enabled(old);
    check(!cti_grad_on(), "no_grad inside a pause does not end it");
    old = ct_set_inference_mode(true);
    ct_set_inference_mode(old);
    check(!cti_grad_on(), "nor does inference mode");
    cti_grad_restore(was);
    check(cti_grad_on() && ct_is_grad_enabled(), "the pause is over");
    old = ct_set_inference_mode(true);
    cti_grad_restore(cti_grad_pause());
    check(!cti_grad_on(), "a pause does not end inference mode");
    ct_set_inference_mode(old);
}

/* Dual numbers, also with the n-th allocation failing. */
static void test_forwards(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_tensor_of(double, CT_SHAPE(2), 1, 2),
              *t = ct_tensor_of(double, CT_SHAPE(2), 3, 5);
    check(!ct_own_make_dual(x, t, false), "there is no level yet");
    check(ct_dual_enter() && !ct_dual_enter(), "one level at a time");
    ct_clear_error();
    for (int n = 0; n < 60; n++) {
        int64_t live = ct_live_count();
        ct_test_fail_alloc(n + 1);
        ct_tensor *d = ct_own_make_dual(x, t, false);
        ct_tensor *y = d ? ct_own_mul(ct_value_tensor(d), ct_value_tensor(d)) : NULL;
        ct_tensor *along = y ? ct_own_dual_tangent(y) : NULL;
        ct_test_fail_alloc(0);
        check(!along || IS(along, 6, 20), "2 x t");
        check(ct_live_count() == live, "nothing is left over");
        ct_release(d);
        ct_release(y);
        ct_release(along);
        ct_clear_error();
    }
    check(ct_dual_exit() && !ct_dual_exit(), "the level is closed");
    ct_clear_error();
}

int main(void)
{
    test_forwards();
    test_pause();
    test_accumulation();
    test_errors();
    test_views();
    test_hooks();
    test_chain();
    test_threads();
    test_memory();
    test_write_on_retained();
    if (failures == 0)
        printf("autograd: all right\n");
    return failures != 0;
}
