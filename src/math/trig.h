/* SPDX-License-Identifier: BSD-3-Clause */
/* Trigonometric functions: sin, cos, tan, asin, acos, atan, atan2.
 *
 * Note [Wide arguments]
 * ctm_sin, ctm_cos and ctm_tan are branch-free, with a short reduction that is exact enough while
 * ctm_narrow(x) is true: |x| <= 2^21 (float32, about 2e6) or 2^20 (float64, about 1e6), or x is not
 * finite. ctm_sin_wide and so on are valid for every argument and give the same bits where x is
 * narrow. A loop can therefore test ctm_narrow for a block of elements and use the short functions
 * for a narrow block, and no element depends on its neighbours.
 *
 * float32 sin and cos reduce x = n pi + r, |r| <= pi / 2, and use one odd polynomial (Sollya's
 * fpminimax), in double: that is the cheapest way to get enough digits of r. */
#ifndef CORTEN_MATH_TRIG_H
#define CORTEN_MATH_TRIG_H

#include "basic.h"
#include "types.h"

/* One unsigned comparison: as bits, the wide magnitudes are those between the limit and
 * infinity. */
CTM bool ctm_narrow_f32(float x)
{
    uint32_t past = (ctm_bits_f32(x) & 0x7fffffffu) - 0x4a000001u;
    return past >= 0x7f800000u - 0x4a000001u;
}

CTM bool ctm_narrow_f64(double x)
{
    uint64_t past = (ctm_bits_f64(x) & 0x7fffffffffffffffu) - 0x4130000000000001u;
    return past >= 0x7ff0000000000000u - 0x4130000000000001u;
}

/* The same for float32 functions that compute in double. */
CTM bool ctm_narrow_double_f32(float x)
{
    return ctm_narrow_f64((double)x);
}

CTM bool ctm_narrow_double_f64(double x)
{
    return ctm_narrow_f64(x);
}

/* sin(r) for |r| <= pi / 2 + 2^-10, relative error 2^-33. */
CTM double ctm_sin_poly_f64(double r)
{
    double z = r * r;
    double p = ctm_fma_f64(-0x1.9daef0dd57a69p-26, z, 0x1.71967be0b2114p-19);
    p = ctm_fma_f64(p, z, -0x1.a019055d77a06p-13);
    p = ctm_fma_f64(p, z, 0x1.11110fda488c2p-7);
    p = ctm_fma_f64(p, z, -0x1.5555555460369p-3);
    p = ctm_fma_f64(p, z, 1.0);
    return r * p;
}

/* The same, negated if flip is odd. */
CTM float ctm_sin_short_f32(double r, uint64_t flip)
{
    return (float)ctm_f64_of_bits(ctm_bits_f64(ctm_sin_poly_f64(r)) ^ (flip << 63));
}

/* x - n pi for |n| <= 2^20: the first part of pi has 33 bits, so n times it is exact. */
CTM double ctm_less_pi_f32(double x, double n)
{
    double r = ctm_fma_f64(n, -0x1.921fb544p1, x);
    return ctm_fma_f64(n, -0x1.0b4611a626331p-33, r);
}

/* Error below 0.51 ULP where ctm_narrow_f32(x). */
CTM float ctm_sin_f32(float x)
{
    double z = ctm_fma_f64((double)x, 0x1.45f306dc9c883p-2, CTM_SHIFT_F64);
    double r = ctm_less_pi_f32((double)x, z - CTM_SHIFT_F64);
    return ctm_sin_short_f32(r, ctm_bits_f64(z));
}

/* cos(x) = -(-1)^k sin(x - (k + 1/2) pi). Error below 0.51 ULP where ctm_narrow_f32(x). */
CTM float ctm_cos_f32(float x)
{
    double z = ctm_fma_f64((double)x, 0x1.45f306dc9c883p-2, -0.5) + CTM_SHIFT_F64;
    double r = ctm_less_pi_f32((double)x, (z - CTM_SHIFT_F64) + 0.5);
    return ctm_sin_short_f32(r, ctm_bits_f64(z) + 1u);
}

/* cos(r) for |r| <= pi / 4 + 2^-10, relative error 2^-31. */
CTM double ctm_cos_short_f64(double r)
{
    double z = r * r;
    double p = ctm_fma_f64(0x1.9a6beb6c9574bp-16, z, -0x1.6c0dfeb7641b3p-10);
    p = ctm_fma_f64(p, z, 0x1.55554cad56c94p-5);
    p = ctm_fma_f64(p, z, -0x1.fffffffaa7249p-2);
    return ctm_fma_f64(p, z, 1.0);
}

