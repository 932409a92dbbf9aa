/* SPDX-License-Identifier: BSD-3-Clause */
/* Single elements: conversion between one element of any data type and a ct_value, for item, fills,
 * printing and wrapped numbers; never used in loops. */
#include "core/value.h"
#include "core/dtype.h"
#include "core/half.h"
#include "core/shape.h"

#include <string.h>

/* The NaN of CT_NO_NUMBER: arithmetic does not produce this payload. */
static const uint64_t no_number_bits = 0x7ff8c0ffee15c001u;

double ct_no_number(void)
{
    double x;
    memcpy(&x, &no_number_bits, sizeof x);
    return x;
}

bool ct_is_no_number(double x)
{
    return memcmp(&x, &no_number_bits, sizeof x) == 0;
}

ct_value cti_value_load(const void *element, enum ct_dtype dtype)
{
    union {
        bool b;
        uint8_t u8;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint16_t u16, c32[2];
        uint32_t u32;
        float f32, c64[2];
        double f64, c128[2];
    } x;
    memcpy(&x, element, (size_t)cti_itemsize(dtype));
    switch (dtype) {
    case CT_BOOL:
        return ct_value_bool(x.u8 != 0);
    case CT_UINT8:
        return ct_value_int(x.u8);
    case CT_INT8:
        return ct_value_int(x.i8);
    case CT_INT16:
        return ct_value_int(x.i16);
    case CT_INT32:
        return ct_value_int(x.i32);
    case CT_INT64:
        return ct_value_int(x.i64);
    case CT_UINT64:
        return ct_value_uint((uint64_t)x.i64);
    case CT_UINT16:
        return ct_value_int(x.u16);
    case CT_UINT32:
        return ct_value_int(x.u32);
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
        return ct_value_float((double)ct_float8_value(x.u8, dtype));
    case CT_FLOAT16:
        return ct_value_float((double)cti_half_to_float(x.u16));
    case CT_BFLOAT16:
        return ct_value_float((double)cti_bfloat_to_float(x.u16));
    case CT_FLOAT32:
        return ct_value_float((double)x.f32);
    case CT_FLOAT64:
        return ct_value_float(x.f64);
    case CT_COMPLEX64:
        return ct_value_complex_of((double)x.c64[0], (double)x.c64[1]);
    case CT_COMPLEX128:
        return ct_value_complex_of(x.c128[0], x.c128[1]);
    case CT_COMPLEX32:
        return ct_value_complex_of((double)cti_half_to_float(x.c32[0]),
                                   (double)cti_half_to_float(x.c32[1]));
    case CT_NO_DTYPE:
    case CT_DTYPE_COUNT:
        break;
    }
    return ct_value_none();
}

void cti_value_store(void *element, enum ct_dtype dtype, ct_value number)
{
    union {
        uint8_t u8;
        uint16_t u16, c32[2];
        int64_t i64; /* little endian: narrower integers are the first bytes */
        float f32, c64[2];
        double f64, c128[2];
    } x;
    memset(&x, 0, sizeof x);
    switch (dtype) {
    case CT_BOOL:
        x.u8 = cti_value_true(number);
        break;
    case CT_UINT8:
    case CT_INT8:
    case CT_INT16:
    case CT_INT32:
    case CT_INT64:
    case CT_UINT16:
    case CT_UINT32:
    case CT_UINT64:
        x.i64 = cti_value_int(number);
        break;
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
        x.u8 = ct_float8_code((float)cti_value_real(number), dtype);
        break;
    case CT_FLOAT16:
        x.u16 = cti_float_to_half((float)cti_value_real(number));
        break;
    case CT_BFLOAT16:
        x.u16 = cti_float_to_bfloat((float)cti_value_real(number));
        break;
    case CT_FLOAT32:
        x.f32 = (float)cti_value_real(number);
        break;
    case CT_FLOAT64:
        x.f64 = cti_value_real(number);
        break;
    case CT_COMPLEX64:
        x.c64[0] = (float)cti_value_real(number);
        x.c64[1] = (float)cti_value_imag(number);
        break;
    case CT_COMPLEX128:
        x.c128[0] = cti_value_real(number);
        x.c128[1] = cti_value_imag(number);
        break;
    case CT_COMPLEX32:
        x.c32[0] = cti_float_to_half((float)cti_value_real(number));
        x.c32[1] = cti_float_to_half((float)cti_value_imag(number));
        break;
    case CT_NO_DTYPE:
    case CT_DTYPE_COUNT:
        return;
    }
    memcpy(element, &x, (size_t)cti_itemsize(dtype));
}

