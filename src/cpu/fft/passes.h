/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes of Stockham's autosort FFT over atoms (see Note [Atoms] in fft.h), for one element type T
 * and one vector type V, which may be T itself; LOOSE is that vector unaligned. loops.c includes
 * this with NAME giving each function its suffix; V and NAME end with it. */

struct NAME(pair) {
    V re, im;
};
#define C struct NAME(pair)

INLINE C NAME(add)(C a, C b)
{
    return (C){a.re + b.re, a.im + b.im};
}

INLINE C NAME(sub)(C a, C b)
{
    return (C){a.re - b.re, a.im - b.im};
}

INLINE C NAME(times_minus_i)(C a)
{
    return (C){a.im, -a.re};
}

INLINE C NAME(times)(C a, T re, T im)
{
    return (C){a.re * re - a.im * im, a.re * im + a.im * re};
}

/* Uses FMA in long lines only: tests compare short lines with other libraries to within a few ulps,
 * which requires plain sums. */
INLINE C NAME(product)(C a, const V *b)
{
    return (C){NAME(fms)(a.re, b[0], a.im * b[1]), NAME(fma)(a.re, b[1], a.im * b[0])};
}

INLINE void NAME(four)(C *a, int step)
{
    C s = NAME(add)(a[0], a[2 * step]), d = NAME(sub)(a[0], a[2 * step]);
    C t = NAME(add)(a[step], a[3 * step]);
    C u = NAME(times_minus_i)(NAME(sub)(a[step], a[3 * step]));
    a[0] = NAME(add)(s, t);
    a[step] = NAME(add)(d, u);
    a[2 * step] = NAME(sub)(s, t);
    a[3 * step] = NAME(sub)(d, u);
}

INLINE void NAME(eight)(C *a)
{
    const T h = (T)0.70710678118654752440;
    NAME(four)(a, 2);
    NAME(four)(a + 1, 2);
    C o[4] = {a[1],
              {(a[3].re + a[3].im) * h, (a[3].im - a[3].re) * h},
              NAME(times_minus_i)(a[5]),
              {(a[7].im - a[7].re) * h, (a[7].re + a[7].im) * -h}};
    C e[4] = {a[0], a[2], a[4], a[6]};
    for (int k = 0; k < 4; k++) {
        a[k] = NAME(add)(e[k], o[k]);
        a[k + 4] = NAME(sub)(e[k], o[k]);
    }
}

/* Radix 16 as 4 by 4; the second step leaves columns, which are written as rows. */
INLINE void NAME(sixteen)(C *a)
{
    const T c = (T)0.92387953251128675613, s = (T)0.38268343236508977173;
    const T h = (T)0.70710678118654752440;
    for (int j = 0; j < 4; j++)
        NAME(four)(a + j, 4);
    a[5] = NAME(times)(a[5], c, -s);
    a[6] = (C){(a[6].re + a[6].im) * h, (a[6].im - a[6].re) * h};
    a[7] = NAME(times)(a[7], s, -c);
    a[9] = (C){(a[9].re + a[9].im) * h, (a[9].im - a[9].re) * h};
    a[10] = NAME(times_minus_i)(a[10]);
    a[11] = (C){(a[11].im - a[11].re) * h, (a[11].re + a[11].im) * -h};
    a[13] = NAME(times)(a[13], s, -c);
    a[14] = (C){(a[14].im - a[14].re) * h, (a[14].re + a[14].im) * -h};
    a[15] = NAME(times)(a[15], -c, s);
    for (int k = 0; k < 4; k++)
        NAME(four)(a + 4 * k, 1);
    for (int k = 1; k < 4; k++)
        for (int j = 0; j < k; j++) {
            C t = a[4 * k + j];
            a[4 * k + j] = a[4 * j + k];
            a[4 * j + k] = t;
        }
}