/* tan(r + n pi / 2), where n is the low bit of `turn`. */
CTM float ctm_tan_short_f32(double r, uint64_t turn)
{
    double s = ctm_sin_poly_f64(r);
    double c = ctm_cos_short_f64(r);
    double top = (turn & 1u) != 0u ? -c : s;
    double bottom = (turn & 1u) != 0u ? s : c;
    return (float)(top / bottom);
}

/* Error below 0.51 ULP where ctm_narrow_f32(x). */
CTM float ctm_tan_f32(float x)
{
    double z = ctm_fma_f64((double)x, 0x1.45f306dc9c883p-1, CTM_SHIFT_F64);
    double r = ctm_less_pi_f32((double)x, 0.5 * (z - CTM_SHIFT_F64));
    return ctm_tan_short_f32(r, ctm_bits_f64(z));
}

/* x / pi modulo 2 as a sum of two numbers. */
typedef struct {
    double high, low;
} ctm_turns;

/* One step of ctm_turns_f32: adds x c modulo 2, where c has 28 bits of 1 / pi, so that the product
 * is exact. A product above 2^53 is a multiple of 2 and vanishes. The sum is Knuth's TwoSum. */
CTM ctm_turns ctm_turns_step(ctm_turns t, double x, double c)
{
    double p = x * c;
    p -= 2.0 * ctm_round_f64(0.5 * p);
    double s = t.high + p;
    double p_seen = s - t.high;
    double rest = (t.high - (s - p_seen)) + (p - p_seen);
    ctm_turns sum;
    sum.high = s;
    sum.low = t.low + rest;
    return sum;
}

/* x / pi modulo 2 for every finite float: 1 / pi to 200 bits, in seven pieces. */
CTM ctm_turns ctm_turns_f32(double x)
{
    ctm_turns t;
    t.high = 0.0;
    t.low = 0.0;
    t = ctm_turns_step(t, x, 0x1.45f306cp-2);
    t = ctm_turns_step(t, x, 0x1.c9c882ap-30);
    t = ctm_turns_step(t, x, 0x1.4fe13aap-60);
    t = ctm_turns_step(t, x, 0x1.e8fa9a6p-88);
    t = ctm_turns_step(t, x, 0x1.dc0db62p-117);
    t = ctm_turns_step(t, x, 0x1.2b32788p-146);
    return ctm_turns_step(t, x, 0x1.c820ff2p-176);
}

/* For every argument; error below 0.51 ULP. Branch-free, at about seven times the cost of the short
 * functions. */
CTM float ctm_sin_wide_f32(float x)
{
    ctm_turns t = ctm_turns_f32((double)x);
    double z = t.high + CTM_SHIFT_F64;
    double r = ((t.high - (z - CTM_SHIFT_F64)) + t.low) * 0x1.921fb54442d18p1;
    float y = ctm_sin_short_f32(r, ctm_bits_f64(z));
    return ctm_narrow_f32(x) ? ctm_sin_f32(x) : y;
}

CTM float ctm_cos_wide_f32(float x)
{
    ctm_turns t = ctm_turns_f32((double)x);
    double z = (t.high - 0.5) + CTM_SHIFT_F64;
    double r = ((t.high - ((z - CTM_SHIFT_F64) + 0.5)) + t.low) * 0x1.921fb54442d18p1;
    float y = ctm_sin_short_f32(r, ctm_bits_f64(z) + 1u);
    return ctm_narrow_f32(x) ? ctm_cos_f32(x) : y;
}

CTM float ctm_tan_wide_f32(float x)
{
    ctm_turns t = ctm_turns_f32((double)x);
    double z = 2.0 * t.high + CTM_SHIFT_F64;
    double r = ((t.high - 0.5 * (z - CTM_SHIFT_F64)) + t.low) * 0x1.921fb54442d18p1;
    float y = ctm_tan_short_f32(r, ctm_bits_f64(z));
    return ctm_narrow_f32(x) ? ctm_tan_f32(x) : y;
}

/* x - n pi as a sum of two numbers, for |n| <= 2^19: the first two parts of pi have 31 and 32
 * bits. */
typedef struct {
    double high, low;
} ctm_pair_f64;

