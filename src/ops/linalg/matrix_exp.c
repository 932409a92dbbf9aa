/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix exponential by Taylor polynomials of degree 1, 2, 4, 8, 12 and 18, each evaluated with
 * the fewest products and used only for norms at which it is accurate to rounding; larger norms by
 * scaling and squaring (P. Bader, S. Blanes, F. Casas, Computing the Matrix Exponential with an
 * Optimized Taylor Polynomial Approximation, Mathematics 7, 2019). The derivative is in
 * autograd/derivatives/linalg/eigen.c. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

#include <math.h>
#include <string.h>

enum { DEGREES = 6 };

/* The largest 1-norm for which each degree is accurate, in float32 and float64 (table 2). */
static const double reach[2][DEGREES] = {
    {1.192092800768788e-07, 5.978858893805233e-04, 5.116619363445086e-02, 5.800524627688768e-01,
     1.461661507209034e+00, 3.010066362817634e+00},
    {2.220446049250313e-16, 2.580956802971767e-08, 3.397168839976962e-04, 4.991228871115323e-02,
     2.996158913811580e-01, 1.090863719290036e+00}};

/* ---- polynomials of a batch of matrices ---- */

/* c[0] p[0] + c[1] p[1] + ..., skipping terms with c = 0. h owns this result and all results
 * below. */
static ct_tensor *combine_powers(struct cti_hold *h, ct_tensor *const *p, const double *c, int n)
{
    ct_tensor *sum = NULL;
    for (int i = 0; i < n; i++) {
        if (c[i] == 0)
            continue;
        ct_value factor = ct_value_float(c[i]);
        sum = cti_hold(h, sum ? ct_own_add(V(sum), V(p[i]), factor) : ct_own_mul(V(p[i]), factor));
        if (!sum)
            return NULL;
    }
    return sum;
}

static ct_tensor *matrix_product(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_matmul(a, b));
}

static ct_tensor *sum(struct cti_hold *h, ct_tensor *a, ct_tensor *b)
{
    return cti_hold(h, ct_own_add(V(a), V(b), ct_value_int(1)));
}

static ct_tensor *degree_4(struct cti_hold *h, ct_tensor *const *p)
{
    static const double tail[] = {1. / 2, 1. / 6, 1. / 24}, ones[] = {1, 1, 1};
    ct_tensor *high = matrix_product(h, p[2], combine_powers(h, p, tail, 3));
    return high ? combine_powers(h, (ct_tensor *[]){p[0], p[1], high}, ones, 3) : NULL;
}

static ct_tensor *degree_8(struct cti_hold *h, ct_tensor *const *p)
{
    static const double root = 13.30413469565007072504; /* sqrt(177) */
    const double x3 = 2. / 3, x1 = x3 * ((1 + root) / 88), x2 = x3 * ((1 + root) / 352);
    const double first[] = {0, x1, x2}, second[] = {x3, 1};
    const double third[] = {(-271 + 29 * root) / (315 * x3), (-11 + 11 * root) / (1260 * x3),
                            (-99 + 11 * root) / (5040 * x3), (89 - root) / (5040 * x3 * x3)};
    const double last[] = {1, 1, (857 - 58 * root) / 630, 1};
    ct_tensor *a4 = matrix_product(h, p[2], combine_powers(h, p, first, 3));
    if (!a4)
        return NULL;
    ct_tensor *left = combine_powers(h, (ct_tensor *[]){p[2], a4}, second, 2);
    ct_tensor *right = combine_powers(h, (ct_tensor *[]){p[0], p[1], p[2], a4}, third, 4);
    ct_tensor *a8 = matrix_product(h, left, right);
    return a8 ? combine_powers(h, (ct_tensor *[]){p[0], p[1], p[2], a8}, last, 4) : NULL;
}

static ct_tensor *degree_12(struct cti_hold *h, ct_tensor *const *p)
{
    static const double b[4][4] = {
        {9.0198e-16, 0.46932117595418237389, -0.20099424927047284052, -0.04623946134063071740},
        {5.31597895759871264183, 1.19926790417132231573, 0.01179296240992997031,
         0.01108844528519167989},
        {0.18188869982170434744, 0.05502798439925399070, 0.09351590770535414968,
         0.00610700528898058230},
        {-2.0861320e-13, -0.13181061013830184015, -0.02027855540589259079,
         -0.00675951846863086359}};
    ct_tensor *part[4];
    for (int i = 0; i < 4; i++)
        part[i] = combine_powers(h, p, b[i], 4);
    ct_tensor *a6 = sum(h, part[2], matrix_product(h, part[3], part[3]));
    return sum(h, part[0], matrix_product(h, sum(h, part[1], a6), a6));
}

