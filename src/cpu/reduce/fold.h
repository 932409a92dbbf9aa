/* SPDX-License-Identifier: BSD-3-Clause */
/* What generated folds look like: the inner loops of reductions, found by row and compute type.
 *
 * Note [Folds]: a fold works in three widths. Up to CTI_FOLD_BLOCK elements are folded into a
 * *part* in the compute type, over many lanes that meet in a tree; parts are merged into an
 * *accumulator* of a wider type (float64 for float32, int64 for integers); the accumulator is
 * finished into the result. Blocks depend on the shape alone, so neither threads nor the
 * instruction set's width change the order of additions.
 *
 * Note [Turns]: a processor fetches ahead of each stream of reads it sees, but only so far; memory
 * delivers more to several streams. So the engine folds distant pieces of a long line together:
 * CTI_FOLD_STREAMS of them, a kilobyte of each in turn, with lanes for each. Every piece is folded
 * as it would be alone: turns do not change a result. Lines near each other gain nothing. */
#ifndef CORTEN_CPU_FOLD_H
#define CORTEN_CPU_FOLD_H

#include "corten/base.h"
#include "cpu/pointwise/loop.h"

/* Folds of whole numbers are compiled for AVX-512 too, unlike other loops of theirs: it has masks
 * for what is left of a line, and compares numbers of every width. */
#if defined(CT_ISA_AVX512) && !defined(CT_COMPLEX_PASS)
#undef CT_HAS_WHOLES
#define CT_HAS_WHOLES 1
#endif

#define CTI_FOLD_BLOCK 4096  /* elements of one part */
#define CTI_FOLD_COLUMNS 512 /* columns folded side by side, at most */
#define CTI_FOLD_ROWS 64     /* rows of one part, where columns are folded side by side */
#define CTI_FOLD_LANES 64
#define CTI_FOLD_STREAMS 4                           /* lines read in turns, */
#define CTI_FOLD_TURN(T) (1024 / (int64_t)sizeof(T)) /* and elements of each turn */

/* Inlined into one another, loops over lanes lose their registers. Rounds of a loop that are
 * scheduled together read in another order than from front to back, and the processor fetches ahead
 * of nothing else as well. */
#define CTI_FOLD_APART __attribute__((noinline))
#define CTI_FOLD_IN_ORDER __asm__ volatile("")

/* Has the instruction set loads under a mask for elements of this type? The rest of a block runs
 * through all lanes then: a loop over what is left would be its own prologue and rest. */
#if defined(__AVX512BW__)
#define CTI_FOLD_MASKS(type) true
#elif defined(__AVX2__)
#define CTI_FOLD_MASKS(type) (sizeof(type) == 4 || sizeof(type) == 8)
#else
#define CTI_FOLD_MASKS(type) false
#endif

/* Lanes of parts of type R: fewer of wide numbers, which fill as many vectors. */
#define CTI_FOLD_LANES_OF(R)                                                                       \
    _Generic((R){0}, int64_t : 32, uint64_t : 32, double : 32, default : CTI_FOLD_LANES)

/* An index that compares in vectors as wide as those of T. */
#define CTI_FOLD_INDEX(T)                                                                          \
    __typeof__(__builtin_choose_expr(                                                              \
        sizeof(T) == 1, (int8_t)0,                                                                 \
        __builtin_choose_expr(sizeof(T) == 2, (int16_t)0,                                          \
                              __builtin_choose_expr(sizeof(T) == 4, (int32_t)0, (int64_t)0))))

/* The ends of the compute types, where a fold may begin. */
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

/* Lines of n contiguous elements each, bstride bytes apart. `at` is the index of the first element;
 * that of the next line's first is `apart` more. In turns: CTI_FOLD_STREAMS lines of a whole number
 * of turns. */
struct cti_fold_lines {
    const char *p;
    int64_t bstride, lines, n, at, apart;
    double param;
    bool turns;
};

struct cti_fold {
    int64_t acc_size;
    uint8_t in, out; /* data types of elements and of the finished result */
    bool picks;      /* the accumulator ends with the int64 index of the element it took */
    /* At most CTI_FOLD_COLUMNS lines of at most CTI_FOLD_BLOCK elements, each into an accumulator.
     */
    void (*block)(const struct cti_fold_lines *lines, void *accs);
    /* n accumulators side by side, into each `rows` elements bstride bytes apart. */
    void (*columns)(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at,
                    double param, void *accs);
    void (*begin)(void *acc, int64_t n);
    void (*join)(void *acc, const void *others, int64_t n);
    void (*finish)(void *out, const void *acc, int64_t n, double count, double param);
};

const struct cti_fold *cti_cpu_find_fold(uint16_t row,
                                         enum ct_dtype dtype); /* NULL: no such type */

#endif
