/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of lines and single lines, for one element type T, its vector VEC of LANES elements and
 * the shuffles of that length. loops.c includes this after both passes.h and before real.h. */

typedef struct NAME(several_pair) NAME(atom);

/* ---- atoms and memory ---- */

/* One stage of a transpose: interleaves vectors `apart` from each other, first within 16-byte
 * blocks, then by blocks. */
INLINE void NAME(zip)(VEC *a, const int apart)
{
    for (int i = 0; i < LANES / 2; i++) {
        VEC *x = a + i / apart * 2 * apart + i % apart, *y = x + apart;
        VEC high = __builtin_shufflevector(*x, *y, ZIP_HIGHS);
        *x = __builtin_shufflevector(*x, *y, ZIP_LOWS);
        *y = high;
    }
}

INLINE void NAME(blocks)(VEC *a, const int apart)
{
    for (int i = 0; i < LANES / 2; i++) {
        VEC *x = a + i / apart * 2 * apart + i % apart, *y = x + apart;
        VEC odd = __builtin_shufflevector(*x, *y, ODD_BLOCKS);
        *x = __builtin_shufflevector(*x, *y, EVEN_BLOCKS);
        *y = odd;
    }
}

/* Transposes a square of LANES vectors. */
INLINE void NAME(square)(VEC *a)
{
    const int block = 16 / sizeof(T);
    if (block > 2)
        NAME(zip)(a, 2);
    NAME(zip)(a, 1);
    if (LANES > block)
        NAME(blocks)(a, block);
    if (LANES > 2 * block)
        NAME(blocks)(a, 2 * block);
}

/* dst[r][c] = src[c][r], with rows `step` bytes apart. Small matrices are transposed element by
 * element: the edges would cost more than squares save. */
static void NAME(transpose)(char *dst, int64_t dst_step, const char *src, int64_t src_step,
                            int64_t rows, int64_t columns)
{
    const int64_t size = sizeof(T), whole = columns / LANES * LANES;
    const bool large = rows > 256 || columns > 256;
    int64_t r = 0;
    for (; large && r + LANES <= rows; r += LANES)
        for (int64_t c = 0; c < whole; c += LANES) {
            VEC a[LANES];
            for (int i = 0; i < LANES; i++)
                a[i] = *(const LOOSE *)(const void *)(src + (c + i) * src_step + r * size);
            NAME(square)(a);
            for (int i = 0; i < LANES; i++)
                *(LOOSE *)(void *)(dst + (r + i) * dst_step + c * size) = a[i];
        }
    cti_cpu_transpose(dst + r * dst_step, dst_step, src + r * size, src_step, rows - r, columns,
                      size);
    cti_cpu_transpose(dst + whole * size, dst_step, src + whole * src_step, src_step, r,
                      columns - whole, size);
}

