/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of complex.h for one type, included there with
 *   COMPLEX      the type; OF(name) the name of a function of it
 *   REAL         the type of its parts; OF_REAL(name) the name of a function of that
 *   LIBM(name)   libm's function for the type of the parts
 *   OF(doubled), OF(rounded)  defined before: conversions to complex numbers of double and back
 *   LN_2, LN_10, NOT_A_NUMBER  in the type of the parts */

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

/* R. Smith, Algorithm 116 (1962), with the larger part of b as the pivot. x / 0 is (x.re / 0, x.im
 * / 0). */
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

/* A complex number from two real ones, which are passed as complex numbers. */
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

/* Converts to the compiler's complex type, which libm needs; the layout is the same. */
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

/* Note [Complex functions]
 * Each of the functions below has two forms, as in Note [Wide arguments]: one in double without
 * branches, which is valid where its ctm_near is true, and one for every argument, which calls libm
 * for the others, including infinities and NaN. */
CTM bool OF(near_exp)(COMPLEX z)
{
    return ctm_near_axes_f64((double)z.re, (double)z.im);
}

CTM bool OF(near_sin)(COMPLEX z)
{
    return ctm_near_axes_f64((double)z.im, (double)z.re);
}

CTM bool OF(near_log)(COMPLEX z)
{
    return ctm_near_size_f64(OF(doubled)(z));
}

CTM bool OF(near_sqrt)(COMPLEX z)
{
    return (int)ctm_near_size_f64(OF(doubled)(z)) | ((z.re == 0) & (z.im == 0));
}

CTM bool OF(near_pow)(COMPLEX a, COMPLEX b)
{
    return ctm_near_power_f64(OF(doubled)(a), OF(doubled)(b));
}

