/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the best loop for the machine: AVX-512 where a row has one, else AVX2, else baseline. */
#include "cpu/loops.h"

#include "cpu/isa.h"

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
