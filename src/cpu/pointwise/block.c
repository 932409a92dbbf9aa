/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a pointwise program block by block, so that values between its steps stay in L1: loads
 * operands, runs the steps, stores the result (Note [Block paths]). Called by pointwise.c after
 * cti_walk_cut_blocks; independent of the operations. */
#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/scratch.h"
#include "cpu/pointwise/pack.h"
#include "cpu/pointwise/stream.h"
#include "cpu/pointwise/walk.h"
#include "math/math.h"

#include <string.h>

/* ---- one block ---- */

struct frame {
    const struct cti_walk *k;
    char *buffer[CTI_WALK_BUFFERS];
    char *base[CTI_MAX_OPERANDS]; /* of the current row (or the tile's first row) */
    char *kept[CTI_MAX_OPERANDS]; /* loaded operands that are the same in every block */
};

#define NEGATE(type)                                                                               \
    for (int64_t i = 0; i < n; i++)                                                                \
    ((type *)p)[i] = (type) - ((type *)p)[i]

/* Applies the lazy conj and neg flags: the only arithmetic that does not use a generated loop. */
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
        return;
    }
    if (!(flags & CTI_NEG))
        return;
    if (dtype == CT_FLOAT64)
        NEGATE(double);
    else if (dtype == CT_FLOAT32)
        NEGATE(float);
    else if (ct_dtype_is_floating(dtype)) /* halves: flip the sign bit */
        for (int64_t i = 0; i < n; i++)
            ((uint16_t *)p)[i] ^= 0x8000;
    else if (cti_walk_itemsize(dtype) == 8)
        NEGATE(uint64_t); /* unsigned: the lowest int64_t maps to itself */
    else if (cti_walk_itemsize(dtype) == 4)
        NEGATE(uint32_t);
    else if (cti_walk_itemsize(dtype) == 2)
        NEGATE(uint16_t);
    else
        NEGATE(uint8_t);
}

/* Copies elements [at, at + n) of the shape, counted in row-major order, between a strided operand
 * and a buffer: partial rows at both ends, and the full rows between them in one call. */
static void move_line(const struct cti_walk *k, int o, int64_t at, int64_t n, char *buffer,
                      bool out)
{
    int64_t size = cti_walk_itemsize(k->w->operand[o].dtype), index[CTI_MAX_DIMS];
    const int64_t *bstride = k->bstride[o], *shape = k->shape;
    char *p = k->data[o];
    for (int d = 0; d < k->ndim; d++) {
        index[d] = at % shape[d];
        at /= shape[d];
        p += index[d] * bstride[d];
    }
    while (n > 0) {
        int64_t run = shape[0] - index[0], rows = 1;
        if (run > n)
            run = n;
        else if (index[0] == 0)
            rows = n / run < shape[1] - index[1] ? n / run : shape[1] - index[1];
        struct cti_rows part = {.rows = rows, .n = run, .itemsize = size};
        *(out ? &part.dst_bstride : &part.src_bstride) = bstride[0];
        *(out ? &part.dst_row : &part.src_row) = bstride[1];
        *(out ? &part.src_bstride : &part.dst_bstride) = size;
        *(out ? &part.src_row : &part.dst_row) = run * size;
        cti_cpu_move_rows(out ? p : buffer, out ? buffer : p, &part);
        buffer += rows * run * size;
        n -= rows * run;
        p += rows * bstride[1] - index[0] * bstride[0];
        index[0] = 0;
        index[1] += rows;
        for (int d = 1; index[d] == shape[d] && d + 1 < k->ndim; d++) {
            p += bstride[d + 1] - index[d] * bstride[d];
            index[d] = 0;
            index[d + 1]++;
        }
    }
}

/* Loads operand o's part of a block if necessary and returns its address. With rows > 1 the block
 * is a tile, whose rows are stored n elements apart. With line_at >= 0 the block starts at that
 * element, counted over the whole shape. */
