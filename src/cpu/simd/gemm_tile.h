/* SPDX-License-Identifier: BSD-3-Clause */
/* One micro-kernel of gemm/kernel.h, included by gemm_kernel.c for each unit, with
 *   UNIT   a suffix for the functions defined here
 *   T      the unit; VEC a vector of units
 *   SUM    the accumulator, as wide as T; VSUM a vector of them, VSUM_ANY unaligned
 *   SPREAD, MADD   broadcast of a unit; (sum, a, b) -> sum + a * b
 *   TARGET attributes of the functions
 * Register blocking: ROWS rows times two vectors of accumulators. `rows` and `vecs` are constants
 * wherever tile() is inlined, so its loops are unrolled. */
#define LANES ((int64_t)(sizeof(VEC) / sizeof(T)))
#define TILE CTI_ISA_PASTE(tile, UNIT)
#define RUN CTI_ISA_PASTE(run, UNIT)

TARGET static inline __attribute__((always_inline)) void TILE(int rows, int vecs, int64_t k,
                                                              const T *a, const T *b, SUM *c,
                                                              int64_t c_row, const SUM *from,
                                                              int64_t from_row)
{
    VSUM sum[ROWS][2];
    for (int i = 0; i < rows; i++) {
        /* The epilogue would stall on the rows of C. */
        __builtin_prefetch(c + i * c_row, 1);
        if (vecs == 2)
            __builtin_prefetch(c + i * c_row + LANES, 1);
        sum[i][0] = (VSUM){0};
        sum[i][1] = (VSUM){0};
    }
    for (; k > 0; k--, a += ROWS, b += 2 * LANES) {
        VEC b0 = *(const VEC *)b;
        VEC b1 = *(const VEC *)(b + LANES);
        for (int i = 0; i < rows; i++) {
            VEC ai = SPREAD(a[i]);
            sum[i][0] = MADD(sum[i][0], ai, b0);
            if (vecs == 2)
                sum[i][1] = MADD(sum[i][1], ai, b1);
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int v = 0; v < vecs; v++) {
            if (from)
                sum[i][v] += *(const VSUM_ANY *)(from + i * from_row + v * LANES);
            *(VSUM_ANY *)(c + i * c_row + v * LANES) = sum[i][v];
        }
    }
}

TARGET static void RUN(int64_t k, const void *a, const void *b, void *c, int64_t c_row,
                       const void *from, int64_t from_row, int rows, int cols)
{
#define CASE(r)                                                                                    \
    case r:                                                                                        \
        if (cols > LANES)                                                                          \
            TILE(r, 2, k, a, b, c, c_row, from, from_row);                                         \
        else                                                                                       \
            TILE(r, 1, k, a, b, c, c_row, from, from_row);                                         \
        return;
    switch ((rows + 1) & ~1) {
        CASE(2)
        CASE(4)
        CASE(6)
#if ROWS > 6
        CASE(8)
        CASE(10)
        CASE(12)
        CASE(14)
#endif
    }
#undef CASE
}

#undef LANES
#undef TILE
#undef RUN
#undef UNIT
#undef T
#undef VEC
#undef SUM
#undef VSUM
#undef VSUM_ANY
#undef SPREAD
#undef MADD
#undef TARGET