/* Elements j and r - j share a cosine and have opposite sines. */
INLINE void NAME(odd)(C *a, int r, const T *trig)
{
    C sum[CTI_FFT_PRIME / 2 + 1], diff[CTI_FFT_PRIME / 2 + 1], first = a[0];
    for (int j = 1; j <= r / 2; j++) {
        sum[j] = NAME(add)(a[j], a[r - j]);
        diff[j] = NAME(sub)(a[j], a[r - j]);
        a[0] = NAME(add)(a[0], sum[j]);
    }
    for (int k = 1; k <= r / 2; k++) {
        C even = first, odd = {(V){0}, (V){0}};
        for (int j = 1, at = k; j <= r / 2; j++, at = at + k < r ? at + k : at + k - r) {
            even.re += sum[j].re * trig[at];
            even.im += sum[j].im * trig[at];
            odd.re += diff[j].re * trig[r + at];
            odd.im += diff[j].im * trig[r + at];
        }
        odd = NAME(times_minus_i)(odd);
        a[k] = NAME(add)(even, odd);
        a[r - k] = NAME(sub)(even, odd);
    }
}

INLINE void NAME(butterfly)(C *a, const int r, const T *trig)
{
    if (r == 2) {
        C second = NAME(sub)(a[0], a[1]);
        a[0] = NAME(add)(a[0], a[1]);
        a[1] = second;
    } else if (r == 4) {
        NAME(four)(a, 1);
    } else if (r == 8) {
        NAME(eight)(a);
    } else if (r == 16) {
        NAME(sixteen)(a);
    } else {
        NAME(odd)(a, r, trig);
    }
}

/* Addresses of atoms, with real and imaginary parts exchanged for an inverse. */
struct NAME(atoms) {
    V *re, *im;
};

INLINE struct NAME(atoms) NAME(at)(char *atoms, bool exchanged)
{
    V *x = (V *)(void *)atoms;
    return (struct NAME(atoms)){x + exchanged, x + !exchanged};
}

/* One pass. r and last are constants for the common radices. The last pass may multiply each result
 * by its factor. */
INLINE void NAME(pass)(const int r, const bool last, const struct cti_fft_step *st,
                       struct NAME(atoms) x, struct NAME(atoms) y, const V *factors)
{
    const T *w = st->twiddle, *trig = st->trig;
    const int64_t s = st->s, in = 2 * s * st->m, out = 2 * s;
    for (int64_t p = 0; p < st->m; p++, w += 2 * (r - 1)) {
        for (int64_t q = 0; q < s; q++) {
            C a[CTI_FFT_PRIME];
            const int64_t from = 2 * (q + s * p), to = 2 * (q + s * r * p);
            const V *xr = x.re + from, *xi = x.im + from;
            V *yr = y.re + to, *yi = y.im + to;
            HIDE(xr);
            HIDE(xi);
            HIDE(yr);
            HIDE(yi);
            for (int j = 0; j < r; j++)
                a[j] = (C){xr[in * j], xi[in * j]};
            NAME(butterfly)(a, r, trig);
            for (int k = 0; k < r; k++) {
                if (!last && k)
                    a[k] = NAME(times)(a[k], w[2 * k - 2], w[2 * k - 1]);
                if (last && factors)
                    a[k] = NAME(product)(a[k], factors + to + out * k);
                yr[out * k] = a[k].re;
                yi[out * k] = a[k].im;
            }
        }
    }
}

static void NAME(passes)(bool last, const struct cti_fft_step *st, struct NAME(atoms) x,
                         struct NAME(atoms) y, const V *factors)
{
    switch (st->radix) {
    case 2:
        NAME(pass)(2, last, st, x, y, factors);
        return;
    case 3:
        NAME(pass)(3, last, st, x, y, factors);
        return;
    case 4:
        last ? NAME(pass)(4, true, st, x, y, factors) : NAME(pass)(4, false, st, x, y, NULL);
        return;
    case 5:
        NAME(pass)(5, last, st, x, y, factors);
        return;
    case 7:
        NAME(pass)(7, last, st, x, y, factors);
        return;
    case 8:
        last ? NAME(pass)(8, true, st, x, y, factors) : NAME(pass)(8, false, st, x, y, NULL);
        return;
    default:
        NAME(pass)((int)st->radix, last, st, x, y, factors);
    }
}

/* Does the passes from number `first` to the one before the last: even passes go from x to y, odd
 * ones from y to x, except that the first reads `from`. Returns the source of the last pass. */
static struct NAME(atoms) NAME(begin)(const struct cti_fft_plan *plan, int first,
                                      struct NAME(atoms) from, char *x, char *y)
{
    for (int i = first; i + 1 < plan->steps; i++) {
        struct NAME(atoms) to = NAME(at)(i % 2 ? x : y, false);
        NAME(passes)(false, &plan->step[i], from, to, NULL);
        from = to;
    }
    return from;
}

