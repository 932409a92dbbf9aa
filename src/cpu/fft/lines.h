/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of lines and lines on their own, for one element type T, its vector VEC of LANES elements
 * and the shuffles of that length. loops.c includes this after the passes of both. */

typedef struct NAME(several_pair) NAME(atom);

/* ---- atoms and memory ---- */

/* LANES complex numbers side by side. */
INLINE NAME(atom) NAME(apart)(const T *src)
{
    VEC a, b;
    memcpy(&a, src, sizeof a);
    memcpy(&b, src + LANES, sizeof b);
    return (NAME(atom)){__builtin_shufflevector(a, b, EVENS), __builtin_shufflevector(a, b, ODDS)};
}

INLINE void NAME(together)(T *dst, NAME(atom) x)
{
    VEC a = __builtin_shufflevector(x.re, x.im, LOWS),
        b = __builtin_shufflevector(x.re, x.im, HIGHS);
    memcpy(dst, &a, sizeof a);
    memcpy(dst + LANES, &b, sizeof b);
}

/* Whether lanes lie at equal distances; *apart is theirs. */
static bool NAME(even)(const struct cti_fft_side *side, int64_t *apart)
{
    *apart = side->lanes > 1 ? side->lane[1] - side->lane[0] : (int64_t)(2 * sizeof(T));
    for (int64_t l = 2; l < side->lanes; l++)
        if (side->lane[l] - side->lane[l - 1] != *apart)
            return false;
    return true;
}

static void NAME(load)(char *atoms, const struct cti_fft_side *from, int64_t count)
{
    const int64_t size = sizeof(T);
    int64_t apart;
    bool whole = NAME(even)(from, &apart) && from->im == size;
    if (whole && apart == 2 * size && from->lanes == LANES) {
        NAME(atom) *to = (NAME(atom) *)(void *)atoms;
        for (int64_t j = 0; j < count; j++)
            to[j] = NAME(apart)((const T *)(const void *)(from->lane[0] + j * from->step));
    } else if (whole && from->step == 2 * size) {
        cti_cpu_transpose(atoms, LANES * size, from->lane[0], apart, 2 * count, from->lanes, size);
    } else {
        for (int64_t l = 0; l < from->lanes; l++) {
            T *to = (T *)(void *)atoms + l;
            for (int64_t j = 0; j < count; j++, to += 2 * LANES) {
                const char *at = from->lane[l] + j * from->step;
                to[0] = *(const T *)(const void *)at;
                to[LANES] = *(const T *)(const void *)(at + from->im);
            }
        }
    }
}

static void NAME(store)(const struct cti_fft_side *to, char *atoms, int64_t count, double scale)
{
    const int64_t size = sizeof(T);
    int64_t apart;
    bool whole = NAME(even)(to, &apart) && to->im == size;
    NAME(atom) *from = (NAME(atom) *)(void *)atoms;
    for (int64_t j = 0; scale != 1 && j < count; j++)
        from[j] = (NAME(atom)){from[j].re * (T)scale, from[j].im * (T)scale};
    if (whole && apart == 2 * size && to->lanes == LANES) {
        for (int64_t j = 0; j < count; j++)
            NAME(together)((T *)(void *)(to->lane[0] + j * to->step), from[j]);
    } else if (whole && to->step == 2 * size) {
        cti_cpu_transpose(to->lane[0], apart, atoms, LANES * size, to->lanes, 2 * count, size);
    } else {
        for (int64_t l = 0; l < to->lanes; l++) {
            const T *x = (const T *)(const void *)atoms + l;
            for (int64_t j = 0; j < count; j++, x += 2 * LANES) {
                char *at = to->lane[l] + j * to->step;
                *(T *)(void *)at = x[0];
                *(T *)(void *)(at + to->im) = x[LANES];
            }
        }
    }
}

/* ---- a line split into rows and columns ---- */

struct NAME(split) {
    const struct cti_fft_plan *plan;
    const char *src;
    char *dst, *temp, *scratch;           /* temp: the transposed matrix; scratch of each task */
    int64_t across, scratch_bytes, width; /* width of a row of temp, in complex numbers */
    const struct cti_fft_work *work;
    bool inverse;
    double scale;
};

/* `count` complex numbers from lane to lane of a block, `step` of them from atom to atom. */
static struct cti_fft_side NAME(beside)(char **lane, const char *first, int64_t count, int64_t step)
{
    count = count < LANES ? count : LANES;
    for (int64_t l = 0; l < LANES; l++)
        lane[l] = (char *)(uintptr_t)first + l * (int64_t)(2 * sizeof(T));
    return (struct cti_fft_side){lane, count, step * (int64_t)(2 * sizeof(T)), sizeof(T)};
}