ct_value cti_value_element(const ct_tensor *t, const void *element)
{
    ct_value v = cti_value_load(element, t->dtype);
    if (v.kind == CT_VALUE_COMPLEX && t->flags & CTI_CONJ)
        v.as.c.im = -v.as.c.im;
    if (!(t->flags & CTI_NEG))
        return v;
    if (v.kind == CT_VALUE_COMPLEX) {
        v.as.c.re = -v.as.c.re;
        v.as.c.im = -v.as.c.im;
    } else if (v.kind == CT_VALUE_FLOAT) {
        v.as.f = -v.as.f;
    } else if (t->dtype == CT_UINT64) {
        v = ct_value_uint(0 - v.as.u);
    } else if (v.kind == CT_VALUE_INT) {
        v.as.i = (int64_t)(0 - (uint64_t)v.as.i);
        if (t->dtype == CT_UINT8)
            v.as.i &= UINT8_MAX;
        else if (t->dtype == CT_UINT16)
            v.as.i &= UINT16_MAX;
        else if (t->dtype == CT_UINT32)
            v.as.i &= UINT32_MAX;
    }
    return v;
}

double cti_value_real(ct_value number)
{
    switch (number.kind) {
    case CT_VALUE_BOOL:
        return number.as.b;
    case CT_VALUE_INT:
        return (double)number.as.i;
    case CT_VALUE_UINT:
        return (double)number.as.u;
    case CT_VALUE_FLOAT:
        return number.as.f;
    case CT_VALUE_COMPLEX:
        return number.as.c.re;
    case CT_VALUE_NULL:
    case CT_VALUE_NONE:
    case CT_VALUE_TENSOR:
    case CT_VALUE_STR:
    case CT_VALUE_END:
        break;
    }
    return 0;
}

double cti_value_imag(ct_value number)
{
    return number.kind == CT_VALUE_COMPLEX ? number.as.c.im : 0;
}

int64_t cti_value_int(ct_value number)
{
    if (number.kind == CT_VALUE_BOOL)
        return number.as.b;
    if (number.kind == CT_VALUE_INT || number.kind == CT_VALUE_UINT)
        return number.as.i;
    double x = cti_value_real(number);
    if (x >= -0x1p63 && x < 0x1p63)
        return (int64_t)x;
    /* Converts like the processor, and wraps for the upper half of uint64. */
    return x >= 0x1p63 && x < 0x1p64 ? (int64_t)(uint64_t)x : INT64_MIN;
}

bool cti_value_true(ct_value number)
{
    if (number.kind == CT_VALUE_INT)
        return number.as.i != 0;
    return cti_value_real(number) != 0 || cti_value_imag(number) != 0;
}

enum ct_dtype cti_value_dtype(ct_value number)
{
    enum ct_dtype real = ct_get_default_dtype();
    switch (number.kind) {
    case CT_VALUE_BOOL:
        return CT_BOOL;
    case CT_VALUE_INT:
        return CT_INT64;
    case CT_VALUE_UINT:
        return CT_UINT64;
    case CT_VALUE_FLOAT:
        return real;
    case CT_VALUE_COMPLEX:
        return cti_dtype_to_complex(real);
    case CT_VALUE_TENSOR:
        return number.as.tensor->dtype;
    case CT_VALUE_NULL:
    case CT_VALUE_NONE:
    case CT_VALUE_STR:
    case CT_VALUE_END:
        break;
    }
    return CT_NO_DTYPE;
}

ct_tensor *cti_wrap_number(ct_value number, enum ct_dtype dtype)
{
    if (dtype == CT_NO_DTYPE)
        dtype = number.kind == CT_VALUE_FLOAT     ? CT_FLOAT64
                : number.kind == CT_VALUE_COMPLEX ? CT_COMPLEX128
                                                  : cti_value_dtype(number);
    ct_tensor *t = cti_empty(0, NULL, dtype, (struct ct_device){CT_CPU, -1});
    if (!t)
        return NULL;
    t->flags |= CTI_WRAPPED_NUMBER;
    cti_value_store(cti_data(t), dtype, number);
    return t;
}

int64_t cti_ints_count(ct_ints list)
{
    if (list.n >= 0)
        return list.n;
    int64_t n = 0;
    while (list.v && list.n == -1 && list.v[n] != CT_END)
        n++;
    return n;
}

int64_t cti_list_count(ct_list list)
{
    if (list.n >= 0)
        return list.n;
    int64_t n = 0;
    while (list.v && list.n == -1 && list.v[n] != CT_LIST_END)
        n++;
    return n;
}