CTM ctm_pair_f64 ctm_less_pi_f64(double x, double n)
{
    double a = ctm_fma_f64(n, -0x1.921fb544p1, x);
    double b = n * 0x1.0b4611a6p-33;
    double r = a - b;
    double r_low = ctm_fma_f64(n, -0x1.3198a2e037073p-68, (a - r) - b);
    ctm_pair_f64 y;
    y.high = r + r_low;
    y.low = (r - y.high) + r_low;
    return y;
}

/* sin(r) and cos(r) for |r| <= pi / 4, as in fdlibm's k_sin.c and k_cos.c, as a sum of two numbers,
 * of which the second is a small correction. */
CTM ctm_pair_f64 ctm_sin_pair_f64(ctm_pair_f64 r)
{
    double z = r.high * r.high;
    double p = ctm_fma_f64(1.58969099521155010221e-10, z, -2.50507602534068634195e-08);
    p = ctm_fma_f64(p, z, 2.75573137070700676789e-06);
    p = ctm_fma_f64(p, z, -1.98412698298579493134e-04);
    p = ctm_fma_f64(p, z, 8.33333333332248946124e-03);
    p = ctm_fma_f64(p, z, -1.66666666666666324348e-01);
    ctm_pair_f64 y;
    y.high = r.high;
    y.low = ctm_fma_f64(r.high * z, p, r.low * ctm_fma_f64(z, -0.5, 1.0));
    return y;
}

CTM ctm_pair_f64 ctm_cos_pair_f64(ctm_pair_f64 r)
{
    double z = r.high * r.high;
    double p = ctm_fma_f64(-1.13596475577881948265e-11, z, 2.08757232129817482790e-09);
    p = ctm_fma_f64(p, z, -2.75573143513906633035e-07);
    p = ctm_fma_f64(p, z, 2.48015872894767294178e-05);
    p = ctm_fma_f64(p, z, -1.38888888888741095749e-03);
    p = ctm_fma_f64(p, z, 4.16666666666666019037e-02);
    double half = 0.5 * z;
    ctm_pair_f64 y;
    y.high = 1.0 - half;
    y.low = ((1.0 - y.high) - half) + ctm_fma_f64(z * z, p, -(r.high * r.low));
    return y;
}

CTM double ctm_sin_quarter_f64(ctm_pair_f64 r)
{
    ctm_pair_f64 s = ctm_sin_pair_f64(r);
    return s.high + s.low;
}

CTM double ctm_cos_quarter_f64(ctm_pair_f64 r)
{
    ctm_pair_f64 c = ctm_cos_pair_f64(r);
    return c.high + c.low;
}

/* sin(x + quarters pi / 2), if ctm_narrow_f64(x). Error below 0.8 ULP. */
CTM double ctm_sin_turned_f64(double x, uint64_t quarters)
{
    double z = ctm_fma_f64(x, 0x1.45f306dc9c883p-1, CTM_SHIFT_F64);
    ctm_pair_f64 r = ctm_less_pi_f64(x, 0.5 * (z - CTM_SHIFT_F64));
    uint64_t turn = ctm_bits_f64(z) + quarters;
    double s = ctm_sin_quarter_f64(r);
    double c = ctm_cos_quarter_f64(r);
    double y = (turn & 1u) != 0u ? c : s;
    return ctm_f64_of_bits(ctm_bits_f64(y) ^ ((turn << 62) & 0x8000000000000000u));
}

CTM double ctm_sin_f64(double x)
{
    double y = ctm_sin_turned_f64(x, 0u);
    return x == 0.0 ? x : y;
}

CTM double ctm_cos_f64(double x)
{
    return ctm_sin_turned_f64(x, 1u);
}

/* The quotient of sine and cosine, corrected for its three rounding errors. Error below 1 ULP. */
CTM double ctm_tan_f64(double x)
{
    double z = ctm_fma_f64(x, 0x1.45f306dc9c883p-1, CTM_SHIFT_F64);
    ctm_pair_f64 r = ctm_less_pi_f64(x, 0.5 * (z - CTM_SHIFT_F64));
    ctm_pair_f64 s = ctm_sin_pair_f64(r), c = ctm_cos_pair_f64(r);
    bool odd = (ctm_bits_f64(z) & 1u) != 0u;
    double top_head = odd ? -c.high : s.high, top_rest = odd ? -c.low : s.low;
    double head = odd ? s.high : c.high, rest = odd ? s.low : c.low;
    double top = top_head + top_rest, top_low = top_rest - (top - top_head);
    double d = head + rest, d_low = rest - (d - head), inverse = 1.0 / d, q = top * inverse;
    double low = (top_low - ctm_product_rest_f64(q, d, top)) - q * d_low;
    double y = ctm_fma_f64(low, inverse, q);
    return x == 0.0 ? x : y;
}