/* The twiddles of a block of columns, of a line so long that they come from two tables. */
static void NAME(twiddle)(const struct cti_fft_plan *plan, int64_t block, char *atoms, bool inverse)
{
    const int64_t rows = plan->down->n;
    const T *table = (const T *)plan->table + 2 * block * rows;
    const VEC *fine = plan->fine;
    VEC *re = (VEC *)(void *)atoms + inverse, *im = (VEC *)(void *)atoms + !inverse;
    for (int64_t k = 0; k < rows; k++) {
        const T cr = table[2 * k], ci = table[2 * k + 1];
        VEC wr = fine[2 * k] * cr - fine[2 * k + 1] * ci;
        VEC wi = fine[2 * k] * ci + fine[2 * k + 1] * cr;
        VEC xr = re[2 * k], xi = im[2 * k];
        re[2 * k] = xr * wr - xi * wi;
        im[2 * k] = xr * wi + xi * wr;
    }
}

/* What the next line of a tensor will read and write, a block's share at a time: it is on its way
 * from memory while this line is computed. */
static void NAME(look_ahead)(const struct cti_fft_work *work, int64_t block, int64_t rows)
{
    const int64_t share = rows * LANES * (int64_t)(2 * sizeof(T));
    for (int64_t at = block * share; at < (block + 1) * share; at += 64) {
        if (work->next_src)
            __builtin_prefetch(work->next_src + at, 0, 2);
        if (work->next_dst)
            __builtin_prefetch(work->next_dst + at, 1, 2);
    }
}

/* Columns LANES by LANES: transformed, multiplied, and laid down as rows of temp. */
static void NAME(go_down)(void *context, int64_t begin, int64_t end)
{
    const struct NAME(split) *s = context;
    const int64_t rows = s->plan->down->n, columns = s->plan->across->n, size = sizeof(T);
    char *x = s->scratch + begin * s->scratch_bytes, *y = x + s->scratch_bytes / 2;
    for (int64_t task = begin; task < end; task++) {
        int64_t blocks = (columns + LANES - 1) / LANES;
        for (int64_t b = task * blocks / s->across; b < (task + 1) * blocks / s->across; b++) {
            if (b % 16 == 15 && cti_interrupted())
                return;
            char *lane[LANES];
            struct cti_fft_side from =
                NAME(beside)(lane, s->src + b * LANES * 2 * size, columns - b * LANES, columns);
            NAME(load)(x, &from, rows);
            const VEC *factors = s->plan->fine ? NULL : (const VEC *)s->plan->table + 2 * b * rows;
            char *z = NAME(several_run_by)(s->plan->down, x, y, s->inverse, factors);
            if (s->plan->fine)
                NAME(twiddle)(s->plan, b, z, s->inverse);
            NAME(look_ahead)(s->work, b, rows);
            cti_cpu_transpose(s->temp + b * LANES * s->width * 2 * size, s->width * 2 * size, z,
                              LANES * size, LANES, 2 * rows, size);
        }
    }
}

/* Row block b of the result, real and imaginary parts apart. */
static void NAME(store_planes)(const struct NAME(split) * s, const char *atoms, int64_t b)
{
    const int64_t rows = s->plan->down->n, columns = s->plan->across->n;
    const size_t bytes = (size_t)(rows - b * LANES < LANES ? rows - b * LANES : LANES) * sizeof(T);
    const NAME(atom) *from = (const NAME(atom) *)(const void *)atoms;
    T *re = (T *)(void *)s->work->planes + b * LANES, *im = re + s->plan->n + 1;
    for (int64_t j = 0; j < columns; j++, re += rows, im += rows) {
        if (bytes == sizeof(VEC)) {
            memcpy(re, &from[j].re, sizeof(VEC));
            memcpy(im, &from[j].im, sizeof(VEC));
        } else {
            memcpy(re, &from[j].re, bytes);
            memcpy(im, &from[j].im, bytes);
        }
    }
}

