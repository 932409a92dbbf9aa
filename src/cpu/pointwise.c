/* SPDX-License-Identifier: BSD-3-Clause */
/* The pointwise engine: runs a program block by block, so that values between its steps stay in the
 * cache. Called with work whose shapes and types are settled; knows geometry and bytes only.
 *
 * Note [Ways of a block]: an operand is *direct* (contiguous along the block: loops read or write
 * it where it lies), a *number* (stride 0), or *packed* (strided, transposed or of another type:
 * brought into a buffer first, or out of it afterwards). Dims are ordered by the result's strides,
 * innermost first, and merged where all operands allow it. Long inner dims are cut into blocks;
 * short ones are walked as one long line, several rows to a block. An operand that is contiguous
 * along the second dim instead of the first is brought in by tiles, a cache line of rows at a time.
 */
#include "cpu/pointwise.h"

#include "core/parallel.h"
#include "cpu/loops.h"
#include "cpu/pack.h"
#include "math/math.h"

#include <string.h>

#define SCRATCH_BYTES (64 * 1024)
#define LINE_BYTES 64
#define MOST_BLOCK 512 /* elements: buffers and what flows through them stay in the first cache */
#define SHORT_ROW 64   /* inner dims below this are walked as one line */
#define GRAIN 32768    /* elements worth a thread */
#define TURNED 4096    /* elements of a piece of a transposing copy: they fit the scratch memory */
#define TURNED_BLOCK 128
#define MOVED 8192 /* elements of a piece of any other copy */
#define DIRECT_BLOCK (INT64_C(1) << 40)

/* The work with regular geometry: dims merged and ordered, innermost first. */
struct walk {
    const struct cti_pointwise *w;
    int ndim, nbuffers;
    bool line;   /* walk as one line: rows are short */
    bool tiled;  /* some operand is transposed */
    bool turned; /* a copy that transposes, and may cast */
    bool moved;  /* a copy of rows from memory to memory */
    int64_t shape[CTI_MAX_DIMS];
    int64_t bstride[CTI_MAX_OPERANDS][CTI_MAX_DIMS];
    char *data[CTI_MAX_OPERANDS];
    int64_t total, block, rows; /* elements; elements of a block; rows of a tile */
    cti_loop *loop[CTI_MAX_STEPS];
    struct way {
        bool number, direct, transposed, cast, flagged;
        bool row_number;           /* one number for each row: its inner stride is 0 */
        int8_t raw_buffer, buffer; /* where packed elements and cast ones go, -1: nowhere */
    } way[CTI_MAX_OPERANDS];
    int8_t slot_buffer[CTI_MAX_SLOTS];
    int8_t step_buffer[CTI_MAX_STEPS][CTI_MAX_INPUTS]; /* inputs made fit for one step alone */
    uint8_t spread[CTI_MAX_STEPS]; /* inputs that are numbers, but must be a block */
};

static inline int64_t size_of(uint8_t dtype)
{
    return cti_itemsize((enum ct_dtype)dtype);
}

/* ---- geometry ---- */

static bool walks_before(const struct walk *k, int a, int b)
{
    for (int o = 0; o < k->w->noperands; o++) {
        int64_t sa = k->bstride[o][a], sb = k->bstride[o][b];
        sa = sa < 0 ? -sa : sa;
        sb = sb < 0 ? -sb : sb;
        if (sa != sb && sa && sb)
            return sa < sb;
    }
    return false;
}

static void swap_dims(struct walk *k, int a, int b)
{
    int64_t t = k->shape[a];
    k->shape[a] = k->shape[b];
    k->shape[b] = t;
    for (int o = 0; o < k->w->noperands; o++) {
        t = k->bstride[o][a];
        k->bstride[o][a] = k->bstride[o][b];
        k->bstride[o][b] = t;
    }
}

static bool merges(const struct walk *k, int inner, int outer)
{
    for (int o = 0; o < k->w->noperands; o++)
        if (k->bstride[o][outer] != k->bstride[o][inner] * k->shape[inner])
            return false;
    return true;
}