/* Calls libm for wide arguments; error below 1 ULP. */
CTM double ctm_sin_wide_f64(double x)
{
    return ctm_narrow_f64(x) ? ctm_sin_f64(x) : sin(x);
}

CTM double ctm_cos_wide_f64(double x)
{
    return ctm_narrow_f64(x) ? ctm_cos_f64(x) : cos(x);
}

CTM double ctm_tan_wide_f64(double x)
{
    return ctm_narrow_f64(x) ? ctm_tan_f64(x) : tan(x);
}

/* (asin(s) - s) / s^3 for 0 <= s <= 1/2, z = s^2; relative error 2^-53. */
CTM double ctm_asin_tail_f64(double z)
{
    double p = ctm_fma_f64(0x1.dabba2bc049fap-6, z, -0x1.f170026716307p-7);
    p = ctm_fma_f64(p, z, 0x1.20a9f2e60718ap-6);
    p = ctm_fma_f64(p, z, 0x1.603756022bcb4p-8);
    p = ctm_fma_f64(p, z, 0x1.52eb719a23983p-7);
    p = ctm_fma_f64(p, z, 0x1.780afddeb5d11p-7);
    p = ctm_fma_f64(p, z, 0x1.c9d1fdde37011p-7);
    p = ctm_fma_f64(p, z, 0x1.1c4d1a7281b04p-6);
    p = ctm_fma_f64(p, z, 0x1.6e8bb30e1ed29p-6);
    p = ctm_fma_f64(p, z, 0x1.f1c71c1478c97p-6);
    p = ctm_fma_f64(p, z, 0x1.6db6db6e442c2p-5);
    p = ctm_fma_f64(p, z, 0x1.3333333332dc8p-4);
    return ctm_fma_f64(p, z, 0x1.5555555555556p-3);
}

/* Above 1/2: asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)), where pi / 2 is a sum of two numbers and
 * `lost` is the rounding error of the root. Error below 1 ULP; NaN for |x| > 1. */
CTM double ctm_asin_f64(double x)
{
    double a = ctm_abs_f64(x);
    bool far = a > 0.5;
    double z = far ? 0.5 - 0.5 * a : a * a;
    double root = ctm_sqrt_f64(z);
    double s = far ? root : a;
    double tail = s * z * ctm_asin_tail_f64(z);
    double lost = ctm_fma_f64(-root, root, z) / (root + root);
    lost = z == 0.0 ? 0.0 : lost;
    double big = 0x1.921fb54442d18p0 - 2.0 * root;
    double rest = (0x1.921fb54442d18p0 - big) - 2.0 * root;
    double y = far ? big + (rest - 2.0 * (tail + lost) + 0x1.1a62633145c07p-54) : s + tail;
    return ctm_copysign_f64(y, x);
}

CTM double ctm_acos_f64(double x)
{
    double a = ctm_abs_f64(x);
    bool far = a > 0.5;
    double z = far ? 0.5 - 0.5 * a : a * a;
    double root = ctm_sqrt_f64(z);
    double s = far ? root : x;
    double tail = s * z * ctm_asin_tail_f64(z);
    double lost = ctm_fma_f64(-root, root, z) / (root + root);
    lost = z == 0.0 ? 0.0 : lost;
    double right = 2.0 * (root + (tail + lost));
    double big = 0x1.921fb54442d18p1 - 2.0 * root;
    double rest = (0x1.921fb54442d18p1 - big) - 2.0 * root;
    double left = big + (rest - 2.0 * (tail + lost) + 0x1.1a62633145c07p-53);
    double middle = 0x1.921fb54442d18p0 - x;
    double low = (0x1.921fb54442d18p0 - middle) - x;
    double near = middle + (low - tail + 0x1.1a62633145c07p-54);
    double y = x < 0.0 ? left : right;
    return far ? y : near;
}

