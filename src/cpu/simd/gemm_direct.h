/* SPDX-License-Identifier: BSD-3-Clause */
/* Micro-kernels on unpacked operands (struct cti_gemm_kernel, direct), included by gemm_kernel.c
 * for float32 and float64 of the wide instruction sets, with
 *   UNIT   a suffix for the functions defined here
 *   T, VEC, VEC_ANY   the unit; a vector of units, aligned and unaligned
 *   PART, PART_OF     a lane mask; from a number of lanes
 *   LOAD_PART, STORE_PART   masked: (address, part), (address, part, vector)
 *   SPREAD, MADD   broadcast of a unit; (sum, a, b) -> sum + a * b
 * As in gemm_tile.h the accumulators stay in registers; loops with constant bounds are unrolled. */
#define LANES ((int64_t)(sizeof(VEC) / sizeof(T)))
#define TILE CTI_ISA_PASTE(direct_tile, UNIT)
#define RUN CTI_ISA_PASTE(direct, UNIT)

/* The last of `vecs` vectors is partial; rows of A are a_row apart. */
static inline __attribute__((always_inline)) void TILE(int rows, int vecs, int64_t k, const T *a,
                                                       int64_t a_row, int64_t a_col, const T *b,
                                                       int64_t b_row, T *c, int64_t c_row,
                                                       PART part, int add)
{
    VEC sum[ROWS][2];
    UNROLL for (int i = 0; i < rows; i++) sum[i][0] = sum[i][1] = (VEC){0};
    for (; k > 0; k--, a += a_col, b += b_row) {
        VEC last = LOAD_PART(b + (vecs - 1) * LANES, part);
        VEC first = vecs == 2 ? *(const VEC_ANY *)b : last;
        UNROLL for (int i = 0; i < rows; i++)
        {
            VEC ai = SPREAD(a[i * a_row]);
            sum[i][0] = MADD(sum[i][0], ai, first);
            if (vecs == 2)
                sum[i][1] = MADD(sum[i][1], ai, last);
        }
    }
    UNROLL for (int i = 0; i < rows; i++)
    {
        T *to = c + i * c_row, *end = to + (vecs - 1) * LANES;
        if (add < 0)
            sum[i][0] = -sum[i][0], sum[i][1] = -sum[i][1];
        if (add && vecs == 2)
            sum[i][0] += *(const VEC_ANY *)to;
        if (add)
            sum[i][vecs - 1] += LOAD_PART(end, part);
        if (vecs == 2)
            *(VEC_ANY *)to = sum[i][0];
        STORE_PART(end, part, sum[i][vecs - 1]);
    }
}

static void RUN(int64_t k, const void *a, int64_t a_row, int64_t a_col, const void *b,
                int64_t b_row, void *c, int64_t c_row, int add, int rows, int cols)
{
    PART part = PART_OF((int)((cols - 1) % LANES) + 1);
#define CASE(r)                                                                                    \
    case r:                                                                                        \
        if (cols > LANES)                                                                          \
            TILE(r, 2, k, a, a_row, a_col, b, b_row, c, c_row, part, add);                         \
        else                                                                                       \
            TILE(r, 1, k, a, a_row, a_col, b, b_row, c, c_row, part, add);                         \
        return;
    switch (rows) {
        CASE(1)
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
#undef VEC_ANY
#undef PART
#undef PART_OF
#undef LOAD_PART
#undef STORE_PART
#undef SPREAD
#undef MADD