/* Drops dims of size 1, turns the result's strides positive, orders and merges. */
static void lay_out(struct walk *k)
{
    const struct cti_pointwise *w = k->w;
    int n = 0;
    for (int d = w->ndim - 1; d >= 0; d--) {
        if (w->shape[d] == 1)
            continue;
        k->shape[n] = w->shape[d];
        bool turn = w->operand[0].bstride[d] < 0;
        for (int o = 0; o < w->noperands; o++) {
            int64_t s = w->operand[o].bstride[d];
            if (turn) {
                k->data[o] += s * (w->shape[d] - 1);
                s = -s;
            }
            k->bstride[o][n] = s;
        }
        n++;
    }
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && walks_before(k, j, j - 1); j--)
            swap_dims(k, j, j - 1);
    int m = 0;
    for (int d = 1; d < n; d++) {
        if (merges(k, m, d)) {
            k->shape[m] *= k->shape[d];
        } else if (++m != d) {
            k->shape[m] = k->shape[d];
            for (int o = 0; o < w->noperands; o++)
                k->bstride[o][m] = k->bstride[o][d];
        }
    }
    k->ndim = n ? m + 1 : 1;
    if (!n) {
        k->shape[0] = 1;
        for (int o = 0; o < w->noperands; o++)
            k->bstride[o][0] = 0;
    }
    k->total = 1;
    for (int d = 0; d < k->ndim; d++)
        k->total *= k->shape[d];
}

/* ---- what each operand needs ---- */

static bool is_number(const struct walk *k, int o)
{
    for (int d = 0; d < k->ndim; d++)
        if (k->bstride[o][d] && k->shape[d] > 1)
            return false;
    return true;
}

static void choose_ways(struct walk *k)
{
    const struct cti_pointwise *w = k->w;
    k->line = k->ndim > 1 && k->shape[0] < SHORT_ROW;
    k->tiled = false;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *p = &w->operand[o];
        struct way *y = &k->way[o];
        int64_t size = size_of(p->dtype);
        y->cast = p->dtype != p->compute;
        y->flagged = p->flags != 0;
        y->number = o >= w->nout && is_number(k, o);
        bool contiguous = k->bstride[o][0] == size || k->shape[0] == 1;
        if (k->line) { /* direct only if the whole line is contiguous */
            int64_t want = size;
            for (int d = 0; d < k->ndim; d++) {
                contiguous = contiguous && k->bstride[o][d] == want;
                want *= k->shape[d];
            }
        } else if (o >= w->nout && k->bstride[o][0] == 0 && !y->number) {
            contiguous = false;
        }
        y->transposed = !k->line && !contiguous && !y->number && o >= w->nout && k->ndim > 1 &&
                        k->bstride[o][1] == size && k->shape[1] >= 4 && k->bstride[o][0];
        k->tiled = k->tiled || y->transposed;
        y->direct = !y->number && contiguous;
        y->row_number = !k->line && !y->number && o >= w->nout && k->bstride[o][0] == 0 &&
                        !y->cast && !y->flagged && w->nsteps;
    }
}

/* A copy whose source is contiguous along the second dim, however short the first one is. */
static bool only_turns(const struct walk *k)
{
    const struct cti_operand *out = &k->w->operand[0], *in = &k->w->operand[1];
    int64_t size = size_of(in->dtype);
    return !k->w->nsteps && k->ndim > 1 && in->compute == in->dtype && !in->flags &&
           k->bstride[0][0] == size_of(out->dtype) && k->bstride[1][1] == size &&
           k->bstride[1][0] != size && k->bstride[1][0] && k->shape[1] >= 4;
}

/* Any other copy of elements as they are; rows short in both dims are walked as a line. */
static bool only_moves(const struct walk *k)
{
    const struct cti_operand *out = &k->w->operand[0], *in = &k->w->operand[1];
    return !k->w->nsteps && !k->turned && !k->tiled && in->dtype == out->dtype &&
           in->compute == in->dtype && !in->flags &&
           !(k->line && k->shape[0] * k->shape[1] < SHORT_ROW);
}

/* The type in which a step takes its i-th input. */
static inline uint8_t wanted(const struct cti_step *step, int i)
{
    return step->masks >> i & 1 ? CT_BOOL : step->dtype;
}

static inline int tensors_of(const struct cti_step *step)
{
    return step->nin - __builtin_popcount(step->params);
}

/* Has a loop a variant in which its i-th input is a number, beside those in `numbers`? See Note
 * [Loops]. */
static inline bool takes_number(const struct cti_step *step, int i, unsigned numbers)
{
    int tensors = tensors_of(step);
    return tensors == 2 ? numbers == 0 : tensors == 3 && i > 0;
}

