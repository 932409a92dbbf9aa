/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from src/ops by `make generate`; committed, so that a change of the interface shows.
 * The operations for C programs. Arguments that PyTorch requires are positional; those with a
 * default are keywords, in any order: ct_sum(x, .dim = CT_DIMS(0), .keepdim = true). Results belong
 * to the innermost scope; NULL, or false, means that the call failed and set the error. */
#ifndef CORTEN_OPS_H
#define CORTEN_OPS_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/autograd.h"
#include "corten/macros.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __cplusplus
#define CT_CALL_A_P(k, fn, p0) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0))) \
    }))
#define CT_CALL_A_K(k, fn, p0, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), &k)) \
    }))
#define CT_CALL_AA_P(k, fn, p0, p1) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_AA_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_AAA_P(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_AAA_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_AAAA_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_AAAA_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_AAAAA_P(k, fn, p0, p1, p2, p3, p4) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_AAAAA_K(k, fn, p0, p1, p2, p3, p4, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), &k)) \
    }))
#define CT_CALL_AAAAI_K(k, fn, p0, p1, p2, p3, p4, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_ARG_I(CT_CAT(k, _4), p4) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), &k)) \
    }))
#define CT_CALL_AAI_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_AI_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_AL_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_L(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_AT_P(k, fn, p0, p1) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_AT_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_A(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_I_K(k, fn, p0, ...) \
    (__extension__({ \
        CT_ARG_I(CT_CAT(k, _0), p0) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), &k)) \
    }))
#define CT_CALL_II_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_I(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_IV_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_I(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_L_P(k, fn, p0, ...) \
    (__extension__({ \
        CT_ARG_L(CT_CAT(k, _0), p0) \
        __VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0))) \
    }))
#define CT_CALL_L_K(k, fn, p0, ...) \
    (__extension__({ \
        CT_ARG_L(CT_CAT(k, _0), p0) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), &k)) \
    }))
#define CT_CALL_LL_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_L(CT_CAT(k, _0), p0) \
        CT_ARG_L(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_T_P(k, fn, p0) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0))) \
    }))
#define CT_CALL_T_K(k, fn, p0, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), &k)) \
    }))
#define CT_CALL_TA_P(k, fn, p0, p1) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_TA_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_TAA_P(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TAA_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TAAA_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TAAI_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_I(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TAI_P(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        __VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TAI_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TAL_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_L(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TAT_P(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TAT_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TATA_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TATT_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TATT_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TATTA_K(k, fn, p0, p1, p2, p3, p4, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), &k)) \
    }))
#define CT_CALL_TATV(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_V(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TATVA(k, fn, p0, p1, p2, p3, p4) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_A(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_V(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_TI_P(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        __VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_TI_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_TIA_P(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TII_P(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        __VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TII_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TIIT_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TIL_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        CT_ARG_L(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TITTA_P(k, fn, p0, p1, p2, p3, p4) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_TIV_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_I(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TL_P(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_L(CT_CAT(k, _1), p1) \
        __VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_TL_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_L(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_TLI_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_L(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TLLAAAAAA_P(k, fn, p0, p1, p2, p3, p4, p5, p6, p7, p8) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_L(CT_CAT(k, _1), p1) \
        CT_ARG_L(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        CT_ARG_A(CT_CAT(k, _6), p6) \
        CT_ARG_A(CT_CAT(k, _7), p7) \
        CT_ARG_A(CT_CAT(k, _8), p8) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), CT_CAT(k, _6), CT_CAT(k, _7), CT_CAT(k, _8))) \
    }))
#define CT_CALL_TLT_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_L(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TLTT_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_L(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TT_P(k, fn, p0, p1) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_TT_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_TTA_P(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TTA_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TTAA_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TTAAA_P(k, fn, p0, p1, p2, p3, p4) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_TTAT_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TTAT_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TTATT_P(k, fn, p0, p1, p2, p3, p4) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_T(CT_CAT(k, _4), p4) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_TTATT_K(k, fn, p0, p1, p2, p3, p4, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_T(CT_CAT(k, _4), p4) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), &k)) \
    }))
#define CT_CALL_TTATTA_K(k, fn, p0, p1, p2, p3, p4, p5, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_T(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), &k)) \
    }))
#define CT_CALL_TTATV(k, fn, p0, p1, p2, p3, p4) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_V(CT_CAT(k, _4), p4) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_TTATVA(k, fn, p0, p1, p2, p3, p4, p5) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_V(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5))) \
    }))
#define CT_CALL_TTAVA(k, fn, p0, p1, p2, p3, p4) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_V(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_TTI_P(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        __VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TTI_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TTII_P(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        CT_ARG_I(CT_CAT(k, _3), p3) \
        __VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TTII_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        CT_ARG_I(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TTLAAAAAA_P(k, fn, p0, p1, p2, p3, p4, p5, p6, p7, p8) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_L(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        CT_ARG_A(CT_CAT(k, _6), p6) \
        CT_ARG_A(CT_CAT(k, _7), p7) \
        CT_ARG_A(CT_CAT(k, _8), p8) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), CT_CAT(k, _6), CT_CAT(k, _7), CT_CAT(k, _8))) \
    }))
#define CT_CALL_TTLLAAAAA_P(k, fn, p0, p1, p2, p3, p4, p5, p6, p7, p8) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_L(CT_CAT(k, _2), p2) \
        CT_ARG_L(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        CT_ARG_A(CT_CAT(k, _6), p6) \
        CT_ARG_A(CT_CAT(k, _7), p7) \
        CT_ARG_A(CT_CAT(k, _8), p8) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), CT_CAT(k, _6), CT_CAT(k, _7), CT_CAT(k, _8))) \
    }))
#define CT_CALL_TTT_P(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TTT_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TTTA_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TTTA_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TTTAAAAA_P(k, fn, p0, p1, p2, p3, p4, p5, p6, p7) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        CT_ARG_A(CT_CAT(k, _6), p6) \
        CT_ARG_A(CT_CAT(k, _7), p7) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), CT_CAT(k, _6), CT_CAT(k, _7))) \
    }))
#define CT_CALL_TTTII_P(k, fn, p0, p1, p2, p3, p4, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_I(CT_CAT(k, _3), p3) \
        CT_ARG_I(CT_CAT(k, _4), p4) \
        __VA_OPT__(_Static_assert(0, CT_HINT_TOO_MANY);) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_TTTIIIAIA_P(k, fn, p0, p1, p2, p3, p4, p5, p6, p7, p8) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_I(CT_CAT(k, _3), p3) \
        CT_ARG_I(CT_CAT(k, _4), p4) \
        CT_ARG_I(CT_CAT(k, _5), p5) \
        CT_ARG_A(CT_CAT(k, _6), p6) \
        CT_ARG_I(CT_CAT(k, _7), p7) \
        CT_ARG_A(CT_CAT(k, _8), p8) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), CT_CAT(k, _6), CT_CAT(k, _7), CT_CAT(k, _8))) \
    }))
#define CT_CALL_TTTLAAAAA_P(k, fn, p0, p1, p2, p3, p4, p5, p6, p7, p8) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_L(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        CT_ARG_A(CT_CAT(k, _6), p6) \
        CT_ARG_A(CT_CAT(k, _7), p7) \
        CT_ARG_A(CT_CAT(k, _8), p8) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), CT_CAT(k, _6), CT_CAT(k, _7), CT_CAT(k, _8))) \
    }))
#define CT_CALL_TTTT_P(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TTTT_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TTTTA_K(k, fn, p0, p1, p2, p3, p4, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_A(CT_CAT(k, _4), p4) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), &k)) \
    }))
#define CT_CALL_TTTTT_K(k, fn, p0, p1, p2, p3, p4, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_T(CT_CAT(k, _4), p4) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), &k)) \
    }))
#define CT_CALL_TTTTTAAA_P(k, fn, p0, p1, p2, p3, p4, p5, p6, p7) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_T(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        CT_ARG_A(CT_CAT(k, _6), p6) \
        CT_ARG_A(CT_CAT(k, _7), p7) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), CT_CAT(k, _6), CT_CAT(k, _7))) \
    }))
#define CT_CALL_TTTTTAAAA_P(k, fn, p0, p1, p2, p3, p4, p5, p6, p7, p8) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_T(CT_CAT(k, _4), p4) \
        CT_ARG_A(CT_CAT(k, _5), p5) \
        CT_ARG_A(CT_CAT(k, _6), p6) \
        CT_ARG_A(CT_CAT(k, _7), p7) \
        CT_ARG_A(CT_CAT(k, _8), p8) \
        CT_LOCATED(CT_CAT(k, _r), #fn, (fn)(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), CT_CAT(k, _6), CT_CAT(k, _7), CT_CAT(k, _8))) \
    }))
#define CT_CALL_TTTTTT_K(k, fn, p0, p1, p2, p3, p4, p5, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_T(CT_CAT(k, _3), p3) \
        CT_ARG_T(CT_CAT(k, _4), p4) \
        CT_ARG_T(CT_CAT(k, _5), p5) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4), CT_CAT(k, _5), &k)) \
    }))
#define CT_CALL_TTTV(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_V(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TTV(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TTV_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TTVA_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TTVAV(k, fn, p0, p1, p2, p3, p4) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        CT_ARG_V(CT_CAT(k, _4), p4) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), CT_CAT(k, _4))) \
    }))
#define CT_CALL_TTVV(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        CT_ARG_V(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TV(k, fn, p0, p1) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_TV_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_TVA_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TVAV(k, fn, p0, p1, p2, p3) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        CT_ARG_V(CT_CAT(k, _3), p3) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3))) \
    }))
#define CT_CALL_TVI_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_I(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TVT(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TVT_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TVTA_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_T(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_TVV(k, fn, p0, p1, p2) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2))) \
    }))
#define CT_CALL_TVV_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_TVVA_K(k, fn, p0, p1, p2, p3, ...) \
    (__extension__({ \
        CT_ARG_T(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_V(CT_CAT(k, _2), p2) \
        CT_ARG_A(CT_CAT(k, _3), p3) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), CT_CAT(k, _3), &k)) \
    }))
#define CT_CALL_V_K(k, fn, p0, ...) \
    (__extension__({ \
        CT_ARG_V(CT_CAT(k, _0), p0) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), &k)) \
    }))
#define CT_CALL_VT(k, fn, p0, p1) \
    (__extension__({ \
        CT_ARG_V(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_VT_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_V(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_VTA_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_V(CT_CAT(k, _0), p0) \
        CT_ARG_T(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#define CT_CALL_VV(k, fn, p0, p1) \
    (__extension__({ \
        CT_ARG_V(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1))) \
    }))
#define CT_CALL_VV_K(k, fn, p0, p1, ...) \
    (__extension__({ \
        CT_ARG_V(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k)) \
    }))
#define CT_CALL_VVA_K(k, fn, p0, p1, p2, ...) \
    (__extension__({ \
        CT_ARG_V(CT_CAT(k, _0), p0) \
        CT_ARG_V(CT_CAT(k, _1), p1) \
        CT_ARG_A(CT_CAT(k, _2), p2) \
        struct fn##_args k = fn##_defaults; \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__) \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), CT_CAT(k, _1), CT_CAT(k, _2), &k)) \
    }))
#endif

/* Returns x above zero, `alpha * (exp(x / alpha) - 1)` below. */
struct ct_celu_args {
    size_t struct_size;
    double alpha;
};
#define ct_celu_defaults { .struct_size = sizeof(struct ct_celu_args), .alpha = 1.0 }
CT_API ct_tensor *ct_celu_ex(ct_tensor *input, const struct ct_celu_args *args);
#ifndef __cplusplus
#define ct_celu(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_celu, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_celu__args {
    size_t struct_size;
    double alpha;
};
#define ct_celu__defaults { .struct_size = sizeof(struct ct_celu__args), .alpha = 1.0 }
CT_API ct_tensor *ct_celu__ex(ct_tensor *self, const struct ct_celu__args *args);
#ifndef __cplusplus
#define ct_celu_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_celu_, self __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the scaled exponential linear unit, which preserves mean 0 and variance 1. */
CT_API ct_tensor *ct_selu(ct_tensor *input);
#ifndef __cplusplus
#define ct_selu(input) CT_CALL_T_P(CT_ID(ct_k), ct_selu, input)
#endif
CT_API ct_tensor *ct_selu_(ct_tensor *self);
#ifndef __cplusplus
#define ct_selu_(self) CT_CALL_T_P(CT_ID(ct_k), ct_selu_, self)
#endif

/* Sets elements between `-lambd` and `lambd` to zero. */
struct ct_hardshrink_args {
    size_t struct_size;
    double lambd;
};
#define ct_hardshrink_defaults { .struct_size = sizeof(struct ct_hardshrink_args), .lambd = 0.5 }
CT_API ct_tensor *ct_hardshrink_ex(ct_tensor *input, const struct ct_hardshrink_args *args);
#ifndef __cplusplus
#define ct_hardshrink(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_hardshrink, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_hardshrink_out_args {
    size_t struct_size;
    double lambd;
};
#define ct_hardshrink_out_defaults { .struct_size = sizeof(struct ct_hardshrink_out_args), .lambd \
    = 0.5 }
CT_API ct_tensor *ct_hardshrink_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_hardshrink_out_args *args);
#ifndef __cplusplus
#define ct_hardshrink_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_hardshrink_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Replaces elements that are not above `threshold` by `value`. */
CT_API ct_tensor *ct_threshold_ex(ct_tensor *input, ct_value threshold, ct_value value);
#ifndef __cplusplus
#define ct_threshold(input, threshold, value) CT_CALL_TVV(CT_ID(ct_k), ct_threshold, input, \
    threshold, value)
#endif
CT_API ct_tensor *ct_threshold__ex(ct_tensor *self, ct_value threshold, ct_value value);
#ifndef __cplusplus
#define ct_threshold_(self, threshold, value) CT_CALL_TVV(CT_ID(ct_k), ct_threshold_, self, \
    threshold, value)
#endif
CT_API ct_tensor *ct_threshold_out_ex(ct_tensor *out, ct_tensor *input, ct_value threshold, ct_value
    value);
#ifndef __cplusplus
#define ct_threshold_out(out, input, threshold, value) CT_CALL_TTVV(CT_ID(ct_k), ct_threshold_out, \
    out, input, threshold, value)
#endif

/* Returns x above zero, `weight * x` below; `weight` is one number or one for each channel. */
CT_API ct_tensor *ct_prelu(ct_tensor *input, ct_tensor *weight);
#ifndef __cplusplus
#define ct_prelu(input, weight) CT_CALL_TT_P(CT_ID(ct_k), ct_prelu, input, weight)
#endif

/* Returns x above zero and `slope * x` below; the slope is random between `lower` and `upper` in training, otherwise their mean. */
struct ct_rrelu_args {
    size_t struct_size;
    double lower;
    double upper;
    bool training;
    ct_generator *generator;
};
#define ct_rrelu_defaults { .struct_size = sizeof(struct ct_rrelu_args), .lower = 0.125, .upper = \
    0.3333333333333333, .training = false, .generator = NULL }
CT_API ct_tensor *ct_rrelu_ex(ct_tensor *input, const struct ct_rrelu_args *args);
#ifndef __cplusplus
#define ct_rrelu(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_rrelu, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_rrelu__args {
    size_t struct_size;
    double lower;
    double upper;
    bool training;
    ct_generator *generator;
};
#define ct_rrelu__defaults { .struct_size = sizeof(struct ct_rrelu__args), .lower = 0.125, .upper \
    = 0.3333333333333333, .training = false, .generator = NULL }
CT_API ct_tensor *ct_rrelu__ex(ct_tensor *self, const struct ct_rrelu__args *args);
#ifndef __cplusplus
#define ct_rrelu_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_rrelu_, self __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns x above zero, `alpha * (exp(x) - 1)` below. */
struct ct_elu_args {
    size_t struct_size;
    double alpha;
    bool inplace;
};
#define ct_elu_defaults { .struct_size = sizeof(struct ct_elu_args), .alpha = 1.0, .inplace = \
    false }
CT_API ct_tensor *ct_elu_ex(ct_tensor *input, const struct ct_elu_args *args);
#ifndef __cplusplus
#define ct_elu(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_elu, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns x above zero, `negative_slope * x` below. */
struct ct_leaky_relu_args {
    size_t struct_size;
    double negative_slope;
    bool inplace;
};
#define ct_leaky_relu_defaults { .struct_size = sizeof(struct ct_leaky_relu_args), .negative_slope \
    = 0.01, .inplace = false }
CT_API ct_tensor *ct_leaky_relu_ex(ct_tensor *input, const struct ct_leaky_relu_args *args);
#ifndef __cplusplus
#define ct_leaky_relu(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_leaky_relu, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Clamps elements to between `min_val` and `max_val`. */
struct ct_hardtanh_args {
    size_t struct_size;
    double min_val;
    double max_val;
    bool inplace;
};
#define ct_hardtanh_defaults { .struct_size = sizeof(struct ct_hardtanh_args), .min_val = -1.0, \
    .max_val = 1.0, .inplace = false }
CT_API ct_tensor *ct_hardtanh_ex(ct_tensor *input, const struct ct_hardtanh_args *args);
#ifndef __cplusplus
#define ct_hardtanh(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_hardtanh, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Clamps elements to between 0 and 6. */
struct ct_relu6_args {
    size_t struct_size;
    bool inplace;
};
#define ct_relu6_defaults { .struct_size = sizeof(struct ct_relu6_args), .inplace = false }
CT_API ct_tensor *ct_relu6_ex(ct_tensor *input, const struct ct_relu6_args *args);
#ifndef __cplusplus
#define ct_relu6(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_relu6, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns 0 up to -3, 1 from 3 on, and `x / 6 + 1 / 2` in between. */
struct ct_hardsigmoid_args {
    size_t struct_size;
    bool inplace;
};
#define ct_hardsigmoid_defaults { .struct_size = sizeof(struct ct_hardsigmoid_args), .inplace = \
    false }
CT_API ct_tensor *ct_hardsigmoid_ex(ct_tensor *input, const struct ct_hardsigmoid_args *args);
#ifndef __cplusplus
#define ct_hardsigmoid(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_hardsigmoid, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns `x * hardsigmoid(x)`. */
struct ct_hardswish_args {
    size_t struct_size;
    bool inplace;
};
#define ct_hardswish_defaults { .struct_size = sizeof(struct ct_hardswish_args), .inplace = false \
    }
CT_API ct_tensor *ct_hardswish_ex(ct_tensor *input, const struct ct_hardswish_args *args);
#ifndef __cplusplus
#define ct_hardswish(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_hardswish, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns `x * sigmoid(x)`, also known as swish. */
struct ct_silu_args {
    size_t struct_size;
    bool inplace;
};
#define ct_silu_defaults { .struct_size = sizeof(struct ct_silu_args), .inplace = false }
CT_API ct_tensor *ct_silu_ex(ct_tensor *input, const struct ct_silu_args *args);
#ifndef __cplusplus
#define ct_silu(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_silu, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `x * tanh(softplus(x))`. */
struct ct_mish_args {
    size_t struct_size;
    bool inplace;
};
#define ct_mish_defaults { .struct_size = sizeof(struct ct_mish_args), .inplace = false }
CT_API ct_tensor *ct_mish_ex(ct_tensor *input, const struct ct_mish_args *args);
#ifndef __cplusplus
#define ct_mish(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_mish, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the logarithm of the sigmoid, `log(1 / (1 + exp(-x)))`, without overflow. */
CT_API ct_tensor *ct_logsigmoid(ct_tensor *input);
#ifndef __cplusplus
#define ct_logsigmoid(input) CT_CALL_T_P(CT_ID(ct_k), ct_logsigmoid, input)
#endif
CT_API ct_tensor *ct_logsigmoid_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_logsigmoid_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_logsigmoid_out, out, input)
#endif

/* Computes a smooth ReLU: `log(1 + exp(beta * x)) / beta`, and x once `beta * x` exceeds `threshold`. */
struct ct_softplus_args {
    size_t struct_size;
    double beta;
    double threshold;
};
#define ct_softplus_defaults { .struct_size = sizeof(struct ct_softplus_args), .beta = 1, \
    .threshold = 20 }
CT_API ct_tensor *ct_softplus_ex(ct_tensor *input, const struct ct_softplus_args *args);
#ifndef __cplusplus
#define ct_softplus(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_softplus, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_softplus_out_args {
    size_t struct_size;
    double beta;
    double threshold;
};
#define ct_softplus_out_defaults { .struct_size = sizeof(struct ct_softplus_out_args), .beta = 1, \
    .threshold = 20 }
CT_API ct_tensor *ct_softplus_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_softplus_out_args *args);
#ifndef __cplusplus
#define ct_softplus_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_softplus_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Moves elements towards zero by `lambd`; those between `-lambd` and `lambd` become zero. */
struct ct_softshrink_args {
    size_t struct_size;
    double lambd;
};
#define ct_softshrink_defaults { .struct_size = sizeof(struct ct_softshrink_args), .lambd = 0.5 }
CT_API ct_tensor *ct_softshrink_ex(ct_tensor *input, const struct ct_softshrink_args *args);
#ifndef __cplusplus
#define ct_softshrink(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_softshrink, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_softshrink_out_args {
    size_t struct_size;
    double lambd;
};
#define ct_softshrink_out_defaults { .struct_size = sizeof(struct ct_softshrink_out_args), .lambd \
    = 0.5 }
CT_API ct_tensor *ct_softshrink_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_softshrink_out_args *args);
#ifndef __cplusplus
#define ct_softshrink_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_softshrink_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `x / (1 + abs(x))`. */
CT_API ct_tensor *ct_softsign(ct_tensor *input);
#ifndef __cplusplus
#define ct_softsign(input) CT_CALL_T_P(CT_ID(ct_k), ct_softsign, input)
#endif

/* Returns `x - tanh(x)`. */
CT_API ct_tensor *ct_tanhshrink(ct_tensor *input);
#ifndef __cplusplus
#define ct_tanhshrink(input) CT_CALL_T_P(CT_ID(ct_k), ct_tanhshrink, input)
#endif

/* Adds `other`, scaled by `alpha`, to `input`. */
struct ct_add_args {
    size_t struct_size;
    double alpha;
};
#define ct_add_defaults { .struct_size = sizeof(struct ct_add_args), .alpha = 1 }
CT_API ct_tensor *ct_add_ex(ct_value input, ct_value other, const struct ct_add_args *args);
#ifndef __cplusplus
#define ct_add(input, other, ...) CT_CALL_VV_K(CT_ID(ct_k), ct_add, input, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_add__args {
    size_t struct_size;
    double alpha;
};
#define ct_add__defaults { .struct_size = sizeof(struct ct_add__args), .alpha = 1 }
CT_API ct_tensor *ct_add__ex(ct_tensor *self, ct_value other, const struct ct_add__args *args);
#ifndef __cplusplus
#define ct_add_(self, other, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_add_, self, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_add_out_args {
    size_t struct_size;
    double alpha;
};
#define ct_add_out_defaults { .struct_size = sizeof(struct ct_add_out_args), .alpha = 1 }
CT_API ct_tensor *ct_add_out_ex(ct_tensor *out, ct_value input, ct_value other, const struct
    ct_add_out_args *args);
#ifndef __cplusplus
#define ct_add_out(out, input, other, ...) CT_CALL_TVV_K(CT_ID(ct_k), ct_add_out, out, input, \
    other __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Subtracts `other`, scaled by `alpha`, from `input`. */
struct ct_sub_args {
    size_t struct_size;
    double alpha;
};
#define ct_sub_defaults { .struct_size = sizeof(struct ct_sub_args), .alpha = 1 }
CT_API ct_tensor *ct_sub_ex(ct_value input, ct_value other, const struct ct_sub_args *args);
#ifndef __cplusplus
#define ct_sub(input, other, ...) CT_CALL_VV_K(CT_ID(ct_k), ct_sub, input, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_sub__args {
    size_t struct_size;
    double alpha;
};
#define ct_sub__defaults { .struct_size = sizeof(struct ct_sub__args), .alpha = 1 }
CT_API ct_tensor *ct_sub__ex(ct_tensor *self, ct_value other, const struct ct_sub__args *args);
#ifndef __cplusplus
#define ct_sub_(self, other, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_sub_, self, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_sub_out_args {
    size_t struct_size;
    double alpha;
};
#define ct_sub_out_defaults { .struct_size = sizeof(struct ct_sub_out_args), .alpha = 1 }
CT_API ct_tensor *ct_sub_out_ex(ct_tensor *out, ct_value input, ct_value other, const struct
    ct_sub_out_args *args);
#ifndef __cplusplus
#define ct_sub_out(out, input, other, ...) CT_CALL_TVV_K(CT_ID(ct_k), ct_sub_out, out, input, \
    other __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Multiplies `input` by `other`. */
CT_API ct_tensor *ct_mul_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_mul(input, other) CT_CALL_VV(CT_ID(ct_k), ct_mul, input, other)
#endif
CT_API ct_tensor *ct_mul__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_mul_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_mul_, self, other)
#endif
CT_API ct_tensor *ct_mul_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_mul_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_mul_out, out, input, other)
#endif

/* Divides `input` by `other`; integers give floating-point results unless `rounding_mode` is set. */
struct ct_div_args {
    size_t struct_size;
    const char *rounding_mode;
};
#define ct_div_defaults { .struct_size = sizeof(struct ct_div_args), .rounding_mode = NULL }
CT_API ct_tensor *ct_div_ex(ct_value input, ct_value other, const struct ct_div_args *args);
#ifndef __cplusplus
#define ct_div(input, other, ...) CT_CALL_VV_K(CT_ID(ct_k), ct_div, input, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_div__args {
    size_t struct_size;
    const char *rounding_mode;
};
#define ct_div__defaults { .struct_size = sizeof(struct ct_div__args), .rounding_mode = NULL }
CT_API ct_tensor *ct_div__ex(ct_tensor *self, ct_value other, const struct ct_div__args *args);
#ifndef __cplusplus
#define ct_div_(self, other, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_div_, self, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_div_out_args {
    size_t struct_size;
    const char *rounding_mode;
};
#define ct_div_out_defaults { .struct_size = sizeof(struct ct_div_out_args), .rounding_mode = NULL \
    }
CT_API ct_tensor *ct_div_out_ex(ct_tensor *out, ct_value input, ct_value other, const struct
    ct_div_out_args *args);
#ifndef __cplusplus
#define ct_div_out(out, input, other, ...) CT_CALL_TVV_K(CT_ID(ct_k), ct_div_out, out, input, \
    other __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Subtracts `input`, scaled by `alpha`, from `other`. */
struct ct_rsub_args {
    size_t struct_size;
    double alpha;
};
#define ct_rsub_defaults { .struct_size = sizeof(struct ct_rsub_args), .alpha = 1 }
CT_API ct_tensor *ct_rsub_ex(ct_tensor *input, ct_value other, const struct ct_rsub_args *args);
#ifndef __cplusplus
#define ct_rsub(input, other, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_rsub, input, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the larger of two elements; NaN if either is NaN. */
CT_API ct_tensor *ct_maximum_ex(ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_maximum(input, other) CT_CALL_VT(CT_ID(ct_k), ct_maximum, input, other)
#endif
CT_API ct_tensor *ct_maximum_out_ex(ct_tensor *out, ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_maximum_out(out, input, other) CT_CALL_TVT(CT_ID(ct_k), ct_maximum_out, out, input, \
    other)
#endif

/* Returns the smaller of two elements; NaN if either is NaN. */
CT_API ct_tensor *ct_minimum_ex(ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_minimum(input, other) CT_CALL_VT(CT_ID(ct_k), ct_minimum, input, other)
#endif
CT_API ct_tensor *ct_minimum_out_ex(ct_tensor *out, ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_minimum_out(out, input, other) CT_CALL_TVT(CT_ID(ct_k), ct_minimum_out, out, input, \
    other)
#endif

/* Returns whether elements are equal, as a bool tensor. */
CT_API ct_tensor *ct_eq_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_eq(input, other) CT_CALL_VV(CT_ID(ct_k), ct_eq, input, other)
#endif
CT_API ct_tensor *ct_eq__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_eq_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_eq_, self, other)
#endif
CT_API ct_tensor *ct_eq_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_eq_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_eq_out, out, input, other)
#endif

/* Returns whether elements are unequal, as a bool tensor. */
CT_API ct_tensor *ct_ne_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_ne(input, other) CT_CALL_VV(CT_ID(ct_k), ct_ne, input, other)
#endif
CT_API ct_tensor *ct_ne__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_ne_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_ne_, self, other)
#endif
CT_API ct_tensor *ct_ne_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_ne_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_ne_out, out, input, other)
#endif

/* Returns whether elements of `input` are less than those of `other`. */
CT_API ct_tensor *ct_lt_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_lt(input, other) CT_CALL_VV(CT_ID(ct_k), ct_lt, input, other)
#endif
CT_API ct_tensor *ct_lt__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_lt_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_lt_, self, other)
#endif
CT_API ct_tensor *ct_lt_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_lt_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_lt_out, out, input, other)
#endif

/* Returns whether elements of `input` are less than or equal to those of `other`. */
CT_API ct_tensor *ct_le_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_le(input, other) CT_CALL_VV(CT_ID(ct_k), ct_le, input, other)
#endif
CT_API ct_tensor *ct_le__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_le_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_le_, self, other)
#endif
CT_API ct_tensor *ct_le_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_le_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_le_out, out, input, other)
#endif

/* Returns whether elements of `input` are greater than those of `other`. */
CT_API ct_tensor *ct_gt_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_gt(input, other) CT_CALL_VV(CT_ID(ct_k), ct_gt, input, other)
#endif
CT_API ct_tensor *ct_gt__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_gt_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_gt_, self, other)
#endif
CT_API ct_tensor *ct_gt_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_gt_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_gt_out, out, input, other)
#endif

/* Returns whether elements of `input` are greater than or equal to those of `other`. */
CT_API ct_tensor *ct_ge_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_ge(input, other) CT_CALL_VV(CT_ID(ct_k), ct_ge, input, other)
#endif
CT_API ct_tensor *ct_ge__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_ge_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_ge_, self, other)
#endif
CT_API ct_tensor *ct_ge_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_ge_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_ge_out, out, input, other)
#endif

/* Returns the indices at which the condition is True, one tensor for each dim. */
CT_API ct_list ct_where_condition(ct_tensor *condition);
#ifndef __cplusplus
#define ct_where_condition(condition) CT_CALL_T_P(CT_ID(ct_k), ct_where_condition, condition)
#endif

/* Returns elements of `input` where the condition is True, and of `other` elsewhere. */
CT_API ct_tensor *ct_where_ex(ct_tensor *condition, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_where(condition, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_where, condition, input, \
    other)
#endif
CT_API ct_tensor *ct_where_out_ex(ct_tensor *out, ct_tensor *condition, ct_value input, ct_value
    other);
#ifndef __cplusplus
#define ct_where_out(out, condition, input, other) CT_CALL_TTVV(CT_ID(ct_k), ct_where_out, out, \
    condition, input, other)
#endif

/* Raises `input` to the power of `exponent`. */
CT_API ct_tensor *ct_pow_ex(ct_value input, ct_value exponent);
#ifndef __cplusplus
#define ct_pow(input, exponent) CT_CALL_VV(CT_ID(ct_k), ct_pow, input, exponent)
#endif
CT_API ct_tensor *ct_pow__ex(ct_tensor *self, ct_value exponent);
#ifndef __cplusplus
#define ct_pow_(self, exponent) CT_CALL_TV(CT_ID(ct_k), ct_pow_, self, exponent)
#endif
CT_API ct_tensor *ct_pow_out_ex(ct_tensor *out, ct_value input, ct_value exponent);
#ifndef __cplusplus
#define ct_pow_out(out, input, exponent) CT_CALL_TVV(CT_ID(ct_k), ct_pow_out, out, input, \
    exponent)
#endif

/* Returns the remainder of division with the sign of `other`, as Python's `%` does. */
CT_API ct_tensor *ct_remainder_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_remainder(input, other) CT_CALL_VV(CT_ID(ct_k), ct_remainder, input, other)
#endif
CT_API ct_tensor *ct_remainder__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_remainder_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_remainder_, self, other)
#endif
CT_API ct_tensor *ct_remainder_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_remainder_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_remainder_out, out, input, \
    other)
#endif

/* Returns the remainder of division with the sign of `input`, as C's fmod does. */
CT_API ct_tensor *ct_fmod_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_fmod(input, other) CT_CALL_VV(CT_ID(ct_k), ct_fmod, input, other)
#endif
CT_API ct_tensor *ct_fmod__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_fmod_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_fmod_, self, other)
#endif
CT_API ct_tensor *ct_fmod_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_fmod_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_fmod_out, out, input, other)
#endif

/* Divides and rounds down. */
CT_API ct_tensor *ct_floor_divide_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_floor_divide(input, other) CT_CALL_VV(CT_ID(ct_k), ct_floor_divide, input, other)
#endif
CT_API ct_tensor *ct_floor_divide__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_floor_divide_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_floor_divide_, self, other)
#endif
CT_API ct_tensor *ct_floor_divide_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_floor_divide_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_floor_divide_out, out, \
    input, other)
#endif

/* Returns whether both elements are not zero. */
CT_API ct_tensor *ct_logical_and(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_and(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_logical_and, input, other)
#endif
CT_API ct_tensor *ct_logical_and_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_and_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_logical_and_, self, other)
#endif
CT_API ct_tensor *ct_logical_and_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_and_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_logical_and_out, out, \
    input, other)
#endif

/* Returns whether at least one of two elements is not zero. */
CT_API ct_tensor *ct_logical_or(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_or(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_logical_or, input, other)
#endif
CT_API ct_tensor *ct_logical_or_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_or_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_logical_or_, self, other)
#endif
CT_API ct_tensor *ct_logical_or_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_or_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_logical_or_out, out, \
    input, other)
#endif

/* Returns whether exactly one of two elements is not zero. */
CT_API ct_tensor *ct_logical_xor(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_xor(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_logical_xor, input, other)
#endif
CT_API ct_tensor *ct_logical_xor_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_xor_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_logical_xor_, self, other)
#endif
CT_API ct_tensor *ct_logical_xor_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logical_xor_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_logical_xor_out, out, \
    input, other)
#endif

/* Returns whether each element is zero. */
CT_API ct_tensor *ct_logical_not(ct_tensor *input);
#ifndef __cplusplus
#define ct_logical_not(input) CT_CALL_T_P(CT_ID(ct_k), ct_logical_not, input)
#endif
CT_API ct_tensor *ct_logical_not_(ct_tensor *self);
#ifndef __cplusplus
#define ct_logical_not_(self) CT_CALL_T_P(CT_ID(ct_k), ct_logical_not_, self)
#endif
CT_API ct_tensor *ct_logical_not_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_logical_not_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_logical_not_out, out, input)
#endif

/* Computes the bitwise AND of integers or bools. */
CT_API ct_tensor *ct_bitwise_and_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_and(input, other) CT_CALL_VV(CT_ID(ct_k), ct_bitwise_and, input, other)
#endif
CT_API ct_tensor *ct_bitwise_and__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_and_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_bitwise_and_, self, other)
#endif
CT_API ct_tensor *ct_bitwise_and_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_and_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_bitwise_and_out, out, \
    input, other)
#endif

/* Computes the bitwise OR of integers or bools. */
CT_API ct_tensor *ct_bitwise_or_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_or(input, other) CT_CALL_VV(CT_ID(ct_k), ct_bitwise_or, input, other)
#endif
CT_API ct_tensor *ct_bitwise_or__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_or_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_bitwise_or_, self, other)
#endif
CT_API ct_tensor *ct_bitwise_or_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_or_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_bitwise_or_out, out, \
    input, other)
#endif

/* Computes the bitwise XOR of integers or bools. */
CT_API ct_tensor *ct_bitwise_xor_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_xor(input, other) CT_CALL_VV(CT_ID(ct_k), ct_bitwise_xor, input, other)
#endif
CT_API ct_tensor *ct_bitwise_xor__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_xor_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_bitwise_xor_, self, other)
#endif
CT_API ct_tensor *ct_bitwise_xor_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_xor_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_bitwise_xor_out, out, \
    input, other)
#endif

/* Inverts the bits of integers; negates bools. */
CT_API ct_tensor *ct_bitwise_not(ct_tensor *input);
#ifndef __cplusplus
#define ct_bitwise_not(input) CT_CALL_T_P(CT_ID(ct_k), ct_bitwise_not, input)
#endif
CT_API ct_tensor *ct_bitwise_not_(ct_tensor *self);
#ifndef __cplusplus
#define ct_bitwise_not_(self) CT_CALL_T_P(CT_ID(ct_k), ct_bitwise_not_, self)
#endif
CT_API ct_tensor *ct_bitwise_not_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_bitwise_not_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_bitwise_not_out, out, input)
#endif

/* Replaces elements below `min` by `min`. */
CT_API ct_tensor *ct_clamp_min_ex(ct_tensor *input, ct_value min);
#ifndef __cplusplus
#define ct_clamp_min(input, min) CT_CALL_TV(CT_ID(ct_k), ct_clamp_min, input, min)
#endif
CT_API ct_tensor *ct_clamp_min__ex(ct_tensor *self, ct_value min);
#ifndef __cplusplus
#define ct_clamp_min_(self, min) CT_CALL_TV(CT_ID(ct_k), ct_clamp_min_, self, min)
#endif
CT_API ct_tensor *ct_clamp_min_out_ex(ct_tensor *out, ct_tensor *input, ct_value min);
#ifndef __cplusplus
#define ct_clamp_min_out(out, input, min) CT_CALL_TTV(CT_ID(ct_k), ct_clamp_min_out, out, input, \
    min)
#endif

/* Replaces elements above `max` by `max`. */
CT_API ct_tensor *ct_clamp_max_ex(ct_tensor *input, ct_value max);
#ifndef __cplusplus
#define ct_clamp_max(input, max) CT_CALL_TV(CT_ID(ct_k), ct_clamp_max, input, max)
#endif
CT_API ct_tensor *ct_clamp_max__ex(ct_tensor *self, ct_value max);
#ifndef __cplusplus
#define ct_clamp_max_(self, max) CT_CALL_TV(CT_ID(ct_k), ct_clamp_max_, self, max)
#endif
CT_API ct_tensor *ct_clamp_max_out_ex(ct_tensor *out, ct_tensor *input, ct_value max);
#ifndef __cplusplus
#define ct_clamp_max_out(out, input, max) CT_CALL_TTV(CT_ID(ct_k), ct_clamp_max_out, out, input, \
    max)
#endif

/* Clamps elements to the range between the elements of two tensors. */
struct ct_clamp_Tensor_args {
    size_t struct_size;
    ct_tensor *min;
    ct_tensor *max;
};
#define ct_clamp_Tensor_defaults { .struct_size = sizeof(struct ct_clamp_Tensor_args), .min = \
    CT_NO_TENSOR, .max = CT_NO_TENSOR }
CT_API ct_tensor *ct_clamp_Tensor_ex(ct_tensor *input, const struct ct_clamp_Tensor_args *args);
#ifndef __cplusplus
#define ct_clamp_Tensor(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_clamp_Tensor, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_clamp_Tensor__args {
    size_t struct_size;
    ct_tensor *min;
    ct_tensor *max;
};
#define ct_clamp_Tensor__defaults { .struct_size = sizeof(struct ct_clamp_Tensor__args), .min = \
    CT_NO_TENSOR, .max = CT_NO_TENSOR }
CT_API ct_tensor *ct_clamp_Tensor__ex(ct_tensor *self, const struct ct_clamp_Tensor__args *args);
#ifndef __cplusplus
#define ct_clamp_Tensor_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_clamp_Tensor_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_clamp_Tensor_out_args {
    size_t struct_size;
    ct_tensor *min;
    ct_tensor *max;
};
#define ct_clamp_Tensor_out_defaults { .struct_size = sizeof(struct ct_clamp_Tensor_out_args), \
    .min = CT_NO_TENSOR, .max = CT_NO_TENSOR }
CT_API ct_tensor *ct_clamp_Tensor_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_clamp_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_clamp_Tensor_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_clamp_Tensor_out, out, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Clamps elements to between `min` and `max`. */
struct ct_clamp_args {
    size_t struct_size;
    double min;
    double max;
};
#define ct_clamp_defaults { .struct_size = sizeof(struct ct_clamp_args), .min = CT_NO_NUMBER, .max \
    = CT_NO_NUMBER }
CT_API ct_tensor *ct_clamp_ex(ct_tensor *input, const struct ct_clamp_args *args);
#ifndef __cplusplus
#define ct_clamp(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_clamp, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_clamp__args {
    size_t struct_size;
    double min;
    double max;
};
#define ct_clamp__defaults { .struct_size = sizeof(struct ct_clamp__args), .min = CT_NO_NUMBER, \
    .max = CT_NO_NUMBER }
CT_API ct_tensor *ct_clamp__ex(ct_tensor *self, const struct ct_clamp__args *args);
#ifndef __cplusplus
#define ct_clamp_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_clamp_, self __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_clamp_out_args {
    size_t struct_size;
    double min;
    double max;
};
#define ct_clamp_out_defaults { .struct_size = sizeof(struct ct_clamp_out_args), .min = \
    CT_NO_NUMBER, .max = CT_NO_NUMBER }
CT_API ct_tensor *ct_clamp_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_clamp_out_args
    *args);
#ifndef __cplusplus
#define ct_clamp_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_clamp_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Interpolates linearly: `input + weight * (end - input)`. */
CT_API ct_tensor *ct_lerp_ex(ct_tensor *input, ct_tensor *end, ct_value weight);
#ifndef __cplusplus
#define ct_lerp(input, end, weight) CT_CALL_TTV(CT_ID(ct_k), ct_lerp, input, end, weight)
#endif
CT_API ct_tensor *ct_lerp__ex(ct_tensor *self, ct_tensor *end, ct_value weight);
#ifndef __cplusplus
#define ct_lerp_(self, end, weight) CT_CALL_TTV(CT_ID(ct_k), ct_lerp_, self, end, weight)
#endif
CT_API ct_tensor *ct_lerp_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *end, ct_value weight);
#ifndef __cplusplus
#define ct_lerp_out(out, input, end, weight) CT_CALL_TTTV(CT_ID(ct_k), ct_lerp_out, out, input, \
    end, weight)
#endif

/* Returns `input + value * tensor1 * tensor2`. */
struct ct_addcmul_args {
    size_t struct_size;
    double value;
};
#define ct_addcmul_defaults { .struct_size = sizeof(struct ct_addcmul_args), .value = 1 }
CT_API ct_tensor *ct_addcmul_ex(ct_tensor *input, ct_tensor *tensor1, ct_tensor *tensor2, const
    struct ct_addcmul_args *args);
#ifndef __cplusplus
#define ct_addcmul(input, tensor1, tensor2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addcmul, input, \
    tensor1, tensor2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addcmul__args {
    size_t struct_size;
    double value;
};
#define ct_addcmul__defaults { .struct_size = sizeof(struct ct_addcmul__args), .value = 1 }
CT_API ct_tensor *ct_addcmul__ex(ct_tensor *self, ct_tensor *tensor1, ct_tensor *tensor2, const
    struct ct_addcmul__args *args);
#ifndef __cplusplus
#define ct_addcmul_(self, tensor1, tensor2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addcmul_, self, \
    tensor1, tensor2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addcmul_out_args {
    size_t struct_size;
    double value;
};
#define ct_addcmul_out_defaults { .struct_size = sizeof(struct ct_addcmul_out_args), .value = 1 }
CT_API ct_tensor *ct_addcmul_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *tensor1, ct_tensor
    *tensor2, const struct ct_addcmul_out_args *args);
#ifndef __cplusplus
#define ct_addcmul_out(out, input, tensor1, tensor2, ...) CT_CALL_TTTT_K(CT_ID(ct_k), \
    ct_addcmul_out, out, input, tensor1, tensor2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input + value * tensor1 / tensor2`. */
struct ct_addcdiv_args {
    size_t struct_size;
    double value;
};
#define ct_addcdiv_defaults { .struct_size = sizeof(struct ct_addcdiv_args), .value = 1 }
CT_API ct_tensor *ct_addcdiv_ex(ct_tensor *input, ct_tensor *tensor1, ct_tensor *tensor2, const
    struct ct_addcdiv_args *args);
#ifndef __cplusplus
#define ct_addcdiv(input, tensor1, tensor2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addcdiv, input, \
    tensor1, tensor2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addcdiv__args {
    size_t struct_size;
    double value;
};
#define ct_addcdiv__defaults { .struct_size = sizeof(struct ct_addcdiv__args), .value = 1 }
CT_API ct_tensor *ct_addcdiv__ex(ct_tensor *self, ct_tensor *tensor1, ct_tensor *tensor2, const
    struct ct_addcdiv__args *args);
#ifndef __cplusplus
#define ct_addcdiv_(self, tensor1, tensor2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addcdiv_, self, \
    tensor1, tensor2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addcdiv_out_args {
    size_t struct_size;
    double value;
};
#define ct_addcdiv_out_defaults { .struct_size = sizeof(struct ct_addcdiv_out_args), .value = 1 }
CT_API ct_tensor *ct_addcdiv_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *tensor1, ct_tensor
    *tensor2, const struct ct_addcdiv_out_args *args);
#ifndef __cplusplus
#define ct_addcdiv_out(out, input, tensor1, tensor2, ...) CT_CALL_TTTT_K(CT_ID(ct_k), \
    ct_addcdiv_out, out, input, tensor1, tensor2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the angle, between -pi and pi, of the point with x `other` and y `input`. */
CT_API ct_tensor *ct_atan2_ex(ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_atan2(input, other) CT_CALL_VT(CT_ID(ct_k), ct_atan2, input, other)
#endif
CT_API ct_tensor *ct_atan2_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_atan2_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_atan2_, self, other)
#endif
CT_API ct_tensor *ct_atan2_out_ex(ct_tensor *out, ct_value input, ct_tensor *other);
#ifndef __cplusplus
#define ct_atan2_out(out, input, other) CT_CALL_TVT(CT_ID(ct_k), ct_atan2_out, out, input, other)
#endif

/* Returns whether elements are equal within tolerances: `abs(input - other) <= atol + rtol * abs(other)`. */
struct ct_isclose_args {
    size_t struct_size;
    double rtol;
    double atol;
    bool equal_nan;
};
#define ct_isclose_defaults { .struct_size = sizeof(struct ct_isclose_args), .rtol = 1e-05, .atol \
    = 1e-08, .equal_nan = false }
CT_API ct_tensor *ct_isclose_ex(ct_tensor *input, ct_tensor *other, const struct ct_isclose_args
    *args);
#ifndef __cplusplus
#define ct_isclose(input, other, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_isclose, input, other \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns whether all elements are equal within tolerances: `abs(input - other) <= atol + rtol * abs(other)`. */
struct ct_allclose_args {
    size_t struct_size;
    double rtol;
    double atol;
    bool equal_nan;
};
#define ct_allclose_defaults { .struct_size = sizeof(struct ct_allclose_args), .rtol = 1e-05, \
    .atol = 1e-08, .equal_nan = false }
CT_API bool ct_allclose_ex(ct_tensor *input, ct_tensor *other, const struct ct_allclose_args *args);
#ifndef __cplusplus
#define ct_allclose(input, other, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_allclose, input, other \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns whether two tensors have the same shape and the same elements. */
CT_API bool ct_equal(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_equal(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_equal, input, other)
#endif

/* Shifts bits to the left: `input * 2 ** other`. */
CT_API ct_tensor *ct_bitwise_left_shift_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_left_shift(input, other) CT_CALL_VV(CT_ID(ct_k), ct_bitwise_left_shift, input, \
    other)
#endif
CT_API ct_tensor *ct_bitwise_left_shift__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_left_shift_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_bitwise_left_shift_, self, \
    other)
#endif
CT_API ct_tensor *ct_bitwise_left_shift_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_left_shift_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), \
    ct_bitwise_left_shift_out, out, input, other)
#endif

/* Shifts bits to the right; signed numbers keep their sign. */
CT_API ct_tensor *ct_bitwise_right_shift_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_right_shift(input, other) CT_CALL_VV(CT_ID(ct_k), ct_bitwise_right_shift, \
    input, other)
#endif
CT_API ct_tensor *ct_bitwise_right_shift__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_right_shift_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_bitwise_right_shift_, \
    self, other)
#endif
CT_API ct_tensor *ct_bitwise_right_shift_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_bitwise_right_shift_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), \
    ct_bitwise_right_shift_out, out, input, other)
#endif

/* Computes attention: `softmax(scale * query @ key.mT + attn_mask) @ value`. */
struct ct_scaled_dot_product_attention_args {
    size_t struct_size;
    ct_tensor *attn_mask;
    double dropout_p;
    bool is_causal;
    double scale;
    bool enable_gqa;
};
#define ct_scaled_dot_product_attention_defaults { .struct_size = sizeof(struct \
    ct_scaled_dot_product_attention_args), .attn_mask = CT_NO_TENSOR, .dropout_p = 0.0, .is_causal \
    = false, .scale = CT_NO_NUMBER, .enable_gqa = false }
CT_API ct_tensor *ct_scaled_dot_product_attention_ex(ct_tensor *query, ct_tensor *key, ct_tensor
    *value, const struct ct_scaled_dot_product_attention_args *args);
#ifndef __cplusplus
#define ct_scaled_dot_product_attention(query, key, value, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_scaled_dot_product_attention, query, key, value __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Accumulates the gradients of `input` into the leaves from which it was computed. */
struct ct_backward_args {
    size_t struct_size;
    ct_tensor *gradient;
    int retain_graph;
    bool create_graph;
    ct_list inputs;
};
#define ct_backward_defaults { .struct_size = sizeof(struct ct_backward_args), .gradient = \
    CT_NO_TENSOR, .retain_graph = -1, .create_graph = false, .inputs = CT_NO_LIST }
CT_API bool ct_backward_ex(ct_tensor *input, const struct ct_backward_args *args);
#ifndef __cplusplus
#define ct_backward(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_backward, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the gradients of `outputs` with respect to `inputs`; NULL for an input that was not used. */
struct ct_autograd_grad_args {
    size_t struct_size;
    ct_list grad_outputs;
    int retain_graph;
    bool create_graph;
    bool allow_unused;
};
#define ct_autograd_grad_defaults { .struct_size = sizeof(struct ct_autograd_grad_args), \
    .grad_outputs = CT_NO_LIST, .retain_graph = -1, .create_graph = false, .allow_unused = false }
CT_API ct_list ct_autograd_grad_ex(ct_list outputs, ct_list inputs, const struct
    ct_autograd_grad_args *args);
#ifndef __cplusplus
#define ct_autograd_grad(outputs, inputs, ...) CT_CALL_LL_K(CT_ID(ct_k), ct_autograd_grad, \
    outputs, inputs __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a view that is not part of the graph. */
CT_API ct_tensor *ct_detach(ct_tensor *input);
#ifndef __cplusplus
#define ct_detach(input) CT_CALL_T_P(CT_ID(ct_k), ct_detach, input)
#endif

/* Extracts sliding windows of an image as columns (im2col). */
struct ct_nn_functional_unfold_args {
    size_t struct_size;
    ct_ints dilation;
    ct_ints padding;
    ct_ints stride;
};
#define ct_nn_functional_unfold_defaults { .struct_size = sizeof(struct \
    ct_nn_functional_unfold_args), .dilation = CT_INTS(1), .padding = CT_INTS(0), .stride = \
    CT_INTS(1) }
CT_API ct_tensor *ct_nn_functional_unfold_ex(ct_tensor *input, ct_ints kernel_size, const struct
    ct_nn_functional_unfold_args *args);
#ifndef __cplusplus
#define ct_nn_functional_unfold(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_nn_functional_unfold, input, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Combines columns into an image (col2im); overlapping windows are summed. */
struct ct_fold_args {
    size_t struct_size;
    ct_ints dilation;
    ct_ints padding;
    ct_ints stride;
};
#define ct_fold_defaults { .struct_size = sizeof(struct ct_fold_args), .dilation = CT_INTS(1), \
    .padding = CT_INTS(0), .stride = CT_INTS(1) }
CT_API ct_tensor *ct_fold_ex(ct_tensor *input, ct_ints output_size, ct_ints kernel_size, const
    struct ct_fold_args *args);
#ifndef __cplusplus
#define ct_fold(input, output_size, kernel_size, ...) CT_CALL_TII_K(CT_ID(ct_k), ct_fold, input, \
    output_size, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the p-norms of the windows of the last dim. */
struct ct_lp_pool1d_args {
    size_t struct_size;
    ct_ints stride;
    bool ceil_mode;
};
#define ct_lp_pool1d_defaults { .struct_size = sizeof(struct ct_lp_pool1d_args), .stride = \
    CT_NO_DIMS, .ceil_mode = false }
CT_API ct_tensor *ct_lp_pool1d_ex(ct_tensor *input, double norm_type, ct_ints kernel_size, const
    struct ct_lp_pool1d_args *args);
#ifndef __cplusplus
#define ct_lp_pool1d(input, norm_type, kernel_size, ...) CT_CALL_TAI_K(CT_ID(ct_k), ct_lp_pool1d, \
    input, norm_type, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the p-norms of the windows of the last two dims. */
struct ct_lp_pool2d_args {
    size_t struct_size;
    ct_ints stride;
    bool ceil_mode;
};
#define ct_lp_pool2d_defaults { .struct_size = sizeof(struct ct_lp_pool2d_args), .stride = \
    CT_NO_DIMS, .ceil_mode = false }
CT_API ct_tensor *ct_lp_pool2d_ex(ct_tensor *input, double norm_type, ct_ints kernel_size, const
    struct ct_lp_pool2d_args *args);
#ifndef __cplusplus
#define ct_lp_pool2d(input, norm_type, kernel_size, ...) CT_CALL_TAI_K(CT_ID(ct_k), ct_lp_pool2d, \
    input, norm_type, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the p-norms of the windows of the last three dims. */
struct ct_lp_pool3d_args {
    size_t struct_size;
    ct_ints stride;
    bool ceil_mode;
};
#define ct_lp_pool3d_defaults { .struct_size = sizeof(struct ct_lp_pool3d_args), .stride = \
    CT_NO_DIMS, .ceil_mode = false }
CT_API ct_tensor *ct_lp_pool3d_ex(ct_tensor *input, double norm_type, ct_ints kernel_size, const
    struct ct_lp_pool3d_args *args);
#ifndef __cplusplus
#define ct_lp_pool3d(input, norm_type, kernel_size, ...) CT_CALL_TAI_K(CT_ID(ct_k), ct_lp_pool3d, \
    input, norm_type, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the gated linear unit: one half of a dim times the sigmoid of the other half. */
struct ct_glu_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_glu_defaults { .struct_size = sizeof(struct ct_glu_args), .dim = -1 }
CT_API ct_tensor *ct_glu_ex(ct_tensor *input, const struct ct_glu_args *args);
#ifndef __cplusplus
#define ct_glu(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_glu, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Draws from a categorical distribution over a dim, as a soft or one-hot sample with a gradient. */
struct ct_gumbel_softmax_args {
    size_t struct_size;
    double tau;
    bool hard;
    double eps;
    int64_t dim;
};
#define ct_gumbel_softmax_defaults { .struct_size = sizeof(struct ct_gumbel_softmax_args), .tau = \
    1, .hard = false, .eps = 1e-10, .dim = -1 }
CT_API ct_tensor *ct_gumbel_softmax_ex(ct_tensor *logits, const struct ct_gumbel_softmax_args
    *args);
#ifndef __cplusplus
#define ct_gumbel_softmax(logits, ...) CT_CALL_T_K(CT_ID(ct_k), ct_gumbel_softmax, logits \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a one-hot row for each class index: 1 at that index, 0 elsewhere. */
struct ct_one_hot_args {
    size_t struct_size;
    int64_t num_classes;
};
#define ct_one_hot_defaults { .struct_size = sizeof(struct ct_one_hot_args), .num_classes = -1 }
CT_API ct_tensor *ct_one_hot_ex(ct_tensor *input, const struct ct_one_hot_args *args);
#ifndef __cplusplus
#define ct_one_hot(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_one_hot, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Writes elements back to the positions that max_pool1d took them from, in the last dim; 0 elsewhere. */
struct ct_max_unpool1d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints output_size;
};
#define ct_max_unpool1d_defaults { .struct_size = sizeof(struct ct_max_unpool1d_args), .stride = \
    CT_NO_DIMS, .padding = CT_INTS(0), .output_size = CT_NO_DIMS }
CT_API ct_tensor *ct_max_unpool1d_ex(ct_tensor *input, ct_tensor *indices, ct_ints kernel_size,
    const struct ct_max_unpool1d_args *args);
#ifndef __cplusplus
#define ct_max_unpool1d(input, indices, kernel_size, ...) CT_CALL_TTI_K(CT_ID(ct_k), \
    ct_max_unpool1d, input, indices, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Writes elements back to the positions that max_pool2d took them from, in the last two dims; 0 elsewhere. */
struct ct_max_unpool2d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints output_size;
};
#define ct_max_unpool2d_defaults { .struct_size = sizeof(struct ct_max_unpool2d_args), .stride = \
    CT_NO_DIMS, .padding = CT_INTS(0), .output_size = CT_NO_DIMS }
CT_API ct_tensor *ct_max_unpool2d_ex(ct_tensor *input, ct_tensor *indices, ct_ints kernel_size,
    const struct ct_max_unpool2d_args *args);
#ifndef __cplusplus
#define ct_max_unpool2d(input, indices, kernel_size, ...) CT_CALL_TTI_K(CT_ID(ct_k), \
    ct_max_unpool2d, input, indices, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Writes elements back to the positions that max_pool3d took them from, in the last three dims; 0 elsewhere. */
struct ct_max_unpool3d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints output_size;
};
#define ct_max_unpool3d_defaults { .struct_size = sizeof(struct ct_max_unpool3d_args), .stride = \
    CT_NO_DIMS, .padding = CT_INTS(0), .output_size = CT_NO_DIMS }
CT_API ct_tensor *ct_max_unpool3d_ex(ct_tensor *input, ct_tensor *indices, ct_ints kernel_size,
    const struct ct_max_unpool3d_args *args);
#ifndef __cplusplus
#define ct_max_unpool3d(input, indices, kernel_size, ...) CT_CALL_TTI_K(CT_ID(ct_k), \
    ct_max_unpool3d, input, indices, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the LU factorization of matrices in packed form, and the pivots; `get_infos` adds an error code for each matrix. */
#ifndef CT_LU_RESULT
#define CT_LU_RESULT
struct ct_lu_result {
    ct_tensor *LU, *pivots, *infos;
};
#endif
typedef struct ct_lu_result ct_lu_result;
struct ct_lu_args {
    size_t struct_size;
    bool pivot;
    bool get_infos;
};
#define ct_lu_defaults { .struct_size = sizeof(struct ct_lu_args), .pivot = true, .get_infos = \
    false }
CT_API struct ct_lu_result ct_lu_ex(ct_tensor *A, const struct ct_lu_args *args);
#ifndef __cplusplus
#define ct_lu(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_lu, A __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns eigenvalues as pairs of real and imaginary parts, and the eigenvectors; a complex conjugate pair occupies two real columns. */
#ifndef CT_EIG_RESULT
#define CT_EIG_RESULT
struct ct_eig_result {
    ct_tensor *eigenvalues, *eigenvectors;
};
#endif
typedef struct ct_eig_result ct_eig_result;
struct ct_eig_args {
    size_t struct_size;
    bool eigenvectors;
};
#define ct_eig_defaults { .struct_size = sizeof(struct ct_eig_args), .eigenvectors = false }
CT_API struct ct_eig_result ct_eig_ex(ct_tensor *input, const struct ct_eig_args *args);
#ifndef __cplusplus
#define ct_eig(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_eig, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the eigenvalues of symmetric matrices, and the eigenvectors. */
#ifndef CT_SYMEIG_RESULT
#define CT_SYMEIG_RESULT
struct ct_symeig_result {
    ct_tensor *eigenvalues, *eigenvectors;
};
#endif
typedef struct ct_symeig_result ct_symeig_result;
struct ct_symeig_args {
    size_t struct_size;
    bool eigenvectors;
    bool upper;
};
#define ct_symeig_defaults { .struct_size = sizeof(struct ct_symeig_args), .eigenvectors = false, \
    .upper = true }
CT_API struct ct_symeig_result ct_symeig_ex(ct_tensor *input, const struct ct_symeig_args *args);
#ifndef __cplusplus
#define ct_symeig(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_symeig, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the solution of `A X = input`, and the LU factorization of A. */
#ifndef CT_SOLVE_RESULT
#define CT_SOLVE_RESULT
struct ct_solve_result {
    ct_tensor *solution, *LU;
};
#endif
typedef struct ct_solve_result ct_solve_result;
CT_API struct ct_solve_result ct_solve(ct_tensor *input, ct_tensor *A);
#ifndef __cplusplus
#define ct_solve(input, A) CT_CALL_TT_P(CT_ID(ct_k), ct_solve, input, A)
#endif

/* Returns the X that minimizes `norm(A X - input)`; the rows below X hold the residuals. */
#ifndef CT_GELS_RESULT
#define CT_GELS_RESULT
struct ct_gels_result {
    ct_tensor *solution, *QR;
};
#endif
typedef struct ct_gels_result ct_gels_result;
CT_API struct ct_gels_result ct_gels(ct_tensor *input, ct_tensor *A);
#ifndef __cplusplus
#define ct_gels(input, A) CT_CALL_TT_P(CT_ID(ct_k), ct_gels, input, A)
#endif

/* Returns the solution of `A X = B`, given the results of linalg.lu_factor. */
CT_API ct_tensor *ct_lu_solve(ct_tensor *input, ct_tensor *LU_data, ct_tensor *LU_pivots);
#ifndef __cplusplus
#define ct_lu_solve(input, LU_data, LU_pivots) CT_CALL_TTT_P(CT_ID(ct_k), ct_lu_solve, input, \
    LU_data, LU_pivots)
#endif
CT_API ct_tensor *ct_lu_solve_out(ct_tensor *out, ct_tensor *input, ct_tensor *LU_data, ct_tensor
    *LU_pivots);
#ifndef __cplusplus
#define ct_lu_solve_out(out, input, LU_data, LU_pivots) CT_CALL_TTTT_P(CT_ID(ct_k), \
    ct_lu_solve_out, out, input, LU_data, LU_pivots)
#endif

/* Returns the same elements in another shape; deprecated in favour of `reshape`. */
CT_API ct_tensor *ct_resize(ct_tensor *input, ct_ints sizes);
#ifndef __cplusplus
#define ct_resize(input, sizes, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_resize, input, sizes \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the same elements in the shape of `tensor`; deprecated in favour of `reshape_as`. */
CT_API ct_tensor *ct_resize_as(ct_tensor *input, ct_tensor *tensor);
#ifndef __cplusplus
#define ct_resize_as(input, tensor) CT_CALL_TT_P(CT_ID(ct_k), ct_resize_as, input, tensor)
#endif

/* Computes a convolution, or a transposed convolution, of `input` with the filters `weight`. */
CT_API ct_tensor *ct_convolution(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_ints
    stride, ct_ints padding, ct_ints dilation, bool transposed, ct_ints output_padding, int64_t
    groups);
#ifndef __cplusplus
#define ct_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, \
    groups) CT_CALL_TTTIIIAIA_P(CT_ID(ct_k), ct_convolution, input, weight, bias, stride, padding, \
    dilation, transposed, output_padding, groups)
#endif

/* Computes a convolution over 1 dim: each output element is the dot product of a filter and the window under it. */
struct ct_conv1d_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    int64_t groups;
};
#define ct_conv1d_defaults { .struct_size = sizeof(struct ct_conv1d_args), .bias = CT_NO_TENSOR, \
    .stride = CT_INTS(1), .padding = CT_INTS(0), .dilation = CT_INTS(1), .groups = 1 }
CT_API ct_tensor *ct_conv1d_ex(ct_tensor *input, ct_tensor *weight, const struct ct_conv1d_args
    *args);
#ifndef __cplusplus
#define ct_conv1d(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv1d, input, weight \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a convolution over 2 dims: each output element is the dot product of a filter and the window under it. */
struct ct_conv2d_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    int64_t groups;
};
#define ct_conv2d_defaults { .struct_size = sizeof(struct ct_conv2d_args), .bias = CT_NO_TENSOR, \
    .stride = CT_INTS(1), .padding = CT_INTS(0), .dilation = CT_INTS(1), .groups = 1 }
CT_API ct_tensor *ct_conv2d_ex(ct_tensor *input, ct_tensor *weight, const struct ct_conv2d_args
    *args);
#ifndef __cplusplus
#define ct_conv2d(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv2d, input, weight \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a convolution over 3 dims: each output element is the dot product of a filter and the window under it. */
struct ct_conv3d_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    int64_t groups;
};
#define ct_conv3d_defaults { .struct_size = sizeof(struct ct_conv3d_args), .bias = CT_NO_TENSOR, \
    .stride = CT_INTS(1), .padding = CT_INTS(0), .dilation = CT_INTS(1), .groups = 1 }
CT_API ct_tensor *ct_conv3d_ex(ct_tensor *input, ct_tensor *weight, const struct ct_conv3d_args
    *args);
#ifndef __cplusplus
#define ct_conv3d(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv3d, input, weight \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a convolution with named padding: 'valid' (no padding) or 'same' (the result has the size of `input`). */
struct ct_conv1d_padding_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    const char *padding;
    ct_ints dilation;
    int64_t groups;
};
#define ct_conv1d_padding_defaults { .struct_size = sizeof(struct ct_conv1d_padding_args), .bias = \
    CT_NO_TENSOR, .stride = CT_INTS(1), .padding = "valid", .dilation = CT_INTS(1), .groups = 1 }
CT_API ct_tensor *ct_conv1d_padding_ex(ct_tensor *input, ct_tensor *weight, const struct
    ct_conv1d_padding_args *args);
#ifndef __cplusplus
#define ct_conv1d_padding(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv1d_padding, input, \
    weight __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a convolution with named padding: 'valid' (no padding) or 'same' (the result has the size of `input`). */
struct ct_conv2d_padding_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    const char *padding;
    ct_ints dilation;
    int64_t groups;
};
#define ct_conv2d_padding_defaults { .struct_size = sizeof(struct ct_conv2d_padding_args), .bias = \
    CT_NO_TENSOR, .stride = CT_INTS(1), .padding = "valid", .dilation = CT_INTS(1), .groups = 1 }
CT_API ct_tensor *ct_conv2d_padding_ex(ct_tensor *input, ct_tensor *weight, const struct
    ct_conv2d_padding_args *args);
#ifndef __cplusplus
#define ct_conv2d_padding(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv2d_padding, input, \
    weight __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a convolution with named padding: 'valid' (no padding) or 'same' (the result has the size of `input`). */
struct ct_conv3d_padding_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    const char *padding;
    ct_ints dilation;
    int64_t groups;
};
#define ct_conv3d_padding_defaults { .struct_size = sizeof(struct ct_conv3d_padding_args), .bias = \
    CT_NO_TENSOR, .stride = CT_INTS(1), .padding = "valid", .dilation = CT_INTS(1), .groups = 1 }
CT_API ct_tensor *ct_conv3d_padding_ex(ct_tensor *input, ct_tensor *weight, const struct
    ct_conv3d_padding_args *args);
#ifndef __cplusplus
#define ct_conv3d_padding(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv3d_padding, input, \
    weight __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a transposed convolution over 1 dim: each input element adds a multiple of a filter to the result. */
struct ct_conv_transpose1d_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    ct_ints padding;
    ct_ints output_padding;
    int64_t groups;
    ct_ints dilation;
};
#define ct_conv_transpose1d_defaults { .struct_size = sizeof(struct ct_conv_transpose1d_args), \
    .bias = CT_NO_TENSOR, .stride = CT_INTS(1), .padding = CT_INTS(0), .output_padding = \
    CT_INTS(0), .groups = 1, .dilation = CT_INTS(1) }
CT_API ct_tensor *ct_conv_transpose1d_ex(ct_tensor *input, ct_tensor *weight, const struct
    ct_conv_transpose1d_args *args);
#ifndef __cplusplus
#define ct_conv_transpose1d(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv_transpose1d, \
    input, weight __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a transposed convolution over 2 dims: each input element adds a multiple of a filter to the result. */
struct ct_conv_transpose2d_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    ct_ints padding;
    ct_ints output_padding;
    int64_t groups;
    ct_ints dilation;
};
#define ct_conv_transpose2d_defaults { .struct_size = sizeof(struct ct_conv_transpose2d_args), \
    .bias = CT_NO_TENSOR, .stride = CT_INTS(1), .padding = CT_INTS(0), .output_padding = \
    CT_INTS(0), .groups = 1, .dilation = CT_INTS(1) }
CT_API ct_tensor *ct_conv_transpose2d_ex(ct_tensor *input, ct_tensor *weight, const struct
    ct_conv_transpose2d_args *args);
#ifndef __cplusplus
#define ct_conv_transpose2d(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv_transpose2d, \
    input, weight __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a transposed convolution over 3 dims: each input element adds a multiple of a filter to the result. */
struct ct_conv_transpose3d_args {
    size_t struct_size;
    ct_tensor *bias;
    ct_ints stride;
    ct_ints padding;
    ct_ints output_padding;
    int64_t groups;
    ct_ints dilation;
};
#define ct_conv_transpose3d_defaults { .struct_size = sizeof(struct ct_conv_transpose3d_args), \
    .bias = CT_NO_TENSOR, .stride = CT_INTS(1), .padding = CT_INTS(0), .output_padding = \
    CT_INTS(0), .groups = 1, .dilation = CT_INTS(1) }
CT_API ct_tensor *ct_conv_transpose3d_ex(ct_tensor *input, ct_tensor *weight, const struct
    ct_conv_transpose3d_args *args);
#ifndef __cplusplus
#define ct_conv_transpose3d(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_conv_transpose3d, \
    input, weight __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a convolution over time of an input of shape (time, batch, channels) with weights of shape (time, in, out). */
struct ct_conv_tbc_args {
    size_t struct_size;
    int64_t pad;
};
#define ct_conv_tbc_defaults { .struct_size = sizeof(struct ct_conv_tbc_args), .pad = 0 }
CT_API ct_tensor *ct_conv_tbc_ex(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, const struct
    ct_conv_tbc_args *args);
#ifndef __cplusplus
#define ct_conv_tbc(input, weight, bias, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_conv_tbc, input, \
    weight, bias __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a copy; gradients flow through it to `input`. */
struct ct_clone_args {
    size_t struct_size;
    int memory_format;
};
#define ct_clone_defaults { .struct_size = sizeof(struct ct_clone_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_clone_ex(ct_tensor *input, const struct ct_clone_args *args);
#ifndef __cplusplus
#define ct_clone(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_clone, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` if it is contiguous, otherwise a contiguous copy. */
struct ct_contiguous_args {
    size_t struct_size;
    int memory_format;
};
#define ct_contiguous_defaults { .struct_size = sizeof(struct ct_contiguous_args), .memory_format \
    = CT_CONTIGUOUS_FORMAT }
CT_API ct_tensor *ct_contiguous_ex(ct_tensor *input, const struct ct_contiguous_args *args);
#ifndef __cplusplus
#define ct_contiguous(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_contiguous, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns `input` with another data type or on another device, or `input` itself if nothing changes. */
struct ct_to_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool non_blocking;
    bool copy;
    int memory_format;
};
#define ct_to_defaults { .struct_size = sizeof(struct ct_to_args), .dtype = CT_NO_DTYPE, .device = \
    CT_NO_DEVICE, .non_blocking = false, .copy = false, .memory_format = CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_to_ex(ct_tensor *input, const struct ct_to_args *args);
#ifndef __cplusplus
#define ct_to(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_to, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Overwrites the elements with those of `other`, cast and broadcast. */
struct ct_copy_args {
    size_t struct_size;
    bool non_blocking;
};
#define ct_copy_defaults { .struct_size = sizeof(struct ct_copy_args), .non_blocking = false }
CT_API ct_tensor *ct_copy_ex(ct_tensor *input, ct_tensor *other, const struct ct_copy_args *args);
#ifndef __cplusplus
#define ct_copy(input, other, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_copy, input, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_copy__args {
    size_t struct_size;
    bool non_blocking;
};
#define ct_copy__defaults { .struct_size = sizeof(struct ct_copy__args), .non_blocking = false }
CT_API ct_tensor *ct_copy__ex(ct_tensor *self, ct_tensor *other, const struct ct_copy__args *args);
#ifndef __cplusplus
#define ct_copy_(self, other, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_copy_, self, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Overwrites all elements with one value. */
CT_API ct_tensor *ct_fill_ex(ct_tensor *input, ct_value value);
#ifndef __cplusplus
#define ct_fill(input, value) CT_CALL_TV(CT_ID(ct_k), ct_fill, input, value)
#endif

/* Overwrites all elements with one value. */
CT_API ct_tensor *ct_fill__ex(ct_tensor *self, ct_value value);
#ifndef __cplusplus
#define ct_fill_(self, value) CT_CALL_TV(CT_ID(ct_k), ct_fill_, self, value)
#endif

/* Overwrites all elements with 0. */
CT_API ct_tensor *ct_zero(ct_tensor *input);
#ifndef __cplusplus
#define ct_zero(input) CT_CALL_T_P(CT_ID(ct_k), ct_zero, input)
#endif
CT_API ct_tensor *ct_zero_(ct_tensor *self);
#ifndef __cplusplus
#define ct_zero_(self) CT_CALL_T_P(CT_ID(ct_k), ct_zero_, self)
#endif

/* Returns `input` cast to `torch.bool`. */
struct ct_bool_args {
    size_t struct_size;
    int memory_format;
};
#define ct_bool_defaults { .struct_size = sizeof(struct ct_bool_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_bool_ex(ct_tensor *input, const struct ct_bool_args *args);
#ifndef __cplusplus
#define ct_bool(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_bool, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.uint8`. */
struct ct_byte_args {
    size_t struct_size;
    int memory_format;
};
#define ct_byte_defaults { .struct_size = sizeof(struct ct_byte_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_byte_ex(ct_tensor *input, const struct ct_byte_args *args);
#ifndef __cplusplus
#define ct_byte(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_byte, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.int8`. */
struct ct_char_args {
    size_t struct_size;
    int memory_format;
};
#define ct_char_defaults { .struct_size = sizeof(struct ct_char_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_char_ex(ct_tensor *input, const struct ct_char_args *args);
#ifndef __cplusplus
#define ct_char(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_char, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.int16`. */
struct ct_short_args {
    size_t struct_size;
    int memory_format;
};
#define ct_short_defaults { .struct_size = sizeof(struct ct_short_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_short_ex(ct_tensor *input, const struct ct_short_args *args);
#ifndef __cplusplus
#define ct_short(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_short, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.int32`. */
struct ct_int_args {
    size_t struct_size;
    int memory_format;
};
#define ct_int_defaults { .struct_size = sizeof(struct ct_int_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_int_ex(ct_tensor *input, const struct ct_int_args *args);
#ifndef __cplusplus
#define ct_int(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_int, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.int64`. */
struct ct_long_args {
    size_t struct_size;
    int memory_format;
};
#define ct_long_defaults { .struct_size = sizeof(struct ct_long_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_long_ex(ct_tensor *input, const struct ct_long_args *args);
#ifndef __cplusplus
#define ct_long(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_long, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.float16`. */
struct ct_half_args {
    size_t struct_size;
    int memory_format;
};
#define ct_half_defaults { .struct_size = sizeof(struct ct_half_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_half_ex(ct_tensor *input, const struct ct_half_args *args);
#ifndef __cplusplus
#define ct_half(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_half, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.bfloat16`. */
struct ct_bfloat16_args {
    size_t struct_size;
    int memory_format;
};
#define ct_bfloat16_defaults { .struct_size = sizeof(struct ct_bfloat16_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_bfloat16_ex(ct_tensor *input, const struct ct_bfloat16_args *args);
#ifndef __cplusplus
#define ct_bfloat16(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_bfloat16, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.float32`. */
struct ct_float_args {
    size_t struct_size;
    int memory_format;
};
#define ct_float_defaults { .struct_size = sizeof(struct ct_float_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_float_ex(ct_tensor *input, const struct ct_float_args *args);
#ifndef __cplusplus
#define ct_float(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_float, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.float64`. */
struct ct_double_args {
    size_t struct_size;
    int memory_format;
};
#define ct_double_defaults { .struct_size = sizeof(struct ct_double_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_double_ex(ct_tensor *input, const struct ct_double_args *args);
#ifndef __cplusplus
#define ct_double(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_double, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.complex64`. */
struct ct_cfloat_args {
    size_t struct_size;
    int memory_format;
};
#define ct_cfloat_defaults { .struct_size = sizeof(struct ct_cfloat_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_cfloat_ex(ct_tensor *input, const struct ct_cfloat_args *args);
#ifndef __cplusplus
#define ct_cfloat(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_cfloat, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.complex128`. */
struct ct_cdouble_args {
    size_t struct_size;
    int memory_format;
};
#define ct_cdouble_defaults { .struct_size = sizeof(struct ct_cdouble_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_cdouble_ex(ct_tensor *input, const struct ct_cdouble_args *args);
#ifndef __cplusplus
#define ct_cdouble(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_cdouble, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns `input` cast to `torch.complex32`. */
struct ct_chalf_args {
    size_t struct_size;
    int memory_format;
};
#define ct_chalf_defaults { .struct_size = sizeof(struct ct_chalf_args), .memory_format = \
    CT_PRESERVE_FORMAT }
CT_API ct_tensor *ct_chalf_ex(ct_tensor *input, const struct ct_chalf_args *args);
#ifndef __cplusplus
#define ct_chalf(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_chalf, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor of uninitialized memory. */
struct ct_empty_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
    int memory_format;
};
#define ct_empty_defaults { .struct_size = sizeof(struct ct_empty_args), .dtype = CT_NO_DTYPE, \
    .device = CT_NO_DEVICE, .requires_grad = false, .memory_format = -1 }
CT_API ct_tensor *ct_empty_ex(ct_ints size, const struct ct_empty_args *args);
#ifndef __cplusplus
#define ct_empty(size, ...) CT_CALL_I_K(CT_ID(ct_k), ct_empty, size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_empty_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
    int memory_format;
};
#define ct_empty_out_defaults { .struct_size = sizeof(struct ct_empty_out_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false, .memory_format = -1 }
CT_API ct_tensor *ct_empty_out_ex(ct_tensor *out, ct_ints size, const struct ct_empty_out_args
    *args);
#ifndef __cplusplus
#define ct_empty_out(out, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_empty_out, out, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor of uninitialized memory with the given strides. */
struct ct_empty_strided_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_empty_strided_defaults { .struct_size = sizeof(struct ct_empty_strided_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_empty_strided_ex(ct_ints size, ct_ints stride, const struct
    ct_empty_strided_args *args);
#ifndef __cplusplus
#define ct_empty_strided(size, stride, ...) CT_CALL_II_K(CT_ID(ct_k), ct_empty_strided, size, \
    stride __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor of uninitialized memory; `physical_layout` lists the dims from the slowest to the fastest. */
struct ct_empty_permuted_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_empty_permuted_defaults { .struct_size = sizeof(struct ct_empty_permuted_args), .dtype \
    = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_empty_permuted_ex(ct_ints size, ct_ints physical_layout, const struct
    ct_empty_permuted_args *args);
#ifndef __cplusplus
#define ct_empty_permuted(size, physical_layout, ...) CT_CALL_II_K(CT_ID(ct_k), ct_empty_permuted, \
    size, physical_layout __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor filled with 0. */
struct ct_zeros_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_zeros_defaults { .struct_size = sizeof(struct ct_zeros_args), .dtype = CT_NO_DTYPE, \
    .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_zeros_ex(ct_ints size, const struct ct_zeros_args *args);
#ifndef __cplusplus
#define ct_zeros(size, ...) CT_CALL_I_K(CT_ID(ct_k), ct_zeros, size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_zeros_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_zeros_out_defaults { .struct_size = sizeof(struct ct_zeros_out_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_zeros_out_ex(ct_tensor *out, ct_ints size, const struct ct_zeros_out_args
    *args);
#ifndef __cplusplus
#define ct_zeros_out(out, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_zeros_out, out, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor filled with 1. */
struct ct_ones_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_ones_defaults { .struct_size = sizeof(struct ct_ones_args), .dtype = CT_NO_DTYPE, \
    .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_ones_ex(ct_ints size, const struct ct_ones_args *args);
#ifndef __cplusplus
#define ct_ones(size, ...) CT_CALL_I_K(CT_ID(ct_k), ct_ones, size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_ones_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_ones_out_defaults { .struct_size = sizeof(struct ct_ones_out_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_ones_out_ex(ct_tensor *out, ct_ints size, const struct ct_ones_out_args *args);
#ifndef __cplusplus
#define ct_ones_out(out, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_ones_out, out, size __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns a tensor filled with one value. */
struct ct_full_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_full_defaults { .struct_size = sizeof(struct ct_full_args), .dtype = CT_NO_DTYPE, \
    .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_full_ex(ct_ints size, ct_value fill_value, const struct ct_full_args *args);
#ifndef __cplusplus
#define ct_full(size, fill_value, ...) CT_CALL_IV_K(CT_ID(ct_k), ct_full, size, fill_value \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_full_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_full_out_defaults { .struct_size = sizeof(struct ct_full_out_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_full_out_ex(ct_tensor *out, ct_ints size, ct_value fill_value, const struct
    ct_full_out_args *args);
#ifndef __cplusplus
#define ct_full_out(out, size, fill_value, ...) CT_CALL_TIV_K(CT_ID(ct_k), ct_full_out, out, size, \
    fill_value __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor of uninitialized memory with the shape of `input`. */
struct ct_empty_like_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
    int memory_format;
};
#define ct_empty_like_defaults { .struct_size = sizeof(struct ct_empty_like_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false, .memory_format = -1 }
CT_API ct_tensor *ct_empty_like_ex(ct_tensor *input, const struct ct_empty_like_args *args);
#ifndef __cplusplus
#define ct_empty_like(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_empty_like, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a tensor filled with 0, with the shape of `input`. */
struct ct_zeros_like_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
    int memory_format;
};
#define ct_zeros_like_defaults { .struct_size = sizeof(struct ct_zeros_like_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false, .memory_format = -1 }
CT_API ct_tensor *ct_zeros_like_ex(ct_tensor *input, const struct ct_zeros_like_args *args);
#ifndef __cplusplus
#define ct_zeros_like(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_zeros_like, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a tensor filled with 1, with the shape of `input`. */
struct ct_ones_like_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
    int memory_format;
};
#define ct_ones_like_defaults { .struct_size = sizeof(struct ct_ones_like_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false, .memory_format = -1 }
CT_API ct_tensor *ct_ones_like_ex(ct_tensor *input, const struct ct_ones_like_args *args);
#ifndef __cplusplus
#define ct_ones_like(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_ones_like, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a tensor filled with one value, with the shape of `input`. */
struct ct_full_like_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
    int memory_format;
};
#define ct_full_like_defaults { .struct_size = sizeof(struct ct_full_like_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false, .memory_format = -1 }
CT_API ct_tensor *ct_full_like_ex(ct_tensor *input, ct_value fill_value, const struct
    ct_full_like_args *args);
#ifndef __cplusplus
#define ct_full_like(input, fill_value, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_full_like, input, \
    fill_value __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor of uninitialized memory, with the data type and device of `input`. */
struct ct_new_empty_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_new_empty_defaults { .struct_size = sizeof(struct ct_new_empty_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_new_empty_ex(ct_tensor *input, ct_ints size, const struct ct_new_empty_args
    *args);
#ifndef __cplusplus
#define ct_new_empty(input, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_new_empty, input, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor of uninitialized memory with the given strides, and with the data type and device of `input`. */
struct ct_new_empty_strided_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_new_empty_strided_defaults { .struct_size = sizeof(struct ct_new_empty_strided_args), \
    .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_new_empty_strided_ex(ct_tensor *input, ct_ints size, ct_ints stride, const
    struct ct_new_empty_strided_args *args);
#ifndef __cplusplus
#define ct_new_empty_strided(input, size, stride, ...) CT_CALL_TII_K(CT_ID(ct_k), \
    ct_new_empty_strided, input, size, stride __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor filled with 0, with the data type and device of `input`. */
struct ct_new_zeros_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_new_zeros_defaults { .struct_size = sizeof(struct ct_new_zeros_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_new_zeros_ex(ct_tensor *input, ct_ints size, const struct ct_new_zeros_args
    *args);
#ifndef __cplusplus
#define ct_new_zeros(input, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_new_zeros, input, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor filled with 1, with the data type and device of `input`. */
struct ct_new_ones_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_new_ones_defaults { .struct_size = sizeof(struct ct_new_ones_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_new_ones_ex(ct_tensor *input, ct_ints size, const struct ct_new_ones_args
    *args);
#ifndef __cplusplus
#define ct_new_ones(input, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_new_ones, input, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a tensor filled with one value, with the data type and device of `input`. */
struct ct_new_full_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_new_full_defaults { .struct_size = sizeof(struct ct_new_full_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_new_full_ex(ct_tensor *input, ct_ints size, ct_value fill_value, const struct
    ct_new_full_args *args);
#ifndef __cplusplus
#define ct_new_full(input, size, fill_value, ...) CT_CALL_TIV_K(CT_ID(ct_k), ct_new_full, input, \
    size, fill_value __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the numbers from `start` to `end`, `end` not included, in steps of `step`. */
struct ct_arange_args {
    size_t struct_size;
    double start;
    double step;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_arange_defaults { .struct_size = sizeof(struct ct_arange_args), .start = 0, .step = 1, \
    .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_arange_ex(ct_value end, const struct ct_arange_args *args);
#ifndef __cplusplus
#define ct_arange(end, ...) CT_CALL_V_K(CT_ID(ct_k), ct_arange, end __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_arange_out_args {
    size_t struct_size;
    double start;
    double step;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_arange_out_defaults { .struct_size = sizeof(struct ct_arange_out_args), .start = 0, \
    .step = 1, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_arange_out_ex(ct_tensor *out, ct_value end, const struct ct_arange_out_args
    *args);
#ifndef __cplusplus
#define ct_arange_out(out, end, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_arange_out, out, end \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the numbers from `start` to `end`, both included, in steps of `step`; deprecated in favour of `arange`. */
struct ct_range_args {
    size_t struct_size;
    double step;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_range_defaults { .struct_size = sizeof(struct ct_range_args), .step = 1, .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_range_ex(ct_value start, ct_value end, const struct ct_range_args *args);
#ifndef __cplusplus
#define ct_range(start, end, ...) CT_CALL_VV_K(CT_ID(ct_k), ct_range, start, end __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_range_out_args {
    size_t struct_size;
    double step;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_range_out_defaults { .struct_size = sizeof(struct ct_range_out_args), .step = 1, .dtype \
    = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_range_out_ex(ct_tensor *out, ct_value start, ct_value end, const struct
    ct_range_out_args *args);
#ifndef __cplusplus
#define ct_range_out(out, start, end, ...) CT_CALL_TVV_K(CT_ID(ct_k), ct_range_out, out, start, \
    end __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `steps` evenly spaced numbers between two 0-d tensors. */
struct ct_linspace_Tensor_Tensor_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_linspace_Tensor_Tensor_defaults { .struct_size = sizeof(struct \
    ct_linspace_Tensor_Tensor_args), .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad \
    = false }
CT_API ct_tensor *ct_linspace_Tensor_Tensor_ex(ct_tensor *start, ct_tensor *end, int64_t steps,
    const struct ct_linspace_Tensor_Tensor_args *args);
#ifndef __cplusplus
#define ct_linspace_Tensor_Tensor(start, end, steps, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_linspace_Tensor_Tensor, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linspace_Tensor_Tensor_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_linspace_Tensor_Tensor_out_defaults { .struct_size = sizeof(struct \
    ct_linspace_Tensor_Tensor_out_args), .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_linspace_Tensor_Tensor_out_ex(ct_tensor *out, ct_tensor *start, ct_tensor *end,
    int64_t steps, const struct ct_linspace_Tensor_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_linspace_Tensor_Tensor_out(out, start, end, steps, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_linspace_Tensor_Tensor_out, out, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `steps` evenly spaced numbers between a number and a 0-d tensor. */
struct ct_linspace_Scalar_Tensor_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_linspace_Scalar_Tensor_defaults { .struct_size = sizeof(struct \
    ct_linspace_Scalar_Tensor_args), .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad \
    = false }
CT_API ct_tensor *ct_linspace_Scalar_Tensor_ex(ct_value start, ct_tensor *end, int64_t steps, const
    struct ct_linspace_Scalar_Tensor_args *args);
#ifndef __cplusplus
#define ct_linspace_Scalar_Tensor(start, end, steps, ...) CT_CALL_VTA_K(CT_ID(ct_k), \
    ct_linspace_Scalar_Tensor, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linspace_Scalar_Tensor_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_linspace_Scalar_Tensor_out_defaults { .struct_size = sizeof(struct \
    ct_linspace_Scalar_Tensor_out_args), .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_linspace_Scalar_Tensor_out_ex(ct_tensor *out, ct_value start, ct_tensor *end,
    int64_t steps, const struct ct_linspace_Scalar_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_linspace_Scalar_Tensor_out(out, start, end, steps, ...) CT_CALL_TVTA_K(CT_ID(ct_k), \
    ct_linspace_Scalar_Tensor_out, out, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `steps` evenly spaced numbers between a 0-d tensor and a number. */
struct ct_linspace_Tensor_Scalar_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_linspace_Tensor_Scalar_defaults { .struct_size = sizeof(struct \
    ct_linspace_Tensor_Scalar_args), .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad \
    = false }
CT_API ct_tensor *ct_linspace_Tensor_Scalar_ex(ct_tensor *start, ct_value end, int64_t steps, const
    struct ct_linspace_Tensor_Scalar_args *args);
#ifndef __cplusplus
#define ct_linspace_Tensor_Scalar(start, end, steps, ...) CT_CALL_TVA_K(CT_ID(ct_k), \
    ct_linspace_Tensor_Scalar, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linspace_Tensor_Scalar_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_linspace_Tensor_Scalar_out_defaults { .struct_size = sizeof(struct \
    ct_linspace_Tensor_Scalar_out_args), .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_linspace_Tensor_Scalar_out_ex(ct_tensor *out, ct_tensor *start, ct_value end,
    int64_t steps, const struct ct_linspace_Tensor_Scalar_out_args *args);
#ifndef __cplusplus
#define ct_linspace_Tensor_Scalar_out(out, start, end, steps, ...) CT_CALL_TTVA_K(CT_ID(ct_k), \
    ct_linspace_Tensor_Scalar_out, out, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `steps` evenly spaced numbers from `start` to `end`, both included. */
struct ct_linspace_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_linspace_defaults { .struct_size = sizeof(struct ct_linspace_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_linspace_ex(ct_value start, ct_value end, int64_t steps, const struct
    ct_linspace_args *args);
#ifndef __cplusplus
#define ct_linspace(start, end, steps, ...) CT_CALL_VVA_K(CT_ID(ct_k), ct_linspace, start, end, \
    steps __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linspace_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_linspace_out_defaults { .struct_size = sizeof(struct ct_linspace_out_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_linspace_out_ex(ct_tensor *out, ct_value start, ct_value end, int64_t steps,
    const struct ct_linspace_out_args *args);
#ifndef __cplusplus
#define ct_linspace_out(out, start, end, steps, ...) CT_CALL_TVVA_K(CT_ID(ct_k), ct_linspace_out, \
    out, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns powers of `base` whose exponents are evenly spaced between two 0-d tensors. */
struct ct_logspace_Tensor_Tensor_args {
    size_t struct_size;
    double base;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_logspace_Tensor_Tensor_defaults { .struct_size = sizeof(struct \
    ct_logspace_Tensor_Tensor_args), .base = 10.0, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_logspace_Tensor_Tensor_ex(ct_tensor *start, ct_tensor *end, int64_t steps,
    const struct ct_logspace_Tensor_Tensor_args *args);
#ifndef __cplusplus
#define ct_logspace_Tensor_Tensor(start, end, steps, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_logspace_Tensor_Tensor, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_logspace_Tensor_Tensor_out_args {
    size_t struct_size;
    double base;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_logspace_Tensor_Tensor_out_defaults { .struct_size = sizeof(struct \
    ct_logspace_Tensor_Tensor_out_args), .base = 10.0, .dtype = CT_NO_DTYPE, .device = \
    CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_logspace_Tensor_Tensor_out_ex(ct_tensor *out, ct_tensor *start, ct_tensor *end,
    int64_t steps, const struct ct_logspace_Tensor_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_logspace_Tensor_Tensor_out(out, start, end, steps, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_logspace_Tensor_Tensor_out, out, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns powers of `base` whose exponents are evenly spaced between a number and a 0-d tensor. */
struct ct_logspace_Scalar_Tensor_args {
    size_t struct_size;
    double base;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_logspace_Scalar_Tensor_defaults { .struct_size = sizeof(struct \
    ct_logspace_Scalar_Tensor_args), .base = 10.0, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_logspace_Scalar_Tensor_ex(ct_value start, ct_tensor *end, int64_t steps, const
    struct ct_logspace_Scalar_Tensor_args *args);
#ifndef __cplusplus
#define ct_logspace_Scalar_Tensor(start, end, steps, ...) CT_CALL_VTA_K(CT_ID(ct_k), \
    ct_logspace_Scalar_Tensor, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_logspace_Scalar_Tensor_out_args {
    size_t struct_size;
    double base;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_logspace_Scalar_Tensor_out_defaults { .struct_size = sizeof(struct \
    ct_logspace_Scalar_Tensor_out_args), .base = 10.0, .dtype = CT_NO_DTYPE, .device = \
    CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_logspace_Scalar_Tensor_out_ex(ct_tensor *out, ct_value start, ct_tensor *end,
    int64_t steps, const struct ct_logspace_Scalar_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_logspace_Scalar_Tensor_out(out, start, end, steps, ...) CT_CALL_TVTA_K(CT_ID(ct_k), \
    ct_logspace_Scalar_Tensor_out, out, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns powers of `base` whose exponents are evenly spaced between a 0-d tensor and a number. */
struct ct_logspace_Tensor_Scalar_args {
    size_t struct_size;
    double base;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_logspace_Tensor_Scalar_defaults { .struct_size = sizeof(struct \
    ct_logspace_Tensor_Scalar_args), .base = 10.0, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_logspace_Tensor_Scalar_ex(ct_tensor *start, ct_value end, int64_t steps, const
    struct ct_logspace_Tensor_Scalar_args *args);
#ifndef __cplusplus
#define ct_logspace_Tensor_Scalar(start, end, steps, ...) CT_CALL_TVA_K(CT_ID(ct_k), \
    ct_logspace_Tensor_Scalar, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_logspace_Tensor_Scalar_out_args {
    size_t struct_size;
    double base;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_logspace_Tensor_Scalar_out_defaults { .struct_size = sizeof(struct \
    ct_logspace_Tensor_Scalar_out_args), .base = 10.0, .dtype = CT_NO_DTYPE, .device = \
    CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_logspace_Tensor_Scalar_out_ex(ct_tensor *out, ct_tensor *start, ct_value end,
    int64_t steps, const struct ct_logspace_Tensor_Scalar_out_args *args);
#ifndef __cplusplus
#define ct_logspace_Tensor_Scalar_out(out, start, end, steps, ...) CT_CALL_TTVA_K(CT_ID(ct_k), \
    ct_logspace_Tensor_Scalar_out, out, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns powers of `base` whose exponents are evenly spaced from `start` to `end`. */
struct ct_logspace_args {
    size_t struct_size;
    double base;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_logspace_defaults { .struct_size = sizeof(struct ct_logspace_args), .base = 10.0, \
    .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_logspace_ex(ct_value start, ct_value end, int64_t steps, const struct
    ct_logspace_args *args);
#ifndef __cplusplus
#define ct_logspace(start, end, steps, ...) CT_CALL_VVA_K(CT_ID(ct_k), ct_logspace, start, end, \
    steps __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_logspace_out_args {
    size_t struct_size;
    double base;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_logspace_out_defaults { .struct_size = sizeof(struct ct_logspace_out_args), .base = \
    10.0, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_logspace_out_ex(ct_tensor *out, ct_value start, ct_value end, int64_t steps,
    const struct ct_logspace_out_args *args);
#ifndef __cplusplus
#define ct_logspace_out(out, start, end, steps, ...) CT_CALL_TVVA_K(CT_ID(ct_k), ct_logspace_out, \
    out, start, end, steps __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a matrix with ones on the diagonal and zeros elsewhere. */
struct ct_eye_args {
    size_t struct_size;
    int64_t m;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_eye_defaults { .struct_size = sizeof(struct ct_eye_args), .m = CT_NO_DIM, .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_eye_ex(int64_t n, const struct ct_eye_args *args);
#ifndef __cplusplus
#define ct_eye(n, ...) CT_CALL_A_K(CT_ID(ct_k), ct_eye, n __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_eye_out_args {
    size_t struct_size;
    int64_t m;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_eye_out_defaults { .struct_size = sizeof(struct ct_eye_out_args), .m = CT_NO_DIM, \
    .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_eye_out_ex(ct_tensor *out, int64_t n, const struct ct_eye_out_args *args);
#ifndef __cplusplus
#define ct_eye_out(out, n, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_eye_out, out, n __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a 0-d tensor. */
struct ct_scalar_tensor_args {
    size_t struct_size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_scalar_tensor_defaults { .struct_size = sizeof(struct ct_scalar_tensor_args), .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_scalar_tensor_ex(ct_value s, const struct ct_scalar_tensor_args *args);
#ifndef __cplusplus
#define ct_scalar_tensor(s, ...) CT_CALL_V_K(CT_ID(ct_k), ct_scalar_tensor, s __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Maps a file into memory as a 1-d tensor; with `shared`, writes reach the file, which grows to the required size. */
struct ct_from_file_args {
    size_t struct_size;
    int shared;
    int64_t size;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_from_file_defaults { .struct_size = sizeof(struct ct_from_file_args), .shared = -1, \
    .size = 0, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_from_file_ex(const char *filename, const struct ct_from_file_args *args);
#ifndef __cplusplus
#define ct_from_file(filename, ...) CT_CALL_A_K(CT_ID(ct_k), ct_from_file, filename __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Computes the connectionist temporal classification loss: the negative log probability that the frames of `log_probs` spell `targets`. */
struct ct_ctc_loss_args {
    size_t struct_size;
    int64_t blank;
    int64_t reduction;
    bool zero_infinity;
};
#define ct_ctc_loss_defaults { .struct_size = sizeof(struct ct_ctc_loss_args), .blank = 0, \
    .reduction = 0, .zero_infinity = false }
CT_API ct_tensor *ct_ctc_loss_ex(ct_tensor *log_probs, ct_tensor *targets, ct_ints input_lengths,
    ct_ints target_lengths, const struct ct_ctc_loss_args *args);
#ifndef __cplusplus
#define ct_ctc_loss(log_probs, targets, input_lengths, target_lengths, ...) \
    CT_CALL_TTII_K(CT_ID(ct_k), ct_ctc_loss, log_probs, targets, input_lengths, target_lengths \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the connectionist temporal classification loss, with the lengths given as tensors. */
struct ct_ctc_loss_Tensor_args {
    size_t struct_size;
    int64_t blank;
    int64_t reduction;
    bool zero_infinity;
};
#define ct_ctc_loss_Tensor_defaults { .struct_size = sizeof(struct ct_ctc_loss_Tensor_args), \
    .blank = 0, .reduction = 0, .zero_infinity = false }
CT_API ct_tensor *ct_ctc_loss_Tensor_ex(ct_tensor *log_probs, ct_tensor *targets, ct_tensor
    *input_lengths, ct_tensor *target_lengths, const struct ct_ctc_loss_Tensor_args *args);
#ifndef __cplusplus
#define ct_ctc_loss_Tensor(log_probs, targets, input_lengths, target_lengths, ...) \
    CT_CALL_TTTT_K(CT_ID(ct_k), ct_ctc_loss_Tensor, log_probs, targets, input_lengths, \
    target_lengths __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a vector as the diagonal of a matrix, or the diagonal of a matrix as a vector. */
struct ct_diag_args {
    size_t struct_size;
    int64_t diagonal;
};
#define ct_diag_defaults { .struct_size = sizeof(struct ct_diag_args), .diagonal = 0 }
CT_API ct_tensor *ct_diag_ex(ct_tensor *input, const struct ct_diag_args *args);
#ifndef __cplusplus
#define ct_diag(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_diag, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_diag_out_args {
    size_t struct_size;
    int64_t diagonal;
};
#define ct_diag_out_defaults { .struct_size = sizeof(struct ct_diag_out_args), .diagonal = 0 }
CT_API ct_tensor *ct_diag_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_diag_out_args
    *args);
#ifndef __cplusplus
#define ct_diag_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_diag_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns matrices, in dims `dim1` and `dim2`, whose diagonals are the last dim of `input`. */
struct ct_diag_embed_args {
    size_t struct_size;
    int64_t offset;
    int64_t dim1;
    int64_t dim2;
};
#define ct_diag_embed_defaults { .struct_size = sizeof(struct ct_diag_embed_args), .offset = 0, \
    .dim1 = -2, .dim2 = -1 }
CT_API ct_tensor *ct_diag_embed_ex(ct_tensor *input, const struct ct_diag_embed_args *args);
#ifndef __cplusplus
#define ct_diag_embed(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_diag_embed, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a matrix with the flattened `input` on its diagonal. */
struct ct_diagflat_args {
    size_t struct_size;
    int64_t offset;
};
#define ct_diagflat_defaults { .struct_size = sizeof(struct ct_diagflat_args), .offset = 0 }
CT_API ct_tensor *ct_diagflat_ex(ct_tensor *input, const struct ct_diagflat_args *args);
#ifndef __cplusplus
#define ct_diagflat(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_diagflat, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Fills the main diagonal with a number; with `wrap` the diagonal starts again below the square part of a tall matrix. */
struct ct_fill_diagonal_args {
    size_t struct_size;
    bool wrap;
};
#define ct_fill_diagonal_defaults { .struct_size = sizeof(struct ct_fill_diagonal_args), .wrap = \
    false }
CT_API ct_tensor *ct_fill_diagonal_ex(ct_tensor *input, ct_value fill_value, const struct
    ct_fill_diagonal_args *args);
#ifndef __cplusplus
#define ct_fill_diagonal(input, fill_value, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_fill_diagonal, \
    input, fill_value __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_fill_diagonal__args {
    size_t struct_size;
    bool wrap;
};
#define ct_fill_diagonal__defaults { .struct_size = sizeof(struct ct_fill_diagonal__args), .wrap = \
    false }
CT_API ct_tensor *ct_fill_diagonal__ex(ct_tensor *self, ct_value fill_value, const struct
    ct_fill_diagonal__args *args);
#ifndef __cplusplus
#define ct_fill_diagonal_(self, fill_value, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_fill_diagonal_, \
    self, fill_value __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` with `src` written to a diagonal. */
struct ct_diagonal_scatter_args {
    size_t struct_size;
    int64_t offset;
    int64_t dim1;
    int64_t dim2;
};
#define ct_diagonal_scatter_defaults { .struct_size = sizeof(struct ct_diagonal_scatter_args), \
    .offset = 0, .dim1 = 0, .dim2 = 1 }
CT_API ct_tensor *ct_diagonal_scatter_ex(ct_tensor *input, ct_tensor *src, const struct
    ct_diagonal_scatter_args *args);
#ifndef __cplusplus
#define ct_diagonal_scatter(input, src, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_diagonal_scatter, input, \
    src __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` with `src` written to one index of a dim. */
CT_API ct_tensor *ct_select_scatter(ct_tensor *input, ct_tensor *src, int64_t dim, int64_t index);
#ifndef __cplusplus
#define ct_select_scatter(input, src, dim, index) CT_CALL_TTAA_P(CT_ID(ct_k), ct_select_scatter, \
    input, src, dim, index)
#endif

/* Returns `input` with `src` written to a slice of a dim. */
struct ct_slice_scatter_args {
    size_t struct_size;
    int64_t dim;
    int64_t start;
    int64_t end;
    int64_t step;
};
#define ct_slice_scatter_defaults { .struct_size = sizeof(struct ct_slice_scatter_args), .dim = 0, \
    .start = CT_NO_DIM, .end = CT_NO_DIM, .step = 1 }
CT_API ct_tensor *ct_slice_scatter_ex(ct_tensor *input, ct_tensor *src, const struct
    ct_slice_scatter_args *args);
#ifndef __cplusplus
#define ct_slice_scatter(input, src, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_slice_scatter, input, src \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_slice_scatter_out_args {
    size_t struct_size;
    int64_t dim;
    int64_t start;
    int64_t end;
    int64_t step;
};
#define ct_slice_scatter_out_defaults { .struct_size = sizeof(struct ct_slice_scatter_out_args), \
    .dim = 0, .start = CT_NO_DIM, .end = CT_NO_DIM, .step = 1 }
CT_API ct_tensor *ct_slice_scatter_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *src, const
    struct ct_slice_scatter_out_args *args);
#ifndef __cplusplus
#define ct_slice_scatter_out(out, input, src, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_slice_scatter_out, out, input, src __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` with `src` written to the elements that `as_strided` would view. */
struct ct_as_strided_scatter_args {
    size_t struct_size;
    int64_t storage_offset;
};
#define ct_as_strided_scatter_defaults { .struct_size = sizeof(struct ct_as_strided_scatter_args), \
    .storage_offset = CT_NO_DIM }
CT_API ct_tensor *ct_as_strided_scatter_ex(ct_tensor *input, ct_tensor *src, ct_ints size, ct_ints
    stride, const struct ct_as_strided_scatter_args *args);
#ifndef __cplusplus
#define ct_as_strided_scatter(input, src, size, stride, ...) CT_CALL_TTII_K(CT_ID(ct_k), \
    ct_as_strided_scatter, input, src, size, stride __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the lower triangle of matrices: zeros above a diagonal. */
struct ct_tril_args {
    size_t struct_size;
    int64_t diagonal;
};
#define ct_tril_defaults { .struct_size = sizeof(struct ct_tril_args), .diagonal = 0 }
CT_API ct_tensor *ct_tril_ex(ct_tensor *input, const struct ct_tril_args *args);
#ifndef __cplusplus
#define ct_tril(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_tril, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_tril__args {
    size_t struct_size;
    int64_t diagonal;
};
#define ct_tril__defaults { .struct_size = sizeof(struct ct_tril__args), .diagonal = 0 }
CT_API ct_tensor *ct_tril__ex(ct_tensor *self, const struct ct_tril__args *args);
#ifndef __cplusplus
#define ct_tril_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_tril_, self __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_tril_out_args {
    size_t struct_size;
    int64_t diagonal;
};
#define ct_tril_out_defaults { .struct_size = sizeof(struct ct_tril_out_args), .diagonal = 0 }
CT_API ct_tensor *ct_tril_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_tril_out_args
    *args);
#ifndef __cplusplus
#define ct_tril_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_tril_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the upper triangle of matrices: zeros below a diagonal. */
struct ct_triu_args {
    size_t struct_size;
    int64_t diagonal;
};
#define ct_triu_defaults { .struct_size = sizeof(struct ct_triu_args), .diagonal = 0 }
CT_API ct_tensor *ct_triu_ex(ct_tensor *input, const struct ct_triu_args *args);
#ifndef __cplusplus
#define ct_triu(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_triu, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_triu__args {
    size_t struct_size;
    int64_t diagonal;
};
#define ct_triu__defaults { .struct_size = sizeof(struct ct_triu__args), .diagonal = 0 }
CT_API ct_tensor *ct_triu__ex(ct_tensor *self, const struct ct_triu__args *args);
#ifndef __cplusplus
#define ct_triu_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_triu_, self __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_triu_out_args {
    size_t struct_size;
    int64_t diagonal;
};
#define ct_triu_out_defaults { .struct_size = sizeof(struct ct_triu_out_args), .diagonal = 0 }
CT_API ct_tensor *ct_triu_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_triu_out_args
    *args);
#ifndef __cplusplus
#define ct_triu_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_triu_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the rows and columns of the elements of a lower triangle. */
struct ct_tril_indices_args {
    size_t struct_size;
    int64_t offset;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_tril_indices_defaults { .struct_size = sizeof(struct ct_tril_indices_args), .offset = \
    0, .dtype = CT_INT64, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_tril_indices_ex(int64_t row, int64_t col, const struct ct_tril_indices_args
    *args);
#ifndef __cplusplus
#define ct_tril_indices(row, col, ...) CT_CALL_AA_K(CT_ID(ct_k), ct_tril_indices, row, col \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the rows and columns of the elements of an upper triangle. */
struct ct_triu_indices_args {
    size_t struct_size;
    int64_t offset;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_triu_indices_defaults { .struct_size = sizeof(struct ct_triu_indices_args), .offset = \
    0, .dtype = CT_INT64, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_triu_indices_ex(int64_t row, int64_t col, const struct ct_triu_indices_args
    *args);
#ifndef __cplusplus
#define ct_triu_indices(row, col, ...) CT_CALL_AA_K(CT_ID(ct_k), ct_triu_indices, row, col \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Vandermonde matrix: powers of the elements of a vector. */
struct ct_vander_args {
    size_t struct_size;
    int64_t N;
    bool increasing;
};
#define ct_vander_defaults { .struct_size = sizeof(struct ct_vander_args), .N = CT_NO_DIM, \
    .increasing = false }
CT_API ct_tensor *ct_vander_ex(ct_tensor *x, const struct ct_vander_args *args);
#ifndef __cplusplus
#define ct_vander(x, ...) CT_CALL_T_K(CT_ID(ct_k), ct_vander, x __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the differences of neighbouring elements along `dim`, taken `n` times. */
struct ct_diff_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    ct_tensor *prepend;
    ct_tensor *append;
};
#define ct_diff_defaults { .struct_size = sizeof(struct ct_diff_args), .n = 1, .dim = -1, .prepend \
    = CT_NO_TENSOR, .append = CT_NO_TENSOR }
CT_API ct_tensor *ct_diff_ex(ct_tensor *input, const struct ct_diff_args *args);
#ifndef __cplusplus
#define ct_diff(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_diff, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_diff_out_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    ct_tensor *prepend;
    ct_tensor *append;
};
#define ct_diff_out_defaults { .struct_size = sizeof(struct ct_diff_out_args), .n = 1, .dim = -1, \
    .prepend = CT_NO_TENSOR, .append = CT_NO_TENSOR }
CT_API ct_tensor *ct_diff_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_diff_out_args
    *args);
#ifndef __cplusplus
#define ct_diff_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_diff_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Integrates along `dim` by the trapezoidal rule between the points `x`. */
struct ct_trapezoid_x_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_trapezoid_x_defaults { .struct_size = sizeof(struct ct_trapezoid_x_args), .dim = -1 }
CT_API ct_tensor *ct_trapezoid_x_ex(ct_tensor *y, ct_tensor *x, const struct ct_trapezoid_x_args
    *args);
#ifndef __cplusplus
#define ct_trapezoid_x(y, x, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_trapezoid_x, y, x __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Integrates along `dim` by the trapezoidal rule with step `dx`. */
struct ct_trapezoid_args {
    size_t struct_size;
    double dx;
    int64_t dim;
};
#define ct_trapezoid_defaults { .struct_size = sizeof(struct ct_trapezoid_args), .dx = 1, .dim = \
    -1 }
CT_API ct_tensor *ct_trapezoid_ex(ct_tensor *y, const struct ct_trapezoid_args *args);
#ifndef __cplusplus
#define ct_trapezoid(y, ...) CT_CALL_T_K(CT_ID(ct_k), ct_trapezoid, y __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Integrates along `dim` by the trapezoidal rule with step `dx`; an older name for `trapezoid`. */
struct ct_trapz_args {
    size_t struct_size;
    double dx;
    int64_t dim;
};
#define ct_trapz_defaults { .struct_size = sizeof(struct ct_trapz_args), .dx = 1, .dim = -1 }
CT_API ct_tensor *ct_trapz_ex(ct_tensor *y, const struct ct_trapz_args *args);
#ifndef __cplusplus
#define ct_trapz(y, ...) CT_CALL_T_K(CT_ID(ct_k), ct_trapz, y __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Integrates along `dim` by the trapezoidal rule between the points `x`. */
struct ct_trapz_x_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_trapz_x_defaults { .struct_size = sizeof(struct ct_trapz_x_args), .dim = -1 }
CT_API ct_tensor *ct_trapz_x_ex(ct_tensor *y, ct_tensor *x, const struct ct_trapz_x_args *args);
#ifndef __cplusplus
#define ct_trapz_x(y, x, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_trapz_x, y, x __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the cumulative integrals along `dim`, by the trapezoidal rule between the points `x`. */
struct ct_cumulative_trapezoid_x_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_cumulative_trapezoid_x_defaults { .struct_size = sizeof(struct \
    ct_cumulative_trapezoid_x_args), .dim = -1 }
CT_API ct_tensor *ct_cumulative_trapezoid_x_ex(ct_tensor *y, ct_tensor *x, const struct
    ct_cumulative_trapezoid_x_args *args);
#ifndef __cplusplus
#define ct_cumulative_trapezoid_x(y, x, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_cumulative_trapezoid_x, \
    y, x __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the cumulative integrals along `dim`, by the trapezoidal rule with step `dx`. */
struct ct_cumulative_trapezoid_args {
    size_t struct_size;
    double dx;
    int64_t dim;
};
#define ct_cumulative_trapezoid_defaults { .struct_size = sizeof(struct \
    ct_cumulative_trapezoid_args), .dx = 1, .dim = -1 }
CT_API ct_tensor *ct_cumulative_trapezoid_ex(ct_tensor *y, const struct ct_cumulative_trapezoid_args
    *args);
#ifndef __cplusplus
#define ct_cumulative_trapezoid(y, ...) CT_CALL_T_K(CT_ID(ct_k), ct_cumulative_trapezoid, y \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the derivative along each dim, by differences of neighbours; `spacing` lists a step for each dim. */
struct ct_gradient_array_args {
    size_t struct_size;
    int64_t edge_order;
};
#define ct_gradient_array_defaults { .struct_size = sizeof(struct ct_gradient_array_args), \
    .edge_order = 1 }
CT_API ct_list ct_gradient_array_ex(ct_tensor *input, ct_ints dim, const struct
    ct_gradient_array_args *args);
#ifndef __cplusplus
#define ct_gradient_array(input, dim, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_gradient_array, input, dim \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the derivative along the given dims, by differences of neighbours; `spacing` is the step of all dims. */
struct ct_gradient_scalararray_args {
    size_t struct_size;
    int64_t edge_order;
};
#define ct_gradient_scalararray_defaults { .struct_size = sizeof(struct \
    ct_gradient_scalararray_args), .edge_order = 1 }
CT_API ct_list ct_gradient_scalararray_ex(ct_tensor *input, ct_value spacing, ct_ints dim, const
    struct ct_gradient_scalararray_args *args);
#ifndef __cplusplus
#define ct_gradient_scalararray(input, spacing, dim, ...) CT_CALL_TVI_K(CT_ID(ct_k), \
    ct_gradient_scalararray, input, spacing, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the derivative along each dim, by second-order differences of neighbours. */
struct ct_gradient_args {
    size_t struct_size;
    double spacing;
    int64_t dim;
    int64_t edge_order;
};
#define ct_gradient_defaults { .struct_size = sizeof(struct ct_gradient_args), .spacing = \
    CT_NO_NUMBER, .dim = CT_NO_DIM, .edge_order = 1 }
CT_API ct_list ct_gradient_ex(ct_tensor *input, const struct ct_gradient_args *args);
#ifndef __cplusplus
#define ct_gradient(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_gradient, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the derivative along each dim, by differences of neighbours; `spacing` lists a step for each dim. */
struct ct_gradient_scalarrayint_args {
    size_t struct_size;
    ct_floats spacing_imag;
    int64_t dim;
    int64_t edge_order;
};
#define ct_gradient_scalarrayint_defaults { .struct_size = sizeof(struct \
    ct_gradient_scalarrayint_args), .spacing_imag = CT_NO_FLOATS, .dim = CT_NO_DIM, .edge_order = \
    1 }
CT_API ct_list ct_gradient_scalarrayint_ex(ct_tensor *input, ct_floats spacing, const struct
    ct_gradient_scalarrayint_args *args);
#ifndef __cplusplus
#define ct_gradient_scalarrayint(input, spacing, ...) CT_CALL_TA_K(CT_ID(ct_k), \
    ct_gradient_scalarrayint, input, spacing __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the derivative along the given dims, by differences of neighbours; `spacing` lists a step for each dim. */
struct ct_gradient_scalarrayarray_args {
    size_t struct_size;
    ct_floats spacing_imag;
    int64_t edge_order;
};
#define ct_gradient_scalarrayarray_defaults { .struct_size = sizeof(struct \
    ct_gradient_scalarrayarray_args), .spacing_imag = CT_NO_FLOATS, .edge_order = 1 }
CT_API ct_list ct_gradient_scalarrayarray_ex(ct_tensor *input, ct_floats spacing, ct_ints dim, const
    struct ct_gradient_scalarrayarray_args *args);
#ifndef __cplusplus
#define ct_gradient_scalarrayarray(input, spacing, dim, ...) CT_CALL_TAI_K(CT_ID(ct_k), \
    ct_gradient_scalarrayarray, input, spacing, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the derivative along each dim, by differences of neighbours; `spacing` lists the points. */
struct ct_gradient_tensorarrayint_args {
    size_t struct_size;
    int64_t dim;
    int64_t edge_order;
};
#define ct_gradient_tensorarrayint_defaults { .struct_size = sizeof(struct \
    ct_gradient_tensorarrayint_args), .dim = CT_NO_DIM, .edge_order = 1 }
CT_API ct_list ct_gradient_tensorarrayint_ex(ct_tensor *input, ct_list spacing, const struct
    ct_gradient_tensorarrayint_args *args);
#ifndef __cplusplus
#define ct_gradient_tensorarrayint(input, spacing, ...) CT_CALL_TL_K(CT_ID(ct_k), \
    ct_gradient_tensorarrayint, input, spacing __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the derivative along the given dims, by differences of neighbours; `spacing` lists the points. */
struct ct_gradient_tensorarray_args {
    size_t struct_size;
    int64_t edge_order;
};
#define ct_gradient_tensorarray_defaults { .struct_size = sizeof(struct \
    ct_gradient_tensorarray_args), .edge_order = 1 }
CT_API ct_list ct_gradient_tensorarray_ex(ct_tensor *input, ct_list spacing, ct_ints dim, const
    struct ct_gradient_tensorarray_args *args);
#ifndef __cplusplus
#define ct_gradient_tensorarray(input, spacing, dim, ...) CT_CALL_TLI_K(CT_ID(ct_k), \
    ct_gradient_tensorarray, input, spacing, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the p-norm distances between each row of `x1` and each row of `x2`, for each batch. */
struct ct_cdist_args {
    size_t struct_size;
    double p;
    const char *compute_mode;
};
#define ct_cdist_defaults { .struct_size = sizeof(struct ct_cdist_args), .p = 2.0, .compute_mode = \
    "use_mm_for_euclid_dist_if_necessary" }
CT_API ct_tensor *ct_cdist_ex(ct_tensor *x1, ct_tensor *x2, const struct ct_cdist_args *args);
#ifndef __cplusplus
#define ct_cdist(x1, x2, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_cdist, x1, x2 __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the p-norm distance between each row and each later row. */
struct ct_pdist_args {
    size_t struct_size;
    double p;
};
#define ct_pdist_defaults { .struct_size = sizeof(struct ct_pdist_args), .p = 2 }
CT_API ct_tensor *ct_pdist_ex(ct_tensor *input, const struct ct_pdist_args *args);
#ifndef __cplusplus
#define ct_pdist(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_pdist, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the cosine of the angle between the vectors along `dim`. */
struct ct_cosine_similarity_args {
    size_t struct_size;
    int64_t dim;
    double eps;
};
#define ct_cosine_similarity_defaults { .struct_size = sizeof(struct ct_cosine_similarity_args), \
    .dim = 1, .eps = 1e-08 }
CT_API ct_tensor *ct_cosine_similarity_ex(ct_tensor *x1, ct_tensor *x2, const struct
    ct_cosine_similarity_args *args);
#ifndef __cplusplus
#define ct_cosine_similarity(x1, x2, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_cosine_similarity, x1, x2 \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the p-norm distance between the vectors in the last dim. */
struct ct_pairwise_distance_args {
    size_t struct_size;
    double p;
    double eps;
    bool keepdim;
};
#define ct_pairwise_distance_defaults { .struct_size = sizeof(struct ct_pairwise_distance_args), \
    .p = 2, .eps = 1e-06, .keepdim = false }
CT_API ct_tensor *ct_pairwise_distance_ex(ct_tensor *x1, ct_tensor *x2, const struct
    ct_pairwise_distance_args *args);
#ifndef __cplusplus
#define ct_pairwise_distance(x1, x2, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_pairwise_distance, x1, x2 \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Scales down each slice along `dim` whose p-norm is above `maxnorm`, so that its norm becomes `maxnorm`. */
CT_API ct_tensor *ct_renorm_ex(ct_tensor *input, ct_value p, int64_t dim, ct_value maxnorm);
#ifndef __cplusplus
#define ct_renorm(input, p, dim, maxnorm) CT_CALL_TVAV(CT_ID(ct_k), ct_renorm, input, p, dim, \
    maxnorm)
#endif
CT_API ct_tensor *ct_renorm__ex(ct_tensor *self, ct_value p, int64_t dim, ct_value maxnorm);
#ifndef __cplusplus
#define ct_renorm_(self, p, dim, maxnorm) CT_CALL_TVAV(CT_ID(ct_k), ct_renorm_, self, p, dim, \
    maxnorm)
#endif
CT_API ct_tensor *ct_renorm_out_ex(ct_tensor *out, ct_tensor *input, ct_value p, int64_t dim,
    ct_value maxnorm);
#ifndef __cplusplus
#define ct_renorm_out(out, input, p, dim, maxnorm) CT_CALL_TTVAV(CT_ID(ct_k), ct_renorm_out, out, \
    input, p, dim, maxnorm)
#endif

/* Returns the covariance matrix of the variables, which are the rows of `input`. */
struct ct_cov_args {
    size_t struct_size;
    int64_t correction;
    ct_tensor *fweights;
    ct_tensor *aweights;
};
#define ct_cov_defaults { .struct_size = sizeof(struct ct_cov_args), .correction = 1, .fweights = \
    CT_NO_TENSOR, .aweights = CT_NO_TENSOR }
CT_API ct_tensor *ct_cov_ex(ct_tensor *input, const struct ct_cov_args *args);
#ifndef __cplusplus
#define ct_cov(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_cov, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns Pearson's correlation coefficients of the variables, which are the rows of `input`. */
CT_API ct_tensor *ct_corrcoef(ct_tensor *input);
#ifndef __cplusplus
#define ct_corrcoef(input) CT_CALL_T_P(CT_ID(ct_k), ct_corrcoef, input)
#endif

/* Returns the magnitude of `input` with the sign of `other`. */
CT_API ct_tensor *ct_copysign_ex(ct_tensor *input, ct_value other);
#ifndef __cplusplus
#define ct_copysign(input, other) CT_CALL_TV(CT_ID(ct_k), ct_copysign, input, other)
#endif
CT_API ct_tensor *ct_copysign__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_copysign_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_copysign_, self, other)
#endif
CT_API ct_tensor *ct_copysign_out_ex(ct_tensor *out, ct_tensor *input, ct_value other);
#ifndef __cplusplus
#define ct_copysign_out(out, input, other) CT_CALL_TTV(CT_ID(ct_k), ct_copysign_out, out, input, \
    other)
#endif

/* Returns the larger of two elements; if one of them is NaN, returns the other. */
CT_API ct_tensor *ct_fmax(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_fmax(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_fmax, input, other)
#endif
CT_API ct_tensor *ct_fmax_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_fmax_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_fmax_out, out, input, other)
#endif

/* Returns the smaller of two elements; if one of them is NaN, returns the other. */
CT_API ct_tensor *ct_fmin(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_fmin(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_fmin, input, other)
#endif
CT_API ct_tensor *ct_fmin_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_fmin_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_fmin_out, out, input, other)
#endif

/* Returns the greatest common divisor. */
CT_API ct_tensor *ct_gcd(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_gcd(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_gcd, input, other)
#endif
CT_API ct_tensor *ct_gcd_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_gcd_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_gcd_, self, other)
#endif
CT_API ct_tensor *ct_gcd_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_gcd_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_gcd_out, out, input, other)
#endif

/* Returns the least common multiple. */
CT_API ct_tensor *ct_lcm(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_lcm(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_lcm, input, other)
#endif
CT_API ct_tensor *ct_lcm_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_lcm_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_lcm_, self, other)
#endif
CT_API ct_tensor *ct_lcm_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_lcm_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_lcm_out, out, input, other)
#endif

/* Computes the step function: 0 below zero, 1 above, and `values` at zero. */
CT_API ct_tensor *ct_heaviside(ct_tensor *input, ct_tensor *values);
#ifndef __cplusplus
#define ct_heaviside(input, values) CT_CALL_TT_P(CT_ID(ct_k), ct_heaviside, input, values)
#endif
CT_API ct_tensor *ct_heaviside_(ct_tensor *self, ct_tensor *values);
#ifndef __cplusplus
#define ct_heaviside_(self, values) CT_CALL_TT_P(CT_ID(ct_k), ct_heaviside_, self, values)
#endif
CT_API ct_tensor *ct_heaviside_out(ct_tensor *out, ct_tensor *input, ct_tensor *values);
#ifndef __cplusplus
#define ct_heaviside_out(out, input, values) CT_CALL_TTT_P(CT_ID(ct_k), ct_heaviside_out, out, \
    input, values)
#endif

/* Returns the hypotenuse `sqrt(input ** 2 + other ** 2)`; the squares do not overflow. */
CT_API ct_tensor *ct_hypot(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_hypot(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_hypot, input, other)
#endif
CT_API ct_tensor *ct_hypot_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_hypot_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_hypot_, self, other)
#endif
CT_API ct_tensor *ct_hypot_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_hypot_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_hypot_out, out, input, \
    other)
#endif

/* Returns the next floating-point number after `input` in the direction of `other`. */
CT_API ct_tensor *ct_nextafter(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_nextafter(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_nextafter, input, other)
#endif
CT_API ct_tensor *ct_nextafter_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_nextafter_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_nextafter_, self, other)
#endif
CT_API ct_tensor *ct_nextafter_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_nextafter_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_nextafter_out, out, \
    input, other)
#endif

/* Returns `input * 2 ** other`. */
CT_API ct_tensor *ct_ldexp(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_ldexp(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_ldexp, input, other)
#endif
CT_API ct_tensor *ct_ldexp_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_ldexp_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_ldexp_, self, other)
#endif
CT_API ct_tensor *ct_ldexp_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_ldexp_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_ldexp_out, out, input, \
    other)
#endif

/* Returns `log(exp(input) + exp(other))`, without overflow. */
CT_API ct_tensor *ct_logaddexp(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logaddexp(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_logaddexp, input, other)
#endif
CT_API ct_tensor *ct_logaddexp_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logaddexp_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_logaddexp_out, out, \
    input, other)
#endif

/* Returns `log2(2 ** input + 2 ** other)`, without overflow. */
CT_API ct_tensor *ct_logaddexp2(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logaddexp2(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_logaddexp2, input, other)
#endif
CT_API ct_tensor *ct_logaddexp2_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_logaddexp2_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_logaddexp2_out, out, \
    input, other)
#endif

/* Returns `input * log(other)`, and 0 where `input` is 0. */
CT_API ct_tensor *ct_xlogy_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_xlogy(input, other) CT_CALL_VV(CT_ID(ct_k), ct_xlogy, input, other)
#endif
CT_API ct_tensor *ct_xlogy__ex(ct_tensor *self, ct_value other);
#ifndef __cplusplus
#define ct_xlogy_(self, other) CT_CALL_TV(CT_ID(ct_k), ct_xlogy_, self, other)
#endif
CT_API ct_tensor *ct_xlogy_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_xlogy_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_xlogy_out, out, input, other)
#endif

/* Raises `input` to the power of `exponent`, computed in float64 or complex128. */
CT_API ct_tensor *ct_float_power_ex(ct_value input, ct_value exponent);
#ifndef __cplusplus
#define ct_float_power(input, exponent) CT_CALL_VV(CT_ID(ct_k), ct_float_power, input, exponent)
#endif
CT_API ct_tensor *ct_float_power__ex(ct_tensor *self, ct_value exponent);
#ifndef __cplusplus
#define ct_float_power_(self, exponent) CT_CALL_TV(CT_ID(ct_k), ct_float_power_, self, exponent)
#endif
CT_API ct_tensor *ct_float_power_out_ex(ct_tensor *out, ct_value input, ct_value exponent);
#ifndef __cplusplus
#define ct_float_power_out(out, input, exponent) CT_CALL_TVV(CT_ID(ct_k), ct_float_power_out, out, \
    input, exponent)
#endif

/* Returns whether each element is negative infinity. */
CT_API ct_tensor *ct_isneginf(ct_tensor *input);
#ifndef __cplusplus
#define ct_isneginf(input) CT_CALL_T_P(CT_ID(ct_k), ct_isneginf, input)
#endif
CT_API ct_tensor *ct_isneginf_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_isneginf_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_isneginf_out, out, input)
#endif

/* Returns whether each element is positive infinity. */
CT_API ct_tensor *ct_isposinf(ct_tensor *input);
#ifndef __cplusplus
#define ct_isposinf(input) CT_CALL_T_P(CT_ID(ct_k), ct_isposinf, input)
#endif
CT_API ct_tensor *ct_isposinf_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_isposinf_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_isposinf_out, out, input)
#endif

/* Returns whether the imaginary part of each element is zero. */
CT_API ct_tensor *ct_isreal(ct_tensor *input);
#ifndef __cplusplus
#define ct_isreal(input) CT_CALL_T_P(CT_ID(ct_k), ct_isreal, input)
#endif

/* Returns whether the sign bit of each element is set, which is also true of -0. */
CT_API ct_tensor *ct_signbit(ct_tensor *input);
#ifndef __cplusplus
#define ct_signbit(input) CT_CALL_T_P(CT_ID(ct_k), ct_signbit, input)
#endif
CT_API ct_tensor *ct_signbit_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_signbit_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_signbit_out, out, input)
#endif

/* Replaces NaN and infinities by finite numbers, by default 0 and the limits of the data type. */
struct ct_nan_to_num_args {
    size_t struct_size;
    double nan;
    double posinf;
    double neginf;
};
#define ct_nan_to_num_defaults { .struct_size = sizeof(struct ct_nan_to_num_args), .nan = \
    CT_NO_NUMBER, .posinf = CT_NO_NUMBER, .neginf = CT_NO_NUMBER }
CT_API ct_tensor *ct_nan_to_num_ex(ct_tensor *input, const struct ct_nan_to_num_args *args);
#ifndef __cplusplus
#define ct_nan_to_num(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_nan_to_num, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_nan_to_num__args {
    size_t struct_size;
    double nan;
    double posinf;
    double neginf;
};
#define ct_nan_to_num__defaults { .struct_size = sizeof(struct ct_nan_to_num__args), .nan = \
    CT_NO_NUMBER, .posinf = CT_NO_NUMBER, .neginf = CT_NO_NUMBER }
CT_API ct_tensor *ct_nan_to_num__ex(ct_tensor *self, const struct ct_nan_to_num__args *args);
#ifndef __cplusplus
#define ct_nan_to_num_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_nan_to_num_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_nan_to_num_out_args {
    size_t struct_size;
    double nan;
    double posinf;
    double neginf;
};
#define ct_nan_to_num_out_defaults { .struct_size = sizeof(struct ct_nan_to_num_out_args), .nan = \
    CT_NO_NUMBER, .posinf = CT_NO_NUMBER, .neginf = CT_NO_NUMBER }
CT_API ct_tensor *ct_nan_to_num_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_nan_to_num_out_args *args);
#ifndef __cplusplus
#define ct_nan_to_num_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_nan_to_num_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input`; bools are an error. */
CT_API ct_tensor *ct_positive(ct_tensor *input);
#ifndef __cplusplus
#define ct_positive(input) CT_CALL_T_P(CT_ID(ct_k), ct_positive, input)
#endif

/* Returns the complex conjugate as new elements; a real tensor is returned as it is. */
CT_API ct_tensor *ct_conj_physical(ct_tensor *input);
#ifndef __cplusplus
#define ct_conj_physical(input) CT_CALL_T_P(CT_ID(ct_k), ct_conj_physical, input)
#endif
CT_API ct_tensor *ct_conj_physical_(ct_tensor *self);
#ifndef __cplusplus
#define ct_conj_physical_(self) CT_CALL_T_P(CT_ID(ct_k), ct_conj_physical_, self)
#endif
CT_API ct_tensor *ct_conj_physical_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_conj_physical_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_conj_physical_out, out, \
    input)
#endif

/* Returns the square of each element. */
CT_API ct_tensor *ct_square(ct_tensor *input);
#ifndef __cplusplus
#define ct_square(input) CT_CALL_T_P(CT_ID(ct_k), ct_square, input)
#endif
CT_API ct_tensor *ct_square_(ct_tensor *self);
#ifndef __cplusplus
#define ct_square_(self) CT_CALL_T_P(CT_ID(ct_k), ct_square_, self)
#endif
CT_API ct_tensor *ct_square_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_square_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_square_out, out, input)
#endif

/* Decomposes elements into a mantissa and an exponent: `input = mantissa * 2 ** exponent`, with `0.5 <= abs(mantissa) < 1`. */
#ifndef CT_FREXP_RESULT
#define CT_FREXP_RESULT
struct ct_frexp_result {
    ct_tensor *mantissa, *exponent;
};
#endif
typedef struct ct_frexp_result ct_frexp_result;
CT_API struct ct_frexp_result ct_frexp(ct_tensor *input);
#ifndef __cplusplus
#define ct_frexp(input) CT_CALL_T_P(CT_ID(ct_k), ct_frexp, input)
#endif
CT_API bool ct_frexp_out(ct_tensor *out_mantissa, ct_tensor *out_exponent, ct_tensor *input);
#ifndef __cplusplus
#define ct_frexp_out(out_mantissa, out_exponent, input) CT_CALL_TTT_P(CT_ID(ct_k), ct_frexp_out, \
    out_mantissa, out_exponent, input)
#endif

/* Returns complex numbers with the given real and imaginary parts. */
CT_API ct_tensor *ct_complex(ct_tensor *real, ct_tensor *imag);
#ifndef __cplusplus
#define ct_complex(real, imag) CT_CALL_TT_P(CT_ID(ct_k), ct_complex, real, imag)
#endif
CT_API ct_tensor *ct_complex_out(ct_tensor *out, ct_tensor *real, ct_tensor *imag);
#ifndef __cplusplus
#define ct_complex_out(out, real, imag) CT_CALL_TTT_P(CT_ID(ct_k), ct_complex_out, out, real, \
    imag)
#endif

/* Returns complex numbers with the given absolute values and angles. */
CT_API ct_tensor *ct_polar(ct_tensor *abs, ct_tensor *angle);
#ifndef __cplusplus
#define ct_polar(abs, angle) CT_CALL_TT_P(CT_ID(ct_k), ct_polar, abs, angle)
#endif
CT_API ct_tensor *ct_polar_out(ct_tensor *out, ct_tensor *abs, ct_tensor *angle);
#ifndef __cplusplus
#define ct_polar_out(out, abs, angle) CT_CALL_TTT_P(CT_ID(ct_k), ct_polar_out, out, abs, angle)
#endif

/* Returns the rows of the table `weight` that `indices` selects. */
struct ct_embedding_args {
    size_t struct_size;
    int64_t padding_idx;
    bool scale_grad_by_freq;
    bool sparse;
};
#define ct_embedding_defaults { .struct_size = sizeof(struct ct_embedding_args), .padding_idx = \
    -1, .scale_grad_by_freq = false, .sparse = false }
CT_API ct_tensor *ct_embedding_ex(ct_tensor *weight, ct_tensor *indices, const struct
    ct_embedding_args *args);
#ifndef __cplusplus
#define ct_embedding(weight, indices, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_embedding, weight, indices \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Reduces bags of rows to their sum (mode 0), mean (1) or maximum (2); also returns the bag of each index, the sizes of the bags and the rows of the maxima. */
#ifndef CT_EMBEDDING_BAG_RESULT
#define CT_EMBEDDING_BAG_RESULT
struct ct_embedding_bag_result {
    ct_tensor *output, *offset2bag, *bag_size, *max_indices;
};
#endif
typedef struct ct_embedding_bag_result ct_embedding_bag_result;
struct ct_embedding_bag_args {
    size_t struct_size;
    bool scale_grad_by_freq;
    int64_t mode;
    bool sparse;
    ct_tensor *per_sample_weights;
    bool include_last_offset;
    int64_t padding_idx;
};
#define ct_embedding_bag_defaults { .struct_size = sizeof(struct ct_embedding_bag_args), \
    .scale_grad_by_freq = false, .mode = 0, .sparse = false, .per_sample_weights = CT_NO_TENSOR, \
    .include_last_offset = false, .padding_idx = CT_NO_DIM }
CT_API struct ct_embedding_bag_result ct_embedding_bag_ex(ct_tensor *weight, ct_tensor *indices,
    ct_tensor *offsets, const struct ct_embedding_bag_args *args);
#ifndef __cplusplus
#define ct_embedding_bag(weight, indices, offsets, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_embedding_bag, weight, indices, offsets __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Scales down each row of `input` that `indices` selects if its norm is above `max_norm`. */
CT_API ct_tensor *ct_embedding_renorm(ct_tensor *input, ct_tensor *indices, double max_norm, double
    norm_type);
#ifndef __cplusplus
#define ct_embedding_renorm(input, indices, max_norm, norm_type) CT_CALL_TTAA_P(CT_ID(ct_k), \
    ct_embedding_renorm, input, indices, max_norm, norm_type)
#endif
CT_API ct_tensor *ct_embedding_renorm_(ct_tensor *self, ct_tensor *indices, double max_norm, double
    norm_type);
#ifndef __cplusplus
#define ct_embedding_renorm_(self, indices, max_norm, norm_type) CT_CALL_TTAA_P(CT_ID(ct_k), \
    ct_embedding_renorm_, self, indices, max_norm, norm_type)
#endif

/* Reads values along `dim`: `out[i][j] = input[index[i][j]][j]` for dim 0. */
struct ct_gather_args {
    size_t struct_size;
    bool sparse_grad;
};
#define ct_gather_defaults { .struct_size = sizeof(struct ct_gather_args), .sparse_grad = false }
CT_API ct_tensor *ct_gather_ex(ct_tensor *input, int64_t dim, ct_tensor *index, const struct
    ct_gather_args *args);
#ifndef __cplusplus
#define ct_gather(input, dim, index, ...) CT_CALL_TAT_K(CT_ID(ct_k), ct_gather, input, dim, index \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_gather_out_args {
    size_t struct_size;
    bool sparse_grad;
};
#define ct_gather_out_defaults { .struct_size = sizeof(struct ct_gather_out_args), .sparse_grad = \
    false }
CT_API ct_tensor *ct_gather_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor *index,
    const struct ct_gather_out_args *args);
#ifndef __cplusplus
#define ct_gather_out(out, input, dim, index, ...) CT_CALL_TTAT_K(CT_ID(ct_k), ct_gather_out, out, \
    input, dim, index __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Writes values along `dim`: `out[index[i][j]][j] = src[i][j]` for dim 0. */
CT_API ct_tensor *ct_scatter_ex(ct_tensor *input, int64_t dim, ct_tensor *index, ct_value src);
#ifndef __cplusplus
#define ct_scatter(input, dim, index, src) CT_CALL_TATV(CT_ID(ct_k), ct_scatter, input, dim, \
    index, src)
#endif
CT_API ct_tensor *ct_scatter__ex(ct_tensor *self, int64_t dim, ct_tensor *index, ct_value src);
#ifndef __cplusplus
#define ct_scatter_(self, dim, index, src) CT_CALL_TATV(CT_ID(ct_k), ct_scatter_, self, dim, \
    index, src)
#endif
CT_API ct_tensor *ct_scatter_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor *index,
    ct_value src);
#ifndef __cplusplus
#define ct_scatter_out(out, input, dim, index, src) CT_CALL_TTATV(CT_ID(ct_k), ct_scatter_out, \
    out, input, dim, index, src)
#endif

/* Adds or multiplies values of `src` instead of replacing elements. */
CT_API ct_tensor *ct_scatter_src_reduce_ex(ct_tensor *input, int64_t dim, ct_tensor *index, ct_value
    src, const char *reduce);
#ifndef __cplusplus
#define ct_scatter_src_reduce(input, dim, index, src, reduce) CT_CALL_TATVA(CT_ID(ct_k), \
    ct_scatter_src_reduce, input, dim, index, src, reduce)
#endif
CT_API ct_tensor *ct_scatter_src_reduce__ex(ct_tensor *self, int64_t dim, ct_tensor *index, ct_value
    src, const char *reduce);
#ifndef __cplusplus
#define ct_scatter_src_reduce_(self, dim, index, src, reduce) CT_CALL_TATVA(CT_ID(ct_k), \
    ct_scatter_src_reduce_, self, dim, index, src, reduce)
#endif
CT_API ct_tensor *ct_scatter_src_reduce_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim,
    ct_tensor *index, ct_value src, const char *reduce);
#ifndef __cplusplus
#define ct_scatter_src_reduce_out(out, input, dim, index, src, reduce) CT_CALL_TTATVA(CT_ID(ct_k), \
    ct_scatter_src_reduce_out, out, input, dim, index, src, reduce)
#endif

/* Writes one number to the positions in `index`. */
CT_API ct_tensor *ct_scatter_value_ex(ct_tensor *input, int64_t dim, ct_tensor *index, ct_value
    value);
#ifndef __cplusplus
#define ct_scatter_value(input, dim, index, value) CT_CALL_TATV(CT_ID(ct_k), ct_scatter_value, \
    input, dim, index, value)
#endif
CT_API ct_tensor *ct_scatter_value__ex(ct_tensor *self, int64_t dim, ct_tensor *index, ct_value
    value);
#ifndef __cplusplus
#define ct_scatter_value_(self, dim, index, value) CT_CALL_TATV(CT_ID(ct_k), ct_scatter_value_, \
    self, dim, index, value)
#endif
CT_API ct_tensor *ct_scatter_value_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor
    *index, ct_value value);
#ifndef __cplusplus
#define ct_scatter_value_out(out, input, dim, index, value) CT_CALL_TTATV(CT_ID(ct_k), \
    ct_scatter_value_out, out, input, dim, index, value)
#endif

/* Adds one number to the elements at the positions in `index`, or multiplies them by it. */
CT_API ct_tensor *ct_scatter_value_reduce_ex(ct_tensor *input, int64_t dim, ct_tensor *index,
    ct_value value, const char *reduce);
#ifndef __cplusplus
#define ct_scatter_value_reduce(input, dim, index, value, reduce) CT_CALL_TATVA(CT_ID(ct_k), \
    ct_scatter_value_reduce, input, dim, index, value, reduce)
#endif
CT_API ct_tensor *ct_scatter_value_reduce__ex(ct_tensor *self, int64_t dim, ct_tensor *index,
    ct_value value, const char *reduce);
#ifndef __cplusplus
#define ct_scatter_value_reduce_(self, dim, index, value, reduce) CT_CALL_TATVA(CT_ID(ct_k), \
    ct_scatter_value_reduce_, self, dim, index, value, reduce)
#endif
CT_API ct_tensor *ct_scatter_value_reduce_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim,
    ct_tensor *index, ct_value value, const char *reduce);
#ifndef __cplusplus
#define ct_scatter_value_reduce_out(out, input, dim, index, value, reduce) \
    CT_CALL_TTATVA(CT_ID(ct_k), ct_scatter_value_reduce_out, out, input, dim, index, value, \
    reduce)
#endif

/* Adds values along `dim`: `out[index[i][j]][j] += src[i][j]` for dim 0. */
CT_API ct_tensor *ct_scatter_add(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *src);
#ifndef __cplusplus
#define ct_scatter_add(input, dim, index, src) CT_CALL_TATT_P(CT_ID(ct_k), ct_scatter_add, input, \
    dim, index, src)
#endif
CT_API ct_tensor *ct_scatter_add_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src);
#ifndef __cplusplus
#define ct_scatter_add_(self, dim, index, src) CT_CALL_TATT_P(CT_ID(ct_k), ct_scatter_add_, self, \
    dim, index, src)
#endif
CT_API ct_tensor *ct_scatter_add_out(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor
    *index, ct_tensor *src);
#ifndef __cplusplus
#define ct_scatter_add_out(out, input, dim, index, src) CT_CALL_TTATT_P(CT_ID(ct_k), \
    ct_scatter_add_out, out, input, dim, index, src)
#endif

/* Combines `input` with values of `src` at the positions in `index` along `dim`. */
struct ct_scatter_reduce_args {
    size_t struct_size;
    bool include_self;
};
#define ct_scatter_reduce_defaults { .struct_size = sizeof(struct ct_scatter_reduce_args), \
    .include_self = true }
CT_API ct_tensor *ct_scatter_reduce_ex(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor
    *src, const char *reduce, const struct ct_scatter_reduce_args *args);
#ifndef __cplusplus
#define ct_scatter_reduce(input, dim, index, src, reduce, ...) CT_CALL_TATTA_K(CT_ID(ct_k), \
    ct_scatter_reduce, input, dim, index, src, reduce __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_scatter_reduce__args {
    size_t struct_size;
    bool include_self;
};
#define ct_scatter_reduce__defaults { .struct_size = sizeof(struct ct_scatter_reduce__args), \
    .include_self = true }
CT_API ct_tensor *ct_scatter_reduce__ex(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor
    *src, const char *reduce, const struct ct_scatter_reduce__args *args);
#ifndef __cplusplus
#define ct_scatter_reduce_(self, dim, index, src, reduce, ...) CT_CALL_TATTA_K(CT_ID(ct_k), \
    ct_scatter_reduce_, self, dim, index, src, reduce __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_scatter_reduce_out_args {
    size_t struct_size;
    bool include_self;
};
#define ct_scatter_reduce_out_defaults { .struct_size = sizeof(struct ct_scatter_reduce_out_args), \
    .include_self = true }
CT_API ct_tensor *ct_scatter_reduce_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor
    *index, ct_tensor *src, const char *reduce, const struct ct_scatter_reduce_out_args *args);
#ifndef __cplusplus
#define ct_scatter_reduce_out(out, input, dim, index, src, reduce, ...) \
    CT_CALL_TTATTA_K(CT_ID(ct_k), ct_scatter_reduce_out, out, input, dim, index, src, reduce \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the slices along `dim` that `index` lists. */
CT_API ct_tensor *ct_index_select(ct_tensor *input, int64_t dim, ct_tensor *index);
#ifndef __cplusplus
#define ct_index_select(input, dim, index) CT_CALL_TAT_P(CT_ID(ct_k), ct_index_select, input, dim, \
    index)
#endif
CT_API ct_tensor *ct_index_select_out(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor
    *index);
#ifndef __cplusplus
#define ct_index_select_out(out, input, dim, index) CT_CALL_TTAT_P(CT_ID(ct_k), \
    ct_index_select_out, out, input, dim, index)
#endif

/* Adds slices of `source`, scaled by `alpha`, at the positions in `index` along `dim`. */
struct ct_index_add_args {
    size_t struct_size;
    double alpha;
};
#define ct_index_add_defaults { .struct_size = sizeof(struct ct_index_add_args), .alpha = 1 }
CT_API ct_tensor *ct_index_add_ex(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor
    *source, const struct ct_index_add_args *args);
#ifndef __cplusplus
#define ct_index_add(input, dim, index, source, ...) CT_CALL_TATT_K(CT_ID(ct_k), ct_index_add, \
    input, dim, index, source __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_index_add__args {
    size_t struct_size;
    double alpha;
};
#define ct_index_add__defaults { .struct_size = sizeof(struct ct_index_add__args), .alpha = 1 }
CT_API ct_tensor *ct_index_add__ex(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor
    *source, const struct ct_index_add__args *args);
#ifndef __cplusplus
#define ct_index_add_(self, dim, index, source, ...) CT_CALL_TATT_K(CT_ID(ct_k), ct_index_add_, \
    self, dim, index, source __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_index_add_out_args {
    size_t struct_size;
    double alpha;
};
#define ct_index_add_out_defaults { .struct_size = sizeof(struct ct_index_add_out_args), .alpha = \
    1 }
CT_API ct_tensor *ct_index_add_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor
    *index, ct_tensor *source, const struct ct_index_add_out_args *args);
#ifndef __cplusplus
#define ct_index_add_out(out, input, dim, index, source, ...) CT_CALL_TTATT_K(CT_ID(ct_k), \
    ct_index_add_out, out, input, dim, index, source __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Fills the slices of `input` that `index` lists with `value`. */
CT_API ct_tensor *ct_index_fill_ex(ct_tensor *input, int64_t dim, ct_tensor *index, ct_value value);
#ifndef __cplusplus
#define ct_index_fill(input, dim, index, value) CT_CALL_TATV(CT_ID(ct_k), ct_index_fill, input, \
    dim, index, value)
#endif
CT_API ct_tensor *ct_index_fill__ex(ct_tensor *self, int64_t dim, ct_tensor *index, ct_value value);
#ifndef __cplusplus
#define ct_index_fill_(self, dim, index, value) CT_CALL_TATV(CT_ID(ct_k), ct_index_fill_, self, \
    dim, index, value)
#endif

/* Copies slices of `source` to the positions in `index` along `dim`. */
CT_API ct_tensor *ct_index_copy(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor *source);
#ifndef __cplusplus
#define ct_index_copy(input, dim, index, source) CT_CALL_TATT_P(CT_ID(ct_k), ct_index_copy, input, \
    dim, index, source)
#endif
CT_API ct_tensor *ct_index_copy_(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *source);
#ifndef __cplusplus
#define ct_index_copy_(self, dim, index, source) CT_CALL_TATT_P(CT_ID(ct_k), ct_index_copy_, self, \
    dim, index, source)
#endif
CT_API ct_tensor *ct_index_copy_out(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor *index,
    ct_tensor *source);
#ifndef __cplusplus
#define ct_index_copy_out(out, input, dim, index, source) CT_CALL_TTATT_P(CT_ID(ct_k), \
    ct_index_copy_out, out, input, dim, index, source)
#endif

/* Combines slices of `source` with those of `input` at the positions in `index` by prod, mean, amax or amin. */
struct ct_index_reduce_args {
    size_t struct_size;
    bool include_self;
};
#define ct_index_reduce_defaults { .struct_size = sizeof(struct ct_index_reduce_args), \
    .include_self = true }
CT_API ct_tensor *ct_index_reduce_ex(ct_tensor *input, int64_t dim, ct_tensor *index, ct_tensor
    *source, const char *reduce, const struct ct_index_reduce_args *args);
#ifndef __cplusplus
#define ct_index_reduce(input, dim, index, source, reduce, ...) CT_CALL_TATTA_K(CT_ID(ct_k), \
    ct_index_reduce, input, dim, index, source, reduce __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_index_reduce__args {
    size_t struct_size;
    bool include_self;
};
#define ct_index_reduce__defaults { .struct_size = sizeof(struct ct_index_reduce__args), \
    .include_self = true }
CT_API ct_tensor *ct_index_reduce__ex(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor
    *source, const char *reduce, const struct ct_index_reduce__args *args);
#ifndef __cplusplus
#define ct_index_reduce_(self, dim, index, source, reduce, ...) CT_CALL_TATTA_K(CT_ID(ct_k), \
    ct_index_reduce_, self, dim, index, source, reduce __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_index_reduce_out_args {
    size_t struct_size;
    bool include_self;
};
#define ct_index_reduce_out_defaults { .struct_size = sizeof(struct ct_index_reduce_out_args), \
    .include_self = true }
CT_API ct_tensor *ct_index_reduce_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, ct_tensor
    *index, ct_tensor *source, const char *reduce, const struct ct_index_reduce_out_args *args);
#ifndef __cplusplus
#define ct_index_reduce_out(out, input, dim, index, source, reduce, ...) \
    CT_CALL_TTATTA_K(CT_ID(ct_k), ct_index_reduce_out, out, input, dim, index, source, reduce \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Writes elements of `source` to positions in the flattened tensor, or adds them there. */
struct ct_put_args {
    size_t struct_size;
    bool accumulate;
};
#define ct_put_defaults { .struct_size = sizeof(struct ct_put_args), .accumulate = false }
CT_API ct_tensor *ct_put_ex(ct_tensor *input, ct_tensor *index, ct_tensor *source, const struct
    ct_put_args *args);
#ifndef __cplusplus
#define ct_put(input, index, source, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_put, input, index, source \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_put__args {
    size_t struct_size;
    bool accumulate;
};
#define ct_put__defaults { .struct_size = sizeof(struct ct_put__args), .accumulate = false }
CT_API ct_tensor *ct_put__ex(ct_tensor *self, ct_tensor *index, ct_tensor *source, const struct
    ct_put__args *args);
#ifndef __cplusplus
#define ct_put_(self, index, source, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_put_, self, index, source \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns elements by their index in the flattened tensor. */
CT_API ct_tensor *ct_take(ct_tensor *input, ct_tensor *index);
#ifndef __cplusplus
#define ct_take(input, index) CT_CALL_TT_P(CT_ID(ct_k), ct_take, input, index)
#endif
CT_API ct_tensor *ct_take_out(ct_tensor *out, ct_tensor *input, ct_tensor *index);
#ifndef __cplusplus
#define ct_take_out(out, input, index) CT_CALL_TTT_P(CT_ID(ct_k), ct_take_out, out, input, index)
#endif

/* Reads values along `dim` as `gather` does, with broadcasting; without `dim`, reads from the flattened input. */
struct ct_take_along_dim_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_take_along_dim_defaults { .struct_size = sizeof(struct ct_take_along_dim_args), .dim = \
    CT_NO_DIM }
CT_API ct_tensor *ct_take_along_dim_ex(ct_tensor *input, ct_tensor *indices, const struct
    ct_take_along_dim_args *args);
#ifndef __cplusplus
#define ct_take_along_dim(input, indices, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_take_along_dim, input, \
    indices __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_take_along_dim_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_take_along_dim_out_defaults { .struct_size = sizeof(struct ct_take_along_dim_out_args), \
    .dim = CT_NO_DIM }
CT_API ct_tensor *ct_take_along_dim_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *indices,
    const struct ct_take_along_dim_out_args *args);
#ifndef __cplusplus
#define ct_take_along_dim_out(out, input, indices, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_take_along_dim_out, out, input, indices __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the elements at which the mask is True, as a 1-d tensor. */
CT_API ct_tensor *ct_masked_select(ct_tensor *input, ct_tensor *mask);
#ifndef __cplusplus
#define ct_masked_select(input, mask) CT_CALL_TT_P(CT_ID(ct_k), ct_masked_select, input, mask)
#endif
CT_API ct_tensor *ct_masked_select_out(ct_tensor *out, ct_tensor *input, ct_tensor *mask);
#ifndef __cplusplus
#define ct_masked_select_out(out, input, mask) CT_CALL_TTT_P(CT_ID(ct_k), ct_masked_select_out, \
    out, input, mask)
#endif

/* Returns `input` with `value` where `mask` is True. */
CT_API ct_tensor *ct_masked_fill_ex(ct_tensor *input, ct_tensor *mask, ct_value value);
#ifndef __cplusplus
#define ct_masked_fill(input, mask, value) CT_CALL_TTV(CT_ID(ct_k), ct_masked_fill, input, mask, \
    value)
#endif
CT_API ct_tensor *ct_masked_fill__ex(ct_tensor *self, ct_tensor *mask, ct_value value);
#ifndef __cplusplus
#define ct_masked_fill_(self, mask, value) CT_CALL_TTV(CT_ID(ct_k), ct_masked_fill_, self, mask, \
    value)
#endif

/* Returns `input` with successive elements of `source` where `mask` is True. */
CT_API ct_tensor *ct_masked_scatter(ct_tensor *input, ct_tensor *mask, ct_tensor *source);
#ifndef __cplusplus
#define ct_masked_scatter(input, mask, source) CT_CALL_TTT_P(CT_ID(ct_k), ct_masked_scatter, \
    input, mask, source)
#endif
CT_API ct_tensor *ct_masked_scatter_(ct_tensor *self, ct_tensor *mask, ct_tensor *source);
#ifndef __cplusplus
#define ct_masked_scatter_(self, mask, source) CT_CALL_TTT_P(CT_ID(ct_k), ct_masked_scatter_, \
    self, mask, source)
#endif

/* Returns the indices of the elements that are not zero, one row for each. */
CT_API ct_tensor *ct_nonzero(ct_tensor *input);
#ifndef __cplusplus
#define ct_nonzero(input) CT_CALL_T_P(CT_ID(ct_k), ct_nonzero, input)
#endif
CT_API ct_tensor *ct_nonzero_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_nonzero_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_nonzero_out, out, input)
#endif

/* Returns the indices of the elements that are not zero, one row for each. */
CT_API ct_tensor *ct_argwhere(ct_tensor *input);
#ifndef __cplusplus
#define ct_argwhere(input) CT_CALL_T_P(CT_ID(ct_k), ct_argwhere, input)
#endif

/* Returns the number of nonzero elements, in total or over dims. */
struct ct_count_nonzero_args {
    size_t struct_size;
    ct_ints dim;
};
#define ct_count_nonzero_defaults { .struct_size = sizeof(struct ct_count_nonzero_args), .dim = \
    CT_NO_DIMS }
CT_API ct_tensor *ct_count_nonzero_ex(ct_tensor *input, const struct ct_count_nonzero_args *args);
#ifndef __cplusplus
#define ct_count_nonzero(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_count_nonzero, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Writes `values` to `input[i, j, ...]`, or adds them there. */
struct ct_index_put_args {
    size_t struct_size;
    bool accumulate;
};
#define ct_index_put_defaults { .struct_size = sizeof(struct ct_index_put_args), .accumulate = \
    false }
CT_API ct_tensor *ct_index_put_ex(ct_tensor *input, ct_list indices, ct_tensor *values, const struct
    ct_index_put_args *args);
#ifndef __cplusplus
#define ct_index_put(input, indices, values, ...) CT_CALL_TLT_K(CT_ID(ct_k), ct_index_put, input, \
    indices, values __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_index_put__args {
    size_t struct_size;
    bool accumulate;
};
#define ct_index_put__defaults { .struct_size = sizeof(struct ct_index_put__args), .accumulate = \
    false }
CT_API ct_tensor *ct_index_put__ex(ct_tensor *self, ct_list indices, ct_tensor *values, const struct
    ct_index_put__args *args);
#ifndef __cplusplus
#define ct_index_put_(self, indices, values, ...) CT_CALL_TLT_K(CT_ID(ct_k), ct_index_put_, self, \
    indices, values __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Concatenates tensors along a dim. */
struct ct_cat_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_cat_defaults { .struct_size = sizeof(struct ct_cat_args), .dim = 0 }
CT_API ct_tensor *ct_cat_ex(ct_list tensors, const struct ct_cat_args *args);
#ifndef __cplusplus
#define ct_cat(tensors, ...) CT_CALL_L_K(CT_ID(ct_k), ct_cat, tensors __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_cat_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_cat_out_defaults { .struct_size = sizeof(struct ct_cat_out_args), .dim = 0 }
CT_API ct_tensor *ct_cat_out_ex(ct_tensor *out, ct_list tensors, const struct ct_cat_out_args
    *args);
#ifndef __cplusplus
#define ct_cat_out(out, tensors, ...) CT_CALL_TL_K(CT_ID(ct_k), ct_cat_out, out, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Stacks tensors of the same shape along a new dim. */
struct ct_stack_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_stack_defaults { .struct_size = sizeof(struct ct_stack_args), .dim = 0 }
CT_API ct_tensor *ct_stack_ex(ct_list tensors, const struct ct_stack_args *args);
#ifndef __cplusplus
#define ct_stack(tensors, ...) CT_CALL_L_K(CT_ID(ct_k), ct_stack, tensors __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_stack_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_stack_out_defaults { .struct_size = sizeof(struct ct_stack_out_args), .dim = 0 }
CT_API ct_tensor *ct_stack_out_ex(ct_tensor *out, ct_list tensors, const struct ct_stack_out_args
    *args);
#ifndef __cplusplus
#define ct_stack_out(out, tensors, ...) CT_CALL_TL_K(CT_ID(ct_k), ct_stack_out, out, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim into at most `chunks` parts, which are views. */
struct ct_chunk_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_chunk_defaults { .struct_size = sizeof(struct ct_chunk_args), .dim = 0 }
CT_API ct_list ct_chunk_ex(ct_tensor *input, int64_t chunks, const struct ct_chunk_args *args);
#ifndef __cplusplus
#define ct_chunk(input, chunks, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_chunk, input, chunks \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim into parts, which are views. */
struct ct_split_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_split_defaults { .struct_size = sizeof(struct ct_split_args), .dim = 0 }
CT_API ct_list ct_split_ex(ct_tensor *input, int64_t split_size, const struct ct_split_args *args);
#ifndef __cplusplus
#define ct_split(input, split_size, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_split, input, split_size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim into parts of the given sizes, which are views. */
struct ct_split_sizes_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_split_sizes_defaults { .struct_size = sizeof(struct ct_split_sizes_args), .dim = 0 }
CT_API ct_list ct_split_sizes_ex(ct_tensor *input, ct_ints split_size, const struct
    ct_split_sizes_args *args);
#ifndef __cplusplus
#define ct_split_sizes(input, split_size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_split_sizes, input, \
    split_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim into parts of the given sizes, which are views. */
struct ct_split_with_sizes_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_split_with_sizes_defaults { .struct_size = sizeof(struct ct_split_with_sizes_args), \
    .dim = 0 }
CT_API ct_list ct_split_with_sizes_ex(ct_tensor *input, ct_ints split_sizes, const struct
    ct_split_with_sizes_args *args);
#ifndef __cplusplus
#define ct_split_with_sizes(input, split_sizes, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_split_with_sizes, input, split_sizes __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns all slices along a dim as views, without that dim. */
struct ct_unbind_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_unbind_defaults { .struct_size = sizeof(struct ct_unbind_args), .dim = 0 }
CT_API ct_list ct_unbind_ex(ct_tensor *input, const struct ct_unbind_args *args);
#ifndef __cplusplus
#define ct_unbind(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_unbind, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Expands tensors to their common shape, as views. */
CT_API ct_list ct_broadcast_tensors(ct_list tensors);
#ifndef __cplusplus
#define ct_broadcast_tensors(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_broadcast_tensors, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the inverses of square matrices, and a code for each: 0, or the index of a zero pivot. */
#ifndef CT_LINALG_INV_EX_RESULT
#define CT_LINALG_INV_EX_RESULT
struct ct_linalg_inv_ex_result {
    ct_tensor *inverse, *info;
};
#endif
typedef struct ct_linalg_inv_ex_result ct_linalg_inv_ex_result;
struct ct_linalg_inv_ex_args {
    size_t struct_size;
    bool check_errors;
};
#define ct_linalg_inv_ex_defaults { .struct_size = sizeof(struct ct_linalg_inv_ex_args), \
    .check_errors = false }
CT_API struct ct_linalg_inv_ex_result ct_linalg_inv_ex_ex(ct_tensor *A, const struct
    ct_linalg_inv_ex_args *args);
#ifndef __cplusplus
#define ct_linalg_inv_ex(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_inv_ex, A __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_inv_ex_out_args {
    size_t struct_size;
    bool check_errors;
};
#define ct_linalg_inv_ex_out_defaults { .struct_size = sizeof(struct ct_linalg_inv_ex_out_args), \
    .check_errors = false }
CT_API bool ct_linalg_inv_ex_out_ex(ct_tensor *out_inverse, ct_tensor *out_info, ct_tensor *A, const
    struct ct_linalg_inv_ex_out_args *args);
#ifndef __cplusplus
#define ct_linalg_inv_ex_out(out_inverse, out_info, A, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_linalg_inv_ex_out, out_inverse, out_info, A __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the inverses of square matrices. */
CT_API ct_tensor *ct_linalg_inv(ct_tensor *A);
#ifndef __cplusplus
#define ct_linalg_inv(A) CT_CALL_T_P(CT_ID(ct_k), ct_linalg_inv, A)
#endif
CT_API ct_tensor *ct_linalg_inv_out(ct_tensor *out, ct_tensor *A);
#ifndef __cplusplus
#define ct_linalg_inv_out(out, A) CT_CALL_TT_P(CT_ID(ct_k), ct_linalg_inv_out, out, A)
#endif

/* Returns the inverses of square matrices; the same as `linalg.inv`. */
CT_API ct_tensor *ct_inverse(ct_tensor *input);
#ifndef __cplusplus
#define ct_inverse(input) CT_CALL_T_P(CT_ID(ct_k), ct_inverse, input)
#endif
CT_API ct_tensor *ct_inverse_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_inverse_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_inverse_out, out, input)
#endif

/* Returns the solution of `A X = B`, or `X A = B`, and a code for each matrix: 0, or the index of a zero pivot. */
#ifndef CT_LINALG_SOLVE_EX_INFO_RESULT
#define CT_LINALG_SOLVE_EX_INFO_RESULT
struct ct_linalg_solve_ex_info_result {
    ct_tensor *result, *info;
};
#endif
typedef struct ct_linalg_solve_ex_info_result ct_linalg_solve_ex_info_result;
struct ct_linalg_solve_ex_info_args {
    size_t struct_size;
    bool left;
    bool check_errors;
};
#define ct_linalg_solve_ex_info_defaults { .struct_size = sizeof(struct \
    ct_linalg_solve_ex_info_args), .left = true, .check_errors = false }
CT_API struct ct_linalg_solve_ex_info_result ct_linalg_solve_ex_info_ex(ct_tensor *A, ct_tensor *B,
    const struct ct_linalg_solve_ex_info_args *args);
#ifndef __cplusplus
#define ct_linalg_solve_ex_info(A, B, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_solve_ex_info, A, B \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_solve_ex_info_out_args {
    size_t struct_size;
    bool left;
    bool check_errors;
};
#define ct_linalg_solve_ex_info_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_solve_ex_info_out_args), .left = true, .check_errors = false }
CT_API bool ct_linalg_solve_ex_info_out_ex(ct_tensor *out_result, ct_tensor *out_info, ct_tensor *A,
    ct_tensor *B, const struct ct_linalg_solve_ex_info_out_args *args);
#ifndef __cplusplus
#define ct_linalg_solve_ex_info_out(out_result, out_info, A, B, ...) CT_CALL_TTTT_K(CT_ID(ct_k), \
    ct_linalg_solve_ex_info_out, out_result, out_info, A, B __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the solution of the linear system `A X = B`, or `X A = B`. */
struct ct_linalg_solve_args {
    size_t struct_size;
    bool left;
};
#define ct_linalg_solve_defaults { .struct_size = sizeof(struct ct_linalg_solve_args), .left = \
    true }
CT_API ct_tensor *ct_linalg_solve_ex(ct_tensor *A, ct_tensor *B, const struct ct_linalg_solve_args
    *args);
#ifndef __cplusplus
#define ct_linalg_solve(A, B, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_solve, A, B __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_solve_out_args {
    size_t struct_size;
    bool left;
};
#define ct_linalg_solve_out_defaults { .struct_size = sizeof(struct ct_linalg_solve_out_args), \
    .left = true }
CT_API ct_tensor *ct_linalg_solve_out_ex(ct_tensor *out, ct_tensor *A, ct_tensor *B, const struct
    ct_linalg_solve_out_args *args);
#ifndef __cplusplus
#define ct_linalg_solve_out(out, A, B, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_linalg_solve_out, out, \
    A, B __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the LU factorization of matrices in packed form, pivots, and a code for each matrix: 0, or the index of a zero pivot. */
#ifndef CT_LINALG_LU_FACTOR_EX_INFO_RESULT
#define CT_LINALG_LU_FACTOR_EX_INFO_RESULT
struct ct_linalg_lu_factor_ex_info_result {
    ct_tensor *LU, *pivots, *info;
};
#endif
typedef struct ct_linalg_lu_factor_ex_info_result ct_linalg_lu_factor_ex_info_result;
struct ct_linalg_lu_factor_ex_info_args {
    size_t struct_size;
    bool pivot;
    bool check_errors;
};
#define ct_linalg_lu_factor_ex_info_defaults { .struct_size = sizeof(struct \
    ct_linalg_lu_factor_ex_info_args), .pivot = true, .check_errors = false }
CT_API struct ct_linalg_lu_factor_ex_info_result ct_linalg_lu_factor_ex_info_ex(ct_tensor *A, const
    struct ct_linalg_lu_factor_ex_info_args *args);
#ifndef __cplusplus
#define ct_linalg_lu_factor_ex_info(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_lu_factor_ex_info, \
    A __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_lu_factor_ex_info_out_args {
    size_t struct_size;
    bool pivot;
    bool check_errors;
};
#define ct_linalg_lu_factor_ex_info_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_lu_factor_ex_info_out_args), .pivot = true, .check_errors = false }
CT_API bool ct_linalg_lu_factor_ex_info_out_ex(ct_tensor *out_LU, ct_tensor *out_pivots, ct_tensor
    *out_info, ct_tensor *A, const struct ct_linalg_lu_factor_ex_info_out_args *args);
#ifndef __cplusplus
#define ct_linalg_lu_factor_ex_info_out(out_LU, out_pivots, out_info, A, ...) \
    CT_CALL_TTTT_K(CT_ID(ct_k), ct_linalg_lu_factor_ex_info_out, out_LU, out_pivots, out_info, A \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the LU factorization of matrices in packed form, and the pivots. */
#ifndef CT_LINALG_LU_FACTOR_RESULT
#define CT_LINALG_LU_FACTOR_RESULT
struct ct_linalg_lu_factor_result {
    ct_tensor *LU, *pivots;
};
#endif
typedef struct ct_linalg_lu_factor_result ct_linalg_lu_factor_result;
struct ct_linalg_lu_factor_args {
    size_t struct_size;
    bool pivot;
};
#define ct_linalg_lu_factor_defaults { .struct_size = sizeof(struct ct_linalg_lu_factor_args), \
    .pivot = true }
CT_API struct ct_linalg_lu_factor_result ct_linalg_lu_factor_ex(ct_tensor *A, const struct
    ct_linalg_lu_factor_args *args);
#ifndef __cplusplus
#define ct_linalg_lu_factor(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_lu_factor, A __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_lu_factor_out_args {
    size_t struct_size;
    bool pivot;
};
#define ct_linalg_lu_factor_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_lu_factor_out_args), .pivot = true }
CT_API bool ct_linalg_lu_factor_out_ex(ct_tensor *out_LU, ct_tensor *out_pivots, ct_tensor *A, const
    struct ct_linalg_lu_factor_out_args *args);
#ifndef __cplusplus
#define ct_linalg_lu_factor_out(out_LU, out_pivots, A, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_linalg_lu_factor_out, out_LU, out_pivots, A __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns P, L and U, unpacked from the results of linalg.lu_factor. */
#ifndef CT_LU_UNPACK_RESULT
#define CT_LU_UNPACK_RESULT
struct ct_lu_unpack_result {
    ct_tensor *P, *L, *U;
};
#endif
typedef struct ct_lu_unpack_result ct_lu_unpack_result;
struct ct_lu_unpack_args {
    size_t struct_size;
    bool unpack_data;
    bool unpack_pivots;
};
#define ct_lu_unpack_defaults { .struct_size = sizeof(struct ct_lu_unpack_args), .unpack_data = \
    true, .unpack_pivots = true }
CT_API struct ct_lu_unpack_result ct_lu_unpack_ex(ct_tensor *LU_data, ct_tensor *LU_pivots, const
    struct ct_lu_unpack_args *args);
#ifndef __cplusplus
#define ct_lu_unpack(LU_data, LU_pivots, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_lu_unpack, LU_data, \
    LU_pivots __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_lu_unpack_out_args {
    size_t struct_size;
    bool unpack_data;
    bool unpack_pivots;
};
#define ct_lu_unpack_out_defaults { .struct_size = sizeof(struct ct_lu_unpack_out_args), \
    .unpack_data = true, .unpack_pivots = true }
CT_API bool ct_lu_unpack_out_ex(ct_tensor *out_P, ct_tensor *out_L, ct_tensor *out_U, ct_tensor
    *LU_data, ct_tensor *LU_pivots, const struct ct_lu_unpack_out_args *args);
#ifndef __cplusplus
#define ct_lu_unpack_out(out_P, out_L, out_U, LU_data, LU_pivots, ...) \
    CT_CALL_TTTTT_K(CT_ID(ct_k), ct_lu_unpack_out, out_P, out_L, out_U, LU_data, LU_pivots \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the LU factorization `A = P @ L @ U`, with P a permutation, L lower and U upper triangular. */
#ifndef CT_LINALG_LU_RESULT
#define CT_LINALG_LU_RESULT
struct ct_linalg_lu_result {
    ct_tensor *P, *L, *U;
};
#endif
typedef struct ct_linalg_lu_result ct_linalg_lu_result;
struct ct_linalg_lu_args {
    size_t struct_size;
    bool pivot;
};
#define ct_linalg_lu_defaults { .struct_size = sizeof(struct ct_linalg_lu_args), .pivot = true }
CT_API struct ct_linalg_lu_result ct_linalg_lu_ex(ct_tensor *A, const struct ct_linalg_lu_args
    *args);
#ifndef __cplusplus
#define ct_linalg_lu(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_lu, A __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_lu_out_args {
    size_t struct_size;
    bool pivot;
};
#define ct_linalg_lu_out_defaults { .struct_size = sizeof(struct ct_linalg_lu_out_args), .pivot = \
    true }
CT_API bool ct_linalg_lu_out_ex(ct_tensor *out_P, ct_tensor *out_L, ct_tensor *out_U, ct_tensor *A,
    const struct ct_linalg_lu_out_args *args);
#ifndef __cplusplus
#define ct_linalg_lu_out(out_P, out_L, out_U, A, ...) CT_CALL_TTTT_K(CT_ID(ct_k), \
    ct_linalg_lu_out, out_P, out_L, out_U, A __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the solution of `A X = B`, or `X A = B`, given the results of linalg.lu_factor. */
struct ct_linalg_lu_solve_args {
    size_t struct_size;
    bool left;
    bool adjoint;
};
#define ct_linalg_lu_solve_defaults { .struct_size = sizeof(struct ct_linalg_lu_solve_args), .left \
    = true, .adjoint = false }
CT_API ct_tensor *ct_linalg_lu_solve_ex(ct_tensor *LU, ct_tensor *pivots, ct_tensor *B, const struct
    ct_linalg_lu_solve_args *args);
#ifndef __cplusplus
#define ct_linalg_lu_solve(LU, pivots, B, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_linalg_lu_solve, LU, \
    pivots, B __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_lu_solve_out_args {
    size_t struct_size;
    bool left;
    bool adjoint;
};
#define ct_linalg_lu_solve_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_lu_solve_out_args), .left = true, .adjoint = false }
CT_API ct_tensor *ct_linalg_lu_solve_out_ex(ct_tensor *out, ct_tensor *LU, ct_tensor *pivots,
    ct_tensor *B, const struct ct_linalg_lu_solve_out_args *args);
#ifndef __cplusplus
#define ct_linalg_lu_solve_out(out, LU, pivots, B, ...) CT_CALL_TTTT_K(CT_ID(ct_k), \
    ct_linalg_lu_solve_out, out, LU, pivots, B __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the determinants of square matrices. */
CT_API ct_tensor *ct_linalg_det(ct_tensor *A);
#ifndef __cplusplus
#define ct_linalg_det(A) CT_CALL_T_P(CT_ID(ct_k), ct_linalg_det, A)
#endif
CT_API ct_tensor *ct_linalg_det_out(ct_tensor *out, ct_tensor *A);
#ifndef __cplusplus
#define ct_linalg_det_out(out, A) CT_CALL_TT_P(CT_ID(ct_k), ct_linalg_det_out, out, A)
#endif

/* Returns the determinants of square matrices; the same as `linalg.det`. */
CT_API ct_tensor *ct_det(ct_tensor *input);
#ifndef __cplusplus
#define ct_det(input) CT_CALL_T_P(CT_ID(ct_k), ct_det, input)
#endif

/* Returns the sign (or phase) of determinants, and the logarithm of their absolute value. */
#ifndef CT_LINALG_SLOGDET_RESULT
#define CT_LINALG_SLOGDET_RESULT
struct ct_linalg_slogdet_result {
    ct_tensor *sign, *logabsdet;
};
#endif
typedef struct ct_linalg_slogdet_result ct_linalg_slogdet_result;
CT_API struct ct_linalg_slogdet_result ct_linalg_slogdet(ct_tensor *A);
#ifndef __cplusplus
#define ct_linalg_slogdet(A) CT_CALL_T_P(CT_ID(ct_k), ct_linalg_slogdet, A)
#endif
CT_API bool ct_linalg_slogdet_out(ct_tensor *out_sign, ct_tensor *out_logabsdet, ct_tensor *A);
#ifndef __cplusplus
#define ct_linalg_slogdet_out(out_sign, out_logabsdet, A) CT_CALL_TTT_P(CT_ID(ct_k), \
    ct_linalg_slogdet_out, out_sign, out_logabsdet, A)
#endif

/* Returns the sign (or phase) of determinants, and the logarithm of their absolute value; the same as `linalg.slogdet`. */
#ifndef CT_SLOGDET_RESULT
#define CT_SLOGDET_RESULT
struct ct_slogdet_result {
    ct_tensor *sign, *logabsdet;
};
#endif
typedef struct ct_slogdet_result ct_slogdet_result;
CT_API struct ct_slogdet_result ct_slogdet(ct_tensor *input);
#ifndef __cplusplus
#define ct_slogdet(input) CT_CALL_T_P(CT_ID(ct_k), ct_slogdet, input)
#endif
CT_API bool ct_slogdet_out(ct_tensor *out_sign, ct_tensor *out_logabsdet, ct_tensor *input);
#ifndef __cplusplus
#define ct_slogdet_out(out_sign, out_logabsdet, input) CT_CALL_TTT_P(CT_ID(ct_k), ct_slogdet_out, \
    out_sign, out_logabsdet, input)
#endif

/* Returns the logarithm of determinants; NaN if a real determinant is negative. */
CT_API ct_tensor *ct_logdet(ct_tensor *input);
#ifndef __cplusplus
#define ct_logdet(input) CT_CALL_T_P(CT_ID(ct_k), ct_logdet, input)
#endif

/* Returns the singular value decomposition `A = U @ diag(S) @ Vh`. */
#ifndef CT_LINALG_SVD_RESULT
#define CT_LINALG_SVD_RESULT
struct ct_linalg_svd_result {
    ct_tensor *U, *S, *Vh;
};
#endif
typedef struct ct_linalg_svd_result ct_linalg_svd_result;
struct ct_linalg_svd_args {
    size_t struct_size;
    bool full_matrices;
    const char *driver;
};
#define ct_linalg_svd_defaults { .struct_size = sizeof(struct ct_linalg_svd_args), .full_matrices \
    = true, .driver = NULL }
CT_API struct ct_linalg_svd_result ct_linalg_svd_ex(ct_tensor *A, const struct ct_linalg_svd_args
    *args);
#ifndef __cplusplus
#define ct_linalg_svd(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_svd, A __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_svd_out_args {
    size_t struct_size;
    bool full_matrices;
    const char *driver;
};
#define ct_linalg_svd_out_defaults { .struct_size = sizeof(struct ct_linalg_svd_out_args), \
    .full_matrices = true, .driver = NULL }
CT_API bool ct_linalg_svd_out_ex(ct_tensor *out_U, ct_tensor *out_S, ct_tensor *out_Vh, ct_tensor
    *A, const struct ct_linalg_svd_out_args *args);
#ifndef __cplusplus
#define ct_linalg_svd_out(out_U, out_S, out_Vh, A, ...) CT_CALL_TTTT_K(CT_ID(ct_k), \
    ct_linalg_svd_out, out_U, out_S, out_Vh, A __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the singular values of matrices, in descending order. */
struct ct_linalg_svdvals_args {
    size_t struct_size;
    const char *driver;
};
#define ct_linalg_svdvals_defaults { .struct_size = sizeof(struct ct_linalg_svdvals_args), .driver \
    = NULL }
CT_API ct_tensor *ct_linalg_svdvals_ex(ct_tensor *A, const struct ct_linalg_svdvals_args *args);
#ifndef __cplusplus
#define ct_linalg_svdvals(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_svdvals, A __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_svdvals_out_args {
    size_t struct_size;
    const char *driver;
};
#define ct_linalg_svdvals_out_defaults { .struct_size = sizeof(struct ct_linalg_svdvals_out_args), \
    .driver = NULL }
CT_API ct_tensor *ct_linalg_svdvals_out_ex(ct_tensor *out, ct_tensor *A, const struct
    ct_linalg_svdvals_out_args *args);
#ifndef __cplusplus
#define ct_linalg_svdvals_out(out, A, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_svdvals_out, out, A \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the singular value decomposition `input = U @ diag(S) @ V.mH`. */
#ifndef CT_SVD_RESULT
#define CT_SVD_RESULT
struct ct_svd_result {
    ct_tensor *U, *S, *V;
};
#endif
typedef struct ct_svd_result ct_svd_result;
struct ct_svd_args {
    size_t struct_size;
    bool some;
    bool compute_uv;
};
#define ct_svd_defaults { .struct_size = sizeof(struct ct_svd_args), .some = true, .compute_uv = \
    true }
CT_API struct ct_svd_result ct_svd_ex(ct_tensor *input, const struct ct_svd_args *args);
#ifndef __cplusplus
#define ct_svd(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_svd, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_svd_out_args {
    size_t struct_size;
    bool some;
    bool compute_uv;
};
#define ct_svd_out_defaults { .struct_size = sizeof(struct ct_svd_out_args), .some = true, \
    .compute_uv = true }
CT_API bool ct_svd_out_ex(ct_tensor *out_U, ct_tensor *out_S, ct_tensor *out_V, ct_tensor *input,
    const struct ct_svd_out_args *args);
#ifndef __cplusplus
#define ct_svd_out(out_U, out_S, out_V, input, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_svd_out, out_U, \
    out_S, out_V, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the norm of order `ord` of all elements as one vector, or of the vectors along dims. */
struct ct_linalg_vector_norm_args {
    size_t struct_size;
    double ord;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_vector_norm_defaults { .struct_size = sizeof(struct ct_linalg_vector_norm_args), \
    .ord = 2, .dim = CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_vector_norm_ex(ct_tensor *input, const struct ct_linalg_vector_norm_args
    *args);
#ifndef __cplusplus
#define ct_linalg_vector_norm(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_vector_norm, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_vector_norm_out_args {
    size_t struct_size;
    double ord;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_vector_norm_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_vector_norm_out_args), .ord = 2, .dim = CT_NO_DIMS, .keepdim = false, .dtype = \
    CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_vector_norm_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_linalg_vector_norm_out_args *args);
#ifndef __cplusplus
#define ct_linalg_vector_norm_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_linalg_vector_norm_out, out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a norm of matrices: 2 is the largest singular value, 1 the largest sum of absolute values of a column, inf of a row. */
struct ct_linalg_matrix_norm_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_matrix_norm_defaults { .struct_size = sizeof(struct ct_linalg_matrix_norm_args), \
    .dim = CT_INTS(-2, -1), .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_matrix_norm_ex(ct_tensor *input, ct_value ord, const struct
    ct_linalg_matrix_norm_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_norm(input, ord, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_linalg_matrix_norm, \
    input, ord __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_matrix_norm_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_matrix_norm_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_norm_out_args), .dim = CT_INTS(-2, -1), .keepdim = false, .dtype = \
    CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_matrix_norm_out_ex(ct_tensor *out, ct_tensor *input, ct_value ord, const
    struct ct_linalg_matrix_norm_out_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_norm_out(out, input, ord, ...) CT_CALL_TTV_K(CT_ID(ct_k), \
    ct_linalg_matrix_norm_out, out, input, ord __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a named norm of matrices: 'fro', the square root of the sum of squares, or 'nuc', the sum of singular values. */
struct ct_linalg_matrix_norm_str_ord_args {
    size_t struct_size;
    const char *ord;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_matrix_norm_str_ord_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_norm_str_ord_args), .ord = "fro", .dim = CT_INTS(-2, -1), .keepdim = false, \
    .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_matrix_norm_str_ord_ex(ct_tensor *input, const struct
    ct_linalg_matrix_norm_str_ord_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_norm_str_ord(input, ...) CT_CALL_T_K(CT_ID(ct_k), \
    ct_linalg_matrix_norm_str_ord, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_matrix_norm_str_ord_out_args {
    size_t struct_size;
    const char *ord;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_matrix_norm_str_ord_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_norm_str_ord_out_args), .ord = "fro", .dim = CT_INTS(-2, -1), .keepdim = \
    false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_matrix_norm_str_ord_out_ex(ct_tensor *out, ct_tensor *input, const
    struct ct_linalg_matrix_norm_str_ord_out_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_norm_str_ord_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_linalg_matrix_norm_str_ord_out, out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a norm of vectors or matrices; without `ord` the root of the sum of squares. */
struct ct_linalg_norm_args {
    size_t struct_size;
    double ord;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_norm_defaults { .struct_size = sizeof(struct ct_linalg_norm_args), .ord = \
    CT_NO_NUMBER, .dim = CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_norm_ex(ct_tensor *input, const struct ct_linalg_norm_args *args);
#ifndef __cplusplus
#define ct_linalg_norm(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_norm, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_norm_out_args {
    size_t struct_size;
    double ord;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_norm_out_defaults { .struct_size = sizeof(struct ct_linalg_norm_out_args), .ord \
    = CT_NO_NUMBER, .dim = CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_norm_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_linalg_norm_out_args *args);
#ifndef __cplusplus
#define ct_linalg_norm_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_norm_out, out, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a named norm of matrices, 'fro' or 'nuc'. */
struct ct_linalg_norm_ord_str_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_norm_ord_str_defaults { .struct_size = sizeof(struct \
    ct_linalg_norm_ord_str_args), .dim = CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_norm_ord_str_ex(ct_tensor *input, const char *ord, const struct
    ct_linalg_norm_ord_str_args *args);
#ifndef __cplusplus
#define ct_linalg_norm_ord_str(input, ord, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_linalg_norm_ord_str, \
    input, ord __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_norm_ord_str_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_linalg_norm_ord_str_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_norm_ord_str_out_args), .dim = CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_linalg_norm_ord_str_out_ex(ct_tensor *out, ct_tensor *input, const char *ord,
    const struct ct_linalg_norm_ord_str_out_args *args);
#ifndef __cplusplus
#define ct_linalg_norm_ord_str_out(out, input, ord, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_linalg_norm_ord_str_out, out, input, ord __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the norm over all dims but one, keeping them; over all dims if `dim` is -1. */
struct ct_norm_except_dim_args {
    size_t struct_size;
    int64_t pow;
    int64_t dim;
};
#define ct_norm_except_dim_defaults { .struct_size = sizeof(struct ct_norm_except_dim_args), .pow \
    = 2, .dim = 0 }
CT_API ct_tensor *ct_norm_except_dim_ex(ct_tensor *v, const struct ct_norm_except_dim_args *args);
#ifndef __cplusplus
#define ct_norm_except_dim(v, ...) CT_CALL_T_K(CT_ID(ct_k), ct_norm_except_dim, v __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the product of vectors, matrices or batches of matrices; the same as `matmul`. */
CT_API ct_tensor *ct_linalg_matmul(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_linalg_matmul(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_linalg_matmul, input, other)
#endif
CT_API ct_tensor *ct_linalg_matmul_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_linalg_matmul_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_linalg_matmul_out, \
    out, input, other)
#endif

/* Returns the n-th power of square matrices; negative powers use the inverse. */
CT_API ct_tensor *ct_linalg_matrix_power(ct_tensor *input, int64_t n);
#ifndef __cplusplus
#define ct_linalg_matrix_power(input, n) CT_CALL_TA_P(CT_ID(ct_k), ct_linalg_matrix_power, input, \
    n)
#endif
CT_API ct_tensor *ct_linalg_matrix_power_out(ct_tensor *out, ct_tensor *input, int64_t n);
#ifndef __cplusplus
#define ct_linalg_matrix_power_out(out, input, n) CT_CALL_TTA_P(CT_ID(ct_k), \
    ct_linalg_matrix_power_out, out, input, n)
#endif

/* Returns the product of several matrices, multiplied in the order that needs the fewest operations. */
CT_API ct_tensor *ct_linalg_multi_dot(ct_list tensors);
#ifndef __cplusplus
#define ct_linalg_multi_dot(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_linalg_multi_dot, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
CT_API ct_tensor *ct_linalg_multi_dot_out(ct_tensor *out, ct_list tensors);
#ifndef __cplusplus
#define ct_linalg_multi_dot_out(out, tensors, ...) CT_CALL_TL_P(CT_ID(ct_k), \
    ct_linalg_multi_dot_out, out, tensors __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the dot products of vectors along a dim, with the first vector conjugated. */
struct ct_linalg_vecdot_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_linalg_vecdot_defaults { .struct_size = sizeof(struct ct_linalg_vecdot_args), .dim = -1 \
    }
CT_API ct_tensor *ct_linalg_vecdot_ex(ct_tensor *x, ct_tensor *y, const struct ct_linalg_vecdot_args
    *args);
#ifndef __cplusplus
#define ct_linalg_vecdot(x, y, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_vecdot, x, y __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_linalg_vecdot_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_linalg_vecdot_out_defaults { .struct_size = sizeof(struct ct_linalg_vecdot_out_args), \
    .dim = -1 }
CT_API ct_tensor *ct_linalg_vecdot_out_ex(ct_tensor *out, ct_tensor *x, ct_tensor *y, const struct
    ct_linalg_vecdot_out_args *args);
#ifndef __cplusplus
#define ct_linalg_vecdot_out(out, x, y, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_linalg_vecdot_out, out, \
    x, y __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns Vandermonde matrices: the powers from 0 to N - 1 of each element. */
struct ct_linalg_vander_args {
    size_t struct_size;
    int64_t N;
};
#define ct_linalg_vander_defaults { .struct_size = sizeof(struct ct_linalg_vander_args), .N = \
    CT_NO_DIM }
CT_API ct_tensor *ct_linalg_vander_ex(ct_tensor *x, const struct ct_linalg_vander_args *args);
#ifndef __cplusplus
#define ct_linalg_vander(x, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_vander, x __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the diagonals of matrices, as the last dim of a view. */
struct ct_linalg_diagonal_args {
    size_t struct_size;
    int64_t offset;
    int64_t dim1;
    int64_t dim2;
};
#define ct_linalg_diagonal_defaults { .struct_size = sizeof(struct ct_linalg_diagonal_args), \
    .offset = 0, .dim1 = -2, .dim2 = -1 }
CT_API ct_tensor *ct_linalg_diagonal_ex(ct_tensor *A, const struct ct_linalg_diagonal_args *args);
#ifndef __cplusplus
#define ct_linalg_diagonal(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_diagonal, A __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the eigenvalues and eigenvectors of square matrices, always complex: `A = V @ diag(L) @ inv(V)`. */
#ifndef CT_LINALG_EIG_RESULT
#define CT_LINALG_EIG_RESULT
struct ct_linalg_eig_result {
    ct_tensor *eigenvalues, *eigenvectors;
};
#endif
typedef struct ct_linalg_eig_result ct_linalg_eig_result;
CT_API struct ct_linalg_eig_result ct_linalg_eig(ct_tensor *input);
#ifndef __cplusplus
#define ct_linalg_eig(input) CT_CALL_T_P(CT_ID(ct_k), ct_linalg_eig, input)
#endif
CT_API bool ct_linalg_eig_out(ct_tensor *out_eigenvalues, ct_tensor *out_eigenvectors, ct_tensor
    *input);
#ifndef __cplusplus
#define ct_linalg_eig_out(out_eigenvalues, out_eigenvectors, input) CT_CALL_TTT_P(CT_ID(ct_k), \
    ct_linalg_eig_out, out_eigenvalues, out_eigenvectors, input)
#endif

/* Returns the eigenvalues of square matrices, always complex and in no particular order. */
CT_API ct_tensor *ct_linalg_eigvals(ct_tensor *input);
#ifndef __cplusplus
#define ct_linalg_eigvals(input) CT_CALL_T_P(CT_ID(ct_k), ct_linalg_eigvals, input)
#endif
CT_API ct_tensor *ct_linalg_eigvals_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_linalg_eigvals_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_linalg_eigvals_out, out, \
    input)
#endif

/* Returns the eigenvalues, in ascending order, and the eigenvectors of symmetric or Hermitian matrices. */
#ifndef CT_LINALG_EIGH_RESULT
#define CT_LINALG_EIGH_RESULT
struct ct_linalg_eigh_result {
    ct_tensor *eigenvalues, *eigenvectors;
};
#endif
typedef struct ct_linalg_eigh_result ct_linalg_eigh_result;
struct ct_linalg_eigh_args {
    size_t struct_size;
    const char *UPLO;
};
#define ct_linalg_eigh_defaults { .struct_size = sizeof(struct ct_linalg_eigh_args), .UPLO = "L" }
CT_API struct ct_linalg_eigh_result ct_linalg_eigh_ex(ct_tensor *input, const struct
    ct_linalg_eigh_args *args);
#ifndef __cplusplus
#define ct_linalg_eigh(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_eigh, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_eigh_out_args {
    size_t struct_size;
    const char *UPLO;
};
#define ct_linalg_eigh_out_defaults { .struct_size = sizeof(struct ct_linalg_eigh_out_args), .UPLO \
    = "L" }
CT_API bool ct_linalg_eigh_out_ex(ct_tensor *out_eigenvalues, ct_tensor *out_eigenvectors, ct_tensor
    *input, const struct ct_linalg_eigh_out_args *args);
#ifndef __cplusplus
#define ct_linalg_eigh_out(out_eigenvalues, out_eigenvectors, input, ...) \
    CT_CALL_TTT_K(CT_ID(ct_k), ct_linalg_eigh_out, out_eigenvalues, out_eigenvectors, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the eigenvalues, in ascending order, of symmetric or Hermitian matrices. */
struct ct_linalg_eigvalsh_args {
    size_t struct_size;
    const char *UPLO;
};
#define ct_linalg_eigvalsh_defaults { .struct_size = sizeof(struct ct_linalg_eigvalsh_args), .UPLO \
    = "L" }
CT_API ct_tensor *ct_linalg_eigvalsh_ex(ct_tensor *input, const struct ct_linalg_eigvalsh_args
    *args);
#ifndef __cplusplus
#define ct_linalg_eigvalsh(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_eigvalsh, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_eigvalsh_out_args {
    size_t struct_size;
    const char *UPLO;
};
#define ct_linalg_eigvalsh_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_eigvalsh_out_args), .UPLO = "L" }
CT_API ct_tensor *ct_linalg_eigvalsh_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_linalg_eigvalsh_out_args *args);
#ifndef __cplusplus
#define ct_linalg_eigvalsh_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_eigvalsh_out, \
    out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the matrix exponentials of square matrices. */
CT_API ct_tensor *ct_linalg_matrix_exp(ct_tensor *input);
#ifndef __cplusplus
#define ct_linalg_matrix_exp(input) CT_CALL_T_P(CT_ID(ct_k), ct_linalg_matrix_exp, input)
#endif

/* Returns the matrix exponentials of square matrices; the same as `linalg.matrix_exp`. */
CT_API ct_tensor *ct_matrix_exp(ct_tensor *input);
#ifndef __cplusplus
#define ct_matrix_exp(input) CT_CALL_T_P(CT_ID(ct_k), ct_matrix_exp, input)
#endif

/* Returns the square roots of positive semidefinite Hermitian matrices; reads the lower triangle. */
CT_API ct_tensor *ct_linalg_matrix_sqrth(ct_tensor *input);
#ifndef __cplusplus
#define ct_linalg_matrix_sqrth(input) CT_CALL_T_P(CT_ID(ct_k), ct_linalg_matrix_sqrth, input)
#endif

/* Returns the polar decomposition `A = U @ H`: U has orthonormal columns, H is positive semidefinite. */
#ifndef CT_LINALG_POLAR_RESULT
#define CT_LINALG_POLAR_RESULT
struct ct_linalg_polar_result {
    ct_tensor *U, *H;
};
#endif
typedef struct ct_linalg_polar_result ct_linalg_polar_result;
CT_API struct ct_linalg_polar_result ct_linalg_polar(ct_tensor *A);
#ifndef __cplusplus
#define ct_linalg_polar(A) CT_CALL_T_P(CT_ID(ct_k), ct_linalg_polar, A)
#endif
CT_API bool ct_linalg_polar_out(ct_tensor *out_U, ct_tensor *out_H, ct_tensor *A);
#ifndef __cplusplus
#define ct_linalg_polar_out(out_U, out_H, A) CT_CALL_TTT_P(CT_ID(ct_k), ct_linalg_polar_out, \
    out_U, out_H, A)
#endif

/* Returns the k largest or smallest eigenvalues of a symmetric matrix A, or of the pair A and B, and their eigenvectors. */
#ifndef CT_LOBPCG_RESULT
#define CT_LOBPCG_RESULT
struct ct_lobpcg_result {
    ct_tensor *eigenvalues, *eigenvectors;
};
#endif
typedef struct ct_lobpcg_result ct_lobpcg_result;
struct ct_lobpcg_args {
    size_t struct_size;
    int64_t k;
    ct_tensor *B;
    ct_tensor *X;
    int64_t n;
    ct_tensor *iK;
    int64_t niter;
    double tol;
    int largest;
    const char *method;
    ct_ints ortho_iparams;
    ct_floats ortho_fparams;
    int ortho_bparams;
};
#define ct_lobpcg_defaults { .struct_size = sizeof(struct ct_lobpcg_args), .k = CT_NO_DIM, .B = \
    CT_NO_TENSOR, .X = CT_NO_TENSOR, .n = CT_NO_DIM, .iK = CT_NO_TENSOR, .niter = CT_NO_DIM, .tol \
    = CT_NO_NUMBER, .largest = -1, .method = NULL, .ortho_iparams = CT_NO_DIMS, .ortho_fparams = \
    CT_NO_FLOATS, .ortho_bparams = -1 }
CT_API struct ct_lobpcg_result ct_lobpcg_ex(ct_tensor *A, const struct ct_lobpcg_args *args);
#ifndef __cplusplus
#define ct_lobpcg(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_lobpcg, A __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns an approximate singular value decomposition of rank `q`, computed by products with random vectors. */
#ifndef CT_SVD_LOWRANK_RESULT
#define CT_SVD_LOWRANK_RESULT
struct ct_svd_lowrank_result {
    ct_tensor *U, *S, *V;
};
#endif
typedef struct ct_svd_lowrank_result ct_svd_lowrank_result;
struct ct_svd_lowrank_args {
    size_t struct_size;
    int64_t q;
    int64_t niter;
    ct_tensor *M;
};
#define ct_svd_lowrank_defaults { .struct_size = sizeof(struct ct_svd_lowrank_args), .q = 6, \
    .niter = 2, .M = CT_NO_TENSOR }
CT_API struct ct_svd_lowrank_result ct_svd_lowrank_ex(ct_tensor *A, const struct ct_svd_lowrank_args
    *args);
#ifndef __cplusplus
#define ct_svd_lowrank(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_svd_lowrank, A __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the principal components of the columns of A: `svd_lowrank` applied after subtracting the column means. */
#ifndef CT_PCA_LOWRANK_RESULT
#define CT_PCA_LOWRANK_RESULT
struct ct_pca_lowrank_result {
    ct_tensor *U, *S, *V;
};
#endif
typedef struct ct_pca_lowrank_result ct_pca_lowrank_result;
struct ct_pca_lowrank_args {
    size_t struct_size;
    int64_t q;
    bool center;
    int64_t niter;
};
#define ct_pca_lowrank_defaults { .struct_size = sizeof(struct ct_pca_lowrank_args), .q = \
    CT_NO_DIM, .center = true, .niter = 2 }
CT_API struct ct_pca_lowrank_result ct_pca_lowrank_ex(ct_tensor *A, const struct ct_pca_lowrank_args
    *args);
#ifndef __cplusplus
#define ct_pca_lowrank(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_pca_lowrank, A __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns pseudoinverses, with a tolerance for each matrix. */
struct ct_linalg_pinv_atol_rtol_tensor_args {
    size_t struct_size;
    ct_tensor *atol;
    ct_tensor *rtol;
    bool hermitian;
};
#define ct_linalg_pinv_atol_rtol_tensor_defaults { .struct_size = sizeof(struct \
    ct_linalg_pinv_atol_rtol_tensor_args), .atol = CT_NO_TENSOR, .rtol = CT_NO_TENSOR, .hermitian \
    = false }
CT_API ct_tensor *ct_linalg_pinv_atol_rtol_tensor_ex(ct_tensor *input, const struct
    ct_linalg_pinv_atol_rtol_tensor_args *args);
#ifndef __cplusplus
#define ct_linalg_pinv_atol_rtol_tensor(input, ...) CT_CALL_T_K(CT_ID(ct_k), \
    ct_linalg_pinv_atol_rtol_tensor, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_pinv_atol_rtol_tensor_out_args {
    size_t struct_size;
    ct_tensor *atol;
    ct_tensor *rtol;
    bool hermitian;
};
#define ct_linalg_pinv_atol_rtol_tensor_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_pinv_atol_rtol_tensor_out_args), .atol = CT_NO_TENSOR, .rtol = CT_NO_TENSOR, \
    .hermitian = false }
CT_API ct_tensor *ct_linalg_pinv_atol_rtol_tensor_out_ex(ct_tensor *out, ct_tensor *input, const
    struct ct_linalg_pinv_atol_rtol_tensor_out_args *args);
#ifndef __cplusplus
#define ct_linalg_pinv_atol_rtol_tensor_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_linalg_pinv_atol_rtol_tensor_out, out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the Moore-Penrose pseudoinverses of matrices. */
struct ct_linalg_pinv_args {
    size_t struct_size;
    double atol;
    double rtol;
    bool hermitian;
};
#define ct_linalg_pinv_defaults { .struct_size = sizeof(struct ct_linalg_pinv_args), .atol = \
    CT_NO_NUMBER, .rtol = CT_NO_NUMBER, .hermitian = false }
CT_API ct_tensor *ct_linalg_pinv_ex(ct_tensor *input, const struct ct_linalg_pinv_args *args);
#ifndef __cplusplus
#define ct_linalg_pinv(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_pinv, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_pinv_out_args {
    size_t struct_size;
    double atol;
    double rtol;
    bool hermitian;
};
#define ct_linalg_pinv_out_defaults { .struct_size = sizeof(struct ct_linalg_pinv_out_args), .atol \
    = CT_NO_NUMBER, .rtol = CT_NO_NUMBER, .hermitian = false }
CT_API ct_tensor *ct_linalg_pinv_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_linalg_pinv_out_args *args);
#ifndef __cplusplus
#define ct_linalg_pinv_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_pinv_out, out, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns pseudoinverses, with a relative tolerance for each matrix. */
struct ct_linalg_pinv_rcond_tensor_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_pinv_rcond_tensor_defaults { .struct_size = sizeof(struct \
    ct_linalg_pinv_rcond_tensor_args), .hermitian = false }
CT_API ct_tensor *ct_linalg_pinv_rcond_tensor_ex(ct_tensor *input, ct_tensor *rcond, const struct
    ct_linalg_pinv_rcond_tensor_args *args);
#ifndef __cplusplus
#define ct_linalg_pinv_rcond_tensor(input, rcond, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_linalg_pinv_rcond_tensor, input, rcond __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_pinv_rcond_tensor_out_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_pinv_rcond_tensor_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_pinv_rcond_tensor_out_args), .hermitian = false }
CT_API ct_tensor *ct_linalg_pinv_rcond_tensor_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor
    *rcond, const struct ct_linalg_pinv_rcond_tensor_out_args *args);
#ifndef __cplusplus
#define ct_linalg_pinv_rcond_tensor_out(out, input, rcond, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_linalg_pinv_rcond_tensor_out, out, input, rcond __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns pseudoinverses, with a relative tolerance. */
struct ct_linalg_pinv_rcond_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_pinv_rcond_defaults { .struct_size = sizeof(struct ct_linalg_pinv_rcond_args), \
    .hermitian = false }
CT_API ct_tensor *ct_linalg_pinv_rcond_ex(ct_tensor *input, double rcond, const struct
    ct_linalg_pinv_rcond_args *args);
#ifndef __cplusplus
#define ct_linalg_pinv_rcond(input, rcond, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_linalg_pinv_rcond, \
    input, rcond __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_pinv_rcond_out_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_pinv_rcond_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_pinv_rcond_out_args), .hermitian = false }
CT_API ct_tensor *ct_linalg_pinv_rcond_out_ex(ct_tensor *out, ct_tensor *input, double rcond, const
    struct ct_linalg_pinv_rcond_out_args *args);
#ifndef __cplusplus
#define ct_linalg_pinv_rcond_out(out, input, rcond, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_linalg_pinv_rcond_out, out, input, rcond __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the Moore-Penrose pseudoinverses of matrices, with a relative tolerance. */
struct ct_pinverse_args {
    size_t struct_size;
    double rcond;
};
#define ct_pinverse_defaults { .struct_size = sizeof(struct ct_pinverse_args), .rcond = 1e-15 }
CT_API ct_tensor *ct_pinverse_ex(ct_tensor *input, const struct ct_pinverse_args *args);
#ifndef __cplusplus
#define ct_pinverse(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_pinverse, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the ranks of matrices, with a tolerance for each. */
struct ct_linalg_matrix_rank_atol_rtol_tensor_args {
    size_t struct_size;
    ct_tensor *atol;
    ct_tensor *rtol;
    bool hermitian;
};
#define ct_linalg_matrix_rank_atol_rtol_tensor_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_rank_atol_rtol_tensor_args), .atol = CT_NO_TENSOR, .rtol = CT_NO_TENSOR, \
    .hermitian = false }
CT_API ct_tensor *ct_linalg_matrix_rank_atol_rtol_tensor_ex(ct_tensor *input, const struct
    ct_linalg_matrix_rank_atol_rtol_tensor_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_rank_atol_rtol_tensor(input, ...) CT_CALL_T_K(CT_ID(ct_k), \
    ct_linalg_matrix_rank_atol_rtol_tensor, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_matrix_rank_atol_rtol_tensor_out_args {
    size_t struct_size;
    ct_tensor *atol;
    ct_tensor *rtol;
    bool hermitian;
};
#define ct_linalg_matrix_rank_atol_rtol_tensor_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_rank_atol_rtol_tensor_out_args), .atol = CT_NO_TENSOR, .rtol = CT_NO_TENSOR, \
    .hermitian = false }
CT_API ct_tensor *ct_linalg_matrix_rank_atol_rtol_tensor_out_ex(ct_tensor *out, ct_tensor *input,
    const struct ct_linalg_matrix_rank_atol_rtol_tensor_out_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_rank_atol_rtol_tensor_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_linalg_matrix_rank_atol_rtol_tensor_out, out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the ranks of matrices: the number of singular values above max(atol, rtol times the largest). */
struct ct_linalg_matrix_rank_args {
    size_t struct_size;
    double atol;
    double rtol;
    bool hermitian;
};
#define ct_linalg_matrix_rank_defaults { .struct_size = sizeof(struct ct_linalg_matrix_rank_args), \
    .atol = CT_NO_NUMBER, .rtol = CT_NO_NUMBER, .hermitian = false }
CT_API ct_tensor *ct_linalg_matrix_rank_ex(ct_tensor *input, const struct ct_linalg_matrix_rank_args
    *args);
#ifndef __cplusplus
#define ct_linalg_matrix_rank(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_matrix_rank, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_matrix_rank_out_args {
    size_t struct_size;
    double atol;
    double rtol;
    bool hermitian;
};
#define ct_linalg_matrix_rank_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_rank_out_args), .atol = CT_NO_NUMBER, .rtol = CT_NO_NUMBER, .hermitian = \
    false }
CT_API ct_tensor *ct_linalg_matrix_rank_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_linalg_matrix_rank_out_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_rank_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_linalg_matrix_rank_out, out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the ranks of matrices, with an absolute tolerance for each. */
struct ct_linalg_matrix_rank_tol_tensor_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_matrix_rank_tol_tensor_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_rank_tol_tensor_args), .hermitian = false }
CT_API ct_tensor *ct_linalg_matrix_rank_tol_tensor_ex(ct_tensor *input, ct_tensor *tol, const struct
    ct_linalg_matrix_rank_tol_tensor_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_rank_tol_tensor(input, tol, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_linalg_matrix_rank_tol_tensor, input, tol __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_matrix_rank_tol_tensor_out_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_matrix_rank_tol_tensor_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_rank_tol_tensor_out_args), .hermitian = false }
CT_API ct_tensor *ct_linalg_matrix_rank_tol_tensor_out_ex(ct_tensor *out, ct_tensor *input,
    ct_tensor *tol, const struct ct_linalg_matrix_rank_tol_tensor_out_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_rank_tol_tensor_out(out, input, tol, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_linalg_matrix_rank_tol_tensor_out, out, input, tol __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the ranks of matrices, with an absolute tolerance. */
struct ct_linalg_matrix_rank_tol_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_matrix_rank_tol_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_rank_tol_args), .hermitian = false }
CT_API ct_tensor *ct_linalg_matrix_rank_tol_ex(ct_tensor *input, double tol, const struct
    ct_linalg_matrix_rank_tol_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_rank_tol(input, tol, ...) CT_CALL_TA_K(CT_ID(ct_k), \
    ct_linalg_matrix_rank_tol, input, tol __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_matrix_rank_tol_out_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_matrix_rank_tol_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_matrix_rank_tol_out_args), .hermitian = false }
CT_API ct_tensor *ct_linalg_matrix_rank_tol_out_ex(ct_tensor *out, ct_tensor *input, double tol,
    const struct ct_linalg_matrix_rank_tol_out_args *args);
#ifndef __cplusplus
#define ct_linalg_matrix_rank_tol_out(out, input, tol, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_linalg_matrix_rank_tol_out, out, input, tol __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns condition numbers: the norm of a matrix times the norm of its inverse. */
struct ct_linalg_cond_args {
    size_t struct_size;
    double p;
};
#define ct_linalg_cond_defaults { .struct_size = sizeof(struct ct_linalg_cond_args), .p = \
    CT_NO_NUMBER }
CT_API ct_tensor *ct_linalg_cond_ex(ct_tensor *input, const struct ct_linalg_cond_args *args);
#ifndef __cplusplus
#define ct_linalg_cond(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_cond, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_linalg_cond_out_args {
    size_t struct_size;
    double p;
};
#define ct_linalg_cond_out_defaults { .struct_size = sizeof(struct ct_linalg_cond_out_args), .p = \
    CT_NO_NUMBER }
CT_API ct_tensor *ct_linalg_cond_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_linalg_cond_out_args *args);
#ifndef __cplusplus
#define ct_linalg_cond_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_cond_out, out, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns condition numbers for a named norm, 'fro' or 'nuc'. */
CT_API ct_tensor *ct_linalg_cond_p_str(ct_tensor *input, const char *p);
#ifndef __cplusplus
#define ct_linalg_cond_p_str(input, p) CT_CALL_TA_P(CT_ID(ct_k), ct_linalg_cond_p_str, input, p)
#endif
CT_API ct_tensor *ct_linalg_cond_p_str_out(ct_tensor *out, ct_tensor *input, const char *p);
#ifndef __cplusplus
#define ct_linalg_cond_p_str_out(out, input, p) CT_CALL_TTA_P(CT_ID(ct_k), \
    ct_linalg_cond_p_str_out, out, input, p)
#endif

/* Returns the inverse of a tensor for `tensordot`, as a matrix whose rows are the first `ind` dims. */
struct ct_linalg_tensorinv_args {
    size_t struct_size;
    int64_t ind;
};
#define ct_linalg_tensorinv_defaults { .struct_size = sizeof(struct ct_linalg_tensorinv_args), \
    .ind = 2 }
CT_API ct_tensor *ct_linalg_tensorinv_ex(ct_tensor *input, const struct ct_linalg_tensorinv_args
    *args);
#ifndef __cplusplus
#define ct_linalg_tensorinv(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_tensorinv, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_tensorinv_out_args {
    size_t struct_size;
    int64_t ind;
};
#define ct_linalg_tensorinv_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_tensorinv_out_args), .ind = 2 }
CT_API ct_tensor *ct_linalg_tensorinv_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_linalg_tensorinv_out_args *args);
#ifndef __cplusplus
#define ct_linalg_tensorinv_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_linalg_tensorinv_out, out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the tensor X for which `tensordot(input, X, X.ndim)` equals `other`. */
struct ct_linalg_tensorsolve_args {
    size_t struct_size;
    ct_ints dims;
};
#define ct_linalg_tensorsolve_defaults { .struct_size = sizeof(struct ct_linalg_tensorsolve_args), \
    .dims = CT_NO_DIMS }
CT_API ct_tensor *ct_linalg_tensorsolve_ex(ct_tensor *input, ct_tensor *other, const struct
    ct_linalg_tensorsolve_args *args);
#ifndef __cplusplus
#define ct_linalg_tensorsolve(input, other, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_tensorsolve, \
    input, other __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_tensorsolve_out_args {
    size_t struct_size;
    ct_ints dims;
};
#define ct_linalg_tensorsolve_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_tensorsolve_out_args), .dims = CT_NO_DIMS }
CT_API ct_tensor *ct_linalg_tensorsolve_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *other,
    const struct ct_linalg_tensorsolve_out_args *args);
#ifndef __cplusplus
#define ct_linalg_tensorsolve_out(out, input, other, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_linalg_tensorsolve_out, out, input, other __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the Cholesky factors of positive definite matrices, and a code for each: 0 for success, or the order of the first leading minor that is not positive. */
#ifndef CT_LINALG_CHOLESKY_EX_INFO_RESULT
#define CT_LINALG_CHOLESKY_EX_INFO_RESULT
struct ct_linalg_cholesky_ex_info_result {
    ct_tensor *L, *info;
};
#endif
typedef struct ct_linalg_cholesky_ex_info_result ct_linalg_cholesky_ex_info_result;
struct ct_linalg_cholesky_ex_info_args {
    size_t struct_size;
    bool upper;
    bool check_errors;
};
#define ct_linalg_cholesky_ex_info_defaults { .struct_size = sizeof(struct \
    ct_linalg_cholesky_ex_info_args), .upper = false, .check_errors = false }
CT_API struct ct_linalg_cholesky_ex_info_result ct_linalg_cholesky_ex_info_ex(ct_tensor *input,
    const struct ct_linalg_cholesky_ex_info_args *args);
#ifndef __cplusplus
#define ct_linalg_cholesky_ex_info(input, ...) CT_CALL_T_K(CT_ID(ct_k), \
    ct_linalg_cholesky_ex_info, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_cholesky_ex_info_out_args {
    size_t struct_size;
    bool upper;
    bool check_errors;
};
#define ct_linalg_cholesky_ex_info_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_cholesky_ex_info_out_args), .upper = false, .check_errors = false }
CT_API bool ct_linalg_cholesky_ex_info_out_ex(ct_tensor *out_L, ct_tensor *out_info, ct_tensor
    *input, const struct ct_linalg_cholesky_ex_info_out_args *args);
#ifndef __cplusplus
#define ct_linalg_cholesky_ex_info_out(out_L, out_info, input, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_linalg_cholesky_ex_info_out, out_L, out_info, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the Cholesky factorization `A = L @ L.mH` of positive definite matrices; with `upper` the factor `L.mH`. */
struct ct_linalg_cholesky_args {
    size_t struct_size;
    bool upper;
};
#define ct_linalg_cholesky_defaults { .struct_size = sizeof(struct ct_linalg_cholesky_args), \
    .upper = false }
CT_API ct_tensor *ct_linalg_cholesky_ex(ct_tensor *input, const struct ct_linalg_cholesky_args
    *args);
#ifndef __cplusplus
#define ct_linalg_cholesky(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_cholesky, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_cholesky_out_args {
    size_t struct_size;
    bool upper;
};
#define ct_linalg_cholesky_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_cholesky_out_args), .upper = false }
CT_API ct_tensor *ct_linalg_cholesky_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_linalg_cholesky_out_args *args);
#ifndef __cplusplus
#define ct_linalg_cholesky_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_cholesky_out, \
    out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the solution of `A X = input`, given the Cholesky factor of A. */
struct ct_cholesky_solve_args {
    size_t struct_size;
    bool upper;
};
#define ct_cholesky_solve_defaults { .struct_size = sizeof(struct ct_cholesky_solve_args), .upper \
    = false }
CT_API ct_tensor *ct_cholesky_solve_ex(ct_tensor *input, ct_tensor *input2, const struct
    ct_cholesky_solve_args *args);
#ifndef __cplusplus
#define ct_cholesky_solve(input, input2, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_cholesky_solve, input, \
    input2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_cholesky_solve_out_args {
    size_t struct_size;
    bool upper;
};
#define ct_cholesky_solve_out_defaults { .struct_size = sizeof(struct ct_cholesky_solve_out_args), \
    .upper = false }
CT_API ct_tensor *ct_cholesky_solve_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *input2,
    const struct ct_cholesky_solve_out_args *args);
#ifndef __cplusplus
#define ct_cholesky_solve_out(out, input, input2, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_cholesky_solve_out, out, input, input2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the inverses of matrices, given their Cholesky factors. */
struct ct_cholesky_inverse_args {
    size_t struct_size;
    bool upper;
};
#define ct_cholesky_inverse_defaults { .struct_size = sizeof(struct ct_cholesky_inverse_args), \
    .upper = false }
CT_API ct_tensor *ct_cholesky_inverse_ex(ct_tensor *input, const struct ct_cholesky_inverse_args
    *args);
#ifndef __cplusplus
#define ct_cholesky_inverse(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_cholesky_inverse, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_cholesky_inverse_out_args {
    size_t struct_size;
    bool upper;
};
#define ct_cholesky_inverse_out_defaults { .struct_size = sizeof(struct \
    ct_cholesky_inverse_out_args), .upper = false }
CT_API ct_tensor *ct_cholesky_inverse_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_cholesky_inverse_out_args *args);
#ifndef __cplusplus
#define ct_cholesky_inverse_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_cholesky_inverse_out, out, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the solution of `input X = B`, or `X input = B`, for a triangular `input`. */
struct ct_linalg_solve_triangular_args {
    size_t struct_size;
    bool left;
    bool unitriangular;
};
#define ct_linalg_solve_triangular_defaults { .struct_size = sizeof(struct \
    ct_linalg_solve_triangular_args), .left = true, .unitriangular = false }
CT_API ct_tensor *ct_linalg_solve_triangular_ex(ct_tensor *input, ct_tensor *B, bool upper, const
    struct ct_linalg_solve_triangular_args *args);
#ifndef __cplusplus
#define ct_linalg_solve_triangular(input, B, upper, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_linalg_solve_triangular, input, B, upper __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_solve_triangular_out_args {
    size_t struct_size;
    bool left;
    bool unitriangular;
};
#define ct_linalg_solve_triangular_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_solve_triangular_out_args), .left = true, .unitriangular = false }
CT_API ct_tensor *ct_linalg_solve_triangular_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *B,
    bool upper, const struct ct_linalg_solve_triangular_out_args *args);
#ifndef __cplusplus
#define ct_linalg_solve_triangular_out(out, input, B, upper, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_linalg_solve_triangular_out, out, input, B, upper __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the solution of `A X = input`, or of `A.mT X = input`, for a triangular A; and a copy of A. */
#ifndef CT_TRIANGULAR_SOLVE_RESULT
#define CT_TRIANGULAR_SOLVE_RESULT
struct ct_triangular_solve_result {
    ct_tensor *solution, *cloned_coefficient;
};
#endif
typedef struct ct_triangular_solve_result ct_triangular_solve_result;
struct ct_triangular_solve_args {
    size_t struct_size;
    bool upper;
    bool transpose;
    bool unitriangular;
};
#define ct_triangular_solve_defaults { .struct_size = sizeof(struct ct_triangular_solve_args), \
    .upper = true, .transpose = false, .unitriangular = false }
CT_API struct ct_triangular_solve_result ct_triangular_solve_ex(ct_tensor *input, ct_tensor *A,
    const struct ct_triangular_solve_args *args);
#ifndef __cplusplus
#define ct_triangular_solve(input, A, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_triangular_solve, input, A \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_triangular_solve_out_args {
    size_t struct_size;
    bool upper;
    bool transpose;
    bool unitriangular;
};
#define ct_triangular_solve_out_defaults { .struct_size = sizeof(struct \
    ct_triangular_solve_out_args), .upper = true, .transpose = false, .unitriangular = false }
CT_API bool ct_triangular_solve_out_ex(ct_tensor *out_solution, ct_tensor *out_cloned_coefficient,
    ct_tensor *input, ct_tensor *A, const struct ct_triangular_solve_out_args *args);
#ifndef __cplusplus
#define ct_triangular_solve_out(out_solution, out_cloned_coefficient, input, A, ...) \
    CT_CALL_TTTT_K(CT_ID(ct_k), ct_triangular_solve_out, out_solution, out_cloned_coefficient, \
    input, A __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the QR factorization `A = Q @ R`: Q has orthonormal columns, R is upper triangular. */
#ifndef CT_LINALG_QR_RESULT
#define CT_LINALG_QR_RESULT
struct ct_linalg_qr_result {
    ct_tensor *Q, *R;
};
#endif
typedef struct ct_linalg_qr_result ct_linalg_qr_result;
struct ct_linalg_qr_args {
    size_t struct_size;
    const char *mode;
};
#define ct_linalg_qr_defaults { .struct_size = sizeof(struct ct_linalg_qr_args), .mode = "reduced" \
    }
CT_API struct ct_linalg_qr_result ct_linalg_qr_ex(ct_tensor *A, const struct ct_linalg_qr_args
    *args);
#ifndef __cplusplus
#define ct_linalg_qr(A, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_qr, A __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_qr_out_args {
    size_t struct_size;
    const char *mode;
};
#define ct_linalg_qr_out_defaults { .struct_size = sizeof(struct ct_linalg_qr_out_args), .mode = \
    "reduced" }
CT_API bool ct_linalg_qr_out_ex(ct_tensor *out_Q, ct_tensor *out_R, ct_tensor *A, const struct
    ct_linalg_qr_out_args *args);
#ifndef __cplusplus
#define ct_linalg_qr_out(out_Q, out_R, A, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_linalg_qr_out, out_Q, \
    out_R, A __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns R, with the Householder reflectors whose product is Q below its diagonal; and the factors of the reflectors. */
#ifndef CT_GEQRF_RESULT
#define CT_GEQRF_RESULT
struct ct_geqrf_result {
    ct_tensor *a, *tau;
};
#endif
typedef struct ct_geqrf_result ct_geqrf_result;
CT_API struct ct_geqrf_result ct_geqrf(ct_tensor *input);
#ifndef __cplusplus
#define ct_geqrf(input) CT_CALL_T_P(CT_ID(ct_k), ct_geqrf, input)
#endif
CT_API bool ct_geqrf_out(ct_tensor *out_a, ct_tensor *out_tau, ct_tensor *input);
#ifndef __cplusplus
#define ct_geqrf_out(out_a, out_tau, input) CT_CALL_TTT_P(CT_ID(ct_k), ct_geqrf_out, out_a, \
    out_tau, input)
#endif

/* Returns the first columns of the product of Householder reflectors, stored in the columns of `input`, with factors `tau`. */
CT_API ct_tensor *ct_linalg_householder_product(ct_tensor *input, ct_tensor *tau);
#ifndef __cplusplus
#define ct_linalg_householder_product(input, tau) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_linalg_householder_product, input, tau)
#endif
CT_API ct_tensor *ct_linalg_householder_product_out(ct_tensor *out, ct_tensor *input, ct_tensor
    *tau);
#ifndef __cplusplus
#define ct_linalg_householder_product_out(out, input, tau) CT_CALL_TTT_P(CT_ID(ct_k), \
    ct_linalg_householder_product_out, out, input, tau)
#endif

/* Returns the first columns of the product of Householder reflectors; the same as `linalg.householder_product`. */
CT_API ct_tensor *ct_orgqr(ct_tensor *input, ct_tensor *input2);
#ifndef __cplusplus
#define ct_orgqr(input, input2) CT_CALL_TT_P(CT_ID(ct_k), ct_orgqr, input, input2)
#endif
CT_API ct_tensor *ct_orgqr_out(ct_tensor *out, ct_tensor *input, ct_tensor *input2);
#ifndef __cplusplus
#define ct_orgqr_out(out, input, input2) CT_CALL_TTT_P(CT_ID(ct_k), ct_orgqr_out, out, input, \
    input2)
#endif

/* Multiplies `input3` by Q (or its adjoint), the product of the reflectors in `input` with factors `input2`. */
struct ct_ormqr_args {
    size_t struct_size;
    bool left;
    bool transpose;
};
#define ct_ormqr_defaults { .struct_size = sizeof(struct ct_ormqr_args), .left = true, .transpose \
    = false }
CT_API ct_tensor *ct_ormqr_ex(ct_tensor *input, ct_tensor *input2, ct_tensor *input3, const struct
    ct_ormqr_args *args);
#ifndef __cplusplus
#define ct_ormqr(input, input2, input3, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_ormqr, input, input2, \
    input3 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_ormqr_out_args {
    size_t struct_size;
    bool left;
    bool transpose;
};
#define ct_ormqr_out_defaults { .struct_size = sizeof(struct ct_ormqr_out_args), .left = true, \
    .transpose = false }
CT_API ct_tensor *ct_ormqr_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *input2, ct_tensor
    *input3, const struct ct_ormqr_out_args *args);
#ifndef __cplusplus
#define ct_ormqr_out(out, input, input2, input3, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_ormqr_out, \
    out, input, input2, input3 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the least squares solution: the X that minimizes `norm(input @ X - b)`. */
#ifndef CT_LINALG_LSTSQ_RESULT
#define CT_LINALG_LSTSQ_RESULT
struct ct_linalg_lstsq_result {
    ct_tensor *solution, *residuals, *rank, *singular_values;
};
#endif
typedef struct ct_linalg_lstsq_result ct_linalg_lstsq_result;
struct ct_linalg_lstsq_args {
    size_t struct_size;
    double rcond;
    const char *driver;
};
#define ct_linalg_lstsq_defaults { .struct_size = sizeof(struct ct_linalg_lstsq_args), .rcond = \
    CT_NO_NUMBER, .driver = NULL }
CT_API struct ct_linalg_lstsq_result ct_linalg_lstsq_ex(ct_tensor *input, ct_tensor *b, const struct
    ct_linalg_lstsq_args *args);
#ifndef __cplusplus
#define ct_linalg_lstsq(input, b, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_lstsq, input, b \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_lstsq_out_args {
    size_t struct_size;
    double rcond;
    const char *driver;
};
#define ct_linalg_lstsq_out_defaults { .struct_size = sizeof(struct ct_linalg_lstsq_out_args), \
    .rcond = CT_NO_NUMBER, .driver = NULL }
CT_API bool ct_linalg_lstsq_out_ex(ct_tensor *out_solution, ct_tensor *out_residuals, ct_tensor
    *out_rank, ct_tensor *out_singular_values, ct_tensor *input, ct_tensor *b, const struct
    ct_linalg_lstsq_out_args *args);
#ifndef __cplusplus
#define ct_linalg_lstsq_out(out_solution, out_residuals, out_rank, out_singular_values, input, b, \
    ...) CT_CALL_TTTTTT_K(CT_ID(ct_k), ct_linalg_lstsq_out, out_solution, out_residuals, out_rank, \
    out_singular_values, input, b __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the LDL factorization of symmetric or Hermitian matrices in packed form, pivots, and a code for each matrix. */
#ifndef CT_LINALG_LDL_FACTOR_EX_INFO_RESULT
#define CT_LINALG_LDL_FACTOR_EX_INFO_RESULT
struct ct_linalg_ldl_factor_ex_info_result {
    ct_tensor *LD, *pivots, *info;
};
#endif
typedef struct ct_linalg_ldl_factor_ex_info_result ct_linalg_ldl_factor_ex_info_result;
struct ct_linalg_ldl_factor_ex_info_args {
    size_t struct_size;
    bool hermitian;
    bool check_errors;
};
#define ct_linalg_ldl_factor_ex_info_defaults { .struct_size = sizeof(struct \
    ct_linalg_ldl_factor_ex_info_args), .hermitian = false, .check_errors = false }
CT_API struct ct_linalg_ldl_factor_ex_info_result ct_linalg_ldl_factor_ex_info_ex(ct_tensor *input,
    const struct ct_linalg_ldl_factor_ex_info_args *args);
#ifndef __cplusplus
#define ct_linalg_ldl_factor_ex_info(input, ...) CT_CALL_T_K(CT_ID(ct_k), \
    ct_linalg_ldl_factor_ex_info, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_ldl_factor_ex_info_out_args {
    size_t struct_size;
    bool hermitian;
    bool check_errors;
};
#define ct_linalg_ldl_factor_ex_info_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_ldl_factor_ex_info_out_args), .hermitian = false, .check_errors = false }
CT_API bool ct_linalg_ldl_factor_ex_info_out_ex(ct_tensor *out_LD, ct_tensor *out_pivots, ct_tensor
    *out_info, ct_tensor *input, const struct ct_linalg_ldl_factor_ex_info_out_args *args);
#ifndef __cplusplus
#define ct_linalg_ldl_factor_ex_info_out(out_LD, out_pivots, out_info, input, ...) \
    CT_CALL_TTTT_K(CT_ID(ct_k), ct_linalg_ldl_factor_ex_info_out, out_LD, out_pivots, out_info, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the LDL factorization of symmetric or Hermitian matrices in packed form, and the pivots. */
#ifndef CT_LINALG_LDL_FACTOR_RESULT
#define CT_LINALG_LDL_FACTOR_RESULT
struct ct_linalg_ldl_factor_result {
    ct_tensor *LD, *pivots;
};
#endif
typedef struct ct_linalg_ldl_factor_result ct_linalg_ldl_factor_result;
struct ct_linalg_ldl_factor_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_ldl_factor_defaults { .struct_size = sizeof(struct ct_linalg_ldl_factor_args), \
    .hermitian = false }
CT_API struct ct_linalg_ldl_factor_result ct_linalg_ldl_factor_ex(ct_tensor *input, const struct
    ct_linalg_ldl_factor_args *args);
#ifndef __cplusplus
#define ct_linalg_ldl_factor(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_linalg_ldl_factor, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_ldl_factor_out_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_ldl_factor_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_ldl_factor_out_args), .hermitian = false }
CT_API bool ct_linalg_ldl_factor_out_ex(ct_tensor *out_LD, ct_tensor *out_pivots, ct_tensor *input,
    const struct ct_linalg_ldl_factor_out_args *args);
#ifndef __cplusplus
#define ct_linalg_ldl_factor_out(out_LD, out_pivots, input, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_linalg_ldl_factor_out, out_LD, out_pivots, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the solution of `A X = B`, given the results of linalg.ldl_factor. */
struct ct_linalg_ldl_solve_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_ldl_solve_defaults { .struct_size = sizeof(struct ct_linalg_ldl_solve_args), \
    .hermitian = false }
CT_API ct_tensor *ct_linalg_ldl_solve_ex(ct_tensor *LD, ct_tensor *pivots, ct_tensor *B, const
    struct ct_linalg_ldl_solve_args *args);
#ifndef __cplusplus
#define ct_linalg_ldl_solve(LD, pivots, B, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_linalg_ldl_solve, \
    LD, pivots, B __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_ldl_solve_out_args {
    size_t struct_size;
    bool hermitian;
};
#define ct_linalg_ldl_solve_out_defaults { .struct_size = sizeof(struct \
    ct_linalg_ldl_solve_out_args), .hermitian = false }
CT_API ct_tensor *ct_linalg_ldl_solve_out_ex(ct_tensor *out, ct_tensor *LD, ct_tensor *pivots,
    ct_tensor *B, const struct ct_linalg_ldl_solve_out_args *args);
#ifndef __cplusplus
#define ct_linalg_ldl_solve_out(out, LD, pivots, B, ...) CT_CALL_TTTT_K(CT_ID(ct_k), \
    ct_linalg_ldl_solve_out, out, LD, pivots, B __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the Cholesky factor L of positive definite matrices, or with `upper` its adjoint; use `linalg.cholesky` in new code. */
struct ct_cholesky_args {
    size_t struct_size;
    bool upper;
};
#define ct_cholesky_defaults { .struct_size = sizeof(struct ct_cholesky_args), .upper = false }
CT_API ct_tensor *ct_cholesky_ex(ct_tensor *input, const struct ct_cholesky_args *args);
#ifndef __cplusplus
#define ct_cholesky(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_cholesky, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_cholesky_out_args {
    size_t struct_size;
    bool upper;
};
#define ct_cholesky_out_defaults { .struct_size = sizeof(struct ct_cholesky_out_args), .upper = \
    false }
CT_API ct_tensor *ct_cholesky_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_cholesky_out_args *args);
#ifndef __cplusplus
#define ct_cholesky_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_cholesky_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the QR factorization `input = Q @ R`; without `some`, Q is square. Use `linalg.qr` in new code. */
#ifndef CT_QR_RESULT
#define CT_QR_RESULT
struct ct_qr_result {
    ct_tensor *Q, *R;
};
#endif
typedef struct ct_qr_result ct_qr_result;
struct ct_qr_args {
    size_t struct_size;
    bool some;
};
#define ct_qr_defaults { .struct_size = sizeof(struct ct_qr_args), .some = true }
CT_API struct ct_qr_result ct_qr_ex(ct_tensor *input, const struct ct_qr_args *args);
#ifndef __cplusplus
#define ct_qr(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_qr, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_qr_out_args {
    size_t struct_size;
    bool some;
};
#define ct_qr_out_defaults { .struct_size = sizeof(struct ct_qr_out_args), .some = true }
CT_API bool ct_qr_out_ex(ct_tensor *out_Q, ct_tensor *out_R, ct_tensor *input, const struct
    ct_qr_out_args *args);
#ifndef __cplusplus
#define ct_qr_out(out_Q, out_R, input, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_qr_out, out_Q, out_R, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the squared difference of `input` and `target`, by default its mean. */
struct ct_mse_loss_args {
    size_t struct_size;
    int size_average;
    int reduce;
    const char *reduction;
    ct_tensor *weight;
};
#define ct_mse_loss_defaults { .struct_size = sizeof(struct ct_mse_loss_args), .size_average = -1, \
    .reduce = -1, .reduction = "mean", .weight = CT_NO_TENSOR }
CT_API ct_tensor *ct_mse_loss_ex(ct_tensor *input, ct_tensor *target, const struct ct_mse_loss_args
    *args);
#ifndef __cplusplus
#define ct_mse_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_mse_loss, input, target \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the absolute difference of `input` and `target`, by default its mean. */
struct ct_l1_loss_args {
    size_t struct_size;
    int size_average;
    int reduce;
    const char *reduction;
    ct_tensor *weight;
};
#define ct_l1_loss_defaults { .struct_size = sizeof(struct ct_l1_loss_args), .size_average = -1, \
    .reduce = -1, .reduction = "mean", .weight = CT_NO_TENSOR }
CT_API ct_tensor *ct_l1_loss_ex(ct_tensor *input, ct_tensor *target, const struct ct_l1_loss_args
    *args);
#ifndef __cplusplus
#define ct_l1_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_l1_loss, input, target \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes a loss that is quadratic for differences below `beta` and linear above. */
struct ct_smooth_l1_loss_args {
    size_t struct_size;
    int size_average;
    int reduce;
    const char *reduction;
    double beta;
};
#define ct_smooth_l1_loss_defaults { .struct_size = sizeof(struct ct_smooth_l1_loss_args), \
    .size_average = -1, .reduce = -1, .reduction = "mean", .beta = 1.0 }
CT_API ct_tensor *ct_smooth_l1_loss_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_smooth_l1_loss_args *args);
#ifndef __cplusplus
#define ct_smooth_l1_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_smooth_l1_loss, input, \
    target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes Huber's loss: half the squared difference up to `delta`, linear with slope `delta` beyond. */
struct ct_huber_loss_args {
    size_t struct_size;
    const char *reduction;
    double delta;
    ct_tensor *weight;
};
#define ct_huber_loss_defaults { .struct_size = sizeof(struct ct_huber_loss_args), .reduction = \
    "mean", .delta = 1.0, .weight = CT_NO_TENSOR }
CT_API ct_tensor *ct_huber_loss_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_huber_loss_args *args);
#ifndef __cplusplus
#define ct_huber_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_huber_loss, input, target \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes `log(1 + exp(-target * input))`, the logistic loss for targets of 1 and -1. */
struct ct_soft_margin_loss_args {
    size_t struct_size;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_soft_margin_loss_defaults { .struct_size = sizeof(struct ct_soft_margin_loss_args), \
    .size_average = -1, .reduce = -1, .reduction = "mean" }
CT_API ct_tensor *ct_soft_margin_loss_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_soft_margin_loss_args *args);
#ifndef __cplusplus
#define ct_soft_margin_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_soft_margin_loss, \
    input, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the binary cross entropy of probabilities and targets. */
struct ct_binary_cross_entropy_args {
    size_t struct_size;
    ct_tensor *weight;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_binary_cross_entropy_defaults { .struct_size = sizeof(struct \
    ct_binary_cross_entropy_args), .weight = CT_NO_TENSOR, .size_average = -1, .reduce = -1, \
    .reduction = "mean" }
CT_API ct_tensor *ct_binary_cross_entropy_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_binary_cross_entropy_args *args);
#ifndef __cplusplus
#define ct_binary_cross_entropy(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_binary_cross_entropy, input, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the binary cross entropy of `sigmoid(input)` and targets, without overflow. */
struct ct_binary_cross_entropy_with_logits_args {
    size_t struct_size;
    ct_tensor *weight;
    int size_average;
    int reduce;
    const char *reduction;
    ct_tensor *pos_weight;
};
#define ct_binary_cross_entropy_with_logits_defaults { .struct_size = sizeof(struct \
    ct_binary_cross_entropy_with_logits_args), .weight = CT_NO_TENSOR, .size_average = -1, .reduce \
    = -1, .reduction = "mean", .pos_weight = CT_NO_TENSOR }
CT_API ct_tensor *ct_binary_cross_entropy_with_logits_ex(ct_tensor *input, ct_tensor *target, const
    struct ct_binary_cross_entropy_with_logits_args *args);
#ifndef __cplusplus
#define ct_binary_cross_entropy_with_logits(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_binary_cross_entropy_with_logits, input, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the negative log likelihood: the negated log probability of each target's class. */
struct ct_nll_loss_args {
    size_t struct_size;
    ct_tensor *weight;
    int size_average;
    int64_t ignore_index;
    int reduce;
    const char *reduction;
};
#define ct_nll_loss_defaults { .struct_size = sizeof(struct ct_nll_loss_args), .weight = \
    CT_NO_TENSOR, .size_average = -1, .ignore_index = -100, .reduce = -1, .reduction = "mean" }
CT_API ct_tensor *ct_nll_loss_ex(ct_tensor *input, ct_tensor *target, const struct ct_nll_loss_args
    *args);
#ifndef __cplusplus
#define ct_nll_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_nll_loss, input, target \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the cross entropy of `softmax(input)` and targets, which are class indices or probabilities. */
struct ct_cross_entropy_args {
    size_t struct_size;
    ct_tensor *weight;
    int size_average;
    int64_t ignore_index;
    int reduce;
    const char *reduction;
    double label_smoothing;
};
#define ct_cross_entropy_defaults { .struct_size = sizeof(struct ct_cross_entropy_args), .weight = \
    CT_NO_TENSOR, .size_average = -1, .ignore_index = -100, .reduce = -1, .reduction = "mean", \
    .label_smoothing = 0.0 }
CT_API ct_tensor *ct_cross_entropy_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_cross_entropy_args *args);
#ifndef __cplusplus
#define ct_cross_entropy(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_cross_entropy, input, \
    target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the negative of each element. */
CT_API ct_tensor *ct_neg(ct_tensor *input);
#ifndef __cplusplus
#define ct_neg(input) CT_CALL_T_P(CT_ID(ct_k), ct_neg, input)
#endif
CT_API ct_tensor *ct_neg_(ct_tensor *self);
#ifndef __cplusplus
#define ct_neg_(self) CT_CALL_T_P(CT_ID(ct_k), ct_neg_, self)
#endif
CT_API ct_tensor *ct_neg_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_neg_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_neg_out, out, input)
#endif

/* Returns e to the power of each element. */
CT_API ct_tensor *ct_exp(ct_tensor *input);
#ifndef __cplusplus
#define ct_exp(input) CT_CALL_T_P(CT_ID(ct_k), ct_exp, input)
#endif
CT_API ct_tensor *ct_exp_(ct_tensor *self);
#ifndef __cplusplus
#define ct_exp_(self) CT_CALL_T_P(CT_ID(ct_k), ct_exp_, self)
#endif
CT_API ct_tensor *ct_exp_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_exp_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_exp_out, out, input)
#endif

/* Returns the natural logarithm of each element. */
CT_API ct_tensor *ct_log(ct_tensor *input);
#ifndef __cplusplus
#define ct_log(input) CT_CALL_T_P(CT_ID(ct_k), ct_log, input)
#endif
CT_API ct_tensor *ct_log_(ct_tensor *self);
#ifndef __cplusplus
#define ct_log_(self) CT_CALL_T_P(CT_ID(ct_k), ct_log_, self)
#endif
CT_API ct_tensor *ct_log_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_log_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_log_out, out, input)
#endif

/* Returns the sine of each element. */
CT_API ct_tensor *ct_sin(ct_tensor *input);
#ifndef __cplusplus
#define ct_sin(input) CT_CALL_T_P(CT_ID(ct_k), ct_sin, input)
#endif
CT_API ct_tensor *ct_sin_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sin_(self) CT_CALL_T_P(CT_ID(ct_k), ct_sin_, self)
#endif
CT_API ct_tensor *ct_sin_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sin_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_sin_out, out, input)
#endif

/* Returns the cosine of each element. */
CT_API ct_tensor *ct_cos(ct_tensor *input);
#ifndef __cplusplus
#define ct_cos(input) CT_CALL_T_P(CT_ID(ct_k), ct_cos, input)
#endif
CT_API ct_tensor *ct_cos_(ct_tensor *self);
#ifndef __cplusplus
#define ct_cos_(self) CT_CALL_T_P(CT_ID(ct_k), ct_cos_, self)
#endif
CT_API ct_tensor *ct_cos_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_cos_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_cos_out, out, input)
#endif

/* Returns the hyperbolic tangent of each element. */
CT_API ct_tensor *ct_tanh(ct_tensor *input);
#ifndef __cplusplus
#define ct_tanh(input) CT_CALL_T_P(CT_ID(ct_k), ct_tanh, input)
#endif
CT_API ct_tensor *ct_tanh_(ct_tensor *self);
#ifndef __cplusplus
#define ct_tanh_(self) CT_CALL_T_P(CT_ID(ct_k), ct_tanh_, self)
#endif
CT_API ct_tensor *ct_tanh_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_tanh_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_tanh_out, out, input)
#endif

/* Returns the logistic function of each element, `1 / (1 + exp(-x))`. */
CT_API ct_tensor *ct_sigmoid(ct_tensor *input);
#ifndef __cplusplus
#define ct_sigmoid(input) CT_CALL_T_P(CT_ID(ct_k), ct_sigmoid, input)
#endif
CT_API ct_tensor *ct_sigmoid_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sigmoid_(self) CT_CALL_T_P(CT_ID(ct_k), ct_sigmoid_, self)
#endif
CT_API ct_tensor *ct_sigmoid_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sigmoid_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_sigmoid_out, out, input)
#endif

/* Returns the absolute value of each element. */
CT_API ct_tensor *ct_abs(ct_tensor *input);
#ifndef __cplusplus
#define ct_abs(input) CT_CALL_T_P(CT_ID(ct_k), ct_abs, input)
#endif
CT_API ct_tensor *ct_abs_(ct_tensor *self);
#ifndef __cplusplus
#define ct_abs_(self) CT_CALL_T_P(CT_ID(ct_k), ct_abs_, self)
#endif
CT_API ct_tensor *ct_abs_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_abs_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_abs_out, out, input)
#endif

/* Returns the sign of each element; for complex numbers `x / abs(x)`. */
CT_API ct_tensor *ct_sgn(ct_tensor *input);
#ifndef __cplusplus
#define ct_sgn(input) CT_CALL_T_P(CT_ID(ct_k), ct_sgn, input)
#endif
CT_API ct_tensor *ct_sgn_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sgn_(self) CT_CALL_T_P(CT_ID(ct_k), ct_sgn_, self)
#endif
CT_API ct_tensor *ct_sgn_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sgn_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_sgn_out, out, input)
#endif

/* Returns -1, 0 or 1, depending on the sign of each element. */
CT_API ct_tensor *ct_sign(ct_tensor *input);
#ifndef __cplusplus
#define ct_sign(input) CT_CALL_T_P(CT_ID(ct_k), ct_sign, input)
#endif
CT_API ct_tensor *ct_sign_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sign_(self) CT_CALL_T_P(CT_ID(ct_k), ct_sign_, self)
#endif
CT_API ct_tensor *ct_sign_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sign_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_sign_out, out, input)
#endif

/* Returns the square root of each element. */
CT_API ct_tensor *ct_sqrt(ct_tensor *input);
#ifndef __cplusplus
#define ct_sqrt(input) CT_CALL_T_P(CT_ID(ct_k), ct_sqrt, input)
#endif
CT_API ct_tensor *ct_sqrt_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sqrt_(self) CT_CALL_T_P(CT_ID(ct_k), ct_sqrt_, self)
#endif
CT_API ct_tensor *ct_sqrt_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sqrt_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_sqrt_out, out, input)
#endif

/* Returns one over the square root of each element. */
CT_API ct_tensor *ct_rsqrt(ct_tensor *input);
#ifndef __cplusplus
#define ct_rsqrt(input) CT_CALL_T_P(CT_ID(ct_k), ct_rsqrt, input)
#endif
CT_API ct_tensor *ct_rsqrt_(ct_tensor *self);
#ifndef __cplusplus
#define ct_rsqrt_(self) CT_CALL_T_P(CT_ID(ct_k), ct_rsqrt_, self)
#endif
CT_API ct_tensor *ct_rsqrt_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_rsqrt_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_rsqrt_out, out, input)
#endif

/* Returns one over each element. */
CT_API ct_tensor *ct_reciprocal(ct_tensor *input);
#ifndef __cplusplus
#define ct_reciprocal(input) CT_CALL_T_P(CT_ID(ct_k), ct_reciprocal, input)
#endif
CT_API ct_tensor *ct_reciprocal_(ct_tensor *self);
#ifndef __cplusplus
#define ct_reciprocal_(self) CT_CALL_T_P(CT_ID(ct_k), ct_reciprocal_, self)
#endif
CT_API ct_tensor *ct_reciprocal_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_reciprocal_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_reciprocal_out, out, input)
#endif

/* Returns `log(1 + x)` of each element, accurate for small x. */
CT_API ct_tensor *ct_log1p(ct_tensor *input);
#ifndef __cplusplus
#define ct_log1p(input) CT_CALL_T_P(CT_ID(ct_k), ct_log1p, input)
#endif
CT_API ct_tensor *ct_log1p_(ct_tensor *self);
#ifndef __cplusplus
#define ct_log1p_(self) CT_CALL_T_P(CT_ID(ct_k), ct_log1p_, self)
#endif
CT_API ct_tensor *ct_log1p_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_log1p_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_log1p_out, out, input)
#endif

/* Returns the logarithm to base 2 of each element. */
CT_API ct_tensor *ct_log2(ct_tensor *input);
#ifndef __cplusplus
#define ct_log2(input) CT_CALL_T_P(CT_ID(ct_k), ct_log2, input)
#endif
CT_API ct_tensor *ct_log2_(ct_tensor *self);
#ifndef __cplusplus
#define ct_log2_(self) CT_CALL_T_P(CT_ID(ct_k), ct_log2_, self)
#endif
CT_API ct_tensor *ct_log2_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_log2_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_log2_out, out, input)
#endif

/* Returns the logarithm to base 10 of each element. */
CT_API ct_tensor *ct_log10(ct_tensor *input);
#ifndef __cplusplus
#define ct_log10(input) CT_CALL_T_P(CT_ID(ct_k), ct_log10, input)
#endif
CT_API ct_tensor *ct_log10_(ct_tensor *self);
#ifndef __cplusplus
#define ct_log10_(self) CT_CALL_T_P(CT_ID(ct_k), ct_log10_, self)
#endif
CT_API ct_tensor *ct_log10_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_log10_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_log10_out, out, input)
#endif

/* Returns `exp(x) - 1` of each element, accurate for small x. */
CT_API ct_tensor *ct_expm1(ct_tensor *input);
#ifndef __cplusplus
#define ct_expm1(input) CT_CALL_T_P(CT_ID(ct_k), ct_expm1, input)
#endif
CT_API ct_tensor *ct_expm1_(ct_tensor *self);
#ifndef __cplusplus
#define ct_expm1_(self) CT_CALL_T_P(CT_ID(ct_k), ct_expm1_, self)
#endif
CT_API ct_tensor *ct_expm1_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_expm1_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_expm1_out, out, input)
#endif

/* Returns the tangent of each element. */
CT_API ct_tensor *ct_tan(ct_tensor *input);
#ifndef __cplusplus
#define ct_tan(input) CT_CALL_T_P(CT_ID(ct_k), ct_tan, input)
#endif
CT_API ct_tensor *ct_tan_(ct_tensor *self);
#ifndef __cplusplus
#define ct_tan_(self) CT_CALL_T_P(CT_ID(ct_k), ct_tan_, self)
#endif
CT_API ct_tensor *ct_tan_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_tan_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_tan_out, out, input)
#endif

/* Returns the hyperbolic sine of each element. */
CT_API ct_tensor *ct_sinh(ct_tensor *input);
#ifndef __cplusplus
#define ct_sinh(input) CT_CALL_T_P(CT_ID(ct_k), ct_sinh, input)
#endif
CT_API ct_tensor *ct_sinh_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sinh_(self) CT_CALL_T_P(CT_ID(ct_k), ct_sinh_, self)
#endif
CT_API ct_tensor *ct_sinh_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sinh_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_sinh_out, out, input)
#endif

/* Returns the hyperbolic cosine of each element. */
CT_API ct_tensor *ct_cosh(ct_tensor *input);
#ifndef __cplusplus
#define ct_cosh(input) CT_CALL_T_P(CT_ID(ct_k), ct_cosh, input)
#endif
CT_API ct_tensor *ct_cosh_(ct_tensor *self);
#ifndef __cplusplus
#define ct_cosh_(self) CT_CALL_T_P(CT_ID(ct_k), ct_cosh_, self)
#endif
CT_API ct_tensor *ct_cosh_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_cosh_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_cosh_out, out, input)
#endif

/* Returns the error function of each element. */
CT_API ct_tensor *ct_erf(ct_tensor *input);
#ifndef __cplusplus
#define ct_erf(input) CT_CALL_T_P(CT_ID(ct_k), ct_erf, input)
#endif
CT_API ct_tensor *ct_erf_(ct_tensor *self);
#ifndef __cplusplus
#define ct_erf_(self) CT_CALL_T_P(CT_ID(ct_k), ct_erf_, self)
#endif
CT_API ct_tensor *ct_erf_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_erf_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_erf_out, out, input)
#endif

/* Returns the largest integer that is not greater than each element. */
CT_API ct_tensor *ct_floor(ct_tensor *input);
#ifndef __cplusplus
#define ct_floor(input) CT_CALL_T_P(CT_ID(ct_k), ct_floor, input)
#endif
CT_API ct_tensor *ct_floor_(ct_tensor *self);
#ifndef __cplusplus
#define ct_floor_(self) CT_CALL_T_P(CT_ID(ct_k), ct_floor_, self)
#endif
CT_API ct_tensor *ct_floor_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_floor_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_floor_out, out, input)
#endif

/* Returns the smallest integer that is not less than each element. */
CT_API ct_tensor *ct_ceil(ct_tensor *input);
#ifndef __cplusplus
#define ct_ceil(input) CT_CALL_T_P(CT_ID(ct_k), ct_ceil, input)
#endif
CT_API ct_tensor *ct_ceil_(ct_tensor *self);
#ifndef __cplusplus
#define ct_ceil_(self) CT_CALL_T_P(CT_ID(ct_k), ct_ceil_, self)
#endif
CT_API ct_tensor *ct_ceil_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_ceil_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_ceil_out, out, input)
#endif

/* Returns the integer part of each element, rounding towards zero. */
CT_API ct_tensor *ct_trunc(ct_tensor *input);
#ifndef __cplusplus
#define ct_trunc(input) CT_CALL_T_P(CT_ID(ct_k), ct_trunc, input)
#endif
CT_API ct_tensor *ct_trunc_(ct_tensor *self);
#ifndef __cplusplus
#define ct_trunc_(self) CT_CALL_T_P(CT_ID(ct_k), ct_trunc_, self)
#endif
CT_API ct_tensor *ct_trunc_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_trunc_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_trunc_out, out, input)
#endif

/* Returns the nearest integer to each element; ties go to the even one. */
CT_API ct_tensor *ct_round(ct_tensor *input);
#ifndef __cplusplus
#define ct_round(input) CT_CALL_T_P(CT_ID(ct_k), ct_round, input)
#endif
CT_API ct_tensor *ct_round_(ct_tensor *self);
#ifndef __cplusplus
#define ct_round_(self) CT_CALL_T_P(CT_ID(ct_k), ct_round_, self)
#endif
CT_API ct_tensor *ct_round_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_round_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_round_out, out, input)
#endif

/* Rounds each element to `decimals` digits after the decimal point; negative counts round to tens, hundreds and so on. */
CT_API ct_tensor *ct_round_decimals(ct_tensor *input, int64_t decimals);
#ifndef __cplusplus
#define ct_round_decimals(input, decimals) CT_CALL_TA_P(CT_ID(ct_k), ct_round_decimals, input, \
    decimals)
#endif
CT_API ct_tensor *ct_round_decimals_(ct_tensor *self, int64_t decimals);
#ifndef __cplusplus
#define ct_round_decimals_(self, decimals) CT_CALL_TA_P(CT_ID(ct_k), ct_round_decimals_, self, \
    decimals)
#endif
CT_API ct_tensor *ct_round_decimals_out(ct_tensor *out, ct_tensor *input, int64_t decimals);
#ifndef __cplusplus
#define ct_round_decimals_out(out, input, decimals) CT_CALL_TTA_P(CT_ID(ct_k), \
    ct_round_decimals_out, out, input, decimals)
#endif

/* Returns whether each element is NaN. */
CT_API ct_tensor *ct_isnan(ct_tensor *input);
#ifndef __cplusplus
#define ct_isnan(input) CT_CALL_T_P(CT_ID(ct_k), ct_isnan, input)
#endif

/* Returns `max(x, 0)` for each element. */
CT_API ct_tensor *ct_relu(ct_tensor *input);
#ifndef __cplusplus
#define ct_relu(input) CT_CALL_T_P(CT_ID(ct_k), ct_relu, input)
#endif
CT_API ct_tensor *ct_relu_(ct_tensor *self);
#ifndef __cplusplus
#define ct_relu_(self) CT_CALL_T_P(CT_ID(ct_k), ct_relu_, self)
#endif

/* Computes the Gaussian error linear unit `x * Phi(x)`, with Phi the normal distribution function. */
struct ct_gelu_args {
    size_t struct_size;
    const char *approximate;
};
#define ct_gelu_defaults { .struct_size = sizeof(struct ct_gelu_args), .approximate = "none" }
CT_API ct_tensor *ct_gelu_ex(ct_tensor *input, const struct ct_gelu_args *args);
#ifndef __cplusplus
#define ct_gelu(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_gelu, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_gelu_out_args {
    size_t struct_size;
    const char *approximate;
};
#define ct_gelu_out_defaults { .struct_size = sizeof(struct ct_gelu_out_args), .approximate = \
    "none" }
CT_API ct_tensor *ct_gelu_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_gelu_out_args
    *args);
#ifndef __cplusplus
#define ct_gelu_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_gelu_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the fractional part of each element, with the sign of the element. */
CT_API ct_tensor *ct_frac(ct_tensor *input);
#ifndef __cplusplus
#define ct_frac(input) CT_CALL_T_P(CT_ID(ct_k), ct_frac, input)
#endif
CT_API ct_tensor *ct_frac_(ct_tensor *self);
#ifndef __cplusplus
#define ct_frac_(self) CT_CALL_T_P(CT_ID(ct_k), ct_frac_, self)
#endif
CT_API ct_tensor *ct_frac_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_frac_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_frac_out, out, input)
#endif

/* Returns whether each element is infinite. */
CT_API ct_tensor *ct_isinf(ct_tensor *input);
#ifndef __cplusplus
#define ct_isinf(input) CT_CALL_T_P(CT_ID(ct_k), ct_isinf, input)
#endif

/* Returns whether each element is neither infinite nor NaN. */
CT_API ct_tensor *ct_isfinite(ct_tensor *input);
#ifndef __cplusplus
#define ct_isfinite(input) CT_CALL_T_P(CT_ID(ct_k), ct_isfinite, input)
#endif

/* Returns the matrix product; the number of dims decides whether an operand is a vector, a matrix or a batch of matrices. */
CT_API ct_tensor *ct_matmul(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_matmul(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_matmul, input, other)
#endif
CT_API ct_tensor *ct_matmul_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_matmul_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_matmul_out, out, input, \
    other)
#endif

/* Returns the product of two matrices. */
CT_API ct_tensor *ct_mm(ct_tensor *input, ct_tensor *mat2);
#ifndef __cplusplus
#define ct_mm(input, mat2) CT_CALL_TT_P(CT_ID(ct_k), ct_mm, input, mat2)
#endif
CT_API ct_tensor *ct_mm_out(ct_tensor *out, ct_tensor *input, ct_tensor *mat2);
#ifndef __cplusplus
#define ct_mm_out(out, input, mat2) CT_CALL_TTT_P(CT_ID(ct_k), ct_mm_out, out, input, mat2)
#endif

/* Returns the products of two batches of matrices. */
CT_API ct_tensor *ct_bmm(ct_tensor *input, ct_tensor *mat2);
#ifndef __cplusplus
#define ct_bmm(input, mat2) CT_CALL_TT_P(CT_ID(ct_k), ct_bmm, input, mat2)
#endif
CT_API ct_tensor *ct_bmm_out(ct_tensor *out, ct_tensor *input, ct_tensor *mat2);
#ifndef __cplusplus
#define ct_bmm_out(out, input, mat2) CT_CALL_TTT_P(CT_ID(ct_k), ct_bmm_out, out, input, mat2)
#endif

/* Returns the product of a matrix and a vector. */
CT_API ct_tensor *ct_mv(ct_tensor *input, ct_tensor *vec);
#ifndef __cplusplus
#define ct_mv(input, vec) CT_CALL_TT_P(CT_ID(ct_k), ct_mv, input, vec)
#endif
CT_API ct_tensor *ct_mv_out(ct_tensor *out, ct_tensor *input, ct_tensor *vec);
#ifndef __cplusplus
#define ct_mv_out(out, input, vec) CT_CALL_TTT_P(CT_ID(ct_k), ct_mv_out, out, input, vec)
#endif

/* Returns the dot product of two vectors. */
CT_API ct_tensor *ct_dot(ct_tensor *input, ct_tensor *tensor);
#ifndef __cplusplus
#define ct_dot(input, tensor) CT_CALL_TT_P(CT_ID(ct_k), ct_dot, input, tensor)
#endif
CT_API ct_tensor *ct_dot_out(ct_tensor *out, ct_tensor *input, ct_tensor *tensor);
#ifndef __cplusplus
#define ct_dot_out(out, input, tensor) CT_CALL_TTT_P(CT_ID(ct_k), ct_dot_out, out, input, tensor)
#endif

/* Returns the dot product of two vectors, with the first conjugated. */
CT_API ct_tensor *ct_vdot(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_vdot(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_vdot, input, other)
#endif
CT_API ct_tensor *ct_vdot_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_vdot_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_vdot_out, out, input, other)
#endif

/* Returns the outer product of two vectors. */
CT_API ct_tensor *ct_outer(ct_tensor *input, ct_tensor *vec2);
#ifndef __cplusplus
#define ct_outer(input, vec2) CT_CALL_TT_P(CT_ID(ct_k), ct_outer, input, vec2)
#endif
CT_API ct_tensor *ct_outer_out(ct_tensor *out, ct_tensor *input, ct_tensor *vec2);
#ifndef __cplusplus
#define ct_outer_out(out, input, vec2) CT_CALL_TTT_P(CT_ID(ct_k), ct_outer_out, out, input, vec2)
#endif

/* Returns `beta * input + alpha * (mat1 @ mat2)`. */
struct ct_addmm_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addmm_defaults { .struct_size = sizeof(struct ct_addmm_args), .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_addmm_ex(ct_tensor *input, ct_tensor *mat1, ct_tensor *mat2, const struct
    ct_addmm_args *args);
#ifndef __cplusplus
#define ct_addmm(input, mat1, mat2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addmm, input, mat1, mat2 \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addmm__args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addmm__defaults { .struct_size = sizeof(struct ct_addmm__args), .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_addmm__ex(ct_tensor *self, ct_tensor *mat1, ct_tensor *mat2, const struct
    ct_addmm__args *args);
#ifndef __cplusplus
#define ct_addmm_(self, mat1, mat2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addmm_, self, mat1, mat2 \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addmm_out_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addmm_out_defaults { .struct_size = sizeof(struct ct_addmm_out_args), .beta = 1, .alpha \
    = 1 }
CT_API ct_tensor *ct_addmm_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *mat1, ct_tensor
    *mat2, const struct ct_addmm_out_args *args);
#ifndef __cplusplus
#define ct_addmm_out(out, input, mat1, mat2, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_addmm_out, out, \
    input, mat1, mat2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `beta * input + alpha * (mat @ vec)`. */
struct ct_addmv_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addmv_defaults { .struct_size = sizeof(struct ct_addmv_args), .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_addmv_ex(ct_tensor *input, ct_tensor *mat, ct_tensor *vec, const struct
    ct_addmv_args *args);
#ifndef __cplusplus
#define ct_addmv(input, mat, vec, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addmv, input, mat, vec \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addmv__args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addmv__defaults { .struct_size = sizeof(struct ct_addmv__args), .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_addmv__ex(ct_tensor *self, ct_tensor *mat, ct_tensor *vec, const struct
    ct_addmv__args *args);
#ifndef __cplusplus
#define ct_addmv_(self, mat, vec, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addmv_, self, mat, vec \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addmv_out_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addmv_out_defaults { .struct_size = sizeof(struct ct_addmv_out_args), .beta = 1, .alpha \
    = 1 }
CT_API ct_tensor *ct_addmv_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *mat, ct_tensor *vec,
    const struct ct_addmv_out_args *args);
#ifndef __cplusplus
#define ct_addmv_out(out, input, mat, vec, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_addmv_out, out, \
    input, mat, vec __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the dot products over the last dims of two tensors. */
CT_API ct_tensor *ct_inner(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_inner(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_inner, input, other)
#endif
CT_API ct_tensor *ct_inner_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_inner_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_inner_out, out, input, \
    other)
#endif

/* Returns the sum of the diagonal of a matrix. */
CT_API ct_tensor *ct_trace(ct_tensor *input);
#ifndef __cplusplus
#define ct_trace(input) CT_CALL_T_P(CT_ID(ct_k), ct_trace, input)
#endif

/* Returns `beta * input + alpha * (batch1 @ batch2)`. */
struct ct_baddbmm_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_baddbmm_defaults { .struct_size = sizeof(struct ct_baddbmm_args), .beta = 1, .alpha = 1 \
    }
CT_API ct_tensor *ct_baddbmm_ex(ct_tensor *input, ct_tensor *batch1, ct_tensor *batch2, const struct
    ct_baddbmm_args *args);
#ifndef __cplusplus
#define ct_baddbmm(input, batch1, batch2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_baddbmm, input, \
    batch1, batch2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_baddbmm__args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_baddbmm__defaults { .struct_size = sizeof(struct ct_baddbmm__args), .beta = 1, .alpha = \
    1 }
CT_API ct_tensor *ct_baddbmm__ex(ct_tensor *self, ct_tensor *batch1, ct_tensor *batch2, const struct
    ct_baddbmm__args *args);
#ifndef __cplusplus
#define ct_baddbmm_(self, batch1, batch2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_baddbmm_, self, \
    batch1, batch2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_baddbmm_out_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_baddbmm_out_defaults { .struct_size = sizeof(struct ct_baddbmm_out_args), .beta = 1, \
    .alpha = 1 }
CT_API ct_tensor *ct_baddbmm_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *batch1, ct_tensor
    *batch2, const struct ct_baddbmm_out_args *args);
#ifndef __cplusplus
#define ct_baddbmm_out(out, input, batch1, batch2, ...) CT_CALL_TTTT_K(CT_ID(ct_k), \
    ct_baddbmm_out, out, input, batch1, batch2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `beta * input + alpha * (batch1 @ batch2).sum(0)`. */
struct ct_addbmm_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addbmm_defaults { .struct_size = sizeof(struct ct_addbmm_args), .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_addbmm_ex(ct_tensor *input, ct_tensor *batch1, ct_tensor *batch2, const struct
    ct_addbmm_args *args);
#ifndef __cplusplus
#define ct_addbmm(input, batch1, batch2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addbmm, input, batch1, \
    batch2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addbmm__args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addbmm__defaults { .struct_size = sizeof(struct ct_addbmm__args), .beta = 1, .alpha = 1 \
    }
CT_API ct_tensor *ct_addbmm__ex(ct_tensor *self, ct_tensor *batch1, ct_tensor *batch2, const struct
    ct_addbmm__args *args);
#ifndef __cplusplus
#define ct_addbmm_(self, batch1, batch2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addbmm_, self, batch1, \
    batch2 __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addbmm_out_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addbmm_out_defaults { .struct_size = sizeof(struct ct_addbmm_out_args), .beta = 1, \
    .alpha = 1 }
CT_API ct_tensor *ct_addbmm_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *batch1, ct_tensor
    *batch2, const struct ct_addbmm_out_args *args);
#ifndef __cplusplus
#define ct_addbmm_out(out, input, batch1, batch2, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_addbmm_out, \
    out, input, batch1, batch2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `beta * input + alpha * outer(vec1, vec2)`. */
struct ct_addr_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addr_defaults { .struct_size = sizeof(struct ct_addr_args), .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_addr_ex(ct_tensor *input, ct_tensor *vec1, ct_tensor *vec2, const struct
    ct_addr_args *args);
#ifndef __cplusplus
#define ct_addr(input, vec1, vec2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addr, input, vec1, vec2 \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addr__args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addr__defaults { .struct_size = sizeof(struct ct_addr__args), .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_addr__ex(ct_tensor *self, ct_tensor *vec1, ct_tensor *vec2, const struct
    ct_addr__args *args);
#ifndef __cplusplus
#define ct_addr_(self, vec1, vec2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_addr_, self, vec1, vec2 \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addr_out_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addr_out_defaults { .struct_size = sizeof(struct ct_addr_out_args), .beta = 1, .alpha = \
    1 }
CT_API ct_tensor *ct_addr_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *vec1, ct_tensor *vec2,
    const struct ct_addr_out_args *args);
#ifndef __cplusplus
#define ct_addr_out(out, input, vec1, vec2, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_addr_out, out, \
    input, vec1, vec2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the sum of products given by an equation in Einstein summation notation. */
struct ct_einsum_args {
    size_t struct_size;
    ct_ints path;
};
#define ct_einsum_defaults { .struct_size = sizeof(struct ct_einsum_args), .path = CT_NO_DIMS }
CT_API ct_tensor *ct_einsum_ex(const char *equation, ct_list tensors, const struct ct_einsum_args
    *args);
#ifndef __cplusplus
#define ct_einsum(equation, tensors, ...) CT_CALL_AL_K(CT_ID(ct_k), ct_einsum, equation, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the sums of products over the given dims of two tensors. */
CT_API ct_tensor *ct_tensordot_dims(ct_tensor *input, ct_tensor *other, ct_ints dims_self, ct_ints
    dims_other);
#ifndef __cplusplus
#define ct_tensordot_dims(input, other, dims_self, dims_other, ...) CT_CALL_TTII_P(CT_ID(ct_k), \
    ct_tensordot_dims, input, other, dims_self, dims_other __VA_OPT__(, ) __VA_ARGS__)
#endif
CT_API ct_tensor *ct_tensordot_dims_out(ct_tensor *out, ct_tensor *input, ct_tensor *other, ct_ints
    dims_self, ct_ints dims_other);
#ifndef __cplusplus
#define ct_tensordot_dims_out(out, input, other, dims_self, dims_other, ...) \
    CT_CALL_TTTII_P(CT_ID(ct_k), ct_tensordot_dims_out, out, input, other, dims_self, dims_other \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the product of a list of matrices; deprecated in favour of `linalg.multi_dot`. */
CT_API ct_tensor *ct_chain_matmul(ct_list matrices);
#ifndef __cplusplus
#define ct_chain_matmul(matrices, ...) CT_CALL_L_P(CT_ID(ct_k), ct_chain_matmul, matrices \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
CT_API ct_tensor *ct_chain_matmul_out(ct_tensor *out, ct_list matrices);
#ifndef __cplusplus
#define ct_chain_matmul_out(out, matrices, ...) CT_CALL_TL_P(CT_ID(ct_k), ct_chain_matmul_out, \
    out, matrices __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the n-th power of square matrices; the same as `linalg.matrix_power`. */
CT_API ct_tensor *ct_matrix_power(ct_tensor *input, int64_t n);
#ifndef __cplusplus
#define ct_matrix_power(input, n) CT_CALL_TA_P(CT_ID(ct_k), ct_matrix_power, input, n)
#endif
CT_API ct_tensor *ct_matrix_power_out(ct_tensor *out, ct_tensor *input, int64_t n);
#ifndef __cplusplus
#define ct_matrix_power_out(out, input, n) CT_CALL_TTA_P(CT_ID(ct_k), ct_matrix_power_out, out, \
    input, n)
#endif

/* Returns the Kronecker product: a block matrix of multiples of `other`. */
CT_API ct_tensor *ct_kron(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_kron(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_kron, input, other)
#endif
CT_API ct_tensor *ct_kron_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_kron_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_kron_out, out, input, other)
#endif

/* Returns the cross products of vectors of size 3 along a dim. */
struct ct_linalg_cross_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_linalg_cross_defaults { .struct_size = sizeof(struct ct_linalg_cross_args), .dim = -1 }
CT_API ct_tensor *ct_linalg_cross_ex(ct_tensor *input, ct_tensor *other, const struct
    ct_linalg_cross_args *args);
#ifndef __cplusplus
#define ct_linalg_cross(input, other, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linalg_cross, input, other \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linalg_cross_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_linalg_cross_out_defaults { .struct_size = sizeof(struct ct_linalg_cross_out_args), \
    .dim = -1 }
CT_API ct_tensor *ct_linalg_cross_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *other, const
    struct ct_linalg_cross_out_args *args);
#ifndef __cplusplus
#define ct_linalg_cross_out(out, input, other, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_linalg_cross_out, out, input, other __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the cross products of vectors of size 3 along `dim`, by default the first dim of size 3. */
struct ct_cross_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_cross_defaults { .struct_size = sizeof(struct ct_cross_args), .dim = CT_NO_DIM }
CT_API ct_tensor *ct_cross_ex(ct_tensor *input, ct_tensor *other, const struct ct_cross_args *args);
#ifndef __cplusplus
#define ct_cross(input, other, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_cross, input, other __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_cross_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_cross_out_defaults { .struct_size = sizeof(struct ct_cross_out_args), .dim = CT_NO_DIM \
    }
CT_API ct_tensor *ct_cross_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *other, const struct
    ct_cross_out_args *args);
#ifndef __cplusplus
#define ct_cross_out(out, input, other, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_cross_out, out, input, \
    other __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Applies an affine map to the last dim: `input @ weight.T + bias`. */
struct ct_linear_args {
    size_t struct_size;
    ct_tensor *bias;
};
#define ct_linear_defaults { .struct_size = sizeof(struct ct_linear_args), .bias = CT_NO_TENSOR }
CT_API ct_tensor *ct_linear_ex(ct_tensor *input, ct_tensor *weight, const struct ct_linear_args
    *args);
#ifndef __cplusplus
#define ct_linear(input, weight, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_linear, input, weight \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_linear_out_args {
    size_t struct_size;
    ct_tensor *bias;
};
#define ct_linear_out_defaults { .struct_size = sizeof(struct ct_linear_out_args), .bias = \
    CT_NO_TENSOR }
CT_API ct_tensor *ct_linear_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *weight, const struct
    ct_linear_out_args *args);
#ifndef __cplusplus
#define ct_linear_out(out, input, weight, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_linear_out, out, \
    input, weight __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Applies a bilinear map: `out[..., o] = input1 @ weight[o] @ input2 + bias[o]`. */
struct ct_bilinear_args {
    size_t struct_size;
    ct_tensor *bias;
};
#define ct_bilinear_defaults { .struct_size = sizeof(struct ct_bilinear_args), .bias = \
    CT_NO_TENSOR }
CT_API ct_tensor *ct_bilinear_ex(ct_tensor *input1, ct_tensor *input2, ct_tensor *weight, const
    struct ct_bilinear_args *args);
#ifndef __cplusplus
#define ct_bilinear(input1, input2, weight, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_bilinear, input1, \
    input2, weight __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the product of two matrices, with the given data type. */
CT_API ct_tensor *ct_mm_dtype(ct_tensor *input, ct_tensor *mat2, enum ct_dtype out_dtype);
#ifndef __cplusplus
#define ct_mm_dtype(input, mat2, out_dtype) CT_CALL_TTA_P(CT_ID(ct_k), ct_mm_dtype, input, mat2, \
    out_dtype)
#endif
CT_API ct_tensor *ct_mm_dtype_out(ct_tensor *out, ct_tensor *input, ct_tensor *mat2, enum ct_dtype
    out_dtype);
#ifndef __cplusplus
#define ct_mm_dtype_out(out, input, mat2, out_dtype) CT_CALL_TTTA_P(CT_ID(ct_k), ct_mm_dtype_out, \
    out, input, mat2, out_dtype)
#endif

/* Returns the products of two batches of matrices, with the given data type. */
CT_API ct_tensor *ct_bmm_dtype(ct_tensor *input, ct_tensor *mat2, enum ct_dtype out_dtype);
#ifndef __cplusplus
#define ct_bmm_dtype(input, mat2, out_dtype) CT_CALL_TTA_P(CT_ID(ct_k), ct_bmm_dtype, input, mat2, \
    out_dtype)
#endif
CT_API ct_tensor *ct_bmm_dtype_out(ct_tensor *out, ct_tensor *input, ct_tensor *mat2, enum ct_dtype
    out_dtype);
#ifndef __cplusplus
#define ct_bmm_dtype_out(out, input, mat2, out_dtype) CT_CALL_TTTA_P(CT_ID(ct_k), \
    ct_bmm_dtype_out, out, input, mat2, out_dtype)
#endif

/* Returns `beta * input + alpha * (mat1 @ mat2)` with the given data type. */
struct ct_addmm_dtype_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addmm_dtype_defaults { .struct_size = sizeof(struct ct_addmm_dtype_args), .beta = 1, \
    .alpha = 1 }
CT_API ct_tensor *ct_addmm_dtype_ex(ct_tensor *input, ct_tensor *mat1, ct_tensor *mat2, enum
    ct_dtype out_dtype, const struct ct_addmm_dtype_args *args);
#ifndef __cplusplus
#define ct_addmm_dtype(input, mat1, mat2, out_dtype, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_addmm_dtype, input, mat1, mat2, out_dtype __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_addmm_dtype_out_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_addmm_dtype_out_defaults { .struct_size = sizeof(struct ct_addmm_dtype_out_args), .beta \
    = 1, .alpha = 1 }
CT_API ct_tensor *ct_addmm_dtype_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *mat1, ct_tensor
    *mat2, enum ct_dtype out_dtype, const struct ct_addmm_dtype_out_args *args);
#ifndef __cplusplus
#define ct_addmm_dtype_out(out, input, mat1, mat2, out_dtype, ...) CT_CALL_TTTTA_K(CT_ID(ct_k), \
    ct_addmm_dtype_out, out, input, mat1, mat2, out_dtype __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `beta * input + alpha * (batch1 @ batch2)` with the given data type. */
struct ct_baddbmm_dtype_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_baddbmm_dtype_defaults { .struct_size = sizeof(struct ct_baddbmm_dtype_args), .beta = \
    1, .alpha = 1 }
CT_API ct_tensor *ct_baddbmm_dtype_ex(ct_tensor *input, ct_tensor *batch1, ct_tensor *batch2, enum
    ct_dtype out_dtype, const struct ct_baddbmm_dtype_args *args);
#ifndef __cplusplus
#define ct_baddbmm_dtype(input, batch1, batch2, out_dtype, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_baddbmm_dtype, input, batch1, batch2, out_dtype __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_baddbmm_dtype_out_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_baddbmm_dtype_out_defaults { .struct_size = sizeof(struct ct_baddbmm_dtype_out_args), \
    .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_baddbmm_dtype_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *batch1,
    ct_tensor *batch2, enum ct_dtype out_dtype, const struct ct_baddbmm_dtype_out_args *args);
#ifndef __cplusplus
#define ct_baddbmm_dtype_out(out, input, batch1, batch2, out_dtype, ...) \
    CT_CALL_TTTTA_K(CT_ID(ct_k), ct_baddbmm_dtype_out, out, input, batch1, batch2, out_dtype \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Kullback-Leibler divergence `target * (log(target) - input)`; `input` is a log probability. */
struct ct_kl_div_args {
    size_t struct_size;
    int size_average;
    int reduce;
    const char *reduction;
    bool log_target;
};
#define ct_kl_div_defaults { .struct_size = sizeof(struct ct_kl_div_args), .size_average = -1, \
    .reduce = -1, .reduction = "mean", .log_target = false }
CT_API ct_tensor *ct_kl_div_ex(ct_tensor *input, ct_tensor *target, const struct ct_kl_div_args
    *args);
#ifndef __cplusplus
#define ct_kl_div(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_kl_div, input, target \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the negative log likelihood of a Poisson distribution. */
struct ct_poisson_nll_loss_args {
    size_t struct_size;
    bool log_input;
    bool full;
    int size_average;
    double eps;
    int reduce;
    const char *reduction;
};
#define ct_poisson_nll_loss_defaults { .struct_size = sizeof(struct ct_poisson_nll_loss_args), \
    .log_input = true, .full = false, .size_average = -1, .eps = 1e-08, .reduce = -1, .reduction = \
    "mean" }
CT_API ct_tensor *ct_poisson_nll_loss_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_poisson_nll_loss_args *args);
#ifndef __cplusplus
#define ct_poisson_nll_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_poisson_nll_loss, \
    input, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the negative log likelihood of a normal distribution with mean `input` and variance `var`. */
struct ct_gaussian_nll_loss_args {
    size_t struct_size;
    bool full;
    double eps;
    const char *reduction;
};
#define ct_gaussian_nll_loss_defaults { .struct_size = sizeof(struct ct_gaussian_nll_loss_args), \
    .full = false, .eps = 1e-06, .reduction = "mean" }
CT_API ct_tensor *ct_gaussian_nll_loss_ex(ct_tensor *input, ct_tensor *target, ct_tensor *var, const
    struct ct_gaussian_nll_loss_args *args);
#ifndef __cplusplus
#define ct_gaussian_nll_loss(input, target, var, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_gaussian_nll_loss, input, target, var __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes `1 - cos` for pairs with target 1, and `max(0, cos - margin)` for pairs with target -1. */
struct ct_cosine_embedding_loss_args {
    size_t struct_size;
    double margin;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_cosine_embedding_loss_defaults { .struct_size = sizeof(struct \
    ct_cosine_embedding_loss_args), .margin = 0, .size_average = -1, .reduce = -1, .reduction = \
    "mean" }
CT_API ct_tensor *ct_cosine_embedding_loss_ex(ct_tensor *input1, ct_tensor *input2, ct_tensor
    *target, const struct ct_cosine_embedding_loss_args *args);
#ifndef __cplusplus
#define ct_cosine_embedding_loss(input1, input2, target, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_cosine_embedding_loss, input1, input2, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` where the target is 1, and `max(0, margin - input)` where it is -1. */
struct ct_hinge_embedding_loss_args {
    size_t struct_size;
    double margin;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_hinge_embedding_loss_defaults { .struct_size = sizeof(struct \
    ct_hinge_embedding_loss_args), .margin = 1.0, .size_average = -1, .reduce = -1, .reduction = \
    "mean" }
CT_API ct_tensor *ct_hinge_embedding_loss_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_hinge_embedding_loss_args *args);
#ifndef __cplusplus
#define ct_hinge_embedding_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_hinge_embedding_loss, input, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes `max(0, -target * (input1 - input2) + margin)`. */
struct ct_margin_ranking_loss_args {
    size_t struct_size;
    double margin;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_margin_ranking_loss_defaults { .struct_size = sizeof(struct \
    ct_margin_ranking_loss_args), .margin = 0, .size_average = -1, .reduce = -1, .reduction = \
    "mean" }
CT_API ct_tensor *ct_margin_ranking_loss_ex(ct_tensor *input1, ct_tensor *input2, ct_tensor *target,
    const struct ct_margin_ranking_loss_args *args);
#ifndef __cplusplus
#define ct_margin_ranking_loss(input1, input2, target, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_margin_ranking_loss, input1, input2, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the binary cross entropy of the sigmoids of all classes, averaged over the classes. */
struct ct_multilabel_soft_margin_loss_args {
    size_t struct_size;
    ct_tensor *weight;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_multilabel_soft_margin_loss_defaults { .struct_size = sizeof(struct \
    ct_multilabel_soft_margin_loss_args), .weight = CT_NO_TENSOR, .size_average = -1, .reduce = \
    -1, .reduction = "mean" }
CT_API ct_tensor *ct_multilabel_soft_margin_loss_ex(ct_tensor *input, ct_tensor *target, const
    struct ct_multilabel_soft_margin_loss_args *args);
#ifndef __cplusplus
#define ct_multilabel_soft_margin_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_multilabel_soft_margin_loss, input, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the hinge loss of a classification: by how much the scores of other classes exceed the target's score minus `margin`. */
struct ct_multi_margin_loss_args {
    size_t struct_size;
    int64_t p;
    double margin;
    ct_tensor *weight;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_multi_margin_loss_defaults { .struct_size = sizeof(struct ct_multi_margin_loss_args), \
    .p = 1, .margin = 1.0, .weight = CT_NO_TENSOR, .size_average = -1, .reduce = -1, .reduction = \
    "mean" }
CT_API ct_tensor *ct_multi_margin_loss_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_multi_margin_loss_args *args);
#ifndef __cplusplus
#define ct_multi_margin_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_multi_margin_loss, \
    input, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the hinge loss of a classification with several labels; -1 ends the list of labels. */
struct ct_multilabel_margin_loss_args {
    size_t struct_size;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_multilabel_margin_loss_defaults { .struct_size = sizeof(struct \
    ct_multilabel_margin_loss_args), .size_average = -1, .reduce = -1, .reduction = "mean" }
CT_API ct_tensor *ct_multilabel_margin_loss_ex(ct_tensor *input, ct_tensor *target, const struct
    ct_multilabel_margin_loss_args *args);
#ifndef __cplusplus
#define ct_multilabel_margin_loss(input, target, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_multilabel_margin_loss, input, target __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes `max(0, d(anchor, positive) - d(anchor, negative) + margin)`. */
struct ct_triplet_margin_loss_args {
    size_t struct_size;
    double margin;
    double p;
    double eps;
    bool swap;
    int size_average;
    int reduce;
    const char *reduction;
};
#define ct_triplet_margin_loss_defaults { .struct_size = sizeof(struct \
    ct_triplet_margin_loss_args), .margin = 1.0, .p = 2, .eps = 1e-06, .swap = false, \
    .size_average = -1, .reduce = -1, .reduction = "mean" }
CT_API ct_tensor *ct_triplet_margin_loss_ex(ct_tensor *anchor, ct_tensor *positive, ct_tensor
    *negative, const struct ct_triplet_margin_loss_args *args);
#ifndef __cplusplus
#define ct_triplet_margin_loss(anchor, positive, negative, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_triplet_margin_loss, anchor, positive, negative __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Normalizes each channel to mean 0 and variance 1 with the statistics of the batch or the running statistics. */
CT_API ct_tensor *ct_batch_norm(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_tensor
    *running_mean, ct_tensor *running_var, bool training, double momentum, double eps, bool
    cudnn_enabled);
#ifndef __cplusplus
#define ct_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, \
    cudnn_enabled) CT_CALL_TTTTTAAAA_P(CT_ID(ct_k), ct_batch_norm, input, weight, bias, \
    running_mean, running_var, training, momentum, eps, cudnn_enabled)
#endif

/* Computes batch_norm, and the mean and the reciprocal standard deviation of each channel, which are empty outside of training. */
#ifndef CT_NATIVE_BATCH_NORM_RESULT
#define CT_NATIVE_BATCH_NORM_RESULT
struct ct_native_batch_norm_result {
    ct_tensor *output, *mean, *rstd;
};
#endif
typedef struct ct_native_batch_norm_result ct_native_batch_norm_result;
CT_API struct ct_native_batch_norm_result ct_native_batch_norm(ct_tensor *input, ct_tensor *weight,
    ct_tensor *bias, ct_tensor *running_mean, ct_tensor *running_var, bool training, double
    momentum, double eps);
#ifndef __cplusplus
#define ct_native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, \
    eps) CT_CALL_TTTTTAAA_P(CT_ID(ct_k), ct_native_batch_norm, input, weight, bias, running_mean, \
    running_var, training, momentum, eps)
#endif

/* Normalizes the last dims of each element to mean 0 and variance 1. */
struct ct_layer_norm_args {
    size_t struct_size;
    ct_tensor *weight;
    ct_tensor *bias;
    double eps;
    bool cudnn_enable;
};
#define ct_layer_norm_defaults { .struct_size = sizeof(struct ct_layer_norm_args), .weight = \
    CT_NO_TENSOR, .bias = CT_NO_TENSOR, .eps = 1e-05, .cudnn_enable = true }
CT_API ct_tensor *ct_layer_norm_ex(ct_tensor *input, ct_ints normalized_shape, const struct
    ct_layer_norm_args *args);
#ifndef __cplusplus
#define ct_layer_norm(input, normalized_shape, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_layer_norm, \
    input, normalized_shape __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes layer_norm, and the means and the reciprocal standard deviations. */
#ifndef CT_NATIVE_LAYER_NORM_RESULT
#define CT_NATIVE_LAYER_NORM_RESULT
struct ct_native_layer_norm_result {
    ct_tensor *output, *mean, *rstd;
};
#endif
typedef struct ct_native_layer_norm_result ct_native_layer_norm_result;
CT_API struct ct_native_layer_norm_result ct_native_layer_norm(ct_tensor *input, ct_ints
    normalized_shape, ct_tensor *weight, ct_tensor *bias, double eps);
#ifndef __cplusplus
#define ct_native_layer_norm(input, normalized_shape, weight, bias, eps) \
    CT_CALL_TITTA_P(CT_ID(ct_k), ct_native_layer_norm, input, normalized_shape, weight, bias, eps)
#endif

/* Normalizes groups of channels to mean 0 and variance 1. */
struct ct_group_norm_args {
    size_t struct_size;
    ct_tensor *weight;
    ct_tensor *bias;
    double eps;
    bool cudnn_enabled;
};
#define ct_group_norm_defaults { .struct_size = sizeof(struct ct_group_norm_args), .weight = \
    CT_NO_TENSOR, .bias = CT_NO_TENSOR, .eps = 1e-05, .cudnn_enabled = true }
CT_API ct_tensor *ct_group_norm_ex(ct_tensor *input, int64_t num_groups, const struct
    ct_group_norm_args *args);
#ifndef __cplusplus
#define ct_group_norm(input, num_groups, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_group_norm, input, \
    num_groups __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes group_norm of N elements with C channels of HxW numbers, and the means and the reciprocal standard deviations of the groups. */
#ifndef CT_NATIVE_GROUP_NORM_RESULT
#define CT_NATIVE_GROUP_NORM_RESULT
struct ct_native_group_norm_result {
    ct_tensor *output, *mean, *rstd;
};
#endif
typedef struct ct_native_group_norm_result ct_native_group_norm_result;
CT_API struct ct_native_group_norm_result ct_native_group_norm(ct_tensor *input, ct_tensor *weight,
    ct_tensor *bias, int64_t N, int64_t C, int64_t HxW, int64_t group, double eps);
#ifndef __cplusplus
#define ct_native_group_norm(input, weight, bias, N, C, HxW, group, eps) \
    CT_CALL_TTTAAAAA_P(CT_ID(ct_k), ct_native_group_norm, input, weight, bias, N, C, HxW, group, \
    eps)
#endif

/* Normalizes each channel of each element of the batch to mean 0 and variance 1. */
CT_API ct_tensor *ct_instance_norm(ct_tensor *input, ct_tensor *weight, ct_tensor *bias, ct_tensor
    *running_mean, ct_tensor *running_var, bool use_input_stats, double momentum, double eps, bool
    cudnn_enabled);
#ifndef __cplusplus
#define ct_instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, \
    momentum, eps, cudnn_enabled) CT_CALL_TTTTTAAAA_P(CT_ID(ct_k), ct_instance_norm, input, \
    weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled)
#endif

/* Divides the last dims of each element by their root mean square. */
struct ct_rms_norm_args {
    size_t struct_size;
    ct_tensor *weight;
    double eps;
};
#define ct_rms_norm_defaults { .struct_size = sizeof(struct ct_rms_norm_args), .weight = \
    CT_NO_TENSOR, .eps = CT_NO_NUMBER }
CT_API ct_tensor *ct_rms_norm_ex(ct_tensor *input, ct_ints normalized_shape, const struct
    ct_rms_norm_args *args);
#ifndef __cplusplus
#define ct_rms_norm(input, normalized_shape, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_rms_norm, input, \
    normalized_shape __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Divides each channel by `(k + alpha * s) ** beta`, with s the mean of the squares of neighbouring channels. */
struct ct_local_response_norm_args {
    size_t struct_size;
    double alpha;
    double beta;
    double k;
};
#define ct_local_response_norm_defaults { .struct_size = sizeof(struct \
    ct_local_response_norm_args), .alpha = 0.0001, .beta = 0.75, .k = 1.0 }
CT_API ct_tensor *ct_local_response_norm_ex(ct_tensor *input, int64_t size, const struct
    ct_local_response_norm_args *args);
#ifndef __cplusplus
#define ct_local_response_norm(input, size, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_local_response_norm, \
    input, size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Divides vectors along `dim` by their p-norm, or by `eps` if the norm is smaller. */
struct ct_normalize_args {
    size_t struct_size;
    double p;
    ct_ints dim;
    double eps;
};
#define ct_normalize_defaults { .struct_size = sizeof(struct ct_normalize_args), .p = 2.0, .dim = \
    CT_INTS(1), .eps = 1e-12 }
CT_API ct_tensor *ct_normalize_ex(ct_tensor *input, const struct ct_normalize_args *args);
#ifndef __cplusplus
#define ct_normalize(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_normalize, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the elements sorted along `dim`, and the indices that they came from. */
#ifndef CT_SORT_RESULT
#define CT_SORT_RESULT
struct ct_sort_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_sort_result ct_sort_result;
struct ct_sort_args {
    size_t struct_size;
    int64_t dim;
    bool descending;
    int stable;
};
#define ct_sort_defaults { .struct_size = sizeof(struct ct_sort_args), .dim = -1, .descending = \
    false, .stable = -1 }
CT_API struct ct_sort_result ct_sort_ex(ct_tensor *input, const struct ct_sort_args *args);
#ifndef __cplusplus
#define ct_sort(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_sort, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_sort_out_args {
    size_t struct_size;
    int64_t dim;
    bool descending;
    int stable;
};
#define ct_sort_out_defaults { .struct_size = sizeof(struct ct_sort_out_args), .dim = -1, \
    .descending = false, .stable = -1 }
CT_API bool ct_sort_out_ex(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input, const
    struct ct_sort_out_args *args);
#ifndef __cplusplus
#define ct_sort_out(out_values, out_indices, input, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_sort_out, \
    out_values, out_indices, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the indices that sort `input` along `dim`. */
struct ct_argsort_args {
    size_t struct_size;
    int64_t dim;
    bool descending;
    bool stable;
};
#define ct_argsort_defaults { .struct_size = sizeof(struct ct_argsort_args), .dim = -1, \
    .descending = false, .stable = false }
CT_API ct_tensor *ct_argsort_ex(ct_tensor *input, const struct ct_argsort_args *args);
#ifndef __cplusplus
#define ct_argsort(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_argsort, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_argsort_out_args {
    size_t struct_size;
    int64_t dim;
    bool descending;
    bool stable;
};
#define ct_argsort_out_defaults { .struct_size = sizeof(struct ct_argsort_out_args), .dim = -1, \
    .descending = false, .stable = false }
CT_API ct_tensor *ct_argsort_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_argsort_out_args *args);
#ifndef __cplusplus
#define ct_argsort_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_argsort_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `input` sorted along its first dim. */
CT_API ct_tensor *ct_msort(ct_tensor *input);
#ifndef __cplusplus
#define ct_msort(input) CT_CALL_T_P(CT_ID(ct_k), ct_msort, input)
#endif
CT_API ct_tensor *ct_msort_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_msort_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_msort_out, out, input)
#endif

/* Returns the `k` largest or smallest elements along `dim`, and their indices. */
#ifndef CT_TOPK_RESULT
#define CT_TOPK_RESULT
struct ct_topk_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_topk_result ct_topk_result;
struct ct_topk_args {
    size_t struct_size;
    int64_t dim;
    bool largest;
    bool sorted;
};
#define ct_topk_defaults { .struct_size = sizeof(struct ct_topk_args), .dim = -1, .largest = true, \
    .sorted = true }
CT_API struct ct_topk_result ct_topk_ex(ct_tensor *input, int64_t k, const struct ct_topk_args
    *args);
#ifndef __cplusplus
#define ct_topk(input, k, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_topk, input, k __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_topk_out_args {
    size_t struct_size;
    int64_t dim;
    bool largest;
    bool sorted;
};
#define ct_topk_out_defaults { .struct_size = sizeof(struct ct_topk_out_args), .dim = -1, .largest \
    = true, .sorted = true }
CT_API bool ct_topk_out_ex(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input, int64_t
    k, const struct ct_topk_out_args *args);
#ifndef __cplusplus
#define ct_topk_out(out_values, out_indices, input, k, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_topk_out, out_values, out_indices, input, k __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the k-th smallest element along `dim`, and its index. */
#ifndef CT_KTHVALUE_RESULT
#define CT_KTHVALUE_RESULT
struct ct_kthvalue_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_kthvalue_result ct_kthvalue_result;
struct ct_kthvalue_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_kthvalue_defaults { .struct_size = sizeof(struct ct_kthvalue_args), .dim = -1, .keepdim \
    = false }
CT_API struct ct_kthvalue_result ct_kthvalue_ex(ct_tensor *input, int64_t k, const struct
    ct_kthvalue_args *args);
#ifndef __cplusplus
#define ct_kthvalue(input, k, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_kthvalue, input, k __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_kthvalue_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_kthvalue_out_defaults { .struct_size = sizeof(struct ct_kthvalue_out_args), .dim = -1, \
    .keepdim = false }
CT_API bool ct_kthvalue_out_ex(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input,
    int64_t k, const struct ct_kthvalue_out_args *args);
#ifndef __cplusplus
#define ct_kthvalue_out(out_values, out_indices, input, k, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_kthvalue_out, out_values, out_indices, input, k __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the median of all elements: the lower one of two middle elements, NaN if any element is NaN. */
CT_API ct_tensor *ct_median(ct_tensor *input);
#ifndef __cplusplus
#define ct_median(input) CT_CALL_T_P(CT_ID(ct_k), ct_median, input)
#endif

/* Returns the medians along `dim`, and their indices. */
#ifndef CT_MEDIAN_DIM_RESULT
#define CT_MEDIAN_DIM_RESULT
struct ct_median_dim_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_median_dim_result ct_median_dim_result;
struct ct_median_dim_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_median_dim_defaults { .struct_size = sizeof(struct ct_median_dim_args), .keepdim = \
    false }
CT_API struct ct_median_dim_result ct_median_dim_ex(ct_tensor *input, int64_t dim, const struct
    ct_median_dim_args *args);
#ifndef __cplusplus
#define ct_median_dim(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_median_dim, input, dim \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_median_dim_out_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_median_dim_out_defaults { .struct_size = sizeof(struct ct_median_dim_out_args), \
    .keepdim = false }
CT_API bool ct_median_dim_out_ex(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input,
    int64_t dim, const struct ct_median_dim_out_args *args);
#ifndef __cplusplus
#define ct_median_dim_out(out_values, out_indices, input, dim, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_median_dim_out, out_values, out_indices, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the median of all elements that are not NaN. */
CT_API ct_tensor *ct_nanmedian(ct_tensor *input);
#ifndef __cplusplus
#define ct_nanmedian(input) CT_CALL_T_P(CT_ID(ct_k), ct_nanmedian, input)
#endif

/* Returns the medians along `dim` of the elements that are not NaN, and their indices. */
#ifndef CT_NANMEDIAN_DIM_RESULT
#define CT_NANMEDIAN_DIM_RESULT
struct ct_nanmedian_dim_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_nanmedian_dim_result ct_nanmedian_dim_result;
struct ct_nanmedian_dim_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_nanmedian_dim_defaults { .struct_size = sizeof(struct ct_nanmedian_dim_args), .keepdim \
    = false }
CT_API struct ct_nanmedian_dim_result ct_nanmedian_dim_ex(ct_tensor *input, int64_t dim, const
    struct ct_nanmedian_dim_args *args);
#ifndef __cplusplus
#define ct_nanmedian_dim(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_nanmedian_dim, input, dim \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_nanmedian_dim_out_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_nanmedian_dim_out_defaults { .struct_size = sizeof(struct ct_nanmedian_dim_out_args), \
    .keepdim = false }
CT_API bool ct_nanmedian_dim_out_ex(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input,
    int64_t dim, const struct ct_nanmedian_dim_out_args *args);
#ifndef __cplusplus
#define ct_nanmedian_dim_out(out_values, out_indices, input, dim, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_nanmedian_dim_out, out_values, out_indices, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the most frequent element along `dim` (the smallest one of equally frequent elements), and the index of its last occurrence. */
#ifndef CT_MODE_RESULT
#define CT_MODE_RESULT
struct ct_mode_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_mode_result ct_mode_result;
struct ct_mode_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_mode_defaults { .struct_size = sizeof(struct ct_mode_args), .dim = -1, .keepdim = false \
    }
CT_API struct ct_mode_result ct_mode_ex(ct_tensor *input, const struct ct_mode_args *args);
#ifndef __cplusplus
#define ct_mode(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_mode, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_mode_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_mode_out_defaults { .struct_size = sizeof(struct ct_mode_out_args), .dim = -1, .keepdim \
    = false }
CT_API bool ct_mode_out_ex(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input, const
    struct ct_mode_out_args *args);
#ifndef __cplusplus
#define ct_mode_out(out_values, out_indices, input, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_mode_out, \
    out_values, out_indices, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns quantiles of all elements or along a dim, by default interpolated linearly. */
struct ct_quantile_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    const char *interpolation;
};
#define ct_quantile_defaults { .struct_size = sizeof(struct ct_quantile_args), .dim = CT_NO_DIM, \
    .keepdim = false, .interpolation = "linear" }
CT_API ct_tensor *ct_quantile_ex(ct_tensor *input, ct_tensor *q, const struct ct_quantile_args
    *args);
#ifndef __cplusplus
#define ct_quantile(input, q, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_quantile, input, q __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_quantile_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    const char *interpolation;
};
#define ct_quantile_out_defaults { .struct_size = sizeof(struct ct_quantile_out_args), .dim = \
    CT_NO_DIM, .keepdim = false, .interpolation = "linear" }
CT_API ct_tensor *ct_quantile_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *q, const struct
    ct_quantile_out_args *args);
#ifndef __cplusplus
#define ct_quantile_out(out, input, q, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_quantile_out, out, \
    input, q __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns one quantile of all elements or along a dim. */
struct ct_quantile_scalar_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    const char *interpolation;
};
#define ct_quantile_scalar_defaults { .struct_size = sizeof(struct ct_quantile_scalar_args), .dim \
    = CT_NO_DIM, .keepdim = false, .interpolation = "linear" }
CT_API ct_tensor *ct_quantile_scalar_ex(ct_tensor *input, double q, const struct
    ct_quantile_scalar_args *args);
#ifndef __cplusplus
#define ct_quantile_scalar(input, q, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_quantile_scalar, input, q \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_quantile_scalar_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    const char *interpolation;
};
#define ct_quantile_scalar_out_defaults { .struct_size = sizeof(struct \
    ct_quantile_scalar_out_args), .dim = CT_NO_DIM, .keepdim = false, .interpolation = "linear" }
CT_API ct_tensor *ct_quantile_scalar_out_ex(ct_tensor *out, ct_tensor *input, double q, const struct
    ct_quantile_scalar_out_args *args);
#ifndef __cplusplus
#define ct_quantile_scalar_out(out, input, q, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_quantile_scalar_out, out, input, q __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns quantiles of the elements that are not NaN. */
struct ct_nanquantile_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    const char *interpolation;
};
#define ct_nanquantile_defaults { .struct_size = sizeof(struct ct_nanquantile_args), .dim = \
    CT_NO_DIM, .keepdim = false, .interpolation = "linear" }
CT_API ct_tensor *ct_nanquantile_ex(ct_tensor *input, ct_tensor *q, const struct ct_nanquantile_args
    *args);
#ifndef __cplusplus
#define ct_nanquantile(input, q, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_nanquantile, input, q \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_nanquantile_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    const char *interpolation;
};
#define ct_nanquantile_out_defaults { .struct_size = sizeof(struct ct_nanquantile_out_args), .dim \
    = CT_NO_DIM, .keepdim = false, .interpolation = "linear" }
CT_API ct_tensor *ct_nanquantile_out_ex(ct_tensor *out, ct_tensor *input, ct_tensor *q, const struct
    ct_nanquantile_out_args *args);
#ifndef __cplusplus
#define ct_nanquantile_out(out, input, q, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_nanquantile_out, out, \
    input, q __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns one quantile of the elements that are not NaN. */
struct ct_nanquantile_scalar_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    const char *interpolation;
};
#define ct_nanquantile_scalar_defaults { .struct_size = sizeof(struct ct_nanquantile_scalar_args), \
    .dim = CT_NO_DIM, .keepdim = false, .interpolation = "linear" }
CT_API ct_tensor *ct_nanquantile_scalar_ex(ct_tensor *input, double q, const struct
    ct_nanquantile_scalar_args *args);
#ifndef __cplusplus
#define ct_nanquantile_scalar(input, q, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_nanquantile_scalar, \
    input, q __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_nanquantile_scalar_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    const char *interpolation;
};
#define ct_nanquantile_scalar_out_defaults { .struct_size = sizeof(struct \
    ct_nanquantile_scalar_out_args), .dim = CT_NO_DIM, .keepdim = false, .interpolation = "linear" \
    }
CT_API ct_tensor *ct_nanquantile_scalar_out_ex(ct_tensor *out, ct_tensor *input, double q, const
    struct ct_nanquantile_scalar_out_args *args);
#ifndef __cplusplus
#define ct_nanquantile_scalar_out(out, input, q, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_nanquantile_scalar_out, out, input, q __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Adds a border of one value; `pad` has two widths for each dim, the last dim first. */
struct ct_constant_pad_nd_args {
    size_t struct_size;
    double value;
};
#define ct_constant_pad_nd_defaults { .struct_size = sizeof(struct ct_constant_pad_nd_args), \
    .value = 0 }
CT_API ct_tensor *ct_constant_pad_nd_ex(ct_tensor *input, ct_ints pad, const struct
    ct_constant_pad_nd_args *args);
#ifndef __cplusplus
#define ct_constant_pad_nd(input, pad, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_constant_pad_nd, input, \
    pad __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Adds a border: constant, reflect, replicate or circular. */
struct ct_pad_args {
    size_t struct_size;
    const char *mode;
    double value;
};
#define ct_pad_defaults { .struct_size = sizeof(struct ct_pad_args), .mode = "constant", .value = \
    CT_NO_NUMBER }
CT_API ct_tensor *ct_pad_ex(ct_tensor *input, ct_ints pad, const struct ct_pad_args *args);
#ifndef __cplusplus
#define ct_pad(input, pad, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_pad, input, pad __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Evaluates Chebyshev polynomials of the first kind, of degree `n`. */
CT_API ct_tensor *ct_special_chebyshev_polynomial_t_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_chebyshev_polynomial_t(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_chebyshev_polynomial_t, x, n)
#endif
CT_API ct_tensor *ct_special_chebyshev_polynomial_t_out_ex(ct_tensor *out, ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_chebyshev_polynomial_t_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_chebyshev_polynomial_t_out, out, x, n)
#endif

/* Evaluates Chebyshev polynomials of the second kind, of degree `n`. */
CT_API ct_tensor *ct_special_chebyshev_polynomial_u_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_chebyshev_polynomial_u(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_chebyshev_polynomial_u, x, n)
#endif
CT_API ct_tensor *ct_special_chebyshev_polynomial_u_out_ex(ct_tensor *out, ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_chebyshev_polynomial_u_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_chebyshev_polynomial_u_out, out, x, n)
#endif

/* Evaluates Chebyshev polynomials of the third kind, of degree `n`. */
CT_API ct_tensor *ct_special_chebyshev_polynomial_v_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_chebyshev_polynomial_v(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_chebyshev_polynomial_v, x, n)
#endif
CT_API ct_tensor *ct_special_chebyshev_polynomial_v_out_ex(ct_tensor *out, ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_chebyshev_polynomial_v_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_chebyshev_polynomial_v_out, out, x, n)
#endif

/* Evaluates Chebyshev polynomials of the fourth kind, of degree `n`. */
CT_API ct_tensor *ct_special_chebyshev_polynomial_w_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_chebyshev_polynomial_w(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_chebyshev_polynomial_w, x, n)
#endif
CT_API ct_tensor *ct_special_chebyshev_polynomial_w_out_ex(ct_tensor *out, ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_chebyshev_polynomial_w_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_chebyshev_polynomial_w_out, out, x, n)
#endif

/* Evaluates Chebyshev polynomials of the first kind, shifted to [0, 1], of degree `n`. */
CT_API ct_tensor *ct_special_shifted_chebyshev_polynomial_t_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_shifted_chebyshev_polynomial_t(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_shifted_chebyshev_polynomial_t, x, n)
#endif
CT_API ct_tensor *ct_special_shifted_chebyshev_polynomial_t_out_ex(ct_tensor *out, ct_value x,
    ct_value n);
#ifndef __cplusplus
#define ct_special_shifted_chebyshev_polynomial_t_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_shifted_chebyshev_polynomial_t_out, out, x, n)
#endif

/* Evaluates Chebyshev polynomials of the second kind, shifted to [0, 1], of degree `n`. */
CT_API ct_tensor *ct_special_shifted_chebyshev_polynomial_u_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_shifted_chebyshev_polynomial_u(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_shifted_chebyshev_polynomial_u, x, n)
#endif
CT_API ct_tensor *ct_special_shifted_chebyshev_polynomial_u_out_ex(ct_tensor *out, ct_value x,
    ct_value n);
#ifndef __cplusplus
#define ct_special_shifted_chebyshev_polynomial_u_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_shifted_chebyshev_polynomial_u_out, out, x, n)
#endif

/* Evaluates Chebyshev polynomials of the third kind, shifted to [0, 1], of degree `n`. */
CT_API ct_tensor *ct_special_shifted_chebyshev_polynomial_v_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_shifted_chebyshev_polynomial_v(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_shifted_chebyshev_polynomial_v, x, n)
#endif
CT_API ct_tensor *ct_special_shifted_chebyshev_polynomial_v_out_ex(ct_tensor *out, ct_value x,
    ct_value n);
#ifndef __cplusplus
#define ct_special_shifted_chebyshev_polynomial_v_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_shifted_chebyshev_polynomial_v_out, out, x, n)
#endif

/* Evaluates Chebyshev polynomials of the fourth kind, shifted to [0, 1], of degree `n`. */
CT_API ct_tensor *ct_special_shifted_chebyshev_polynomial_w_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_shifted_chebyshev_polynomial_w(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_shifted_chebyshev_polynomial_w, x, n)
#endif
CT_API ct_tensor *ct_special_shifted_chebyshev_polynomial_w_out_ex(ct_tensor *out, ct_value x,
    ct_value n);
#ifndef __cplusplus
#define ct_special_shifted_chebyshev_polynomial_w_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_shifted_chebyshev_polynomial_w_out, out, x, n)
#endif

/* Evaluates the physicists' Hermite polynomials of degree `n`. */
CT_API ct_tensor *ct_special_hermite_polynomial_h_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_hermite_polynomial_h(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_hermite_polynomial_h, x, n)
#endif
CT_API ct_tensor *ct_special_hermite_polynomial_h_out_ex(ct_tensor *out, ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_hermite_polynomial_h_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_hermite_polynomial_h_out, out, x, n)
#endif

/* Evaluates the probabilists' Hermite polynomials of degree `n`. */
CT_API ct_tensor *ct_special_hermite_polynomial_he_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_hermite_polynomial_he(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_hermite_polynomial_he, x, n)
#endif
CT_API ct_tensor *ct_special_hermite_polynomial_he_out_ex(ct_tensor *out, ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_hermite_polynomial_he_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_hermite_polynomial_he_out, out, x, n)
#endif

/* Evaluates Laguerre polynomials of degree `n`. */
CT_API ct_tensor *ct_special_laguerre_polynomial_l_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_laguerre_polynomial_l(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_laguerre_polynomial_l, x, n)
#endif
CT_API ct_tensor *ct_special_laguerre_polynomial_l_out_ex(ct_tensor *out, ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_laguerre_polynomial_l_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_laguerre_polynomial_l_out, out, x, n)
#endif

/* Evaluates Legendre polynomials of degree `n`. */
CT_API ct_tensor *ct_special_legendre_polynomial_p_ex(ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_legendre_polynomial_p(x, n) CT_CALL_VV(CT_ID(ct_k), \
    ct_special_legendre_polynomial_p, x, n)
#endif
CT_API ct_tensor *ct_special_legendre_polynomial_p_out_ex(ct_tensor *out, ct_value x, ct_value n);
#ifndef __cplusplus
#define ct_special_legendre_polynomial_p_out(out, x, n) CT_CALL_TVV(CT_ID(ct_k), \
    ct_special_legendre_polynomial_p_out, out, x, n)
#endif

/* Averages windows of the last dim. */
struct ct_avg_pool1d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    bool ceil_mode;
    bool count_include_pad;
};
#define ct_avg_pool1d_defaults { .struct_size = sizeof(struct ct_avg_pool1d_args), .stride = \
    CT_NO_DIMS, .padding = CT_INTS(0), .ceil_mode = false, .count_include_pad = true }
CT_API ct_tensor *ct_avg_pool1d_ex(ct_tensor *input, ct_ints kernel_size, const struct
    ct_avg_pool1d_args *args);
#ifndef __cplusplus
#define ct_avg_pool1d(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_avg_pool1d, input, \
    kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Averages windows of the last two dims. */
struct ct_avg_pool2d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    bool ceil_mode;
    bool count_include_pad;
    int64_t divisor_override;
};
#define ct_avg_pool2d_defaults { .struct_size = sizeof(struct ct_avg_pool2d_args), .stride = \
    CT_NO_DIMS, .padding = CT_INTS(0), .ceil_mode = false, .count_include_pad = true, \
    .divisor_override = CT_NO_DIM }
CT_API ct_tensor *ct_avg_pool2d_ex(ct_tensor *input, ct_ints kernel_size, const struct
    ct_avg_pool2d_args *args);
#ifndef __cplusplus
#define ct_avg_pool2d(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_avg_pool2d, input, \
    kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_avg_pool2d_out_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    bool ceil_mode;
    bool count_include_pad;
    int64_t divisor_override;
};
#define ct_avg_pool2d_out_defaults { .struct_size = sizeof(struct ct_avg_pool2d_out_args), .stride \
    = CT_NO_DIMS, .padding = CT_INTS(0), .ceil_mode = false, .count_include_pad = true, \
    .divisor_override = CT_NO_DIM }
CT_API ct_tensor *ct_avg_pool2d_out_ex(ct_tensor *out, ct_tensor *input, ct_ints kernel_size, const
    struct ct_avg_pool2d_out_args *args);
#ifndef __cplusplus
#define ct_avg_pool2d_out(out, input, kernel_size, ...) CT_CALL_TTI_K(CT_ID(ct_k), \
    ct_avg_pool2d_out, out, input, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Averages windows of the last three dims. */
struct ct_avg_pool3d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    bool ceil_mode;
    bool count_include_pad;
    int64_t divisor_override;
};
#define ct_avg_pool3d_defaults { .struct_size = sizeof(struct ct_avg_pool3d_args), .stride = \
    CT_NO_DIMS, .padding = CT_INTS(0), .ceil_mode = false, .count_include_pad = true, \
    .divisor_override = CT_NO_DIM }
CT_API ct_tensor *ct_avg_pool3d_ex(ct_tensor *input, ct_ints kernel_size, const struct
    ct_avg_pool3d_args *args);
#ifndef __cplusplus
#define ct_avg_pool3d(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_avg_pool3d, input, \
    kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_avg_pool3d_out_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    bool ceil_mode;
    bool count_include_pad;
    int64_t divisor_override;
};
#define ct_avg_pool3d_out_defaults { .struct_size = sizeof(struct ct_avg_pool3d_out_args), .stride \
    = CT_NO_DIMS, .padding = CT_INTS(0), .ceil_mode = false, .count_include_pad = true, \
    .divisor_override = CT_NO_DIM }
CT_API ct_tensor *ct_avg_pool3d_out_ex(ct_tensor *out, ct_tensor *input, ct_ints kernel_size, const
    struct ct_avg_pool3d_out_args *args);
#ifndef __cplusplus
#define ct_avg_pool3d_out(out, input, kernel_size, ...) CT_CALL_TTI_K(CT_ID(ct_k), \
    ct_avg_pool3d_out, out, input, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Averages the last dim over `output_size` windows. */
CT_API ct_tensor *ct_adaptive_avg_pool1d(ct_tensor *input, ct_ints output_size);
#ifndef __cplusplus
#define ct_adaptive_avg_pool1d(input, output_size, ...) CT_CALL_TI_P(CT_ID(ct_k), \
    ct_adaptive_avg_pool1d, input, output_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Averages the last two dims over `output_size` windows in each dim. */
CT_API ct_tensor *ct_adaptive_avg_pool2d(ct_tensor *input, ct_ints output_size);
#ifndef __cplusplus
#define ct_adaptive_avg_pool2d(input, output_size, ...) CT_CALL_TI_P(CT_ID(ct_k), \
    ct_adaptive_avg_pool2d, input, output_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Averages the last three dims over `output_size` windows in each dim. */
CT_API ct_tensor *ct_adaptive_avg_pool3d(ct_tensor *input, ct_ints output_size);
#ifndef __cplusplus
#define ct_adaptive_avg_pool3d(input, output_size, ...) CT_CALL_TI_P(CT_ID(ct_k), \
    ct_adaptive_avg_pool3d, input, output_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of windows of the last dim. */
struct ct_max_pool1d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    bool ceil_mode;
};
#define ct_max_pool1d_defaults { .struct_size = sizeof(struct ct_max_pool1d_args), .stride = \
    CT_INTS(), .padding = CT_INTS(0), .dilation = CT_INTS(1), .ceil_mode = false }
CT_API ct_tensor *ct_max_pool1d_ex(ct_tensor *input, ct_ints kernel_size, const struct
    ct_max_pool1d_args *args);
#ifndef __cplusplus
#define ct_max_pool1d(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_max_pool1d, input, \
    kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of windows of the last two dims. */
struct ct_max_pool2d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    bool ceil_mode;
};
#define ct_max_pool2d_defaults { .struct_size = sizeof(struct ct_max_pool2d_args), .stride = \
    CT_INTS(), .padding = CT_INTS(0), .dilation = CT_INTS(1), .ceil_mode = false }
CT_API ct_tensor *ct_max_pool2d_ex(ct_tensor *input, ct_ints kernel_size, const struct
    ct_max_pool2d_args *args);
#ifndef __cplusplus
#define ct_max_pool2d(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_max_pool2d, input, \
    kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of windows of the last three dims. */
struct ct_max_pool3d_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    bool ceil_mode;
};
#define ct_max_pool3d_defaults { .struct_size = sizeof(struct ct_max_pool3d_args), .stride = \
    CT_INTS(), .padding = CT_INTS(0), .dilation = CT_INTS(1), .ceil_mode = false }
CT_API ct_tensor *ct_max_pool3d_ex(ct_tensor *input, ct_ints kernel_size, const struct
    ct_max_pool3d_args *args);
#ifndef __cplusplus
#define ct_max_pool3d(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_max_pool3d, input, \
    kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of windows of the last dim, and their indices. */
#ifndef CT_MAX_POOL1D_WITH_INDICES_RESULT
#define CT_MAX_POOL1D_WITH_INDICES_RESULT
struct ct_max_pool1d_with_indices_result {
    ct_tensor *output, *indices;
};
#endif
typedef struct ct_max_pool1d_with_indices_result ct_max_pool1d_with_indices_result;
struct ct_max_pool1d_with_indices_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    bool ceil_mode;
};
#define ct_max_pool1d_with_indices_defaults { .struct_size = sizeof(struct \
    ct_max_pool1d_with_indices_args), .stride = CT_INTS(), .padding = CT_INTS(0), .dilation = \
    CT_INTS(1), .ceil_mode = false }
CT_API struct ct_max_pool1d_with_indices_result ct_max_pool1d_with_indices_ex(ct_tensor *input,
    ct_ints kernel_size, const struct ct_max_pool1d_with_indices_args *args);
#ifndef __cplusplus
#define ct_max_pool1d_with_indices(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_max_pool1d_with_indices, input, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of windows of the last two dims, and their indices. */
#ifndef CT_MAX_POOL2D_WITH_INDICES_RESULT
#define CT_MAX_POOL2D_WITH_INDICES_RESULT
struct ct_max_pool2d_with_indices_result {
    ct_tensor *output, *indices;
};
#endif
typedef struct ct_max_pool2d_with_indices_result ct_max_pool2d_with_indices_result;
struct ct_max_pool2d_with_indices_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    bool ceil_mode;
};
#define ct_max_pool2d_with_indices_defaults { .struct_size = sizeof(struct \
    ct_max_pool2d_with_indices_args), .stride = CT_NO_DIMS, .padding = CT_INTS(0), .dilation = \
    CT_INTS(1), .ceil_mode = false }
CT_API struct ct_max_pool2d_with_indices_result ct_max_pool2d_with_indices_ex(ct_tensor *input,
    ct_ints kernel_size, const struct ct_max_pool2d_with_indices_args *args);
#ifndef __cplusplus
#define ct_max_pool2d_with_indices(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_max_pool2d_with_indices, input, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of windows of the last three dims, and their indices. */
#ifndef CT_MAX_POOL3D_WITH_INDICES_RESULT
#define CT_MAX_POOL3D_WITH_INDICES_RESULT
struct ct_max_pool3d_with_indices_result {
    ct_tensor *output, *indices;
};
#endif
typedef struct ct_max_pool3d_with_indices_result ct_max_pool3d_with_indices_result;
struct ct_max_pool3d_with_indices_args {
    size_t struct_size;
    ct_ints stride;
    ct_ints padding;
    ct_ints dilation;
    bool ceil_mode;
};
#define ct_max_pool3d_with_indices_defaults { .struct_size = sizeof(struct \
    ct_max_pool3d_with_indices_args), .stride = CT_NO_DIMS, .padding = CT_INTS(0), .dilation = \
    CT_INTS(1), .ceil_mode = false }
CT_API struct ct_max_pool3d_with_indices_result ct_max_pool3d_with_indices_ex(ct_tensor *input,
    ct_ints kernel_size, const struct ct_max_pool3d_with_indices_args *args);
#ifndef __cplusplus
#define ct_max_pool3d_with_indices(input, kernel_size, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_max_pool3d_with_indices, input, kernel_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of `output_size` windows of the last dim, and their indices. */
#ifndef CT_ADAPTIVE_MAX_POOL1D_RESULT
#define CT_ADAPTIVE_MAX_POOL1D_RESULT
struct ct_adaptive_max_pool1d_result {
    ct_tensor *output, *indices;
};
#endif
typedef struct ct_adaptive_max_pool1d_result ct_adaptive_max_pool1d_result;
CT_API struct ct_adaptive_max_pool1d_result ct_adaptive_max_pool1d(ct_tensor *input, ct_ints
    output_size);
#ifndef __cplusplus
#define ct_adaptive_max_pool1d(input, output_size, ...) CT_CALL_TI_P(CT_ID(ct_k), \
    ct_adaptive_max_pool1d, input, output_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of `output_size` windows in each of the last two dims, and their indices. */
#ifndef CT_ADAPTIVE_MAX_POOL2D_WITH_INDICES_RESULT
#define CT_ADAPTIVE_MAX_POOL2D_WITH_INDICES_RESULT
struct ct_adaptive_max_pool2d_with_indices_result {
    ct_tensor *output, *indices;
};
#endif
typedef struct ct_adaptive_max_pool2d_with_indices_result ct_adaptive_max_pool2d_with_indices_result;
CT_API struct ct_adaptive_max_pool2d_with_indices_result
    ct_adaptive_max_pool2d_with_indices(ct_tensor *input, ct_ints output_size);
#ifndef __cplusplus
#define ct_adaptive_max_pool2d_with_indices(input, output_size, ...) CT_CALL_TI_P(CT_ID(ct_k), \
    ct_adaptive_max_pool2d_with_indices, input, output_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of `output_size` windows in each of the last three dims, and their indices. */
#ifndef CT_ADAPTIVE_MAX_POOL3D_WITH_INDICES_RESULT
#define CT_ADAPTIVE_MAX_POOL3D_WITH_INDICES_RESULT
struct ct_adaptive_max_pool3d_with_indices_result {
    ct_tensor *output, *indices;
};
#endif
typedef struct ct_adaptive_max_pool3d_with_indices_result ct_adaptive_max_pool3d_with_indices_result;
CT_API struct ct_adaptive_max_pool3d_with_indices_result
    ct_adaptive_max_pool3d_with_indices(ct_tensor *input, ct_ints output_size);
#ifndef __cplusplus
#define ct_adaptive_max_pool3d_with_indices(input, output_size, ...) CT_CALL_TI_P(CT_ID(ct_k), \
    ct_adaptive_max_pool3d_with_indices, input, output_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements of windows of two dims at random positions, and their indices. */
#ifndef CT_FRACTIONAL_MAX_POOL2D_RESULT
#define CT_FRACTIONAL_MAX_POOL2D_RESULT
struct ct_fractional_max_pool2d_result {
    ct_tensor *output, *indices;
};
#endif
typedef struct ct_fractional_max_pool2d_result ct_fractional_max_pool2d_result;
CT_API struct ct_fractional_max_pool2d_result ct_fractional_max_pool2d(ct_tensor *input, ct_ints
    kernel_size, ct_ints output_size, ct_tensor *_random_samples);
#ifndef __cplusplus
#define ct_fractional_max_pool2d(input, kernel_size, output_size, _random_samples) \
    CT_CALL_TIIT_P(CT_ID(ct_k), ct_fractional_max_pool2d, input, kernel_size, output_size, \
    _random_samples)
#endif

/* Returns the largest elements of windows of three dims at random positions, and their indices. */
#ifndef CT_FRACTIONAL_MAX_POOL3D_RESULT
#define CT_FRACTIONAL_MAX_POOL3D_RESULT
struct ct_fractional_max_pool3d_result {
    ct_tensor *output, *indices;
};
#endif
typedef struct ct_fractional_max_pool3d_result ct_fractional_max_pool3d_result;
CT_API struct ct_fractional_max_pool3d_result ct_fractional_max_pool3d(ct_tensor *input, ct_ints
    kernel_size, ct_ints output_size, ct_tensor *_random_samples);
#ifndef __cplusplus
#define ct_fractional_max_pool3d(input, kernel_size, output_size, _random_samples) \
    CT_CALL_TIIT_P(CT_ID(ct_k), ct_fractional_max_pool3d, input, kernel_size, output_size, \
    _random_samples)
#endif

/* Returns random numbers, uniform in [0, 1). */
struct ct_rand_args {
    size_t struct_size;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_rand_defaults { .struct_size = sizeof(struct ct_rand_args), .generator = NULL, .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_rand_ex(ct_ints size, const struct ct_rand_args *args);
#ifndef __cplusplus
#define ct_rand(size, ...) CT_CALL_I_K(CT_ID(ct_k), ct_rand, size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_rand_out_args {
    size_t struct_size;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_rand_out_defaults { .struct_size = sizeof(struct ct_rand_out_args), .generator = NULL, \
    .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_rand_out_ex(ct_tensor *out, ct_ints size, const struct ct_rand_out_args *args);
#ifndef __cplusplus
#define ct_rand_out(out, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_rand_out, out, size __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns random numbers of the standard normal distribution. */
struct ct_randn_args {
    size_t struct_size;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randn_defaults { .struct_size = sizeof(struct ct_randn_args), .generator = NULL, .dtype \
    = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_randn_ex(ct_ints size, const struct ct_randn_args *args);
#ifndef __cplusplus
#define ct_randn(size, ...) CT_CALL_I_K(CT_ID(ct_k), ct_randn, size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_randn_out_args {
    size_t struct_size;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randn_out_defaults { .struct_size = sizeof(struct ct_randn_out_args), .generator = \
    NULL, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_randn_out_ex(ct_tensor *out, ct_ints size, const struct ct_randn_out_args
    *args);
#ifndef __cplusplus
#define ct_randn_out(out, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_randn_out, out, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns random numbers, uniform in [0, 1), with the shape of `input`. */
struct ct_rand_like_args {
    size_t struct_size;
    ct_generator *generator;
    int memory_format;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_rand_like_defaults { .struct_size = sizeof(struct ct_rand_like_args), .generator = \
    NULL, .memory_format = -1, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = \
    false }
CT_API ct_tensor *ct_rand_like_ex(ct_tensor *input, const struct ct_rand_like_args *args);
#ifndef __cplusplus
#define ct_rand_like(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_rand_like, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns random numbers of the standard normal distribution, with the shape of `input`. */
struct ct_randn_like_args {
    size_t struct_size;
    ct_generator *generator;
    int memory_format;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randn_like_defaults { .struct_size = sizeof(struct ct_randn_like_args), .generator = \
    NULL, .memory_format = -1, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = \
    false }
CT_API ct_tensor *ct_randn_like_ex(ct_tensor *input, const struct ct_randn_like_args *args);
#ifndef __cplusplus
#define ct_randn_like(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_randn_like, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns random integers, uniform in [low, high). */
struct ct_randint_args {
    size_t struct_size;
    int64_t low;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randint_defaults { .struct_size = sizeof(struct ct_randint_args), .low = 0, .generator \
    = NULL, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_randint_ex(int64_t high, ct_ints size, const struct ct_randint_args *args);
#ifndef __cplusplus
#define ct_randint(high, size, ...) CT_CALL_AI_K(CT_ID(ct_k), ct_randint, high, size __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_randint_out_args {
    size_t struct_size;
    int64_t low;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randint_out_defaults { .struct_size = sizeof(struct ct_randint_out_args), .low = 0, \
    .generator = NULL, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_randint_out_ex(ct_tensor *out, int64_t high, ct_ints size, const struct
    ct_randint_out_args *args);
#ifndef __cplusplus
#define ct_randint_out(out, high, size, ...) CT_CALL_TAI_K(CT_ID(ct_k), ct_randint_out, out, high, \
    size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns random integers, uniform in [low, high), with the shape of `input`. */
struct ct_randint_like_args {
    size_t struct_size;
    int64_t low;
    ct_generator *generator;
    int memory_format;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randint_like_defaults { .struct_size = sizeof(struct ct_randint_like_args), .low = 0, \
    .generator = NULL, .memory_format = -1, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_randint_like_ex(ct_tensor *input, int64_t high, const struct
    ct_randint_like_args *args);
#ifndef __cplusplus
#define ct_randint_like(input, high, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_randint_like, input, high \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns random integers, uniform in [0, high), with the shape of `input`; `high` is a 0-d tensor. */
struct ct_randint_like_Tensor_args {
    size_t struct_size;
    ct_generator *generator;
    int memory_format;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randint_like_Tensor_defaults { .struct_size = sizeof(struct \
    ct_randint_like_Tensor_args), .generator = NULL, .memory_format = -1, .dtype = CT_NO_DTYPE, \
    .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_randint_like_Tensor_ex(ct_tensor *input, ct_tensor *high, const struct
    ct_randint_like_Tensor_args *args);
#ifndef __cplusplus
#define ct_randint_like_Tensor(input, high, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_randint_like_Tensor, \
    input, high __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns random integers, uniform in [0, high), with the shape of `input`. */
struct ct_randint_like_high_args {
    size_t struct_size;
    ct_generator *generator;
    int memory_format;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randint_like_high_defaults { .struct_size = sizeof(struct ct_randint_like_high_args), \
    .generator = NULL, .memory_format = -1, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_randint_like_high_ex(ct_tensor *input, int64_t high, const struct
    ct_randint_like_high_args *args);
#ifndef __cplusplus
#define ct_randint_like_high(input, high, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_randint_like_high, \
    input, high __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a random permutation of the integers from 0 to `n` - 1. */
struct ct_randperm_args {
    size_t struct_size;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randperm_defaults { .struct_size = sizeof(struct ct_randperm_args), .generator = NULL, \
    .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_randperm_ex(int64_t n, const struct ct_randperm_args *args);
#ifndef __cplusplus
#define ct_randperm(n, ...) CT_CALL_A_K(CT_ID(ct_k), ct_randperm, n __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_randperm_out_args {
    size_t struct_size;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_randperm_out_defaults { .struct_size = sizeof(struct ct_randperm_out_args), .generator \
    = NULL, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_randperm_out_ex(ct_tensor *out, int64_t n, const struct ct_randperm_out_args
    *args);
#ifndef __cplusplus
#define ct_randperm_out(out, n, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_randperm_out, out, n \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns 0 or 1 for each element of `input`, which is the probability of 1. */
struct ct_bernoulli_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_bernoulli_defaults { .struct_size = sizeof(struct ct_bernoulli_args), .generator = NULL \
    }
CT_API ct_tensor *ct_bernoulli_ex(ct_tensor *input, const struct ct_bernoulli_args *args);
#ifndef __cplusplus
#define ct_bernoulli(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_bernoulli, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_bernoulli_out_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_bernoulli_out_defaults { .struct_size = sizeof(struct ct_bernoulli_out_args), \
    .generator = NULL }
CT_API ct_tensor *ct_bernoulli_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_bernoulli_out_args *args);
#ifndef __cplusplus
#define ct_bernoulli_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_bernoulli_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns 0 or 1, with the shape of `input`; the probability of 1 is `p`. */
struct ct_bernoulli_p_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_bernoulli_p_defaults { .struct_size = sizeof(struct ct_bernoulli_p_args), .generator = \
    NULL }
CT_API ct_tensor *ct_bernoulli_p_ex(ct_tensor *input, double p, const struct ct_bernoulli_p_args
    *args);
#ifndef __cplusplus
#define ct_bernoulli_p(input, p, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_bernoulli_p, input, p \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns normal random numbers, with a mean and a standard deviation for each element. */
struct ct_normal_Tensor_Tensor_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_normal_Tensor_Tensor_defaults { .struct_size = sizeof(struct \
    ct_normal_Tensor_Tensor_args), .generator = NULL }
CT_API ct_tensor *ct_normal_Tensor_Tensor_ex(ct_tensor *mean, ct_tensor *std, const struct
    ct_normal_Tensor_Tensor_args *args);
#ifndef __cplusplus
#define ct_normal_Tensor_Tensor(mean, std, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_normal_Tensor_Tensor, \
    mean, std __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_normal_Tensor_Tensor_out_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_normal_Tensor_Tensor_out_defaults { .struct_size = sizeof(struct \
    ct_normal_Tensor_Tensor_out_args), .generator = NULL }
CT_API ct_tensor *ct_normal_Tensor_Tensor_out_ex(ct_tensor *out, ct_tensor *mean, ct_tensor *std,
    const struct ct_normal_Tensor_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_normal_Tensor_Tensor_out(out, mean, std, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_normal_Tensor_Tensor_out, out, mean, std __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns normal random numbers, with a mean for each element and one standard deviation. */
struct ct_normal_Tensor_float_args {
    size_t struct_size;
    double std;
    ct_generator *generator;
};
#define ct_normal_Tensor_float_defaults { .struct_size = sizeof(struct \
    ct_normal_Tensor_float_args), .std = 1, .generator = NULL }
CT_API ct_tensor *ct_normal_Tensor_float_ex(ct_tensor *mean, const struct
    ct_normal_Tensor_float_args *args);
#ifndef __cplusplus
#define ct_normal_Tensor_float(mean, ...) CT_CALL_T_K(CT_ID(ct_k), ct_normal_Tensor_float, mean \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_normal_Tensor_float_out_args {
    size_t struct_size;
    double std;
    ct_generator *generator;
};
#define ct_normal_Tensor_float_out_defaults { .struct_size = sizeof(struct \
    ct_normal_Tensor_float_out_args), .std = 1, .generator = NULL }
CT_API ct_tensor *ct_normal_Tensor_float_out_ex(ct_tensor *out, ct_tensor *mean, const struct
    ct_normal_Tensor_float_out_args *args);
#ifndef __cplusplus
#define ct_normal_Tensor_float_out(out, mean, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_normal_Tensor_float_out, out, mean __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns normal random numbers, with one mean and a standard deviation for each element. */
struct ct_normal_float_Tensor_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_normal_float_Tensor_defaults { .struct_size = sizeof(struct \
    ct_normal_float_Tensor_args), .generator = NULL }
CT_API ct_tensor *ct_normal_float_Tensor_ex(double mean, ct_tensor *std, const struct
    ct_normal_float_Tensor_args *args);
#ifndef __cplusplus
#define ct_normal_float_Tensor(mean, std, ...) CT_CALL_AT_K(CT_ID(ct_k), ct_normal_float_Tensor, \
    mean, std __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_normal_float_Tensor_out_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_normal_float_Tensor_out_defaults { .struct_size = sizeof(struct \
    ct_normal_float_Tensor_out_args), .generator = NULL }
CT_API ct_tensor *ct_normal_float_Tensor_out_ex(ct_tensor *out, double mean, ct_tensor *std, const
    struct ct_normal_float_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_normal_float_Tensor_out(out, mean, std, ...) CT_CALL_TAT_K(CT_ID(ct_k), \
    ct_normal_float_Tensor_out, out, mean, std __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns normal random numbers with one mean and one standard deviation, in the given shape. */
struct ct_normal_float_float_args {
    size_t struct_size;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_normal_float_float_defaults { .struct_size = sizeof(struct ct_normal_float_float_args), \
    .generator = NULL, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_normal_float_float_ex(double mean, double std, ct_ints size, const struct
    ct_normal_float_float_args *args);
#ifndef __cplusplus
#define ct_normal_float_float(mean, std, size, ...) CT_CALL_AAI_K(CT_ID(ct_k), \
    ct_normal_float_float, mean, std, size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_normal_float_float_out_args {
    size_t struct_size;
    ct_generator *generator;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_normal_float_float_out_defaults { .struct_size = sizeof(struct \
    ct_normal_float_float_out_args), .generator = NULL, .dtype = CT_NO_DTYPE, .device = \
    CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_normal_float_float_out_ex(ct_tensor *out, double mean, double std, ct_ints
    size, const struct ct_normal_float_float_out_args *args);
#ifndef __cplusplus
#define ct_normal_float_float_out(out, mean, std, size, ...) CT_CALL_TAAI_K(CT_ID(ct_k), \
    ct_normal_float_float_out, out, mean, std, size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Draws `num_samples` indices from each row of `input`, whose elements are the weights of the indices. */
struct ct_multinomial_args {
    size_t struct_size;
    bool replacement;
    ct_generator *generator;
};
#define ct_multinomial_defaults { .struct_size = sizeof(struct ct_multinomial_args), .replacement \
    = false, .generator = NULL }
CT_API ct_tensor *ct_multinomial_ex(ct_tensor *input, int64_t num_samples, const struct
    ct_multinomial_args *args);
#ifndef __cplusplus
#define ct_multinomial(input, num_samples, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_multinomial, input, \
    num_samples __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_multinomial_out_args {
    size_t struct_size;
    bool replacement;
    ct_generator *generator;
};
#define ct_multinomial_out_defaults { .struct_size = sizeof(struct ct_multinomial_out_args), \
    .replacement = false, .generator = NULL }
CT_API ct_tensor *ct_multinomial_out_ex(ct_tensor *out, ct_tensor *input, int64_t num_samples, const
    struct ct_multinomial_out_args *args);
#ifndef __cplusplus
#define ct_multinomial_out(out, input, num_samples, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_multinomial_out, out, input, num_samples __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Overwrites each element with 0 or 1; `p` holds the probabilities of 1. */
struct ct_bernoulli_tensor__args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_bernoulli_tensor__defaults { .struct_size = sizeof(struct ct_bernoulli_tensor__args), \
    .generator = NULL }
CT_API ct_tensor *ct_bernoulli_tensor__ex(ct_tensor *self, ct_tensor *p, const struct
    ct_bernoulli_tensor__args *args);
#ifndef __cplusplus
#define ct_bernoulli_tensor_(self, p, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_bernoulli_tensor_, self, p \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Overwrites each element with 0 or 1; the probability of 1 is `p`. */
struct ct_bernoulli__args {
    size_t struct_size;
    double p;
    ct_generator *generator;
};
#define ct_bernoulli__defaults { .struct_size = sizeof(struct ct_bernoulli__args), .p = 0.5, \
    .generator = NULL }
CT_API ct_tensor *ct_bernoulli__ex(ct_tensor *self, const struct ct_bernoulli__args *args);
#ifndef __cplusplus
#define ct_bernoulli_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_bernoulli_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Overwrites the elements with normal random numbers. */
struct ct_normal__args {
    size_t struct_size;
    double mean;
    double std;
    ct_generator *generator;
};
#define ct_normal__defaults { .struct_size = sizeof(struct ct_normal__args), .mean = 0, .std = 1, \
    .generator = NULL }
CT_API ct_tensor *ct_normal__ex(ct_tensor *self, const struct ct_normal__args *args);
#ifndef __cplusplus
#define ct_normal_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_normal_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Overwrites the elements with random numbers, uniform in [from, to). */
struct ct_uniform__args {
    size_t struct_size;
    double from;
    double to;
    ct_generator *generator;
};
#define ct_uniform__defaults { .struct_size = sizeof(struct ct_uniform__args), .from = 0, .to = 1, \
    .generator = NULL }
CT_API ct_tensor *ct_uniform__ex(ct_tensor *self, const struct ct_uniform__args *args);
#ifndef __cplusplus
#define ct_uniform_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_uniform_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Overwrites the elements with random integers, drawn by default from all that the data type represents exactly. */
struct ct_random__args {
    size_t struct_size;
    int64_t from;
    int64_t to;
    ct_generator *generator;
};
#define ct_random__defaults { .struct_size = sizeof(struct ct_random__args), .from = CT_NO_DIM, \
    .to = CT_NO_DIM, .generator = NULL }
CT_API ct_tensor *ct_random__ex(ct_tensor *self, const struct ct_random__args *args);
#ifndef __cplusplus
#define ct_random_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_random_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Overwrites the elements with random integers, uniform in [from, to), or from `from` on. */
struct ct_random_from__args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_random_from__defaults { .struct_size = sizeof(struct ct_random_from__args), .generator \
    = NULL }
CT_API ct_tensor *ct_random_from__ex(ct_tensor *self, int64_t from, int64_t to, const struct
    ct_random_from__args *args);
#ifndef __cplusplus
#define ct_random_from_(self, from, to, ...) CT_CALL_TAA_K(CT_ID(ct_k), ct_random_from_, self, \
    from, to __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Overwrites the elements with random integers, uniform in [0, to). */
struct ct_random_to__args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_random_to__defaults { .struct_size = sizeof(struct ct_random_to__args), .generator = \
    NULL }
CT_API ct_tensor *ct_random_to__ex(ct_tensor *self, int64_t to, const struct ct_random_to__args
    *args);
#ifndef __cplusplus
#define ct_random_to_(self, to, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_random_to_, self, to \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Overwrites the elements with random numbers of the exponential distribution with rate `lambd`. */
struct ct_exponential__args {
    size_t struct_size;
    double lambd;
    ct_generator *generator;
};
#define ct_exponential__defaults { .struct_size = sizeof(struct ct_exponential__args), .lambd = 1, \
    .generator = NULL }
CT_API ct_tensor *ct_exponential__ex(ct_tensor *self, const struct ct_exponential__args *args);
#ifndef __cplusplus
#define ct_exponential_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_exponential_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Overwrites each element with the number of trials up to the first success, each with probability `p`. */
struct ct_geometric__args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_geometric__defaults { .struct_size = sizeof(struct ct_geometric__args), .generator = \
    NULL }
CT_API ct_tensor *ct_geometric__ex(ct_tensor *self, double p, const struct ct_geometric__args
    *args);
#ifndef __cplusplus
#define ct_geometric_(self, p, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_geometric_, self, p __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Overwrites the elements with random numbers of a Cauchy distribution. */
struct ct_cauchy__args {
    size_t struct_size;
    double median;
    double sigma;
    ct_generator *generator;
};
#define ct_cauchy__defaults { .struct_size = sizeof(struct ct_cauchy__args), .median = 0, .sigma = \
    1, .generator = NULL }
CT_API ct_tensor *ct_cauchy__ex(ct_tensor *self, const struct ct_cauchy__args *args);
#ifndef __cplusplus
#define ct_cauchy_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_cauchy_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Overwrites the elements with random numbers of a log-normal distribution: exponentials of normal ones. */
struct ct_log_normal__args {
    size_t struct_size;
    double mean;
    double std;
    ct_generator *generator;
};
#define ct_log_normal__defaults { .struct_size = sizeof(struct ct_log_normal__args), .mean = 1, \
    .std = 2, .generator = NULL }
CT_API ct_tensor *ct_log_normal__ex(ct_tensor *self, const struct ct_log_normal__args *args);
#ifndef __cplusplus
#define ct_log_normal_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_log_normal_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns random numbers of Poisson distributions with the rates in `input`. */
struct ct_poisson_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_poisson_defaults { .struct_size = sizeof(struct ct_poisson_args), .generator = NULL }
CT_API ct_tensor *ct_poisson_ex(ct_tensor *input, const struct ct_poisson_args *args);
#ifndef __cplusplus
#define ct_poisson(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_poisson, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns random numbers of gamma distributions of rate 1 with the shapes in `input`. */
struct ct__standard_gamma_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct__standard_gamma_defaults { .struct_size = sizeof(struct ct__standard_gamma_args), \
    .generator = NULL }
CT_API ct_tensor *ct__standard_gamma_ex(ct_tensor *input, const struct ct__standard_gamma_args
    *args);
#ifndef __cplusplus
#define ct__standard_gamma(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct__standard_gamma, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns random vectors of Dirichlet distributions, along the last dim: gamma random numbers divided by their sum. */
struct ct__sample_dirichlet_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct__sample_dirichlet_defaults { .struct_size = sizeof(struct ct__sample_dirichlet_args), \
    .generator = NULL }
CT_API ct_tensor *ct__sample_dirichlet_ex(ct_tensor *input, const struct ct__sample_dirichlet_args
    *args);
#ifndef __cplusplus
#define ct__sample_dirichlet(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct__sample_dirichlet, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns random numbers of binomial distributions: the successes in `count` trials with probability `prob`. */
struct ct_binomial_args {
    size_t struct_size;
    ct_generator *generator;
};
#define ct_binomial_defaults { .struct_size = sizeof(struct ct_binomial_args), .generator = NULL }
CT_API ct_tensor *ct_binomial_ex(ct_tensor *count, ct_tensor *prob, const struct ct_binomial_args
    *args);
#ifndef __cplusplus
#define ct_binomial(count, prob, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_binomial, count, prob \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Sets elements to 0 with probability `p` and divides the others by `1 - p`, while training. */
CT_API ct_tensor *ct_dropout(ct_tensor *input, double p, bool train);
#ifndef __cplusplus
#define ct_dropout(input, p, train) CT_CALL_TAA_P(CT_ID(ct_k), ct_dropout, input, p, train)
#endif

/* Sets elements to 0 with probability `p` and divides the others by `1 - p`, while training. */
CT_API ct_tensor *ct_dropout_(ct_tensor *self, double p, bool train);
#ifndef __cplusplus
#define ct_dropout_(self, p, train) CT_CALL_TAA_P(CT_ID(ct_k), ct_dropout_, self, p, train)
#endif

/* Sets whole channels to 0 with probability `p` and divides the others by `1 - p`, while training. */
CT_API ct_tensor *ct_feature_dropout(ct_tensor *input, double p, bool train);
#ifndef __cplusplus
#define ct_feature_dropout(input, p, train) CT_CALL_TAA_P(CT_ID(ct_k), ct_feature_dropout, input, \
    p, train)
#endif

/* Sets whole channels to 0 with probability `p` and divides the others by `1 - p`, while training. */
CT_API ct_tensor *ct_feature_dropout_(ct_tensor *self, double p, bool train);
#ifndef __cplusplus
#define ct_feature_dropout_(self, p, train) CT_CALL_TAA_P(CT_ID(ct_k), ct_feature_dropout_, self, \
    p, train)
#endif

/* Computes a dropout that preserves mean and variance: dropped elements become the negative limit of SELU, and all are rescaled. */
CT_API ct_tensor *ct_alpha_dropout(ct_tensor *input, double p, bool train);
#ifndef __cplusplus
#define ct_alpha_dropout(input, p, train) CT_CALL_TAA_P(CT_ID(ct_k), ct_alpha_dropout, input, p, \
    train)
#endif

/* Computes a dropout that preserves mean and variance: dropped elements become the negative limit of SELU, and all are rescaled. */
CT_API ct_tensor *ct_alpha_dropout_(ct_tensor *self, double p, bool train);
#ifndef __cplusplus
#define ct_alpha_dropout_(self, p, train) CT_CALL_TAA_P(CT_ID(ct_k), ct_alpha_dropout_, self, p, \
    train)
#endif

/* Computes `alpha_dropout` of whole channels. */
CT_API ct_tensor *ct_feature_alpha_dropout(ct_tensor *input, double p, bool train);
#ifndef __cplusplus
#define ct_feature_alpha_dropout(input, p, train) CT_CALL_TAA_P(CT_ID(ct_k), \
    ct_feature_alpha_dropout, input, p, train)
#endif

/* Computes `alpha_dropout` of whole channels. */
CT_API ct_tensor *ct_feature_alpha_dropout_(ct_tensor *self, double p, bool train);
#ifndef __cplusplus
#define ct_feature_alpha_dropout_(self, p, train) CT_CALL_TAA_P(CT_ID(ct_k), \
    ct_feature_alpha_dropout_, self, p, train)
#endif

/* Computes dropout; also returns the mask of the elements that were kept. */
#ifndef CT_NATIVE_DROPOUT_RESULT
#define CT_NATIVE_DROPOUT_RESULT
struct ct_native_dropout_result {
    ct_tensor *output, *mask;
};
#endif
typedef struct ct_native_dropout_result ct_native_dropout_result;
CT_API struct ct_native_dropout_result ct_native_dropout(ct_tensor *input, double p, int train);
#ifndef __cplusplus
#define ct_native_dropout(input, p, train) CT_CALL_TAA_P(CT_ID(ct_k), ct_native_dropout, input, p, \
    train)
#endif

/* Reverses the order of the elements along dims, as a copy. */
CT_API ct_tensor *ct_flip(ct_tensor *input, ct_ints dims);
#ifndef __cplusplus
#define ct_flip(input, dims, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_flip, input, dims __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Reverses the order of the elements along the second dim, as a copy. */
CT_API ct_tensor *ct_fliplr(ct_tensor *input);
#ifndef __cplusplus
#define ct_fliplr(input) CT_CALL_T_P(CT_ID(ct_k), ct_fliplr, input)
#endif

/* Reverses the order of the elements along the first dim, as a copy. */
CT_API ct_tensor *ct_flipud(ct_tensor *input);
#ifndef __cplusplus
#define ct_flipud(input) CT_CALL_T_P(CT_ID(ct_k), ct_flipud, input)
#endif

/* Moves the elements along dims; those that leave at one end enter at the other. */
struct ct_roll_args {
    size_t struct_size;
    ct_ints dims;
};
#define ct_roll_defaults { .struct_size = sizeof(struct ct_roll_args), .dims = CT_INTS() }
CT_API ct_tensor *ct_roll_ex(ct_tensor *input, ct_ints shifts, const struct ct_roll_args *args);
#ifndef __cplusplus
#define ct_roll(input, shifts, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_roll, input, shifts __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Rotates the plane of two dims by `k` times 90 degrees. */
struct ct_rot90_args {
    size_t struct_size;
    int64_t k;
    ct_ints dims;
};
#define ct_rot90_defaults { .struct_size = sizeof(struct ct_rot90_args), .k = 1, .dims = \
    CT_INTS(0, 1) }
CT_API ct_tensor *ct_rot90_ex(ct_tensor *input, const struct ct_rot90_args *args);
#ifndef __cplusplus
#define ct_rot90(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_rot90, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Repeats the tensor along each dim, as a copy. */
CT_API ct_tensor *ct_repeat(ct_tensor *input, ct_ints repeats);
#ifndef __cplusplus
#define ct_repeat(input, repeats, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_repeat, input, repeats \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Repeats the tensor along each dim; missing leading counts are 1. */
CT_API ct_tensor *ct_tile(ct_tensor *input, ct_ints dims);
#ifndef __cplusplus
#define ct_tile(input, dims, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_tile, input, dims __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Repeats element i along `dim` `repeats[i]` times; without `dim`, the elements of the flattened tensor. */
struct ct_repeat_interleave_self_Tensor_args {
    size_t struct_size;
    int64_t dim;
    int64_t output_size;
};
#define ct_repeat_interleave_self_Tensor_defaults { .struct_size = sizeof(struct \
    ct_repeat_interleave_self_Tensor_args), .dim = CT_NO_DIM, .output_size = CT_NO_DIM }
CT_API ct_tensor *ct_repeat_interleave_self_Tensor_ex(ct_tensor *input, ct_tensor *repeats, const
    struct ct_repeat_interleave_self_Tensor_args *args);
#ifndef __cplusplus
#define ct_repeat_interleave_self_Tensor(input, repeats, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_repeat_interleave_self_Tensor, input, repeats __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns index i `repeats[i]` times, for all i in order. */
struct ct_repeat_interleave_Tensor_args {
    size_t struct_size;
    int64_t output_size;
};
#define ct_repeat_interleave_Tensor_defaults { .struct_size = sizeof(struct \
    ct_repeat_interleave_Tensor_args), .output_size = CT_NO_DIM }
CT_API ct_tensor *ct_repeat_interleave_Tensor_ex(ct_tensor *repeats, const struct
    ct_repeat_interleave_Tensor_args *args);
#ifndef __cplusplus
#define ct_repeat_interleave_Tensor(repeats, ...) CT_CALL_T_K(CT_ID(ct_k), \
    ct_repeat_interleave_Tensor, repeats __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Repeats each element along `dim` `repeats` times; without `dim`, the elements of the flattened tensor. */
struct ct_repeat_interleave_self_int_args {
    size_t struct_size;
    int64_t dim;
    int64_t output_size;
};
#define ct_repeat_interleave_self_int_defaults { .struct_size = sizeof(struct \
    ct_repeat_interleave_self_int_args), .dim = CT_NO_DIM, .output_size = CT_NO_DIM }
CT_API ct_tensor *ct_repeat_interleave_self_int_ex(ct_tensor *input, int64_t repeats, const struct
    ct_repeat_interleave_self_int_args *args);
#ifndef __cplusplus
#define ct_repeat_interleave_self_int(input, repeats, ...) CT_CALL_TA_K(CT_ID(ct_k), \
    ct_repeat_interleave_self_int, input, repeats __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Rearranges channels into pixels: (..., c * r * r, h, w) becomes (..., c, h * r, w * r). */
CT_API ct_tensor *ct_pixel_shuffle(ct_tensor *input, int64_t upscale_factor);
#ifndef __cplusplus
#define ct_pixel_shuffle(input, upscale_factor) CT_CALL_TA_P(CT_ID(ct_k), ct_pixel_shuffle, input, \
    upscale_factor)
#endif

/* Rearranges pixels into channels; the inverse of `pixel_shuffle`. */
CT_API ct_tensor *ct_pixel_unshuffle(ct_tensor *input, int64_t downscale_factor);
#ifndef __cplusplus
#define ct_pixel_unshuffle(input, downscale_factor) CT_CALL_TA_P(CT_ID(ct_k), ct_pixel_unshuffle, \
    input, downscale_factor)
#endif

/* Divides the channels into `groups` and interleaves them. */
CT_API ct_tensor *ct_channel_shuffle(ct_tensor *input, int64_t groups);
#ifndef __cplusplus
#define ct_channel_shuffle(input, groups) CT_CALL_TA_P(CT_ID(ct_k), ct_channel_shuffle, input, \
    groups)
#endif

/* Computes a long short-term memory network over packed sequences. */
#ifndef CT_LSTM_DATA_RESULT
#define CT_LSTM_DATA_RESULT
struct ct_lstm_data_result {
    ct_tensor *output, *h_n, *c_n;
};
#endif
typedef struct ct_lstm_data_result ct_lstm_data_result;
CT_API struct ct_lstm_data_result ct_lstm_data(ct_tensor *data, ct_tensor *batch_sizes, ct_list hx,
    ct_list params, bool has_biases, int64_t num_layers, double dropout, bool train, bool
    bidirectional);
#ifndef __cplusplus
#define ct_lstm_data(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, \
    bidirectional) CT_CALL_TTLLAAAAA_P(CT_ID(ct_k), ct_lstm_data, data, batch_sizes, hx, params, \
    has_biases, num_layers, dropout, train, bidirectional)
#endif

/* Computes a long short-term memory network over sequences. */
#ifndef CT_LSTM_RESULT
#define CT_LSTM_RESULT
struct ct_lstm_result {
    ct_tensor *output, *h_n, *c_n;
};
#endif
typedef struct ct_lstm_result ct_lstm_result;
CT_API struct ct_lstm_result ct_lstm(ct_tensor *input, ct_list hx, ct_list params, bool has_biases,
    int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
#ifndef __cplusplus
#define ct_lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, \
    batch_first) CT_CALL_TLLAAAAAA_P(CT_ID(ct_k), ct_lstm, input, hx, params, has_biases, \
    num_layers, dropout, train, bidirectional, batch_first)
#endif

/* Computes a network of gated recurrent units over packed sequences. */
#ifndef CT_GRU_DATA_RESULT
#define CT_GRU_DATA_RESULT
struct ct_gru_data_result {
    ct_tensor *output, *h_n;
};
#endif
typedef struct ct_gru_data_result ct_gru_data_result;
CT_API struct ct_gru_data_result ct_gru_data(ct_tensor *data, ct_tensor *batch_sizes, ct_tensor *hx,
    ct_list params, bool has_biases, int64_t num_layers, double dropout, bool train, bool
    bidirectional);
#ifndef __cplusplus
#define ct_gru_data(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, \
    bidirectional) CT_CALL_TTTLAAAAA_P(CT_ID(ct_k), ct_gru_data, data, batch_sizes, hx, params, \
    has_biases, num_layers, dropout, train, bidirectional)
#endif

/* Computes a network of gated recurrent units over sequences. */
#ifndef CT_GRU_RESULT
#define CT_GRU_RESULT
struct ct_gru_result {
    ct_tensor *output, *h_n;
};
#endif
typedef struct ct_gru_result ct_gru_result;
CT_API struct ct_gru_result ct_gru(ct_tensor *input, ct_tensor *hx, ct_list params, bool has_biases,
    int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
#ifndef __cplusplus
#define ct_gru(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, \
    batch_first) CT_CALL_TTLAAAAAA_P(CT_ID(ct_k), ct_gru, input, hx, params, has_biases, \
    num_layers, dropout, train, bidirectional, batch_first)
#endif

/* Computes an Elman network with tanh over packed sequences. */
#ifndef CT_RNN_TANH_DATA_RESULT
#define CT_RNN_TANH_DATA_RESULT
struct ct_rnn_tanh_data_result {
    ct_tensor *output, *h_n;
};
#endif
typedef struct ct_rnn_tanh_data_result ct_rnn_tanh_data_result;
CT_API struct ct_rnn_tanh_data_result ct_rnn_tanh_data(ct_tensor *data, ct_tensor *batch_sizes,
    ct_tensor *hx, ct_list params, bool has_biases, int64_t num_layers, double dropout, bool train,
    bool bidirectional);
#ifndef __cplusplus
#define ct_rnn_tanh_data(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, \
    bidirectional) CT_CALL_TTTLAAAAA_P(CT_ID(ct_k), ct_rnn_tanh_data, data, batch_sizes, hx, \
    params, has_biases, num_layers, dropout, train, bidirectional)
#endif

/* Computes an Elman network with relu over packed sequences. */
#ifndef CT_RNN_RELU_DATA_RESULT
#define CT_RNN_RELU_DATA_RESULT
struct ct_rnn_relu_data_result {
    ct_tensor *output, *h_n;
};
#endif
typedef struct ct_rnn_relu_data_result ct_rnn_relu_data_result;
CT_API struct ct_rnn_relu_data_result ct_rnn_relu_data(ct_tensor *data, ct_tensor *batch_sizes,
    ct_tensor *hx, ct_list params, bool has_biases, int64_t num_layers, double dropout, bool train,
    bool bidirectional);
#ifndef __cplusplus
#define ct_rnn_relu_data(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, \
    bidirectional) CT_CALL_TTTLAAAAA_P(CT_ID(ct_k), ct_rnn_relu_data, data, batch_sizes, hx, \
    params, has_biases, num_layers, dropout, train, bidirectional)
#endif

/* Computes an Elman network with tanh over sequences. */
#ifndef CT_RNN_TANH_RESULT
#define CT_RNN_TANH_RESULT
struct ct_rnn_tanh_result {
    ct_tensor *output, *h_n;
};
#endif
typedef struct ct_rnn_tanh_result ct_rnn_tanh_result;
CT_API struct ct_rnn_tanh_result ct_rnn_tanh(ct_tensor *input, ct_tensor *hx, ct_list params, bool
    has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool
    batch_first);
#ifndef __cplusplus
#define ct_rnn_tanh(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, \
    batch_first) CT_CALL_TTLAAAAAA_P(CT_ID(ct_k), ct_rnn_tanh, input, hx, params, has_biases, \
    num_layers, dropout, train, bidirectional, batch_first)
#endif

/* Computes an Elman network with relu over sequences. */
#ifndef CT_RNN_RELU_RESULT
#define CT_RNN_RELU_RESULT
struct ct_rnn_relu_result {
    ct_tensor *output, *h_n;
};
#endif
typedef struct ct_rnn_relu_result ct_rnn_relu_result;
CT_API struct ct_rnn_relu_result ct_rnn_relu(ct_tensor *input, ct_tensor *hx, ct_list params, bool
    has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool
    batch_first);
#ifndef __cplusplus
#define ct_rnn_relu(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, \
    batch_first) CT_CALL_TTLAAAAAA_P(CT_ID(ct_k), ct_rnn_relu, input, hx, params, has_biases, \
    num_layers, dropout, train, bidirectional, batch_first)
#endif

/* Computes one step of a long short-term memory cell: the next state and cell. */
#ifndef CT_LSTM_CELL_RESULT
#define CT_LSTM_CELL_RESULT
struct ct_lstm_cell_result {
    ct_tensor *h, *c;
};
#endif
typedef struct ct_lstm_cell_result ct_lstm_cell_result;
struct ct_lstm_cell_args {
    size_t struct_size;
    ct_tensor *b_ih;
    ct_tensor *b_hh;
};
#define ct_lstm_cell_defaults { .struct_size = sizeof(struct ct_lstm_cell_args), .b_ih = \
    CT_NO_TENSOR, .b_hh = CT_NO_TENSOR }
CT_API struct ct_lstm_cell_result ct_lstm_cell_ex(ct_tensor *input, ct_list hx, ct_tensor *w_ih,
    ct_tensor *w_hh, const struct ct_lstm_cell_args *args);
#ifndef __cplusplus
#define ct_lstm_cell(input, hx, w_ih, w_hh, ...) CT_CALL_TLTT_K(CT_ID(ct_k), ct_lstm_cell, input, \
    hx, w_ih, w_hh __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes one step of a gated recurrent unit: the next state. */
struct ct_gru_cell_args {
    size_t struct_size;
    ct_tensor *b_ih;
    ct_tensor *b_hh;
};
#define ct_gru_cell_defaults { .struct_size = sizeof(struct ct_gru_cell_args), .b_ih = \
    CT_NO_TENSOR, .b_hh = CT_NO_TENSOR }
CT_API ct_tensor *ct_gru_cell_ex(ct_tensor *input, ct_tensor *hx, ct_tensor *w_ih, ct_tensor *w_hh,
    const struct ct_gru_cell_args *args);
#ifndef __cplusplus
#define ct_gru_cell(input, hx, w_ih, w_hh, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_gru_cell, input, \
    hx, w_ih, w_hh __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes one step of an Elman network with tanh: the next state. */
struct ct_rnn_tanh_cell_args {
    size_t struct_size;
    ct_tensor *b_ih;
    ct_tensor *b_hh;
};
#define ct_rnn_tanh_cell_defaults { .struct_size = sizeof(struct ct_rnn_tanh_cell_args), .b_ih = \
    CT_NO_TENSOR, .b_hh = CT_NO_TENSOR }
CT_API ct_tensor *ct_rnn_tanh_cell_ex(ct_tensor *input, ct_tensor *hx, ct_tensor *w_ih, ct_tensor
    *w_hh, const struct ct_rnn_tanh_cell_args *args);
#ifndef __cplusplus
#define ct_rnn_tanh_cell(input, hx, w_ih, w_hh, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_rnn_tanh_cell, \
    input, hx, w_ih, w_hh __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes one step of an Elman network with relu: the next state. */
struct ct_rnn_relu_cell_args {
    size_t struct_size;
    ct_tensor *b_ih;
    ct_tensor *b_hh;
};
#define ct_rnn_relu_cell_defaults { .struct_size = sizeof(struct ct_rnn_relu_cell_args), .b_ih = \
    CT_NO_TENSOR, .b_hh = CT_NO_TENSOR }
CT_API ct_tensor *ct_rnn_relu_cell_ex(ct_tensor *input, ct_tensor *hx, ct_tensor *w_ih, ct_tensor
    *w_hh, const struct ct_rnn_relu_cell_args *args);
#ifndef __cplusplus
#define ct_rnn_relu_cell(input, hx, w_ih, w_hh, ...) CT_CALL_TTTT_K(CT_ID(ct_k), ct_rnn_relu_cell, \
    input, hx, w_ih, w_hh __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the elements of padded sequences, ordered by time step, and the number of sequences that reach each step. */
#ifndef CT__PACK_PADDED_SEQUENCE_RESULT
#define CT__PACK_PADDED_SEQUENCE_RESULT
struct ct__pack_padded_sequence_result {
    ct_tensor *data, *batch_sizes;
};
#endif
typedef struct ct__pack_padded_sequence_result ct__pack_padded_sequence_result;
CT_API struct ct__pack_padded_sequence_result ct__pack_padded_sequence(ct_tensor *input, ct_tensor
    *lengths, bool batch_first);
#ifndef __cplusplus
#define ct__pack_padded_sequence(input, lengths, batch_first) CT_CALL_TTA_P(CT_ID(ct_k), \
    ct__pack_padded_sequence, input, lengths, batch_first)
#endif

/* Returns padded sequences, and their lengths, from packed ones. */
#ifndef CT__PAD_PACKED_SEQUENCE_RESULT
#define CT__PAD_PACKED_SEQUENCE_RESULT
struct ct__pad_packed_sequence_result {
    ct_tensor *output, *lengths;
};
#endif
typedef struct ct__pad_packed_sequence_result ct__pad_packed_sequence_result;
CT_API struct ct__pad_packed_sequence_result ct__pad_packed_sequence_ex(ct_tensor *data, ct_tensor
    *batch_sizes, bool batch_first, ct_value padding_value, int64_t total_length);
#ifndef __cplusplus
#define ct__pad_packed_sequence(data, batch_sizes, batch_first, padding_value, total_length) \
    CT_CALL_TTAVA(CT_ID(ct_k), ct__pad_packed_sequence, data, batch_sizes, batch_first, \
    padding_value, total_length)
#endif

/* Returns the sum of all elements, or the sums over dims. */
struct ct_sum_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_sum_defaults { .struct_size = sizeof(struct ct_sum_args), .dim = CT_NO_DIMS, .keepdim = \
    false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_sum_ex(ct_tensor *input, const struct ct_sum_args *args);
#ifndef __cplusplus
#define ct_sum(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_sum, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_sum_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_sum_out_defaults { .struct_size = sizeof(struct ct_sum_out_args), .dim = CT_NO_DIMS, \
    .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_sum_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_sum_out_args
    *args);
#ifndef __cplusplus
#define ct_sum_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_sum_out, out, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns the sum of all elements that are not NaN, or the sums over dims. */
struct ct_nansum_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_nansum_defaults { .struct_size = sizeof(struct ct_nansum_args), .dim = CT_NO_DIMS, \
    .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_nansum_ex(ct_tensor *input, const struct ct_nansum_args *args);
#ifndef __cplusplus
#define ct_nansum(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_nansum, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_nansum_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_nansum_out_defaults { .struct_size = sizeof(struct ct_nansum_out_args), .dim = \
    CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_nansum_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_nansum_out_args
    *args);
#ifndef __cplusplus
#define ct_nansum_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_nansum_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the mean of all elements, or the means over dims. */
struct ct_mean_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_mean_defaults { .struct_size = sizeof(struct ct_mean_args), .dim = CT_NO_DIMS, .keepdim \
    = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_mean_ex(ct_tensor *input, const struct ct_mean_args *args);
#ifndef __cplusplus
#define ct_mean(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_mean, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_mean_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_mean_out_defaults { .struct_size = sizeof(struct ct_mean_out_args), .dim = CT_NO_DIMS, \
    .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_mean_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_mean_out_args
    *args);
#ifndef __cplusplus
#define ct_mean_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_mean_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the mean of all elements that are not NaN, or the means over dims. */
struct ct_nanmean_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_nanmean_defaults { .struct_size = sizeof(struct ct_nanmean_args), .dim = CT_NO_DIMS, \
    .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_nanmean_ex(ct_tensor *input, const struct ct_nanmean_args *args);
#ifndef __cplusplus
#define ct_nanmean(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_nanmean, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_nanmean_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_nanmean_out_defaults { .struct_size = sizeof(struct ct_nanmean_out_args), .dim = \
    CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_nanmean_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_nanmean_out_args *args);
#ifndef __cplusplus
#define ct_nanmean_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_nanmean_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the product of all elements, or the products over one dim. */
struct ct_prod_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_prod_defaults { .struct_size = sizeof(struct ct_prod_args), .dim = CT_NO_DIM, .keepdim \
    = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_prod_ex(ct_tensor *input, const struct ct_prod_args *args);
#ifndef __cplusplus
#define ct_prod(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_prod, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_prod_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_prod_out_defaults { .struct_size = sizeof(struct ct_prod_out_args), .dim = CT_NO_DIM, \
    .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_prod_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_prod_out_args
    *args);
#ifndef __cplusplus
#define ct_prod_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_prod_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest elements over dims; equal ones share the gradient. */
struct ct_amax_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
};
#define ct_amax_defaults { .struct_size = sizeof(struct ct_amax_args), .dim = CT_INTS(), .keepdim \
    = false }
CT_API ct_tensor *ct_amax_ex(ct_tensor *input, const struct ct_amax_args *args);
#ifndef __cplusplus
#define ct_amax(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_amax, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_amax_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
};
#define ct_amax_out_defaults { .struct_size = sizeof(struct ct_amax_out_args), .dim = CT_INTS(), \
    .keepdim = false }
CT_API ct_tensor *ct_amax_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_amax_out_args
    *args);
#ifndef __cplusplus
#define ct_amax_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_amax_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the smallest elements over dims; equal ones share the gradient. */
struct ct_amin_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
};
#define ct_amin_defaults { .struct_size = sizeof(struct ct_amin_args), .dim = CT_INTS(), .keepdim \
    = false }
CT_API ct_tensor *ct_amin_ex(ct_tensor *input, const struct ct_amin_args *args);
#ifndef __cplusplus
#define ct_amin(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_amin, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_amin_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
};
#define ct_amin_out_defaults { .struct_size = sizeof(struct ct_amin_out_args), .dim = CT_INTS(), \
    .keepdim = false }
CT_API ct_tensor *ct_amin_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_amin_out_args
    *args);
#ifndef __cplusplus
#define ct_amin_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_amin_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the smallest and the largest of all elements, or of those along a dim. */
#ifndef CT_AMINMAX_RESULT
#define CT_AMINMAX_RESULT
struct ct_aminmax_result {
    ct_tensor *min, *max;
};
#endif
typedef struct ct_aminmax_result ct_aminmax_result;
struct ct_aminmax_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_aminmax_defaults { .struct_size = sizeof(struct ct_aminmax_args), .dim = CT_NO_DIM, \
    .keepdim = false }
CT_API struct ct_aminmax_result ct_aminmax_ex(ct_tensor *input, const struct ct_aminmax_args *args);
#ifndef __cplusplus
#define ct_aminmax(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_aminmax, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_aminmax_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_aminmax_out_defaults { .struct_size = sizeof(struct ct_aminmax_out_args), .dim = \
    CT_NO_DIM, .keepdim = false }
CT_API bool ct_aminmax_out_ex(ct_tensor *out_min, ct_tensor *out_max, ct_tensor *input, const struct
    ct_aminmax_out_args *args);
#ifndef __cplusplus
#define ct_aminmax_out(out_min, out_max, input, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_aminmax_out, \
    out_min, out_max, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the index of the largest of all elements, or of those along a dim. */
struct ct_argmax_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_argmax_defaults { .struct_size = sizeof(struct ct_argmax_args), .dim = CT_NO_DIM, \
    .keepdim = false }
CT_API ct_tensor *ct_argmax_ex(ct_tensor *input, const struct ct_argmax_args *args);
#ifndef __cplusplus
#define ct_argmax(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_argmax, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_argmax_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_argmax_out_defaults { .struct_size = sizeof(struct ct_argmax_out_args), .dim = \
    CT_NO_DIM, .keepdim = false }
CT_API ct_tensor *ct_argmax_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_argmax_out_args
    *args);
#ifndef __cplusplus
#define ct_argmax_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_argmax_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the index of the smallest of all elements, or of those along a dim. */
struct ct_argmin_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_argmin_defaults { .struct_size = sizeof(struct ct_argmin_args), .dim = CT_NO_DIM, \
    .keepdim = false }
CT_API ct_tensor *ct_argmin_ex(ct_tensor *input, const struct ct_argmin_args *args);
#ifndef __cplusplus
#define ct_argmin(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_argmin, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_argmin_out_args {
    size_t struct_size;
    int64_t dim;
    bool keepdim;
};
#define ct_argmin_out_defaults { .struct_size = sizeof(struct ct_argmin_out_args), .dim = \
    CT_NO_DIM, .keepdim = false }
CT_API ct_tensor *ct_argmin_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_argmin_out_args
    *args);
#ifndef __cplusplus
#define ct_argmin_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_argmin_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest of all elements. */
CT_API ct_tensor *ct_max(ct_tensor *input);
#ifndef __cplusplus
#define ct_max(input) CT_CALL_T_P(CT_ID(ct_k), ct_max, input)
#endif
CT_API ct_tensor *ct_max_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_max_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_max_out, out, input)
#endif

/* Returns the larger of each two elements, as `maximum` does. */
CT_API ct_tensor *ct_max_other(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_max_other(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_max_other, input, other)
#endif
CT_API ct_tensor *ct_max_other_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_max_other_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_max_other_out, out, \
    input, other)
#endif

/* Returns the largest elements along a dim, and their indices. */
#ifndef CT_MAX_DIM_RESULT
#define CT_MAX_DIM_RESULT
struct ct_max_dim_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_max_dim_result ct_max_dim_result;
struct ct_max_dim_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_max_dim_defaults { .struct_size = sizeof(struct ct_max_dim_args), .keepdim = false }
CT_API struct ct_max_dim_result ct_max_dim_ex(ct_tensor *input, int64_t dim, const struct
    ct_max_dim_args *args);
#ifndef __cplusplus
#define ct_max_dim(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_max_dim, input, dim __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_max_dim_out_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_max_dim_out_defaults { .struct_size = sizeof(struct ct_max_dim_out_args), .keepdim = \
    false }
CT_API bool ct_max_dim_out_ex(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input,
    int64_t dim, const struct ct_max_dim_out_args *args);
#ifndef __cplusplus
#define ct_max_dim_out(out_values, out_indices, input, dim, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_max_dim_out, out_values, out_indices, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the smallest of all elements. */
CT_API ct_tensor *ct_min(ct_tensor *input);
#ifndef __cplusplus
#define ct_min(input) CT_CALL_T_P(CT_ID(ct_k), ct_min, input)
#endif
CT_API ct_tensor *ct_min_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_min_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_min_out, out, input)
#endif

/* Returns the smaller of each two elements, as `minimum` does. */
CT_API ct_tensor *ct_min_other(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_min_other(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_min_other, input, other)
#endif
CT_API ct_tensor *ct_min_other_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_min_other_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_min_other_out, out, \
    input, other)
#endif

/* Returns the smallest elements along a dim, and their indices. */
#ifndef CT_MIN_DIM_RESULT
#define CT_MIN_DIM_RESULT
struct ct_min_dim_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_min_dim_result ct_min_dim_result;
struct ct_min_dim_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_min_dim_defaults { .struct_size = sizeof(struct ct_min_dim_args), .keepdim = false }
CT_API struct ct_min_dim_result ct_min_dim_ex(ct_tensor *input, int64_t dim, const struct
    ct_min_dim_args *args);
#ifndef __cplusplus
#define ct_min_dim(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_min_dim, input, dim __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_min_dim_out_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_min_dim_out_defaults { .struct_size = sizeof(struct ct_min_dim_out_args), .keepdim = \
    false }
CT_API bool ct_min_dim_out_ex(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input,
    int64_t dim, const struct ct_min_dim_out_args *args);
#ifndef __cplusplus
#define ct_min_dim_out(out_values, out_indices, input, dim, ...) CT_CALL_TTTA_K(CT_ID(ct_k), \
    ct_min_dim_out, out_values, out_indices, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns whether any element is nonzero, among all elements or over dims. */
struct ct_any_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
};
#define ct_any_defaults { .struct_size = sizeof(struct ct_any_args), .dim = CT_NO_DIMS, .keepdim = \
    false }
CT_API ct_tensor *ct_any_ex(ct_tensor *input, const struct ct_any_args *args);
#ifndef __cplusplus
#define ct_any(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_any, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_any_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
};
#define ct_any_out_defaults { .struct_size = sizeof(struct ct_any_out_args), .dim = CT_NO_DIMS, \
    .keepdim = false }
CT_API ct_tensor *ct_any_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_any_out_args
    *args);
#ifndef __cplusplus
#define ct_any_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_any_out, out, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns whether every element is nonzero, among all elements or over dims. */
struct ct_all_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
};
#define ct_all_defaults { .struct_size = sizeof(struct ct_all_args), .dim = CT_NO_DIMS, .keepdim = \
    false }
CT_API ct_tensor *ct_all_ex(ct_tensor *input, const struct ct_all_args *args);
#ifndef __cplusplus
#define ct_all(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_all, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_all_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
};
#define ct_all_out_defaults { .struct_size = sizeof(struct ct_all_out_args), .dim = CT_NO_DIMS, \
    .keepdim = false }
CT_API ct_tensor *ct_all_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_all_out_args
    *args);
#ifndef __cplusplus
#define ct_all_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_all_out, out, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns the variance and the mean over dims; `unbiased` subtracts 1 from the divisor. */
#ifndef CT_VAR_MEAN_UNBIASED_DIM_RESULT
#define CT_VAR_MEAN_UNBIASED_DIM_RESULT
struct ct_var_mean_unbiased_dim_result {
    ct_tensor *var, *mean;
};
#endif
typedef struct ct_var_mean_unbiased_dim_result ct_var_mean_unbiased_dim_result;
struct ct_var_mean_unbiased_dim_args {
    size_t struct_size;
    bool unbiased;
    bool keepdim;
};
#define ct_var_mean_unbiased_dim_defaults { .struct_size = sizeof(struct \
    ct_var_mean_unbiased_dim_args), .unbiased = true, .keepdim = false }
CT_API struct ct_var_mean_unbiased_dim_result ct_var_mean_unbiased_dim_ex(ct_tensor *input, ct_ints
    dim, const struct ct_var_mean_unbiased_dim_args *args);
#ifndef __cplusplus
#define ct_var_mean_unbiased_dim(input, dim, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_var_mean_unbiased_dim, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the variance and the mean of all elements, or over dims. */
#ifndef CT_VAR_MEAN_RESULT
#define CT_VAR_MEAN_RESULT
struct ct_var_mean_result {
    ct_tensor *var, *mean;
};
#endif
typedef struct ct_var_mean_result ct_var_mean_result;
struct ct_var_mean_args {
    size_t struct_size;
    ct_ints dim;
    double correction;
    bool keepdim;
};
#define ct_var_mean_defaults { .struct_size = sizeof(struct ct_var_mean_args), .dim = CT_NO_DIMS, \
    .correction = CT_NO_NUMBER, .keepdim = false }
CT_API struct ct_var_mean_result ct_var_mean_ex(ct_tensor *input, const struct ct_var_mean_args
    *args);
#ifndef __cplusplus
#define ct_var_mean(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_var_mean, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the variance and the mean of all elements; `unbiased` subtracts 1 from the divisor. */
#ifndef CT_VAR_MEAN_UNBIASED_RESULT
#define CT_VAR_MEAN_UNBIASED_RESULT
struct ct_var_mean_unbiased_result {
    ct_tensor *var, *mean;
};
#endif
typedef struct ct_var_mean_unbiased_result ct_var_mean_unbiased_result;
struct ct_var_mean_unbiased_args {
    size_t struct_size;
    bool unbiased;
};
#define ct_var_mean_unbiased_defaults { .struct_size = sizeof(struct ct_var_mean_unbiased_args), \
    .unbiased = true }
CT_API struct ct_var_mean_unbiased_result ct_var_mean_unbiased_ex(ct_tensor *input, const struct
    ct_var_mean_unbiased_args *args);
#ifndef __cplusplus
#define ct_var_mean_unbiased(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_var_mean_unbiased, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the variance over dims; `unbiased` subtracts 1 from the divisor. */
struct ct_var_unbiased_dim_args {
    size_t struct_size;
    bool unbiased;
    bool keepdim;
};
#define ct_var_unbiased_dim_defaults { .struct_size = sizeof(struct ct_var_unbiased_dim_args), \
    .unbiased = true, .keepdim = false }
CT_API ct_tensor *ct_var_unbiased_dim_ex(ct_tensor *input, ct_ints dim, const struct
    ct_var_unbiased_dim_args *args);
#ifndef __cplusplus
#define ct_var_unbiased_dim(input, dim, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_var_unbiased_dim, input, \
    dim __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_var_unbiased_dim_out_args {
    size_t struct_size;
    bool unbiased;
    bool keepdim;
};
#define ct_var_unbiased_dim_out_defaults { .struct_size = sizeof(struct \
    ct_var_unbiased_dim_out_args), .unbiased = true, .keepdim = false }
CT_API ct_tensor *ct_var_unbiased_dim_out_ex(ct_tensor *out, ct_tensor *input, ct_ints dim, const
    struct ct_var_unbiased_dim_out_args *args);
#ifndef __cplusplus
#define ct_var_unbiased_dim_out(out, input, dim, ...) CT_CALL_TTI_K(CT_ID(ct_k), \
    ct_var_unbiased_dim_out, out, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the variance of all elements, or the variances over dims. */
struct ct_var_args {
    size_t struct_size;
    ct_ints dim;
    double correction;
    bool keepdim;
};
#define ct_var_defaults { .struct_size = sizeof(struct ct_var_args), .dim = CT_NO_DIMS, \
    .correction = CT_NO_NUMBER, .keepdim = false }
CT_API ct_tensor *ct_var_ex(ct_tensor *input, const struct ct_var_args *args);
#ifndef __cplusplus
#define ct_var(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_var, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_var_out_args {
    size_t struct_size;
    ct_ints dim;
    double correction;
    bool keepdim;
};
#define ct_var_out_defaults { .struct_size = sizeof(struct ct_var_out_args), .dim = CT_NO_DIMS, \
    .correction = CT_NO_NUMBER, .keepdim = false }
CT_API ct_tensor *ct_var_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_var_out_args
    *args);
#ifndef __cplusplus
#define ct_var_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_var_out, out, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns the variance of all elements; `unbiased` subtracts 1 from the divisor. */
struct ct_var_unbiased_args {
    size_t struct_size;
    bool unbiased;
};
#define ct_var_unbiased_defaults { .struct_size = sizeof(struct ct_var_unbiased_args), .unbiased = \
    true }
CT_API ct_tensor *ct_var_unbiased_ex(ct_tensor *input, const struct ct_var_unbiased_args *args);
#ifndef __cplusplus
#define ct_var_unbiased(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_var_unbiased, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the standard deviation and the mean over dims; `unbiased` subtracts 1 from the divisor. */
#ifndef CT_STD_MEAN_UNBIASED_DIM_RESULT
#define CT_STD_MEAN_UNBIASED_DIM_RESULT
struct ct_std_mean_unbiased_dim_result {
    ct_tensor *std, *mean;
};
#endif
typedef struct ct_std_mean_unbiased_dim_result ct_std_mean_unbiased_dim_result;
struct ct_std_mean_unbiased_dim_args {
    size_t struct_size;
    bool unbiased;
    bool keepdim;
};
#define ct_std_mean_unbiased_dim_defaults { .struct_size = sizeof(struct \
    ct_std_mean_unbiased_dim_args), .unbiased = true, .keepdim = false }
CT_API struct ct_std_mean_unbiased_dim_result ct_std_mean_unbiased_dim_ex(ct_tensor *input, ct_ints
    dim, const struct ct_std_mean_unbiased_dim_args *args);
#ifndef __cplusplus
#define ct_std_mean_unbiased_dim(input, dim, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_std_mean_unbiased_dim, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the standard deviation and the mean of all elements, or over dims. */
#ifndef CT_STD_MEAN_RESULT
#define CT_STD_MEAN_RESULT
struct ct_std_mean_result {
    ct_tensor *std, *mean;
};
#endif
typedef struct ct_std_mean_result ct_std_mean_result;
struct ct_std_mean_args {
    size_t struct_size;
    ct_ints dim;
    double correction;
    bool keepdim;
};
#define ct_std_mean_defaults { .struct_size = sizeof(struct ct_std_mean_args), .dim = CT_NO_DIMS, \
    .correction = CT_NO_NUMBER, .keepdim = false }
CT_API struct ct_std_mean_result ct_std_mean_ex(ct_tensor *input, const struct ct_std_mean_args
    *args);
#ifndef __cplusplus
#define ct_std_mean(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_std_mean, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the standard deviation and the mean of all elements; `unbiased` subtracts 1 from the divisor. */
#ifndef CT_STD_MEAN_UNBIASED_RESULT
#define CT_STD_MEAN_UNBIASED_RESULT
struct ct_std_mean_unbiased_result {
    ct_tensor *std, *mean;
};
#endif
typedef struct ct_std_mean_unbiased_result ct_std_mean_unbiased_result;
struct ct_std_mean_unbiased_args {
    size_t struct_size;
    bool unbiased;
};
#define ct_std_mean_unbiased_defaults { .struct_size = sizeof(struct ct_std_mean_unbiased_args), \
    .unbiased = true }
CT_API struct ct_std_mean_unbiased_result ct_std_mean_unbiased_ex(ct_tensor *input, const struct
    ct_std_mean_unbiased_args *args);
#ifndef __cplusplus
#define ct_std_mean_unbiased(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_std_mean_unbiased, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the standard deviation over dims; `unbiased` subtracts 1 from the divisor. */
struct ct_std_unbiased_dim_args {
    size_t struct_size;
    bool unbiased;
    bool keepdim;
};
#define ct_std_unbiased_dim_defaults { .struct_size = sizeof(struct ct_std_unbiased_dim_args), \
    .unbiased = true, .keepdim = false }
CT_API ct_tensor *ct_std_unbiased_dim_ex(ct_tensor *input, ct_ints dim, const struct
    ct_std_unbiased_dim_args *args);
#ifndef __cplusplus
#define ct_std_unbiased_dim(input, dim, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_std_unbiased_dim, input, \
    dim __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_std_unbiased_dim_out_args {
    size_t struct_size;
    bool unbiased;
    bool keepdim;
};
#define ct_std_unbiased_dim_out_defaults { .struct_size = sizeof(struct \
    ct_std_unbiased_dim_out_args), .unbiased = true, .keepdim = false }
CT_API ct_tensor *ct_std_unbiased_dim_out_ex(ct_tensor *out, ct_tensor *input, ct_ints dim, const
    struct ct_std_unbiased_dim_out_args *args);
#ifndef __cplusplus
#define ct_std_unbiased_dim_out(out, input, dim, ...) CT_CALL_TTI_K(CT_ID(ct_k), \
    ct_std_unbiased_dim_out, out, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the standard deviation of all elements, or the standard deviations over dims. */
struct ct_std_args {
    size_t struct_size;
    ct_ints dim;
    double correction;
    bool keepdim;
};
#define ct_std_defaults { .struct_size = sizeof(struct ct_std_args), .dim = CT_NO_DIMS, \
    .correction = CT_NO_NUMBER, .keepdim = false }
CT_API ct_tensor *ct_std_ex(ct_tensor *input, const struct ct_std_args *args);
#ifndef __cplusplus
#define ct_std(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_std, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_std_out_args {
    size_t struct_size;
    ct_ints dim;
    double correction;
    bool keepdim;
};
#define ct_std_out_defaults { .struct_size = sizeof(struct ct_std_out_args), .dim = CT_NO_DIMS, \
    .correction = CT_NO_NUMBER, .keepdim = false }
CT_API ct_tensor *ct_std_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_std_out_args
    *args);
#ifndef __cplusplus
#define ct_std_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_std_out, out, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns the standard deviation of all elements; `unbiased` subtracts 1 from the divisor. */
struct ct_std_unbiased_args {
    size_t struct_size;
    bool unbiased;
};
#define ct_std_unbiased_defaults { .struct_size = sizeof(struct ct_std_unbiased_args), .unbiased = \
    true }
CT_API ct_tensor *ct_std_unbiased_ex(ct_tensor *input, const struct ct_std_unbiased_args *args);
#ifndef __cplusplus
#define ct_std_unbiased(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_std_unbiased, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a named norm: 'fro', the square root of the sum of squares, or 'nuc', the sum of singular values. */
struct ct_norm_name_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_norm_name_defaults { .struct_size = sizeof(struct ct_norm_name_args), .dim = \
    CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_norm_name_ex(ct_tensor *input, const char *p, const struct ct_norm_name_args
    *args);
#ifndef __cplusplus
#define ct_norm_name(input, p, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_norm_name, input, p __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_norm_name_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_norm_name_out_defaults { .struct_size = sizeof(struct ct_norm_name_out_args), .dim = \
    CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_norm_name_out_ex(ct_tensor *out, ct_tensor *input, const char *p, const struct
    ct_norm_name_out_args *args);
#ifndef __cplusplus
#define ct_norm_name_out(out, input, p, ...) CT_CALL_TTA_K(CT_ID(ct_k), ct_norm_name_out, out, \
    input, p __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the p-norm of all elements, or the norms over dims. */
struct ct_norm_args {
    size_t struct_size;
    double p;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_norm_defaults { .struct_size = sizeof(struct ct_norm_args), .p = 2, .dim = CT_NO_DIMS, \
    .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_norm_ex(ct_tensor *input, const struct ct_norm_args *args);
#ifndef __cplusplus
#define ct_norm(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_norm, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_norm_out_args {
    size_t struct_size;
    double p;
    ct_ints dim;
    bool keepdim;
    enum ct_dtype dtype;
};
#define ct_norm_out_defaults { .struct_size = sizeof(struct ct_norm_out_args), .p = 2, .dim = \
    CT_NO_DIMS, .keepdim = false, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_norm_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_norm_out_args
    *args);
#ifndef __cplusplus
#define ct_norm_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_norm_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the p-norm of the difference of two tensors. */
struct ct_dist_args {
    size_t struct_size;
    double p;
};
#define ct_dist_defaults { .struct_size = sizeof(struct ct_dist_args), .p = 2 }
CT_API ct_tensor *ct_dist_ex(ct_tensor *input, ct_tensor *other, const struct ct_dist_args *args);
#ifndef __cplusplus
#define ct_dist(input, other, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_dist, input, other __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Sums over the dims that broadcasting from `size` to the shape of `input` expands. */
CT_API ct_tensor *ct_sum_to_size(ct_tensor *input, ct_ints size);
#ifndef __cplusplus
#define ct_sum_to_size(input, size, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_sum_to_size, input, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a hash of all elements, or of those along dims: the XOR of their 64-bit patterns. */
struct ct_hash_tensor_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    int64_t mode;
};
#define ct_hash_tensor_defaults { .struct_size = sizeof(struct ct_hash_tensor_args), .dim = \
    CT_INTS(), .keepdim = false, .mode = 0 }
CT_API ct_tensor *ct_hash_tensor_ex(ct_tensor *input, const struct ct_hash_tensor_args *args);
#ifndef __cplusplus
#define ct_hash_tensor(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_hash_tensor, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_hash_tensor_out_args {
    size_t struct_size;
    ct_ints dim;
    bool keepdim;
    int64_t mode;
};
#define ct_hash_tensor_out_defaults { .struct_size = sizeof(struct ct_hash_tensor_out_args), .dim \
    = CT_INTS(), .keepdim = false, .mode = 0 }
CT_API ct_tensor *ct_hash_tensor_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_hash_tensor_out_args *args);
#ifndef __cplusplus
#define ct_hash_tensor_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_hash_tensor_out, out, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Resizes the last dims by interpolation. */
struct ct_interpolate_args {
    size_t struct_size;
    ct_ints size;
    double scale_factor;
    const char *mode;
    int align_corners;
    int recompute_scale_factor;
    bool antialias;
};
#define ct_interpolate_defaults { .struct_size = sizeof(struct ct_interpolate_args), .size = \
    CT_NO_DIMS, .scale_factor = CT_NO_NUMBER, .mode = "nearest", .align_corners = -1, \
    .recompute_scale_factor = -1, .antialias = false }
CT_API ct_tensor *ct_interpolate_ex(ct_tensor *input, const struct ct_interpolate_args *args);
#ifndef __cplusplus
#define ct_interpolate(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_interpolate, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Resizes the last dims by interpolation, with a scale for each dim. */
struct ct_interpolate_vec_args {
    size_t struct_size;
    ct_ints size;
    ct_floats scale_factor;
    const char *mode;
    int align_corners;
    int recompute_scale_factor;
    bool antialias;
};
#define ct_interpolate_vec_defaults { .struct_size = sizeof(struct ct_interpolate_vec_args), .size \
    = CT_NO_DIMS, .scale_factor = CT_NO_FLOATS, .mode = "nearest", .align_corners = -1, \
    .recompute_scale_factor = -1, .antialias = false }
CT_API ct_tensor *ct_interpolate_vec_ex(ct_tensor *input, const struct ct_interpolate_vec_args
    *args);
#ifndef __cplusplus
#define ct_interpolate_vec(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_interpolate_vec, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Changes the shape of the tensor; its storage grows if necessary, and new elements are uninitialized. */
struct ct_resize__args {
    size_t struct_size;
    int memory_format;
};
#define ct_resize__defaults { .struct_size = sizeof(struct ct_resize__args), .memory_format = -1 }
CT_API ct_tensor *ct_resize__ex(ct_tensor *self, ct_ints size, const struct ct_resize__args *args);
#ifndef __cplusplus
#define ct_resize_(self, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_resize_, self, size __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Changes the shape of the tensor to that of `the_template`. */
struct ct_resize_as__args {
    size_t struct_size;
    int memory_format;
};
#define ct_resize_as__defaults { .struct_size = sizeof(struct ct_resize_as__args), .memory_format \
    = -1 }
CT_API ct_tensor *ct_resize_as__ex(ct_tensor *self, ct_tensor *the_template, const struct
    ct_resize_as__args *args);
#ifndef __cplusplus
#define ct_resize_as_(self, the_template, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_resize_as_, self, \
    the_template __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Samples `input` at the positions of `grid`, whose coordinates run from -1 to 1. */
struct ct_grid_sample_args {
    size_t struct_size;
    const char *mode;
    const char *padding_mode;
    int align_corners;
};
#define ct_grid_sample_defaults { .struct_size = sizeof(struct ct_grid_sample_args), .mode = \
    "bilinear", .padding_mode = "zeros", .align_corners = -1 }
CT_API ct_tensor *ct_grid_sample_ex(ct_tensor *input, ct_tensor *grid, const struct
    ct_grid_sample_args *args);
#ifndef __cplusplus
#define ct_grid_sample(input, grid, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_grid_sample, input, grid \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes `nn.functional.grid_sample` with numbers for the modes. */
CT_API ct_tensor *ct_grid_sampler(ct_tensor *input, ct_tensor *grid, int64_t interpolation_mode,
    int64_t padding_mode, bool align_corners);
#ifndef __cplusplus
#define ct_grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners) \
    CT_CALL_TTAAA_P(CT_ID(ct_k), ct_grid_sampler, input, grid, interpolation_mode, padding_mode, \
    align_corners)
#endif

/* Computes `nn.functional.grid_sample` of two dims with numbers for the modes. */
CT_API ct_tensor *ct_grid_sampler_2d(ct_tensor *input, ct_tensor *grid, int64_t interpolation_mode,
    int64_t padding_mode, bool align_corners);
#ifndef __cplusplus
#define ct_grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners) \
    CT_CALL_TTAAA_P(CT_ID(ct_k), ct_grid_sampler_2d, input, grid, interpolation_mode, \
    padding_mode, align_corners)
#endif

/* Computes `nn.functional.grid_sample` of three dims with numbers for the modes. */
CT_API ct_tensor *ct_grid_sampler_3d(ct_tensor *input, ct_tensor *grid, int64_t interpolation_mode,
    int64_t padding_mode, bool align_corners);
#ifndef __cplusplus
#define ct_grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners) \
    CT_CALL_TTAAA_P(CT_ID(ct_k), ct_grid_sampler_3d, input, grid, interpolation_mode, \
    padding_mode, align_corners)
#endif

/* Returns a grid of sampling positions: a regular grid mapped by the affine matrices `theta`. */
struct ct_affine_grid_args {
    size_t struct_size;
    int align_corners;
};
#define ct_affine_grid_defaults { .struct_size = sizeof(struct ct_affine_grid_args), \
    .align_corners = -1 }
CT_API ct_tensor *ct_affine_grid_ex(ct_tensor *theta, ct_ints size, const struct ct_affine_grid_args
    *args);
#ifndef __cplusplus
#define ct_affine_grid(theta, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_affine_grid, theta, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes `nn.functional.affine_grid` without its checks. */
CT_API ct_tensor *ct_affine_grid_generator(ct_tensor *theta, ct_ints size, bool align_corners);
#ifndef __cplusplus
#define ct_affine_grid_generator(theta, size, align_corners) CT_CALL_TIA_P(CT_ID(ct_k), \
    ct_affine_grid_generator, theta, size, align_corners)
#endif

/* Returns the sums of all elements up to each position along `dim`. */
struct ct_cumsum_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_cumsum_defaults { .struct_size = sizeof(struct ct_cumsum_args), .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_cumsum_ex(ct_tensor *input, int64_t dim, const struct ct_cumsum_args *args);
#ifndef __cplusplus
#define ct_cumsum(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_cumsum, input, dim __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_cumsum__args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_cumsum__defaults { .struct_size = sizeof(struct ct_cumsum__args), .dtype = CT_NO_DTYPE \
    }
CT_API ct_tensor *ct_cumsum__ex(ct_tensor *self, int64_t dim, const struct ct_cumsum__args *args);
#ifndef __cplusplus
#define ct_cumsum_(self, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_cumsum_, self, dim __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_cumsum_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_cumsum_out_defaults { .struct_size = sizeof(struct ct_cumsum_out_args), .dtype = \
    CT_NO_DTYPE }
CT_API ct_tensor *ct_cumsum_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, const struct
    ct_cumsum_out_args *args);
#ifndef __cplusplus
#define ct_cumsum_out(out, input, dim, ...) CT_CALL_TTA_K(CT_ID(ct_k), ct_cumsum_out, out, input, \
    dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the products of all elements up to each position along `dim`. */
struct ct_cumprod_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_cumprod_defaults { .struct_size = sizeof(struct ct_cumprod_args), .dtype = CT_NO_DTYPE \
    }
CT_API ct_tensor *ct_cumprod_ex(ct_tensor *input, int64_t dim, const struct ct_cumprod_args *args);
#ifndef __cplusplus
#define ct_cumprod(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_cumprod, input, dim __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_cumprod__args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_cumprod__defaults { .struct_size = sizeof(struct ct_cumprod__args), .dtype = \
    CT_NO_DTYPE }
CT_API ct_tensor *ct_cumprod__ex(ct_tensor *self, int64_t dim, const struct ct_cumprod__args *args);
#ifndef __cplusplus
#define ct_cumprod_(self, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_cumprod_, self, dim __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_cumprod_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_cumprod_out_defaults { .struct_size = sizeof(struct ct_cumprod_out_args), .dtype = \
    CT_NO_DTYPE }
CT_API ct_tensor *ct_cumprod_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, const struct
    ct_cumprod_out_args *args);
#ifndef __cplusplus
#define ct_cumprod_out(out, input, dim, ...) CT_CALL_TTA_K(CT_ID(ct_k), ct_cumprod_out, out, \
    input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the largest element up to each position along `dim`, and its index. */
#ifndef CT_CUMMAX_RESULT
#define CT_CUMMAX_RESULT
struct ct_cummax_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_cummax_result ct_cummax_result;
CT_API struct ct_cummax_result ct_cummax(ct_tensor *input, int64_t dim);
#ifndef __cplusplus
#define ct_cummax(input, dim) CT_CALL_TA_P(CT_ID(ct_k), ct_cummax, input, dim)
#endif
CT_API bool ct_cummax_out(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input, int64_t
    dim);
#ifndef __cplusplus
#define ct_cummax_out(out_values, out_indices, input, dim) CT_CALL_TTTA_P(CT_ID(ct_k), \
    ct_cummax_out, out_values, out_indices, input, dim)
#endif

/* Returns the smallest element up to each position along `dim`, and its index. */
#ifndef CT_CUMMIN_RESULT
#define CT_CUMMIN_RESULT
struct ct_cummin_result {
    ct_tensor *values, *indices;
};
#endif
typedef struct ct_cummin_result ct_cummin_result;
CT_API struct ct_cummin_result ct_cummin(ct_tensor *input, int64_t dim);
#ifndef __cplusplus
#define ct_cummin(input, dim) CT_CALL_TA_P(CT_ID(ct_k), ct_cummin, input, dim)
#endif
CT_API bool ct_cummin_out(ct_tensor *out_values, ct_tensor *out_indices, ct_tensor *input, int64_t
    dim);
#ifndef __cplusplus
#define ct_cummin_out(out_values, out_indices, input, dim) CT_CALL_TTTA_P(CT_ID(ct_k), \
    ct_cummin_out, out_values, out_indices, input, dim)
#endif

/* Returns the logarithm of the cumulative sums of exponentials along `dim`. */
CT_API ct_tensor *ct_logcumsumexp(ct_tensor *input, int64_t dim);
#ifndef __cplusplus
#define ct_logcumsumexp(input, dim) CT_CALL_TA_P(CT_ID(ct_k), ct_logcumsumexp, input, dim)
#endif
CT_API ct_tensor *ct_logcumsumexp_out(ct_tensor *out, ct_tensor *input, int64_t dim);
#ifndef __cplusplus
#define ct_logcumsumexp_out(out, input, dim) CT_CALL_TTA_P(CT_ID(ct_k), ct_logcumsumexp_out, out, \
    input, dim)
#endif

/* Returns the indices at which values must be inserted so that the last dim of `sorted_sequence` stays sorted. */
struct ct_searchsorted_args {
    size_t struct_size;
    bool out_int32;
    bool right;
    const char *side;
    ct_tensor *sorter;
};
#define ct_searchsorted_defaults { .struct_size = sizeof(struct ct_searchsorted_args), .out_int32 \
    = false, .right = false, .side = NULL, .sorter = CT_NO_TENSOR }
CT_API ct_tensor *ct_searchsorted_ex(ct_tensor *sorted_sequence, ct_value input, const struct
    ct_searchsorted_args *args);
#ifndef __cplusplus
#define ct_searchsorted(sorted_sequence, input, ...) CT_CALL_TV_K(CT_ID(ct_k), ct_searchsorted, \
    sorted_sequence, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_searchsorted_out_args {
    size_t struct_size;
    bool out_int32;
    bool right;
    const char *side;
    ct_tensor *sorter;
};
#define ct_searchsorted_out_defaults { .struct_size = sizeof(struct ct_searchsorted_out_args), \
    .out_int32 = false, .right = false, .side = NULL, .sorter = CT_NO_TENSOR }
CT_API ct_tensor *ct_searchsorted_out_ex(ct_tensor *out, ct_tensor *sorted_sequence, ct_value input,
    const struct ct_searchsorted_out_args *args);
#ifndef __cplusplus
#define ct_searchsorted_out(out, sorted_sequence, input, ...) CT_CALL_TTV_K(CT_ID(ct_k), \
    ct_searchsorted_out, out, sorted_sequence, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the index of the bucket between `boundaries` into which each value falls. */
struct ct_bucketize_args {
    size_t struct_size;
    bool out_int32;
    bool right;
};
#define ct_bucketize_defaults { .struct_size = sizeof(struct ct_bucketize_args), .out_int32 = \
    false, .right = false }
CT_API ct_tensor *ct_bucketize_ex(ct_value input, ct_tensor *boundaries, const struct
    ct_bucketize_args *args);
#ifndef __cplusplus
#define ct_bucketize(input, boundaries, ...) CT_CALL_VT_K(CT_ID(ct_k), ct_bucketize, input, \
    boundaries __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_bucketize_out_args {
    size_t struct_size;
    bool out_int32;
    bool right;
};
#define ct_bucketize_out_defaults { .struct_size = sizeof(struct ct_bucketize_out_args), \
    .out_int32 = false, .right = false }
CT_API ct_tensor *ct_bucketize_out_ex(ct_tensor *out, ct_value input, ct_tensor *boundaries, const
    struct ct_bucketize_out_args *args);
#ifndef __cplusplus
#define ct_bucketize_out(out, input, boundaries, ...) CT_CALL_TVT_K(CT_ID(ct_k), ct_bucketize_out, \
    out, input, boundaries __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns whether each element of `elements` is among `test_elements`. */
struct ct_isin_args {
    size_t struct_size;
    bool assume_unique;
    bool invert;
};
#define ct_isin_defaults { .struct_size = sizeof(struct ct_isin_args), .assume_unique = false, \
    .invert = false }
CT_API ct_tensor *ct_isin_ex(ct_tensor *elements, ct_tensor *test_elements, const struct
    ct_isin_args *args);
#ifndef __cplusplus
#define ct_isin(elements, test_elements, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_isin, elements, \
    test_elements __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_isin_out_args {
    size_t struct_size;
    bool assume_unique;
    bool invert;
};
#define ct_isin_out_defaults { .struct_size = sizeof(struct ct_isin_out_args), .assume_unique = \
    false, .invert = false }
CT_API ct_tensor *ct_isin_out_ex(ct_tensor *out, ct_tensor *elements, ct_tensor *test_elements,
    const struct ct_isin_out_args *args);
#ifndef __cplusplus
#define ct_isin_out(out, elements, test_elements, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_isin_out, \
    out, elements, test_elements __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns whether a number is among `test_elements`. */
struct ct_isin_Scalar_Tensor_args {
    size_t struct_size;
    bool assume_unique;
    bool invert;
};
#define ct_isin_Scalar_Tensor_defaults { .struct_size = sizeof(struct ct_isin_Scalar_Tensor_args), \
    .assume_unique = false, .invert = false }
CT_API ct_tensor *ct_isin_Scalar_Tensor_ex(ct_value element, ct_tensor *test_elements, const struct
    ct_isin_Scalar_Tensor_args *args);
#ifndef __cplusplus
#define ct_isin_Scalar_Tensor(element, test_elements, ...) CT_CALL_VT_K(CT_ID(ct_k), \
    ct_isin_Scalar_Tensor, element, test_elements __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_isin_Scalar_Tensor_out_args {
    size_t struct_size;
    bool assume_unique;
    bool invert;
};
#define ct_isin_Scalar_Tensor_out_defaults { .struct_size = sizeof(struct \
    ct_isin_Scalar_Tensor_out_args), .assume_unique = false, .invert = false }
CT_API ct_tensor *ct_isin_Scalar_Tensor_out_ex(ct_tensor *out, ct_value element, ct_tensor
    *test_elements, const struct ct_isin_Scalar_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_isin_Scalar_Tensor_out(out, element, test_elements, ...) CT_CALL_TVT_K(CT_ID(ct_k), \
    ct_isin_Scalar_Tensor_out, out, element, test_elements __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns whether each element equals a number. */
struct ct_isin_Tensor_Scalar_args {
    size_t struct_size;
    bool assume_unique;
    bool invert;
};
#define ct_isin_Tensor_Scalar_defaults { .struct_size = sizeof(struct ct_isin_Tensor_Scalar_args), \
    .assume_unique = false, .invert = false }
CT_API ct_tensor *ct_isin_Tensor_Scalar_ex(ct_tensor *elements, ct_value test_element, const struct
    ct_isin_Tensor_Scalar_args *args);
#ifndef __cplusplus
#define ct_isin_Tensor_Scalar(elements, test_element, ...) CT_CALL_TV_K(CT_ID(ct_k), \
    ct_isin_Tensor_Scalar, elements, test_element __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_isin_Tensor_Scalar_out_args {
    size_t struct_size;
    bool assume_unique;
    bool invert;
};
#define ct_isin_Tensor_Scalar_out_defaults { .struct_size = sizeof(struct \
    ct_isin_Tensor_Scalar_out_args), .assume_unique = false, .invert = false }
CT_API ct_tensor *ct_isin_Tensor_Scalar_out_ex(ct_tensor *out, ct_tensor *elements, ct_value
    test_element, const struct ct_isin_Tensor_Scalar_out_args *args);
#ifndef __cplusplus
#define ct_isin_Tensor_Scalar_out(out, elements, test_element, ...) CT_CALL_TTV_K(CT_ID(ct_k), \
    ct_isin_Tensor_Scalar_out, out, elements, test_element __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns how often each of the integers 0, 1, 2, ... occurs, or the sum of the weights of its occurrences. */
struct ct_bincount_args {
    size_t struct_size;
    ct_tensor *weights;
    int64_t minlength;
};
#define ct_bincount_defaults { .struct_size = sizeof(struct ct_bincount_args), .weights = \
    CT_NO_TENSOR, .minlength = 0 }
CT_API ct_tensor *ct_bincount_ex(ct_tensor *input, const struct ct_bincount_args *args);
#ifndef __cplusplus
#define ct_bincount(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_bincount, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the number of elements in each of `bins` intervals of equal width. */
struct ct_histc_args {
    size_t struct_size;
    int64_t bins;
    double min;
    double max;
};
#define ct_histc_defaults { .struct_size = sizeof(struct ct_histc_args), .bins = 100, .min = 0, \
    .max = 0 }
CT_API ct_tensor *ct_histc_ex(ct_tensor *input, const struct ct_histc_args *args);
#ifndef __cplusplus
#define ct_histc(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_histc, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_histc_out_args {
    size_t struct_size;
    int64_t bins;
    double min;
    double max;
};
#define ct_histc_out_defaults { .struct_size = sizeof(struct ct_histc_out_args), .bins = 100, .min \
    = 0, .max = 0 }
CT_API ct_tensor *ct_histc_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_histc_out_args
    *args);
#ifndef __cplusplus
#define ct_histc_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_histc_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the number of elements, or their weight, between successive edges in `bins`. */
#ifndef CT_HISTOGRAM_BINS_TENSOR_RESULT
#define CT_HISTOGRAM_BINS_TENSOR_RESULT
struct ct_histogram_bins_tensor_result {
    ct_tensor *hist, *bin_edges;
};
#endif
typedef struct ct_histogram_bins_tensor_result ct_histogram_bins_tensor_result;
struct ct_histogram_bins_tensor_args {
    size_t struct_size;
    ct_tensor *weight;
    bool density;
};
#define ct_histogram_bins_tensor_defaults { .struct_size = sizeof(struct \
    ct_histogram_bins_tensor_args), .weight = CT_NO_TENSOR, .density = false }
CT_API struct ct_histogram_bins_tensor_result ct_histogram_bins_tensor_ex(ct_tensor *input,
    ct_tensor *bins, const struct ct_histogram_bins_tensor_args *args);
#ifndef __cplusplus
#define ct_histogram_bins_tensor(input, bins, ...) CT_CALL_TT_K(CT_ID(ct_k), \
    ct_histogram_bins_tensor, input, bins __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_histogram_bins_tensor_out_args {
    size_t struct_size;
    ct_tensor *weight;
    bool density;
};
#define ct_histogram_bins_tensor_out_defaults { .struct_size = sizeof(struct \
    ct_histogram_bins_tensor_out_args), .weight = CT_NO_TENSOR, .density = false }
CT_API bool ct_histogram_bins_tensor_out_ex(ct_tensor *out_hist, ct_tensor *out_bin_edges, ct_tensor
    *input, ct_tensor *bins, const struct ct_histogram_bins_tensor_out_args *args);
#ifndef __cplusplus
#define ct_histogram_bins_tensor_out(out_hist, out_bin_edges, input, bins, ...) \
    CT_CALL_TTTT_K(CT_ID(ct_k), ct_histogram_bins_tensor_out, out_hist, out_bin_edges, input, bins \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the number of elements, or their weight, in each of `bins` intervals of equal width; and the edges. */
#ifndef CT_HISTOGRAM_RESULT
#define CT_HISTOGRAM_RESULT
struct ct_histogram_result {
    ct_tensor *hist, *bin_edges;
};
#endif
typedef struct ct_histogram_result ct_histogram_result;
struct ct_histogram_args {
    size_t struct_size;
    int64_t bins;
    ct_floats range;
    ct_tensor *weight;
    bool density;
};
#define ct_histogram_defaults { .struct_size = sizeof(struct ct_histogram_args), .bins = 100, \
    .range = CT_NO_FLOATS, .weight = CT_NO_TENSOR, .density = false }
CT_API struct ct_histogram_result ct_histogram_ex(ct_tensor *input, const struct ct_histogram_args
    *args);
#ifndef __cplusplus
#define ct_histogram(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_histogram, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_histogram_out_args {
    size_t struct_size;
    int64_t bins;
    ct_floats range;
    ct_tensor *weight;
    bool density;
};
#define ct_histogram_out_defaults { .struct_size = sizeof(struct ct_histogram_out_args), .bins = \
    100, .range = CT_NO_FLOATS, .weight = CT_NO_TENSOR, .density = false }
CT_API bool ct_histogram_out_ex(ct_tensor *out_hist, ct_tensor *out_bin_edges, ct_tensor *input,
    const struct ct_histogram_out_args *args);
#ifndef __cplusplus
#define ct_histogram_out(out_hist, out_bin_edges, input, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_histogram_out, out_hist, out_bin_edges, input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the histogram of points in several dims, and its edges; `bins` lists the edges for each dim. */
struct ct__histogramdd_from_bins_args {
    size_t struct_size;
    ct_tensor *weight;
    bool density;
};
#define ct__histogramdd_from_bins_defaults { .struct_size = sizeof(struct \
    ct__histogramdd_from_bins_args), .weight = CT_NO_TENSOR, .density = false }
CT_API ct_list ct__histogramdd_from_bins_ex(ct_tensor *input, ct_list bins, const struct
    ct__histogramdd_from_bins_args *args);
#ifndef __cplusplus
#define ct__histogramdd_from_bins(input, bins, ...) CT_CALL_TL_K(CT_ID(ct_k), \
    ct__histogramdd_from_bins, input, bins __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the histogram of points in several dims, and its edges; `bins` lists the number of intervals for each dim. */
struct ct__histogramdd_from_counts_args {
    size_t struct_size;
    ct_floats range;
    ct_tensor *weight;
    bool density;
};
#define ct__histogramdd_from_counts_defaults { .struct_size = sizeof(struct \
    ct__histogramdd_from_counts_args), .range = CT_NO_FLOATS, .weight = CT_NO_TENSOR, .density = \
    false }
CT_API ct_list ct__histogramdd_from_counts_ex(ct_tensor *input, ct_ints bins, const struct
    ct__histogramdd_from_counts_args *args);
#ifndef __cplusplus
#define ct__histogramdd_from_counts(input, bins, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct__histogramdd_from_counts, input, bins __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the indices of the nonzero elements in a tensor with exactly `size` rows; missing rows are filled with `fill_value`. */
struct ct_nonzero_static_args {
    size_t struct_size;
    int64_t fill_value;
};
#define ct_nonzero_static_defaults { .struct_size = sizeof(struct ct_nonzero_static_args), \
    .fill_value = -1 }
CT_API ct_tensor *ct_nonzero_static_ex(ct_tensor *input, int64_t size, const struct
    ct_nonzero_static_args *args);
#ifndef __cplusplus
#define ct_nonzero_static(input, size, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_nonzero_static, input, \
    size __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_nonzero_static_out_args {
    size_t struct_size;
    int64_t fill_value;
};
#define ct_nonzero_static_out_defaults { .struct_size = sizeof(struct ct_nonzero_static_out_args), \
    .fill_value = -1 }
CT_API ct_tensor *ct_nonzero_static_out_ex(ct_tensor *out, ct_tensor *input, int64_t size, const
    struct ct_nonzero_static_out_args *args);
#ifndef __cplusplus
#define ct_nonzero_static_out(out, input, size, ...) CT_CALL_TTA_K(CT_ID(ct_k), \
    ct_nonzero_static_out, out, input, size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Converts indices into a flattened tensor to indices into a tensor of the given shape, one tensor for each dim. */
CT_API ct_list ct_unravel_index(ct_tensor *indices, ct_ints shape);
#ifndef __cplusplus
#define ct_unravel_index(indices, shape, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_unravel_index, indices, \
    shape __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Converts indices into a vector of `shape` elements. */
CT_API ct_list ct_unravel_index_int(ct_tensor *indices, int64_t shape);
#ifndef __cplusplus
#define ct_unravel_index_int(indices, shape) CT_CALL_TA_P(CT_ID(ct_k), ct_unravel_index_int, \
    indices, shape)
#endif

/* Returns whether the only element is not 0. */
CT_API bool ct_is_nonzero(ct_tensor *input);
#ifndef __cplusplus
#define ct_is_nonzero(input) CT_CALL_T_P(CT_ID(ct_k), ct_is_nonzero, input)
#endif

/* Reduces each segment of a dim; segments are given by their lengths or offsets. */
struct ct_segment_reduce_args {
    size_t struct_size;
    ct_tensor *lengths;
    ct_tensor *indices;
    ct_tensor *offsets;
    int64_t axis;
    bool unsafe;
    double initial;
};
#define ct_segment_reduce_defaults { .struct_size = sizeof(struct ct_segment_reduce_args), \
    .lengths = CT_NO_TENSOR, .indices = CT_NO_TENSOR, .offsets = CT_NO_TENSOR, .axis = 0, .unsafe \
    = false, .initial = CT_NO_NUMBER }
CT_API ct_tensor *ct_segment_reduce_ex(ct_tensor *data, const char *reduce, const struct
    ct_segment_reduce_args *args);
#ifndef __cplusplus
#define ct_segment_reduce(data, reduce, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_segment_reduce, data, \
    reduce __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the distinct elements, or slices along `dim`, in ascending order; on request also the inverse indices and the counts. */
#ifndef CT_UNIQUE_RESULT
#define CT_UNIQUE_RESULT
struct ct_unique_result {
    ct_tensor *output, *inverse_indices, *counts;
};
#endif
typedef struct ct_unique_result ct_unique_result;
struct ct_unique_args {
    size_t struct_size;
    bool sorted;
    bool return_inverse;
    bool return_counts;
    int64_t dim;
};
#define ct_unique_defaults { .struct_size = sizeof(struct ct_unique_args), .sorted = true, \
    .return_inverse = false, .return_counts = false, .dim = CT_NO_DIM }
CT_API struct ct_unique_result ct_unique_ex(ct_tensor *input, const struct ct_unique_args *args);
#ifndef __cplusplus
#define ct_unique(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_unique, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the elements, or slices along `dim`, that differ from their predecessor; on request also the inverse indices and the counts. */
#ifndef CT_UNIQUE_CONSECUTIVE_RESULT
#define CT_UNIQUE_CONSECUTIVE_RESULT
struct ct_unique_consecutive_result {
    ct_tensor *output, *inverse_indices, *counts;
};
#endif
typedef struct ct_unique_consecutive_result ct_unique_consecutive_result;
struct ct_unique_consecutive_args {
    size_t struct_size;
    bool return_inverse;
    bool return_counts;
    int64_t dim;
};
#define ct_unique_consecutive_defaults { .struct_size = sizeof(struct ct_unique_consecutive_args), \
    .return_inverse = false, .return_counts = false, .dim = CT_NO_DIM }
CT_API struct ct_unique_consecutive_result ct_unique_consecutive_ex(ct_tensor *input, const struct
    ct_unique_consecutive_args *args);
#ifndef __cplusplus
#define ct_unique_consecutive(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_unique_consecutive, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Bartlett window: a triangle. */
struct ct_signal_windows_bartlett_args {
    size_t struct_size;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_bartlett_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_bartlett_args), .sym = true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_bartlett_ex(int64_t M, const struct
    ct_signal_windows_bartlett_args *args);
#ifndef __cplusplus
#define ct_signal_windows_bartlett(M, ...) CT_CALL_A_K(CT_ID(ct_k), ct_signal_windows_bartlett, M \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Blackman window, `0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1))`. */
struct ct_signal_windows_blackman_args {
    size_t struct_size;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_blackman_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_blackman_args), .sym = true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_blackman_ex(int64_t M, const struct
    ct_signal_windows_blackman_args *args);
#ifndef __cplusplus
#define ct_signal_windows_blackman(M, ...) CT_CALL_A_K(CT_ID(ct_k), ct_signal_windows_blackman, M \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns half a period of a sine. */
struct ct_signal_windows_cosine_args {
    size_t struct_size;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_cosine_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_cosine_args), .sym = true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_cosine_ex(int64_t M, const struct ct_signal_windows_cosine_args
    *args);
#ifndef __cplusplus
#define ct_signal_windows_cosine(M, ...) CT_CALL_A_K(CT_ID(ct_k), ct_signal_windows_cosine, M \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns an exponential window, `exp(-abs(n - center) / tau)`. */
struct ct_signal_windows_exponential_args {
    size_t struct_size;
    double center;
    double tau;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_exponential_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_exponential_args), .center = CT_NO_NUMBER, .tau = 1.0, .sym = true, .dtype = \
    CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_exponential_ex(int64_t M, const struct
    ct_signal_windows_exponential_args *args);
#ifndef __cplusplus
#define ct_signal_windows_exponential(M, ...) CT_CALL_A_K(CT_ID(ct_k), \
    ct_signal_windows_exponential, M __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Gaussian window, `exp(-((n - (M - 1) / 2) / std)^2 / 2)`. */
struct ct_signal_windows_gaussian_args {
    size_t struct_size;
    double std;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_gaussian_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_gaussian_args), .std = 1.0, .sym = true, .dtype = CT_NO_DTYPE, .device = \
    CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_gaussian_ex(int64_t M, const struct
    ct_signal_windows_gaussian_args *args);
#ifndef __cplusplus
#define ct_signal_windows_gaussian(M, ...) CT_CALL_A_K(CT_ID(ct_k), ct_signal_windows_gaussian, M \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a sum of cosines with the coefficients `a` and alternating signs. */
struct ct_signal_windows_general_cosine_args {
    size_t struct_size;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_general_cosine_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_general_cosine_args), .sym = true, .dtype = CT_NO_DTYPE, .device = \
    CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_general_cosine_ex(int64_t M, ct_floats a, const struct
    ct_signal_windows_general_cosine_args *args);
#ifndef __cplusplus
#define ct_signal_windows_general_cosine(M, a, ...) CT_CALL_AA_K(CT_ID(ct_k), \
    ct_signal_windows_general_cosine, M, a __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a generalized Hamming window, `alpha - (1 - alpha) cos(2 pi n / (M - 1))`. */
struct ct_signal_windows_general_hamming_args {
    size_t struct_size;
    double alpha;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_general_hamming_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_general_hamming_args), .alpha = 0.54, .sym = true, .dtype = CT_NO_DTYPE, \
    .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_general_hamming_ex(int64_t M, const struct
    ct_signal_windows_general_hamming_args *args);
#ifndef __cplusplus
#define ct_signal_windows_general_hamming(M, ...) CT_CALL_A_K(CT_ID(ct_k), \
    ct_signal_windows_general_hamming, M __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Hamming window, `0.54 - 0.46 cos(2 pi n / (M - 1))`. */
struct ct_signal_windows_hamming_args {
    size_t struct_size;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_hamming_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_hamming_args), .sym = true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_hamming_ex(int64_t M, const struct
    ct_signal_windows_hamming_args *args);
#ifndef __cplusplus
#define ct_signal_windows_hamming(M, ...) CT_CALL_A_K(CT_ID(ct_k), ct_signal_windows_hamming, M \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Hann window, `(1 - cos(2 pi n / (M - 1))) / 2`. */
struct ct_signal_windows_hann_args {
    size_t struct_size;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_hann_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_hann_args), .sym = true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_hann_ex(int64_t M, const struct ct_signal_windows_hann_args
    *args);
#ifndef __cplusplus
#define ct_signal_windows_hann(M, ...) CT_CALL_A_K(CT_ID(ct_k), ct_signal_windows_hann, M \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Kaiser window, `i0(sqrt(beta^2 - k^2)) / i0(beta)`, with k from -beta to beta. */
struct ct_signal_windows_kaiser_args {
    size_t struct_size;
    double beta;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_kaiser_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_kaiser_args), .beta = 12.0, .sym = true, .dtype = CT_NO_DTYPE, .device = \
    CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_kaiser_ex(int64_t M, const struct ct_signal_windows_kaiser_args
    *args);
#ifndef __cplusplus
#define ct_signal_windows_kaiser(M, ...) CT_CALL_A_K(CT_ID(ct_k), ct_signal_windows_kaiser, M \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns Nuttall's window: a sum of four cosines with low side lobes. */
struct ct_signal_windows_nuttall_args {
    size_t struct_size;
    bool sym;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_signal_windows_nuttall_defaults { .struct_size = sizeof(struct \
    ct_signal_windows_nuttall_args), .sym = true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_signal_windows_nuttall_ex(int64_t M, const struct
    ct_signal_windows_nuttall_args *args);
#ifndef __cplusplus
#define ct_signal_windows_nuttall(M, ...) CT_CALL_A_K(CT_ID(ct_k), ct_signal_windows_nuttall, M \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns exponentials divided by their sum along `dim`, so that each slice sums to 1. */
struct ct_softmax_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_softmax_defaults { .struct_size = sizeof(struct ct_softmax_args), .dtype = CT_NO_DTYPE \
    }
CT_API ct_tensor *ct_softmax_ex(ct_tensor *input, int64_t dim, const struct ct_softmax_args *args);
#ifndef __cplusplus
#define ct_softmax(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_softmax, input, dim __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_softmax_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_softmax_out_defaults { .struct_size = sizeof(struct ct_softmax_out_args), .dtype = \
    CT_NO_DTYPE }
CT_API ct_tensor *ct_softmax_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, const struct
    ct_softmax_out_args *args);
#ifndef __cplusplus
#define ct_softmax_out(out, input, dim, ...) CT_CALL_TTA_K(CT_ID(ct_k), ct_softmax_out, out, \
    input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the logarithm of `softmax`, computed without overflow. */
struct ct_log_softmax_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_log_softmax_defaults { .struct_size = sizeof(struct ct_log_softmax_args), .dtype = \
    CT_NO_DTYPE }
CT_API ct_tensor *ct_log_softmax_ex(ct_tensor *input, int64_t dim, const struct ct_log_softmax_args
    *args);
#ifndef __cplusplus
#define ct_log_softmax(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_log_softmax, input, dim \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_log_softmax_out_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_log_softmax_out_defaults { .struct_size = sizeof(struct ct_log_softmax_out_args), \
    .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_log_softmax_out_ex(ct_tensor *out, ct_tensor *input, int64_t dim, const struct
    ct_log_softmax_out_args *args);
#ifndef __cplusplus
#define ct_log_softmax_out(out, input, dim, ...) CT_CALL_TTA_K(CT_ID(ct_k), ct_log_softmax_out, \
    out, input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the logarithm of the sum of exponentials over dims, without overflow. */
struct ct_logsumexp_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_logsumexp_defaults { .struct_size = sizeof(struct ct_logsumexp_args), .keepdim = false \
    }
CT_API ct_tensor *ct_logsumexp_ex(ct_tensor *input, ct_ints dim, const struct ct_logsumexp_args
    *args);
#ifndef __cplusplus
#define ct_logsumexp(input, dim, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_logsumexp, input, dim \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_logsumexp_out_args {
    size_t struct_size;
    bool keepdim;
};
#define ct_logsumexp_out_defaults { .struct_size = sizeof(struct ct_logsumexp_out_args), .keepdim \
    = false }
CT_API ct_tensor *ct_logsumexp_out_ex(ct_tensor *out, ct_tensor *input, ct_ints dim, const struct
    ct_logsumexp_out_args *args);
#ifndef __cplusplus
#define ct_logsumexp_out(out, input, dim, ...) CT_CALL_TTI_K(CT_ID(ct_k), ct_logsumexp_out, out, \
    input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns exponentials divided by their sum along `dim`; the same as `softmax`. */
struct ct_special_softmax_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_special_softmax_defaults { .struct_size = sizeof(struct ct_special_softmax_args), \
    .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_special_softmax_ex(ct_tensor *input, int64_t dim, const struct
    ct_special_softmax_args *args);
#ifndef __cplusplus
#define ct_special_softmax(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_special_softmax, input, \
    dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the logarithm of `softmax`; the same as `log_softmax`. */
struct ct_special_log_softmax_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_special_log_softmax_defaults { .struct_size = sizeof(struct \
    ct_special_log_softmax_args), .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_special_log_softmax_ex(ct_tensor *input, int64_t dim, const struct
    ct_special_log_softmax_args *args);
#ifndef __cplusplus
#define ct_special_log_softmax(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_special_log_softmax, \
    input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a sparse tensor of `values` at `indices`, whose columns are the positions; without `size`, the smallest shape that contains them. */
struct ct_sparse_coo_tensor_args {
    size_t struct_size;
    ct_ints size;
    bool is_coalesced;
};
#define ct_sparse_coo_tensor_defaults { .struct_size = sizeof(struct ct_sparse_coo_tensor_args), \
    .size = CT_NO_DIMS, .is_coalesced = false }
CT_API ct_tensor *ct_sparse_coo_tensor_ex(ct_tensor *indices, ct_tensor *values, const struct
    ct_sparse_coo_tensor_args *args);
#ifndef __cplusplus
#define ct_sparse_coo_tensor(indices, values, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_sparse_coo_tensor, \
    indices, values __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a sparse tensor without values, in coordinates or in compressed rows or columns. */
struct ct_sparse_zeros_args {
    size_t struct_size;
    int layout;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_sparse_zeros_defaults { .struct_size = sizeof(struct ct_sparse_zeros_args), .layout = \
    -1, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_sparse_zeros_ex(ct_ints size, const struct ct_sparse_zeros_args *args);
#ifndef __cplusplus
#define ct_sparse_zeros(size, ...) CT_CALL_I_K(CT_ID(ct_k), ct_sparse_zeros, size __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a sparse tensor in a compressed `layout`: where each row or column begins, the index of each value, and the values. */
struct ct_sparse_compressed_tensor_args {
    size_t struct_size;
    ct_ints size;
    int layout;
    int check_invariants;
};
#define ct_sparse_compressed_tensor_defaults { .struct_size = sizeof(struct \
    ct_sparse_compressed_tensor_args), .size = CT_NO_DIMS, .layout = -1, .check_invariants = -1 }
CT_API ct_tensor *ct_sparse_compressed_tensor_ex(ct_tensor *compressed_indices, ct_tensor
    *plain_indices, ct_tensor *values, const struct ct_sparse_compressed_tensor_args *args);
#ifndef __cplusplus
#define ct_sparse_compressed_tensor(compressed_indices, plain_indices, values, ...) \
    CT_CALL_TTT_K(CT_ID(ct_k), ct_sparse_compressed_tensor, compressed_indices, plain_indices, \
    values __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a sparse tensor in compressed rows: where each row begins, the column of each value, and the values. */
struct ct_sparse_csr_tensor_args {
    size_t struct_size;
    ct_ints size;
    int check_invariants;
};
#define ct_sparse_csr_tensor_defaults { .struct_size = sizeof(struct ct_sparse_csr_tensor_args), \
    .size = CT_NO_DIMS, .check_invariants = -1 }
CT_API ct_tensor *ct_sparse_csr_tensor_ex(ct_tensor *crow_indices, ct_tensor *col_indices, ct_tensor
    *values, const struct ct_sparse_csr_tensor_args *args);
#ifndef __cplusplus
#define ct_sparse_csr_tensor(crow_indices, col_indices, values, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_sparse_csr_tensor, crow_indices, col_indices, values __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a sparse tensor in compressed columns: where each column begins, the row of each value, and the values. */
struct ct_sparse_csc_tensor_args {
    size_t struct_size;
    ct_ints size;
    int check_invariants;
};
#define ct_sparse_csc_tensor_defaults { .struct_size = sizeof(struct ct_sparse_csc_tensor_args), \
    .size = CT_NO_DIMS, .check_invariants = -1 }
CT_API ct_tensor *ct_sparse_csc_tensor_ex(ct_tensor *ccol_indices, ct_tensor *row_indices, ct_tensor
    *values, const struct ct_sparse_csc_tensor_args *args);
#ifndef __cplusplus
#define ct_sparse_csc_tensor(ccol_indices, row_indices, values, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_sparse_csc_tensor, ccol_indices, row_indices, values __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a sparse tensor in compressed rows of blocks: where each row begins, the column of each block, and the blocks. */
struct ct_sparse_bsr_tensor_args {
    size_t struct_size;
    ct_ints size;
    int check_invariants;
};
#define ct_sparse_bsr_tensor_defaults { .struct_size = sizeof(struct ct_sparse_bsr_tensor_args), \
    .size = CT_NO_DIMS, .check_invariants = -1 }
CT_API ct_tensor *ct_sparse_bsr_tensor_ex(ct_tensor *crow_indices, ct_tensor *col_indices, ct_tensor
    *values, const struct ct_sparse_bsr_tensor_args *args);
#ifndef __cplusplus
#define ct_sparse_bsr_tensor(crow_indices, col_indices, values, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_sparse_bsr_tensor, crow_indices, col_indices, values __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a sparse tensor in compressed columns of blocks: where each column begins, the row of each block, and the blocks. */
struct ct_sparse_bsc_tensor_args {
    size_t struct_size;
    ct_ints size;
    int check_invariants;
};
#define ct_sparse_bsc_tensor_defaults { .struct_size = sizeof(struct ct_sparse_bsc_tensor_args), \
    .size = CT_NO_DIMS, .check_invariants = -1 }
CT_API ct_tensor *ct_sparse_bsc_tensor_ex(ct_tensor *ccol_indices, ct_tensor *row_indices, ct_tensor
    *values, const struct ct_sparse_bsc_tensor_args *args);
#ifndef __cplusplus
#define ct_sparse_bsc_tensor(ccol_indices, row_indices, values, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_sparse_bsc_tensor, ccol_indices, row_indices, values __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the index among the values at which each row begins, and the end of the last, of a tensor in compressed rows. */
CT_API ct_tensor *ct_crow_indices(ct_tensor *input);
#ifndef __cplusplus
#define ct_crow_indices(input) CT_CALL_T_P(CT_ID(ct_k), ct_crow_indices, input)
#endif

/* Returns the column of each value of a tensor in compressed rows. */
CT_API ct_tensor *ct_col_indices(ct_tensor *input);
#ifndef __cplusplus
#define ct_col_indices(input) CT_CALL_T_P(CT_ID(ct_k), ct_col_indices, input)
#endif

/* Returns the index among the values at which each column begins, and the end of the last, of a tensor in compressed columns. */
CT_API ct_tensor *ct_ccol_indices(ct_tensor *input);
#ifndef __cplusplus
#define ct_ccol_indices(input) CT_CALL_T_P(CT_ID(ct_k), ct_ccol_indices, input)
#endif

/* Returns the row of each value of a tensor in compressed columns. */
CT_API ct_tensor *ct_row_indices(ct_tensor *input);
#ifndef __cplusplus
#define ct_row_indices(input) CT_CALL_T_P(CT_ID(ct_k), ct_row_indices, input)
#endif

/* Returns the values of a sparse tensor that is coalesced or compressed. */
CT_API ct_tensor *ct_values(ct_tensor *input);
#ifndef __cplusplus
#define ct_values(input) CT_CALL_T_P(CT_ID(ct_k), ct_values, input)
#endif

/* Returns the indices of a sparse tensor that is coalesced. */
CT_API ct_tensor *ct_indices(ct_tensor *input);
#ifndef __cplusplus
#define ct_indices(input) CT_CALL_T_P(CT_ID(ct_k), ct_indices, input)
#endif

/* Returns a sparse tensor with sorted indices, after adding the values at equal positions. */
CT_API ct_tensor *ct_coalesce(ct_tensor *input);
#ifndef __cplusplus
#define ct_coalesce(input) CT_CALL_T_P(CT_ID(ct_k), ct_coalesce, input)
#endif

/* Returns a sparse tensor as a dense one; a dense tensor is returned as it is. */
struct ct_to_dense_args {
    size_t struct_size;
    enum ct_dtype dtype;
    int masked_grad;
};
#define ct_to_dense_defaults { .struct_size = sizeof(struct ct_to_dense_args), .dtype = \
    CT_NO_DTYPE, .masked_grad = -1 }
CT_API ct_tensor *ct_to_dense_ex(ct_tensor *input, const struct ct_to_dense_args *args);
#ifndef __cplusplus
#define ct_to_dense(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_to_dense, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the elements that are not 0 as a sparse tensor; with `sparse_dim`, the slices that are not all 0. */
struct ct_to_sparse_args {
    size_t struct_size;
    int64_t sparse_dim;
    int layout;
    ct_ints blocksize;
    int64_t dense_dim;
};
#define ct_to_sparse_defaults { .struct_size = sizeof(struct ct_to_sparse_args), .sparse_dim = \
    CT_NO_DIM, .layout = -1, .blocksize = CT_NO_DIMS, .dense_dim = CT_NO_DIM }
CT_API ct_tensor *ct_to_sparse_ex(ct_tensor *input, const struct ct_to_sparse_args *args);
#ifndef __cplusplus
#define ct_to_sparse(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_to_sparse, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a matrix, or a batch of them, as a sparse tensor in compressed rows. */
struct ct_to_sparse_csr_args {
    size_t struct_size;
    int64_t dense_dim;
};
#define ct_to_sparse_csr_defaults { .struct_size = sizeof(struct ct_to_sparse_csr_args), \
    .dense_dim = CT_NO_DIM }
CT_API ct_tensor *ct_to_sparse_csr_ex(ct_tensor *input, const struct ct_to_sparse_csr_args *args);
#ifndef __cplusplus
#define ct_to_sparse_csr(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_to_sparse_csr, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns a matrix, or a batch of them, as a sparse tensor in compressed columns. */
struct ct_to_sparse_csc_args {
    size_t struct_size;
    int64_t dense_dim;
};
#define ct_to_sparse_csc_defaults { .struct_size = sizeof(struct ct_to_sparse_csc_args), \
    .dense_dim = CT_NO_DIM }
CT_API ct_tensor *ct_to_sparse_csc_ex(ct_tensor *input, const struct ct_to_sparse_csc_args *args);
#ifndef __cplusplus
#define ct_to_sparse_csc(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_to_sparse_csc, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns a matrix, or a batch of them, as a sparse tensor in compressed rows of blocks of `blocksize`. */
struct ct_to_sparse_bsr_args {
    size_t struct_size;
    int64_t dense_dim;
};
#define ct_to_sparse_bsr_defaults { .struct_size = sizeof(struct ct_to_sparse_bsr_args), \
    .dense_dim = CT_NO_DIM }
CT_API ct_tensor *ct_to_sparse_bsr_ex(ct_tensor *input, ct_ints blocksize, const struct
    ct_to_sparse_bsr_args *args);
#ifndef __cplusplus
#define ct_to_sparse_bsr(input, blocksize, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_to_sparse_bsr, input, \
    blocksize __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a matrix, or a batch of them, as a sparse tensor in compressed columns of blocks of `blocksize`. */
struct ct_to_sparse_bsc_args {
    size_t struct_size;
    int64_t dense_dim;
};
#define ct_to_sparse_bsc_defaults { .struct_size = sizeof(struct ct_to_sparse_bsc_args), \
    .dense_dim = CT_NO_DIM }
CT_API ct_tensor *ct_to_sparse_bsc_ex(ct_tensor *input, ct_ints blocksize, const struct
    ct_to_sparse_bsc_args *args);
#ifndef __cplusplus
#define ct_to_sparse_bsc(input, blocksize, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_to_sparse_bsc, input, \
    blocksize __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the elements of `input` at the positions of the sparse tensor `mask`. */
CT_API ct_tensor *ct_sparse_mask(ct_tensor *input, ct_tensor *mask);
#ifndef __cplusplus
#define ct_sparse_mask(input, mask) CT_CALL_TT_P(CT_ID(ct_k), ct_sparse_mask, input, mask)
#endif

/* Returns the product of two matrices of which at least one is sparse; dense unless both are. */
CT_API ct_tensor *ct_sparse_mm(ct_tensor *mat1, ct_tensor *mat2);
#ifndef __cplusplus
#define ct_sparse_mm(mat1, mat2) CT_CALL_TT_P(CT_ID(ct_k), ct_sparse_mm, mat1, mat2)
#endif

/* Returns `beta * input + alpha * (mat1 @ mat2)` for a sparse `mat1`. */
struct ct_sparse_addmm_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_sparse_addmm_defaults { .struct_size = sizeof(struct ct_sparse_addmm_args), .beta = 1, \
    .alpha = 1 }
CT_API ct_tensor *ct_sparse_addmm_ex(ct_tensor *input, ct_tensor *mat1, ct_tensor *mat2, const
    struct ct_sparse_addmm_args *args);
#ifndef __cplusplus
#define ct_sparse_addmm(input, mat1, mat2, ...) CT_CALL_TTT_K(CT_ID(ct_k), ct_sparse_addmm, input, \
    mat1, mat2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns `beta * input + alpha * (mat1 @ mat2)`, computed only at the positions of the sparse `input`. */
struct ct_sparse_sampled_addmm_args {
    size_t struct_size;
    double beta;
    double alpha;
};
#define ct_sparse_sampled_addmm_defaults { .struct_size = sizeof(struct \
    ct_sparse_sampled_addmm_args), .beta = 1, .alpha = 1 }
CT_API ct_tensor *ct_sparse_sampled_addmm_ex(ct_tensor *input, ct_tensor *mat1, ct_tensor *mat2,
    const struct ct_sparse_sampled_addmm_args *args);
#ifndef __cplusplus
#define ct_sparse_sampled_addmm(input, mat1, mat2, ...) CT_CALL_TTT_K(CT_ID(ct_k), \
    ct_sparse_sampled_addmm, input, mat1, mat2 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the sum of all elements of a sparse tensor, or the sums over dims, which are sparse as long as a sparse dim remains. */
struct ct_sparse_sum_args {
    size_t struct_size;
    ct_ints dim;
    enum ct_dtype dtype;
};
#define ct_sparse_sum_defaults { .struct_size = sizeof(struct ct_sparse_sum_args), .dim = \
    CT_NO_DIMS, .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_sparse_sum_ex(ct_tensor *input, const struct ct_sparse_sum_args *args);
#ifndef __cplusplus
#define ct_sparse_sum(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_sparse_sum, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Computes softmax along a dim of a sparse tensor; absent elements count as minus infinity. */
struct ct_sparse_softmax_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_sparse_softmax_defaults { .struct_size = sizeof(struct ct_sparse_softmax_args), .dtype \
    = CT_NO_DTYPE }
CT_API ct_tensor *ct_sparse_softmax_ex(ct_tensor *input, int64_t dim, const struct
    ct_sparse_softmax_args *args);
#ifndef __cplusplus
#define ct_sparse_softmax(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_sparse_softmax, input, dim \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the logarithm of the softmax of a sparse tensor. */
struct ct_sparse_log_softmax_args {
    size_t struct_size;
    enum ct_dtype dtype;
};
#define ct_sparse_log_softmax_defaults { .struct_size = sizeof(struct ct_sparse_log_softmax_args), \
    .dtype = CT_NO_DTYPE }
CT_API ct_tensor *ct_sparse_log_softmax_ex(ct_tensor *input, int64_t dim, const struct
    ct_sparse_log_softmax_args *args);
#ifndef __cplusplus
#define ct_sparse_log_softmax(input, dim, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_sparse_log_softmax, \
    input, dim __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the digamma function, the logarithmic derivative of the gamma function. */
CT_API ct_tensor *ct_digamma(ct_tensor *input);
#ifndef __cplusplus
#define ct_digamma(input) CT_CALL_T_P(CT_ID(ct_k), ct_digamma, input)
#endif
CT_API ct_tensor *ct_digamma_(ct_tensor *self);
#ifndef __cplusplus
#define ct_digamma_(self) CT_CALL_T_P(CT_ID(ct_k), ct_digamma_, self)
#endif
CT_API ct_tensor *ct_digamma_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_digamma_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_digamma_out, out, input)
#endif

/* Returns the logarithm of the absolute value of the gamma function. */
CT_API ct_tensor *ct_lgamma(ct_tensor *input);
#ifndef __cplusplus
#define ct_lgamma(input) CT_CALL_T_P(CT_ID(ct_k), ct_lgamma, input)
#endif
CT_API ct_tensor *ct_lgamma_(ct_tensor *self);
#ifndef __cplusplus
#define ct_lgamma_(self) CT_CALL_T_P(CT_ID(ct_k), ct_lgamma_, self)
#endif
CT_API ct_tensor *ct_lgamma_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_lgamma_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_lgamma_out, out, input)
#endif

/* Returns the logarithm of the multivariate gamma function of dimension `p`. */
CT_API ct_tensor *ct_mvlgamma(ct_tensor *input, int64_t p);
#ifndef __cplusplus
#define ct_mvlgamma(input, p) CT_CALL_TA_P(CT_ID(ct_k), ct_mvlgamma, input, p)
#endif
CT_API ct_tensor *ct_mvlgamma_(ct_tensor *self, int64_t p);
#ifndef __cplusplus
#define ct_mvlgamma_(self, p) CT_CALL_TA_P(CT_ID(ct_k), ct_mvlgamma_, self, p)
#endif
CT_API ct_tensor *ct_mvlgamma_out(ct_tensor *out, ct_tensor *input, int64_t p);
#ifndef __cplusplus
#define ct_mvlgamma_out(out, input, p) CT_CALL_TTA_P(CT_ID(ct_k), ct_mvlgamma_out, out, input, p)
#endif

/* Returns the n-th derivative of the digamma function. */
CT_API ct_tensor *ct_polygamma(int64_t n, ct_tensor *input);
#ifndef __cplusplus
#define ct_polygamma(n, input) CT_CALL_AT_P(CT_ID(ct_k), ct_polygamma, n, input)
#endif
CT_API ct_tensor *ct_polygamma_out(ct_tensor *out, int64_t n, ct_tensor *input);
#ifndef __cplusplus
#define ct_polygamma_out(out, n, input) CT_CALL_TAT_P(CT_ID(ct_k), ct_polygamma_out, out, n, \
    input)
#endif

/* Replaces each element by the n-th derivative of the digamma function at it. */
CT_API ct_tensor *ct_polygamma_(ct_tensor *self, int64_t n);
#ifndef __cplusplus
#define ct_polygamma_(self, n) CT_CALL_TA_P(CT_ID(ct_k), ct_polygamma_, self, n)
#endif

/* Returns the regularized lower incomplete gamma function of `input` (the shape) at `other`. */
CT_API ct_tensor *ct_igamma(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_igamma(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_igamma, input, other)
#endif
CT_API ct_tensor *ct_igamma_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_igamma_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_igamma_, self, other)
#endif
CT_API ct_tensor *ct_igamma_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_igamma_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_igamma_out, out, input, \
    other)
#endif

/* Returns the regularized upper incomplete gamma function of `input` (the shape) at `other`. */
CT_API ct_tensor *ct_igammac(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_igammac(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_igammac, input, other)
#endif
CT_API ct_tensor *ct_igammac_(ct_tensor *self, ct_tensor *other);
#ifndef __cplusplus
#define ct_igammac_(self, other) CT_CALL_TT_P(CT_ID(ct_k), ct_igammac_, self, other)
#endif
CT_API ct_tensor *ct_igammac_out(ct_tensor *out, ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_igammac_out(out, input, other) CT_CALL_TTT_P(CT_ID(ct_k), ct_igammac_out, out, input, \
    other)
#endif

/* Returns the complementary error function, `1 - erf(x)`. */
CT_API ct_tensor *ct_erfc(ct_tensor *input);
#ifndef __cplusplus
#define ct_erfc(input) CT_CALL_T_P(CT_ID(ct_k), ct_erfc, input)
#endif
CT_API ct_tensor *ct_erfc_(ct_tensor *self);
#ifndef __cplusplus
#define ct_erfc_(self) CT_CALL_T_P(CT_ID(ct_k), ct_erfc_, self)
#endif
CT_API ct_tensor *ct_erfc_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_erfc_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_erfc_out, out, input)
#endif

/* Returns the inverse of the error function. */
CT_API ct_tensor *ct_erfinv(ct_tensor *input);
#ifndef __cplusplus
#define ct_erfinv(input) CT_CALL_T_P(CT_ID(ct_k), ct_erfinv, input)
#endif
CT_API ct_tensor *ct_erfinv_(ct_tensor *self);
#ifndef __cplusplus
#define ct_erfinv_(self) CT_CALL_T_P(CT_ID(ct_k), ct_erfinv_, self)
#endif
CT_API ct_tensor *ct_erfinv_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_erfinv_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_erfinv_out, out, input)
#endif

/* Returns `log(p / (1 - p))`; if `eps` is given, p is first clamped to between `eps` and `1 - eps`. */
struct ct_logit_args {
    size_t struct_size;
    double eps;
};
#define ct_logit_defaults { .struct_size = sizeof(struct ct_logit_args), .eps = CT_NO_NUMBER }
CT_API ct_tensor *ct_logit_ex(ct_tensor *input, const struct ct_logit_args *args);
#ifndef __cplusplus
#define ct_logit(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_logit, input __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_logit__args {
    size_t struct_size;
    double eps;
};
#define ct_logit__defaults { .struct_size = sizeof(struct ct_logit__args), .eps = CT_NO_NUMBER }
CT_API ct_tensor *ct_logit__ex(ct_tensor *self, const struct ct_logit__args *args);
#ifndef __cplusplus
#define ct_logit_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_logit_, self __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_logit_out_args {
    size_t struct_size;
    double eps;
};
#define ct_logit_out_defaults { .struct_size = sizeof(struct ct_logit_out_args), .eps = \
    CT_NO_NUMBER }
CT_API ct_tensor *ct_logit_out_ex(ct_tensor *out, ct_tensor *input, const struct ct_logit_out_args
    *args);
#ifndef __cplusplus
#define ct_logit_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_logit_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the modified Bessel function of the first kind of order 0. */
CT_API ct_tensor *ct_i0(ct_tensor *input);
#ifndef __cplusplus
#define ct_i0(input) CT_CALL_T_P(CT_ID(ct_k), ct_i0, input)
#endif
CT_API ct_tensor *ct_i0_(ct_tensor *self);
#ifndef __cplusplus
#define ct_i0_(self) CT_CALL_T_P(CT_ID(ct_k), ct_i0_, self)
#endif
CT_API ct_tensor *ct_i0_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_i0_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_i0_out, out, input)
#endif

/* Returns the modified Bessel function of the first kind of order 0, times `exp(-abs(x))`. */
CT_API ct_tensor *ct_special_i0e(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_i0e(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_i0e, input)
#endif
CT_API ct_tensor *ct_special_i0e_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_i0e_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_i0e_out, out, input)
#endif

/* Returns the modified Bessel function of the first kind of order 1. */
CT_API ct_tensor *ct_special_i1(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_i1(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_i1, input)
#endif
CT_API ct_tensor *ct_special_i1_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_i1_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_i1_out, out, input)
#endif

/* Returns the modified Bessel function of the first kind of order 1, times `exp(-abs(x))`. */
CT_API ct_tensor *ct_special_i1e(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_i1e(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_i1e, input)
#endif
CT_API ct_tensor *ct_special_i1e_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_i1e_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_i1e_out, out, input)
#endif

/* Returns the modified Bessel function of the first kind of order 0. */
CT_API ct_tensor *ct_special_modified_bessel_i0(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_modified_bessel_i0(input) CT_CALL_T_P(CT_ID(ct_k), \
    ct_special_modified_bessel_i0, input)
#endif
CT_API ct_tensor *ct_special_modified_bessel_i0_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_modified_bessel_i0_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_special_modified_bessel_i0_out, out, input)
#endif

/* Returns the modified Bessel function of the first kind of order 1. */
CT_API ct_tensor *ct_special_modified_bessel_i1(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_modified_bessel_i1(input) CT_CALL_T_P(CT_ID(ct_k), \
    ct_special_modified_bessel_i1, input)
#endif
CT_API ct_tensor *ct_special_modified_bessel_i1_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_modified_bessel_i1_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_special_modified_bessel_i1_out, out, input)
#endif

/* Returns the modified Bessel function of the second kind of order 0. */
CT_API ct_tensor *ct_special_modified_bessel_k0(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_modified_bessel_k0(input) CT_CALL_T_P(CT_ID(ct_k), \
    ct_special_modified_bessel_k0, input)
#endif
CT_API ct_tensor *ct_special_modified_bessel_k0_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_modified_bessel_k0_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_special_modified_bessel_k0_out, out, input)
#endif

/* Returns the modified Bessel function of the second kind of order 1. */
CT_API ct_tensor *ct_special_modified_bessel_k1(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_modified_bessel_k1(input) CT_CALL_T_P(CT_ID(ct_k), \
    ct_special_modified_bessel_k1, input)
#endif
CT_API ct_tensor *ct_special_modified_bessel_k1_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_modified_bessel_k1_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_special_modified_bessel_k1_out, out, input)
#endif

/* Returns the modified Bessel function of the second kind of order 0, times `exp(x)`. */
CT_API ct_tensor *ct_special_scaled_modified_bessel_k0(ct_tensor *x);
#ifndef __cplusplus
#define ct_special_scaled_modified_bessel_k0(x) CT_CALL_T_P(CT_ID(ct_k), \
    ct_special_scaled_modified_bessel_k0, x)
#endif
CT_API ct_tensor *ct_special_scaled_modified_bessel_k0_out(ct_tensor *out, ct_tensor *x);
#ifndef __cplusplus
#define ct_special_scaled_modified_bessel_k0_out(out, x) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_special_scaled_modified_bessel_k0_out, out, x)
#endif

/* Returns the modified Bessel function of the second kind of order 1, times `exp(x)`. */
CT_API ct_tensor *ct_special_scaled_modified_bessel_k1(ct_tensor *x);
#ifndef __cplusplus
#define ct_special_scaled_modified_bessel_k1(x) CT_CALL_T_P(CT_ID(ct_k), \
    ct_special_scaled_modified_bessel_k1, x)
#endif
CT_API ct_tensor *ct_special_scaled_modified_bessel_k1_out(ct_tensor *out, ct_tensor *x);
#ifndef __cplusplus
#define ct_special_scaled_modified_bessel_k1_out(out, x) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_special_scaled_modified_bessel_k1_out, out, x)
#endif

/* Returns the Bessel function of the first kind of order 0. */
CT_API ct_tensor *ct_special_bessel_j0(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_bessel_j0(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_bessel_j0, input)
#endif
CT_API ct_tensor *ct_special_bessel_j0_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_bessel_j0_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_bessel_j0_out, \
    out, input)
#endif

/* Returns the Bessel function of the first kind of order 1. */
CT_API ct_tensor *ct_special_bessel_j1(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_bessel_j1(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_bessel_j1, input)
#endif
CT_API ct_tensor *ct_special_bessel_j1_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_bessel_j1_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_bessel_j1_out, \
    out, input)
#endif

/* Returns the Bessel function of the second kind of order 0. */
CT_API ct_tensor *ct_special_bessel_y0(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_bessel_y0(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_bessel_y0, input)
#endif
CT_API ct_tensor *ct_special_bessel_y0_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_bessel_y0_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_bessel_y0_out, \
    out, input)
#endif

/* Returns the Bessel function of the second kind of order 1. */
CT_API ct_tensor *ct_special_bessel_y1(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_bessel_y1(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_bessel_y1, input)
#endif
CT_API ct_tensor *ct_special_bessel_y1_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_bessel_y1_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_bessel_y1_out, \
    out, input)
#endif

/* Returns the spherical Bessel function of the first kind of order 0, `sin(x) / x`. */
CT_API ct_tensor *ct_special_spherical_bessel_j0(ct_tensor *x);
#ifndef __cplusplus
#define ct_special_spherical_bessel_j0(x) CT_CALL_T_P(CT_ID(ct_k), ct_special_spherical_bessel_j0, \
    x)
#endif
CT_API ct_tensor *ct_special_spherical_bessel_j0_out(ct_tensor *out, ct_tensor *x);
#ifndef __cplusplus
#define ct_special_spherical_bessel_j0_out(out, x) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_special_spherical_bessel_j0_out, out, x)
#endif

/* Returns the Airy function Ai. */
CT_API ct_tensor *ct_special_airy_ai(ct_tensor *x);
#ifndef __cplusplus
#define ct_special_airy_ai(x) CT_CALL_T_P(CT_ID(ct_k), ct_special_airy_ai, x)
#endif
CT_API ct_tensor *ct_special_airy_ai_out(ct_tensor *out, ct_tensor *x);
#ifndef __cplusplus
#define ct_special_airy_ai_out(out, x) CT_CALL_TT_P(CT_ID(ct_k), ct_special_airy_ai_out, out, x)
#endif

/* Returns the entropy term `-x * log(x)`: 0 at 0, and -inf below. */
CT_API ct_tensor *ct_special_entr(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_entr(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_entr, input)
#endif
CT_API ct_tensor *ct_special_entr_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_entr_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_entr_out, out, input)
#endif

/* Returns the scaled complementary error function, `exp(x ** 2) * erfc(x)`. */
CT_API ct_tensor *ct_special_erfcx(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_erfcx(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_erfcx, input)
#endif
CT_API ct_tensor *ct_special_erfcx_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_erfcx_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_erfcx_out, out, \
    input)
#endif

/* Returns the distribution function of the standard normal distribution. */
CT_API ct_tensor *ct_special_ndtr(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_ndtr(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_ndtr, input)
#endif
CT_API ct_tensor *ct_special_ndtr_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_ndtr_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_ndtr_out, out, input)
#endif

/* Returns the inverse of the standard normal distribution function. */
CT_API ct_tensor *ct_special_ndtri(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_ndtri(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_ndtri, input)
#endif
CT_API ct_tensor *ct_special_ndtri_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_ndtri_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_ndtri_out, out, \
    input)
#endif

/* Returns the logarithm of the standard normal distribution function. */
CT_API ct_tensor *ct_special_log_ndtr(ct_tensor *input);
#ifndef __cplusplus
#define ct_special_log_ndtr(input) CT_CALL_T_P(CT_ID(ct_k), ct_special_log_ndtr, input)
#endif
CT_API ct_tensor *ct_special_log_ndtr_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_special_log_ndtr_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_special_log_ndtr_out, \
    out, input)
#endif

/* Returns `input * log1p(other)`, and 0 where `input` is 0. */
CT_API ct_tensor *ct_special_xlog1py_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_special_xlog1py(input, other) CT_CALL_VV(CT_ID(ct_k), ct_special_xlog1py, input, other)
#endif
CT_API ct_tensor *ct_special_xlog1py_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_special_xlog1py_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_special_xlog1py_out, \
    out, input, other)
#endif

/* Returns Hurwitz's zeta function, the sum of `(other + k) ** -input` over k = 0, 1, 2, ... */
CT_API ct_tensor *ct_special_zeta_ex(ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_special_zeta(input, other) CT_CALL_VV(CT_ID(ct_k), ct_special_zeta, input, other)
#endif
CT_API ct_tensor *ct_special_zeta_out_ex(ct_tensor *out, ct_value input, ct_value other);
#ifndef __cplusplus
#define ct_special_zeta_out(out, input, other) CT_CALL_TVV(CT_ID(ct_k), ct_special_zeta_out, out, \
    input, other)
#endif

/* Computes the discrete Fourier transform along a dim. */
struct ct_fft_fft_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_fft_defaults { .struct_size = sizeof(struct ct_fft_fft_args), .n = CT_NO_DIM, .dim \
    = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_fft_ex(ct_tensor *input, const struct ct_fft_fft_args *args);
#ifndef __cplusplus
#define ct_fft_fft(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_fft, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_fft_out_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_fft_out_defaults { .struct_size = sizeof(struct ct_fft_fft_out_args), .n = \
    CT_NO_DIM, .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_fft_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_fft_out_args *args);
#ifndef __cplusplus
#define ct_fft_fft_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_fft_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse Fourier transform along a dim. */
struct ct_fft_ifft_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_ifft_defaults { .struct_size = sizeof(struct ct_fft_ifft_args), .n = CT_NO_DIM, \
    .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_ifft_ex(ct_tensor *input, const struct ct_fft_ifft_args *args);
#ifndef __cplusplus
#define ct_fft_ifft(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_ifft, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_ifft_out_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_ifft_out_defaults { .struct_size = sizeof(struct ct_fft_ifft_out_args), .n = \
    CT_NO_DIM, .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_ifft_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_ifft_out_args *args);
#ifndef __cplusplus
#define ct_fft_ifft_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_ifft_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Fourier transform of real numbers along a dim, without the redundant negative frequencies. */
struct ct_fft_rfft_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_rfft_defaults { .struct_size = sizeof(struct ct_fft_rfft_args), .n = CT_NO_DIM, \
    .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_rfft_ex(ct_tensor *input, const struct ct_fft_rfft_args *args);
#ifndef __cplusplus
#define ct_fft_rfft(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_rfft, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_rfft_out_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_rfft_out_defaults { .struct_size = sizeof(struct ct_fft_rfft_out_args), .n = \
    CT_NO_DIM, .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_rfft_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_rfft_out_args *args);
#ifndef __cplusplus
#define ct_fft_rfft_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_rfft_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse of rfft along a dim: `n` real numbers. */
struct ct_fft_irfft_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_irfft_defaults { .struct_size = sizeof(struct ct_fft_irfft_args), .n = CT_NO_DIM, \
    .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_irfft_ex(ct_tensor *input, const struct ct_fft_irfft_args *args);
#ifndef __cplusplus
#define ct_fft_irfft(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_irfft, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_irfft_out_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_irfft_out_defaults { .struct_size = sizeof(struct ct_fft_irfft_out_args), .n = \
    CT_NO_DIM, .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_irfft_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_irfft_out_args *args);
#ifndef __cplusplus
#define ct_fft_irfft_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_irfft_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Fourier transform of a Hermitian signal, given by its first half, along a dim: `n` real numbers. */
struct ct_fft_hfft_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_hfft_defaults { .struct_size = sizeof(struct ct_fft_hfft_args), .n = CT_NO_DIM, \
    .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_hfft_ex(ct_tensor *input, const struct ct_fft_hfft_args *args);
#ifndef __cplusplus
#define ct_fft_hfft(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_hfft, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_hfft_out_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_hfft_out_defaults { .struct_size = sizeof(struct ct_fft_hfft_out_args), .n = \
    CT_NO_DIM, .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_hfft_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_hfft_out_args *args);
#ifndef __cplusplus
#define ct_fft_hfft_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_hfft_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse of hfft along a dim: the first half of the inverse transform of real numbers. */
struct ct_fft_ihfft_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_ihfft_defaults { .struct_size = sizeof(struct ct_fft_ihfft_args), .n = CT_NO_DIM, \
    .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_ihfft_ex(ct_tensor *input, const struct ct_fft_ihfft_args *args);
#ifndef __cplusplus
#define ct_fft_ihfft(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_ihfft, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_ihfft_out_args {
    size_t struct_size;
    int64_t n;
    int64_t dim;
    const char *norm;
};
#define ct_fft_ihfft_out_defaults { .struct_size = sizeof(struct ct_fft_ihfft_out_args), .n = \
    CT_NO_DIM, .dim = -1, .norm = NULL }
CT_API ct_tensor *ct_fft_ihfft_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_ihfft_out_args *args);
#ifndef __cplusplus
#define ct_fft_ihfft_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_ihfft_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Fourier transform over two dims. */
struct ct_fft_fft2_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_fft2_defaults { .struct_size = sizeof(struct ct_fft_fft2_args), .s = CT_NO_DIMS, \
    .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_fft2_ex(ct_tensor *input, const struct ct_fft_fft2_args *args);
#ifndef __cplusplus
#define ct_fft_fft2(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_fft2, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_fft2_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_fft2_out_defaults { .struct_size = sizeof(struct ct_fft_fft2_out_args), .s = \
    CT_NO_DIMS, .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_fft2_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_fft2_out_args *args);
#ifndef __cplusplus
#define ct_fft_fft2_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_fft2_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse Fourier transform over two dims. */
struct ct_fft_ifft2_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_ifft2_defaults { .struct_size = sizeof(struct ct_fft_ifft2_args), .s = CT_NO_DIMS, \
    .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_ifft2_ex(ct_tensor *input, const struct ct_fft_ifft2_args *args);
#ifndef __cplusplus
#define ct_fft_ifft2(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_ifft2, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_ifft2_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_ifft2_out_defaults { .struct_size = sizeof(struct ct_fft_ifft2_out_args), .s = \
    CT_NO_DIMS, .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_ifft2_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_ifft2_out_args *args);
#ifndef __cplusplus
#define ct_fft_ifft2_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_ifft2_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Fourier transform of real numbers over two dims, without the redundant half of the last one. */
struct ct_fft_rfft2_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_rfft2_defaults { .struct_size = sizeof(struct ct_fft_rfft2_args), .s = CT_NO_DIMS, \
    .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_rfft2_ex(ct_tensor *input, const struct ct_fft_rfft2_args *args);
#ifndef __cplusplus
#define ct_fft_rfft2(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_rfft2, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_rfft2_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_rfft2_out_defaults { .struct_size = sizeof(struct ct_fft_rfft2_out_args), .s = \
    CT_NO_DIMS, .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_rfft2_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_rfft2_out_args *args);
#ifndef __cplusplus
#define ct_fft_rfft2_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_rfft2_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse of rfft2: real numbers, over two dims. */
struct ct_fft_irfft2_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_irfft2_defaults { .struct_size = sizeof(struct ct_fft_irfft2_args), .s = \
    CT_NO_DIMS, .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_irfft2_ex(ct_tensor *input, const struct ct_fft_irfft2_args *args);
#ifndef __cplusplus
#define ct_fft_irfft2(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_irfft2, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_irfft2_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_irfft2_out_defaults { .struct_size = sizeof(struct ct_fft_irfft2_out_args), .s = \
    CT_NO_DIMS, .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_irfft2_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_irfft2_out_args *args);
#ifndef __cplusplus
#define ct_fft_irfft2_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_irfft2_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Fourier transform of a Hermitian signal, given by its first half, over two dims: real numbers. */
struct ct_fft_hfft2_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_hfft2_defaults { .struct_size = sizeof(struct ct_fft_hfft2_args), .s = CT_NO_DIMS, \
    .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_hfft2_ex(ct_tensor *input, const struct ct_fft_hfft2_args *args);
#ifndef __cplusplus
#define ct_fft_hfft2(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_hfft2, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_hfft2_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_hfft2_out_defaults { .struct_size = sizeof(struct ct_fft_hfft2_out_args), .s = \
    CT_NO_DIMS, .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_hfft2_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_hfft2_out_args *args);
#ifndef __cplusplus
#define ct_fft_hfft2_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_hfft2_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse of hfft2: the first half of the inverse transform of real numbers, over two dims. */
struct ct_fft_ihfft2_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_ihfft2_defaults { .struct_size = sizeof(struct ct_fft_ihfft2_args), .s = \
    CT_NO_DIMS, .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_ihfft2_ex(ct_tensor *input, const struct ct_fft_ihfft2_args *args);
#ifndef __cplusplus
#define ct_fft_ihfft2(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_ihfft2, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_ihfft2_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_ihfft2_out_defaults { .struct_size = sizeof(struct ct_fft_ihfft2_out_args), .s = \
    CT_NO_DIMS, .dim = CT_INTS(-2, -1), .norm = NULL }
CT_API ct_tensor *ct_fft_ihfft2_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_ihfft2_out_args *args);
#ifndef __cplusplus
#define ct_fft_ihfft2_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_ihfft2_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Fourier transform over several dims. */
struct ct_fft_fftn_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_fftn_defaults { .struct_size = sizeof(struct ct_fft_fftn_args), .s = CT_NO_DIMS, \
    .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_fftn_ex(ct_tensor *input, const struct ct_fft_fftn_args *args);
#ifndef __cplusplus
#define ct_fft_fftn(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_fftn, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_fftn_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_fftn_out_defaults { .struct_size = sizeof(struct ct_fft_fftn_out_args), .s = \
    CT_NO_DIMS, .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_fftn_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_fftn_out_args *args);
#ifndef __cplusplus
#define ct_fft_fftn_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_fftn_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse Fourier transform over several dims. */
struct ct_fft_ifftn_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_ifftn_defaults { .struct_size = sizeof(struct ct_fft_ifftn_args), .s = CT_NO_DIMS, \
    .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_ifftn_ex(ct_tensor *input, const struct ct_fft_ifftn_args *args);
#ifndef __cplusplus
#define ct_fft_ifftn(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_ifftn, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_ifftn_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_ifftn_out_defaults { .struct_size = sizeof(struct ct_fft_ifftn_out_args), .s = \
    CT_NO_DIMS, .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_ifftn_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_ifftn_out_args *args);
#ifndef __cplusplus
#define ct_fft_ifftn_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_ifftn_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Fourier transform of real numbers over several dims, without the redundant half of the last one. */
struct ct_fft_rfftn_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_rfftn_defaults { .struct_size = sizeof(struct ct_fft_rfftn_args), .s = CT_NO_DIMS, \
    .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_rfftn_ex(ct_tensor *input, const struct ct_fft_rfftn_args *args);
#ifndef __cplusplus
#define ct_fft_rfftn(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_rfftn, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_rfftn_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_rfftn_out_defaults { .struct_size = sizeof(struct ct_fft_rfftn_out_args), .s = \
    CT_NO_DIMS, .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_rfftn_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_rfftn_out_args *args);
#ifndef __cplusplus
#define ct_fft_rfftn_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_rfftn_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse of rfftn: real numbers, over several dims. */
struct ct_fft_irfftn_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_irfftn_defaults { .struct_size = sizeof(struct ct_fft_irfftn_args), .s = \
    CT_NO_DIMS, .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_irfftn_ex(ct_tensor *input, const struct ct_fft_irfftn_args *args);
#ifndef __cplusplus
#define ct_fft_irfftn(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_irfftn, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_irfftn_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_irfftn_out_defaults { .struct_size = sizeof(struct ct_fft_irfftn_out_args), .s = \
    CT_NO_DIMS, .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_irfftn_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_irfftn_out_args *args);
#ifndef __cplusplus
#define ct_fft_irfftn_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_irfftn_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the Fourier transform of a Hermitian signal, given by its first half, over several dims: real numbers. */
struct ct_fft_hfftn_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_hfftn_defaults { .struct_size = sizeof(struct ct_fft_hfftn_args), .s = CT_NO_DIMS, \
    .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_hfftn_ex(ct_tensor *input, const struct ct_fft_hfftn_args *args);
#ifndef __cplusplus
#define ct_fft_hfftn(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_hfftn, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_hfftn_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_hfftn_out_defaults { .struct_size = sizeof(struct ct_fft_hfftn_out_args), .s = \
    CT_NO_DIMS, .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_hfftn_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_hfftn_out_args *args);
#ifndef __cplusplus
#define ct_fft_hfftn_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_hfftn_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Computes the inverse of hfftn: the first half of the inverse transform of real numbers, over several dims. */
struct ct_fft_ihfftn_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_ihfftn_defaults { .struct_size = sizeof(struct ct_fft_ihfftn_args), .s = \
    CT_NO_DIMS, .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_ihfftn_ex(ct_tensor *input, const struct ct_fft_ihfftn_args *args);
#ifndef __cplusplus
#define ct_fft_ihfftn(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_ihfftn, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_ihfftn_out_args {
    size_t struct_size;
    ct_ints s;
    ct_ints dim;
    const char *norm;
};
#define ct_fft_ihfftn_out_defaults { .struct_size = sizeof(struct ct_fft_ihfftn_out_args), .s = \
    CT_NO_DIMS, .dim = CT_NO_DIMS, .norm = NULL }
CT_API ct_tensor *ct_fft_ihfftn_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_fft_ihfftn_out_args *args);
#ifndef __cplusplus
#define ct_fft_ihfftn_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_fft_ihfftn_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the frequencies of the elements of a transform of `n` samples that are `d` apart. */
struct ct_fft_fftfreq_args {
    size_t struct_size;
    double d;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_fft_fftfreq_defaults { .struct_size = sizeof(struct ct_fft_fftfreq_args), .d = 1.0, \
    .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_fft_fftfreq_ex(int64_t n, const struct ct_fft_fftfreq_args *args);
#ifndef __cplusplus
#define ct_fft_fftfreq(n, ...) CT_CALL_A_K(CT_ID(ct_k), ct_fft_fftfreq, n __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_fftfreq_out_args {
    size_t struct_size;
    double d;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_fft_fftfreq_out_defaults { .struct_size = sizeof(struct ct_fft_fftfreq_out_args), .d = \
    1.0, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_fft_fftfreq_out_ex(ct_tensor *out, int64_t n, const struct
    ct_fft_fftfreq_out_args *args);
#ifndef __cplusplus
#define ct_fft_fftfreq_out(out, n, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_fft_fftfreq_out, out, n \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the frequencies of the elements of a one-sided transform of `n` samples that are `d` apart. */
struct ct_fft_rfftfreq_args {
    size_t struct_size;
    double d;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_fft_rfftfreq_defaults { .struct_size = sizeof(struct ct_fft_rfftfreq_args), .d = 1.0, \
    .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_fft_rfftfreq_ex(int64_t n, const struct ct_fft_rfftfreq_args *args);
#ifndef __cplusplus
#define ct_fft_rfftfreq(n, ...) CT_CALL_A_K(CT_ID(ct_k), ct_fft_rfftfreq, n __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_fft_rfftfreq_out_args {
    size_t struct_size;
    double d;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_fft_rfftfreq_out_defaults { .struct_size = sizeof(struct ct_fft_rfftfreq_out_args), .d \
    = 1.0, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_fft_rfftfreq_out_ex(ct_tensor *out, int64_t n, const struct
    ct_fft_rfftfreq_out_args *args);
#ifndef __cplusplus
#define ct_fft_rfftfreq_out(out, n, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_fft_rfftfreq_out, out, n \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Moves frequency zero to the middle of each dim. */
struct ct_fft_fftshift_args {
    size_t struct_size;
    ct_ints dim;
};
#define ct_fft_fftshift_defaults { .struct_size = sizeof(struct ct_fft_fftshift_args), .dim = \
    CT_NO_DIMS }
CT_API ct_tensor *ct_fft_fftshift_ex(ct_tensor *input, const struct ct_fft_fftshift_args *args);
#ifndef __cplusplus
#define ct_fft_fftshift(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_fftshift, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Moves frequency zero back to the beginning; the inverse of fftshift. */
struct ct_fft_ifftshift_args {
    size_t struct_size;
    ct_ints dim;
};
#define ct_fft_ifftshift_defaults { .struct_size = sizeof(struct ct_fft_ifftshift_args), .dim = \
    CT_NO_DIMS }
CT_API ct_tensor *ct_fft_ifftshift_ex(ct_tensor *input, const struct ct_fft_ifftshift_args *args);
#ifndef __cplusplus
#define ct_fft_ifftshift(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_fft_ifftshift, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Computes the short-time Fourier transform: the transforms of windowed frames of a signal. */
struct ct_stft_args {
    size_t struct_size;
    int64_t hop_length;
    int64_t win_length;
    ct_tensor *window;
    bool center;
    const char *pad_mode;
    bool normalized;
    int onesided;
    int return_complex;
    int align_to_window;
};
#define ct_stft_defaults { .struct_size = sizeof(struct ct_stft_args), .hop_length = CT_NO_DIM, \
    .win_length = CT_NO_DIM, .window = CT_NO_TENSOR, .center = true, .pad_mode = "reflect", \
    .normalized = false, .onesided = -1, .return_complex = -1, .align_to_window = -1 }
CT_API ct_tensor *ct_stft_ex(ct_tensor *input, int64_t n_fft, const struct ct_stft_args *args);
#ifndef __cplusplus
#define ct_stft(input, n_fft, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_stft, input, n_fft __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Computes the inverse of stft: adds the frames where they overlap, and divides by the sum of the squared windows. */
struct ct_istft_args {
    size_t struct_size;
    int64_t hop_length;
    int64_t win_length;
    ct_tensor *window;
    bool center;
    bool normalized;
    int onesided;
    int64_t length;
    bool return_complex;
};
#define ct_istft_defaults { .struct_size = sizeof(struct ct_istft_args), .hop_length = CT_NO_DIM, \
    .win_length = CT_NO_DIM, .window = CT_NO_TENSOR, .center = true, .normalized = false, \
    .onesided = -1, .length = CT_NO_DIM, .return_complex = false }
CT_API ct_tensor *ct_istft_ex(ct_tensor *input, int64_t n_fft, const struct ct_istft_args *args);
#ifndef __cplusplus
#define ct_istft(input, n_fft, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_istft, input, n_fft __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Returns `input` as a view with at least one dim. */
CT_API ct_tensor *ct_atleast_1d(ct_tensor *input);
#ifndef __cplusplus
#define ct_atleast_1d(input) CT_CALL_T_P(CT_ID(ct_k), ct_atleast_1d, input)
#endif

/* Returns `input` as a view with at least two dims, new ones first. */
CT_API ct_tensor *ct_atleast_2d(ct_tensor *input);
#ifndef __cplusplus
#define ct_atleast_2d(input) CT_CALL_T_P(CT_ID(ct_k), ct_atleast_2d, input)
#endif

/* Returns `input` as a view with at least three dims; a vector gets the shape (1, n, 1), a matrix (m, n, 1). */
CT_API ct_tensor *ct_atleast_3d(ct_tensor *input);
#ifndef __cplusplus
#define ct_atleast_3d(input) CT_CALL_T_P(CT_ID(ct_k), ct_atleast_3d, input)
#endif

/* Returns the tensors as views with at least one dim. */
CT_API ct_list ct_atleast_1d_Sequence(ct_list tensors);
#ifndef __cplusplus
#define ct_atleast_1d_Sequence(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_atleast_1d_Sequence, \
    tensors __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the tensors as views with at least two dims. */
CT_API ct_list ct_atleast_2d_Sequence(ct_list tensors);
#ifndef __cplusplus
#define ct_atleast_2d_Sequence(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_atleast_2d_Sequence, \
    tensors __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the tensors as views with at least three dims. */
CT_API ct_list ct_atleast_3d_Sequence(ct_list tensors);
#ifndef __cplusplus
#define ct_atleast_3d_Sequence(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_atleast_3d_Sequence, \
    tensors __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Concatenates tensors horizontally: vectors along their only dim, others along the second. */
CT_API ct_tensor *ct_hstack(ct_list tensors);
#ifndef __cplusplus
#define ct_hstack(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_hstack, tensors __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
CT_API ct_tensor *ct_hstack_out(ct_tensor *out, ct_list tensors);
#ifndef __cplusplus
#define ct_hstack_out(out, tensors, ...) CT_CALL_TL_P(CT_ID(ct_k), ct_hstack_out, out, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Concatenates tensors vertically, along the first dim; vectors become rows. */
CT_API ct_tensor *ct_vstack(ct_list tensors);
#ifndef __cplusplus
#define ct_vstack(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_vstack, tensors __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
CT_API ct_tensor *ct_vstack_out(ct_tensor *out, ct_list tensors);
#ifndef __cplusplus
#define ct_vstack_out(out, tensors, ...) CT_CALL_TL_P(CT_ID(ct_k), ct_vstack_out, out, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Concatenates tensors along the third dim. */
CT_API ct_tensor *ct_dstack(ct_list tensors);
#ifndef __cplusplus
#define ct_dstack(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_dstack, tensors __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
CT_API ct_tensor *ct_dstack_out(ct_tensor *out, ct_list tensors);
#ifndef __cplusplus
#define ct_dstack_out(out, tensors, ...) CT_CALL_TL_P(CT_ID(ct_k), ct_dstack_out, out, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Concatenates tensors horizontally; vectors become columns. */
CT_API ct_tensor *ct_column_stack(ct_list tensors);
#ifndef __cplusplus
#define ct_column_stack(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_column_stack, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
CT_API ct_tensor *ct_column_stack_out(ct_tensor *out, ct_list tensors);
#ifndef __cplusplus
#define ct_column_stack_out(out, tensors, ...) CT_CALL_TL_P(CT_ID(ct_k), ct_column_stack_out, out, \
    tensors __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim before each of the indices, as views. */
struct ct_tensor_split_indices_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_tensor_split_indices_defaults { .struct_size = sizeof(struct \
    ct_tensor_split_indices_args), .dim = 0 }
CT_API ct_list ct_tensor_split_indices_ex(ct_tensor *input, ct_ints indices, const struct
    ct_tensor_split_indices_args *args);
#ifndef __cplusplus
#define ct_tensor_split_indices(input, indices, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_tensor_split_indices, input, indices __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim by a tensor: a 0-d one is the number of parts, a 1-d one lists the indices. */
struct ct_tensor_split_tensor_indices_or_sections_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_tensor_split_tensor_indices_or_sections_defaults { .struct_size = sizeof(struct \
    ct_tensor_split_tensor_indices_or_sections_args), .dim = 0 }
CT_API ct_list ct_tensor_split_tensor_indices_or_sections_ex(ct_tensor *input, ct_tensor
    *tensor_indices_or_sections, const struct ct_tensor_split_tensor_indices_or_sections_args
    *args);
#ifndef __cplusplus
#define ct_tensor_split_tensor_indices_or_sections(input, tensor_indices_or_sections, ...) \
    CT_CALL_TT_K(CT_ID(ct_k), ct_tensor_split_tensor_indices_or_sections, input, \
    tensor_indices_or_sections __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim into a number of parts of nearly equal size, as views. */
struct ct_tensor_split_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_tensor_split_defaults { .struct_size = sizeof(struct ct_tensor_split_args), .dim = 0 }
CT_API ct_list ct_tensor_split_ex(ct_tensor *input, int64_t sections, const struct
    ct_tensor_split_args *args);
#ifndef __cplusplus
#define ct_tensor_split(input, sections, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_tensor_split, input, \
    sections __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits the second dim (of a vector the first) into equal parts, as views. */
CT_API ct_list ct_hsplit(ct_tensor *input, int64_t sections);
#ifndef __cplusplus
#define ct_hsplit(input, sections) CT_CALL_TA_P(CT_ID(ct_k), ct_hsplit, input, sections)
#endif

/* Splits the second dim (of a vector the first) before each index, as views. */
CT_API ct_list ct_hsplit_array(ct_tensor *input, ct_ints indices);
#ifndef __cplusplus
#define ct_hsplit_array(input, indices, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_hsplit_array, input, \
    indices __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits the first dim into equal parts, as views. */
CT_API ct_list ct_vsplit(ct_tensor *input, int64_t sections);
#ifndef __cplusplus
#define ct_vsplit(input, sections) CT_CALL_TA_P(CT_ID(ct_k), ct_vsplit, input, sections)
#endif

/* Splits the first dim before each index, as views. */
CT_API ct_list ct_vsplit_array(ct_tensor *input, ct_ints indices);
#ifndef __cplusplus
#define ct_vsplit_array(input, indices, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_vsplit_array, input, \
    indices __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits the third dim into equal parts, as views. */
CT_API ct_list ct_dsplit(ct_tensor *input, int64_t sections);
#ifndef __cplusplus
#define ct_dsplit(input, sections) CT_CALL_TA_P(CT_ID(ct_k), ct_dsplit, input, sections)
#endif

/* Splits the third dim before each index, as views. */
CT_API ct_list ct_dsplit_array(ct_tensor *input, ct_ints indices);
#ifndef __cplusplus
#define ct_dsplit_array(input, indices, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_dsplit_array, input, \
    indices __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns the coordinates of a grid: expands each vector along its own dim, as views. */
struct ct_meshgrid_args {
    size_t struct_size;
    const char *indexing;
};
#define ct_meshgrid_defaults { .struct_size = sizeof(struct ct_meshgrid_args), .indexing = NULL }
CT_API ct_list ct_meshgrid_ex(ct_list tensors, const struct ct_meshgrid_args *args);
#ifndef __cplusplus
#define ct_meshgrid(tensors, ...) CT_CALL_L_K(CT_ID(ct_k), ct_meshgrid, tensors __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns all tuples of elements of the vectors, one in each row. */
CT_API ct_tensor *ct_cartesian_prod(ct_list tensors);
#ifndef __cplusplus
#define ct_cartesian_prod(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_cartesian_prod, tensors \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns all combinations of `r` elements of a vector, one in each row. */
struct ct_combinations_args {
    size_t struct_size;
    int64_t r;
    bool with_replacement;
};
#define ct_combinations_defaults { .struct_size = sizeof(struct ct_combinations_args), .r = 2, \
    .with_replacement = false }
CT_API ct_tensor *ct_combinations_ex(ct_tensor *input, const struct ct_combinations_args *args);
#ifndef __cplusplus
#define ct_combinations(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_combinations, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a matrix of zeros with the tensors as blocks on its diagonal. */
CT_API ct_tensor *ct_block_diag(ct_list tensors);
#ifndef __cplusplus
#define ct_block_diag(tensors, ...) CT_CALL_L_P(CT_ID(ct_k), ct_block_diag, tensors __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the arc cosine of each element. */
CT_API ct_tensor *ct_acos(ct_tensor *input);
#ifndef __cplusplus
#define ct_acos(input) CT_CALL_T_P(CT_ID(ct_k), ct_acos, input)
#endif
CT_API ct_tensor *ct_acos_(ct_tensor *self);
#ifndef __cplusplus
#define ct_acos_(self) CT_CALL_T_P(CT_ID(ct_k), ct_acos_, self)
#endif
CT_API ct_tensor *ct_acos_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_acos_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_acos_out, out, input)
#endif

/* Returns the arc sine of each element. */
CT_API ct_tensor *ct_asin(ct_tensor *input);
#ifndef __cplusplus
#define ct_asin(input) CT_CALL_T_P(CT_ID(ct_k), ct_asin, input)
#endif
CT_API ct_tensor *ct_asin_(ct_tensor *self);
#ifndef __cplusplus
#define ct_asin_(self) CT_CALL_T_P(CT_ID(ct_k), ct_asin_, self)
#endif
CT_API ct_tensor *ct_asin_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_asin_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_asin_out, out, input)
#endif

/* Returns the arc tangent of each element. */
CT_API ct_tensor *ct_atan(ct_tensor *input);
#ifndef __cplusplus
#define ct_atan(input) CT_CALL_T_P(CT_ID(ct_k), ct_atan, input)
#endif
CT_API ct_tensor *ct_atan_(ct_tensor *self);
#ifndef __cplusplus
#define ct_atan_(self) CT_CALL_T_P(CT_ID(ct_k), ct_atan_, self)
#endif
CT_API ct_tensor *ct_atan_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_atan_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_atan_out, out, input)
#endif

/* Returns the inverse hyperbolic cosine of each element. */
CT_API ct_tensor *ct_acosh(ct_tensor *input);
#ifndef __cplusplus
#define ct_acosh(input) CT_CALL_T_P(CT_ID(ct_k), ct_acosh, input)
#endif
CT_API ct_tensor *ct_acosh_(ct_tensor *self);
#ifndef __cplusplus
#define ct_acosh_(self) CT_CALL_T_P(CT_ID(ct_k), ct_acosh_, self)
#endif
CT_API ct_tensor *ct_acosh_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_acosh_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_acosh_out, out, input)
#endif

/* Returns the inverse hyperbolic sine of each element. */
CT_API ct_tensor *ct_asinh(ct_tensor *input);
#ifndef __cplusplus
#define ct_asinh(input) CT_CALL_T_P(CT_ID(ct_k), ct_asinh, input)
#endif
CT_API ct_tensor *ct_asinh_(ct_tensor *self);
#ifndef __cplusplus
#define ct_asinh_(self) CT_CALL_T_P(CT_ID(ct_k), ct_asinh_, self)
#endif
CT_API ct_tensor *ct_asinh_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_asinh_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_asinh_out, out, input)
#endif

/* Returns the inverse hyperbolic tangent of each element. */
CT_API ct_tensor *ct_atanh(ct_tensor *input);
#ifndef __cplusplus
#define ct_atanh(input) CT_CALL_T_P(CT_ID(ct_k), ct_atanh, input)
#endif
CT_API ct_tensor *ct_atanh_(ct_tensor *self);
#ifndef __cplusplus
#define ct_atanh_(self) CT_CALL_T_P(CT_ID(ct_k), ct_atanh_, self)
#endif
CT_API ct_tensor *ct_atanh_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_atanh_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_atanh_out, out, input)
#endif

/* Converts degrees to radians. */
CT_API ct_tensor *ct_deg2rad(ct_tensor *input);
#ifndef __cplusplus
#define ct_deg2rad(input) CT_CALL_T_P(CT_ID(ct_k), ct_deg2rad, input)
#endif
CT_API ct_tensor *ct_deg2rad_(ct_tensor *self);
#ifndef __cplusplus
#define ct_deg2rad_(self) CT_CALL_T_P(CT_ID(ct_k), ct_deg2rad_, self)
#endif
CT_API ct_tensor *ct_deg2rad_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_deg2rad_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_deg2rad_out, out, input)
#endif

/* Converts radians to degrees. */
CT_API ct_tensor *ct_rad2deg(ct_tensor *input);
#ifndef __cplusplus
#define ct_rad2deg(input) CT_CALL_T_P(CT_ID(ct_k), ct_rad2deg, input)
#endif
CT_API ct_tensor *ct_rad2deg_(ct_tensor *self);
#ifndef __cplusplus
#define ct_rad2deg_(self) CT_CALL_T_P(CT_ID(ct_k), ct_rad2deg_, self)
#endif
CT_API ct_tensor *ct_rad2deg_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_rad2deg_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_rad2deg_out, out, input)
#endif

/* Returns the angle of each element in the complex plane; 0 or pi for real numbers. */
CT_API ct_tensor *ct_angle(ct_tensor *input);
#ifndef __cplusplus
#define ct_angle(input) CT_CALL_T_P(CT_ID(ct_k), ct_angle, input)
#endif
CT_API ct_tensor *ct_angle_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_angle_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_angle_out, out, input)
#endif

/* Returns `sin(pi * x) / (pi * x)`, and 1 at 0. */
CT_API ct_tensor *ct_sinc(ct_tensor *input);
#ifndef __cplusplus
#define ct_sinc(input) CT_CALL_T_P(CT_ID(ct_k), ct_sinc, input)
#endif
CT_API ct_tensor *ct_sinc_(ct_tensor *self);
#ifndef __cplusplus
#define ct_sinc_(self) CT_CALL_T_P(CT_ID(ct_k), ct_sinc_, self)
#endif
CT_API ct_tensor *ct_sinc_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_sinc_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_sinc_out, out, input)
#endif

/* Returns 2 to the power of each element. */
CT_API ct_tensor *ct_exp2(ct_tensor *input);
#ifndef __cplusplus
#define ct_exp2(input) CT_CALL_T_P(CT_ID(ct_k), ct_exp2, input)
#endif
CT_API ct_tensor *ct_exp2_(ct_tensor *self);
#ifndef __cplusplus
#define ct_exp2_(self) CT_CALL_T_P(CT_ID(ct_k), ct_exp2_, self)
#endif
CT_API ct_tensor *ct_exp2_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_exp2_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_exp2_out, out, input)
#endif

/* Returns a copy of `input`. */
CT_API ct_tensor *ct_alias_copy(ct_tensor *input);
#ifndef __cplusplus
#define ct_alias_copy(input) CT_CALL_T_P(CT_ID(ct_k), ct_alias_copy, input)
#endif
CT_API ct_tensor *ct_alias_copy_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_alias_copy_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_alias_copy_out, out, input)
#endif

/* Returns a copy of what `as_strided` views. */
struct ct_as_strided_copy_args {
    size_t struct_size;
    int64_t storage_offset;
};
#define ct_as_strided_copy_defaults { .struct_size = sizeof(struct ct_as_strided_copy_args), \
    .storage_offset = CT_NO_DIM }
CT_API ct_tensor *ct_as_strided_copy_ex(ct_tensor *input, ct_ints size, ct_ints stride, const struct
    ct_as_strided_copy_args *args);
#ifndef __cplusplus
#define ct_as_strided_copy(input, size, stride, ...) CT_CALL_TII_K(CT_ID(ct_k), \
    ct_as_strided_copy, input, size, stride __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_as_strided_copy_out_args {
    size_t struct_size;
    int64_t storage_offset;
};
#define ct_as_strided_copy_out_defaults { .struct_size = sizeof(struct \
    ct_as_strided_copy_out_args), .storage_offset = CT_NO_DIM }
CT_API ct_tensor *ct_as_strided_copy_out_ex(ct_tensor *out, ct_tensor *input, ct_ints size, ct_ints
    stride, const struct ct_as_strided_copy_out_args *args);
#ifndef __cplusplus
#define ct_as_strided_copy_out(out, input, size, stride, ...) CT_CALL_TTII_K(CT_ID(ct_k), \
    ct_as_strided_copy_out, out, input, size, stride __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a copy of what `expand` views. */
struct ct_expand_copy_args {
    size_t struct_size;
    bool implicit;
};
#define ct_expand_copy_defaults { .struct_size = sizeof(struct ct_expand_copy_args), .implicit = \
    false }
CT_API ct_tensor *ct_expand_copy_ex(ct_tensor *input, ct_ints size, const struct ct_expand_copy_args
    *args);
#ifndef __cplusplus
#define ct_expand_copy(input, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_expand_copy, input, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_expand_copy_out_args {
    size_t struct_size;
    bool implicit;
};
#define ct_expand_copy_out_defaults { .struct_size = sizeof(struct ct_expand_copy_out_args), \
    .implicit = false }
CT_API ct_tensor *ct_expand_copy_out_ex(ct_tensor *out, ct_tensor *input, ct_ints size, const struct
    ct_expand_copy_out_args *args);
#ifndef __cplusplus
#define ct_expand_copy_out(out, input, size, ...) CT_CALL_TTI_K(CT_ID(ct_k), ct_expand_copy_out, \
    out, input, size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a copy of what `permute` views. */
CT_API ct_tensor *ct_permute_copy(ct_tensor *input, ct_ints dims);
#ifndef __cplusplus
#define ct_permute_copy(input, dims, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_permute_copy, input, dims \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
CT_API ct_tensor *ct_permute_copy_out(ct_tensor *out, ct_tensor *input, ct_ints dims);
#ifndef __cplusplus
#define ct_permute_copy_out(out, input, dims, ...) CT_CALL_TTI_P(CT_ID(ct_k), ct_permute_copy_out, \
    out, input, dims __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a copy of what `select` views. */
CT_API ct_tensor *ct_select_copy(ct_tensor *input, int64_t dim, int64_t index);
#ifndef __cplusplus
#define ct_select_copy(input, dim, index) CT_CALL_TAA_P(CT_ID(ct_k), ct_select_copy, input, dim, \
    index)
#endif
CT_API ct_tensor *ct_select_copy_out(ct_tensor *out, ct_tensor *input, int64_t dim, int64_t index);
#ifndef __cplusplus
#define ct_select_copy_out(out, input, dim, index) CT_CALL_TTAA_P(CT_ID(ct_k), ct_select_copy_out, \
    out, input, dim, index)
#endif

/* Returns a copy of a slice. */
struct ct_slice_copy_args {
    size_t struct_size;
    int64_t dim;
    int64_t start;
    int64_t end;
    int64_t step;
};
#define ct_slice_copy_defaults { .struct_size = sizeof(struct ct_slice_copy_args), .dim = 0, \
    .start = CT_NO_DIM, .end = CT_NO_DIM, .step = 1 }
CT_API ct_tensor *ct_slice_copy_ex(ct_tensor *input, const struct ct_slice_copy_args *args);
#ifndef __cplusplus
#define ct_slice_copy(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_slice_copy, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_slice_copy_out_args {
    size_t struct_size;
    int64_t dim;
    int64_t start;
    int64_t end;
    int64_t step;
};
#define ct_slice_copy_out_defaults { .struct_size = sizeof(struct ct_slice_copy_out_args), .dim = \
    0, .start = CT_NO_DIM, .end = CT_NO_DIM, .step = 1 }
CT_API ct_tensor *ct_slice_copy_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_slice_copy_out_args *args);
#ifndef __cplusplus
#define ct_slice_copy_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_slice_copy_out, out, input \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a copy of what `squeeze` views. */
struct ct_squeeze_copy_args {
    size_t struct_size;
    ct_ints dim;
};
#define ct_squeeze_copy_defaults { .struct_size = sizeof(struct ct_squeeze_copy_args), .dim = \
    CT_NO_DIMS }
CT_API ct_tensor *ct_squeeze_copy_ex(ct_tensor *input, const struct ct_squeeze_copy_args *args);
#ifndef __cplusplus
#define ct_squeeze_copy(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_squeeze_copy, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_squeeze_copy_out_args {
    size_t struct_size;
    ct_ints dim;
};
#define ct_squeeze_copy_out_defaults { .struct_size = sizeof(struct ct_squeeze_copy_out_args), \
    .dim = CT_NO_DIMS }
CT_API ct_tensor *ct_squeeze_copy_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_squeeze_copy_out_args *args);
#ifndef __cplusplus
#define ct_squeeze_copy_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_squeeze_copy_out, out, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a copy of what `t` views. */
CT_API ct_tensor *ct_t_copy(ct_tensor *input);
#ifndef __cplusplus
#define ct_t_copy(input) CT_CALL_T_P(CT_ID(ct_k), ct_t_copy, input)
#endif
CT_API ct_tensor *ct_t_copy_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_t_copy_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_t_copy_out, out, input)
#endif

/* Returns a copy of what `transpose` views. */
CT_API ct_tensor *ct_transpose_copy(ct_tensor *input, int64_t dim0, int64_t dim1);
#ifndef __cplusplus
#define ct_transpose_copy(input, dim0, dim1) CT_CALL_TAA_P(CT_ID(ct_k), ct_transpose_copy, input, \
    dim0, dim1)
#endif
CT_API ct_tensor *ct_transpose_copy_out(ct_tensor *out, ct_tensor *input, int64_t dim0, int64_t
    dim1);
#ifndef __cplusplus
#define ct_transpose_copy_out(out, input, dim0, dim1) CT_CALL_TTAA_P(CT_ID(ct_k), \
    ct_transpose_copy_out, out, input, dim0, dim1)
#endif

/* Returns a copy of what `Tensor.unfold` views. */
CT_API ct_tensor *ct_unfold_copy(ct_tensor *input, int64_t dimension, int64_t size, int64_t step);
#ifndef __cplusplus
#define ct_unfold_copy(input, dimension, size, step) CT_CALL_TAAA_P(CT_ID(ct_k), ct_unfold_copy, \
    input, dimension, size, step)
#endif
CT_API ct_tensor *ct_unfold_copy_out(ct_tensor *out, ct_tensor *input, int64_t dimension, int64_t
    size, int64_t step);
#ifndef __cplusplus
#define ct_unfold_copy_out(out, input, dimension, size, step) CT_CALL_TTAAA_P(CT_ID(ct_k), \
    ct_unfold_copy_out, out, input, dimension, size, step)
#endif

/* Returns a copy of what `unsqueeze` views. */
CT_API ct_tensor *ct_unsqueeze_copy(ct_tensor *input, int64_t dim);
#ifndef __cplusplus
#define ct_unsqueeze_copy(input, dim) CT_CALL_TA_P(CT_ID(ct_k), ct_unsqueeze_copy, input, dim)
#endif
CT_API ct_tensor *ct_unsqueeze_copy_out(ct_tensor *out, ct_tensor *input, int64_t dim);
#ifndef __cplusplus
#define ct_unsqueeze_copy_out(out, input, dim) CT_CALL_TTA_P(CT_ID(ct_k), ct_unsqueeze_copy_out, \
    out, input, dim)
#endif

/* Returns a copy of what `view_as_real` views. */
CT_API ct_tensor *ct_view_as_real_copy(ct_tensor *input);
#ifndef __cplusplus
#define ct_view_as_real_copy(input) CT_CALL_T_P(CT_ID(ct_k), ct_view_as_real_copy, input)
#endif
CT_API ct_tensor *ct_view_as_real_copy_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_view_as_real_copy_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_view_as_real_copy_out, \
    out, input)
#endif

/* Returns a copy of what `view_as_complex` views. */
CT_API ct_tensor *ct_view_as_complex_copy(ct_tensor *input);
#ifndef __cplusplus
#define ct_view_as_complex_copy(input) CT_CALL_T_P(CT_ID(ct_k), ct_view_as_complex_copy, input)
#endif
CT_API ct_tensor *ct_view_as_complex_copy_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_view_as_complex_copy_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), \
    ct_view_as_complex_copy_out, out, input)
#endif

/* Returns a copy of the bytes as elements of another data type. */
CT_API ct_tensor *ct_view_copy_dtype(ct_tensor *input, enum ct_dtype dtype);
#ifndef __cplusplus
#define ct_view_copy_dtype(input, dtype) CT_CALL_TA_P(CT_ID(ct_k), ct_view_copy_dtype, input, \
    dtype)
#endif
CT_API ct_tensor *ct_view_copy_dtype_out(ct_tensor *out, ct_tensor *input, enum ct_dtype dtype);
#ifndef __cplusplus
#define ct_view_copy_dtype_out(out, input, dtype) CT_CALL_TTA_P(CT_ID(ct_k), \
    ct_view_copy_dtype_out, out, input, dtype)
#endif

/* Returns a copy of what `view` views. */
CT_API ct_tensor *ct_view_copy(ct_tensor *input, ct_ints size);
#ifndef __cplusplus
#define ct_view_copy(input, size, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_view_copy, input, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif
CT_API ct_tensor *ct_view_copy_out(ct_tensor *out, ct_tensor *input, ct_ints size);
#ifndef __cplusplus
#define ct_view_copy_out(out, input, size, ...) CT_CALL_TTI_P(CT_ID(ct_k), ct_view_copy_out, out, \
    input, size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a copy that is not part of the graph. */
CT_API ct_tensor *ct_detach_copy(ct_tensor *input);
#ifndef __cplusplus
#define ct_detach_copy(input) CT_CALL_T_P(CT_ID(ct_k), ct_detach_copy, input)
#endif
CT_API ct_tensor *ct_detach_copy_out(ct_tensor *out, ct_tensor *input);
#ifndef __cplusplus
#define ct_detach_copy_out(out, input) CT_CALL_TT_P(CT_ID(ct_k), ct_detach_copy_out, out, input)
#endif

/* Returns a copy of what `narrow` views. */
CT_API ct_tensor *ct_narrow_copy(ct_tensor *input, int64_t dim, int64_t start, int64_t length);
#ifndef __cplusplus
#define ct_narrow_copy(input, dim, start, length) CT_CALL_TAAA_P(CT_ID(ct_k), ct_narrow_copy, \
    input, dim, start, length)
#endif
CT_API ct_tensor *ct_narrow_copy_out(ct_tensor *out, ct_tensor *input, int64_t dim, int64_t start,
    int64_t length);
#ifndef __cplusplus
#define ct_narrow_copy_out(out, input, dim, start, length) CT_CALL_TTAAA_P(CT_ID(ct_k), \
    ct_narrow_copy_out, out, input, dim, start, length)
#endif

/* Returns copies of the parts of a dim, each of `split_size`. */
struct ct_split_copy_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_split_copy_defaults { .struct_size = sizeof(struct ct_split_copy_args), .dim = 0 }
CT_API ct_list ct_split_copy_ex(ct_tensor *input, int64_t split_size, const struct
    ct_split_copy_args *args);
#ifndef __cplusplus
#define ct_split_copy(input, split_size, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_split_copy, input, \
    split_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Copies the parts of a dim, each of `split_size`, into the tensors of a list. */
struct ct_split_copy_Tensor_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_split_copy_Tensor_out_defaults { .struct_size = sizeof(struct \
    ct_split_copy_Tensor_out_args), .dim = 0 }
CT_API bool ct_split_copy_Tensor_out_ex(ct_tensor *input, int64_t split_size, ct_list out, const
    struct ct_split_copy_Tensor_out_args *args);
#ifndef __cplusplus
#define ct_split_copy_Tensor_out(input, split_size, out, ...) CT_CALL_TAL_K(CT_ID(ct_k), \
    ct_split_copy_Tensor_out, input, split_size, out __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns copies of the parts of a dim, of the given sizes. */
struct ct_split_with_sizes_copy_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_split_with_sizes_copy_defaults { .struct_size = sizeof(struct \
    ct_split_with_sizes_copy_args), .dim = 0 }
CT_API ct_list ct_split_with_sizes_copy_ex(ct_tensor *input, ct_ints split_sizes, const struct
    ct_split_with_sizes_copy_args *args);
#ifndef __cplusplus
#define ct_split_with_sizes_copy(input, split_sizes, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_split_with_sizes_copy, input, split_sizes __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Copies the parts of a dim, of the given sizes, into the tensors of a list. */
struct ct_split_with_sizes_copy_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_split_with_sizes_copy_out_defaults { .struct_size = sizeof(struct \
    ct_split_with_sizes_copy_out_args), .dim = 0 }
CT_API bool ct_split_with_sizes_copy_out_ex(ct_tensor *input, ct_ints split_sizes, ct_list out,
    const struct ct_split_with_sizes_copy_out_args *args);
#ifndef __cplusplus
#define ct_split_with_sizes_copy_out(input, split_sizes, out, ...) CT_CALL_TIL_K(CT_ID(ct_k), \
    ct_split_with_sizes_copy_out, input, split_sizes, out __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns copies of all slices along a dim. */
struct ct_unbind_copy_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_unbind_copy_defaults { .struct_size = sizeof(struct ct_unbind_copy_args), .dim = 0 }
CT_API ct_list ct_unbind_copy_ex(ct_tensor *input, const struct ct_unbind_copy_args *args);
#ifndef __cplusplus
#define ct_unbind_copy(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_unbind_copy, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Copies all slices along a dim into the tensors of a list. */
struct ct_unbind_copy_int_out_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_unbind_copy_int_out_defaults { .struct_size = sizeof(struct \
    ct_unbind_copy_int_out_args), .dim = 0 }
CT_API bool ct_unbind_copy_int_out_ex(ct_tensor *input, ct_list out, const struct
    ct_unbind_copy_int_out_args *args);
#ifndef __cplusplus
#define ct_unbind_copy_int_out(input, out, ...) CT_CALL_TL_K(CT_ID(ct_k), ct_unbind_copy_int_out, \
    input, out __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim into parts of `split_size`, which autograd treats as independent tensors. */
struct ct_unsafe_split_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_unsafe_split_defaults { .struct_size = sizeof(struct ct_unsafe_split_args), .dim = 0 }
CT_API ct_list ct_unsafe_split_ex(ct_tensor *input, int64_t split_size, const struct
    ct_unsafe_split_args *args);
#ifndef __cplusplus
#define ct_unsafe_split(input, split_size, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_unsafe_split, input, \
    split_size __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim into parts of the given sizes, which autograd treats as independent tensors. */
struct ct_unsafe_split_with_sizes_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_unsafe_split_with_sizes_defaults { .struct_size = sizeof(struct \
    ct_unsafe_split_with_sizes_args), .dim = 0 }
CT_API ct_list ct_unsafe_split_with_sizes_ex(ct_tensor *input, ct_ints split_sizes, const struct
    ct_unsafe_split_with_sizes_args *args);
#ifndef __cplusplus
#define ct_unsafe_split_with_sizes(input, split_sizes, ...) CT_CALL_TI_K(CT_ID(ct_k), \
    ct_unsafe_split_with_sizes, input, split_sizes __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Splits a dim into about `chunks` equal parts, which autograd treats as independent tensors. */
struct ct_unsafe_chunk_args {
    size_t struct_size;
    int64_t dim;
};
#define ct_unsafe_chunk_defaults { .struct_size = sizeof(struct ct_unsafe_chunk_args), .dim = 0 }
CT_API ct_list ct_unsafe_chunk_ex(ct_tensor *input, int64_t chunks, const struct
    ct_unsafe_chunk_args *args);
#ifndef __cplusplus
#define ct_unsafe_chunk(input, chunks, ...) CT_CALL_TA_K(CT_ID(ct_k), ct_unsafe_chunk, input, \
    chunks __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a view of the same bytes as another data type. */
CT_API ct_tensor *ct_view_dtype(ct_tensor *input, enum ct_dtype dtype);
#ifndef __cplusplus
#define ct_view_dtype(input, dtype) CT_CALL_TA_P(CT_ID(ct_k), ct_view_dtype, input, dtype)
#endif

/* Returns a view with another shape; fails if the strides do not allow it. */
CT_API ct_tensor *ct_view(ct_tensor *input, ct_ints size);
#ifndef __cplusplus
#define ct_view(input, size, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_view, input, size __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns the same elements in another shape: a view if the strides allow it, otherwise a copy. */
CT_API ct_tensor *ct_reshape(ct_tensor *input, ct_ints shape);
#ifndef __cplusplus
#define ct_reshape(input, shape, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_reshape, input, shape \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Joins the dims from `start_dim` to `end_dim` into one. */
struct ct_flatten_args {
    size_t struct_size;
    int64_t start_dim;
    int64_t end_dim;
};
#define ct_flatten_defaults { .struct_size = sizeof(struct ct_flatten_args), .start_dim = 0, \
    .end_dim = -1 }
CT_API ct_tensor *ct_flatten_ex(ct_tensor *input, const struct ct_flatten_args *args);
#ifndef __cplusplus
#define ct_flatten(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_flatten, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Divides one dim into several. */
CT_API ct_tensor *ct_unflatten(ct_tensor *input, int64_t dim, ct_ints sizes);
#ifndef __cplusplus
#define ct_unflatten(input, dim, sizes, ...) CT_CALL_TAI_P(CT_ID(ct_k), ct_unflatten, input, dim, \
    sizes __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns all elements in one dim: a view of a contiguous tensor, otherwise a copy. */
CT_API ct_tensor *ct_ravel(ct_tensor *input);
#ifndef __cplusplus
#define ct_ravel(input) CT_CALL_T_P(CT_ID(ct_k), ct_ravel, input)
#endif

/* Returns a view of `input` with the shape of `other`. */
CT_API ct_tensor *ct_view_as(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_view_as(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_view_as, input, other)
#endif

/* Returns `input` in the shape of `other`, as a copy if a view is not possible. */
CT_API ct_tensor *ct_reshape_as(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_reshape_as(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_reshape_as, input, other)
#endif

/* Transposes a matrix; tensors of fewer dims are returned as they are. */
CT_API ct_tensor *ct_t(ct_tensor *input);
#ifndef __cplusplus
#define ct_t(input) CT_CALL_T_P(CT_ID(ct_k), ct_t, input)
#endif
CT_API ct_tensor *ct_t_(ct_tensor *self);
#ifndef __cplusplus
#define ct_t_(self) CT_CALL_T_P(CT_ID(ct_k), ct_t_, self)
#endif

/* Swaps two dims, as a view. */
CT_API ct_tensor *ct_transpose(ct_tensor *input, int64_t dim0, int64_t dim1);
#ifndef __cplusplus
#define ct_transpose(input, dim0, dim1) CT_CALL_TAA_P(CT_ID(ct_k), ct_transpose, input, dim0, \
    dim1)
#endif
CT_API ct_tensor *ct_transpose_(ct_tensor *self, int64_t dim0, int64_t dim1);
#ifndef __cplusplus
#define ct_transpose_(self, dim0, dim1) CT_CALL_TAA_P(CT_ID(ct_k), ct_transpose_, self, dim0, \
    dim1)
#endif

/* Swaps two dims, as a view; `transpose` with NumPy's names of the arguments. */
CT_API ct_tensor *ct_swapaxes(ct_tensor *input, int64_t axis0, int64_t axis1);
#ifndef __cplusplus
#define ct_swapaxes(input, axis0, axis1) CT_CALL_TAA_P(CT_ID(ct_k), ct_swapaxes, input, axis0, \
    axis1)
#endif
CT_API ct_tensor *ct_swapaxes_(ct_tensor *self, int64_t axis0, int64_t axis1);
#ifndef __cplusplus
#define ct_swapaxes_(self, axis0, axis1) CT_CALL_TAA_P(CT_ID(ct_k), ct_swapaxes_, self, axis0, \
    axis1)
#endif

/* Reorders the dims, as a view. */
CT_API ct_tensor *ct_permute(ct_tensor *input, ct_ints dims);
#ifndef __cplusplus
#define ct_permute(input, dims, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_permute, input, dims \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Moves dims to other positions, as a view; the other dims keep their order. */
CT_API ct_tensor *ct_movedim(ct_tensor *input, ct_ints source, ct_ints destination);
#ifndef __cplusplus
#define ct_movedim(input, source, destination, ...) CT_CALL_TII_P(CT_ID(ct_k), ct_movedim, input, \
    source, destination __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Expands dims of size 1 to larger sizes without copying; their stride becomes 0. */
struct ct_expand_args {
    size_t struct_size;
    bool implicit;
};
#define ct_expand_defaults { .struct_size = sizeof(struct ct_expand_args), .implicit = false }
CT_API ct_tensor *ct_expand_ex(ct_tensor *input, ct_ints size, const struct ct_expand_args *args);
#ifndef __cplusplus
#define ct_expand(input, size, ...) CT_CALL_TI_K(CT_ID(ct_k), ct_expand, input, size __VA_OPT__(, \
    ) __VA_ARGS__)
#endif

/* Expands `input` to the shape of `other`, as a view. */
CT_API ct_tensor *ct_expand_as(ct_tensor *input, ct_tensor *other);
#ifndef __cplusplus
#define ct_expand_as(input, other) CT_CALL_TT_P(CT_ID(ct_k), ct_expand_as, input, other)
#endif

/* Expands `input` to a shape, as a view. */
CT_API ct_tensor *ct_broadcast_to(ct_tensor *input, ct_ints size);
#ifndef __cplusplus
#define ct_broadcast_to(input, size, ...) CT_CALL_TI_P(CT_ID(ct_k), ct_broadcast_to, input, size \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Inserts a dim of size 1, as a view. */
CT_API ct_tensor *ct_unsqueeze(ct_tensor *input, int64_t dim);
#ifndef __cplusplus
#define ct_unsqueeze(input, dim) CT_CALL_TA_P(CT_ID(ct_k), ct_unsqueeze, input, dim)
#endif
CT_API ct_tensor *ct_unsqueeze_(ct_tensor *self, int64_t dim);
#ifndef __cplusplus
#define ct_unsqueeze_(self, dim) CT_CALL_TA_P(CT_ID(ct_k), ct_unsqueeze_, self, dim)
#endif

/* Removes dims of size 1, all of them or those in `dim`, as a view. */
struct ct_squeeze_args {
    size_t struct_size;
    ct_ints dim;
};
#define ct_squeeze_defaults { .struct_size = sizeof(struct ct_squeeze_args), .dim = CT_NO_DIMS }
CT_API ct_tensor *ct_squeeze_ex(ct_tensor *input, const struct ct_squeeze_args *args);
#ifndef __cplusplus
#define ct_squeeze(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_squeeze, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif
struct ct_squeeze__args {
    size_t struct_size;
    ct_ints dim;
};
#define ct_squeeze__defaults { .struct_size = sizeof(struct ct_squeeze__args), .dim = CT_NO_DIMS }
CT_API ct_tensor *ct_squeeze__ex(ct_tensor *self, const struct ct_squeeze__args *args);
#ifndef __cplusplus
#define ct_squeeze_(self, ...) CT_CALL_T_K(CT_ID(ct_k), ct_squeeze_, self __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a view of `length` indices of one dim, from the number in `start` on. */
CT_API ct_tensor *ct_narrow_Tensor(ct_tensor *input, int64_t dim, ct_tensor *start, int64_t length);
#ifndef __cplusplus
#define ct_narrow_Tensor(input, dim, start, length) CT_CALL_TATA_P(CT_ID(ct_k), ct_narrow_Tensor, \
    input, dim, start, length)
#endif

/* Returns a view of `length` indices of one dim, from `start` on. */
CT_API ct_tensor *ct_narrow(ct_tensor *input, int64_t dim, int64_t start, int64_t length);
#ifndef __cplusplus
#define ct_narrow(input, dim, start, length) CT_CALL_TAAA_P(CT_ID(ct_k), ct_narrow, input, dim, \
    start, length)
#endif

/* Returns a view of one slice along a dim, without that dim. */
CT_API ct_tensor *ct_select(ct_tensor *input, int64_t dim, int64_t index);
#ifndef __cplusplus
#define ct_select(input, dim, index) CT_CALL_TAA_P(CT_ID(ct_k), ct_select, input, dim, index)
#endif

/* Returns a view of the tensor from which a slice was taken, with the shape and strides of `src`. */
struct ct_slice_inverse_args {
    size_t struct_size;
    int64_t dim;
    int64_t start;
    int64_t end;
    int64_t step;
};
#define ct_slice_inverse_defaults { .struct_size = sizeof(struct ct_slice_inverse_args), .dim = 0, \
    .start = CT_NO_DIM, .end = CT_NO_DIM, .step = 1 }
CT_API ct_tensor *ct_slice_inverse_ex(ct_tensor *input, ct_tensor *src, const struct
    ct_slice_inverse_args *args);
#ifndef __cplusplus
#define ct_slice_inverse(input, src, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_slice_inverse, input, src \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a view with the given sizes, strides and offset. */
struct ct_as_strided_args {
    size_t struct_size;
    int64_t storage_offset;
};
#define ct_as_strided_defaults { .struct_size = sizeof(struct ct_as_strided_args), .storage_offset \
    = CT_NO_DIM }
CT_API ct_tensor *ct_as_strided_ex(ct_tensor *input, ct_ints size, ct_ints stride, const struct
    ct_as_strided_args *args);
#ifndef __cplusplus
#define ct_as_strided(input, size, stride, ...) CT_CALL_TII_K(CT_ID(ct_k), ct_as_strided, input, \
    size, stride __VA_OPT__(, ) __VA_ARGS__)
#endif
struct ct_as_strided__args {
    size_t struct_size;
    int64_t storage_offset;
};
#define ct_as_strided__defaults { .struct_size = sizeof(struct ct_as_strided__args), \
    .storage_offset = CT_NO_DIM }
CT_API ct_tensor *ct_as_strided__ex(ct_tensor *self, ct_ints size, ct_ints stride, const struct
    ct_as_strided__args *args);
#ifndef __cplusplus
#define ct_as_strided_(self, size, stride, ...) CT_CALL_TII_K(CT_ID(ct_k), ct_as_strided_, self, \
    size, stride __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a view of the diagonal of two dims, as the last dim. */
struct ct_diagonal_args {
    size_t struct_size;
    int64_t offset;
    int64_t dim1;
    int64_t dim2;
};
#define ct_diagonal_defaults { .struct_size = sizeof(struct ct_diagonal_args), .offset = 0, .dim1 \
    = 0, .dim2 = 1 }
CT_API ct_tensor *ct_diagonal_ex(ct_tensor *input, const struct ct_diagonal_args *args);
#ifndef __cplusplus
#define ct_diagonal(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_diagonal, input __VA_OPT__(, ) \
    __VA_ARGS__)
#endif

/* Returns a copy of the diagonal of two dims, as the last dim. */
struct ct_diagonal_copy_args {
    size_t struct_size;
    int64_t offset;
    int64_t dim1;
    int64_t dim2;
};
#define ct_diagonal_copy_defaults { .struct_size = sizeof(struct ct_diagonal_copy_args), .offset = \
    0, .dim1 = 0, .dim2 = 1 }
CT_API ct_tensor *ct_diagonal_copy_ex(ct_tensor *input, const struct ct_diagonal_copy_args *args);
#ifndef __cplusplus
#define ct_diagonal_copy(input, ...) CT_CALL_T_K(CT_ID(ct_k), ct_diagonal_copy, input __VA_OPT__(, \
    ) __VA_ARGS__)
#endif
struct ct_diagonal_copy_out_args {
    size_t struct_size;
    int64_t offset;
    int64_t dim1;
    int64_t dim2;
};
#define ct_diagonal_copy_out_defaults { .struct_size = sizeof(struct ct_diagonal_copy_out_args), \
    .offset = 0, .dim1 = 0, .dim2 = 1 }
CT_API ct_tensor *ct_diagonal_copy_out_ex(ct_tensor *out, ct_tensor *input, const struct
    ct_diagonal_copy_out_args *args);
#ifndef __cplusplus
#define ct_diagonal_copy_out(out, input, ...) CT_CALL_TT_K(CT_ID(ct_k), ct_diagonal_copy_out, out, \
    input __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a view of all windows of `size` indices of one dim, `step` apart, as a new last dim. */
CT_API ct_tensor *ct_unfold(ct_tensor *input, int64_t dimension, int64_t size, int64_t step);
#ifndef __cplusplus
#define ct_unfold(input, dimension, size, step) CT_CALL_TAAA_P(CT_ID(ct_k), ct_unfold, input, \
    dimension, size, step)
#endif

/* Returns a view of complex numbers as pairs along a new last dim. */
CT_API ct_tensor *ct_view_as_real(ct_tensor *input);
#ifndef __cplusplus
#define ct_view_as_real(input) CT_CALL_T_P(CT_ID(ct_k), ct_view_as_real, input)
#endif

/* Returns a view of the pairs in the last dim as complex numbers. */
CT_API ct_tensor *ct_view_as_complex(ct_tensor *input);
#ifndef __cplusplus
#define ct_view_as_complex(input) CT_CALL_T_P(CT_ID(ct_k), ct_view_as_complex, input)
#endif

/* Returns the complex conjugate as a view; a real tensor is returned as it is. */
CT_API ct_tensor *ct_conj(ct_tensor *input);
#ifndef __cplusplus
#define ct_conj(input) CT_CALL_T_P(CT_ID(ct_k), ct_conj, input)
#endif

/* Returns the negative as a view. */
CT_API ct_tensor *ct__neg_view(ct_tensor *input);
#ifndef __cplusplus
#define ct__neg_view(input) CT_CALL_T_P(CT_ID(ct_k), ct__neg_view, input)
#endif

/* Returns a copy if `input` is a conjugated view, otherwise `input`. */
CT_API ct_tensor *ct_resolve_conj(ct_tensor *input);
#ifndef __cplusplus
#define ct_resolve_conj(input) CT_CALL_T_P(CT_ID(ct_k), ct_resolve_conj, input)
#endif

/* Returns a copy if `input` is a negated view, otherwise `input`. */
CT_API ct_tensor *ct_resolve_neg(ct_tensor *input);
#ifndef __cplusplus
#define ct_resolve_neg(input) CT_CALL_T_P(CT_ID(ct_k), ct_resolve_neg, input)
#endif

/* Returns the real parts as a view. */
CT_API ct_tensor *ct_real(ct_tensor *input);
#ifndef __cplusplus
#define ct_real(input) CT_CALL_T_P(CT_ID(ct_k), ct_real, input)
#endif

/* Returns the imaginary parts as a view. */
CT_API ct_tensor *ct_imag(ct_tensor *input);
#ifndef __cplusplus
#define ct_imag(input) CT_CALL_T_P(CT_ID(ct_k), ct_imag, input)
#endif

/* Returns a view with the last two dims swapped, conjugated. */
CT_API ct_tensor *ct_adjoint(ct_tensor *input);
#ifndef __cplusplus
#define ct_adjoint(input) CT_CALL_T_P(CT_ID(ct_k), ct_adjoint, input)
#endif

/* Returns a Bartlett window: a triangle. */
struct ct_bartlett_window_args {
    size_t struct_size;
    bool periodic;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_bartlett_window_defaults { .struct_size = sizeof(struct ct_bartlett_window_args), \
    .periodic = true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_bartlett_window_ex(int64_t window_length, const struct ct_bartlett_window_args
    *args);
#ifndef __cplusplus
#define ct_bartlett_window(window_length, ...) CT_CALL_A_K(CT_ID(ct_k), ct_bartlett_window, \
    window_length __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Blackman window, `0.42 - 0.5 cos(2 pi n / (N - 1)) + 0.08 cos(4 pi n / (N - 1))`. */
struct ct_blackman_window_args {
    size_t struct_size;
    bool periodic;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_blackman_window_defaults { .struct_size = sizeof(struct ct_blackman_window_args), \
    .periodic = true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_blackman_window_ex(int64_t window_length, const struct ct_blackman_window_args
    *args);
#ifndef __cplusplus
#define ct_blackman_window(window_length, ...) CT_CALL_A_K(CT_ID(ct_k), ct_blackman_window, \
    window_length __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Hamming window, `alpha - beta cos(2 pi n / (N - 1))`. */
struct ct_hamming_window_args {
    size_t struct_size;
    bool periodic;
    double alpha;
    double beta;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_hamming_window_defaults { .struct_size = sizeof(struct ct_hamming_window_args), \
    .periodic = true, .alpha = 0.54, .beta = 0.46, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, \
    .requires_grad = false }
CT_API ct_tensor *ct_hamming_window_ex(int64_t window_length, const struct ct_hamming_window_args
    *args);
#ifndef __cplusplus
#define ct_hamming_window(window_length, ...) CT_CALL_A_K(CT_ID(ct_k), ct_hamming_window, \
    window_length __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Hann window, `(1 - cos(2 pi n / (N - 1))) / 2`. */
struct ct_hann_window_args {
    size_t struct_size;
    bool periodic;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_hann_window_defaults { .struct_size = sizeof(struct ct_hann_window_args), .periodic = \
    true, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_hann_window_ex(int64_t window_length, const struct ct_hann_window_args *args);
#ifndef __cplusplus
#define ct_hann_window(window_length, ...) CT_CALL_A_K(CT_ID(ct_k), ct_hann_window, window_length \
    __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Returns a Kaiser window, `i0(beta sqrt(1 - ((n - a) / a)^2)) / i0(beta)` with `a = (N - 1) / 2`. */
struct ct_kaiser_window_args {
    size_t struct_size;
    bool periodic;
    double beta;
    enum ct_dtype dtype;
    struct ct_device device;
    bool requires_grad;
};
#define ct_kaiser_window_defaults { .struct_size = sizeof(struct ct_kaiser_window_args), .periodic \
    = true, .beta = 12.0, .dtype = CT_NO_DTYPE, .device = CT_NO_DEVICE, .requires_grad = false }
CT_API ct_tensor *ct_kaiser_window_ex(int64_t window_length, const struct ct_kaiser_window_args
    *args);
#ifndef __cplusplus
#define ct_kaiser_window(window_length, ...) CT_CALL_A_K(CT_ID(ct_k), ct_kaiser_window, \
    window_length __VA_OPT__(, ) __VA_ARGS__)
#endif

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
