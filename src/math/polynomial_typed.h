/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of polynomial.h for one type, included there with
 *   REAL          the type; OF(name) the name of a function of it; UINT an unsigned integer of its
 *   size
 *   NOT_A_NUMBER  its NaN
 *   HERMITE_MOST  the highest degree of Hermite polynomials */

/* The degree of a polynomial, truncated; -1 for NaN and values beyond int64. */
CTM REAL OF(degree)(REAL n)
{
    return ((n > -1) & (n < (REAL)9000000000000000000.0)) ? OF(trunc)(n) : -1;
}

CTM bool OF(is_even)(REAL n)
{
    REAL half = (REAL)0.5 * n;
    return OF(trunc)(half) == half;
}

/* The polynomial of degree k + 1 from p of degree k - 1 and q of degree k. */
CTM REAL OF(polynomial_step)(REAL x, REAL p, REAL q, REAL k, enum ctm_polynomial kind)
{
    switch (kind) {
    case CTM_CHEBYSHEV_T:
    case CTM_CHEBYSHEV_U:
    case CTM_CHEBYSHEV_V:
    case CTM_CHEBYSHEV_W:
        return (x + x) * q - p;
    case CTM_HERMITE_H:
        return (x + x) * q - (k + k) * p;
    case CTM_HERMITE_HE:
        return x * q - k * p;
    case CTM_LAGUERRE:
        return ((k + k + (1 - x)) * q - k * p) / (k + 1);
    case CTM_LEGENDRE:
        return ((k + k + 1) * x * q - k * p) / (k + 1);
    }
    return q;
}

/* The polynomial of degree 1; that of degree 0 is 1. */
CTM REAL OF(polynomial_first)(REAL x, enum ctm_polynomial kind)
{
    switch (kind) {
    case CTM_CHEBYSHEV_T:
    case CTM_HERMITE_HE:
    case CTM_LEGENDRE:
        return x;
    case CTM_CHEBYSHEV_U:
    case CTM_HERMITE_H:
        return x + x;
    case CTM_CHEBYSHEV_V:
        return x + x - 1;
    case CTM_CHEBYSHEV_W:
        return x + x + 1;
    case CTM_LAGUERRE:
        return 1 - x;
    }
    return x;
}

/* The steps of one lane from `step` on, in registers, which is faster if few lanes are left. */
CTM REAL OF(polynomial_far)(REAL x, REAL n, REAL p, REAL q, int64_t step, enum ctm_polynomial kind)
{
    for (; (REAL)step < n && q == q; step++) {
        REAL r = OF(polynomial_step)(x, p, q, (REAL)step, kind);
        p = q;
        q = r;
    }
    return q;
}

/* Degree n of each lane by the recurrence. A lane that becomes NaN stays NaN. */
CTM void OF(polynomial_steps)(REAL *restrict q, const REAL *restrict x, const REAL *restrict n,
                              enum ctm_polynomial kind)
{
    REAL p[CTM_LANES];
    UINT asks = 1;
    CTM_EACH_LANE(i)
    {
        p[i] = 1;
        q[i] = n[i] < 1 ? 1 : OF(polynomial_first)(x[i], kind);
    }
    int64_t step = 1;
    for (; asks != 0 && step < 4096; step++) {
        REAL k = (REAL)step;
        asks = 0;
        CTM_EACH_LANE(i)
        {
            bool more = (k < n[i]) & (q[i] == q[i]);
            REAL r = OF(polynomial_step)(x[i], p[i], q[i], k, kind);
            p[i] = q[i];
            q[i] = more ? r : q[i];
            asks |= more ? 1u : 0u;
        }
    }
    for (int i = 0; i < CTM_LANES && asks != 0; i++) {
        /* a repeated element that fills up a block */
        bool known = i > 0 && x[i] == x[i - 1] && n[i] == n[i - 1];
        q[i] = known ? q[i - 1] : OF(polynomial_far)(x[i], n[i], p[i], q[i], step, kind);
    }
}

/* Chebyshev polynomials at |y| == 1. */
CTM REAL OF(chebyshev_end)(REAL y, REAL n, enum ctm_polynomial kind)
{
    REAL sign = OF(is_even)(n) ? 1 : -1, twice = n + n + 1;
    switch (kind) {
    case CTM_CHEBYSHEV_U:
        return y > 0 ? n + 1 : sign * (n + 1);
    case CTM_CHEBYSHEV_V:
        return y > 0 ? 1 : sign * twice;
    case CTM_CHEBYSHEV_W:
        return y > 0 ? twice : sign;
    default:
        return y > 0 ? 1 : sign;
    }
}