/* Does the last pass, multiplies by `factors` if given, and returns the buffer that holds the
 * result, x or y. */
static char *NAME(end)(const struct cti_fft_plan *plan, struct NAME(atoms) from, char *x, char *y,
                       bool inverse, const void *factors)
{
    char *to = plan->steps % 2 ? y : x;
    NAME(passes)(true, &plan->step[plan->steps - 1], from, NAME(at)(to, inverse), factors);
    return to;
}

#ifdef LOOSE
/* ---- vectors and memory ---- */

/* Converts a vector of interleaved complex numbers to an atom, an atom back, and an atom whose
 * lanes are in descending order. */
INLINE C NAME(apart)(const char *src)
{
    const LOOSE *at = (const LOOSE *)(const void *)src;
    V a = at[0], b = at[1];
    return (C){__builtin_shufflevector(a, b, EVENS), __builtin_shufflevector(a, b, ODDS)};
}

INLINE void NAME(together)(char *dst, C x)
{
    LOOSE *to = (LOOSE *)(void *)dst;
    to[0] = __builtin_shufflevector(x.re, x.im, LOWS);
    to[1] = __builtin_shufflevector(x.re, x.im, HIGHS);
}

INLINE void NAME(together_back)(char *dst, C x)
{
    LOOSE *to = (LOOSE *)(void *)dst;
    to[0] = __builtin_shufflevector(x.re, x.im, LOWS_BACK);
    to[1] = __builtin_shufflevector(x.re, x.im, HIGHS_BACK);
}

/* The first pass, of radix 4 or 8, straight from memory with atoms `step` bytes apart; and the last
 * pass straight to memory. There are at least two passes. */
INLINE void NAME(first_by)(const int r, const struct cti_fft_step *st, const char *src,
                           int64_t step, bool inverse, char *dst)
{
    const int64_t m = st->m;
    const T *w = st->twiddle;
    C *to = (C *)(void *)dst;
    for (int64_t p = 0; p < m; p++, w += 2 * (r - 1), to += r) {
        C a[8];
        const char *from = src + p * step;
        HIDE(from);
        for (int j = 0; j < r; j++)
            a[j] = NAME(apart)(from + m * j * step);
        for (int j = 0; inverse && j < r; j++)
            a[j] = (C){a[j].im, a[j].re};
        NAME(butterfly)(a, r, NULL);
        to[0] = a[0];
        for (int k = 1; k < r; k++)
            to[k] = NAME(times)(a[k], w[2 * k - 2], w[2 * k - 1]);
    }
}

static void NAME(first_from)(const struct cti_fft_step *st, const char *src, int64_t step,
                             bool inverse, char *dst)
{
    st->radix == 4 ? NAME(first_by)(4, st, src, step, inverse, dst)
                   : NAME(first_by)(8, st, src, step, inverse, dst);
}

INLINE void NAME(last_by)(const int r, const struct cti_fft_step *st, const C *src, char *dst,
                          int64_t step, bool inverse, T scale)
{
    const int64_t s = st->s;
    for (int64_t q = 0; q < s; q++) {
        C a[8];
        const C *from = src + q;
        char *to = dst + q * step;
        HIDE(from);
        HIDE(to);
        for (int j = 0; j < r; j++)
            a[j] = from[s * j];
        NAME(butterfly)(a, r, NULL);
        if (inverse)
            for (int k = 0; k < r; k++)
                NAME(together)(to + s * k * step, (C){a[k].im * scale, a[k].re * scale});
        else
            for (int k = 0; k < r; k++)
                NAME(together)(to + s * k * step, (C){a[k].re * scale, a[k].im * scale});
    }
}

static void NAME(last_to)(const struct cti_fft_step *st, struct NAME(atoms) from, char *dst,
                          int64_t step, bool inverse, T scale)
{
    const C *x = (const C *)(const void *)from.re;
    st->radix == 4 ? NAME(last_by)(4, st, x, dst, step, inverse, scale)
                   : NAME(last_by)(8, st, x, dst, step, inverse, scale);
}
#endif

#undef C
#undef V
#undef NAME