CTM COMPLEX OF(exp)(COMPLEX z)
{
    return OF(rounded)(ctm_exp_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(exp_wide)(COMPLEX z)
{
    return OF(near_exp)(z) ? OF(exp)(z) : OF(foreign)(LIBM(cexp)(OF(native)(z)));
}

CTM COMPLEX OF(log)(COMPLEX z)
{
    return OF(rounded)(ctm_log_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(log_wide)(COMPLEX z)
{
    return OF(near_log)(z) ? OF(log)(z) : OF(foreign)(LIBM(clog)(OF(native)(z)));
}

CTM COMPLEX OF(sqrt)(COMPLEX z)
{
    return OF(rounded)(ctm_sqrt_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(sqrt_wide)(COMPLEX z)
{
    return OF(near_sqrt)(z) ? OF(sqrt)(z) : OF(foreign)(LIBM(csqrt)(OF(native)(z)));
}

CTM COMPLEX OF(sin)(COMPLEX z)
{
    return OF(rounded)(ctm_sin_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(sin_wide)(COMPLEX z)
{
    return OF(near_sin)(z) ? OF(sin)(z) : OF(foreign)(LIBM(csin)(OF(native)(z)));
}

CTM COMPLEX OF(cos)(COMPLEX z)
{
    return OF(rounded)(ctm_cos_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(cos_wide)(COMPLEX z)
{
    return OF(near_sin)(z) ? OF(cos)(z) : OF(foreign)(LIBM(ccos)(OF(native)(z)));
}

CTM COMPLEX OF(tan)(COMPLEX z)
{
    return OF(rounded)(ctm_tan_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(tan_wide)(COMPLEX z)
{
    return OF(near_sin)(z) ? OF(tan)(z) : OF(foreign)(LIBM(ctan)(OF(native)(z)));
}

CTM COMPLEX OF(sinh)(COMPLEX z)
{
    return OF(rounded)(ctm_sinh_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(sinh_wide)(COMPLEX z)
{
    return OF(near_exp)(z) ? OF(sinh)(z) : OF(foreign)(LIBM(csinh)(OF(native)(z)));
}

CTM COMPLEX OF(cosh)(COMPLEX z)
{
    return OF(rounded)(ctm_cosh_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(cosh_wide)(COMPLEX z)
{
    return OF(near_exp)(z) ? OF(cosh)(z) : OF(foreign)(LIBM(ccosh)(OF(native)(z)));
}

CTM COMPLEX OF(tanh)(COMPLEX z)
{
    return OF(rounded)(ctm_tanh_near_c128(OF(doubled)(z)));
}

CTM_CALLED COMPLEX OF(tanh_wide)(COMPLEX z)
{
    return OF(near_exp)(z) ? OF(tanh)(z) : OF(foreign)(LIBM(ctanh)(OF(native)(z)));
}

CTM COMPLEX OF(pow)(COMPLEX a, COMPLEX b)
{
    return OF(rounded)(ctm_pow_near_c128(OF(doubled)(a), OF(doubled)(b)));
}

CTM_CALLED COMPLEX OF(pow_wide)(COMPLEX a, COMPLEX b)
{
    return OF(near_pow)(a, b) ? OF(pow)(a, b)
                              : OF(foreign)(LIBM(cpow)(OF(native)(a), OF(native)(b)));
}

/* Functions that take one more step after these, in the same two forms. */
CTM COMPLEX OF(scaled)(COMPLEX z, REAL scale)
{
    return OF(make)(z.re * scale, z.im * scale);
}

CTM COMPLEX OF(exp2)(COMPLEX z)
{
    return OF(exp)(OF(scaled)(z, LN_2));
}

CTM COMPLEX OF(exp2_wide)(COMPLEX z)
{
    return OF(exp_wide)(OF(scaled)(z, LN_2));
}

CTM COMPLEX OF(log_of)(COMPLEX y, REAL base)
{
    return OF(make)(y.re / base, y.im / base);
}

CTM COMPLEX OF(log2)(COMPLEX z)
{
    return OF(log_of)(OF(log)(z), LN_2);
}

CTM COMPLEX OF(log2_wide)(COMPLEX z)
{
    return OF(log_of)(OF(log_wide)(z), LN_2);
}

CTM COMPLEX OF(log10)(COMPLEX z)
{
    return OF(log_of)(OF(log)(z), LN_10);
}

CTM COMPLEX OF(log10_wide)(COMPLEX z)
{
    return OF(log_of)(OF(log_wide)(z), LN_10);
}

CTM COMPLEX OF(sigmoid_of)(COMPLEX e)
{
    return OF(reciprocal)(OF(make)(1 + e.re, e.im));
}

CTM COMPLEX OF(sigmoid)(COMPLEX z)
{
    return OF(sigmoid_of)(OF(exp)(OF(neg)(z)));
}

CTM COMPLEX OF(sigmoid_wide)(COMPLEX z)
{
    return OF(sigmoid_of)(OF(exp_wide)(OF(neg)(z)));
}

CTM COMPLEX OF(rsqrt)(COMPLEX z)
{
    return OF(reciprocal)(OF(sqrt)(z));
}

CTM COMPLEX OF(rsqrt_wide)(COMPLEX z)
{
    return OF(reciprocal)(OF(sqrt_wide)(z));
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

CTM COMPLEX OF(log1p)(COMPLEX z)
{
    REAL size = (REAL)ctm_log1p_size_f64((double)z.re, (double)z.im);
    return OF(make)(size, OF_REAL(atan2)(z.im, z.re + 1));
}

/* e^x cos y - 1 = (e^x - 1) cos y - 2 sin(y / 2)^2. */
CTM COMPLEX OF(expm1)(COMPLEX z)
{
    REAL s = OF_REAL(sin_wide)((REAL)0.5 * z.im);
    REAL re = OF_REAL(expm1)(z.re) * OF_REAL(cos_wide)(z.im) - 2 * s * s;
    return OF(make)(re, OF_REAL(exp)(z.re) * OF_REAL(sin_wide)(z.im));
}

/* log(e^a + e^b) = m + log(1 + e^(s - m)), where m has the larger real part and s the smaller. As
 * in PyTorch, NaN in gives NaN out, and two infinite real parts of the same sign use the plain
 * formula. Error below 4 ULP of the larger part of the result. */
CTM COMPLEX OF(logaddexp)(COMPLEX a, COMPLEX b)
{
    bool lost = (int)OF(isnan)(a) | (int)OF(isnan)(b);
    bool first = a.re >= b.re;
    COMPLEX m = first ? a : b, s = first ? b : a;
    bool same = !OF_REAL(isfinite)(s.re) & (s.re == m.re);
    COMPLEX d = OF(make)(s.re - m.re, s.im - m.im);
    COMPLEX y = same && s.re < 0 ? s
                : same           ? OF(log_wide)(OF(add)(OF(exp_wide)(s), OF(exp_wide)(m)))
                                 : OF(add)(m, OF(log1p)(OF(exp_wide)(d)));
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