/* (atan(t) - t) / t^3 for |t| <= tan(pi / 8), z = t^2; relative error 2^-54. */
CTM double ctm_atan_tail_f64(double z)
{
    double p = ctm_fma_f64(0x1.fbecc7802a99bp-7, z, -0x1.14d6c99d3dc2ap-5);
    p = ctm_fma_f64(p, z, 0x1.7220f482cc1cep-5);
    p = ctm_fma_f64(p, z, -0x1.abcea1277fb2dp-5);
    p = ctm_fma_f64(p, z, 0x1.e17f947820cfcp-5);
    p = ctm_fma_f64(p, z, -0x1.110d3322d701bp-4);
    p = ctm_fma_f64(p, z, 0x1.3b137c610dce5p-4);
    p = ctm_fma_f64(p, z, -0x1.745d156a44848p-4);
    p = ctm_fma_f64(p, z, 0x1.c71c71bcb5153p-4);
    p = ctm_fma_f64(p, z, -0x1.2492492481dc7p-3);
    p = ctm_fma_f64(p, z, 0x1.9999999999816p-3);
    p = ctm_fma_f64(p, z, -0x1.5555555555555p-2);
    return p;
}

/* atan(a) = base + atan(t) with t = a, (2a - 1) / (a + 2), (a - 1) / (a + 1) or -1 / a, and base 0,
 * atan(1/2), pi / 4 or pi / 2 as a sum of two numbers. The numerators are exact, and |t| <= tan(pi
 * / 8), so that its rounding error matters little. Error below 1 ULP. */
CTM double ctm_atan_f64(double x)
{
    double a = ctm_abs_f64(x);
    double n = a > 0x1.a827999fcef32p-2 ? 2.0 * a - 1.0 : a;
    double d = a > 0x1.a827999fcef32p-2 ? a + 2.0 : 1.0;
    double base = a > 0x1.a827999fcef32p-2 ? 0x1.dac670561bb4fp-2 : 0.0;
    double below = a > 0x1.a827999fcef32p-2 ? 0x1.a2b7f222f65e2p-56 : 0.0;
    n = a > 0.6875 ? a - 1.0 : n;
    d = a > 0.6875 ? a + 1.0 : d;
    base = a > 0.6875 ? 0x1.921fb54442d18p-1 : base;
    below = a > 0.6875 ? 0x1.1a62633145c07p-55 : below;
    n = a > 0x1.3504f333f9de6p1 ? -1.0 : n;
    d = a > 0x1.3504f333f9de6p1 ? a : d;
    base = a > 0x1.3504f333f9de6p1 ? 0x1.921fb54442d18p0 : base;
    below = a > 0x1.3504f333f9de6p1 ? 0x1.1a62633145c07p-54 : below;
    double t = n / d, z = t * t;
    double p = ctm_atan_tail_f64(z);
    double s = base + t, low = base == 0.0 ? 0.0 : t - (s - base);
    double y = s + (ctm_fma_f64(t * z, p, low) + below);
    return ctm_copysign_f64(y, x);
}

/* The arctangent of the smaller magnitude over the larger is base + atan(t), where base is 0 or pi
 * / 4, and t the quotient or (low - high) / (low + high). The result is that, adjusted to the
 * octant with pi as a sum of two numbers. 0 / 0 counts as 0 and inf / inf as 1, as in C's atan2.
 * Error below 1.5 ULP. */
CTM double ctm_atan2_f64(double y, double x)
{
    double a = ctm_abs_f64(x), b = ctm_abs_f64(y);
    double high = a < b ? b : a, low = a < b ? a : b;
    double scale = high > 0x1p1000 ? 0x1p-100 : 1.0; /* a sum must not overflow */
    double h = high * scale, l = low * scale;
    bool far = l > 0x1.a827999fcef32p-2 * h;
    double t = (far ? l - h : l) / (far ? l + h : h);
    t = high == 0.0 ? 0.0 : t;
    t = low == CTM_INF_F64 ? 0.0 : t;
    far = far | (low == CTM_INF_F64);
    double z = t * t, tail = t * z * ctm_atan_tail_f64(z);
    double turn = far ? 0x1.921fb54442d18p-1 : 0.0, turn_low = far ? 0x1.1a62633145c07p-55 : 0.0;
    double side = a < b ? -1.0 : 1.0;
    turn = a < b ? 0x1.921fb54442d18p0 - turn : turn;
    turn_low = a < b ? 0x1.1a62633145c07p-54 - turn_low : turn_low;
    bool left = ctm_signbit_f64(x);
    side = left ? -side : side;
    turn = left ? 0x1.921fb54442d18p1 - turn : turn;
    turn_low = left ? 0x1.1a62633145c07p-53 - turn_low : turn_low;
    t *= side;
    double s = turn + t, rest = turn == 0.0 ? 0.0 : t - (s - turn);
    double p = s + (ctm_fma_f64(side, tail, rest) + turn_low);
    p = ((x != x) | (y != y)) ? CTM_NAN_F64 : p;
    return ctm_copysign_f64(p, y);
}

