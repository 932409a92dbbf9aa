/* SPDX-License-Identifier: BSD-3-Clause */
/* The bfloat16 micro-kernel on AMX tiles (gemm/kernel.h): 32 by 32 accumulators in four tiles, two
 * tiles of A and two of B for 32 steps of k. The plain C version lets tests run on machines without
 * AMX (CORTEN_ISA=emulated-amx). Called by gemm/packed.c. */
#include "cpu/gemm/kernel.h"

#include <stdbool.h>
#include <string.h>

enum { ROWS = 32, COLS = 32, PAIRS = 16 }; /* of a micro-tile; units of k in an AMX tile */

/* Merges part of a spilled micro-tile into C. */
static void merge(const float *sums, float *c, int64_t c_row, const float *from, int64_t from_row,
                  int rows, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            c[i * c_row + j] = (from ? from[i * from_row + j] : 0) + sums[i * COLS + j];
}

static float bf16(uint32_t bits)
{
    float x;
    bits <<= 16;
    memcpy(&x, &bits, 4);
    return x;
}

static void emulated(int64_t k, const void *a, const void *b, void *c, int64_t c_row,
                     const void *from, int64_t from_row, int rows, int cols)
{
    const uint32_t *pa = a, *pb = b;
    float sums[ROWS * COLS] = {0};
    for (int64_t p = 0; p < k; p++)
        for (int i = 0; i < ROWS; i++) {
            uint32_t x = pa[(p / PAIRS * ROWS + i) * PAIRS + p % PAIRS];
            for (int j = 0; j < COLS; j++) {
                uint32_t y = pb[p * COLS + j];
                sums[i * COLS + j] += bf16(x & 0xffff) * bf16(y & 0xffff);
                sums[i * COLS + j] += bf16(x >> 16) * bf16(y >> 16);
            }
        }
    merge(sums, c, c_row, from, from_row, rows, cols);
}

#if CT_HAVE_AMX
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

struct config {
    uint8_t palette, start_row, reserved[14];
    uint16_t bytes[16]; /* of a tile row */
    uint8_t rows[16];
};

/* Eight tiles of 16 rows of 64 bytes: four accumulators, two of A, two of B. */
static const struct config whole = {.palette = 1,
                                    .bytes = {64, 64, 64, 64, 64, 64, 64, 64},
                                    .rows = {16, 16, 16, 16, 16, 16, 16, 16}};

__attribute__((target("amx-tile,amx-bf16"))) static void run(int64_t k, const void *a,
                                                             const void *b, void *c, int64_t c_row,
                                                             const void *from, int64_t from_row,
                                                             int rows, int cols)
{
    _Alignas(64) float apart[ROWS * COLS];
    bool fits = rows == ROWS && cols == COLS;
    float *to = fits ? c : apart;
    size_t line = (size_t)(fits ? c_row : COLS) * sizeof(float);
    const char *pa = a, *pb = b;
    _tile_loadconfig(&whole);
    if (fits && from) {
        const float *start = from;
        size_t apart_by = (size_t)from_row * sizeof(float);
        _tile_loadd(0, start, apart_by);
        _tile_loadd(1, start + 16, apart_by);
        _tile_loadd(2, (const char *)start + 16 * apart_by, apart_by);
        _tile_loadd(3, (const char *)(start + 16) + 16 * apart_by, apart_by);
    } else {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    }
    for (int64_t p = 0; p < k; p += PAIRS, pa += ROWS * 64, pb += PAIRS * COLS * 4) {
        _tile_loadd(4, pa, 64);
        _tile_loadd(5, pa + 16 * 64, 64);
        _tile_loadd(6, pb, COLS * 4);
        _tile_loadd(7, pb + 64, COLS * 4);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, to, line);
    _tile_stored(1, to + 16, line);
    _tile_stored(2, (char *)to + 16 * line, line);
    _tile_stored(3, (char *)(to + 16) + 16 * line, line);
    _tile_release();
    if (!fits)
        merge(apart, c, c_row, from, from_row, rows, cols);
}

/* Linux grants the tile state on request only. */
static bool permitted(void)
{
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}
#endif

const struct cti_gemm_kernel *cti_gemm_tiles(void)
{
    static const struct cti_gemm_kernel slow = {ROWS, COLS, emulated, NULL};
#if CT_HAVE_AMX
    static const struct cti_gemm_kernel real = {ROWS, COLS, run, NULL};
    static int known = -1; /* racing first callers find the same value */
    int allowed = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (allowed < 0) {
        allowed = cti_cpu_tiles() == CTI_TILES_REAL && permitted();
        __atomic_store_n(&known, allowed, __ATOMIC_RELAXED);
    }
    if (allowed)
        return &real;
#endif
    return cti_cpu_tiles() == CTI_TILES_EMULATED ? &slow : NULL;
}
