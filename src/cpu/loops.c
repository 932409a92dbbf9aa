/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the best loop for the machine: AVX-512 where a row has one, else AVX2, else baseline; and
 * runs one with results that go past the caches. */
#include "cpu/loops.h"

#include "core/backend.h"
#include "cpu/isa.h"
#include "cpu/pack.h"

#include <string.h>

#define STREAMED 2048 /* bytes of a block: with more, what is fetched ahead comes out of step */

typedef cti_loop *const loop_table[CTI_ROW_COUNT][CT_DTYPE_COUNT];
typedef cti_cast_loop *const cast_table[CT_DTYPE_COUNT][CT_DTYPE_COUNT];
extern loop_table CTI_ISA_NAMES(cti_loop_table);
extern cast_table CTI_ISA_NAMES(cti_loop_casts);

cti_loop *cti_cpu_find_loop(uint16_t row, enum ct_dtype dtype)
{
    static loop_table *const loops[] = CTI_ISA_TABLE(cti_loop_table);
    cti_loop *loop = NULL;
    for (int isa = (int)cti_cpu_isa(); isa >= 0 && !loop; isa--)
        loop = (*loops[isa])[row][dtype];
    return loop;
}

cti_cast_loop *cti_cpu_find_cast(enum ct_dtype to, enum ct_dtype from)
{
    static cast_table *const casts[] = CTI_ISA_TABLE(cti_loop_casts);
    return (*casts[cti_cpu_isa()])[to][from];
}

/* The next n results, which may be of several rows, into a buffer; at[] and *along, the place in
 * the row, are moved on. */
static void fill_buffer(const struct cti_streamed *s, char **at, int64_t *along, char *buffer,
                        int64_t n)
{
    while (n > 0) {
        int64_t part = s->n - *along < n ? s->n - *along : n;
        at[0] = buffer;
        s->loop(at, s->numbers, part);
        buffer += part * s->bstride[0];
        n -= part;
        *along += part;
        bool whole = *along == s->n;
        for (int i = 1; i < s->count; i++)
            at[i] += part * s->bstride[i] + (whole ? s->row_bstride[i] - s->n * s->bstride[i] : 0);
        *along = whole ? 0 : *along;
    }
}

void cti_cpu_run_streamed(const struct cti_streamed *s)
{
    _Alignas(64) char buffer[STREAMED];
    char *at[1 + CTI_MAX_INPUTS], *out = s->p[0];
    int64_t size = s->bstride[0], step = (-(int64_t)(uintptr_t)out & 63) / size, along = 0;
    memcpy(at, s->p, (size_t)s->count * sizeof *at);
    for (int64_t left = s->n * s->rows; left > 0; left -= step, out += step * size) {
        if (!step || left < s->n * s->rows) /* the first ends where a cache line does */
            step = STREAMED / size;
        step = step < left ? step : left;
        fill_buffer(s, at, &along, buffer, step);
        cti_cpu_stream(out, buffer, step * size);
    }
}