/* Whether lanes have a constant stride, returned as *apart. */
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
            to[j] = NAME(several_apart)(from->lane[0] + j * from->step);
    } else if (whole && from->step == 2 * size) {
        NAME(transpose)(atoms, LANES * size, from->lane[0], apart, 2 * count, from->lanes);
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
            NAME(several_together)(to->lane[0] + j * to->step, from[j]);
    } else if (whole && to->step == 2 * size) {
        NAME(transpose)(to->lane[0], apart, atoms, LANES * size, to->lanes, 2 * count);
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

/* ---- blocks ---- */

/* Whether lanes are adjacent in memory, so that an atom is one load or store. */
static bool NAME(packed)(const struct cti_fft_side *side)
{
    int64_t apart;
    return side && side->lanes == LANES && side->im == sizeof(T) && NAME(even)(side, &apart) &&
           apart == 2 * sizeof(T);
}

INLINE bool NAME(at_memory)(const struct cti_fft_plan *plan, const struct cti_fft_step *st)
{
    return plan->steps > 1 && (st->radix == 4 || st->radix == 8);
}

/* A block by a direct plan, multiplied by `factors`. With `from` NULL the input is the atoms in x;
 * with `to` NULL the result stays in atoms, in x or y, and is returned. The first and last pass
 * access memory directly if possible. */
static char *NAME(block_by)(const struct cti_fft_plan *plan, const struct cti_fft_side *from,
                            const struct cti_fft_side *to, char *x, char *y, bool inverse,
                            double scale, const void *factors)
{
    const struct cti_fft_step *first = plan->step, *last = plan->step + plan->steps - 1;
    const bool direct = NAME(at_memory)(plan, first) && NAME(packed)(from);
    struct NAME(several_atoms) z = NAME(several_at)(direct ? y : x, !direct && inverse);
    if (direct)
        NAME(several_first_from)(first, from->lane[0], from->step, inverse, y);
    else if (from)
        NAME(load)(x, from, plan->n);
    z = NAME(several_begin)(plan, direct, z, x, y);
    if (NAME(at_memory)(plan, last) && NAME(packed)(to)) {
        NAME(several_last_to)(last, z, to->lane[0], to->step, inverse, (T)scale);
        return NULL;
    }
    char *end = NAME(several_end)(plan, z, x, y, inverse, factors);
    if (to)
        NAME(store)(to, end, plan->n, scale);
    return end;
}

static char *NAME(block)(const struct cti_fft_plan *plan, const struct cti_fft_side *from,
                         const struct cti_fft_side *to, char *x, char *y, bool inverse,
                         double scale)
{
    return NAME(block_by)(plan, from, to, x, y, inverse, scale, NULL);
}

/* ---- prefetch ---- */

/* Prefetches a share of the next line's source and result while this line is computed. */
static void NAME(prefetch_next)(const struct cti_fft_work *work, int64_t at, int64_t bytes)
{
    for (int64_t end = at + bytes; at < end; at += 64) {
        if (work->next_src)
            __builtin_prefetch(work->next_src + at, 0, 2);
        if (work->next_dst)
            __builtin_prefetch(work->next_dst + at, 1, 2);
    }
}

/* ---- the four-step transform: a line as rows and columns ---- */

struct NAME(split) {
    const struct cti_fft_plan *plan;
    const char *src;
    char *dst, *temp, *scratch;           /* temp: the transposed matrix; scratch for each task */
    int64_t across, scratch_bytes, width; /* width: leading dimension of temp, in complex numbers */
    const struct cti_fft_work *work;
    bool inverse;
    double scale;
};

/* The lanes are `count` adjacent complex numbers; consecutive atoms are `step` complex numbers
 * apart. */
static struct cti_fft_side NAME(beside)(char **lane, const char *first, int64_t count, int64_t step)
{
    count = count < LANES ? count : LANES;
    for (int64_t l = 0; l < LANES; l++)
        lane[l] = (char *)(uintptr_t)first + l * (int64_t)(2 * sizeof(T));
    return (struct cti_fft_side){lane, count, step * (int64_t)(2 * sizeof(T)), sizeof(T)};
}

/* The twiddles of a block of columns, for lines so long that they are a product of two tables. */
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

/* Transforms columns, LANES at a time, multiplies them by twiddles and stores them as rows of
 * temp. */
static void NAME(go_down)(void *context, int64_t begin, int64_t end)
{
    const struct NAME(split) *s = context;
    const int64_t rows = s->plan->down->n, columns = s->plan->across->n, size = sizeof(T);
    const int64_t share = rows * LANES * 2 * size;
    char *x = s->scratch + begin * s->scratch_bytes, *y = x + s->scratch_bytes / 2;
    for (int64_t task = begin; task < end; task++) {
        int64_t blocks = (columns + LANES - 1) / LANES;
        for (int64_t b = task * blocks / s->across; b < (task + 1) * blocks / s->across; b++) {
            if (cti_interrupted_at(b, 16))
                return;
            char *lane[LANES];
            struct cti_fft_side from =
                NAME(beside)(lane, s->src + b * LANES * 2 * size, columns - b * LANES, columns);
            const VEC *factors = s->plan->fine ? NULL : (const VEC *)s->plan->table + 2 * b * rows;
            char *z = NAME(block_by)(s->plan->down, &from, NULL, x, y, s->inverse, 1, factors);
            if (s->plan->fine)
                NAME(twiddle)(s->plan, b, z, s->inverse);
            NAME(prefetch_next)(s->work, b * share, share);
            NAME(transpose)
            (s->temp + b * LANES * s->width * 2 * size, s->width * 2 * size, z, LANES * size, LANES,
             2 * rows);
        }
    }
}

/* Stores row block b of the result as separate real and imaginary planes. */
static void NAME(store_planes)(const struct NAME(split) * s, const char *atoms, int64_t b)
{
    const int64_t rows = s->plan->down->n, columns = s->plan->across->n;
    const size_t bytes = (size_t)(rows - b * LANES < LANES ? rows - b * LANES : LANES) * sizeof(T);
    const NAME(atom) *from = (const NAME(atom) *)(const void *)atoms;
    T *re = (T *)(void *)s->work->planes + b * LANES, *im = re + s->plan->n + 1;
    for (int64_t j = 0; j < columns; j++, re += rows, im += rows) {
        if (bytes == sizeof(VEC)) {
            *(LOOSE *)re = from[j].re;
            *(LOOSE *)im = from[j].im;
        } else {
            memcpy(re, &from[j].re, bytes);
            memcpy(im, &from[j].im, bytes);
        }
    }
}

static void NAME(go_across)(void *context, int64_t begin, int64_t end)
{
    const struct NAME(split) *s = context;
    const int64_t rows = s->plan->down->n, size = sizeof(T);
    char *x = s->scratch + begin * s->scratch_bytes, *y = x + s->scratch_bytes / 2;
    for (int64_t task = begin; task < end; task++) {
        int64_t blocks = (rows + LANES - 1) / LANES;
        for (int64_t b = task * blocks / s->across; b < (task + 1) * blocks / s->across; b++) {
            if (cti_interrupted_at(b, 16))
                return;
            char *lane[LANES];
            struct cti_fft_side from =
                NAME(beside)(lane, s->temp + b * LANES * 2 * size, LANES, s->width);
            if (s->work->planes) {
                NAME(store_planes)
                (s, NAME(block)(s->plan->across, &from, NULL, x, y, s->inverse, 1), b);
                continue;
            }
            char *out[LANES];
            struct cti_fft_side to =
                NAME(beside)(out, s->dst + b * LANES * 2 * size, rows - b * LANES, rows);
            NAME(block)(s->plan->across, &from, &to, x, y, s->inverse, s->scale);
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

/* ---- a single line in lanes: Note [Lanes] ---- */

/* The first pass, of radix LANES, over vectors of adjacent elements; each vector becomes an atom.
 * The last vectors overlap the previous ones. */
static void NAME(spread)(const struct cti_fft_plan *plan, const char *src, bool inverse,
                         char *atoms, const struct cti_fft_work *work)
{
    const int64_t m = plan->down->n, step = 2 * sizeof(T), share = LANES * LANES * step;
    const VEC *w = plan->table;
    for (int64_t done = 0; done < m; done += LANES, w += 2 * (LANES - 1)) {
        const int64_t p = done + LANES <= m ? done : m - LANES;
        const char *from = src + p * step;
        NAME(atom) a[LANES], *to = (NAME(atom) *)(void *)atoms + p;
        VEC re[LANES], im[LANES];
        NAME(prefetch_next)(work, p * LANES * step, share);
        HIDE(from);
        for (int k = 0; k < LANES; k++)
            a[k] = NAME(several_apart)(from + k * m * step);
        for (int k = 0; inverse && k < LANES; k++)
            a[k] = (NAME(atom)){a[k].im, a[k].re};
        NAME(several_butterfly)(a, LANES, NULL);
        for (int k = 1; k < LANES; k++)
            a[k] = NAME(several_product)(a[k], w + 2 * (k - 1));
        for (int k = 0; k < LANES; k++) {
            re[k] = a[k].re;
            im[k] = a[k].im;
        }
        NAME(square)(re);
        NAME(square)(im);
        for (int k = 0; k < LANES; k++)
            to[k] = (NAME(atom)){re[k], im[k]};
    }
}

/* Does all passes but the last, and returns the last one's source. */
static struct NAME(several_atoms)
    NAME(lanes_begin)(const struct cti_fft_plan *plan, const char *src, bool inverse,
                      const struct cti_fft_work *work, char **x, char **y)
{
    *x = work->memory;
    *y = *x + cti_fft_array_bytes(plan->n * (int64_t)(2 * sizeof(T)));
    NAME(spread)(plan, src, inverse, *x, work);
    return NAME(several_begin)(plan->down, 0, NAME(several_at)(*x, false), *x, *y);
}

static void NAME(lanes_line)(const struct cti_fft_plan *plan, const char *src, char *dst,
                             bool inverse, double scale, const struct cti_fft_work *work)
{
    const struct cti_fft_plan *down = plan->down;
    const struct cti_fft_step *last = &down->step[down->steps - 1];
    char *x, *y, *lane[LANES];
    struct NAME(several_atoms) z = NAME(lanes_begin)(plan, src, inverse, work, &x, &y);
    if (last->radix == 4 || last->radix == 8) {
        NAME(several_last_to)(last, z, dst, sizeof(NAME(atom)), inverse, (T)scale);
        return;
    }
    struct cti_fft_side to = NAME(beside)(lane, dst, LANES, LANES);
    NAME(store)(&to, NAME(several_end)(down, z, x, y, inverse, NULL), down->n, scale);
}

static void NAME(line)(const struct cti_fft_plan *plan, const char *src, char *dst, bool inverse,
                       double scale, const struct cti_fft_work *work)
{
    if (plan->algorithm == CTI_FFT_SPLIT) {
        NAME(split_line)(plan, src, dst, inverse, scale, work);
        return;
    }
    if (plan->algorithm == CTI_FFT_LANES) {
        NAME(lanes_line)(plan, src, dst, inverse, scale, work);
        return;
    }
    size_t bytes = (size_t)plan->n * 2 * sizeof(T);
    memcpy(work->memory, src, bytes);
    char *x = work->memory, *y = x + bytes;
    struct NAME(single_atoms) from = NAME(single_begin)(plan, 0, NAME(single_at)(x, inverse), x, y);
    const T *z = (const T *)(void *)NAME(single_end)(plan, from, x, y, inverse, NULL);
    T *to = (T *)(void *)dst;
    for (int64_t j = 0; j < 2 * plan->n; j++)
        to[j] = z[j] * (T)scale;
}