static void NAME(go_across)(void *context, int64_t begin, int64_t end)
{
    const struct NAME(split) *s = context;
    const int64_t rows = s->plan->down->n, columns = s->plan->across->n, size = sizeof(T);
    char *x = s->scratch + begin * s->scratch_bytes, *y = x + s->scratch_bytes / 2;
    for (int64_t task = begin; task < end; task++) {
        int64_t blocks = (rows + LANES - 1) / LANES;
        for (int64_t b = task * blocks / s->across; b < (task + 1) * blocks / s->across; b++) {
            if (b % 16 == 15 && cti_interrupted())
                return;
            char *lane[LANES];
            struct cti_fft_side from =
                NAME(beside)(lane, s->temp + b * LANES * 2 * size, LANES, s->width);
            NAME(load)(x, &from, columns);
            char *z = NAME(several_run)(s->plan->across, x, y, s->inverse);
            if (s->work->planes) {
                NAME(store_planes)(s, z, b);
                continue;
            }
            struct cti_fft_side to =
                NAME(beside)(lane, s->dst + b * LANES * 2 * size, rows - b * LANES, rows);
            NAME(store)(&to, z, columns, s->scale);
        }
    }
}

static void NAME(split_line)(const struct cti_fft_plan *plan, const char *src, char *dst,
                             bool inverse, double scale, const struct cti_fft_work *work)
{
    int64_t rows = plan->down->n, columns = plan->across->n,
            longest = rows > columns ? rows : columns;
    struct NAME(split) s = {plan,
                            src,
                            dst,
                            .temp = work->memory,
                            .across = work->tasks,
                            .work = work,
                            .inverse = inverse,
                            .scale = scale};
    s.width = CTI_FFT_WIDTH(rows, LANES);
    s.scratch = s.temp + s.width * CTI_FFT_UP(columns, LANES) * (int64_t)(2 * sizeof(T));
    s.scratch_bytes = 2 * longest * (int64_t)sizeof(NAME(atom));
    cti_parallel_for(s.across, 1, NAME(go_down), &s);
    cti_parallel_for(s.across, 1, NAME(go_across), &s);
}

static void NAME(line)(const struct cti_fft_plan *plan, const char *src, char *dst, bool inverse,
                       double scale, const struct cti_fft_work *work)
{
    if (plan->manner == CTI_FFT_SPLIT) {
        NAME(split_line)(plan, src, dst, inverse, scale, work);
        return;
    }
    size_t bytes = (size_t)plan->n * 2 * sizeof(T);
    memcpy(work->memory, src, bytes);
    const T *z =
        (const T *)(void *)NAME(single_run)(plan, work->memory, work->memory + bytes, inverse);
    T *to = (T *)(void *)dst;
    for (int64_t j = 0; j < 2 * plan->n; j++)
        to[j] = z[j] * (T)scale;
}

/* ---- real lines ---- */

/* Elements k and n - k of the transform of pairs are made of the same even and odd parts. */
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
        if (k == 0) /* these two are real, whatever is said */
            a.im = b.im = (VEC){0};
        VEC er = a.re + b.re, ei = a.im - b.im, dr = a.re - b.re, di = a.im + b.im;
        to[k].re = (er - (di * w[2 * k] - dr * w[2 * k + 1])) * all;
        to[k].im = (ei + (dr * w[2 * k] + di * w[2 * k + 1])) * all;
    }
}

/* n complex numbers as a plane of real parts and one of imaginary parts, so that a loop can go
 * through them backwards. */
static void NAME(planes)(T *re, T *im, const T *src, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        re[k] = src[2 * k];
        im[k] = src[2 * k + 1];
    }
}

/* LANES numbers and those at their mirrored places, which end at `back`; both results. */
INLINE void NAME(after_both)(T *to, T *to_back, const T *re, const T *im, const T *re_back,
                             const T *im_back, const T *w, T half)
{
    VEC ar, ai, br, bi;
    memcpy(&ar, re, sizeof ar);
    memcpy(&ai, im, sizeof ai);
    memcpy(&br, re_back, sizeof br);
    memcpy(&bi, im_back, sizeof bi);
    br = __builtin_shufflevector(br, br, BACK);
    bi = __builtin_shufflevector(bi, bi, BACK);
    NAME(atom) root = NAME(apart)(w);
    VEC er = ar + br, ei = ai - bi, or = ai + bi, oi = br - ar;
    VEC tr = or *root.re - oi * root.im, ti = or *root.im + oi * root.re;
    NAME(atom) near = {(er + tr) * half, (ei + ti) * half};
    NAME(atom) far = {(er - tr) * half, (ti - ei) * half};
    far.re = __builtin_shufflevector(far.re, far.re, BACK);
    far.im = __builtin_shufflevector(far.im, far.im, BACK);
    NAME(together)(to, near);
    NAME(together)(to_back, far);
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
#undef LANES
#undef EVENS
#undef ODDS
#undef LOWS
#undef HIGHS
#undef BACK
#undef NAME