static inline bool is_plain_number(const struct walk *k, uint8_t slot)
{
    return slot < k->w->noperands &&
           (k->way[slot].row_number || (k->way[slot].number && k->way[slot].raw_buffer < 0));
}

static void give_buffers(struct walk *k)
{
    const struct cti_pointwise *w = k->w;
    int n = 0;
    memset(k->slot_buffer, -1, sizeof k->slot_buffer);
    for (int o = 0; o < w->noperands; o++) {
        struct way *y = &k->way[o];
        y->raw_buffer = y->buffer = -1;
        if (y->row_number || (y->number && !y->cast && !y->flagged && w->nsteps))
            continue;
        bool pack = !y->direct;
        if (pack && !(w->nsteps == 0 && o == 0 && !y->cast)) /* a copy has its source's buffer */
            y->raw_buffer = (int8_t)n++;
        if (y->cast || (y->flagged && !pack))
            y->buffer = (int8_t)n++;
    }
    for (int s = 0; s < w->nsteps; s++) {
        const struct cti_step *step = &w->step[s];
        unsigned numbers = 0;
        if (step->out >= w->noperands)
            k->slot_buffer[step->out] = (int8_t)n++;
        k->spread[s] = 0;
        for (int i = 0; i < step->nin; i++) {
            bool number = is_plain_number(k, step->in[i]) && !(step->params >> i & 1);
            if (number && !takes_number(step, i, numbers))
                k->spread[s] |= (uint8_t)(1u << i);
            else if (number)
                numbers |= 1u << i;
            bool cast = w->slot_dtype[step->in[i]] != wanted(step, i);
            k->step_buffer[s][i] = cast || (k->spread[s] >> i & 1) ? (int8_t)n++ : -1;
        }
    }
    k->nbuffers = n;
}

/* How many elements a block has: buffers share the scratch memory of a thread. */
static void size_blocks(struct walk *k)
{
    const struct cti_pointwise *w = k->w;
    if (k->turned) {
        k->nbuffers = 1;
        k->block = TURNED_BLOCK;
        k->rows = TURNED / (k->shape[0] < TURNED_BLOCK ? k->shape[0] : TURNED_BLOCK);
        k->rows = k->rows < k->shape[1] ? k->rows : k->shape[1];
        return;
    }
    if (k->moved) {
        k->rows = k->shape[0] < MOVED ? MOVED / k->shape[0] : 1;
        k->rows = k->ndim > 1 && k->rows > k->shape[1] ? k->shape[1] : k->rows;
        return;
    }
    if (!k->nbuffers) {
        k->block = DIRECT_BLOCK;
        k->rows = 1;
        return;
    }
    int64_t widest = 1, narrowest = 16;
    for (int o = 0; o < w->noperands; o++) {
        int64_t a = size_of(w->operand[o].dtype), b = size_of(w->operand[o].compute);
        widest = widest > a ? widest : a;
        widest = widest > b ? widest : b;
        if (k->way[o].transposed && a < narrowest)
            narrowest = a;
    }
    for (int s = 0; s < w->nsteps; s++) {
        int64_t a = size_of(w->step[s].dtype);
        widest = widest > a ? widest : a;
    }
    k->rows = 1;
    int64_t fit = SCRATCH_BYTES / k->nbuffers / widest;
    if (k->tiled) {
        k->rows = LINE_BYTES / narrowest;
        if (k->rows > k->shape[1])
            k->rows = k->shape[1];
        while (k->rows > 4 && fit / k->rows < 64)
            k->rows /= 2;
    }
    k->block = fit / k->rows / 16 * 16;
    if (k->block > MOST_BLOCK)
        k->block = MOST_BLOCK;
    if (k->block < 16)
        k->block = 16;
}

/* ---- running ---- */

struct frame {
    const struct walk *k;
    char *buffer[CTI_MAX_SLOTS + CTI_MAX_STEPS];
    char *base[CTI_MAX_OPERANDS]; /* of the current row (or tile's first row) */
};