static char *load_operand(struct frame *f, int o, int64_t first, int64_t n, int64_t rows,
                          int64_t line_at)
{
    const struct cti_walk *k = f->k;
    const struct cti_operand *p = &k->w->operand[o];
    const struct cti_operand_path *y = &k->path[o];
    int64_t size = cti_walk_itemsize(p->dtype);
    char *at = f->base[o] + first * k->bstride[o][0];
    if (y->row_number)
        return at;
    if (f->kept[o])
        return f->kept[o];
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
        enum ct_dtype compute = (enum ct_dtype)p->compute;
        int64_t wide = cti_walk_itemsize(p->compute);
        if (y->direct && rows > 1)
            for (int64_t r = 0; r < rows; r++)
                cti_cpu_cast(compute, f->buffer[y->buffer] + r * n * wide, p->dtype,
                             at + r * k->bstride[o][1], n);
        else
            cti_cpu_cast(compute, f->buffer[y->buffer], p->dtype, at, n * rows);
        at = f->buffer[y->buffer];
    } else if (y->flagged && y->buffer >= 0) {
        for (int64_t r = 0; r < rows; r++)
            memcpy(f->buffer[y->buffer] + r * n * size,
                   at + (k->ndim > 1 ? r * k->bstride[o][1] : 0), (size_t)(n * size));
        at = f->buffer[y->buffer];
    }
    if (y->flagged)
        apply_flags(at, p->compute, p->flags, n * rows);
    if (y->repeats)
        f->kept[o] = at;
    return at;
}

/* Converts an input to the type that the step requires, or fills a block with a number. */
static char *convert_input(const struct cti_walk *k, int s, int i, char *from, char *to,
                           bool number, int64_t n)
{
    const struct cti_step *step = &k->w->step[s];
    uint8_t have = k->w->slot_dtype[step->in[i]], want = cti_step_wanted(step, i);
    if (have != want)
        cti_cpu_cast((enum ct_dtype)want, to, (enum ct_dtype)have, from, number ? 1 : n);
    else
        memcpy(to, from, (size_t)cti_walk_itemsize(want)); /* a number */
    if (k->spread[s] >> i & 1) {
        char one[16];
        memcpy(one, to, (size_t)cti_walk_itemsize(want));
        cti_cpu_spread(to, one, n, cti_walk_itemsize(want));
    }
    return to;
}

/* Runs all steps over n elements; slot[] has the addresses of operands. */
static void run_steps(struct frame *f, char **slot, int64_t n)
{
    const struct cti_walk *k = f->k;
    const struct cti_pointwise *w = k->w;
    for (int s = 0; s < w->nsteps; s++) {
        const struct cti_step *step = &w->step[s];
        char *p[1 + CTI_MAX_INPUTS];
        unsigned numbers = 0;
        if (step->out >= w->noperands)
            slot[step->out] = f->buffer[k->slot_buffer[step->out]];
        p[0] = slot[step->out];
        for (int i = 0; i < step->nin; i++) {
            bool number = cti_walk_is_plain_number(k, step->in[i]);
            p[1 + i] = slot[step->in[i]];
            if (k->step_buffer[s][i] >= 0)
                p[1 + i] =
                    convert_input(k, s, i, p[1 + i], f->buffer[k->step_buffer[s][i]], number, n);
            if (number && !((step->params | k->spread[s]) >> i & 1))
                numbers |= 1u << i;
        }
        k->loop[s](p, numbers, n);
    }
}

/* A program without steps: the loaded operand is the result. */
static char *copy_block(const struct cti_walk *k, char *from, char *to, bool cast, int64_t n)
{
    if (cast)
        return from;
    if (from != to)
        memcpy(to, from, (size_t)(n * cti_walk_itemsize(k->w->operand[0].dtype)));
    return to;
}

/* Runs one block: n elements of each of `rows` rows, or, with line_at >= 0, n elements from there
 * on. */