/* Chebyshev polynomials by their trigonometric form, for |y| < 1. */
CTM REAL OF(chebyshev_wave)(REAL y, REAL n, enum ctm_polynomial kind, bool wide)
{
    REAL angle = OF(acos)(y), half = (REAL)0.5 * angle;
    REAL all = (kind == CTM_CHEBYSHEV_T   ? n
                : kind == CTM_CHEBYSHEV_U ? n + 1
                                          : n + (REAL)0.5) *
               angle;
    REAL s = wide ? OF(sin_wide)(all) : OF(sin)(all), c = wide ? OF(cos_wide)(all) : OF(cos)(all);
    switch (kind) {
    case CTM_CHEBYSHEV_U: {
        REAL below = OF(sin)(angle);
        return below != 0 ? s / below : (n + 1) * c / y;
    }
    case CTM_CHEBYSHEV_V:
        return OF(sin)(half) != 1 ? c / OF(cos)(half) : OF(chebyshev_end)(-1, n, kind);
    case CTM_CHEBYSHEV_W:
        return OF(cos)(half) != 1 ? s / OF(sin)(half) : OF(chebyshev_end)(y, n, kind);
    default:
        return c;
    }
}

/* Chebyshev polynomials of all lanes; above degree `most` by the trigonometric form. The angle
 * times a degree up to 10^5 is narrow (Note [Wide arguments]). */
CTM void OF(chebyshev_lanes)(REAL *restrict out, const REAL *restrict y, const REAL *restrict n,
                             REAL most, enum ctm_polynomial kind)
{
    REAL steps[CTM_LANES];
    UINT waves = 0, wide = 0;
    CTM_EACH_LANE(i)
    {
        bool wave = (n[i] > most) & (OF(abs)(y[i]) < 1);
        waves |= wave ? 1u : 0u;
        wide |= n[i] > 100000 ? 1u : 0u;
        steps[i] = (wave | (OF(abs)(y[i]) == 1)) ? 0 : n[i];
    }
    OF(polynomial_steps)(out, y, steps, kind);
    if (waves && wide) {
        for (int i = 0; i < CTM_LANES; i++)
            if (n[i] > most && OF(abs)(y[i]) < 1)
                out[i] = OF(chebyshev_wave)(y[i], n[i], kind, true);
    } else if (waves) {
        CTM_EACH_LANE(i)
        {
            REAL wave = OF(chebyshev_wave)(y[i], n[i], kind, false);
            out[i] = ((n[i] > most) & (OF(abs)(y[i]) < 1)) ? wave : out[i];
        }
    }
    CTM_EACH_LANE(i)
    {
        REAL end = OF(chebyshev_end)(y[i], n[i], kind);
        REAL r = OF(abs)(y[i]) == 1 ? end : out[i];
        out[i] = n[i] < 0 ? 0 : r;
    }
}

CTM_CALLED void OF(chebyshev_block)(REAL *restrict out, const REAL (*in)[CTM_BLOCK], int count,
                                    enum ctm_polynomial kind, REAL most, bool shifted)
{
    for (int k = 0; k < count; k += CTM_LANES) {
        REAL y[CTM_LANES], n[CTM_LANES];
        CTM_EACH_LANE(i)
        {
            REAL x = in[0][k + i];
            y[i] = shifted ? x + x - 1 : x;
            n[i] = OF(degree)(in[1][k + i]);
        }
        if (kind == CTM_CHEBYSHEV_T)
            OF(chebyshev_lanes)(out + k, y, n, most, CTM_CHEBYSHEV_T);
        else if (kind == CTM_CHEBYSHEV_U)
            OF(chebyshev_lanes)(out + k, y, n, most, CTM_CHEBYSHEV_U);
        else if (kind == CTM_CHEBYSHEV_V)
            OF(chebyshev_lanes)(out + k, y, n, most, CTM_CHEBYSHEV_V);
        else
            OF(chebyshev_lanes)(out + k, y, n, most, CTM_CHEBYSHEV_W);
    }
}

/* Whether the value is known without steps: 0 for negative degrees; Laguerre at 0, Legendre at -1
 * and 1; above degree HERMITE_MOST PyTorch returns NaN. */
CTM bool OF(polynomial_known)(REAL x, REAL n, enum ctm_polynomial kind)
{
    if (kind == CTM_LAGUERRE)
        return (n < 0) | (x == 0);
    if (kind == CTM_LEGENDRE)
        return (n < 0) | (OF(abs)(x) == 1);
    return (n < 0) | (n > HERMITE_MOST);
}