/* conj and neg views: the only arithmetic the engine knows by itself. */
static void apply_flags(char *p, uint8_t dtype, uint8_t flags, int64_t n)
{
    if (dtype == CT_COMPLEX64 || dtype == CT_COMPLEX128) {
        bool re = flags & CTI_NEG, im = !(flags & CTI_NEG) != !(flags & CTI_CONJ);
        for (int64_t i = 0; i < n; i++) {
            if (dtype == CT_COMPLEX64) {
                ct_c64 *c = (ct_c64 *)p + i;
                *c = (ct_c64){re ? -c->re : c->re, im ? -c->im : c->im};
            } else {
                ct_c128 *c = (ct_c128 *)p + i;
                *c = (ct_c128){re ? -c->re : c->re, im ? -c->im : c->im};
            }
        }
    } else if (flags & CTI_NEG) {
        if (dtype == CT_FLOAT64)
            for (int64_t i = 0; i < n; i++)
                ((double *)p)[i] = -((double *)p)[i];
        else
            for (int64_t i = 0; i < n; i++)
                ((float *)p)[i] = -((float *)p)[i];
    }
}

/* Elements [at, at + n) of the walk as one line, of an operand that is not contiguous there. */
static void move_line(const struct walk *k, int o, int64_t at, int64_t n, char *buffer, bool out)
{
    int64_t size = size_of(k->w->operand[o].dtype), index[CTI_MAX_DIMS];
    char *p = k->data[o];
    for (int d = 0; d < k->ndim; d++) {
        index[d] = at % k->shape[d];
        at /= k->shape[d];
        p += index[d] * k->bstride[o][d];
    }
    while (n > 0) {
        int64_t run = k->shape[0] - index[0];
        run = run < n ? run : n;
        if (out)
            cti_cpu_unpack(p, buffer, k->bstride[o][0], run, size);
        else
            cti_cpu_pack(buffer, p, k->bstride[o][0], run, size);
        buffer += run * size;
        n -= run;
        p -= index[0] * k->bstride[o][0];
        index[0] = 0;
        for (int d = 1; d < k->ndim; d++) {
            p += k->bstride[o][d];
            if (++index[d] < k->shape[d])
                break;
            p -= index[d] * k->bstride[o][d];
            index[d] = 0;
        }
    }
}

/* Brings operand o's part of a block in; returns where the steps find it. rows > 1: a tile, whose
 * rows follow each other `n` elements apart. line_at >= 0: elements of the walk as one line. */
static char *bring_in(struct frame *f, int o, int64_t first, int64_t n, int64_t rows,
                      int64_t line_at)
{
    const struct walk *k = f->k;
    const struct cti_operand *p = &k->w->operand[o];
    const struct way *y = &k->way[o];
    int64_t size = size_of(p->dtype);
    char *at = f->base[o] + first * k->bstride[o][0];
    if (y->row_number)
        return at;
    if (y->number) {
        if (y->raw_buffer < 0)
            return k->data[o];
        cti_cpu_spread(f->buffer[y->raw_buffer], k->data[o], n * rows, size);
        at = f->buffer[y->raw_buffer];
    } else if (line_at >= 0) {
        at = k->data[o] + line_at * size;
        if (!y->direct) {
            move_line(k, o, line_at, n, f->buffer[y->raw_buffer], false);
            at = f->buffer[y->raw_buffer];
        }
    } else if (y->transposed) {
        cti_cpu_transpose(f->buffer[y->raw_buffer], n * size, at, k->bstride[o][0], rows, n, size);
        at = f->buffer[y->raw_buffer];
    } else if (!y->direct) {
        for (int64_t r = 0; r < rows; r++) {
            char *to = f->buffer[y->raw_buffer] + r * n * size;
            const char *from = at + (k->ndim > 1 ? r * k->bstride[o][1] : 0);
            if (k->bstride[o][0] == 0)
                cti_cpu_spread(to, from, n, size);
            else
                cti_cpu_pack(to, from, k->bstride[o][0], n, size);
        }
        at = f->buffer[y->raw_buffer];
    }
    if (y->cast) {
        cti_cast_loop *cast = cti_cpu_find_cast((enum ct_dtype)p->compute, (enum ct_dtype)p->dtype);
        int64_t wide = size_of(p->compute);
        if (y->direct && rows > 1)
            for (int64_t r = 0; r < rows; r++)
                cast(f->buffer[y->buffer] + r * n * wide, at + r * k->bstride[o][1], n);
        else
            cast(f->buffer[y->buffer], at, n * rows);
        at = f->buffer[y->buffer];
    } else if (y->flagged && y->buffer >= 0) {
        for (int64_t r = 0; r < rows; r++)
            memcpy(f->buffer[y->buffer] + r * n * size,
                   at + (k->ndim > 1 ? r * k->bstride[o][1] : 0), (size_t)(n * size));
        at = f->buffer[y->buffer];
    }
    if (y->flagged)
        apply_flags(at, p->compute, p->flags, n * rows);
    return at;
}

