/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instruction set the CPU loops use. Files listed in cpu_isa_sources are compiled once for
 * each set, with CT_ISA naming it; their shared names go through CTI_ISA_NAME, and the caller picks
 * one by cti_cpu_isa(). CORTEN_ISA=baseline|avx2|avx512 in the environment forces a lower set.
 *
 *     extern const struct loops cti_loops_baseline, cti_loops_avx2, cti_loops_avx512;
 *     const struct loops CTI_ISA_NAME(cti_loops) = {...};     // in the file compiled three times
 */
#ifndef CORTEN_CPU_ISA_H
#define CORTEN_CPU_ISA_H

#include <stdint.h>

#define CTI_ISA_PASTE2(name, isa) name##_##isa
#define CTI_ISA_PASTE(name, isa) CTI_ISA_PASTE2(name, isa)
#define CTI_ISA_NAME(name) CTI_ISA_PASTE(name, CT_ISA)

/* Each set holds the ones before it. AVX2 stands for avx2, fma, f16c and bmi2; AVX512 for those and
 * avx512f, bw, dq, vl. */
enum cti_isa { CTI_ISA_BASELINE, CTI_ISA_AVX2, CTI_ISA_AVX512 };

/* The best set that this machine has, that was built, and that CORTEN_ISA allows. Asked of the
 * processor once; cheap afterwards. */
enum cti_isa cti_cpu_isa(void);

/* Bytes of the largest cache that a core has a share of; 0: the processor does not say. Slow. */
int64_t cti_cpu_cache_size(void);

#endif
