/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts of complex32, which has no loops of its own: a block at a time by way of complex64, whose
 * parts are cast as twice as many float32. Called by loops.c where one of the types is that. */
#include "cpu/pointwise/loops.h"

#include "core/tensor.h"
#include "math/types.h"

#define BLOCK 256 /* elements on the stack */
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

static void to_halves(char *to, const char *from, int64_t n, enum ct_dtype dtype)
{
    ct_c64 block[BLOCK];
    cti_cast_loop *widen = cti_cpu_find_cast(CT_COMPLEX64, dtype); /* NULL: it is complex64 */
    cti_cast_loop *narrow = cti_cpu_find_cast(CT_FLOAT16, CT_FLOAT32);
    for (int64_t at = 0; at < n; at += BLOCK) {
        int64_t some = n - at < BLOCK ? n - at : BLOCK;
        const char *source = from + at * cti_itemsize(dtype);
        if (widen)
            widen((char *)block, source, some);
        narrow(to + at * 4, widen ? (const char *)block : source, 2 * some);
    }
}

static void from_halves(char *to, const char *from, int64_t n, enum ct_dtype dtype)
{
    ct_c64 block[BLOCK];
    cti_cast_loop *widen = cti_cpu_find_cast(CT_FLOAT32, CT_FLOAT16);
    cti_cast_loop *narrow = cti_cpu_find_cast(dtype, CT_COMPLEX64);
    for (int64_t at = 0; at < n; at += BLOCK) {
        int64_t some = n - at < BLOCK ? n - at : BLOCK;
        char *target = to + at * cti_itemsize(dtype);
        widen(narrow ? (char *)block : target, from + at * 4, 2 * some);
        if (narrow)
            narrow(target, (const char *)block, some);
    }
}

#define NAME b8
#define DTYPE CT_BOOL
#include "cpu/pointwise/cast_pair.h"

#define NAME u8
#define DTYPE CT_UINT8
#include "cpu/pointwise/cast_pair.h"

#define NAME i8
#define DTYPE CT_INT8
#include "cpu/pointwise/cast_pair.h"

#define NAME i16
#define DTYPE CT_INT16
#include "cpu/pointwise/cast_pair.h"

#define NAME i32
#define DTYPE CT_INT32
#include "cpu/pointwise/cast_pair.h"

#define NAME i64
#define DTYPE CT_INT64
#include "cpu/pointwise/cast_pair.h"

#define NAME u16
#define DTYPE CT_UINT16
#include "cpu/pointwise/cast_pair.h"

#define NAME u32
#define DTYPE CT_UINT32
#include "cpu/pointwise/cast_pair.h"

#define NAME u64
#define DTYPE CT_UINT64
#include "cpu/pointwise/cast_pair.h"

#define NAME f16
#define DTYPE CT_FLOAT16
#include "cpu/pointwise/cast_pair.h"

#define NAME bf16
#define DTYPE CT_BFLOAT16
#include "cpu/pointwise/cast_pair.h"

#define NAME f32
#define DTYPE CT_FLOAT32
#include "cpu/pointwise/cast_pair.h"

#define NAME f64
#define DTYPE CT_FLOAT64
#include "cpu/pointwise/cast_pair.h"

#define NAME c64
#define DTYPE CT_COMPLEX64
#include "cpu/pointwise/cast_pair.h"

#define NAME c128
#define DTYPE CT_COMPLEX128
#include "cpu/pointwise/cast_pair.h"

cti_cast_loop *cti_cpu_cast_halves(enum ct_dtype to, enum ct_dtype from)
{
    static cti_cast_loop *const table[CT_DTYPE_COUNT][2] = {
        [CT_BOOL] = {halves_from_b8, halves_to_b8},
        [CT_UINT8] = {halves_from_u8, halves_to_u8},
        [CT_INT8] = {halves_from_i8, halves_to_i8},
        [CT_INT16] = {halves_from_i16, halves_to_i16},
        [CT_INT32] = {halves_from_i32, halves_to_i32},
        [CT_INT64] = {halves_from_i64, halves_to_i64},
        [CT_UINT16] = {halves_from_u16, halves_to_u16},
        [CT_UINT32] = {halves_from_u32, halves_to_u32},
        [CT_UINT64] = {halves_from_u64, halves_to_u64},
        [CT_FLOAT16] = {halves_from_f16, halves_to_f16},
        [CT_BFLOAT16] = {halves_from_bf16, halves_to_bf16},
        [CT_FLOAT32] = {halves_from_f32, halves_to_f32},
        [CT_FLOAT64] = {halves_from_f64, halves_to_f64},
        [CT_COMPLEX64] = {halves_from_c64, halves_to_c64},
        [CT_COMPLEX128] = {halves_from_c128, halves_to_c128},
    };
    return to == CT_COMPLEX32 ? table[from][0] : table[to][1];
}
