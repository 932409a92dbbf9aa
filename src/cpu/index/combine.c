/* SPDX-License-Identifier: BSD-3-Clause */
/* One line of a scatter: assignment, sum, product, minimum or maximum, for each data type. scatter,
 * index_add and index_put call this after all indices have been checked. float16 and bfloat16 have
 * no loops: the operations compute in float32 and round once. */
#include "cpu/index/index.h"
#include "cpu/pointwise/loop.h"

#include <string.h>

/* The destination of the i-th value. */
static inline __attribute__((always_inline)) void *cti_write_address(const struct cti_write *w,
                                                                     int64_t i)
{
    int64_t v = *(const int64_t *)(const void *)(w->index + i * w->index_step);
    return w->dst + i * w->dst_step + v * w->jump;
}

/* Advances to the next of the lines that run together. */
static inline __attribute__((always_inline)) void cti_write_next(struct cti_write *w)
{
    w->dst += w->dst_row;
    w->src += w->src_row;
    w->index += w->index_row;
}

/* Whether a line is the most common case: everything contiguous. */
static inline bool cti_write_is_dense(const struct cti_write *w, size_t size)
{
    int64_t step = (int64_t)size;
    return w->dst_step == 0 && w->index_step == 8 && w->src_step == step && w->jump == step;
}

/* Returns the same line with its strides as compile-time constants. */
static inline __attribute__((always_inline)) struct cti_write cti_write_dense(struct cti_write w,
                                                                              size_t size)
{
    w.dst_step = 0;
    w.index_step = 8;
    w.src_step = w.jump = (int64_t)size;
    return w;
}

/* Plain complex products like PyTorch's: infinities are not recovered. */
static inline float _Complex mul_c64(float _Complex a, float _Complex b)
{
    return __builtin_complex(__real__ a * __real__ b - __imag__ a * __imag__ b,
                             __real__ a * __imag__ b + __imag__ a * __real__ b);
}

static inline double _Complex mul_c128(double _Complex a, double _Complex b)
{
    return __builtin_complex(__real__ a * __real__ b - __imag__ a * __imag__ b,
                             __real__ a * __imag__ b + __imag__ a * __real__ b);
}

#define PLAIN_MUL(a, b) ((a) * (b))
#define BOTH(a, b) ((a) & (b))
#define NEVER(x) ((void)(x), 0)

#define T bool
#define W uint32_t
#define MUL BOTH
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_bool
#include "cpu/index/typed.h"

#define T uint8_t
#define W uint32_t
#define MUL PLAIN_MUL
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_u8
#include "cpu/index/typed.h"

#define T int8_t
#define W uint32_t
#define MUL PLAIN_MUL
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_i8
#include "cpu/index/typed.h"

#define T int16_t
#define W uint32_t
#define MUL PLAIN_MUL
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_i16
#include "cpu/index/typed.h"

#define T int32_t
#define W uint32_t
#define MUL PLAIN_MUL
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_i32
#include "cpu/index/typed.h"

#define T int64_t
#define W uint64_t
#define MUL PLAIN_MUL
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_i64
#include "cpu/index/typed.h"

#define T uint16_t
#define W uint32_t
#define MUL PLAIN_MUL
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_u16
#include "cpu/index/typed.h"

#define T uint32_t
#define W uint32_t
#define MUL PLAIN_MUL
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_u32
#include "cpu/index/typed.h"

#define T uint64_t
#define W uint64_t
#define MUL PLAIN_MUL
#define IS_NAN NEVER
#define ORDERED 1
#define NAME(x) x##_u64
#include "cpu/index/typed.h"

#define T float
#define W float
#define MUL PLAIN_MUL
#define IS_NAN __builtin_isnan
#define ORDERED 1
#define NAME(x) x##_f32
#include "cpu/index/typed.h"

#define T double
#define W double
#define MUL PLAIN_MUL
#define IS_NAN __builtin_isnan
#define ORDERED 1
#define NAME(x) x##_f64
#include "cpu/index/typed.h"

#define T float _Complex
#define W float _Complex
#define MUL mul_c64
#define ORDERED 0
#define NAME(x) x##_c64
#include "cpu/index/typed.h"

#define T double _Complex
#define W double _Complex
#define MUL mul_c128
#define ORDERED 0
#define NAME(x) x##_c128
#include "cpu/index/typed.h"

static inline __attribute__((always_inline)) void put_each(struct cti_write w, size_t size)
{
    for (int64_t row = 0; row <= w.more; row++, cti_write_next(&w))
        for (int64_t i = 0; i < w.n; i++)
            memcpy(cti_write_address(&w, i), w.src + i * w.src_step, size);
}

static inline __attribute__((always_inline)) void put_lines(struct cti_write w, size_t size)
{
    if (cti_write_is_dense(&w, size))
        put_each(cti_write_dense(w, size), size);
    else
        put_each(w, size);
}

static void put_1(struct cti_write w)
{
    put_lines(w, 1);
}

static void put_2(struct cti_write w)
{
    put_lines(w, 2);
}

static void put_4(struct cti_write w)
{
    put_lines(w, 4);
}

static void put_8(struct cti_write w)
{
    put_lines(w, 8);
}

static void put_16(struct cti_write w)
{
    put_lines(w, 16);
}

static cti_write_fn *put_sized(int64_t size)
{
    switch (size) {
    case 1:
        return put_1;
    case 2:
        return put_2;
    case 4:
        return put_4;
    case 8:
        return put_8;
    default:
        return put_16;
    }
}

cti_write_fn *cti_write_line(enum ct_dtype dtype, enum cti_combine how)
{
    static cti_write_fn *const *const table[CT_DTYPE_COUNT] = {
        [CT_BOOL] = table_bool,       [CT_UINT8] = table_u8,    [CT_INT8] = table_i8,
        [CT_INT16] = table_i16,       [CT_INT32] = table_i32,   [CT_INT64] = table_i64,
        [CT_UINT16] = table_u16,      [CT_UINT32] = table_u32,  [CT_UINT64] = table_u64,
        [CT_FLOAT32] = table_f32,     [CT_FLOAT64] = table_f64, [CT_COMPLEX64] = table_c64,
        [CT_COMPLEX128] = table_c128,
    };
    if (how == CTI_COMBINE_PUT)
        return put_sized(cti_itemsize(dtype));
    return table[dtype] ? table[dtype][how] : NULL;
}