static void run_block(struct frame *f, int64_t first, int64_t n, int64_t rows, int64_t line_at)
{
    const struct cti_walk *k = f->k;
    const struct cti_pointwise *w = k->w;
    char *in[CTI_MAX_OPERANDS], *slot[CTI_MAX_SLOTS];
    _Alignas(CTI_WALK_CACHE_LINE) char result[CTI_WALK_BLOCK * 16];
    for (int o = w->nout; o < w->noperands; o++)
        in[o] = load_operand(f, o, first, n, rows, line_at);
    bool past = k->streamed && k->path[0].direct && n <= CTI_WALK_BLOCK;
    for (int64_t r = 0; r < rows; r++) {
        for (int o = w->nout; o < w->noperands; o++) {
            const struct cti_operand_path *y = &k->path[o];
            bool in_place = (y->direct || y->row_number) && !y->cast && !y->flagged;
            int64_t step = y->number && y->raw_buffer < 0 ? 0
                           : in_place                     ? (k->ndim > 1 ? k->bstride[o][1] : 0)
                                      : n * cti_walk_itemsize(w->operand[o].compute);
            slot[o] = in[o] + r * step;
        }
        const struct cti_operand_path *y = &k->path[0];
        const struct cti_operand *out = &w->operand[0];
        int64_t size = cti_walk_itemsize(out->dtype);
        char *at = line_at >= 0 ? k->data[0] + line_at * size
                                : f->base[0] + first * k->bstride[0][0] +
                                      (k->ndim > 1 ? r * k->bstride[0][1] : 0);
        char *raw = past                 ? result
                    : y->direct          ? at
                    : y->raw_buffer >= 0 ? f->buffer[y->raw_buffer]
                                         : slot[1];
        slot[0] = y->cast ? f->buffer[y->buffer] : raw;
        if (!w->nsteps)
            slot[0] = copy_block(k, slot[1], slot[0], y->cast, n);
        run_steps(f, slot, n);
        if (y->cast)
            cti_cpu_cast(out->dtype, raw, (enum ct_dtype)out->compute, slot[0], n);
        if (past)
            cti_cpu_stream(at, result, n * size);
        if (y->direct)
            continue;
        if (line_at >= 0)
            move_line(k, 0, line_at, n, raw, true);
        else
            cti_cpu_unpack(at, raw, k->bstride[0][0], n, size);
    }
}

/* ---- all blocks ---- */

static void start_frame(struct frame *f, const struct cti_walk *k, char *scratch)
{
    f->k = k;
    int64_t each = k->nbuffers
                       ? CTI_WALK_SCRATCH / k->nbuffers / CTI_WALK_CACHE_LINE * CTI_WALK_CACHE_LINE
                       : 0;
    for (int b = 0; b < k->nbuffers; b++)
        f->buffer[b] = scratch + b * each;
    for (int o = 0; o < k->w->noperands; o++) {
        f->base[o] = k->data[o];
        f->kept[o] = NULL;
    }
}

/* A single dim, or a shape treated as one line: threads divide its elements. */
static void run_line(void *context, int64_t begin, int64_t end)
{
    const struct cti_walk *k = context;
    char *scratch = cti_scratch_take();
    struct frame f;
    start_frame(&f, k, scratch);
    for (int64_t at = begin; at < end; at += k->block) {
        int64_t n = end - at < k->block ? end - at : k->block;
        run_block(&f, k->line ? 0 : at, n, 1, k->line ? at : -1);
    }
    if (k->streamed)
        cti_cpu_stream_end();
    cti_scratch_release(scratch);
}

/* Each unit is a tile of rows, processed block by block along the inner dim. */
static void run_rows(void *context, int64_t begin, int64_t end)
{
    const struct cti_walk *k = context;
    char *scratch = cti_scratch_take();
    struct frame f;
    start_frame(&f, k, scratch);
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t rows = cti_walk_start_unit(k, unit, f.base);
        for (int64_t at = 0; at < k->shape[0]; at += k->block) {
            int64_t n = k->shape[0] - at < k->block ? k->shape[0] - at : k->block;
            run_block(&f, at, n, rows, -1);
            if (cti_interrupted_at(at / k->block, 16))
                break;
        }
    }
    if (k->streamed)
        cti_cpu_stream_end();
    cti_scratch_release(scratch);
}

/* ---- one step with nothing to load or store: the loop runs in place ---- */

struct plain {
    const struct cti_walk *k;
    int n; /* number of pointers of the loop */
    unsigned numbers;
    int64_t along[1 + CTI_MAX_INPUTS],
        row_step[1 + CTI_MAX_INPUTS]; /* bytes to the next element, to the next row */
};