CTM REAL OF(polynomial_value)(REAL x, REAL n, enum ctm_polynomial kind)
{
    REAL sign = OF(is_even)(n) ? 1 : -1, end = x > 0 ? 1 : sign;
    end = kind == CTM_LEGENDRE ? end : kind == CTM_LAGUERRE ? 1 : NOT_A_NUMBER;
    return n < 0 ? 0 : end;
}

CTM void OF(plain_block)(REAL *restrict out, const REAL (*in)[CTM_BLOCK], int count,
                         enum ctm_polynomial kind)
{
    for (int k = 0; k < count; k += CTM_LANES) {
        const REAL *x = in[0] + k;
        REAL q[CTM_LANES], steps[CTM_LANES], value[CTM_LANES];
        CTM_EACH_LANE(i)
        {
            REAL n = OF(degree)(in[1][k + i]);
            value[i] = OF(polynomial_value)(x[i], n, kind);
            steps[i] = OF(polynomial_known)(x[i], n, kind) ? -1 : n;
        }
        OF(polynomial_steps)(q, x, steps, kind);
        CTM_EACH_LANE(i)
        out[k + i] = steps[i] < 0 ? value[i] : q[i];
    }
}

CTM_CALLED void OF(chebyshev_polynomial_t_block)(REAL *out, const REAL (*in)[CTM_BLOCK], int count)
{
    OF(chebyshev_block)(out, in, count, CTM_CHEBYSHEV_T, 6, false);
}

CTM_CALLED void OF(shifted_chebyshev_polynomial_t_block)(REAL *out, const REAL (*in)[CTM_BLOCK],
                                                         int count)
{
    OF(chebyshev_block)(out, in, count, CTM_CHEBYSHEV_T, 6, true);
}

CTM_CALLED void OF(chebyshev_polynomial_u_block)(REAL *out, const REAL (*in)[CTM_BLOCK], int count)
{
    OF(chebyshev_block)(out, in, count, CTM_CHEBYSHEV_U, 8, false);
}

CTM_CALLED void OF(shifted_chebyshev_polynomial_u_block)(REAL *out, const REAL (*in)[CTM_BLOCK],
                                                         int count)
{
    OF(chebyshev_block)(out, in, count, CTM_CHEBYSHEV_U, 6, true);
}

CTM_CALLED void OF(chebyshev_polynomial_v_block)(REAL *out, const REAL (*in)[CTM_BLOCK], int count)
{
    OF(chebyshev_block)(out, in, count, CTM_CHEBYSHEV_V, 8, false);
}

CTM_CALLED void OF(shifted_chebyshev_polynomial_v_block)(REAL *out, const REAL (*in)[CTM_BLOCK],
                                                         int count)
{
    OF(chebyshev_block)(out, in, count, CTM_CHEBYSHEV_V, 6, true);
}

CTM_CALLED void OF(chebyshev_polynomial_w_block)(REAL *out, const REAL (*in)[CTM_BLOCK], int count)
{
    OF(chebyshev_block)(out, in, count, CTM_CHEBYSHEV_W, 8, false);
}

CTM_CALLED void OF(shifted_chebyshev_polynomial_w_block)(REAL *out, const REAL (*in)[CTM_BLOCK],
                                                         int count)
{
    OF(chebyshev_block)(out, in, count, CTM_CHEBYSHEV_W, 4, true);
}

CTM_CALLED void OF(hermite_polynomial_h_block)(REAL *out, const REAL (*in)[CTM_BLOCK], int count)
{
    OF(plain_block)(out, in, count, CTM_HERMITE_H);
}

CTM_CALLED void OF(hermite_polynomial_he_block)(REAL *out, const REAL (*in)[CTM_BLOCK], int count)
{
    OF(plain_block)(out, in, count, CTM_HERMITE_HE);
}

CTM_CALLED void OF(laguerre_polynomial_l_block)(REAL *out, const REAL (*in)[CTM_BLOCK], int count)
{
    OF(plain_block)(out, in, count, CTM_LAGUERRE);
}

CTM_CALLED void OF(legendre_polynomial_p_block)(REAL *out, const REAL (*in)[CTM_BLOCK], int count)
{
    OF(plain_block)(out, in, count, CTM_LEGENDRE);
}

#undef REAL
#undef OF
#undef UINT
#undef NOT_A_NUMBER
#undef HERMITE_MOST
