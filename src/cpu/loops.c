/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the best loop for the machine: AVX-512 where a row has one, else AVX2, else baseline; and
 * runs one with results that go past the caches. */
#include "cpu/loops.h"

#include "core/backend.h"
#include "cpu/isa.h"
#include "cpu/pack.h"

#include <string.h>

#define STREAMED 2048 /* bytes of a block: with more, what is fetched ahead comes out of step */

#define DECLARE(isa)                                                                               \
    extern cti_loop *const cti_loop_##isa##_table[CTI_ROW_COUNT][CT_DTYPE_COUNT];                  \
    extern cti_cast_loop *const cti_loop_##isa##_casts[CT_DTYPE_COUNT][CT_DTYPE_COUNT];

DECLARE(baseline)
#if CT_HAVE_AVX2
DECLARE(avx2)
#endif
#if CT_HAVE_AVX512
DECLARE(avx512)
#endif

cti_loop *cti_cpu_find_loop(uint16_t row, enum ct_dtype dtype)
{
    enum cti_isa isa = cti_cpu_isa();
#if CT_HAVE_AVX512
    if (isa >= CTI_ISA_AVX512 && cti_loop_avx512_table[row][dtype])
        return cti_loop_avx512_table[row][dtype];
#endif
#if CT_HAVE_AVX2
    if (isa >= CTI_ISA_AVX2 && cti_loop_avx2_table[row][dtype])
        return cti_loop_avx2_table[row][dtype];
#endif
    (void)isa;
    return cti_loop_baseline_table[row][dtype];
}

cti_cast_loop *cti_cpu_find_cast(enum ct_dtype to, enum ct_dtype from)
{
    enum cti_isa isa = cti_cpu_isa();
#if CT_HAVE_AVX512
    if (isa >= CTI_ISA_AVX512)
        return cti_loop_avx512_casts[to][from];
#endif
#if CT_HAVE_AVX2
    if (isa >= CTI_ISA_AVX2)
        return cti_loop_avx2_casts[to][from];
#endif
    (void)isa;
    return cti_loop_baseline_casts[to][from];
}

void cti_cpu_run_streamed(cti_loop *loop, char *const *p, const int64_t *bstride, int count,
                          unsigned numbers, int64_t n)
{
    _Alignas(64) char buffer[STREAMED];
    char *at[1 + CTI_MAX_INPUTS], *out = p[0];
    int64_t size = bstride[0], head = (-(int64_t)(uintptr_t)out & 63) / size;
    memcpy(at, p, (size_t)count * sizeof *at);
    at[0] = buffer;
    for (int64_t done = 0, step; done < n; done += step, out += step * size) {
        step = done == 0 && head ? head : STREAMED / size;
        step = step < n - done ? step : n - done;
        loop(at, numbers, step);
        cti_cpu_stream(out, buffer, step * size);
        for (int i = 1; i < count; i++)
            at[i] += step * bstride[i];
    }
}
