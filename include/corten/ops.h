/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from src/ops by `make generate`; committed, so that a change of the interface shows.
 * The operations for C programs: what PyTorch requires is positional, what has a default is a keyword
 * in any order: ct_sum(x, .dim = CT_DIMS(0), .keepdim = true). Results join the innermost scope. */
#ifndef CORTEN_OPS_H
#define CORTEN_OPS_H

#include "corten/autograd.h"
#include "corten/macros.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __cplusplus
#define CT_CALL_A_P(k, fn, p0) \
    (__extension__({ CT_ARG_A(CT_CAT(k, _0), p0) (fn)(CT_CAT(k, _0)); }))
#define CT_CALL_AA_P(k, fn, p0, p1) \
    (__extension__({ CT_ARG_A(CT_CAT(k, _0), p0) CT_ARG_A(CT_CAT(k, _1), p1) (fn)(CT_CAT(k, _0), CT_CAT(k, _1)); }))
#define CT_CALL_AV(k, fn, p0, p1) \
    (__extension__({ CT_ARG_A(CT_CAT(k, _0), p0) CT_ARG_V(CT_CAT(k, _1), p1) fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1)); }))
#define CT_CALL_AV_K(k, fn, p0, p1, ...) \
    (__extension__({ CT_ARG_A(CT_CAT(k, _0), p0) CT_ARG_V(CT_CAT(k, _1), p1) struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k); }))
#define CT_CALL_AVA(k, fn, p0, p1, p2) \
    (__extension__({ CT_ARG_A(CT_CAT(k, _0), p0) CT_ARG_V(CT_CAT(k, _1), p1) CT_ARG_A(CT_CAT(k, _2), p2) fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2)); }))
#define CT_CALL_AVV(k, fn, p0, p1, p2) \
    (__extension__({ CT_ARG_A(CT_CAT(k, _0), p0) CT_ARG_V(CT_CAT(k, _1), p1) CT_ARG_V(CT_CAT(k, _2), p2) fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2)); }))
#define CT_CALL_AVV_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ CT_ARG_A(CT_CAT(k, _0), p0) CT_ARG_V(CT_CAT(k, _1), p1) CT_ARG_V(CT_CAT(k, _2), p2) struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k); }))
#define CT_CALL_VA(k, fn, p0, p1) \
    (__extension__({ CT_ARG_V(CT_CAT(k, _0), p0) CT_ARG_A(CT_CAT(k, _1), p1) fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1)); }))
#define CT_CALL_VV(k, fn, p0, p1) \
    (__extension__({ CT_ARG_V(CT_CAT(k, _0), p0) CT_ARG_V(CT_CAT(k, _1), p1) fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1)); }))
#define CT_CALL_VV_K(k, fn, p0, p1, ...) \
    (__extension__({ CT_ARG_V(CT_CAT(k, _0), p0) CT_ARG_V(CT_CAT(k, _1), p1) struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k); }))
#endif

/* Adds `other`, scaled by `alpha`, to `input`. */
struct ct_add_args {
    size_t struct_size;
    double alpha;
};
#define ct_add_defaults { .struct_size = sizeof(struct ct_add_args), .alpha = 1 }
CT_API ct_tensor *ct_add_ex(ct_value input, ct_value other, const struct ct_add_args *args);
#ifndef __cplusplus
#define ct_add(...) CT_CALL_VV_K(CT_ID(ct_k), ct_add, __VA_ARGS__)
#endif
struct ct_add__args {
    size_t struct_size;
    double alpha;
};
#define ct_add__defaults { .struct_size = sizeof(struct ct_add__args), .alpha = 1 }
CT_API ct_tensor *ct_add__ex(ct_tensor *self, ct_value other, const struct ct_add__args *args);
#ifndef __cplusplus
#define ct_add_(...) CT_CALL_AV_K(CT_ID(ct_k), ct_add_, __VA_ARGS__)
#endif
struct ct_add_out_args {
    size_t struct_size;
    double alpha;
};
#define ct_add_out_defaults { .struct_size = sizeof(struct ct_add_out_args), .alpha = 1 }
CT_API ct_tensor *ct_add_out_ex(ct_tensor *out, ct_value input, ct_value other, const struct ct_add_out_args *args);
#ifndef __cplusplus
#define ct_add_out(...) CT_CALL_AVV_K(CT_ID(ct_k), ct_add_out, __VA_ARGS__)
#endif

