/* SPDX-License-Identifier: BSD-3-Clause */
/* Real lines of 2n elements are transformed as n complex pairs, which combines the transforms of
 * the even and the odd elements; these are separated afterwards, or merged before an inverse. For
 * blocks and single lines; loops.c includes this after lines.h and with the same macros. */

/* Elements k and n - k of the transform of pairs have their even and odd parts in common. */
static void NAME(after_atoms)(char *dst, const char *z, int64_t n, const void *circle, double scale)
{
    const NAME(atom) *from = (const NAME(atom) *)(const void *)z;
    NAME(atom) *to = (NAME(atom) *)(void *)dst;
    const T *w = circle, half = (T)(scale / 2);
    for (int64_t k = 0; k <= n; k++) {
        NAME(atom) a = from[k < n ? k : 0], b = from[k ? n - k : 0];
        VEC er = a.re + b.re, ei = a.im - b.im, or = a.im + b.im, oi = b.re - a.re;
        to[k].re = (er + (or *w[2 * k] - oi * w[2 * k + 1])) * half;
        to[k].im = (ei + (or *w[2 * k + 1] + oi * w[2 * k])) * half;
    }
}

static void NAME(before_atoms)(char *z, const char *src, int64_t n, const void *circle,
                               double scale)
{
    const NAME(atom) *from = (const NAME(atom) *)(const void *)src;
    NAME(atom) *to = (NAME(atom) *)(void *)z;
    const T *w = circle, all = (T)scale;
    for (int64_t k = 0; k < n; k++) {
        NAME(atom) a = from[k], b = from[n - k];
        if (k == 0) /* these two are real by definition */
            a.im = b.im = (VEC){0};
        VEC er = a.re + b.re, ei = a.im - b.im, dr = a.re - b.re, di = a.im + b.im;
        to[k].re = (er - (di * w[2 * k] - dr * w[2 * k + 1])) * all;
        to[k].im = (ei + (dr * w[2 * k] + di * w[2 * k + 1])) * all;
    }
}

/* Deinterleaves n complex numbers into planes, so that a loop can read them backwards. */
static void NAME(planes)(T *re, T *im, const T *src, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        re[k] = src[2 * k];
        im[k] = src[2 * k + 1];
    }
}

/* Computes both results for LANES elements and their mirror images, which end at `back`. */
INLINE void NAME(after_both)(T *to, T *to_back, const T *re, const T *im, const T *re_back,
                             const T *im_back, const T *w, T half)
{
    VEC ar = *(const LOOSE *)re, ai = *(const LOOSE *)im;
    VEC br = *(const LOOSE *)re_back, bi = *(const LOOSE *)im_back;
    br = __builtin_shufflevector(br, br, BACK);
    bi = __builtin_shufflevector(bi, bi, BACK);
    NAME(atom) root = NAME(several_apart)((const char *)w);
    VEC er = ar + br, ei = ai - bi, or = ai + bi, oi = br - ar;
    VEC tr = or *root.re - oi * root.im, ti = or *root.im + oi * root.re;
    NAME(atom) near = {(er + tr) * half, (ei + ti) * half};
    NAME(atom) far = {(er - tr) * half, (ti - ei) * half};
    NAME(several_together)((char *)to, near);
    NAME(several_together_back)((char *)to_back, far);
}

static void NAME(after_line)(char *dst, const char *z, int64_t n, const void *circle, double scale,
                             char *planes)
{
    T *to = (T *)(void *)dst, *re = (T *)(void *)planes, *im = re + n + 1;
    const T *w = circle, half = (T)(scale / 2);
    int64_t k = 0;
    if (z)
        NAME(planes)(re, im, (const T *)(const void *)z, n);
    re[n] = re[0];
    im[n] = im[0];
    for (; k <= n / 2 && n >= 4 * LANES; k += LANES) {
        int64_t back = n - k - LANES + 1;
        NAME(after_both)
        (to + 2 * k, to + 2 * back, re + k, im + k, re + back, im + back, w + 2 * k, half);
    }
    for (k = k ? n + 1 : 0; k <= n; k++) {
        T er = re[k] + re[n - k], ei = im[k] - im[n - k];
        T or = im[k] + im[n - k], oi = re[n - k] - re[k];
        to[2 * k] = (er + (or *w[2 * k] - oi * w[2 * k + 1])) * half;
        to[2 * k + 1] = (ei + (or *w[2 * k + 1] + oi * w[2 * k])) * half;
    }
}

/* The last pass fused with the separation of pairs: mirrored elements come from mirrored
 * butterflies. Elements of index 0, which are their own mirror images, are recomputed at the
 * end. */
