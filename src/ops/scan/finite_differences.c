/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements gradient, declared in difference.toml: derivatives by finite differences, for points
 * at a fixed distance or at given positions. Composed of differentiable operations. */
#include "core/alloc.h"
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "ops/front.h"
#include "ops/reduce/reduce.h"

/* The arguments of a call: distances (numbers), positions (tensors) or neither. */
struct request {
    ct_tensor *input;
    const ct_value *distance;
    ct_tensor *const *position;
    int64_t given; /* the number of distances or positions; -1: none, or one for all dims */
    ct_ints dim;   /* v NULL: all */
    int64_t edge_order;
};

static bool check_gradient(const struct request *a)
{
    const ct_tensor *t = a->input;
    bool reduced[CTI_MAX_DIMS];
    if (t->dtype == CT_UINT8)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "torch.gradient does not support uint8 input.");
    if (a->given >= 0 && !a->dim.v && a->given != t->ndim)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of "
            "length equal to 'self.dim() = %d', since dim argument was not given, but "
            "got a list of length %lld",
            t->ndim, (long long)a->given);
    if (a->given >= 0 && a->dim.v && a->given != a->dim.n)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "torch.gradient expected spacing to be unspecified, a scalar or it's spacing "
            "and dim arguments to have the same length, but got a spacing argument of "
            "length %lld and a dim argument of length %lld.",
            (long long)a->given, (long long)a->dim.n);
    if (a->edge_order != 1 && a->edge_order != 2)
        return cti_refuse(CT_ERR_RUNTIME,
                          "torch.gradient only supports edge_order=1 and edge_order=2.");
    if (!cti_mark_dims(t, a->dim, CTI_NO_DIMS, reduced))
        return false;
    for (int d = 0; d < t->ndim; d++)
        if (reduced[d] && t->shape[d] < a->edge_order + 1)
            return cti_refuse(CT_ERR_RUNTIME,
                              "torch.gradient expected each dimension size to be at "
                              "least edge_order+1");
    return true;
}

/* Returns n elements along a dim, starting at `from`, which counts from the end if negative. h owns
 * the
 * result. */
static ct_tensor *piece(struct cti_hold *h, ct_tensor *t, int d, int64_t from, int64_t n)
{
    if (!t)
        return NULL;
    return cti_hold(h, ct_own_narrow(t, d, from < 0 ? from + t->shape[d] : from, n));
}

static ct_tensor *add(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_add(V(a), V(b), ct_value_int(1)));
}

static ct_tensor *sub(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_sub(V(a), V(b), ct_value_int(1)));
}

static ct_tensor *mul(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_mul(V(a), V(b)));
}

static ct_tensor *scale_by(struct cti_hold *h, ct_tensor *a, double by)
{
    return cti_hold(h, ct_own_mul(V(a), ct_value_float(by)));
}

static ct_tensor *quotient(struct cti_hold *h, ct_tensor *a, ct_value b)
{
    return cti_hold(h, ct_own_div(V(a), b, NULL));
}

static ct_tensor *join_pieces(struct cti_hold *h, ct_tensor *first, ct_tensor *middle,
                              ct_tensor *last, int d)
{
    ct_tensor *parts[3] = {first, middle, last};
    ct_tensor *all = first && middle && last ? ct_own_cat(ct_list_of(parts, 3), d) : NULL;
    return cti_hold_end(h, all ? cti_hold(h, all) : NULL);
}

/* Computes the derivative along d for points at distance dx. The caller owns the result. */
static ct_tensor *by_distance(ct_tensor *t, int d, ct_value dx, int64_t edge_order)
{
    struct cti_hold h = {0};
    ct_tensor *first, *last;
    if (edge_order == 1) {
        first = quotient(&h, sub(&h, piece(&h, t, d, 1, 1), piece(&h, t, d, 0, 1)), dx);
        last = quotient(&h, sub(&h, piece(&h, t, d, -1, 1), piece(&h, t, d, -2, 1)), dx);
    } else {
        ct_tensor *a = scale_by(&h, piece(&h, t, d, 0, 1), -1.5);
        ct_tensor *b = scale_by(&h, piece(&h, t, d, 1, 1), 2);
        ct_tensor *c = scale_by(&h, piece(&h, t, d, 2, 1), 0.5);
        first = quotient(&h, sub(&h, add(&h, a, b), c), dx);
        a = scale_by(&h, piece(&h, t, d, -3, 1), 0.5);
        b = scale_by(&h, piece(&h, t, d, -2, 1), 2);
        c = scale_by(&h, piece(&h, t, d, -1, 1), 1.5);
        last = quotient(&h, add(&h, sub(&h, a, b), c), dx);
    }
    int64_t n = t->shape[d] - 2;
    ct_tensor *difference = sub(&h, piece(&h, t, d, 2, n), piece(&h, t, d, 0, n));
    ct_tensor *middle = quotient(&h, quotient(&h, difference, dx), ct_value_int(2));
    return join_pieces(&h, first, middle, last, d);
}

