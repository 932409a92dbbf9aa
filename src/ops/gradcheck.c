/* SPDX-License-Identifier: BSD-3-Clause */
/* ct_gradcheck: compares backward with finite differences, for C programs. The code
 * uses scopes and the public operations of ops.h, as these programs do. Instead of a Jacobian it
 * differentiates one weighted sum of all results; the weights differ, so that errors cannot cancel
 * in the sum. */
#include "corten.h"

#include "core/alloc.h"
#include "core/check_args.h"
#include "core/note.h"
#include "core/value.h"
#include "ops/front.h"

#include <math.h>
#include <stdlib.h>

struct check {
    ct_function f;
    struct ct_gradcheck_args a;
    ct_tensor **input, **grad; /* copies of the inputs; their gradients or NULL */
    int64_t n;
};

/* The sum of Re(x_i) cos(i + 1), and of Im(x_i) sin(i + 1) if complex. */
static ct_tensor *weighted(ct_tensor *result)
{
    ct_tensor *flat = ct_reshape(result, CT_SHAPE(-1));
    ct_tensor *position =
        ct_arange(ct_numel(result), .dtype = CT_FLOAT64, .device = ct_device_of(result));
    ct_tensor *angle = ct_add(position, 1);
    if (!ct_dtype_is_complex(ct_dtype(result)))
        return ct_sum(ct_mul(flat, ct_cos(angle)));
    return ct_sum(
        ct_add(ct_mul(ct_real(flat), ct_cos(angle)), ct_mul(ct_imag(flat), ct_sin(angle))));
}

static ct_tensor *loss_of(const struct check *c)
{
    ct_tensor *result = c->f(ct_list_of(c->input, c->n), c->a.context);
    if (!result && !ct_error())
        return ct_fail(CT_ERR_RUNTIME, "ct_gradcheck(): the function returned NULL");
    return weighted(result);
}

/* The loss after adding `step` to one element; NaN and an error on failure. */
static double loss_beside(const struct check *c, int64_t which, int64_t element, ct_value step)
{
    CT_SCOPE;
    CT_NO_GRAD;
    ct_tensor *original = c->input[which],
              *shifted = ct_clone(ct_detach(original), .memory_format = CT_CONTIGUOUS_FORMAT);
    ct_add_(ct_at(ct_view(shifted, CT_SHAPE(-1)), element), step);
    c->input[which] = shifted;
    double loss = shifted && !ct_error() ? ct_item(loss_of(c)) : NAN;
    c->input[which] = original;
    return loss;
}

/* Compares one real component of the gradient: an element's real or imaginary part. */
static bool check_part(const struct check *c, ct_tensor *grad, int64_t which, int64_t element,
                       bool imaginary)
{
    double h = c->a.eps;
    ct_value ahead = imaginary ? ct_value_complex_of(0, h) : ct_value_float(h);
    ct_value back = imaginary ? ct_value_complex_of(0, -h) : ct_value_float(-h);
    double plus = loss_beside(c, which, element, ahead);
    double minus = loss_beside(c, which, element, back), want = (plus - minus) / (2 * h);
    bool complex = ct_dtype_is_complex(ct_dtype(c->input[which]));
    double got = 0;
    if (grad)
        got = complex ? ct_item_at(grad, element, (int)imaginary) : ct_item_at(grad, element);
    if (ct_error())
        return false;
    if (fabs(got - want) <= c->a.atol + c->a.rtol * fabs(want))
        return true;
    ct_fail(CT_ERR_RUNTIME,
            "ct_gradcheck(): element %lld of input %lld%s: backward gives %g, differences of the "
            "function give %g",
            (long long)element, (long long)which, imaginary ? ", its imaginary part" : "", got,
            want);
    cti_note("of a weighted sum of all results; float32 is too coarse for differences this small");
    return false;
}

static bool gradcheck_input(const struct check *c, int64_t which)
{
    CT_SCOPE;
    ct_tensor *x = c->input[which], *grad = c->grad[which];
    bool complex = ct_dtype_is_complex(ct_dtype(x));
    if (grad)
        grad = ct_reshape(grad, CT_SHAPE(-1));
    if (grad && complex)
        grad = ct_view_as_real(ct_resolve_conj(grad));
    for (int64_t i = 0; i < ct_numel(x); i++)
        if (!check_part(c, grad, which, i, false) ||
            (complex && !check_part(c, grad, which, i, true)))
            return false;
    return !ct_error();
}

/* Detached copies of the inputs. Returns how many require a gradient; -1: failed. */
static int64_t copy_inputs(struct check *c, ct_list inputs)
{
    int64_t wanted = 0;
    for (int64_t i = 0; i < c->n; i++) {
        c->input[i] = ct_clone(ct_detach(inputs.v[i]));
        if (ct_requires_grad(inputs.v[i]))
            wanted += ct_requires_grad_(c->input[i]) != NULL;
    }
    return ct_error() ? -1 : wanted;
}

/* Computes the gradients of the loss; they join the scope. */
static bool differentiate(struct check *c)
{
    ct_tensor *loss = loss_of(c);
    if (!loss || !ct_requires_grad(loss))
        return loss != NULL;
    for (int64_t i = 0; i < c->n; i++) {
        if (!ct_requires_grad(c->input[i]))
            continue;
        ct_tensor *one = NULL;
        if (!ct_autograd_gradients(CT_LIST(loss), CT_LIST(c->input[i]), CT_NO_LIST, true, false,
                                   true, &one))
            return false;
        c->grad[i] = one ? ct_scoped(one) : NULL;
    }
    return !ct_error();
}

bool ct_gradcheck_ex(ct_function f, ct_list inputs, const struct ct_gradcheck_args *args)
{
    struct check c = {.f = f, .a = ct_gradcheck_defaults};
    cti_keywords_copy(&c.a, sizeof c.a, args);
    if (!f)
        return ct_fail(CT_ERR_TYPE, "ct_gradcheck(): the function is NULL") != NULL;
    if (!cti_check_list(&inputs, "ct_gradcheck", "inputs"))
        return false;
    c.n = inputs.n;
    ct_tensor **tensors = cti_calloc((size_t)c.n, 2 * sizeof *tensors);
    if (!tensors)
        return false;
    c.input = tensors, c.grad = tensors + c.n;
    ct_scope scope = ct_scope_begin();
    bool recorded = ct_set_grad_enabled(true);
    int64_t wanted = copy_inputs(&c, inputs);
    if (wanted == 0)
        ct_fail(CT_ERR_VALUE, "gradcheck expects at least one input tensor to require gradient, "
                              "but none of the them have requires_grad=True.");
    bool good = wanted > 0 && differentiate(&c);
    for (int64_t i = 0; good && i < c.n; i++)
        good = !ct_requires_grad(c.input[i]) || gradcheck_input(&c, i);
    ct_set_grad_enabled(recorded);
    ct_scope_end(scope);
    cti_free(tensors);
    return good;
}
