/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instruction set the CPU loops use. Files listed in cpu_isa_sources are compiled once for
 * each set, with CT_ISA naming it; CTI_ISA_NAME gives each copy of a shared name its suffix, and
 * callers select a copy from a table by cti_cpu_isa(). The environment variable
 * CORTEN_ISA=baseline|avx2|avx512 limits the choice to that set and disables AMX.
 *
 *     const struct loops CTI_ISA_NAME(cti_loops) = {...};     // in the file compiled three times
 *
 *     extern const struct loops CTI_ISA_NAMES(cti_loops);     // in the file that calls them
 *     static const struct loops *const loops[] = CTI_ISA_TABLE(cti_loops);
 *     ... loops[cti_cpu_isa()]->add(...)
 * */
#ifndef CORTEN_CPU_ISA_H
#define CORTEN_CPU_ISA_H

#include <stdint.h>

#define CTI_ISA_PASTE2(name, isa) name##_##isa
#define CTI_ISA_PASTE(name, isa) CTI_ISA_PASTE2(name, isa)
#define CTI_ISA_NAME(name) CTI_ISA_PASTE(name, CT_ISA)
#define CTI_ISA_NAMES(name) name##_baseline, name##_avx2, name##_avx512

/* The addresses of a name for all sets. A set that was not built is replaced by the next lower one,
 * so every entry can be used. */
#define CTI_ISA_TABLE(name)                                                                        \
    {                                                                                              \
        &name##_baseline, &CTI_ISA_AVX2_OF(name), &CTI_ISA_AVX512_OF(name)                         \
    }
#if CT_HAVE_AVX2
#define CTI_ISA_AVX2_OF(name) name##_avx2
#else
#define CTI_ISA_AVX2_OF(name) name##_baseline
#endif
#if CT_HAVE_AVX512
#define CTI_ISA_AVX512_OF(name) name##_avx512
#else
#define CTI_ISA_AVX512_OF(name) CTI_ISA_AVX2_OF(name)
#endif

/* Each set includes those before it. AVX2 means avx2, fma, f16c and bmi2; AVX512 adds avx512f, bw,
 * dq and vl. */
enum cti_isa { CTI_ISA_BASELINE, CTI_ISA_AVX2, CTI_ISA_AVX512 };

/* The best set that this machine has, that was built, and that CORTEN_ISA allows. Detected once;
 * cheap afterwards. */
enum cti_isa cti_cpu_isa(void);

/* Whether products of bfloat16 may use AMX tiles. This is not a fourth instruction set, because
 * only one kernel uses it. CORTEN_ISA=emulated-amx tests the code around that kernel on any
 * machine. */
enum cti_tiles { CTI_TILES_NONE, CTI_TILES_REAL, CTI_TILES_EMULATED };
enum cti_tiles cti_cpu_tiles(void);

/* Bytes of a core's level 1 or 2 cache; a typical size if the processor does not report it. */
int64_t cti_cpu_inner_cache(int level);

/* Bytes of the largest cache that a core has a share of; 0 if the processor does not report it.
 * Slow. */
int64_t cti_cpu_cache_size(void);

#endif