/* An input of another type than its step wants, or a number that must be a block. */
static char *make_fit(const struct walk *k, int s, int i, char *from, char *to, bool number,
                      int64_t n)
{
    const struct cti_step *step = &k->w->step[s];
    uint8_t have = k->w->slot_dtype[step->in[i]], want = wanted(step, i);
    if (have != want)
        cti_cpu_find_cast((enum ct_dtype)want, (enum ct_dtype)have)(to, from, number ? 1 : n);
    else
        memcpy(to, from, (size_t)size_of(want)); /* a number */
    if (k->spread[s] >> i & 1) {
        char one[16];
        memcpy(one, to, (size_t)size_of(want));
        cti_cpu_spread(to, one, n, size_of(want));
    }
    return to;
}

/* All steps over n elements whose operands lie at slot[]. */
static void run_steps(struct frame *f, char **slot, int64_t n)
{
    const struct walk *k = f->k;
    const struct cti_pointwise *w = k->w;
    for (int s = 0; s < w->nsteps; s++) {
        const struct cti_step *step = &w->step[s];
        char *p[1 + CTI_MAX_INPUTS];
        unsigned numbers = 0;
        if (step->out >= w->noperands)
            slot[step->out] = f->buffer[k->slot_buffer[step->out]];
        p[0] = slot[step->out];
        for (int i = 0; i < step->nin; i++) {
            bool number = is_plain_number(k, step->in[i]);
            p[1 + i] = slot[step->in[i]];
            if (k->step_buffer[s][i] >= 0)
                p[1 + i] = make_fit(k, s, i, p[1 + i], f->buffer[k->step_buffer[s][i]], number, n);
            if (number && !((step->params | k->spread[s]) >> i & 1))
                numbers |= 1u << i;
        }
        k->loop[s](p, numbers, n);
    }
}

/* A program without steps: what was brought in is the result. */
static char *copy_block(const struct walk *k, char *from, char *to, bool cast, int64_t n)
{
    if (cast)
        return from;
    if (from != to)
        memcpy(to, from, (size_t)(n * size_of(k->w->operand[0].dtype)));
    return to;
}

/* One block of a copy that transposes: from memory to memory, or cast on the way out of a buffer.
 */
static void turn_block(struct frame *f, int64_t first, int64_t n, int64_t rows)
{
    const struct walk *k = f->k;
    const struct cti_operand *out = &k->w->operand[0], *in = &k->w->operand[1];
    int64_t size = size_of(in->dtype), step = k->bstride[0][1];
    char *to = f->base[0] + first * k->bstride[0][0];
    const char *from = f->base[1] + first * k->bstride[1][0];
    if (out->dtype == in->dtype) {
        cti_cpu_transpose(to, step, from, k->bstride[1][0], rows, n, size);
        return;
    }
    cti_cast_loop *cast = cti_cpu_find_cast((enum ct_dtype)out->dtype, (enum ct_dtype)in->dtype);
    cti_cpu_transpose(f->buffer[0], n * size, from, k->bstride[1][0], rows, n, size);
    if (step == n * size_of(out->dtype))
        cast(to, f->buffer[0], n * rows);
    else
        for (int64_t r = 0; r < rows; r++)
            cast(to + r * step, f->buffer[0] + r * n * size, n);
}

