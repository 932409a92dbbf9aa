/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects once which instruction set the CPU loops may use and how large the caches are. Every CPU
 * engine calls this. */
#include "cpu/isa.h"

#include "corten/base.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static enum cti_isa best_of_machine(void)
{
    enum cti_isa best = CTI_ISA_BASELINE;
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#ifdef CT_HAVE_AVX2
    if (avx2)
        best = CTI_ISA_AVX2;
#endif
#ifdef CT_HAVE_AVX512
    if (avx512)
        best = CTI_ISA_AVX512;
#endif
    (void)avx512;
#endif
    return best;
}

static const char *const name[] = {"baseline", "avx2", "avx512"};

static enum cti_isa choose(void)
{
    enum cti_isa best = best_of_machine();
    const char *wish = getenv("CORTEN_ISA");
    for (int i = CTI_ISA_BASELINE; wish && i < (int)best; i++)
        if (strcmp(wish, name[i]) == 0)
            return (enum cti_isa)i;
    return best;
}

enum cti_isa cti_cpu_isa(void)
{
    /* Racing first callers compute the same value, so no lock is needed. */
    static int known = -1;
    int isa = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (isa < 0) {
        isa = (int)choose();
        __atomic_store_n(&known, isa, __ATOMIC_RELAXED);
    }
    return (enum cti_isa)isa;
}

static enum cti_tiles find_tiles(void)
{
    const char *wish = getenv("CORTEN_ISA");
    if (wish && strcmp(wish, "emulated-amx") == 0)
        return CTI_TILES_EMULATED;
#if defined(__x86_64__)
    unsigned a, b, c, d;
    if ((wish && *wish) || cti_cpu_isa() != CTI_ISA_AVX512 ||
        !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return CTI_TILES_NONE;
    bool bf16 = d >> 22 & 1, tiles = d >> 24 & 1;
    if (!bf16 || !tiles || !__get_cpuid_count(1, 0, &a, &b, &c, &d) || !(c >> 27 & 1))
        return CTI_TILES_NONE;
    unsigned low, high; /* register state that the kernel saves; tiles are bits 17 and 18 */
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low >> 17 & 3) == 3 ? CTI_TILES_REAL : CTI_TILES_NONE;
#else
    return CTI_TILES_NONE;
#endif
}

enum cti_tiles cti_cpu_tiles(void)
{
    static int known = -1; /* as above */
    int tiles = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (tiles < 0) {
        tiles = (int)find_tiles();
        __atomic_store_n(&known, tiles, __ATOMIC_RELAXED);
    }
    return (enum cti_tiles)tiles;
}

#if defined(__x86_64__)
/* Returns the size of the largest data or unified cache in a CPUID leaf that has one sub-leaf for
 * each cache: of the given level, or of all levels (0). */
static int64_t largest_cache(unsigned leaf, unsigned level)
{
    int64_t largest = 0;
    unsigned a, b, c, d;
    for (unsigned i = 0; i < 8 && __get_cpuid_count(leaf, i, &a, &b, &c, &d) && (a & 31); i++) {
        int64_t ways = (b >> 22) + 1, parts = (b >> 12 & 1023) + 1, line = (b & 4095) + 1;
        int64_t size = ways * parts * line * ((int64_t)c + 1);
        if ((!level || (a >> 5 & 7) == level) && (a & 31) != 2)
            largest = size > largest ? size : largest;
    }
    return largest;
}
#endif

int64_t cti_cpu_inner_cache(int level)
{
    static int64_t known[3];
    int64_t size = __atomic_load_n(&known[level], __ATOMIC_RELAXED);
    if (size)
        return size;
#if defined(__x86_64__)
    size = largest_cache(4, (unsigned)level);
    size = size ? size : largest_cache(0x8000001d, (unsigned)level);
#endif
    size = size ? size : level == 1 ? 32 << 10 : 1 << 20;
    __atomic_store_n(&known[level], size, __ATOMIC_RELAXED);
    return size;
}

int64_t cti_cpu_cache_size(void)
{
#if defined(__x86_64__)
    int64_t size = largest_cache(4, 0); /* Intel's leaf; AMD's has the same layout */
    return size ? size : largest_cache(0x8000001d, 0);
#else
    return 0;
#endif
}

const char *ct_isa(void)
{
    return name[cti_cpu_isa()];
}
