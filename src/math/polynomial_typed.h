/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of polynomial.h for one type, included there with
 *   REAL          the type; OF(word) a function of this type
 *   NOT_A_NUMBER  its NaN
 *   HERMITE_MOST  the highest degree of Hermite's polynomials */

/* r = 2 y q - p from p = 1 and q, the first degree; nothing changes any more once q is NaN. */
CTM REAL OF(chebyshev_steps)(REAL y, REAL q, int64_t n)
{
    REAL p = 1;
    if (n == 0)
        return p;
    for (int64_t k = 2; k <= n && q == q; k++) {
        REAL r = (y + y) * q - p;
        p = q;
        q = r;
    }
    return q;
}

/* The four kinds at y; n >= 0. Ends where |y| is 1 exactly; by the angle beyond degree `most`. */
CTM REAL OF(chebyshev_t_at)(REAL y, int64_t n, int64_t most)
{
    if (OF(abs)(y) == 1)
        return y > 0 || n % 2 == 0 ? 1 : -1;
    if (n > most && OF(abs)(y) < 1)
        return OF(cos_wide)((REAL)n * OF(acos)(y));
    return OF(chebyshev_steps)(y, y, n);
}

CTM REAL OF(chebyshev_u_at)(REAL y, int64_t n, int64_t most)
{
    REAL count = (REAL)(n + 1);
    if (OF(abs)(y) == 1)
        return y > 0 || n % 2 == 0 ? count : -count;
    if (n > most && OF(abs)(y) < 1) {
        REAL angle = OF(acos)(y), s = OF(sin_wide)(angle);
        return s != 0 ? OF(sin_wide)(count * angle) / s : count * OF(cos_wide)(count * angle) / y;
    }
    return OF(chebyshev_steps)(y, y + y, n);
}

CTM REAL OF(chebyshev_v_at)(REAL y, int64_t n, int64_t most)
{
    REAL count = (REAL)(n + n + 1);
    REAL low = n % 2 == 0 ? count : -count;
    if (OF(abs)(y) == 1)
        return y > 0 ? 1 : low;
    if (n > most && OF(abs)(y) < 1) {
        REAL angle = OF(acos)(y), half = (REAL)0.5 * angle;
        REAL wave = OF(cos_wide)(((REAL)n + (REAL)0.5) * angle) / OF(cos_wide)(half);
        return OF(sin_wide)(half) != 1 ? wave : low;
    }
    return OF(chebyshev_steps)(y, y + y - 1, n);
}

CTM REAL OF(chebyshev_w_at)(REAL y, int64_t n, int64_t most)
{
    REAL count = (REAL)(n + n + 1);
    REAL end = y > 0 ? count : n % 2 == 0 ? 1 : -1;
    if (OF(abs)(y) == 1)
        return end;
    if (n > most && OF(abs)(y) < 1) {
        REAL angle = OF(acos)(y), half = (REAL)0.5 * angle;
        REAL wave = OF(sin_wide)(((REAL)n + (REAL)0.5) * angle) / OF(sin_wide)(half);
        return OF(cos_wide)(half) != 1 ? wave : end;
    }
    return OF(chebyshev_steps)(y, y + y + 1, n);
}

/* The degree of a polynomial, without its fraction; -1 for NaN and whatever no integer holds. */
CTM int64_t OF(degree)(REAL n)
{
    return n > -1 && n < (REAL)9000000000000000000.0 ? OF(i64_from)(n) : -1;
}

CTM_CALLED REAL OF(chebyshev_polynomial_t)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    return n < 0 ? 0 : OF(chebyshev_t_at)(x, n, 6);
}

CTM_CALLED REAL OF(shifted_chebyshev_polynomial_t)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    return n < 0 ? 0 : OF(chebyshev_t_at)(x + x - 1, n, 6);
}

CTM_CALLED REAL OF(chebyshev_polynomial_u)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    return n < 0 ? 0 : OF(chebyshev_u_at)(x, n, 8);
}

CTM_CALLED REAL OF(shifted_chebyshev_polynomial_u)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    return n < 0 ? 0 : OF(chebyshev_u_at)(x + x - 1, n, 6);
}

CTM_CALLED REAL OF(chebyshev_polynomial_v)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    return n < 0 ? 0 : OF(chebyshev_v_at)(x, n, 8);
}

CTM_CALLED REAL OF(shifted_chebyshev_polynomial_v)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    return n < 0 ? 0 : OF(chebyshev_v_at)(x + x - 1, n, 6);
}

CTM_CALLED REAL OF(chebyshev_polynomial_w)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    return n < 0 ? 0 : OF(chebyshev_w_at)(x, n, 8);
}

CTM_CALLED REAL OF(shifted_chebyshev_polynomial_w)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    return n < 0 ? 0 : OF(chebyshev_w_at)(x + x - 1, n, 4);
}

/* Beyond degree HERMITE_MOST PyTorch gives up: NaN. */
CTM_CALLED REAL OF(hermite_polynomial_h)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    REAL p = 1, q = x + x;
    if (n <= 0)
        return n == 0 ? 1 : 0;
    if (n > HERMITE_MOST)
        return NOT_A_NUMBER;
    for (int64_t k = 2; k < n + n; k += 2) {
        REAL r = (x + x) * q - (REAL)k * p;
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED REAL OF(hermite_polynomial_he)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    REAL p = 1, q = x;
    if (n <= 0)
        return n == 0 ? 1 : 0;
    if (n > HERMITE_MOST)
        return NOT_A_NUMBER;
    for (int64_t k = 1; k < n; k++) {
        REAL r = x * q - (REAL)k * p;
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED REAL OF(laguerre_polynomial_l)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    REAL p = 1, q = 1 - x;
    if (n <= 0 || x == 0)
        return n >= 0 ? 1 : 0;
    for (int64_t k = 1; k < n && q == q; k++) {
        REAL r = (((REAL)(k + k) + (1 - x)) * q - (REAL)k * p) / (REAL)(k + 1);
        p = q;
        q = r;
    }
    return q;
}

CTM_CALLED REAL OF(legendre_polynomial_p)(REAL x, REAL degree)
{
    int64_t n = OF(degree)(degree);
    REAL p = 1, q = x;
    if (n <= 0)
        return n == 0 ? 1 : 0;
    if (OF(abs)(x) == 1)
        return x > 0 || n % 2 == 0 ? 1 : -1;
    for (int64_t k = 1; k < n && q == q; k++) {
        REAL r = ((REAL)(k + k + 1) * x * q - (REAL)k * p) / (REAL)(k + 1);
        p = q;
        q = r;
    }
    return q;
}

#undef REAL
#undef OF
#undef NOT_A_NUMBER
#undef HERMITE_MOST