/* Subtracts `other`, scaled by `alpha`, from `input`. */
struct ct_sub_args {
    size_t struct_size;
    double alpha;
};
#define ct_sub_defaults { .struct_size = sizeof(struct ct_sub_args), .alpha = 1 }
CT_API ct_tensor *ct_sub_ex(ct_value input, ct_value other, const struct ct_sub_args *args);
#ifndef __cplusplus
#define ct_sub(...) CT_CALL_VV_K(CT_ID(ct_k), ct_sub, __VA_ARGS__)
#endif
struct ct_sub__args {
    size_t struct_size;
    double alpha;
};
#define ct_sub__defaults { .struct_size = sizeof(struct ct_sub__args), .alpha = 1 }
CT_API ct_tensor *ct_sub__ex(ct_tensor *self, ct_value other, const struct ct_sub__args *args);
#ifndef __cplusplus
#define ct_sub_(...) CT_CALL_AV_K(CT_ID(ct_k), ct_sub_, __VA_ARGS__)
#endif
struct ct_sub_out_args {
    size_t struct_size;
    double alpha;
};
#define ct_sub_out_defaults { .struct_size = sizeof(struct ct_sub_out_args), .alpha = 1 }
CT_API ct_tensor *ct_sub_out_ex(ct_tensor *out, ct_value input, ct_value other, const struct ct_sub_out_args *args);
#ifndef __cplusplus
#define ct_sub_out(...) CT_CALL_AVV_K(CT_ID(ct_k), ct_sub_out, __VA_ARGS__)
#endif

