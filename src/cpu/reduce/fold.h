/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of generated folds: the inner loops of reductions, looked up by operation and
 * compute type.
 *
 * Note [Folds]: a fold accumulates at three levels. Up to CTI_FOLD_BLOCK elements become a *part*
 * in the compute type, accumulated over many lanes that are combined in a tree. Parts are merged
 * into an *accumulator* of a wider type (float64 for float32, int64 for integers), and the
 * accumulator is finished into the result. The bounds of blocks depend on the shape alone, so
 * neither the number of threads nor the vector width changes the order of additions.
 *
 * Note [Streams]: memory bandwidth is higher with several streams of reads than with one, because
 * the hardware prefetcher runs only a limited distance ahead in each stream. So the engine folds
 * CTI_FOLD_STREAMS distant pieces of a long line together, a kilobyte of each in rotation, with
 * separate lanes for each piece. The result of a piece is the same as if it were folded alone.
 * Pieces that are close together gain nothing. */
#ifndef CORTEN_CPU_FOLD_H
#define CORTEN_CPU_FOLD_H

#include "corten/base.h"
#include "cpu/pointwise/loop.h"

/* Unlike other integer loops, integer folds are compiled for AVX-512 too, because it has masks for
 * tails and compares integers of every width. */
#if defined(CT_ISA_AVX512) && !defined(CT_COMPLEX_PASS)
#undef CT_HAS_WHOLES
#define CT_HAS_WHOLES 1
#endif

#define CTI_FOLD_BLOCK 4096  /* elements of one part */
#define CTI_FOLD_COLUMNS 512 /* columns folded side by side, at most */
#define CTI_FOLD_ROWS 64     /* rows of one part, where columns are folded side by side */
#define CTI_FOLD_LANES 64
#define CTI_FOLD_STREAMS 4 /* pieces of a line that are read in rotation */
#define CTI_FOLD_SLICE(T) (1024 / (int64_t)sizeof(T)) /* elements of a piece before the next */

/* Keep loops over lanes out of line: inlined into each other they spill the lane registers. The
 * barrier keeps the compiler from scheduling several iterations together, which would read memory
 * out of order and defeat the prefetcher. */
#define CTI_FOLD_APART __attribute__((noinline))
#define CTI_FOLD_IN_ORDER __asm__ volatile("")

/* Whether the instruction set has masked loads for this type. Then the tail of a block runs through
 * all lanes at once; without masks it is a separate loop. */
#if defined(__AVX512BW__)
#define CTI_FOLD_MASKS(type) true
#elif defined(__AVX2__)
#define CTI_FOLD_MASKS(type) (sizeof(type) == 4 || sizeof(type) == 8)
#else
#define CTI_FOLD_MASKS(type) false
#endif

/* Lanes of a part of type R. 64-bit types have half as many lanes, so that they fill the same
 * number of vectors. */
#define CTI_FOLD_LANES_OF(R)                                                                       \
    _Generic((R){0}, int64_t : 32, uint64_t : 32, double : 32, default : CTI_FOLD_LANES)

/* An index type with vectors as wide as those of T. */
#define CTI_FOLD_INDEX(T)                                                                          \
    __typeof__(__builtin_choose_expr(                                                              \
        sizeof(T) == 1, (int8_t)0,                                                                 \
        __builtin_choose_expr(sizeof(T) == 2, (int16_t)0,                                          \
                              __builtin_choose_expr(sizeof(T) == 4, (int32_t)0, (int64_t)0))))

/* The limits of each compute type, as start values of minima and maxima. */
#define CTI_LEAST_b8 0
#define CTI_MOST_b8 1
#define CTI_LEAST_u8 0
#define CTI_MOST_u8 UINT8_MAX
#define CTI_LEAST_u16 0
#define CTI_MOST_u16 UINT16_MAX
#define CTI_LEAST_u32 0
#define CTI_MOST_u32 UINT32_MAX
#define CTI_LEAST_u64 0
#define CTI_MOST_u64 UINT64_MAX
#define CTI_LEAST_i8 INT8_MIN
#define CTI_MOST_i8 INT8_MAX
#define CTI_LEAST_i16 INT16_MIN
#define CTI_MOST_i16 INT16_MAX
#define CTI_LEAST_i32 INT32_MIN
#define CTI_MOST_i32 INT32_MAX
#define CTI_LEAST_i64 INT64_MIN
#define CTI_MOST_i64 INT64_MAX
#define CTI_LEAST_f32 -__builtin_inff()
#define CTI_MOST_f32 __builtin_inff()
#define CTI_LEAST_f64 -__builtin_inf()
#define CTI_MOST_f64 __builtin_inf()

/* n contiguous elements of each line, whose starts are bstride bytes apart. `at` is the index of
 * the first line's first element, and `apart` the difference between the indices of adjacent lines.
 * `streams` is set for CTI_FOLD_STREAMS lines whose n is a multiple of CTI_FOLD_SLICE. */
struct cti_fold_lines {
    const char *p;
    int64_t bstride, lines, n, at, apart;
    double param;
    bool streams;
};

struct cti_fold {
    int64_t acc_size;
    uint8_t in, out; /* data types of elements and of the finished result */
    bool picks;      /* the accumulator ends with the int64 index of the selected element */
    /* Folds at most CTI_FOLD_COLUMNS lines of at most CTI_FOLD_BLOCK elements, each into its
     * accumulator. */
    void (*block)(const struct cti_fold_lines *lines, void *accs);
    /* Folds `rows` rows of n adjacent columns into n accumulators. Rows are bstride bytes apart,
     * and `at` is the index of the first row. */
    void (*columns)(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at,
                    double param, void *accs);
    void (*begin)(void *acc, int64_t n);
    void (*join)(void *acc, const void *others, int64_t n);
    void (*finish)(void *out, const void *acc, int64_t n, double count, double param);
};

const struct cti_fold *cti_cpu_find_fold(uint16_t row,
                                         enum ct_dtype dtype); /* NULL: no such type */

#endif
