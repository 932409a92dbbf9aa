/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of rows selected by indices, compiled once for each instruction set and called by bags.c
 * through a table. Partial sums of some columns stay in registers for all rows of a bag. */
#include "cpu/index/bags.h"

#include "cpu/isa.h"
#include "cpu/pointwise/loop.h"

#include <string.h>

enum { BYTES = 64, VECTORS = 4, AHEAD = 8 };

#define SUM(T, name)                                                                               \
    typedef T vector_##name __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));    \
    static void sum_##name(void *to, const void *from, int64_t row, const int64_t *index,          \
                           int64_t n, int64_t width)                                               \
    {                                                                                              \
        const int64_t lanes = BYTES / sizeof(T), wide = VECTORS * lanes;                           \
        T *out = to;                                                                               \
        const T *in = from;                                                                        \
        for (; width >= wide; width -= wide, out += wide, in += wide) {                            \
            vector_##name sum[VECTORS] = {{0}};                                                    \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const T *x = in + index[i] * row;                                                  \
                const T *later = in + index[i + AHEAD < n ? i + AHEAD : i] * row;                  \
                for (int v = 0; v < VECTORS; v++) {                                                \
                    __builtin_prefetch(later + v * lanes);                                         \
                    sum[v] += *(const vector_##name *)(x + v * lanes);                             \
                }                                                                                  \
            }                                                                                      \
            for (int v = 0; v < VECTORS; v++)                                                      \
                *(vector_##name *)(out + v * lanes) = sum[v];                                      \
        }                                                                                          \
        memset(out, 0, (size_t)width * sizeof *out);                                               \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T *x = in + index[i] * row;                                                      \
            CT_IVDEP                                                                               \
            for (int64_t j = 0; j < width; j++)                                                    \
                out[j] += x[j];                                                                    \
        }                                                                                          \
    }

SUM(float, f32)
SUM(double, f64)

extern const struct cti_bag_loops CTI_ISA_NAME(cti_bag_loops);
const struct cti_bag_loops CTI_ISA_NAME(cti_bag_loops) = {sum_f32, sum_f64};