/* asin(s) for 0 <= s <= 1/2, z = s^2; relative error 2^-34. */
CTM double ctm_asin_short_f64(double s, double z)
{
    double p = ctm_fma_f64(0x1.ff233dfbbb2a5p-6, z, 0x1.550a51d678776p-7);
    p = ctm_fma_f64(p, z, 0x1.839f2a680fc9ap-6);
    p = ctm_fma_f64(p, z, 0x1.efd4a7d8ad5e7p-6);
    p = ctm_fma_f64(p, z, 0x1.6dc1acfa14a9ep-5);
    p = ctm_fma_f64(p, z, 0x1.33331ccc722e1p-4);
    p = ctm_fma_f64(p, z, 0x1.5555555ce4c89p-3);
    return ctm_fma_f64(s * z, p, s);
}

/* Above 1/2: asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)). Error below 0.51 ULP; NaN for |x| >
 * 1. */
CTM float ctm_asin_f32(float x)
{
    double a = (double)ctm_abs_f32(x);
    double z = a > 0.5 ? 0.5 - 0.5 * a : a * a;
    double root = ctm_sqrt_f64(z);
    double p = ctm_asin_short_f64(a > 0.5 ? root : a, z);
    double y = a > 0.5 ? 0x1.921fb54442d18p0 - 2.0 * p : p;
    return ctm_copysign_f32((float)y, x);
}

CTM float ctm_acos_f32(float x)
{
    double d = (double)x;
    double a = ctm_abs_f64(d);
    double z = a > 0.5 ? 0.5 - 0.5 * a : a * a;
    double root = ctm_sqrt_f64(z);
    double p = ctm_asin_short_f64(a > 0.5 ? root : a, z);
    double far = d < 0.0 ? 0x1.921fb54442d18p1 - 2.0 * p : 2.0 * p;
    double near = 0x1.921fb54442d18p0 - ctm_copysign_f64(p, d);
    return (float)(a > 0.5 ? far : near);
}

/* atan(t) for 0 <= t <= 1; relative error 2^-31. */
CTM double ctm_atan_short_f64(double t)
{
    double z = t * t;
    double p = ctm_fma_f64(-0x1.0252564110433p-10, z, 0x1.a6f53c95fc28dp-8);
    p = ctm_fma_f64(p, z, -0x1.44325fd7d2c2cp-6);
    p = ctm_fma_f64(p, z, 0x1.3f13b26319ed6p-5);
    p = ctm_fma_f64(p, z, -0x1.db906313d8a51p-5);
    p = ctm_fma_f64(p, z, 0x1.30a0dc0ed76dep-4);
    p = ctm_fma_f64(p, z, -0x1.725cf23db6131p-4);
    p = ctm_fma_f64(p, z, 0x1.c6e1f6d49e2adp-4);
    p = ctm_fma_f64(p, z, -0x1.24908cfc37756p-3);
    p = ctm_fma_f64(p, z, 0x1.99998f3f93349p-3);
    p = ctm_fma_f64(p, z, -0x1.55555550377eep-2);
    return ctm_fma_f64(t * z, p, t);
}

/* Error below 0.51 ULP. */
CTM float ctm_atan_f32(float x)
{
    double a = (double)ctm_abs_f32(x);
    double inverse = 1.0 / a;
    double p = ctm_atan_short_f64(a > 1.0 ? inverse : a);
    double y = a > 1.0 ? 0x1.921fb54442d18p0 - p : p;
    return ctm_copysign_f32((float)y, x);
}

/* Error below 0.52 ULP. 0 / 0 counts as 0 and inf / inf as 1, as in C's atan2. */
CTM float ctm_atan2_f32(float y, float x)
{
    double a = (double)ctm_abs_f32(x), b = (double)ctm_abs_f32(y);
    double low = a < b ? a : b;
    double high = a < b ? b : a;
    double t = low / high;
    t = high == 0.0 ? 0.0 : t;
    t = low == CTM_INF_F64 ? 1.0 : t;
    double p = ctm_atan_short_f64(t);
    p = a < b ? 0x1.921fb54442d18p0 - p : p;
    p = ctm_signbit_f32(x) ? 0x1.921fb54442d18p1 - p : p;
    p = ((x != x) | (y != y)) ? CTM_NAN_F64 : p;
    return ctm_copysign_f32((float)p, y);
}

#endif
