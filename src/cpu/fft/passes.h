/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes of Stockham's algorithm over atoms (see Note [Atoms] in fft.h), for one element type T and
 * one vector type V, which may be T itself. loops.c includes this with NAME giving each
 * function its suffix; V and NAME end with it. */

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

INLINE C NAME(turn)(C a) /* times -i */
{
    return (C){a.im, -a.re};
}

INLINE C NAME(times)(C a, T re, T im)
{
    return (C){a.re * re - a.im * im, a.re * im + a.im * re};
}

INLINE C NAME(product)(C a, const V *b)
{
    return (C){a.re * b[0] - a.im * b[1], a.re * b[1] + a.im * b[0]};
}

INLINE void NAME(four)(C *a, int step)
{
    C s = NAME(add)(a[0], a[2 * step]), d = NAME(sub)(a[0], a[2 * step]);
    C t = NAME(add)(a[step], a[3 * step]);
    C u = NAME(turn)(NAME(sub)(a[step], a[3 * step]));
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
              NAME(turn)(a[5]),
              {(a[7].im - a[7].re) * h, (a[7].re + a[7].im) * -h}};
    C e[4] = {a[0], a[2], a[4], a[6]};
    for (int k = 0; k < 4; k++) {
        a[k] = NAME(add)(e[k], o[k]);
        a[k + 4] = NAME(sub)(e[k], o[k]);
    }
}

/* Elements j and r - j meet the same cosine and opposite sines. */
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
        odd = NAME(turn)(odd);
        a[k] = NAME(add)(even, odd);
        a[r - k] = NAME(sub)(even, odd);
    }
}

/* One pass; r and last are constants where it matters. The last one may multiply its results by
 * `factors`, one for each. */
INLINE void NAME(pass)(const int r, const bool last, const struct cti_fft_step *st,
                       const V *restrict xr, const V *restrict xi, V *restrict yr, V *restrict yi,
                       const V *restrict factors)
{
    const T *w = st->twiddle, *trig = st->trig;
    const int64_t s = st->s, in = 2 * s * st->m, out = 2 * s;
    for (int64_t p = 0; p < st->m; p++, w += 2 * (r - 1)) {
        for (int64_t q = 0; q < s; q++) {
            C a[CTI_FFT_PRIME];
            const int64_t from = 2 * (q + s * p), to = 2 * (q + s * r * p);
            for (int j = 0; j < r; j++)
                a[j] = (C){xr[from + in * j], xi[from + in * j]};
            if (r == 2) {
                C second = NAME(sub)(a[0], a[1]);
                a[0] = NAME(add)(a[0], a[1]);
                a[1] = second;
            } else if (r == 4) {
                NAME(four)(a, 1);
            } else if (r == 8) {
                NAME(eight)(a);
            } else {
                NAME(odd)(a, r, trig);
            }
            for (int k = 0; k < r; k++) {
                if (!last && k)
                    a[k] = NAME(times)(a[k], w[2 * k - 2], w[2 * k - 1]);
                if (last && factors)
                    a[k] = NAME(product)(a[k], factors + to + out * k);
                yr[to + out * k] = a[k].re;
                yi[to + out * k] = a[k].im;
            }
        }
    }
}

static void NAME(passes)(bool last, const struct cti_fft_step *st, const V *xr, const V *xi, V *yr,
                         V *yi, const V *factors)
{
    switch (st->radix) {
    case 2:
        NAME(pass)(2, last, st, xr, xi, yr, yi, factors);
        return;
    case 3:
        NAME(pass)(3, last, st, xr, xi, yr, yi, factors);
        return;
    case 4:
        last ? NAME(pass)(4, true, st, xr, xi, yr, yi, factors)
             : NAME(pass)(4, false, st, xr, xi, yr, yi, NULL);
        return;
    case 5:
        NAME(pass)(5, last, st, xr, xi, yr, yi, factors);
        return;
    case 7:
        NAME(pass)(7, last, st, xr, xi, yr, yi, factors);
        return;
    case 8:
        last ? NAME(pass)(8, true, st, xr, xi, yr, yi, factors)
             : NAME(pass)(8, false, st, xr, xi, yr, yi, NULL);
        return;
    default:
        NAME(pass)((int)st->radix, last, st, xr, xi, yr, yi, factors);
    }
}

/* All passes, from x to y and back; returns the one that has the result, which is multiplied by
 * `factors` where they are given. */
static char *NAME(run_by)(const struct cti_fft_plan *plan, char *x, char *y, bool inverse,
                          const void *factors)
{
    for (int i = 0; i < plan->steps; i++) {
        const bool last = i + 1 == plan->steps;
        const V *from = (const V *)(const void *)x, *xr = from + inverse, *xi = from + !inverse;
        V *to = (V *)(void *)y, *yr = to + inverse, *yi = to + !inverse;
        NAME(passes)(last, &plan->step[i], xr, xi, yr, yi, factors);
        char *t = x;
        x = y;
        y = t;
    }
    return x;
}

static char *NAME(run)(const struct cti_fft_plan *plan, char *x, char *y, bool inverse)
{
    return NAME(run_by)(plan, x, y, inverse, NULL);
}

#undef C
#undef V
#undef NAME