/* One block: n elements of `rows` rows, or of the line from line_at on. */
static void run_block(struct frame *f, int64_t first, int64_t n, int64_t rows, int64_t line_at)
{
    const struct walk *k = f->k;
    const struct cti_pointwise *w = k->w;
    char *in[CTI_MAX_OPERANDS], *slot[CTI_MAX_SLOTS];
    if (k->turned) {
        turn_block(f, first, n, rows);
        return;
    }
    for (int o = w->nout; o < w->noperands; o++)
        in[o] = bring_in(f, o, first, n, rows, line_at);
    for (int64_t r = 0; r < rows; r++) {
        for (int o = w->nout; o < w->noperands; o++) {
            const struct way *y = &k->way[o];
            bool in_place = (y->direct || y->row_number) && !y->cast && !y->flagged;
            int64_t step = y->number && y->raw_buffer < 0 ? 0
                           : in_place                     ? (k->ndim > 1 ? k->bstride[o][1] : 0)
                                                          : n * size_of(w->operand[o].compute);
            slot[o] = in[o] + r * step;
        }
        const struct way *y = &k->way[0];
        const struct cti_operand *out = &w->operand[0];
        int64_t size = size_of(out->dtype);
        char *at = line_at >= 0 ? k->data[0] + line_at * size
                                : f->base[0] + first * k->bstride[0][0] +
                                      (k->ndim > 1 ? r * k->bstride[0][1] : 0);
        char *raw = y->direct ? at : y->raw_buffer >= 0 ? f->buffer[y->raw_buffer] : slot[1];
        slot[0] = y->cast ? f->buffer[y->buffer] : raw;
        if (!w->nsteps)
            slot[0] = copy_block(k, slot[1], slot[0], y->cast, n);
        run_steps(f, slot, n);
        if (y->cast)
            cti_cpu_find_cast((enum ct_dtype)out->dtype, (enum ct_dtype)out->compute)(raw, slot[0],
                                                                                      n);
        if (y->direct)
            continue;
        if (line_at >= 0)
            move_line(k, 0, line_at, n, raw, true);
        else
            cti_cpu_unpack(at, raw, k->bstride[0][0], n, size);
    }
}

static void start_frame(struct frame *f, const struct walk *k, char *scratch)
{
    f->k = k;
    int64_t each = k->nbuffers ? SCRATCH_BYTES / k->nbuffers / LINE_BYTES * LINE_BYTES : 0;
    for (int b = 0; b < k->nbuffers; b++)
        f->buffer[b] = scratch + b * each;
    for (int o = 0; o < k->w->noperands; o++)
        f->base[o] = k->data[o];
}

static void run_line(void *context, int64_t begin, int64_t end)
{
    const struct walk *k = context;
    _Alignas(LINE_BYTES) char scratch[SCRATCH_BYTES];
    struct frame f;
    start_frame(&f, k, scratch);
    for (int64_t at = begin; at < end; at += k->block) {
        int64_t n = end - at < k->block ? end - at : k->block;
        run_block(&f, 0, n, 1, at);
    }
}

/* Where a unit begins, a tile of rows at a place of the outer dims; its number of rows. */
static inline int64_t start_unit(const struct walk *k, int64_t unit, char **base)
{
    int64_t tiles = k->ndim > 1 ? (k->shape[1] + k->rows - 1) / k->rows : 1;
    int64_t row = unit % tiles * k->rows, rest = unit / tiles, rows = 1;
    if (k->ndim > 1)
        rows = k->shape[1] - row < k->rows ? k->shape[1] - row : k->rows;
    for (int o = 0; o < k->w->noperands; o++)
        base[o] = k->data[o] + (k->ndim > 1 ? row * k->bstride[o][1] : 0);
    for (int d = 2; d < k->ndim; d++, rest /= k->shape[d - 1])
        for (int o = 0; o < k->w->noperands; o++)
            base[o] += rest % k->shape[d] * k->bstride[o][d];
    return rows;
}

/* Units of a copy; of a single dim, its elements. */
static void run_moves(void *context, int64_t begin, int64_t end)
{
    const struct walk *k = context;
    struct cti_rows rows = {.rows = 1,
                            .n = k->shape[0],
                            .itemsize = size_of(k->w->operand[0].dtype),
                            .dst_bstride = k->bstride[0][0],
                            .src_bstride = k->bstride[1][0]};
    if (k->ndim == 1) {
        rows.n = end - begin;
        cti_cpu_move_rows(k->data[0] + begin * rows.dst_bstride,
                          k->data[1] + begin * rows.src_bstride, &rows);
        return;
    }
    rows.dst_row = k->bstride[0][1];
    rows.src_row = k->bstride[1][1];
    for (int64_t unit = begin; unit < end; unit++) {
        char *base[2];
        rows.rows = start_unit(k, unit, base);
        cti_cpu_move_rows(base[0], base[1], &rows);
    }
}

/* Each unit runs along the inner dim block by block. */
static void run_rows(void *context, int64_t begin, int64_t end)
{
    const struct walk *k = context;
    _Alignas(LINE_BYTES) char scratch[SCRATCH_BYTES];
    struct frame f;
    start_frame(&f, k, scratch);
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t rows = start_unit(k, unit, f.base);
        for (int64_t at = 0; at < k->shape[0]; at += k->block) {
            int64_t n = k->shape[0] - at < k->block ? k->shape[0] - at : k->block;
            run_block(&f, at, n, rows, -1);
        }
    }
}

