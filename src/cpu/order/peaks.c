/* SPDX-License-Identifier: BSD-3-Clause */
/* The best element of each group, for every type. Halves compare as integers after negative ones
 * are inverted; every NaN counts as one value above infinity. Compiled once for each instruction
 * set; topk.c calls it through a table. */
#include "cpu/order/peaks.h"

#include "cpu/isa.h"

#define FLIP_INTEGER(x, down) ((__typeof__(x))((down) ? ~(x) : (x)))
#define FLIP_FLOAT(x, down) ((down) ? -(x) : (x))
#define PLAIN(x) (x)

static inline int16_t invert_negative(int16_t x)
{
    return (int16_t)(x ^ (x >> 15 & INT16_MAX));
}

static inline int16_t look_half(int16_t x, int16_t infinity)
{
    return (x & INT16_MAX) > infinity ? INT16_MAX : invert_negative(x);
}

#define LOOK_F16(x) look_half(x, 0x7C00)
#define LOOK_BF16(x) look_half(x, 0x7F80)

#define T uint8_t
#define FLIP FLIP_INTEGER
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_u8
#include "cpu/order/peaks_typed.h"

#define T int8_t
#define FLIP FLIP_INTEGER
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_i8
#include "cpu/order/peaks_typed.h"

#define T uint16_t
#define FLIP FLIP_INTEGER
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_u16
#include "cpu/order/peaks_typed.h"

#define T int16_t
#define FLIP FLIP_INTEGER
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_i16
#include "cpu/order/peaks_typed.h"

#define T uint32_t
#define FLIP FLIP_INTEGER
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_u32
#include "cpu/order/peaks_typed.h"

#define T int32_t
#define FLIP FLIP_INTEGER
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_i32
#include "cpu/order/peaks_typed.h"

#define T uint64_t
#define FLIP FLIP_INTEGER
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_u64
#include "cpu/order/peaks_typed.h"

#define T int64_t
#define FLIP FLIP_INTEGER
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_i64
#include "cpu/order/peaks_typed.h"

#define T float
#define FLIP FLIP_FLOAT
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_f32
#include "cpu/order/peaks_typed.h"

#define T double
#define FLIP FLIP_FLOAT
#define LOOK PLAIN
#define SHOW PLAIN
#define NAME(x) x##_f64
#include "cpu/order/peaks_typed.h"

#define T int16_t
#define FLIP FLIP_INTEGER
#define LOOK LOOK_F16
#define SHOW invert_negative
#define NAME(x) x##_f16
#include "cpu/order/peaks_typed.h"

#define T int16_t
#define FLIP FLIP_INTEGER
#define LOOK LOOK_BF16
#define SHOW invert_negative
#define NAME(x) x##_bf16
#include "cpu/order/peaks_typed.h"

extern const struct cti_peaks CTI_ISA_NAME(cti_peaks);
const struct cti_peaks CTI_ISA_NAME(cti_peaks) = {{
    [CT_BOOL] = peaks_u8,
    [CT_UINT8] = peaks_u8,
    [CT_INT8] = peaks_i8,
    [CT_INT16] = peaks_i16,
    [CT_INT32] = peaks_i32,
    [CT_INT64] = peaks_i64,
    [CT_UINT16] = peaks_u16,
    [CT_UINT32] = peaks_u32,
    [CT_UINT64] = peaks_u64,
    [CT_FLOAT16] = peaks_f16,
    [CT_BFLOAT16] = peaks_bf16,
    [CT_FLOAT32] = peaks_f32,
    [CT_FLOAT64] = peaks_f64,
}};