INLINE void NAME(real_pass)(const int r, const struct cti_fft_step *st, const NAME(atom) * x,
                            char *dst, const T *w, T half)
{
    const int64_t s = st->s, n = s * r * LANES, size = 2 * sizeof(T);
    for (int64_t t = 0; t <= s / 2; t++) {
        NAME(atom) a[8], b[8];
        const NAME(atom) *from = x + t, *back = x + (s - 1 - t), *wrap = t ? back + 1 : x;
        HIDE(from);
        HIDE(back);
        HIDE(wrap);
        for (int j = 0; j < r; j++) {
            a[j] = from[s * j];
            b[j].re = __builtin_shufflevector(back[s * j].re, wrap[s * j].re, MIRROR);
            b[j].im = __builtin_shufflevector(back[s * j].im, wrap[s * j].im, MIRROR);
        }
        NAME(several_butterfly)(a, r, NULL);
        NAME(several_butterfly)(b, r, NULL);
        for (int k = 0; k < r; k++) {
            const int64_t at = (k * s + t) * LANES;
            const NAME(atom) p = a[k], q = b[r - 1 - k];
            NAME(atom) root = NAME(several_apart)((const char *)(w + 2 * at));
            VEC er = p.re + q.re, ei = p.im - q.im, or = p.im + q.im, oi = q.re - p.re;
            VEC tr = or *root.re - oi * root.im, ti = or *root.im + oi * root.re;
            NAME(several_together)
            (dst + at * size, (NAME(atom)){(er + tr) * half, (ei + ti) * half});
            NAME(several_together_back)
            (dst + (n - at - LANES + 1) * size, (NAME(atom)){(er - tr) * half, (ti - ei) * half});
        }
    }
    struct NAME(single_pair) c[8];
    T *to = (T *)(void *)dst;
    for (int j = 0; j < r; j++)
        c[j] = (struct NAME(single_pair)){x[s * j].re[0], x[s * j].im[0]};
    NAME(single_butterfly)(c, r, NULL);
    for (int k = 0; k <= r; k++) {
        struct NAME(single_pair) p = c[k % r], q = c[(r - k) % r];
        const T *root = w + 2 * k * s * LANES;
        T er = p.re + q.re, ei = p.im - q.im, or = p.im + q.im, oi = q.re - p.re;
        to[2 * k * s * LANES] = (er + (or *root[0] - oi * root[1])) * half;
        to[2 * k * s * LANES + 1] = (ei + (or *root[1] + oi * root[0])) * half;
    }
}

static void NAME(real_line)(const struct cti_fft_plan *plan, const char *src, char *dst,
                            const void *circle, double scale, char *z, char *planes,
                            struct cti_fft_work *work)
{
    const struct cti_fft_plan *down = plan->down;
    const struct cti_fft_step *last = down ? &down->step[down->steps - 1] : NULL;
    if (plan->algorithm == CTI_FFT_LANES && (last->radix == 4 || last->radix == 8)) {
        char *x, *y;
        const NAME(atom) *from =
            (const NAME(atom) *)(const void *)NAME(lanes_begin)(plan, src, false, work, &x, &y).re;
        last->radix == 4 ? NAME(real_pass)(4, last, from, dst, circle, (T)(scale / 2))
                         : NAME(real_pass)(8, last, from, dst, circle, (T)(scale / 2));
        return;
    }
    work->planes = plan->algorithm == CTI_FFT_SPLIT ? planes : NULL;
    NAME(line)(plan, src, z, false, 1, work);
    NAME(after_line)(dst, work->planes ? NULL : z, plan->n, circle, scale, planes);
}

static void NAME(before_line)(char *z, const char *src, int64_t n, const void *circle, double scale,
                              char *planes)
{
    T *restrict to = (T *)(void *)z;
    T *restrict re = (T *)(void *)planes, *restrict im = re + n + 1;
    const T *restrict w = circle, all = (T)scale;
    NAME(planes)(re, im, (const T *)(const void *)src, n + 1);
    im[0] = im[n] = 0;
    for (int64_t k = 0; k < n; k++) {
        T er = re[k] + re[n - k], ei = im[k] - im[n - k];
        T dr = re[k] - re[n - k], di = im[k] + im[n - k];
        to[2 * k] = (er - (di * w[2 * k] - dr * w[2 * k + 1])) * all;
        to[2 * k + 1] = (ei + (dr * w[2 * k] + di * w[2 * k + 1])) * all;
    }
}

#undef T
#undef VEC
#undef LOOSE
#undef LANES
#undef BY_LANES
#undef BY_BLOCKS
#undef NAME