/* One step and nothing to bring in or out: the loop runs over each row where it lies. */
static void run_plain_rows(void *context, int64_t begin, int64_t end)
{
    const struct walk *k = context;
    const struct cti_step *step = &k->w->step[0];
    int64_t index[CTI_MAX_DIMS], rest = begin;
    char *p[1 + CTI_MAX_INPUTS];
    uint8_t operand[1 + CTI_MAX_INPUTS] = {0};
    unsigned numbers = 0;
    for (int i = 0; i <= step->nin; i++) {
        operand[i] = i ? step->in[i - 1] : 0;
        p[i] = k->data[operand[i]];
        if (i && !(step->params >> (i - 1) & 1) && is_plain_number(k, operand[i]))
            numbers |= 1u << (i - 1);
    }
    for (int d = 1; d < k->ndim; d++, rest /= k->shape[d - 1]) {
        index[d] = rest % k->shape[d];
        for (int i = 0; i <= step->nin; i++)
            p[i] += index[d] * k->bstride[operand[i]][d];
    }
    for (int64_t row = begin; row < end; row++) {
        k->loop[0](p, numbers, k->shape[0]);
        for (int d = 1; d < k->ndim; d++) {
            bool wraps = ++index[d] == k->shape[d];
            int64_t back = wraps ? k->shape[d] - 1 : -1;
            for (int i = 0; i <= step->nin; i++)
                p[i] -= back * k->bstride[operand[i]][d];
            if (!wraps)
                break;
            index[d] = 0;
        }
    }
}

/* A single dim: threads share its elements. */
static void run_single(void *context, int64_t begin, int64_t end)
{
    const struct walk *k = context;
    _Alignas(LINE_BYTES) char scratch[SCRATCH_BYTES];
    struct frame f;
    start_frame(&f, k, scratch);
    for (int64_t at = begin; at < end; at += k->block) {
        int64_t n = end - at < k->block ? end - at : k->block;
        run_block(&f, at, n, 1, -1);
    }
}

struct direct {
    cti_loop *loop;
    char *p[1 + CTI_MAX_INPUTS];
    int64_t bstride[1 + CTI_MAX_INPUTS];
    int n;
    unsigned numbers;
};

static void run_direct(void *context, int64_t begin, int64_t end)
{
    const struct direct *d = context;
    char *p[1 + CTI_MAX_INPUTS];
    for (int i = 0; i < d->n; i++)
        p[i] = d->p[i] + begin * d->bstride[i];
    d->loop(p, d->numbers, end - begin);
}

/* The common case without any of the above: one step, one dim, nothing to pack or cast. */
static bool try_direct(const struct cti_pointwise *w)
{
    const struct cti_step *step = &w->step[0];
    if (w->nsteps != 1 || w->ndim > 1)
        return false;
    int64_t n = w->ndim ? w->shape[0] : 1;
    struct direct d;
    d.numbers = 0;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *p = &w->operand[o];
        int64_t s = n > 1 ? p->bstride[0] : 0;
        if (p->dtype != p->compute || p->flags || (o && w->slot_dtype[o] != wanted(step, o - 1)))
            return false;
        if (n > 1 && s != size_of(p->dtype)) {
            if (s != 0 || o < w->nout)
                return false;
            if (!(step->params >> (o - 1) & 1)) {
                if (!takes_number(step, o - 1, d.numbers))
                    return false;
                d.numbers |= 1u << (o - 1);
            }
        }
        d.p[o] = p->data;
        d.bstride[o] = s;
    }
    d.n = w->noperands;
    d.loop = cti_cpu_find_loop(step->row, (enum ct_dtype)step->dtype);
    if (n <= GRAIN)
        d.loop(d.p, d.numbers, n);
    else
        cti_parallel_for(n, GRAIN, run_direct, &d);
    return true;
}

static inline bool is_half(uint8_t dtype)
{
    return dtype == CT_FLOAT16 || dtype == CT_BFLOAT16;
}

