/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts one float8 element to float and back, for numbers, printing and bindings. math/float8.h
 * has a table of the formats and the functions for loops. */
#include "core/dtype.h"
#include "core/half.h"

static const struct format {
    uint8_t digits, bias;
    uint8_t most; /* the code of the largest magnitude */
    uint8_t over; /* the code for larger magnitudes */
    uint8_t nan;  /* 0x80 in the formats without -0 */
} formats[] = {
    {3, 7, 0x7e, 0x7e, 0x7f},
    {2, 15, 0x7b, 0x7c, 0x7f},
    {3, 8, 0x7f, 0x80, 0x80},
    {2, 16, 0x7f, 0x80, 0x80},
};

static const struct format *format_of(enum ct_dtype dtype)
{
    return &formats[dtype - CT_FLOAT8_E4M3FN];
}

float ct_float8_value(uint8_t code, enum ct_dtype dtype)
{
    uint32_t sign = (uint32_t)(code & 0x80u) << 24, body = code & 0x7fu;
    if (!cti_is_float8(dtype)) {
        ct_fail(CT_ERR_TYPE, "ct_float8_value: the type is not one of the float8 types");
        return 0;
    }
    if (dtype == CT_FLOAT8_E8M0FNU)
        return cti_bits_float(code == 0xff ? 0x7f800001u : code ? (uint32_t)code << 23 : 0x400000u);
    if (dtype == CT_FLOAT8_E5M2)
        return cti_half_to_float((uint16_t)(code << 8));
    const struct format *f = format_of(dtype);
    if (f->nan == 0x7f && body == 0x7f)
        return cti_bits_float(sign | 0x7ff00000u);
    if (f->nan == 0x80 && code == 0x80)
        return cti_bits_float(0x7f800001u);
    float x =
        cti_bits_float(body << (23 - f->digits)) * cti_bits_float((uint32_t)(254 - f->bias) << 23);
    return sign ? -x : x;
}

uint8_t ct_float8_code(float x, enum ct_dtype dtype)
{
    uint32_t bits = cti_float_bits(x), a = bits & 0x7fffffffu, sign = bits >> 24 & 0x80u, r;
    if (!cti_is_float8(dtype)) {
        ct_fail(CT_ERR_TYPE, "ct_float8_code: the type is not one of the float8 types");
        return 0;
    }
    if (dtype == CT_FLOAT8_E8M0FNU) {
        bool up = (a >> 22 & 1u) && ((a & 0x3fffffu) || a >> 23);
        return (uint8_t)(a >= 0x7f800000u ? 0xffu : (a >> 23) + up);
    }
    const struct format *f = format_of(dtype);
    uint32_t shift = 23u - f->digits, low = 127u - f->bias;
    if (a > 0x7f800000u)
        return (uint8_t)(f->nan | sign);
    if (a < (low + 1) << 23) { /* below the smallest normal number: adding rounds to nearest even */
        float magic = cti_bits_float((low + shift + 1) << 23);
        r = cti_float_bits(cti_bits_float(a) + magic) - cti_float_bits(magic);
    } else {
        r = (a - (low << 23) + ((1u << (shift - 1)) - 1u) + (a >> shift & 1u)) >> shift;
    }
    r = r > f->most ? f->over : r;
    return (uint8_t)(r || f->nan == 0x7f ? r | sign : 0);
}
