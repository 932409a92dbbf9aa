/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of complex.h for one type, included there with
 *   COMPLEX      the type; OF(word) a function of it
 *   REAL         the type of its parts; OF_REAL(word) a function of that
 *   LIBM(word)   libm's function for the parts' type
 *   LN_2, LN_10, NOT_A_NUMBER  in the parts' type */

CTM COMPLEX OF(add)(COMPLEX a, COMPLEX b)
{
    return OF(make)(a.re + b.re, a.im + b.im);
}

CTM COMPLEX OF(sub)(COMPLEX a, COMPLEX b)
{
    return OF(make)(a.re - b.re, a.im - b.im);
}

CTM COMPLEX OF(mul)(COMPLEX a, COMPLEX b)
{
    return OF(make)(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/* Smith, Algorithm 116 (1962), with the larger part of b as the pivot; x / 0 is x.re / 0, x.im / 0.
 */
CTM COMPLEX OF(div)(COMPLEX a, COMPLEX b)
{
    bool flat = OF_REAL(abs)(b.re) >= OF_REAL(abs)(b.im);
    REAL pivot = flat ? b.re : b.im;
    REAL other = flat ? b.im : b.re;
    REAL ratio = other / pivot;
    REAL scale = 1 / (pivot + other * ratio);
    REAL re = (flat ? a.re + a.im * ratio : a.re * ratio + a.im) * scale;
    REAL im = (flat ? a.im - a.re * ratio : a.im * ratio - a.re) * scale;
    bool zero = (b.re == 0) & (b.im == 0);
    return OF(make)(zero ? a.re / (REAL)0 : re, zero ? a.im / (REAL)0 : im);
}

CTM COMPLEX OF(neg)(COMPLEX z)
{
    return OF(make)(-z.re, -z.im);
}

CTM COMPLEX OF(conj)(COMPLEX z)
{
    return OF(make)(z.re, -z.im);
}

CTM COMPLEX OF(square)(COMPLEX z)
{
    return OF(mul)(z, z);
}

CTM COMPLEX OF(reciprocal)(COMPLEX z)
{
    return OF(div)(OF(make)(1, 0), z);
}

CTM REAL OF(real)(COMPLEX z)
{
    return z.re;
}

CTM REAL OF(imag)(COMPLEX z)
{
    return z.im;
}

CTM REAL OF(abs)(COMPLEX z)
{
    return OF_REAL(hypot)(z.re, z.im);
}

CTM REAL OF(angle)(COMPLEX z)
{
    return OF_REAL(atan2)(z.im, z.re);
}

CTM REAL OF(norm_square)(COMPLEX z)
{
    return z.re * z.re + z.im * z.im;
}

CTM bool OF(eq)(COMPLEX a, COMPLEX b)
{
    return (a.re == b.re) & (a.im == b.im);
}

CTM bool OF(ne)(COMPLEX a, COMPLEX b)
{
    return (a.re != b.re) | (a.im != b.im);
}

CTM bool OF(isnan)(COMPLEX z)
{
    return (z.re != z.re) | (z.im != z.im);
}

CTM bool OF(isinf)(COMPLEX z)
{
    return (int)OF_REAL(isinf)(z.re) | (int)OF_REAL(isinf)(z.im);
}

CTM bool OF(isfinite)(COMPLEX z)
{
    return (int)OF_REAL(isfinite)(z.re) & (int)OF_REAL(isfinite)(z.im);
}

/* z / |z|, 0 for 0. */
CTM COMPLEX OF(sgn)(COMPLEX z)
{
    REAL size = OF(abs)(z);
    bool zero = size == 0;
    return OF(make)(zero ? 0 : z.re / size, zero ? 0 : z.im / size);
}

CTM COMPLEX OF(nan_to_num)(COMPLEX z, COMPLEX nan, COMPLEX posinf, COMPLEX neginf)
{
    return OF(make)(OF_REAL(nan_to_num)(z.re, nan.re, posinf.re, neginf.re),
                    OF_REAL(nan_to_num)(z.im, nan.re, posinf.re, neginf.re));
}

/* Real numbers that arrive as complex ones, put together. */
CTM COMPLEX OF(complex)(COMPLEX real, COMPLEX imag)
{
    return OF(make)(real.re, imag.re);
}

/* Error below 1.1 ULP of each part in float32, 1.4 in float64. */
CTM COMPLEX OF(polar)(COMPLEX abs, COMPLEX angle)
{
    return OF(make)(abs.re * OF_REAL(cos_wide)(angle.re), abs.re * OF_REAL(sin_wide)(angle.re));
}

#ifndef __CUDACC__

/* The compiler's own complex type has the same layout; libm wants it. */
CTM REAL _Complex OF(native)(COMPLEX z)
{
    union {
        COMPLEX ours;
        REAL _Complex theirs;
    } v;
    v.ours = z;
    return v.theirs;
}

CTM COMPLEX OF(foreign)(REAL _Complex z)
{
    union {
        REAL _Complex theirs;
        COMPLEX ours;
    } v;
    v.theirs = z;
    return v.ours;
}

CTM COMPLEX OF(exp)(COMPLEX z)
{
    return OF(foreign)(LIBM(cexp)(OF(native)(z)));
}

CTM COMPLEX OF(log)(COMPLEX z)
{
    return OF(foreign)(LIBM(clog)(OF(native)(z)));
}

CTM COMPLEX OF(sqrt)(COMPLEX z)
{
    return OF(foreign)(LIBM(csqrt)(OF(native)(z)));
}

CTM COMPLEX OF(sin)(COMPLEX z)
{
    return OF(foreign)(LIBM(csin)(OF(native)(z)));
}

CTM COMPLEX OF(cos)(COMPLEX z)
{
    return OF(foreign)(LIBM(ccos)(OF(native)(z)));
}

CTM COMPLEX OF(tan)(COMPLEX z)
{
    return OF(foreign)(LIBM(ctan)(OF(native)(z)));
}

CTM COMPLEX OF(sinh)(COMPLEX z)
{
    return OF(foreign)(LIBM(csinh)(OF(native)(z)));
}

CTM COMPLEX OF(cosh)(COMPLEX z)
{
    return OF(foreign)(LIBM(ccosh)(OF(native)(z)));
}

CTM COMPLEX OF(tanh)(COMPLEX z)
{
    return OF(foreign)(LIBM(ctanh)(OF(native)(z)));
}

CTM COMPLEX OF(asin)(COMPLEX z)
{
    return OF(foreign)(LIBM(casin)(OF(native)(z)));
}

CTM COMPLEX OF(acos)(COMPLEX z)
{
    return OF(foreign)(LIBM(cacos)(OF(native)(z)));
}

CTM COMPLEX OF(atan)(COMPLEX z)
{
    return OF(foreign)(LIBM(catan)(OF(native)(z)));
}

CTM COMPLEX OF(asinh)(COMPLEX z)
{
    return OF(foreign)(LIBM(casinh)(OF(native)(z)));
}

CTM COMPLEX OF(acosh)(COMPLEX z)
{
    return OF(foreign)(LIBM(cacosh)(OF(native)(z)));
}

CTM COMPLEX OF(atanh)(COMPLEX z)
{
    return OF(foreign)(LIBM(catanh)(OF(native)(z)));
}

CTM COMPLEX OF(pow)(COMPLEX a, COMPLEX b)
{
    return OF(foreign)(LIBM(cpow)(OF(native)(a), OF(native)(b)));
}

CTM COMPLEX OF(log2)(COMPLEX z)
{
    COMPLEX y = OF(log)(z);
    return OF(make)(y.re / LN_2, y.im / LN_2);
}

CTM COMPLEX OF(log10)(COMPLEX z)
{
    COMPLEX y = OF(log)(z);
    return OF(make)(y.re / LN_10, y.im / LN_10);
}

CTM COMPLEX OF(exp2)(COMPLEX z)
{
    return OF(exp)(OF(make)(z.re * LN_2, z.im * LN_2));
}

/* |1 + z|^2 - 1 = x (2 + x) + y^2 keeps the digits of a small z. */
CTM COMPLEX OF(log1p)(COMPLEX z)
{
    REAL near = (REAL)0.5 * OF_REAL(log1p)(z.re * (2 + z.re) + z.im * z.im);
    REAL far = OF_REAL(log)(OF_REAL(hypot)(z.re + 1, z.im));
    return OF(make)(OF(abs)(z) < (REAL)0.5 ? near : far, OF_REAL(atan2)(z.im, z.re + 1));
}

/* e^x cos y - 1 = (e^x - 1) - 2 e^x sin(y / 2)^2. */
CTM COMPLEX OF(expm1)(COMPLEX z)
{
    REAL m = OF_REAL(expm1)(z.re);
    REAL s = OF_REAL(sin_wide)((REAL)0.5 * z.im);
    return OF(make)(m - 2 * s * s * (m + 1), (m + 1) * OF_REAL(sin_wide)(z.im));
}

CTM COMPLEX OF(sigmoid)(COMPLEX z)
{
    COMPLEX e = OF(exp)(OF(neg)(z));
    return OF(reciprocal)(OF(make)(1 + e.re, e.im));
}

CTM COMPLEX OF(rsqrt)(COMPLEX z)
{
    return OF(reciprocal)(OF(sqrt)(z));
}

/* log(e^a + e^b) = m + log(1 + e^(s - m)), m the one with the larger real part. PyTorch's cases:
 * NaN in, NaN out; two infinite real parts of one sign: by the plain formula. Below 4 ULP of the
 * larger part of the result. */
CTM COMPLEX OF(logaddexp)(COMPLEX a, COMPLEX b)
{
    bool lost = (int)OF(isnan)(a) | (int)OF(isnan)(b);
    bool first = a.re >= b.re;
    COMPLEX m = first ? a : b, s = first ? b : a;
    bool same = !OF_REAL(isfinite)(s.re) & (s.re == m.re);
    COMPLEX d = OF(make)(s.re - m.re, s.im - m.im);
    COMPLEX y = same && s.re < 0 ? s
                : same           ? OF(log)(OF(add)(OF(exp)(s), OF(exp)(m)))
                                 : OF(add)(m, OF(log1p)(OF(exp)(d)));
    return lost ? OF(make)(NOT_A_NUMBER, NOT_A_NUMBER) : y;
}

#endif

#undef COMPLEX
#undef OF
#undef REAL
#undef OF_REAL
#undef LIBM
#undef LN_2
#undef LN_10
#undef NOT_A_NUMBER