static ct_tensor *degree_18(struct cti_hold *h, ct_tensor *const *p)
{
    static const double b[5][5] = {
        {0, -1.00365581030144618291e-01, -8.02924648241156932449e-03, -8.92138498045729985177e-04,
         0},
        {0, 3.97849749499645077844e-01, 1.36783778460411720168e+00, 4.98289622525382669416e-01,
         -6.37898194594723280150e-04},
        {-1.09676396052962061844e+01, 1.68015813878906206114e+00, 5.71779846478865511061e-02,
         -6.98210122488052056106e-03, 3.34975017086070470649e-05},
        {-9.04316832390810593223e-02, -6.76404519071381882256e-02, 6.75961301770459654925e-02,
         2.95552570429315521194e-02, -1.39180257516060693404e-05},
        {0, 0, -9.23364619367118555360e-02, -1.69364939002081722752e-02,
         -1.40086798182036094347e-05}};
    ct_tensor *part[5];
    for (int i = 0; i < 5; i++)
        part[i] = combine_powers(h, p, b[i], 5);
    ct_tensor *a9 = sum(h, matrix_product(h, part[0], part[4]), part[3]);
    return sum(h, part[1], matrix_product(h, sum(h, part[2], a9), a9));
}

/* The polynomial numbered `degree` (an index into the list above) of a, [b, n, n]. The caller owns
 * the result. */
static ct_tensor *polynomial(ct_tensor *a, int degree)
{
    static const double two[] = {1, 1, 0.5};
    struct cti_hold h = {0};
    ct_tensor *p[5] = {NULL}; /* 1, A, A^2, A^3, A^6 */
    int64_t n = cti_linalg_cols(a);
    p[0] = cti_hold(&h, ct_own_eye(n, n, ct_dtype(a), a->storage->device, false));
    p[1] = a;
    if (degree >= 1)
        p[2] = matrix_product(&h, a, a);
    if (degree >= 4)
        p[3] = matrix_product(&h, p[2], a);
    if (degree >= 5)
        p[4] = matrix_product(&h, p[3], p[3]);
    for (int i = 0; i < (degree < 1 ? 2 : degree < 4 ? 3 : degree); i++)
        if (!p[i])
            return cti_hold_end(&h, NULL);
    ct_tensor *result = degree == 0   ? combine_powers(&h, p, two, 2)
                        : degree == 1 ? combine_powers(&h, p, two, 3)
                        : degree == 2 ? degree_4(&h, p)
                        : degree == 3 ? degree_8(&h, p)
                        : degree == 4 ? degree_12(&h, p)
                                      : degree_18(&h, p);
    return cti_hold_end(&h, result);
}

/* exp(A) = exp(A / 2^s)^(2^s). The caller owns the result. */
static ct_tensor *scaled_and_squared(ct_tensor *a, int degree, int s)
{
    ct_tensor *small = s ? ct_own_mul(V(a), ct_value_float(ldexp(1, -s))) : ct_retain(a);
    ct_tensor *result = small ? polynomial(small, degree) : NULL;
    ct_release(small);
    for (; s > 0 && result; s--) {
        result = cti_replace_take(result, ct_own_matmul(result, result));
    }
    return result;
}

/* ---- the choice of a polynomial for each matrix of the batch ---- */

/* The matrices' 1-norms, contiguous float64. The caller owns the result. */
static ct_tensor *matrix_norms(ct_tensor *a)
{
    static const int64_t rows = -2, last = -1;
    struct cti_hold h = {0};
    ct_tensor *sizes = cti_hold(&h, ct_own_abs(a));
    ct_tensor *sums = cti_hold(&h, ct_own_sum(sizes, ct_ints_of(&rows, 1), false, CT_NO_DTYPE));
    ct_tensor *most = cti_hold(&h, ct_own_amax(sums, ct_ints_of(&last, 1), false));
    return cti_hold_end(&h, cti_hold(&h, ct_own_to_dtype(most, CT_FLOAT64)));
}

/* Encodes the method for a matrix in one number: the polynomial's index plus DEGREES times the
 * number of squarings; -1 if its norm is not finite. */
static int method_of(double norm, const double *limit)
{
    if (!isfinite(norm))
        return -1;
    for (int i = 0; i < DEGREES; i++)
        if (norm <= limit[i])
            return i;
    int s = (int)ceil(log2(norm / limit[DEGREES - 1]));
    return DEGREES - 1 + DEGREES * (s > 0 ? s : 0);
}