/* Computes a x + b y + c z for three neighbouring pieces x, y, z of t. h owns the result. */
static ct_tensor *three(struct cti_hold *h, ct_tensor *t, int d, int64_t from, int64_t n,
                        ct_tensor *a, ct_tensor *b, ct_tensor *c)
{
    from = from < 0 ? from + t->shape[d] : from;
    ct_tensor *x = mul(h, a, piece(h, t, d, from, n)), *y = mul(h, b, piece(h, t, d, from + 1, n));
    ct_tensor *z = mul(h, c, piece(h, t, d, from + 2, n));
    return add(h, add(h, x, y), z);
}

static ct_tensor *shaped(struct cti_hold *h, ct_tensor *t, int ndim, int d)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int i = 0; i < ndim; i++)
        shape[i] = i == d ? -1 : 1;
    return cti_hold(h, ct_own_reshape(t, ct_ints_of(shape, ndim)));
}

static ct_tensor *negative(struct cti_hold *h, ct_tensor *t)
{
    return cti_hold(h, ct_own_neg(t));
}

/* Applies the second-order formula at an end; dx and dy are the first (or last) two distances. h
 * owns the result. */
static ct_tensor *curved_end(struct cti_hold *h, ct_tensor *t, int d, ct_tensor *dx, ct_tensor *dy,
                             bool last)
{
    ct_tensor *both = add(h, dx, dy), *product = mul(h, dx, dy);
    ct_tensor *by_x = mul(h, dx, both), *by_y = mul(h, dy, both);
    ct_tensor *a, *b = quotient(h, both, V(product)), *c;
    if (last) {
        a = quotient(h, dy, V(by_x));
        b = negative(h, b);
        c = quotient(h, add(h, scale_by(h, dy, 2), dx), V(by_y));
    } else {
        a = negative(h, quotient(h, add(h, scale_by(h, dx, 2), dy), V(by_x)));
        c = negative(h, quotient(h, dx, V(by_y)));
    }
    return three(h, t, d, last ? -3 : 0, 1, a, b, c);
}

/* Computes the derivative along d for points at given positions. The caller owns the result. */
static ct_tensor *by_position(ct_tensor *t, int d, ct_tensor *position, int64_t edge_order)
{
    struct cti_hold h = {0};
    if (position->ndim != 1)
        return ct_fail(CT_ERR_RUNTIME,
                       "torch.gradient expected each element of spacing to have one dimension, but "
                       "got an element with %d dimensions!",
                       position->ndim);
    ct_tensor *step = cti_hold(&h, ct_own_diff(position, 1, 0, CT_NO_TENSOR, CT_NO_TENSOR));
    int64_t n = step ? step->numel - 1 : 0;
    ct_tensor *dx = piece(&h, step, 0, 0, n), *dy = piece(&h, step, 0, 1, n);
    ct_tensor *both = add(&h, dx, dy);
    ct_tensor *a = quotient(&h, negative(&h, dy), V(mul(&h, dx, both)));
    ct_tensor *b = quotient(&h, sub(&h, dy, dx), V(mul(&h, dx, dy)));
    ct_tensor *c = quotient(&h, dx, V(mul(&h, dy, both)));
    a = shaped(&h, a, t->ndim, d);
    b = shaped(&h, b, t->ndim, d);
    c = shaped(&h, c, t->ndim, d);
    ct_tensor *middle = three(&h, t, d, 0, t->shape[d] - 2, a, b, c), *first, *last;
    struct cti_hold ends = {0};
    if (edge_order == 1) {
        ct_tensor *begin = sub(&ends, piece(&ends, t, d, 1, 1), piece(&ends, t, d, 0, 1));
        ct_tensor *end = sub(&ends, piece(&ends, t, d, -1, 1), piece(&ends, t, d, -2, 1));
        first = quotient(&ends, begin, V(cti_hold(&ends, ct_own_select(step, 0, 0))));
        last = quotient(&ends, end, V(cti_hold(&ends, ct_own_select(step, 0, -1))));
    } else {
        struct cti_hold begin = {0}, end = {0};
        ct_tensor *x0 = cti_hold(&begin, ct_own_select(dx, 0, 0));
        ct_tensor *y0 = cti_hold(&begin, ct_own_select(dy, 0, 0));
        ct_tensor *x1 = cti_hold(&end, ct_own_select(dx, 0, -1));
        ct_tensor *y1 = cti_hold(&end, ct_own_select(dy, 0, -1));
        first = cti_hold(&ends, cti_hold_end(&begin, curved_end(&begin, t, d, x0, y0, false)));
        last = cti_hold(&ends, cti_hold_end(&end, curved_end(&end, t, d, x1, y1, true)));
    }
    ct_tensor *result = join_pieces(&h, first, middle, last, d);
    cti_hold_end(&ends, NULL);
    return result;
}

