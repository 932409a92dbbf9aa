/* SPDX-License-Identifier: BSD-3-Clause */
/* The pointwise engine. Runs the common case, one step over one dim, in place, and passes
 * everything else to copy.c or block.c as a struct cti_walk. Shapes and types are resolved by the
 * caller. */
#include "cpu/engines.h"

#include "core/parallel.h"
#include "cpu/pointwise/loops.h"
#include "cpu/pointwise/stream.h"
#include "cpu/pointwise/walk.h"
#include "math/math.h"

struct direct {
    cti_loop *loop;
    char *p[1 + CTI_MAX_INPUTS];
    int64_t bstride[1 + CTI_MAX_INPUTS];
    int n;
    unsigned numbers;
    bool streamed; /* the result is stored past the caches */
};

/* Computes elements [at, at + n) of the result at `to`. */
static void make_direct(const void *context, int64_t at, int64_t n, char *to)
{
    const struct direct *d = context;
    char *p[1 + CTI_MAX_INPUTS] = {to};
    for (int i = 1; i < d->n; i++)
        p[i] = d->p[i] + at * d->bstride[i];
    d->loop(p, d->numbers, n);
}

static void run_direct(void *context, int64_t begin, int64_t end)
{
    const struct direct *d = context;
    if (d->streamed)
        cti_cpu_stream_made(d->p[0], d->bstride[0], begin, end, make_direct, d);
    else
        make_direct(d, begin, end - begin, d->p[0] + begin * d->bstride[0]);
}

/* Divides many elements among threads, and stores past the caches if the working set exceeds
 * them. */
static void run_large(struct direct *d, const struct cti_pointwise *w, int64_t n)
{
    int64_t bytes = 0;
    bool apart = w->nout == 1;
    for (int i = 0; i < d->n; i++) {
        bytes += n * d->bstride[i];
        apart = apart && (i == 0 || d->p[i] != d->p[0]);
    }
    d->streamed = apart && cti_cpu_exceeds_caches(bytes);
    cti_parallel_for(n, CTI_WALK_GRAIN, run_direct, d);
}

/* The common case: one step, one dim, nothing to pack or cast. */
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
        if (p->dtype != p->compute || p->flags ||
            (o && w->slot_dtype[o] != cti_step_wanted(step, o - 1)))
            return false;
        if (n > 1 && s != cti_walk_itemsize(p->dtype)) {
            if (s != 0 || o < w->nout)
                return false;
            if (!(step->params >> (o - 1) & 1)) {
                if (!cti_step_takes_number(step, o - 1, d.numbers))
                    return false;
                d.numbers |= 1u << (o - 1);
            }
        }
        d.p[o] = p->data;
        d.bstride[o] = s;
    }
    d.n = w->noperands;
    d.loop = cti_cpu_find_loop(step->row, step->dtype);
    if (n <= CTI_WALK_GRAIN)
        d.loop(d.p, d.numbers, n);
    else
        run_large(&d, w, n);
    return true;
}

static inline bool is_half(uint8_t dtype)
{
    return dtype == CT_FLOAT16 || dtype == CT_BFLOAT16;
}

/* Like try_direct, for one step over a half type whose operation has a loop for it; numbers are
 * float32. */
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
        if (d.numbers || cti_step_tensors(step) != 2)
            return false;
        d.numbers |= 1u << (o - 1);
    }
    if (n <= CTI_WALK_GRAIN)
        d.loop(d.p, d.numbers, n);
    else
        run_large(&d, w, n);
    return true;
}

/* Not inlined, because struct cti_walk is large. */
static __attribute__((noinline)) void run_walk(const struct cti_pointwise *w)
{
    struct cti_walk k;
    cti_walk_begin(&k, w);
    if (cti_walk_try_copy(&k))
        return;
    cti_walk_cut_blocks(&k);
    cti_walk_run_blocks(&k);
}

enum cti_status cti_cpu_pointwise(struct cti_pointwise *w)
{
    for (int d = 0; d < w->ndim; d++)
        if (w->shape[d] == 0)
            return CTI_DONE;
    if (!try_direct(w) && !try_halves(w))
        run_walk(w);
    return CTI_DONE;
}