/* The same for one step over halves, where its row has a loop for them: numbers are float32. */
static bool try_halves(const struct cti_pointwise *w)
{
    const struct cti_step *step = &w->step[0];
    uint8_t half = w->operand[0].dtype;
    if (w->nsteps != 1 || w->ndim > 1 || !is_half(half) || step->dtype != CT_FLOAT32)
        return false;
    int64_t n = w->ndim ? w->shape[0] : 1;
    float number[1 + CTI_MAX_INPUTS];
    struct direct d = {.loop = cti_cpu_find_loop(step->row, (enum ct_dtype)half),
                       .n = w->noperands};
    if (!d.loop)
        return false;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *p = &w->operand[o];
        d.p[o] = p->data;
        d.bstride[o] = p->dtype == half && n > 1 ? p->bstride[0] : 0;
        if (p->flags || (p->dtype != half && p->dtype != CT_FLOAT32) ||
            (o == 0 && p->compute != CT_FLOAT32))
            return false;
        if (p->dtype == half && (d.bstride[o] == 2 || n == 1))
            continue;
        if (o < w->nout || (p->dtype == half && d.bstride[o]) ||
            (p->dtype != half && n > 1 && p->bstride[0]))
            return false;
        if (p->dtype == half) {
            number[o] = half == CT_FLOAT16 ? ctm_f32_from_f16(*(const uint16_t *)p->data)
                                           : ctm_f32_from_bf16(*(const uint16_t *)p->data);
            d.p[o] = (char *)&number[o];
        }
        if (step->params >> (o - 1) & 1)
            continue;
        if (d.numbers || tensors_of(step) != 2)
            return false;
        d.numbers |= 1u << (o - 1);
    }
    if (n <= GRAIN)
        d.loop(d.p, d.numbers, n);
    else
        cti_parallel_for(n, GRAIN, run_direct, &d);
    return true;
}

/* One line, without steps, in its own memory: a copy, a cast or a fill. */
static void run_move(void *context, int64_t begin, int64_t end)
{
    const struct walk *k = context;
    const struct cti_operand *out = &k->w->operand[0], *in = &k->w->operand[1];
    int64_t size = size_of(out->dtype), from = size_of(in->dtype), n = end - begin;
    char *to = k->data[0] + begin * size;
    if (k->way[1].number)
        cti_cpu_spread(to, k->data[1], n, size);
    else if (k->way[0].cast)
        cti_cpu_find_cast((enum ct_dtype)out->dtype,
                          (enum ct_dtype)in->dtype)(to, k->data[1] + begin * from, n);
    else
        memcpy(to, k->data[1] + begin * from, (size_t)(n * size));
}

static bool is_move(const struct walk *k)
{
    const struct way *out = &k->way[0], *in = &k->way[1];
    return !k->w->nsteps && (k->ndim == 1 || k->line) && out->direct && !in->cast && !in->flagged &&
           (in->number ? !out->cast : in->direct);
}

/* Kept apart from the common case: the walk is large. */
static __attribute__((noinline)) void run_walk(const struct cti_pointwise *w)
{
    struct walk k;
    k.w = w;
    for (int o = 0; o < w->noperands; o++)
        k.data[o] = w->operand[o].data;
    for (int s = 0; s < w->nsteps; s++)
        k.loop[s] = cti_cpu_find_loop(w->step[s].row, (enum ct_dtype)w->step[s].dtype);
    lay_out(&k);
    choose_ways(&k);
    k.turned = only_turns(&k);
    k.line = k.line && !k.turned;
    if (is_move(&k)) {
        cti_parallel_for(k.total, GRAIN, run_move, &k);
        return;
    }
    k.moved = only_moves(&k);
    k.line = k.line && !k.moved;
    if (!k.moved)
        give_buffers(&k);
    size_blocks(&k);
    if (k.line) {
        cti_parallel_for(k.total, GRAIN, run_line, &k);
    } else if (k.ndim == 1) {
        cti_parallel_for(k.total, GRAIN, k.moved ? run_moves : run_single, &k);
    } else {
        int64_t tiles = (k.shape[1] + k.rows - 1) / k.rows;
        int64_t units = k.total / k.shape[0] / k.shape[1] * tiles;
        int64_t grain = GRAIN / (k.shape[0] * k.rows);
        bool plain = w->nsteps == 1 && !k.nbuffers;
        cti_parallel_for(units, grain ? grain : 1,
                         k.moved ? run_moves
                         : plain ? run_plain_rows
                                 : run_rows,
                         &k);
    }
}

bool cti_cpu_pointwise(const struct cti_pointwise *w)
{
    for (int d = 0; d < w->ndim; d++)
        if (w->shape[d] == 0)
            return true;
    if (!try_direct(w) && !try_halves(w))
        run_walk(w);
    return true;
}
