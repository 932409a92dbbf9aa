/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts of the types of one byte (Note [Float8]), which have no loops of their own: a block at a
 * time by way of float32, as PyTorch's conversions are. Called by loops.c where one of the types is
 * one of them. */
#include "cpu/pointwise/loops.h"

#include "core/dtype.h"
#include "core/tensor.h"
#include "math/float8.h"

#define BLOCK 256 /* elements on the stack */
#define CAT3_(a, b, c) a##b##c
#define CAT3(a, b, c) CAT3_(a, b, c)

typedef void widen_fn(float *to, const uint8_t *from, int64_t n);
typedef void narrow_fn(uint8_t *to, const float *from, int64_t n);

#define NAME e4m3fn
#include "cpu/pointwise/cast_float8_loops.h"

#define NAME e5m2
#include "cpu/pointwise/cast_float8_loops.h"

#define NAME e4m3fnuz
#include "cpu/pointwise/cast_float8_loops.h"

#define NAME e5m2fnuz
#include "cpu/pointwise/cast_float8_loops.h"

#define NAME e8m0fnu
#include "cpu/pointwise/cast_float8_loops.h"

/* To a type of one byte. Inlined into the hundred casts below it would be most of this file. */
static __attribute__((noinline)) void narrow(char *to, const char *from, int64_t n,
                                             enum ct_dtype dtype, narrow_fn *last)
{
    float block[BLOCK];
    cti_cast_loop *first = cti_cpu_find_cast(CT_FLOAT32, dtype); /* NULL: it is float32 */
    for (int64_t at = 0; at < n; at += BLOCK) {
        int64_t some = n - at < BLOCK ? n - at : BLOCK;
        const char *source = from + at * cti_itemsize(dtype);
        if (first)
            first((char *)block, source, some);
        last((uint8_t *)to + at, first ? block : (const float *)(const void *)source, some);
    }
}

/* From a type of one byte to one that is not. */
static __attribute__((noinline)) void widen(char *to, const char *from, int64_t n,
                                            enum ct_dtype dtype, widen_fn *first)
{
    float block[BLOCK];
    cti_cast_loop *last = cti_cpu_find_cast(dtype, CT_FLOAT32);
    for (int64_t at = 0; at < n; at += BLOCK) {
        int64_t some = n - at < BLOCK ? n - at : BLOCK;
        char *target = to + at * cti_itemsize(dtype);
        first(last ? block : (float *)(void *)target, (const uint8_t *)from + at, some);
        if (last)
            last(target, (const char *)block, some);
    }
}

#define NAME e4m3fn
#include "cpu/pointwise/cast_float8_type.h"

#define NAME e5m2
#include "cpu/pointwise/cast_float8_type.h"

#define NAME e4m3fnuz
#include "cpu/pointwise/cast_float8_type.h"

#define NAME e5m2fnuz
#include "cpu/pointwise/cast_float8_type.h"

#define NAME e8m0fnu
#include "cpu/pointwise/cast_float8_type.h"

cti_cast_loop *cti_cpu_cast_float8(enum ct_dtype to, enum ct_dtype from)
{
    static cti_cast_loop *const *const narrowing[] = {narrow_e4m3fn, narrow_e5m2, narrow_e4m3fnuz,
                                                      narrow_e5m2fnuz, narrow_e8m0fnu};
    static cti_cast_loop *const *const widening[] = {widen_e4m3fn, widen_e5m2, widen_e4m3fnuz,
                                                     widen_e5m2fnuz, widen_e8m0fnu};
    if (to == from)
        return NULL;
    return cti_is_float8(to) ? narrowing[to - CT_FLOAT8_E4M3FN][from]
                             : widening[from - CT_FLOAT8_E4M3FN][to];
}