static ct_tensor *exp_by(ct_tensor *a, int method)
{
    if (method < 0)
        return ct_own_mul(V(a), ct_value_float(NAN));
    return scaled_and_squared(a, method % DEGREES, method / DEGREES);
}

/* Computes all matrices of one method and writes them to their positions in `result`; `chosen` has
 * space for their indices. */
static bool exp_some(ct_tensor *result, ct_tensor *a, const int64_t *methods, int64_t method,
                     int64_t *chosen)
{
    struct cti_hold h = {0};
    int64_t count = 0;
    for (int64_t i = 0; i < a->shape[0]; i++)
        if (methods[i] == method)
            chosen[count++] = i;
    ct_tensor *list = cti_hold(&h, cti_empty(1, &count, CT_INT64, (struct ct_device){CT_CPU, -1}));
    if (list)
        memcpy(cti_data(list), chosen, (size_t)count * sizeof *chosen);
    ct_tensor *index =
        list ? cti_hold(&h, cti_empty(1, &count, CT_INT64, a->storage->device)) : NULL;
    if (index && !cti_copy(index, list))
        index = NULL;
    ct_tensor *some = cti_hold(&h, ct_own_index_select(a, 0, index));
    ct_tensor *done = some ? cti_hold(&h, exp_by(some, (int)method)) : NULL;
    bool good = done && ct_own_index_copy_(result, 0, index, done);
    cti_hold_end(&h, NULL);
    return good;
}

/* [b, n, n]. The caller owns the result. */
static ct_tensor *exponentials(ct_tensor *a)
{
    int64_t batch = a->shape[0];
    if (a->storage->device.type == CT_META)
        return cti_empty(a->ndim, a->shape, ct_dtype(a), a->storage->device);
    const double *limit = reach[cti_dtype_to_real(ct_dtype(a)) == CT_FLOAT64];
    ct_tensor *norms = matrix_norms(a), *norm = norms ? cti_host(norms) : NULL, *result = NULL;
    ct_release(norms);
    if (!norm)
        return NULL;
    const double *x = (const double *)(const void *)cti_data(norm);
    if (batch == 1) {
        result = exp_by(a, method_of(x[0], limit));
        ct_release(norm);
        return result;
    }
    ct_tensor *both = cti_empty(2, (int64_t[]){2, batch}, CT_INT64, (struct ct_device){CT_CPU, -1});
    int64_t *methods = both ? (int64_t *)(void *)cti_data(both) : NULL;
    for (int64_t i = 0; methods && i < batch; i++)
        methods[i] = method_of(x[i], limit);
    result = both ? cti_empty(3, a->shape, ct_dtype(a), a->storage->device) : NULL;
    bool good = result != NULL;
    for (int64_t i = 0; good && i < batch; i++) {
        bool fresh = true;
        for (int64_t j = 0; j < i && fresh; j++)
            fresh = methods[j] != methods[i];
        if (fresh)
            good = exp_some(result, a, methods, methods[i], methods + batch);
    }
    cti_release_all(norm, both);
    return cti_take_if(result, good);
}

ct_tensor *cti_op_linalg_matrix_exp(ct_tensor *input)
{
    static const char name[] = "linalg.matrix_exp";
    struct cti_hold h = {0};
    if (!cti_linalg_is_square(input, name) || !cti_linalg_is_floating(input, name))
        return NULL;
    int64_t n = cti_linalg_cols(input);
    if (!input->numel)
        return ct_own_clone(input, n ? CT_CONTIGUOUS_FORMAT : CT_PRESERVE_FORMAT);
    if (n == 1)
        return ct_own_exp(input);
    bool half = input->dtype < CT_FLOAT32;
    ct_tensor *cast = half ? cti_hold(&h, ct_own_to_dtype(input, CT_FLOAT32)) : input;
    ct_tensor *flat = cti_hold(&h, ct_own_reshape(cast, ct_ints_of((int64_t[]){-1, n, n}, 3)));
    ct_tensor *plain = flat ? cti_hold(&h, cti_contiguous(flat)) : NULL;
    ct_tensor *found = plain ? cti_hold(&h, exponentials(plain)) : NULL;
    ct_tensor *shaped = cti_hold(&h, ct_own_reshape(found, cti_shape_of(input)));
    if (half && shaped)
        shaped = cti_hold(&h, ct_own_to_dtype(shaped, ct_dtype(input)));
    return cti_hold_end(&h, shaped);
}