/* Multiplies `input` by `other`. */
CT_API ct_tensor *ct_mul_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_mul(...) CT_CALL_VV(CT_ID(ct_k), ct_mul, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_mul__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_mul_(...) CT_CALL_AV(CT_ID(ct_k), ct_mul_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_mul_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_mul_out(...) CT_CALL_AVV(CT_ID(ct_k), ct_mul_out, __VA_ARGS__)
#endif

/* Divides `input` by `other`; integers give floating results. */
CT_API ct_tensor *ct_div_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_div(...) CT_CALL_VV(CT_ID(ct_k), ct_div, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_div__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_div_(...) CT_CALL_AV(CT_ID(ct_k), ct_div_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_div_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_div_out(...) CT_CALL_AVV(CT_ID(ct_k), ct_div_out, __VA_ARGS__)
#endif

/* The greater of two elements; NaN where either is NaN. */
CT_API ct_tensor *ct_maximum_ex(ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_maximum(...) CT_CALL_VA(CT_ID(ct_k), ct_maximum, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_maximum_out_ex(ct_tensor *out, ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_maximum_out(...) CT_CALL_AVA(CT_ID(ct_k), ct_maximum_out, __VA_ARGS__)
#endif

/* The smaller of two elements; NaN where either is NaN. */
CT_API ct_tensor *ct_minimum_ex(ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_minimum(...) CT_CALL_VA(CT_ID(ct_k), ct_minimum, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_minimum_out_ex(ct_tensor *out, ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_minimum_out(...) CT_CALL_AVA(CT_ID(ct_k), ct_minimum_out, __VA_ARGS__)
#endif

/* Whether elements are equal. */
CT_API ct_tensor *ct_eq_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_eq(...) CT_CALL_VV(CT_ID(ct_k), ct_eq, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_eq__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_eq_(...) CT_CALL_AV(CT_ID(ct_k), ct_eq_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_eq_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_eq_out(...) CT_CALL_AVV(CT_ID(ct_k), ct_eq_out, __VA_ARGS__)
#endif

/* Whether elements differ. */
CT_API ct_tensor *ct_ne_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_ne(...) CT_CALL_VV(CT_ID(ct_k), ct_ne, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_ne__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_ne_(...) CT_CALL_AV(CT_ID(ct_k), ct_ne_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_ne_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_ne_out(...) CT_CALL_AVV(CT_ID(ct_k), ct_ne_out, __VA_ARGS__)
#endif

/* Whether elements of `input` are less than those of `other`. */
CT_API ct_tensor *ct_lt_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_lt(...) CT_CALL_VV(CT_ID(ct_k), ct_lt, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_lt__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_lt_(...) CT_CALL_AV(CT_ID(ct_k), ct_lt_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_lt_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_lt_out(...) CT_CALL_AVV(CT_ID(ct_k), ct_lt_out, __VA_ARGS__)
#endif

/* Whether elements of `input` are less than or equal to those of `other`. */
CT_API ct_tensor *ct_le_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_le(...) CT_CALL_VV(CT_ID(ct_k), ct_le, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_le__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_le_(...) CT_CALL_AV(CT_ID(ct_k), ct_le_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_le_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_le_out(...) CT_CALL_AVV(CT_ID(ct_k), ct_le_out, __VA_ARGS__)
#endif

/* Whether elements of `input` are greater than those of `other`. */
CT_API ct_tensor *ct_gt_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_gt(...) CT_CALL_VV(CT_ID(ct_k), ct_gt, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_gt__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_gt_(...) CT_CALL_AV(CT_ID(ct_k), ct_gt_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_gt_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_gt_out(...) CT_CALL_AVV(CT_ID(ct_k), ct_gt_out, __VA_ARGS__)
#endif

/* Whether elements of `input` are greater than or equal to those of `other`. */
CT_API ct_tensor *ct_ge_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_ge(...) CT_CALL_VV(CT_ID(ct_k), ct_ge, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_ge__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_ge_(...) CT_CALL_AV(CT_ID(ct_k), ct_ge_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_ge_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_ge_out(...) CT_CALL_AVV(CT_ID(ct_k), ct_ge_out, __VA_ARGS__)
#endif

/* The negative of each element. */
CT_API ct_tensor *ct_neg(ct_tensor *input);
#ifndef __cplusplus
#define ct_neg(...) CT_CALL_A_P(CT_ID(ct_k), ct_neg, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_neg_(ct_tensor *self);
#ifndef __cplusplus
#define ct_neg_(...) CT_CALL_A_P(CT_ID(ct_k), ct_neg_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_neg_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_neg_out(...) CT_CALL_AA_P(CT_ID(ct_k), ct_neg_out, __VA_ARGS__)
#endif

/* e to the power of each element. */
CT_API ct_tensor *ct_exp(ct_tensor *input);
#ifndef __cplusplus
#define ct_exp(...) CT_CALL_A_P(CT_ID(ct_k), ct_exp, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_exp_(ct_tensor *self);
#ifndef __cplusplus
#define ct_exp_(...) CT_CALL_A_P(CT_ID(ct_k), ct_exp_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_exp_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_exp_out(...) CT_CALL_AA_P(CT_ID(ct_k), ct_exp_out, __VA_ARGS__)
#endif

/* The natural logarithm of each element. */
CT_API ct_tensor *ct_log(ct_tensor *input);
#ifndef __cplusplus
#define ct_log(...) CT_CALL_A_P(CT_ID(ct_k), ct_log, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_log_(ct_tensor *self);
#ifndef __cplusplus
#define ct_log_(...) CT_CALL_A_P(CT_ID(ct_k), ct_log_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_log_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_log_out(...) CT_CALL_AA_P(CT_ID(ct_k), ct_log_out, __VA_ARGS__)
#endif

/* The sine of each element. */
CT_API ct_tensor *ct_sin(ct_tensor *input);
#ifndef __cplusplus
#define ct_sin(...) CT_CALL_A_P(CT_ID(ct_k), ct_sin, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_sin_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sin_(...) CT_CALL_A_P(CT_ID(ct_k), ct_sin_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_sin_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sin_out(...) CT_CALL_AA_P(CT_ID(ct_k), ct_sin_out, __VA_ARGS__)
#endif

/* The cosine of each element. */
CT_API ct_tensor *ct_cos(ct_tensor *input);
#ifndef __cplusplus
#define ct_cos(...) CT_CALL_A_P(CT_ID(ct_k), ct_cos, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_cos_(ct_tensor *self);
#ifndef __cplusplus
#define ct_cos_(...) CT_CALL_A_P(CT_ID(ct_k), ct_cos_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_cos_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_cos_out(...) CT_CALL_AA_P(CT_ID(ct_k), ct_cos_out, __VA_ARGS__)
#endif

/* The hyperbolic tangent of each element. */
CT_API ct_tensor *ct_tanh(ct_tensor *input);
#ifndef __cplusplus
#define ct_tanh(...) CT_CALL_A_P(CT_ID(ct_k), ct_tanh, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_tanh_(ct_tensor *self);
#ifndef __cplusplus
#define ct_tanh_(...) CT_CALL_A_P(CT_ID(ct_k), ct_tanh_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_tanh_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_tanh_out(...) CT_CALL_AA_P(CT_ID(ct_k), ct_tanh_out, __VA_ARGS__)
#endif

/* The logistic function of each element. */
CT_API ct_tensor *ct_sigmoid(ct_tensor *input);
#ifndef __cplusplus
#define ct_sigmoid(...) CT_CALL_A_P(CT_ID(ct_k), ct_sigmoid, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_sigmoid_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sigmoid_(...) CT_CALL_A_P(CT_ID(ct_k), ct_sigmoid_, __VA_ARGS__)
#endif
CT_API ct_tensor *ct_sigmoid_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sigmoid_out(...) CT_CALL_AA_P(CT_ID(ct_k), ct_sigmoid_out, __VA_ARGS__)
#endif

#ifdef __cplusplus
}
#endif

#endif