static ct_list gradients_of(const struct request *a)
{
    if (!check_gradient(a))
        return CT_NO_LIST;
    int64_t n = a->dim.v ? a->dim.n : a->input->ndim;
    ct_tensor **list = cti_calloc((size_t)n + 1, sizeof *list);
    bool good = list != NULL;
    for (int64_t i = 0; good && i < n; i++) {
        int64_t dim = a->dim.v ? a->dim.v[i] : i;
        int d = (int)(dim < 0 ? dim + a->input->ndim : dim);
        ct_value dx = a->distance ? a->distance[a->given >= 0 ? i : 0] : ct_value_int(1);
        list[i] = a->position ? by_position(a->input, d, a->position[i], a->edge_order)
                              : by_distance(a->input, d, dx, a->edge_order);
        good = list[i] != NULL;
    }
    return cti_list_take_if(list, n, good);
}

static ct_ints one_dim(const int64_t *dim)
{
    return *dim == CT_NO_DIM ? CT_NO_DIMS : ct_ints_of(dim, 1);
}

/* imag: the imaginary parts of complex distances, with CT_NO_NUMBER for real ones. */
static ct_list by_floats(ct_tensor *input, ct_floats spacing, ct_floats imag, ct_ints dim,
                         int64_t edge_order)
{
    ct_value few[CTI_MAX_DIMS];
    spacing = cti_floats_counted(spacing);
    imag = cti_floats_counted(imag);
    if (imag.v && imag.n != spacing.n) {
        ct_fail(CT_ERR_VALUE, "gradient(): spacing has %lld real and %lld imaginary parts",
                (long long)spacing.n, (long long)imag.n);
        return ct_list_of(NULL, 0);
    }
    for (int64_t i = 0; i < spacing.n && i < CTI_MAX_DIMS; i++)
        few[i] = imag.v && !ct_is_no_number(imag.v[i])
                     ? ct_value_complex_of(spacing.v[i], imag.v[i])
                     : ct_value_float(spacing.v[i]);
    return gradients_of(&(struct request){input, few, NULL, spacing.n, dim, edge_order});
}

ct_list cti_op_gradient(ct_tensor *input, ct_value spacing, int64_t dim, int64_t edge_order)
{
    const ct_value *distance = spacing.kind == CT_VALUE_NONE ? NULL : &spacing;
    return gradients_of(&(struct request){input, distance, NULL, -1, one_dim(&dim), edge_order});
}

ct_list cti_op_gradient_array(ct_tensor *input, ct_ints dim, int64_t edge_order)
{
    return gradients_of(&(struct request){input, NULL, NULL, -1, dim, edge_order});
}

ct_list cti_op_gradient_scalararray(ct_tensor *input, ct_value spacing, ct_ints dim,
                                    int64_t edge_order)
{
    return gradients_of(&(struct request){input, &spacing, NULL, -1, dim, edge_order});
}

ct_list cti_op_gradient_scalarrayint(ct_tensor *input, ct_floats spacing, ct_floats spacing_imag,
                                     int64_t dim, int64_t edge_order)
{
    return by_floats(input, spacing, spacing_imag, one_dim(&dim), edge_order);
}

ct_list cti_op_gradient_scalarrayarray(ct_tensor *input, ct_floats spacing, ct_floats spacing_imag,
                                       ct_ints dim, int64_t edge_order)
{
    return by_floats(input, spacing, spacing_imag, dim, edge_order);
}

ct_list cti_op_gradient_tensorarrayint(ct_tensor *input, ct_list spacing, int64_t dim,
                                       int64_t edge_order)
{
    return gradients_of(
        &(struct request){input, NULL, spacing.v, spacing.n, one_dim(&dim), edge_order});
}

ct_list cti_op_gradient_tensorarray(ct_tensor *input, ct_list spacing, ct_ints dim,
                                    int64_t edge_order)
{
    return gradients_of(&(struct request){input, NULL, spacing.v, spacing.n, dim, edge_order});
}