/* For half types combined with a number: the loop expects the number as float32. */
static void run_half_part(const struct plain *a, char *const *row, int64_t n)
{
    const struct cti_walk *k = a->k;
    char *p[1 + CTI_MAX_INPUTS];
    float number;
    memcpy(p, row, (size_t)a->n * sizeof *p);
    for (int i = 1; i < a->n; i++) {
        uint8_t dtype = k->w->operand[k->w->step[0].in[i - 1]].dtype;
        if (!(a->numbers >> (i - 1) & 1) || dtype == CT_FLOAT32)
            continue;
        uint16_t bits = *(const uint16_t *)(const void *)row[i];
        number = dtype == CT_FLOAT16 ? ctm_f32_from_f16(bits) : ctm_f32_from_bf16(bits);
        p[i] = (char *)&number;
    }
    k->loop[0](p, a->numbers, n);
}

/* Sets the loop's pointers to element `first` of a unit's first row. Returns the number of rows
 * from there to the end of the second dim. */
static int64_t seek(const struct plain *a, int64_t unit, int64_t first, char **p)
{
    const struct cti_walk *k = a->k;
    char *base[CTI_MAX_OPERANDS];
    cti_walk_start_unit(k, unit, base);
    for (int i = 0; i < a->n; i++)
        p[i] = base[i ? k->w->step[0].in[i - 1] : 0] + first * a->along[i];
    return k->shape[1] - unit % k->shape[1];
}

/* Writes elements [at, at + n) of all rows contiguously to `to`; NULL: to their final address. */
static void make_rows(const void *context, int64_t at, int64_t n, char *to)
{
    const struct plain *a = context;
    const struct cti_walk *k = a->k;
    const bool halves = k->halves && a->numbers;
    const int64_t whole = k->shape[0];
    char *p[1 + CTI_MAX_INPUTS];
    int64_t unit = at / whole, first = at % whole, left = 0;
    for (int64_t part; n > 0; n -= part, unit++, left--) {
        part = whole - first < n ? whole - first : n;
        if (left == 0)
            left = seek(a, unit, first, p);
        if (to) {
            p[0] = to;
            to += part * a->along[0];
        }
        if (halves)
            run_half_part(a, p, part);
        else
            k->loop[0](p, a->numbers, part);
        for (int i = 0; i < a->n; i++)
            p[i] += a->row_step[i] - first * a->along[i];
        first = 0;
    }
}

static void run_plain_rows(void *context, int64_t begin, int64_t end)
{
    const struct cti_walk *k = context;
    const struct cti_step *step = &k->w->step[0];
    struct plain a = {.k = k, .n = 1 + step->nin};
    int64_t n = k->shape[0], size = cti_walk_itemsize(k->w->operand[0].dtype), run = size;
    bool streamed = k->streamed;
    for (int d = 0; d < k->ndim; d++, run *= k->shape[d - 1])
        streamed = streamed && k->bstride[0][d] == run;
    for (int i = 0; i < a.n; i++) {
        uint8_t o = i ? step->in[i - 1] : 0;
        a.along[i] = k->bstride[o][0];
        a.row_step[i] = k->bstride[o][1];
        if (i && !(step->params >> (i - 1) & 1) && cti_walk_is_plain_number(k, o))
            a.numbers |= 1u << (i - 1);
    }
    /* Strips bound the time between checks for an interrupt, however long rows are. */
    const int64_t strip = 4 * CTI_WALK_GRAIN;
    for (int64_t at = begin * n, some; at < end * n; at += some) {
        some = end * n - at < strip ? end * n - at : strip;
        if (streamed)
            cti_cpu_stream_made(k->data[0], size, at, at + some, make_rows, &a);
        else
            make_rows(&a, at, some, NULL);
        if (cti_interrupted())
            return;
    }
}

void cti_walk_run_blocks(struct cti_walk *k)
{
    if (k->line || k->ndim == 1)
        cti_parallel_for(k->total, CTI_WALK_GRAIN, run_line, k);
    else if (k->w->nsteps == 1 && !k->nbuffers)
        cti_walk_for_units(k, run_plain_rows);
    else
        cti_walk_for_units(k, run_rows);
}
