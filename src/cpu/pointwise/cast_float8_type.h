/* SPDX-License-Identifier: BSD-3-Clause */
/* The casts of the float8 type NAME, and tables of them by the other type. Included by
 * cast_float8.c. */
#define OTHER b8
#define DTYPE CT_BOOL
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER u8
#define DTYPE CT_UINT8
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER i8
#define DTYPE CT_INT8
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER i16
#define DTYPE CT_INT16
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER i32
#define DTYPE CT_INT32
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER i64
#define DTYPE CT_INT64
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER u16
#define DTYPE CT_UINT16
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER u32
#define DTYPE CT_UINT32
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER u64
#define DTYPE CT_UINT64
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER f16
#define DTYPE CT_FLOAT16
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER bf16
#define DTYPE CT_BFLOAT16
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER f32
#define DTYPE CT_FLOAT32
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER f64
#define DTYPE CT_FLOAT64
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER c64
#define DTYPE CT_COMPLEX64
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER c128
#define DTYPE CT_COMPLEX128
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER c32
#define DTYPE CT_COMPLEX32
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER e4m3fn
#define DTYPE CT_FLOAT8_E4M3FN
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER e5m2
#define DTYPE CT_FLOAT8_E5M2
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER e4m3fnuz
#define DTYPE CT_FLOAT8_E4M3FNUZ
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER e5m2fnuz
#define DTYPE CT_FLOAT8_E5M2FNUZ
#include "cpu/pointwise/cast_float8_pair.h"

#define OTHER e8m0fnu
#define DTYPE CT_FLOAT8_E8M0FNU
#include "cpu/pointwise/cast_float8_pair.h"

static cti_cast_loop *const CAT3(narrow_, NAME, )[CT_DTYPE_COUNT] = {
    [CT_BOOL] = CAT3(NAME, _from_, b8),
    [CT_UINT8] = CAT3(NAME, _from_, u8),
    [CT_INT8] = CAT3(NAME, _from_, i8),
    [CT_INT16] = CAT3(NAME, _from_, i16),
    [CT_INT32] = CAT3(NAME, _from_, i32),
    [CT_INT64] = CAT3(NAME, _from_, i64),
    [CT_UINT16] = CAT3(NAME, _from_, u16),
    [CT_UINT32] = CAT3(NAME, _from_, u32),
    [CT_UINT64] = CAT3(NAME, _from_, u64),
    [CT_FLOAT16] = CAT3(NAME, _from_, f16),
    [CT_BFLOAT16] = CAT3(NAME, _from_, bf16),
    [CT_FLOAT32] = CAT3(NAME, _from_, f32),
    [CT_FLOAT64] = CAT3(NAME, _from_, f64),
    [CT_COMPLEX64] = CAT3(NAME, _from_, c64),
    [CT_COMPLEX128] = CAT3(NAME, _from_, c128),
    [CT_COMPLEX32] = CAT3(NAME, _from_, c32),
    [CT_FLOAT8_E4M3FN] = CAT3(NAME, _from_, e4m3fn),
    [CT_FLOAT8_E5M2] = CAT3(NAME, _from_, e5m2),
    [CT_FLOAT8_E4M3FNUZ] = CAT3(NAME, _from_, e4m3fnuz),
    [CT_FLOAT8_E5M2FNUZ] = CAT3(NAME, _from_, e5m2fnuz),
    [CT_FLOAT8_E8M0FNU] = CAT3(NAME, _from_, e8m0fnu),
};

static cti_cast_loop *const CAT3(widen_, NAME, )[CT_DTYPE_COUNT] = {
    [CT_BOOL] = CAT3(NAME, _to_, b8),         [CT_UINT8] = CAT3(NAME, _to_, u8),
    [CT_INT8] = CAT3(NAME, _to_, i8),         [CT_INT16] = CAT3(NAME, _to_, i16),
    [CT_INT32] = CAT3(NAME, _to_, i32),       [CT_INT64] = CAT3(NAME, _to_, i64),
    [CT_UINT16] = CAT3(NAME, _to_, u16),      [CT_UINT32] = CAT3(NAME, _to_, u32),
    [CT_UINT64] = CAT3(NAME, _to_, u64),      [CT_FLOAT16] = CAT3(NAME, _to_, f16),
    [CT_BFLOAT16] = CAT3(NAME, _to_, bf16),   [CT_FLOAT32] = CAT3(NAME, _to_, f32),
    [CT_FLOAT64] = CAT3(NAME, _to_, f64),     [CT_COMPLEX64] = CAT3(NAME, _to_, c64),
    [CT_COMPLEX128] = CAT3(NAME, _to_, c128), [CT_COMPLEX32] = CAT3(NAME, _to_, c32),
};

#undef NAME
