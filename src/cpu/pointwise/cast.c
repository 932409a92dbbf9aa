/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts between contiguous blocks of any two types. Most pairs of types have a generated loop.
 * float8 (Note [Float8] in core/dtype.h) and complex32 have none; they are converted via float32 or
 * complex64, a block at a time, as in PyTorch. Called by all engines that convert elements. */
#include "cpu/pointwise/loops.h"

#include "core/dtype.h"
#include "core/small.h"
#include "core/tensor.h"
#include "cpu/isa.h"
#include "math/float8.h"

#include <string.h>

#define BLOCK 256 /* elements on the stack */

typedef cti_cast_loop *const cast_table[CT_DTYPE_COUNT][CT_DTYPE_COUNT];
extern cast_table CTI_ISA_NAMES(cti_loop_casts);

/* `one` is a constant after inlining. */
static inline __attribute__((always_inline)) void widen(float *to, const uint8_t *from, int64_t n,
                                                        float (*one)(uint8_t))
{
    for (int64_t i = 0; i < n; i++)
        to[i] = one(from[i]);
}

static inline __attribute__((always_inline)) void narrow(uint8_t *to, const float *from, int64_t n,
                                                         uint8_t (*one)(float))
{
    for (int64_t i = 0; i < n; i++)
        to[i] = one(from[i]);
}

static void float32_from_float8(enum ct_dtype dtype, float *to, const uint8_t *from, int64_t n)
{
    if (dtype == CT_FLOAT8_E4M3FN)
        widen(to, from, n, ctm_f32_from_e4m3fn);
    else if (dtype == CT_FLOAT8_E5M2)
        widen(to, from, n, ctm_f32_from_e5m2);
    else if (dtype == CT_FLOAT8_E4M3FNUZ)
        widen(to, from, n, ctm_f32_from_e4m3fnuz);
    else if (dtype == CT_FLOAT8_E5M2FNUZ)
        widen(to, from, n, ctm_f32_from_e5m2fnuz);
    else
        widen(to, from, n, ctm_f32_from_e8m0fnu);
}

static void float8_from_float32(enum ct_dtype dtype, uint8_t *to, const float *from, int64_t n)
{
    if (dtype == CT_FLOAT8_E4M3FN)
        narrow(to, from, n, ctm_e4m3fn_from_f32);
    else if (dtype == CT_FLOAT8_E5M2)
        narrow(to, from, n, ctm_e5m2_from_f32);
    else if (dtype == CT_FLOAT8_E4M3FNUZ)
        narrow(to, from, n, ctm_e4m3fnuz_from_f32);
    else if (dtype == CT_FLOAT8_E5M2FNUZ)
        narrow(to, from, n, ctm_e5m2fnuz_from_f32);
    else
        narrow(to, from, n, ctm_e8m0fnu_from_f32);
}

static void cast_through(enum ct_dtype middle, enum ct_dtype to_dtype, char *to,
                         enum ct_dtype from_dtype, const char *from, int64_t n)
{
    _Alignas(16) char block[BLOCK * 8];
    for (int64_t at = 0; at < n; at += BLOCK) {
        int64_t count = min64(BLOCK, n - at);
        cti_cpu_cast(middle, block, from_dtype, from + at * cti_itemsize(from_dtype), count);
        cti_cpu_cast(to_dtype, to + at * cti_itemsize(to_dtype), middle, block, count);
    }
}

void cti_cpu_cast(enum ct_dtype to_dtype, void *to, enum ct_dtype from_dtype, const void *from,
                  int64_t n)
{
    static cast_table *const casts[] = CTI_ISA_TABLE(cti_loop_casts);
    cti_cast_loop *loop = (*casts[cti_cpu_isa()])[to_dtype][from_dtype];
    bool float8 = cti_is_float8(to_dtype) || cti_is_float8(from_dtype);
    if (loop)
        loop(to, from, n);
    else if (to_dtype == from_dtype)
        memcpy(to, from, (size_t)(n * cti_itemsize(to_dtype)));
    else if (float8 && to_dtype == CT_FLOAT32)
        float32_from_float8(from_dtype, to, from, n);
    else if (float8 && from_dtype == CT_FLOAT32)
        float8_from_float32(to_dtype, to, from, n);
    else if (float8)
        cast_through(CT_FLOAT32, to_dtype, to, from_dtype, from, n);
    else if (to_dtype == CT_COMPLEX64) /* from complex32: the parts are twice as many float16 */
        cti_cpu_cast(CT_FLOAT32, to, CT_FLOAT16, from, 2 * n);
    else if (from_dtype == CT_COMPLEX64)
        cti_cpu_cast(CT_FLOAT16, to, CT_FLOAT32, from, 2 * n);
    else
        cast_through(CT_COMPLEX64, to_dtype, to, from_dtype, from, n);
}
